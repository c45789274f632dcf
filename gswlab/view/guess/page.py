"""The guess-the-merge exercise as one page: offline, by the keyboard, with its export.

Without scripts every case reads from top to bottom, and what the reconciler decided is
folded below it. What was decided stays in the page until it is copied or downloaded.
"""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.view.guess.cases import Case
from gswlab.view.run.page import Page, stylesheet
from gswlab.view.shell import asset, document, filled, json_text, sources
from gswlab.view.spans import escape, isolated


def guess_page(title: str, cases: Sequence[Case]) -> Page:
    """The page of these cases."""
    script = asset("guess/guess.js")
    known = sum(case.gold is not None for case in cases)
    caption = f"{len(cases)} alignments, {known} of them in gold"
    body = filled(
        "guess/guess.html",
        title=escape(title),
        caption=escape(caption),
        cases="\n".join(map(_article, cases)),
        data=json_text([_data(case) for case in cases]),
        script=script,
    )
    name, style = (
        f"{title}: guess the merge",
        f"{stylesheet()}\n{asset('guess/guess.css')}",
    )
    return Page(document(name, style, body, sources((script,))), name, caption, 820)


def _article(case: Case) -> str:
    gold = f"<p><b>Gold: {case.gold}.</b></p>" if case.gold else ""
    return (
        f'<article class="case" data-id="{escape(case.id)}" tabindex="-1">'
        f"<h2>{escape(case.label)}</h2>"
        f"<p class='asked'>Is {isolated(case.name)} the same as "
        f"{isolated(case.called)}?</p>{case.text_html()}"
        f'<details class="reveal"><summary>What the reconciler decided</summary>'
        f"<p><b>Reconciler: {case.decided}.</b></p>{gold}"
        f"<section>{case.card()}</section></details></article>"
    )


def _data(case: Case) -> dict[str, object]:
    row = case.annotation("unsure", "-").model_dump(exclude={"decision", "annotator"})
    return {"row": row, "reconciler": case.decided, "gold": case.gold}
