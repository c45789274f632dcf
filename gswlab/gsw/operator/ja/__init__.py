"""Japanese through GiNZA: particles give the slots, suffixes and labels the kinds.

The same local map as English, by the same later stages (coreference, effects,
questions); what differs is how clauses and names are read. A subject that Japanese
leaves out is the topic of the talk, noted as a reading; without a topic it stays open.
"""

from __future__ import annotations

from gswlab.core.nouns import LocalMap, Vote
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.coreference import Apart, apart_ids
from gswlab.gsw.operator.ja.actors import find_cast
from gswlab.gsw.operator.ja.clauses import find_clauses
from gswlab.gsw.operator.ja.episode import (
    content_terms,
    date_votes,
    occasion_votes,
    people_votes,
    venue_votes,
)
from gswlab.gsw.operator.ja.phrases import carry_topics, find_links, find_phrases
from gswlab.gsw.operator.ja.roles import add_states, find_relations
from gswlab.gsw.operator.mentions import Cast
from gswlab.gsw.operator.parse import Parsed
from gswlab.gsw.operator.questions import find_questions
from gswlab.gsw.operator.states import add_effects

# Votes of a Japanese chunk for its episode, as `gswlab.gsw.operator.episode_votes`
# in English.


def binding_votes(parsed: Parsed, cast: Cast) -> tuple[Vote, ...]:
    """What this chunk says about the episode it belongs to."""
    return (
        *date_votes(parsed, cast),
        *venue_votes(parsed, cast),
        *people_votes(parsed, cast),
        *occasion_votes(parsed, cast),
    )


def local_map(parsed: Parsed, workspace: Workspace) -> LocalMap:
    """The local map of a Japanese chunk."""
    clauses = find_clauses(parsed.doc)
    apart = Apart(parsed, clauses)
    cast = find_cast(parsed, clauses, apart, workspace)
    clauses = carry_topics(cast, clauses)
    relations = find_relations(cast)
    add_states(cast, clauses)
    phrases = add_effects(cast, clauses, find_phrases(cast, clauses))
    return LocalMap(
        chunk=parsed.chunk.id,
        actors=cast.actors(),
        verb_phrases=phrases,
        questions=find_questions(cast, phrases),
        links=find_links(cast, phrases),
        relations=relations,
        apart=apart_ids(cast, apart),
        votes=binding_votes(parsed, cast),
        terms=content_terms(parsed, cast),
    )
