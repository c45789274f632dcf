"""How series are told apart: by colour, and by marker with dash, or by hatch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import Any, TypeVar

T = TypeVar("T")

# Okabe and Ito's colours and black, apart for every kind of sight; twenty-one memories
# need each three times, with another marker and dash.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "osD^vP*Xhd<>p8H+x1234"
_DASHES = ("-", "--", "-.")
STYLES: tuple[dict[str, Any], ...] = tuple(
    {
        "color": _COLOURS[n % len(_COLOURS)],
        "marker": marker,
        "linestyle": _DASHES[n // len(_COLOURS)],
    }
    for n, marker in enumerate(_MARKERS)
)
HATCHES = ("", "//", "..", "xx")
# Of what a paper reports, beside ours: dotted.
DOTS: tuple[dict[str, Any], ...] = tuple(
    {"marker": marker, "linestyle": ":"} for marker in "1234+x"
)


def styled(
    series: Iterable[T], styles: Iterable[dict[str, Any]] = STYLES
) -> Iterator[tuple[dict[str, Any], T]]:
    """Each series with its style, from the first style again after the last."""
    return zip(cycle(styles), series, strict=False)
