"""Sentences near a question, as a memory hands them over."""

from gswlab.core.nouns import Item, Span
from gswlab.qa.readers import grounds


def read_off(question, told):
    """What sentences near a question say of it; a `NearSentence` stands for itself."""
    items = [
        Item(
            one.text,
            (Span("t", 100 * n, 100 * n + len(one.text)),),
            None,
            1.0,
            near=1.0,
            before=one.before,
            under=(one.under, ()),
        )
        for n, one in enumerate(told if isinstance(told, list) else [told])
    ]
    found = grounds.read_off(question, items)
    return found and found[0]
