"""Putting an actor into a workspace, and growing the one it turned out to be.

An actor keeps the id it got first. What comes later adds to it; its kind is read anew
off all kind votes, and its name is the fullest one the text has used.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import get_args

from gswlab.core.nouns import NAME_FORMS, Actor, ActorKind, Vote, votes_on
from gswlab.core.workspace import Draft
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.language.keys import is_full, key

_KINDS: tuple[ActorKind, ...] = get_args(ActorKind)
_FORMS = ("name", "date", "short", "narrator", "nominal", "pronoun")
CALLED = (*NAME_FORMS, "date")
_READ = 32  # mentions at either end; who is named at all is named there
_GUESSED = 0.5  # a pronoun was aligned by salience: two of them make a fact


def _forms(actor: Actor) -> set[str]:
    first, last = actor.mentions[:_READ], actor.mentions[_READ:][-_READ:]
    return {mention.form for mention in (*first, *last)}


def form(actor: Actor) -> str:
    """The most telling form in which the text refers to an actor."""
    return min(_forms(actor), key=_FORMS.index, default="name")


def has_form(actor: Actor, *wanted: str) -> bool:
    """Whether any mention of the actor has one of these forms."""
    return not _forms(actor).isdisjoint(wanted)


def is_named(actor: Actor) -> bool:
    """Whether the text calls an actor by a name."""
    return has_form(actor, *NAME_FORMS)


def weights_on(votes: tuple[Vote, ...], field: str) -> dict[str, float]:
    """The votes on a field summed by their candidates; 0 for any other."""
    cast = votes_on(votes, field).items()
    return defaultdict(float, {c: sum(v.weight for v in own) for c, own in cast})


def best_kind(votes: tuple[Vote, ...], default: ActorKind) -> ActorKind:
    """The kind most votes speak for; a tie goes to the earlier of the seven."""
    sums = weights_on(votes, "kind")
    best = max(_KINDS, key=sums.__getitem__)  # the first of equals
    return best if sums[best] > 0 else default


def best_gender(votes: tuple[Vote, ...], default: str | None) -> str | None:
    """The gender most evidence speaks for; one uncertain pronoun is not enough."""
    sums = weights_on(votes, "gender")
    most = max(sums.values(), default=0.0)
    best = [gender for gender, weight in sums.items() if weight == most >= 1]
    return best[0] if len(best) == 1 else default


def _gender_votes(actor: Actor) -> tuple[Vote, ...]:
    """What an actor's own gender says of the one it is part of."""
    if actor.gender is None or any(vote.field == "gender" for vote in actor.votes):
        return ()
    weight = _GUESSED if form(actor) == "pronoun" else 1.0
    spans = tuple(mention.span for mention in actor.mentions[-1:])
    return (Vote("gender", actor.gender, weight, "as the chunk speaks of it", spans),)


def is_certain(actor: Actor) -> bool:
    """Whether two pieces of evidence or more agree on an actor's kind."""
    votes = [v for v in actor.votes if v.field == "kind" and v.weight > 0]
    return len(votes) > 1 and len({vote.candidate for vote in votes}) == 1


def put_actor(scene: ChunkContext, new: Actor) -> str:
    """A local actor as a new one of the workspace; returns its id."""
    actor_id = scene.draft.new_id("actor")
    aliases = tuple(n for n in dict.fromkeys(names_of(new)) if n != new.name)
    kind, votes = best_kind(new.votes, new.kind), new.votes + _gender_votes(new)
    here = replace(new, id=actor_id, chunk=scene.chunk.id, chapter=scene.chunk.chapter)
    actor = replace(here, kind=kind, aliases=aliases, states=(), votes=votes)
    scene.draft.put("actor", actor)
    return actor_id


def grow(draft: Draft, actor_id: str, new: Actor) -> None:
    """Add what `new` says to the actor that it is."""
    old: Actor = draft.workspace.get(actor_id)
    draft.extend(actor_id, "mentions", new.mentions)
    known = {(role.text, role.chunk) for role in old.roles}
    roles = (r for r in new.roles if (r.text, r.chunk) not in known)
    draft.extend(actor_id, "roles", roles)
    draft.extend(actor_id, "votes", new.votes + _gender_votes(new))
    draft.extend(actor_id, "notes", new.notes)
    votes = draft.workspace.get(actor_id).votes
    draft.set(actor_id, "kind", best_kind(votes, old.kind))
    draft.set(actor_id, "gender", best_gender(votes, old.gender))
    draft.set(actor_id, "value", new.value if old.value is None else old.value)
    # The fullest name, the current one before equals; the others are aliases. One that
    # is no part of the name ("the Fox") must not displace a full one.
    names, now = list(dict.fromkeys(names_of(old) + names_of(new))), key(old.name)
    fuller = [n for n in names if n == old.name or set(now) < set(key(n))]
    may_be = fuller if is_full(now) else names
    size = {n: (is_full(key(n)), len(key(n)), n == old.name) for n in may_be}
    name = max(size, key=size.__getitem__, default=(*names, old.name)[0])
    draft.set(actor_id, "name", name)
    draft.set(actor_id, "aliases", tuple(a for a in old.aliases if a != name))
    draft.extend(actor_id, "aliases", (n for n in names if n != name))


def names_of(actor: Actor) -> list[str]:
    """Every name of an actor the text has used, its own first; no mere nominals."""
    own = [actor.name] if form(actor) in CALLED else []
    used = [m.text for m in actor.mentions if m.form in CALLED and m.text]
    return [*own, *actor.aliases, *used]
