"""The tokens of a query, taken one by one, each error with where it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from gswlab.errors import GswlabError

T = TypeVar("T", bound=str)
_TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<number>-?\d{1,18}(?:\.\d{1,18})?(?!\w))|(?P<name>[^\W\d]\w*)"
    r"|(?P<mark><--|-->|<-|->|--|[-()\[\]{}:,.|=*;]))",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MEANT = {"n": "\n", "t": "\t", "r": "\r"}
_RULE = "MATCH one chain WHERE equalities RETURN names LIMIT a number"
_LONGEST = 10_000  # characters


class Tokens:
    """A text from left to right."""

    def __init__(self, text: str) -> None:
        if len(text) > _LONGEST:
            raise GswlabError(f"the query has {len(text)} characters", f"{_LONGEST}")
        self._text, self._at = text, 0

    def error(self, problem: str) -> GswlabError:
        """The error of what was met here."""
        return GswlabError(f"the query has {problem}, character {self._at}", _RULE)

    def word(self, word: str) -> None:
        """Take a keyword, in capitals or not."""
        if not self.is_word(word):
            raise self._unexpected(word)

    def is_word(self, word: str) -> bool:
        """Take a keyword if it is next."""
        found = self._next()
        if found and (found["name"] or "").upper() == word:
            self._at = found.end()
            return True
        return False

    def mark(self, *marks: str) -> str:
        """Take one of these marks."""
        if (found := self.maybe(*marks)) is None:
            raise self._unexpected(" or ".join(marks))
        return found

    def maybe(self, *marks: str) -> str | None:
        """Take one of these marks if it is next."""
        found = self._next()
        if found is None or found["mark"] not in marks:
            return None
        self._at = found.end()
        return found["mark"]

    def name(self) -> str:
        """Take a name."""
        if (found := self.maybe_name()) is None:
            raise self._unexpected("a name")
        return found

    def maybe_name(self) -> str | None:
        """Take a name if one is next."""
        found = self._next()
        if found is None or found["name"] is None:
            return None
        self._at = found.end()
        return found["name"]

    def one_of(self, names: Iterable[T]) -> T:
        """Take one of these names."""
        known = {str(name): name for name in names}
        found = self._next()
        if found is None or found["name"] not in known:
            raise self._unexpected(" or ".join(known) or "no name")
        self._at = found.end()
        return known[found["name"]]

    def value(self) -> str | int | float | bool:
        """Take a literal: text, a number, true or false."""
        found = self._next()
        if found is None or found["mark"]:
            raise self._unexpected("a value")
        self._at = found.end()
        if (text := found["text"]) is not None:
            return _ESCAPED.sub(lambda m: _MEANT.get(m[1], m[1]), text[1:-1])
        if (number := found["number"]) is not None:
            return float(number) if "." in number else int(number)
        if (word := found["name"].lower()) in ("true", "false"):
            return word == "true"
        raise self._unexpected("a value")

    def count(self) -> int:
        """Take a whole number above 0."""
        value = self.value()
        if type(value) is not int or value < 1:
            raise self._unexpected("a number of paths")
        return value

    def end(self) -> None:
        """Nothing may follow."""
        if self._text[self._at :].strip():
            raise self._unexpected("its end")

    def _next(self) -> re.Match[str] | None:
        return _TOKEN.match(self._text, self._at)

    def _unexpected(self, wanted: str) -> GswlabError:
        rest = self._text[self._at :].strip()[:20]
        return self.error(f"{rest!r} for {wanted}")
