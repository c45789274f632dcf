"""Questions about a book of our own, in EpBench's columns.

    python experiments/books/questions.py BOOKDIR --seed 1 --out FILE

A book folder holds `events.json` (what happens in each chapter) and `unused.json`
(names of the same universe that occur in no chapter). What is asked:

- 36 kinds of question: every cue of date, place, person and kind of event, with each
  thing it leaves open, and a person's latest and chronological days;
- per kind and number of matching chapters at most `cap` questions, so that questions
  without an answer are about as many as those with one chapter;
- each in one of the wordings of `wordings.tsv`, all written for this file.

The kinds, columns and bins follow Huet et al., EpBench, so that its scorer applies.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

HERE = Path(__file__).resolve().parent
FIELDS = ("date", "location", "entity", "content")
LETTERS = dict(zip(FIELDS, ("t", "s", "ent", "c"), strict=True))
ASKED = dict(
    zip(FIELDS, ("Times", "Spaces", "Entities", "Event contents"), strict=True)
)
CUES: tuple[tuple[str, ...], ...] = tuple(
    cue for size in (1, 2, 3) for cue in combinations(FIELDS, size)
)
Wording = Literal["plain", "ornate", "mixed"]


@dataclass(frozen=True, slots=True)
class Event:
    """What one chapter is about, or would be about: a cue is an event, in part."""

    date: str
    location: str
    entity: str
    content: str
    chapter: int = 0
    post_entities: tuple[str, ...] = ()

    @property
    def day(self) -> datetime:
        """The calendar day of `date`."""
        return datetime.strptime(self.date, "%B %d, %Y")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a question is given (`cue`, names of fields), asks for, and in what order.

    >>> KINDS[14].cue, KINDS[14].asked, KINDS[14].get
    (('date', 'entity'), 'Spaces', 'all')
    """

    number: int
    cue: tuple[str, ...]
    asked: str
    get: str = "all"

    def key(self, event: Event) -> tuple[str, ...]:
        """The values of `event` that this kind of question is given."""
        return tuple(getattr(event, name) for name in self.cue)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question yet without words: its kind, its cue, and how that was altered."""

    kind: Kind
    cue: Event
    matches: tuple[Event, ...]
    changed: tuple[str, ...] = ()
    existing: bool | None = None


def _kinds() -> Iterator[Kind]:
    number = 0
    for cue in CUES:
        for name in FIELDS:
            if name not in cue:
                yield Kind(number, cue, ASKED[name])
                number += 1
    yield Kind(28, FIELDS, "Other entities")
    yield Kind(29, FIELDS, "Full event details")
    for number, get in ((30, "latest"), (33, "chronological")):
        for step, name in enumerate(("date", "location", "content")):
            yield Kind(number + step, ("entity",), ASKED[name], get)


KINDS = tuple(_kinds())


def load_events(folder: Path) -> tuple[Event, ...]:
    """The events of a book folder, by chapter."""
    rows = json.loads((folder / "events.json").read_text(encoding="utf-8"))
    names = (*FIELDS, "chapter")
    return tuple(
        Event(**{n: row[n] for n in names}, post_entities=tuple(row["post_entities"]))
        for row in rows
    )


def load_wordings(wording: Wording) -> dict[int, tuple[str, ...]]:
    """The wordings of each kind of question in a register; `mixed` has them all."""
    lines = (HERE / "wordings.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return {
        kind.number: tuple(
            text
            for number, register, text in rows
            if int(number) == kind.number and wording in (register, "mixed")
        )
        for kind in KINDS
    }


def answered(events: tuple[Event, ...]) -> list[Asking]:
    """Every question that some chapter answers."""
    found: dict[tuple[int, tuple[str, ...]], Asking] = {}
    for kind in KINDS:
        for event in events:
            key = kind.key(event)
            matches = tuple(e for e in events if kind.key(e) == key)
            found.setdefault((kind.number, key), Asking(kind, event, matches))
    return list(found.values())


def unanswered(
    events: tuple[Event, ...], unused: dict[str, list[str]], rng: random.Random
) -> list[Asking]:
    """Questions that no chapter answers: true cues with one to four values changed."""
    found: dict[tuple[int, tuple[str, ...]], Asking] = {}
    for event in events * 4:
        names = tuple(sorted(rng.sample(FIELDS, rng.randint(1, 4)), key=FIELDS.index))
        existing = rng.random() < 0.5
        pool = {n: sorted({getattr(e, n) for e in events}) for n in FIELDS}
        pool = pool if existing else unused
        cue = replace(event, **{n: rng.choice(pool[n]) for n in names})
        for kind in KINDS:
            key = kind.key(cue)
            if all(kind.key(e) != key for e in events):
                asking = Asking(kind, cue, (), names, existing)
                found.setdefault((kind.number, key), asking)
    return list(found.values())


def binned(count: int) -> str:
    """The published bin of a number of matching chapters."""
    if count < 3:
        return str(count)
    return "{3,4,5}" if count < 6 else "6+"


def chosen(askings: Iterable[Asking], cap: int) -> list[Asking]:
    """The first `cap` of each kind and bin, in the order of the kinds."""
    kept: list[Asking] = []
    seen: Counter[tuple[int, str]] = Counter()
    for asking in sorted(askings, key=lambda a: a.kind.number):
        group = (asking.kind.number, binned(len(asking.matches)))
        seen[group] += 1
        if seen[group] <= cap:
            kept.append(asking)
    return kept


def gold(asking: Asking) -> dict[int, list[str]]:
    """The answers by chapter, in the order asked for."""
    kind, matches = asking.kind, list(asking.matches)
    if kind.get != "all":
        matches.sort(key=lambda e: e.day)
    if kind.get == "latest":
        matches = matches[-1:]
    if kind.asked == "Other entities":
        return {e.chapter: list(e.post_entities) for e in matches}
    if kind.asked == "Full event details":
        return {e.chapter: [f"Full chapter {e.chapter}"] for e in matches}
    name = next(n for n in FIELDS if ASKED[n] == kind.asked)
    return {e.chapter: [getattr(e, name)] for e in matches}


def worded(text: str, cue: Event) -> str:
    """A wording with the cue's values in it; `{d}` and `{k}` are informal ones."""
    informal = f"{cue.day.day} {cue.day:%B %Y}"
    filled = text.format(
        t=cue.date, d=informal, s=cue.location, e=cue.entity, c=cue.content,
        k=cue.content.lower(),
    )  # fmt: skip
    return filled[0].upper() + filled[1:]


def row(number: int, asking: Asking, text: str) -> dict[str, Any]:
    """A question in EpBench's fifteen columns."""
    kind, cue, answers = asking.kind, asdict(asking.cue), gold(asking)
    items = list(dict.fromkeys(item for group in answers.values() for item in group))
    listed = kind.asked in ("Other entities", "Full event details")

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
            str(chapter): group if listed else group[0]
            for chapter, group in answers.items()
        },
        "n_items_correct_answer": len(items),
        "n_chapters_correct_answer": len(asking.matches),
        "debug_changed": list(asking.changed),
        "debug_existing_change": asking.existing,
    }


def questions(
    folder: Path, seed: int = 1, wording: Wording = "mixed", cap: int = 3
) -> list[dict[str, Any]]:
    """The questions about the book in `folder`; the same seed asks the same ones."""
    rng = random.Random(seed)
    events, texts = load_events(folder), load_wordings(wording)
    unused = json.loads((folder / "unused.json").read_text(encoding="utf-8"))
    askings = answered(events) + unanswered(events, unused, rng)
    rng.shuffle(askings)
    kept = chosen(askings, cap)
    turn = rng.randrange(1000)
    # Taking turns, not drawing, lets every wording of a kind appear.
    return [
        row(n, asking, ways[(turn + n) % len(ways)])
        for n, asking in enumerate(kept)
        for ways in (texts[asking.kind.number],)
    ]


def tuples(folder: Path) -> dict[str, dict[str, list[str]]]:
    """The gold tuple of every chapter, as the tuple scorer reads it."""
    return {
        str(event.chapter): {name: [getattr(event, name)] for name in FIELDS}
        for event in load_events(folder)
    }


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
        text = json.dumps(tuples(given.folder), ensure_ascii=False, indent=1)
        given.tuples.write_text(text + "\n", encoding="utf-8")
    bins = Counter(question["bins_items_correct_answer"] for question in asked)
    print(f"{len(asked)} questions, by matching chapters: {dict(sorted(bins.items()))}")


if __name__ == "__main__":
    main()
