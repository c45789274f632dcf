"""Votes of a chunk for its episode: date, place, protagonist, kind of event.

The operator does not decide who a chapter is about; it says what speaks for and
against each name, clause by clause, and `gswlab.reconcile.episodes` adds it up.
"""

from __future__ import annotations

from gswlab.core.nouns import Vote
from gswlab.operator.binding.dates import date_votes
from gswlab.operator.binding.occasion import content_terms, occasion_votes
from gswlab.operator.binding.people import people_votes
from gswlab.operator.binding.venue import venue_votes
from gswlab.operator.cast import Cast
from gswlab.operator.parse import Parsed

__all__ = ["binding_votes", "content_terms"]


def binding_votes(parsed: Parsed, cast: Cast) -> tuple[Vote, ...]:
    """What this chunk says about the episode it belongs to."""
    return (
        *date_votes(parsed, cast),
        *venue_votes(parsed, cast),
        *people_votes(parsed, cast),
        *occasion_votes(parsed, cast),
    )
