"""Answers to questions about a plot, worked out from what the evidence tells."""

from __future__ import annotations

from collections.abc import Callable

from gswlab.core.nouns import Answer, Evidence
from gswlab.question.plots import Form, wanted
from gswlab.reader.plot import ordered, tied
from gswlab.reader.plot.asked import Asked
from gswlab.reader.plot.matching import best, named_in, ranked
from gswlab.reader.plot.story import Story


def plot_answer(question: str, evidence: Evidence) -> Answer | None:
    """The answer or why there is none; None where the evidence tells of no plot.

    >>> from gswlab.core.nouns import Item
    >>> items = (Item("Ann and Bo: enemy (event 3), friend (event 4).", (), None, 1.0),)
    >>> asked = "In which event do Ann and Bo become friends?"
    >>> plot_answer(asked, Evidence(items, 0)).items
    ('4',)
    """
    story = Story.of(evidence)
    if not story.told:
        return None
    names = named_in(question, story.names)
    asked = Asked(question, wanted(question, len(names)), names, story)
    answer = _FORMS[asked.wanted.form](asked)
    return answer or Answer((), True, (), (), f"not told: {asked.wanted.form}")


def _role(asked: Asked) -> Answer | None:
    person = asked.story.people.get(asked.names[0])
    return asked.said([person.role], [person.name], "role") if person else None


def _who(asked: Asked) -> Answer | None:
    """Whoever is described most like the question; at a tie the first handed over."""
    texts = {
        name: f"{person.role} {person.description}"
        for name, person in asked.story.people.items()
        if name not in asked.names
    }
    found = ranked(asked.question, texts)
    if not found:
        return None
    name = found[0][1]
    return asked.said([name], [name], texts[name])


def _what(asked: Asked) -> Answer | None:
    """What is said of whom the question names, else what is most like it."""
    for name in asked.names:
        if person := asked.story.people.get(name):
            return asked.said([person.description], [name], f"of {name}")
    texts: dict[object, str] = {n: p.description for n, p in asked.story.people.items()}
    texts |= {n: event.text for n, event in asked.story.events.items()}
    found = best(asked.question, texts)
    if found is None:
        return None
    return asked.said([texts[found]], [found], "the nearest sentence")


_FORMS: dict[Form, Callable[[Asked], Answer | None]] = {
    "changes": tied.changes,
    "events": tied.events,
    "ever": tied.ever,
    "first_tie": ordered.first_tie,
    "next": ordered.next_event,
    "before": ordered.before,
    "choice": ordered.choice,
    "change": tied.change,
    "relation": tied.relation,
    "role": _role,
    "who": _who,
    "what": _what,
}
