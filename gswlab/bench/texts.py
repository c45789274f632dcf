"""What a run reads, and the questions it is asked afterwards.

`document()` gives the text alone; questions and gold come from an `AskedText`, which a
run turns to after the book's last step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from pydantic import TypeAdapter

from gswlab.bench.anatomy import GoldTuple, helping, load_tuples
from gswlab.bench.epbench import EpQuestion, load_book, load_questions
from gswlab.bench.folder import digest_of_files
from gswlab.bench.judge import Judge
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk
from gswlab.gsw.official import Imported, imported
from gswlab.text.document import document_of, read_document

PATH = {"path": True}
BENCH = "python -m gswlab run experiment=epbench"


@dataclass(frozen=True)
class Text:
    """Any text to read and ask: .txt, .md or a book. `time` is its own date (ISO)."""

    file: str | None = field(default=None, metadata=PATH)
    time: str | None = None

    def document(self) -> Document:
        """The text, as it is."""
        file = existing_file(self.file, "dataset.file", "python -m gswlab read FILE")
        return read_document(file, time=self.time)


class AskedText(ABC):
    """A dataset with questions: nothing of this is called before the book is read."""

    def ready(self) -> object:
        """Fail, before the reading, where the questions could not be had after it."""
        return None  # what is made from settings alone is always there

    @abstractmethod
    def load_questions(self) -> tuple[EpQuestion, ...]:
        """The questions, with their gold."""

    @abstractmethod
    def load_tuples(self) -> dict[int, GoldTuple]:
        """What happened in each chapter, where the dataset says so: for scoring."""

    @abstractmethod
    def judge(self) -> Judge:
        """The offline judge, with the dataset's registered aliases."""

    @abstractmethod
    def hashes(self) -> dict[str, str]:
        """The content hashes of all that is scored against."""


@dataclass(frozen=True)
class EpBench(AskedText):
    """A book and its questions; `tuples` and `aliases` only help to score a run."""

    book: str | None = field(default=None, metadata=PATH)
    questions: str | None = field(default=None, metadata=PATH)
    tuples: str | None = field(default=None, metadata=PATH)
    aliases: str | None = field(default=None, metadata=PATH)

    def document(self) -> Document:
        """The book; no other file is opened."""
        command = f"{BENCH} dataset.book=FILE"
        return load_book(existing_file(self.book, "dataset.book", command))

    def ready(self) -> Path:
        """The file of questions, which stays closed; `GswlabError` if there is none."""
        command = f"{BENCH} dataset.questions=FILE"
        return existing_file(self.questions, "dataset.questions", command)

    def load_questions(self) -> tuple[EpQuestion, ...]:
        """The questions of a JSON or parquet file; `GswlabError` for a bad one."""
        return load_questions(self.ready())

    def load_tuples(self) -> dict[int, GoldTuple]:
        """The gold tuple of each chapter; nothing where no file is set."""
        return load_tuples(self.tuples) if self.tuples else {}

    def judge(self) -> Judge:
        """The offline judge, with the names of the file `aliases` where one is set."""
        if not self.aliases:
            return Judge()
        rule = 'dataset.aliases is a JSON object of lists: {"Name": ["Other name"]}'
        names = TypeAdapter(dict[str, tuple[str, ...]]).validate_python
        command = f"{BENCH} dataset.aliases=FILE"
        return Judge(helping(Path(self.aliases), names, rule, command))

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of questions, tuples and aliases, of the files that exist."""
        files = {n: getattr(self, n) for n in ("questions", "tuples", "aliases")}
        known = {n: Path(file) for n, file in files.items() if file}
        return {n: digest_of_files(p) for n, p in known.items() if p.is_file()}


def existing_file(file: str | None, key: str, command: str) -> Path:
    """The path of a setting that names a file or folder; a sentence that it has to."""
    what = "folder" if key in ("--shelf", "dataset.folder") else "file"
    rule = f"{key} names a {what}"
    if not file:
        raise GswlabError(f"{key} is not set", rule, command)
    path = Path(file)
    if not path.exists():
        if key != "dataset.file":
            rule += "; benchmark data lies in the folder GSWLAB_DATA names"
        lacks = "file" if path.suffix else what
        raise GswlabError(f"there is no {lacks} {path}", rule, command)
    return path


@cache
def bench_lines(name: str) -> list[str]:
    """The lines of a file of `data/`, without empty ones and remarks."""
    text = (Path(__file__).with_name("data") / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


# A chat as a run: its messages come one by one, and the journal is where they are.


@dataclass(frozen=True)
class Talk:
    """A chat that nobody has begun yet; `name` tells chats of equal settings apart."""

    name: str = "chat"

    def document(self) -> Document:
        """What a run reads before its first message: the chat's name."""
        return document_of(f"This is {self.name}.", self.name)

    def chunks(self) -> tuple[Chunk, ...]:
        """None: every message is added when it is said."""
        return ()


_COMMAND = "python -m gswlab read FILE.json"


@dataclass
class OfficialFile:
    """A JSON file of the published code, over `text` where that is at hand."""

    file: str | None = field(default=None, metadata=PATH)
    text: str | None = field(default=None, metadata=PATH)

    @cached_property
    def _imported(self) -> Imported:
        file = existing_file(self.file, "dataset.file", _COMMAND)
        text = existing_file(self.text, "dataset.text", _COMMAND) if self.text else None
        return imported(file, text)

    def document(self) -> Document:
        """The text, or a listing of what the file states where it has none."""
        return self._imported.document

    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks that the file's records are of."""
        return self._imported.chunks
