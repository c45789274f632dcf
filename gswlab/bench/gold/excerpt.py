"""Gold excerpts: short texts annotated with who is there, how, doing what, when, where.

An excerpt is one YAML file, `experiments/texts/gold/README.md` says how it is written.
Mentions stand in the text itself, in braces; every other quotation is looked for in the
plain text, in reading order, and a file whose quotation does not occur is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import ActorKind

# Mentions in braces inside the text, and quotations looked for in it.

OPTIONAL = "?"
_OPEN = re.compile(r"\{(@-(?=:)|@\?|@-?[\d-]+(?:T\d\d:\d\d)?|\w+|\?)([:=])|\}")


@dataclass(frozen=True, slots=True)
class GoldMark:
    """Characters of the plain text that mention `key`: an actor, `@` time or `?`."""

    key: str
    start: int
    end: int
    text: str
    pronoun: bool = False


def unmarked(marked: str) -> tuple[str, tuple[GoldMark, ...]]:
    """The plain text, and its marks by where they start (outer before inner)."""
    plain, marks, last = "", [], 0
    waiting: list[tuple[str, bool, int]] = []
    for found in _OPEN.finditer(marked):
        plain += marked[last : found.start()]
        last = found.end()
        if found[1]:
            waiting.append((found[1], found[2] == "=", len(plain)))
        else:
            key, pronoun, start = waiting.pop()
            marks.append(GoldMark(key, start, len(plain), plain[start:], pronoun))
    plain += marked[last:]
    if waiting or "{" in plain or "}" in plain:
        raise ValueError(f"braces do not pair in {plain[:60]!r}")
    return plain, tuple(sorted(marks, key=lambda m: (m.start, -m.end)))


def located(rows: Sequence[str], text: str) -> Iterator[tuple[list[str], int, bool]]:
    """The fields of each row, where its quotation starts, whether it is optional."""
    at = 0
    for row in rows:
        fields = [field.strip() for field in row.split("|")]
        optional = fields[0].startswith(OPTIONAL)
        fields[0] = fields[0].removeprefix(OPTIONAL).strip()
        whole = rf"(?<![a-zA-Z0-9]){re.escape(fields[0])}(?![a-zA-Z0-9])"
        found = re.compile(whole).search(text, at)
        if found is None:
            raise ValueError(f"{fields[0]!r} does not occur after character {at}")
        yield fields, found.start(), optional
        at = found.start() + 1


def wordings_of(text: str) -> tuple[str, ...]:
    """Equally good wordings: "dead / died"."""
    return tuple(each.strip() for each in text.split(" / "))


_RULE = "an excerpt is written as experiments/texts/gold/README.md says"
_COMMAND = "pytest tests/bench/test_gold.py"


class Noted(BaseModel):
    """An actor of the gold; its id is its key."""

    model_config = ConfigDict(extra="forbid")
    kind: ActorKind
    name: str
    roles: tuple[str, ...] = ()


class GoldAnchor(BaseModel):
    """A time (ISO value) or place (actor) that holds for actors told so elsewhere."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["time", "space"]
    value: str
    actors: tuple[str, ...]
    late: bool = False


class GoldFile(BaseModel):
    """An excerpt as it is written."""

    model_config = ConfigDict(extra="forbid")
    genre: str
    language: str
    text: str
    time: str | None = None
    actors: dict[str, Noted]
    states: tuple[str, ...] = ()
    verb_phrases: tuple[str, ...] = ()
    homonyms: tuple[tuple[str, str], ...] = ()
    timelines: tuple[dict[str, tuple[str, ...]], ...] = ()
    conflicts: tuple[dict[str, tuple[str, str]], ...] = ()
    propagation: tuple[GoldAnchor, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldState:
    """A condition, quoted at `start`."""

    actor: str
    text: str
    start: int
    optional: bool


@dataclass(frozen=True, slots=True)
class GoldPhrase:
    """What happens, quoted at `start`; `effects` pairs an actor with equal wordings."""

    bases: tuple[str, ...]
    start: int
    end: int
    agents: tuple[str, ...]
    patients: tuple[str, ...]
    effects: tuple[tuple[str, tuple[str, ...]], ...]
    negated: bool
    optional: bool


@dataclass(frozen=True, slots=True)
class GoldExcerpt:
    """A text and what it says. `file` holds what needs no place in the text."""

    name: str
    text: str
    file: GoldFile
    marks: tuple[GoldMark, ...]
    states: tuple[GoldState, ...]
    phrases: tuple[GoldPhrase, ...]


def load_excerpts(folder: str | Path) -> tuple[GoldExcerpt, ...]:
    """The excerpts of a folder, by name.

    Raises:
        GswlabError: there is none, or one is not written as the rules say.
    """
    paths = sorted(Path(folder).glob("*.yaml"))
    if not paths:
        raise GswlabError(
            f"{folder} holds no excerpt", _RULE, "experiments/recipes/gold.sh"
        )
    found = []
    for path in paths:
        try:
            file = GoldFile.model_validate(yaml.safe_load(path.read_text("utf-8")))
            found.append(excerpt(path.stem, file))
        except (OSError, yaml.YAMLError, ValidationError, ValueError) as error:
            problem = f"{path.name}: {' '.join(str(error).split())}"
            raise GswlabError(problem, _RULE, _COMMAND) from error
    return tuple(found)


def excerpt(name: str, file: GoldFile) -> GoldExcerpt:
    """The excerpt of a file; ValueError names what does not fit its text."""
    joined = re.sub(
        r"(?<!\n)\n(?!\n)", " " if file.language == "en" else "", file.text.strip()
    )
    text, marks = unmarked(joined)
    states = tuple(
        GoldState(fields[1], fields[0], start, optional)
        for fields, start, optional in located(file.states, text)
    )
    phrases = []
    for fields, start, optional in located(file.verb_phrases, text):
        quote, base, who, changes = (*fields, "", "")[:4]
        agents, _, patients = who.partition(">")
        parts = (effect.partition(":") for effect in filter(None, changes.split(";")))
        effects = tuple(
            (actor.strip(), wordings_of(s.strip())) for actor, _, s in parts
        )
        bases = tuple(each.removeprefix("not ") for each in wordings_of(base))
        ends = start, start + len(quote)
        whose = _ids(agents), _ids(patients)
        denied = base.startswith("not ")
        phrases.append(GoldPhrase(bases, *ends, *whose, effects, denied, optional))
    made = GoldExcerpt(name, text, file, marks, states, tuple(phrases))
    _check(made)
    return made


def _ids(text: str) -> tuple[str, ...]:
    return tuple(each for part in text.split(",") if (each := part.strip()) not in "-")


def _check(made: GoldExcerpt) -> None:
    """Every id is an actor with a mention; every role occurs in the text."""
    file = made.file
    marked = {m.key for m in made.marks if m.key[0] not in "@?"}
    used = {s.actor for s in made.states} | {a for pair in file.homonyms for a in pair}
    used |= {a for p in made.phrases for a in (*p.agents, *p.patients)}
    used |= {actor for p in made.phrases for actor, _ in p.effects}
    used |= {a for each in file.timelines for a in each}
    used |= {a for each in file.conflicts for a in each}
    used |= {a for shared in file.propagation for a in shared.actors}
    used |= {shared.value for shared in file.propagation if shared.kind == "space"}
    if strange := sorted((used | marked) - set(file.actors)):
        raise ValueError(f"{strange} are no actors of the file")
    if absent := sorted(set(file.actors) - marked):
        raise ValueError(f"{absent} have no mention")
    roles = [role for actor in file.actors.values() for role in actor.roles]
    if missing := [r for r in roles if r.casefold() not in made.text.casefold()]:
        raise ValueError(f"the roles {missing} do not occur in the text")
