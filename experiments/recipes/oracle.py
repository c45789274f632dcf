"""How far a model that is asked where rules doubt could go: an upper bound, no system.

    PYTHONPATH=.:tests python experiments/recipes/oracle.py OUT.csv BOOK ... KEY=VALUE

Strict F1 on books of our own, and CoNLL of LitBank's seventy with `litbank=FOLDER`, by
rules alone and with what they ask. An oracle answers from gold; it stands in no table
beside a system, and nowhere in the package. With `llm.base_url=URL llm.model=NAME` that
server answers in its place, and the column `by` says so. Rows that OUT has are kept.
The figure is drawn beside it.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import matplotlib.pyplot as plt
import pandas as pd
from standin import StandIn, serving
from table import commit

import gswlab
from gswlab.bench.coreference import pooled
from gswlab.bench.litbank import litbank_books, set_aside
from gswlab.bench.marks import mark_shares, seen
from gswlab.core.nouns import Chunk
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.decide import LOCAL
from gswlab.gsw.reconciler.model.reconciler import RulesThenLLM
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.models.model import Model
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

TITLE = "upper bound, oracle"
READS: dict[str, tuple[str, ...]] = {
    "rules": (),
    "rules then llm": ("operator=rules_then_llm", "reconciler=rules_then_llm"),
}
TEXTS = Path(__file__).parents[1] / "texts" / "books"
HEADS = ("corpus", "reads", "figure", "value", "low", "high", "asked", "by", "commit")


class Oracle:
    """What gold says to each ask; `names` are sets of names of one and the same."""

    def __init__(self, events: list[dict[str, Any]], names: list[set[str]]) -> None:
        self.events, self.names = events, names

    def __call__(self, body: dict[str, Any], number: int) -> str:
        """The reply to an ask, by its schema."""
        stage = body["response_format"]["json_schema"]["name"]
        text = str(body["messages"][-1]["content"])
        return json.dumps(getattr(self, stage)(text))

    def OccasionReply(self, text: str) -> dict[str, str]:  # noqa: N802 - a schema's name
        """The kind of event of the chapter, by a line of it."""
        told = inside(text, "chapter")
        event = next((e for e in self.events if e["text"][:200] in told), None)
        return {"kind": event["content"] if event else "", "quote": told[:80]}

    def SameActor(self, text: str) -> dict[str, Any]:  # noqa: N802
        """Merged with whom gold has as the same, else new."""
        cards = map(json.loads, inside(text, "actors").splitlines())
        return {"entity_alignment": [*filter(None, map(self._verdict, cards))]}

    def _verdict(self, card: dict[str, Any]) -> dict[str, Any] | None:
        mine = self._known(card)
        return said(
            card, [c["id"] for c in card["candidates"] if mine & self._known(c)]
        )

    def _known(self, card: dict[str, Any]) -> set[int]:
        """The gold that a card's names are of."""
        said = {card["name"], *card.get("also", ())}
        return {n for n, names in enumerate(self.names) if said & names}


def said(card: dict[str, Any], same: list[str]) -> dict[str, Any]:
    """A verdict: merged with the first of those who are the same, else new."""
    named = {"new_actor_id": card["id"], "workspace_actor_id": next(iter(same), None)}
    status = "merged" if same else "new"
    return {**named, "status": status, "candidates": [], "comment": "gold"}


def inside(text: str, tag: str) -> str:
    """What stands between the tags of a value."""
    found = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", text, re.DOTALL)
    return found[1] if found else ""


def forms(name: str) -> set[str]:
    """A name, and its parts by which somebody may be called."""
    return {name, *name.split(), *(" ".join(pair) for pair in pairwise(name.split()))}


def of_book(folder: Path) -> Oracle:
    """The oracle of a book of our own."""
    told = list(json.loads((folder / "book.json").read_text("utf-8")).values())
    events = json.loads((folder / "events.json").read_text("utf-8"))
    for event in events:
        event["text"] = told[event["chapter"] - 1]
    people = {e["entity"] for e in events} | {
        p for e in events for p in e["post_entities"]
    }
    return Oracle(events, [forms(name) for name in sorted(people)])


def books(names: list[str], settings: list[str], reads: str) -> Iterator[list[Any]]:
    """Strict F1 of each book."""
    for name in names:
        folder, real = TEXTS / name, any("base_url" in s for s in settings)
        oracle = StandIn()
        oracle.script = of_book(folder)
        at = nullcontext(oracle) if real else serving(oracle)
        with tempfile.TemporaryDirectory() as place, at:
            asked = Path(place) / "questions.json"
            command = [sys.executable, str(TEXTS / "questions.py"), str(folder)]
            subprocess.run([*command, "--seed", "1", "--out", str(asked)], check=True)
            lab = gswlab.open(
                *("experiment=epbench", f"dataset.book={folder / 'book.json'}"),
                *(f"dataset.questions={asked}", f"run.dir={place}/run", "llm=openai"),
                *READS[reads],
                *(() if real else (f"llm.base_url={oracle.url}", "llm.model=oracle")),
                *("llm.cassette=null", *settings),
            )
            lab.run()
            figure = lab.folder.read_json("scores.json")["strict"]["overall"]["f1"]
            made, chapters = lab.llm.ledger.total().calls, len(lab.document.chapters)
        ends = [figure[end] for end in ("mean", "low", "high")]
        yield [name, reads, "strict_f1", *ends, made / chapters, by(settings)]


class Marked(RulesThenLLM):
    """It lets the oracle look up, by where a text mentions it, whom a prompt shows."""

    gold: ClassVar[dict[tuple[int, int], str]] = {}  # characters of a mention: whose
    shown: ClassVar[dict[str, str]] = {}  # ids in the prompt: whose

    def _cases(self, workspace: Workspace, step: Step, chunk: Chunk) -> Any:
        after = workspace.apply(step)
        for case in (d for d in step.decisions if isinstance(d, Alignment)):
            named = {LOCAL + case.new: case.actor}
            named |= {each.actor: each.actor for each in case.candidates}
            self.shown.update({k: self._whose(after.get(a)) for k, a in named.items()})
        return super()._cases(workspace, step, chunk)

    def _whose(self, actor: Any) -> str:
        """Of whom gold has most of an actor's mentions, an empty name for nobody."""
        spans = ((m.span.start, m.span.end) for m in actor.mentions)
        found = Counter(self.gold[span] for span in spans if span in self.gold)
        return max(found, key=found.__getitem__, default="")


class Same(Oracle):
    """Gold's word on who is who; nothing is said of what gold does not mark."""

    def _verdict(self, card: dict[str, Any]) -> dict[str, Any] | None:
        whose = Marked.shown[card["id"]]
        named = ((c["id"], Marked.shown.get(c["id"], "")) for c in card["candidates"])
        return (
            said(card, [i for i, other in named if other == whose]) if whose else None
        )


def litbank(folder: Path, settings: list[str], reads: str) -> Iterator[list[Any]]:
    """CoNLL over LitBank's seventy; each excerpt is one chapter."""
    every = litbank_books(folder)
    aside = set_aside(book.name for book in every)
    known = [book for book in every if book.name not in aside]
    shares, made = [], 0
    for book in known:
        oracle = StandIn()
        oracle.script = Same([], [])
        Marked.gold = {(m.start, m.end): m.entity for m in book.gold.mentions}
        with serving(oracle):
            model = Model(oracle.url, "oracle")
            asks = Marked(model=model) if READS[reads] else RulesReconciler()
            memory = GSW(SpacyOperator(), asks)
            document = document_of(book.text)
            read = chunks(document)
            memory.prepare(document, read)
            for chunk in read:
                memory.partial_fit(chunk)
            memory.finish()
        made += model.ledger.total().calls
        shares.append(mark_shares(book.gold, seen(memory.workspace, read), book.syntax))
    figure = pooled(shares)["conll.f1"].to_dict()
    ends = [figure[end] for end in ("mean", "low", "high")]
    yield ["LitBank", reads, "conll", *ends, made / len(known), by(settings)]


def by(settings: list[str]) -> str:
    """Who answered."""
    named = (s.partition("=")[2] for s in settings if s.startswith("llm.model="))
    return next(named, TITLE)


def draw(out: Path) -> None:
    """The curve, which says what it is."""
    table = pd.read_csv(out)
    plt.rcParams["svg.hashsalt"] = TITLE  # the same bytes from the same rows
    figure, axes = plt.subplots(figsize=(5.4, 3.4), layout="constrained")
    for (corpus, what, who), rows in table.groupby(["corpus", "figure", "by"]):
        label = f"{corpus}, {what}, {who}"
        axes.plot(rows.asked, rows.value, marker="o", label=label)
        axes.fill_between(rows.asked, rows.low, rows.high, alpha=0.15)
    axes.set(title=TITLE, xlabel="calls a chapter", ylabel="share", ylim=(0, 1))
    axes.legend()
    figure.savefig(out.with_suffix(".svg"), metadata={"Date": None})


def main(out: Path, *given: str) -> None:
    """Make the rows that are not there yet, and draw them all."""
    settings = [
        text for text in given if "=" in text and not text.startswith("litbank=")
    ]
    names = [text for text in given if "=" not in text]
    folder = next((g.partition("=")[2] for g in given if g.startswith("litbank=")), "")
    had = out.exists()
    done = pd.read_csv(out)[["corpus", "reads", "by"]] if had else pd.DataFrame()
    known = set(done.itertuples(index=False, name=None))
    with out.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not had:
            writer.writerow(HEADS)
        for reads in READS:
            left = [n for n in names if (n, reads, by(settings)) not in known]
            for row in books(left, settings, reads):
                writer.writerow([*row, commit()])
                file.flush()
            if folder and ("LitBank", reads, by(settings)) not in known:
                for row in litbank(Path(folder), settings, reads):
                    writer.writerow([*row, commit()])
    draw(out)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
