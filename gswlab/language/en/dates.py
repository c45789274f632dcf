"""How English prose writes steps from another date: yesterday, three days later, ..."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import replace

from gswlab.language.dates.calendar import (
    LONGEST,
    Calendar,
    Found,
    Pattern,
    Shift,
    Unit,
    compiled,
    parse_iso,
)
from gswlab.language.dates.resolve import resolve
from gswlab.language.numbers import ORDINALS, WORDS, to_number

# The words and shapes English dates are made of, as fragments of patterns.


def words(text: str) -> list[str]:
    """The words of a text, as a list."""
    return text.split()


MONTHS = words(
    "january february march april may june july august september october november "
    "december"
)

WEEKDAYS = words("monday tuesday wednesday thursday friday saturday sunday")
_ALSO_WORDS = frozenset({"may", "march"})
ALSO_NAMES = frozenset({"april", "may", "june", "august", "march"})

_SHORT = words("Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec")
_TWO_DIGITS = [w for w, n in WORDS.items() if n >= 10]
_WORDS_TENS = [w for w, n in WORDS.items() if n >= 20]
_ONES = [w for w, n in WORDS.items() if n < 10]


def any_of(words: list[str]) -> str:
    """An alternation of words, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def any_capital(words: list[str]) -> str:
    """The same with a capital each: "May" is a month, "may" is none."""
    return any_of([word.capitalize() for word in words])


WORDED_TENS, WORDED_ONES = (
    rf"(?:{any_of(_WORDS_TENS)})",
    rf"(?:{any_of(_ONES)})",
)
_ORDINAL = [w for w, n in ORDINALS.items() if n < 20 or n in (20, 30)]
_TIMES = rf"(?:{any_of(_WORDS_TENS)})[- ](?:{any_of(_ONES)})|{any_of(_TWO_DIGITS)}"
YEAR = (
    r"(?P<year>[12]\d{3}(?!\d|[.:]\d|,\d{3})"
    rf"|(?:(?:{any_of(_TWO_DIGITS[1:])})\s"
    rf"(?:{_TIMES}|hundred|oh[- ](?:{any_of(_ONES)}))"
    rf"|two\sthousand(?:\sand)?\s(?:{_TIMES}|{any_of(_ONES)}))\b)"
)
MONTH = (
    rf"\b(?P<month>(?:{any_of(MONTHS)})\b"
    rf"|(?-i:{any_of(_SHORT)}|{any_of(_SHORT).upper()})\b(?=(?P<dot>\.?)))(?(dot)\.?)"
)
DAY = (
    r"(?P<day>0?[1-9]|[12]\d|3[01])(?P<nth>st|nd|rd|th)?"
    r"(?P<to>\s?[-–/]\s?\d{1,2}(?:st|nd|rd|th)?)?(?!\w|[.:]\d|,\d{3}|%)"
)
WORDED = rf"(?P<ordinal>(?:(?:twenty|thirty)[- ])?(?:{any_of(_ORDINAL)}))\b"
PART = r"morning|forenoon|afternoon|evening|night"
WEEKDAY = (
    r"(?:\b(?P<weekday>(?-i:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*))"
    rf"(?:\s+(?:{PART}))?\.?,?\s+)?"
)
OF_YEAR = (
    r"(?:(?:\s*,\s*|\s+|-)"
    r"(?:(?:of|in)\s+)?(?:the\s+year\s+(?:of\s+our\s+Lord\s+)?)?"
    rf"{YEAR})?"
)
_THINGS = (
    "years? days? weeks? months? hours? minutes? seconds? people men women children "
    "soldiers pieces copies words dollars pounds euros yen miles? metres? meters? feet "
    "steps km kg parts pages volumes cases cities countries villages houses rooms "
    "times percent"
).replace(" ", "|")
NO_THINGS = rf"(?!\s+(?:\w+\s+)?(?:{_THINGS})\b|\s*%|[-’']|s\b)"
FUNCTION = (
    r"(?=\s*(?:$|[.,;:!?)\]—–\"”]|(?:and|or|but|the|to|he|she|it|they|we|i|when|was|"
    r"were|had|has|on|in|at|with|as|until|that|this|there)\b))"
)

_AFTER_MONTH = re.compile(
    r"\s*(?:$|[.;:!?)—–]|,(?!\s+(?:the|a|my|his|her|our|their)\b)|(?:and|or|but|the|to|he"
    r"|she|it|they|we|i|when|before|again|on|in|at|with|as|of)\b)",
    re.IGNORECASE,
)


def no_name(word: str, text: str, end: int) -> bool:
    """Whether a month that is also a woman's name stands as a month does: no verb."""
    return word.lower() not in ALSO_NAMES or bool(_AFTER_MONTH.match(text, end))


def month_of(word: str, sure: bool) -> int | None:
    """The month a word names; a lower-case "may" only where the rest is sure."""
    low = word.lower()
    if word.islower() and low in _ALSO_WORDS and not sure:
        return None
    return next(n for n, name in enumerate(MONTHS, 1) if name.startswith(low[:3]))


def weekday_of(word: str | None) -> int | None:
    """The weekday of a word or its first three letters; 0 is Monday."""
    short = word[:3].lower() if word else None
    return next((n for n, day in enumerate(WEEKDAYS) if day[:3] == short), None)


def year_of(text: str | None) -> int | None:
    """2024, twenty twenty-six, nineteen hundred, nineteen oh five, two thousand six."""
    if text is None or text.isdecimal():
        return int(text) if text else None
    first, _, rest = re.sub(r"\s+", " ", text.lower()).partition(" ")
    if rest.startswith("thousand"):
        return 2000 + (to_number(re.sub("thousand(?: and)? ", "", rest)) or 0)
    rest = re.sub("^oh[- ]", "", rest)
    return 100 * WORDS[first] + (0 if rest == "hundred" else to_number(rest) or 0)


# How English prose writes points of the calendar: one table of patterns.

# A figure after these is as likely a number as a year.
_COUNTS = words(
    "total sum number rent price cost population average maximum minimum height "
    "distance crowd audience score speed depth weight length volume fee fine budget "
    "debt salary figure strength balance"
)
_ENGLISH_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}
_OF_SOME_YEAR = compiled(
    r"\s+(?:of\s+)?(?:the\s+)?(?:last|this|next|that|same|following)\s+year\b"
)


def _day(match: re.Match[str]) -> Calendar | None:
    groups = match.groupdict()
    figures, worded = groups.get("day"), groups.get("ordinal")
    year, nth = year_of(groups["year"]), groups.get("nth")
    month = month_of(groups["month"], sure=bool(year or nth))
    before = match.string[max(0, match.start() - 3) : match.start()].lower()
    bare = figures and not year and not nth
    if _OF_SOME_YEAR.match(match.string, match.end()) and not year:
        return None  # "3 May last year" counts from another date
    if month is None or (bare and before in ("at ", "in ")):  # "at 7 May woke up"
        return None
    if groups.get("to"):  # a range of days: what holds of all of them
        return Calendar(year, month)
    weekday = weekday_of(groups.get("weekday"))
    return Calendar(year, month, to_number(figures or worded or ""), weekday=weekday)


def _month(match: re.Match[str]) -> Calendar | None:
    word, lead = match["month"], match["lead"].lower()
    in_time = lead in ("in", "during", "since", "early", "late", "mid", "throughout")
    name = word.lower()
    bound = lead in ("until", "till") and no_name(word, match.string, match.end())
    in_time = in_time or lead.endswith(" of") or bound
    if name not in MONTHS or (name in ALSO_NAMES and not in_time):
        return None
    month = month_of(word, sure=False)
    return Calendar(month=month) if month else None


def _later_month(match: re.Match[str]) -> Calendar | None:
    word = match["month"]
    return Calendar(month=month_of(word, sure=True)) if word[0].isupper() else None


def _month_year(match: re.Match[str]) -> Calendar:
    return Calendar(year_of(match["year"]), month_of(match["month"], sure=True))


def _only_year(match: re.Match[str]) -> Calendar:
    return Calendar(year_of(match["year"]))


def _of_year(match: re.Match[str]) -> Calendar | None:
    """The strike of 1947, but no total of 1947."""
    return None if match["what"].lower() in _COUNTS else _only_year(match)


def _last_day(match: re.Match[str]) -> Calendar:
    """The last day of a month; of a February without a year, the month."""
    year, month = year_of(match["year"]), month_of(match["month"], sure=True)
    if month is None or (year is None and month == 2):
        return Calendar(year, month)
    return Calendar(year, month, monthrange(year or 2001, month)[1])


def _nth_weekday(match: re.Match[str]) -> Calendar | None:
    year, month = year_of(match["year"]), month_of(match["month"], sure=True)
    weekday = WEEKDAYS.index(match["weekday"].lower())
    nth = _ENGLISH_NTH[match["nth"].lower()]
    return Calendar(year, month, weekday=weekday, nth=nth).settled


ENGLISH_PATTERNS = (
    Pattern(
        compiled(
            rf"{WEEKDAY}(?:\bthe\s+)?(?<![\w.:/$£€#-]){DAY}"
            rf"(?:\s+(?:(?:day\s+)?of\s+)?|-){MONTH}{OF_YEAR}"
        ),
        _day,
    ),
    Pattern(
        compiled(
            rf"{WEEKDAY}(?:\bthe\s+)?\b{WORDED}\s+(?:day\s+)?of\s+{MONTH}{OF_YEAR}"
        ),
        _day,
    ),
    Pattern(
        compiled(rf"{WEEKDAY}{MONTH}\s+(?:the\s+)?(?:{DAY}|{WORDED}){OF_YEAR}"),
        _day,
    ),
    Pattern(compiled(rf"\b{YEAR},?\s+{MONTH}\s+{DAY}"), _day),
    # the 12 of "from 12 to 15 March", whose month comes with the other
    Pattern(
        compiled(
            rf"\b(?:from|between)\s+(?:the\s+)?(?P<date>{DAY})(?=\s+(?:to|until|till|and)"
            rf"\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}{OF_YEAR})"
        ),
        _day,
    ),
    Pattern(
        compiled(rf"\b(?:the\s+)?last\s+day\s+of\s+{MONTH}{OF_YEAR}"),
        _last_day,
    ),
    # the March of "from the end of November to March"
    Pattern(
        compiled(
            rf"\b(?:from|between)\s+(?:[\w-]+\s+){{0,4}}(?:{any_of(MONTHS)})\s+(?:to|until|"
            rf"till|and)\s+(?P<date>{MONTH})(?!\s*\d)"
        ),
        _later_month,
    ),
    Pattern(compiled(rf"{MONTH}(?:\s*,\s*|\s+(?:of\s+)?){YEAR}"), _month_year),
    Pattern(
        compiled(
            r"\b(?P<lead>in|during|since|early|late|mid|throughout|until|till|by|before|"
            r"after|from|(?:end|start|beginning|middle|half|week|weekend|days?|part)\s+of)"
            rf"[\s-]+(?P<date>{MONTH})(?!\s*\d)"
            rf"(?!{_OF_SOME_YEAR.pattern})"
        ),
        _month,
    ),
    Pattern(
        compiled(
            r"\b(?:(?:in|since|until|till|during|throughout|early|late|mid)"
            r"(?:\s+the\s+year|\s+early|\s+late)?|year|"
            r"(?:spring|summer|autumn|fall|winter|end|start|beginning|middle)\s+of)"
            rf"[\s-]+(?P<date>{YEAR}){NO_THINGS}"
        ),
        _only_year,
    ),
    Pattern(
        compiled(
            r"\b(?:by|before|after|from|around|about|circa|ca?\.|from\s+[12]\d{3}\s+(?:to|until)|"
            rf"between\s+[12]\d{{3}}\s+and)\s+(?P<date>{YEAR}){NO_THINGS}{FUNCTION}"
        ),
        _only_year,
    ),
    Pattern(
        compiled(
            rf"\bthe\s+(?:\w+\s+)?(?P<what>\w+)\s+of\s+(?P<date>{YEAR})"
            rf"{NO_THINGS}{FUNCTION}"
        ),
        _of_year,
    ),
    Pattern(
        compiled(
            rf"(?P<date>\b(?P<nth>first|second|third|fourth|last)\s+"
            rf"(?P<weekday>(?-i:{any_capital(WEEKDAYS)}))"
            rf"\s+(?:in|of)\s+{MONTH}{OF_YEAR})"
        ),
        _nth_weekday,
    ),
    Pattern(
        compiled(rf"\b(?:spring|summer|autumn|fall)\s+(?P<date>{YEAR}){NO_THINGS}"),
        _only_year,
    ),
    # "from 1897 to 1919", "(1931-2019)"
    Pattern(
        compiled(
            r"\b[12]\d{3}\s*(?:\bto\b|\buntil\b|[-–])\s*"
            rf"(?P<date>{YEAR}){NO_THINGS}{FUNCTION}"
        ),
        _only_year,
    ),
    Pattern(
        compiled(rf"\bbetween\s+(?P<date>{YEAR})(?=\s+and\s+[12]\d{{3}}\b(?!\s*%))"),
        _only_year,
    ),
    Pattern(compiled(rf"\((?P<date>{YEAR})\s*[-–]\s*[12]\d{{3}}\)"), _only_year),
)


# Days told by another beside them: the day after Christmas, a week before 3 May.

REACH = 40  # characters that lead to the date it counts from
_SIZES = {"day": 1, "week": 7, "fortnight": 14}
_LEAD = compiled(
    rf"(?:\bthe\s+(?:(?P<part>{PART})|(?P<weekday>(?-i:"
    rf"{any_capital(WEEKDAYS)}))|(?P<one>day))"
    r"|\b(?P<count>an?|\w+)\s+(?P<unit>day|week|fortnight)s?)"
    r"\s+(?P<way>before|after)\s+$"
)


def counted_from(text: str, found: Found) -> Found:
    """The point with the words that count from it, where some do."""
    point = found.reading
    if not isinstance(point, Calendar) or not point.day:
        return found
    begin = max(0, found.start - REACH)
    match = _LEAD.search(text[begin : found.start])
    if match is None:
        return found
    way = 1 if match["way"].lower() == "after" else -1
    if match["weekday"]:
        named = WEEKDAYS.index(match["weekday"].lower())
        shift = Shift("day", way, named)
    else:
        days = _days(match["count"], match["unit"])
        if days is None:
            return found
        shift = Shift("day", way * days)
    value = resolve(shift, replace(point, clock=None).iso).value
    # No Sunday without a year: a day that nothing settles.
    day = parse_iso(value) if value else Shift("day", None, told=True)
    return Found(begin + match.start(), found.end, day)


def _days(count: str | None, unit: str | None) -> int | None:
    if count is None or unit is None:
        return 1
    number = 1 if count.lower() in ("a", "an") else to_number(count)
    return number and number * _SIZES[unit.lower()]


# Days that head an entry of a log or diary: "5th.", "Sunday.", "Tuesday, 9 June".

_OPENS = r"(?:^|(?<=\n))[ \t]*"  # a line of its own, or the first of a chunk
_CLOSES = r"(?=\s*(?:[.:—–]|\n))"
_DAY = re.compile(
    rf"{_OPENS}(?P<date>(?:[Tt]he\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)){_CLOSES}"
)
_NAMES = any_capital(WEEKDAYS)
_WEEKDAY = re.compile(rf"{_OPENS}(?P<date>(?P<weekday>{_NAMES})){_CLOSES}")


def _english_headings_day(match: re.Match[str]) -> Shift | None:
    day = int(match["day"])
    if not 0 < day <= LONGEST:
        return None
    return Shift("month", None, of_month=day, heading=True)


def _english_headings_weekday(match: re.Match[str]) -> Shift:
    named = WEEKDAYS.index(match["weekday"].lower())
    return Shift("day", None, named, heading=True)


HEADINGS_PATTERNS = (
    Pattern(_DAY, _english_headings_day),
    Pattern(_WEEKDAY, _english_headings_weekday),
)


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


RELATIVE_PATTERNS = (
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


# Weekdays that English counts in weeks: Thursday week, the Friday before last.

_WEEKS_WEEKDAY = rf"(?-i:(?P<weekday>{any_capital(WEEKDAYS)}))"
_SPAN = r"(?P<span>week|fortnight)"
_WEEKS = {"week": 1, "fortnight": 2}
_WEEKS_DAYS = {"today": 0, "this day": 0, "tomorrow": 1, "yesterday": -1}
_OF_WEEK = {"last": -1, "this": 0, "that": 0, "same": 0, "next": 1}
_OF_WEEK |= {"following": 1, "previous": -1, "preceding": -1}
_WEEKS_TOLD = ("that", "same", "following", "previous", "preceding")


def _named(match: re.Match[str]) -> int:
    return WEEKDAYS.index(match["weekday"].lower())


def _english_weeks_counted(match: re.Match[str]) -> Shift:
    """Thursday week, a fortnight on Thursday; a week last Thursday lies behind."""
    count = 1 + _WEEKS[match["span"].lower()]
    back = (match.groupdict().get("way") or "").lower() == "last"
    return Shift("day", -count if back else count, _named(match))


def _english_weeks_two_away(match: re.Match[str]) -> Shift:
    back = match["way"].lower().startswith("before")
    return Shift("day", -2 if back else 2, _named(match))


def _coming(match: re.Match[str]) -> Shift:
    return Shift("day", 1, _named(match))


def _of_week(match: re.Match[str]) -> Shift:
    way = match["way"].lower()
    return Shift("week", _OF_WEEK[way], _named(match), told=way in _WEEKS_TOLD)


def _day_week(match: re.Match[str]) -> Shift:
    """Tomorrow week, this day fortnight; yesterday week lies behind."""
    word = re.sub(r"\s+", " ", match["word"].lower())
    days = 7 * _WEEKS[match["span"].lower()]
    return Shift("day", _WEEKS_DAYS[word] + (-days if word == "yesterday" else days))


WEEKS_PATTERNS = (
    Pattern(
        compiled(rf"\b{_WEEKS_WEEKDAY}\s+{_SPAN}\b(?!\s+(?:of|before|after)\b|[-’'])"),
        _english_weeks_counted,
    ),
    Pattern(
        compiled(
            rf"\ba\s+{_SPAN}\s+(?P<way>on|from|last|next|this)\s+{_WEEKS_WEEKDAY}\b"
        ),
        _english_weeks_counted,
    ),
    Pattern(
        compiled(
            rf"\bthe\s+{_WEEKS_WEEKDAY}\s+(?P<way>before\s+last|after\s+next)\b"
            r"(?!\s+(?:week|month|year)\b)"
        ),
        _english_weeks_two_away,
    ),
    Pattern(compiled(rf"\b(?:this|the)\s+coming\s+{_WEEKS_WEEKDAY}\b"), _coming),
    Pattern(
        compiled(
            rf"\b(?:the\s+)?{_WEEKS_WEEKDAY}\s+of\s+(?:the\s+)?"
            rf"(?P<way>{any_of(list(_OF_WEEK))})\s+week\b"
        ),
        _of_week,
    ),
    Pattern(
        compiled(
            r"\b(?P<word>today|this\s+day|tomorrow|yesterday)\s+"
            rf"{_SPAN}\b(?![-’'])"
        ),
        _day_week,
    ),
)


# Years and months written in passing: the winter of '48, the 1953 flood, born 1901.

_MONTH = rf"(?P<month>(?-i:{any_capital(MONTHS)}))"
_YEARS_SHORT = rf"[’'‘](?P<short>\d\d)\b{FUNCTION}"
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


def _english_years_month(match: re.Match[str]) -> Calendar:
    year = year_of(match.groupdict().get("year"))
    return Calendar(year, month_of(match["month"], sure=True))


def _it_is(match: re.Match[str]) -> Calendar | None:
    """It is November, and it was April when; no "it was June, the cook, who"."""
    sure = no_name(match["month"], match.string, match.end())
    return _english_years_month(match) if sure else None


YEARS_PATTERNS = (
    Pattern(
        compiled(
            r"\b(?:in|since|until|till|of|by|before|after|from|during|spring|summer|"
            rf"autumn|fall|winter|class\s+of)\s+(?P<date>{_YEARS_SHORT})"
        ),
        _short,
    ),
    Pattern(compiled(rf"\b{_MONTH}(?:\s+of)?\s+{_YEARS_SHORT}"), _short),
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
        _english_years_month,
    ),
    Pattern(
        compiled(rf"\b(?:the|this|last|next)\s+(?P<date>{_MONTH})\s+(?:{_EVENTS})\b"),
        _english_years_month,
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


def in_english(point: Calendar) -> str:
    """A point of the calendar as English prose writes it: May 07, 2024."""
    month = MONTHS[point.month - 1].capitalize() if point.month else ""
    day = f"{point.day:02d}" if point.day else ""
    year = "" if point.year is None else str(point.year)
    date = f"{month} {day}".strip()
    joined = (", " if day else " ").join(part for part in (date, year) if part)
    return f"{joined}, {point.clock}" if point.clock else joined
