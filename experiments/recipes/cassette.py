"""The cassette of lab 03: three chunks of the story, read by the smallest model.

    python experiments/recipes/cassette.py notebooks/lab/03_operator_with_a_model.sqlite

It is to be made anew, in a file that is not there, whenever a word of the operator's
prompt or a field of its schema changes. Two minutes of one core.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import gswlab

STORY = Path(__file__).parents[2] / "gswlab" / "data" / "story.txt"
CHUNKS = 12, 3, 8
CHOSEN = (
    *("operator=llm", "operator.context=false", "operator.coupling=false"),
    *("llm=local", "llm.temperature=0.9", "llm.max_tokens=600", "llm.timeout=3000"),
    *("chunk.sentences=2", "embedder=none"),
)


def main(file: str) -> None:
    """Ask about each chunk, and leave one file without a log beside it."""
    lab = gswlab.open(f"dataset.file={STORY}", f"llm.cassette={file}", *CHOSEN)
    for number in CHUNKS:
        local = lab.stages["operator"].extract(lab.chunks[number], gswlab.Workspace())
        print(number, [event.kind for event in local.events], flush=True)
    with sqlite3.connect(file) as tape:
        tape.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        tape.execute("PRAGMA journal_mode = DELETE")


if __name__ == "__main__":
    main(sys.argv[1])
