"""Mentions in braces inside the text, and quotations looked for in it.

>>> text, marks = unmarked("{ann:Ann Ray} lost {ann=her} {bag:bag} {@2031:in 2031}.")
>>> text, marks[1], marks[-1].text
('Ann Ray lost her bag in 2031.', Mark(key='ann', start=13, end=16, text='her', \
pronoun=True), 'in 2031')
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

OPTIONAL = "?"
_OPEN = re.compile(r"\{(@-(?=:)|@\?|@-?[\d-]+(?:T\d\d:\d\d)?|\w+|\?)([:=])|\}")


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters of the plain text that mention `key`: an actor, `@` time or `?`."""

    key: str
    start: int
    end: int
    text: str
    pronoun: bool = False


def unmarked(marked: str) -> tuple[str, tuple[Mark, ...]]:
    """The plain text, and its marks by where they start (outer before inner)."""
    plain, marks, last = "", [], 0
    waiting: list[tuple[str, bool, int]] = []
    for found in _OPEN.finditer(marked):
        plain += marked[last : found.start()]
        last = found.end()
        if found[1]:
            waiting.append((found[1], found[2] == "=", len(plain)))
        else:
            key, pronoun, start = waiting.pop()
            marks.append(Mark(key, start, len(plain), plain[start:], pronoun))
    plain += marked[last:]
    if waiting or "{" in plain or "}" in plain:
        raise ValueError(f"braces do not pair in {plain[:60]!r}")
    return plain, tuple(sorted(marks, key=lambda m: (m.start, -m.end)))


def located(rows: Sequence[str], text: str) -> Iterator[tuple[list[str], int, bool]]:
    """The fields of each row, where its quotation starts, whether it is optional."""
    at = 0
    for row in rows:
        fields = [field.strip() for field in row.split("|")]
        optional = fields[0].startswith(OPTIONAL)
        fields[0] = fields[0].removeprefix(OPTIONAL).strip()
        whole = rf"(?<![a-zA-Z0-9]){re.escape(fields[0])}(?![a-zA-Z0-9])"
        found = re.compile(whole).search(text, at)
        if found is None:
            raise ValueError(f"{fields[0]!r} does not occur after character {at}")
        yield fields, found.start(), optional
        at = found.start() + 1


def parted(text: str) -> tuple[str, ...]:
    """Equally good wordings: "dead / died"."""
    return tuple(each.strip() for each in text.split(" / "))
