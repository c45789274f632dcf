"""Questions in words, in EpBench's columns: `wordings.tsv` has several a kind."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Literal

from gswlab.bench.generate.asking import (
    KINDS,
    Asking,
    answered,
    binned,
    chosen,
    unanswered,
)
from gswlab.bench.generate.events import FIELDS, Event

WORDINGS = Path(__file__).with_name("wordings.tsv")
LETTERS = dict(zip(FIELDS, ("t", "s", "ent", "c"), strict=True))
Wording = Literal["plain", "ornate", "mixed"]


@cache
def load_wordings(wording: Wording) -> dict[int, tuple[str, ...]]:
    """The wordings of each kind of question in a register; `mixed` has them all."""
    lines = WORDINGS.read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return {
        kind.number: tuple(
            text
            for number, register, text in rows
            if int(number) == kind.number and wording in (register, "mixed")
        )
        for kind in KINDS
    }


def questions(
    events: Sequence[Event],
    unused: Mapping[str, Sequence[str]],
    seed: int = 1,
    wording: Wording = "mixed",
    cap: int = 3,
) -> list[dict[str, Any]]:
    """The questions about a book's events; the same seed asks the same ones.

    At most `cap` for each kind of question and number of matching chapters, so that
    questions without an answer are about as many as those with one chapter.
    """
    rng, texts = random.Random(seed), load_wordings(wording)
    askings = answered(events) + unanswered(events, unused, rng)
    rng.shuffle(askings)
    kept = chosen(askings, cap)
    turn = rng.randrange(1000)
    # Taking turns, not drawing, lets every wording of a kind appear.
    return [
        _row(n, asking, ways[(turn + n) % len(ways)])
        for n, asking in enumerate(kept)
        for ways in (texts[asking.kind.number],)
    ]


def worded(text: str, cue: Event) -> str:
    """A wording with the cue's values in it; `{d}` and `{k}` are informal ones."""
    informal = f"{cue.day.day} {cue.day:%B %Y}"
    filled = text.format(
        t=cue.date, d=informal, s=cue.location, e=cue.entity, c=cue.content,
        k=cue.content.lower(),
    )  # fmt: skip
    return filled[0].upper() + filled[1:]


def _row(number: int, asking: Asking, text: str) -> dict[str, Any]:
    """A question in EpBench's fifteen columns."""
    kind, cue, answers = asking.kind, asdict(asking.cue), asking.gold
    items = list(dict.fromkeys(item for group in answers.values() for item in group))

    def pattern(values: dict[str, str]) -> str:
        return f"({', '.join(values[n] if n in kind.cue else '*' for n in FIELDS)})"

    return {
        "q_idx": kind.number,
        "bins_items_correct_answer": binned(len(asking.matches)),
        "debug_level_2": number,
        "question": worded(text, asking.cue),
        "cue": pattern(LETTERS),
        "cue_completed": pattern({n: f"{{{cue[n]}}}" for n in FIELDS}),
        "retrieval_type": kind.asked,
        "get": kind.get,
        "correct_answer": items,
        "correct_answer_chapters": list(answers),
        "correct_answer_detailed": {
            str(chapter): group if kind.field is None else group[0]
            for chapter, group in answers.items()
        },
        "n_items_correct_answer": len(items),
        "n_chapters_correct_answer": len(asking.matches),
        "debug_changed": list(asking.changed),
        "debug_existing_change": asking.existing,
    }
