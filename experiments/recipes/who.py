"""Weights: what a noun speaks of, who speaks, what takes place, and who is whom.

`who.py weights FOLDER` learns the tables of `gswlab/language/en` of the books of a
folder laid out as LitBank is, all but the ten set aside, of passages of six genres that
are for tuning, and of the gold excerpts of `dev`; `who.py folds FOLDER INTO` learns
them five times, each without every fifth book, excerpt and passage, to score those
with. Three minutes on two cores, of folds eight.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, get_args

import coreference
import numpy as np
from passages import Passage, load
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from spacy.tokens import Doc, Token

from gswlab.bench.gold.reading import GoldExcerpt, load_excerpts
from gswlab.bench.litbank import LitBook, litbank_book, set_aside
from gswlab.bench.marks import MarkedMention, MarkedQuote, head_of
from gswlab.core.nouns import Chunk
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator import speech
from gswlab.gsw.operator.actor_kinds import SORTS, noun_features
from gswlab.gsw.operator.actors import add_names
from gswlab.gsw.operator.clauses import find_clauses
from gswlab.gsw.operator.mentions import Cast
from gswlab.gsw.operator.parse import Parsed, parse
from gswlab.gsw.operator.phrases import verb_features
from gswlab.language import log_linear
from gswlab.language.language import rows
from gswlab.language.pipeline import model
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

ROOT = Path(__file__).resolve().parents[2]
Whose = Literal["", "excerpt", "passage"]  # "": LitBank's
GOLD = ROOT / "experiments" / "texts" / "gold" / "dev"
TABLES = ROOT / "gswlab" / "language"
FOLDS = 5
_KINDS = {"PER": "person", "FAC": "building", "LOC": "land", "GPE": "town"}
_KINDS |= {"ORG": "organisation", "VEH": "vehicle"}
_HEAD = """\
# source: learned by experiments/recipes/who.py from LitBank (Bamman and others 2019 and
# 2020, github.com/dbamman/litbank, CC BY 4.0) and our own texts; licence: CC BY 4.0
"""
Row = tuple[Mapping[str, float], str]


class Scorer(NamedTuple):
    """How a table is learned: strength, rarest feature, least weight kept."""

    name: str
    classes: tuple[str, ...]
    strength: float
    least: int
    small: float


NOUNS = Scorer("entities", ("none", *SORTS), 0.4, 3, 0.15)
SAID = Scorer("speech", ("said", "called"), 1.0, 2, 0.05)
SPEAKS = Scorer("speakers", ("yes", "no"), 0.2, 3, 0.05)
REALIS = Scorer("realis", ("yes", "no"), 0.3, 3, 0.08)


@dataclass
class Examples:
    """What one text teaches, scorer by scorer; text of our `own` counts twice."""

    chunks: tuple[Chunk, ...]
    gold: coreference.Gold
    own: Whose = ""
    rows: dict[str, list[Row]] = field(default_factory=dict)
    fold: int = 0

    def add(self, scorer: Scorer, found: Iterable[Row]) -> None:
        """More rows of a scorer."""
        self.rows.setdefault(scorer.name, []).extend(found)


def top(parsed: Parsed, start: int, end: int) -> Token | None:
    """The noun that heads these characters of a chunk."""
    inside = [t for t in parsed.within(start, end) if not t.is_space]
    own = {t.i for t in inside}
    tops = [t for t in inside if t.head.i not in own or t.head == t]
    nouns = [t for t in tops if t.pos_ in ("NOUN", "PROPN", "PRON")]
    return next(iter(nouns or tops), None)


_ARGUMENTS = ["nsubj", "nsubjpass", "dobj", "pobj", "appos", "attr", "conj", "poss"]
_ANYBODY = frozenset(
    [
        "one",
        "others",
        "other",
        "everybody",
        "everyone",
        "somebody",
        "someone",
        "nobody",
        "anybody",
        "anyone",
        "those",
        "all",
        "many",
        "some",
        "both",
        "each",
        "none",
        "here",
        "there",
    ]
)


def _may_be(token: Token) -> bool:
    adjective = token.pos_ in ("ADJ", "NUM") and token.dep_ in _ARGUMENTS
    return token.pos_ in ("NOUN", "PROPN") or adjective or token.lower_ in _ANYBODY


def noun_rows(
    parsed: Parsed, said: Mapping[int, str], free: Iterable[tuple[int, int]] = ()
) -> Iterator[Row]:
    """Every noun of a chunk and its sort, `said` by token; `free` ones are left out."""
    cast = Cast(parsed, find_clauses(parsed.doc))
    skipped = {t.i for f in free for t in parsed.within(*f)}
    add_names(cast, Workspace())
    for token in filter(_may_be, parsed.doc):
        name = cast.headed(token)
        inside = name is None and cast.at(token) is not None
        if token.i not in said and (inside or token.i in skipped):
            continue
        quoted, kind = parsed.marked(token), name.kind if name else ""
        yield noun_features(token, quoted, kind), said.get(token.i, "none")


def learn_book(book: LitBook) -> Examples:
    """What a book of LitBank teaches."""
    meant = _who_of(_by_head(book.gold.mentions, book.syntax), book.syntax)
    made = Examples(tuple(chunks(document_of(book.text))), meant)
    for chunk in made.chunks:
        parsed = parse(chunk)
        heads = dict[int, tuple[str, str, str]]()
        for m in book.gold.mentions:
            if chunk.span.start <= m.start < chunk.span.end:
                found = top(
                    parsed, m.start - chunk.span.start, m.end - chunk.span.start
                )
                if found is not None:
                    heads[found.i] = m.form, str(m.kind), m.entity
        nouns = {i: _KINDS[k] for i, (form, k, _) in heads.items() if form != "pronoun"}
        made.add(NOUNS, noun_rows(parsed, nouns))
        _learn_speech(made, book, parsed, {i: who for i, (*_, who) in heads.items()})
        starts = {start - chunk.span.start for start, _ in book.gold.events}
        for clause in find_clauses(parsed.doc):
            told = "yes" if clause.verb.idx in starts else "no"
            made.add(REALIS, [(verb_features(parsed, clause), told)])
    return made


def _by_head(
    mentions: Iterable[MarkedMention], syntax: Doc
) -> dict[int, MarkedMention]:
    """The first mention that each token heads."""
    heads = dict[int, MarkedMention]()
    for m in mentions:
        heads.setdefault(head_of(syntax, m.start, m.end), m)
    return heads


def _who_of(heads: Mapping[int, MarkedMention], syntax: Doc) -> coreference.Gold:
    """Whom characters of a text mention, by their head."""

    def meant(start: int, end: int) -> str | None:
        found = heads.get(head_of(syntax, start, end))
        return found and found.entity

    return cache(meant)


def _learn_speech(
    made: Examples, book: LitBook, parsed: Parsed, who: Mapping[int, str]
) -> None:
    base, quotes = parsed.chunk.span.start, parsed.chunk.quotes
    marks = speech.Marked(parsed.doc, quotes)
    for i, (start, end) in enumerate(marks.ranges):
        like = (q for q in book.gold.quotes if _overlap(q, base + start, base + end))
        gold = next(like, None)
        if not marks.titles[i]:
            said = "said" if gold else "called"
            made.add(SAID, [(speech.said_features(marks, i), said)])
        if gold and gold.speaker:
            for token, features in speech.speaker_features(marks, i):
                right = who.get(token.i) == gold.speaker
                made.add(SPEAKS, [(features, "yes" if right else "no")])


def _overlap(quote: MarkedQuote, start: int, end: int) -> bool:
    shared = min(end, quote.end) - max(start, quote.start)
    return 2 * shared > min(quote.end - quote.start, end - start)


def learn_excerpt(excerpt: GoldExcerpt) -> Examples:
    """What a gold excerpt teaches: its nouns; of places only that they are."""
    ends = {m.end: m.key for m in excerpt.marks if m.key[0] not in "?@"}
    read = tuple(chunks(document_of(excerpt.text)))
    made = Examples(read, lambda start, end: ends.get(end), "excerpt")
    for chunk in made.chunks:
        parsed, base = parse(chunk), chunk.span.start
        said, free = dict[int, str](), list[tuple[int, int]]()
        for mark in excerpt.marks:
            bounds = mark.start - base, mark.end - base
            if not 0 <= bounds[0] < len(chunk.text):
                continue
            if mark.key[0] in "?@":
                free.append(bounds)
            elif not mark.pronoun and (noun := top(parsed, *bounds)) is not None:
                kind = excerpt.file.actors[mark.key].kind
                said[noun.i] = kind if kind in _PEOPLED else "none"
        made.add(NOUNS, noun_rows(parsed, said, free))
    return made


def learn_passage(passage: Passage) -> Examples:
    """What a passage of another genre teaches: its nouns, and who is who in it."""
    syntax = model("en")(passage.text)
    heads = _by_head(passage.marks.mentions, syntax)
    read = tuple(chunks(document_of(passage.text)))
    made = Examples(read, _who_of(heads, syntax), "passage")
    for chunk in made.chunks:
        parsed, base, said = parse(chunk), chunk.span.start, dict[int, str]()
        for m in heads.values():
            inside = base <= m.start < chunk.span.end and m.form != "pronoun"
            if inside and (noun := top(parsed, m.start - base, m.end - base)):
                said[noun.i] = _KINDS.get(str(m.kind), "none")
        made.add(NOUNS, noun_rows(parsed, said))
    return made


_PEOPLED = ("person", "place", "organisation")


def fitted(
    scorer: Scorer, rows: Sequence[Row], weights: Sequence[float]
) -> log_linear.LogLinear:
    """The weights of a scorer, by regularised maximum likelihood."""
    vectors = DictVectorizer(dtype=np.float64)
    matrix = vectors.fit_transform([features for features, _ in rows])
    kept = np.flatnonzero(np.asarray((matrix != 0).sum(0)).ravel() >= scorer.least)
    # to the last digit, so that no machine's rounding shows in a table
    solver = {"solver": "newton-cg", "tol": 1e-9, "max_iter": 1000}
    model = LogisticRegression(C=scorer.strength, fit_intercept=False, **solver)
    model.fit(matrix[:, kept], [said for _, said in rows], sample_weight=weights)
    names = [vectors.feature_names_[column] for column in kept]
    order = list(model.classes_)
    if len(order) == 2:  # of two, all that counts is the one against the other
        sign = 1.0 if order[1] == scorer.classes[0] else -1.0
        cells = [{scorer.classes[0]: sign * w} for w in model.coef_[0]]
    else:
        found = {c: model.coef_[order.index(c)] for c in scorer.classes}
        cells = [{c: w[i] for c, w in found.items()} for i in range(len(names))]
    return log_linear.LogLinear(scorer.classes, dict(zip(names, cells, strict=True)))


def _placed(scorer: log_linear.LogLinear, row: Row) -> Row:
    """A place of our own text, as the sort of place that books make most likely."""
    features, said = row
    if said != "place":
        return row
    scores = scorer.scores(features)
    return features, max(("building", "land", "town"), key=scores.__getitem__)


def learned(scorer: Scorer, texts: Sequence[Examples]) -> str:
    """A table as text, of all that texts teach."""
    rows = [
        row for text in texts if not text.own for row in text.rows.get(scorer.name, ())
    ]
    made = fitted(scorer, rows, [1.0] * len(rows))
    own = [row for text in texts if text.own for row in text.rows.get(scorer.name, ())]
    if own:
        weights = [1.0] * len(rows) + [2.0] * len(own)
        made = fitted(scorer, rows + [_placed(made, row) for row in own], weights)
    lines = ["\t".join(scorer.classes)]
    for name, cells in sorted(made.weights.items()):
        kept = [f"{c} {w:.2f}" for c, w in cells.items() if abs(w) >= scorer.small]
        lines += ["\t".join([name, *kept])] if kept else []
    return _HEAD + "\n".join(lines) + "\n"


def write(texts: Sequence[Examples], folder: Path) -> None:
    """Every table but that of who is whom, into `folder`/en."""
    (folder / "en").mkdir(parents=True, exist_ok=True)
    for scorer in (NOUNS, SAID, SPEAKS, REALIS):
        path = folder / "en" / f"{scorer.name}.tsv"
        path.write_text(learned(scorer, texts), encoding="utf-8")


Read: TypeAlias = Mapping[int, coreference.Decisions]  # texts by number
TEXTS: list[Examples] = []  # all; what reads one is forked, for none can be sent


def _read(job: tuple[int, log_linear.LogLinear]) -> coreference.Decisions:
    number, table = job
    return coreference.choices(TEXTS[number].chunks, TEXTS[number].gold, table)


def decided(tables: Mapping[int, log_linear.LogLinear]) -> Read:
    """Every decision of texts, by their number, each read by its table."""
    with Pool() as pool:
        return dict(zip(tables, pool.map(_read, tables.items()), strict=True))


def without(fold: int | None, found: Read) -> Read:
    """The decisions of all texts but those of a fold."""
    return {i: of for i, of in found.items() if TEXTS[i].fold != fold}


def taught(found: Read) -> str:
    """The table of who is whom that decisions teach, as text."""
    of = ([d for i, d in found.items() if TEXTS[i].own == o] for o in get_args(Whose))
    return coreference.learned(coreference.Taught(*of))


def write_coreference(first: Read, folder: Path) -> None:
    """The table of who is whom, of texts as they are read by the weights set by hand.

    They are read once more, each fold by what the others teach, for some columns.
    """
    tables = dict[int, log_linear.LogLinear]()
    for fold in {TEXTS[i].fold for i in first}:
        lines = taught(without(fold, first)).splitlines()
        tables[fold] = log_linear.of_rows(tuple(line.split("\t")) for line in lines)
    again = decided({i: tables[TEXTS[i].fold] for i in first})
    second = {
        i: {**of, **{c: again[i].get(c, []) for c in coreference.AGAIN}}
        for i, of in first.items()
    }
    path = folder / "en" / "coreference.tsv"
    path.write_text(_HEAD + taught(second), encoding="utf-8")


def texts_of(folder: Path) -> list[Examples]:
    """What every text teaches: books by name, then passages and excerpts."""
    names = sorted(path.stem for path in (folder / "coref" / "tsv").glob("*.ann"))
    kept = [name for name in names if name not in set_aside(names)]
    excerpts = [e for e in load_excerpts(GOLD) if e.file.language == "en"]
    return [
        *(learn_book(litbank_book(folder, n)) for n in kept),
        *map(learn_passage, tuned()),
        *map(learn_excerpt, excerpts),
    ]


def tuned() -> list[Passage]:
    """The English passages of six genres whose errors one may look at."""
    return [one for one in load() if one.part == "tune" and one.language == "en"]


def main(arguments: Sequence[str]) -> None:
    """Learn the tables, or those of every fold."""
    TEXTS.extend(texts_of(Path(arguments[1])))
    for own in (False, True):
        for i, text in enumerate(t for t in TEXTS if bool(t.own) == own):
            text.fold = i % FOLDS
    into: dict[int | None, Path] = {None: TABLES}
    if arguments[0] == "folds":
        into = {k: Path(arguments[2]) / f"fold{k}" for k in range(FOLDS)}
    for but, folder in into.items():
        write([text for text in TEXTS if text.fold != but], folder)
    log_linear.log_linear.cache_clear()
    rows.cache_clear()
    first = decided(dict.fromkeys(range(len(TEXTS)), coreference.prior()))
    for but, folder in into.items():
        write_coreference(without(but, first), folder)


if __name__ == "__main__":
    if sys.argv[1:2] not in (["weights"], ["folds"]):
        sys.exit(__doc__)
    main(sys.argv[1:])
