"""Which messages bear on a question: words, meaning, neighbours and who said it.

- every message is described to a question by `FEATURES`, counted from what was said
  and what is asked alone; a logistic regression weighs them;
- a message is seldom found alone: what those around it share with the question counts,
  and so does the best of its session;
- the weights lie in `weights.tsv`, written by `experiments/recall_weights.py`; without
  vectors the other features are weighed on their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from gswlab.language.dates.find import find_dates
from gswlab.language.keys import date_keys
from gswlab.language.stems import terms, words
from gswlab.memory.memgpt.said import Conversation, Floats
from gswlab.models.vectors.embedder import Asymmetric

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
