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
from gswlab.qa.question.asked_for import (
    arrange,
    asks_account,
    tells_episodes,
    unread_language,
)
from gswlab.qa.question.names import Names, parse_question
from gswlab.qa.question.stopwords import like
from gswlab.qa.question.wh_question import fits, plain
from gswlab.qa.readers.grounds import read_off
from gswlab.qa.readers.typed import is_of_a_sentence

Interpret = Callable[[str, Evidence], Evidence]


@dataclass
class CueReader:
    """Answers from the episodes behind the evidence; abstains when none fits."""

    interpret: Interpret | None = None

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """What the evidence says of the question, with its spans, or why nothing."""
        if unread := unread_language(question):
            return Answer((), True, (), (), f"A question in {unread} is not read.")
        near, told = _parted(evidence)
        # items that nobody has read are text alone
        read = any(isinstance(i, Paragraph) and asks_account(question) for i in told)
        read = read or any(item.facts or item.told for item in told)
        if self.interpret and told and not read:
            evidence = self.interpret(question, replace(evidence, items=told))
            nearer, told = _parted(evidence)
            near = near or nearer
        said = _near_answer(question, near)
        own = said and is_of_a_sentence(question)
        found = _told(question, told, near) if not own and (told or not near) else None
        # a sentence may say the same in full: the head "of the school"
        start = like("ends").sub("", said.items[0]) if said else ""
        heard = found.items if found else ()
        fuller = heard and start not in heard and all(one in start for one in heard)
        if found and not fuller and not (near and found.abstained):
            return found
        if said:
            return said
        why = found.reason if found else "Nothing that was read answers this."
        passed = resting_on(near[:1], (), f"{why} The nearest passage: {near[0].text}")
        return replace(passed, passage=near[0].text)


def _parted(evidence: Evidence) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """What is only near, and what tells of the question."""
    near = tuple(item for item in evidence.items if item.near is not None)
    return near, tuple(item for item in evidence.items if item.near is None)


def resting_on(
    told: Sequence[Episode | Item],
    items: Iterable[str],
    reason: str,
    cited: Iterable[Sequence[Span]] | None = None,
) -> Answer:
    """What is told as items, each once; where there are none, an abstention.

    It cites what all that is told cites, or only `cited`.
    """
    texts = tuple(dict.fromkeys(items))
    if cited is None:
        cited = (each.spans for each in told if isinstance(each, Item))
    spans = tuple(dict.fromkeys(span for each in cited for span in each))
    return Answer(texts, not texts, chapters_of(told), spans, reason)


def chapters_of(told: Iterable[Episode | Item]) -> tuple[int, ...]:
    """The chapters of what is told, each once, in that order."""
    return tuple(dict.fromkeys(t.chapter for t in told if t.chapter is not None))


# What is told: by paragraphs, by occurrences, by episodes.


def _told(question: str, items: Sequence[Item], near: Sequence[Item]) -> Answer:
    known = [item for item in items if isinstance(item, Paragraph)]
    if known and asks_account(question):
        said = (item.text for item in known)
        return resting_on(known, said, "what the workspace holds of it.")
    # the facts of all items, each once
    told = [fact for item in items for fact in item.facts]
    unique = {(f.document, f.chapter, f.id): f for f in told}
    facts = EpisodeIndex.of(unique.values())
    cue = parse_question(question, Names.of(facts))
    # where sentences are at hand, whose episode it is does not tell what else he did
    whose = near and cue.order == "all" and cue.fields == ("protagonist",)
    if (whose and is_of_a_sentence(question)) or not tells_episodes(question, cue):
        facts = EpisodeIndex.of(())
    # Of what somebody did last, or in which order, episodes alone can tell.
    if cue.order == "all" and (found := _occurred(question, items, near)):
        return found
    episodes = arrange(answer_cue(facts, cue), cue.order)
    return answer_from(cue, episodes, asked_in(question))


def _occurred(
    question: str, items: Sequence[Item], near: Sequence[Item]
) -> Answer | None:
    """What fills the slot that is asked for; None when no occurrence is asked about."""
    telling = {item.told: item for item in items if item.told is not None}
    found = fits(asked, telling) if (asked := plain(question)) else ()
    if not found:
        return None
    slots, bounds = found[0].slots, [b for fit in found for b in fit.fillers]
    if slots == ("role",):  # "a man" says little where more is said
        bounds = [b for b in bounds if b.value not in words("anybody")] or bounds
    kept = [fit for fit in found if {*fit.fillers} & {*bounds}] if bounds else found
    told = [telling[fit.occurrence] for fit in kept]
    if slots == ("story",):  # as the nearest two sentences have it
        spans = [span for item in told for span in item.spans]
        own = [i for i in near if any(i.spans[0].holds(span) for span in spans)]
        told = sorted(own[:2], key=lambda item: item.spans) or told
        texts = (item.text.strip(" .") for item in told)
        return resting_on(told, texts, "what is told of it.")
    said = [f"chapter {i.chapter}: {i.text}" if i.chapter else i.text for i in told]
    said += [f"{bound.reason}." for bound in bounds if bound.reason]
    said += [] if bounds else [f"The text does not say the {slots[0]}."]
    texts = (shown(bound.value, asked_in(question)) for bound in bounds)
    cited = [*(b.spans for b in bounds), *(fit.occurrence.spans for fit in kept)]
    return resting_on(told, texts, " ".join(dict.fromkeys(said)), cited)


def answer_from(
    cue: Cue, episodes: tuple[Episode, ...], language: str = "en"
) -> Answer:
    """What `cue` asks of the episodes that fit it, with the support of every field.

    Full details are the chapters, named, and what is told of each.
    """
    parts = [f"{name} {getattr(cue, name)!r}" for name in cue.fields]
    named = ", ".join(parts) or "a cue of this question"
    if not episodes:
        return Answer((), True, (), (), f"No episode of the text has {named}.")
    found = [bound for episode in episodes for bound in _asked(cue, episode)]
    days, chapters = cue.asked == "times", chapters_of(episodes)
    items = [shown(b.value, language) if days else b.value for b in found]
    names = ["kind" if name == "content" else name for name in cue.fields]
    if cue.asked == "details":
        items = [*(f"Chapter {number}" for number in chapters), *items]
        names = ["date", "place", "protagonist", "kind"]
    fixed = [getattr(episode, name) for episode in episodes for name in names]
    # one span of each is enough
    cited = [b.spans[:1] for b in (*found, *fixed) if b is not None and items]
    where = f"chapter{'s' * (len(chapters) > 1)} {', '.join(map(str, chapters))}"
    where = where if chapters else f"{len(episodes)} episodes"
    known = "" if items else f", but no {cue.asked} are known"
    return resting_on(episodes, items, f"considered {where}: {named}{known}.", cited)


def _asked(cue: Cue, episode: Episode) -> Sequence[Bound]:
    if cue.asked == "details":
        return episode.details[:2]
    if cue.asked == "other_entities":
        own = episode.protagonist.value.casefold() if episode.protagonist else ""
        return [p for p in episode.participants if p.value.casefold() != own]
    bound = getattr(episode, FIELD_OF.get(cue.asked, "kind"))
    return [] if bound is None else [bound]


# What near sentences say.


def _near_answer(question: str, near: Sequence[Item]) -> Answer | None:
    """What the surest of the near sentences says of it."""
    if (said := read_off(question, near)) is None:
        return None
    (text, item), (head, at) = said, said[1].under
    cited = item.spans, at if text == head else ()
    return resting_on([item], [text], f"said: {item.text}", cited)
