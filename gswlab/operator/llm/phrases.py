"""Verb phrases and questions of a reply, and what they say of who is who.

The answers of a question are the arguments of its verb phrase: one slot, one wording,
and nobody or nothing in it as long as the passage does not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from gswlab.core.nouns import (
    Argument,
    Filler,
    Question,
    Relation,
    Slot,
    Span,
    VerbPhrase,
)
from gswlab.operator.cast import Cast, Member
from gswlab.operator.llm.grounding import Ground
from gswlab.operator.llm.place import Place
from gswlab.operator.llm.reply import PhraseReply, QuestionReply, Telling

_TOLD: dict[Telling, dict[str, Any]] = {
    "explicit": {},
    "implied": {"implied": True},
    "negated": {"negated": True},
    "planned": {"modality": "planned"},
    "hypothetical": {"modality": "hypothetical"},
    "reported": {"modality": "reported"},
}
_KNOWN_AS = re.compile(r"\bknown as\b|別名|とも呼ばれ|として知られ")
_ACTED_ON: tuple[Slot, ...] = ("patient", "recipient")


class Phrases:
    """The verb phrases of a reply as far as the passage has them, and their questions.

    >>> Phrases(cast, found, reply.verb_phrases).questions          # doctest: +SKIP
    """

    def __init__(
        self, cast: Cast, found: Ground, replies: Sequence[PhraseReply]
    ) -> None:
        self.cast, self.found = cast, found
        self.members = {member.id: member for member in cast}
        self.phrases: list[VerbPhrase] = []
        self.questions: list[Question] = []
        for i, reply in enumerate(replies):
            self._add(f"verb_phrases.{i}", reply)

    def _add(self, path: str, reply: PhraseReply) -> None:
        predicate = " ".join(reply.predicate.lower().split()).removeprefix("to ")
        if not predicate:
            return self.found.refuse(f"{path}.predicate", "it is empty")
        place = self.found.find(f"{path}.quote", reply.quote)
        if place is None:
            return None
        parsed, number = self.cast.parsed, f"v{len(self.phrases) + 1}"
        arguments: list[Argument] = []
        for i, asked in enumerate(reply.questions):
            filled = self._filled(f"{path}.questions.{i}", asked, place)
            self._ask(number, asked, filled, parsed.span(*place))
            arguments += filled
        phrase = VerbPhrase(
            id=number,
            predicate=predicate,
            arguments=tuple(dict.fromkeys(arguments)),
            spans=(parsed.span(*place),),
            chunk=parsed.chunk.id,
            chapter=parsed.chunk.chapter,
            **_TOLD[reply.told],
        )
        return self.phrases.append(phrase)

    def _filled(
        self, path: str, asked: QuestionReply, place: Place
    ) -> tuple[Argument, ...]:
        """What fills a slot: actors of the passage, else the words of a quote."""
        named = self.found.named(f"{path}.actors", asked.actors)
        slot, parsed = asked.slot, self.cast.parsed
        if named or not asked.quote.strip():
            here = parsed.span(*place)
            who = [self.members[actor.id] for actor in named]
            return tuple(Argument(slot, m.name, (_near(m, here),), m.id) for m in who)
        said = self.found.find(f"{path}.quote", asked.quote, place)
        if said is None:
            return ()
        text = parsed.chunk.text[slice(*said)]
        return (Argument(slot, text, (parsed.span(*said),)),)

    def _ask(
        self,
        phrase: str,
        asked: QuestionReply,
        filled: tuple[Argument, ...],
        span: Span,
    ) -> None:
        text, chunk = " ".join(asked.text.split()), self.cast.parsed.chunk.id
        known = {(q.verb_phrase, q.slot, q.text) for q in self.questions}
        if text and (phrase, asked.slot, text) not in known:
            question = Question(
                id=f"q{len(self.questions) + 1}",
                text=text,
                slot=asked.slot,
                verb_phrase=phrase,
                status="answered" if filled else "open",
                answers=tuple(Filler(a.text, a.spans, a.actor, chunk) for a in filled),
                spans=(span,),
                chunk=chunk,
            )
            self.questions.append(question)

    def relations(self) -> Iterator[Relation]:
        """Who is also known as whom, where a verb phrase says so."""
        for phrase in self.phrases:
            for one, other in _pairs(phrase) if _ties(phrase) else ():
                yield Relation(
                    id=f"{one}-{other}",
                    source=one,
                    target=other,
                    kind="alias",
                    reason="stated",
                    spans=phrase.spans,
                    chunk=phrase.chunk,
                )

    def apart(self) -> tuple[tuple[str, str], ...]:
        """Who acts on whom: nobody is both, whatever a pronoun may be taken for."""
        told = (p for p in self.phrases if not (p.implied or _ties(p)))
        pairs = {(min(p), max(p)) for phrase in told for p in _pairs(phrase)}
        acting = {m.id for m in self.cast if m.kind in ("person", "organisation")}
        return tuple(sorted(pair for pair in pairs if acting.issuperset(pair)))


def _ties(phrase: VerbPhrase) -> bool:
    """Whether a verb phrase gives somebody another name."""
    said = phrase.modality == "asserted" and not phrase.negated
    return said and bool(_KNOWN_AS.search(phrase.predicate))


def _pairs(phrase: VerbPhrase) -> list[tuple[str, str]]:
    """Who acts with each whom it is done to or given to."""
    agents = [a.actor for a in phrase.arguments if a.slot == "agent" and a.actor]
    others = [a.actor for a in phrase.arguments if a.slot in _ACTED_ON and a.actor]
    return [(one, two) for one, two in product(agents, others) if one != two]


def _near(member: Member, place: Span) -> Span:
    """The mention of an actor that stands nearest to a verb phrase."""

    def distance(span: Span) -> int:
        return max(span.start - place.end, place.start - span.end, 0)

    return min((mention.span for mention in member.mentions), key=distance)
