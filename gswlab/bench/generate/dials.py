"""What makes a book harder, one dial each: the share of chapters it touches, 0 to 1."""

from __future__ import annotations

import random
from dataclasses import dataclass, fields
from typing import Annotated

from pydantic import Field

from gswlab.core.errors import checked

Share = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True)
class Dials:
    """Strengths, all 0 by default: the book is then as plain as EpBench's.

    roles       the protagonist's role changes, and returns, from day to day
    conflicts   a state is told, and somebody else reports its opposite
    flashbacks  a scene of another time and place, or of an order nobody remembers
    homonyms    people share first and last names with one another
    aliases     a person is named in full once in the book, then by a nickname
    pronouns    the protagonist's name stands once; all else is he or she
    dates       one to three other dates stand in the chapter

    A chapter touched at one strength is touched at every higher one.
    """

    roles: float = 0.0
    conflicts: float = 0.0
    flashbacks: float = 0.0
    homonyms: float = 0.0
    aliases: float = 0.0
    pronouns: float = 0.0
    dates: float = 0.0

    def __post_init__(self) -> None:
        for name in self.names():
            checked(getattr(self, name), Share, f"dataset.dials.{name}")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The dials, in order."""
        return tuple(field.name for field in fields(cls))

    def touches(self, name: str, seed: int, chapter: int) -> bool:
        """Whether the dial `name` changes a chapter."""
        strength: float = getattr(self, name)
        return random.Random(f"{name} {seed} {chapter}").random() < strength
