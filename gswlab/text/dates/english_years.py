"""Years and months written in passing: the winter of '48, the 1953 flood, born 1901."""

from __future__ import annotations

import re

from gswlab.text.dates.calendar import Calendar
from gswlab.text.dates.english_words import (
    FUNCTION,
    MONTHS,
    NO_THINGS,
    WORDED_ONES,
    WORDED_TENS,
    YEAR,
    any_capital,
    any_of,
    compiled,
    month_of,
    no_name,
    words,
    year_of,
)
from gswlab.text.dates.pattern import Found, Pattern
from gswlab.text.numbers import to_number

_MONTH = rf"(?P<month>(?-i:{any_capital(MONTHS)}))"
_SHORT = rf"[’'‘](?P<short>\d\d)\b{FUNCTION}"
# What comes round, or came once: a year or month before it says when.
_EVENTS = any_of(
    words(
        "flood floods fire drought earthquake storm gale epidemic outbreak famine war "
        "strike election elections census rising rebellion revolution uprising riots "
        "treaty expedition survey season harvest vintage edition exhibition festival "
        "games tour championship final meeting fair market sale sales session sessions "
        "assizes intake examination examinations recess holiday holidays"
    )
)


def _year(match: re.Match[str]) -> Calendar:
    return Calendar(year_of(match["year"]))


def _short(match: re.Match[str]) -> Calendar:
    """'48, May '45: of which century, the frame knows."""
    word = match.groupdict().get("month")
    month = month_of(word, sure=True) if word else None
    return Calendar(month=month, short=int(match["short"]))


def _worded_short(match: re.Match[str]) -> Calendar | None:
    """The autumn of fifty-six."""
    short = to_number(re.sub(r"\s+", "-", match["short"].lower()))
    return Calendar(short=short) if short and short >= 20 else None


def _month(match: re.Match[str]) -> Calendar:
    year = year_of(match.groupdict().get("year"))
    return Calendar(year, month_of(match["month"], sure=True))


def _it_is(match: re.Match[str]) -> Calendar | None:
    """It is November, and it was April when; no "it was June, the cook, who"."""
    sure = no_name(match["month"], match.string, match.end())
    return _month(match) if sure else None


_PATTERNS = (
    Pattern(
        compiled(
            r"\b(?:in|since|until|till|of|by|before|after|from|during|spring|summer|"
            rf"autumn|fall|winter|class\s+of)\s+(?P<date>{_SHORT})"
        ),
        _short,
    ),
    Pattern(compiled(rf"\b{_MONTH}(?:\s+of)?\s+{_SHORT}"), _short),
    Pattern(
        compiled(
            r"\b(?:spring|summer|autumn|winter|class|end|beginning|start|crash|strike|"
            rf"flood|frost|{any_of(MONTHS)})\s+of\s+[’'‘]?"
            rf"(?P<date>(?P<short>{WORDED_TENS}[- ]{WORDED_ONES}))\b{FUNCTION}"
        ),
        _worded_short,
    ),
    # said by itself: "Nineteen thirty-six.", "after the war, nineteen forty-seven"
    Pattern(
        compiled(
            r"(?:^|[.?!,:;—–\n“\"‘(])\s*(?P<date>(?=(?:sixteen|seventeen|eighteen|"
            rf"nineteen|twenty)\s){YEAR})(?=\s*(?:$|[.,;:!?)—–]))"
        ),
        _year,
    ),
    # "the August fair of 1919", and "the March elections"
    Pattern(
        compiled(rf"\bthe\s+(?P<date>{_MONTH}\s+[a-z]+\s+of\s+{YEAR}){NO_THINGS}"),
        _month,
    ),
    Pattern(
        compiled(rf"\b(?:the|this|last|next)\s+(?P<date>{_MONTH})\s+(?:{_EVENTS})\b"),
        _month,
    ),
    Pattern(
        compiled(
            rf"\b(?:the|that)\s+(?P<date>{YEAR})\s+(?:\w+\s+)?(?:{_EVENTS}){FUNCTION}"
        ),
        _year,
    ),
    # "it was 1848", "it is November", as what follows says no more
    Pattern(
        compiled(
            r"\b(?:it|that|this)\s+(?:was|is)\s+(?:(?:now|already|still|only|not|late|"
            rf"early|nearly|almost)\s+)*(?P<date>{YEAR}){NO_THINGS}{FUNCTION}"
        ),
        _year,
    ),
    Pattern(
        compiled(
            r"\b(?:it\s+(?:was|is)|it[’']s)\s+(?:(?:now|already|still|only|not|late|"
            rf"early|nearly|almost)\s+)*(?P<date>{_MONTH})(?!\s*\d){FUNCTION}"
        ),
        _it_is,
    ),
    Pattern(
        compiled(
            r"\b(?:born|died|b\.|d\.|dated|founded|established|est\.|built|erected|"
            rf"published|anno\s+domini|A\.?D\.?|of\s+(?:grace|our\s+Lord))\s+"
            rf"(?P<date>{YEAR}){NO_THINGS}{FUNCTION}"
        ),
        _year,
    ),
    # a year that opens a sentence as its subject
    Pattern(
        re.compile(
            r"(?:^|(?<=[.!?]\s)|(?<=\n))(?P<date>(?P<year>[12]\d{3}))\s+"
            r"(?:was|saw|brought|began|opened|ended|proved)\b"
        ),
        _year,
    ),
)


def find(text: str) -> list[Found]:
    """Every such year and month the text names, overlaps included."""
    return [item for pattern in _PATTERNS for item in pattern.find(text)]
