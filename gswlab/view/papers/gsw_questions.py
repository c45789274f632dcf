"""Open questions over a run: from the step that asked to the step that answered.

A question that a step asks and answers at once is no wait: it is counted, not drawn.
What nothing answered is a loose end, and stays to the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor, Noun, Question, Span, VerbPhrase, visible
from gswlab.core.workspace import id_order
from gswlab.text.sentences import own_questions
from gswlab.view.kit.chart import Chart, panelled
from gswlab.view.kit.page import embedded, rendered
from gswlab.view.kit.spans import Ground
from gswlab.view.run.history import History, Record
from gswlab.view.run.words import labels

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


OWN = "the text asks"
LISTED = 200  # questions of a table in a notebook
DRAWN = 24  # questions of a figure
_SHORT = 48  # characters of a question beside its bar
_LOOKS: Mapping[str, tuple[str, Literal["-", "--"], str]] = {
    "answered": ("#0072B2", "-", "o"),
    "loose end": ("#D55E00", "--", ">"),
}


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

    @property
    def loose_ends(self) -> tuple[Wait, ...]:
        """What nothing has answered at the end."""
        return tuple(row for row in self.rows if row.answered is None)

    def end(self, row: Wait) -> int:
        """The step at which a bar ends: the answer's, or the last."""
        return len(self.labels) - 1 if row.answered is None else row.answered

    def open_after(self) -> list[int]:
        """How many questions are open after each step."""
        came = Counter(row.asked for row in self.waited)
        went = Counter(row.answered for row in self.waited)
        steps = range(len(self.labels))
        return list(accumulate(came[step] - went[step] for step in steps))

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
        many = f"{len(self.rows)} questions: {len(self.rows) - len(self.waited)}"
        ends = f"{late} later, {len(self.loose_ends)} loose ends"
        return f"Timeline({many} answered at once, {ends})"


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
        for text in own_questions(document.text, document.language)[:DRAWN]:
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


def question_timeline(of: Any, *, alt: str) -> tuple[Chart, pd.DataFrame]:
    """The timeline of `DRAWN` questions as a figure, and the table of all.

    It is of a lab, a journal or a `Timeline`; `alt` says in a sentence what it shows.
    """
    if not alt.strip():
        rule = "a sentence that says what the figure shows"
        raise GswlabError("the figure has no alt text", rule, 'alt="..."')
    told = of if isinstance(of, Timeline) else timeline(of)
    drawn, (bars, many) = panelled("Questions from asked to answered", 2)
    first = (told.telling or told.waited)[:DRAWN]
    shown = sorted(first, key=lambda row: (row.asked, told.end(row)))
    drawn.figure.set_size_inches(6.75, 1.6 + 0.15 * len(shown))
    _bars(bars, told, shown)
    bars.set_title(f"{len(shown)} of {len(told.waited)} that waited", fontsize=8)
    opened = told.open_after()
    many.step(range(len(opened)), opened, where="post", color="#0072B2", label="open")
    many.set(xlabel="step", ylim=(0, None))
    many.set_title("open after each step", fontsize=8)
    for axis in (bars, many):
        axis.locator_params(axis="x", integer=True)
    look: dict[str, Any] = {"fontsize": 7, "frameon": False, "ncols": 3}
    named = bars.get_legend_handles_labels()
    drawn.figure.legend(*named, loc="outside lower center", **look)
    done = drawn.done(legend=False)
    done.alt = alt
    return done, told.to_frame()


def _bars(axis: Axes, told: Timeline, shown: Sequence[Wait]) -> None:
    """Lines from asked to answered: solid to a dot, dashed to an arrow at the end."""
    for name, (colour, dash, mark) in _LOOKS.items():
        loose = name == "loose end"
        own = {n: row for n, row in enumerate(shown) if (row.answered is None) == loose}
        ends, starts = [*map(told.end, own.values())], [r.asked for r in own.values()]
        axis.hlines([*own], starts, ends, colors=colour, linestyles=dash, linewidth=1.2)
        look: dict[str, Any] = {"color": colour, "marker": mark, "markersize": 4}
        axis.plot(ends, [*own], linestyle="", label=name, **look)
    asked = [row.asked for row in shown]
    axis.plot(asked, range(len(shown)), "|", color="black", label="asked")
    axis.set_yticks(range(len(shown)), [*map(_brief, shown)], fontsize=6)
    axis.invert_yaxis()
    axis.set(xlabel="step", xlim=(-0.5, max(len(told.labels) - 0.5, 0.5)))


def _brief(row: Wait) -> str:
    """A question in a few words: the occurrence says more than "someone" does."""
    slot = row.about and row.kind == "open slot"
    text = f"{row.about}: {row.slot}?" if slot else row.question
    said = visible(" ".join(text.split())).replace("$", r"\$")  # no mathematics
    return said if len(said) <= _SHORT else f"…{said[1 - _SHORT :]}"
