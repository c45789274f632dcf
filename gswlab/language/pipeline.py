"""Parses on disk: no text is parsed twice, however many memories read it.

A parse stands under the hash of the parser, of its text and of where its sentences
begin: another version of any of them is another file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json, to_json

from gswlab.core.errors import GswlabError
from gswlab.core.files import place, put
from gswlab.language.language import DEFAULT, of

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc as Doc
    from spacy.tokens import Span as Span
    from spacy.tokens import Token as Token
else:  # what a parse is made of, by name: only who parses loads spaCy
    Doc = Span = Token = Any


def parsed(
    folder: str | None, texts: Sequence[Doc], nlp: Language, without: Sequence[str] = ()
) -> list[Doc]:
    """Parses of tokenised texts: found in `folder`, or made together and kept there.

    `without` names parts of the parser that are left out.
    """
    if not folder or not of(nlp.lang or DEFAULT).plain:
        return [*nlp.pipe(texts, disable=without)]
    paths = [_path(folder, text, nlp, without) for text in texts]
    own = dict(zip(paths, texts, strict=True))
    docs = {p: _read(p.read_bytes(), t) for p, t in own.items() if p.exists()}
    new = {path: text for path, text in own.items() if path not in docs}
    for path, made in zip(new, nlp.pipe(new.values(), disable=without), strict=True):
        put(path, _written(made))
        docs[path] = made
    return [docs[path] for path in paths]


def _written(parse: Doc) -> bytes:
    """What a parse says of each token of its text, as JSON."""
    told = {
        "tags": [token.tag_ for token in parse],
        "pos": [token.pos_ for token in parse],
        "morphs": [str(token.morph) for token in parse],
        "lemmas": [token.lemma_ for token in parse],
        "heads": [token.head.i for token in parse],
        "deps": [token.dep_ for token in parse],
        "sent_starts": [token.is_sent_start for token in parse],
        "ents": [f"{t.ent_iob_}-{t.ent_type_}".rstrip("-") for t in parse],
    }
    return to_json(told)


def _read(written: bytes, text: Doc) -> Doc:
    """The parse of a tokenised text that `_written` wrote."""
    words = [token.text for token in text]
    spaces = [bool(token.whitespace_) for token in text]
    return type(text)(text.vocab, words=words, spaces=spaces, **from_json(written))


def _path(folder: str, text: Doc, nlp: Language, without: Sequence[str]) -> Path:
    starts = [token.idx for token in text if token.is_sent_start]
    words = [token.text_with_ws for token in text]
    key = repr((_version(nlp), sorted(without), words, starts))
    return place(folder, hashlib.sha256(key.encode()).hexdigest(), "parse.json")


@cache  # spaCy gathers the labels of all parts each time that it is asked
def _version(nlp: Language) -> tuple[str, ...]:
    meta = nlp.meta
    return tuple(meta[w] for w in ("lang", "name", "version", "spacy_version"))


@cache
def model(language: str) -> Language:
    """The parser of a language; Japanese needs the extra `gswlab[ja]`."""
    import spacy  # half a second, and who asks a run parses nothing

    known = of(language)
    try:
        return spacy.load(known.parser)
    except (ImportError, OSError) as error:
        problem = f"a chunk is {known.name} and its parser is not installed"
        rule, command = f"{known.name} needs {known.parser}", f"gswlab[{language}]"
        raise GswlabError(problem, rule, f'pip install "{command}"') from error
