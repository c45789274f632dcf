"""Questions on passages of seven genres: what is right, cited and invented.

    python recipes/genres.py DIR [tune] > CSV

Each passage is read into a run of its own below DIR and asked its questions, by
memory=gsw and, beside it, by memory=bm25 with the extractive reader. An answer is right
where it holds an answer of the table or shares half of its words with one, and a cited
span lies in the right sentence. Totals are of the passages that nothing was tuned on;
with `tune` of the others, each question with what was said to it on standard error, and
of `asked/unanswered.tsv`, what those passages do not answer though they speak of it.
Runs called `asked`, `fresh` and `taught` are of `texts/asked`, `texts/fresh` and
`texts/taught`: questions in a reader's own words, and those of ten other writers.
"""

from __future__ import annotations

import csv
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from table import commit

import gswlab
from gswlab.bench.measures import f1, normalised
from gswlab.bench.statistics import interval
from gswlab.core.nouns import Answer
from gswlab.language.stems import content_stems

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ROOT / "experiments" / "texts"
UNSEEN = {"c2", "d2", "e1", "m1", "m3", "n2", "r1", "r3"}
UNSEEN_FRESH = {"c2", "d2", "e2", "f1", "f3", "m2", "n2"}
UNSEEN_TAUGHT = {f"{writer}{n:02}" for writer in "abcdefghi" for n in (4, 8, 12, 16)}
MEMORIES = {"gsw": (), "bm25": ("memory=bm25", "reader=extractive")}
HEADS = "run", "figure", "value", "low", "high", "n", "commit"
Row = dict[str, str]


def is_odd(name: str) -> bool:
    """The parity of a name's SHA-1."""
    return bool(hashlib.sha1(name.encode()).digest()[-1] % 2)


# of each folder of texts, whether nothing may be tuned on a passage
IS_REPORTED = {
    "genres": is_odd,
    "asked": UNSEEN.__contains__,
    "fresh": UNSEEN_FRESH.__contains__,
    "taught": UNSEEN_TAUGHT.__contains__,
}


def is_right(answer: Answer, row: Row) -> bool:
    """Whether an answer says what the table has, no longer than the sentence does."""
    golds, said = row["answers"].split(" / "), "; ".join(answer.items)
    held = any(f" {normalised(g)} " in f" {normalised(said)} " for g in golds)
    held = held or any(g in said for g in golds if not g.isascii())
    brief = len(said) <= max(len(row["sentence"]), 60) + 20
    return not answer.abstained and ((held and brief) or f1(said, golds) >= 0.5)


def is_cited(answer: Answer, row: Row) -> bool:
    """Whether a span lies in the sentence that answers."""
    start, end = int(row["start"]), int(row["end"])
    return any(span.start < end and start < span.end for span in answer.spans)


def invented(lab: Any) -> Iterator[str]:
    """The kinds of event of a run that are not in the words of its text."""
    said = set(content_stems(lab.document.text))
    kinds = (e.kind for e in lab.memory.workspace.episodes if e.kind)
    yield from (k.value for k in kinds if not set(content_stems(k.value)) <= said)


def figures(
    memory: str, texts: Path, folder: Path, rows: list[Row]
) -> dict[str, list[float]]:
    """What is counted of a memory, a number a question or passage."""
    found: dict[str, list[float]] = {}
    told = len(sys.argv) > 2
    for name in dict.fromkeys(row["passage"] for row in rows):
        file = f"dataset.file={texts / name}.txt"
        where = f"run.dir={folder / texts.name / memory / name}"
        lab = gswlab.open("experiment=read", file, where, *MEMORIES[memory])
        lab.run()
        if memory == "gsw":
            kinds = [*invented(lab)]
            found.setdefault("invented kinds", []).append(len(kinds))
            if told and kinds:
                print(name, "invented", kinds, file=sys.stderr)
        for row in (row for row in rows if row["passage"] == name):
            answer = lab.ask(row["question"])
            if not row["answers"]:
                figure = row.get("figure", "false answers")
                value = not answer.abstained
            else:
                figure = "right"
                value = is_right(answer, row) and is_cited(answer, row)
                found.setdefault(f"right/{row['kind']}", []).append(value)
            found.setdefault(figure, []).append(value)
            if told:
                said = "; ".join(answer.items) or "-"
                cells = memory, name, figure, int(value), row["question"], said
                print(*cells, row["answers"], sep="\t", file=sys.stderr)
    return found


def table_of(file: Path) -> list[Row]:
    """The rows of a table of questions."""
    lines = file.read_text("utf-8").splitlines()
    return [*csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def main(folder: str, part: str = "report") -> None:
    """Write a row a figure."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    for name, is_reported in IS_REPORTED.items():
        texts = TEXTS / name
        asked = table_of(texts / "questions.tsv")
        rows = [r for r in asked if is_reported(r["passage"]) == (part == "report")]
        if part != "report":
            passages = {row["passage"] for row in rows}
            more = {"answers": "", "figure": "unanswered ones answered"}
            every = table_of(TEXTS / "asked" / "unanswered.tsv")
            rows += [row | more for row in every if row["passage"] in passages]
        for memory in MEMORIES:
            run = memory if name == "genres" else f"{memory} {name}"
            found = figures(memory, texts, Path(folder).resolve(), rows)
            for figure, values in found.items():
                row = interval(values).to_dict()
                table.writerow((run, figure, *row.values(), commit()))


if __name__ == "__main__":
    main(*sys.argv[1:])
