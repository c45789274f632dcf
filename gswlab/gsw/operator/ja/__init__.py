"""Japanese through GiNZA: particles give the slots, suffixes and labels the kinds.

The same local map as English, by the same later stages (coreference, effects,
questions); what differs is how clauses and names are read. A subject that Japanese
leaves out is the topic of the talk, noted as a reading; without a topic it stays open.
"""

from __future__ import annotations

from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.coreference import Apart
from gswlab.gsw.operator.ja.actors import is_name_run, japanese_cast
from gswlab.gsw.operator.ja.clauses import japanese_clauses
from gswlab.gsw.operator.ja.episode import compound_terms, japanese_votes
from gswlab.gsw.operator.ja.phrases import carry_topics, japanese_phrases, phrase_links
from gswlab.gsw.operator.ja.roles import find_relations, give_states
from gswlab.gsw.operator.parse import Parsed
from gswlab.gsw.operator.roles import add_effects
from gswlab.gsw.operator.rules import LanguageRules, RuleReading


def _read(parsed: Parsed, workspace: Workspace) -> RuleReading:
    """Who is in a Japanese chunk and kept apart, their ties, and what they do."""
    clauses = japanese_clauses(parsed.doc)
    apart = Apart(parsed, clauses)
    cast = japanese_cast(parsed, clauses, apart, workspace)
    clauses = carry_topics(cast, clauses)
    relations = find_relations(cast)
    give_states(cast, clauses)
    phrases = add_effects(cast, clauses, japanese_phrases(cast, clauses))
    return cast, apart, relations, phrases, phrase_links(cast, phrases)


JAPANESE_RULES = LanguageRules(_read, japanese_votes, compound_terms, is_name_run)
