"""Which actor of the workspace a new one is: named features, and their sum.

- every candidate comes from the chapter's cast or from the index of names;
- a feature is a name and a weight, a score is their sum, a merge needs `threshold`:
  the whole reason for a decision is data that the decision carries;
- a name alone merges only where homonyms are unlikely: a full name, or one chapter;
- a pronoun means the most salient actor of the chapter that grammar does not exclude;
  one that fits nobody, or two equally well, is an actor until the text names it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from gswlab.core.nouns import Actor, State
from gswlab.core.step import Candidate
from gswlab.core.workspace import name_tokens
from gswlab.gsw.reconciler.actors import form, has_form, is_certain
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.homonyms import bears_mark, marks, told_apart
from gswlab.language.lexicon import any_words, first_name_gender, word_pairs, words
from gswlab.language.names import (
    article,
    head,
    initials,
    is_full,
    is_plural,
    key,
    likeness,
    modifiers,
    spaceless,
)

# What speaks for or against a merge beside the name: chapter, kind, gender, roles.

Features: TypeAlias = dict[str, float]

SAME_CHAPTER = 0.20
KIND, OTHER_KIND, CERTAINLY_OTHER_KIND = 0.08, -0.05, -0.40
GENDER, OTHER_GENDER = 0.04, -0.50
SHARED_ROLE, OTHER_PROFESSION = 0.20, -0.45
DEAD = -0.25  # who is dead does not act
_DEAD = "dead died killed deceased 死亡 死亡した 死んだ 亡くなった 殺害された 殺された"
_DEATH = frozenset(_DEAD.split())


def context(scene: ChunkContext, new: Actor, old: Actor) -> Features:
    """What speaks for or against, beside the name."""
    features: Features = {}
    if old.id in scene.cast:
        features["same chapter"] = SAME_CHAPTER
    unsaid = not (new.votes and old.votes) and "abstract" in (new.kind, old.kind)
    if new.kind == old.kind:
        features["kind"] = KIND
    elif not unsaid and is_certain(new) and is_certain(old):
        features["certainly another kind"] = CERTAINLY_OTHER_KIND
    elif not unsaid:
        features["another kind"] = OTHER_KIND
    if new.gender and new.gender == old.gender:
        features["gender"] = GENDER
    elif new.gender and old.gender:
        features["other gender"] = OTHER_GENDER
    mine, yours = (_posts(actor) for actor in (new, old))
    professions = any_words("profession")  # a person usually has one
    if mine & yours:
        features["shared role"] = SHARED_ROLE
    elif mine & professions and yours & professions:
        features["other profession"] = OTHER_PROFESSION
    told = [p for p in scene.local.verb_phrases if p.modality == "asserted"]
    done = (a for p in told if not p.negated for a in p.arguments)
    acts = any(a.slot == "agent" and a.actor == new.id for a in done)
    if acts and death_of(old):
        features["is dead"] = DEAD
    return features


def death_of(actor: Actor) -> State | None:
    """The state that says an actor died, if one of its last does."""
    return next((s for s in actor.states[-64:] if s.text.casefold() in _DEATH), None)


def _posts(actor: Actor) -> set[str]:
    """Head nouns of an actor's roles, and the post that a title is short for."""
    posts, names = word_pairs("post"), (actor.name, *actor.aliases)
    titles = (name.partition(" ")[0].casefold().rstrip(".") for name in names)
    short = {posts[title] for title in titles if title in posts}
    return short | {head(role.text) for role in actor.roles}


# What a name says by itself.
LIKENESS = {
    "full_name": 0.70,
    "name": 0.45,
    "short": 0.50,
    "fuller": 0.50,
    "accents": 0.42,
    "spelling": 0.30,
}
NOT_UNIQUE = -0.30  # a short form of two actors
FAMILY = 0.10  # 鈴木氏, where one 鈴木 is known: scripts without spaces go on by it
LATEST = 0.06  # more than the lead a winner needs
STATED_ALIAS = 0.90  # "known as"
TOLD_APART = -0.90  # "the real Mr Dean", "Peter Fry junior"
SAME_MARK, UNMARKED = 0.10, -0.12
OTHER_GENDER_HERE = -0.35  # a full name twice in a chapter: rather a pronoun misread


def ranked(scored: Iterable[tuple[Actor, Features]]) -> list[Candidate]:
    """Candidates, best first; the earlier actor wins a tie.

    A score is the sum of its features, rounded so that it prints as it compares.
    """
    sums = ((a, round(sum(f.values()), 3), f) for a, f in scored if f)
    found = [Candidate(actor.id, score, tuple(f.items())) for actor, score, f in sums]
    return sorted(found, key=lambda c: (-c.score, int(c.actor[1:])))


def by_name(scene: ChunkContext, new: Actor) -> list[Candidate]:
    """Candidates for an actor that has a name."""
    cast = {actor.id: actor for actor in scene.actors()}
    cast |= {actor.id: actor for actor in scene.namesakes(new.name)}
    found = ((old, _named(scene, new, old)) for old in cast.values())
    scored = [(old, features) for old, features in found if features]
    # A short form of several is nobody's, but for the only one of the chapter. Of two
    # there it is hardly the one who is called junior.
    for like in ("short", "fuller"):
        rivals = [features for _, features in scored if like in features]
        here = [features for features in rivals if "same chapter" in features]
        plain = [features for features in here if "junior elsewhere" not in features]
        _doubt(rivals, next((s for s in (here, plain) if len(s) == 1), []))
    # Of two called Hartley, Councillor Hartley is the one who is a councillor.
    rivals = [f for _, f in scored if f.keys() & {"name", "short"}]
    named = [features for features in rivals if "shared role" in features]
    if len(named) == 1:
        _doubt(rivals, named)
    # Half of a full name written without spaces is the only person so called.
    whole = key(new.name)
    if len(scored) == 1 and new.kind == "person" and len(whole) == 1:
        old, features = scored[0]
        half = features.keys() & {"name", "short"}
        if half and spaceless(whole[0]) and is_full(key(old.name)):
            features["the only one so called"] = FAMILY
    prefer_latest([s for s in scored if s[1].keys() & {"name", "full_name"}])
    return ranked(scored)


def _doubt(rivals: list[Features], spared: list[Features]) -> None:
    if len(rivals) > 1:
        for features in rivals:
            if features not in spared:
                features["not unique"] = NOT_UNIQUE


def prefer_latest(scored: list[tuple[Actor, Features]]) -> None:
    """Of two doors "the door" is the one last spoken of; a tie would make a third."""
    if len(scored) > 1:
        ends = [(a.mentions[-1].span.end if a.mentions else 0) for a, _ in scored]
        ids = [-int(actor.id[1:]) for actor, _ in scored]
        latest = max(range(len(scored)), key=lambda row: (ends[row], ids[row]))
        scored[latest][1]["last spoken of"] = LATEST


def _named(scene: ChunkContext, new: Actor, old: Actor) -> Features:
    if new.kind == "time" or old.kind == "time":
        same = new.kind == old.kind and new.value is not None
        return {"same date": 1.0} if same and new.value == old.value else {}
    like = _likeness(new, old)
    if like is None or (like != "full_name" and form(old) == "nominal"):
        return {}  # "Baker" is no baker
    features = {like: LIKENESS[like]}
    if like == "name" and {new.kind, old.kind} <= {"place", "organisation", "work"}:
        features[like] = LIKENESS["full_name"]  # one word is a full name for them
    features |= context(scene, new, old) | _marks(new, old, like)
    if like == "full_name" and old.id in scene.cast and "other gender" in features:
        features["other gender"] = OTHER_GENDER_HERE
    return features


def _marks(new: Actor, old: Actor, like: str) -> Features:
    """What is said beside a name, to tell two of one name apart."""
    if told_apart(new, old, whole=like in ("full_name", "name")):
        return {"told apart": TOLD_APART}
    if set(marks(new)) & set(marks(old)):
        return {"told apart alike": SAME_MARK}
    if "junior" in marks(old):
        return {"junior elsewhere": UNMARKED}
    return {"told apart elsewhere": UNMARKED} if bears_mark(old) else {}


def _likeness(new: Actor, old: Actor) -> str | None:
    """The best likeness of any two of their names; full names come first.

    Two full names that are not alike are two actors, whatever short form they share.
    """
    letters = initials(new.name)
    names = [n for n in (old.name, *old.aliases) if letters & initials(n)]
    if not names:
        return None
    full = [n for n in names if is_full(key(n))]
    names = full if full and is_full(key(new.name)) else names
    order = list(LIKENESS)
    kind = old.kind if new.kind != "person" else new.kind
    found = {likeness(new.name, name, kind) for name in names} - {None}
    return min(found, key=lambda like: order.index(str(like)), default=None)


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
    if {"we", "us"} & {new.gender, old.gender}:  # who speaks, with others
        return new.gender == old.gender
    if {"i", "you"} & {new.gender, old.gender}:
        return False  # left open: of one quotation
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
