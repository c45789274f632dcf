"""A small run told by hand: a story with a merge, a conflict, and hostile text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gswlab.core.document import Document
from gswlab.core.journal import Journal
from gswlab.core.nouns import (
    Actor,
    Argument,
    Effect,
    Filler,
    Mention,
    MentionForm,
    Question,
    Relation,
    Role,
    Span,
    State,
    VerbPhrase,
)
from gswlab.core.step import Alignment, Candidate, Conflict, Decision, Resolution, Step
from gswlab.core.workspace import Draft
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

HOSTILE = "<script>alert(1)</script></iframe><img src=x onerror=alert(2)>"
TEXT = f"""Chapter 1

Inspector Mara Voss came to Harbour Lane. An old man waited there.

Chapter 2

She arrested him at once. 𠮷野さん said nothing.

Chapter 3

The prisoner was Tomas Reed. The file says {HOSTILE} and \u202egnp.exe.
"""


class Told:
    """A journal being told; `span` finds a phrase of the text."""

    def __init__(self, path: Path) -> None:
        self.document: Document = document_of(TEXT, "harbour")
        self.chunks = chunks(self.document, 2)
        self.journal = Journal(path)
        self.journal.add(self.document, self.chunks)

    def span(self, phrase: str) -> Span:
        start = self.document.text.index(phrase)
        return Span("harbour", start, start + len(phrase))

    def mention(self, phrase: str, form: MentionForm, chunk: int) -> Mention:
        return Mention(self.span(phrase), form, self.chunks[chunk].id, phrase)

    def step(
        self, write: Callable[[Draft], None], chunk: int, *decisions: Decision
    ) -> None:
        draft = Draft(self.journal.workspace())
        write(draft)
        step = Step(
            len(self.journal), self.chunks[chunk].id, tuple(draft.changes), decisions
        )
        self.journal.append(step)


def told(path: Path) -> Journal:
    """Three steps: an arrival, an arrest, and who the prisoner was."""
    story = Told(path)
    story.step(lambda draft: _arrival(story, draft), 0)
    story.step(lambda draft: _arrest(story, draft), 1, *_ambiguous())
    story.step(lambda draft: _prisoner(story, draft), 2, *_merged())
    return story.journal


def _arrival(story: Told, draft: Draft) -> None:
    voss = (story.mention("Inspector Mara Voss", "name", 0),)
    man = (story.mention("An old man", "nominal", 0),)
    role = Role("inspector", (story.span("Inspector"),), story.chunks[0].id)
    draft.put("actor", Actor("a1", "person", "Mara Voss", roles=(role,), mentions=voss))
    draft.put("actor", Actor("a2", "person", "old man", mentions=man))
    draft.put("question", Question("q1", "Who is the old man?", "agent"))


def _arrest(story: Told, draft: Draft) -> None:
    chunk = story.chunks[1].id
    spans = (story.span("She arrested him"),)
    arrest = VerbPhrase(
        "v1",
        "arrest",
        (
            Argument("agent", "she", (story.span("She"),), "a1"),
            Argument("patient", "him", (story.span("him"),), "a4"),
        ),
        (Effect("a4", "arrested", "free"),),
        spans,
        chunk,
    )
    draft.put("verb_phrase", arrest)
    draft.extend("a1", "mentions", (story.mention("She", "pronoun", 1),))
    state = State("arrested", spans, chunk, source="effect")
    him = (story.mention("him", "pronoun", 1),)
    draft.put("actor", Actor("a4", "person", "him", states=(state,), mentions=him))
    draft.put(
        "actor",
        Actor("a3", "person", "𠮷野", mentions=(story.mention("𠮷野", "name", 1),)),
    )
    draft.put(
        "question",
        Question("q2", "When will he be charged?", "time", predicted=True),
    )


def _prisoner(story: Told, draft: Draft) -> None:
    name = story.mention("Tomas Reed", "name", 2)
    hostile = (story.mention(HOSTILE, "name", 2),)
    draft.put("actor", Actor("a5", "object", HOSTILE, mentions=hostile))
    draft.put("actor", Actor("a6", "object", "\u202egnp.exe"))
    draft.set("a2", "name", "Tomas Reed")
    draft.extend("a2", "states", draft.workspace.get("a4").states)
    draft.extend("a2", "mentions", (*draft.workspace.get("a4").mentions, name))
    draft.drop("a4", "a2")
    draft.put("relation", Relation("r1", "a2", "a5", "named_in"))
    draft.set("q1", "status", "answered")
    draft.extend("q1", "answers", (Filler("Tomas Reed", (name.span,), "a2"),))


def _ambiguous() -> tuple[Decision, ...]:
    candidates = (Candidate("a2", 0.62, (("same place", 0.4), ("number", 0.22))),)
    reason = "the old man may be meant"
    return (Alignment("l1", "𠮷野", "ambiguous", "a3", reason, candidates, 0.75),)


def _merged() -> tuple[Decision, ...]:
    candidates = (Candidate("a2", 0.91, (("same state", 0.91),)),)
    reason = f"only one was arrested {HOSTILE}"
    return (
        Alignment("a4", "him", "merged", "a2", reason, candidates, 0.75),
        Conflict("state_conflict", "a2", "arrested", "free", "arrested later"),
        Resolution("q1", "answered", "Tomas Reed", ("a2",)),
    )
