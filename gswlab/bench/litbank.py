"""LitBank: openings of novels with who is who, who speaks, and what happened.

A folder is laid out as published (github.com/dbamman/litbank): `coref/tsv`,
`quotations/tsv` and `events/tsv`, a file a book. Its texts are tokens with spaces
between; here they are plain text again, and every mark is of that text's characters.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gswlab.bench.marks import MarkedMention, MarkedQuote, Marks, Syntax
from gswlab.core.errors import GswlabError

_COMMAND = "python -m gswlab run experiment=litbank dataset.folder=DIR"
_RULE = "a folder laid out as github.com/dbamman/litbank is"
_FORMS = {"PROP": "name", "NOM": "nominal", "PRON": "pronoun"}
_LEFT = re.compile(r"[,.;:?!)\]”’]+|\.\.+|n['’]t|['’](?:s|ll|ve|m|d|re)", re.I)
_RIGHT = frozenset("([“‘`$£") | {"“‘", "``"}


def detokenised(
    sentences: Iterable[Sequence[str]],
) -> tuple[str, list[tuple[int, int]]]:
    """Plain text of sentences of tokens, and the characters of each token.

    Marks of italics are no text: they have no characters. A straight quotation mark
    opens at the start of a sentence, closes at its end, and alternates between.

    >>> detokenised(['“ I ca n\'t _ go _ ! ” he said .'.split()])[0]
    "“I can't go!” he said."
    """
    text, found, opened = "", list[tuple[int, int]](), dict[str, bool]()
    for sentence in sentences:
        glued = not text
        for i, token in enumerate(sentence):
            if token == "_":
                found.append((len(text), len(text)))
                continue
            left, right = bool(_LEFT.fullmatch(token)), token in _RIGHT
            if token in ("'", '"'):
                first, last = i == 0, i == len(sentence) - 1
                before = sentence[i - 1] if i else ""
                starts = token == '"' or not before[-1:].isalnum()
                opens = first or not (last or opened.get(token) or not starts)
                opened[token] = opens
                left, right = not opens, opens
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
    def syntax(self) -> Syntax:
        """What heads what, by one parse that gold and reading are both held to."""
        return Syntax.of(self.text, self.tokens, self.starts)


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
    """One book of a folder; `GswlabError` names a file that does not fit."""
    try:
        lines = _lines(folder, "coref", f"{name}.txt")
        sentences = [line.split(" ") for line in lines]
        text, bounds = detokenised(sentences)
        firsts = [0]
        for sentence in sentences:
            firsts.append(firsts[-1] + len(sentence))

        def span(row: Sequence[str]) -> tuple[int, int]:
            one, two, three, four = map(int, row)
            return bounds[firsts[one] + two][0], bounds[firsts[three] + four][1]

        mentions = tuple(_mentions(_rows(folder, "coref", f"{name}.ann"), span))
        said = list(_rows(folder, "quotations", f"{name}.ann"))
        speakers = {row[1]: row[2] for row in said if row[0] == "ATTRIB"}
        quotes = (row for row in said if row[0] == "QUOTE")
        quoted = tuple(MarkedQuote(*span(r[2:6]), speakers.get(r[1])) for r in quotes)
        told = [row for row in _rows(folder, "events", f"{name}.tsv") if row[0]]
        if len(told) != len(bounds):
            raise ValueError(f"{len(told)} tokens of events, {len(bounds)} of the text")
        events = (b for b, row in zip(bounds, told, strict=True) if row[1] == "EVENT")
        gold = Marks(mentions, quoted, tuple(events))
    except (OSError, ValueError, IndexError, KeyError) as error:
        problem = f"{name} cannot be read: {' '.join(str(error).split())}"
        raise GswlabError(problem, _RULE, _COMMAND) from error
    return LitBook(name, text, tuple(bounds), frozenset(firsts[:-1]), gold)


def _lines(folder: Path, layer: str, file: str) -> list[str]:
    return Path(folder, layer, "tsv", file).read_text("utf-8").splitlines()


def _rows(folder: Path, layer: str, file: str) -> Iterator[list[str]]:
    return (line.split("\t") for line in _lines(folder, layer, file))


def _mentions(
    rows: Iterable[list[str]], span: Callable[[Sequence[str]], tuple[int, int]]
) -> Iterator[MarkedMention]:
    """A mention that no line of COREF names is the only one of its entity."""
    kept = list(rows)
    entity = {row[1]: row[2] for row in kept if row[0] == "COREF"}
    for row in kept:
        if row[0] == "MENTION":
            whose = entity.get(row[1], row[1])
            yield MarkedMention(*span(row[2:6]), _FORMS[row[8]], row[7], whose)


def set_aside(names: Iterable[str], many: int = 10) -> frozenset[str]:
    """The books opened once, at the end: the smallest SHA-1 of their files' names.

    >>> sorted(set_aside(["a", "b", "c"], 1))
    ['c']
    """
    order = sorted(names, key=lambda name: hashlib.sha1(name.encode()).hexdigest())
    return frozenset(order[:many])
