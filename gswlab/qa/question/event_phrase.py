"""The kind of event that a question names in lower case: what is left of it.

Dates and names are masked by now; words every question is built of say nothing. What
remains names a kind of event if the workspace knows it as one, if it stands where only
such a name can ("attended a ...", "a ... took place"), or if it looks like one after an
article or a preposition. Anything else is left to the reader of plain questions.
"""

from __future__ import annotations

import re

from gswlab.language.event_types import Inventory
from gswlab.language.keys import Word, kind_stems, words
from gswlab.language.stems import stem
from gswlab.qa.question.names import Names
from gswlab.qa.question.stopwords import (
    event_like,
    is_scaffold,
    may_be_inside,
    opens_sentence,
    scaffold,
)

_STRONG = re.compile(
    r"(?:\b(?:(?:relat|connect|t[yi]|link|pertain|devot|dedicat|belong|cent(?:er|re)"
    r"|revolv|focus|associat|concern)\w* (?:to|with|on|around|about)|involv\w+"
    r"|featur\w+|called|label+ed|entitled|titled|described as|classified as|counted as"
    r"|known as|termed|dubbed|(?:events?|gatherings?|occasions?|all|those|anything)"
    r" (?:concerning|regarding|about|around|surrounding)|kinds? of|types? of|sorts? of"
    r"|attend\w*|host\w*|h[eo]ld(?:ing|s)?|experienc\w*|join\w*|part in|enjoy\w*"
    r"|participat\w* in|we?nt to|go(?:es|ing|ne)? to|been to|stag(?:ed|ing)|put on"
    r"|occurrences? of"
    r"|(?:involvement|participation|presence|role|interest|stage|protagonist|characters?"
    r"|figures?|people|persons?|participants?|individuals?) (?:in|at|of)|both ⟨e⟩ and"
    r"|there (?:was|were|is|are|be|been|had been)|was there|were there|(?:dates?|days?"
    r"|venues?|places?|locations?|instances?|cases?|wherever|whenever) (?:of|for))"
    r"(?: (?:the|a|an|any|some|this|every|each|one|another|such))*|⟨e⟩'s) ?$",
    re.I,
)
_HELD = re.compile(
    r"^ (?:(?:was|were|is|are|be|been|being|has been|had been|would be|got|did) )*"
    r"(?:held|took place|takes place|taking place|take place|taken place|happen\w*"
    r"|occur\w*|hosted|staged|organi[sz]ed|put on|came about|go on|going on|went on"
    r"|events?|gatherings?|sessions?|occasions?)\b",
    re.I,
)
_WEAK = re.compile(
    r"(?:\b(?:a|an|the|any|some|every|each|this|that|these|those|another|of|at|for|with"
    r"|during|in|on|to|from|by|attend\w*|host\w*|held|hold|holds|holding|joined|saw|see"
    r"|witness\w*|includ\w+|was|were|as|his|her|their|all|which|what|between|and)"
    r"|⟨[tse]⟩'s?) ?$",
    re.I,
)
_OBJECT = re.compile(
    r" (?:the|an?|all|every|each|me|us|some|any|its|their|with|through|into)\b", re.I
)
_DOER = re.compile(r"\b(?:i|you|we|they|he|she|it|who) $", re.I)
_EACH = re.compile(r"\b(?:each|every|any|some) $", re.I)
_WHICH = re.compile(
    r"\b(?:what|which|the) (?:\w+ )?(?:kinds?|sorts?|types?|manner|variety|nature) of"
    r"(?: \w+)? ?$",
    re.I,
)
_JOINTS = (" ", "-", "'", "' ", "'s ", "’ ", "’s ", " and ", " of ", " & ")


def left_over(masked: str, names: Names) -> tuple[str | None, tuple[str, ...]]:
    """The lower-case name of a kind of event in a masked question, and other words."""
    text = scaffold().phrases.sub(lambda m: "-" * len(m.group()), masked)
    runs = _runs(text)
    known = Inventory.general()
    ranked = sorted(
        runs,
        key=lambda run: (
            -_rank(masked, run, names),
            not known.is_form(run[-1].text),
            run[0].start,
        ),
    )
    if not ranked or _rank(masked, ranked[0], names) == 0:
        return None, tuple(word.text for run in runs for word in run)
    best = ranked[0]
    others = tuple(word.text for run in runs if run is not best for word in run)
    return text[best[0].start : best[-1].end].strip("'"), others


def _runs(text: str) -> list[list[Word]]:
    """Runs of neighbouring words that questions are not built of."""
    runs: list[list[Word]] = []
    tokens = [w for w in words(text) if text[w.start - 1 : w.start] != "⟨"]
    for number, word in enumerate(tokens):
        if is_scaffold(word.text) or word.text.isdigit() or len(word.text) < 2:
            continue
        between = tokens[number - 1 : number]
        if runs and _joined(text, runs[-1][-1], word):
            runs[-1].append(word)
        elif (
            runs
            and between
            and _joined(text, runs[-1][-1], between[0])
            and _joined(text, between[0], word)
            and between[0].text.casefold().endswith("ing")  # perfume making class
        ):
            runs[-1] += [*between, word]
        else:
            runs.append([*_inner(text, tokens[:number][::-1], word)[::-1], word])
    for run in runs:
        after = [w for w in tokens if w.start > run[-1].start]
        run += _inner(text, after, run[-1]) or _form(text, after, run[-1])
        before = [w for w in tokens if w.start < run[0].start]
        run[:0] = _field(text, before, run)
    return runs


def _form(text: str, after: list[Word], last: Word) -> list[Word]:
    """A form right after a run, though questions have it too: "first aid course"."""
    known = Inventory.general()
    nearby = [w for w in after[:1] if text[last.end : w.start] == " "]
    return [w for w in nearby if known.is_form(w.text)]


def _field(text: str, before: list[Word], run: list[Word]) -> list[Word]:
    """A field right before a bare form, though questions have it too: "book launch"."""
    known = Inventory.general()
    if len(run) > 1 or not known.is_form(run[0].text):
        return []
    nearby = [w for w in before[-1:] if text[w.end : run[0].start] == " "]
    return [w for w in nearby if stem(w.text) in known.fields]


def _inner(text: str, neighbours: list[Word], word: Word) -> list[Word]:
    """Words touching `word` that may be part of the name of a kind of event."""
    found: list[Word] = []
    for other in neighbours:
        first, second = sorted((other, word), key=lambda w: w.start)
        if text[first.end : second.start] not in (" ", "-"):
            break
        if not may_be_inside(other.text):
            break
        found.append(other)
        word = other
    return found


def _joined(text: str, first: Word, second: Word) -> bool:
    return text[first.end : second.start] in _JOINTS


def _rank(text: str, run: list[Word], names: Names) -> int:
    """How surely a run names a kind of event; 0 is not at all."""
    before, label = text[: run[0].start], text[run[0].start : run[-1].end]
    if _WHICH.search(before) or _is_verb(text, run):
        return 0
    # One word may name a kind: no "room", though there be an escape room.
    sure = len(run) > 1 or kind_stems(label) in names.stems
    sure = sure or label.casefold().endswith("ing") or event_like(label)
    if names.knows_kind(label) and sure:
        return 3
    if _STRONG.search(before) or _HELD.search(text[run[-1].end :]):
        return 2
    if _EACH.search(before) and len(run) > 1:
        return 2
    return 1 if _WEAK.search(before) and event_like(label) else 0


def _is_verb(text: str, run: list[Word]) -> bool:
    """Whether a word is a verb: "Open the diary", "Travel with ⟨e⟩", "do you pass"."""
    start, word = run[0].start, run[0].text.casefold()
    if len(run) > 1 or word.endswith("ing"):
        return False
    bids = opens_sentence(text, start) and _OBJECT.match(text[run[-1].end :])
    return bool(bids) or bool(_DOER.search(text[:start]))
