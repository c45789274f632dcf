"""Keys and values that a text states."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_PAIR = re.compile(r"([^:\n]{1,120}): (.{1,400})")


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Keys and values of a text: a JSON object's, or `key: value` a line.

    >>> [*pairs('{"a": "b"}')], [*pairs("colour: red")]
    ([('a', 'b')], [('colour', 'red')])
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        yield from ((key, str(value)) for key, value in found.items())
        return
    for line in text.splitlines():
        if pair := _PAIR.fullmatch(line.strip()):
            yield pair[1].strip(), pair[2].strip()
