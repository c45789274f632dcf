"""The kind of event of each episode: named where the text names it, else shown.

Half of the chapters of a real book never name what happens in them. So a kind is
settled when the book has been read, by competition among labels:

1. the inventory is what the document names anywhere, plus the general resource;
2. each label is judged for each episode by six features, every one a number that can
   be read in the why-card: is it *named* there, are all its words *mentioned*, do the
   words *shown* go with it, is its meaning *similar*, do episodes that name it look
   *alike*, and is it *documented* (named anywhere in this document);
3. features are centred over the episodes, so that a label that fits everything fits
   nothing in particular, and summed with fixed weights; the best label wins and the
   others stay in `hypotheses["kind"]` with their scores.

The weights were fitted on books of our own (`experiments/kinds.py`), never on a
benchmark.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gswlab.embed import Embedder
from gswlab.kinds import Affinity, Inventory, Kind, content_stems
from gswlab.workspace.nouns import Bound, Episode, Span, Vote
from gswlab.workspace.workspace import Draft

Matrix = NDArray[np.float64]  # episodes x labels

DOCUMENTED = 1.5  # votes a label needs over the document to enter its inventory
KEPT = 8  # readings kept beside the best one
WEIGHTS = {
    "named": 1.5,
    "mentioned": 2.0,
    "shown": 1.5,
    "similar": 1.0,
    "alike": 0.7,
    "documented": 1.5,
}


def named_kinds(episode: Episode) -> tuple[Bound, ...]:
    """Readings of the kind from what the episode's own text names, best first."""
    ballots: dict[frozenset[str], list[Vote]] = defaultdict(list)
    for vote in episode.votes:
        if vote.field == "kind":
            ballots[frozenset(content_stems(vote.candidate))].append(vote)
    found = []
    for stems, votes in ballots.items():
        # "the festival" speaks for "jazz festival" too, should that be named.
        bare = [v for key, vs in ballots.items() if key < stems for v in vs]
        score = sum(v.weight for v in votes) + sum(0.5 * v.weight for v in bare)
        if score > 0:
            found.append(_named(votes, score))
    return tuple(sorted(found, key=lambda b: (-b.score, b.value)))


def _named(votes: list[Vote], score: float) -> Bound:
    spelt = Counter(vote.candidate for vote in votes)
    value = min(spelt, key=lambda text: (-spelt[text], text))
    spans = tuple(dict.fromkeys(span for vote in votes for span in vote.spans))
    reasons = "; ".join(dict.fromkeys(vote.reason for vote in votes[:3]))
    aliases = tuple(text for text in sorted(spelt) if text != value)
    return Bound(value, None, aliases, spans[:4], round(score, 3), reasons)


def settle_kinds(draft: Draft, embedder: Embedder | None) -> None:
    """Bind every episode's kind by competition over the document's inventory."""
    episodes = draft.workspace.episodes
    if not episodes:
        return
    readings = Competition(episodes, embedder).readings()
    for episode in episodes:
        found = readings[episode.id]
        rest = {k: v for k, v in episode.hypotheses.items() if k != "kind"}
        if found[1:]:
            rest["kind"] = found[1 : 1 + KEPT]
        draft.set(episode.id, "kind", found[0] if found else None)
        draft.set(episode.id, "hypotheses", rest)


@dataclass(frozen=True)
class Competition:
    """Every label of the inventory judged for every episode of a document.

    Args:
        episodes: the document's episodes (n).
        embedder: gives meaning to labels and words; without one, "similar" and
            "alike" are zero.
        extra: labels to judge beside the inventory (a question's, say).
    """

    episodes: tuple[Episode, ...]
    embedder: Embedder | None = None
    extra: tuple[str, ...] = ()

    @cached_property
    def named(self) -> tuple[dict[frozenset[str], Bound], ...]:
        """What each episode's text names, by the stems of the label."""
        return tuple(
            {frozenset(content_stems(b.value)): b for b in named_kinds(episode)}
            for episode in self.episodes
        )

    @cached_property
    def documented(self) -> dict[frozenset[str], str]:
        """The labels that the document names clearly enough, by their stems."""
        totals: dict[frozenset[str], float] = defaultdict(float)
        spelt: dict[frozenset[str], Counter[str]] = defaultdict(Counter)
        for readings in self.named:
            for stems, bound in readings.items():
                totals[stems] += bound.score
                spelt[stems][bound.value] += 1
        venues = [content_stems(e.place.value) for e in self.episodes if e.place]
        return {
            stems: min(spelt[stems], key=lambda text: (-spelt[stems][text], text))
            for stems, total in totals.items()
            if total >= DOCUMENTED and len(stems) > 1
            if not any(stems <= set(venue) for venue in venues)
        }

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The labels in competition (m), each with what goes with it."""
        inventory = Inventory.general()
        labels = {frozenset(content_stems(t)): t for t in sorted(inventory.named)}
        labels |= self.documented
        labels |= {frozenset(content_stems(text)): text for text in self.extra}
        ordered = sorted(labels.items(), key=lambda pair: pair[1])
        return tuple(inventory.kind(text) for _, text in ordered)

    @cached_property
    def affinity(self) -> Affinity:
        return Affinity.of({e.id: [t.lemma for t in e.terms] for e in self.episodes})

    def features(self) -> dict[str, Matrix]:
        """Each feature as an (n, m) matrix."""
        similar, alike = self._meaning()
        return {
            "named": self._matrix(self._named_score),
            "mentioned": self._matrix(self._mentioned),
            "shown": _centred(self._matrix(self._shown)),
            "similar": similar,
            "alike": alike,
            "documented": self._matrix(self._documented),
        }

    def scores(self) -> Matrix:
        """The weighted sum of the features, (n, m)."""
        parts = self.features()
        total = np.zeros((len(self.episodes), len(self.kinds)))
        for name, weight in WEIGHTS.items():
            total += weight * parts[name]
        return total

    def readings(self) -> dict[str, tuple[Bound, ...]]:
        """The best labels of each episode, by episode id, best first."""
        scores = self.scores()
        found = {}
        for n, episode in enumerate(self.episodes):
            order = np.argsort(-scores[n], kind="stable")[: KEPT + 1]
            bounds = [self._reading(n, int(m), float(scores[n, m])) for m in order]
            found[episode.id] = tuple(bounds)
        return found

    def _matrix(self, cell: Callable[[int, Kind], float]) -> Matrix:
        rows = range(len(self.episodes))
        return np.array([[cell(n, kind) for kind in self.kinds] for n in rows])

    def _named_score(self, n: int, kind: Kind) -> float:
        bound = self.named[n].get(frozenset(kind.stems))
        return min(2.0, bound.score) if bound else 0.0

    def _mentioned(self, n: int, kind: Kind) -> float:
        """1 if all words of the label are among the episode's, part of it if some."""
        words = self.affinity.words[self.episodes[n].id]
        hits = [self.affinity.idf[s] for s in kind.stems if s in words]
        whole = len(hits) == len(kind.stems)
        return (1.0 if whole else 0.25 * len(hits) / len(kind.stems)) if hits else 0.0

    def _shown(self, n: int, kind: Kind) -> float:
        return sum(self.affinity.fit(self.episodes[n].id, kind))

    def _documented(self, n: int, kind: Kind) -> float:
        return float(frozenset(kind.stems) in self.documented)

    def _meaning(self) -> tuple[Matrix, Matrix]:
        """Similarity of words to labels, and to episodes that name the label."""
        shape = (len(self.episodes), len(self.kinds))
        if self.embedder is None:
            return np.zeros(shape), np.zeros(shape)
        gists = self.embedder.embed([gist(episode) for episode in self.episodes])
        labels = self.embedder.embed([asserted(kind.label) for kind in self.kinds])
        similar = _scaled(_centred(gists @ labels.T, both=True))
        near = _scaled(_centred(gists @ gists.T, both=True))
        return similar, self._alike(near)

    def _alike(self, near: Matrix) -> Matrix:
        """How near each episode is to the nearest *other* one that names the label."""
        found = np.zeros((len(self.episodes), len(self.kinds)))
        for m, kind in enumerate(self.kinds):
            stems = frozenset(kind.stems)
            namers = [n for n, names in enumerate(self.named) if stems in names]
            for n in range(len(self.episodes)):
                others = [near[n, other] for other in namers if other != n]
                found[n, m] = max(0.0, *others) if others else 0.0
        return found

    def _reading(self, n: int, m: int, score: float) -> Bound:
        episode, kind = self.episodes[n], self.kinds[m]
        shown = self.affinity.shown_by(episode.id, kind)[:4]
        terms = {content_stems(t.lemma)[0]: t for t in reversed(episode.terms)}
        words = [terms[stem].lemma for stem in shown if stem in terms]
        reason = "shown by " + ", ".join(words) if words else "the best fit by meaning"
        spans: tuple[Span, ...] = tuple(terms[s].span for s in shown if s in terms)
        named = self.named[n].get(frozenset(kind.stems))
        if named is not None:
            reason = f"{named.reason}; {reason}" if words else named.reason
            return replace(named, score=round(score, 3), reason=reason)
        return Bound(kind.label, None, (), spans, round(score, 3), reason)


def gist(episode: Episode) -> str:
    """The nouns and verbs of an episode: what its meaning is judged by."""
    words = [t.lemma for t in episode.terms if t.pos in ("NOUN", "VERB")]
    return " ".join(words)


def asserted(label: str) -> str:
    """A label as a statement: short labels alone embed poorly."""
    return f"This is what happens at a {label}."


def _centred(matrix: Matrix, both: bool = False) -> Matrix:
    centred = matrix - matrix.mean(axis=0, keepdims=True)
    return centred - centred.mean(axis=1, keepdims=True) if both else centred


def _scaled(matrix: Matrix) -> Matrix:
    spread = float(matrix.std())
    return matrix / spread if spread > 0 else matrix
