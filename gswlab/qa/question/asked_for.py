"""What a question asks for, and in which order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from gswlab.core.nouns import Episode
from gswlab.language.dates.calendar import compiled
from gswlab.language.language import of
from gswlab.qa.cue import Asked, Order, story_order
from gswlab.qa.question.stopwords import phrasings


def arrange(episodes: Iterable[Episode], order: Order) -> tuple[Episode, ...]:
    """Episodes by story date, those without one last; the latest only if asked."""
    found = sorted(episodes, key=story_order)
    dated = [episode for episode in found if episode.date is not None]
    undated = [episode for episode in found if episode.date is None]
    if order == "latest":
        return tuple(dated[-1:])
    return (*dated, *undated) if order == "all" else tuple(dated)


# What a question asks for, and in which order, whatever its wording.

_KINDS: tuple[Asked, ...] = (
    "details", "other_entities", "times", "places", "entities", "contents"
)  # fmt: skip
_ONLY = re.compile(
    r"\b(?:only|just|alone|will (?:do|serve|suffice)|nothing but)\b", re.I
)
_SENTENCE = re.compile(r"(?<=[.?!])[\"')]*\s+|\n+")


@cache
def _groups() -> dict[str, str]:
    """The patterns of `asked.txt`, joined by group."""
    found = dict(of("en").patterns("asked"))
    found["contents"] += found["event"]
    return {group: "|".join(patterns) for group, patterns in found.items()}


@cache
def _words(group: str) -> re.Pattern[str]:
    tail = r"[^,.;:!?()—–]*" if group == "negated" else ""
    return compiled(rf"\b(?:{_groups()[group]})\b{tail}")


@cache
def _answer() -> re.Pattern[str]:
    """Any answer noun; its named group says what it asks for."""
    nouns = "|".join(rf"(?P<{kind}>{_groups()[kind]})" for kind in _KINDS)
    return compiled(rf"\b(?:{nouns})\b")


def order_of(masked: str) -> Order:
    """`latest`, `chronological` (looked for first: "from first to last") or `all`.

    That a story has a timeline is an order only where the latest is not asked for.

    >>> order_of("List the dates, oldest first."), order_of("Where was ⟨e⟩ last seen?")
    ('chronological', 'latest')
    >>> order_of("What is the last place of ⟨e⟩ in the chronology of the tale?")
    'latest'
    """
    if _words("chronological").search(masked):
        return "chronological"
    if phrasings()["now"].search(masked) or _words("latest").search(masked):
        return "latest"
    wanted = _words("negated").sub(" ", masked)
    return "chronological" if _words("told_time").search(wanted) else "all"


def asked_of(masked: str) -> Asked:
    """What a masked question asks for.

    >>> asked_of("Consider the events at ⟨s⟩. Which people were there, names only?")
    'entities'
    """
    cleaned = _words("negated").sub(" ", _words("when").sub("when", masked))
    cleaned = _words("chronological").sub(" ", cleaned)
    sentences = [part.strip() for part in _SENTENCE.split(cleaned) if part.strip()]
    for sentence in reversed(sentences):
        limit = sentence if _ONLY.search(sentence) else ""
        rest = _request(sentence) or limit
        found = _answer().search(rest)
        if not found and phrasings()["back"].search(rest):
            # "which are they?" points back to the last answer noun before it
            before = cleaned[: cleaned.rindex(sentence) + len(sentence) - len(rest)]
            found = next(reversed([*_answer().finditer(before)]), None)
        if found:
            return _asked(found, masked)
    for sentence in reversed(sentences):
        if found := _answer().search(sentence):
            return _asked(found, masked)
    named = re.search(r"\bnames?\b", masked, re.I)
    return "entities" if named else "contents"


def _request(sentence: str) -> str:
    """What follows the request of a sentence, from its own wh-word if it has one."""
    sentence = phrasings()["subordinate"].sub(" ", " ".join(sentence.split())).strip()
    asking = [
        m.start()
        for m in phrasings()["wh"].finditer(sentence)
        if not phrasings()["relative"].search(sentence[: m.start()].rstrip())
    ]
    scene = phrasings()["scene_set"].match(sentence)
    verb = phrasings()["request"].search(sentence, scene.end() if scene else 0)
    if scene:  # "recall who was there, and list the days": the who is not asked for
        own = [at for at in asking if phrasings()["own"].search(sentence[:at])]
        asking = own[:1] or [at for at in asking if verb is None][-1:]
    if verb and (not asking or verb.start() <= asking[0]):
        return sentence[verb.start() :]
    if not asking:
        return ""
    return sentence[asking[0] :]


def _asked(found: re.Match[str], masked: str) -> Asked:
    asked = next(kind for kind in _KINDS if found.groupdict().get(kind))
    if asked != "details":
        return asked
    # "describe all key events at ⟨s⟩": of many it asks what they were
    last = [part for part in _SENTENCE.split(masked) if part.strip()][-1:]
    many = any(_words("contents").search(part) for part in last)
    return "contents" if many or order_of(masked) != "all" else asked
