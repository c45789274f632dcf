"""Views of a run: the only code that knows pyvis, ipywidgets and HTML.

Every rung stands on its own: one line of text, a table, one self-contained page,
widgets in the kernel. Nothing here asks the network for anything.
"""

from gswlab.view.aligned import aligned
from gswlab.view.answers import answer_view
from gswlab.view.exercise import check, exercise
from gswlab.view.glossary import glossary
from gswlab.view.guess import guess
from gswlab.view.ink import ink
from gswlab.view.ink_became import became
from gswlab.view.ink_heat import heat
from gswlab.view.local import local_table, sentences_table
from gswlab.view.moment import moment
from gswlab.view.page import Page, page, write_page
from gswlab.view.paper import paper
from gswlab.view.rebuilt import rebuilt
from gswlab.view.stepper import Stepper
from gswlab.view.timeline import timeline
from gswlab.view.timeline_chart import question_timeline

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
