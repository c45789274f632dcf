"""Views of a run: the only code that knows pyvis, ipywidgets and HTML.

Every rung stands on its own: one line of text, a table, one self-contained page,
widgets in the kernel. Nothing here asks the network for anything.
"""

from gswlab.view.figures.rebuilt import rebuilt
from gswlab.view.kit.page import Page
from gswlab.view.panel import buttons as buttons
from gswlab.view.panel.stepper import Stepper
from gswlab.view.papers.gsw import local_table, sentences_table
from gswlab.view.papers.gsw_questions import question_timeline, timeline
from gswlab.view.provenance.answer import answer_view
from gswlab.view.provenance.coverage import heat
from gswlab.view.provenance.memories import aligned
from gswlab.view.provenance.page import became, ink
from gswlab.view.run.export import paper
from gswlab.view.run.moment import moment
from gswlab.view.run.page import page, write_page
from gswlab.view.teach.exercise import check, exercise
from gswlab.view.teach.glossary import glossary
from gswlab.view.teach.guess import guess

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
