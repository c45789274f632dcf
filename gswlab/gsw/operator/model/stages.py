"""What each stage asks of a chunk (arXiv 2511.07587), and a reply held against it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core.budget import count_tokens
from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import ActorKind, Chunk, Slot, Span
from gswlab.language.keys import DEFINITE, INDEFINITE
from gswlab.language.language import KANA_KANJI, language_of
from gswlab.models.ask import Ask
from gswlab.models.ask_trace import Asking
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

# What a model is asked to reply with, bounded so that a small one comes to an end.

_Id: TypeAlias = Annotated[str, Field(max_length=8)]
_Words: TypeAlias = Annotated[str, Field(max_length=80)]
_Sentence: TypeAlias = Annotated[str, Field(max_length=240)]
PhraseTelling: TypeAlias = Literal[
    "explicit", "implied", "negated", "planned", "hypothetical", "reported"
]


class ContextReply(BaseModel):
    """Where a passage stands in its chapter."""

    context: _Sentence
    situation: _Words


class RoleReply(BaseModel):
    """A role, empty where the states have none, and the states in it."""

    role: _Words
    states: list[_Words] = Field(max_length=3)


class InferredReply(BaseModel):
    """A role that no word of the passage is, and the words that it follows from."""

    role: _Words
    quote: _Sentence


class ActorReply(BaseModel):
    """Who or what is spoken of, and in which words of the passage."""

    id: _Id
    kind: ActorKind
    name: _Words
    mentions: list[_Words] = Field(max_length=6)
    roles: list[RoleReply] = Field(max_length=3)
    inferred: list[InferredReply] = Field(default=[], max_length=2)


class QuestionReply(BaseModel):
    """A slot of a verb phrase: actors or a quote fill it, or nothing does yet."""

    slot: Slot
    text: _Sentence
    actors: list[_Id] = Field(max_length=6)
    quote: _Words


class PhraseReply(BaseModel):
    """What somebody does, in base form, with the words that tell or imply it."""

    predicate: Annotated[str, Field(max_length=40)]
    told: PhraseTelling
    quote: _Sentence
    questions: list[QuestionReply] = Field(max_length=8)


class OperatorReply(BaseModel):
    """The map of one passage."""

    actors: list[ActorReply] = Field(max_length=20)
    verb_phrases: list[PhraseReply] = Field(max_length=12)


class GroupReply(BaseModel):
    """Actors that share a place or a time; `value` is what the passage calls it."""

    kind: Literal["space", "time"]
    actors: list[_Id] = Field(max_length=12)
    value: _Words | None


class CouplingReply(BaseModel):
    """Who is where and when together."""

    groups: list[GroupReply] = Field(max_length=8)


class OccasionReply(BaseModel):
    """What kind of event a chapter is about, and the words that show it."""

    kind: _Words
    quote: _Sentence


PromptVariant = Literal["episodic", "factual"]
_PROMPTS = {"coupling": "spacetime"}  # what is not called as its stage
_CHAPTER = 20_000  # characters around a passage: a book without chapters is one
CONTEXT, COUPLING = 300, 1000  # tokens; a sentence of Japanese is more of them


def ask(
    stage: str, chunk: Chunk, schema: type[BaseModel], size: int | None, /, **shown: str
) -> Asking:
    """A stage's prompt in the chunk's language, filled; its reply's tokens, at most."""
    words = prompt(_PROMPTS.get(stage, stage), language_of(chunk.text))
    return Asking(words, Ask(words.turns(**shown), stage, chunk.id, schema, size))


def operator_ask(
    chunk: Chunk, variant: PromptVariant, about: ContextReply | None
) -> Asking:
    """Tasks 1 to 6 of the paper's operator in one ask, one object in reply."""
    about = about or ContextReply(context="", situation="")
    known = filter(None, (chunk.title, chunk.speaker, chunk.time, about.situation))
    shown = {"context": about.context, "situation": "; ".join(known)}
    words = prompt(f"operator_{variant}", language_of(chunk.text))
    turns = words.turns(**shown, passage=chunk.text)
    return Asking(words, Ask(turns, "operator", chunk.id, OperatorReply))


def chapter_around(chunk: Chunk, document: Document) -> tuple[str, str]:
    """What of a chunk's chapter stands before it and after, as much as may be shown."""
    at, text = chunk.span, document.text
    spans = (c.span for c in document.chapters)
    here = (s for s in spans if s.start <= at.start < s.end)
    whole = next(here, Span(document.id, 0, len(text)))
    side = max(0, _CHAPTER - (at.end - at.start)) // 2
    before = text[max(whole.start, at.start - side) : at.start]
    return before, text[at.end : min(whole.end, at.end + side)]


def most(
    model: Model, chunks: Sequence[Chunk], beside: int, wrote: int | None = None
) -> Cost:
    """The most that a prompt about each chunk costs, with so many tokens beside it."""
    chunk = max((count_tokens(chunk.text) for chunk in chunks), default=0)
    return model.most(len(chunks), beside + chunk, wrote)


_ALIKE = str.maketrans("“”„‘’‚–—‐\u00a0\u3000", "\"\"\"'''---  ")
_EDGES = " \t\n.,;:!?…\"'“”‘’。、"
_INSIDE = re.compile(rf"[^\W{KANA_KANJI}]{{2}}|[ァ-ヺー]{{2}}")
_SHORT, _LONGER = frozenset("彼私僕俺"), "(?!女|ら|等|達|たち|立)"  # 彼女 is not 彼


def meets(one: Span, other: Span) -> bool:
    """Whether two places share a character."""
    return one.start < other.end and other.start < one.end


def find_words(text: str, said: str) -> list[tuple[int, int]]:
    """Where a text has these words, whole and in any kind of quotation marks.

    Capitals count where the words have some and the text has them so.
    """
    words = bare_words(said).translate(_ALIKE).split()
    if not words:
        return []
    plain, pattern = text.translate(_ALIKE), r"\s+".join(map(re.escape, words))
    pattern += _LONGER if words[-1] in _SHORT else ""
    for flag in (re.NOFLAG, re.IGNORECASE)[said == said.lower() :]:
        found = [m.span() for m in re.finditer(pattern, plain, flag)]
        # No word may be cut; kanji and hiragana may be cut anywhere.
        cuts = [[plain[max(0, at - 1) : at + 1] for at in place] for place in found]
        whole = [not any(map(_INSIDE.fullmatch, ends)) for ends in cuts]
        if kept := list(compress(found, whole)):
            return kept
    return []


def bare_words(said: str) -> str:
    """Words without the article before them and the marks around them.

    >>> bare_words("the old mill."), bare_words("“A”")
    ('old mill', 'A')
    """
    said = said.strip(_EDGES)
    first, _, rest = said.partition(" ")
    return rest.strip() if rest and first.lower() in DEFINITE | INDEFINITE else said


@dataclass
class HeldPassage:
    """A chunk that a reply is held against, and what of the reply it has refused."""

    chunk: Chunk
    refused: list[str] = field(default_factory=list)

    def refuse(self, path: str, why: str) -> None:
        """Say what is not believed, and why."""
        self.refused.append(f"{path}: {why}")

    def places(self, said: str) -> list[Span]:
        """Where the passage has these words."""
        base, found = self.chunk.span.start, find_words(self.chunk.text, said)
        return [Span(self.chunk.document, base + a, base + b) for a, b in found]

    def find(self, path: str, said: str, near: Span | None = None) -> Span | None:
        """Where the passage has these words, nearest to a place; refused if nowhere."""
        found = self.places(said)
        if not found:
            self.refuse(path, f"{said!r} is not in the passage")
            return None
        return nearest(found, near) if near else found[0]

    def words(self, span: Span) -> str:
        """What the passage has at a place."""
        base = self.chunk.span.start
        return self.chunk.text[span.start - base : span.end - base]


def nearest(spans: Iterable[Span], to: Span) -> Span:
    """The place with the fewest characters between it and another."""
    return min(spans, key=lambda s: max(s.start - to.end, to.start - s.end, 0))
