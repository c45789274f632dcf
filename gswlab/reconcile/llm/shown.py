"""What a prompt shows of a workspace: nouns as lines of JSON, within a budget.

A line holds the text's own words (names, roles, states, what fills a verb phrase) and
the id by which a reply may name the noun; what is not shown cannot be named.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gswlab.reconcile.scene import Scene
from gswlab.text.tokens import count_tokens
from gswlab.workspace.nouns import Actor, Question, VerbPhrase
from gswlab.workspace.occurrences import occurrence
from gswlab.workspace.workspace import Workspace

_LAST = 4  # roles, states, names and verb phrases of an actor


def line(data: Mapping[str, Any]) -> str:
    """Data as one line, without what is empty.

    >>> line({"id": "a1", "roles": [], "name": "Ann"})
    '{"id": "a1", "name": "Ann"}'
    """
    kept = {key: value for key, value in data.items() if value not in (None, "", [])}
    return json.dumps(kept, ensure_ascii=False)


def fitting(lines: Iterable[str], budget: int) -> list[str]:
    """The first lines that fit in a budget of tokens."""
    kept, left = [], budget
    for each in lines:
        left -= count_tokens(each) + 1
        if left < 0:
            break
        kept.append(each)
    return kept


def actor(found: Actor, told: Iterable[str] = ()) -> dict[str, Any]:
    """An actor by the text's words; `told` are its verb phrases."""
    names = (*found.aliases, *(mention.text for mention in found.mentions[-_LAST:]))
    others = [name for name in dict.fromkeys(names) if name not in ("", found.name)]
    return {
        "id": found.id,
        "kind": found.kind,
        "name": found.name,
        "also": others[-_LAST:],
        "date": found.value,
        "roles": [role.text for role in found.roles[-_LAST:]],
        "states": [state.text for state in found.states[-_LAST:]],
        "told": list(told)[-_LAST:],
    }


def phrase(workspace: Workspace, found: VerbPhrase) -> str:
    """A verb phrase in a few words.

    >>> phrase(Workspace(), VerbPhrase("v1", "arrest", negated=True))
    'not arrest'
    """
    told = occurrence(workspace, found)
    words = "; ".join(f"{slot}: {bound.value}" for slot, bound in told.slots)
    said = ("not " if found.negated else "") + found.predicate
    return f"{said} ({words})" if words else said


def told_of(scene: Scene, found: Actor) -> Iterator[str]:
    """The verb phrases that an actor takes part in, of this chapter and of its own."""
    resolve, workspace = scene.workspace.resolve, scene.workspace
    phrases = dict.fromkeys(scene.shelf("verb_phrase"))
    if found.chapter not in (None, scene.chunk.chapter):
        own = workspace.in_chapter("verb_phrase", found.chapter)
        phrases = dict.fromkeys((*own, *phrases))
    for each in phrases:
        if found.id in {resolve(a.actor) for a in each.arguments if a.actor}:
            yield phrase(workspace, each)


def question(workspace: Workspace, found: Question) -> dict[str, Any]:
    """An open question, with the verb phrase it is about and what is known of it."""
    about: VerbPhrase = workspace.get(found.verb_phrase or "")
    return {
        "id": found.id,
        "question": found.text,
        "about": phrase(workspace, about),
        "so far": [filler.text for filler in found.answers],
    }
