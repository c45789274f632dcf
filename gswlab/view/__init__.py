"""Views of a run: the only code that knows pyvis, ipywidgets and HTML.

Every rung stands on its own: one line of text, a table, one self-contained page,
widgets in the kernel. Nothing here asks the network for anything.
"""

from gswlab.view.answers import answer_view
from gswlab.view.exercise import check, exercise
from gswlab.view.glossary import glossary
from gswlab.view.local import local_table, sentences_table
from gswlab.view.page import Page, page, write_page
from gswlab.view.stepper import Stepper

__all__ = [
    "Page",
    "Stepper",
    "answer_view",
    "check",
    "exercise",
    "glossary",
    "local_table",
    "page",
    "sentences_table",
    "write_page",
]
