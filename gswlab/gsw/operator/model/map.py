"""Verb phrases and questions of a reply, and what they say of who is who.

The answers of a question are the arguments of its verb phrase: one slot, one wording,
and nobody or nothing in it as long as the passage does not say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from gswlab.core.nouns import (
    Argument,
    Filler,
    Link,
    Mention,
    MentionForm,
    Question,
    Relation,
    Role,
    Slot,
    State,
    VerbPhrase,
    Vote,
)
from gswlab.gsw.operator.clauses import Modality
from gswlab.gsw.operator.coreference import FIRST, PRONOUN_GENDER
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.model.grounding import Grounded, GroundedReply, Stretch
from gswlab.gsw.operator.model.stages import (
    GroupReply,
    PhraseReply,
    PhraseTelling,
    QuestionReply,
)
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.dates.find import DateMention
from gswlab.language.names import likeness
from gswlab.language.pipeline import Span as Run
from gswlab.language.pipeline import Token

_WEIGHT = 2.0  # of a kind that a model gives: more than a label, less than a title
_DATED = 3.0  # and where the calendar agrees
_ORDER = ("date", "name", "nominal", "narrator", "pronoun")


class _Seen(NamedTuple):
    """One mention of an actor: where, in which form, and the date that it is."""

    place: Stretch
    form: MentionForm
    text: str
    run: Run
    date: DateMention | None


def cast_of(
    parsed: Parsed, found: GroundedReply, is_name: Callable[[Sequence[Token]], bool]
) -> Cast:
    """The cast of a chunk, its members in the order and with the ids of the actors."""
    cast, chunk = Cast(parsed), parsed.chunk.id

    for actor in found.actors:
        said = (_seen(parsed, actor, p, is_name) for p in sorted(actor.places))
        seen = list({mention.place: mention for mention in said}.values())
        member = _member(cast, seen)
        for place, form, text, run, _ in seen:
            if form == "name" and likeness(text, member.name, actor.kind) == "short":
                form = "short"
            cast.mention(member, list(run), run.root, form)
            # A token may be longer than a name.
            member.mentions[-1] = Mention(parsed.span(*place), form, chunk, text)
            if form in ("name", "short"):
                member.alias(text)
        date = next((mention.date for mention in seen if mention.date), None)
        weight, span = _DATED if date else _WEIGHT, member.mentions[0].span
        member.vote(actor.kind, weight, "as the model reads it", span)
        member.value = date.value if date else None
        for told in actor.roles:
            member.roles.append(Role(told.text, (parsed.span(*told.place),), chunk))
        for told in actor.inferred:
            spans = (parsed.span(*told.place),)
            member.roles.append(Role(told.text, spans, chunk, inferred=True))
        for told in actor.states:
            spans = (parsed.span(*told.place),)
            member.states.append(State(told.text, spans, chunk, told.role))
    return cast


def add_dates(cast: Cast) -> None:
    """The dates of the calendar that no actor of the reply has a word of."""
    parsed, dates = cast.parsed, dict[str, Member]()
    said = [mention.span for member in cast for mention in member.mentions]
    for date in parsed.dates:
        place = date.start, date.end
        span, tokens = parsed.span(*place), parsed.within(*place)
        taken = any(s.start < span.end and span.start < s.end for s in said)
        if not taken and tokens:
            key = date.value or date.text
            member = dates[key] = dates.get(key) or cast.add(date.text, "date")
            member.value = date.value
            member.vote("time", _DATED, "a date or time expression", span)
            cast.mention(member, tokens, tokens[-1], "date")


def _seen(
    parsed: Parsed,
    actor: Grounded,
    place: Stretch,
    is_name: Callable[[Sequence[Token]], bool],
) -> _Seen:
    """A mention; of a time, the whole date that the calendar finds there."""
    date = _date(parsed, place) if actor.kind == "time" else None
    place = Stretch(date.start, date.end) if date else place
    text = parsed.chunk.text[slice(*place)]
    run = parsed.doc.char_span(*place, alignment_mode="expand")
    assert run is not None, f"{place} is no place of {parsed.chunk.id}"
    form: MentionForm = "name" if is_name(list(run)) else "nominal"
    if actor.kind == "time":
        form = "date"
    elif text.lower() in PRONOUN_GENDER:
        form = "pronoun"
    elif text.lower() in FIRST:  # an I in a quotation is not the narrator's
        form = "nominal" if parsed.quote(run.root) else "narrator"
    return _Seen(place, form, text, run, date)


def _date(parsed: Parsed, place: Stretch) -> DateMention | None:
    here = (d for d in parsed.dates if place.meets(Stretch(d.start, d.end)))
    return next(here, None)


def _member(cast: Cast, seen: Sequence[_Seen]) -> Member:
    """A member by its mentions: name, number, and the gender that pronouns say."""

    def fullest(mention: _Seen) -> tuple[int, int]:
        """The fullest name comes first, then nouns; of pronouns the first."""
        longer = mention.form in ("name", "nominal")
        return _ORDER.index(mention.form), -len(mention.text) if longer else 0

    best = min(seen, key=fullest)
    name = " ".join(best.text.split())
    # A noun that opens a sentence loses its capital.
    opens = best.form == "nominal" and best.run[0].is_sent_start
    if best.form == "narrator" and name.isascii():
        name = "I"
    elif best.form == "pronoun" or opens:
        name = name[0].lower() + name[1:]
    member = cast.add(name, best.form)
    said = list(filter(None, (PRONOUN_GENDER.get(m.text.lower()) for m in seen)))
    own = [gender for gender in said if gender in ("f", "m")]
    if not own and len(said) == len(seen):  # a mere "they" of who has no other word
        own = said
    member.gender = own[0] if own else None
    member.plural = all(mention.run.root.tag_ == "NNS" for mention in seen)
    return member


_MODALITY: dict[PhraseTelling, Modality] = {
    "planned": "planned",
    "hypothetical": "hypothetical",
    "reported": "reported",
}
_KNOWN_AS = re.compile(r"\bknown as\b|別名|とも呼ばれ|として知られ")
_ACTED_ON: tuple[Slot, ...] = ("patient", "recipient")


class Phrases:
    """The verb phrases of a reply that the passage has, and their questions."""

    def __init__(
        self, cast: Cast, found: GroundedReply, replies: Sequence[PhraseReply]
    ) -> None:
        self.cast, self.found = cast, found
        self.members = {member.id: member for member in cast}
        self.phrases: list[VerbPhrase] = []
        self.questions: dict[tuple[str, Slot, str], Question] = {}
        for i, reply in enumerate(replies):
            self._add(f"verb_phrases.{i}", reply)

    def _add(self, path: str, reply: PhraseReply) -> None:
        predicate = " ".join(reply.predicate.lower().split()).removeprefix("to ")
        if not predicate:
            return self.found.refuse(f"{path}.predicate", "it is empty")
        place = self.found.find(f"{path}.quote", reply.quote)
        if place is None:
            return None
        chunk, told = self.cast.parsed.chunk, reply.told
        spans, number = (self.cast.parsed.span(*place),), f"v{len(self.phrases) + 1}"
        arguments = list[Argument]()
        for i, asked in enumerate(reply.questions):
            filled = self._filled(f"{path}.questions.{i}", asked, place)
            arguments += filled
            text = " ".join(asked.text.split())
            answers = (Filler(a.text, a.spans, a.actor, chunk.id) for a in filled)
            question = Question(
                id=f"q{len(self.questions) + 1}",
                text=text,
                slot=asked.slot,
                verb_phrase=number,
                status="answered" if filled else "open",
                answers=tuple(answers),
                spans=spans,
                chunk=chunk.id,
            )
            if text:
                self.questions.setdefault((number, asked.slot, text), question)
        phrase = VerbPhrase(
            id=number,
            predicate=predicate,
            arguments=tuple(dict.fromkeys(arguments)),
            spans=spans,
            chunk=chunk.id,
            chapter=chunk.chapter,
            implied=told == "implied",
            negated=told == "negated",
            modality=_MODALITY.get(told, "asserted"),
        )
        return self.phrases.append(phrase)

    def _filled(
        self, path: str, asked: QuestionReply, place: Stretch
    ) -> list[Argument]:
        """What fills a slot: actors of the passage, else the words of a quote."""
        named = self.found.named(f"{path}.actors", asked.actors)
        parsed, filled = self.cast.parsed, list[Argument]()
        quote = "" if named else asked.quote.strip()
        if quote and (said := self.found.find(f"{path}.quote", asked.quote, place)):
            text = parsed.chunk.text[slice(*said)]
            filled.append(Argument(asked.slot, text, (parsed.span(*said),)))
        span = parsed.span(*place)
        here = Stretch(span.start, span.end)
        for member in (self.members[actor.id] for actor in named):
            spans = (mention.span for mention in member.mentions)
            near = min(spans, key=lambda s: here.apart(Stretch(s.start, s.end)))
            filled.append(Argument(asked.slot, member.name, (near,), member.id))
        return filled

    def relations(self) -> Iterator[Relation]:
        """Who is also known as whom, where a verb phrase says so."""
        for p in filter(_ties, self.phrases):
            for a, b in _pairs(p):
                yield Relation(f"{a}-{b}", a, b, "alias", "stated", p.spans, p.chunk)

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


_KINDS = {"space": "place", "time": "time"}
_FIELDS = {"space": "place", "time": "date"}
_TOGETHER = 1.0  # weight of a time or place that a group shares: as much as a topic's


def links_of(
    cast: Cast, found: GroundedReply, groups: Sequence[GroupReply]
) -> Iterator[Link]:
    """The groups whose actors, and whose place or time, the passage has."""
    members, parsed = {member.id: member for member in cast}, cast.parsed
    for i, group in enumerate(groups):
        path = f"groups.{i}"
        together = [members[a.id] for a in found.named(f"{path}.actors", group.actors)]
        said = (group.value or "").strip()
        place = found.find(f"{path}.value", said) if said else None
        if not together or (said and place is None):
            found.refuse(path, "it has no actor, or no place or time, of the passage")
            continue
        ids = tuple(member.id for member in together)
        if place is None:  # one they share that the passage does not name
            spans = tuple(member.mentions[0].span for member in together)
            yield Link(group.kind, ids, None, spans)
            continue
        span, text = parsed.span(*place), parsed.chunk.text[slice(*place)]
        # An actor may be that place or time itself, by the words for it.
        of_kind = (m for m in cast if m.kind == _KINDS[group.kind])
        spots = ((m.id, mention.span) for m in of_kind for mention in m.mentions)
        here = (i for i, s in spots if s.start < span.end and span.start < s.end)
        anchor = next(here, None)
        actors = tuple(dict.fromkeys([*ids, anchor] if anchor else ids))
        link = Link(group.kind, actors, text, (span,), anchor)
        if group.kind == "time" and (date := _date(parsed, place)):
            grain, counted = date.granularity, date.basis
            link = replace(link, iso=date.value, granularity=grain, basis=counted)
        yield link


def shared_votes(links: Sequence[Link]) -> Iterator[Vote]:
    """A named place or time that a group shares speaks for where and when it is."""
    for link in links:
        if link.anchor and (others := len(link.actors) - 1):
            reason = f"the model puts {others} there"
            yield Vote(_FIELDS[link.kind], link.anchor, _TOGETHER, reason, link.spans)
