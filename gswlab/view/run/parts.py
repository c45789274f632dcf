"""One step as HTML: its text, what was done, what changed, decisions, questions.

The page and the kernel's stepper show the same parts. Every string that came from a
document passes `escape`; ids in `data-ids` are the ids of nouns and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

from gswlab.core.facts import Fact
from gswlab.core.nouns import Chunk, Span, short
from gswlab.memgpt.window_trace import Moment
from gswlab.view.gauge.strip import gauge_table
from gswlab.view.ground import Ground, Read
from gswlab.view.kinds import LOOKS
from gswlab.view.run.cards import cards, questions
from gswlab.view.run.events import told
from gswlab.view.run.history import History, Scene
from gswlab.view.run.known import prices, windows
from gswlab.view.run.pictured import Pictured
from gswlab.view.spans import Mark, escape, html_text, isolated, plain_text
from gswlab.view.window.parts import moment_parts

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
