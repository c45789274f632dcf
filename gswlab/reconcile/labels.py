"""Labels: the kinds of event that a document's own words name, and in how many votes.

A label is known by the stems of its content words; it is spelt as it mostly is, and one
that is short for the document's only longer label counts for that one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain, permutations

from gswlab.core.nouns import Bound, Episode, Vote
from gswlab.language.stems import content_stems

NEARLY = 0.5  # votes that a full name needs for each of its short form's


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
    value = usual_spelling(spelt)
    spans = tuple(dict.fromkeys(span for vote in votes for span in vote.spans))
    reasons = "; ".join(dict.fromkeys(vote.reason for vote in votes[:3]))
    aliases = tuple(text for text in sorted(spelt) if text != value)
    return Bound(value, None, aliases, spans[:4], round(score, 3), reasons)


def full_names(
    said: Iterable[Mapping[frozenset[str], Bound]],
) -> dict[frozenset[str], tuple[frozenset[str], str]]:
    """For labels that are short for another one of the document: its stems and text.

    Where there is one longer label with the same head, said nearly as much, "the
    council meeting" is the parish council meeting; where there are two, it is neither.
    """
    votes, spelt = tallied(said)
    text = {stems: usual_spelling(texts) for stems, texts in spelt.items()}
    alike: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for stems, label in sorted(text.items(), key=lambda item: item[1]):
        if len(stems) > 1:
            alike[content_stems(label)[-1]].append(stems)
    longer: defaultdict[frozenset[str], list[frozenset[str]]] = defaultdict(list)
    for part, whole in chain(*(permutations(labels, 2) for labels in alike.values())):
        enough = spelt[whole].total() > 1 and votes[whole] >= NEARLY * votes[part]
        if enough and part < whole:
            longer[part].append(whole)
    return {
        part: (wholes[0], text[wholes[0]])
        for part, wholes in longer.items()
        if len(wholes) == 1
    }


def tallied(
    said: Iterable[Mapping[frozenset[str], Bound]],
) -> tuple[dict[frozenset[str], float], dict[frozenset[str], Counter[str]]]:
    """The votes of each label over all episodes, and how often it is spelt how."""
    votes: defaultdict[frozenset[str], float] = defaultdict(float)
    spelt: defaultdict[frozenset[str], Counter[str]] = defaultdict(Counter)
    for readings in said:
        for stems, bound in readings.items():
            votes[stems] += bound.score
            spelt[stems][bound.value] += 1
    return votes, spelt


def usual_spelling(spelt: Counter[str]) -> str:
    """The most frequent spelling; of several, the first by its letters."""
    return min(spelt, key=lambda text: (-spelt[text], text))


def in_full(
    said: dict[frozenset[str], Bound],
    full: Mapping[frozenset[str], tuple[frozenset[str], str]],
) -> dict[frozenset[str], Bound]:
    """Each label by its full name; what is said in full is not said by its part."""
    found: dict[frozenset[str], Bound] = {}
    for stems, bound in said.items():
        whole, text = full.get(stems, (stems, bound.value))
        if whole not in found and (whole == stems or whole not in said):
            reason = f"{bound.reason}, short for {text!r}"
            short = replace(bound, value=text, reason=reason)
            found[whole] = bound if whole == stems else short
    return found
