"""LoCoMo: long conversations of two, and questions with the turns that answer them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from gswlab.bench.epbench import refused
from gswlab.bench.folder import digest_of_files
from gswlab.bench.measures import parted_f1, stem_f1
from gswlab.bench.task import TaskQuestion, TextLine, World, Worlds, laid, number_range
from gswlab.bench.texts import PATH, existing_file
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer
from gswlab.language.dates.format import format_date

_COMMAND = "python -m gswlab run experiment=locomo dataset.file=FILE"
_RULE = "a JSON list of conversations in LoCoMo's layout"
_SETTINGS = ("multi_hop", "temporal", "open_domain", "single_hop", "adversarial")
CATEGORIES = dict(enumerate(_SETTINGS, 1))
ADVERSARIAL = CATEGORIES[5]
_ID = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_TIME = "%I:%M %p on %d %B, %Y"
_Text = Annotated[str, Field(min_length=1)]


class _Turn(BaseModel):
    speaker: _Text
    dia_id: _Text
    text: str
    blip_caption: str | None = None

    @property
    def told(self) -> str:
        caption = f"[shares {self.blip_caption}]" if self.blip_caption else ""
        return " ".join(f"{self.text.strip()} {caption}".split())


class _Asked(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True)
    question: _Text
    category: Annotated[int, Field(ge=1, le=5)]
    evidence: list[str] = []
    answer: str = ""


class _Talk(BaseModel):
    sample_id: str = ""
    conversation: dict[str, Any]
    qa: list[_Asked]


class _Doubt(BaseModel):
    question_id: _Text


def load_locomo(
    path: Path, errors: Path | None = None, kept: range | None = None
) -> tuple[Document, tuple[World, ...]]:
    """The conversations of a file, those numbered `kept` (from 1), and their document.

    `GswlabError` names the first fault of another layout.
    """
    talks = _checked(path, TypeAdapter(list[_Talk]), _RULE)
    rule = "a JSON list of objects that have question_id"
    doubts = _checked(errors, TypeAdapter(list[_Doubt]), rule) if errors else ()
    doubted = frozenset(doubt.question_id for doubt in doubts)
    numbers = [n for n in range(1, len(talks) + 1) if kept is None or n in kept]
    if not numbers:
        problem = f"{path} holds conversations 1 to {len(talks)}, none of those"
        command = f"{_COMMAND} dataset.conversations=1"
        raise GswlabError(f"{problem} asked for", _RULE, command)
    turns = [_turns(talks[n - 1], n, path) for n in numbers]
    document, chunks = laid("locomo", [[line for _, line in own] for own in turns])
    worlds = []
    for number, own, read in zip(numbers, turns, chunks, strict=True):
        ids = {id_: c.id for (id_, _), c in zip(own, read, strict=True)}
        questions = []
        for row, asked in enumerate(talks[number - 1].qa):
            id_, setting = f"locomo_{number - 1}_qa{row}", CATEGORIES[asked.category]
            found = repaired(asked.evidence)
            gold = frozenset(ids[turn] for turn in found if turn in ids)
            absent = setting == ADVERSARIAL
            answers = () if absent else (asked.answer.strip(),)
            given = answers, setting, gold, absent, id_ in doubted
            questions.append(TaskQuestion(id_, asked.question, *given))
        worlds.append(World(f"conversation {number}", tuple(read), tuple(questions)))
    return document, tuple(worlds)


def _checked(path: Path, layout: TypeAdapter[Any], rule: str) -> Any:
    with refused(path, rule, _COMMAND):
        return layout.validate_python(json.loads(path.read_bytes()))


def _turns(talk: _Talk, number: int, path: Path) -> list[tuple[str, TextLine]]:
    """Ids and turns, session by session; a turn without a word is left out."""
    found = []
    listed = (k for k, v in talk.conversation.items() if type(v) is list)
    named = [_SESSION.fullmatch(key) for key in listed]
    for session in sorted(int(one[1]) for one in named if one):
        where = f"session {session} of conversation {number} of {path}"
        said = talk.conversation.get(f"session_{session}_date_time")
        try:
            time = datetime.strptime(str(said), _TIME).isoformat(timespec="minutes")
        except ValueError:
            rule = 'a time such as "1:56 pm on 8 May, 2023"'
            raise GswlabError(f"{where} is dated {said!r}", rule, _COMMAND) from None
        raw = talk.conversation[f"session_{session}"]
        with refused(where, _RULE, _COMMAND):
            turns = TypeAdapter(list[_Turn]).validate_python(raw)
        for turn in turns:
            if told := turn.told:
                title = f"{turn.speaker}, {format_date(time[:10])}"
                found.append((turn.dia_id, TextLine(told, title, turn.speaker, time)))
    if not found:
        problem = f"conversation {number} of {path} has no turn"
        raise GswlabError(problem, _RULE, _COMMAND)
    return found


def repaired(evidence: Sequence[str]) -> list[str]:
    """The ids of turns in evidence as the file has it.

    >>> repaired(["D1:3", "D8:6; D9:17", "D:11:26", "D"])
    ['D1:3', 'D8:6', 'D9:17', 'D11:26']
    """
    found = (match for text in evidence for match in _ID.finditer(text))
    return [f"D{int(match[1])}:{int(match[2])}" for match in found]


@dataclass
class Locomo(Worlds):
    """Conversations of LoCoMo: `file` and, to tell audited labels apart, `errors`.

    `conversations` are a number or a range, counted from 1; all without it. Beside
    `accuracy`, `f1` is the benchmark's own score.
    """

    file: str | None = field(default=None, metadata=PATH)
    errors: str | None = field(default=None, metadata=PATH)
    conversations: str | None = None
    name: ClassVar[str] = "locomo"

    @cached_property
    def laid(self) -> tuple[Document, tuple[World, ...]]:
        """The chosen conversations, a world each; a bad file raises `GswlabError`."""
        told, key = self.conversations, "dataset.conversations"
        chosen = None if told is None else number_range(str(told), key, _COMMAND)
        return load_locomo(self._file, self._errors, chosen)

    @property
    def _file(self) -> Path:
        return existing_file(self.file, "dataset.file", _COMMAND)

    @property
    def _errors(self) -> Path | None:
        named, command = self.errors, f"{_COMMAND} dataset.errors=FILE"
        return existing_file(named, "dataset.errors", command) if named else None

    def worth(self, question: TaskQuestion, answer: Answer) -> dict[str, float]:
        """`accuracy`, and the benchmark's score: F1, or 1 for abstaining rightly."""
        found = super().worth(question, answer)
        if question.absent:
            return {**found, "f1": found["accuracy"]}
        said = "" if answer.abstained else ", ".join(answer.items)
        gold = question.answers[0]
        if question.setting == "open_domain":
            gold = gold.partition(";")[0].strip()
        score = parted_f1 if question.setting == "multi_hop" else stem_f1
        return {**found, "f1": score(said, gold)}

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of the file, and of the audit where `errors` names one."""
        files = {"questions": self._file, "errors": self._errors}
        return {k: digest_of_files(path) for k, path in files.items() if path}
