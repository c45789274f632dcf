"""Every view by its own name: what `gswlab.view` hands out, loaded when it is asked."""
# ruff: noqa: F401

from gswlab.view.kit.page import Page
from gswlab.view.panel.start import start
from gswlab.view.panel.stepper import Stepper
from gswlab.view.papers.gsw import local_table, sentences_table
from gswlab.view.papers.gsw_questions import timeline
from gswlab.view.provenance.answer import answer_view
from gswlab.view.provenance.page import became, ink
from gswlab.view.run.browse import browse
from gswlab.view.run.export import paper
from gswlab.view.run.moment import moment
from gswlab.view.run.page import page, write_page
from gswlab.view.teach.exercise import check, exercise
from gswlab.view.teach.glossary import glossary
