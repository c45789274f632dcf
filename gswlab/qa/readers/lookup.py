"""The exact look-up reader: keys and values of the evidence, followed to the end.

What it gets wrong was not in the evidence. An agent's own reply is the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gswlab.core.nouns import Answer, Evidence, Span

_PAIR = re.compile(r"([^:\n]{1,120}): (.{1,400})")


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Keys and values of a text: a JSON object's, or `key: value` a line."""
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


_KEY = re.compile(r"[\"“「]([^\"”」]{1,120})[\"”」]")


@dataclass
class LookupReader:
    """Follows the first key that a question quotes; the value written last holds."""

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """The last value that is found, and the items on the way to it."""
        said = [event for event in evidence.trace if event.kind == "replied"]
        if said:
            spans = tuple(dict.fromkeys(s for i in evidence.items for s in i.spans))
            reply = str(said[-1].data["message"])
            return Answer((reply,), False, (), spans, "the agent's own reply")
        asked = _KEY.search(question)
        # the value of each key, the last one written, and where it stands
        items = sorted(evidence.items, key=lambda item: item.spans[:1])
        values = {k: (v, item.spans) for item in items for k, v in pairs(item.text)}
        key, way = asked[1] if asked else "", list[Span]()
        if key not in values:
            reason = "the evidence does not have the key that was asked for"
            return Answer((), True, (), (), reason)
        while key in values:  # a key met again ends the way
            key, spans = values.pop(key)
            way += spans
        return Answer((key,), False, (), tuple(dict.fromkeys(way)), "looked up")
