"""What stands above a run's page: a sentence of guidance, and what it was asked.

A click on an answer goes to the step that read its text and lights the sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.core.nouns import Answer
from gswlab.core.workspace import Workspace
from gswlab.language.dates.format import shown
from gswlab.view.kit.spans import Ground, escape, isolated

Asked = Sequence[tuple[str, Answer]]
_GUIDE = (
    "The picture says who did what to whom in the text beside it; ◀ and ▶ go through "
    "the story, a click on an answer lights the words it rests on."
)


def opening(asked: Asked, ground: Ground, workspace: Workspace) -> str:
    """The questions and answers of a run as HTML; nothing where none was asked."""
    if not asked:
        return ""
    listed = "".join(f"<li>{_entry(*one, ground, workspace)}</li>" for one in asked)
    guide = f'<p class="guide">{_GUIDE}</p>'
    return f'<section class="opening" aria-label="Asked">{guide}<ul>{listed}</ul></section>'


def opened_at(asked: Asked, ground: Ground) -> int | None:
    """The step that the first answer rests on: where the page opens."""
    places = (place for _, answer in asked for place in _cited(answer, ground))
    return next((step for step, _ in places), None)


def _cited(answer: Answer, ground: Ground) -> list[tuple[int, int]]:
    """Step and sentence of everything an answer cites, each once."""
    found = [(ground.locate(span), span.start) for span in answer.spans]
    return list(dict.fromkeys((r.step, r.sentence(at)) for r, at in found if r))


def _entry(question: str, answer: Answer, ground: Ground, workspace: Workspace) -> str:
    said = "; ".join(shown(item) for item in answer.items) or "no answer"
    cited = " ".join(f"s{step}-{n}" for step, n in _cited(answer, ground))
    called = (actor.id for item in answer.items for actor in workspace.called(item))
    return (
        f'<button type="button" class="ask" title="{escape(answer.reason)}" '
        f'data-cites="{cited}" data-nouns="{escape(" ".join(called))}"'
        f"{'' if cited else ' disabled'}>{isolated(question)} <b>{isolated(said)}</b>"
        "</button>"
    )
