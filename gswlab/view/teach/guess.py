"""Guess the merge: you decide, then the reconciler, then gold where there is some.

It doubles as an annotation tool: what was decided goes out as JSON Lines or CSV, comes
back in, and any two annotators are held against each other.

A case shows what stood on the page when the reconciler decided, no more: the chunk with
the name lit, and of the candidate what earlier steps had said.

>>> told = guess(lab)                                             # doctest: +SKIP
>>> told[3]                                                       # doctest: +SKIP
>>> told.answer(3, "same", annotator="Ann")                       # doctest: +SKIP
>>> told.write("ann.jsonl"); told.page().write("guess.html")      # doctest: +SKIP
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    field_validator,
)

from gswlab.bench.folder import RunFolder
from gswlab.bench.gold.reading import GoldReading
from gswlab.bench.statistics import Interval, bootstrap
from gswlab.core.errors import GswlabError, problems
from gswlab.core.facts import facts, name_of
from gswlab.core.nouns import Actor, Chunk, Mention
from gswlab.core.step import Alignment
from gswlab.core.workspace import Workspace
from gswlab.view.kit.page import Page, described, embedded, rendered
from gswlab.view.kit.spans import Ground, Mark, plain_text
from gswlab.view.run.history import History, Scene
from gswlab.view.run.parts import Telling
from gswlab.view.run.words import labels
from gswlab.view.teach.exercise import Feedback

GuessDecision = Literal["same", "different", "unsure"]
DECISIONS: tuple[GuessDecision, ...] = get_args(GuessDecision)
FEWEST = 10  # pairs below which an interval would say nothing
EARLIER = 3  # sentences that recall a candidate
RECONCILER, GOLD = "reconciler", "gold"
_TOLD = ("also called", "role", "state", "value")  # facts that recall a candidate
_DECIDED: dict[str, GuessDecision] = {"merged": "same", "new": "different"}
_RULE = "annotations are rows of JSON Lines or CSV as guess.write makes them"
_NEXT = 'guess.answer(0, "same", annotator="Ann")'


class Annotation(BaseModel):
    """What one annotator decided about one alignment.

    `alignment` is the step's index and the local id, `14:a1`; `spans` are where `name`
    stands (document offsets); `candidate` is the actor it was held against.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    alignment: str = Field(min_length=1)
    document: str
    spans: tuple[tuple[int, int], ...]
    name: str
    candidate: str
    called: str
    decision: GuessDecision
    annotator: str = Field(min_length=1)

    @field_validator("spans", mode="before")
    @classmethod
    def _from_a_cell(cls, spans: object) -> object:
        return json.loads(spans) if isinstance(spans, str) else spans


def agreement(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, float]:
    """How two deciders agree over `n` alignments that both decided.

    `unsure` counts those left out because one of them did not know. `share` and `kappa`
    (Cohen's, 1960) have an interval from ten pairs on; kappa is undefined where all say
    one thing.
    """
    both = sorted(set(one) & set(other))
    known = [key for key in both if "unsure" not in (one[key], other[key])]
    a, b = (np.array([by[key] == "same" for key in known], bool) for by in (one, other))
    n, nan = len(known), float("nan")

    def share(drawn: NDArray[np.intp]) -> float:
        return float((a == b)[drawn].mean())

    def kappa(drawn: NDArray[np.intp]) -> float:
        mine, theirs = a[drawn].mean(), b[drawn].mean()
        chance = float(mine * theirs + (1 - mine) * (1 - theirs))
        return (share(drawn) - chance) / (1 - chance) if chance < 1 else nan

    found: dict[str, float] = {"n": n, "agreed": int((a == b).sum())}
    found["unsure"] = len(both) - n
    for name, statistic in (("share", share), ("kappa", kappa)):
        mean = statistic(np.arange(n)) if n else nan
        told = bootstrap(n, statistic) if n >= FEWEST else Interval(mean, nan, nan, n)
        found |= {name: told.mean, f"{name}_low": told.low, f"{name}_high": told.high}
    return found


def text_of(rows: Iterable[Annotation], layout: str) -> str:
    """Annotations as the text of a file, `.jsonl` or `.csv`."""
    if _lined(layout):
        return "".join(f"{row.model_dump_json()}\n" for row in rows)
    data = [row.model_dump(mode="json") for row in rows]
    frame = pd.DataFrame(data, columns=[*Annotation.model_fields])
    return frame.to_csv(index=False, lineterminator="\n")


def rows_of(path: str | Path) -> tuple[Annotation, ...]:
    """The annotations of a file.

    Raises:
        GswlabError: it cannot be read, or rows are no annotations: each is named.
    """
    lined, rows = _lined(path), TypeAdapter(tuple[Annotation, ...])
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
        if lined:
            lines = (line for line in text.split("\n") if line.strip())
            return rows.validate_json(f"[{','.join(lines)}]")
        return rows.validate_python([*csv.DictReader(StringIO(text, ""), strict=True)])
    except ValidationError as error:
        raise GswlabError(f"{path} has {problems(error)}", _RULE) from error
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise GswlabError(f"{path} cannot be read: {why}", _RULE) from error


def _lined(path: str | Path) -> bool:
    """Whether a file is of lines of JSON, or of CSV; it has no other layout."""
    suffix = Path(path).suffix or str(path)
    if suffix in (".jsonl", ".csv"):
        return suffix == ".jsonl"
    rule = "annotations are one of .jsonl, .csv"
    raise GswlabError(f"{path} has another layout", rule, 'guess.write("ann.jsonl")')


@dataclass(frozen=True)
class Case:
    """One alignment before it is decided; `decided` and `gold` are for afterwards.

    `marks` are where the chunk bears `name`. The candidate was `called` so, and earlier
    steps `told` this of it, `earlier` in these sentences: text, marks, offset.
    """

    id: str
    label: str
    chunk: Chunk
    name: str
    marks: tuple[Mark, ...]
    candidate: str
    called: str
    told: tuple[str, ...]
    earlier: tuple[tuple[str, tuple[Mark, ...], int], ...]
    decided: GuessDecision
    gold: GuessDecision | None
    card: str

    def annotation(self, decision: GuessDecision, annotator: str) -> Annotation:
        """A decision about this case as a row."""
        return Annotation(
            alignment=self.id,
            document=self.chunk.document,
            spans=tuple((mark.start, mark.end) for mark in self.marks),
            name=self.name,
            candidate=self.candidate,
            called=self.called,
            decision=decision,
            annotator=annotator,
        )

    def _repr_html_(self) -> str:
        return rendered("teach/case.html", case=self)

    def __repr__(self) -> str:
        names = {"name": repr(self.name), "called": repr(self.called)}
        return rendered("teach/case.txt", case=self, lit=plain_text, **names)


def cases(told: Telling, gold: GoldReading | None = None) -> Iterator[Case]:
    """Every alignment that had somebody to be held against, in the order made."""
    before = Workspace()
    for scene in told.history.scenes:
        for decision in scene.step.decisions:
            if isinstance(decision, Alignment) and decision.candidates:
                case = _case(decision, scene, before, told, gold)
                yield from [case] if case else []
        before = scene.after


def _case(
    decision: Alignment,
    scene: Scene,
    before: Workspace,
    run: Telling,
    gold: GoldReading | None,
) -> Case | None:
    best = max(decision.candidates, key=lambda c: c.score).actor
    asked = decision.actor if decision.status == "merged" else best
    candidate = before.nouns.get(before.resolve(asked))
    actor = scene.after.nouns.get(scene.after.resolve(decision.actor))
    step, records = scene.step.index, run.history.records
    read = run.ground.by_step.get(step)
    if not (isinstance(candidate, Actor) and isinstance(actor, Actor) and read):
        return None  # taken back, or weighed without a text
    # where the chunk bears the name; else what no other of the step's names is
    name = decision.name.casefold()
    aligned = (d for d in scene.step.decisions if isinstance(d, Alignment))
    others = {d.name.casefold() for d in aligned} - {name}
    new = [m for m in actor.mentions if m.chunk == read.chunk.id]
    new = [m for m in new if m not in candidate.mentions] or new
    bearing = [m for m in new if m.text.casefold() == name]
    bearing = bearing or [m for m in new if m.text.casefold() not in others] or new
    ids = {c.actor for c in decision.candidates} | {decision.actor}
    names = {i: records[i].name_at(step) for i in ids if i in records}
    said = facts(candidate, lambda i: names.get(i, i))
    same: GuessDecision | None = None
    if gold:
        one = gold.refers(replace(candidate, mentions=tuple(bearing)))
        other = gold.refers(candidate)
        same = "same" if one == other else "different"
        same = same if one and other else None  # the text marks one of the two nowhere
    return Case(
        id=f"{step}:{decision.new}",
        label=run.labels[step],
        chunk=read.chunk,
        name=decision.name,
        marks=_unnamed(bearing),
        candidate=candidate.id,
        called=name_of(candidate),
        told=tuple(dict.fromkeys(fact.text for fact in said if fact.field in _TOLD)),
        earlier=tuple(_earlier(candidate, run.ground, step)),
        decided=_DECIDED.get(decision.status, "unsure"),
        gold=same,
        card=rendered(
            "run/cards.html",
            decisions=[decision],
            named=lambda i, name=None: ("", name or names.get(i, i)),
        ),
    )


def _unnamed(mentions: Iterable[Mention]) -> tuple[Mark, ...]:
    return tuple(Mark(m.span.start, m.span.end, "") for m in mentions)


def _earlier(
    candidate: Actor, ground: Ground, step: int
) -> Iterator[tuple[str, tuple[Mark, ...], int]]:
    """The latest sentences, before this step, that refer to the candidate."""
    spots: dict[tuple[int, int], list[Mention]] = {}
    for mention in candidate.mentions:
        read = ground.locate(mention.span)
        if read and read.step < step:
            key = read.step, read.sentence(mention.span.start)
            spots.setdefault(key, []).append(mention)
    for key in sorted(spots)[-EARLIER:]:
        read = ground.by_step[key[0]]
        a, b = read.sentences[key[1]]
        yield read.chunk.text[a:b], _unnamed(spots[key]), read.chunk.span.start + a


@dataclass
class Guess:
    """The cases of a run and what annotators said of them."""

    title: str
    cases: tuple[Case, ...]
    rows: dict[tuple[str, str], Annotation] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cases)

    def __getitem__(self, at: int) -> Case:
        """A case by its number, from 0."""
        if 0 <= at < len(self):
            return self.cases[at]
        rule = f"a case is numbered from 0 to {len(self) - 1}"
        raise GswlabError(f"there is no case {at!r}", rule, _NEXT)

    def answer(self, at: int, decision: str, annotator: str = "me") -> Feedback:
        """Decide a case; only then is shown what the reconciler and gold say."""
        case, name = self[at], _annotator(annotator)
        if decision not in DECISIONS:
            rule = f"a decision is one of {', '.join(DECISIONS)}"
            raise GswlabError(f"{decision!r} is no decision", rule, _NEXT)
        self.rows[name, case.id] = case.annotation(decision, name)
        gold = f", gold: {case.gold}" if case.gold else ""
        said = f"You: {decision}, the reconciler: {case.decided}{gold}."
        return Feedback(decision, said, embedded(case.card))

    def read(self, path: str | Path) -> Guess:
        """Take in a file of annotations, anybody's, of this run.

        Raises:
            GswlabError: rows are no annotations, or are of another run.
        """
        found = rows_of(path)
        known = {case.id: case for case in self.cases}
        for row in found:
            case = known.get(row.alignment)
            if case is None or case.annotation(row.decision, "?").spans != row.spans:
                problem = f"{path} has {row.alignment}, {row.name!r}, which is not here"
                rule = "annotations are of the same text, read by the same reconciler"
                raise GswlabError(problem, rule, "guess(lab).read(FILE)")
            _annotator(row.annotator)
        self.rows |= {(row.annotator, row.alignment): row for row in found}
        return self

    def write(self, path: str | Path) -> Path:
        """All annotations as a file, `.jsonl` or `.csv` by its suffix."""
        target = Path(path)
        text = text_of(self._ordered(), target.suffix or str(target))
        return RunFolder(target.parent).write(target.name, text)

    def agreement(self) -> pd.DataFrame:
        """Each two deciders: how often they agree, Cohen's kappa, 95 % intervals.

        Who decided are annotators by name, then the reconciler, then gold.
        """
        said: dict[str, dict[str, str]] = {}
        for row in self._ordered():
            said.setdefault(row.annotator, {})[row.alignment] = row.decision
        said[RECONCILER] = {case.id: case.decided for case in self.cases}
        if self._in_gold:
            said[GOLD] = {case.id: case.gold for case in self.cases if case.gold}
        rows = [
            {"one": one, "other": other, **agreement(its, others)}
            for (one, its), (other, others) in combinations(said.items(), 2)
        ]
        return pd.DataFrame(rows).set_index(["one", "other"])

    def page(self) -> Page:
        """The exercise as one page: offline, by the keyboard, export inside."""
        left = {"decision", "annotator"}
        rows = [case.annotation("unsure", "-") for case in self.cases]
        data = [
            {"row": r.model_dump(exclude=left), "reconciler": c.decided, "gold": c.gold}
            for c, r in zip(self.cases, rows, strict=True)
        ]
        return described(
            f"{self.title}: guess the merge",
            "teach/guess.html",
            ("teach/guess.css",),
            ("teach/guess.js",),
            f"{len(self)} alignments, {self._in_gold} of them in gold",
            820,
            data=data,
            cases=self.cases,
        )

    @property
    def _in_gold(self) -> int:
        return sum(case.gold is not None for case in self.cases)

    def _ordered(self) -> list[Annotation]:
        at = {case.id: n for n, case in enumerate(self.cases)}
        rows = self.rows.values()
        return sorted(rows, key=lambda row: (row.annotator, at[row.alignment]))

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    def __repr__(self) -> str:
        people = len({row.annotator for row in self.rows.values()})
        return (
            f"Guess({self.title}: {len(self)} alignments, {self._in_gold} in gold, "
            f"{len(self.rows)} decided by {people})"
        )


def guess(source: Any) -> Guess:
    """The exercise of a `Lab`, a `Journal`, or a gold excerpt that was read.

    >>> guess(read_excerpt(excerpt, memory)).agreement()  # doctest: +SKIP

    Raises:
        GswlabError: no alignment of it had anybody to be held against.
    """
    gold = source if isinstance(source, GoldReading) else None
    if gold:
        history, steps = History.of(gold.steps), gold.steps
        ground = Ground.of(steps, gold.chunks, (gold.document,))
        told = Telling(gold.excerpt.name, history, ground, labels(steps))
    else:
        told = Telling.of(getattr(source, "journal", source))
    if found := tuple(cases(told, gold)):
        return Guess(told.title, found)
    problem = f"{told.title} has no alignment that weighed a candidate"
    raise GswlabError(problem, "memory=gsw, two chunks read or more", "lab.run()")


def _annotator(name: str) -> str:
    told = name.strip()
    if told and told not in (RECONCILER, GOLD):
        return told
    rule = f"an annotator has a name, and it is not {RECONCILER} or {GOLD}"
    raise GswlabError(f"{name!r} is no annotator", rule, _NEXT)
