"""Views of a run: the only code that knows pyvis, ipywidgets and HTML.

Every rung stands on its own: one line of text, a table, one self-contained page,
widgets in the kernel. Nothing here asks the network for anything.
"""

from gswlab.view.answers import answer_view
from gswlab.view.page import Page, page, write_page
from gswlab.view.stepper import Stepper
from gswlab.view.tables import local_table

__all__ = ["Page", "Stepper", "answer_view", "local_table", "page", "write_page"]
