"""What a sentence near a question says of it: a number, a day, a place, a reason, who.

Nothing is parsed. A sentence answers where it has the question's own words, names at
hand beside them (in the sentence before, or behind a pronoun), and words of the type
that is asked for at the place where such words stand; else it answers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

from gswlab.language.dates.calendar import same_day
from gswlab.language.dates.find import find_dates
from gswlab.language.keys import name_key
from gswlab.language.language import asked_in, of
from gswlab.language.stems import stem, verb_stems
from gswlab.qa.passages import content_words
from gswlab.qa.question.asked_for import AnswerType, answer_type, befallen, unasked
from gswlab.qa.question.stopwords import like, wordings

_SAID = re.compile(r"\b[a-z]{4}|\b[a-z]+ [a-z]|[ぁ-ん]{2}")
_SOME = 0.3  # of a question's words are near a number that answers it
_UNTOLD = frozenset({"writer", "narrator", "author", "diarist", "happen"})


@dataclass(frozen=True)
class NearSentence:
    """A sentence near a question, and those before it.

    `under` is the day or hour at the head of its lines; `is_meant` where it says in
    other words what is asked about.
    """

    text: str
    before: tuple[str, ...] = ()
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
        return _words(" ".join(named))

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

    def share_in(self, words: frozenset[str]) -> float:
        """How much of them is in `words`; all of nothing."""
        return len(self.all & words) / len(self.all) if self.all else 1.0

    def is_near(self, passage: NearSentence, share: float) -> bool:
        """Whether so much of them is near a sentence, and all names."""
        return self.names <= passage.all_near and self.share_in(passage.near) >= share

    def is_said_by(self, passage: NearSentence) -> bool:
        """Whether a sentence has the words of a question, and names are at hand.

        Nouns and names that it has not got stand in the sentence before, or further
        back where a pronoun is for them; nowhere if it begins with somebody else.
        """
        if passage.is_meant:
            return True
        missing, said = {*self.common} - passage.own, passage.own & self.all
        other = like("other").match(passage.text)
        apart = other and not _words(other[1] or "") & self.all
        pronoun = like("pronoun").search(passage.text)
        far = passage.all_near if pronoun else passage.near
        before = passage.own if apart else far
        return bool(said) and missing <= self.nouns and self.names | missing <= before

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The words that cannot be its verb: a determiner or preposition leads them."""
        return _words(" ".join(like("led").findall(self.text)))

    def after(self, sentence: str) -> int:
        """Where in a sentence the last of the question's common words ends."""
        hits = re.finditer(r"\w[\w'’-]*", sentence)
        return max((m.end() for m in hits if _words(m[0]) & {*self.common}), default=0)


_Reads: TypeAlias = Callable[[QuestionWords, NearSentence], str | None]


def is_of_a_sentence(question: str) -> bool:
    """Whether one sentence tells it better than all that is known."""
    kind = answer_type(question)
    if kind in ("time", "place") and asked_in(question) != "ja":
        asked, one = QuestionWords(question), not like("every").search(question)
        dated = kind == "place" and bool(asked.common and find_dates(question))
        return one and len(asked.common) + bool(asked.names) + dated > 1
    return kind in ("reason", "number", "age", "duration", "happening")


def read_off(question: str, near: NearSentence) -> str | None:
    """What a sentence that has the question's words says of it; None where nothing."""
    kind, asked = answer_type(question), QuestionWords(question)
    if asked_in(question) == "ja":
        return read_particles(kind, question, near.text)
    if kind not in _BY_TYPE:
        return None
    found = _BY_TYPE[kind](asked, near)
    return found.strip(" ,") if found else None


def _first(name: str, asked: QuestionWords, passage: NearSentence) -> str | None:
    hit = like(name).search(passage.text) if asked.is_near(passage, _SOME) else None
    way = hit and like("way").match(passage.text, hit.end())  # eleven metres wide
    other = way and way[1] not in asked.text
    return hit.group() if hit and not other else None


def _duration(asked: QuestionWords, passage: NearSentence) -> str | None:
    """How long it was, far or deep; of what somebody did, in units of time alone."""
    name = "lasted" if like("lasting").search(asked.text) else "measured"
    return _first(name, asked, passage)


def _number(asked: QuestionWords, passage: NearSentence) -> str | None:
    """The number of what is counted: before its noun, or before what it does."""
    counted, doing = like("many").search(asked.text), {*content_words(asked.text)}
    if "how much" in asked.text.casefold():
        return _first("sum", asked, passage)
    noun = stem(counted[1].split()[0]) if counted else ""
    if noun == "time":
        return _first("often", asked, passage)
    if not asked.is_near(passage, _SOME):
        return None
    found = [hit[1].split() for hit in like("counted").finditer(passage.text)]
    said = [p[: at + 1] for p in found for at, w in enumerate(p) if stem(w) == noun]
    # five, of "seven gates, of which five remain", where what remains is asked
    those = (n for n, verb, *_ in found if (doing - {noun}) & verb_stems(verb))
    return next(those, " ".join(said[0]).removesuffix(" of")) if said else None


def _identity(asked: QuestionWords, passage: NearSentence) -> str | None:
    """Who "who is Ann?" is about is said to be somebody: "Ann, he saw, was a spy"."""
    whom, sentence = like("who is").match(asked.text), passage.text
    name = " ".join(name_key(whom[1])) if whom else ""
    if not name:
        return None
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
    return next((m[1] for p in patterns if (m := re.search(p, sentence))), None)


def _nearest(
    asked: QuestionWords, sentence: str, found: Iterable[tuple[int, str]]
) -> str | None:
    """What stands nearest to the question's words, behind them before all else."""
    end = asked.after(sentence)
    places = [(at < end - 1, abs(at - end), -len(text), text) for at, text in found]
    return min(places)[-1] if places else None


def _day(asked: QuestionWords, passage: NearSentence) -> str | None:
    """The day or hour that a sentence tells next to what is asked, or stands under."""
    sentence, to_come = passage.text, like("to come").search(asked.text)
    past = passage.is_meant and to_come and not like("will").search(sentence)
    if past or not asked.is_said_by(passage):
        return None
    days = find_dates(sentence)
    found = [(d.start, d.text) for d in days if d.text not in asked.text]
    found += [(m.start(), m.group()) for m in like("hour").finditer(sentence)]
    near = _nearest(asked, sentence, found)
    return near or (None if to_come or passage.is_meant else passage.under or None)


def _place(asked: QuestionWords, passage: NearSentence) -> str | None:
    """The place nearest behind the words of the question, or beside what is there."""
    if beside := _beside(asked, passage.text):
        return beside
    found, blank = [], blotted(passage.text)
    whence = bool(like("from").search(asked.text))
    for hit in like("place").finditer(blank) if asked.is_said_by(passage) else ():
        text = like("ends").sub("", hit.group().strip()).strip(" ,.")
        dated = blank[hit.start() + len(text) :].lstrip().startswith("\0")
        known = dated or " " not in text or _words(text) <= asked.all
        if not known and text.startswith("from") == whence:
            found.append((hit.start(), text))
    return _nearest(asked, passage.text, found)


def _beside(asked: QuestionWords, sentence: str) -> str | None:
    """Where something is that a place follows at once: "the pond by the lower gate"."""
    whom = like("where is").match(asked.text)
    if not whom or not _words(whom[1]):
        return None
    # "Shells on Hay Square." has no verb
    subject = re.sub(r" \w+$", "", whom[1]) if len(sentence.split()) < 6 else whom[1]
    hit = re.search(rf"(?i:\b{re.escape(subject)}) (?={wordings('at')})", sentence)
    place = like("place").match(sentence, hit.end()) if hit else None
    return like("ends").sub("", place.group()) if place else None


def _reason(asked: QuestionWords, passage: NearSentence) -> str | None:
    """The clause that says why, or what somebody did so for."""
    sentence = passage.text
    done = asked.all <= passage.all_near and {*asked.common[-1:]} & passage.own
    if not done and not asked.is_near(passage, 0.5):
        return None
    since = like("reason").search(sentence)
    # "because of the strike" is no reason for a strike
    if since and not _words(like("since").sub("", since.group())) <= asked.all:
        return since.group()
    effect = like("effect").search(sentence)
    if effect and asked.share_in(_words(effect[2])) > 0.6:
        return effect[1]
    meant = like("meant").search(sentence, asked.after(sentence))
    return meant.group() if meant and asked.is_said_by(passage) else None


def _happening(asked: QuestionWords, passage: NearSentence) -> str | None:
    """The sentence itself, where it tells what somebody suffered, or of the day."""
    sentence = passage.text
    if whom := befallen(asked.text):
        given = like("given").search(whom)  # after it was taken: that is no answer
        if given and _words(given.group()) & passage.own:
            return None
        return _befell(like("aside").sub("", blotted(whom)), passage)
    days = [d.value for d in find_dates(asked.text)]
    seen = [d.value for d in find_dates(f"{passage.under}. {sentence}")]
    told = any(same_day(one, two) for one in days for two in seen)
    if not (told or asked.all <= passage.own) or not _SAID.search(sentence):
        return None  # a head tells nothing
    return sentence.strip()


def _befell(called: str, passage: NearSentence) -> str | None:
    """What somebody suffers in a sentence, from the name, or the pronoun, onwards."""
    name, last = _words(called), _words(" ".join(called.split()[-1:]))
    sentence, before = passage.text, _words("".join(passage.before[-1:]))
    if name and last <= passage.own and name <= passage.all_near:
        spelt = "|".join(re.escape(w) for w in called.split() if _words(w))
        hits = re.finditer(rf"\b(?i:(?:{spelt})\W+)*(?i:{spelt})(?:s|es)?\b", sentence)
    elif name and name <= before:  # "What happened to him?" names nobody
        hits = like("opening").finditer(sentence)
    else:
        return None
    for hit in hits:
        if like("suffers").match(sentence, hit.end()):
            return like("hence").split(sentence[hit.start() :])[0].strip(" .")
    return None


_BY_TYPE: Mapping[AnswerType | None, _Reads] = {
    "number": _number, "identity": _identity, "age": partial(_first, "aged"),
    "duration": _duration, "reason": _reason, "time": _day,
    "place": _place, "happening": _happening,
}  # fmt: skip


# Japanese, by its particles and counters: a sentence answers where it has every
# written-out word of the question, its verb among them.

_JA_WORD = re.compile("[一-龠々〆ァ-ヶーA-Za-z]+")
_JA_ASKED = re.compile("何[一-龠]?|誰|最初|最後|次|人(?=ですか)")


def read_particles(kind: AnswerType | None, question: str, sentence: str) -> str | None:
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
