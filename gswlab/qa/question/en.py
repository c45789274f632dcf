"""English questions to a `Cue`, compositional and without a table of templates.

1. dates are cut out, then the names of the workspace, longest first, then quoted and
   capitalised runs the workspace does not know (typed by the syntax around them);
2. what is asked and in which order is read off the masked question
   (`gswlab.qa.question.asked_for`);
3. what is left over, once the words every question is built of are gone
   (`scaffold.txt`), names the kind of event if it stands where a name of one can.
"""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.language.dates.find import find_dates
from gswlab.language.event_types import Inventory
from gswlab.language.keys import Word, key_words, kind_stems
from gswlab.language.stems import stem
from gswlab.qa.cue import Cue
from gswlab.qa.question.asked_for import (
    asked_of,
    order_of,
    speaks_of_events,
)
from gswlab.qa.question.names import (
    QUOTES,
    FoundName,
    Names,
    blanked,
    named,
    typed,
    unknown_runs,
)
from gswlab.qa.question.stopwords import (
    event_like,
    is_scaffold,
    may_be_inside,
    opens_sentence,
    phrasings,
    scaffold,
)

_MASK = {"date": "⟨t⟩", "place": "⟨s⟩", "protagonist": "⟨e⟩", "content": "⟨c⟩"}


def read(text: str, names: Names, entities: Sequence[str] | None = None) -> Cue:
    """The cue of an English question; with `entities` it has no other names.

    >>> read("On which days was there a pottery class?", Names()).content
    'pottery class'
    """
    hits = _cut(text, names, entities)
    values: dict[str, str] = {}
    # One value a field, a full name before a short form. A name the text does not have
    # is never dropped: where its field is taken it fills another.
    for hit in sorted(hits, key=lambda hit: (hit.unknown, hit.short, hit.start)):
        others = ("place", "protagonist", "content") if hit.unknown else ()
        free = [name for name in (hit.field, *others) if name not in values]
        values |= dict.fromkeys(free[:1], hit.value)
    masked = text
    for hit in sorted(hits, key=lambda hit: -hit.start):
        masked = masked[: hit.start] + _MASK[hit.field] + masked[hit.end :]
    content, rest = _left_over(masked, names)
    if content and "content" not in values:
        values["content"] = content
        masked = masked.replace(content, "⟨c⟩", 1)  # "the moot court final" is no last
    asked = asked_of(masked)
    if asked == "entities" and "protagonist" in values:
        asked = "other_entities"
    if asked == "contents" and len(values) == 4:
        asked = "details"
    if asked == "details" and len(values) < 4 and speaks_of_events(masked):
        asked = "contents"  # "describe the key events" of many asks what they were
    order = "all" if asked == "details" else order_of(masked)  # "from start to finish"
    return Cue(**values, asked=asked, order=order, rest=rest)


def _cut(text: str, names: Names, entities: Sequence[str] | None) -> list[FoundName]:
    """Dates, known names, then unknown quoted and capitalised runs."""
    hits = [
        FoundName(mention.start, mention.end, "date", mention.value)
        for mention in find_dates(text)
        if mention.value is not None and not mention.relative
    ]
    open_text = blanked(text, hits)
    if entities is not None:
        told = [entity.translate(QUOTES) for entity in entities]
        return [*hits, *named(open_text, told, names)]
    known = names.find(open_text)
    for run in unknown_runs(open_text, known):
        known = tuple(hit for hit in known if not run.start <= hit.start < run.end)
        hits.append(typed(text, run, names))
    return [*hits, *known]


# The kind of event that a question names in lower case: what is left of it. Dates and
# names are masked by now; words every question is built of say nothing. What remains
# names a kind of event if the workspace knows it as one, if it stands where only such
# a name can ("attended a ...", "a ... took place"), or if it looks like one after an
# article or a preposition. Anything else is left to the reader of plain questions.

_JOINTS = (" ", "-", "'", "' ", "'s ", "’ ", "’s ", " and ", " of ", " & ")


def _left_over(masked: str, names: Names) -> tuple[str | None, tuple[str, ...]]:
    """The lower-case name of a kind of event in a masked question, and other words."""
    text = scaffold().phrases.sub(lambda m: "-" * len(m.group()), masked)
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
        between = tokens[number - 1 : number]
        last = runs[-1][-1] if runs else word
        doing = between and between[0].text.casefold().endswith("ing")
        if runs and text[last.end : word.start] in _JOINTS:
            runs[-1].append(word)
        elif (
            runs
            and doing  # perfume making class
            and text[last.end : between[0].start] in _JOINTS
            and text[between[0].end : word.start] in _JOINTS
        ):
            runs[-1] += [*between, word]
        else:
            runs.append([*_inner(text, tokens[:number][::-1], word)[::-1], word])
    known = Inventory.general()
    for run in runs:
        after = [w for w in tokens if w.start > run[-1].start]
        beside = [w for w in after[:1] if text[run[-1].end : w.start] == " "]
        # a form right after a run, though questions have it too: "first aid course"
        form = [w for w in beside if known.is_form(w.text)]
        run += _inner(text, after, run[-1]) or form
        if len(run) == 1 and known.is_form(run[0].text):
            # a field right before a bare form: "book launch"
            before = [w for w in tokens if w.start < run[0].start]
            beside = [w for w in before[-1:] if text[w.end : run[0].start] == " "]
            run[:0] = [w for w in beside if stem(w.text) in known.fields]
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
    if phrasings()["which"].search(before):
        return 0
    if len(run) == 1 and not run[0].text.casefold().endswith("ing"):
        # a verb: "Open the diary", "Travel with ⟨e⟩", "do you pass"
        bids = opens_sentence(text, run[0].start) and phrasings()["object"].match(after)
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
