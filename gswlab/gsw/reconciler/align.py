"""Which actor of the workspace a new one is: named features, and their sum.

- candidates come from the chapter's cast or from the index of names;
- a feature is a name and a value; its weight stands in `language/en/coreference.tsv`,
  in the column of the new actor's form; a score is the sum of weight times value;
- a name alone merges only where homonyms are unlikely: a full name, or one chapter;
- a pronoun means the most salient actor of the chapter that grammar does not exclude.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from gswlab.core.nouns import NAME_FORMS, Actor, VerbPhrase
from gswlab.core.step import Candidate
from gswlab.core.workspace import name_tokens
from gswlab.gsw.operator.coreference import SIGNS
from gswlab.gsw.reconciler.actors import CALLED, form, has_form, is_certain, is_named
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.homonyms import STRONG, marks, told_apart
from gswlab.language import keys
from gswlab.language.keys import head, is_full, is_plural, key, spaceless
from gswlab.language.lexicon import any_words, first_name_gender, word_pairs, words
from gswlab.language.log_linear import log_linear

Features: TypeAlias = dict[str, float]


def context(scene: ChunkContext, new: Actor, old: Actor) -> Features:
    """What speaks for or against a merge beside the name."""
    unsaid = not (new.votes and old.votes) and "abstract" in (new.kind, old.kind)
    other = not unsaid and new.kind != old.kind
    certain = other and is_certain(new) and is_certain(old)
    gendered, same = bool(new.gender and old.gender), new.gender == old.gender
    mine, yours = (_posts(actor) for actor in (new, old))
    professions = any_words("profession")  # a person usually has one
    holds = {
        "same chapter": old.id in scene.cast,
        "kind": new.kind == old.kind,
        "certainly another kind": certain,
        "another kind": other and not certain,
        "gender": gendered and same,
        "other gender": gendered and not same,
        "shared role": not mine.isdisjoint(yours),
        "other profession": mine.isdisjoint(yours)
        and not (mine.isdisjoint(professions) or yours.isdisjoint(professions)),
    }
    return {name: 1.0 for name, so in holds.items() if so}


def _posts(actor: Actor) -> set[str]:
    """Head nouns of an actor's roles, and the post that a title is short for."""
    posts, names = word_pairs("post"), (actor.name, *actor.aliases)
    titles = (name.partition(" ")[0].casefold().rstrip(".") for name in names)
    short = {posts[title] for title in titles if title in posts}
    return short | {head(role.text) for role in actor.roles}


# What a name says by itself.
LIKENESS = ("full_name", "name", "short", "fuller", "accents", "spelling")
_Scored: TypeAlias = list[tuple[Actor, Features]]
CandidateTable: TypeAlias = tuple[str, _Scored]


def ranked(table: CandidateTable, bias: float = 0.0) -> list[Candidate]:
    """Candidates, best first, by rounded scores; the earlier actor wins a tie."""
    column, scored = table
    weights, found = log_linear("en/coreference.tsv").weights, list[Candidate]()
    for actor, features in scored:
        parts = {f: v * weights.get(f, {}).get(column, 0) for f, v in features.items()}
        told = [(f, round(part, 3)) for f, part in parts.items() if part]
        told += [("merge bias", bias)] if bias else []
        found.append(Candidate(actor.id, round(sum(w for _, w in told), 3), (*told,)))
    return sorted(found, key=lambda c: (-c.score, int(c.actor[1:])))


def candidates(scene: ChunkContext, new: Actor) -> CandidateTable:
    """The one candidate step: the column of an actor's form, and who it may be."""
    named = form(new) in CALLED
    if has_form(new, "narrator") or any(v.reason == SIGNS for v in new.votes):
        told = [old for old in scene.actors() if has_form(old, "narrator")]
        told = [old for old in told if not (named and is_named(old))]
        if told or not named:
            return "narrator", [(old, {"narrator of the chapter": 1.0}) for old in told]
    if named:
        return by_name(scene, new)
    if form(new) == "pronoun":
        return by_pronoun(scene, new)
    # "the professor": by noun and by role
    scored = [(old, f) for old in scene.actors() if (f := _nominal(scene, new, old))]
    prefer_latest(scored)
    # What English books teach of articles says nothing where there are none.
    return "nominal_ja" if spaceless(new.name) else "nominal", scored


def by_name(scene: ChunkContext, new: Actor) -> CandidateTable:
    """Candidates for an actor that has a name."""
    cast = {a.id: a for a in (*scene.actors(), *scene.namesakes(new.name))}
    scored = [(old, f) for old in cast.values() if (f := _named(scene, new, old))]
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
    whole, alone = key(new.name), len(scored) == 1 == len(rivals)
    half = len(whole) == 1 and spaceless(whole[0]) and new.kind == "person"
    if alone and half and is_full(key(scored[0][0].name)):
        rivals[0]["the only one so called"] = 1.0
    prefer_latest([s for s in scored if s[1].keys() & {"name", "full_name"}])
    return "name", scored


def _doubt(rivals: list[Features], spared: list[Features]) -> None:
    for features in rivals if len(rivals) > 1 else ():
        if features not in spared:
            features["not unique"] = 1.0


def prefer_latest(scored: list[tuple[Actor, Features]]) -> None:
    """Of two doors "the door" is the one last spoken of; a tie would make a third."""

    def last(row: tuple[Actor, Features]) -> tuple[int, int]:
        end = row[0].mentions[-1].span.end if row[0].mentions else 0
        return end, -int(row[0].id[1:])

    if len(scored) > 1:
        max(scored, key=last)[1]["last spoken of"] = 1.0


def _named(scene: ChunkContext, new: Actor, old: Actor) -> Features:
    if new.kind == "time" or old.kind == "time":
        same = new.kind == old.kind and new.value is not None
        return {"same date": 1.0} if same and new.value == old.value else {}
    like = _likeness(new, old)
    if like is None or (like != "full_name" and form(old) == "nominal"):
        return {}  # "Baker" is no baker
    features = {like: 1.0}
    if like == "name" and {new.kind, old.kind} <= {"place", "organisation", "work"}:
        features["one word is a full name for it"] = 1.0
    features |= context(scene, new, old) | _marks(new, old, like)
    if like == "name" and "same chapter" in features:
        features["the name in this chapter"] = 1.0
    if like == "full_name" and old.id in scene.cast and "other gender" in features:
        del features["other gender"]  # rather a pronoun misread
        features["other gender here"] = 1.0
    return features


def _marks(new: Actor, old: Actor, like: str) -> Features:
    """What is said beside a name, to tell two of one name apart."""
    if told_apart(new, old, whole=like in ("full_name", "name")):
        return {"told apart": 1.0}
    if marks(new) & (yours := marks(old)):
        return {"told apart alike": 1.0}
    if "junior" in yours:
        return {"junior elsewhere": 1.0}
    return {"told apart elsewhere": 1.0} if yours & STRONG else {}


def _likeness(new: Actor, old: Actor) -> str | None:
    """The best likeness of any two names; full ones that differ share no short form."""
    letters = keys.initials(new.name)
    names = [n for n in (old.name, *old.aliases) if letters & keys.initials(n)]
    full = [n for n in names if is_full(key(n))]
    names = full if full and is_full(key(new.name)) else names
    kind = old.kind if new.kind != "person" else new.kind
    found = {keys.likeness(new.name, name, kind) for name in names} - {None}
    return min(found, key=lambda like: LIKENESS.index(str(like)), default=None)


def _nominal(scene: ChunkContext, new: Actor, old: Actor) -> Features:
    noun = head(new.name)
    if not noun or new.kind == "time":
        return {}
    features: Features = {}
    if head(old.name) == noun and form(old) == "nominal":
        features["same noun"] = 1.0
        mine, yours = keys.modifiers(new.name), keys.modifiers(old.name)
        if mine - yours and yours - mine:
            return {}  # the red door is no blue door
        if mine or yours:
            which = "more" if mine - yours else "fewer" if yours - mine else "same"
            features[f"{which} modifiers"] = 1.0
    else:  # in these words or in their like: the lad is the boy
        like, heads = word_pairs("noun_alike"), (head(r.text) for r in old.roles)
        own = any(like.get(word, word) == like.get(noun, noun) for word in heads)
        own |= is_named(old) and noun == head(old.name)  # of Our Saviour's Church
        if old.kind != new.kind or not own:
            return {}
        features["has that role"] = 1.0
    features[_determined(scene, new)] = 1.0
    if is_plural(new.name):
        features["several"] = 1.0
    # Of two doors the nearer: one feature of nearness, or they weigh each other out.
    told = _presence(scene, new, old).items()
    features |= {f: value for f, value in told if f not in ("near", "here")}
    return features | context(scene, new, old)


def _determined(scene: ChunkContext, new: Actor) -> str:
    """How a nominal is determined: "the", "a", "his", "Tom's", or not at all."""
    word = next(iter(name_tokens(new.name)), "")
    if new.mentions:  # which may leave its article out
        mention = new.mentions[0]
        word = next(iter(name_tokens(mention.text or new.name)), "")
        if keys.article(word) == "none":
            word = "".join(scene.preceding(mention.span).casefold().split()[-1:])
    if word in words("personal"):
        return "possessed by a pronoun"
    if word.endswith(("'s", "\u2019s", "s'", "s\u2019")):
        return "possessed"
    said = keys.article(word)
    if said == "none" and not spaceless(new.name):
        return "bare and several" if is_plural(new.name) else "bare"
    return said


_HALF, _NEAR = 240.0, 40.0  # characters at which what is recent, or near, is half so
_FAR = 2000  # characters
_MANY = 16  # mentions; more do not make anybody more present
_PERSONAL = frozenset({"f", "m"})
_TALK = frozenset({"i", "you", "we", "us"})  # who speaks, or is spoken to
_COLUMNS = {"f": "he_she", "m": "he_she", "us": "we_said", "n": "it"}
_TURNS = 3  # others who have spoken since; more are as good as all


def by_pronoun(scene: ChunkContext, new: Actor) -> CandidateTable:
    """Candidates for "she", "they", "it" or "we" of the chunk."""
    fits = [old for old in scene.actors() if _fits(new, old)]
    scored = [(old, f) for old in fits if (f := _salience(scene, new, old))]
    if len(fits) == 1 and fits[0].kind == "person":
        for _, features in scored:
            features["only one that fits"] = 1.0
    if new.gender == "i":
        _add_turns(scene, new, scored)
    if new.gender in ("we", "us"):
        _add_company(scene, scored)
    prefer_latest(scored)
    return _COLUMNS.get(new.gender or "n", new.gender or ""), scored


def _fits(new: Actor, old: Actor) -> bool:
    if has_form(old, "narrator") or old.kind == "time":
        return False
    if {"we", "us"} & {new.gender, old.gender}:  # who speaks, with others
        return new.gender == old.gender
    if new.gender == "you" or old.gender in ("i", "you"):
        return False  # you are left open: of one quotation
    several = form(old) == "nominal" and is_plural(old.name)
    if new.gender == "i":
        return old.kind == "person" and old.gender != "they" and not several
    if new.gender in _PERSONAL:
        fits = old.kind == "person" and old.gender in (new.gender, None)
        return fits and not several
    if new.gender == "they":
        return old.gender == "they" or several or old.kind == "organisation"
    return old.kind != "person" and old.gender in ("n", None)


def _salience(scene: ChunkContext, new: Actor, old: Actor) -> Features:
    acts, features = scene.agents[old.id], _presence(scene, new, old)
    return features and features | {
        "person": float(old.kind == "person"),
        f"spoken of by {form(old)}": 1.0,
        "acts": float(acts > 0),
        "often": acts and acts / max(scene.agents.values()),
        "acted last": float(scene.acted == old.id),
        _gender(new, old): 1.0,
    }


def _presence(scene: ChunkContext, new: Actor, old: Actor) -> Features:
    """How far back an actor was last mentioned, and how; nothing where it was not."""
    told = [m for m in old.mentions if m.span.document == scene.chunk.document]
    at = min((m.span.start for m in new.mentions), default=scene.chunk.span.start)
    last = next((m for m in reversed(told) if m.span.start <= at), None)
    if last is None:
        return {}
    distance = max(0, at - last.span.end)
    return {
        "any": 1.0,
        "recent": _HALF / (_HALF + distance),
        "near": _NEAR / (_NEAR + distance),
        "far": float(distance > _FAR),
        "here": float(last.span.start >= scene.chunk.span.start),
        f"last spoken of by {last.form}": 1.0,
        "spoken of often": min(len(told), _MANY) / _MANY,
    }


def _add_turns(scene: ChunkContext, new: Actor, scored: _Scored) -> None:
    """Who may say I: how many others spoke since it did, and how it was last meant."""
    at, talk = min(m.span.start for m in new.mentions), word_pairs("in_talk")
    spoke, (begun, end) = _spoke(scene, at), [*(scene.chunk.quotes or ()), (0, 0)][0]
    for old, features in scored:
        turn = min(spoke.index(old.id), _TURNS) if old.id in spoke else _TURNS
        last = next(m for m in reversed(old.mentions) if m.span.start <= at)
        meant = talk.get(last.text.lower(), "other")
        features[f"spoke {turn} turns ago, meant by {meant}"] = 1.0
        if begun < 0 and at < scene.chunk.span.start + end:
            features[f"goes on, spoke {turn} turns ago"] = 1.0


def _add_company(scene: ChunkContext, scored: _Scored) -> None:
    """Who may say we: whether people told of now were told of when it was last said."""
    people = (a for a in scene.actors() if a.kind == "person" and a.gender not in _TALK)
    others = [actor for actor in people if not has_form(actor, "narrator")]
    told = {(mention.chunk, a.id) for a in others for mention in a.mentions}
    now = {who for chunk, who in told if chunk == scene.chunk.id}
    for old, features in scored:
        then = {who for chunk, who in told if chunk == old.mentions[-1].chunk}
        which = f"now {bool(now)}, then {bool(then)}, shared {bool(now & then)}"
        features[f"people {which}"] = 1.0


def _spoke(scene: ChunkContext, at: int) -> list[str]:
    """Who has said something before a character, each once, the last first."""
    resolve, ids, talk = scene.workspace.resolve, scene.ids, word_pairs("in_talk")
    spoke = [(a, resolve(i)) for a, i in _says(scene.shelf("verb_phrase"))]
    spoke += [(a, ids[i]) for a, i in _says(scene.local.verb_phrases) if i in ids]
    for actor in scene.actors():
        own = (m for m in actor.mentions if m.form == "pronoun")
        said = (m for m in own if talk.get(m.text.lower(), m.text.upper()) == "I")
        spoke += [(mention.span.start, actor.id) for mention in said]
    latest = (who for start, who in sorted(spoke, reverse=True) if start < at)
    return list(dict.fromkeys(latest))


def _says(phrases: Iterable[VerbPhrase]) -> Iterator[tuple[int, str]]:
    """Where something is said, and by whom."""
    for phrase in phrases:
        if phrase.spans and phrase.predicate.partition(" ")[0] in words("speech"):
            agents = (a.actor for a in phrase.arguments if a.slot == "agent")
            yield from ((phrase.spans[0].start, agent) for agent in agents if agent)


def _gender(new: Actor, old: Actor) -> str:
    """How the gender of a pronoun suits an actor."""
    if new.gender == old.gender:
        return "gender"
    if new.gender == "they" and old.gender is None and is_plural(old.name):
        return "several"
    usual = old.gender
    if usual is None and form(old) in NAME_FORMS:
        usual = first_name_gender(next(iter(key(old.name)), ""))
    if usual in (None, "either") or new.gender not in _PERSONAL:
        return "gender not said"
    other = "" if usual == new.gender else "another gender usual for the name"
    return other or "usual gender of the name"
