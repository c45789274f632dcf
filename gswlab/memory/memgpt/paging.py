"""Virtual memory's own terms for what a search does to a window.

A row in the window is resident. Each row that a search finds is a reference: to a
resident row a hit, to any other a page-in. A search with a page-in is a page fault,
however many rows it brings. What is evicted, message or row of a result, is paged out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass
class Paging:
    """The counts of one turn.

    >>> paging = Paging()
    >>> paging.refer(["p1", "p2"], resident={"p2"})
    ['p1']
    >>> paging.to_dict()["hit_rate"], paging.faults
    (0.5, 1)
    """

    faults: int = 0
    hits: int = 0
    page_ins: int = 0
    page_outs: int = 0
    prefetched: int = 0

    def refer(self, keys: Iterable[str], resident: Iterable[str]) -> list[str]:
        """Count references; the rows that are paged in by them."""
        asked, held = list(dict.fromkeys(keys)), set(resident)
        new = [key for key in asked if key not in held]
        self.hits += len(asked) - len(new)
        self.page_ins += len(new)
        self.faults += bool(new)
        return new

    @property
    def hit_rate(self) -> float | None:
        """Hits of all references; None where there was none."""
        total = self.hits + self.page_ins
        return self.hits / total if total else None

    def to_dict(self) -> Mapping[str, int | float | None]:
        """All counts and the hit rate, rounded to four digits."""
        rate = self.hit_rate
        counts = {name: getattr(self, name) for name in self.__annotations__}
        return {**counts, "hit_rate": None if rate is None else round(rate, 4)}
