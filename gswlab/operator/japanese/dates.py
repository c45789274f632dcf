"""Dates counted from a day told earlier in the same chunk: 5月7日、…。翌日、…。"""

from __future__ import annotations

from dataclasses import replace

from gswlab.operator.parse import Parsed
from gswlab.text import DateMention, find_dates

DAY = len("2024-05-07")


def told_in_order(parsed: Parsed) -> Parsed:
    """The chunk with each date counted from the last day the narration told before."""
    found: list[DateMention] = []
    day: str | None = None
    for date in parsed.dates:
        if day and (date.relative or len(date.value or "") < DAY):
            date = _counted_from(day, date, parsed)
        found.append(date)
        quoted = any(q.start <= date.start < q.end for q in parsed.quotes)
        if date.value and len(date.value) >= DAY and not quoted:
            day = (
                max(day or "", date.value[:DAY]) if date.relative else date.value[:DAY]
            )
    return replace(parsed, dates=tuple(found))


def _counted_from(day: str, date: DateMention, parsed: Parsed) -> DateMention:
    again = find_dates(parsed.chunk.text, basis=day, language="ja")
    return next((d for d in again if d.start == date.start), date)
