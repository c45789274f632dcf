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
import warnings
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
from gswlab.core.nouns import Actor, Chunk, Mention, visible
from gswlab.core.step import Alignment
from gswlab.core.workspace import Workspace
from gswlab.view.kit.page import Page, described, embedded, rendered
from gswlab.view.kit.spans import Ground, Mark, escape, plain_text
from gswlab.view.run.history import History, Scene
from gswlab.view.run.parts import Telling
from gswlab.view.run.words import labels

GuessDecision = Literal["same", "different", "unsure"]
DECISIONS: tuple[GuessDecision, ...] = get_args(GuessDecision)
FEWEST = 10  # pairs below which an interval would say nothing
LAYOUTS = (".jsonl", ".csv")
_RULE = "annotations are rows of JSON Lines or CSV as guess.write makes them"


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


_ROWS = TypeAdapter(tuple[Annotation, ...])


def agreement(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, float]:
    """How two deciders agree over `n` alignments that both decided.

    `unsure` counts those left out because one of them did not know. `share` and `kappa`
    (Cohen's, 1960) have an interval from ten pairs on; kappa is undefined where all say
    one thing.

    Raises:
        GswlabError: scikit-learn, which counts kappa, is not installed.
    """
    try:
        from sklearn.metrics import cohen_kappa_score
    except ImportError as error:
        command = 'pip install "gswlab[notebook]"'
        problem = "kappa is counted by scikit-learn, which is not installed"
        raise GswlabError(problem, "the extra `notebook`", command) from error
    both = sorted(set(one) & set(other))
    known = [key for key in both if "unsure" not in (one[key], other[key])]
    a, b = (np.array([said[key] for key in known]) for said in (one, other))
    n, nan = len(known), float("nan")

    def kappa(drawn: NDArray[np.intp]) -> float:
        if len({*a[drawn].tolist(), *b[drawn].tolist()}) < 2:
            return nan
        with warnings.catch_warnings():  # a resample may have one label alone
            warnings.simplefilter("ignore")
            return float(cohen_kappa_score(a[drawn], b[drawn]))

    def share(drawn: NDArray[np.intp]) -> float:
        return float((a == b)[drawn].mean())

    found: dict[str, float] = {
        "n": n,
        "agreed": int((a == b).sum()),
        "unsure": len(both) - n,
    }
    for name, statistic in (("share", share), ("kappa", kappa)):
        mean = statistic(np.arange(n)) if n else nan
        told = bootstrap(n, statistic) if n >= FEWEST else Interval(mean, nan, nan, n)
        found |= {name: told.mean, f"{name}_low": told.low, f"{name}_high": told.high}
    return found


def text_of(rows: Iterable[Annotation], layout: str) -> str:
    """Annotations as the text of a file, `.jsonl` or `.csv`."""
    if _layout(layout) == ".jsonl":
        return "".join(f"{row.model_dump_json()}\n" for row in rows)
    data = [row.model_dump(mode="json") for row in rows]
    frame = pd.DataFrame(data, columns=[*Annotation.model_fields])
    return frame.to_csv(index=False, lineterminator="\n")


def rows_of(path: str | Path) -> tuple[Annotation, ...]:
    """The annotations of a file.

    Raises:
        GswlabError: it cannot be read, or rows are no annotations: each is named.
    """
    lined = _layout(path) == ".jsonl"
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
        lines = [line for line in text.split("\n") if line.strip()]
        if lined:
            return _ROWS.validate_json(f"[{','.join(lines)}]")
        table = csv.DictReader(StringIO(text, newline=""), strict=True)
        return _ROWS.validate_python([*table])
    except ValidationError as error:
        raise GswlabError(f"{path} has {problems(error)}", _RULE) from error
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise GswlabError(f"{path} cannot be read: {why}", _RULE) from error


def _layout(path: str | Path) -> str:
    suffix = Path(path).suffix or str(path)
    if suffix in LAYOUTS:
        return suffix
    rule = f"annotations are one of {', '.join(LAYOUTS)}"
    raise GswlabError(f"{path} has another layout", rule, 'guess.write("ann.jsonl")')


SAID: dict[str, GuessDecision] = {"merged": "same", "new": "different"}
EARLIER = 3  # sentences that recall a candidate


@dataclass(frozen=True)
class Case:
    """One alignment before it is decided; `decided` and `gold` are for afterwards."""

    id: str
    label: str
    alignment: Alignment
    candidate: Actor
    mentions: tuple[Mention, ...]
    chunk: Chunk
    earlier: tuple[tuple[str, tuple[Mark, ...], int], ...]
    names: dict[str, str]
    gold: GuessDecision | None = None

    @property
    def name(self) -> str:
        """The name in the chunk, as the text has it."""
        return self.alignment.name

    @property
    def called(self) -> str:
        """What the candidate was called before this step."""
        return name_of(self.candidate)

    @property
    def decided(self) -> GuessDecision:
        """What the reconciler decided: `ambiguous` is unsure."""
        return SAID.get(self.alignment.status, "unsure")

    @property
    def told(self) -> list[str]:
        """What earlier steps said of the candidate, shortest form."""
        fields = ("also called", "role", "state", "value")
        found = facts(self.candidate, lambda i: self.names.get(i, i))
        return list(dict.fromkeys(f.text for f in found if f.field in fields))

    @property
    def marks(self) -> list[Mark]:
        """The name in the chunk's text."""
        return [Mark(m.span.start, m.span.end, "") for m in self.mentions]

    def annotation(self, decision: GuessDecision, annotator: str) -> Annotation:
        """A decision about this case as a row."""
        return Annotation(
            alignment=self.id,
            document=self.chunk.document,
            spans=tuple((m.span.start, m.span.end) for m in self.mentions),
            name=self.name,
            candidate=self.candidate.id,
            called=self.called,
            decision=decision,
            annotator=annotator,
        )

    def card(self) -> str:
        """The reconciler's why-card, as HTML."""

        def named(noun_id: str, name: str | None = None) -> tuple[str, str]:
            return "", name or self.names.get(noun_id, noun_id)

        decisions = [self.alignment]
        return rendered("run/cards.html", decisions=decisions, named=named)

    def _repr_html_(self) -> str:
        return rendered("teach/case.html", case=self)

    def __repr__(self) -> str:
        lit = plain_text(self.chunk.text, self.marks, self.chunk.span.start)
        before = [f"  earlier: {plain_text(t, m, o)}" for t, m, o in self.earlier]
        head = f"{self.id}: is {self.name!r} the same as {self.called!r}?"
        return "\n".join([visible(head), f"  {lit}", *before])


def cases(told: Telling, gold: GoldReading | None = None) -> Iterator[Case]:
    """Every alignment that had somebody to be held against, in the order made."""
    before = Workspace()
    for scene in told.history.scenes:
        for decision in scene.step.decisions:
            if isinstance(decision, Alignment) and decision.candidates:
                case = _case(decision, scene, before, told)
                if case is not None:
                    yield replace(case, gold=_gold(case, gold)) if gold else case
        before = scene.after


def _case(
    decision: Alignment, scene: Scene, before: Workspace, told: Telling
) -> Case | None:
    best = max(decision.candidates, key=lambda c: c.score).actor
    asked = decision.actor if decision.status == "merged" else best
    candidate = before.nouns.get(before.resolve(asked))
    actor = scene.after.nouns.get(scene.after.resolve(decision.actor))
    step = scene.step.index
    read = told.ground.by_step.get(step)
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
    known = {c.actor for c in decision.candidates} | {decision.actor}
    records = told.history.records
    return Case(
        f"{step}:{decision.new}",
        told.labels[step],
        decision,
        candidate,
        tuple(bearing),
        read.chunk,
        tuple(_earlier(candidate, told.ground, step)),
        {i: records[i].name_at(step) for i in known if i in records},
    )


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
        start = read.chunk.span.start + a
        marks = tuple(Mark(m.span.start, m.span.end, "") for m in spots[key])
        yield read.chunk.text[a:b], marks, start


def _gold(case: Case, gold: GoldReading) -> GuessDecision | None:
    """What the annotated excerpt says; None where it marks one of the two nowhere."""
    one = gold.refers(replace(case.candidate, mentions=case.mentions))
    other = gold.refers(case.candidate)
    if one is None or other is None:
        return None
    return "same" if one == other else "different"


RECONCILER, GOLD = "reconciler", "gold"
_NEXT = 'guess.answer(0, "same", annotator="Ann")'


@dataclass(frozen=True)
class Reveal:
    """What the reconciler, and the gold, said of a case that was just decided."""

    case: Case
    decision: GuessDecision

    def _repr_html_(self) -> str:
        return embedded(f"<p>{escape(repr(self))}</p>{self.case.card()}")

    def __repr__(self) -> str:
        said = [f"You: {self.decision}", f"the reconciler: {self.case.decided}"]
        said += [f"gold: {self.case.gold}"] if self.case.gold else []
        return ", ".join(said) + "."


@dataclass
class Guess:
    """The cases of a run and what annotators said of them."""

    title: str
    cases: tuple[Case, ...]
    rows: dict[tuple[str, str], Annotation] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cases)

    def __getitem__(self, at: int | str) -> Case:
        """A case by its number, from 0, or by its alignment's id (`14:a1`)."""
        if isinstance(at, int) and 0 <= at < len(self):
            return self.cases[at]
        for case in self.cases:
            if case.id == at:
                return case
        rule = f"0 to {len(self) - 1}, or an id such as {self.cases[0].id}"
        raise GswlabError(f"there is no case {at!r}", rule, _NEXT)

    def answer(self, at: int | str, decision: str, annotator: str = "me") -> Reveal:
        """Decide a case; only then is shown what the reconciler and gold say."""
        case, name = self[at], _annotator(annotator)
        if decision not in DECISIONS:
            rule = f"a decision is one of {', '.join(DECISIONS)}"
            raise GswlabError(f"{decision!r} is no decision", rule, _NEXT)
        row = case.annotation(decision, name)
        self.rows[name, case.id] = row
        return Reveal(case, row.decision)

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

    def deciders(self) -> dict[str, dict[str, str]]:
        """Who decided what: annotators by name, then the reconciler, then gold."""
        found: dict[str, dict[str, str]] = {}
        for row in self._ordered():
            found.setdefault(row.annotator, {})[row.alignment] = row.decision
        found[RECONCILER] = {case.id: case.decided for case in self.cases}
        gold = {case.id: case.gold for case in self.cases if case.gold}
        return found | ({GOLD: dict(gold)} if gold else {})

    def agreement(self) -> pd.DataFrame:
        """Each two deciders: how often they agree, Cohen's kappa, 95 % intervals."""
        rows = [
            {"one": one, "other": other, **agreement(its, others)}
            for (one, its), (other, others) in combinations(self.deciders().items(), 2)
        ]
        return pd.DataFrame(rows).set_index(["one", "other"])

    def page(self) -> Page:
        """The exercise as one page: offline, by the keyboard, export inside."""
        left = {"decision", "annotator"}
        data = [
            {
                "row": case.annotation("unsure", "-").model_dump(exclude=left),
                "reconciler": case.decided,
                "gold": case.gold,
            }
            for case in self.cases
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
    if isinstance(source, GoldReading):
        steps = source.steps
        ground = Ground.of(steps, source.chunks, (source.document,))
        told = Telling(source.excerpt.name, History.of(steps), ground, labels(steps))
        found = tuple(cases(told, source))
    else:
        told = Telling.of(getattr(source, "journal", source))
        found = tuple(cases(told))
    if found:
        return Guess(told.title, found)
    problem = f"{told.title} has no alignment that weighed a candidate"
    raise GswlabError(problem, "memory=gsw, two chunks read or more", "lab.run()")


def _annotator(name: str) -> str:
    told = name.strip()
    if told and told not in (RECONCILER, GOLD):
        return told
    rule = f"an annotator has a name, and it is not {RECONCILER} or {GOLD}"
    raise GswlabError(f"{name!r} is no annotator", rule, _NEXT)
