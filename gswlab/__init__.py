"""gswlab: a research workbench for the memory of language models.

>>> import gswlab                                             # doctest: +SKIP
>>> lab = gswlab.open("dataset.file=story.txt")               # doctest: +SKIP
>>> lab.run()                                                 # doctest: +SKIP
>>> lab.ask("Who was arrested?").items                        # doctest: +SKIP

Names and modules (`gswlab.view.ink(lab)`) are imported when first used, so that
`python -m gswlab --help` stays instant.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from gswlab.core.display import drawn_by

if TYPE_CHECKING:
    from gswlab.core.document import Document
    from gswlab.core.errors import GswlabError
    from gswlab.core.journal import Journal
    from gswlab.core.nouns import Answer, Chunk, Evidence
    from gswlab.core.step import Step
    from gswlab.core.workspace import Workspace
    from gswlab.gsw.memory import GSW
    from gswlab.gsw.operator.rules import SpacyOperator
    from gswlab.gsw.reconciler.rules import RulesReconciler
    from gswlab.lab.chat import chat
    from gswlab.lab.config import open, reopen
    from gswlab.lab.grid import estimate, grid
    from gswlab.lab.lab import Lab
    from gswlab.qa.readers.cue import CueReader
    from gswlab.text.chunks import chunks
    from gswlab.text.document import read_document

# Linear algebra that spins on shared cores takes minutes instead of seconds: one thread
# unless OMP_NUM_THREADS says otherwise, set here because numpy looks when it is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

drawn_by("gswlab.view.nouns")  # what notebooks show, loaded when one shows it

__all__ = [
    "GSW",
    "Answer",
    "Chunk",
    "CueReader",
    "Document",
    "Evidence",
    "GswlabError",
    "Journal",
    "Lab",
    "RulesReconciler",
    "SpacyOperator",
    "Step",
    "Workspace",
    "chat",
    "chunks",
    "estimate",
    "grid",
    "open",
    "read_document",
    "reopen",
]

_HOMES = {
    "gswlab.lab.chat": ("chat",),
    "gswlab.lab.config": ("open", "reopen"),
    "gswlab.lab.grid": ("estimate", "grid"),
    "gswlab.core.errors": ("GswlabError",),
    "gswlab.lab.lab": ("Lab",),
    "gswlab.gsw.memory": ("GSW",),
    "gswlab.gsw.operator.rules": ("SpacyOperator",),
    "gswlab.qa.readers.cue": ("CueReader",),
    "gswlab.gsw.reconciler.rules": ("RulesReconciler",),
    "gswlab.core.document": ("Document",),
    "gswlab.text.chunks": ("chunks",),
    "gswlab.text.document": ("read_document",),
    "gswlab.core.journal": ("Journal",),
    "gswlab.core.nouns": ("Answer", "Chunk", "Evidence"),
    "gswlab.core.step": ("Step",),
    "gswlab.core.workspace": ("Workspace",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name.startswith("_") or not find_spec(f"gswlab.{name}"):
        raise AttributeError(f"module 'gswlab' has no attribute {name!r}")
    return import_module(f"gswlab.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
