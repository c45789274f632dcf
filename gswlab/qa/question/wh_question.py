"""Plain questions: who, whom, what, when, where, why and how about one occurrence.

The verb splits the question. What stands before it is its subject, or the auxiliary
that says the slot asked for is; what stands after it are its other arguments:

    Who | arrested | Sato?          agent asked, Sato anywhere but there
    Who did Lee | arrest?           patient asked, Lee the agent
    When was Sato | arrested?       time asked, Sato the patient

An occurrence fits when its verb is the question's and every word the question has for
somebody, something, some day or some place is told of it. So a question about what the
text does not tell fits nothing, and a reader can abstain.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from gswlab.core.nouns import Bound, Occurrence
from gswlab.language.dates.find import find_dates
from gswlab.language.keys import date_keys, key_words
from gswlab.language.language import asked_in, of
from gswlab.language.lexicon import table
from gswlab.language.stems import folded_stem, verb_stems
from gswlab.qa.cue import surfaces
from gswlab.qa.question.stopwords import is_scaffold

_WH = frozenset({"who", "whom", "what", "which", "when", "where", "why", "how"})
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am", "s"})
_DO = frozenset({"do", "does", "did"})
_HAVE = frozenset({"has", "have", "had", "will", "would", "can", "could", "may"})
_AUX = _BE | _DO | _HAVE
_ROWS = table("en/plain.tsv")
(_SMALL,) = (re.compile(words) for kind, _, words in _ROWS if kind == "small")
_HEADS = {slot: re.compile(words) for kind, slot, words in _ROWS if kind == "head"}
_SLOTS, _STRANDED = (
    {word: tuple(slots.split()) for kind, word, slots in _ROWS if kind == wanted}
    for wanted in ("asks", "stranded")
)
_FOUND = ("patient", "recipient", "place", "time", "manner", "purpose", "instrument")
_Words = tuple[str, ...]
_LED = re.compile(r"\b(?:on|in|of) $", re.I)
_BEFELL = re.compile(r"\b(?:happen\w* (?:to|with)|became of|become of|befell) (.+)")


@dataclass(frozen=True, slots=True)
class Fit:
    """An occurrence that a question is about, and what answers it.

    `fillers` is empty when the occurrence is told and the slot asked for is not.
    `strong` is False where the question may as well be about an episode: its verb is
    one that any question is built of ("found", "took"). `used` are the stems of the
    question's words for who and what.
    """

    occurrence: Occurrence
    slots: tuple[str, ...]
    fillers: tuple[Bound, ...]
    score: float
    strong: bool = True
    used: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Plain:
    """A question as words: `wh` stands at `at`; `days` are the ISO dates it names."""

    text: str
    tokens: tuple[str, ...]
    at: int
    days: tuple[str, ...] = ()

    @cached_property
    def befell(self) -> frozenset[str] | None:
        """Whom "what happened to ...?" asks about, by the stems of the words."""
        rules = _spaceless(self.text)
        if rules and (whom := rules.befallen(self.text)):
            return _content(word.text for word in key_words(whom))
        found = _BEFELL.search(" ".join(self.tokens))
        return _content(found[1].split()) if found else None

    @cached_property
    def whereabouts(self) -> frozenset[str] | None:
        """Whom "where is ...?" asks about, when no verb follows (Japanese: unsaid)."""
        rules = _spaceless(self.text)
        if rules and rules.is_whereabouts(self.text):
            return frozenset()
        rest = self.tokens[self.at + 1 :]
        now = self.tokens and self.tokens[self.at] == "where"
        return _content(rest) if now and rest and rest[0] in _BE else None


def _spaceless(text: str) -> Any:
    """The rules of a question whose words no spaces part; None for any other."""
    language = of(asked_in(text))
    return None if language.space else language.rules("gswlab.qa.question")


@lru_cache(maxsize=4096)
def plain(question: str) -> Plain | None:
    """The question, if it is one that who, when, where, why or how opens.

    >>> plain("Who arrested Sato?").tokens, plain("List all days.")
    (('who', 'arrested', 'sato'), None)
    """
    text = unicodedata.normalize("NFKC", question).strip()
    days = [d for d in find_dates(text) if d.value and not d.relative]
    rules = _spaceless(text)
    if rules and rules.asked_slots(text):
        for day in reversed(days):
            text = text[: day.start] + "、" + text[day.end :]
        return Plain(text, (), 0, tuple(d.value for d in days if d.value))
    for day in reversed(days):
        text = _LED.sub(" ", text[: day.start]) + " " + text[day.end :]
    tokens = tuple(word.text for word in key_words(text))
    at = next((n for n, token in enumerate(tokens) if token in _WH), None)
    if at is None or at > 2 or "how many" in text.casefold():
        return None
    return Plain(text, tokens, at, tuple(d.value for d in days if d.value))


def fits(asked: Plain, told: Iterable[Occurrence]) -> tuple[Fit, ...]:
    """The occurrences a plain question is about, those that say most of it first.

    >>> fits(plain("Who arrested Sato?"), ())
    ()
    """
    inorder = sorted(told, key=lambda one: one.spans[:1])
    found = [fit for one in inorder if (fit := _fit(asked, one)) is not None]
    answering = [fit for fit in found if fit.fillers]
    best = max((fit.score for fit in answering or found), default=0.0)
    chosen = [fit for fit in answering or found if fit.score == best]
    return tuple(chosen[-1:] if asked.whereabouts is not None else chosen)


def answered(fit: Fit) -> tuple[Bound, ...]:
    """What answers: the fillers, or for a story the state that somebody came to."""
    if fit.slots != ("story",):
        return fit.fillers
    told = fit.occurrence
    return told.fillers("state") or (Bound(told.predicate, told.id, spans=told.spans),)


def _fit(asked: Plain, told: Occurrence) -> Fit | None:
    if told.negated:
        return None
    if asked.befell is not None:
        return _befallen(asked.befell, told)
    known = {key for b in told.fillers("time") if b.id for key in date_keys(b.value)}
    if not known.issuperset(asked.days):
        return None
    if not asked.tokens:
        rules = _spaceless(asked.text)
        if not rules.fits_spaceless(asked.text, told):
            return None
        slots = rules.asked_slots(asked.text)
        anchored = slots[0] in ("time", "place")  # what episodes tell as well
        strong = asked.whereabouts is None
        strong = strong and (rules.is_telling(told.predicate) or not anchored)
        return _answered(told, slots, frozenset(), 1.0, strong)
    if fit := _worded(asked, told):
        return fit
    whom = asked.whereabouts
    if whom and whom <= _said(told, "agent", "patient"):
        fit = _answered(told, ("place",), whom, -0.1, strong=False)
        if fit.fillers:
            return fit
    return None


def _worded(asked: Plain, told: Occurrence) -> Fit | None:
    """A fit by the verb of the question, `be` among them."""
    if told.predicate == "be":
        return _being(asked, told)
    verb = told.predicate.split()[0].casefold()
    for place in range(asked.at + 1, len(asked.tokens)):
        known = folded_stem(verb) in verb_stems(asked.tokens[place])
        if known and (fit := _split(asked, told, place)):
            return fit
    return None


def _split(asked: Plain, told: Occurrence, verb: int) -> Fit | None:
    """The question read with its verb at this place."""
    tokens, wh = asked.tokens, asked.tokens[asked.at]
    before = tokens[asked.at + 1 : verb]
    head, subject, after = _parted(asked, verb)
    passive = bool(_BE & set(before)) and not tokens[verb].endswith("ing")
    own, rest = _content(subject), _content(after)
    others = _said(told, *_FOUND, *(("agent",) if passive else ()))
    particle = frozenset(folded_stem(w) for w in told.predicate.split()[1:])
    if not own <= _said(told, "patient" if passive else "agent"):
        return None
    if not rest <= others | particle:
        return None
    slots = _asked(asked, head, subject, after, passive)
    used = own | rest | _content(head)
    strong = wh in ("why", "how") or not is_scaffold(tokens[verb])
    return _answered(told, slots, used, float(len(own | rest)), strong)


def _parted(asked: Plain, verb: int) -> tuple[_Words, _Words, _Words]:
    """The noun of "which day", the subject, and what follows the verb."""
    before, first = asked.tokens[asked.at + 1 : verb], 0
    if asked.tokens[asked.at] in ("which", "what"):
        first = next((n for n, t in enumerate(before) if t in _AUX), len(before))
    return before[:first], before[first:], asked.tokens[verb + 1 :]


def _asked(
    asked: Plain, head: _Words, subject: _Words, after: _Words, passive: bool
) -> tuple[str, ...]:
    """The slots a question asks for, the likeliest first."""
    if slots := _SLOTS.get(asked.tokens[asked.at]):
        return slots
    for slot, heads in _HEADS.items():
        if any(map(heads.fullmatch, head)):
            return (slot,)
    led = asked.tokens[asked.at - 1] if asked.at else ""
    if led in _STRANDED or (after and after[-1] in _STRANDED):
        return _STRANDED[led if led in _STRANDED else after[-1]]
    if _content(subject):
        return ("patient", "recipient", "instrument") if not passive else ("manner",)
    return ("patient",) if passive else ("agent",)


def _answered(
    told: Occurrence,
    slots: tuple[str, ...],
    used: frozenset[str],
    score: float,
    strong: bool = True,
) -> Fit:
    """What fills the first slot that is filled by more than the question's words."""
    score += 0.5 * (told.modality == "asserted")
    for lower, slot in enumerate(slots):
        found = []
        for bound in told.fillers(slot):
            own = (word.text for word in key_words(bound.value))
            if not {folded_stem(w) for w in own if not _is_small(w)} <= used:
                found.append(bound)
        if anchored := [b for b in found if b.id and slot in ("time", "place")]:
            found = anchored[:1]
        if found:
            return Fit(told, slots, tuple(found), score - lower / 10, strong, used)
    return Fit(told, slots, (), score, strong)


def _befallen(whom: frozenset[str], told: Occurrence) -> Fit | None:
    """What changed somebody's state; else, and less so, what they have part in."""
    if not whom or told.predicate == "be":
        return None
    changed = any(whom <= _stems(b) for s, b in told.slots if s == "state")
    suffered = whom <= _said(told, "patient")
    if not changed and not suffered and not whom <= _said(told, "agent"):
        return None
    score = 2.0 * changed + 1.0 * suffered + 0.5 * (told.modality == "asserted")
    return Fit(told, ("story",), (), score, strong=changed)


def _being(asked: Plain, told: Occurrence) -> Fit | None:
    """ "Who is Ann?", "What does Ann do?", "Who is the inspector?" """
    wh, rest = asked.tokens[asked.at], asked.tokens[asked.at + 1 :]
    used = _content(rest)
    does = rest[:1] + rest[-1:] in (("do", "do"), ("does", "do"))
    if not used or not (rest[0] in _BE or does):
        return None
    if wh in ("when", "why"):
        return None  # what somebody is answers neither
    slots = {"where": ("place",), "how": ("state",)}.get(wh, ("role",))
    if used <= _said(told, "agent"):
        fit = _answered(told, slots, used, -0.1, strong="role" in slots)
        if fit.fillers:
            return fit
    if wh == "who" and used <= _said(told, "role", "state"):
        fit = _answered(told, ("agent",), used, -0.1)
        return fit if fit.fillers else None
    return None


def _said(told: Occurrence, *slots: str) -> frozenset[str]:
    return frozenset[str]().union(*(_stems(bound) for bound in told.fillers(*slots)))


def said_words(told: Occurrence) -> frozenset[str]:
    """The stems of its verb, and of all that fills its slots."""
    verb = (folded_stem(word.casefold()) for word in told.predicate.split())
    return frozenset[str](verb).union(*(_stems(bound) for _, bound in told.slots))


def _stems(bound: Bound) -> frozenset[str]:
    """Stems of every way a filler is written."""
    return _content(word.text for name in surfaces(bound) for word in key_words(name))


def _content(tokens: Iterable[str]) -> frozenset[str]:
    return frozenset(filter(None, map(_telling, tokens)))


@cache
def _telling(token: str) -> str:
    """The stem of a word that says what a question is about; "" of any other."""
    return "" if _is_small(token) or token.endswith("ly") else folded_stem(token)


def _is_small(token: str) -> bool:
    return token in _AUX or bool(_SMALL.fullmatch(token))
