"""How English prose writes steps from another date: yesterday, three days later, ..."""

from __future__ import annotations

import re

from gswlab.text.dates.calendar import Shift, Unit
from gswlab.text.dates.english_words import (
    FUNCTION,
    LONGEST,
    MONTHS,
    PART,
    WEEKDAYS,
    WORDED,
    any_capital,
    any_of,
    compiled,
    weekday_of,
)
from gswlab.text.dates.pattern import Found, Pattern
from gswlab.text.numbers import WORDS, to_number

_FEW = r"several|(?:a\s+)?few|some|many|a\s+couple\s+of|countless"
_TENS = any_of([word for word, n in WORDS.items() if n >= 20])
_ROUND = {"hundred": 100, "thousand": 1000}
_COUNT = (
    rf"(?<![\d.,-])(?P<count>\d{{1,4}}|(?:a|one)\s+(?:{'|'.join(_ROUND)})|an?|{_FEW}"
    rf"|(?:(?:{_TENS})[- ])?(?:{any_of(list(WORDS))}))"
)
_UNIT = r"(?P<unit>day|night|week|fortnight|month|year|decade)"
_UNITS: dict[str, tuple[Unit, int]] = {
    "day": ("day", 1),
    "night": ("day", 1),
    "week": ("week", 1),
    "fortnight": ("week", 2),
    "month": ("month", 1),
    "year": ("year", 1),
    "decade": ("year", 10),
}
_DAYS = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}
_WAYS = {
    **dict.fromkeys(("next", "following"), 1),
    **dict.fromkeys(("last", "previous", "preceding"), -1),
    **dict.fromkeys(("this", "that", "same"), 0),
}
# of a letter: of this month, the last, the next
_LETTERS = {"inst": 0, "instant": 0, "ult": -1, "ultimo": -1, "prox": 1, "proximo": 1}
_NTH = rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)|{WORDED})"
_SHORT_DAYS = r"(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?"
# "one Tuesday in March", "the second Sunday in Advent", "Trinity Sunday": which is it?
_SOME_DAY = compiled(
    r"\b(?:one|each|every|any|some|other|first|second|third|fourth|fifth|alternate|"
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
_WAY = rf"(?P<way>{any_of(list(_WAYS))})"
# "the day before", but not "the day before the trial": that hangs on the trial.
_ALONE = r"(?=\s*(?:$|[.,;:!?)\]—–\"”’]|(?:and|but|or|when|he|she|they|we|i|it)\b))"
_THAT = rf"(?P<that>\s+that(?={_ALONE}|\s+the\b))?"  # two days after that
_BACK = frozenset({"ago", "earlier", "before", "previously", "prior", "back"})
# Counted from the day told last; all else from the day it is said on.
_TOLD = frozenset(
    {"that", "same", "following", "previous", "preceding", "later", "earlier"}
)
_TOLD_WAYS = _TOLD | {"before", "after", "afterward", "afterwards", "prior", "on"}


_THE = compiled(r"\bthe\s+$")
_DAYLONG = frozenset({"day", *PART.split("|")})


def _deictic(match: re.Match[str]) -> Shift:
    part = bool(match["part"]) or match["word"].lower() == "tonight"
    return Shift("day", _DAYS[match["word"].lower()], part=part)


def _neighbour(match: re.Match[str]) -> Shift:
    """The next morning, that night, last week, the following year."""
    way = _WAYS[match["way"].lower()]
    unit = match["unit"].lower().replace("weekend", "week")
    told = _is_told(match)
    if unit in ("week", "month", "year"):
        return Shift(_UNITS[unit][0], way, span=unit == "week", told=told)
    return Shift("day", way, part=unit != "day", told=told)


def _is_told(match: re.Match[str]) -> bool:
    """The next day, that Monday: of the story; next week, last Monday: of the talk."""
    way = (match["way"] or "").lower()
    article = re.match(r"(?:early\s+|late\s+)?the\b", match.group(), re.IGNORECASE)
    if way == "next" and (match.groupdict().get("unit") or "").lower() in _DAYLONG:
        return True  # of the day one speaks on, the next is "tomorrow"
    return way in _TOLD or bool(article)


def _adjacent(match: re.Match[str]) -> Shift:
    """The day before, the morning after: resolved only where nothing follows."""
    free = match["that"] or _free(match)
    count = (-1 if match["way"].lower() == "before" else 1) if free else None
    unit = match["unit"].lower()
    if unit in ("week", "month", "year"):
        return Shift(_UNITS[unit][0], count, span=unit == "week", told=True)
    return Shift("day", count, part=unit != "day", told=True)


def _counted(match: re.Match[str]) -> Shift:
    unit, size = _UNITS[match["unit"].lower()]
    way = match["way"].lower()
    sign = -1 if way in _BACK else 1
    known = way not in ("before", "after", "prior") or match["that"] or _free(match)
    number = _number(match["count"]) if known else None
    count = None if number is None else sign * number * size
    night = match["unit"].lower() == "night"
    return Shift(unit, count, part=night, told=way in _TOLD_WAYS)


def _ahead(match: re.Match[str]) -> Shift | None:
    unit, size = _UNITS[match["unit"].lower()]
    if unit == "day" and match["count"].lower() in ("a", "one"):
        return None  # "in a day" says how long, not when
    number = _number(match["count"])
    return Shift(unit, None if number is None else number * size)


def _hours(match: re.Match[str]) -> Shift | None:
    """Twenty-four hours later is a day later, six hours are none."""
    hours = _number(match["count"])
    if not hours or hours % 24:
        return None
    back = match["way"].lower() in _BACK
    told = match["way"].lower() in _TOLD_WAYS
    return Shift("day", (-1 if back else 1) * hours // 24, told=told)


def _before_last(match: re.Match[str]) -> Shift:
    """The week before last, the year after next."""
    unit = _UNITS[match["unit"].lower()][0]
    back = match["way"].lower().startswith("before")
    return Shift(unit, -2 if back else 2, span=unit == "week")


def _day_ago(match: re.Match[str]) -> Shift | None:
    """A week ago today, a fortnight ago yesterday."""
    weeks = _number(match["count"])
    days = 7 * _UNITS[match["unit"].lower()][1]
    if not weeks:
        return None
    return Shift("day", _DAYS[match["word"].lower()] - days * weeks)


def _day_years_ago(match: re.Match[str]) -> Shift:
    """A year ago next Monday: no day that a step could reach."""
    return Shift("day", None, told=True)


def _morrow(match: re.Match[str]) -> Shift:
    return Shift("day", 1, told=True)


def _free(match: re.Match[str]) -> bool:
    return bool(compiled(_ALONE).match(match.string, match.end()))


def _number(text: str) -> int | None:
    last = text.lower().split()[-1]
    return 1 if last in ("a", "an") else _ROUND.get(last) or to_number(text)


def _weekday(match: re.Match[str]) -> Shift | None:
    if _SOME_DAY.search(match.string[max(0, match.start() - 16) : match.start()]):
        return None
    weekday = WEEKDAYS.index(match["weekday"].lower())
    way = _WAYS.get((match["way"] or match["late"] or "").lower())
    part = bool(match["part"])
    if way is None and _THE.search(match.string[: match.start()][-6:]):
        return Shift("day", None, weekday, part=part, told=True)
    if way == 0:
        unit: Unit = "week"
        same = match["way"].lower() == "this"
        return Shift(unit, 0 if same else None, weekday, part=part)
    return Shift(
        "day", way, weekday, part=part, told=way is not None and _is_told(match)
    )


def _of_month(match: re.Match[str]) -> Shift | None:
    day = to_number(match["day"] or match["ordinal"])
    if not day or day > LONGEST:
        return None
    # "the second" is a day only where a date has just been told
    return Shift("month", None, of_month=day, told=match["ordinal"] is not None)


def _day_of(match: re.Match[str]) -> Shift | None:
    """The 4th inst., the 4th of last month, Tuesday the 4th."""
    day = to_number(match["day"] or match["ordinal"])
    if not day or day > LONGEST:
        return None
    groups = match.groupdict()
    way = (groups.get("way") or groups.get("short") or "").lower()
    count = {**_WAYS, **_LETTERS}.get(way)
    weekday = weekday_of(groups.get("weekday"))
    return Shift("month", count, of_month=day, told=way in _TOLD, weekday=weekday)


def _two_away(match: re.Match[str]) -> Shift:
    back = "before" in match.group().lower()
    night = "night" in match.group().lower()
    return Shift("day", -2 if back else 2, part=night)


def _after(match: re.Match[str]) -> Shift | None:
    """After three days, ... as a sentence begins: three days later."""
    unit, size = _UNITS[match["unit"].lower()]
    number = _number(match["count"])
    count = None if number is None else number * size
    return Shift(unit, count, part=match["unit"].lower() == "night", told=True)


def _named_month(match: re.Match[str]) -> Shift:
    month = MONTHS.index(match["month"].lower()) + 1
    way = match["way"].lower()
    return Shift("month", _WAYS[way], month, told=way == "following")


def _month_of_year(match: re.Match[str]) -> Shift:
    """May last year, 3 May this year."""
    month, day = MONTHS.index(match["month"].lower()) + 1, match["day"]
    way = match["way"].lower()
    of_month = int(day) if day else None
    return Shift("year", _WAYS[way], month, of_month=of_month, told=way in _TOLD)


def _same_date(match: re.Match[str]) -> Shift:
    return Shift("day", 0, told=True)


def _stretch(match: re.Match[str]) -> Shift:
    """The end of the month, the weekend."""
    unit = match["unit"]
    return Shift(_UNITS[unit.lower()][0] if unit else "week", None, span=True)


_PATTERNS = (
    Pattern(
        # "on the 18th", but not "on the 18th floor"
        compiled(
            rf"\b(?:on|by|until|till|since|from|before|after|for|(?:{PART}|hours)\s+of|"
            rf"(?:{_WRITTEN}|yours|mine|hers?|his)\s+of|"
            r"(?:week|fortnight|next|last|today|yesterday|tomorrow),|"
            r"(?<=\d(?:st|nd|rd|th)\s)(?:to|and|or))\s+(?P<date>the\s+"
            r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th)\b(?:(?=\s+(?-i:[A-Z])(?!\w*\s*"
            rf"(?:Street|Avenue|Floor|Century)))|{_GOES_ON}|{FUNCTION})"
            rf"|{WORDED}{FUNCTION}))"
        ),
        _of_month,
    ),
    Pattern(
        compiled(rf"\b(?P<word>{any_of(list(_DAYS))})\b(?:\s+(?P<part>{PART})\b)?"),
        _deictic,
    ),
    Pattern(
        compiled(
            rf"\b(?:the\s+)?{_NTH}\s+(?:of\s+)?(?:(?P<short>{any_of(list(_LETTERS))})\b"
            rf"\.?|(?:the\s+)?{_WAY}\s+month\b)"
        ),
        _day_of,
    ),
    Pattern(
        compiled(
            rf"\b(?P<weekday>(?-i:{any_capital(WEEKDAYS)}|{_SHORT_DAYS})),?\s+(?:the\s+)?"
            rf"{_NTH}"
            rf"(?!\s+(?:of\s+)?(?-i:[A-Z]))(?!\s+of\b)"
        ),
        _day_of,
    ),
    Pattern(
        compiled(rf"(?-i:\bAfter)\s+(?P<date>{_COUNT}\s+{_UNIT}s?)(?:,|{_ALONE})"),
        _after,
    ),
    Pattern(
        compiled(
            r"\b(?:the\s+)?(?:day\s+(?:before\s+yesterday|after\s+tomorrow)|night\s+"
            r"before\s+last(?!\s+(?:week|month|year|\w+day)))\b"
        ),
        _two_away,
    ),
    Pattern(
        compiled(
            rf"\b(?:early\s+|late\s+)?(?:the\s+(?:very\s+)?)?{_WAY}\s+(?:very\s+)?"
            rf"(?P<unit>{PART}|day|weekend|week|month|year)\b(?!\s+of\b|[-’'])"
        ),
        _neighbour,
    ),
    Pattern(
        compiled(
            rf"\bthe\s+(?P<unit>{PART}|day|week|month|year)\s+"
            rf"(?P<way>before|after|following(?={_ALONE}))\b{_THAT}"
        ),
        _adjacent,
    ),
    Pattern(
        compiled(
            rf"\b{_COUNT}\s+{_UNIT}s?\s+(?P<way>later|earlier|ago|before|after|from\s+now|"
            r"afterwards?|previously|prior|back|hence|on(?=\s*[,;:.]))(?!\w|\s+than\b)"
            rf"{_THAT}"
        ),
        _counted,
    ),
    Pattern(
        compiled(
            rf"\b{_COUNT}\s+hours\s+(?P<way>later|earlier|ago|afterwards?|from\s+now)\b"
            r"(?!\s+than\b)"
        ),
        _hours,
    ),
    Pattern(
        compiled(
            r"\b(?:the\s+)?(?P<unit>week|month|year)\s+"
            r"(?P<way>before\s+last|after\s+next)\b"
        ),
        _before_last,
    ),
    Pattern(
        compiled(
            rf"\b{_COUNT}\s+(?P<unit>week|fortnight)s?\s+ago\s+"
            r"(?P<word>today|yesterday|tomorrow)\b"
        ),
        _day_ago,
    ),
    Pattern(
        compiled(
            rf"\b{_COUNT}\s+(?:month|year)s?\s+ago\s+(?:(?:(?:last|next|this|on)\s+)?"
            rf"(?-i:{any_capital(WEEKDAYS)})|today|tomorrow|yesterday)\b"
        ),
        _day_years_ago,
    ),
    Pattern(compiled(r"\b(?:on\s+)?(?P<date>the\s+morrow)\b(?!\s+of\b)"), _morrow),
    Pattern(
        compiled(
            rf"\bin\s+{_COUNT}\s+{_UNIT}(?:s?[’']?s?\s+time|s?)\b(?!\s+(?:of|ago)\b)"
        ),
        _ahead,
    ),
    Pattern(
        compiled(
            rf"\b(?:(?:the\s+)?{_WAY}\s+)?(?-i:(?P<weekday>{any_capital(WEEKDAYS)}))\b"
            rf"(?!\s+(?:of|in\s+(?:Lent|Advent|{any_of(MONTHS)}))\b)"  # of last week
            rf"(?:\s+(?P<part>{PART})\b|\s+(?P<late>last|next)\b{_ALONE})?"
        ),
        _weekday,
    ),
    Pattern(
        compiled(
            r"\b(?P<way>next|last|this|(?<=the\s)following)\s+"
            rf"(?-i:(?P<month>{any_capital(MONTHS)}))\b(?!\s*\d)"
        ),
        _named_month,
    ),
    Pattern(
        compiled(
            r"\b(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?"
            rf"(?-i:(?P<month>{any_capital(MONTHS)}))\s+(?:of\s+)?(?:the\s+)?{_WAY}\s+year\b"
        ),
        _month_of_year,
    ),
    Pattern(compiled(r"\b(?:the\s+same|that)\s+date\b"), _same_date),
    Pattern(
        compiled(
            r"\bthe\s+(?:(?:end|middle|beginning|start)\s+of\s+the\s+(?P<unit>month|year|"
            r"week)|weekend)\b(?!\s+(?:of|before|after)\b)"
        ),
        _stretch,
    ),
)


def find(text: str) -> list[Found]:
    """Every relative date the text writes, overlaps included."""
    return [item for pattern in _PATTERNS for item in pattern.find(text)]
