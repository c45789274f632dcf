"""Questions about a book of our own, in EpBench's columns.

    python experiments/texts/books/questions.py BOOKDIR --seed 1 --out FILE

A book folder holds `events.json` (what happens in each chapter) and `unused.json`
(names of the same universe that occur in no chapter); `gswlab.bench.generated` asks.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from gswlab.bench.generated.questions import RETRIEVAL_TYPES, Register, load_wordings
from gswlab.bench.generated.questions import book_questions as asked_about
from gswlab.bench.generated.universe import EVENT_FIELDS, BookEvent, tuples

__all__ = [
    "EVENT_FIELDS",
    "RETRIEVAL_TYPES",
    "BookEvent",
    "load_events",
    "load_wordings",
    "questions",
]


def load_events(folder: Path) -> tuple[BookEvent, ...]:
    """The events of a book folder, by chapter."""
    rows = json.loads((folder / "events.json").read_text(encoding="utf-8"))
    names = (*EVENT_FIELDS, "chapter")
    return tuple(
        BookEvent(
            **{n: row[n] for n in names}, post_entities=tuple(row["post_entities"])
        )
        for row in rows
    )


def questions(
    folder: Path, seed: int = 1, wording: Register = "mixed", cap: int = 3
) -> list[dict[str, Any]]:
    """The questions about the book in `folder`; the same seed asks the same ones."""
    unused = json.loads((folder / "unused.json").read_text(encoding="utf-8"))
    return asked_about(load_events(folder), unused, seed, wording, cap)


def main() -> None:
    """Write the questions of a book folder to a file."""
    parser = argparse.ArgumentParser(description="Questions about a book of our own.")
    parser.add_argument("folder", type=Path, metavar="BOOKDIR")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cap", type=int, default=3, help="per kind and bin")
    parser.add_argument(
        "--wording", choices=["plain", "ornate", "mixed"], default="mixed"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tuples", type=Path, help="also write the gold tuples here")
    given = parser.parse_args()
    asked = questions(given.folder, given.seed, given.wording, given.cap)
    text = json.dumps(asked, ensure_ascii=False, indent=1)
    given.out.write_text(text + "\n", encoding="utf-8")
    if given.tuples:
        gold = tuples(load_events(given.folder))
        text = json.dumps(gold, ensure_ascii=False, indent=1)
        given.tuples.write_text(text + "\n", encoding="utf-8")
    bins = Counter(question["bins_items_correct_answer"] for question in asked)
    print(f"{len(asked)} questions, by matching chapters: {dict(sorted(bins.items()))}")


if __name__ == "__main__":
    main()
