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

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gswlab.core.nouns import Bound, Chunk, Episode, LocalMap, Term, Vote
from gswlab.core.workspace import Draft, Workspace
from gswlab.gsw.reconciler.event_types import named_kinds, settle_kinds
from gswlab.gsw.reconciler.votes import (
    Recurrence,
    actor_of,
    dates,
    kind_shares,
    people,
    places,
    protagonists,
    recurrence,
)
from gswlab.language.dates.calendar import DAY
from gswlab.models.vectors.embedder import Embedder

CARRIED = 0.5  # weight of a protagonist or place carried into the chapter's next scene
HARDLY = 0.3  # share of a name, against its being a person, that makes it a place
RUNNERS_UP = 3  # second readings kept beside the best one


def observe(
    draft: Draft,
    local: LocalMap,
    chunk: Chunk,
    ids: Mapping[str, str],
    propagation: bool = True,
) -> None:
    """Add one chunk's evidence to its chapter's episode and bind it anew."""
    cast = ((vote, ids.get(vote.candidate, vote.candidate)) for vote in local.votes)
    every = [replace(vote, candidate=who) for vote, who in cast]
    moved = [vote for vote in every if vote.field == "scene"]
    votes = tuple(vote for vote in every if vote.field != "scene")
    here = draft.workspace.in_chapter("episode", chunk.chapter)
    found = [each for each in here if each.document == chunk.document]
    episode: Episode = found[-1] if found else _opened(draft, chunk)
    for scene in moved:
        start = _start(scene, 0)
        before = tuple(vote for vote in votes if _start(vote, start) < start)
        so_far = replace(episode, votes=episode.votes + before)
        if not _is_another_day(draft.workspace, so_far, scene):
            continue
        votes = tuple(vote for vote in votes if _start(vote, start) >= start)
        _add(draft, episode.id, chunk, before)
        ended: Episode = draft.workspace.get(episode.id)
        bound = bind(draft.workspace, ended)
        _write(draft, ended, bound)
        episode = _opened(draft, chunk, after=bound)
    _add(draft, episode.id, chunk, votes)
    known = {term.lemma for term in draft.workspace.get(episode.id).terms}
    fresh = {t.lemma: t for t in reversed(local.terms) if t.lemma not in known}
    terms: list[Term] = sorted(fresh.values(), key=lambda term: term.span)
    draft.extend(episode.id, "terms", terms)
    old: Episode = draft.workspace.get(episode.id)
    _write(draft, old, bind(draft.workspace, old, propagation=propagation))


def settle(
    draft: Draft, embedder: Embedder | None = None, propagation: bool = True
) -> None:
    """Bind every episode once more with the whole book's evidence about its names.

    What is settled already is not written again: a second end of input changes nothing.
    """
    recurring = recurrence(draft.workspace)
    for old in draft.workspace.episodes:
        new = bind(draft.workspace, old, recurring, propagation)
        kinds = old.hypotheses.get("kind")
        rest = {k: v for k, v in new.hypotheses.items() if k != "kind"}
        rest |= {"kind": kinds} if kinds else {}
        rest = dict(sorted(rest.items()))
        _write(draft, old, replace(new, kind=old.kind, hypotheses=rest))
    settle_kinds(draft, embedder)


def _write(draft: Draft, old: Episode, new: Episode) -> None:
    for name in ("date", "place", "protagonist", "kind", "participants", "hypotheses"):
        if getattr(old, name) != getattr(new, name):
            draft.set(old.id, name, getattr(new, name))


def bind(
    workspace: Workspace,
    episode: Episode,
    recurring: Recurrence | None = None,
    propagation: bool = True,
) -> Episode:
    """`episode` with date, place, protagonist and participants read off its votes."""
    recurring = recurring or {}
    leads = protagonists(workspace, episode, recurring)
    heard = episode if propagation else _near(workspace, episode, _best(leads))
    when = dates(workspace, heard)
    where = places(workspace, heard, recurring)
    if where and leads and where[0].value == leads[0].value:
        # nobody is the place they are: who leads, without the name of where it happens
        shares = kind_shares(workspace, workspace.get(str(leads[0].id)))
        leads = leads[1:] if shares["place"] >= HARDLY * shares["person"] else leads
    kinds = list(named_kinds(episode))
    lead = _best(leads)
    others = (p for p in people(workspace, episode) if lead is None or p.id != lead.id)
    # in the order of a journal, so that what is read back is what was written
    found = {"date": when, "kind": kinds, "place": where, "protagonist": leads}
    rest = {name: tuple(r[1 : 1 + RUNNERS_UP]) for name, r in found.items() if r[1:]}
    best: dict[str, Any] = {name: _best(readings) for name, readings in found.items()}
    return replace(episode, **best, participants=tuple(others), hypotheses=rest)


def _near(workspace: Workspace, episode: Episode, lead: Bound | None) -> Episode:
    """`episode`, its days and places those of chunks that mention its protagonist."""
    actor = actor_of(workspace, lead.id) if lead and lead.id else None
    here = {mention.chunk for mention in actor.mentions} if actor else set()

    def stated(vote: Vote) -> bool:
        named = actor_of(workspace, vote.candidate)
        mentions = named.mentions if named else ()
        return any(m.span in vote.spans and m.chunk in here for m in mentions)

    kept = (v for v in episode.votes if v.field not in ("date", "place") or stated(v))
    return replace(episode, votes=tuple(kept))


def _best(readings: list[Bound]) -> Bound | None:
    return readings[0] if readings else None


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


def _add(draft: Draft, episode_id: str, chunk: Chunk, votes: Iterable[Vote]) -> None:
    draft.extend(episode_id, "chunks", (chunk.id,))
    draft.extend(episode_id, "votes", votes)


def _start(vote: Vote, default: int) -> int:
    return min((span.start for span in vote.spans), default=default)


def _is_another_day(workspace: Workspace, episode: Episode, scene: Vote) -> bool:
    """Whether a scene vote names a day other than the one the episode is bound to."""
    day = actor_of(workspace, scene.candidate)
    bound = bind(workspace, episode).date
    if bound is None or day is None or day.value is None or not scene.spans:
        return False
    return len(day.value) >= DAY and day.value[:DAY] != bound.value
