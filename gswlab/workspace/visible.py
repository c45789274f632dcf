"""Text from outside as one may show it: nothing in it moves, hides or rewrites."""

from __future__ import annotations

from functools import cache

_BIDI = (0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069)


@cache
def _veil() -> dict[int, str]:
    controls = {c: chr(0x2400 + c) for c in range(32) if c not in (9, 10)}
    others = dict.fromkeys((*range(0x7F, 0xA0), *_BIDI, 0x2028, 0x2029), "\ufffd")
    return {**controls, **others}


def visible(text: str) -> str:
    r"""Control characters and bidirectional overrides made visible, one for one.

    >>> visible("a\x1b[31mb\u202ec")
    'a␛[31mb\ufffdc'
    """
    return text.translate(_veil())


def short(text: str, most: int = 60) -> str:
    r"""A visible text on one line, cut with an ellipsis.

    >>> short("Ann\n left", 6)
    'Ann l…'
    """
    flat = " ".join(visible(text[: 4 * most]).split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
