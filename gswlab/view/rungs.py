"""Every view by its own name: what `gswlab.view` hands out, loaded when it is asked."""

from gswlab.view.kit.page import Page as Page
from gswlab.view.panel.start import start as start
from gswlab.view.panel.stepper import Stepper as Stepper
from gswlab.view.papers.gsw import local_table as local_table
from gswlab.view.papers.gsw import sentences_table as sentences_table
from gswlab.view.papers.gsw_questions import question_timeline as question_timeline
from gswlab.view.papers.gsw_questions import timeline as timeline
from gswlab.view.provenance.answer import answer_view as answer_view
from gswlab.view.provenance.memories import aligned as aligned
from gswlab.view.provenance.page import became as became
from gswlab.view.provenance.page import heat as heat
from gswlab.view.provenance.page import ink as ink
from gswlab.view.run.browse import browse as browse
from gswlab.view.run.export import paper as paper
from gswlab.view.run.moment import moment as moment
from gswlab.view.run.page import page as page
from gswlab.view.run.page import write_page as write_page
from gswlab.view.teach.exercise import check as check
from gswlab.view.teach.exercise import exercise as exercise
from gswlab.view.teach.glossary import glossary as glossary
from gswlab.view.teach.guess import guess as guess
