"""What of a chapter's gold was bound, and whose fault a wrong answer is.

A tuples file is `{"1": {"date": [...], "location": [...], "entity": [...],
"content": [...]}, ...}`. It is opened after the run, for scoring alone.

For a wrong answer gold is swapped in one stage at a time. It is answered again, with
the same reader and the same judge, from

1. the gold of the question's chapters: still wrong, then **reading** is to blame;
2. what is believed of them, no more and no less: right, then **recall** is;
3. that, with each gold value that stands among the votes of its episode put in place of
   the one that won: right, then **reconciliation** is;
4. else the value was never read off the text: **extraction**.

A wrong answer is one whose strict F1 is below one. Gold never reaches a memory. Who
else was there is in no tuple: for them, what is believed stays.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter

from gswlab.bench.epbench import EpQuestion, RetrievalType, refused
from gswlab.bench.judge import Judge, Verdict, normalise_date
from gswlab.bench.scoring import Scored, strict_of
from gswlab.core.nouns import Bound, Episode, Evidence, Item
from gswlab.core.protocols import Reader
from gswlab.core.workspace import Workspace

TUPLE_FIELDS: tuple[tuple[str, RetrievalType], ...] = (
    ("date", "Times"),
    ("place", "Spaces"),
    ("protagonist", "Entities"),
    ("kind", "Event contents"),
)
_Read = TypeVar("_Read")
_COMPLETE = frozenset({"date", "place", "protagonist"})
_Values = Annotated[
    tuple[str, ...], BeforeValidator(lambda v: [v] if isinstance(v, str) else v)
]


class GoldTuple(BaseModel):
    """What happened in one chapter; EpBench's column names are the aliases."""

    date: _Values
    place: _Values = Field(alias="location")
    protagonist: _Values = Field(alias="entity")
    kind: _Values = Field(alias="content")


def load_tuples(path: str | Path) -> dict[int, GoldTuple]:
    """The gold tuple of every chapter of a tuples file."""
    rule = "a tuples file maps chapter numbers to date, location, entity and content"
    command = "python -m gswlab run experiment=epbench dataset.tuples=FILE"
    return helping(path, tuples_of, rule, command)


def helping(
    path: str | Path, read: Callable[[Any], _Read], rule: str, command: str
) -> _Read:
    """What a JSON file that helps to score holds; `GswlabError` for a bad one."""
    with refused(path, rule, command):
        return read(json.loads(Path(path).read_bytes()))


def tuples_of(data: Any) -> dict[int, GoldTuple]:
    """The gold tuples of data at hand."""
    return TypeAdapter(dict[int, GoldTuple]).validate_python(data)


def recovered(
    gold: dict[int, GoldTuple], episodes: Sequence[Episode], judge: Judge
) -> dict[str, object]:
    """How many chapters have one episode with the gold's date, place, protagonist."""

    def right(gold_tuple: GoldTuple, episode: Episode) -> frozenset[str]:
        return frozenset(
            name
            for name, asked in TUPLE_FIELDS
            for value in getattr(gold_tuple, name)
            if (bound := getattr(episode, name))
            and judge.same(asked, value, bound.value)
        )

    best: dict[int, frozenset[str]] = {}
    for number, gold_tuple in gold.items():
        found = (right(gold_tuple, e) for e in episodes if e.chapter == number)
        of_most = max(
            found, key=lambda f: (f >= _COMPLETE, len(f)), default=frozenset()
        )
        best[number] = of_most
    missed = [n for n, fields in best.items() if not fields >= _COMPLETE]
    counts = {n: sum(n in fields for fields in best.values()) for n, _ in TUPLE_FIELDS}
    return {
        "chapters": len(gold),
        "complete": len(gold) - len(missed),
        **counts,
        "incomplete_chapters": sorted(missed),
    }


Stage = Literal["extraction", "reconciliation", "recall", "reading"]
STAGES: tuple[Stage, ...] = ("extraction", "reconciliation", "recall", "reading")


@dataclass(frozen=True)
class Anatomy:
    """A workspace, the gold of its chapters, and who read and judged."""

    workspace: Workspace
    gold: Mapping[int, GoldTuple]
    reader: Reader
    judge: Judge

    def blamed(
        self, questions: Sequence[EpQuestion], verdicts: Sequence[Verdict]
    ) -> Iterator[tuple[EpQuestion, Stage]]:
        """The stage to blame for each answer that is not all right."""
        for question, verdict in zip(questions, verdicts, strict=True):
            if strict_of(Scored(question, verdict)).f1 >= 1:
                continue
            chapters = set(question.chapters)
            believed = [e for e in self.workspace.episodes if e.chapter in chapters]
            if not self._right(question, list(self._gold(question, believed))):
                yield question, "reading"
            elif self._right(question, believed):
                yield question, "recall"
            elif self._right(question, [self._voted(episode) for episode in believed]):
                yield question, "reconciliation"
            else:
                yield question, "extraction"

    def _right(self, question: EpQuestion, episodes: Sequence[Episode]) -> bool:
        items = tuple(Item("", (), e.chapter, 1.0, (e,)) for e in episodes)
        answer = self.reader.answer(question.question, Evidence(items, 0))
        return strict_of(Scored(question, self.judge.verdict(question, answer))).f1 == 1

    def _gold(
        self, question: EpQuestion, believed: Sequence[Episode]
    ) -> Iterator[Episode]:
        """One episode a chapter: its gold fields on what is believed of the rest."""
        for chapter in sorted(set(question.chapters) & set(self.gold)):
            own = (e for e in believed if e.chapter == chapter)
            base = next(own, Episode(f"gold{chapter}", "", chapter, order=chapter))
            gold = self.gold[chapter]
            bound: dict[str, Any] = {n: _bound(gold, n) for n, _ in TUPLE_FIELDS}
            yield replace(base, **bound)

    def _voted(self, episode: Episode) -> Episode:
        """The episode with each gold value that its votes or second readings have."""
        gold = self.gold.get(episode.chapter or 0)
        if gold is None:
            return episode
        found: dict[str, Any] = {
            name: _bound(gold, name)
            for name, asked in TUPLE_FIELDS
            for value in self._candidates(episode, name)
            if any(self.judge.same(asked, one, value) for one in getattr(gold, name))
        }
        return replace(episode, **found)

    def _candidates(self, episode: Episode, name: str) -> list[str]:
        """All that was ever said for a field, by name; who took part may have led."""
        bound: Bound | None = getattr(episode, name)
        others = episode.hypotheses.get(name, ())
        others += episode.participants if name == "protagonist" else ()
        said = []
        for vote in episode.votes:
            if vote.field == name:
                noun = self.workspace.nouns.get(self.workspace.resolve(vote.candidate))
                value = getattr(noun, "value", None) or getattr(noun, "name", None)
                said.append(str(value or vote.candidate))
        return [*said, *(b.value for b in (bound, *others) if b is not None)]


def _bound(gold: GoldTuple, name: str) -> Bound | None:
    values: tuple[str, ...] = getattr(gold, name)
    if not values:
        return None
    dated = normalise_date(values[0]) if name == "date" else None
    return Bound(dated or values[0], aliases=values[1:])


def summed(blamed: Sequence[tuple[EpQuestion, Stage]]) -> dict[str, object]:
    """How many wrong answers each stage is to blame for; also by what is asked."""
    counts = Counter(stage for _, stage in blamed)
    kinds = sorted({question.asked for question, _ in blamed})
    by = {kind: Counter(s for q, s in blamed if q.asked == kind) for kind in kinds}
    return {
        "wrong": len(blamed),
        **{stage: counts[stage] for stage in STAGES},
        "by_asked": {k: {s: by[k][s] for s in STAGES} for k in kinds},
    }
