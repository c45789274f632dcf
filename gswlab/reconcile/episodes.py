"""Episodes: binding a date, a place, a protagonist and participants by votes.

An operator never decides who a chapter is about: it votes, each vote with its span and
reason. This module keeps every vote on the episode and reads the best candidate of
each field off them, again at every chunk, so that a belief can be watched as it forms
and "why her?" is a list of sentences. Notable:

- The protagonist and the *focus* (she, he, they, or a narrator's I) are chosen
  together: a name that grammar holds apart from "she" may still be the one behind
  "he". Votes `given` one focus count only in readings with that focus.
- A chapter may hold several episodes: when the narration moves to another day, the
  next episode starts at that sentence and carries the old protagonist and place on,
  weakly, until the text says otherwise.
- `settle` (end of input) binds all episodes once more with what the whole book knows
  of each name: a kind of event or a venue mistaken for a person in one chapter is
  outvoted by the others.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from gswlab.embed import Embedder
from gswlab.kinds import Inventory, content_stems
from gswlab.reconcile.kinds import named_kinds, settle_kinds
from gswlab.reconcile.phrases import spaceless
from gswlab.workspace.nouns import (
    Actor,
    Bound,
    Chunk,
    Episode,
    LocalMap,
    Span,
    Term,
    Vote,
)
from gswlab.workspace.workspace import Draft, Workspace, name_tokens

DAY = len("2024-05-07")
RECURS = 2.0  # whoever comes back in other chapters is more often whom one is about
CARRIED = 0.5  # weight of a protagonist or place carried into the chapter's next scene
VENUE_RECURS = 0.5  # the same of places
ONE_WORD = 3.0  # a name of one word is more often a mistaken one
ADOPTED = 0.75  # of the thread of someone unnamed, what a name can take over
ACTS_ITSELF = 1.5  # how much a name's own thread speaks against another's
FOCUS_SHARE = 1.6  # what a whole chapter of one pronoun adds to its readings
NARRATOR_SHARE = 2.0  # an I outside quotes is rarely noise: its share counts double
GENDER_CLASH = 3.0  # a name known as "she" is not the one behind "he"
RUNNERS_UP = 3  # second readings kept beside the best one


def observe(
    draft: Draft, local: LocalMap, chunk: Chunk, ids: Mapping[str, str]
) -> None:
    """Add one chunk's evidence to its chapter's episode and bind it anew."""
    votes = tuple(_lifted(vote, ids) for vote in local.votes)
    moved = [vote for vote in votes if vote.field == "scene"]
    votes = tuple(vote for vote in votes if vote.field != "scene")
    episode = _current(draft, chunk)
    for scene in moved:
        if not _is_another_day(draft.workspace, episode, scene):
            continue
        start = min(span.start for span in scene.spans)
        before = tuple(vote for vote in votes if _start(vote, start) < start)
        votes = tuple(vote for vote in votes if _start(vote, start) >= start)
        _add(draft, episode.id, chunk, before)
        episode = _opened(draft, chunk, after=bind(draft.workspace, episode))
    _add(draft, episode.id, chunk, votes)
    known = {term.lemma for term in draft.workspace.get(episode.id).terms}
    fresh = {t.lemma: t for t in reversed(local.terms) if t.lemma not in known}
    terms: list[Term] = sorted(fresh.values(), key=lambda term: term.span)
    draft.extend(episode.id, "terms", terms)
    rebind(draft, episode.id)


def settle(draft: Draft, embedder: Embedder | None = None) -> None:
    """Bind every episode once more with the whole book's evidence about its names."""
    recurring = recurrence(draft.workspace)
    for episode in draft.workspace.episodes:
        rebind(draft, episode.id, recurring)
    settle_kinds(draft, embedder)


Recurrence = Mapping[tuple[str, ...], int]


def recurrence(workspace: Workspace) -> Recurrence:
    """In how many episodes each name takes part, by its tokens."""
    counts: Counter[tuple[str, ...]] = Counter()
    for episode in workspace.episodes:
        votes = (vote for vote in episode.votes if vote.field == "participant")
        ids = _tally(workspace, votes)
        actors = [actor for i in ids if (actor := _actor(workspace, i)) is not None]
        counts.update({name_tokens(actor.name) for actor in actors})
    return counts


def rebind(draft: Draft, episode_id: str, recurring: Recurrence | None = None) -> None:
    """Write the best readings of an episode's votes, where they changed."""
    old: Episode = draft.workspace.get(episode_id)
    new = bind(draft.workspace, old, recurring or {})
    for name in ("date", "place", "protagonist", "kind", "participants", "hypotheses"):
        if getattr(old, name) != getattr(new, name):
            draft.set(episode_id, name, getattr(new, name))


def bind(
    workspace: Workspace, episode: Episode, recurring: Recurrence | None = None
) -> Episode:
    """`episode` with date, place, protagonist and participants read off its votes."""
    dates = _dates(workspace, episode)
    places = _places(workspace, episode, recurring or {})
    leads = _protagonists(workspace, episode, recurring or {})
    protagonist = leads[0] if leads else None
    others = tuple(p for p in _people(workspace, episode) if p.id != _id(protagonist))
    kinds = list(named_kinds(episode))
    hypotheses = dict(episode.hypotheses)
    for name, found in (
        ("date", dates),
        ("place", places),
        ("protagonist", leads),
        ("kind", kinds),
    ):
        hypotheses.pop(name, None)
        if found[1:]:
            hypotheses[name] = tuple(found[1 : 1 + RUNNERS_UP])
    return replace(
        episode,
        date=dates[0] if dates else None,
        place=places[0] if places else None,
        protagonist=protagonist,
        kind=kinds[0] if kinds else None,
        participants=others,
        hypotheses=hypotheses,
    )


def _current(draft: Draft, chunk: Chunk) -> Episode:
    found = [
        episode
        for episode in draft.workspace.in_chapter("episode", chunk.chapter)
        if episode.document == chunk.document
    ]
    return found[-1] if found else _opened(draft, chunk)


def _opened(draft: Draft, chunk: Chunk, after: Episode | None = None) -> Episode:
    """A new episode; after another of the chapter it carries who and where on."""
    carried = tuple(
        Vote(name, bound.id, CARRIED, "carried on from the scene before", bound.spans)
        for name in ("protagonist", "place")
        if after and (bound := getattr(after, name)) and bound.id
    )
    focus = (
        tuple(vote for vote in after.votes if vote.field == "focus") if after else ()
    )
    episode = Episode(
        draft.new_id("episode"),
        chunk.document,
        chunk.chapter,
        votes=carried + focus,
        order=after.order + 1 if after else 0,
    )
    draft.put("episode", episode)
    return episode


def _add(draft: Draft, episode_id: str, chunk: Chunk, votes: Iterable[Vote]) -> None:
    draft.extend(episode_id, "chunks", (chunk.id,))
    draft.extend(episode_id, "votes", votes)


def _lifted(vote: Vote, ids: Mapping[str, str]) -> Vote:
    return replace(vote, candidate=ids.get(vote.candidate, vote.candidate))


def _start(vote: Vote, default: int) -> int:
    return min((span.start for span in vote.spans), default=default)


def _is_another_day(workspace: Workspace, episode: Episode, scene: Vote) -> bool:
    """Whether a scene vote names a day other than the one the episode is bound to."""
    day = _actor(workspace, scene.candidate)
    bound = bind(workspace, episode).date
    if bound is None or day is None or day.value is None or not scene.spans:
        return False
    return len(day.value) >= DAY and day.value[:DAY] != bound.value


def _tally(workspace: Workspace, votes: Iterable[Vote]) -> dict[str, list[Vote]]:
    """Votes by candidate, merged candidates under the id they live on under."""
    tally: dict[str, list[Vote]] = defaultdict(list)
    for vote in votes:
        tally[workspace.resolve(vote.candidate)].append(vote)
    return tally


def _actor(workspace: Workspace, noun_id: str) -> Actor | None:
    noun = workspace.nouns.get(workspace.resolve(noun_id))
    return noun if isinstance(noun, Actor) else None


def _id(bound: Bound | None) -> str | None:
    return bound.id if bound else None


def _is_one_word(name: str) -> bool:
    """Whether a name is a single word, in a script that would part two by a space."""
    tokens = name_tokens(name)
    return len(tokens) < 2 and not any(map(spaceless, tokens))


def _bound(actor: Actor, value: str, votes: list[Vote], score: float) -> Bound:
    """A reading of a field by an actor, with the spans and reasons for it."""
    speaking = sorted((v for v in votes if v.weight > 0), key=lambda v: -v.weight)
    spans = tuple(dict.fromkeys(span for vote in speaking for span in vote.spans))
    names = (actor.name, *actor.aliases)
    return Bound(
        value,
        actor.id,
        tuple(name for name in dict.fromkeys(names) if name != value),
        spans[:4] or tuple(mention.span for mention in actor.mentions[:1]),
        round(score, 3),
        "; ".join(dict.fromkeys(vote.reason for vote in speaking[:3])),
    )


def _ranked(found: list[Bound], floor: float = 0.0) -> list[Bound]:
    kept = [bound for bound in found if bound.score > floor]
    return sorted(kept, key=lambda bound: (-bound.score, _first(bound), bound.value))


def _first(bound: Bound) -> Span:
    return min(bound.spans, default=Span("", 0, 0))


def _dates(workspace: Workspace, episode: Episode) -> list[Bound]:
    found = []
    votes = (vote for vote in episode.votes if vote.field == "date")
    for candidate, ballots in _tally(workspace, votes).items():
        actor = _actor(workspace, candidate)
        if actor is None or actor.value is None:
            continue
        # A day says more than a month: the specific date is preferred, coarse ones stay
        # as hypotheses.
        day = actor.value[:DAY]  # an hour of the day does not make another day
        score = sum(v.weight for v in ballots) * (0.4 + 0.06 * len(day))
        found.append(_bound(actor, day, ballots, score))
    return _ranked(_by_value(found))


def _by_value(found: list[Bound]) -> list[Bound]:
    """Readings with one value are one reading: two mentions of a day add up."""
    merged: dict[str, Bound] = {}
    for bound in found:
        old = merged.get(bound.value)
        merged[bound.value] = (
            replace(old, score=old.score + bound.score, spans=old.spans + bound.spans)
            if old
            else bound
        )
    return list(merged.values())


def _places(
    workspace: Workspace, episode: Episode, recurring: Recurrence
) -> list[Bound]:
    """Readings of where it happens: a name known as a place before a mere noun."""
    found = []
    votes = (vote for vote in episode.votes if vote.field == "place")
    for candidate, ballots in _tally(workspace, votes).items():
        actor = _actor(workspace, candidate)
        if actor is None:
            continue
        share = kind_share(workspace, actor, "place")
        again = math.log2(recurring.get(name_tokens(actor.name), 1))
        score = (sum(v.weight for v in ballots) + VENUE_RECURS * again) * share * share
        if _is_one_word(actor.name):
            score *= 0.6  # a single capitalised word is less often a venue's name
        if share > 0.2 and not _is_kind(actor):
            found.append(_bound(actor, actor.name, ballots, score))
    named = [bound for bound in found if _is_named(workspace.get(str(bound.id)))]
    return _ranked(named) or _ranked(found)


def kind_share(workspace: Workspace, actor: Actor, kind: str) -> float:
    """Share (0 to 1) of a name's kind votes for `kind`, over all actors so named."""
    key = name_tokens(actor.name)
    weights: dict[str, float] = defaultdict(float)
    same = [a for a in workspace.named(actor.name) if name_tokens(a.name) == key]
    for namesake in same or [actor]:
        for vote in namesake.votes:
            if vote.field == "kind":
                weights[vote.candidate] += vote.weight
    positive = {name: weight for name, weight in weights.items() if weight > 0}
    if not positive:
        return float(actor.kind == kind)
    return positive.get(kind, 0.0) / sum(positive.values())


def _people(workspace: Workspace, episode: Episode) -> list[Bound]:
    """Everybody named in the episode, in order of appearance."""
    votes = (vote for vote in episode.votes if vote.field == "participant")
    found = []
    for candidate, ballots in _tally(workspace, votes).items():
        actor = _actor(workspace, candidate)
        if actor and actor.kind == "person" and not _is_one_word(actor.name):
            found.append(_bound(actor, actor.name, ballots, 1.0))
    return sorted(found, key=_first)


def _protagonists(
    workspace: Workspace, episode: Episode, recurring: Recurrence
) -> list[Bound]:
    """Readings of who the episode is about, best first; scores may be negative.

    The one whom most is felt and seen through may go unnamed for long ("the man at
    the last table"). A name that hardly acts itself may be the name of that thread.
    """
    shares = _focus_shares(episode)
    ballots = _tally(workspace, (v for v in episode.votes if v.field == "protagonist"))
    named = _tally(workspace, (v for v in episode.votes if v.field == "participant"))
    ballots |= {i: [] for i in named if i not in ballots}
    people = {i: a for i in ballots if (a := _actor(workspace, i)) is not None}
    people, ballots = _under_full_names(people, ballots)
    threads = _threads(people, ballots)
    found = []
    for i, actor in people.items():
        if not _may_lead(workspace, actor):
            continue
        own = [_given(actor, ballots[i], focus, shares[focus]) for focus in shares]
        best = max(own, default=_given(actor, ballots[i], "", 0.0))
        best = max(best, _adopted(actor, ballots[i], threads))
        if _is_one_word(actor.name):
            best -= ONE_WORD  # a single word is more often a mistaken name
        again = math.log2(recurring.get(name_tokens(actor.name), 1))
        best += RECURS * again * kind_share(workspace, actor, "person") ** 2
        found.append(_bound(actor, actor.name, ballots[i], best))
    return _ranked(found, floor=float("-inf"))


def _threads(
    people: dict[str, Actor], ballots: dict[str, list[Vote]]
) -> list[tuple[Actor, float]]:
    """People nobody has named yet and what speaks for each; every "she" is one."""
    threads: dict[str, tuple[Actor, float]] = {}
    for i, actor in people.items():
        if actor.kind != "person" or _is_named(actor):
            continue
        only = all(mention.form == "pronoun" for mention in actor.mentions)
        key = f"pronoun {actor.gender}" if only else i
        told = threads.get(key, (actor, 0.0))[1]
        threads[key] = (actor, told + sum(vote.weight for vote in ballots[i]))
    return list(threads.values())


def _under_full_names(
    people: dict[str, Actor], ballots: dict[str, list[Vote]]
) -> tuple[dict[str, Actor], dict[str, list[Vote]]]:
    """Within one episode a short name is the one full name it can be short for."""
    named = {i: name_tokens(a.name) for i, a in people.items() if _is_named(a)}
    gathered: dict[str, list[Vote]] = defaultdict(list)
    for i, votes in ballots.items():
        tokens = set(named.get(i, ()))
        fuller = [
            j
            for j, other in named.items()
            if tokens and tokens < set(other) and people[j].kind == "person"
        ]
        same = [j for j, other in named.items() if tokens and set(other) == tokens]
        target = fuller[0] if len(fuller) == 1 else same[0] if same else i
        gathered[target] += votes
    kept = {i: a for i, a in people.items() if i in gathered}
    return kept, {i: gathered[i] for i in kept}


def _adopted(
    actor: Actor, votes: list[Vote], threads: list[tuple[Actor, float]]
) -> float:
    """Score of a name being that of the best unnamed thread it can belong to."""
    genders = (actor.gender, None)
    fitting = [
        s for thread, s in threads if actor.gender is None or thread.gender in genders
    ]
    plain = [vote.weight for vote in votes if vote.given == ""]
    acts = sum(weight for weight in plain if weight > 0)
    return ADOPTED * max(fitting, default=0.0) + sum(plain) - ACTS_ITSELF * acts


def _is_named(actor: Actor) -> bool:
    return any(mention.form in ("name", "short") for mention in actor.mentions)


def _may_lead(workspace: Workspace, actor: Actor) -> bool:
    """Whether an actor is a named person, as far as the whole book knows."""
    person = kind_share(workspace, actor, "person")
    place = kind_share(workspace, actor, "place")
    return _is_named(actor) and person >= max(0.34, place) and not _is_kind(actor)


def _is_kind(actor: Actor) -> bool:
    """Whether a name is that of a kind of event, capitalised: nobody, and nowhere."""
    return frozenset(content_stems(actor.name)) in Inventory.general().usual


def _given(actor: Actor, votes: list[Vote], focus: str, share: float) -> float:
    """Score of an actor being the one behind `focus`, `share` of the text."""
    score = sum(v.weight for v in votes if v.given in ("", focus))
    clash = actor.gender in ("f", "m") and focus in ("f", "m") and actor.gender != focus
    return score + FOCUS_SHARE * share - (GENDER_CLASH if clash else 0.0)


def _focus_shares(episode: Episode) -> dict[str, float]:
    """Share of each focus among the chapter's subject pronouns outside quotes."""
    weights: dict[str, float] = defaultdict(float)
    for vote in episode.votes:
        if vote.field == "focus":
            boost = NARRATOR_SHARE if vote.candidate == "narrator" else 1.0
            weights[vote.candidate] += boost * vote.weight
    total = sum(weights.values())
    return {focus: weights[focus] / total for focus in sorted(weights)} if total else {}
