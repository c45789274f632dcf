"""Views of a run: the only code that knows pyvis, ipywidgets and HTML.

Every rung stands on its own: one line of text, a table, one self-contained page,
widgets in the kernel. Nothing here asks the network for anything.
"""

from gswlab.view.aligned.memories import aligned
from gswlab.view.answers import answer_view
from gswlab.view.charts.rebuilt import rebuilt
from gswlab.view.charts.timeline import question_timeline
from gswlab.view.guess.exercise import guess
from gswlab.view.ink.answer import ink
from gswlab.view.ink.became import became
from gswlab.view.ink.heat import heat
from gswlab.view.local import local_table, sentences_table
from gswlab.view.panel.stepper import Stepper
from gswlab.view.paper.button import paper
from gswlab.view.run.moment import moment
from gswlab.view.run.page import Page, page, write_page
from gswlab.view.teach.exercise import check, exercise
from gswlab.view.teach.glossary import glossary
from gswlab.view.timeline import timeline

__all__ = [
    "Page",
    "Stepper",
    "aligned",
    "answer_view",
    "became",
    "check",
    "exercise",
    "glossary",
    "guess",
    "heat",
    "ink",
    "local_table",
    "moment",
    "page",
    "paper",
    "question_timeline",
    "rebuilt",
    "sentences_table",
    "timeline",
    "write_page",
]
