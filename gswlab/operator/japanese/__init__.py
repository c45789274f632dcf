"""Japanese through GiNZA: particles give the slots, suffixes and labels the kinds.

The same local map as English, by the same later stages (coreference, effects,
questions); what differs is how clauses and names are read. A subject that Japanese
leaves out is the topic of the talk, noted as a reading; without a topic it stays open.
"""

from __future__ import annotations

from gswlab.core.nouns import LocalMap
from gswlab.core.workspace import Workspace
from gswlab.operator.apart import Apart, apart_ids
from gswlab.operator.effects import add_effects
from gswlab.operator.japanese.actors import find_cast
from gswlab.operator.japanese.binding import binding_votes
from gswlab.operator.japanese.binding.occasion import content_terms
from gswlab.operator.japanese.clauses import find_clauses
from gswlab.operator.japanese.phrases import find_links, find_phrases
from gswlab.operator.japanese.roles import find_relations
from gswlab.operator.japanese.states import add_states
from gswlab.operator.japanese.unsaid import carry_topics
from gswlab.operator.parse import Parsed
from gswlab.operator.questions import find_questions


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
