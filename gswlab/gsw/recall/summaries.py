"""Paragraphs about one actor, by rule or by a model that is held to the rule's facts.

A model's paragraph takes the place of the rule's where it is faithful: no date, place
or other name that the facts lack, none of their dates and places left out, at most 500
tokens. Otherwise the rule's stands, and the evidence says why.

Source: arXiv 2511.07587, section 3 and appendix (entity summaries).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core.budget import count_tokens
from gswlab.core.cost import Cost
from gswlab.core.nouns import Actor, Item, Paragraph, TraceEvent
from gswlab.gsw.recall.verbalise import Sentence, united
from gswlab.language.dates.find import find_dates
from gswlab.language.dates.format import format_date
from gswlab.language.keys import key_words, name_key
from gswlab.language.language import language_of
from gswlab.models.ask import Ask
from gswlab.models.ask_trace import Asking, HeardReply, ask_size, hear
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

_STAGE = "actor_summary"
LONGEST_SUMMARY = 500  # tokens of a summary
_ROOM = 40  # tokens of a name, at most about
_SHORTEST = 6  # tokens of a paragraph and what parts it from the next, at least
_OPENS = re.compile(r"(?:^|[.!?:。！？]['\"”’)]*\s+|[\"“'‘(])$")
_KATAKANA = re.compile("[ァ-ヺー]{2,}")
_Draft: TypeAlias = tuple[str, tuple[str, ...]]


def paragraph(
    actor: Actor, sentences: Sequence[Sentence], chapter: int | None, score: float
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
    ) -> tuple[list[Item], list[TraceEvent]]:
        """Items with a model's words where it may have its own, and what came of it.

        `places` are all names of places that anybody knows.

        Raises:
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        about = [item for item in items if isinstance(item, Paragraph)]
        drafts = dict.fromkeys((p.actor, p.sentences) for p in about)
        new = {d: self._ask(*d) for d in drafts if d not in self._replies}
        self._replies |= hear(self.model, new)
        found, events, known = list(items), list[TraceEvent](), tuple(places)
        for row, item in enumerate(items):
            if not isinstance(item, Paragraph):
                continue
            heard = self._replies[item.actor, item.sentences]
            if reply := heard.value(SummaryReply):
                text = " ".join(reply.paragraph.split())
                facts = " ".join(item.sentences)
                heard.refused = list(unfaithful(text, facts, known))
                if not heard.refused:
                    found[row] = replace(item, text=text)
            events += heard.events
        return found, events

    def _ask(self, actor: str, facts: Sequence[str]) -> Asking:
        words = prompt(_STAGE, language_of(" ".join(facts)))
        turns = words.turns(actor=actor, facts="\n".join(facts))
        ask = Ask(turns, _STAGE, schema=SummaryReply, max_tokens=LONGEST_SUMMARY)
        return Asking(words, ask)

    def most(self, questions: int, budget: int, tokens: int) -> Cost:
        """The most that paragraphs cost: as many as a budget holds, a question.

        A set of facts is asked of once, and a text of so many tokens has no more.
        """
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
    for day in sorted(days):
        if not any(fact.startswith(day) for fact in known):
            yield f"the facts do not say {format_date(day)}"
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
