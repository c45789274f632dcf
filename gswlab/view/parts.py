"""One step as HTML: its text, what changed, its decisions, its questions.

The page and the kernel's stepper show the same parts. Every string that came from a
document passes `escape`; ids in `data-ids` are the ids of nouns and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gswlab.view.facts import Fact
from gswlab.view.ground import Ground, Read
from gswlab.view.history import History, Scene
from gswlab.view.kinds import LOOKS
from gswlab.view.spans import Mark, escape, html_text, plain_text
from gswlab.workspace.nouns import Question
from gswlab.workspace.step import Alignment, Conflict


@dataclass(frozen=True, slots=True)
class Parts:
    """Renders the steps of one history.

    >>> Parts(history, ground).text(2)  # doctest: +SKIP
    '<p class="text" lang="en">...'
    """

    history: History
    ground: Ground

    def step(self, k: int) -> str:
        """All parts of step `k`, in reading order."""
        return "".join(
            (self.text(k), self.changes(k), self.decisions(k), self.questions(k))
        )

    def text(self, k: int) -> str:
        """The chunk's text, its cited characters lit."""
        read = self.ground.by_step.get(k)
        if read is None:
            return '<p class="quiet">This step read no text.</p>'
        marks, chunk = self.marks(k), read.chunk
        head = escape(_head(chunk.chapter, chunk.title))
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
        marks = set()
        for noun_id in (*scene.added, *scene.changed, *scene.touched):
            record = self.history.records[noun_id]
            for fact in scene.cited.get(noun_id, ()):
                form = _form(fact)
                for span in fact.spans:
                    inside = span.start < area.end and span.end > area.start
                    if span.document == area.document and inside:
                        kind = record.kind if form else ""
                        marks.add(Mark(span.start, span.end, noun_id, kind, form))
        return sorted(marks)

    def changes(self, k: int) -> str:
        """What changed, in words, one entry a noun."""
        scene, entries, plain = self.history.scenes[k], [], []
        for how in ("added", "changed", "retired"):
            for noun_id in getattr(scene, how):
                told = self._told(scene, noun_id, how)
                if noun_id[0] == "q" or self._same(scene, noun_id):
                    continue
                if told:
                    entries.append(self._entry(k, noun_id, how, told))
                else:
                    plain.append(self._link(k, noun_id))
        if plain:
            entries.insert(
                0, f'<li class="added">{_sign("added")} {" ".join(plain)}</li>'
            )
        return _section("What changed", "changes", entries, "Nothing changed.")

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
        scene = self.history.scenes[k]
        found = scene.step.decisions
        aligned = [d for d in found if isinstance(d, Alignment)]
        plain = [d for d in aligned if not d.candidates]
        cards = [self._alignment(k, d) for d in aligned if d.candidates]
        cards += [self._conflict(k, d) for d in found if isinstance(d, Conflict)]
        if plain:
            names = ", ".join(self._link(k, d.actor, d.name) for d in plain)
            cards.append(f'<li class="card">New, nothing like them known: {names}</li>')
        return _section("Decisions", "decisions", cards, "Nothing to decide.")

    def _conflict(self, k: int, conflict: Conflict) -> str:
        about, kind = self._link(k, conflict.subject), conflict.kind.replace("_", " ")
        return (
            f'<li class="card conflict" data-ids="{escape(conflict.subject)}">'
            f"<b>{about}: {kind}</b> kept {_name(conflict.kept)}, "
            f"set aside {_name(conflict.other)}. {escape(conflict.reason)}</li>"
        )

    def _alignment(self, k: int, decision: Alignment) -> str:
        best = max(c.score for c in decision.candidates)
        rows = "".join(
            f"<tr><td>{self._link(k, c.actor)}</td><td>{c.score:.2f}</td>"
            f"<td>{_features(c.features)}</td></tr>"
            for c in decision.candidates
        )
        is_open = " open" if decision.status == "ambiguous" else ""
        return (
            f'<li class="card {decision.status}" data-ids="{escape(decision.actor)}">'
            f"<details{is_open}><summary>{_name(decision.name)} → "
            f"{self._link(k, decision.actor)}: {decision.status} "
            f"{_bar(best, decision.threshold)} <small>{best:.2f} against "
            f"{decision.threshold:.2f}</small></summary>"
            f"<p>{escape(decision.reason)}</p><table><thead><tr><th>candidate</th>"
            f"<th>score</th><th>features</th></tr></thead><tbody>{rows}</tbody></table>"
            f"<p><small>{_flip(decision, best)}</small></p></details></li>"
        )

    def questions(self, k: int) -> str:
        """Questions answered, raised and standing at a step; how many stay open."""
        scene = self.history.scenes[k]
        now = {i for i in (*scene.added, *scene.changed) if i[0] == "q"}
        everything = scene.after.questions
        shown = [q for q in everything if q.id in now or q.standing]
        at_once = [q for q in shown if _at_once(q, scene)]
        told = [q for q in shown if q not in at_once]
        told.sort(key=lambda q: (not q.standing, q.status != "answered", q.predicted))
        waiting = sum(q.status != "answered" for q in everything)
        rest = waiting - sum(q.status != "answered" for q in shown)
        entries = [_question(q, q.id in now) for q in told]
        if at_once:
            listed = "".join(_question(q, True) for q in at_once)
            entries.append(
                f"<li><details><summary>{len(at_once)} asked and answered at once"
                f"</summary><ul>{listed}</ul></details></li>"
            )
        if rest:
            entries.append(f'<li class="quiet">and {rest} open from before</li>')
        return _section("Questions", "questions", entries, "None.")

    def _link(self, k: int, noun_id: str, name: str | None = None) -> str:
        record = self.history.records.get(noun_id)
        shown = name or (record.name_at(k) if record else noun_id)
        letter = LOOKS[record.kind].letter if record and record.kind in LOOKS else ""
        kind = record.kind.replace(" ", "-") if record else ""
        badge = f'<span class="badge b-{kind}" aria-hidden="true">{letter}</span>'
        return (
            f'<button class="noun" data-node="{escape(noun_id)}">'
            f"{badge if letter else ''}{_name(shown)}</button>"
        )


def _head(chapter: int | None, title: str | None) -> str:
    number = f"Chapter {chapter}" if chapter is not None else ""
    if title and title.casefold().startswith(number.casefold()):
        return title
    return " · ".join(part for part in (number, title) if part)


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


def _name(name: str) -> str:
    return f"<bdi>{escape(name)}</bdi>"


def _sign(how: str) -> str:
    return {
        "added": '<b class="sign" title="added">+</b>',
        "changed": '<b class="sign" title="changed">◎</b>',
        "retired": '<b class="sign" title="retired">−</b>',
    }[how]


def _said(fact: Fact, sign: str) -> str:
    tag = "ins" if sign == "+" else "del"
    return f"{escape(fact.field)} <{tag}>{_name(fact.text)}</{tag}>"


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
    answers = ", ".join(_name(a.text) for a in question.answers)
    told = answers and f" — {answers}"
    why = f" <small>{escape(question.reason)}</small>" if question.reason else ""
    return (
        f'<li class="q-{question.status}{" now" if now else ""}">'
        f"{_name(question.text)}{told} <i>{', '.join(tags)}</i>{why}</li>"
    )


def _section(title: str, name: str, entries: list[str], empty: str) -> str:
    body = "".join(entries)
    listed = f"<ul>{body}</ul>" if body else f'<p class="quiet">{empty}</p>'
    return f'<section class="{name}"><h3>{title}</h3>{listed}</section>'
