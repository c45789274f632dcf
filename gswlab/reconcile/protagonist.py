"""Who an episode is about: names and the focus of the telling, read together.

A name that grammar holds apart from "she" may still be the one behind "he", so each
name is scored under every focus (she, he, they, a narrator's I) and keeps its best.
"""

from __future__ import annotations

import math
from collections import defaultdict

from gswlab.core.nouns import Actor, Bound, Episode, Vote
from gswlab.core.workspace import Workspace, name_tokens
from gswlab.reconcile.ballots import (
    Recurrence,
    actor_of,
    bound_to,
    is_kind,
    is_named,
    is_one_word,
    kind_shares,
    ranked,
    tally,
)

RECURS = 2.0  # whoever comes back in other chapters is more often whom one is about
ONE_WORD = 3.0  # a name of one word is more often a mistaken one
ADOPTED = 0.75  # of the thread of someone unnamed, what a name can take over
ACTS_ITSELF = 1.5  # how much a name's own thread speaks against another's
FOCUS_SHARE = 1.6  # what a whole chapter of one pronoun adds to its readings
NARRATOR_SHARE = 2.0  # an I outside quotes is rarely noise: its share counts double
GENDER_CLASH = 3.0  # a name known as "she" is not the one behind "he"


def protagonists(
    workspace: Workspace, episode: Episode, recurring: Recurrence
) -> list[Bound]:
    """Readings of who the episode is about, best first; scores may be negative.

    The one whom most is felt and seen through may go unnamed for long ("the man at
    the last table"). A name that hardly acts itself may be the name of that thread.
    """
    shares = _focus_shares(episode)
    ballots = tally(workspace, (v for v in episode.votes if v.field == "protagonist"))
    named = tally(workspace, (v for v in episode.votes if v.field == "participant"))
    ballots |= {i: [] for i in named if i not in ballots}
    people = {i: a for i in ballots if (a := actor_of(workspace, i)) is not None}
    people, ballots = _under_full_names(people, ballots)
    threads = _threads(people, ballots)
    found = []
    for i, actor in people.items():
        if not _may_lead(workspace, actor):
            continue
        own = [_given(actor, ballots[i], focus, shares[focus]) for focus in shares]
        best = max(own, default=_given(actor, ballots[i], "", 0.0))
        best = max(best, _adopted(actor, ballots[i], threads))
        if is_one_word(actor.name):
            best -= ONE_WORD  # a single word is more often a mistaken name
        again = math.log2(recurring.get(name_tokens(actor.name), 1))
        best += RECURS * again * kind_shares(workspace, actor)["person"] ** 2
        found.append(bound_to(actor, actor.name, ballots[i], best))
    return ranked(found, floor=float("-inf"))


def _threads(
    people: dict[str, Actor], ballots: dict[str, list[Vote]]
) -> list[tuple[Actor, float]]:
    """People nobody has named yet and what speaks for each; every "she" is one."""
    threads: dict[str, tuple[Actor, float]] = {}
    for i, actor in people.items():
        if actor.kind != "person" or is_named(actor):
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
    named = {i: name_tokens(a.name) for i, a in people.items() if is_named(a)}
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


def _may_lead(workspace: Workspace, actor: Actor) -> bool:
    """Whether an actor is a named person, as far as the whole book knows."""
    if not is_named(actor) or is_kind(actor):
        return False  # asked first: a long book has hundreds of "the hall"
    shares = kind_shares(workspace, actor)
    return shares["person"] >= max(0.34, shares["place"])


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
