"""Which messages bear on a question: words, meaning, neighbours and who said it.

- every message is described to a question by `MESSAGE_FEATURES`, counted from what was
  said and what is asked alone; a logistic regression weighs them;
- a message is seldom found alone: what those around it share with the question counts,
  and so does the best of its session, which is the messages of one day;
- the weights lie in `weights.tsv`, written by `recipes/recall_weights.py`; without
  vectors the other features are weighed on their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeAlias

import bm25s
import numpy as np
from numpy.typing import NDArray

from gswlab.core.budget import count_tokens
from gswlab.core.nouns import Chunk
from gswlab.language.dates.find import find_dates
from gswlab.language.keys import date_keys
from gswlab.language.stems import bm25_words, terms
from gswlab.memgpt.nouns import Hit, HitPage, Message
from gswlab.memgpt.storage import Recall
from gswlab.models.vectors.embedder import Embedder, Vectors, query_vectors

_Floats = NDArray[np.float64]
Utterance: TypeAlias = Message | Chunk  # what somebody said, and when

MESSAGE_FEATURES = (
    *("words", "words_before", "words_2_before", "words_nearby"),
    *("meaning", "meaning_before", "meaning_after"),
    *("meaning_2_before", "meaning_2_after", "topic"),
    *("session", "first_in_session", "asked_person", "asked_time"),
    *("asks", "dated", "opens", "length"),
)
_AROUND = {"": 0, "_before": 1, "_after": -1, "_2_before": 2, "_2_after": -2}
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


def line_of(message: Utterance) -> str:
    """A message under its speaker's name.

    >>> from gswlab.memgpt.nouns import Message
    >>> line_of(Message(1, "user", "message", "It rains.", 3, 1, "Ann"))
    'Ann: It rains.'
    """
    return f"{message.speaker}: {message.text}" if message.speaker else message.text


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
    """Messages in the order they were said, by how likely a question is to want them.

    Raises:
        Whatever the embedder raises; without one there are no vectors.
    """

    said: Sequence[Utterance]
    embedder: Embedder | None = None

    def __post_init__(self) -> None:
        said = self.said
        counted = [terms(message.text) for message in said]
        self._stems = [frozenset(found) for found in counted]
        # turns are short, long ones no worse
        self._index = bm25s.BM25(k1=1.2, b=0.4) if any(counted) else None
        if self._index:
            self._index.index(counted, show_progress=False)
        self._vectors: Vectors | None = None
        if self.embedder is not None and said:
            self._vectors = self.embedder.embed([line_of(m) for m in said])
        self._days = [message.time[:10] if message.time else None for message in said]
        new = [one != other for one, other in zip(self._days, [None, *self._days])]  # noqa: B905
        self._session = np.cumsum(np.array(new, np.intp))
        bounds = np.flatnonzero(np.diff(self._session)) + 1
        self._sessions = np.split(np.arange(len(said)), bounds)
        self._speakers = tuple(dict.fromkeys(m.speaker for m in said if m.speaker))
        # of each message, its speaker and the end of its line included
        self.tokens = np.array([count_tokens(f"{line_of(m)}\n") for m in said], float)

    @cached_property
    def _of_messages(self) -> dict[str, _Floats]:
        """Features that no question changes: asks, names a date, begins a session."""
        asks = [m.text.rstrip().endswith(("?", "？")) for m in self.said]
        dated = [bool(find_dates(m.text)) for m in self.said]
        opens = np.zeros(len(self.said))
        opens[[rows[0] for rows in self._sessions]] = 1.0
        told = {"asks": np.array(asks, float), "dated": np.array(dated, float)}
        return {**told, "opens": opens, "length": np.log(self.tokens)}

    @cached_property
    def _dates(self) -> list[set[str]]:
        """By what the dates that each message names may be asked for."""
        pairs = zip(self.said, self._days, strict=True)
        found = ([d.day for d in find_dates(m.text, said=day)] for m, day in pairs)
        return [{key for day in days if day for key in _keys(day)} for days in found]

    def scores(self, question: str) -> _Floats:
        """The log probability that each message is wanted."""
        weights, constant = _weights(self._vectors is not None)
        logits = self.features(question) @ weights + constant
        return np.asarray(-np.logaddexp(0, -logits))

    def features(self, question: str) -> _Floats:
        """A row a message, a column a feature."""
        many = len(self.said)
        if not many:
            return np.zeros((0, len(MESSAGE_FEATURES)))
        # 1) words: BM25 of the question's stems, names of speakers aside
        names = {term for name in self._speakers for term in terms(name)}
        asked = [term for term in terms(question) if term not in names]
        matched = np.zeros(many)
        if self._index and asked:
            matched = np.asarray(self._index.get_scores(asked), float)
        matched = matched / (matched.max() or 1.0)
        # 2) meaning: cosines, in standard deviations above their mean
        near = topic = np.zeros(many)
        if self._vectors is not None and self.embedder is not None:
            texts = [question, topic_of(question, self._speakers)]
            cosines = query_vectors(texts, self.embedder) @ self._vectors.T
            each = np.asarray(cosines, float)
            near, topic = ((one - one.mean()) / (one.std() or 1.0) for one in each)
        # 3) neighbours: the same of the messages around, and the stems they share
        found = {"topic": topic, **self._of_messages}
        for name, scores in (("words", matched), ("meaning", near)):
            for where, by in _AROUND.items():
                found[f"{name}{where}"] = self._shifted(scores, by)
        nearby = np.zeros(many)
        for term in set(asked):
            has = np.array([term in stems for stems in self._stems], float)
            nearby += np.max([self._shifted(has, n) for n in _AROUND.values()], axis=0)
        found["words_nearby"] = nearby / max(1, len(set(asked)))
        # 4) sessions: what one is worth, and a message's place in it: 1, 1/2, 1/3, ...
        whole = matched + _SHARE * (near + topic)
        worth, place = np.zeros(many), np.zeros(many)
        for session in self._sessions:
            rows = session[np.argsort(-whole[session], kind="stable")]
            worth[rows] = whole[rows[:_BEST]].mean()
            place[rows] = 1 / np.arange(1, len(rows) + 1)
        found |= {"session": worth, "first_in_session": place}
        # 5) the person and the time asked about
        found["dated"] = found["dated"] * bool(_WHEN.match(question))
        found["asked_person"] = self._asked_person(question)
        found["asked_time"] = self._asked_time(question)
        return np.stack([found[name] for name in MESSAGE_FEATURES], axis=1)

    def _shifted(self, scores: _Floats, by: int) -> _Floats:
        """The score of the message `by` places before, in the same session; else 0."""
        rows = np.arange(len(scores)) - by
        inside = (rows >= 0) & (rows < len(scores))
        rows = np.clip(rows, 0, len(scores) - 1)
        same = inside & (self._session[rows] == self._session)
        return np.where(same, scores[rows], 0.0)

    def _asked_person(self, question: str) -> _Floats:
        """1 for what the one person named said, 0 for the rest, 1/2 where none is."""
        asked = set(bm25_words(question))
        named = {name for name in self._speakers if asked & set(bm25_words(name))}
        if len(named) != 1:
            return np.full(len(self.said), 0.5)
        return np.array([message.speaker in named for message in self.said], float)

    def _asked_time(self, question: str) -> _Floats:
        """1 for what names the time asked for, less for what was said at that time."""
        dates = (date.day for date in find_dates(question) if not date.relative)
        wanted, found = {day for day in dates if day}, np.zeros(len(self.said))
        for row, day in enumerate(self._days if wanted else ()):
            then = wanted & _keys(day) if day else ()
            found[row] = 1.0 if wanted & self._dates[row] else _THEN * bool(then)
        return found


def _keys(day: str) -> set[str]:
    """What a date may be asked by: itself, its month, its year."""
    return set(date_keys(day)) if day[0].isdigit() else {day}


@lru_cache(maxsize=2)
def _weights(vectors: bool) -> tuple[_Floats, float]:
    """A weight a feature, and the constant."""
    text = Path(__file__).with_name("weights.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line[:1] not in ("", "#")]
    column = 1 if vectors else 2
    told = {row[0]: float(row[column]) for row in rows[1:]}
    return np.array([told[name] for name in MESSAGE_FEATURES]), told["constant"]


_COST = 0.5  # power of a message's tokens that its probability is divided by


@dataclass
class Ranked:
    """Recall storage by likelihood: the likeliest messages for their tokens first."""

    recall: Recall
    embedder: Embedder | None = None
    _known: tuple[int, int] = field(default=(0, 0), init=False, repr=False)
    _said: list[Message] = field(default_factory=list, init=False, repr=False)
    _ranker: Ranker | None = field(default=None, init=False, repr=False)
    _last: tuple[str, list[Hit]] | None = field(default=None, init=False, repr=False)

    def ready(self, before: int | None = None) -> Ranker:
        """The ranker of all messages, or of those before a row."""
        known = self.recall.extent(before)
        if self._ranker is None or known != self._known:
            self._said = self.recall.before(before)
            self._ranker = Ranker(self._said, self.embedder)
            self._known, self._last = known, None
        return self._ranker

    def page(
        self, query: str, size: int = 5, number: int = 0, before: int | None = None
    ) -> HitPage:
        """A page of all messages, best first; an empty query finds nothing."""
        if not query.strip():
            return HitPage((), 0, number, size, by="nothing")
        ranker = self.ready(before)
        if self._last is None or self._last[0] != query:
            likely = ranker.scores(query)
            scores, worth = np.exp(likely), likely - _COST * np.log(ranker.tokens)
            order = np.argsort(-worth, kind="stable")
            self._last = query, [Hit(self._said[n], float(scores[n])) for n in order]
        hits = self._last[1]
        shown = tuple(hits[number * size : (number + 1) * size])
        return HitPage(shown, len(hits), number, size, by="ranked")
