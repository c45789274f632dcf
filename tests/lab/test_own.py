"""Classes of your own in the place of ours: stepped, forked and asked the same way."""

from __future__ import annotations

import sqlite3
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

import gswlab
from gswlab.core.budget import cut, retrieved
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Evidence, Item
from gswlab.core.step import Step
from gswlab.lab import config
from gswlab.models.vectors.embedder import Embedder

MODULE = '''
from dataclasses import dataclass
from gswlab.core.nouns import Answer

@dataclass
class Shrug:
    """A reader that says one word."""
    word: str = "perhaps"
    def answer(self, question, evidence):
        spans = tuple(span for item in evidence.items for span in item.spans)
        return Answer((self.word,), False, (), spans, "it always says so")
'''


@dataclass
class Newest:
    """A memory of the newest chunks, newest first."""

    size: int = 3
    embedder: Embedder | None = None
    chunks: list[Chunk] = field(default_factory=list, init=False)

    def partial_fit(self, chunk: Chunk) -> Step:
        self.chunks.append(chunk)
        return Step(len(self.chunks) - 1, chunk.id)

    def finish(self) -> Step:
        return Step(len(self.chunks), None)

    def recall(self, question: str, budget: int) -> Evidence:
        newest = self.chunks[::-1][: self.size]
        items = [Item(c.text, (c.span,), c.chapter, 1.0) for c in newest]
        return retrieved(cut(items, budget), {})

    def clone(self) -> Newest:
        return replace(self)


class Loose:
    """No dataclass: nobody can tell its settings."""


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("Rain fell. Ann Ray left Kobe. She sang. Bo wept. Snow fell.")
    return path


def opened(text: Path, *overrides: str, **own: object) -> gswlab.Lab:
    given = (f"dataset.file={text}", f"run.parent={text.parent}", "chunk.sentences=1")
    return gswlab.open(*given, *overrides, **own)


def test_an_object_is_stepped_forked_and_resumed_like_ours(text: Path) -> None:
    lab = opened(text, memory=Newest(size=2))
    lab.run()
    assert [item.text for item in lab.recall("Who?").items] == [
        "Snow fell.",
        "Bo wept.",
    ]
    fork = lab.fork(2, "memory.size=1")
    assert len(fork.journal) == 2
    assert fork.folder.path.is_relative_to(text.parent)
    fork.run()
    assert len(fork.recall("Who?").items) == 1
    assert lab.config.hash != fork.config.hash
    again = config.reopen(lab.folder.path)
    assert again.recall("Who?") == lab.recall("Who?")


def test_what_an_object_is_built_with_is_settings_and_groups_are_built_for_it(
    text: Path,
) -> None:
    lab = opened(text, "embedder=none", memory=Newest(size=2))
    assert lab.config.settings["memory"]["size"] == 2
    assert opened(text, memory=Newest(size=2)).memory.embedder is not None
    assert "memory.size=2" in lab.config.command


def test_a_class_of_an_allowed_module_is_named_on_the_command_line(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shrugging.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("GSWLAB_MODULES", str(tmp_path / "modules.txt"))
    with pytest.raises(GswlabError, match="modules you list in"):
        opened(text, "reader=shrugging.Shrug")
    assert "shrugging" not in sys.modules
    (tmp_path / "modules.txt").write_text("shrugging\n")
    lab = opened(text, "reader=shrugging.Shrug", "reader.word=maybe")
    lab.run()
    assert lab.ask("Who?").items == ("maybe",)
    with pytest.raises(GswlabError, match="there is no such class"):
        opened(text, "reader=shrugging.Nobody")
    with pytest.raises(GswlabError, match=r"there are reader\.word"):
        opened(text, "reader=shrugging.Shrug", "reader.words=maybe")


def test_a_settings_of_the_wrong_type_and_an_object_without_settings_are_refused(
    text: Path,
) -> None:
    with pytest.raises(GswlabError, match=r"memory\.size cannot be 'many'"):
        opened(text, "memory.size=many", memory=Newest())
    with pytest.raises(GswlabError, match="memory is a Loose, which has no settings"):
        opened(text, memory=Loose())


def test_a_run_folder_that_names_code_of_somebody_runs_none_of_it(text: Path) -> None:
    lab = opened(text, "memory=bm25")
    lab.run()
    lab.journal.close()
    ours, theirs = "BM25", "subprocess.Popen"
    with sqlite3.connect(lab.folder.journal) as base:
        changed = base.execute(
            "UPDATE meta SET json = replace(json, ?, ?)", (ours, theirs)
        )
        assert changed.rowcount
    with pytest.raises(GswlabError, match="is not what was written"):
        _ = config.reopen(lab.folder.path).memory
