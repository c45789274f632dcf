"""Readings of when and where an episode happens, and of who takes part, best first."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace

from gswlab.core.nouns import Actor, Bound, Episode, Vote
from gswlab.core.workspace import Workspace, name_tokens
from gswlab.language.dates.calendar import DAY
from gswlab.reconcile.ballots import (
    Recurrence,
    actor_of,
    bound_to,
    first_span,
    is_general,
    is_kind,
    is_named,
    is_one_word,
    kind_shares,
    ranked,
    tally,
)

DOUBT = 0.3  # weight of the votes on what a name names that nobody has cast
GENERAL = 0.5  # "Main Lecture Theatre" is part of a venue that has a name of its own
VENUE_RECURS = 0.5  # a place that comes back in other chapters is more often a venue


def dates(workspace: Workspace, episode: Episode) -> list[Bound]:
    """Readings of the day (or month, or year) it happens on."""
    found = []
    votes = (vote for vote in episode.votes if vote.field == "date")
    for candidate, ballots in tally(workspace, votes).items():
        actor = actor_of(workspace, candidate)
        if actor is None or actor.value is None:
            continue
        # A day says more than a month: the specific date is preferred, coarse ones stay
        # as hypotheses.
        day = actor.value[:DAY]  # an hour of the day does not make another day
        score = sum(v.weight for v in ballots) * (0.4 + 0.06 * len(day))
        found.append(bound_to(actor, day, ballots, score))
    return ranked(_by_value(found))


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


def places(
    workspace: Workspace, episode: Episode, recurring: Recurrence
) -> list[Bound]:
    """Readings of where it happens: a name known as a place before a mere noun.

    A name that begins with another place's ("Alder Hall Tea Room") speaks for that one.
    """
    found = []
    votes = (vote for vote in episode.votes if vote.field == "place")
    ballots_of: dict[str, list[Vote]] = defaultdict(list)
    for candidate, ballots in tally(workspace, votes).items():
        if (actor := actor_of(workspace, candidate)) is not None:
            ballots_of[_whole(workspace, actor, recurring).id] += ballots
    for candidate, ballots in ballots_of.items():
        actor = workspace.get(candidate)
        share = kind_shares(workspace, actor, DOUBT)["place"]
        if share > 0.2:  # a college or a club is where it meets, too
            share += 0.7 * kind_shares(workspace, actor)["organisation"]
        again = math.log2(recurring.get(name_tokens(actor.name), 1))
        score = (sum(v.weight for v in ballots) + VENUE_RECURS * again) * share * share
        if is_one_word(actor.name):
            score *= 0.6  # a single capitalised word is less often a venue's name
        if share > 0.2 and not is_kind(actor):
            found.append(bound_to(actor, actor.name, ballots, score))
    named = [bound for bound in found if is_named(workspace.get(str(bound.id)))]
    return ranked(_venues(workspace, named)) or ranked(found)


def _venues(workspace: Workspace, named: list[Bound]) -> list[Bound]:
    """Readings in which a venue's own name outweighs that of its parts."""
    proper = {
        b.id
        for b in named
        if not is_one_word(b.value) and not is_general(workspace.get(str(b.id)))
        if kind_shares(workspace, workspace.get(str(b.id)))["place"] > 0.6
    }
    if not proper:
        return named
    return [b if b.id in proper else replace(b, score=GENERAL * b.score) for b in named]


def _whole(workspace: Workspace, actor: Actor, recurring: Recurrence) -> Actor:
    """The place of other chapters whose full name a longer name opens with."""
    tokens = name_tokens(actor.name)
    for size in range(len(tokens) - 1, 1, -1):
        if tokens[:size] in recurring:
            places = workspace.called(" ".join(tokens[:size]))
            if places and kind_shares(workspace, places[0])["place"] > 0.5:
                return places[0]
    return actor


def people(workspace: Workspace, episode: Episode) -> list[Bound]:
    """Everybody named in the episode, in order of appearance."""
    votes = (vote for vote in episode.votes if vote.field == "participant")
    found = []
    for candidate, ballots in tally(workspace, votes).items():
        actor = actor_of(workspace, candidate)
        if actor and actor.kind == "person" and not is_one_word(actor.name):
            found.append(bound_to(actor, actor.name, ballots, 1.0))
    return sorted(found, key=first_span)
