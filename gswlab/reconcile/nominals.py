"""Whom of the chapter a nominal means: "the professor", "the old man", "a door"."""

from __future__ import annotations

from gswlab.core.nouns import Actor
from gswlab.core.step import Candidate
from gswlab.core.workspace import name_tokens
from gswlab.language.names import article, head, modifiers
from gswlab.reconcile.actors import form
from gswlab.reconcile.align import prefer_latest, ranked
from gswlab.reconcile.context import Features, context
from gswlab.reconcile.homonyms import marks
from gswlab.reconcile.scene import Scene

NOUN = 0.50  # "the door" and "a door"
ROLE_NOUN = 0.50  # "the professor" and an actor that is one
DEFINITE, INDEFINITE = 0.10, -0.70
OTHER_MODIFIERS = -0.40  # "the red door", "the blue door"
_PLAIN = {
    "lad": "boy",
    "youth": "boy",
    "youngster": "boy",
    "lass": "girl",
    "maiden": "girl",
    "physician": "doctor",
    "constable": "policeman",
    "mum": "mother",
    "dad": "father",
    "母親": "母",
    "父親": "父",
    "医師": "医者",
}
_ANYBODY = frozenset({"man", "woman", "fellow", "lady", "gentleman", "one"})


def by_noun(scene: Scene, new: Actor) -> list[Candidate]:
    """Candidates for a nominal ("the professor"): by noun and by role."""
    found = ((old, _nominal(scene, new, old)) for old in scene.actors())
    scored = [(old, features) for old, features in found if features]
    prefer_latest(scored)
    return ranked(scored)


def _nominal(scene: Scene, new: Actor, old: Actor) -> Features:
    noun = head(new.name)
    if not noun or new.kind == "time":
        return {}
    features: Features = {}
    if head(old.name) == noun and form(old) == "nominal":
        features["same noun"] = NOUN
        mine, yours = modifiers(new.name), modifiers(old.name)
        if mine - yours and yours - mine:
            features["other modifiers"] = OTHER_MODIFIERS
    elif old.kind == new.kind and _has_role(old, noun):
        features["has that role"] = ROLE_NOUN
    elif old.kind == new.kind and _is_the_old_one(new, old):
        features["is called old"] = ROLE_NOUN
    else:
        return {}
    match _article(scene, new):
        case "definite":
            features["definite"] = DEFINITE
        case "indefinite":
            features["indefinite"] = INDEFINITE
        case "none":
            pass
    return features | context(scene, new, old)


def _has_role(old: Actor, noun: str) -> bool:
    """Whether an actor is one, in these words or in their like: the lad is the boy."""
    heads = (head(role.text) for role in old.roles)
    return any(_PLAIN.get(word, word) == _PLAIN.get(noun, noun) for word in heads)


def _is_the_old_one(new: Actor, old: Actor) -> bool:
    """ "The old man" where one of two Harrys is old Harry."""
    return (
        form(old) in ("name", "short")
        and head(new.name) in _ANYBODY
        and not modifiers(new.name).isdisjoint(marks(old))
    )


def _article(scene: Scene, new: Actor) -> str:
    """The article of a nominal, also where its mention leaves it out."""
    if not new.mentions:
        return article(new.name)
    mention = new.mentions[0]
    own = article(mention.text or new.name)
    before = name_tokens(scene.preceding(mention.span))
    return own if own != "none" else article(" ".join(before[-1:]))
