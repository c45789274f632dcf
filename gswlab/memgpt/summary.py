"""The recursive summary: of the old summary and of what is evicted now.

Without a model it is extractive: the sentences that say most of what no other says,
for their length, in the order they were said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from gswlab.baselines.bm25 import BM25
from gswlab.core.budget import count_tokens
from gswlab.core.nouns import TraceEvent
from gswlab.memgpt.nouns import Hit, Message, truncated
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import asked_event, failed
from gswlab.models.model import Model
from gswlab.models.prompt import prompt
from gswlab.text.sentences import sentences

MARK = " / "  # between the sentences of an extractive summary
_TOLD = re.compile(r"[A-Z]\w+|\d+|[ァ-ヺー]{2,}|[一-鿿]{2,}")
_WORDS = BM25(stopwords=True)


def extractive(summary: str, gone: Sequence[Message], most: int) -> str:
    """At most `most` tokens of the old summary's and the messages' own sentences.

    >>> said = Message(1, "user", "message", "Hm. I moved to Oslo.", 9, 1, "Ann")
    >>> extractive("", [said], 12)
    'Ann: I moved to Oslo.'
    """
    lines = [line for line in summary.split(MARK) if line]
    for message in gone:
        if message.kind == "message":  # a sentence a line, with who said it and when
            lead, _, _ = Hit(message).text.partition(message.text)
            parts = (message.text[start:end] for start, end in sentences(message.text))
            lines += [lead + " ".join(part.split()) for part in parts]
    lines = list(dict.fromkeys(lines))
    texts = [_WORDS.words(line) for line in lines]
    held = Counter(word for words in texts for word in set(words))
    worth = [
        (sum(1 / held[w] for w in sorted(set(words))) + len(set(_TOLD.findall(line))))
        / (8 + count_tokens(line))
        for line, words in zip(lines, texts, strict=True)
    ]
    kept: set[int] = set()
    room = most
    for at in sorted(range(len(lines)), key=lambda at: (-worth[at], at)):
        size = count_tokens(lines[at] + MARK)
        if texts[at] and size <= room:
            kept.add(at)
            room -= size
    return MARK.join(lines[at] for at in sorted(kept))


def by_model(
    model: Model,
    language: str,
    summary: str,
    gone: Sequence[Message],
    most: int,
    window: int,
) -> tuple[str, list[TraceEvent]]:
    """A model's summary, and what asking it came to; what is too long in two rounds.

    A call that fails leaves the extractive summary, and says so.
    """
    told = "\n".join(Hit(entry).text for entry in gone if entry.kind == "message")
    if len(gone) > 1 and count_tokens(told) > 0.75 * window:
        events: list[TraceEvent] = []
        half = len(gone) // 2
        for part in (gone[:half], gone[half:]):
            summary, more = by_model(model, language, summary, part, most, window)
            events += more
        return summary, events
    words = prompt("memgpt_summary", language)
    turns = words.turns(summary=summary, messages=truncated(told, int(0.75 * window)))
    events = [asked_event("summary", words, model)]
    try:
        said = model.ask(Ask(turns, "summary", max_tokens=2 * most)).text
    except ModelError as failure:
        events.append(failed("summary", failure))
        return extractive(summary, gone, most), events
    return truncated(" ".join(said.split()), most), events
