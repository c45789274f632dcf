"""How English prose writes steps from another date: yesterday, three days later, ..."""

from __future__ import annotations

import re
from pathlib import Path

from gswlab.language.dates.calendar import (
    Shift,
    Unit,
    any_of,
    compiled,
)
from gswlab.language.dates.table import written
from gswlab.language.en import words
from gswlab.language.en.words import (
    EN_WORDS,
    PART,
    TENS,
    TOLD,
    WAYS,
    WEEKDAYS,
    WORDED,
    any_capital,
)
from gswlab.language.numbers import WORDS, to_number

_OPENS = r"(?:^|(?<=\n))[ \t]*"  # a line of its own, or the first of a chunk
_CLOSES = r"(?=\s*(?:[.:—–]|\n))"
_FEW = r"several|(?:a\s+)?few|some|many|a\s+couple\s+of|countless"
_ROUND = {"hundred": 100, "thousand": 1000}
_COUNT = (
    rf"(?<![\d.,-])(?P<count>\d{{1,4}}|(?:a|one)\s+(?:{'|'.join(_ROUND)})|an?|{_FEW}"
    rf"|(?:(?:{TENS})[- ])?(?:{any_of(WORDS)}))"
)
_UNIT = r"(?P<unit>day|night|week|fortnight|month|year|decade)"
_UNITS: dict[str, tuple[Unit, int]] = {
    "day": ("day", 1), "night": ("day", 1), "week": ("week", 1),
    "fortnight": ("week", 2), "month": ("month", 1), "year": ("year", 1),
    "decade": ("year", 10),
}  # fmt: skip
_NTH = rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)|{WORDED})"
_SHORT_DAYS = r"(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?"
_WEEKDAY = rf"(?-i:(?P<weekday>{any_capital(WEEKDAYS)}))"
_THE_END = r"\bthe\s+(?:end|middle|beginning|start)\s+of\s+the\s+"
# "one Tuesday in March", "the second Sunday in Advent", "Trinity Sunday": which is it?
_SOME_DAY = compiled(
    r"\b(?:one|each|every|any|some|other|first|second|third|fourth|fifth|alternate|week|"
    r"(?-i:Easter|Holy|Trinity|Palm|Low|Passion|Advent|Whit|Rogation|Remembrance|Holiday|"
    r"Mothering|Black|Bloody|Cyber|Plough|Spy))\s+$"
)
_GOES_ON = (  # what no noun of the eighth could begin with
    r"(?=\s+(?:an?|my|his|her|our|their|its|some|two|three|for|from|by|because|while|"
    r"after|before|which|who|our|no|all|both|another|every)\b)"
)
_WRITTEN = (  # what is known by its date: your letter of the 3rd
    r"letters?|notes?|favour|telegrams?|wire|cable|(?:post)?card|message|minutes|meeting|"
    r"report|orders?|issue|events|resolution"
)
_WAY = rf"(?P<way>{any_of(WAYS)})"
# "the day before", but not "the day before the trial": that hangs on the trial.
_ALONE = r"(?=\s*(?:$|[.,;:!?)\]—–\"”’]|(?:and|but|or|when|he|she|they|we|i|it)\b))"
_THAT = rf"(?P<that>\s+that(?={_ALONE}|\s+the\b))?"  # two days after that
_BACK = frozenset({"ago", "earlier", "before", "previously", "prior", "back"})
_BESIDE = {"before": -1, "after": 1}
_TOLD_WAYS = TOLD | {"before", "after", "afterward", "afterwards", "prior", "on"}


def _many(match: re.Match[str]) -> tuple[Unit, int | None]:
    """The unit and how many of it: a fortnight is two weeks, a few days are unknown."""
    unit, size = _UNITS[match["unit"].lower()]
    number = _number(match["count"])
    return unit, None if number is None else number * size


def _number(text: str) -> int | None:
    last = text.lower().split()[-1]
    return 1 if last in ("a", "an") else _ROUND.get(last) or to_number(text)


def _stretch_of(unit: str, count: int | None, told: bool) -> Shift:
    """A week (any day of it), a month, a year, a day, or a part of a day."""
    if unit in ("week", "month", "year"):
        return Shift(_UNITS[unit][0], count, span=unit == "week", told=told)
    return Shift("day", count, part=unit != "day", told=told)


def _free(match: re.Match[str]) -> bool:
    """Whether nothing follows that a day before or after hangs on."""
    groups = match.groupdict()
    hangs = groups.get("way", "").lower() in ("before", "after", "prior")
    alone = compiled(_ALONE).match(match.string, match.end())
    return bool(not hangs or groups["that"] or alone)


def _is_told(match: re.Match[str]) -> bool:
    """The next day, that Monday: of the story; next week, last Monday: of the talk."""
    way = (match["way"] or "").lower()
    unit = (match.groupdict().get("unit") or "").lower()
    if way == "next" and unit in ("day", *PART.split("|")):
        return True  # of the day one speaks on, the next is "tomorrow"
    return way in TOLD or bool(compiled(r"(?:early\s+|late\s+)?the\b").match(match[0]))


def _neighbour(match: re.Match[str]) -> Shift:
    """The next morning, that night, last week, the year before."""
    unit = match["unit"].lower().replace("weekend", "week")
    count = (WAYS | _BESIDE)[match["way"].lower()] if _free(match) else None
    return _stretch_of(unit, count, _is_told(match))


def _counted(match: re.Match[str]) -> Shift:
    """Three days later; of "after three days", too."""
    way, (unit, count) = match.groupdict().get("way", "later").lower(), _many(match)
    if not _free(match):
        count = None
    if count is not None and way in _BACK:
        count = -count
    night = match["unit"].lower() == "night"
    return Shift(unit, count, part=night, told=way in _TOLD_WAYS)


def _ahead(match: re.Match[str]) -> Shift | None:
    unit, count = _many(match)
    lasts = unit == "day" and match["count"].lower() in ("a", "one")
    return None if lasts else Shift(unit, count)  # "in a day" says how long, not when


def _weekday(match: re.Match[str]) -> Shift | None:
    before = match.string[max(0, match.start() - 16) : match.start()]
    if _SOME_DAY.search(before):
        return None
    weekday, part = EN_WORDS.weekday(match["weekday"]), bool(match["part"])
    way = WAYS.get((match["way"] or match["late"] or "").lower())
    if way is None and compiled(r"\bthe\s+$").search(before[-6:]):
        return Shift("day", None, weekday, part=part, told=True)
    if way == 0:
        same = match["way"].lower() == "this"
        return Shift("week", 0 if same else None, weekday, part=part)
    told = way is not None and _is_told(match)
    return Shift("day", way, weekday, part=part, told=told)


_HERE = {**vars(words), **globals()}
STEPS = written(Path(__file__).with_name("steps.tsv"), EN_WORDS, _HERE)
