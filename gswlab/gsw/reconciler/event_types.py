"""The kind of event of each episode: named where the text names it, else shown.

Half of the chapters of a real book never name what happens in them. So kinds are
settled when it has been read, by competition among labels: those that the document
names anywhere, and those of the general resource that its words show. Each is judged
for each episode by six features: is it *named* there, are its words *mentioned*, do the
words *shown* go with it, is its meaning *similar*, do episodes that name it look
*alike*, is it *usual*. Their weights were fitted on books of our own
(`experiments/recipes/kinds.py`). What is nowhere or on no day has no kind but one that
its text presents.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, islice, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gswlab.core.nouns import Bound, Episode, Term, Vote, votes_on
from gswlab.language.dates.calendar import day_of
from gswlab.language.event_types import Inventory, Kind
from gswlab.language.keys import spaceless
from gswlab.language.lexicon import noun_class
from gswlab.language.stems import content_stems, stem
from gswlab.models.vectors.embedder import Embedder

Stems: TypeAlias = frozenset[str]


def _stems_of(label: str) -> Stems:
    return frozenset(content_stems(label))


def named_kinds(episode: Episode) -> tuple[Bound, ...]:
    """Readings of the kind from what the episode's own text names, best first."""
    ballots: dict[Stems, list[Vote]] = defaultdict(list)
    for label, votes in votes_on(episode.votes, "kind").items():
        ballots[_stems_of(label)] += votes
    found = []
    for votes in ballots.values():
        score = sum(vote.weight for vote in votes)
        if score <= 0:
            continue
        spelt = Counter(vote.candidate for vote in votes)
        value = usual_spelling(spelt)
        aliases = tuple(text for text in sorted(spelt) if text != value)
        spans = tuple(dict.fromkeys(span for vote in votes for span in vote.spans))
        reasons = "; ".join(dict.fromkeys(vote.reason for vote in votes[:3]))
        found.append(Bound(value, None, aliases, spans[:4], round(score, 3), reasons))
    return tuple(sorted(found, key=lambda b: (-b.score, b.value)))


def is_presented(episode: Episode, votes: float) -> bool:
    """Whether so many votes for a kind are more than a mention in passing."""
    words = len(episode.terms)
    placed = episode.date and episode.place  # what is brief then tells little else
    enough = min(_PRESENTED, _BRIEF * words) if placed else _PRESENTED
    return votes >= max(enough, _OFTEN * words)


def usual_spelling(spelt: Counter[str]) -> str:
    """The most frequent spelling; of several, the first by its letters."""
    return min(spelt, key=lambda text: (-spelt[text], text))


SPREAD = 0.4  # how much less each of many things says; 0.3 and 0.5 are as good
FORM = 0.5  # what shows a form weighs half of what shows a field
Matrix: TypeAlias = NDArray[np.float64]  # one row an episode, one column a kind


@dataclass(frozen=True)
class Affinity:
    """How telling the words of each episode are, a row of stems, of a kind."""

    words: Sequence[Collection[str]]

    @cached_property
    def rows(self) -> Mapping[str, Sequence[int]]:
        """For each stem the rows of the episodes that have it."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for row, stems in enumerate(self.words):
            for one in stems:
                found[one].append(row)
        return found

    @cached_property
    def idf(self) -> Mapping[str, float]:
        """log((n + 1) / (df + 0.5)) of each stem over the episodes; never below 0.1."""
        n, rows = len(self.words), self.rows.items()
        return {s: max(0.1, math.log((n + 1) / (len(own) + 0.5))) for s, own in rows}

    def weights(self, kind: Kind) -> Mapping[str, float]:
        """How much each stem that is said anywhere speaks for a kind."""
        found: defaultdict[str, float] = defaultdict(float)
        for things, share in ((kind.field, 1.0), (kind.form, FORM)):
            scale = share / (3 + len(things)) ** SPREAD
            for s in things.keys() & self.idf.keys():
                found[s] += things[s] * scale * self.idf[s]
        return found

    def shown(self, kinds: Sequence[Kind]) -> Matrix:
        """How well the words of each episode fit each kind, (episodes, kinds), >= 0."""
        columns: defaultdict[str, dict[int, float]] = defaultdict(dict)
        for m, kind in enumerate(kinds):
            for s, weight in self.weights(kind).items():
                columns[s][m] = weight
        found = np.zeros((len(self.words), len(kinds)))
        for s in sorted(columns):
            found[np.ix_(self.rows[s], [*columns[s]])] += [*columns[s].values()]
        return found

    def mentioned(self, kinds: Sequence[Kind]) -> Matrix:
        """How telling the words of a label are, on average, where all are said."""
        found = np.zeros((len(self.words), len(kinds)))
        for m, kind in enumerate(kinds):
            rows = [self.rows.get(s, ()) for s in kind.stems]
            if said := set[int](*rows[:1]).intersection(*rows):
                found[[*said], m] = np.mean([self.idf[s] for s in kind.stems])
        return found

    def shown_by(self, row: int, kind: Kind) -> list[str]:
        """The stems of an episode that speak for a kind, most telling first."""
        weights, said = self.weights(kind), self.words[row]
        return sorted((s for s in weights if s in said), key=lambda s: (-weights[s], s))


DOCUMENTED = 1.5  # votes a label needs over the document to enter its inventory
ODD = 4.0  # the same for a label whose head is no form of an event ("bus stop")
ENOUGH = 6.0  # score by what is shown that a question's own label needs, at most
HALF = 0.4  # the share of the best label's score that it needs, at least
DOCUMENT = 0.9  # how much more usual one is for being named in the document
NAMED_HERE = 1.4  # how usual a label is that the document names, as if in three lists
COINED = -0.6  # how usual one is that neither the document nor the resource has
PLAIN = 3.0  # votes of one episode that leave no doubt that a label is a kind
ASKED = 2.0  # score a label has for being asked for, as others for being usual
SHORTLIST = 30  # how many labels of the resource an episode brings into competition
IMAGINED = 2  # episodes that fit nothing, beside the real ones: there may be only one
CLEARLY = 0.7  # how well a label must fit for being documented to count in full
BLOCK = 512  # labels judged at once
TOGETHER = 10  # words embedded as one text, a hundred are a blur; 5 and 20 do, too
KEPT = 8  # readings kept beside the best one
USUALLY = 32  # episodes of the books that the weights were fitted on
# Bars that lie between chapters of our own books and 51 openings of novels.
_SHOWN = 3.5  # score by what is shown that a kind needs where no more is presented
_WORDS = 3  # that show it, at least
_COMPANY = 8  # episodes without which there is nothing to compare a label with
_DENSE = 0.0225  # the same for each content word: a long text shows a little of all
_PRESENTED = 2.0  # votes by which a text presents a kind: an owner, a title, attended
_BRIEF = 0.15  # the same for each content word of what is somewhere on a day
_OFTEN = 0.01  # the same for each content word: a long text mentions many
_THINGS = frozenset({"place", "group", "object"})  # no kind is called like one
_LIVING = ("person", "animal")  # nor like these: a bracket bull
WEIGHTS = {
    "named": 0.7,
    "mentioned": 0.85,
    "shown": 1.7,
    "similar": 1.15,
    "alike": 1.6,
    "usual": 2.2,
}


@dataclass(frozen=True)
class Competition:
    """Every label of the inventory judged for every episode of a document.

    An `embedder` gives meaning to labels and words; without one, "similar" and "alike"
    are zero.
    """

    episodes: tuple[Episode, ...]
    embedder: Embedder | None = None

    @cached_property
    def named(self) -> tuple[dict[Stems, Bound], ...]:
        """What each episode's text names, by the stems of the label."""
        told = map(named_kinds, self.episodes)
        return tuple({_stems_of(bound.value): bound for bound in own} for own in told)

    @cached_property
    def _namings(self) -> dict[Stems, dict[int, float]]:
        """The episodes that name a label, by its stems, and with how many votes."""
        found: dict[Stems, dict[int, float]] = defaultdict(dict)
        for n, named in enumerate(self.named):
            for stems, bound in named.items():
                found[stems][n] = bound.score
        return found

    @cached_property
    def documented(self) -> dict[Stems, str]:
        """The labels that the document names clearly enough, by their stems."""
        venues = Counter(_stems_of(e.place.value) for e in self.episodes if e.place)
        found, resource = {}, Inventory.general()
        for stems, votes in self._namings.items():
            text = usual_spelling(Counter(self.named[n][stems].value for n in votes))
            # known as a kind of event, or made like one and no thing
            head = content_stems(text)[-1]
            known = stems in resource.usual or head in resource.forms
            made = known or text.endswith("ing") or spaceless(head)
            clear = sum(votes.values()) >= (DOCUMENTED if made else ODD)
            whole = len(stems) > 1 or spaceless(text)
            living = noun_class(text.casefold().split()[-1]).startswith(_LIVING)
            # one of many chapters may be misread to take place at a Repair Clinic
            there = sum(many for venue, many in venues.items() if stems <= venue)
            if clear and whole and not living and 2 * there < len(votes):
                found[stems] = text
        return found

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The labels in competition (m): documented, or what some episode shows."""
        kinds = _resource()
        order = np.argsort(-self.affinity.shown(kinds), axis=1, kind="stable")
        best = (kinds[m] for m in sorted({*order[:, :SHORTLIST].flat}))
        known = {frozenset(kind.stems): kind for kind in best}
        own = map(Inventory.general().kind, self.documented.values())
        known |= zip(self.documented, own, strict=True)
        votes = {s: sum(self._namings.get(s, {}).values()) for s in known}
        # a "council meeting" is the parish council's where that is named more often
        pairs = product(known, self.documented)
        inner = {s for s, longer in pairs if s < longer and votes[s] < votes[longer]}
        kept = (kind for stems, kind in known.items() if stems not in inner)
        return tuple(sorted(kept, key=lambda kind: kind.label))

    @cached_property
    def scores(self) -> tuple[Matrix, Matrix]:
        """The weighted sum of all features, (n, m), and of all but "usual"."""
        whole = np.empty((len(self.episodes), len(self.kinds)))
        shown = np.empty_like(whole)
        for at in range(0, len(self.kinds), BLOCK):  # eight such matrices fill memory
            block = slice(at, at + BLOCK)
            parts = self.features(self.kinds[block])
            usual = WEIGHTS["usual"] * parts.pop("usual")
            shown[:, block] = weighted(parts)
            whole[:, block] = shown[:, block] + usual
        return whole, shown

    def readings(self) -> dict[str, tuple[Bound, ...]]:
        """The best labels of each episode, by episode id, best first."""
        found = {}
        for n, e in enumerate(self.episodes):
            order = [*map(int, np.argsort(-self.scores[0][n], kind="stable"))]
            shows, own = self._shows(n, order[0]), self.named[n].items()
            presented = {s for s, named in own if is_presented(e, named.score)}
            told = (
                self._reading(n, m)
                for m in order
                if self._stems[m] in presented or (shows and self._shows(n, m))
            )
            found[e.id] = tuple(islice(told, KEPT + 1))
        return found

    def _shows(self, n: int, m: int) -> bool:
        """Whether what an episode tells, somewhere on a day, is enough for a label."""
        episode, kind, (_, shown) = self.episodes[n], self.kinds[m], self.scores
        enough = shown[n, m] >= max(_SHOWN, _DENSE * len(episode.terms))
        if not enough or not self._is_placed(n):
            return False
        stems, said = self._stems[m], self.affinity.mentioned((kind,))[n, 0] > 0
        named = stems in self.named[n] or (said and stems in self.documented)
        alone = len(self.episodes) < _COMPANY and not said
        several = not alone and len(self.affinity.shown_by(n, kind)) >= _WORDS
        return named or several

    def _is_placed(self, n: int) -> bool:
        """Whether an episode is known to be somewhere on a day."""
        date = self.episodes[n].date
        return bool(self.episodes[n].place and date and day_of(date.value))

    def _reading(self, n: int, m: int) -> Bound:
        kind = self.kinds[m]
        shown = [self._words[n][s] for s in self.affinity.shown_by(n, kind)[:4]]
        why = [f"shown by {', '.join(term.lemma for term in shown)}"] if shown else []
        score = round(float(self.scores[0][n, m]), 3)
        if named := self.named[n].get(self._stems[m]):  # spelt as the document does
            reason = "; ".join([named.reason, *why])
            return replace(named, value=kind.label, score=score, reason=reason)
        spans, reason = tuple(term.span for term in shown), "the best fit by meaning"
        return Bound(kind.label, None, (), spans, score, "".join(why) or reason)

    def won_by(self, label: str) -> tuple[str, ...]:
        """The ids of the episodes that show enough of `label`, whatever their name.

        It fits where it is better than every other label that the document names, or
        where all its words are said; one without a word of content fits nothing.
        """
        kind = Inventory.general().kind(label)
        head = label.casefold().split()[-1:]
        thing = not kind.form and {*map(noun_class, head)} & _THINGS
        if thing or not kind.stems:
            return ()
        # less is enough where few episodes make no word rare
        rare = math.log((len(self.episodes) + 1) / 1.5) / math.log((USUALLY + 1) / 1.5)
        parts = self.features((kind,))
        del parts["usual"]
        shown = weighted(parts)[:, 0]
        # What the document names is a rival; that a "jury trial" of the resource fits
        # best is no reason against a mock trial, if not far better.
        stems = frozenset(kind.stems)
        named = np.array([s in self.documented for s in self._stems])
        others = np.array([not s <= stems for s in self._stems], bool)
        scores, _ = self.scores
        bars = np.where(named, scores - ASKED, HALF * scores)[:, others]
        bar = np.maximum(ENOUGH * min(1.0, rare), bars.max(axis=1, initial=0.0))
        won = np.flatnonzero((shown >= bar) | (parts["mentioned"][:, 0] > 0))
        return tuple(
            self.episodes[n].id
            for n in map(int, won)
            if self.episodes[n].terms
            if self._is_placed(n) or stems in self.named[n]
        )

    @cached_property
    def _stems(self) -> tuple[Stems, ...]:
        return tuple(frozenset(kind.stems) for kind in self.kinds)

    def features(self, kinds: Sequence[Kind]) -> dict[str, Matrix]:
        """Each feature of `kinds` as an (n, len(kinds)) matrix."""
        stems = [frozenset(kind.stems) for kind in kinds]
        # Votes for a label in each episode; and how near each is to the nearest *other*
        # one that names it.
        named, alike = (np.zeros((len(self.episodes), len(kinds))) for _ in range(2))
        for m, votes in enumerate(map(self._namings.get, stems)):
            if votes:
                named[[*votes], m] = np.minimum([*votes.values()], 2.0)
                alike[:, m] = self._alike([*votes])
        shown = _centred(self.affinity.shown(kinds))
        # That a label is named in the document counts as far as words show it, and how
        # plainly (to 1) it is named where it is named best.
        home = np.clip((shown + named) / CLEARLY, 0.0, 1.0)
        usual = np.array([Inventory.general().usual.get(s, COINED) for s in stems])
        ours = np.zeros(len(kinds))
        for m, s in enumerate(stems):
            if s in self.documented:
                plainly = min(1.0, max(self._namings[s].values()) / PLAIN)
                ours[m] = max(NAMED_HERE - usual[m], 0.0) + DOCUMENT + plainly
        middle, spread = self._scales[0]
        labels = self._vectors(kind.told for kind in kinds) - middle
        return {
            "named": named,
            "mentioned": self.affinity.mentioned(kinds),
            "shown": shown,
            "alike": home * alike,
            "similar": self._apart @ labels.T / spread,
            "usual": usual + home * ours,
        }

    @cached_property
    def _words(self) -> tuple[dict[str, Term], ...]:
        """The words of every episode by their stems, where each is first said."""
        told = (reversed(episode.terms) for episode in self.episodes)
        return tuple({stem(term.lemma): term for term in terms} for terms in told)

    @cached_property
    def affinity(self) -> Affinity:
        """What the words of every episode of the document say of a kind."""
        return Affinity(self._words)

    def _vectors(self, texts: Iterable[str]) -> Matrix:
        if self.embedder is None:
            return np.zeros((len([*texts]), 1))
        return np.asarray(self.embedder.embed([*texts]), dtype=np.float64)

    @cached_property
    def _gists(self) -> Matrix:
        """What each episode is about, (n, dimensions), of length 1; words in tens."""
        tens = []
        for episode in self.episodes:  # one empty text where there are no words
            lemmas = [term.lemma for term in episode.terms]
            starts = range(0, max(len(lemmas), 1), TOGETHER)
            tens.append([" ".join(lemmas[at : at + TOGETHER]) for at in starts])
        first = np.cumsum([0, *map(len, tens)])[:-1]
        found: Matrix = np.add.reduceat(self._vectors(chain.from_iterable(tens)), first)
        found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
        return found

    @cached_property
    def _apart(self) -> Matrix:
        """The gists, less what all episodes have in common."""
        return _centred(self._gists)

    @cached_property
    def _scales(self) -> list[tuple[Matrix, float]]:
        """The middle of labels, and of gists, and the spread of how like episodes are.

        From two small products: one of all pairs would grow with the square of a book.
        """
        found, own = [], self._apart
        for vectors in (self._vectors(kind.told for kind in self.kinds), self._gists):
            middle = vectors.mean(axis=0)
            others = vectors - middle
            squares = float(((own.T @ own) * (others.T @ others)).sum())
            spread = math.sqrt(max(squares, 0.0) / (len(own) * len(others)))
            found.append((middle, spread or 1.0))
        return found

    def _alike(self, rows: list[int]) -> Matrix:
        """How like each episode is to the likest *other* one of `rows`, in spreads."""
        middle, spread = self._scales[1]
        likeness: Matrix = self._apart @ (self._gists[rows] - middle).T
        likeness += self._apart.mean(axis=0) @ middle
        likeness[rows, range(len(rows))] = 0.0
        return np.asarray(likeness.max(axis=1) / spread)


def weighted(parts: Mapping[str, Matrix]) -> Matrix:
    """The features summed with their weights."""
    return np.asarray(sum(WEIGHTS[name] * part for name, part in sorted(parts.items())))


def _centred(matrix: Matrix) -> Matrix:
    """Less the mean over the episodes and over a few imagined ones that fit nothing."""
    centred: Matrix = matrix - matrix.sum(axis=0) / (len(matrix) + IMAGINED)
    return centred


@cache
def _resource() -> tuple[Kind, ...]:
    """All kinds of the general resource."""
    return tuple(map(Inventory.general().kind, Inventory.general().labels))
