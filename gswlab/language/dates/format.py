"""One date from text to value, and from value to text."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress

from gswlab.core.errors import GswlabError
from gswlab.language.dates.calendar import parse_iso
from gswlab.language.dates.find import find_dates
from gswlab.language.language import DEFAULT, of

_LEAD = re.compile(r"^(?:on|in)\s+", re.IGNORECASE)


def normalise_date(text: str) -> str | None:
    """The ISO value of a text that is one date and nothing else, or None."""
    text = unicodedata.normalize("NFKC", text).strip().rstrip(".,。、")
    text = _LEAD.sub("", text, count=1)
    with suppress(GswlabError):
        return parse_iso(text).iso
    # not ISO: then prose, where a bare month or year needs its preposition
    for lead in ("", "in "):
        found = find_dates(lead + text)
        if len(found) == 1 and found[0].text == text and not found[0].relative:
            return found[0].value
    return None


def format_date(value: str, language: str = DEFAULT) -> str:
    """A value as prose writes it."""
    return of(language).dated(parse_iso(value))


def shown(value: str, language: str = DEFAULT) -> str:
    """A day in words, anything else as it is."""
    with suppress(GswlabError):
        return format_date(value, language=language)
    return value  # "07 Brook Lane" is no day
