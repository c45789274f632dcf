"""Archival storage over a workspace: the same passages, asked of GSW first."""

from __future__ import annotations

import gswlab
from gswlab.baselines.passages import LongContext
from gswlab.core.nouns import Span
from gswlab.memgpt.agent import Agent
from gswlab.memgpt.storage import Backed

BOOK = """Chapter 1

On May 7, 2024, Ann Ray opened a bakery in Lund.

Chapter 2

On June 3, 2024, Bo Lind painted a boat in Oslo.
"""


def lab(folder, memory):
    file = folder / "book.txt"
    file.write_text(BOOK)
    run = f"run.dir={folder / memory}"
    return gswlab.open(f"dataset.file={file}", f"memory={memory}", run, "embedder=none")


def test_a_question_is_answered_by_the_workspace_and_by_passages_where_it_has_none(
    tmp_path,
):
    backed = lab(tmp_path, "memgpt_gsw")
    backed.run()
    memory = backed.memory
    found = memory.main.search_archival("Where was Ann Ray on May 7, 2024?", 5)
    assert found.by == "gsw"
    assert "Lund" in found.hits[0].text
    assert len(memory.storage.archival) == len(backed.chunks)
    plain = memory.main.search_archival("a pottery class in the bakery", 5)
    assert (plain.by, "Lund" in plain.hits[0].text) == ("both", True)
    evidence = memory.recall("Where was Ann Ray on May 7, 2024?", 200)
    assert "Lund" in evidence.items[0].text
    assert backed.ask("Where was Ann Ray on May 7, 2024?").items


def test_a_turn_taken_back_leaves_the_memory_over_archival_storage_as_it_was():
    agent = Agent(archive=LongContext())
    agent.insert("The mill burned.", span=Span("a", 0, 16))
    with agent.kept(undo=True):
        agent.insert("The boat sank.")
    assert isinstance(agent.storage.archival, Backed)
    assert len(agent.storage.archival.memory.chunks) == 1
    agent.forget("a")
    assert not agent.storage.archival.memory.chunks
