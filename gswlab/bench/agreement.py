"""Whether two names mean one: what annotators say of it, and how far they agree.

An annotation is one row of a file, JSON Lines or CSV, and holds no clock. Annotators
are told apart by the name they typed; a later row of theirs on the same alignment takes
the place of the earlier one.

>>> one = {"2:a1": "same", "3:a1": "different"}
>>> agreement(one, {"2:a1": "same", "3:a1": "same"}).agreed
1
"""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gswlab.bench.statistics import Interval, bootstrap
from gswlab.core.errors import GswlabError

Decision = Literal["same", "different", "unsure"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
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
    decision: Decision
    annotator: str = Field(min_length=1)


@dataclass(frozen=True)
class Agreement:
    """How two deciders agree over `n` alignments that both decided.

    `unsure` counts those left out because one of them did not know. `share` and `kappa`
    have an interval from ten pairs on; kappa is undefined where all say one thing.
    """

    n: int
    agreed: int
    unsure: int
    share: Interval
    kappa: Interval


def agreement(one: Mapping[str, str], other: Mapping[str, str]) -> Agreement:
    """Two deciders held against each other, by alignment.

    Raises:
        GswlabError: scikit-learn, which counts kappa, is not installed.
    """
    both = sorted(set(one) & set(other))
    known = [key for key in both if "unsure" not in (one[key], other[key])]
    a, b = (np.array([said[key] for key in known]) for said in (one, other))
    alike = a == b

    def share(drawn: NDArray[np.intp]) -> float:
        return float(alike[drawn].mean())

    def kappa(drawn: NDArray[np.intp]) -> float:
        return _kappa(a[drawn], b[drawn])

    figures = (_figure(len(known), statistic) for statistic in (share, kappa))
    return Agreement(len(known), int(alike.sum()), len(both) - len(known), *figures)


def _figure(n: int, statistic: Any) -> Interval:
    if n >= FEWEST:
        return bootstrap(n, statistic)
    nan = float("nan")
    return Interval(statistic(np.arange(n)) if n else nan, nan, nan, n)


def _kappa(one: NDArray[np.str_], other: NDArray[np.str_]) -> float:
    """Cohen's kappa (1960); nan where both say one thing throughout."""
    try:
        from sklearn.metrics import cohen_kappa_score
    except ImportError as error:
        command = 'pip install "gswlab[notebook]"'
        problem = "kappa is counted by scikit-learn, which is not installed"
        raise GswlabError(problem, "the extra `notebook`", command) from error
    if len({*one.tolist(), *other.tolist()}) < 2:
        return float("nan")
    with warnings.catch_warnings():  # a resample may have one label alone
        warnings.simplefilter("ignore")
        return float(cohen_kappa_score(one, other))


def text_of(rows: Iterable[Annotation], layout: str) -> str:
    """Annotations as the text of a file, `.jsonl` or `.csv`."""
    data = [row.model_dump(mode="json") for row in rows]
    if _layout(layout) == ".jsonl":
        lines = (json.dumps(row, ensure_ascii=False) for row in data)
        return "".join(f"{line}\n" for line in lines)
    file = StringIO()
    table = csv.DictWriter(file, list(Annotation.model_fields), lineterminator="\n")
    table.writeheader()
    for row in data:
        spans = " ".join(f"{start}-{end}" for start, end in row["spans"])
        table.writerow({**row, "spans": spans})
    return file.getvalue()


def rows_of(path: str | Path) -> tuple[Annotation, ...]:
    """The annotations of a file.

    Raises:
        GswlabError: it cannot be read, or rows are no annotations: each is named.
    """
    parted = _lines if _layout(path) == ".jsonl" else _table
    try:
        raw = parted(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise GswlabError(f"{path} cannot be read: {why}", _RULE) from error
    found, wrong = [], []
    for number, row in raw:
        try:
            found.append(Annotation.model_validate(row))
        except ValidationError as error:
            first = error.errors()[0]
            at = ".".join(map(str, first["loc"])) or "the row"
            wrong.append(f"row {number}, {at}: {first['msg']}")
    if wrong:
        raise GswlabError(f"{path} has {'; '.join(wrong[:5])}", _RULE)
    return tuple(found)


def _layout(path: str | Path) -> str:
    suffix = Path(path).suffix or str(path)
    if suffix in LAYOUTS:
        return suffix
    rule = f"annotations are one of {', '.join(LAYOUTS)}"
    raise GswlabError(f"{path} has another layout", rule, 'guess.write("ann.jsonl")')


def _lines(text: str) -> list[tuple[int, Any]]:
    rows: list[tuple[int, Any]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                rows.append((number, json.loads(line)))
            except ValueError:
                rows.append((number, line))  # named with the other problems
    return rows


def _table(text: str) -> list[tuple[int, Any]]:
    rows = csv.DictReader(StringIO(text, newline=""), strict=True)
    return [(n, {**row, "spans": _spans(row.get("spans"))}) for n, row in
            enumerate(rows, 2)]  # fmt: skip


def _spans(cell: str | None) -> Any:
    pairs = [part.split("-") for part in (cell or "").split()]
    return [[int(end) if end.isdecimal() else end for end in pair] for pair in pairs]
