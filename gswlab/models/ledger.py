"""What models cost: calls, tokens, money, seconds, by stage and chunk; and its limit.

Notes:
- a budget is hard: the most a call can cost is set aside before it is made, so that
  calls made at once cannot overspend together;
- what came from the cassette is counted and costs nothing;
- prices are a file of yours, money per million tokens; without one money is unknown,
  which is not the same as nothing; what a server read out of its own cache of prompts
  may have a price of its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property, reduce
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import yaml
from pydantic import TypeAdapter, ValidationError

from gswlab.core.cost import HOW, NOTHING, Cost, Entry
from gswlab.core.display import Displayed
from gswlab.core.errors import GswlabError, checked, shell_word
from gswlab.core.files import content, own
from gswlab.models.ask import StoppedError

if TYPE_CHECKING:
    import pandas as pd


_SETTING = "llm.ledger.prices"


class TokenPrice(NamedTuple):
    """Money per million tokens."""

    input: float
    output: float
    cached: float | None = None

    def of(self, read: int, wrote: int, cached: int = 0) -> float:
        """The money of tokens, of which some were read from a server's cache.

        >>> TokenPrice(2.0, 8.0).of(1_000_000, 500_000)
        6.0
        """
        less = 0.0 if self.cached is None else (self.input - self.cached) * cached
        return (self.input * read + self.output * wrote - less) / 1_000_000


def read_prices(file: str) -> dict[str, TokenPrice]:
    """The prices in a file, by the name of the model."""
    try:
        data = yaml.safe_load(Path(file).read_bytes())
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        problem = f"{file} cannot be read: {' '.join(str(error).split())}"
        rule = "a YAML file, MODEL: {input: MONEY, output: MONEY} per million tokens"
        raise GswlabError(problem, rule, f"{_SETTING}=FILE") from error
    prices: dict[str, TokenPrice] = checked(data, dict[str, TokenPrice], _SETTING)
    return prices


_What = Literal["stage", "chunk"]


@dataclass
class Ledger(Displayed):
    """The calls of a run and the budget that stops it.

    `prices` is a YAML file, `MODEL: {input: MONEY, output: MONEY}`.

    >>> print(Ledger())
    0 calls, 0 replayed, 0 + 0 tokens, 0.0000 money, 0.0 s
    """

    prices: str | None = field(default=None, metadata=HOW)
    max_calls: int | None = field(default=None, metadata=HOW)
    max_tokens: int | None = field(default=None, metadata=HOW)
    max_money: float | None = field(default=None, metadata=HOW)
    entries: list[Entry] = field(default_factory=list, repr=False, init=False)
    _file: Path | None = field(default=None, repr=False, init=False)
    _total: Cost = field(default=NOTHING, repr=False, init=False)
    _held: list[Entry] = field(default_factory=list, repr=False, init=False)
    _lock: Any = field(default_factory=Lock, repr=False, init=False)

    def keep(self, file: Path) -> None:
        """Write every entry to `file` from here on; a resumed run has those in it."""
        if whole := content(file):
            self.entries = entries(file)
            self._total = reduce(Cost.plus, map(self.cost, self.entries), NOTHING)
            if not whole.endswith(b"\n"):  # killed in the middle of a line
                os.truncate(file, whole.rfind(b"\n") + 1)
        self._file = file

    def hold(self, most: Entry) -> None:
        """Set aside the most that a call can cost, before it is made.

        Raises:
            StoppedError: the budget does not hold it; the call must not be made.
        """
        with self._lock:
            cost = reduce(Cost.plus, map(self.cost, [*self._held, most]), self._total)
            tokens = cost.input_tokens + cost.output_tokens
            if self.max_money is not None and cost.money is None:
                problem = f"the price of {most.model} is unknown"
                rule = "a budget of money needs prices: MODEL: {input: 0, output: 0}"
                raise GswlabError(problem, rule, f"{_SETTING}=FILE")
            limits = {
                "max_calls": (cost.calls, self.max_calls),
                "max_tokens": (tokens, self.max_tokens),
                "max_money": (cost.money or 0.0, self.max_money),
            }
            for name, (spent, limit) in limits.items():
                if limit is not None and spent > limit:
                    problem = f"the next call could bring {name} to {spent:g}"
                    rule = f"the budget is {limit:g}; what was done is kept"
                    raise StoppedError(problem, rule, f"llm.ledger.{name}=NUMBER")
            self._held.append(most)

    def settle(self, most: Entry, entry: Entry) -> None:
        """Count what a call cost in place of what was set aside for it."""
        with self._lock:
            self._held.remove(most)
            self._add(entry)

    def add(self, entry: Entry) -> None:
        """Count a call that the cassette answered."""
        with self._lock:
            self._add(entry)

    def _add(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._total = self._total.plus(self.cost(entry))
        if self._file:
            with own(self._file).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(entry)) + "\n")

    def total(self) -> Cost:
        """What all calls so far cost."""
        return self._total

    def by(self, what: _What) -> dict[str, Cost]:
        """The sums per stage or per chunk that has any, in the order of first calls."""
        sums: dict[str, Cost] = {}
        for entry in self.entries:
            if name := getattr(entry, what):
                sums[name] = sums.get(name, NOTHING).plus(self.cost(entry))
        return sums

    def cost(self, entry: Entry) -> Cost:
        """What one call cost."""
        if entry.outcome == "cached":
            return NOTHING._replace(cached=1, seconds=entry.seconds)
        tokens = entry.input_tokens, entry.output_tokens
        price = self._prices.get(entry.model)
        money = price.of(*tokens, entry.cached_tokens) if price else None
        return Cost(1, 0, *tokens, money, entry.seconds)

    def charged(self, ledger: Mapping[str, Any]) -> dict[str, Any]:
        """A run folder's `ledger.json` with the calls of models in it."""
        cost = self.total().to_dict()
        models = {"models": round(cost.pop("seconds") or 0.0, 3)}
        sums = {
            f"{what}s": {name: part.to_dict() for name, part in self.by(what).items()}
            for what in get_args(_What)
        }
        hits = sum(e.cached_tokens for e in self.entries if e.outcome != "cached")
        cost |= {"cached_input_tokens": hits} if hits else {}
        return {**ledger, **cost, "seconds": {**ledger["seconds"], **models}, **sums}

    @cached_property
    def _prices(self) -> dict[str, TokenPrice]:
        return read_prices(self.prices) if self.prices else {}

    def to_frame(self) -> pd.DataFrame:
        """One row a call, in the order they were made."""
        import pandas as pd

        columns = [f.name for f in fields(Entry)]
        return pd.DataFrame([asdict(entry) for entry in self.entries], columns=columns)

    def __str__(self) -> str:
        return self.total().words()


def entries(file: Path) -> list[Entry]:
    """The calls that a run has on disk; half a line, of a killed process, is none.

    Raises:
        GswlabError: a line is no call.
    """
    whole, _, _ = content(file).rpartition(b"\n")
    reader = TypeAdapter(Entry)
    try:
        return [reader.validate_json(line) for line in whole.splitlines()]
    except ValidationError as error:
        rule = "a line a call, as a run writes them"
        said = error.errors()[0]["msg"]
        raise GswlabError(
            f"{file} is no ledger: {said}", rule, f"rm {shell_word(file)}"
        ) from None
