"""A reading as a value: which day it counts from, and where it leads from there.

- "yesterday" counts from the day of writing, "that evening" from the day told last;
- a date without its year, month or week is of the nearest one that its sentence,
  telling what was or what will be, allows; where nothing decides, it stays without;
- without a day of writing, a narrator's day stands for both.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import cached_property, lru_cache
from typing import NamedTuple

from gswlab.core.nouns import Granularity
from gswlab.language.dates.calendar import Calendar, FoundDate, Shift, on, parse_iso
from gswlab.language.language import NEVER, Tense, asked_in, of

_NEAR = 150  # days within which the nearest one is meant, whatever the tense
_LATE = 45  # days ago of which a sentence that looks ahead may speak
_OTHER_YEAR = 92  # days: a narrator's 13 December, on 17 January, is the last one
_MIDDLE = 15  # of a month: what stands for it where days are counted
_WRONG: dict[Tense | None, int] = {"past": 1, "future": -1, None: 0}  # way of a step


class Resolved(NamedTuple):
    """A reading settled as far as the basis allows."""

    value: str | None
    granularity: Granularity
    basis: str | None = None


def resolve(reading: Calendar | Shift, basis: str | None) -> Resolved:
    """Settle a reading against an ISO basis."""
    if isinstance(reading, Calendar):
        return Resolved(reading.iso, reading.granularity, reading.note)
    point = _moved(reading, parse_iso(basis)) if basis else None
    iso, counted = (point.iso, basis) if point and point.valid else (None, None)
    if reading.part:
        return Resolved(iso, "part_of_day", counted)
    if point and iso:
        return Resolved(iso, point.granularity, counted)
    if reading.unit == "week":
        return Resolved(None, "unknown" if reading.span else "day")
    return Resolved(None, reading.unit if reading.of_month is None else "day")


def _moved(shift: Shift, basis: Calendar) -> Calendar | None:
    if shift.count is None:
        return None
    if shift.unit in ("month", "year"):
        return _by_months(shift, basis, shift.count)
    try:
        if basis.date or shift.named is not None or shift.span or not basis.day:
            return _by_days(shift, basis.date)
        # the day after 2 November is one in any year; after 28 February, which?
        days = [basis.of_year(year) for year in (2000, 2003)]  # one has a leap day
        moved = [_by_days(shift, day.date) for day in days if day.valid]
    except OverflowError:  # before year 1 or after 9999
        return None
    told = {replace(day, year=None) for day in moved if day}
    return told.pop() if len(told) == 1 else None


def _by_days(shift: Shift, start: date | None) -> Calendar | None:
    if start is None:
        return None
    moved = start + shift.then
    if shift.named is not None and shift.unit == "day":
        return on(moved)
    monday = moved - timedelta(days=moved.weekday())
    if shift.named is not None:
        return on(monday + timedelta(shift.named))
    if not shift.span:
        return on(moved)
    # what holds of every day of the week: its month, else its year
    sunday = monday + timedelta(days=6)
    if monday.year != sunday.year:
        return None
    return Calendar(monday.year, monday.month if monday.month == sunday.month else None)


def _by_months(shift: Shift, basis: Calendar, count: int) -> Calendar | None:
    year, month, named = basis.year, basis.month, shift.named
    if year is None:
        return None
    if shift.unit == "year":
        return Calendar(year + count, named, shift.of_month)
    if month is None:
        point = Calendar(year + count, named, season=shift.season)
        return point if named or shift.season else None
    if named is None:
        years, months = divmod(month - 1 + count, 12)
        return Calendar(year + years, months + 1, shift.of_month)
    turns = (count > 0 and month >= named) - (count < 0 and month <= named)
    turns += count - (count > 0) + (count < 0)  # the summer before last
    return Calendar(year + turns, named, season=shift.season)


def of_month(
    reading: Shift, basis: str | None, when: Tense | None, limit: date | None = None
) -> Resolved:
    """The 18th of the month that the tense, else nearness, says.

    The tense says on which side of a `limit`, such as the day of writing, it lies; of
    two days as near the later: a story goes on.
    """
    start = parse_iso(basis) if basis else None
    if start is None or start.day is None:
        return resolve(replace(reading, count=0), basis)
    here = date(start.year or 2000, start.month or 1, start.day)
    months = (_by_months(reading, on(here), count) for count in (-1, 0, 1))
    days = [month.date for month in months if month and month.valid and month.date]
    if start.year and (fit := [d for d in days if d.weekday() == reading.weekday]):
        days = fit  # Wednesday the 11th
    fit = [d for d in days if (d - (limit or here)).days * _WRONG[when] <= 0]
    day = min(fit, key=lambda d: (abs(d - here), here - d), default=None)
    if day is None:
        return Resolved(None, "day")
    best = on(day) if start.year else replace(on(day), year=None)
    return Resolved(best.iso, "day", basis)


def with_year(
    point: Calendar, basis: Calendar, when: Tense | None, written: bool
) -> Calendar | None:
    """The date with its year; None where none is sure."""
    if basis.year is None:
        return None
    tried = [(away, point.of_year(basis.year + away)) for away in (0, -1, 1, -2, 2)]
    fits = {away: one for away, one in tried if one.valid}
    for one in fits.values():  # the nearest year in which it is on its weekday
        named = one.date and one.date.weekday() == point.weekday
        if named and not (point.nth or point.then):
            return one
    if point.season and when is None:
        return None
    if basis.month is None:
        return fits.get(0)
    here = _middle(basis)
    gaps = {away: (_middle(one) - here).days for away, one in fits.items()}
    ranked = sorted(gaps.keys() & {-1, 0, 1}, key=lambda away: abs(gaps[away]))
    if not ranked:
        return None
    far = abs(gaps[ranked[0]])
    if not written:
        return fits[ranked[0]] if far <= _OTHER_YEAR else fits.get(0)
    if when is None:
        return fits[ranked[0]] if far <= _NEAR else None
    slack = _MIDDLE if point.day is None or basis.day is None else 0
    told = [away for away in ranked if gaps[away] * _WRONG[when] <= slack]
    # a past tense may still speak of a day soon to come
    sure = told[:1] == ranked[:1] or far > _OTHER_YEAR
    if told and sure:
        return fits[told[0]]
    # yours of 20 September, which I shall keep: of last month
    late = when == "future" and gaps[ranked[0]] < 0 and far <= _LATE
    return fits[ranked[0]] if late else None


def _middle(point: Calendar) -> date:
    return date(point.year or 1, point.month or 1, point.day or _MIDDLE)


_STORY = 4  # sentence ends within which a story that came to Saturday means it
_ADJACENT = 1  # sentence ends between a date and "that night" that counts from it
_DAYS = ("day", "hour", "part_of_day")
_FAR = 1_000  # characters from a date: a list of a thousand dates is one sentence
_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z])|[。！？」]|\n\s*\n")
_CLAUSE = re.compile(r"[,;:—–]|\b(?:where|which|who|when|while|but)\b", re.I)
_QUOTED = re.compile(r"“[^”]*$|^[^\"]*\"(?:[^\"]*\"[^\"]*\")*[^\"]*$")
_HEADS = re.compile(r"\.?[ \t]*\n\s*\n")  # ends the first line of a letter
_ENTRY = re.compile(r"\s*(?:[.:—–,;]|\n|$)")  # closes the head of an entry


@lru_cache(maxsize=8)
def _ends(text: str) -> list[int]:
    """Where its sentences end; a text is asked about once a date."""
    return [found.end() for found in _END.finditer(text)]


class _Sentence:
    """The sentence of a date: what stands before it and after, and its verbs."""

    def __init__(self, text: str, start: int, end: int) -> None:
        ends = [0, *_ends(text), len(text)]
        opens, closes = bisect_right(ends, start) - 1, bisect_left(ends, end, 1)
        begins, stops = max(ends[opens], start - _FAR), min(ends[closes], end + _FAR)
        self.before, self.after = text[begins:start], text[end:stops]
        self.text = text[begins:stops]
        paragraph = max(text.rfind("\n\n", 0, start), 0)
        self.above = text[paragraph:start]
        self.headed = bool(not self.above.strip() and _ENTRY.match(text, end))

    @cached_property
    def clause(self) -> str:
        """What of its clause stands before the date."""
        return _CLAUSE.split(self.before)[-1]

    def has(self, tense: str, text: str) -> bool:
        """Whether a part of it has a verb of its language that tells a tense."""
        return bool(of(asked_in(self.text)).tells.get(tense, NEVER).search(text))

    @property
    def looks_back(self) -> bool:
        """Whether "had" stands before the date: another day may be meant."""
        return self.has("had", self.before)

    @cached_property
    def tense(self) -> Tense | None:
        """Whether it tells what has been or what is to come."""
        if self.has("back", self.clause) and not self.has("ahead", self.clause):
            return "past"  # drivers who were stranded on Tuesday will need no reminding
        if self.has("ahead", self.text):
            return "future"
        return "past" if self.has("back", self.text) else None

    @property
    def plans(self) -> bool:
        """Whether the date's clause has a verb that does not look back: "meets on"."""
        opens = len(self.clause.split()) < 2  # with the date
        clause = _CLAUSE.split(self.after)[0] if opens else self.clause
        told = self.has("back", clause) or self.has("either", clause)
        return self.has("now", clause) and not told


class Told(NamedTuple):
    """What a text told: a day ("" if nobody can tell), month or year, up to where.

    `onward`: the story came to that day; else it only spoke of it.
    """

    value: str
    end: int
    granularity: Granularity
    onward: bool = False


class DatesTold:
    """The days that dates of a text count from, as far as it has been read.

    `basis` is the day narrated before the text, and then the one the narrator came to,
    `said` the day it was written on. A narrator has no day of writing that "last year"
    could count from, but for the days that head the entries of a log or diary.
    """

    def __init__(
        self, text: str, basis: str | None, said: str | None, narrated: bool
    ) -> None:
        self.text, self.narrated, self._logged = text, narrated, False
        self.basis, self.said = within_reach(basis), within_reach(said)
        both = self.basis if self.said else None
        self._told = [Told(both, 0, "day", onward=True)] if both else []

    def read(self, found: FoundDate) -> Resolved | None:
        """The value of the next find; None where it is no date after all."""
        self.sentence = _Sentence(self.text, found.start, found.end)
        resolved: Resolved | None
        match found.reading:
            case Calendar() as point:
                resolved = self._point(found, point)
            # a step that says not how far: its sentence does
            case Shift(count=None, of_month=int()) as shift:
                resolved = self._day_of_month(found, shift)
            case Shift(unit="day", count=None, named=int()) as shift:
                resolved = self._weekday(found, shift)
            case Shift(count=None, span=True, told=False) as shift:
                # the end of the month: will be this one's; was whose?
                ends = self.sentence.tense == "future"
                resolved = resolve(replace(shift, count=0 if ends else None), self.said)
            case shift:
                resolved = resolve(shift, self._counted_from(found, shift))
        if resolved:
            self._goes_on(found, resolved)
        return resolved

    def _point(self, found: FoundDate, point: Calendar) -> Resolved:
        """A point of the calendar, with the year or century that the story gives it.

        A year just told is the year of what follows: in 1936 ... on 3 May.
        """
        basis, when = self.said or self.basis, None
        here = parse_iso(basis) if basis else Calendar()
        if point.short is not None and here.year:  # the last '48 there was
            point = point.of_year(here.year - (here.year - point.short) % 100)
        told = self._near(found, "month", "year")
        value = told.value if told and told.granularity not in _DAYS else None
        past = parse_iso(value) if value else Calendar()
        if self.said:
            when, written = self.sentence.tense, here.year or 0
            day = point.of_year(written or 1)
            now = day.date if day.valid else None
            near = now and here.date and abs((now - here.date).days) <= _LATE
            away = not near and abs((past.year or written) - written) > 1
            if away and when != "future" and not point.season:  # of another time
                basis, when = value, "future"
                here = past if past.month else Calendar()
        elif past.year and (here.year is None or not self._since(told, found)):
            basis, here = value, past
        if point.year is not None or basis is None:
            return resolve(point, None)
        filled = with_year(point, here, when, bool(self.said))
        return resolve(filled or point, None)._replace(basis=basis if filled else None)

    def _day_of_month(self, found: FoundDate, shift: Shift) -> Resolved | None:
        """The 12th: of the month told just before, else of the nearest that may be."""
        told = self._near(found, "month")
        if self.sentence.headed:
            told = self._last("month", onward=True)  # what its entry told aside is not
        elif told and told.granularity == "month" and self._since(told, found):
            told = self._near(found)  # "built in July 1991.": that was its sentence's
        if shift.told and not told:
            return None
        limit = parse_iso(self.said).date if self.said else None
        when = self.sentence.tense if limit else None
        basis = told.value if told else self.said or self.basis
        return of_month(shift, basis, when, limit)

    def _weekday(self, found: FoundDate, shift: Shift) -> Resolved:
        """Friday: before or after the day of writing, as its sentence looks.

        The Friday: after the day told last as the story goes on, else before it.
        """
        here, when = self.said or self.basis, self.sentence.tense
        told = self._last(onward=bool(not shift.told and not self.said))
        story = shift.told or (not self.said and when == "past")
        if story:
            here = told.value if told else self.basis or self.said
        start = parse_iso(here).date if here else None
        same = start is not None and start.weekday() == shift.named
        near = bool(told or self.narrated) and self._since(told, found) <= _STORY
        today = story or (when == "past" and told and told.value == here)  # a dateline
        # "Villa Rossa, Sunday" heads a letter of a Sunday
        heads = self.text.find("\n") >= found.end and _HEADS.match(self.text, found.end)
        if same and (shift.told or (near and today) or (self.said and heads)):
            return Resolved(here, "day")
        # "come on the Friday": of a story just told, or who knows which
        if shift.told and (self._near(found) or not self.sentence.plans):
            back = self.sentence.looks_back or (self.said and when == "past")
            when = "past" if back else "future"
        elif story:  # its days go on, unless somebody looks back
            aside = self.sentence.looks_back or _QUOTED.search(self.sentence.above)
            tense: Tense = "past" if aside else "future"
            when = tense if near and here and not shift.told else None
        elif self.sentence.plans:
            when = "future"
        if when is None or same:
            return resolve(shift, None)
        return resolve(replace(shift, count=-1 if when == "past" else 1), here)

    def _counted_from(self, found: FoundDate, shift: Shift) -> str | None:
        """The day told before a step; with a day of writing, only one just told."""
        if not shift.told:
            vague = shift.unit != "day" and shift.of_month is None
            lost = vague and self.narrated and not self.said and not self._logged
            return None if lost else self.said or self.basis
        back = shift.count is not None and shift.count < 0
        spoken = self.said or back or shift.count == 0
        years = shift.unit == "year" or (shift.unit == "month" and shift.named)
        # In 1950 she moved. Five years later: years count from the year just told
        coarse: tuple[Granularity, ...] = ("month", "year") if years else ()
        told = self._last(*coarse, onward=not spoken)
        since = self._since(told, found)
        if since and not back and self.sentence.looks_back:
            return None
        if told is None:
            return None if self.said else self.basis
        far = since > (_STORY if shift.season else _ADJACENT)
        return None if self.said and far else told.value or None

    def _last(self, *coarse: Granularity, onward: bool = False) -> Told | None:
        """The day told last, or a `coarse` date; `onward` if the story came to it."""
        told = (t for t in reversed(self._told) if t.onward or not onward)
        if "year" in coarse:  # lost days leave the year
            told = (t for t in told if t.value)
        return next((t for t in told if t.granularity in (*_DAYS, *coarse)), None)

    def _near(self, found: FoundDate, *coarse: Granularity) -> Told | None:
        """The same if it was told just before."""
        told = self._last(*coarse)
        reach = _STORY if "year" in coarse and not self.said else _ADJACENT
        near = told and told.value and self._since(told, found) <= reach
        return told if near else None

    def _since(self, told: Told | None, found: FoundDate) -> int:
        """How many sentences ended since something was told, or the text began."""
        ends = _ends(self.text)
        since = bisect_right(ends, told.end if told else 0)
        return max(bisect_left(ends, found.start) - since, 0)

    def _goes_on(self, found: FoundDate, resolved: Resolved) -> None:
        """Remember what was told, and what moved the story on."""
        text, reading, start = self.text, found.reading, found.start
        value = (resolved.value or "").partition("T")[0]
        point, dated = isinstance(reading, Calendar), resolved.granularity in _DAYS
        shift = reading if isinstance(reading, Shift) else None
        days = shift and shift.unit == "day" and shift.named is not None
        step = days or (shift and (shift.told or shift.count is not None))
        sentence, headed = self.sentence, self.sentence.headed
        back = sentence.looks_back or sentence.has("foretold", sentence.clause)
        # on 3 May, a Sunday; he had gone on Sunday: the story is where it was
        aside = text.endswith((" a ", "（"), 0, start) or (back and not self.said)
        nowhere = not dated and (not value or (shift and not shift.told))  # last year
        if value != within_reach(value) or nowhere or (aside and not value):
            return
        self._logged |= dated and headed
        later = value >= (self.basis or "") and (point or step or headed) and not aside
        # an earlier day without its year is told aside: she left on the 3rd of April
        anew = isinstance(reading, Calendar) and (reading.year or headed) and not back
        onward = bool(not value or later or anew)
        self._told.append(Told(value, found.end, resolved.granularity, onward))
        if not (value and dated and onward):
            return
        known, had = value[0].isdigit(), (self.basis or "-")[0].isdigit()
        if self.narrated and (known or not had):
            self.basis = value
        if self.said and known and value > self.said and self.sentence.tense == "past":
            self.said = value  # written on, day by day


def within_reach(value: str | None) -> str | None:
    """A date to count from: the first and the last year of the calendar end it."""
    rim = (f"{MINYEAR:04d}", f"{MAXYEAR:04d}")
    return None if value is None or value.startswith(rim) else value
