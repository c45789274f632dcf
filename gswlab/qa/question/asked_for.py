"""What a question asks for, and in which order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from gswlab.core.nouns import Episode
from gswlab.language.dates.calendar import compiled
from gswlab.language.language import of
from gswlab.qa.cue import Asked, Order, story_order


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
_HEADED = (
    r"(?!(?:'s|s')?[ -](?:dates?|days?|times?|locations?|venues?|places?|sites?"
    r"|settings?|participants?|attendees?|goers|protagonists?|characters?)\b)"
)
_NAMES = compiled(r"\b(?:first and last|last|first|full) names?\b")
_SCENE = r"list|name|give|provide|tell|state|identify|enumerate|specify|report|share"
_REQUEST = compiled(
    r"(?:^|[,;:—–(] ?|\b(?:and|then|please|kindly|to|you|me|just|only|i|we|simply|also"
    r"|now|next|finally|let's|i'd|could|can|would|help|hence|so|do|but) )"
    rf"(?:{_SCENE}|supply|present|say|find|show|compile|collect|gather|return|mention"
    r"|write|note|pinpoint|determine|reveal|outline|itemi[sz]e|catalogu?e?|jot|pull"
    r"|point|remind|need|want|like|know|wonder|figure|piece|work|learn|describe|recount"
    r"|narrate|retell|summari[sz]e|elaborate|walk|fill|answer|offer|detail|indicate"
    r"|extract|establish|reconstruct|trace|track|spell|set|put|lay|draw|count|single"
    r"|pick|read|inform|record|discover|see|understand|map|confirm|produce|deliver|seek"
    r"|include|recite|cite|retrieve|output|disclose|locate|get|hear|have|copy)\b"
    r"|\b(?:looking for|trying to|interested in|curious|wondering|wonder|wants? to know"
    r"|asking|interested to)\b"
)
_WH = compiled(r"\b(?:when|where|who|whom|whose|what|which|how)\b")
_RELATIVE = compiled(
    r"(?:\b(?:events?|gatherings?|occasions?|days?|dates?|times?|places?|people|those|all"
    r"|any|every|each|anyone|everyone|someone|one|episodes?|activities|moments?"
    r"|locations?|venues?|chapters?|scenes?|parts?|passages?|sections?|⟨[tsec]⟩,?)"
    r"(?: (?:at|in|on|to|of|during|from|with|for))?"
    r"|\b(?:regardless of|no matter|even))$"
)
_SCENE_SET = compiled(
    r"^\W*(?:(?:please|now|first|kindly|so|i want you to|i'd like you to|let us|let's"
    r"|try to|(?:could|can|would|will) you),? )*"
    r"(?:recall|recollect|remember|consider|imagin|pictur|ponder|revisit|review"
    r"|think|reflect|look(?:ing)? (?:back|again|at|over)|cast|go(?:ing)? (?:back|over)"
    r"|(?:bear|keep|bring|call)(?:ing)? (?:in|to) mind|turn|suppose|given|knowing)"
)
_OWN = compiled(r"[;:—] ?(?:(?:and|on|at|in|with|by|for|to) )*$")
_SUBORDINATE = compiled(
    r"^(?:when|where|while|whenever|wherever)"
    r"(?! (?:did|was|were|is|are|do|does|has|have|had|can|could|would|else|exactly)\b)"
    r"[^,?]*,"
)
_BACK = compiled(
    r"^(?:(?:on|at|in) )?(?:what|which|who)(?: ones?)?(?: of (?:them|these|those))?"
    r"(?: (?:is|are|was|were|would|might|could|will|have|do|does|did) "
    r"(?:it|they|those|these|that|this|he|she|you|one)\b.*| ?\?)$"
)
_NOW = compiled(r"^where(?:abouts)? (?:is|are) ⟨e⟩(?!')")
_FOCUS = compiled(
    r"\b(?:focus\w*|concentrat\w+|with (?:an? )?(?:focus|emphasis|attention|stress))"
    r"(?: \w+ly| just)? (?:on|to) (?P<what>[^,.;:!?]*)"
)
_PREPOSITION = compiled(r"\b(?:on|at|in|with|alongside|beside) $")
_SENTENCE = re.compile(r"(?<=[.?!])[\"')]*\s+|\n+")


@cache
def _groups() -> dict[str, str]:
    """The patterns of `asked.txt`, joined by group."""
    found = dict(of("en").patterns("asked"))
    contents = rf"(?:{'|'.join(found['event'])})\b{_HEADED}"
    found["contents"] += (contents,)
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


@cache
def _limit() -> re.Pattern[str]:
    """A clause of its own that limits the answer: "dates only", "the kind will do"."""
    nouns = "|".join(rf"(?P<{kind}>{_groups()[kind]})" for kind in _KINDS[2:5])
    event = _groups()["event"]
    nouns += rf"|(?P<contents>(?:kinds?|types?|sorts?)(?: of (?:{event}|occasions?))?)"
    return compiled(
        r"(?:^|[.?!,;:(—–-] ?)(?:(?:and|but|with|please|then),? )*"
        r"(?P<just>(?:just|only|nothing but|merely|simply|no more than) )?"
        rf"(?:the |its |their |bare )*(?:\w+ )?\b(?:{nouns})\b"
        r"(?: (?:or|and) (?:\w+)| by itself| on (?:its|their) own)*"
        r"(?:,? (?:only|alone|will (?:do|serve|suffice)|suffices?"
        r"|(?:is|are) (?:all|enough)|and nothing (?:else|more))\b"
        r"|(?(just),? ?(?:please)? ?[.!)]|(?!)))"
    )


def order_of(masked: str) -> Order:
    """`latest`, `chronological` (looked for first: "from first to last") or `all`.

    That a story has a timeline is an order only where the latest is not asked for.

    >>> order_of("List the dates, oldest first."), order_of("Where was ⟨e⟩ last seen?")
    ('chronological', 'latest')
    >>> order_of("What is the last place of ⟨e⟩ in the chronology of the tale?")
    'latest'
    """
    masked = _NAMES.sub(" ", masked)
    if _words("chronological").search(masked):
        return "chronological"
    if _NOW.search(masked) or _words("latest").search(masked):
        return "latest"
    wanted = _words("negated").sub(" ", masked)
    return "chronological" if _words("told_time").search(wanted) else "all"


def asked_of(masked: str) -> Asked:
    """What a masked question asks for.

    >>> asked_of("Consider the events at ⟨s⟩. Which people were there, names only?")
    'entities'
    """
    cleaned = _words("negated").sub(" ", _words("when").sub("when", masked))
    for group in ("chronological", "idle"):
        cleaned = _words(group).sub(" ", cleaned)
    cleaned = _words("latest").sub(" ", _NAMES.sub(" names ", cleaned))
    found = _limit().search(cleaned)
    if not found and (focus := _FOCUS.search(cleaned)):  # "focusing on what happened"
        found = _answer().search(focus["what"])
    if found:
        return _asked(found)
    sentences = [part.strip() for part in _SENTENCE.split(cleaned) if part.strip()]
    for place in range(len(sentences) - 1, -1, -1):
        rest = _request(sentences[place])
        found = _answer().search(rest)
        if not found and _BACK.search(rest):
            # "which are they?" points back to the last answer noun before it
            own = sentences[place][: len(sentences[place]) - len(rest)]
            back = next(_answer().finditer(own), None)
            before = (list(_answer().finditer(s)) for s in sentences[:place][::-1])
            found = back or next((nouns[-1] for nouns in before if nouns), None)
        if found:
            return _asked(found)
    for sentence in reversed(sentences):
        if found := _answer().search(sentence):
            return _asked(found)
    named = re.search(r"\bnames?\b", masked, re.I)
    return "entities" if named else "contents"


def speaks_of_events(masked: str) -> bool:
    """Whether a question speaks of what happened, not of one occasion in full.

    >>> speaks_of_events("Describe all key events at ⟨s⟩.")
    True
    """
    if order_of(masked) != "all":
        return True
    last = [part for part in _SENTENCE.split(masked) if part.strip()][-1:]
    return any(_words("contents").search(part) for part in last)


def without_focus(masked: str) -> str:
    """A question without "focusing on ...": it limits the answer and is no cue."""
    return _FOCUS.sub(" ", masked)


def _request(sentence: str) -> str:
    """What follows the request of a sentence, from its own wh-word if it has one."""
    sentence = _SUBORDINATE.sub(" ", " ".join(sentence.split())).strip()
    asking = [
        m.start()
        for m in _WH.finditer(sentence)
        if not _RELATIVE.search(sentence[: m.start()].rstrip())
    ]
    scene = _SCENE_SET.match(sentence)
    verb = _REQUEST.search(sentence, scene.end() if scene else 0)
    if scene:  # "recall who was there, and list the days": the who is not asked for
        own = [at for at in asking if _OWN.search(sentence[:at])]
        asking = own[:1] or [at for at in asking if verb is None][-1:]
    if verb and (not asking or verb.start() <= asking[0]):
        return sentence[verb.start() :]
    if not asking:
        return ""
    # from "on which", "with whom" rather than from the wh-word alone
    before = _PREPOSITION.search(sentence[: asking[0]])
    return sentence[before.start() if before else asking[0] :]


def _asked(found: re.Match[str]) -> Asked:
    return next(kind for kind in _KINDS if found.groupdict().get(kind))
