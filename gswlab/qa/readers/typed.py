"""What a sentence near a question says of it: a number, a day, a place, a reason, who.

Nothing is parsed: all words of the type that is asked for are readings of a sentence.
Which of them answers, if any, is weighed in `gswlab.qa.readers.grounds`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from gswlab.language.dates.calendar import same_day
from gswlab.language.dates.find import find_dates
from gswlab.language.keys import name_key
from gswlab.language.language import asked_in, of
from gswlab.language.stems import stem, verb_stems
from gswlab.qa.cue import Cue
from gswlab.qa.passages import content_words
from gswlab.qa.question.asked_for import answer_type, befallen, lists, unasked
from gswlab.qa.question.stopwords import like, wordings

_SAID = re.compile(r"\b[a-z]{4}|\b[a-z]+ [a-z]|[ぁ-ん]{2}")
_UNTOLD = frozenset({"writer", "narrator", "author", "diarist", "happen"})


@dataclass(frozen=True)
class NearSentence:
    """A sentence near a question, and those before it.

    `under` is the day or hour at the head of its lines; `worth` how much of a question
    is in and around it, as a share of the nearest sentence's.
    """

    text: str
    before: tuple[str, ...] = ()
    under: str = ""
    worth: float = 1.0

    @cached_property
    def own(self) -> frozenset[str]:
        """Its words."""
        return word_set(self.text)

    @cached_property
    def all_near(self) -> frozenset[str]:
        """Its words, and those of all the sentences before it that are known."""
        return self.own.union(*map(word_set, self.before))


def word_set(text: str) -> frozenset[str]:
    """The content words of a text, as a set."""
    return frozenset(content_words(text))


def blotted(text: str) -> str:
    """A text with the days in it blotted out."""
    for day in find_dates(text):
        text = text.replace(day.text, "\0" * len(day.text))
    return text


@dataclass(frozen=True)
class QuestionWords:
    """A question's words: those that any sentence has to say, and names."""

    text: str

    @cached_property
    def names(self) -> frozenset[str]:
        """The folded words that are written as names."""
        named = re.findall(r"(?<=[\w,.'’] )[^\W\da-z_][\w'’-]*", blotted(self.text))
        return word_set(" ".join(named))

    @cached_property
    def common(self) -> tuple[str, ...]:
        """The other content words in their order, but those that no text repeats."""
        none = _UNTOLD | self.names
        said = content_words(unasked(blotted(self.text)))
        return tuple(word for word in said if word not in none)

    @cached_property
    def all(self) -> frozenset[str]:
        """Both."""
        return self.names.union(self.common)


class Finding(NamedTuple):
    """What a sentence may say of what is asked: where, what, and how it was found."""

    at: int
    text: str
    how: str


_Reads: TypeAlias = Callable[[QuestionWords, NearSentence], Iterator[Finding]]


def is_of_a_sentence(question: str) -> bool:
    """Whether one sentence tells it better than all that is known."""
    kind = answer_type(question)
    if kind in ("time", "place") and asked_in(question) != "ja":
        asked = QuestionWords(question)
        many = like("every").search(question) or lists(question, Cue())
        dated = kind == "place" and bool(asked.common and find_dates(question))
        return not many and len(asked.common) + bool(asked.names) + dated > 1
    return kind in ("reason", "number", "age", "duration", "happening")


def readings(asked: QuestionWords, near: NearSentence) -> Iterator[Finding]:
    """All that a sentence has of the type that is asked for."""
    kind = answer_type(asked.text)
    for at, text, how in _BY_TYPE[kind](asked, near) if kind in _BY_TYPE else ():
        if bare := text.strip(" ,"):
            yield Finding(at, bare, how)


def _found(name: str, sentence: str) -> Iterator[Finding]:
    hits = like(name).finditer(sentence)
    return (Finding(hit.start(), hit.group(), name) for hit in hits)


def _measured(name: str, asked: QuestionWords, near: NearSentence) -> Iterator[Finding]:
    """What is of a measure; "eleven metres wide" only where a width is asked."""
    for found in _found(name, near.text):
        way = like("way").match(near.text, found.at + len(found.text))
        if not way or way[1] in asked.text:
            yield found


def _age(asked: QuestionWords, near: NearSentence) -> Iterator[Finding]:
    """Years that somebody has: said to be that, or a number by what leads to it."""
    for name in ("aged", "being aged", "aged then", "somebody aged", "aged apart"):
        yield from _measured(name, asked, near)


def _duration(asked: QuestionWords, passage: NearSentence) -> Iterator[Finding]:
    """How long it was, far or deep; of what somebody did, in units of time alone."""
    lasting = like("lasting").search(asked.text)
    return _measured("lasted" if lasting else "measured", asked, passage)


def _number(asked: QuestionWords, passage: NearSentence) -> Iterator[Finding]:
    """The number of what is counted: before its noun, or before what it does."""
    counted, doing = like("many").search(asked.text), {*content_words(asked.text)}
    noun = stem(counted[1].split()[0]) if counted else ""
    much = "how much" in asked.text.casefold()
    if much or noun == "time":
        for name in ("sum", "measured") if much else ("often",):
            yield from _measured(name, asked, passage)
        return
    those, said = [], []
    for hit in like("counted").finditer(passage.text):
        number, *after = hit[1].split()
        # five, of "seven gates, of which five remain", where what remains is asked
        if (doing - {noun}) & verb_stems(after[0]):
            those.append(Finding(hit.start(), number, "those"))
        if at := next((n for n, w in enumerate(after, 1) if stem(w) == noun), 0):
            text = " ".join((number, *after[:at])).removesuffix(" of")
            said.append(Finding(hit.start(), text, "counted"))
    yield from those or said


def _identity(asked: QuestionWords, passage: NearSentence) -> Iterator[Finding]:
    """Who "who is Ann?" is about is said to be somebody: "Ann, he saw, was a spy"."""
    whom, sentence = like("who is").match(asked.text), passage.text
    name = " ".join(name_key(whom[1])) if whom else ""
    if not name:
        return
    spelt = r"[\W_]+".join(map(re.escape, name.split()))
    called = rf"(?i:(?<!\w)(?:(?:mr|mrs|ms|dr)\.? )?(?:the )?{spelt}(?!\w))"
    patterns = (
        called + wordings("is"),
        rf"{called}, ({wordings('somebody')})(?=[,.;])",
        rf"\b({wordings('somebody')}), {called}(?=[,.;])",
        rf"{called} \(([a-z][^()\d]*)\)",
        rf"{called}, (who(?:se)? [^,.;]+)",
        rf"{called} [^,.;]{{1,40}}\bas ({wordings('somebody')}|[a-z]+)\b",
    )
    for number, pattern in enumerate(patterns):
        for hit in re.finditer(pattern, sentence):
            yield Finding(hit.start(1), hit[1], f"is{number}")


def _day(asked: QuestionWords, passage: NearSentence) -> Iterator[Finding]:
    """The days and hours that a sentence tells, or stands under."""
    days = (day for day in find_dates(passage.text) if day.text not in asked.text)
    yield from (Finding(day.start, day.text, "day") for day in days)
    yield from _found("hour", passage.text)
    if passage.under and not like("to come").search(asked.text):
        yield Finding(-1, passage.under, "head")


def _place(asked: QuestionWords, passage: NearSentence) -> Iterator[Finding]:
    """The places of a sentence; where somebody comes from only where that is asked."""
    blank, whence = blotted(passage.text), bool(like("from").search(asked.text))
    for found in (*_found("place", blank), *_found("whither", blank)):
        text = like("ends").sub("", found.text.strip()).strip(" ,.")
        dated = blank[found.at + len(text) :].lstrip().startswith("\0")
        known = dated or " " not in text or word_set(text) <= asked.all
        if not known and text.startswith("from") == whence:
            yield found._replace(text=text)


def _reason(asked: QuestionWords, passage: NearSentence) -> Iterator[Finding]:
    """The clause that says why, or what somebody did so for."""
    text = passage.text
    found = [Finding(0, hit[1], "effect") for hit in like("effect").finditer(text)]
    for one in (*found, *_found("reason", text), *_found("meant", text)):
        # "because of the strike" is no reason for a strike
        said = content_words(like("since").sub("", one.text))
        if not {*said[: None if one.how == "reason" else 1]} <= asked.all:
            yield one


def _happening(asked: QuestionWords, passage: NearSentence) -> Iterator[Finding]:
    """What somebody suffered, from the name onwards; else the sentence, of its day."""
    sentence, whom = passage.text, befallen(asked.text)
    given = like("given").search(whom)  # after it was taken: that is no answer
    called = like("trailing").split(blotted(whom))[0]
    spelt = [re.escape(word) for word in called.split() if word_set(word)] or ["(?!)"]
    name = rf"\b(?i:(?:{'|'.join(spelt)})\W+)*(?i:{spelt[-1]})(?:s|es)?\b"
    over = given and word_set(given.group()) & passage.own
    near = word_set(called) <= passage.all_near and not over
    for hit in re.finditer(name, sentence) if near else ():
        if like("suffers").match(sentence, hit.end()):
            text = like("hence").split(sentence[hit.start() :])[0].strip(" .")
            yield Finding(hit.start(), text, "named")
    days, whole = find_dates(asked.text), f"{passage.under}. {sentence}"
    seen = [day.value for day in find_dates(whole)]
    told = any(same_day(day.value, value) for day in days for value in seen)
    told = told or any(day.text.casefold() in whole.casefold() for day in days)
    if not whom and (told or not days) and _SAID.search(sentence):
        yield Finding(-1, sentence, "dated" if told else "sentence")


_BY_TYPE: Mapping[str | None, _Reads] = {
    "number": _number, "identity": _identity, "age": _age,
    "duration": _duration, "reason": _reason, "time": _day,
    "place": _place, "happening": _happening,
}  # fmt: skip


# Japanese, by its particles and counters: a sentence answers where it has every
# written-out word of the question, its verb among them.

_JA_WORD = re.compile("[一-龠々〆ァ-ヶーA-Za-z]+")
_JA_ASKED = re.compile("何[一-龠]?|誰|最初|最後|次|人(?=ですか)")


def read_particles(kind: str, question: str, sentence: str) -> str | None:
    """What a sentence says of a question; None where nothing."""
    words = _JA_WORD.findall(_JA_ASKED.sub("、", question))
    told = set(_JA_WORD.findall(sentence))  # whole: 山田 may be another 山田
    if not words or not told.issuperset(words):
        return None
    days = [day.text for day in find_dates(sentence)]
    found = [day for day in days if kind == "time" and day not in question]
    for said, asked, says in of("ja").table("typed"):
        if said == kind and not found and (hit := re.search(asked, question)):
            told_so = re.finditer(says.replace("⟨⟩", re.escape(hit[1])), sentence)
            texts = [m[1] for m in told_so if kind != "place" or m[1] not in question]
            found = [text for text in texts if text not in days]
    return (found[-1] if kind == "place" else found[0]) if found else None
