"""Gold excerpts: short annotated texts, and what a memory makes of them.

An excerpt is one YAML file, `experiments/texts/gold/README.md` says how it is written.
Mentions stand in the text itself, in braces; every other quotation is looked for in the
plain text, in reading order, and a file whose quotation does not occur is refused. It
is read as a run reads: chunks, `partial_fit`, `finish`; local maps are kept on the way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Literal

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from gswlab.bench.coreference import best_pairs
from gswlab.bench.judge import fold, judged_stems
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Actor, ActorKind, Chunk, LocalMap, Mention, Span
from gswlab.core.protocols import Operator
from gswlab.core.step import Conflict, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.memory import GSW
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

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
    """The excerpts of a folder, by name; `GswlabError` for none, or a bad one."""
    paths = sorted(Path(folder).glob("*.yaml"))
    if not paths:
        command = "experiments/recipes/gold.sh"
        raise GswlabError(f"{folder} holds no excerpt", _RULE, command)
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
    space = " " if file.language == "en" else ""
    text, marks = unmarked(re.sub(r"(?<!\n)\n(?!\n)", space, file.text.strip()))
    states = tuple(
        GoldState(fields[1], fields[0], start, optional)
        for fields, start, optional in located(file.states, text)
    )
    phrases = []
    for fields, start, optional in located(file.verb_phrases, text):
        quote, base, who, changes = (*fields, "", "")[:4]
        agents, _, patients = who.partition(">")
        parts = (effect.partition(":") for effect in filter(None, changes.split(";")))
        effects = tuple((who.strip(), wordings_of(s.strip())) for who, _, s in parts)
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
    used = {state.actor for state in made.states}
    for p in made.phrases:
        used |= {*p.agents, *p.patients, *(actor for actor, _ in p.effects)}
    used.update(*file.homonyms, *file.timelines, *file.conflicts)
    for shared in file.propagation:
        used |= {*shared.actors, *([shared.value] if shared.kind == "space" else ())}
    if strange := sorted((used | marked) - set(file.actors)):
        raise ValueError(f"{strange} are no actors of the file")
    if absent := sorted(set(file.actors) - marked):
        raise ValueError(f"{absent} have no mention")
    roles = [role for actor in file.actors.values() for role in actor.roles]
    if missing := [r for r in roles if r.casefold() not in made.text.casefold()]:
        raise ValueError(f"the roles {missing} do not occur in the text")


_NOT = re.compile(r"\b(?:not?|never|nobody|nothing)\b|n't\b|ない|なかっ|ません|ずに?$")
_BE = frozenset(judged_stems("is was are were be been being has had have"))
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々]")
_CONTENT = re.compile(r"[a-z0-9\u30a0-\u30ff\u3400-\u9fff々]")
_HALF = 0.5


def same_span(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Half of their union shared, or one inside the other and both end together."""
    shared = min(one[1], two[1]) - max(one[0], two[0])
    union = max(one[1], two[1]) - min(one[0], two[0])
    return shared > 0 and (shared >= _HALF * union or one[1] == two[1])


def overlap(one: tuple[int, int], two: tuple[int, int]) -> int:
    """How many characters two spans share."""
    return max(0, min(one[1], two[1]) - max(one[0], two[0]))


def units(text: str) -> Counter[str]:
    """The content of a phrase: stems, or kanji and katakana; else what there is."""
    folded = fold(text)
    if _JAPANESE.search(folded):
        return Counter(_CONTENT.findall(folded)) or Counter(folded)
    stems = judged_stems(_NOT.sub(" ", folded)) - _BE
    return Counter(stems) or Counter(folded.split())


def alike_phrases(one: str, two: str) -> bool:
    """Whether two phrases share half of the shorter one's content, and a polarity."""
    a, b = units(one), units(two)
    denied = [bool(_NOT.search(text.casefold())) for text in (one, two)]
    if denied[0] != denied[1] or not (a and b):
        return False
    return (a & b).total() >= _HALF * min(a.total(), b.total())


PRONOUNS = frozenset({"pronoun", "narrator"})


@dataclass
class Recorder:
    """An operator whose maps are kept."""

    operator: Operator
    maps: list[LocalMap] = field(default_factory=list)

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """The operator's own map, kept in `maps` too."""
        self.maps.append(self.operator.extract(chunk, workspace))
        return self.maps[-1]


@dataclass(frozen=True)
class GoldReading:
    """What a memory made of an excerpt."""

    excerpt: GoldExcerpt
    chunks: tuple[Chunk, ...]
    maps: tuple[LocalMap, ...]
    workspace: Workspace
    conflicts: tuple[Conflict, ...]

    @cached_property
    def actor_marks(self) -> tuple[GoldMark, ...]:
        """The marks of actors, in reading order."""
        return tuple(m for m in self.excerpt.marks if m.key[0] not in "@?")

    def chunk_of(self, start: int) -> str:
        """The chunk that a character lies in ("" for a heading)."""
        within = (c.id for c in self.chunks if c.span.start <= start < c.span.end)
        return next(within, "")

    def inside(self, chunk: str) -> list[GoldMark]:
        """The actor marks of a chunk."""
        return [m for m in self.actor_marks if self.chunk_of(m.start) == chunk]

    def refers(self, actor: Actor) -> str | None:
        """The gold actor that most mentions of an actor mean, names before pronouns."""
        votes: Counter[str] = Counter()
        for mention in actor.mentions:
            one, marks = bounds(mention.span), self.actor_marks
            fits = [m for m in marks if same_span(one, (m.start, m.end))]
            if fits:  # the best fitting one of several
                mark = min(fits, key=lambda m: _distance(one, m))
                votes[mark.key] += 1 if mention.form in PRONOUNS else 100
        return max(votes, key=lambda key: votes[key]) if votes else None

    def is_incidental(self, actor: Actor) -> bool:
        """Whether an actor is a noun beside the point, or one the gold leaves free."""
        touched = [
            mark.key
            for mark in self.excerpt.marks
            for mention in actor.mentions
            if overlap(bounds(mention.span), (mark.start, mark.end))
        ]
        forms = {mention.form for mention in actor.mentions}
        if "?" in touched or "@?" in touched or forms <= PRONOUNS:
            return self.refers(actor) is None
        thing = actor.kind in ("object", "abstract") and "nominal" in forms
        return not touched and thing and forms <= PRONOUNS | {"nominal"}


def bounds(span: Span) -> tuple[int, int]:
    """A span's first and last offset."""
    return span.start, span.end


def _distance(one: tuple[int, int], mark: GoldMark) -> int:
    return abs(one[0] - mark.start) + abs(one[1] - mark.end)


def paired_mentions(
    mentions: Sequence[Mention], marks: Sequence[GoldMark]
) -> list[tuple[Mention, GoldMark]]:
    """Mentions and marks one to one, exact ones first."""
    weights = np.zeros((len(mentions), len(marks)))
    for (i, mention), (j, mark) in product(enumerate(mentions), enumerate(marks)):
        one = bounds(mention.span)
        if same_span(one, (mark.start, mark.end)):
            weights[i, j] = 1 / (1 + _distance(one, mark)) + 1
    return [(mentions[i], marks[j]) for i, j in best_pairs(weights)]


def read_excerpt(excerpt: GoldExcerpt, memory: GSW) -> GoldReading:
    """Read an excerpt to its end with an unread copy of a memory."""
    memory = replace(memory.clone(), operator=Recorder(memory.operator))
    parts = chunks(plain_document(excerpt))
    steps = (*(memory.partial_fit(chunk) for chunk in parts), memory.finish())
    return reading_of(excerpt, memory, steps)


def reading_of(excerpt: GoldExcerpt, memory: GSW, steps: Sequence[Step]) -> GoldReading:
    """What a memory whose operator is a `Recorder` made of an excerpt."""
    recorder = memory.operator
    assert isinstance(recorder, Recorder)
    found = tuple(d for s in steps for d in s.decisions if isinstance(d, Conflict))
    parts, maps = chunks(plain_document(excerpt)), tuple(recorder.maps)
    return GoldReading(excerpt, parts, maps, memory.workspace, found)


def plain_document(excerpt: GoldExcerpt) -> Document:
    """An excerpt's text as a document, its marks left out."""
    return document_of(excerpt.text, excerpt.name, time=excerpt.file.time)
