"""English questions: the kind of event that one names, and the words beside it."""

from __future__ import annotations

from gswlab.language.event_types import Inventory
from gswlab.language.keys import Word, key_words, kind_stems
from gswlab.qa.question.asked_for import asked_of, order_of
from gswlab.qa.question.names import Names
from gswlab.qa.question.stopwords import (
    event_like,
    is_scaffold,
    may_be_inside,
    opens_sentence,
    phrasings,
    scaffold_phrases,
)

__all__ = ["asked_of", "content", "order_of"]

# The kind of event that a question names in lower case: what is left of it. Dates and
# names are masked by now; words every question is built of say nothing. What remains
# names a kind of event if the workspace knows it as one, if it stands where only such
# a name can ("attended a ...", "a ... took place"), or if it looks like one after an
# article or a preposition. Anything else is left to the reader of plain questions.

_JOINTS = (" ", "-", "'", "' ", "'s ", "’ ", "’s ", " and ", " of ", " & ")


def content(masked: str, names: Names) -> tuple[str | None, tuple[str, ...]]:
    """The lower-case name of a kind of event in a masked question, and other words."""
    text = scaffold_phrases().sub(lambda m: "-" * len(m.group()), masked)
    runs, is_form = _runs(text), Inventory.general().is_form
    ranks = [_rank(masked, run, names) for run in runs]
    best = min(
        (place for place, rank in enumerate(ranks) if rank),
        key=lambda n: (-ranks[n], not is_form(runs[n][-1].text), runs[n][0].start),
        default=None,
    )
    others = (run for place, run in enumerate(runs) if place != best)
    rest = tuple(word.text for run in others for word in run)
    if best is None:
        return None, rest
    return text[runs[best][0].start : runs[best][-1].end].strip("'"), rest


def _runs(text: str) -> list[list[Word]]:
    """Runs of neighbouring words that questions are not built of."""
    runs: list[list[Word]] = []
    tokens = [w for w in key_words(text) if text[w.start - 1 : w.start] != "⟨"]
    for number, word in enumerate(tokens):
        if is_scaffold(word.text) or word.text.isdigit() or len(word.text) < 2:
            continue
        last = runs[-1][-1] if runs else word
        if runs and text[last.end : word.start] in _JOINTS:
            runs[-1].append(word)
        else:
            runs.append([*_inner(text, tokens[:number][::-1], word)[::-1], word])
    for run in runs:
        after = [w for w in tokens if w.start > run[-1].start]
        run += _inner(text, after, run[-1])
    return runs


def _inner(text: str, neighbours: list[Word], word: Word) -> list[Word]:
    """Words touching `word` that may be part of the name of a kind of event."""
    found: list[Word] = []
    for other in neighbours:
        first, second = sorted((other, word), key=lambda w: w.start)
        beside = text[first.end : second.start] in (" ", "-")
        if not beside or not may_be_inside(other.text):
            break
        found.append(other)
        word = other
    return found


def _rank(text: str, run: list[Word], names: Names) -> int:
    """How surely a run names a kind of event; 0 is not at all."""
    before, label = text[: run[0].start], text[run[0].start : run[-1].end]
    after = text[run[-1].end :]
    if len(run) == 1 and not run[0].text.casefold().endswith("ing"):
        # a verb: "Open the diary", "Travel with ⟨e⟩", "do you pass"
        bids = opens_sentence(text, run[0].start)
        if bids or phrasings()["doer"].search(before):
            return 0
    # One word may name a kind: no "room", though there be an escape room.
    sure = len(run) > 1 or kind_stems(label) in names.stems
    sure = sure or label.casefold().endswith("ing") or event_like(label)
    if names.knows_kind(label) and sure:
        return 3
    if phrasings()["strong"].search(before) or phrasings()["held"].search(after):
        return 2
    if phrasings()["each"].search(before) and len(run) > 1:
        return 2
    return 1 if phrasings()["weak"].search(before) and event_like(label) else 0
