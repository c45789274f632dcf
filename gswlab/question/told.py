"""What a workspace tells about a plain question: memory and standing questions ask it.

A question that lists, or that any cue answers, is about episodes; a question whose verb
is its own ("Who arrested Sato?") is about an occurrence, whatever else it names.
"""

from __future__ import annotations

from collections.abc import Iterator

from gswlab.question.names import SEVERAL
from gswlab.question.parse import lists
from gswlab.question.plain import Fit, Plain, fits, plain
from gswlab.question.verbs import spaceless_root, stem, verb_stems
from gswlab.workspace.cues import Cue, words
from gswlab.workspace.nouns import Occurrence
from gswlab.workspace.occurrences import conditions, occurrence
from gswlab.workspace.workspace import Workspace


def told(
    workspace: Workspace, question: str, cue: Cue, episodes: bool
) -> tuple[Fit, ...]:
    """The occurrences that answer a plain question; none for any other.

    `episodes` says that episodes fit the question's cue: then only a verb that
    questions are not built of, or a word for what no cue names ("Who gave Ann the
    key?"), makes it one about an occurrence.

    >>> told(Workspace(), "Who arrested Sato?", Cue(), False)
    ()
    """
    asked = None if lists(question, cue) else plain(question)
    somewhere = cue.date is not None or cue.place is not None
    several = SEVERAL in (cue.protagonist or "")
    if asked is None or several or (somewhere and asked.befell):
        return ()
    found = fits(asked, _candidates(workspace, asked))
    cued = episodes or somewhere
    own = all(fit.strong or fit.used - _cued(cue) for fit in found)
    return () if cued and not own else found


def _cued(cue: Cue) -> frozenset[str]:
    """Stems of the words by which a cue finds episodes."""
    names = (getattr(cue, name) for name in cue.fields)
    return frozenset(stem(word.text) for name in names for word in words(name))


def _candidates(workspace: Workspace, asked: Plain) -> Iterator[Occurrence]:
    """Occurrences of a verb of the question; all of them when it names none."""
    stems = frozenset[str]().union(*map(verb_stems, asked.tokens))
    every = asked.befell or asked.deeds or asked.whereabouts is not None
    for phrase in workspace.verb_phrases:
        verb = phrase.predicate.split()[0].casefold() if phrase.predicate else ""
        root = spaceless_root(verb)
        known = root in asked.text if root else stem(verb) in stems
        if phrase.spans and (every or known):
            yield occurrence(workspace, phrase)
    yield from (one for one in conditions(workspace) if one.spans)
