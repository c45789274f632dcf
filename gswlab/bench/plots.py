"""Plots of any size, made from a seed: what a memory's speed is measured on.

    python -m gswlab.bench.plots NODES [SEED] > PLOT.xml

A tenth of the nodes are characters. An event has two or three of a troupe of twelve,
which drifts through the cast, so that a character's ties stay as few as in a story,
however long the plot is. Two who meet again may change from friends to enemies.
"""

from __future__ import annotations

import json
import random
import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gswlab.bench import folder as digest
from gswlab.bench.texts import PATH, given
from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.hybridrag.plot import Character, Plot, PlotEvent, node_id, read_plot
from gswlab.hybridrag.ties import PlotWording
from gswlab.language.language import language_of
from gswlab.language.numbers import WORDS

# Questions about a plot: a JSON line each, described in `data/plots/README.md`.

COMMAND = "python -m gswlab run experiment=plot"
Kind = Literal["description", "relation", "change", "order", "aggregate"]
_Text = Annotated[str, Field(min_length=1)]
_RULE = (
    'a JSON object a line: {"id": ..., "kind": ..., "question": ..., "answers": ...}'
)


class PlotQuestion(BaseModel):
    """A question and its gold. No memory or reader ever gets more than `question`.

    `answers` are the items of the answer, each a list of equally good spellings; with
    `within` an answer need only hold one. `check` says how it follows from the plot.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: _Text
    kind: Kind
    question: _Text
    answers: Annotated[
        tuple[Annotated[tuple[_Text, ...], Field(min_length=1)], ...],
        Field(min_length=1),
    ]
    within: bool = False
    check: dict[str, Any] = Field(default_factory=dict)


def load_questions(path: Path) -> tuple[PlotQuestion, ...]:
    """The questions in a file, in its order.

    Raises:
        GswlabError: a line is no question, or two have one id.
    """
    found = tuple(_questions(path))
    ids = [question.id for question in found]
    twice = sorted({id_ for id_ in ids if ids.count(id_) > 1})
    if twice:
        problem = f"{path.name} has {twice[0]!r} twice"
        raise GswlabError(problem, "each question has an id of its own", COMMAND)
    if not found:
        raise GswlabError(f"{path.name} holds no question", _RULE, COMMAND)
    return found


def _questions(path: Path) -> Iterator[PlotQuestion]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise GswlabError(f"{path} cannot be read: {error}", _RULE, COMMAND) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield PlotQuestion.model_validate(json.loads(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            problem = f"line {number} of {path.name}: {where}: {first['msg']}"
            raise GswlabError(problem, _RULE, COMMAND) from None
        except ValueError as error:
            problem = f"line {number} of {path.name} is no JSON: {error}"
            raise GswlabError(problem, _RULE, COMMAND) from None


# A plot as memories read it: one chunk a character, one an event.

NAME = "plots"


@dataclass(frozen=True)
class World:
    """One plot and its questions; `start` is where its file begins in the document."""

    plot: Plot
    questions: tuple[PlotQuestion, ...]
    document: str
    start: int

    @property
    def name(self) -> str:
        """The id of the plot's document."""
        return self.plot.document.id

    @property
    def nodes(self) -> int:
        """Characters and events."""
        return len(self.plot.characters) + len(self.plot.events)

    @cached_property
    def whole(self) -> Chunk:
        """The file as it is, in one chunk: what long context reads."""
        text = self.plot.document.text
        span = Span(self.document, self.start, self.start + len(text))
        return Chunk(f"{self.name}:whole", self.document, None, 0, text, span)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """A chunk a character, then a chunk an event."""
        nouns: tuple[Character | PlotEvent, ...]
        nouns = (*self.plot.characters, *self.plot.events)
        told = zip(nouns, self._told(), strict=True)
        return tuple(
            Chunk(
                node_id(noun),
                self.document,
                None,
                index,
                text,
                self._span(noun.span),
                title,
            )
            for index, (noun, (title, text)) in enumerate(told)
        )

    def _told(self) -> Iterator[tuple[str, str]]:
        """Titles and texts, characters first."""
        words = PlotWording(self.plot.document.language)
        for one in self.plot.characters:
            title, _, text = words.character(
                one.name, one.role, one.description
            ).partition("\n")
            yield title, text
        names = {one.id: one.name for one in self.plot.characters}
        for number, event in enumerate(self.plot.events, 1):
            ties = dict.fromkeys(
                (*sorted((tie.source, tie.target)), tie.relation) for tie in event.ties
            )
            named = [(names[a], names[b], relation) for a, b, relation in ties]
            title, _, text = words.event(number, event.description, named).partition(
                "\n"
            )
            yield title, text

    def _span(self, span: Span) -> Span:
        return Span(self.document, self.start + span.start, self.start + span.end)


def document_of(plots: Sequence[Plot]) -> Document:
    """The document of one plot, or of several, their files one after the other."""
    if len(plots) == 1:
        return plots[0].document
    parts = [plot.document.text for plot in plots]
    chapters, at = [], 0
    for number, (plot, text) in enumerate(zip(plots, parts, strict=True), 1):
        span = Span(NAME, at, at + len(text))
        chapters.append(Chapter(number, plot.document.id, span))
        at = span.end + 1
    return Document(NAME, "\n".join(parts), tuple(chapters))


def worlds(
    plots: Sequence[Plot], questions: Sequence[tuple[PlotQuestion, ...]]
) -> tuple[World, ...]:
    """Each plot with its questions, placed in `document_of` them all."""
    document = document_of(plots)
    starts = [chapter.span.start for chapter in document.chapters]
    rows = zip(plots, questions, starts, strict=True)
    return tuple(World(plot, asked, document.id, at) for plot, asked, at in rows)


# Plots as what a run reads and is asked: a file, or those that come with the
# package.

BUNDLED = Path(__file__).parents[1] / "hybridrag" / "plots"


@dataclass
class Plots:
    """A plot and its questions; without a file, the five plots of the package.

    `documents` is how many tokens a memory may hand over that is measured as it was
    published, without a budget: long context, and parallel beside its graph.
    """

    file: str | None = field(default=None, metadata=PATH)
    questions: str | None = field(default=None, metadata=PATH)
    documents: int = 100_000

    def __post_init__(self) -> None:
        if self.questions and not self.file:
            command = f"{COMMAND} dataset.file=PLOT.xml dataset.questions=FILE"
            raise GswlabError("there is no plot to ask about", "both are set", command)

    def document(self) -> Document:
        """The files of all plots: the text that every span points into."""
        return document_of(self._plots)

    def chunks(self) -> tuple[Chunk, ...]:
        """Nothing: each plot is read by a memory of its own."""
        return ()

    @cached_property
    def worlds(self) -> tuple[World, ...]:
        """Each plot with its questions and their gold: for scoring alone."""
        return worlds(self._plots, [load_questions(file) for file in self._asked])

    @cached_property
    def _plots(self) -> tuple[Plot, ...]:
        return tuple(read_plot(file) for file in self._files)

    @property
    def _files(self) -> tuple[Path, ...]:
        if self.file is None:
            return tuple(sorted(BUNDLED.glob("*.xml")))
        return (given(self.file, "dataset.file", f"{COMMAND} dataset.file=PLOT.xml"),)

    @property
    def _asked(self) -> tuple[Path, ...]:
        if self.file is None:
            return tuple(file.with_suffix(".jsonl") for file in self._files)
        command = f"{COMMAND} dataset.file={self.file} dataset.questions=FILE"
        return (given(self.questions, "dataset.questions", command),)

    def hashes(self) -> dict[str, str]:
        """The content hash of the questions."""
        return {"questions": digest.of_files(*self._asked)}


# Whether an answer about a plot is right: a normalised match with accepted answers.

MOST = 40  # words, and thrice as many Japanese letters, of an answer that may hold more
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_EVENT = re.compile(r"^(?:events?|出来事|第)\s*(?=\d)")
_COUNTER = re.compile(
    r"(?<=\d)\s*(?:events?|times?|characters?|people|件|人|回|番|つ|目)+$"
)
_ENDING = re.compile(r"(?:です|でした|だった|だ|である|ます)$")
_PARTS = re.compile(r"\s*(?:[,、;・]|\band\b|\bと(?=\S))\s*")


def normalised(text: str) -> str:
    """Lower case, without articles, punctuation, counters and polite endings.

    >>> normalised("Event 4."), normalised("出来事４です。"), normalised("The Level!")
    ('4', '4', 'level')
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(" " if _mark(letter) else letter for letter in plain)
    plain = " ".join(_ARTICLE.sub(" ", plain).split())
    first, _, rest = _ENDING.sub("", plain).strip().partition(" ")
    plain = f"{WORDS.get(first, first)} {rest}".strip()
    return _COUNTER.sub("", _EVENT.sub("", plain)).strip()


def right(said: Sequence[str], question: PlotQuestion) -> bool:
    """Whether the items said and those of the answer match one to one."""
    wanted = [{normalised(text) for text in item} for item in question.answers]
    if question.within:
        return all(_holds(" ".join(said), item) for item in wanted)
    items = [normalised(text) for text in said]
    if len(wanted) > 1 and len(items) == 1:
        items = [normalised(part) for part in _PARTS.split(said[0]) if part]
    if len(items) != len(wanted):
        return False
    return all(any(item in known for item in items) for known in wanted)


def _holds(said: str, spellings: set[str]) -> bool:
    """Whether one of the spellings is said as a whole phrase, and not much else."""
    text = normalised(said)
    if language_of(said) == "ja":
        return len(text) <= 3 * MOST and any(s in text for s in spellings)
    short = len(text.split()) <= MOST
    return short and any(f" {s} " in f" {text} " for s in spellings)


def _mark(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "PSZ"


_TROUPE, _LEAST = 12, 20
_CHANGES = 0.2  # of the meetings of two who have met
_SYLLABLES = (
    "ba", "dor", "fen", "gar", "hul", "ish", "jen", "kor", "lim", "mar", "nel", "oth",
    "pel", "rin", "sal", "tor", "un", "vey",
)  # fmt: skip
_CRAFTS = (
    "baker", "cooper", "dyer", "ferryman", "glazier", "hunter", "joiner", "mason",
    "miller", "pilot", "saddler", "scribe", "smith", "tanner", "weaver",
)  # fmt: skip
_TRAITS = (
    "counts every step", "never sleeps indoors", "keeps a tame crow", "sings at work",
    "fears deep water", "forgets no debt", "owns a single coat", "speaks in proverbs",
    "collects old keys", "walks with a cane", "laughs at thunder", "writes to no one",
)  # fmt: skip
_DEEDS = (
    "A bargain is struck over {}", "A quarrel breaks out about {}", "Somebody hides {}",
    "A search begins for {}", "A stranger asks for {}", "A wager is lost for {}",
    "Rain ruins {}", "A child finds {}", "A letter tells of {}",
    "A night is spent by {}",
)  # fmt: skip
_THINGS = (
    "a silver bell", "the mill wheel", "a sack of salt", "the north gate", "a map",
    "the ferry rope", "a lame horse", "the harvest", "a sealed chest", "the old well",
)  # fmt: skip
_PLACES = (
    "at the weir", "in the market", "on the ridge", "under the bridge", "by the kiln",
    "in the chapel", "at the ford", "in the orchard", "on the quay", "at the inn",
)  # fmt: skip
ROLES = ("protagonist", "antagonist", "companion", "mentor", "supporting")


def written(nodes: int, seed: int = 0) -> str:
    """The XML of a plot of so many nodes.

    Raises:
        GswlabError: there is no plot of so few.

    >>> written(20).count("<Character "), written(20).count("<Event ")
    (2, 18)
    """
    if nodes < _LEAST:
        problem = f"a plot of {nodes} nodes cannot be made"
        command = "python -m gswlab.bench.plots 200 > PLOT.xml"
        raise GswlabError(problem, f"{_LEAST} or more", command)
    drawn, people = random.Random(seed), nodes // 10
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<Plot>",
            "<Characters>",
            *_characters(people, drawn),
            "</Characters>",
            "<EventList>",
            *_events(people, nodes - people, drawn),
            "</EventList>",
            "</Plot>",
            "",
        ]
    )


def _characters(people: int, drawn: random.Random) -> Iterator[str]:
    for number, name in zip(range(1, people + 1), _names(drawn), strict=False):
        told = f"A {drawn.choice(_CRAFTS)} who {drawn.choice(_TRAITS)}."
        yield (
            f'<Character id="{number}" role="{drawn.choice(ROLES)}">'
            f"<Name>{name}</Name><Description>{told}</Description></Character>"
        )


def _names(drawn: random.Random) -> Iterator[str]:
    """Distinct names, the shorter ones first."""
    for syllables in range(2, 6):
        names = ["".join(parts) for parts in product(_SYLLABLES, repeat=syllables)]
        drawn.shuffle(names)
        yield from (name.capitalize() for name in names)


def _events(people: int, events: int, drawn: random.Random) -> Iterator[str]:
    relations: dict[tuple[int, int], str] = {}
    for number in range(1, events + 1):
        middle = 1 + (people - 1) * number // events
        first = max(1, min(middle - _TROUPE // 2, people - _TROUPE + 1))
        troupe = range(first, min(first + _TROUPE, people + 1))
        cast = sorted(drawn.sample(troupe, min(drawn.choice((2, 2, 3)), len(troupe))))
        ties = "".join(_tie(pair, relations, drawn) for pair in combinations(cast, 2))
        deed, thing = drawn.choice(_DEEDS), drawn.choice(_THINGS)
        told = f"{deed.format(thing)} {drawn.choice(_PLACES)}."
        yield (
            f'<Event id="{number}"><Description>{told}</Description>'
            f"<Relationship>{ties}</Relationship></Event>"
        )


def _tie(
    pair: tuple[int, int], relations: dict[tuple[int, int], str], drawn: random.Random
) -> str:
    known = relations.get(pair)
    if known is None:
        relations[pair] = drawn.choice(("friend", "enemy"))
    elif drawn.random() < _CHANGES:
        relations[pair] = "enemy" if known == "friend" else "friend"
    ends = (pair, pair[::-1])
    return "".join(
        f'<CharacterRef from="{one}" to="{other}" relation="{relations[pair]}"/>'
        for one, other in ends
    )


if __name__ == "__main__":
    nodes, *seed = map(int, sys.argv[1:])
    sys.stdout.write(written(nodes, *seed))
