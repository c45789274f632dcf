"""Whom a pronoun means: the most salient actor that grammar does not exclude.

Salience is recency, being who acts, and being spoken of often, inside the chapter;
gender and kind must fit. A pronoun that fits nobody, or two equally well, stays an
actor of its own until the text names it.
"""

from __future__ import annotations

from gswlab.core.nouns import Actor
from gswlab.core.step import Candidate
from gswlab.core.workspace import name_tokens
from gswlab.gsw.reconciler.actors import form, has_form
from gswlab.gsw.reconciler.align import Features, context, prefer_latest, ranked
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.homonyms import marks
from gswlab.language.lexicon import first_name_gender, word_pairs, words
from gswlab.language.names import article, head, is_plural, key, modifiers

# Whom of the chapter a nominal means: "the professor", "the old man", "a door".

NOUN = 0.50  # "the door" and "a door"
ROLE_NOUN = 0.50  # "the professor" and an actor that is one
_ARTICLES = {"definite": 0.10, "indefinite": -0.70}
OTHER_MODIFIERS = -0.40  # "the red door", "the blue door"


def by_noun(scene: ChunkContext, new: Actor) -> list[Candidate]:
    """Candidates for a nominal ("the professor"): by noun and by role."""
    found = ((old, _nominal(scene, new, old)) for old in scene.actors())
    scored = [(old, features) for old, features in found if features]
    prefer_latest(scored)
    return ranked(scored)


def _nominal(scene: ChunkContext, new: Actor, old: Actor) -> Features:
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
    said = article(new.name)
    if new.mentions:  # a mention may leave its article out
        mention = new.mentions[0]
        said = article(mention.text or new.name)
        if said == "none":
            said = article(" ".join(name_tokens(scene.preceding(mention.span))[-1:]))
    if said in _ARTICLES:
        features[said] = _ARTICLES[said]
    return features | context(scene, new, old)


def _has_role(old: Actor, noun: str) -> bool:
    """Whether an actor is one, in these words or in their like: the lad is the boy."""
    plain, heads = word_pairs("noun_alike"), (head(role.text) for role in old.roles)
    return any(plain.get(word, word) == plain.get(noun, noun) for word in heads)


def _is_the_old_one(new: Actor, old: Actor) -> bool:
    """ "The old man" where one of two Harrys is old Harry."""
    called = form(old) in ("name", "short") and head(new.name) in words("anybody")
    return called and not modifiers(new.name).isdisjoint(marks(old))


SAME_GENDER, UNKNOWN_GENDER = 0.35, 0.20
USUAL_GENDER, UNUSUAL_GENDER = 0.30, 0.00  # of the first name; a guess, never stated
PERSON = 0.10
RECENT = 0.30  # at no distance; half of it at HALF characters
HALF = 240.0
ACTS = 0.15
OFTEN = 0.10
LEAD = 0.02  # over the runner-up; salience is finer than a name
ONLY = 0.10  # nobody else fits
NARRATOR = 1.0

_PERSONAL = frozenset({"f", "m"})


def by_pronoun(scene: ChunkContext, new: Actor) -> list[Candidate]:
    """Candidates for "she", "he", "they" or "it" of the chunk."""
    fits = [old for old in scene.actors() if _fits(new, old)]
    scored = [(old, _salience(scene, new, old)) for old in fits]
    if len(scored) == 1 and scored[0][0].kind == "person":
        scored[0][1]["only one that fits"] = ONLY
    return ranked(scored)


def by_narrator(scene: ChunkContext, new: Actor) -> list[Candidate]:
    """The narrator of the chapter, if an I has spoken before."""
    told = [old for old in scene.actors() if has_form(old, "narrator")]
    return ranked((old, {"narrator of the chapter": NARRATOR}) for old in told)


def _fits(new: Actor, old: Actor) -> bool:
    if has_form(old, "narrator") or old.kind == "time":
        return False
    several = form(old) == "nominal" and is_plural(old.name)
    if new.gender in _PERSONAL:
        fits = old.kind == "person" and old.gender in (new.gender, None)
        return fits and not several
    if new.gender == "they":
        return old.gender == "they" or several or old.kind == "organisation"
    return old.kind != "person" and old.gender in ("n", None)


def _salience(scene: ChunkContext, new: Actor, old: Actor) -> Features:
    # characters back to the last mention before the pronoun, in this document
    spans = [m.span for m in old.mentions if m.span.document == scene.chunk.document]
    at = [m.span.start for m in new.mentions] or [scene.chunk.span.start]
    back = next((s for s in reversed(spans) if s.start <= min(at)), None)
    if back is None:
        return {}
    distance = max(0, min(at) - back.end)
    features = _gender(new, old)
    if old.kind == "person":
        features["person"] = PERSON
    features["recent"] = round(RECENT * HALF / (HALF + distance), 3)
    if acts := scene.agents[old.id]:
        features["acts"] = ACTS
        features["often"] = round(OFTEN * acts / max(scene.agents.values()), 3)
    return features


def usual_gender(actor: Actor) -> str | None:
    """The gender the text states, else the one a first name suggests."""
    if actor.gender is not None or form(actor) not in ("name", "short"):
        return actor.gender
    guess = first_name_gender(next(iter(key(actor.name)), ""))
    return guess if guess in _PERSONAL else None


def _gender(new: Actor, old: Actor) -> Features:
    if new.gender == old.gender:
        return {"gender": SAME_GENDER}
    if new.gender == "they" and old.gender is None and is_plural(old.name):
        return {"several": USUAL_GENDER}
    usual = usual_gender(old)
    if usual is None or new.gender not in _PERSONAL:
        return {"gender not said": UNKNOWN_GENDER}
    if usual == new.gender:
        return {"usual gender of the name": USUAL_GENDER}
    return {"another gender usual for the name": UNUSUAL_GENDER}
