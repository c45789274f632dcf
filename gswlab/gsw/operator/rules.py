"""The operator without a model call: a parse, general word lists and rules.

1) parse the chunk  2) find its cast  3) read roles and states off the grammar  4) read
verb phrases, effects and questions  5) group who shares a place or a time. Every item
carries the characters it was read from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from gswlab.core.document import Document
from gswlab.core.nouns import Chunk, Link, LocalMap, Relation, Term, VerbPhrase, Vote
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator import phrases, roles
from gswlab.gsw.operator.actors import find_cast
from gswlab.gsw.operator.clauses import find_clauses
from gswlab.gsw.operator.coreference import apart_ids, empty_cast
from gswlab.gsw.operator.episode_votes import binding_votes
from gswlab.gsw.operator.event_type_votes import content_terms
from gswlab.gsw.operator.mentions import Cast
from gswlab.gsw.operator.names import is_proper
from gswlab.gsw.operator.parse import Parsed, parse, parse_together
from gswlab.language.dates.basis import basis
from gswlab.language.language import of
from gswlab.language.pipeline import Token

RulesRead = tuple[Cast, tuple[Relation, ...], tuple[VerbPhrase, ...], tuple[Link, ...]]


def _read(parsed: Parsed, workspace: Workspace) -> RulesRead:
    """Who is in an English chunk, their ties, what they do and what they share."""
    cast = empty_cast(parsed, find_clauses(parsed.doc))
    find_cast(cast, workspace)
    relations, slot_of = roles.add_roles(cast), phrases.prep_slot
    roles.add_states(cast)
    explicit = phrases.find_phrases(cast, slot_of, phrases.doubts)
    told = roles.add_effects(cast, explicit)
    told += phrases.implied_phrases(cast, len(told) + 1)
    return cast, relations, told, phrases.find_links(cast, slot_of)


class LanguageRules(NamedTuple):
    """What a language reads in its own way; all that follows is shared."""

    read: Callable[[Parsed, Workspace], RulesRead]
    votes: Callable[[Parsed, Cast], tuple[Vote, ...]]
    terms: Callable[[Parsed, Cast], tuple[Term, ...]]
    is_name: Callable[[Sequence[Token]], bool]


_ENGLISH = LanguageRules(_read, binding_votes, content_terms, is_proper)


@cache
def rules_of(language: str) -> LanguageRules:
    """The rules that a language's module of this package declares, else English."""
    module = of(language).rules("gswlab.gsw.operator")
    declared = vars(module).values() if module else ()
    return next((it for it in declared if isinstance(it, LanguageRules)), _ENGLISH)


@dataclass(frozen=True)
class SpacyOperator:
    """Text to `LocalMap` by rules over spaCy's parse (Japanese: GiNZA's).

    >>> from gswlab.core.nouns import Span
    >>> text = "On 7 May 2024 the police arrested Ann Ray."
    >>> chunk = Chunk("d:0:0", "d", None, 0, text, Span("d", 0, len(text)))
    >>> [actor.name for actor in SpacyOperator().extract(chunk, Workspace()).actors]
    ['7 May 2024', 'Ann Ray', 'police']

    Args:
        parses: the folder that keeps parses, for those who read a text again.
    """

    parses: str | None = field(default=None, repr=False, metadata={"path": True})

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Parse what is read next together."""
        parse_together(chunks, self.parses)

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """The local map of one chunk; `workspace` is context and stays as it is."""
        parsed = parse(chunk, basis(chunk, workspace), self.parses)
        rules = rules_of(parsed.language)
        cast, relations, told, links = rules.read(parsed, workspace)
        return LocalMap(
            chunk=chunk.id,
            actors=cast.actors(),
            verb_phrases=told,
            questions=phrases.find_questions(cast, told),
            links=links,
            relations=relations,
            apart=apart_ids(cast),
            votes=rules.votes(parsed, cast),
            terms=rules.terms(parsed, cast),
        )
