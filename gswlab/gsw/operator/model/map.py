"""A reply as the map of its chunk; dates and names it leaves out are there by rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gswlab.core import nouns
from gswlab.core.nouns import Argument, Filler, Link, Question, Role, Span, VerbPhrase
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.coreference import FIRST, PRONOUN_GENDER, apart_ids
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.model import stages
from gswlab.gsw.operator.model.stages import HeldPassage, bare_words, meets, nearest
from gswlab.gsw.operator.parse import parse
from gswlab.gsw.operator.phrases import find_questions
from gswlab.gsw.operator.roles import add_effects
from gswlab.gsw.operator.rules import rules_of
from gswlab.language.dates.basis import basis
from gswlab.language.dates.find import DateMention
from gswlab.language.keys import likeness
from gswlab.language.pipeline import Span as Run
from gswlab.models.ask_trace import refusal

_Entry = tuple[str, str, stages.ActorReply]  # its path, whose it is, and what it says
_WEIGHT = 2.0  # of a kind that a model gives: more than a label, less than a title
_DATED = 3.0  # and where the calendar agrees
_ORDER = ("date", "name", "nominal", "narrator", "pronoun")


def mapped(
    chunk: nouns.Chunk,
    workspace: Workspace,
    reply: stages.OperatorReply,
    groups: Sequence[stages.GroupReply] = (),
    lenient: bool = False,
) -> nouns.LocalMap:
    """A reply as a map of its chunk; what the chunk does not say is an event."""
    parsed = parse(chunk, basis(chunk, workspace))
    rules = rules_of(parsed.language)
    read, *_ = rules.read(parsed, workspace)
    cast = Cast(parsed, apart=read.apart)
    found = GroundedReply(reply, cast, lenient)
    _add_unsaid(cast, read)
    told, asked = _phrases(found, reply.verb_phrases)
    phrases = add_effects(cast, told)
    expected = (q for q in find_questions(cast, phrases) if q.predicted)
    later = (replace(q, id=f"q{n}") for n, q in enumerate(expected, len(asked) + 1))
    read_off = len(found.refused)
    links = tuple(_links(found, groups))
    events = refusal("operator", found.refused[:read_off])
    return nouns.LocalMap(
        chunk=chunk.id,
        actors=cast.actors(),
        verb_phrases=phrases,
        questions=(*asked, *later),
        links=links,
        apart=apart_ids(cast),
        votes=rules.votes(parsed, cast),
        terms=rules.terms(parsed, cast),
        events=(*events, *refusal("coupling", found.refused[read_off:])),
    )


class GroundedReply(HeldPassage):
    """The actors of a reply that its passage speaks of, added to a cast, by their ids.

    What is in other words than the passage's is refused; where it is `lenient`, roles
    and states rest on their actor's name, and two entries of one name are one actor.
    """

    def __init__(self, reply: stages.OperatorReply, cast: Cast, lenient: bool) -> None:
        super().__init__(cast.parsed.chunk)
        self.cast, self.lenient = cast, lenient
        self.ids, firsts = dict[str, Member](), dict[str, stages.ActorReply]()
        entries = dict[str, _Entry]()
        for i, entry in enumerate(reply.actors):
            path, key = f"actors.{i}", bare_words(entry.name).casefold()
            if entry.id in entries:
                self.refuse(f"{path}.id", f"{entry.id!r} is an actor above")
                continue
            if key in firsts and not lenient:
                self.refuse(f"{path}.name", f"{entry.name!r} is an actor above")
            firsts.setdefault(key, entry)
            entries[entry.id] = path, key, entry
        places = self._shared_out(entries.values(), firsts)
        members = {k: self._add(firsts[k], found) for k, found in places.items()}
        for path, key, entry in entries.values():
            if member := members.get(key):
                self.ids[entry.id] = member
                self._tell(path, entry, places[key])
            else:
                self.refuse(path, "no word of the passage speaks of it")

    def named(self, path: str, ids: list[str]) -> list[Member]:
        """The members these ids name, each once; an id of none is refused."""
        for i, id_ in enumerate(ids):
            if id_ not in self.ids:
                self.refuse(f"{path}.{i}", f"{id_!r} is no actor of the passage")
        known = (self.ids[id_] for id_ in ids if id_ in self.ids)
        return list({member.id: member for member in known}.values())

    def _shared_out(
        self, entries: Iterable[_Entry], firsts: Mapping[str, stages.ActorReply]
    ) -> dict[str, list[Span]]:
        """The words of the passage, the longest first, each to one actor, if any."""
        said, taken = list[tuple[str, str, str]](), dict[Span, str]()
        for path, key, entry in entries:
            said.append((f"{path}.name", entry.name, key))
            for i, words in enumerate(entry.mentions):
                said.append((f"{path}.mentions.{i}", words, key))
        places: dict[str, list[Span]] = {key: [] for key in firsts}
        for path, words, key in sorted(said, key=lambda s: -len(bare_words(s[1]))):
            here, own = self.places(words), places[key]
            if not here:
                self.refuse(path, f"{words!r} is not in the passage")
            elif all(taken.get(place, key) != key for place in here):
                other = firsts[taken[here[0]]].name
                self.refuse(path, f"{words!r} is said of {other!r}")
            # Places that no longer words have; else inside others' ("the mill road").
            free = [p for p in here if not any(meets(p, other) for other in taken)]
            if not free and not any(meets(p, o) for p in here for o in own):
                free = [place for place in here if place not in taken][:1]
            taken |= dict.fromkeys(free, key)
            own += free
        return {key: own for key, own in places.items() if own}

    def date(self, place: Span) -> DateMention | None:
        """The date that the calendar finds at a place."""
        parsed = self.cast.parsed
        here = (d for d in parsed.dates if meets(place, parsed.span(d.start, d.end)))
        return next(here, None)

    def _form(self, text: str, run: Run) -> nouns.MentionForm:
        """In which form the words of a mention speak of somebody."""
        if text.lower() in PRONOUN_GENDER:
            return "pronoun"
        if text.lower() in FIRST:  # an I in a quotation is not the narrator's
            return "nominal" if self.cast.parsed.quote(run.root) else "narrator"
        is_name = rules_of(self.cast.parsed.language).is_name
        return "name" if is_name(list(run)) else "nominal"

    def _add(self, actor: stages.ActorReply, found: Sequence[Span]) -> Member:
        """An actor of the reply as the next member, by its mentions."""
        parsed, member = self.cast.parsed, self.cast.add(actor.name, "nominal")
        base, places = self.chunk.span.start, dict[Span, DateMention | None]()
        for place in sorted(found):
            date = self.date(place) if actor.kind == "time" else None
            # of a time, the whole date that the calendar finds there
            places[parsed.span(date.start, date.end) if date else place] = date
        for place in places:
            text, at = self.words(place), (place.start - base, place.end - base)
            run = parsed.doc.char_span(*at, alignment_mode="expand")
            assert run is not None, f"{place} is no place of {self.chunk.id}"
            form = self._form(text, run) if actor.kind != "time" else "date"
            self.cast.mention(member, list(run), run.root, form)
            # A token may be longer than a name.
            member.mentions[-1] = nouns.Mention(place, form, self.chunk.id, text)
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
        return member

    def _said(self, path: str, words: str, near: Span) -> Span | None:
        if self.lenient and not self.places(words):
            return near if bare_words(words) else None
        return self.find(path, words, near)

    def _tell(
        self, path: str, entry: stages.ActorReply, places: Sequence[Span]
    ) -> None:
        """Roles and states the passage says of an actor; then the roles that follow."""
        near, chunk, member = places[0], self.chunk.id, self.ids[entry.id]
        for i, given in enumerate(entry.roles):
            where, held = f"{path}.roles.{i}", None
            said = bool(given.role.strip())
            if said and (place := self._said(f"{where}.role", given.role, near)):
                held, unsaid = bare_words(given.role), self.lenient and place == near
                member.roles.append(Role(held, (place,), chunk, unsaid))
            for j, words in enumerate(given.states):
                if place := self._said(f"{where}.states.{j}", words, near):
                    text = " ".join(words.split())
                    member.states.append(nouns.State(text, (place,), chunk, held))
        for i, told in enumerate(entry.inferred):
            where, role = f"{path}.inferred.{i}.quote", told.role.strip()
            place = self.find(where, told.quote, near)
            if place and role and any(meets(place, own) for own in places):
                member.roles.append(Role(role, (place,), chunk, inferred=True))
            elif place:
                self.refuse(where, f"{told.quote!r} does not speak of {entry.name!r}")


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
    found: GroundedReply, replies: Sequence[stages.PhraseReply]
) -> tuple[list[VerbPhrase], list[Question]]:
    """The verb phrases of a reply that the passage has, and their questions."""
    chunk, phrases = found.chunk, list[VerbPhrase]()
    questions: dict[tuple[str, nouns.Slot, str], Question] = {}
    for i, reply in enumerate(replies):
        path, number = f"verb_phrases.{i}", f"v{len(phrases) + 1}"
        predicate = " ".join(reply.predicate.lower().split()).removeprefix("to ")
        if not predicate:
            found.refuse(f"{path}.predicate", "it is empty")
            continue
        if (place := found.find(f"{path}.quote", reply.quote)) is None:
            continue
        here: dict[str, Any] = {"spans": (place,), "chunk": chunk.id}
        arguments = list[Argument]()
        for j, asked in enumerate(reply.questions):
            filled = _filled(found, f"{path}.questions.{j}", asked, place)
            arguments += filled
            key = number, asked.slot, " ".join(asked.text.split())
            if key[-1] and key not in questions:
                said = f"q{len(questions) + 1}", key[-1], asked.slot, number
                fill = tuple(Filler(a.text, a.spans, a.actor, chunk.id) for a in filled)
                status: nouns.QuestionStatus = "answered" if filled else "open"
                questions[key] = Question(*said, status, fill, **here)
        here |= {"chapter": chunk.chapter}
        if reply.told != "explicit":  # how it is told is its modality, or one of two
            marked = reply.told in ("implied", "negated")
            here |= {reply.told: True} if marked else {"modality": reply.told}
        told = number, predicate, tuple(dict.fromkeys(arguments))
        phrases.append(VerbPhrase(*told, **here))
    return phrases, [*questions.values()]


def _filled(
    found: GroundedReply, path: str, asked: stages.QuestionReply, place: Span
) -> list[Argument]:
    """What fills a slot: actors of the passage, else the words of a quote."""
    named, filled = found.named(f"{path}.actors", asked.actors), list[Argument]()
    quote = "" if named else asked.quote.strip()
    if quote and (said := found.find(f"{path}.quote", asked.quote, place)):
        filled.append(Argument(asked.slot, found.words(said), (said,)))
    for member in named:
        near = nearest((mention.span for mention in member.mentions), place)
        filled.append(Argument(asked.slot, member.name, (near,), member.id))
    return filled


def _links(found: GroundedReply, groups: Sequence[stages.GroupReply]) -> Iterator[Link]:
    """The groups whose actors, and whose place or time, the passage has."""
    for i, group in enumerate(groups):
        path, said = f"groups.{i}", (group.value or "").strip()
        together = found.named(f"{path}.actors", group.actors)
        place = found.find(f"{path}.value", said) if said else None
        ids = tuple(member.id for member in together)
        if not together or (said and place is None):
            found.refuse(path, "it has no actor, or no place or time, of the passage")
        elif place is None:  # one they share that the passage does not name
            spans = tuple(member.mentions[0].span for member in together)
            yield Link(group.kind, ids, None, spans)
        else:
            # An actor may be that place or time itself, by the words for it.
            kind = "time" if group.kind == "time" else "place"
            of_kind = (m for m in found.cast if m.kind == kind)
            spots = ((m.id, mention.span) for m in of_kind for mention in m.mentions)
            anchor = next((i for i, span in spots if meets(span, place)), None)
            ids = tuple(dict.fromkeys([*ids, anchor] if anchor else ids))
            link = Link(group.kind, ids, found.words(place), (place,), anchor)
            if group.kind == "time" and (date := found.date(place)):
                grain, counted = date.granularity, date.basis
                link = replace(link, iso=date.value, granularity=grain, basis=counted)
            yield link
