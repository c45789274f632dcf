"""Ballots: votes by candidate, and what the whole book knows of a candidate's name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from gswlab.core.nouns import Actor, Bound, Span, Vote
from gswlab.core.workspace import Workspace, name_tokens
from gswlab.language.event_types import Inventory
from gswlab.language.names import spaceless
from gswlab.language.stems import content_stems, stem

Recurrence: TypeAlias = Mapping[tuple[str, ...], int]


def recurrence(workspace: Workspace) -> Recurrence:
    """In how many episodes each name takes part, by its tokens."""
    counts: Counter[tuple[str, ...]] = Counter()
    for episode in workspace.episodes:
        votes = (vote for vote in episode.votes if vote.field == "participant")
        ids = tally(workspace, votes)
        actors = [actor for i in ids if (actor := actor_of(workspace, i)) is not None]
        counts.update({name_tokens(actor.name) for actor in actors})
    return counts


def tally(workspace: Workspace, votes: Iterable[Vote]) -> dict[str, list[Vote]]:
    """Votes by candidate, merged candidates under the id they live on under."""
    tally: dict[str, list[Vote]] = defaultdict(list)
    for vote in votes:
        tally[workspace.resolve(vote.candidate)].append(vote)
    return tally


def actor_of(workspace: Workspace, noun_id: str) -> Actor | None:
    """The actor of this id, or that it was merged into; None for anything else."""
    noun = workspace.nouns.get(workspace.resolve(noun_id))
    return noun if isinstance(noun, Actor) else None


def is_named(actor: Actor) -> bool:
    """Whether the text ever calls an actor by name."""
    return any(mention.form in ("name", "short") for mention in actor.mentions)


def is_one_word(name: str) -> bool:
    """Whether a name is a single word, in a script that would part two by a space."""
    tokens = name_tokens(name)
    return len(tokens) < 2 and not any(map(spaceless, tokens))


def is_kind(actor: Actor) -> bool:
    """Whether a name is that of a kind of event, capitalised: nobody, and nowhere."""
    return frozenset(content_stems(actor.name)) in Inventory.general().usual


def is_general(actor: Actor) -> bool:
    """Whether a name has common words only: "Main Lecture Theatre", "Gate C"."""
    inventory = Inventory.general()
    return all(
        len(word) < 3 or stem(word) in inventory.vocabulary
        for word in name_tokens(actor.name)
    )


def kind_shares(
    workspace: Workspace, actor: Actor, doubt: float = 0.0
) -> Mapping[str, float]:
    """Share (0 to 1) of a name's votes by kind, over all actors so named; 0 elsewhere.

    `doubt` is a weight that speaks for no kind, so that little evidence counts little.
    """
    weights: dict[str, float] = defaultdict(float)
    for namesake in workspace.called(actor.name) or [actor]:
        for vote in namesake.votes:
            if vote.field == "kind":
                weights[vote.candidate] += vote.weight
    positive = {name: weight for name, weight in weights.items() if weight > 0}
    if not positive:
        return defaultdict(float, {actor.kind: 1.0})
    total = doubt + sum(positive.values())
    shares = {name: weight / total for name, weight in positive.items()}
    return defaultdict(float, shares)


def bound_to(actor: Actor, value: str, votes: list[Vote], score: float) -> Bound:
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


def ranked(found: list[Bound], floor: float = 0.0) -> list[Bound]:
    """Readings above `floor`, best first, ties in the order of the text."""
    kept = [bound for bound in found if bound.score > floor]
    return sorted(
        kept, key=lambda bound: (-bound.score, first_span(bound), bound.value)
    )


def first_span(bound: Bound) -> Span:
    """Where the text first speaks for a reading."""
    return min(bound.spans, default=Span("", 0, 0))
