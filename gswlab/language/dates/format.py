"""A date's value as text."""

from __future__ import annotations

from contextlib import suppress

from gswlab.core.errors import GswlabError
from gswlab.language.dates.calendar import parse_iso
from gswlab.language.language import DEFAULT, of


def format_date(value: str, language: str = DEFAULT) -> str:
    """A value as prose writes it."""
    return of(language).dated(parse_iso(value))


def shown(value: str, language: str = DEFAULT) -> str:
    """A day in words, anything else as it is."""
    with suppress(GswlabError):
        return format_date(value, language=language)
    return value  # "07 Brook Lane" is no day
