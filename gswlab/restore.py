"""A run's memory as its journal has it, built anew: resuming, undoing, asking midway.

A memory that keeps a workspace is handed the fold of the journal. Any other reads the
same chunks once more: reading is deterministic, and what a model said is on disk.
"""

from __future__ import annotations

from typing import Any

from gswlab.core.journal import Journal
from gswlab.core.protocols import Resuming
from gswlab.experiment import Config
from gswlab.settings import parameters, target


def folds(config: Config) -> bool:
    """Whether the memory of an experiment keeps a workspace."""
    return "workspace" in parameters(target(config.settings["memory"], "memory"))


def restored(config: Config, journal: Journal) -> Any:
    """The memory after the journal's last step; a workspace may look up the past."""
    workspace = journal.workspace()
    if folds(config):
        memory = config.build("memory", workspace=workspace, past=journal)
        reconciler = getattr(memory, "reconciler", None)
        if isinstance(reconciler, Resuming):
            reconciler.resumed(journal.steps(), journal.chunks())
        return memory
    memory = config.build("memory")
    for chunk in journal.chunks()[: len(workspace.chunks)]:
        memory.partial_fit(chunk)
    return memory
