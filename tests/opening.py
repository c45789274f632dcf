"""Small runs over a text given in a test."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import gswlab
from gswlab.lab.lab import Lab


def opened(folder: Path, text: str, *overrides: str) -> Lab:
    """A run over `text`, a sentence a chunk, without vectors; read to its end."""
    (folder / "story.txt").write_text(text, encoding="utf-8")
    fixed = f"dataset.file={folder / 'story.txt'}", f"run.parent={folder / 'runs'}"
    lab = gswlab.open(*fixed, "chunk.sentences=1", "embedder=none", *overrides)
    lab.run()
    return lab


def memories(folder: Path, text: str) -> Callable[..., Lab]:
    """A run of each memory over `text`, read once, when it is first asked for."""
    story = folder / "lane.txt"
    story.write_text(text, encoding="utf-8")

    @cache
    def lab(memory: str = "gsw") -> Lab:
        where = f"run.dir={folder / memory}"
        made = gswlab.open(f"dataset.file={story}", f"memory={memory}", where)
        made.run()
        return made

    return lab
