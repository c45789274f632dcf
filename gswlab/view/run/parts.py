"""One step as HTML: its text, what was done, what changed, decisions, questions.

The page and the kernel's stepper show the same parts; a paper adds its own (`PAPERS`).
Every string that came from a document passes `escape`; ids in `data-ids` are the ids of
nouns and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from typing import NamedTuple

from gswlab.core.facts import Fact
from gswlab.core.journal import Journal
from gswlab.core.nouns import Chunk, Question, short
from gswlab.core.step import Admission, Alignment, Conflict, Decision, Step
from gswlab.core.workspace import id_order
from gswlab.view.kit.looks import badge
from gswlab.view.kit.spans import Ground, Mark, escape, html_text, isolated, plain_text
from gswlab.view.kit.tables import rows_html
from gswlab.view.run.events_as_graph import Pictured, pictured
from gswlab.view.run.history import History, Scene
from gswlab.view.run.words import labels, told

AtStep = Callable[[int], str]
_Link = Callable[..., str]
NAME = 300  # characters of a name on a button; its details have all of it
_SIGN = {
    "added": '<b class="sign" title="added">+</b>',
    "changed": '<b class="sign" title="changed">◎</b>',
    "retired": '<b class="sign" title="retired">−</b>',
}


class PaperPart(NamedTuple):
    """What a paper adds to a run that has events of a kind.

    `step` is handed the steps and chunks of the run once, and then says the HTML of
    each step, below its decisions and questions if `last`; `strip` draws all steps from
    a first one on, above them.
    """

    kind: str
    step: Callable[[Sequence[Step], Sequence[Chunk]], AtStep]
    last: bool = False
    strip: Callable[[Sequence[Step], str, int], str] | None = None


PAPERS: list[PaperPart] = []  # `gswlab.view.papers` fills it


def papers() -> list[PaperPart]:
    """What the papers add: imported where a step is drawn, not where one is printed."""
    import_module("gswlab.view.papers")
    return PAPERS


def strips(steps: Sequence[Step], title: str, first: int) -> str:
    """What the papers draw over the steps of a run."""
    return "".join(
        paper.strip(steps, title, first)
        for paper in papers()
        if paper.strip and _has(steps, paper.kind)
    )


def _has(steps: Sequence[Step], kind: str) -> bool:
    return any(event.kind == kind for step in steps for event in step.events)


def cards(decisions: Sequence[Decision], link: _Link, name: _Link) -> Iterator[str]:
    """A card for each decision of a step that weighed something.

    `link` makes of a noun's id (and of a name where it has another) what leads to it,
    `name` what only names it, in a heading that is a button itself.
    """
    aligned = [d for d in decisions if isinstance(d, Alignment)]
    yield from (_alignment(d, link, name) for d in aligned if d.candidates)
    for conflict in decisions:
        if isinstance(conflict, Conflict):
            about, kind = link(conflict.subject), conflict.kind.replace("_", " ")
            yield (
                f'<li class="card conflict" data-ids="{escape(conflict.subject)}">'
                f"<b>{about}: {kind}</b> kept {isolated(conflict.kept)}, "
                f"set aside {isolated(conflict.other)}. {escape(conflict.reason)}</li>"
            )
    for admission in decisions:
        if isinstance(admission, Admission):
            yield (
                f'<li class="card"><b>The edit of {escape(admission.edit)} is '
                f"{admission.status}</b> at {admission.price:.2f}. "
                f"{escape(admission.reason)}</li>"
            )
    if plain := [d for d in aligned if not d.candidates]:
        names = ", ".join(link(d.actor, d.name) for d in plain)
        yield f'<li class="card">New, nothing like them known: {names}</li>'


def _alignment(decision: Alignment, link: _Link, name: _Link) -> str:
    best, threshold = max(c.score for c in decision.candidates), decision.threshold
    weighed = []
    for c in decision.candidates:
        features = (f"{escape(what)} {value:+.2f}" for what, value in c.features)
        weighed.append((link(c.actor), f"{c.score:.2f}", ", ".join(features)))
    table = rows_html(("candidate", "score", "features"), weighed)
    top = max(best, threshold, 1e-9) * 1.15
    bar = (
        f'<span class="bar" role="img" aria-label="{best:.2f} against '
        f'{threshold:.2f}"><i style="width:{100 * max(best, 0) / top:.0f}%"></i>'
        f'<u style="left:{100 * max(threshold, 0) / top:.0f}%"></u></span>'
    )
    flip = f"It would merge if a merge needed only {best:.2f}."
    if decision.status == "merged":
        flip = f"It would be new if a merge needed more than {best:.2f}."
    is_open = " open" if decision.status == "ambiguous" else ""
    return (
        f'<li class="card {decision.status}" data-ids="{escape(decision.actor)}">'
        f"<details{is_open}><summary>{isolated(decision.name)} → "
        f"{name(decision.actor)}: {decision.status} {bar} "
        f"<small>{best:.2f} against {threshold:.2f}</small></summary>"
        f"<p>{link(decision.actor)} {escape(decision.reason)}</p>{table}"
        f"<p><small>{flip}</small></p></details></li>"
    )


def questions(scene: Scene) -> Iterator[str]:
    """Standing questions first, then the answered, the open and the predicted ones."""
    now = {i for i in (*scene.added, *scene.changed) if i[0] == "q"}
    ids = sorted({*now, *scene.standing}, key=id_order)
    nouns = [scene.after.nouns.get(noun_id) for noun_id in ids]
    shown = [noun for noun in nouns if isinstance(noun, Question)]
    new = [q for q in shown if q.id in scene.added and not q.standing]
    at_once = [q for q in new if q.status == "answered"]
    told = [q for q in shown if q not in at_once]
    told.sort(key=lambda q: (not q.standing, q.status != "answered", q.predicted))
    yield from (_question(q, q.id in now) for q in told)
    if at_once:
        listed = "".join(_question(q, True) for q in at_once)
        head = f"{len(at_once)} asked and answered at once"
        yield f"<li><details><summary>{head}</summary><ul>{listed}</ul></details></li>"
    if rest := scene.waiting - sum(q.status != "answered" for q in shown):
        yield f'<li class="quiet">and {rest} open from before</li>'


def _question(question: Question, now: bool) -> str:
    flags = {"prediction": question.predicted, "standing": question.standing}
    tags = [question.status, *(name for name, on in flags.items() if on)]
    answers = ", ".join(isolated(a.text) for a in question.answers)
    told = answers and f" — {answers}"
    why = f" <small>{escape(question.reason)}</small>" if question.reason else ""
    return (
        f'<li class="q-{question.status}{" now" if now else ""}">'
        f"{isolated(question.text)}{told} <i>{', '.join(tags)}</i>{why}</li>"
    )


@dataclass(frozen=True)
class Parts:
    """Renders the steps of one history."""

    history: History
    ground: Ground

    def step(self, k: int) -> str:
        """All parts of step `k`, in reading order."""
        step = self.history.scenes[k].step
        own = {last: "".join(at(k) for at in self._papers[last]) for last in (0, 1)}
        parts = [self.text(k), self.happened(k), self.changes(k), own[0]]
        if not isinstance(step, Pictured) or step.decisions:
            parts += [self.decisions(k), self.questions(k)]
        return "".join((*parts, own[1]))

    @cached_property
    def _papers(self) -> tuple[list[AtStep], list[AtStep]]:
        """What papers add to a step: before its decisions, and last."""
        steps = [scene.step for scene in self.history.scenes]
        chunks = [read.chunk for read in self.ground.by_step.values()]
        found: tuple[list[AtStep], list[AtStep]] = ([], [])
        for paper in papers():
            if _has(steps, paper.kind):
                found[paper.last].append(paper.step(steps, chunks))
        return found

    def happened(self, k: int) -> str:
        """What the memory did that changed no workspace, a sentence an event."""
        events = self.history.scenes[k].step.events
        entries = [f"<li>{isolated(told(event))}</li>" for event in events]
        return section("What it did", "events", entries) if entries else ""

    def text(self, k: int) -> str:
        """The chunk's text, its cited characters lit."""
        read = self.ground.by_step.get(k)
        if read is None:
            return '<p class="quiet">This step read no text.</p>'
        marks, chunk = self.marks(k), read.chunk
        number = f"Chapter {chunk.chapter}" if chunk.chapter is not None else ""
        if chunk.title and chunk.title.casefold().startswith(number.casefold()):
            number = ""
        named = number, chunk.title, chunk.speaker, chunk.time
        head = escape(" · ".join(part for part in named if part))
        body, text, end = "", chunk.text, 0
        for n, (a, b) in enumerate(read.sentences):
            inner = html_text(text[a:b], marks, chunk.span.start + a)
            body += escape(text[end:a])
            body += f'<span class="s" id="s{read.step}-{n}">{inner}</span>'
            end = b
        body += escape(text[end:])
        return f'<h3 class="place">{head}</h3><p class="text" dir="auto">{body}</p>'

    def plain(self, k: int) -> str:
        """The chunk's text for a terminal: `[Ann Ray](a1) met ...`."""
        read = self.ground.by_step.get(k)
        if read is None:
            return "(this step read no text)"
        marks = [mark for mark in self.marks(k) if mark.form]
        return plain_text(read.chunk.text, marks, read.chunk.span.start)

    def marks(self, k: int) -> list[Mark]:
        """What nouns of step `k` cite of its chunk, and what its events point at."""
        scene, area = self.history.scenes[k], self.ground.by_step[k].chunk.span
        # an event that points at all of the chunk says nothing of a part of it
        marks = {
            Mark(span.start, span.end, "")
            for event in scene.step.events
            for span in event.spans
            if span.document == area.document
            and area.start <= span.start < span.end <= area.end
            and span != area
        }
        for noun_id in (*scene.added, *scene.changed, *scene.touched):
            for fact in scene.cited.get(noun_id, ()):
                # A verb phrase cites its whole clause: lit when asked for, else quiet.
                form = "anchor" if fact.field == "read as" else ""
                form = fact.why if fact.field == "mention" else form
                kind = self.history.records[noun_id].kind if form else ""
                for span in fact.spans:
                    inside = span.start < area.end and span.end > area.start
                    if span.document == area.document and inside:
                        marks.add(Mark(span.start, span.end, noun_id, kind, form))
        return sorted(marks)

    def changes(self, k: int) -> str:
        """What changed, in words, one entry a noun."""
        scene, entries, plain = self.history.scenes[k], [], []
        drawn = isinstance(scene.step, Pictured)
        for how in ("added", "changed", "retired"):
            for noun_id in getattr(scene, how):
                record = self.history.records[noun_id]
                # a line of a picture is one of the sentences above it
                if noun_id[0] in ("qr" if drawn else "q"):
                    continue
                # an anchor that arrives with the actor it is drawn as is told once
                if record.face and {record.face, noun_id} <= set(scene.added):
                    continue
                link = self._link(k, noun_id)
                if said := self._said(scene, noun_id, how):
                    said = f"{_SIGN[how]} {link} <i>{record.kind}</i> {said}"
                    entries.append(f'<li class="{how}">{said}</li>')
                else:
                    plain.append(link)
        if plain:
            said = f"{_SIGN['added']} {' '.join(plain)}"
            entries.insert(0, f'<li class="added">{said}</li>')
        if drawn and not entries:
            return ""
        title = "In the picture" if drawn else "What changed"
        return section(title, "changes", entries, "Nothing changed.")

    def _said(self, scene: Scene, noun_id: str, how: str) -> str:
        """What a noun says since a step, and says no more."""
        if how == "retired":
            into = scene.after.retired.get(noun_id)
            link = into and self._link(scene.step.index, into)
            return f"merged into {link}" if link else "no longer held"

        def said(tag: str, facts: Sequence[Fact]) -> Iterator[str]:
            for fact in facts:
                if not fact.quiet and (how, fact.field) != ("added", "kind"):
                    text = f"<{tag}>{isolated(fact.text)}</{tag}>"
                    yield f"{escape(fact.field)} {text}"

        gained, lost = scene.gained.get(noun_id, ()), scene.lost.get(noun_id, ())
        return "; ".join((*said("ins", gained), *said("del", lost)))

    def decisions(self, k: int) -> str:
        """The why-cards of a step: what was considered, the score, the reason."""
        decisions = self.history.scenes[k].step.decisions
        told = cards(decisions, partial(self._link, k), partial(self._named, k))
        return section("Decisions", "decisions", [*told], "Nothing to decide.")

    def questions(self, k: int) -> str:
        """Questions answered, raised and standing at a step; how many stay open."""
        entries = [*questions(self.history.scenes[k])]
        return section("Questions", "questions", entries, "None.")

    def _link(self, k: int, noun_id: str, name: str | None = None) -> str:
        named = self._named(k, noun_id, name)
        return f'<button class="noun" data-node="{escape(noun_id)}">{named}</button>'

    def _named(self, k: int, noun_id: str, name: str | None = None) -> str:
        record = self.history.records.get(noun_id)
        shown = name or (record.name_at(k) if record else noun_id)
        return f"{badge(record.kind) if record else ''}{isolated(short(shown, NAME))}"


def section(title: str, name: str, entries: Sequence[str], empty: str = "") -> str:
    """A part of a step: list items under a heading, or a sentence that it has none."""
    listed = f"<ul>{''.join(entries)}</ul>"
    body = listed if entries else f'<p class="quiet">{empty}</p>'
    return f'<section class="{name}"><h3>{title}</h3>{body}</section>'


@dataclass(frozen=True)
class Telling:
    """A run by its steps, its texts and what each step is called."""

    title: str
    history: History  # its nouns and scenes
    ground: Ground  # its texts, by the steps that read them

    @classmethod
    def of(cls, journal: Journal) -> Telling:
        """All steps of a journal; where they fold nothing, what their events name."""
        documents, chunks = journal.documents(), journal.chunks()
        steps = pictured(journal.steps(), chunks)
        title = ", ".join(document.id for document in documents) or "an empty run"
        return cls(
            title, History.of(steps, chunks), Ground.of(steps, chunks, documents)
        )

    @cached_property
    def parts(self) -> Parts:
        """Its steps as HTML."""
        return Parts(self.history, self.ground)

    @cached_property
    def steps(self) -> list[Step]:
        """Its steps, in order."""
        return [scene.step for scene in self.history.scenes]

    @cached_property
    def labels(self) -> list[str]:
        """What each step is called on screen."""
        return labels(self.steps)
