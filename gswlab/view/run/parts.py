"""One step as HTML: its text, what was done, what changed, decisions, questions.

The page and the kernel's stepper show the same parts. Every string that came from a
document passes `escape`; ids in `data-ids` are the ids of nouns and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from gswlab.core.facts import Fact
from gswlab.core.nouns import Chunk, Question, Span, short
from gswlab.core.step import Admission, Alignment, Conflict, Decision
from gswlab.core.workspace import id_order
from gswlab.memgpt.window import Moment
from gswlab.view.kit.ground import Ground, Read
from gswlab.view.kit.looks import LOOKS
from gswlab.view.kit.spans import Mark, escape, html_text, isolated, plain_text
from gswlab.view.papers.gedig_trace import gauge_table, prices
from gswlab.view.papers.memgpt import moment_parts, windows
from gswlab.view.run.events import told
from gswlab.view.run.events_as_graph import Pictured
from gswlab.view.run.history import History, Scene

# Why-cards and questions of a step, as list items.

Link = Callable[..., str]


def cards(decisions: Sequence[Decision], link: Link, name: Link) -> Iterator[str]:
    """A card for each decision that weighed something.

    Args:
        decisions: those of a step.
        link: of a noun's id, and of a name where it has another: what leads to it.
        name: of its id: what only names it, in a heading that is a button itself.
    """
    aligned = [d for d in decisions if isinstance(d, Alignment)]
    yield from (_alignment(d, link, name) for d in aligned if d.candidates)
    yield from (_conflict(d, link) for d in decisions if isinstance(d, Conflict))
    yield from (_admission(d) for d in decisions if isinstance(d, Admission))
    if plain := [d for d in aligned if not d.candidates]:
        names = ", ".join(link(d.actor, d.name) for d in plain)
        yield f'<li class="card">New, nothing like them known: {names}</li>'


def questions(scene: Scene) -> Iterator[str]:
    """Standing questions first, then the answered, the open and the predicted ones."""
    now = {i for i in (*scene.added, *scene.changed) if i[0] == "q"}
    ids = sorted({*now, *scene.standing}, key=id_order)
    nouns = [scene.after.nouns.get(noun_id) for noun_id in ids]
    shown = [noun for noun in nouns if isinstance(noun, Question)]
    at_once = [q for q in shown if _at_once(q, scene)]
    told = [q for q in shown if q not in at_once]
    told.sort(key=lambda q: (not q.standing, q.status != "answered", q.predicted))
    yield from (_question(q, q.id in now) for q in told)
    if at_once:
        listed = "".join(_question(q, True) for q in at_once)
        head = f"{len(at_once)} asked and answered at once"
        yield f"<li><details><summary>{head}</summary><ul>{listed}</ul></details></li>"
    rest = scene.waiting - _waiting(shown)
    if rest:
        yield f'<li class="quiet">and {rest} open from before</li>'


def _waiting(asked: Iterable[Question]) -> int:
    return sum(question.status != "answered" for question in asked)


def _conflict(conflict: Conflict, link: Link) -> str:
    about, kind = link(conflict.subject), conflict.kind.replace("_", " ")
    return (
        f'<li class="card conflict" data-ids="{escape(conflict.subject)}">'
        f"<b>{about}: {kind}</b> kept {isolated(conflict.kept)}, "
        f"set aside {isolated(conflict.other)}. {escape(conflict.reason)}</li>"
    )


def _admission(admission: Admission) -> str:
    return (
        f'<li class="card"><b>The edit of {escape(admission.edit)} is '
        f"{admission.status}</b> at {admission.price:.2f}. "
        f"{escape(admission.reason)}</li>"
    )


def _alignment(decision: Alignment, link: Link, name: Link) -> str:
    best = max(c.score for c in decision.candidates)
    rows = "".join(
        f"<tr><td>{link(c.actor)}</td><td>{c.score:.2f}</td>"
        f"<td>{_features(c.features)}</td></tr>"
        for c in decision.candidates
    )
    is_open = " open" if decision.status == "ambiguous" else ""
    return (
        f'<li class="card {decision.status}" data-ids="{escape(decision.actor)}">'
        f"<details{is_open}><summary>{isolated(decision.name)} → "
        f"{name(decision.actor)}: {decision.status} "
        f"{_bar(best, decision.threshold)} <small>{best:.2f} against "
        f"{decision.threshold:.2f}</small></summary>"
        f"<p>{link(decision.actor)} {escape(decision.reason)}</p>"
        "<table><thead><tr><th>candidate</th>"
        f"<th>score</th><th>features</th></tr></thead><tbody>{rows}</tbody></table>"
        f"<p><small>{_flip(decision, best)}</small></p></details></li>"
    )


def _flip(decision: Alignment, best: float) -> str:
    if decision.status == "merged":
        return f"It would be new if a merge needed more than {best:.2f}."
    return f"It would merge if a merge needed only {best:.2f}."


def _bar(score: float, threshold: float) -> str:
    top = max(score, threshold, 1e-9) * 1.15
    at, mark = 100 * max(score, 0) / top, 100 * max(threshold, 0) / top
    return (
        f'<span class="bar" role="img" aria-label="{score:.2f} against '
        f'{threshold:.2f}"><i style="width:{at:.0f}%"></i>'
        f'<u style="left:{mark:.0f}%"></u></span>'
    )


def _features(features: Iterable[tuple[str, float]]) -> str:
    return ", ".join(f"{escape(name)} {value:+.2f}" for name, value in features)


def _at_once(question: Question, scene: Scene) -> bool:
    answered = question.status == "answered" and not question.standing
    return answered and question.id in scene.added


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


NAME = 300  # characters of a name on a button; its details have all of it


@dataclass(frozen=True)
class Parts:
    """Renders the steps of one history.

    >>> Parts(history, ground).text(2)  # doctest: +SKIP
    '<p class="text" lang="en">...'
    """

    history: History
    ground: Ground

    def step(self, k: int) -> str:
        """All parts of step `k`, in reading order."""
        told = self.text(k), self.happened(k), self.changes(k), self.gauge(k)
        step = self.history.scenes[k].step
        if isinstance(step, Pictured) and not step.decisions:
            return "".join((*told, self.window(k)))
        return "".join((*told, self.decisions(k), self.questions(k), self.window(k)))

    def happened(self, k: int) -> str:
        """What the memory did that changed no workspace, a sentence an event."""
        events = self.history.scenes[k].step.events
        entries = [f"<li>{isolated(told(event))}</li>" for event in events]
        return _section("What it did", "events", entries, "") if entries else ""

    def gauge(self, k: int) -> str:
        """The prices of a step, where edits were priced."""
        told = prices(self.history.scenes[k].step.events)
        if not told:
            return ""
        return f'<section class="prices"><h3>Gauge</h3>{gauge_table(told)}</section>'

    def window(self, k: int) -> str:
        """What filled the window of an agent after a step, where it has one."""
        moment = self._moments.get(k)
        if moment is None:
            return ""
        inner = moment_parts(moment)
        return f'<section class="window"><h3>The window</h3>{inner}</section>'

    @cached_property
    def _moments(self) -> dict[int, Moment]:
        steps = [scene.step for scene in self.history.scenes]
        chunks = [read.chunk for read in self.ground.by_step.values()]
        return windows(steps, chunks)

    def text(self, k: int) -> str:
        """The chunk's text, its cited characters lit."""
        read = self.ground.by_step.get(k)
        if read is None:
            return '<p class="quiet">This step read no text.</p>'
        marks, chunk = self.marks(k), read.chunk
        head = escape(_head(chunk))
        body = "".join(_sentences(read, marks))
        return f'<h3 class="place">{head}</h3><p class="text" dir="auto">{body}</p>'

    def plain(self, k: int) -> str:
        """The chunk's text for a terminal: `[Ann Ray](a1) met ...`."""
        read = self.ground.by_step.get(k)
        if read is None:
            return "(this step read no text)"
        marks = [mark for mark in self.marks(k) if mark.form]
        return plain_text(read.chunk.text, marks, read.chunk.span.start)

    def marks(self, k: int) -> list[Mark]:
        """What the nouns of step `k` cite of its chunk."""
        scene, read = self.history.scenes[k], self.ground.by_step[k]
        area = read.chunk.span
        marks: set[Mark] = set()
        for noun_id in (*scene.added, *scene.changed, *scene.touched):
            record = self.history.records[noun_id]
            for fact in scene.cited.get(noun_id, ()):
                form = _form(fact)
                for span in fact.spans:
                    inside = span.start < area.end and span.end > area.start
                    if span.document == area.document and inside:
                        kind = record.kind if form else ""
                        marks.add(Mark(span.start, span.end, noun_id, kind, form))
        return sorted(marks | self._pointed(scene, area))

    def _pointed(self, scene: Scene, area: Span) -> set[Mark]:
        """What the events of a step point at in its chunk, if not at all of it."""
        spans = {span for event in scene.step.events for span in event.spans}
        return {
            Mark(span.start, span.end, "")
            for span in spans
            if span.document == area.document
            and area.start <= span.start < span.end <= area.end
            and span != area
        }

    def changes(self, k: int) -> str:
        """What changed, in words, one entry a noun."""
        scene, entries, plain = self.history.scenes[k], [], []
        drawn = isinstance(scene.step, Pictured)
        for how in ("added", "changed", "retired"):
            for noun_id in getattr(scene, how):
                told = self._told(scene, noun_id, how)
                # a line of a picture is one of the sentences above it
                if noun_id[0] in ("qr" if drawn else "q"):
                    continue
                if self._same(scene, noun_id):
                    continue
                if told:
                    entries.append(self._entry(k, noun_id, how, told))
                else:
                    plain.append(self._link(k, noun_id))
        if plain:
            entries.insert(
                0, f'<li class="added">{_sign("added")} {" ".join(plain)}</li>'
            )
        if drawn and not entries:
            return ""
        title = "In the picture" if drawn else "What changed"
        return _section(title, "changes", entries, "Nothing changed.")

    def _same(self, scene: Scene, noun_id: str) -> bool:
        """Whether an anchor arrives with the actor it is drawn as: told once."""
        drawn_as = self.history.records[noun_id].face
        return drawn_as is not None and {drawn_as, noun_id} <= set(scene.added)

    def _told(self, scene: Scene, noun_id: str, how: str) -> str:
        if how == "retired":
            into = scene.after.retired.get(noun_id)
            link = into and self._link(scene.step.index, into)
            return f"merged into {link}" if link else "no longer held"
        said = [(f, "+") for f in scene.gained.get(noun_id, ())]
        said += [(f, "−") for f in scene.lost.get(noun_id, ())]
        silent = "kind" if how == "added" else ""
        return "; ".join(
            _said(f, sign) for f, sign in said if not f.quiet and f.field != silent
        )

    def _entry(self, k: int, noun_id: str, how: str, told: str) -> str:
        kind = self.history.records[noun_id].kind
        link = self._link(k, noun_id)
        return f'<li class="{how}">{_sign(how)} {link} <i>{kind}</i> {told}</li>'

    def decisions(self, k: int) -> str:
        """The why-cards of a step: what was considered, the score, the reason."""
        decisions = self.history.scenes[k].step.decisions
        entries = list(
            cards(decisions, partial(self._link, k), partial(self._named, k))
        )
        return _section("Decisions", "decisions", entries, "Nothing to decide.")

    def questions(self, k: int) -> str:
        """Questions answered, raised and standing at a step; how many stay open."""
        entries = list(questions(self.history.scenes[k]))
        return _section("Questions", "questions", entries, "None.")

    def _link(self, k: int, noun_id: str, name: str | None = None) -> str:
        named = self._named(k, noun_id, name)
        return f'<button class="noun" data-node="{escape(noun_id)}">{named}</button>'

    def _named(self, k: int, noun_id: str, name: str | None = None) -> str:
        record = self.history.records.get(noun_id)
        shown = name or (record.name_at(k) if record else noun_id)
        letter = LOOKS[record.kind].letter if record and record.kind in LOOKS else ""
        kind = record.kind.replace(" ", "-") if record else ""
        badge = f'<span class="badge b-{kind}" aria-hidden="true">{letter}</span>'
        return f"{badge if letter else ''}{isolated(short(shown, NAME))}"


def _head(chunk: Chunk) -> str:
    number = f"Chapter {chunk.chapter}" if chunk.chapter is not None else ""
    title = chunk.title or ""
    if title and title.casefold().startswith(number.casefold()):
        number = ""
    told = number, title, chunk.speaker, chunk.time
    return " · ".join(part for part in told if part)


def _form(fact: Fact) -> str:
    # A verb phrase cites its whole clause: lit when asked for, else quiet.
    if fact.field == "mention":
        return fact.why
    return "anchor" if fact.field == "read as" else ""


def _sentences(read: Read, marks: list[Mark]) -> Iterator[str]:
    text, offset, end = read.chunk.text, read.chunk.span.start, 0
    for number, (a, b) in enumerate(read.sentences):
        yield escape(text[end:a])
        inner = html_text(text[a:b], marks, offset + a)
        yield f'<span class="s" id="s{read.step}-{number}">{inner}</span>'
        end = b
    yield escape(text[end:])


def _sign(how: str) -> str:
    return {
        "added": '<b class="sign" title="added">+</b>',
        "changed": '<b class="sign" title="changed">◎</b>',
        "retired": '<b class="sign" title="retired">−</b>',
    }[how]


def _said(fact: Fact, sign: str) -> str:
    tag = "ins" if sign == "+" else "del"
    return f"{escape(fact.field)} <{tag}>{isolated(fact.text)}</{tag}>"


def _section(title: str, name: str, entries: list[str], empty: str) -> str:
    body = "".join(entries)
    listed = f"<ul>{body}</ul>" if body else f'<p class="quiet">{empty}</p>'
    return f'<section class="{name}"><h3>{title}</h3>{listed}</section>'
