"""Which messages bear on a question: words, meaning, neighbours and who said it.

- every message is described to a question by `FEATURES`, counted from what was said
  and what is asked alone; a logistic regression weighs them;
- a message is seldom found alone: what those around it share with the question counts,
  and so does the best of its session;
- the weights lie in `weights.tsv`, written by `recipes/recall_weights.py`; without
  vectors the other features are weighed on their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Protocol

import bm25s
import numpy as np
from numpy.typing import NDArray

from gswlab.core.budget import count_tokens
from gswlab.language.dates.find import find_dates
from gswlab.language.keys import date_keys
from gswlab.language.stems import terms, words
from gswlab.memgpt.nouns import Hit, Message, Page
from gswlab.memgpt.recall_storage import By, Recall
from gswlab.models.vectors.embedder import Asymmetric, Embedder, Vectors

# Messages as they are, ready for questions: stems, vectors, sessions, dates.

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


class Said(Protocol):
    """A message, whatever keeps it; `time` is ISO."""

    @property
    def text(self) -> str:
        """What was said, without its speaker's name."""

    @property
    def speaker(self) -> str | None:
        """Who said it, None where that is unknown."""

    @property
    def time(self) -> str | None:
        """When it was said, None where that is unknown."""


def line_of(message: Said) -> str:
    """A message under its speaker's name.

    >>> from gswlab.memgpt.nouns import Message
    >>> line_of(Message(1, "user", "message", "It rains.", 3, 1, "Ann"))
    'Ann: It rains.'
    """
    return f"{message.speaker}: {message.text}" if message.speaker else message.text


@dataclass
class Conversation:
    """Messages in the order they were said; a session is those of one day.

    Raises:
        Whatever the embedder raises; without one there are no vectors.
    """

    said: Sequence[Said]
    embedder: Embedder | None = None
    stems: list[frozenset[str]] = field(init=False, repr=False)
    vectors: Vectors | None = field(default=None, init=False, repr=False)
    _index: bm25s.BM25 | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        counted = [terms(message.text) for message in self.said]
        self.stems = [frozenset(found) for found in counted]
        if any(counted):
            self._index = bm25s.BM25(
                k1=1.2, b=0.4
            )  # turns are short, long ones no worse
            self._index.index(counted, show_progress=False)
        if self.embedder is not None and self.said:
            self.vectors = self.embedder.embed([line_of(m) for m in self.said])

    def matched(self, asked: Sequence[str]) -> Floats:
        """BM25 of the stems `asked`, a score a message."""
        if self._index is None or not asked:
            return np.zeros(len(self.said))
        return np.asarray(self._index.get_scores(list(asked)), float)

    @cached_property
    def days(self) -> list[str | None]:
        """The day of each message, as ISO."""
        return [message.time[:10] if message.time else None for message in self.said]

    @cached_property
    def sessions(self) -> Rows:
        """The number of each message's session."""
        new = [one != other for one, other in zip(self.days, [None, *self.days])]  # noqa: B905
        return np.cumsum(np.array(new, np.intp))

    @cached_property
    def groups(self) -> list[Rows]:
        """The rows of each session."""
        bounds = np.flatnonzero(np.diff(self.sessions)) + 1
        return np.split(np.arange(len(self.said)), bounds)

    @cached_property
    def costs(self) -> Floats:
        """Tokens of each message, its speaker and the end of its line included."""
        return np.array([count_tokens(f"{line_of(m)}\n") for m in self.said], float)

    @cached_property
    def dates(self) -> list[tuple[str, ...]]:
        """The dates that each message names, resolved against its own."""
        pairs = zip(self.said, self.days, strict=True)
        found = ([d.day for d in find_dates(m.text, said=day)] for m, day in pairs)
        return [tuple(day for day in days if day) for days in found]

    @cached_property
    def dated(self) -> Floats:
        """1 for a message that names a date, resolved or not."""
        return np.array([bool(find_dates(m.text)) for m in self.said], float)

    @cached_property
    def asks(self) -> Floats:
        """1 for a message that ends as a question."""
        said = (message.text.rstrip() for message in self.said)
        return np.array([text.endswith(("?", "？")) for text in said], float)

    @cached_property
    def opens(self) -> Floats:
        """1 for the first message of a session."""
        found = np.zeros(len(self.said))
        found[[rows[0] for rows in self.groups if len(rows)]] = 1.0
        return found

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Who spoke, in the order of their first words."""
        return tuple(dict.fromkeys(m.speaker for m in self.said if m.speaker))

    def shifted(self, scores: Floats, by: int) -> Floats:
        """The score of the message `by` places before, in the same session; else 0."""
        rows = np.arange(len(scores)) - by
        inside = (rows >= 0) & (rows < len(scores))
        rows = np.clip(rows, 0, len(scores) - 1)
        same = inside & (self.sessions[rows] == self.sessions)
        return np.where(same, scores[rows], 0.0)

    def ordered(self, scores: Floats) -> Iterator[Rows]:
        """The rows of each session, the best first."""
        for rows in self.groups:
            yield rows[np.argsort(-scores[rows], kind="stable")]


WEIGHTS = Path(__file__).with_name("weights.tsv")
FEATURES = (
    *("words", "words_before", "words_2_before", "words_nearby"),
    *("meaning", "meaning_before", "meaning_after"),
    *("meaning_2_before", "meaning_2_after", "topic"),
    *("session", "first_in_session", "asked_person", "asked_time"),
    *("asks", "dated", "opens", "length"),
)
_REACH = 2  # messages to either side whose words count as nearby
_BEST = 3  # messages that a session is worth
_SHARE = 1 / 8  # of a standard deviation of the cosines, in best word scores
_THEN = 2 / 3  # of a message that names the time asked for, one said at that time
_WHEN = re.compile(
    r"when\b|how long\b|(?:what|which) (?:date|month|year|day|time)\b", re.I
)
_FRAME = re.compile(
    r"^(?:when|where|what|which|who|how|why|whose)\s+(?:\w+\s+)?"
    r"(?:did|does|do|is|was|are|were|has|have|had|would|will|can|could|might)\s+",
    re.I,
)


def topic_of(question: str, speakers: tuple[str, ...] = ()) -> str:
    """What a question is about: without its question words and who it asks about.

    >>> topic_of("When did Ann adopt a dog?", ("Ann", "Bo"))
    'adopt a dog'
    """
    bare = _FRAME.sub("", question).rstrip("?？ ")
    for name in speakers:
        bare = re.sub(rf"\b{re.escape(name)}(?:['’]s)?\b", "", bare)
    return " ".join(bare.split()) or question


@dataclass
class Ranker:
    """Messages by how likely a question is to want them."""

    of: Conversation

    def scores(self, question: str) -> Floats:
        """The log probability that each message is wanted."""
        if not self.of.said:
            return np.zeros(0)
        weights, constant = _weights(self.of.vectors is not None)
        logits = self.features(question) @ weights + constant
        return np.asarray(-np.logaddexp(0, -logits))

    def alone(self, question: str, feature: str) -> Floats:
        """One feature of every message."""
        if not self.of.said:
            return np.zeros(0)
        return self.features(question)[:, FEATURES.index(feature)]

    def features(self, question: str) -> Floats:
        """A row a message, a column a feature."""
        of, names = self.of, {t for name in self.of.speakers for t in terms(name)}
        asked = [term for term in terms(question) if term not in names]
        matched = of.matched(asked)
        matched = matched / (matched.max() or 1.0)
        near, topic = self._near([question, topic_of(question, of.speakers)])
        whole = matched + _SHARE * (near + topic)
        found = {
            **self._around("words", matched),
            **self._around("meaning", near),
            "words_nearby": self._nearby(frozenset(asked)),
            "topic": topic,
            **self._sessions(whole),
            "asked_person": self._person(question),
            "asked_time": self._time(question),
            "asks": of.asks,
            "dated": of.dated * bool(_WHEN.match(question)),
            "opens": of.opens,
            "length": np.log(of.costs),
        }
        return np.stack([found[name] for name in FEATURES], axis=1)

    def _near(self, texts: Sequence[str]) -> Iterator[Floats]:
        """Cosines with each text, in standard deviations above their mean."""
        of = self.of
        if of.vectors is None or of.embedder is None:
            yield from (np.zeros(len(of.said)) for _ in texts)
            return
        if isinstance(of.embedder, Asymmetric):
            asked = np.stack([of.embedder.embed_query(text) for text in texts])
        else:
            asked = of.embedder.embed(texts)
        for near in np.asarray(asked @ of.vectors.T, float):
            yield np.asarray((near - near.mean()) / (near.std() or 1.0))

    def _around(self, name: str, scores: Floats) -> dict[str, Floats]:
        shifts = {"": 0, "_before": 1, "_after": -1, "_2_before": 2, "_2_after": -2}
        return {
            f"{name}{where}": self.of.shifted(scores, n) for where, n in shifts.items()
        }

    def _nearby(self, asked: frozenset[str]) -> Floats:
        """The share of the stems asked for that a message or those around it have."""
        of = self.of
        found = np.zeros(len(of.said))
        for term in asked:
            has = np.array([term in stems for stems in of.stems], float)
            around = [of.shifted(has, by) for by in range(-_REACH, _REACH + 1)]
            found += np.max(around, axis=0)
        return found / max(1, len(asked))

    def _sessions(self, scores: Floats) -> dict[str, Floats]:
        """What a session is worth, and a message's place in it: 1, 1/2, 1/3, ..."""
        worth, place = np.zeros(len(scores)), np.zeros(len(scores))
        for rows in self.of.ordered(scores):
            worth[rows] = scores[rows[:_BEST]].mean()
            place[rows] = 1 / np.arange(1, len(rows) + 1)
        return {"session": worth, "first_in_session": place}

    def _person(self, question: str) -> Floats:
        """1 for what the one person named said, 0 for the rest, 1/2 where none is."""
        of, asked = self.of, set(words(question))
        named = {name for name in of.speakers if asked & set(words(name))}
        if len(named) != 1:
            return np.full(len(of.said), 0.5)
        return np.array([message.speaker in named for message in of.said], float)

    def _time(self, question: str) -> Floats:
        """1 for what names the time asked for, less for what was said at that time."""
        of = self.of
        dates = (date.day for date in find_dates(question) if not date.relative)
        wanted, found = {day for day in dates if day}, np.zeros(len(of.said))
        for row, day in enumerate(of.days if wanted else ()):
            named = {key for date in of.dates[row] for key in _keys(date)}
            then = wanted & set(_keys(day)) if day else ()
            found[row] = 1.0 if wanted & named else _THEN * bool(then)
        return found


def _keys(day: str) -> tuple[str, ...]:
    """What a date may be asked by: itself, its month, its year."""
    return date_keys(day) if day[0].isdigit() else (day,)


@lru_cache(maxsize=2)
def _weights(vectors: bool) -> tuple[Floats, float]:
    """A weight a feature, and the constant."""
    lines = WEIGHTS.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    column = 1 if vectors else 2
    told = {row[0]: float(row[column]) for row in rows[1:]}
    return np.array([told[name] for name in FEATURES]), told["constant"]


# Recall storage by likelihood: every message, the most likely for its tokens first.

COST = 0.5  # power of a message's tokens that its probability is divided by


@dataclass
class Ranked:
    """Pages of a recall storage, ranked; `ready` does what can be done before.

    `by` may leave one signal alone, to be measured: `ranked_words` is BM25 over stems,
    `ranked_meaning` the cosine.
    """

    recall: Recall
    embedder: Embedder | None = None
    by: By = "ranked"
    _known: tuple[int, int] = field(default=(0, 0), init=False, repr=False)
    _said: list[Message] = field(default_factory=list, init=False, repr=False)
    _ranker: Ranker | None = field(default=None, init=False, repr=False)
    _last: tuple[str, list[Hit]] | None = field(default=None, init=False, repr=False)

    def ready(self, before: int | None = None) -> Ranker:
        """The ranker of all messages, or of those before a row."""
        known = self.recall.extent(before)
        if self._ranker is None or known != self._known:
            self._said = self.recall.before(before)
            self._ranker = Ranker(Conversation(self._said, self.embedder))
            self._known, self._last = known, None
        return self._ranker

    def page(
        self, query: str, size: int = 5, number: int = 0, before: int | None = None
    ) -> Page:
        """A page of all messages, best first; an empty query finds nothing."""
        if not query.strip():
            return Page(query, (), 0, number, size, by="nothing")
        ranker = self.ready(before)
        if self._last is None or self._last[0] != query:
            self._last = query, self._hits(ranker, query)
        hits = self._last[1]
        shown = tuple(hits[number * size : (number + 1) * size])
        return Page(query, shown, len(hits), number, size, by=self.by)

    def _hits(self, ranker: Ranker, query: str) -> list[Hit]:
        if self.by == "ranked":
            likely = ranker.scores(query)
            scores, worth = np.exp(likely), likely - COST * np.log(ranker.of.costs)
        else:
            scores = ranker.alone(query, self.by.removeprefix("ranked_"))
            worth = scores
        order = np.argsort(-worth, kind="stable")
        return [Hit(self._said[row], float(scores[row])) for row in order]
