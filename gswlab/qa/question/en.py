"""English questions: the kind of event that one names, and the words beside it."""

from __future__ import annotations

from gswlab.language.event_types import Inventory
from gswlab.language.keys import Word, key_words
from gswlab.language.lexicon import noun_class
from gswlab.language.stems import folded_stem
from gswlab.qa.question.names import Names
from gswlab.qa.question.stopwords import event_like, is_scaffold, like, scaffold

# Dates and names are masked by now. What remains names a kind of event if the workspace
# knows it as one, or if it looks like one after an article or a preposition.

_JOINTS = (" ", "-", "'", "' ", "'s ", "’ ", "’s ", " and ", " of ", " & ")


def content(masked: str, names: Names) -> tuple[str | None, tuple[str, ...]]:
    """The lower-case name of a kind of event in a masked question, and other words."""
    text = like("scaffold").sub(lambda m: "-" * len(m.group()), masked)
    runs, is_form = _runs(text), Inventory.general().is_form
    ranks = {n: r for n, run in enumerate(runs) if (r := _rank(masked, run, names))}
    ranked = sorted(ranks, key=lambda n: (-ranks[n], not is_form(runs[n][-1].text)))
    best = runs[ranked[0]] if ranked else None
    rest = tuple(word.text for run in runs if run is not best for word in run)
    named = text[best[0].start : best[-1].end].strip("'") if best else None
    return named, rest


def _runs(text: str) -> list[list[Word]]:
    """Runs of neighbouring words that questions are not built of.

    Words touching them that may be part of the name of a kind of event are of them.
    """
    runs: list[list[tuple[Word, bool]]] = []
    is_form = Inventory.general().is_form
    for word in key_words(text):
        own = not (is_scaffold(word.text) or word.text.isdigit() or len(word.text) < 2)
        last, was_own = runs[-1][-1] if runs else (word, False)
        joints = _JOINTS if own and was_own else (" ", "-")
        joined = text[last.end : word.start] in joints
        # a "wig fitting", a "mail sorting night", though questions have such words
        noun = word.text.endswith("ing") and noun_class(word.text)
        after = joined and was_own and (noun or is_form(word.text))
        inside = after or folded_stem(word.text) in scaffold("inside")
        if text[word.start - 1 : word.start] == "⟨" or not (own or inside):
            continue
        if not (runs and joined):
            runs.append([])
        runs[-1].append((word, own))
    return [[word for word, _ in run] for run in runs if any(own for _, own in run)]


def _rank(text: str, run: list[Word], names: Names) -> int:
    """How surely a run names a kind of event; 0 is not at all."""
    before, label = text[: run[0].start], text[run[0].start : run[-1].end]
    looks, many = event_like(label), len(run) > 1
    if not many and like("doer").search(before):
        return 0  # "do you pass"
    # One word may name a kind: no "room", though there be an escape room.
    if (many or looks or label.casefold().endswith("ing")) and names.knows_kind(label):
        return 2
    stands = like("noun" if looks else "each").search(before)
    return int(bool(stands) and (looks or many))
