"""A text grammar in `data/prose.tsv`: symbols with many texts, expanded by chance.

- `[symbol]` is replaced by one of its texts, each used once before any comes again;
- `{slot}` is replaced by a value, `{slot.his}` by a pronoun of it.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from gswlab.bench.generate.universe import rows

# A speech ends in a comma before the verb that says whose it is.
_SPEECH = re.compile(
    r'\."(?= (?:[a-z]|[\w-]+(?: [\w-]+)? (?:said|asked|called|told|whispered)\b))'
)
_SYMBOL = re.compile(r"\[(\w+)\]")
_SLOT = re.compile(r"\{(\w+)(?:\.(\w+))?\}")
_FORMS = {
    "f": {"he": "she", "him": "her", "his": "her", "self": "herself"},
    "m": {"he": "he", "him": "him", "his": "his", "self": "himself"},
}


@dataclass(frozen=True, slots=True)
class Reference:
    """Somebody as a sentence speaks of them: by `name`, or by a pronoun if None."""

    name: str | None
    gender: str

    def form(self, case: str | None) -> str:
        """The subject, or `obj`ect, `own`er, or a pronoun: `he`, `him`, `his`, `self`.

        >>> Reference("Ann", "f").form("own"), Reference(None, "f").form("obj")
        ("Ann's", 'her')
        """
        forms = _FORMS[self.gender]
        if case == "own":
            return f"{self.name}'s" if self.name else forms["his"]
        if case in (None, "obj"):
            return self.name or forms["he" if case is None else "him"]
        return forms[case]


Slot = Callable[[], str | Reference]


@cache
def productions() -> Mapping[str, tuple[str, ...]]:
    """The texts of each symbol."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for symbol, text in rows("prose.tsv"):
        found[symbol].append(text)
    return {symbol: tuple(texts) for symbol, texts in found.items()}


@dataclass
class Grammar:
    """Texts drawn from decks.

    `extra` has the symbols that one chapter adds; one that is used up draws from the
    symbol that `then` names for it.
    """

    rng: random.Random
    extra: Mapping[str, Sequence[str]] = field(default_factory=dict)
    then: Mapping[str, str] = field(default_factory=dict)
    _decks: dict[str, list[str]] = field(default_factory=dict)

    def draw(self, symbol: str) -> str:
        """The next text of a symbol, unexpanded."""
        if not self._decks.get(symbol):
            if symbol in self._decks and symbol in self.then:
                return self.draw(self.then[symbol])
            texts = self.extra.get(symbol) or productions()[symbol]
            self._decks[symbol] = self.rng.sample(texts, len(texts))
        return self._decks[symbol].pop()

    def expand(self, text: str, slots: Mapping[str, Slot]) -> str:
        """`text` with its symbols and slots filled, from left to right."""
        while symbol := _SYMBOL.search(text):
            text = text.replace(symbol[0], self.draw(symbol[1]), 1)

        def filled(match: re.Match[str]) -> str:
            value = slots[match[1]]()
            return value.form(match[2]) if isinstance(value, Reference) else value

        return _SLOT.sub(filled, text)


def sentence(text: str) -> str:
    """A text as a sentence: a capital first, a full stop last.

    >>> sentence('rain fell'), sentence('"so it is." said Ann')
    ('Rain fell.', '"So it is," said Ann.')
    """
    text = _SPEECH.sub(',"', text.strip())
    text = re.sub(r'((?:^|[.!?]\s)"?)(\w)', lambda m: m[1] + m[2].upper(), text)
    return text if re.search(r'[.!?]"?$', text) else f"{text}."
