"""A run of any length: one main character in every step, new nouns in each."""

from __future__ import annotations

from gswlab.core.nouns import Actor, Mention, Span, VerbPhrase
from gswlab.core.step import Extend, Put, Step


def story(length: int) -> list[Step]:
    steps = []
    for k in range(length):
        chunk, at = f"book:1:{k}", Span("book", 40 * k, 40 * k + 9)
        mention = Mention(at, "name", chunk, "Ann Ray")
        seen = (
            Extend("actor", "a1", "mentions", (mention,))
            if k
            else Put("actor", Actor("a1", "person", "Ann Ray", mentions=(mention,)))
        )
        actor = Actor(f"a{k + 2}", "object", f"lamp {k}", mentions=(mention,))
        verb = VerbPhrase(f"v{k + 1}", "light", spans=(at,), chunk=chunk)
        put = (Put("actor", actor), Put("verb_phrase", verb))
        steps.append(Step(k, chunk, (seen, *put)))
    return steps
