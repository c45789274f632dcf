"""What a sentence near a question says of it: a number, a day, a place, a reason, who.

Nothing is parsed. A sentence answers where it has the question's own words, names at
hand beside them (in the sentence before, or behind a pronoun), and words of the type
that is asked for at the place where such words stand; else it answers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias

from gswlab.language.dates.calendar import compiled, same_day
from gswlab.language.dates.find import find_dates
from gswlab.language.keys import name_key
from gswlab.language.language import asked_in, of
from gswlab.language.stems import stem, verb_stems
from gswlab.qa.passages import content_words
from gswlab.qa.question.answer_type import AnswerType, answer_type, unasked
from gswlab.qa.readers import typed_ja

_NAMED = re.compile("⟨([^⟩]+)⟩")


@cache
def _any(name: str) -> str:
    """The alternatives that `typed.txt` has of a name, with all they stand for."""
    lines = "|".join(of("en").patterns("typed")[name])
    return f"(?:{_NAMED.sub(lambda hit: _any(hit[1]), lines)})"


@cache
def _like(name: str) -> re.Pattern[str]:
    return compiled(_any(name))


_SAID = re.compile(r"\b[a-z]{4}|\b[a-z]+ [a-z]|[ぁ-ん]{2}")
_UNTOLD = frozenset({"writer", "narrator", "author", "diarist", "happen"})


@dataclass(frozen=True)
class NearSentence:
    """A sentence, those before it, and the share of a question's words it says.

    `under` is the day or hour at the head of its lines; `is_meant` where it says in
    other words what is asked about.
    """

    text: str
    before: tuple[str, ...] = ()
    share: float = 1.0
    under: str = ""
    is_meant: bool = False

    @cached_property
    def own(self) -> frozenset[str]:
        """Its words."""
        return _words(self.text)

    @cached_property
    def near(self) -> frozenset[str]:
        """Its words, and those of the sentence before it."""
        return self.own.union(*map(_words, self.before[-1:]))

    @cached_property
    def all_near(self) -> frozenset[str]:
        """Its words, and those of all the sentences before it that are known."""
        return self.own.union(*map(_words, self.before))


def _words(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def _undated(text: str) -> str:
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
        named = re.findall(r"(?<=[\w,.'’] )[^\W\da-z_][\w'’-]*", _undated(self.text))
        return _words(" ".join(named))

    @cached_property
    def common(self) -> tuple[str, ...]:
        """The other content words in their order, but those that no text repeats."""
        none = _UNTOLD | self.names
        said = content_words(unasked(_undated(self.text)))
        return tuple(word for word in said if word not in none)

    @cached_property
    def all(self) -> frozenset[str]:
        """Both."""
        return self.names.union(self.common)

    def is_said_by(self, passage: NearSentence) -> bool:
        """Whether a sentence has the words of a question, and names are at hand.

        Nouns that it has not got stand in the sentence before, or further back where a
        pronoun is for them; so do names.
        """
        if passage.is_meant:
            return True
        pronoun = _like("pronoun").search(passage.text)
        before = passage.all_near if pronoun else passage.near
        missing = {*self.common} - passage.own
        said = passage.own & self.all
        return bool(said) and missing <= self.nouns and self.names | missing <= before

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The words that cannot be its verb: a determiner or preposition leads them."""
        return _words(" ".join(_like("led").findall(self.text)))

    def after(self, sentence: str) -> int:
        """Where in a sentence the last of the question's common words ends."""
        hits = (m for m in re.finditer(r"\w[\w'’-]*", sentence))
        ends = [m.end() for m in hits if _words(m.group()).intersection(self.common)]
        return max(ends, default=0)


_Reads: TypeAlias = Callable[[QuestionWords, NearSentence], str | None]


def is_of_a_sentence(question: str) -> bool:
    """Whether one sentence tells it better than all that is known: no day of an event.

    >>> is_of_a_sentence("When was the fair?"), is_of_a_sentence("Why did it end?")
    (False, True)
    """
    kind = answer_type(question)
    if kind in ("time", "place") and asked_in(question) != "ja":
        asked = QuestionWords(question)
        return len(asked.common) + bool(asked.names) > 1
    return kind in ("reason", "number", "age", "duration", "happening")


def read_off(question: str, passage: NearSentence | str) -> str | None:
    """What a sentence that has the question's words says of it; None where nothing.

    >>> read_off("How many sailors came?", "The cook and two old sailors came.")
    'two old sailors'
    >>> read_off("Who was the Lark?", "The Lark, she saw, was Bo Lind.")
    'Bo Lind'
    >>> read_off("Where did Ann sleep?", "Ann slept in a barn, and dreamt.")
    'in a barn'
    """
    near = NearSentence(passage) if isinstance(passage, str) else passage
    kind, asked = answer_type(question), QuestionWords(question)
    if asked_in(question) == "ja":
        return typed_ja.read_particles(kind, question, near.text)
    if kind not in _BY_TYPE:
        return None
    found = _BY_TYPE[kind](asked, near)
    return found.strip(" ,") if found else None


def _number(asked: QuestionWords, passage: NearSentence) -> str | None:
    """The number of what is counted: before its noun, or before what it does."""
    counted, sentence = _like("many").search(asked.text), passage.text
    nouns = [stem(word) for word in counted[1].split()[:3]] if counted else []
    if "how much" in asked.text.casefold() and passage.share > 0.3:
        sum_ = _like("sum").search(sentence)
        return sum_.group() if sum_ else None
    if passage.share < 0.5 and not asked.is_said_by(passage):
        return None
    if nouns[:1] == ["time"]:
        often = _like("often").search(sentence)
        return often.group() if often else None
    for hit in _like("counted").finditer(sentence):
        words = hit[1].split()
        for at, word in enumerate(words):
            if at and stem(word.strip(",")) in nouns[:2]:
                return _of_those(asked, sentence, nouns) or " ".join(words[: at + 1])
    return None


def _of_those(asked: QuestionWords, sentence: str, nouns: list[str]) -> str | None:
    """Five, of "seven gates, of which five remain", where what remains is asked."""
    doing = {*content_words(asked.text)} - {*nouns[:1]}
    for hit in _like("counted").finditer(sentence):
        number, verb = hit[1].split()[0], hit[1].split()[1]
        if doing & verb_stems(verb.strip(",.")):
            return number
    return None


def _identity(asked: QuestionWords, passage: NearSentence) -> str | None:
    """Who "who is Ann?" is about is said to be somebody: "Ann, he saw, was a spy"."""
    whom, sentence = _like("who is").match(asked.text), passage.text
    name = " ".join(name_key(whom[1])) if whom else ""
    if not name:
        return None
    spelt = r"[\W_]+".join(map(re.escape, name.split()))
    called = rf"(?i:(?<!\w)(?:(?:mr|mrs|ms|dr)\.? )?(?:the )?{spelt}(?!\w))"
    for pattern in (
        called + _any("is"),
        rf"{called}, ({_any('somebody')})(?=[,.;])",
        rf"\b({_any('somebody')}), {called}(?=[,.;])",
        rf"{called} \(([a-z][^()\d]*)\)",
        rf"{called}, (who(?:se)? [^,.;]+)",
        rf"{called} [^,.;]{{1,40}}\bas ({_any('somebody')}|[a-z]+)\b",
    ):
        said = re.search(pattern, sentence)
        if said and said[1].split()[0].casefold() not in name.split():
            return said[1]
    return None


def _day(asked: QuestionWords, passage: NearSentence) -> str | None:
    """The day or hour that a sentence tells next to what is asked, or stands under."""
    sentence, to_come = passage.text, _like("to come").search(asked.text)
    if not asked.is_said_by(passage):
        return None
    if passage.is_meant and to_come and not _like("will").search(sentence):
        return None
    days = [d for d in find_dates(sentence) if d.text not in asked.text]
    found = [(d.start, d.text) for d in days]
    found += [(m.start(), m.group()) for m in _like("hour").finditer(sentence)]
    end = asked.after(sentence)
    near = min(found, key=lambda one: abs(one[0] - end), default=None)
    return near[1] if near else None if to_come else passage.under or None


def _place(asked: QuestionWords, passage: NearSentence) -> str | None:
    """The place nearest behind the words of the question, or beside what is there."""
    if beside := _beside(asked, passage.text):
        return beside
    if not asked.is_said_by(passage):
        return None
    found = [*_places(asked, passage.text)]
    if _like("from").search(asked.text):
        whence = [one for one in found if one[1].startswith("from")]
        found = whence if whence or passage.is_meant else found
    end = asked.after(passage.text)
    behind = [place for at, place in found if at >= end - 1]
    chosen = behind[:1] or [place for _, place in found[-1:]]
    return chosen[0] if chosen else None


def _beside(asked: QuestionWords, sentence: str) -> str | None:
    """Where something is that a place follows at once: "the pond by the lower gate"."""
    whom = _like("where is").match(asked.text)
    if not whom or not _words(whom[1]):
        return None
    # "Shells on Hay Square." has no verb
    subject = re.sub(r" \w+$", "", whom[1]) if len(sentence.split()) < 6 else whom[1]
    hit = re.search(rf"(?i:\b{re.escape(subject)}) (?={_any('at')})", sentence)
    place = _like("place").match(sentence, hit.end()) if hit else None
    return _like("ends").sub("", place.group()) if place else None


def _places(asked: QuestionWords, sentence: str) -> Iterator[tuple[int, str]]:
    undated = _undated(sentence)
    for hit in _like("place").finditer(undated):
        text = _like("ends").sub("", hit.group().strip()).strip(" ,.")
        new = _words(text) - _words(asked.text)
        leads = undated[hit.start() + len(text) :].lstrip().startswith("\0")
        if new and not (leads or _like("no place").match(text)) and " " in text:
            yield hit.start(), text


def _reason(asked: QuestionWords, passage: NearSentence) -> str | None:
    """The clause that says why, or what somebody did so for."""
    sentence, words = passage.text, asked.all
    done = passage.own.intersection(asked.common[-1:]) and words <= passage.all_near
    near = 3 * len(words & passage.near) >= 2 * len(words)
    if passage.share < 0.6 and not near and not done:
        return None
    if since := _like("reason").search(sentence):
        return since.group()
    effect = _like("effect").search(sentence)
    if effect and 3 * len(_words(effect[2]) & words) >= 2 * len(words):
        return effect[1]
    meant = _like("meant").search(sentence, asked.after(sentence))
    return meant.group() if meant and asked.is_said_by(passage) else None


def _happening(asked: QuestionWords, passage: NearSentence) -> str | None:
    """The sentence itself, where it tells what somebody suffered, or of the day."""
    whom, sentence = _like("of late").search(asked.text), passage.text
    if whom and not whom.start():
        return _befell(_like("aside").sub("", _undated(whom[1] or whom[2])), passage)
    days = [d.value for d in find_dates(asked.text)]
    seen = [d.value for d in find_dates(f"{passage.under}. {sentence}")]
    told = any(same_day(one, two) for one in days for two in seen)
    if not (told or asked.all <= passage.own) or not _SAID.search(sentence):
        return None  # a head tells nothing
    return without_dateline(sentence).strip()


def _befell(called: str, passage: NearSentence) -> str | None:
    """What somebody suffers in a sentence, from the name, or the pronoun, onwards."""
    name, last = _words(called), _words(" ".join(called.split()[-1:]))
    sentence, before = passage.text, _words("".join(passage.before[-1:]))
    if not name:
        return None  # "What happened to him?" names nobody
    if last <= passage.own and name <= passage.all_near:
        spelt = "|".join(re.escape(w) for w in called.split() if _words(w))
        hits = re.finditer(rf"\b(?i:(?:{spelt})\W+)*(?i:{spelt})(?:s|es)?\b", sentence)
    elif name <= before:
        hits = _like("opening").finditer(sentence)
    else:
        return None
    suffers = (hit for hit in hits if _like("suffers").match(sentence, hit.end()))
    at = next(suffers, None)
    return _like("hence").split(sentence[at.start() :])[0].strip(" .") if at else None


def without_dateline(sentence: str) -> str:
    """A sentence of news without where and when it was sent from.

    >>> without_dateline("LISK, Oct. 3 - A crack opened.")
    'A crack opened.'
    """
    return _like("datelined").sub("", sentence)


def _first(name: str) -> _Reads:
    def found(asked: QuestionWords, passage: NearSentence) -> str | None:
        said = asked.is_said_by(passage) or asked.all <= passage.near
        hit = _like(name).search(passage.text) if said else None
        return hit.group() if hit else None

    return found


_BY_TYPE: Mapping[AnswerType | None, _Reads] = {
    "number": _number, "identity": _identity, "age": _first("aged"),
    "duration": _first("lasted"), "reason": _reason, "time": _day, "place": _place,
    "happening": _happening,
}  # fmt: skip
