"""What a verb phrase tells, as one plain sentence with its place, time and spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gswlab.core.nouns import Occurrence, Place, Span, Time, VerbPhrase
from gswlab.core.workspace import Workspace
from gswlab.language.dates.format import format_date

_IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_DETERMINED = frozenset(
    {"a", "an", "the", "his", "her", "its", "their", "this", "that"}
)
_MODAL = {"hypothetical": "may", "planned": "plans to"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """One plain sentence and what it rests on."""

    text: str
    spans: tuple[Span, ...]
    chapter: int | None = None


def happening(workspace: Workspace, phrase: VerbPhrase) -> Sentence | None:
    """A verb phrase as a sentence, with its time and place; None without a span."""
    if not phrase.spans:
        return None
    by_slot: dict[str, list[str]] = {}
    for argument in phrase.arguments:
        name = _with_article(_named(workspace, argument.actor)) or argument.text
        by_slot.setdefault(argument.slot, []).append(name)
    agent = " and ".join(by_slot.get("agent", ())) or "someone"
    objects = [
        *by_slot.get("patient", ()),
        *(f"to {name}" for name in by_slot.get("recipient", ())),
    ]
    words = [
        agent,
        _verb(phrase, _many(by_slot.get("agent", ()))),
        *objects,
        *by_slot.get("purpose", ()),
    ]
    marks, cited = _where_and_when(workspace, phrase, by_slot)
    text = f"{' '.join(words)}{marks}."
    spans = united([phrase.spans, *(a.spans for a in phrase.arguments), *cited])
    return Sentence(text[0].upper() + text[1:], spans, phrase.chapter)


def retold(workspace: Workspace, told: Occurrence) -> Sentence:
    """An occurrence as a sentence: its verb phrase, or what somebody is."""
    found = workspace.nouns.get(told.id)
    said = happening(workspace, found) if isinstance(found, VerbPhrase) else None
    if said is not None:
        return said
    (_, who), (slot, what) = told.slots
    text = f"{who.value} is {'at ' if slot == 'place' else ''}{what.value}."
    return Sentence(text, told.spans, told.chapter)


def _where_and_when(
    workspace: Workspace, phrase: VerbPhrase, by_slot: dict[str, list[str]]
) -> tuple[str, list[tuple[Span, ...]]]:
    """Place and time in brackets, and what the anchors among them rest on."""
    marks, cited = [], []
    for slot, noun_id in (("place", phrase.place), ("time", phrase.time)):
        anchored, spans = _anchor(workspace, noun_id, phrase.chunk)
        said = next((n for n in (anchored, *by_slot.get(slot, ())) if n), "")
        if said:
            marks.append(said)
        if anchored:
            cited.append(spans)
    return (f" ({', '.join(marks)})" if marks else ""), cited


def _anchor(
    workspace: Workspace, noun_id: str | None, chunk: str | None
) -> tuple[str, tuple[Span, ...]]:
    """An anchor in words, and where the text says it: in the chunk, or first of all."""
    noun = workspace.nouns.get(workspace.resolve(noun_id)) if noun_id else None
    if not isinstance(noun, Time | Place) or not (value := value_of(noun)):
        return "", ()
    named = [r for r in noun.readings if r.text]
    read = [r for r in named if r.chunk == chunk] or named[:1]
    return value, united(r.spans for r in read)


def value_of(noun: Time | Place) -> str:
    """A day in words, the name of a place; nothing where it is not known."""
    if isinstance(noun, Time):
        return format_date(noun.value) if noun.value else ""
    return noun.name or ""


def _named(workspace: Workspace, actor_id: str | None) -> str:
    if not actor_id or workspace.resolve(actor_id) not in workspace:
        return ""
    return str(workspace.get(actor_id).name)


def _with_article(name: str) -> str:
    """A common noun as a sentence has it: "the police", but "Ann", "his coat"."""
    first = name.split()[0] if name else ""
    common = name.isascii() and first[:1].islower() and first not in _DETERMINED
    return f"the {name}" if common else name


def _many(agents: Sequence[str]) -> bool:
    """Whether an agent takes the plural: several, "the police", "the two sailors"."""
    if len(agents) != 1:
        return len(agents) > 1
    last = agents[0].split()[-1:]
    plural = last == ["police"] or (last and re.search("[^su]s$", last[0]))
    return bool(plural) and agents[0].startswith("the ")


def _verb(phrase: VerbPhrase, many: bool = False) -> str:
    first, _, rest = phrase.predicate.partition(" ")
    if modal := _MODAL.get(phrase.modality):
        return f"{modal} {'not ' if phrase.negated else ''}{phrase.predicate}"
    if phrase.negated:
        return f"{'do' if many else 'does'} not {phrase.predicate}"
    said = "reportedly " if phrase.modality == "reported" else ""
    return f"{said}{first if many else _third(first)} {rest}".strip()


def _third(verb: str) -> str:
    """The third person of an English base form; other scripts stay as they are."""
    if verb in _IRREGULAR or not verb.isascii():
        return _IRREGULAR.get(verb, verb)
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def united(groups: Iterable[tuple[Span, ...]]) -> tuple[Span, ...]:
    """Spans of several groups, each once, in order of arrival."""
    return tuple(dict.fromkeys(span for group in groups for span in group))
