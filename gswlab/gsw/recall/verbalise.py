"""Summaries: what a workspace knows of an actor or an episode, in plain sentences.

Written by rule from roles, verb phrases, states and anchors, in the order of the text;
or by a model, where it is faithful. Source: arXiv 2511.07587, section 3 and appendix.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core import nouns
from gswlab.core.budget import count_tokens
from gswlab.core.cost import Cost
from gswlab.core.nouns import Actor, Episode, Item, Paragraph, Place, Time, VerbPhrase
from gswlab.core.workspace import Workspace
from gswlab.language.dates.find import find_dates
from gswlab.language.dates.format import format_date
from gswlab.language.keys import key_words, name_key
from gswlab.language.language import language_of
from gswlab.language.verbs import plural, verb_in_words
from gswlab.models.ask import Ask
from gswlab.models.ask_trace import Asking, HeardReply, ask_size, hear
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

Known: TypeAlias = VerbPhrase | Time | Place
FIELDS = ("date", "place", "protagonist", "kind")
_DETERMINED = ("a", "an", "the", "his", "her", "its", "their", "this", "that")


def happening(workspace: Workspace, phrase: VerbPhrase) -> Item | None:
    """A verb phrase as a sentence, with its time and place; None without a span."""
    if not phrase.spans:
        return None
    filled, cited = defaultdict[str, list[str]](list), [phrase.spans]
    for argument in phrase.arguments:
        name = _named(workspace, argument.actor) or argument.text
        filled[argument.slot].append(name)
        cited.append(argument.spans)
    agents, receives = filled["agent"], [f"to {name}" for name in filled["recipient"]]
    words = [" and ".join(agents) or "someone", verb_in_words(phrase, plural(agents))]
    words += [*filled["patient"], *receives, *filled["purpose"]]
    # Place and time in brackets, and what the anchors among them rest on.
    marks = []
    for slot, noun_id in (("place", phrase.place), ("time", phrase.time)):
        noun = workspace.nouns.get(workspace.resolve(noun_id or ""))
        if isinstance(noun, Time | Place) and (value := value_of(noun)):
            filled[slot].insert(0, value)
            read = [r for r in noun.readings if r.text]  # in the chunk, or first of all
            here = [r for r in read if r.chunk == phrase.chunk]
            cited += [r.spans for r in here or read[:1]]
        marks += [*filter(None, filled[slot])][:1]
    where = f" ({', '.join(marks)})" if marks else ""
    text = f"{' '.join(words)}{where}."
    return Item(text[0].upper() + text[1:], united(cited), phrase.chapter, 1.0)


def retold(workspace: Workspace, told: nouns.Occurrence) -> Item:
    """An occurrence as a sentence: its verb phrase, or what somebody is."""
    found = workspace.nouns.get(told.id)
    if isinstance(found, VerbPhrase) and (said := happening(workspace, found)):
        return said
    (_, who), (slot, what) = told.slots
    verb = {"place": "is at", "patient": "knows"}.get(slot, "is")
    text = f"{who.value} {verb} {what.value}."
    return Item(text, told.spans, told.chapter, 1.0)


def value_of(noun: Time | Place) -> str:
    """A day in words, the name of a place; nothing where it is not known."""
    if isinstance(noun, Time):
        return format_date(noun.value) if noun.value else ""
    return noun.name or ""


def _named(workspace: Workspace, actor_id: str | None) -> str:
    """A name as a sentence has it: "the police", but "Ann", "his coat"."""
    if not actor_id or workspace.resolve(actor_id) not in workspace:
        return ""
    name = str(workspace.get(actor_id).name)
    first = name.split()[0] if name else ""
    common = name.isascii() and first[:1].islower() and first not in _DETERMINED
    return f"the {name}" if common else name


def united(groups: Iterable[tuple[nouns.Span, ...]]) -> tuple[nouns.Span, ...]:
    """Spans of several groups, each once, in order of arrival."""
    return tuple(dict.fromkeys(span for group in groups for span in group))


def summarise(
    workspace: Workspace, actor: Actor, known: Sequence[Known]
) -> tuple[Item, ...]:
    """What is `known` of an actor, each sentence once, in the order of the text."""
    acts = (happening(workspace, n) for n in known if isinstance(n, VerbPhrase))
    coupled = (_at(n, actor) for n in known if not isinstance(n, VerbPhrase))
    found = [*filter(None, acts), *_qualities(actor), *filter(None, coupled)]
    found.sort(key=lambda sentence: sentence.spans[0])
    return tuple({sentence.text: sentence for sentence in found[::-1]}.values())[::-1]


def describe(episode: Episode) -> Item:
    """An episode as one paragraph: when, where, who, what, with whom, one detail."""
    with_, details = episode.participants, episode.details[:1]
    said = [record_of(episode).text]
    said += [f"With {', '.join(bound.value for bound in with_)}."] if with_ else []
    said += [f"{bound.value.rstrip('.')}." for bound in details]
    fields = (getattr(episode, name) for name in FIELDS)
    bounds = [bound for bound in (*fields, *with_, *details) if bound]
    text = " ".join(filter(None, said))
    return Item(text, united(b.spans for b in bounds), episode.chapter, 1.0)


def record_of(episode: Episode, keep: Iterable[str] = FIELDS) -> Item:
    """The shortest form of an episode: its chapter and the fields in `keep`."""
    bounds: list[nouns.Bound] = [b for name in keep if (b := getattr(episode, name))]
    when = episode.date
    texts = ", ".join(format_date(b.value) if b is when else b.value for b in bounds)
    label = "" if episode.chapter is None else f"Chapter {episode.chapter}: "
    spans = united(bound.spans for bound in bounds)
    return Item(f"{label}{texts}." if bounds else "", spans, episode.chapter, 1.0)


def sentences_of(workspace: Workspace) -> Iterator[Item]:
    """Every sentence that some actor's summary may hold, each once."""
    said = [happening(workspace, phrase) for phrase in workspace.verb_phrases]
    anchors: tuple[Time | Place, ...] = (*workspace.times, *workspace.places)
    said += [_at(a, workspace.get(a.actors[0])) for a in anchors if a.actors]
    yield from filter(None, said)
    for actor in workspace.actors:
        yield from _qualities(actor)


def _qualities(actor: Actor) -> Iterator[Item]:
    """What an actor is: its roles, then its states."""
    held: tuple[nouns.Role | nouns.State, ...] = (*actor.roles, *actor.states)
    for said in held:
        if said.spans:
            text = said.text.removeprefix("is ").removeprefix("was ")
            yield Item(f"{actor.name} is {text}.", _of(actor, said.spans), None, 1.0)


def _of(actor: Actor, spans: tuple[nouns.Span, ...]) -> tuple[nouns.Span, ...]:
    """Spans, and the last mention of whom they are said of."""
    said = [m.span for m in actor.mentions if m.span <= spans[-1]]
    near = said[-1:] or [m.span for m in actor.mentions[:1]]
    return tuple(dict.fromkeys((*spans, *near)))


def known_of(workspace: Workspace) -> dict[str, list[Known]]:
    """What each actor fills a slot of, and what it is coupled to, by the actor's id."""
    found: dict[str, list[Known]] = {}
    anchors: tuple[Time | Place, ...] = (*workspace.times, *workspace.places)
    held: list[tuple[Known, Iterable[str | None]]] = [(a, a.actors) for a in anchors]
    acts = [(p, [a.actor for a in p.arguments]) for p in workspace.verb_phrases]
    for noun, ids in (*acts, *held):
        for actor_id in dict.fromkeys(workspace.resolve(i) for i in ids if i):
            found.setdefault(actor_id, []).append(noun)
    return found


def _at(anchor: Time | Place, actor: Actor) -> Item | None:
    value, spans = value_of(anchor), united(r.spans for r in anchor.readings)
    said = f"{actor.name}: {'at ' if isinstance(anchor, Place) else ''}{value}."
    return Item(said, _of(actor, spans), None, 1.0) if value and spans else None


_STAGE = "actor_summary"
LONGEST_SUMMARY = 500  # tokens of a summary
_ROOM = 40  # tokens of a name, at most about
_SHORTEST = 6  # tokens of a paragraph and what parts it from the next, at least
_OPENS = re.compile(r"(?:^|[.!?:。！？]['\"”’)]*\s+|[\"“'‘(])$")
_KATAKANA = re.compile("[ァ-ヺー]{2,}")
_Draft: TypeAlias = tuple[str, tuple[str, ...]]


def paragraph(
    actor: Actor, sentences: Sequence[Item], chapter: int | None, score: float
) -> Paragraph:
    """Sentences about an actor as one item, written by rule: one after another."""
    facts = tuple(sentence.text for sentence in sentences)
    spans = united(sentence.spans for sentence in sentences)
    said = " ".join(facts), spans, chapter, score
    return Paragraph(*said, actor=actor.name, sentences=facts)


class SummaryReply(BaseModel):
    """What is known of an actor, as one paragraph."""

    paragraph: Annotated[str, Field(min_length=1, max_length=4000)]


@dataclass
class Writer:
    """Writes paragraphs anew by asking `model`, each set of facts once."""

    model: Model
    _replies: dict[_Draft, HeardReply] = field(default_factory=dict, repr=False)

    def written(
        self, items: Sequence[Item], places: Iterable[str]
    ) -> tuple[list[Item], list[nouns.TraceEvent]]:
        """Items in a model's words, and what came of it; `places` are all known."""
        about = {n: item for n, item in enumerate(items) if isinstance(item, Paragraph)}
        asks = dict[_Draft, Asking]()
        for actor, facts in ((p.actor, p.sentences) for p in about.values()):
            words = prompt(_STAGE, language_of(" ".join(facts)))
            turns = words.turns(actor=actor, facts="\n".join(facts))
            ask = Ask(turns, _STAGE, schema=SummaryReply, max_tokens=LONGEST_SUMMARY)
            if (actor, facts) not in self._replies:
                asks[actor, facts] = Asking(words, ask)
        self._replies |= hear(self.model, asks)
        found, events, known = list(items), list[nouns.TraceEvent](), tuple(places)
        for row, item in about.items():
            heard = self._replies[item.actor, item.sentences]
            if reply := heard.value(SummaryReply):
                text, facts = " ".join(reply.paragraph.split()), item.sentences
                heard.refused = list(unfaithful(text, " ".join(facts), known))
                found[row] = item if heard.refused else replace(item, text=text)
            events += heard.events
        return found, events

    def most(self, questions: int, budget: int, tokens: int) -> Cost:
        """The most that paragraphs cost: as many as a budget or the text holds."""
        read = ask_size(_STAGE, SummaryReply) + _ROOM + _SHORTEST
        held = min(questions * budget, tokens)
        return self.model.most(-(-held // _SHORTEST), read, LONGEST_SUMMARY)


def unfaithful(text: str, facts: str, places: Iterable[str]) -> Iterator[str]:
    """What a paragraph says that its facts do not, and what of them it leaves out.

    >>> list(unfaithful("Ann was in Paris.", "Ann is at the Old Mill.", ["Old Mill"]))
    ['it leaves out Old Mill', "the facts do not say 'Paris'"]
    """
    if (length := count_tokens(text)) > LONGEST_SUMMARY:
        yield f"it has {length} tokens, of {LONGEST_SUMMARY}"
    days, known = (
        {date.value for date in find_dates(each) if date.value and not date.relative}
        for each in (text, facts)
    )
    unsaid = (d for d in sorted(days) if not any(fact.startswith(d) for fact in known))
    yield from (f"the facts do not say {format_date(day)}" for day in unsaid)
    yield from (f"it leaves out {format_date(day)}" for day in sorted(known - days))
    here, there = _folded(text), _folded(facts)
    for place in sorted(dict.fromkeys(places)):
        name = f" {' '.join(name_key(place))} "
        if name.strip() and name in here and name not in there:
            yield f"the facts do not say {place}"
        elif name in there and name not in here:
            yield f"it leaves out {place}"
    # Capitalised words inside sentences, and katakana.
    for word in key_words(text):
        name = text[word.start : word.end]
        lacks = name[0].isupper() and f" {word.text} " not in there
        if lacks and not _OPENS.search(text[: word.start]):
            yield f"the facts do not say {name!r}"
    unsaid = (kana for kana in _KATAKANA.findall(text) if kana not in facts)
    yield from (f"the facts do not say {kana!r}" for kana in unsaid)


def _folded(text: str) -> str:
    return f" {' '.join(word.text for word in key_words(text))} "
