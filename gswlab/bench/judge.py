"""The offline judge: whether an answer's items are the gold's, with no model call.

Frozen before any rule was tuned; hand cases in `tests/bench/test_judge.py` hold it.

=====================  ==========================================================
asked                  an item is the gold when
=====================  ==========================================================
Times                  both normalise to the same ISO 8601 value
Spaces, Entities,      equal after NFKC, casefold and squeezed white space, or
Other entities         a registered alias of the gold equals it so
Event contents,        it has at most 8 words, and every content stem of the gold
Roles, States          (snowball, English) is among its stems; no synonym list
Full event details     the answer cites the gold's chapter
=====================  ==========================================================

An item serves one gold only. An abstention has no items, whatever the answer holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import ClassVar, Protocol

import snowballstemmer

from gswlab.bench.epbench import EpQuestion, RetrievalType
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer
from gswlab.language.dates.calendar import parse_iso
from gswlab.language.dates.find import find_dates
from gswlab.models.ask_trace import FAILED


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge saw: unique gold, unique items, and which gold each item is.

    `scores` has what each item is worth where that is not simply whether it matches.
    """

    gold: tuple[str, ...]
    items: tuple[str, ...]
    matches: tuple[int | None, ...]
    scores: tuple[float, ...] | None = None
    judge: str = "offline"
    reason: str = ""

    @property
    def found(self) -> float:
        """How many of the gold are found; one that is merely touched on is half."""
        if self.scores is not None:
            return sum(self.scores)
        return sum(match is not None for match in self.matches)

    @property
    def failed(self) -> bool:
        """Whether there was no usable reply: to the question, or to the judge."""
        return self.reason.startswith(FAILED)

    def to_dict(self) -> dict[str, object]:
        """A row of `verdicts.jsonl`: who judged what, and how."""
        scores = self.scores or [float(match is not None) for match in self.matches]
        lists = {n: list(getattr(self, n)) for n in ("gold", "items", "matches")}
        told = {**lists, "scores": list(scores), "reason": self.reason}
        return {"judge": self.judge, **told}


class Judging(Protocol):
    """Who says which answers are right."""

    @property
    def name(self) -> str:
        """Who judges, as `scores.json` says it."""

    def verdicts(self, pairs: Sequence[tuple[EpQuestion, Answer]]) -> Sequence[Verdict]:
        """A verdict for each question and its answer, in their order."""


def judged_by(
    judge: Judging, pairs: Sequence[tuple[EpQuestion, Answer]]
) -> list[Verdict]:
    """A verdict an answer; one that failed is no abstention, and says why."""
    found = zip(judge.verdicts(pairs), pairs, strict=True)
    return [replace(v, reason=a.reason) if a.failed else v for v, (_, a) in found]


MAX_WORDS = 8
# Closed-class English words: they carry no kind of event.
FUNCTION_WORDS = frozenset(
    """a an and as at by during for from her his in into its my of off on onto or our
    over the their to under up upon with your""".split()  # noqa: SIM905
)
_STEMMER = snowballstemmer.stemmer("english")
Same = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Judge:
    """The offline judge. `aliases` registers other names of a gold name."""

    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    name: ClassVar[str] = "offline"

    def verdicts(self, pairs: Sequence[tuple[EpQuestion, Answer]]) -> list[Verdict]:
        """A verdict an answer, in their order."""
        return [self.verdict(question, answer) for question, answer in pairs]

    def same(self, asked: RetrievalType, gold: str, item: str) -> bool:
        """Whether `item` is `gold`, by the rule for what is asked."""
        if asked == "Times":
            value = normalise_date(gold)
            return value is not None and value == normalise_date(item)
        if asked in ("Event contents", "Roles", "States"):
            if fold(gold) == fold(item):
                return True
            wanted = judged_stems(gold)
            short = len(item.split()) <= MAX_WORDS
            return short and bool(wanted) and wanted <= stems(item)
        names = (gold, *self.aliases.get(gold, ()))
        return fold(item) in {fold(name) for name in names}

    def verdict(self, question: EpQuestion, answer: Answer) -> Verdict:
        """Unique items against unique gold, each item serving one gold at most."""
        return _verdict(question, answer, partial(self.same, question.asked))


def exact_match(question: EpQuestion, answer: Answer) -> Verdict:
    """Items equal to gold but for white space around; details by chapter."""
    return _verdict(question, answer, lambda gold, item: gold == item.strip())


def fold(text: str) -> str:
    """A name as it is compared: NFKC, casefold, white space squeezed."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@lru_cache(maxsize=4096)
def stems(text: str) -> frozenset[str]:
    """The snowball stems of a text's words."""
    return frozenset(_STEMMER.stemWords(_words(text)))


def judged_stems(text: str) -> frozenset[str]:
    """The stems of a label without its function words."""
    words = [word for word in _words(text) if word not in FUNCTION_WORDS]
    return frozenset(_STEMMER.stemWords(words))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text).replace("'s", "").replace("’s", ""))


def _verdict(question: EpQuestion, answer: Answer, same: Same) -> Verdict:
    if question.asked == "Full event details":
        # Every chapter cited is an item; a bare text counts as one.
        gold = tuple(str(chapter) for chapter in dict.fromkeys(question.chapters))
        items: tuple[str, ...] = ()
        if answer.items and not answer.abstained:
            items = tuple(str(n) for n in dict.fromkeys(answer.chapters)) or ("?",)
        return Verdict(gold, items, _assign(gold, items, str.__eq__))
    gold = _unique(question.gold, same)
    items = () if answer.abstained else _unique(answer.items, same)
    return Verdict(gold, items, _assign(gold, items, same))


def _unique(texts: Sequence[str], same: Same) -> tuple[str, ...]:
    """Texts without repeats, the first of each kept; symmetric on purpose."""
    kept: list[str] = []
    for text in texts:
        if not any(same(old, text) and same(text, old) for old in kept):
            kept.append(text)
    return tuple(kept)


def _assign(
    gold: Sequence[str], items: Sequence[str], same: Same
) -> tuple[int | None, ...]:
    """The largest matching of items to gold; earlier items are served first."""
    taken: dict[int, int] = {}  # gold index -> item index

    def serve(item: int, seen: set[int]) -> bool:
        """Find `item` a gold of its own, moving those served before if need be."""
        for index in range(len(gold)):
            if index in seen or not same(gold[index], items[item]):
                continue
            seen.add(index)
            if index not in taken or serve(taken[index], seen):
                taken[index] = item
                return True
        return False

    for item in range(len(items)):
        serve(item, set())
    served = {item: index for index, item in taken.items()}
    return tuple(served.get(item) for item in range(len(items)))


def normalise_date(text: str) -> str | None:
    """The ISO value of a text that is one date and nothing else, or None."""
    text = unicodedata.normalize("NFKC", text).strip().rstrip(".,。、")
    text = re.sub(r"^(?:on|in)\s+", "", text, count=1, flags=re.IGNORECASE)
    with suppress(GswlabError):
        return parse_iso(text).iso
    # not ISO: then prose, where a bare month or year needs its preposition
    for lead in ("", "in "):
        found = find_dates(lead + text)
        if len(found) == 1 and found[0].text == text and not found[0].relative:
            return found[0].value
    return None
