"""Token budgets: items cut to what a reader may be handed, counted to the token.

What is handed over is `Evidence.text`: texts, what is behind them written out, and
separators; that is what is counted, and all that a reader may read.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any

from gswlab.core.nouns import JSON, Evidence, Item, TraceEvent

_MOST, _NEAR = 200_000, 1_000  # characters that are encoded at once; where it is cut
_PARTED = re.compile(r"(?<=\S) (?=[^\W\d_])")


def count_tokens(text: str) -> int:
    """How many cl100k_base tokens `text` is; special tokens count as plain text.

    >>> count_tokens("Mara closed the door.")
    6
    """
    try:
        return sum(_counter()(part) for part in _parts(text))
    except UnicodeEncodeError:  # half a character, as JSON of others may have
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return count_tokens(whole)


def _parts(text: str) -> Iterator[str]:
    """A text in pieces that the encoder takes, parted where its tokens part anyway.

    One space before a letter always begins a token.
    """
    while len(text) > _MOST:
        spaces = _PARTED.finditer(text, _MOST - _NEAR, _MOST)
        at = max((space.start() for space in spaces), default=_MOST)
        yield text[:at]
        text = text[at:]
    yield text


@cache
def _counter() -> Callable[[str], int]:
    """The encoder itself: the package around it first unpacks all its vocabularies."""
    package: Any = find_spec("bpe_openai")
    found: Any = PathFinder.find_spec(
        "bpe_openai._bindings", package.submodule_search_locations
    )
    bindings: Any = module_from_spec(found)
    found.loader.exec_module(bindings)
    count: Callable[[str], int] = bindings.tokenizer_for_encoding("cl100k_base").count
    return count


def fitting(forms: Iterable[Sequence[Item]], budget: int) -> tuple[Item, ...]:
    """The first form that fits `budget` whole; else the last one, cut to fit.

    >>> long, short = Item("a long story", (), 1, 1.0), Item("short", (), 1, 1.0)
    >>> fitting([[long], [short]], 1)[0].text
    'short'
    """
    last: Sequence[Item] = ()
    for last in forms:  # made one by one: mostly the first fits
        if tokens_of(last) <= budget:
            return tuple(last)
    return cut(last, budget)


def tokens_of(items: Sequence[Item]) -> int:
    """Tokens of the text that handing over `items` amounts to."""
    return count_tokens(Evidence(tuple(items), 0).text)


def text_alone(evidence: Evidence) -> Evidence:
    """The same evidence with nothing behind its text, counted anew."""
    items = tuple(replace(item, facts=(), told=None) for item in evidence.items)
    return replace(evidence, items=items, tokens=tokens_of(items))


def retrieved(items: Sequence[Item], data: Mapping[str, JSON]) -> Evidence:
    """Items as evidence, their tokens counted, with one trace event that says why."""
    spans = tuple(dict.fromkeys(span for item in items for span in item.spans))
    event = TraceEvent("retrieved", {**data, "items": len(items)}, spans)
    return Evidence(tuple(items), tokens_of(items), (event,))


def cut(items: Sequence[Item], budget: int) -> tuple[Item, ...]:
    """As many items from the front as fit.

    Doubled, then bisected: each count reads the text, and a ranking may be a book long.
    """
    high = 1
    while high < len(items) and tokens_of(items[:high]) <= budget:
        high *= 2
    low = high // 2
    more = range(low + 1, min(high, len(items)) + 1)
    fits = bisect(more, budget, key=lambda many: tokens_of(items[:many]))
    return tuple(items[: low + fits])
