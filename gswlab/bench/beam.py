"""BEAM: chats of 100,000 tokens, and questions with the turns that their answers need.

Answers are prose that only a judge could score: what is counted here without one is
the share of a question's turns that are handed over. A question without such turns has
no answer in its chat.

Source: Tavakoli et al., BEAM (mohammadtavakoli78/BEAM, CC BY-SA 4.0).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, TypeAdapter

from gswlab.bench.epbench import refused
from gswlab.bench.folder import digest_of_files
from gswlab.bench.task import TaskQuestion, TextLine, World, Worlds, laid, number_range
from gswlab.bench.texts import PATH, existing_file
from gswlab.core.document import Document
from gswlab.core.nouns import Answer

_COMMAND = "python -m gswlab run experiment=beam dataset.folder=DIR"
_RULE = "a folder a chat, with chat.json and probing_questions/, in BEAM's layout"
_MARK = re.compile(r"\s*->->\s*\d.*\Z", re.S)  # by which the chat's plan is numbered
_ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary")


class _Turn(BaseModel):
    id: int
    role: str
    content: str
    time_anchor: str | None = None


class _Batch(BaseModel):
    turns: list[list[_Turn]]


class _Probe(BaseModel):
    question: str
    source_chat_ids: Any = ()
    answer: str = ""
    ideal_answer: str = ""
    ideal_response: str = ""
    ideal_summary: str = ""
    rubric: list[str] = []


def turn_ids(nested: Any) -> Iterator[int]:
    """The ids of turns in whatever lists and objects hold them.

    >>> [*turn_ids({"first": [58], "second": [[24], 7]})]
    [58, 24, 7]
    """
    if isinstance(nested, int):
        yield nested
    elif isinstance(nested, dict | list | tuple):
        parts = nested.values() if isinstance(nested, dict) else nested
        for part in parts:
            yield from turn_ids(part)


def doubtful(answer: str, rubric: Sequence[str], said: str | None) -> bool:
    """Whether a rubric wants a number that the gold answer does not have.

    Or whether that answer has one that its turns, where these are given, do not.

    >>> doubtful("exactly 4 weeks", ["LLM response should state: 8 weeks"], None)
    True
    """
    told = set(_NUMBER.findall(answer))
    wanted = {number for line in rubric for number in _NUMBER.findall(line)}
    unsaid = said is not None and not told <= set(_NUMBER.findall(said))
    return unsaid or bool(wanted and told and not wanted <= told)


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LOOKED_UP = ("information_extraction", "knowledge_update")  # nothing to work out


@dataclass
class Beam(Worlds):
    """Chats of BEAM: `folder` holds one a number; `chats` a number or a range of them.

    A turn is a chunk under its speaker; the marks of the chat's plan are left out.
    """

    folder: str | None = field(default=None, metadata=PATH)
    chats: str = "1-10"
    name: ClassVar[str] = "beam"

    @cached_property
    def laid(self) -> tuple[Document, tuple[World, ...]]:
        """The chosen chats, a world each; a bad file raises `GswlabError`."""
        said = [self._turns(path) for path, _ in self._files]
        lines = [[line for _, line in own] for own in said]
        document, chunks = laid("beam", lines)
        worlds = []
        files = zip(self._numbers, self._files, said, chunks, strict=True)
        for number, (_, path), own, read in files:
            ids = {id_: c.id for (id_, _), c in zip(own, read, strict=True)}
            probes = TypeAdapter(dict[str, list[_Probe]])
            with refused(path, _RULE, _COMMAND):
                asked = probes.validate_python(json.loads(path.read_bytes()))
            questions = list[TaskQuestion]()
            for kind, probe in ((k, p) for k, each in asked.items() for p in each):
                gold = frozenset(map(ids.__getitem__, turn_ids(probe.source_chat_ids)))
                told = next(filter(None, (getattr(probe, n) for n in _ANSWERS)), "")
                turns = " ".join(c.text for c in read if c.id in gold)
                doubt = doubtful(
                    told, probe.rubric, turns if kind in _LOOKED_UP else None
                )
                given = kind, gold, not gold, doubt
                name = f"{number}/{kind}/{len(questions)}"
                questions.append(TaskQuestion(name, probe.question, (told,), *given))
            worlds.append(World(f"chat {number}", tuple(read), tuple(questions)))
        return document, tuple(worlds)

    def worth(self, question: TaskQuestion, answer: Answer) -> dict[str, float]:
        """Nothing but abstaining is scored: of the rest only a judge could tell."""
        return super().worth(question, answer) if question.absent else {}

    @property
    def _numbers(self) -> range:
        return number_range(str(self.chats), "dataset.chats", _COMMAND)

    @property
    def _files(self) -> list[tuple[Path, Path]]:
        top = self.folder or ""
        names = ("chat.json", "probing_questions/probing_questions.json")
        each = [[f"{top}/{n}/{name}" for name in names] for n in self._numbers]
        key = "dataset.folder"
        found = [[existing_file(path, key, _COMMAND) for path in pair] for pair in each]
        return [(chat, asked) for chat, asked in found]

    def _turns(self, path: Path) -> list[tuple[int, TextLine]]:
        with refused(path, _RULE, _COMMAND):
            batches = TypeAdapter(list[_Batch]).validate_python(
                json.loads(path.read_bytes())
            )
        turns = (turn for b in batches for group in b.turns for turn in group)
        found = ((turn, _MARK.sub("", turn.content).strip()) for turn in turns)
        return [(t.id, TextLine(text, t.role, t.role)) for t, text in found if text]

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of the chats and of their questions."""
        chats, asked = zip(*self._files, strict=True)
        return {"chats": digest_of_files(*chats), "questions": digest_of_files(*asked)}
