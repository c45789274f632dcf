"""What a question asks for: a type of answer, a field of episodes, an order, a list.

What is of another type is none: a kind of event answers what happened, or which event
it was, and nothing else, not how old somebody is, nor why, nor whether. The words are
those of the tables `answer_types.tsv` and `asked.txt` of its language.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal, cast

from gswlab.core.nouns import Episode
from gswlab.language.dates.calendar import compiled
from gswlab.language.language import DEFAULT, NEVER, Language, asked_in, of
from gswlab.language.lexicon import table
from gswlab.qa.cue import Asked, Cue, Order, text_order
from gswlab.qa.question.stopwords import like

AnswerType = Literal[
    "age", "duration", "number", "reason", "manner", "event", "happening", "time",
    "place", "identity", "acquaintance", "person", "account", "verdict", "thing"
]  # fmt: skip
_FIELDS: dict[str, tuple[str, ...]] = {
    "time": ("times",), "place": ("places",), "person": ("entities", "other_entities"),
    "event": ("contents", "details"), "happening": ("contents", "details"),
    "thing": ("times", "places", "entities"),
}  # fmt: skip
_NO_FIELD = ("age", "duration", "number", "reason", "manner", "identity")


def answer_type(question: str) -> AnswerType | None:
    """What an answer has to be; None where the question's words do not say."""
    return _opened(question)[1]


def _opened(question: str) -> tuple[int, AnswerType | None]:
    """Where the word stands that says what is asked for, and what that is."""
    known = _patterns(of(asked_in(question)))
    hits = ((p.search(question), n) for n, (_, p) in enumerate(known))
    first = min(((hit.start(), n) for hit, n in hits if hit), default=None)
    return (0, None) if first is None else (first[0], known[first[1]][0])


def asks_plainly(question: str, cue: Cue) -> bool:
    """Whether a sentence may answer: a question of one sentence that lists nothing.

    The latest or the order of what is known of somebody is no sentence's to tell.
    """
    at, asked = _opened(question)
    if (cue.order != "all" and cue.fields) or like("further").search(question):
        return False
    return asked is not None if not at else not lists(question, cue)


def asks_account(question: str) -> bool:
    """Whether everything known of somebody is asked for: "tell me about Ann"."""
    return answer_type(question) == "account" and not lists(question, Cue())


def unasked(question: str) -> str:
    """A question without the words for a measure, which no answer repeats."""
    kind = answer_type(question)
    known = dict(_patterns(of(asked_in(question))))
    measure = kind in ("age", "duration", "number")
    return known[kind].sub("", question, 1) if kind and measure else question


@cache
def _patterns(language: Language) -> tuple[tuple[AnswerType, re.Pattern[str]], ...]:
    if not (language.folder / "answer_types.tsv").is_file():
        return ()
    return tuple(  # no row begins within a word: "Show"
        (cast(AnswerType, name), compiled(rf"(?<![a-z])(?:{words})"))
        for name, words in language.table("answer_types")
    )


def tells_episodes(question: str, cue: Cue) -> bool:
    """Whether episodes tell what a question asks: its type, and all of its words."""
    at, asked = _opened(question)
    if cue.order != "all":
        return asked not in _NO_FIELD
    # where somebody works from, an hour or what is to come, who owns or heads something
    other = {"place": "stranded", "time": "no_day"}.get(asked or "", "office")
    if like(other).search(question):
        return False
    further = at or asked == "verdict" or like("further").search(question)
    if asked is None or (further and lists(question, cue)):
        return True
    if at:  # "Ann was there often. What did the calendar say?"
        whose = asked == "identity" and cue.asked == "entities" and not cue.protagonist
        return asked not in _NO_FIELD or whose or cue.asked == "details"
    own = asked != "event" and cue.rest and not (cue.date and cue.place)
    return not own and cue.asked in _FIELDS.get(asked, ())


def unread_language(question: str) -> str | None:
    """The name of a language that a question opens in and nothing here reads."""
    opening = re.search(r"[^\W\d_]+", question.casefold())
    if not opening or asked_in(question) != DEFAULT or answer_type(question):
        return None
    names = (n for n, words in table("unread.tsv") if opening[0] in words.split())
    return next(names, None)


def befallen(question: str) -> str:
    """Whom a question asks what became of; "" for any other question."""
    whom = like("befell").search(question)
    return whom[1] or whom[2] if whom else ""


def lists(question: str, cue: Cue) -> bool:
    """Whether a question asks for a list of events, dates, places or people."""
    asked = not befallen(question) and like("lists").search(question)
    return cue.order == "chronological" or bool(asked)


# Of episodes: which field, and in which order, by the words of `asked.txt`.

_WORD = re.compile(r"[^\W\d_]{2,}")
_SPACELESS_WORD = re.compile("[一-龠々〆ヶ]+|[ァ-ヶー]{2,}|[A-Za-z]{2,}")
_ENGLISH = of("en")
_KINDS: tuple[Asked, ...] = (
    "details", "other_entities", "times", "places", "entities", "contents"
)  # fmt: skip


@cache
def question_groups(language: Language) -> Mapping[str, re.Pattern[str]]:
    """The groups of `asked.txt`; a group that a language leaves out matches nothing."""
    found = {g: "|".join(p) for g, p in language.patterns("asked").items()}
    # A word of several characters may stand at the edge of another: 朗読会開催日.
    scaffold = found.pop("scaffold", "(?!)")
    edge = "|".join(word for word in scaffold.split("|") if len(word) > 1)
    edges = f"^(?:{edge})+|(?:{edge})+$"
    if language.space:
        edges = "(?!)"
        found = {group: rf"\b(?:{pattern})\b" for group, pattern in found.items()}
    # any answer noun; its named group says what it asks for
    nouns = (f"(?P<{kind}>{found[kind]})" for kind in _KINDS if kind in found)
    found |= {"scaffold": f"(?:{scaffold})+", "edge": edges, "answer": "|".join(nouns)}
    groups = {group: compiled(pattern) for group, pattern in found.items()}
    return defaultdict(lambda: NEVER, groups)


def left_over(masked: str, language: Language) -> tuple[str, ...]:
    """The words of a masked question that not every question is built of.

    They name a kind of event, or something that the text must tell.
    """
    known = question_groups(language)
    for group, pattern in known.items():
        if group not in ("scaffold", "edge", "answer"):
            masked = pattern.sub("・", masked)
    words = (_WORD if language.space else _SPACELESS_WORD).findall(masked)
    kept = (known["edge"].sub("", word) for word in words)
    told = (w for w in kept if w and not known["scaffold"].fullmatch(w))
    return tuple(dict.fromkeys(told))


def table_asks(masked: str, language: Language) -> Asked:
    """An account or the others; else the first question word; else the last noun."""
    known = question_groups(language)
    for account in _KINDS[:2]:
        if known[account].search(masked):
            return account
    words = [(m, a) for a in _KINDS[2:] for m in known[f"{a}?"].finditer(masked)]
    nouns = [(m, a) for a in _KINDS[2:] for m in known[a].finditer(masked)]
    if words:
        return min(words, key=lambda each: each[0].start())[1]
    return max(nouns, key=lambda each: each[0].start())[1] if nouns else "contents"


def _wanted(masked: str, language: Language) -> str:
    """A question without what it rules out, up to the comma."""
    negated = question_groups(language)["negated"].pattern
    return re.sub(rf"{negated}[^,.;:!?()—–]*", " ", masked, flags=re.IGNORECASE)


def order_of(masked: str, language: Language = _ENGLISH) -> Order:
    """`latest`, `chronological` (looked for first: "from first to last") or `all`.

    That a story has a timeline is an order only where the latest is not asked for.
    """
    known = question_groups(language)
    if not known["chronological"].search(masked):
        if known["latest"].search(masked):
            return "latest"
        if not known["told_time"].search(_wanted(masked, language)):
            return "all"
    return "chronological"


_SENTENCE = re.compile(r"(?<=[.?!])[\"')]*\s+|\n+")


def asked_of(masked: str) -> Asked:
    """What a masked question asks for."""
    known = question_groups(_ENGLISH)
    cleaned = _wanted(known["when"].sub("when", masked), _ENGLISH)
    cleaned = known["chronological"].sub(" ", cleaned)
    sentences = [part for part in _SENTENCE.split(cleaned) if part.strip()][::-1]
    # what the last request is after; where none names it, what is named last
    for text in (*map(_request, sentences), *sentences):
        found = known["answer"].search(text)
        if not found and like("back").search(text):
            # "which are they?" points back to the last answer noun before it
            before = " ".join(cleaned.split()).partition(text)[0]
            found = next(reversed([*known["answer"].finditer(before)]), None)
        if found:
            # "describe all key events at ⟨s⟩" asks what these many were
            last = [part for part in _SENTENCE.split(masked) if part.strip()][-1]
            many = known["contents"].search(last) or order_of(masked) != "all"
            kind = cast(Asked, found.lastgroup)
            return "contents" if kind == "details" and many else kind
    return "entities" if re.search(r"\bnames?\b", masked, re.I) else "contents"


def _request(sentence: str) -> str:
    """What follows the request of a sentence, from its own wh-word if it has one."""
    sentence = like("subordinate").sub(" ", " ".join(sentence.split())).strip()
    at = (hit.start() for hit in like("wh").finditer(sentence))
    asking = [n for n in at if not like("relative").search(sentence[:n].rstrip())]
    scene = like("scene_set").match(sentence)
    verb = like("request").search(sentence, scene.end() if scene else 0)
    if scene:  # "recall who was there, and list the days": the who is not asked for
        own = [at for at in asking if like("own").search(sentence[:at])]
        asking = own[:1] or [at for at in asking if verb is None][-1:]
    starts = [*asking[:1], *([verb.start()] if verb else [])]
    is_request = starts or like("only").search(sentence)  # "Dates only, please."
    return sentence[min(starts, default=0) :] if is_request else ""


def arrange(episodes: Iterable[Episode], order: Order) -> tuple[Episode, ...]:
    """Episodes by story date, those without one last; the latest only if asked."""
    found = sorted(episodes, key=text_order)
    days = [(one.date.value, n) for n, one in enumerate(found) if one.date]
    dated = tuple(found[n] for _, n in sorted(days))
    if order == "latest":
        return dated[-1:]
    return (*dated, *(one for one in found if not one.date and order == "all"))
