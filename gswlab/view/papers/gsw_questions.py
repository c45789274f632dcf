"""Open questions over a run: from the step that asked to the step that answered.

A question that a step asks and answers at once is no wait: it is counted, not drawn.
What nothing answered is a loose end, and stays to the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor, Noun, Question, Span, VerbPhrase
from gswlab.core.workspace import id_order
from gswlab.text.sentences import own_questions
from gswlab.view.kit.page import embedded, rendered
from gswlab.view.kit.spans import Ground
from gswlab.view.run.history import History, Record
from gswlab.view.run.words import labels

if TYPE_CHECKING:
    import pandas as pd


OWN = "the text asks"
LISTED = 200  # questions of a table in a notebook
_ASKED = 24  # of a text itself


class Wait(NamedTuple):
    """A question from step `asked` to step `answered`, None where nothing did.

    `about` is the occurrence whose slot it is, by the names in it. `status` and
    `answer` are those at the end of the run; `kind` says whether a user put it
    (standing), the text itself does, an event made it likely (prediction) or a verb
    left it open.
    """

    id: str
    question: str
    about: str
    slot: str
    kind: str
    chapter: int | None
    asked: int
    answered: int | None
    status: str
    answer: str


@dataclass(frozen=True)
class Timeline:
    """The questions of a run: bars in a notebook, a line elsewhere."""

    rows: tuple[Wait, ...]
    labels: tuple[str, ...]

    @cached_property
    def waited(self) -> tuple[Wait, ...]:
        """Questions that outlived the step that asked them, the tellable ones first:
        standing, the text's own, answered late, predictions, what a verb left open."""

        def rank(row: Wait) -> tuple[Any, ...]:
            own = {"standing": 0, OWN: 1}.get(row.kind, 2)
            loose, slot = row.answered is None, row.kind == "open slot"
            wait = self.end(row) - row.asked
            return own, loose, slot, row.slot != "agent", -wait, id_order(row.id)

        told = (row for row in self.rows if row.answered != row.asked)
        return tuple(sorted(told, key=rank))

    @property
    def telling(self) -> tuple[Wait, ...]:
        """Those that hold a story open: not where and when of every verb, for ever."""
        return tuple(
            r for r in self.waited if r.kind != "open slot" or r.answered is not None
        )

    def end(self, row: Wait) -> int:
        """The step at which a bar ends: the answer's, or the last."""
        return len(self.labels) - 1 if row.answered is None else row.answered

    def to_frame(self) -> pd.DataFrame:
        """A row a question, those answered at once included."""
        import pandas as pd

        frame = pd.DataFrame(self.rows, columns=list(Wait._fields))
        return frame.astype({"answered": "Int64", "chapter": "Int64"})

    def _repr_html_(self) -> str:
        facts = {"told": self, "shown": self.telling, "most": LISTED}
        return embedded(rendered("papers/waits.html", **facts))

    def __repr__(self) -> str:
        late = sum(row.answered is not None for row in self.waited)
        rows, now = len(self.rows), len(self.rows) - len(self.waited)
        loose = sum(row.answered is None for row in self.rows)
        ends = f"{now} answered at once, {late} later, {loose} loose ends"
        return f"Timeline({rows} questions: {ends})"


def timeline(of: Any) -> Timeline:
    """When the questions of a lab or a journal were asked and answered."""
    journal: Journal = getattr(of, "journal", of)
    history = History.of(journal.steps())
    made = [scene.step for scene in history.scenes]
    final: Mapping[str, Noun] = history.scenes[-1].after.nouns if made else {}
    asked = ((r, final.get(r.id)) for r in history.records.values())
    found = [_wait(r, q, final) for r, q in asked if isinstance(q, Question)]
    known = {row.question for row in found}
    ground = Ground.of(made, journal.chunks(), journal.documents())
    found += (w for w in _of_the_text(of, journal, ground) if w.question not in known)
    found.sort(key=lambda row: (row.asked, id_order(row.id)))
    return Timeline(tuple(found), tuple(labels(made)))


def _of_the_text(of: Any, journal: Journal, ground: Ground) -> Iterator[Wait]:
    """What the text itself asks; a lab without a model says what answers it by now."""
    free = hasattr(of, "answer") and not of.llm
    for document in journal.documents():
        for text in own_questions(document.text, document.language)[:_ASKED]:
            at = document.text.find(text)
            read = ground.locate(Span(document.id, at, at + len(text)))
            if read is None:
                continue
            answer = of.answer(text)[0] if free else None
            said = answer if answer and not answer.abstained else None
            cited = [ground.locate(span) for span in said.spans] if said else []
            last = max((one.step for one in cited if one), default=None)
            what = ("", "", OWN, read.chunk.chapter, read.step)
            done = None if last is None else max(last, read.step)
            ends = ("answered", ", ".join(said.items)) if said else ("open", "")
            yield Wait(f"t{at}", text, *what, done, *ends)


def _wait(record: Record, question: Question, nouns: Mapping[str, Noun]) -> Wait:
    kind = "prediction" if question.predicted else "open slot"
    said = {"agent": "", "verb": "", "patient": ""}
    phrase = nouns.get(question.verb_phrase or "")
    if isinstance(phrase, VerbPhrase):
        said["verb"] = phrase.predicate
        for argument in reversed(phrase.arguments):
            actor = nouns.get(argument.actor or "")
            named = actor.name if isinstance(actor, Actor) else argument.text
            if argument.slot in said:
                said[argument.slot] = named or said[argument.slot]
    # when its status came to be that it is answered, if it still is
    answered = (
        held.first
        for held in record.held
        if held.last is None
        and (held.fact.field, held.fact.text) == ("status", "answered")
    )
    return Wait(
        question.id,
        question.text,
        " ".join(filter(None, said.values())),
        question.slot,
        "standing" if question.standing else kind,
        question.chapter,
        record.life[0][0] or 0,
        next(answered, None),
        question.status,
        ", ".join(dict.fromkeys(filler.text for filler in question.answers)),
    )
