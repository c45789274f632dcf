"""Which actor of the workspace a new one is: named features, and their sum.

- every candidate comes from the chapter's cast or from the index of names;
- a feature is a name and a weight, a score is their sum, a merge needs `threshold`:
  the whole reason for a decision is data that the decision carries;
- a name alone merges only where homonyms are unlikely: a full name, or one chapter.
"""

from __future__ import annotations

from collections.abc import Iterable

from gswlab.core.nouns import Actor
from gswlab.core.step import Candidate
from gswlab.language.names import initials, is_full, key, likeness, spaceless
from gswlab.reconcile.actors import form
from gswlab.reconcile.context import Features, context
from gswlab.reconcile.homonyms import bears_mark, marks, told_apart
from gswlab.reconcile.scene import Scene

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


def score(features: Features) -> float:
    """The sum, rounded so that it prints as it compares."""
    return round(sum(features.values()), 3)


def ranked(scored: Iterable[tuple[Actor, Features]]) -> list[Candidate]:
    """Candidates, best first; the earlier actor wins a tie."""
    found = [Candidate(a.id, score(f), tuple(f.items())) for a, f in scored if f]
    return sorted(found, key=lambda c: (-c.score, int(c.actor[1:])))


def by_name(scene: Scene, new: Actor) -> list[Candidate]:
    """Candidates for an actor that has a name."""
    cast = {actor.id: actor for actor in scene.actors()}
    cast |= {actor.id: actor for actor in scene.namesakes(new.name)}
    found = ((old, _named(scene, new, old)) for old in cast.values())
    scored = [(old, features) for old, features in found if features]
    for like in ("short", "fuller"):
        _doubt([features for _, features in scored if like in features])
    _doubt_others([f for _, f in scored if f.keys() & {"name", "short"}])
    _trust_family(new, scored)
    prefer_latest([s for s in scored if s[1].keys() & {"name", "full_name"}])
    return ranked(scored)


def _doubt(rivals: list[Features]) -> None:
    """A short form of several is nobody's, but for the only one of the chapter.

    Of two there it is hardly the one who is called junior.
    """
    here = [features for features in rivals if "same chapter" in features]
    plain = [features for features in here if "junior elsewhere" not in features]
    spared = next((s for s in (here, plain) if len(s) == 1), [])
    if len(rivals) > 1:
        for features in rivals:
            if features not in spared:
                features["not unique"] = NOT_UNIQUE


def _doubt_others(rivals: list[Features]) -> None:
    """Of two called Hartley, Councillor Hartley is the one who is a councillor."""
    named = [features for features in rivals if "shared role" in features]
    if len(named) == 1:
        for features in rivals:
            if features is not named[0]:
                features["not unique"] = NOT_UNIQUE


def prefer_latest(scored: list[tuple[Actor, Features]]) -> None:
    """Of two doors "the door" is the one last spoken of; a tie would make a third."""
    if len(scored) > 1:
        latest = max(scored, key=lambda s: _last_seen(s[0]))
        latest[1]["last spoken of"] = LATEST


def _trust_family(new: Actor, scored: list[tuple[Actor, Features]]) -> None:
    """Half of a full name written without spaces is the only person so called."""
    whole = key(new.name)
    if len(scored) == 1 and new.kind == "person" and len(whole) == 1:
        old, features = scored[0]
        half = not features.keys().isdisjoint({"name", "short"})
        if half and spaceless(whole[0]) and is_full(key(old.name)):
            features["the only one so called"] = FAMILY


def _last_seen(actor: Actor) -> tuple[int, int]:
    end = actor.mentions[-1].span.end if actor.mentions else 0
    return end, -int(actor.id[1:])


def _named(scene: Scene, new: Actor, old: Actor) -> Features:
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
    order = list(LIKENESS)
    full = [n for n in names if is_full(key(n))]
    if is_full(key(new.name)) and full:
        names = full
    kind = old.kind if new.kind != "person" else new.kind
    found = {likeness(new.name, name, kind) for name in names} - {None}
    return min(found, key=lambda like: order.index(str(like)), default=None)
