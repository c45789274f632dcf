"""What each paper shows of its own: beside a run's steps, as pages and as figures."""

from gswlab.view.papers import gedig_trace as gedig_trace
from gswlab.view.papers import memgpt as memgpt
