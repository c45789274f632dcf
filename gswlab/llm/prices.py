"""What a model's tokens cost: a file of the user's, since prices change."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import yaml

from gswlab.core.errors import GswlabError, checked

_RULE = "a YAML file, MODEL: {input: MONEY, output: MONEY} per million tokens"
_SETTING = "llm.ledger.prices"


class Price(NamedTuple):
    """Money per million tokens."""

    input: float
    output: float

    def of(self, read: int, wrote: int) -> float:
        """The money of tokens.

        >>> Price(2.0, 8.0).of(1_000_000, 500_000)
        6.0
        """
        return (self.input * read + self.output * wrote) / 1_000_000


def read_prices(file: str) -> dict[str, Price]:
    """The prices in a file, by the name of the model."""
    try:
        data = yaml.safe_load(Path(file).read_bytes())
    except (OSError, yaml.YAMLError) as error:
        problem = f"{file} cannot be read: {error}"
        raise GswlabError(problem, _RULE, f"{_SETTING}=FILE") from error
    prices: dict[str, Price] = checked(data, dict[str, Price], _SETTING)
    return prices
