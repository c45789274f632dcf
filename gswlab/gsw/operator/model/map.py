"""A reply as the map of its chunk, with rules as its floor.

The answers of a question are the arguments of its verb phrase: one slot, one wording,
and nobody or nothing in it as long as the passage does not say. Dates and names that a
reply leaves out, what verbs do to whom, and what they make a reader expect are there as
in a map that no model has drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from gswlab.core.nouns import (
    Argument,
    Chunk,
    Filler,
    Link,
    LocalMap,
    Mention,
    MentionForm,
    Question,
    Slot,
    Span,
    VerbPhrase,
)
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.clauses import Modality
from gswlab.gsw.operator.coreference import FIRST, PRONOUN_GENDER, apart_ids
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.model.grounding import Grounded, GroundedReply, meets, nearest
from gswlab.gsw.operator.model.stages import (
    GroupReply,
    OperatorReply,
    PhraseReply,
    QuestionReply,
)
from gswlab.gsw.operator.parse import Parsed, parse
from gswlab.gsw.operator.questions import find_questions
from gswlab.gsw.operator.roles import add_effects
from gswlab.gsw.operator.rules import rules_of
from gswlab.language.dates.basis import basis
from gswlab.language.dates.find import DateMention
from gswlab.language.names import likeness
from gswlab.language.pipeline import Span as Run
from gswlab.language.pipeline import Token
from gswlab.models.ask_trace import refusal

_Members: TypeAlias = dict[Grounded, Member]
_IsName = Callable[[Sequence[Token]], bool]
_WEIGHT = 2.0  # of a kind that a model gives: more than a label, less than a title
_DATED = 3.0  # and where the calendar agrees
_ORDER = ("date", "name", "nominal", "narrator", "pronoun")


def mapped(
    chunk: Chunk,
    workspace: Workspace,
    reply: OperatorReply,
    groups: Sequence[GroupReply] = (),
    lenient: bool = False,
) -> LocalMap:
    """A reply as a map of its chunk; what the chunk does not say is an event.

    A `lenient` reading keeps roles and states that the chunk has no words for.
    """
    parsed = parse(chunk, basis(chunk, workspace))
    rules, found = rules_of(parsed.language), GroundedReply(reply, chunk, lenient)
    cast = Cast(parsed)
    members = {actor: _add(cast, actor, rules.is_name) for actor in found.actors}
    read, apart, *_ = rules.read(parsed, workspace)
    _add_unsaid(cast, read)
    told, asked = _phrases(members, found, reply.verb_phrases)
    phrases = tuple(add_effects(cast, (), told))
    expected = (q for q in find_questions(cast, phrases) if q.predicted)
    later = (replace(q, id=f"q{n}") for n, q in enumerate(expected, len(asked) + 1))
    read_off = len(found.refused)
    links = tuple(_links(cast, members, found, groups))
    events = refusal("operator", found.refused[:read_off])
    return LocalMap(
        chunk=chunk.id,
        actors=cast.actors(),
        verb_phrases=phrases,
        questions=(*asked, *later),
        links=links,
        apart=apart_ids(cast, apart),
        votes=rules.votes(parsed, cast),
        terms=rules.terms(parsed, cast),
        events=(*events, *refusal("coupling", found.refused[read_off:])),
    )


def _date(parsed: Parsed, place: Span) -> DateMention | None:
    here = (d for d in parsed.dates if meets(place, parsed.span(d.start, d.end)))
    return next(here, None)


def _form(parsed: Parsed, text: str, run: Run, is_name: _IsName) -> MentionForm:
    """In which form the words of a mention speak of somebody."""
    if text.lower() in PRONOUN_GENDER:
        return "pronoun"
    if text.lower() in FIRST:  # an I in a quotation is not the narrator's
        return "nominal" if parsed.quote(run.root) else "narrator"
    return "name" if is_name(list(run)) else "nominal"


def _add(cast: Cast, actor: Grounded, is_name: _IsName) -> Member:
    """An actor of the reply as the next member, by its mentions."""
    parsed, member = cast.parsed, cast.add(actor.name, "nominal")
    base, places = parsed.chunk.span.start, dict[Span, DateMention | None]()
    for place in sorted(actor.places):
        date = _date(parsed, place) if actor.kind == "time" else None
        # of a time, the whole date that the calendar finds there
        places[parsed.span(date.start, date.end) if date else place] = date
    for place in places:
        start, end = place.start - base, place.end - base
        text = parsed.chunk.text[start:end]
        run = parsed.doc.char_span(start, end, alignment_mode="expand")
        assert run is not None, f"{place} is no place of {parsed.chunk.id}"
        form = _form(parsed, text, run, is_name) if actor.kind != "time" else "date"
        cast.mention(member, list(run), run.root, form)
        # A token may be longer than a name.
        member.mentions[-1] = Mention(place, form, parsed.chunk.id, text)
    # The fullest name comes first, then nouns; of pronouns the first.
    long = [m for m in member.mentions if m.form in ("name", "nominal")]
    ordered = sorted(long, key=lambda m: -len(m.text)) + member.mentions
    best = min(ordered, key=lambda m: _ORDER.index(m.form))
    name, member.form = " ".join(best.text.split()), best.form
    # A noun that opens a sentence loses its capital.
    first = parsed.within(best.span.start - base, best.span.end - base)[:1]
    opens = best.form == "nominal" and any(token.is_sent_start for token in first)
    if best.form == "narrator" and name.isascii():
        name = "I"
    elif best.form == "pronoun" or opens:
        name = name[0].lower() + name[1:]
    member.name = name
    for n, mention in enumerate(member.mentions):
        if mention.form == "name":
            if likeness(mention.text, name, actor.kind) == "short":
                member.mentions[n] = replace(mention, form="short")
            member.alias(mention.text)
    said = [PRONOUN_GENDER.get(m.text.lower()) for m in member.mentions]
    # a mere "they" is the gender of who has no other word
    own = [g for g in said if g in ("f", "m")] or (said if all(said) else [])
    member.gender = own[0] if own else None
    date = next(filter(None, places.values()), None)
    weight, span = _DATED if date else _WEIGHT, member.mentions[0].span
    member.vote(actor.kind, weight, "as the model reads it", span)
    member.value = date.value if date else None
    member.roles += actor.roles
    member.states += actor.states
    return member


def _add_unsaid(cast: Cast, read: Cast) -> None:
    """Whom rules call by a name or a date and no actor of the reply has a word of."""
    said = [mention.span for member in cast for mention in member.mentions]
    base = cast.parsed.chunk.span.start
    for found in read:
        every = zip(found.mentions, found.heads, strict=True)
        named = [pair for pair in every if pair[0].form in ("name", "short", "date")]
        spans = [mention.span for mention, _ in named]
        if not named or any(meets(a, b) for a in spans for b in said):
            continue
        member = replace(found, id=f"a{len(cast.members) + 1}", mentions=[], heads=[])
        cast.members.append(member)
        for mention, head in named:
            span = mention.span
            tokens = cast.parsed.within(span.start - base, span.end - base)
            cast.mention(member, tokens or [head], head, mention.form)


def _phrases(
    members: _Members, found: GroundedReply, replies: Sequence[PhraseReply]
) -> tuple[list[VerbPhrase], list[Question]]:
    """The verb phrases of a reply that the passage has, and their questions."""
    chunk, phrases = found.chunk, list[VerbPhrase]()
    questions: dict[tuple[str, Slot, str], Question] = {}
    for i, reply in enumerate(replies):
        path, told = f"verb_phrases.{i}", reply.told
        predicate = " ".join(reply.predicate.lower().split()).removeprefix("to ")
        if not predicate:
            found.refuse(f"{path}.predicate", "it is empty")
            continue
        if (place := found.find(f"{path}.quote", reply.quote)) is None:
            continue
        number = f"v{len(phrases) + 1}"
        arguments = list[Argument]()
        for j, asked in enumerate(reply.questions):
            filled = _filled(members, found, f"{path}.questions.{j}", asked, place)
            arguments += filled
            text = " ".join(asked.text.split())
            answers = (Filler(a.text, a.spans, a.actor, chunk.id) for a in filled)
            question = Question(
                id=f"q{len(questions) + 1}",
                text=text,
                slot=asked.slot,
                verb_phrase=number,
                status="answered" if filled else "open",
                answers=tuple(answers),
                spans=(place,),
                chunk=chunk.id,
            )
            if text:
                questions.setdefault((number, asked.slot, text), question)
        asserted = told in ("explicit", "implied", "negated")
        modality: Modality = "asserted" if asserted else told  # type: ignore[assignment]
        phrase = VerbPhrase(
            id=number,
            predicate=predicate,
            arguments=tuple(dict.fromkeys(arguments)),
            spans=(place,),
            chunk=chunk.id,
            chapter=chunk.chapter,
            implied=told == "implied",
            negated=told == "negated",
            modality=modality,
        )
        phrases.append(phrase)
    return phrases, [*questions.values()]


def _filled(
    members: _Members,
    found: GroundedReply,
    path: str,
    asked: QuestionReply,
    place: Span,
) -> list[Argument]:
    """What fills a slot: actors of the passage, else the words of a quote."""
    named, filled = found.named(f"{path}.actors", asked.actors), list[Argument]()
    quote = "" if named else asked.quote.strip()
    if quote and (said := found.find(f"{path}.quote", asked.quote, place)):
        filled.append(Argument(asked.slot, found.words(said), (said,)))
    for member in map(members.__getitem__, named):
        near = nearest((mention.span for mention in member.mentions), place)
        filled.append(Argument(asked.slot, member.name, (near,), member.id))
    return filled


_KINDS = {"space": "place", "time": "time"}


def _links(
    cast: Cast, members: _Members, found: GroundedReply, groups: Sequence[GroupReply]
) -> Iterator[Link]:
    """The groups whose actors, and whose place or time, the passage has."""
    for i, group in enumerate(groups):
        path, said = f"groups.{i}", (group.value or "").strip()
        together = [members[a] for a in found.named(f"{path}.actors", group.actors)]
        place = found.find(f"{path}.value", said) if said else None
        if not together or (said and place is None):
            found.refuse(path, "it has no actor, or no place or time, of the passage")
            continue
        ids = tuple(member.id for member in together)
        if place is None:  # one they share that the passage does not name
            spans = tuple(member.mentions[0].span for member in together)
            yield Link(group.kind, ids, None, spans)
            continue
        # An actor may be that place or time itself, by the words for it.
        of_kind = (m for m in cast if m.kind == _KINDS[group.kind])
        spots = ((m.id, mention.span) for m in of_kind for mention in m.mentions)
        anchor = next((i for i, span in spots if meets(span, place)), None)
        actors = tuple(dict.fromkeys([*ids, anchor] if anchor else ids))
        link = Link(group.kind, actors, found.words(place), (place,), anchor)
        if group.kind == "time" and (date := _date(cast.parsed, place)):
            grain, counted = date.granularity, date.basis
            link = replace(link, iso=date.value, granularity=grain, basis=counted)
        yield link
