"""Views of a run: the only code that knows pyvis, ipywidgets and HTML.

Every rung stands on its own: one line of text, a table, one self-contained page,
widgets in the kernel. Nothing here asks the network for anything.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gswlab.view.figures.rebuilt import rebuilt as rebuilt
    from gswlab.view.kit.page import Page as Page
    from gswlab.view.panel import buttons as buttons
    from gswlab.view.panel.stepper import Stepper as Stepper
    from gswlab.view.papers.gsw import local_table as local_table
    from gswlab.view.papers.gsw import sentences_table as sentences_table
    from gswlab.view.papers.gsw_questions import question_timeline as question_timeline
    from gswlab.view.papers.gsw_questions import timeline as timeline
    from gswlab.view.provenance.answer import answer_view as answer_view
    from gswlab.view.provenance.coverage import heat as heat
    from gswlab.view.provenance.memories import aligned as aligned
    from gswlab.view.provenance.page import became as became
    from gswlab.view.provenance.page import ink as ink
    from gswlab.view.run.export import paper as paper
    from gswlab.view.run.moment import moment as moment
    from gswlab.view.run.page import page as page
    from gswlab.view.run.page import write_page as write_page
    from gswlab.view.teach.exercise import check as check
    from gswlab.view.teach.exercise import exercise as exercise
    from gswlab.view.teach.glossary import glossary as glossary
    from gswlab.view.teach.guess import guess as guess

_HOMES = {
    "figures.rebuilt": "rebuilt",
    "kit.page": "Page",
    "panel": "buttons",
    "panel.stepper": "Stepper",
    "papers.gsw": "local_table sentences_table",
    "papers.gsw_questions": "question_timeline timeline",
    "provenance.answer": "answer_view",
    "provenance.coverage": "heat",
    "provenance.memories": "aligned",
    "provenance.page": "became ink",
    "run.export": "paper",
    "run.moment": "moment",
    "run.page": "page write_page",
    "teach.exercise": "check exercise",
    "teach.glossary": "glossary",
    "teach.guess": "guess",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """A view by its name, imported when first used: a step in a shell draws none."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{_HOME[name]}")
    found = globals()[name] = getattr(home, name)
    return found
