"""Episodes: binding a date, a place, a protagonist and participants by votes.

An operator votes, each vote with its span and reason. The best candidate of each field
is read off all votes, again at every chunk: a belief can be watched as it forms.

- The protagonist and the *focus* (she, he, they, or a narrator's I) are chosen
  together: votes `given` one focus count only in readings with that focus.
- When the narration moves to another day, the next episode starts there and carries
  the old protagonist and place on, weakly.
- `settle` (end of input) binds all episodes once more with what the whole book knows
  of each name: a venue mistaken for a person in one chapter is outvoted by the others.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, TypeAlias

from gswlab.core.nouns import Actor, Bound, Chunk, Episode, Span, Term, Vote, votes_on
from gswlab.core.workspace import Draft, Workspace, name_tokens
from gswlab.gsw.reconciler.actors import is_named, weights_on
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.event_types import Competition, is_presented, named_kinds
from gswlab.language.dates.calendar import day_of, same_day
from gswlab.language.event_types import Inventory
from gswlab.language.keys import spaceless
from gswlab.language.stems import content_stems, stem
from gswlab.models.vectors.embedder import Embedder, by_words

Recurrence: TypeAlias = Mapping[tuple[str, ...], int]
Tally: TypeAlias = list[tuple[Actor, list[Vote]]]
CARRIED = 0.5  # weight of a protagonist or place carried into the chapter's next scene
_SHOWN = 4  # spans of a reading
RUNNERS_UP = 3  # second readings kept beside the best one
_BOOK = 8  # episodes from which words alone tell kinds as well, and far faster


def observe(scene: ChunkContext) -> None:
    """Add one chunk's evidence to its chapter's episode and bind it anew."""
    draft, ids, chunk = scene.draft, scene.ids, scene.chunk
    cast = ((v, ids.get(v.candidate, v.candidate)) for v in scene.local.votes)
    every = [replace(vote, candidate=who) for vote, who in cast]
    votes = [vote for vote in every if vote.field != "scene"]
    found = list(scene.shelf("episode"))
    episode: Episode = found[-1] if found else _opened(draft, chunk)
    terms = list(scene.local.terms)
    for moved in (vote for vote in every if vote.field == "scene"):
        start, workspace = _start(moved, 0), draft.workspace
        before = [vote for vote in votes if _start(vote, start) < start]
        so_far = replace(episode, votes=(*episode.votes, *before))
        day, now = workspace.get(moved.candidate).value, dates(workspace, so_far)[:1]
        if not now or not day_of(day) or same_day(day, now[0].value):
            continue  # no other day
        votes = [vote for vote in votes if _start(vote, start) >= start]
        # The words of a kind's own name stay where it is named, all others go on.
        names = [s for v in before if v.field == "kind" for s in v.spans]
        own = [t for t in terms if any(s.start <= t.span.start < s.end for s in names)]
        terms = [term for term in terms if term not in own]
        episode = _opened(draft, chunk, after=_grown(scene, episode.id, before, own))
    _grown(scene, episode.id, votes, terms)


def _grown(
    scene: ChunkContext, episode: str, votes: list[Vote], terms: list[Term]
) -> Episode:
    """An episode with votes and words more, each lemma once, bound anew."""
    draft = scene.draft
    draft.extend(episode, "chunks", (scene.chunk.id,))
    draft.extend(episode, "votes", votes)
    known = {term.lemma for term in draft.workspace.get(episode).terms}
    last = sorted(terms, key=lambda term: term.span, reverse=True)
    fresh = {term.lemma: term for term in last if term.lemma not in known}
    draft.extend(episode, "terms", reversed(fresh.values()))
    old: Episode = draft.workspace.get(episode)
    bound = bind(draft.workspace, old, {}, scene.rules.propagation)
    _write(draft, old, bound)
    return bound


def settle(draft: Draft, embedder: Embedder | None, propagation: bool) -> None:
    """Bind every episode once more with the whole book's evidence about its names."""
    workspace = draft.workspace
    # in how many episodes each name takes part, by its tokens
    episodes = workspace.episodes
    casts = (tally(workspace, episode, "participant") for episode in episodes)
    names = ({name_tokens(actor.name) for actor, _ in cast} for cast in casts)
    recurring = Counter(chain.from_iterable(names))
    bound = tuple(bind(workspace, old, recurring, propagation) for old in episodes)
    vectors = by_words(embedder) if embedder and len(bound) >= _BOOK else embedder
    readings = Competition(bound, vectors).readings() if bound else {}
    for old, new in zip(episodes, bound, strict=True):
        kind, *others = readings[old.id] or (None,)
        rest = {**new.hypotheses, "kind": tuple(others)}
        told = {name: rest[name] for name in sorted(rest) if rest[name]}
        _write(draft, old, replace(new, kind=kind, hypotheses=told))


def _write(draft: Draft, old: Episode, new: Episode) -> None:
    for name in ("date", "place", "protagonist", "kind", "participants", "hypotheses"):
        draft.set(old.id, name, getattr(new, name))


def bind(
    workspace: Workspace, episode: Episode, recurring: Recurrence, propagation: bool
) -> Episode:
    """`episode` with date, place, protagonist and participants read off its votes."""
    leads = protagonists(workspace, episode, recurring)
    heard = episode if propagation else _near(workspace, episode, leads[:1])
    lead = {bound.id for bound in leads[:1]}
    others = tuple(p for p in people(workspace, episode) if p.id not in lead)
    # in the order of a journal, so that what is read back is what was written
    found = {
        "date": dates(workspace, heard),
        "kind": [b for b in named_kinds(episode) if is_presented(episode, b.score)],
        "place": places(workspace, heard, recurring),
        "protagonist": leads,
    }
    rest = {name: tuple(r[1 : 1 + RUNNERS_UP]) for name, r in found.items() if r[1:]}
    best: dict[str, Any] = {name: next(iter(r), None) for name, r in found.items()}
    return replace(episode, **best, participants=others, hypotheses=rest)


def _near(workspace: Workspace, episode: Episode, leads: list[Bound]) -> Episode:
    """`episode`, its days and places those of chunks that mention who leads."""

    def chunks(noun_id: str | None) -> dict[Span, str]:
        noun = workspace.nouns.get(workspace.resolve(noun_id or ""))
        own = noun.mentions if isinstance(noun, Actor) else ()
        return {mention.span: mention.chunk for mention in own}

    here = {chunk for lead in leads for chunk in chunks(lead.id).values()}
    kept = (
        vote
        for vote in episode.votes
        if vote.field not in ("date", "place")
        or not here.isdisjoint(map(chunks(vote.candidate).get, vote.spans))
    )
    return replace(episode, votes=tuple(kept))


def _opened(draft: Draft, chunk: Chunk, after: Episode | None = None) -> Episode:
    """A new episode; after another of the chapter it carries who and where on."""
    carried = tuple(
        Vote(name, bound.id, CARRIED, "carried on from the scene before", bound.spans)
        for name in ("protagonist", "place")
        if after and (bound := getattr(after, name)) and bound.id
    )
    focus = tuple(v for v in after.votes if v.field == "focus") if after else ()
    order = after.order + 1 if after else 0
    named = draft.new_id("episode"), chunk.document, chunk.chapter
    episode = Episode(*named, votes=carried + focus, order=order)
    draft.put("episode", episode)
    return episode


def _start(vote: Vote, default: int) -> int:
    return min((span.start for span in vote.spans), default=default)


# What votes say of each field, read together.


def tally(workspace: Workspace, episode: Episode, field: str) -> Tally:
    """A field's votes by the actors they are for, each as the one it lives on as."""
    found: defaultdict[str, list[Vote]] = defaultdict(list)
    for candidate, votes in votes_on(episode.votes, field).items():
        found[workspace.resolve(candidate)] += votes
    nouns = ((workspace.nouns.get(i), votes) for i, votes in found.items())
    return [(noun, votes) for noun, votes in nouns if isinstance(noun, Actor)]


def is_one_word(name: str) -> bool:
    """Whether a name is a single word, in a script that would part two by a space."""
    tokens = name_tokens(name)
    return len(tokens) < 2 and not any(map(spaceless, tokens))


def _is_kind(actor: Actor) -> bool:
    """Whether a name is that of a kind of event, capitalised: nobody, and nowhere."""
    return frozenset(content_stems(actor.name)) in Inventory.general().usual


def kind_shares(workspace: Workspace, actor: Actor, doubt: float) -> dict[str, float]:
    """Share (0 to 1) of the votes on all so named by kind; `doubt` speaks for none."""
    first, *more = workspace.called(actor.name) or [actor]  # alone: no copy
    weights = weights_on(first.votes + tuple(v for a in more for v in a.votes), "kind")
    positive = {name: weight for name, weight in weights.items() if weight > 0}
    total = doubt + sum(positive.values())
    shares = {name: weight / total for name, weight in positive.items()}
    return defaultdict(float, shares or {actor.kind: 1.0})


def bound_to(actor: Actor, value: str, votes: list[Vote], score: float) -> Bound:
    """A reading of a field by an actor, with the spans and reasons for it."""
    speaking = sorted((v for v in votes if v.weight > 0), key=lambda v: -v.weight)
    found: dict[Span, None] = {}
    for vote in speaking:
        found |= dict.fromkeys(vote.spans)
        if len(found) >= _SHOWN:
            break
    spans = (*found,)[:_SHOWN] or tuple(m.span for m in actor.mentions[:1])
    names = dict.fromkeys((actor.name, *actor.aliases))
    aliases = tuple(name for name in names if name != value)
    reasons = "; ".join(dict.fromkeys(vote.reason for vote in speaking[:3]))
    return Bound(value, actor.id, aliases, spans, round(score, 3), reasons)


def _ranked(found: Iterable[Bound], floor: float = 0.0) -> list[Bound]:
    """Readings above `floor`, best first, ties in the order of the text."""
    kept = [bound for bound in found if bound.score > floor]
    return sorted(kept, key=lambda b: (-b.score, first_span(b), b.value))


def first_span(bound: Bound) -> Span:
    """Where the text first speaks for a reading."""
    return min(bound.spans, default=Span("", 0, 0))


DOUBT = 0.3  # weight of the votes on what a name names that nobody has cast
GENERAL = 0.5  # "Gate C" is part of a venue that has a name of its own
VENUE_RECURS = 0.5  # a place that comes back in other chapters is more often a venue


def dates(workspace: Workspace, episode: Episode) -> list[Bound]:
    """Readings of the day (or month, or year) it happens on."""
    days: dict[str, tuple[Actor, list[Vote]]] = {}
    for actor, votes in tally(workspace, episode, "date"):
        if actor.value is not None:
            # An hour of the day does not make another day: two mentions add up.
            day = day_of(actor.value) or actor.value
            days[day] = actor, days.get(day, (actor, []))[1] + votes
    # A day says more than a month.
    return _ranked(
        bound_to(actor, day, votes, _weight(votes) * (0.4 + 0.06 * len(day)))
        for day, (actor, votes) in days.items()
    )


def places(
    workspace: Workspace, episode: Episode, recurring: Recurrence
) -> list[Bound]:
    """Readings of where it happens: a name known as a place before a mere noun."""
    nouns, parts, venues = list[Bound](), list[Bound](), list[Bound]()
    known = Inventory.general().vocabulary
    for actor, votes in tally(workspace, episode, "place"):
        share = kind_shares(workspace, actor, DOUBT)["place"]
        if share <= 0.2 or _is_kind(actor):
            continue
        shares = kind_shares(workspace, actor, doubt=0.0)
        share += 0.7 * shares["organisation"]  # a college or a club meets there, too
        again = math.log2(recurring.get(name_tokens(actor.name), 1))
        score = (_weight(votes) + VENUE_RECURS * again) * share * share
        if is_one_word(actor.name):
            score *= 0.6  # a single capitalised word is less often a venue's name
        words = name_tokens(actor.name)  # "Gate C", "Main Lecture Theatre": common ones
        general = all(len(word) < 3 or stem(word) in known for word in words)
        whole = not (general or is_one_word(actor.name))
        proper = venues if whole and shares["place"] > 0.6 else parts
        found = proper if is_named(actor) else nouns
        found.append(bound_to(actor, actor.name, votes, score))
    if venues:  # whose own names outweigh those of their parts
        parts = [replace(part, score=GENERAL * part.score) for part in parts]
    return _ranked(venues + parts) or _ranked(nouns)


def _weight(votes: Iterable[Vote]) -> float:
    return sum(vote.weight for vote in votes)


def people(workspace: Workspace, episode: Episode) -> list[Bound]:
    """Everybody named in the episode, in order of appearance."""
    cast = tally(workspace, episode, "participant")
    named = ((a, v) for a, v in cast if a.kind == "person" and not is_one_word(a.name))
    return sorted((bound_to(a, a.name, v, 1.0) for a, v in named), key=first_span)


RECURS = 2.0  # whoever comes back in other chapters is more often whom one is about
ONE_WORD = 3.0  # a name of one word is more often a mistaken one
FOCUS_SHARE = 1.6  # what a whole chapter of one pronoun adds to its readings
NARRATOR_SHARE = 2.0  # an I outside quotes is rarely noise: its share counts double
GENDER_CLASH = 3.0  # a name known as "she" is not the one behind "he"


def protagonists(
    workspace: Workspace, episode: Episode, recurring: Recurrence
) -> list[Bound]:
    """Readings of who the episode is about, best first; scores may be negative."""
    shares = _focus_shares(episode)
    cast = {a.id: (a, votes) for a, votes in tally(workspace, episode, "protagonist")}
    for actor, _ in tally(workspace, episode, "participant"):
        cast.setdefault(actor.id, (actor, []))
    found = []
    for actor, votes in _under_full_names([*cast.values()]):
        # a named person, as far as the whole book knows; asked first: a long book has
        # hundreds of "the hall"
        if not is_named(actor) or _is_kind(actor):
            continue
        kinds = kind_shares(workspace, actor, doubt=0.0)
        if kinds["person"] < max(0.34, kinds["place"]):
            continue
        best = max(_given(actor, votes, *share) for share in shares.items())
        if is_one_word(actor.name):
            best -= ONE_WORD  # a single word is more often a mistaken name
        again = math.log2(recurring.get(name_tokens(actor.name), 1))
        best += RECURS * again * kinds["person"] ** 2
        found.append(bound_to(actor, actor.name, votes, best))
    return _ranked(found, floor=float("-inf"))


def _under_full_names(cast: Tally) -> Tally:
    """Within one episode a short name is the one full name it can be short for."""
    named = {a.id: ({*name_tokens(a.name)}, a) for a, _ in cast if is_named(a)}
    gathered: dict[str, tuple[Actor, list[Vote]]] = {}
    for actor, votes in cast:
        tokens, _ = named.get(actor.id, (set(), actor))
        alike = [(own, a) for own, a in named.values() if tokens and tokens <= own]
        same = [a for own, a in alike if own == tokens]
        fuller = [a for own, a in alike if own != tokens and a.kind == "person"]
        target = fuller[0] if len(fuller) == 1 else same[0] if same else actor
        gathered.setdefault(target.id, (target, []))[1].extend(votes)
    return [*gathered.values()]


def _given(actor: Actor, votes: list[Vote], focus: str, share: float) -> float:
    """Score of an actor being the one behind `focus`, `share` of the text."""
    score = _weight(v for v in votes if v.given in ("", focus)) + FOCUS_SHARE * share
    clash = {actor.gender, focus} == {"f", "m"}
    return score - GENDER_CLASH if clash else score


def _focus_shares(episode: Episode) -> dict[str, float]:
    """Share of each focus among the chapter's subject pronouns outside quotes."""
    weights = dict(sorted(weights_on(episode.votes, "focus").items()))
    if "narrator" in weights:
        weights["narrator"] *= NARRATOR_SHARE
    total = sum(weights.values())
    return {focus: w / (total or 1.0) for focus, w in weights.items()} or {"": 0.0}
