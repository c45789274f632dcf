"""What speaks for or against a merge beside the name: chapter, kind, gender, roles."""

from __future__ import annotations

from typing import TypeAlias

from gswlab.core.nouns import Actor, State
from gswlab.language.names import head
from gswlab.reconcile.actors import is_certain
from gswlab.reconcile.professions import profession
from gswlab.reconcile.scene import Scene

Features: TypeAlias = dict[str, float]

SAME_CHAPTER = 0.20
KIND, OTHER_KIND, CERTAINLY_OTHER_KIND = 0.08, -0.05, -0.40
GENDER, OTHER_GENDER = 0.04, -0.50
SHARED_ROLE, OTHER_PROFESSION = 0.20, -0.45
DEAD = -0.25  # who is dead does not act
_DEAD = "dead died killed deceased 死亡 死亡した 死んだ 亡くなった 殺害された 殺された"
_POSTS = {
    "cllr": "councillor",
    "councillor": "councillor",
    "prof": "professor",
    "professor": "professor",
    "dr": "doctor",
    "insp": "inspector",
    "inspector": "inspector",
    "capt": "captain",
    "captain": "captain",
    "sgt": "sergeant",
    "sergeant": "sergeant",
    "mayor": "mayor",
    "judge": "judge",
    "rev": "vicar",
}
DEATH = frozenset(_DEAD.split())


def context(scene: Scene, new: Actor, old: Actor) -> Features:
    """What speaks for or against, beside the name."""
    features: Features = {}
    here = old.id in scene.cast
    if here:
        features["same chapter"] = SAME_CHAPTER
    features |= _kinds(new, old)
    if new.gender and old.gender:
        same = new.gender == old.gender
        features["gender" if same else "other gender"] = (
            GENDER if same else OTHER_GENDER
        )
    features |= _roles(new, old)
    if _acts(scene, new) and death_of(old):
        features["is dead"] = DEAD
    return features


def death_of(actor: Actor) -> State | None:
    """The state that says an actor died, if one of its last does."""
    return next((s for s in actor.states[-64:] if s.text.casefold() in DEATH), None)


def _kinds(new: Actor, old: Actor) -> Features:
    if new.kind == old.kind:
        return {"kind": KIND}
    if not (new.votes and old.votes) and "abstract" in (new.kind, old.kind):
        return {}  # nothing was said of it yet
    if is_certain(new) and is_certain(old):
        return {"certainly another kind": CERTAINLY_OTHER_KIND}
    return {"another kind": OTHER_KIND}


def _roles(new: Actor, old: Actor) -> Features:
    mine, yours = (_posts(actor) for actor in (new, old))
    if mine & yours:
        return {"shared role": SHARED_ROLE}
    mine, yours = set(filter(profession, mine)), set(filter(profession, yours))
    return {"other profession": OTHER_PROFESSION} if mine and yours else {}


def _posts(actor: Actor) -> set[str]:
    """Head nouns of an actor's roles, and the post that a title is short for."""
    titles = (
        name.partition(" ")[0].casefold() for name in (actor.name, *actor.aliases)
    )
    short = {_POSTS[t.rstrip(".")] for t in titles if t.rstrip(".") in _POSTS}
    return short | {head(role.text) for role in actor.roles}


def _acts(scene: Scene, new: Actor) -> bool:
    return any(
        argument.slot == "agent" and argument.actor == new.id
        for verb_phrase in scene.local.verb_phrases
        if verb_phrase.modality == "asserted" and not verb_phrase.negated
        for argument in verb_phrase.arguments
    )
