"""The cue reader: evidence and a question to an answer, by set operations.

It reads the structured facts of the items it is given and nothing else; it knows no
memory. Items that tell an occurrence answer a plain question by what fills its slot.
Evidence that is text alone is first read by `interpret`, which returns such facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from gswlab.core.nouns import Answer, Bound, Episode, Evidence, Item, Paragraph, Span
from gswlab.language.dates.format import shown
from gswlab.language.language import asked_in
from gswlab.language.lexicon import words
from gswlab.qa.cue import FIELD_OF, Cue, EpisodeIndex, answer_cue
from gswlab.qa.question.answer_type import (
    answer_type,
    asks_account,
    tells_episodes,
    unread_language,
)
from gswlab.qa.question.asked_for import arrange
from gswlab.qa.question.names import Names
from gswlab.qa.question.parse import parse_question
from gswlab.qa.question.wh_question import Fit, fits, plain
from gswlab.qa.readers.paraphrase import paraphrased
from gswlab.qa.readers.typed import (
    NearSentence,
    is_of_a_sentence,
    read_off,
    without_dateline,
)

# Answers to plain questions: the filler of the slot asked for, and why it is one.

_MISSING = {
    "purpose": "why",
    "manner": "how",
    "agent": "who",
    "patient": "what",
    "time": "when",
    "place": "where",
}


def told_answer(question: str, evidence: Evidence) -> Answer | None:
    """The answer of the occurrences in the evidence; None when none is asked about."""
    asked = plain(question)
    items = {item.told: item for item in evidence.items if item.told is not None}
    found = fits(asked, items) if asked is not None else ()
    if not found:
        return None
    told = [(fit, items[fit.occurrence]) for fit in found]
    bounds = [bound for fit in found for bound in fit.fillers]
    if not bounds:
        return _sentences(told)
    if found[0].slots == ("role",):  # "a man" says little where more is said
        bounds = [b for b in bounds if b.value not in words("anybody")] or bounds
        kept = [fit for fit in found if set(fit.fillers) & set(bounds)]
        found, told = tuple(kept), [(fit, items[fit.occurrence]) for fit in kept]
    language = asked_in(question)
    texts = tuple(dict.fromkeys(shown(bound.value, language) for bound in bounds))
    spans = [bound.spans for bound in bounds]
    spans += [fit.occurrence.spans for fit in found]
    notes = [f"{bound.reason}." for bound in bounds if bound.reason]
    reason = " ".join(dict.fromkeys([*(_told_said(item) for _, item in told), *notes]))
    chapters = chapters_of(item for _, item in told)
    return Answer(texts, False, chapters, _unique(spans), reason)


def _sentences(told: list[tuple[Fit, Item]]) -> Answer:
    """What is told, where a sentence answers; else why there is no answer."""
    fit, item = told[0]
    items = [item for _, item in told]
    spans = _unique(item.spans for item in items)
    if fit.slots[:1] == ("story",):
        texts = tuple(dict.fromkeys(item.text for item in items))
        cited = chapters_of(items), outermost(spans)
        return Answer(texts, False, *cited, "what is told of it.")
    missing = _MISSING.get(fit.slots[0], f"the {fit.slots[0]}")
    reason = f"{_told_said(item)} The text does not say {missing}."
    return Answer((), True, chapters_of(items), spans, reason)


def _told_said(item: Item) -> str:
    where = "" if item.chapter is None else f"chapter {item.chapter}: "
    return f"{where}{item.text}"


_STORY = 2  # sentences that tell what befell somebody
Interpret = Callable[[str, Evidence], Evidence]


@dataclass
class CueReader:
    """Answers from the episodes behind the evidence; abstains when none fits the cues.

    >>> CueReader().answer("When was Ann Ray at the mill?", Evidence((), 0)).abstained
    True
    """

    interpret: Interpret | None = None

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """What the evidence says of the question, with its spans, or why nothing."""
        if unread := unread_language(question):
            return Answer((), True, (), (), f"A question in {unread} is not read.")
        near, told = _parted(evidence)
        if self.interpret and told and _text_alone(question, told):
            evidence = self.interpret(question, replace(evidence, items=told))
            nearer, told = _parted(evidence)
            near = near or nearer
        if is_of_a_sentence(question) and (said := near_answer(question, near)):
            return said
        why = "Nothing that was read answers this."
        measured = near and answer_type(question) in (
            "number",
            "reason",
            "age",
            "duration",
        )
        if not near or (told and not measured):
            found = self._told(question, replace(evidence, items=told))
            if (asked := plain(question)) and asked.befell:
                found = in_its_words(found, near)
            if not (near and found.abstained):
                return found
            why = found.reason
        return near_answer(question, near) or nearest_answer(near, why)

    def _told(self, question: str, evidence: Evidence) -> Answer:
        known = [item for item in evidence.items if isinstance(item, Paragraph)]
        if known and asks_account(question):
            return _account(known)
        # the facts of all items, each once
        told = [fact for item in evidence.items for fact in item.facts]
        unique = {(f.document, f.chapter, f.id): f for f in told}
        facts = EpisodeIndex.of(unique.values())
        cue = parse_question(question, Names.of(facts))
        if not tells_episodes(question, cue):
            facts = EpisodeIndex.of(())
        # Of what somebody did last, or in which order, episodes alone can tell.
        if cue.order == "all" and (found := told_answer(question, evidence)):
            return found
        episodes = arrange(answer_cue(facts, cue), cue.order)
        return answer_from(cue, episodes, asked_in(question))


def _parted(evidence: Evidence) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """What is only near, and what tells of the question."""
    near = tuple(item for item in evidence.items if item.near is not None)
    return near, tuple(item for item in evidence.items if item.near is None)


def _text_alone(question: str, items: Sequence[Item]) -> bool:
    """Whether nobody has read these items: `interpret` does."""
    if asks_account(question) and any(isinstance(item, Paragraph) for item in items):
        return False
    return not any(item.facts or item.told for item in items)


def _account(known: Sequence[Item]) -> Answer:
    """Everything that is known, in its order."""
    texts, spans = (item.text for item in known), (item.spans for item in known)
    reason = "what the workspace holds of it."
    cited = outermost(_unique(spans))
    return Answer(tuple(texts), False, chapters_of(known), cited, reason)


def near_answer(question: str, near: Sequence[Item]) -> Answer | None:
    """What a near sentence that has the question's words says of it."""
    told = [
        (item, NearSentence(item.text, item.before, item.near or 0.0, item.under[0]))
        for item in near
    ]
    read = ((item, read_off(question, sentence)) for item, sentence in told)
    said = next(((item, found) for item, found in read if found), None)
    if said is None and (said := paraphrased(question, told)) is None:
        return None
    item, found = said
    head, at = item.under
    spans = item.spans + (at if found == head else ())
    reason = f"said: {item.text}"
    return Answer((found,), False, chapters_of((item,)), spans, reason)


def in_its_words(found: Answer, near: Sequence[Item]) -> Answer:
    """What befell somebody as the sentences have it; of many the nearest."""
    told = [
        item
        for item in near
        if any(outermost((*item.spans, span)) == item.spans for span in found.spans)
    ]
    if len(told) > _STORY:
        told = told[:1]
    told = sorted(told, key=lambda item: item.spans)
    texts = tuple(without_dateline(item.text).strip(" .") for item in told)
    spans = _unique(item.spans for item in told)
    return replace(found, items=texts, spans=spans) if told else found


def nearest_answer(near: Sequence[Item], why: str) -> Answer:
    """The nearest passage, which is no answer."""
    best = near[0]
    reason = f"{why} The nearest passage: {best.text}"
    return Answer((), True, chapters_of(near[:1]), best.spans, reason, best.text)


def answer_from(
    cue: Cue, episodes: tuple[Episode, ...], language: str = "en"
) -> Answer:
    """What `cue` asks of the episodes that fit it, with the support of every field."""
    if not episodes:
        return Answer((), True, (), (), f"No episode of the text has {_said(cue)}.")
    if cue.asked == "details":
        return _details(cue, episodes)
    found = [bound for episode in episodes for bound in _asked(cue, episode)]
    days = cue.asked == "times"
    told = (shown(b.value, language) if days else b.value for b in found)
    items = tuple(dict.fromkeys(told))
    chapters = chapters_of(episodes)
    if not items:
        reason = f"{_considered(episodes)}: {_said(cue)}, but no {cue.asked} are known."
        return Answer((), True, chapters, (), reason)
    names = ["kind" if name == "content" else name for name in cue.fields]
    fixed = [getattr(episode, name) for episode in episodes for name in names]
    cited = [bound.spans for bound in (*found, *fixed) if bound is not None]
    reason = f"{_considered(episodes)}: {_said(cue)}."
    spans = _unique(spans[:1] for spans in cited)  # one of each is enough
    return Answer(items, False, chapters, spans, reason)


def _details(cue: Cue, episodes: tuple[Episode, ...]) -> Answer:
    """Full details: the chapters, named, and what is told of each."""
    items = [f"Chapter {number}" for number in chapters_of(episodes)]
    items += [bound.value for episode in episodes for bound in episode.details[:2]]
    bounds = [b for e in episodes for b in (e.date, e.place, e.protagonist, e.kind)]
    told = [bound.spans for e in episodes for bound in e.details[:2]]
    spans = _unique([*(bound.spans for bound in bounds if bound), *told])
    reason = f"{_considered(episodes)}: {_said(cue)}."
    texts = tuple(dict.fromkeys(items))
    return Answer(texts, False, chapters_of(episodes), spans, reason)


def _asked(cue: Cue, episode: Episode) -> tuple[Bound, ...]:
    if cue.asked == "other_entities":
        own = episode.protagonist.value.casefold() if episode.protagonist else ""
        return tuple(p for p in episode.participants if p.value.casefold() != own)
    bound = getattr(episode, FIELD_OF.get(cue.asked, "kind"))
    return () if bound is None else (bound,)


def _said(cue: Cue) -> str:
    parts = [f"{name} {getattr(cue, name)!r}" for name in cue.fields]
    return ", ".join(parts) if parts else "a cue of this question"


def _considered(episodes: tuple[Episode, ...]) -> str:
    chapters = chapters_of(episodes)
    if not chapters:
        return f"considered {len(episodes)} episodes"
    noun = "chapter" if len(chapters) == 1 else "chapters"
    return f"considered {noun} {', '.join(map(str, chapters))}"


def chapters_of(told: Iterable[Episode | Item]) -> tuple[int, ...]:
    """The chapters of what is told, each once, in that order."""
    return tuple(dict.fromkeys(t.chapter for t in told if t.chapter is not None))


def outermost(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Spans without those that lie in another."""
    ends: dict[Span, None] = {}
    last = Span("", 0, 0)
    for span in sorted(spans, key=lambda s: (s.document, s.start, -s.end)):
        if span.document != last.document or span.end > last.end:
            ends[span], last = None, span
    return tuple(span for span in spans if span in ends)


def _unique(groups: Iterable[tuple[Span, ...]]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(span for group in groups for span in group))
