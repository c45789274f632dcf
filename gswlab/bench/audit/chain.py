"""Annotated chains: the text that a run reads, without what is annotated."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def write_text(chain: dict[str, Any], path: str | Path) -> Path:
    """Write a chain's text under its chapters' headings, a chunk a paragraph.

    `experiments/chains/README.md` describes a chain.
    """
    parts, chapter = [], None
    for chunk in chain["chunks"]:
        if (number := chunk.get("chapter")) != chapter:
            parts.append(f"Chapter {number}")
        chapter = number
        parts.append(chunk["text"])
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return target
