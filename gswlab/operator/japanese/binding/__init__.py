"""Votes of a Japanese chunk for its episode, as `gswlab.operator.binding` in English.

Particles do what prepositions and word order do in English: は says whom the talk is
of, で and に where the scene is. Whom a clause leaves out is voted for only where
something inner is told, which is told of the one the talk is of.
"""

from __future__ import annotations

from gswlab.core.nouns import Vote
from gswlab.operator.cast import Cast
from gswlab.operator.japanese.binding.dates import date_votes
from gswlab.operator.japanese.binding.occasion import content_terms, occasion_votes
from gswlab.operator.japanese.binding.people import people_votes
from gswlab.operator.japanese.binding.venue import venue_votes
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
