"""The cue reader: evidence and a question to an answer, by set operations.

It reads the structured facts of the items it is given and nothing else; it knows no
memory. Items that tell an occurrence answer a plain question by what fills its slot
(`gswlab.reader.told`). Evidence that is text alone is read by `interpret`; a plain
question is then answered by the sentence that says most of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gswlab.core.document import Language
from gswlab.core.nouns import Answer, Bound, Episode, Evidence, Item, Span
from gswlab.language.dates.find import find_dates
from gswlab.language.dates.format import shown
from gswlab.language.keys import kind_stems
from gswlab.language.language import language_of
from gswlab.question.names import Names
from gswlab.question.parse import asked_in, parse_question, plain_verbs
from gswlab.reader.told import told_answer
from gswlab.text.sentences import sentences
from gswlab.workspace.cues import Cue, EpisodeIndex, answer_cue, arrange

_FIELDS = {
    "times": "date",
    "places": "place",
    "entities": "protagonist",
    "contents": "kind",
}
_CUES = {"content": "kind"}
_PLACED = re.compile(r": at |\(\D")
_ASKING = re.compile(
    r"\b(?:who|whom|what|where|when|how|why|did|does|do|is|was|were|are)\b", re.I
)
Interpret = Callable[[Evidence], tuple[Episode, ...]]


@dataclass
class CueReader:
    """Answers from the episodes behind the evidence; abstains when none fits the cues.

    >>> CueReader().answer("When was Ann Ray at the mill?", Evidence((), 0)).abstained
    True
    """

    interpret: Interpret | None = None

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """What the evidence says of the question, with its spans, or why nothing."""
        facts = EpisodeIndex.of(self._facts(evidence))
        cue = parse_question(question, Names.of(facts))
        # Of what somebody did last, or in which order, episodes alone can tell.
        if cue.order == "all" and (found := told_answer(question, evidence)):
            return found
        episodes = arrange(answer_cue(facts, cue), cue.order)
        bare = [item for item in evidence.items if not (item.told or item.facts)]
        plain = not facts.episodes or plain_verbs(question, cue) is not None
        if bare and plain and not episodes:
            return plain_answer(question, evidence, cue)
        return answer_from(cue, episodes, asked_in(question))

    def _facts(self, evidence: Evidence) -> tuple[Episode, ...]:
        """The facts of all items, each once; text alone is read by `interpret`."""
        found = [fact for item in evidence.items for fact in item.facts]
        told = any(item.told for item in evidence.items)
        if not found and not told and self.interpret is not None:
            found += self.interpret(evidence)
        unique = {(f.document, f.chapter, f.id): f for f in found}
        return tuple(unique.values())


def answer_from(
    cue: Cue, episodes: tuple[Episode, ...], language: Language = "en"
) -> Answer:
    """What `cue` asks of the episodes that fit it, with the support of every field."""
    if not episodes:
        return Answer((), True, (), (), f"No episode of the text has {_said(cue)}.")
    if cue.asked == "details":
        return _details(cue, episodes)
    found = [(e, bound) for e in episodes for bound in _asked(cue, e)]
    items = tuple(dict.fromkeys(_shown(cue, bound, language) for _, bound in found))
    chapters = _chapters(episodes)
    if not items:
        reason = f"{_considered(episodes)}: {_said(cue)}, but no {cue.asked} are known."
        return Answer((), True, chapters, (), reason)
    cited = [*(bound.spans for _, bound in found), *_support(cue, episodes)]
    spans = [*(spans[:1] for spans in cited), *cited]
    reason = f"{_considered(episodes)}: {_said(cue)}."
    return Answer(items, False, chapters, _unique(spans), reason)


def plain_answer(question: str, evidence: Evidence, cue: Cue) -> Answer:
    """The sentence of the evidence that says most of the question, and its spans.

    Of sentences that say as much the first wins, or the last when the latest is asked.
    """
    asked = kind_stems(_ASKING.sub(" ", question))
    best: tuple[float, str, Item] | None = None
    for item in evidence.items:
        for start, end in sentences(item.text, language_of(item.text)):
            text = item.text[start:end]
            score = len(asked & kind_stems(text)) + _of_kind(cue, text)
            later = cue.order == "latest" and best is not None and score == best[0]
            if best is None or score > best[0] or later:
                best = (score, text, item)
    if best is None or best[0] < 1:
        return Answer((), True, (), (), "No sentence of the evidence speaks of this.")
    _, text, item = best
    chapters = () if item.chapter is None else (item.chapter,)
    return Answer((text,), False, chapters, item.spans, f"read off: {text}")


def _of_kind(cue: Cue, text: str) -> float:
    """Half a point for a sentence that holds a place or date when one is asked for."""
    if cue.asked == "times":
        return 0.5 if find_dates(text) else 0.0
    return 0.5 if cue.asked == "places" and _PLACED.search(text) else 0.0


def _details(cue: Cue, episodes: tuple[Episode, ...]) -> Answer:
    """Full details: the chapters, named, and what is told of each."""
    items = [f"Chapter {number}" for number in _chapters(episodes)]
    items += [bound.value for episode in episodes for bound in episode.details[:2]]
    bounds = [b for e in episodes for b in (e.date, e.place, e.protagonist, e.kind)]
    told = [bound.spans for e in episodes for bound in e.details[:2]]
    spans = _unique([*(bound.spans for bound in bounds if bound), *told])
    reason = f"{_considered(episodes)}: {_said(cue)}."
    return Answer(
        tuple(dict.fromkeys(items)), False, _chapters(episodes), spans, reason
    )


def _asked(cue: Cue, episode: Episode) -> tuple[Bound, ...]:
    if cue.asked == "other_entities":
        own = episode.protagonist.value.casefold() if episode.protagonist else ""
        return tuple(p for p in episode.participants if p.value.casefold() != own)
    bound = getattr(episode, _FIELDS[cue.asked])
    return () if bound is None else (bound,)


def _shown(cue: Cue, bound: Bound, language: Language) -> str:
    return shown(bound.value, language) if cue.asked == "times" else bound.value


def _support(cue: Cue, episodes: Iterable[Episode]) -> list[tuple[Span, ...]]:
    """Spans of the fields the cue fixed, in each episode."""
    bounds = (
        getattr(episode, _CUES.get(name, name))
        for episode in episodes
        for name in cue.fields
    )
    return [bound.spans for bound in bounds if bound is not None]


def _said(cue: Cue) -> str:
    parts = [f"{name} {getattr(cue, name)!r}" for name in cue.fields]
    return ", ".join(parts) if parts else "a cue of this question"


def _considered(episodes: tuple[Episode, ...]) -> str:
    chapters = _chapters(episodes)
    if not chapters:
        return f"considered {len(episodes)} episodes"
    noun = "chapter" if len(chapters) == 1 else "chapters"
    return f"considered {noun} {', '.join(map(str, chapters))}"


def _chapters(episodes: Iterable[Episode]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(e.chapter for e in episodes if e.chapter is not None))


def _unique(groups: Iterable[tuple[Span, ...]]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(span for group in groups for span in group))
