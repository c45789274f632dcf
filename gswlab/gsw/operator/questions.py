"""Questions: the open slots of each verb phrase, and what its event makes likely.

Agent, patient, place and time are asked, the rest where the text says something of it.
One stays open only where an answer would matter: a state of somebody named changed.
Forward questions (`forward.tsv`) are open until a later chunk answers them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gswlab.core.nouns import Filler, Question, QuestionStatus, Slot, VerbPhrase
from gswlab.gsw.operator.mentions import Cast
from gswlab.language.language import DEFAULT, of
from gswlab.language.lexicon import words
from gswlab.language.verbs import third_person

_ALWAYS: tuple[Slot, ...] = ("agent", "patient", "place", "time")
_SENSIBLE: tuple[Slot, ...] = ("manner", "purpose", "recipient", "instrument")


def find_questions(cast: Cast, phrases: Sequence[VerbPhrase]) -> tuple[Question, ...]:
    """The questions of a chunk, answered or open, then its predictions."""
    language = cast.parsed.language
    found = [(p, q) for p in phrases for q in _checklist(cast, p)]
    # What a reader now expects to learn, if the event was asserted or is planned.
    real = (p for p in phrases if not p.implied and p.modality != "hypothetical")
    for phrase in (p for p in real if not p.negated):
        reason = f"makes likely: {phrase.predicate}"
        for verb, slot, text in of(language).having("forward").table("forward"):
            if verb == phrase.predicate:
                asked = Question("", text, slot, predicted=True, reason=reason)
                found.append((phrase, asked))
    return tuple(
        replace(q, id=f"q{i}", verb_phrase=p.id, spans=p.spans, chunk=p.chunk)
        for i, (p, q) in enumerate(found, 1)
    )


def _checklist(cast: Cast, phrase: VerbPhrase) -> Iterator[Question]:
    if phrase.implied or phrase.modality == "hypothetical":
        return
    verb, groups = phrase.predicate.split(" ")[0], ("motion", "posture", "looking")
    intransitive = verb == "be" or any(verb in words(group) for group in groups)
    filled = defaultdict[Slot, list[Filler]](list)
    for a in phrase.arguments:
        filled[a.slot].append(Filler(a.text, a.spans, a.actor, phrase.chunk))
    named = {m.id for m in cast if m.form in ("name", "short") and m.value is None}
    matters = bool(phrase.effects) and not phrase.negated
    matters &= any(argument.actor in named for argument in phrase.arguments)
    persons = {member.id for member in cast if member.kind == "person"}
    patients = {filler.actor for filler in filled["patient"]}
    object_ = " someone" if patients <= persons else " something"
    object_ = object_ if patients and not intransitive else ""
    for slot in (*_ALWAYS, *(s for s in _SENSIBLE if s in filled)):
        answers = tuple(filled[slot])
        if answers or (matters and not (slot == "patient" and intransitive)):
            text = wording(phrase.predicate, slot, object_, cast.parsed.language)
            status: QuestionStatus = "answered" if answers else "open"
            yield Question("", text, slot, status=status, answers=answers)


def wording(
    predicate: str, slot: Slot, object_: str = "", language: str = DEFAULT
) -> str:
    """A generic question for a slot.

    >>> wording("pick up", "agent", " something"), wording("arrest", "time", " someone")
    ('Who or what picks up something?', 'When does someone arrest someone?')
    """
    verb, *particles = predicate.split(" ")
    third = " ".join([third_person(verb), *particles])
    form = of(language).having("questions").pairs("questions")[slot]
    return form.format(third=third, base=predicate, object=object_)
