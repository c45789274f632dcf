"""Dates: found in prose, resolved as far as the text allows, written out again."""

from gswlab.text.dates.calendar import parse_iso
from gswlab.text.dates.formats import format_date, normalise_date
from gswlab.text.dates.mention import DateMention, find_dates

__all__ = ["DateMention", "find_dates", "format_date", "normalise_date", "parse_iso"]
