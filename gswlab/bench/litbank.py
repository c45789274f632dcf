"""LitBank: openings of novels with who is who, who speaks, and what happened.

A folder is laid out as published (github.com/dbamman/litbank): `coref/tsv`,
`quotations/tsv` and `events/tsv`, a file a book. Its texts are tokens with spaces
between; here they are plain text again, and every mark is of that text's characters.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar

from spacy.tokens import Doc

from gswlab.bench.coreference import CONLL, Ratio
from gswlab.bench.folder import digest_of_data
from gswlab.bench.marks import (
    MarkedMention,
    MarkedQuote,
    Marks,
    head_of,
    mark_shares,
    seen,
)
from gswlab.bench.task import MarkedTexts, World, workspace_of
from gswlab.bench.texts import PATH, existing_file
from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Span
from gswlab.language.pipeline import model, parsed
from gswlab.text.chunks import chunks

_COMMAND = "python -m gswlab run experiment=litbank dataset.folder=DIR"
_RULE = "a folder laid out as github.com/dbamman/litbank is"
_LAYERS = ("mentions", "typed", "realis", "quotations", "conll", "names_pairwise")
_TOLD = ("attr", "appos")  # in syntax, a noun that says what another is
_FORMS = {"PROP": "name", "NOM": "nominal", "PRON": "pronoun"}
_LEFT = re.compile(r"[,.;:?!)\]”’]+|\.\.+|n['’]t|['’](?:s|ll|ve|m|d|re)", re.I)
_RIGHT = frozenset("([“‘`$£") | {"“‘", "``"}


def detokenised(lines: Iterable[Sequence[str]]) -> tuple[str, list[tuple[int, int]]]:
    """Plain text of sentences of tokens, and the characters of each token.

    Marks of italics are no text: they have no characters. A straight quotation mark
    opens at the start of a sentence, closes at its end, and alternates between.

    >>> detokenised(["“ I ca n't _ go _ ! ” he said .".split()])[0]
    "“I can't go!” he said."
    """
    text, found, opened = "", list[tuple[int, int]](), dict[str, bool]()
    for line in lines:
        glued = not text
        for i, token in enumerate(line):
            if token == "_":
                found.append((len(text), len(text)))
                continue
            left, right = bool(_LEFT.fullmatch(token)), token in _RIGHT
            if token in ("'", '"'):
                ends = token == "'" and line[i - 1][-1:].isalnum()
                ends |= opened.get(token, False) or 0 < i == len(line) - 1
                right = opened[token] = not ends or (i == 0 and len(line) > 1)
                left = not right
            text += "" if glued or left else " "
            found.append((len(text), len(text) + len(token)))
            text, glued = text + token, right
    return text, found


@dataclass(frozen=True)
class LitBook:
    """A book as plain text, its tokens' characters, and what is marked in it.

    `starts` are the tokens that begin a sentence. `gold` is for scoring alone.
    """

    name: str
    text: str
    tokens: tuple[tuple[int, int], ...]
    starts: frozenset[int]
    gold: Marks

    @cached_property
    def syntax(self) -> Doc:
        """What heads what, by one parse that gold and reading are both held to."""
        nlp, kept, begins = model("en"), list[tuple[int, int]](), set[int]()
        for i, (start, end) in enumerate(self.tokens):
            begins |= {len(kept)} if i in self.starts else set()
            kept += [(start, end)] if start < end else []
        words = [self.text[start:end] for start, end in kept]
        spaces = [self.text[end : end + 1] == " " for _, end in kept]
        first: list[bool | int | None] = [i in begins for i in range(len(kept))]
        doc = Doc(nlp.vocab, words, spaces, sent_starts=first)
        return parsed(None, [doc], nlp)[0]


def litbank_books(folder: Path) -> tuple[LitBook, ...]:
    """The books of a folder, by name.

    Raises:
        GswlabError: there is none, or a file is missing or of another layout.
    """
    names = sorted(path.stem for path in Path(folder, "coref", "tsv").glob("*.ann"))
    if not names:
        raise GswlabError(f"{folder} holds no coref/tsv/*.ann", _RULE, _COMMAND)
    return tuple(litbank_book(folder, name) for name in names)


def litbank_book(folder: Path, name: str) -> LitBook:
    """One book of a folder; `GswlabError` names what does not fit."""

    def lines(layer: str, suffix: str) -> list[str]:
        path = Path(folder, layer, "tsv", name + suffix)
        return path.read_text("utf-8").rstrip("\n").split("\n")

    def rows(layer: str, suffix: str = ".ann") -> list[list[str]]:
        return [line.split("\t") for line in lines(layer, suffix) if line.strip()]

    try:
        sentences = [line.split(" ") for line in lines("coref", ".txt")]
        text, bounds = detokenised(sentences)
        firsts = [0, *accumulate(map(len, sentences))]

        def span(row: Sequence[str]) -> tuple[int, int]:
            one, two, three, four = map(int, row[2:6])
            return bounds[firsts[one] + two][0], bounds[firsts[three] + four][1]

        marked, said, told = rows("coref"), rows("quotations"), rows("events", ".tsv")
        if len(told) != len(bounds):
            raise ValueError(f"its events are of {len(told)} tokens of {len(bounds)}")
        # A mention without an entity is the only one of its own.
        entity = {row[1]: row[2] for row in marked if row[0] == "COREF"}
        speaker = {row[1]: row[2] for row in said if row[0] == "ATTRIB"}
        named = (row for row in marked if row[0] == "MENTION")
        mentions = tuple(
            MarkedMention(*span(r), _FORMS[r[8]], r[7], entity.get(r[1], r[1]))
            for r in named
        )
        quoted = (row for row in said if row[0] == "QUOTE")
        quotes = tuple(MarkedQuote(*span(r), speaker.get(r[1])) for r in quoted)
        events = (b for b, r in zip(bounds, told, strict=True) if r[1] == "EVENT")
        gold = Marks(mentions, quotes, tuple(events))
    except (OSError, ValueError, LookupError) as error:
        problem = f"{name} cannot be read: {' '.join(str(error).split())}"
        raise GswlabError(problem, _RULE, _COMMAND) from error
    return LitBook(name, text, tuple(bounds), frozenset(firsts[:-1]), gold)


def set_aside(names: Iterable[str], many: int = 10) -> frozenset[str]:
    """The books opened once, at the end: the smallest SHA-1 of their files' names."""
    order = sorted(names, key=lambda name: hashlib.sha1(name.encode()).hexdigest())
    return frozenset(order[:many])


def attributes_apart(read: Marks, syntax: Doc) -> Marks:
    """What was read as LitBank would annotate it: attributes are of nobody else.

    What a predicate or an apposition says of somebody ("Ann, a sailor") is a relation
    of its own there (COP, APPOS); a workspace takes it for one more mention of her.
    """
    found = list[MarkedMention]()
    for i, m in enumerate(read.mentions):
        told = m.form == "nominal"
        told = told and syntax[head_of(syntax, m.start, m.end)].dep_ in _TOLD
        found.append(replace(m, entity=f"{m.entity} {i}") if told else m)
    return replace(read, mentions=tuple(found))


def book_shares(book: LitBook, read: Marks) -> dict[str, Ratio]:
    """Every share of a book; `attributes_linked` has clusters as they were read."""
    linked = mark_shares(book.gold, read, book.syntax).items()
    apart = mark_shares(book.gold, attributes_apart(read, book.syntax), book.syntax)
    return apart | {
        f"attributes_linked.{k}": v for k, v in linked if k.startswith(CONLL)
    }


@dataclass
class LitBank(MarkedTexts):
    """The books of `folder`, each read by a memory of its own, `sentences` a chunk."""

    folder: str | None = field(default=None, metadata=PATH)
    sentences: int = 3
    texts: ClassVar = "books"

    @cached_property
    def books(self) -> tuple[LitBook, ...]:
        """The books with their gold, which no memory gets."""
        return litbank_books(existing_file(self.folder, "dataset.folder", _COMMAND))

    def document(self) -> Document:
        """All books one after the other, a chapter each."""
        text, chapters, at = "\n\n".join(b.text for b in self.books), list[Chapter](), 0
        for book in self.books:
            span = Span("litbank", at, at + len(book.text))
            chapters.append(Chapter(None, None, span))
            at = span.end + 2
        return Document("litbank", text, tuple(chapters))

    @cached_property
    def worlds(self) -> tuple[World, ...]:
        """A book each; nothing is asked."""
        document, found = self.document(), list[World]()
        for book, chapter in zip(self.books, document.chapters, strict=True):
            alone = replace(document, chapters=(chapter,))
            found.append(World(book.name, chunks(alone, self.sentences), (None,)))
        return tuple(found)

    def hashes(self) -> dict[str, str]:
        """The content hash of the gold."""
        return {"gold": digest_of_data([astuple(book.gold) for book in self.books])}

    def examined(self, memory: Any, world: World) -> dict[str, Any]:
        """The shares of a book, by what the workspace holds of it."""
        number = self.worlds.index(world)
        book, base = self.books[number], self.document().chapters[number].span.start
        marks = seen(workspace_of(memory, _COMMAND), world.chunks, base)
        return {"shares": book_shares(book, marks)}

    def headline(self, scores: Mapping[str, Any]) -> dict[str, Any]:
        """F1 of each layer, who speaks, and what share of pronouns is right."""
        line = {name: scores[name] for name in ("config", "memory", "books")}
        line |= {name: scores[name]["f1"] for name in _LAYERS}
        pronouns = {k: v for k, v in scores["pronouns"].items() if "wrong" not in k}
        return {**line, "speakers": scores["speakers"]["accuracy"], **pronouns}
