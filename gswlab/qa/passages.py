"""The sentences nearest to a question: what is shown where nothing answers it.

A sentence is worth the question's words that stand in it, and once more those within
one, two and four sentences of it, each word by how rare it is in the text: the middle
of a scene is found. Whom a pronoun stands for is in its sentence, too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gswlab.core.nouns import Chunk, Item, Span
from gswlab.language.dates.calendar import same_day
from gswlab.language.dates.find import find_dates
from gswlab.language.language import language_of
from gswlab.language.stems import terms, verb_stems
from gswlab.qa.cue import by_key
from gswlab.qa.question.stopwords import like
from gswlab.text.sentences import sentences

_AROUND = (0, 1, 2, 4)  # sentences to each side; chosen on FairytaleQA's train stories
_MOST = 12  # that are handed over
_BEFORE = 5  # sentences in which the word stands that a pronoun is for


@lru_cache(maxsize=65536)
def content_words(text: str) -> tuple[str, ...]:
    """The content words of a text, a form of a verb by its base."""
    return tuple(dict.fromkeys(min(verb_stems(w) - {w} or {w}) for w in terms(text)))


@dataclass(frozen=True)
class NearestSentences:
    """The sentences of the chunks that `read` hands over, by the words in them.

    `meant` says of places in the text whom they mean: what a pronoun stands for.
    """

    read: Callable[[], Sequence[Chunk]]
    meant: Callable[[], Iterable[tuple[Span, str]]] = tuple

    @cached_property
    def told(self) -> tuple[tuple[str, Span, int | None, bool], ...]:
        """Each sentence, where it stands, its chapter, and whether it opens a line."""
        found = []
        for chunk in self.read():
            start, says = chunk.span.start, chunk.speaker and f"{chunk.speaker}: "
            for a, b in sentences(chunk.text, language_of(chunk.text)):
                span = Span(chunk.document, start + a, start + b)
                before = chunk.text[:a]
                opens = "\n" in before[len(before.rstrip()) :]
                text, says = (says or "") + chunk.text[a:b], ""  # as its line begins
                found.append((text, span, chunk.chapter, opens))
        return tuple(sorted(found, key=lambda each: each[1]))

    @cached_property
    def _holding(self) -> dict[str, set[int]]:
        """The numbers of the sentences that have each word."""
        found = by_key(content_words(text) for text, *_ in self.told)
        starts = [(span.document, span.start) for _, span, *_ in self.told]
        for span, name in self.meant():
            number = bisect_right(starts, (span.document, span.start)) - 1
            if number >= 0 and starts[number][0] == span.document:
                for word in content_words(name):
                    found.setdefault(word, set()).add(number)
        return found

    @cached_property
    def heads(self) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        """The day and hour that each sentence stands under, and where the day stands.

        One day at the top of a text is the day it was written on, and heads nothing; an
        hour heads its line.
        """
        found, days, day, hour, at = [], set(), "", "", Span("", 0, 0)
        for text, span, _, opens in self.told:
            head, clock = _head(text)
            if head or span.document != at.document:
                day, at = head, span
                days.add(at)
            if clock or opens:
                hour = clock
            found.append((day, hour, (at,) if day and at != span else ()))
        if len(days) < 3:
            return tuple((hour, ()) for _, hour, _ in found)
        return tuple((", ".join(filter(None, each[:2])), each[2]) for each in found)

    def find(self, question: str, day: str | None = None) -> tuple[Item, ...]:
        """The nearest sentences, best first; none where no word of it is told.

        With an ISO `day` only of those that tell it.
        """
        words = content_words(question)
        held = [sorted(self._holding.get(word, ())) for word in words]
        worth = self._worth(rows for rows in held if rows)
        ranked = map(int, np.argsort(-worth, kind="stable"))
        best = (n for n in ranked if not day or self._is_of(n, day))
        near = []
        for n in (n for n in islice(best, _MOST) if worth[n] > 0 or day):
            text, span, chapter, _ = self.told[n]
            share = sum(n in rows for rows in held) / max(len(words), 1)
            before = tuple(each[0] for each in self.told[max(0, n - _BEFORE) : n])
            item = text, (span,), chapter, float(worth[n])
            near.append(Item(*item, near=share, before=before, under=self.heads[n]))
        return tuple(near)

    def _is_of(self, n: int, day: str) -> bool:
        """Whether a sentence tells an ISO day, month or year, or stands under it."""
        text = f"{self.heads[n][0]}. {self.told[n][0]}"
        if day[-2:].lstrip("0") not in text and len(day) != len("2024-05"):
            return False
        told = (date.value or "" for date in find_dates(text))
        return any(value.startswith(day) or same_day(value, day) for value in told)

    def _worth(self, held: Iterable[Sequence[int]]) -> NDArray[np.float64]:
        worth, many = np.zeros(len(self.told)), len(self.told)
        for rows in held:
            rare = np.log(1 + many / (len(rows) + 0.5))
            said = np.zeros(many)
            said[np.array(rows)] = 1
            for reach in _AROUND:
                near = np.convolve(said, np.ones(2 * reach + 1))[reach : reach + many]
                worth += rare * (near > 0.5)
        return worth


def _head(text: str) -> tuple[str, str]:
    """The day and the hour that a sentence begins with, as the head of its line."""
    hit = like("head").match(text)
    if hit and hit["head"]:
        return (hit["day"] or "").strip(" ,."), hit["hour"] or ""
    begun = like("begun").match(text)
    led = text.rstrip().endswith(":")  # "Ann wrote on 21 May:"
    days = find_dates(text if led else begun[1] if begun else "")
    return (days[0].text, "") if days and (led or not days[0].start) else ("", "")
