"""Why-cards and questions of a step, as list items.

A card names what was considered, its features, its score against the threshold, the
reason, and how far the threshold is from another outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from gswlab.core.nouns import Question
from gswlab.core.step import Admission, Alignment, Conflict, Decision
from gswlab.core.workspace import id_order
from gswlab.view.run.history import Scene
from gswlab.view.spans import escape, isolated

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
