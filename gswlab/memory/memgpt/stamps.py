"""Source time: a text's dates, resolved against the day it was said."""

from __future__ import annotations

from gswlab.language.dates.find import find_dates

Dates = tuple[tuple[str, str], ...]


def dates_in(text: str, time: str | None) -> Dates:
    """(words, ISO day) of the dates in `text`, as said at `time`; what is open is out.

    >>> dates_in("I left yesterday.", "2024-05-08T13:00")
    (('yesterday', '2024-05-07'),)
    """
    said = time.partition("T")[0] if time else None
    found = find_dates(text, said=said)
    days = ((date.text, date.day) for date in found if date.granularity != "unknown")
    return tuple((words, day) for words, day in days if day and day[0].isdigit())
