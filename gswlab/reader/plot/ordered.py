"""Answers about the order of events."""

from __future__ import annotations

import re

from gswlab.core.nouns import Answer
from gswlab.reader.plot.asked import Asked
from gswlab.reader.plot.matching import named_in

_OR = re.compile(r"(\S+)[,、]?\s+or\s+(\S.*?)\s*\?|([^、\s]+?)と([^、\s]+?)のどちら")
_YES = {"en": ("yes", "no"), "ja": ("はい", "いいえ")}


def first_tie(asked: Asked) -> Answer | None:
    """Which of two became that of somebody first."""
    found = _OR.search(asked.question)
    parts = " / ".join(part for part in found.groups() if part) if found else ""
    options = named_in(parts, asked.story.names)
    others = [name for name in asked.names if name not in options]
    if len(options) != 2 or not others:
        return None
    relation = asked.wanted.relations[0]
    pairs = {one: frozenset({one, others[0]}) for one in options}
    began = {one: asked.story.stated(pair, relation) for one, pair in pairs.items()}
    known = [one for one in options if began[one]]
    if not known:
        return None
    pick = max if asked.wanted.last else min
    one = pick(known, key=lambda name: began[name][0])
    why = ", ".join(f"{name}: event {began[name][0]}" for name in known)
    return asked.said([one], [pairs[name] for name in known], why)


def next_event(asked: Asked) -> Answer | None:
    """What happens in the event after."""
    number = asked.event(" ".join(asked.wanted.parts))
    after = asked.story.events.get(number + 1) if number is not None else None
    if number is None or after is None:
        return None
    return asked.said([after.text], [number, after.number], f"event {after.number}")


def _places(asked: Asked) -> list[int] | None:
    """The events that the two parts of a question speak of, in its order."""
    found = [asked.event(part) for part in asked.wanted.parts]
    known = [number for number in found if number is not None]
    return known if len(known) == 2 and known[0] != known[1] else None


def before(asked: Asked) -> Answer | None:
    """Whether one event comes before another."""
    places = _places(asked)
    if places is None:
        return None
    yes, no = _YES[asked.language]
    holds = (places[0] < places[1]) != asked.wanted.last
    why = f"events {places[0]} and {places[1]}"
    return asked.said([yes if holds else no], places, why)


def choice(asked: Asked) -> Answer | None:
    """Which of two events comes first, or last."""
    places = _places(asked)
    if places is None:
        return None
    pick = max if asked.wanted.last else min
    part = asked.wanted.parts[places.index(pick(places))]
    return asked.said([part], places, f"events {places[0]} and {places[1]}")
