"""Whether a sentence looks back or ahead, as far as its words show without a parse."""

from __future__ import annotations

import re
from typing import Literal

from gswlab.text.dates.english_words import compiled

Tense = Literal["past", "future"]
_AHEAD = compiled(
    r"\b(?:will|shall|won[’']t|must|going\s+to|(?<!had\s)(?<!was\s)(?<!were\s)(?<!ed\s)"
    r"to\s+be|is\s+to|are\s+to|due|next(?!\s+(?:door|to|of)\b)|tomorrow"
    r"|(?:hope|mean|plan|intend|expect|want|propose)s?\s+to|(?:is|are|am)\s+\w+ed\s+to)\b"
    r"|\w[’']ll\b"
)
_IRREGULAR = (
    "was were had did came went saw said told took gave got made left found met began "
    "broke brought bought built caught chose drew drove ate fell felt fled flew forgot "
    "fought hid held kept knew led lost paid ran rang rose sang sat sent shot sold "
    "spoke stood stole struck swam taught thought threw understood woke won wore wrote "
    "met became bit dreamt forgave knelt laid leapt learnt spun spat stank strove trod "
    "heard undertook overtook mistook withdrew withstood overcame arose awoke foresaw "
    "bent blew bore bound bred clung crept dealt dug fed flung froze grew ground hung "
    "lay lent lit meant rode sank sought shone shook slept slid spent sprang "
    "stuck stung strode swept swore swung tore wept wound"
)
_BACK = compiled(
    rf"\b(?:{'|'.join(_IRREGULAR.split())}|(?-i:[a-z]\w*[^e\W]ed))\b|n[’']t\b"
)
_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z])|[。！？」]|\n\s*\n")
_JA_BACK = re.compile(r"(?:[ぁ-ん一-龥]た|[一-龥][んい]だ)(?:[。」]|\s*$|と)")
_JA_AHEAD = re.compile(
    r"(?:(?<!いま)(?<!おりま)(?<!てい)(?<!であ)[うくぐすつぬぶむる]|です|予定だ?"
    r"|つもり(?:だ|です)?|ください)(?:[。」]|$)"
)
_JA_PLAN = re.compile("ことに(?:なっ|決ま|し|決め)た|(?:予定|つもり)(?:だ|です|で|。)")
_JA_SAID = re.compile("と(?:述べ|話し|語っ|報告し|言っ|説明し|発表し|伝え|答え)た")
# put, shut: what has been, or what is
_EITHER = compiled(
    r"\b(?:put|cut|hit|set|let|shut|read|cost|hurt|spread|burst|cast|bet|quit|split)\b"
)
_STANDS = compiled(
    r"\b(?:stay|remain|keep|is|are|be)s?\s+(?:shut|set|put|spread|cut)\b"
)
_LEADS = compiled(r"\b(?:on|by|until|till|before|from|for)\s+(?:the\s+)?$")
_NOW = compiled(
    r"\b(?:I|you|we|they|he|she|it|who|which|there|is|are|am|has|have|does|do|can|could|"
    r"may|might|should|would|please)\b|\b\w+[^\Wsui]s\s|^\W*(?:come|meet|bring|send|"
    r"leave|start|begin|call|write|return|finish)\b"
)
OPENING = 2  # words
_HAD = compiled(r"\bhad\b")
_CLAUSE = compiled(r"[,;:—–]|\b(?:where|which|who|when|while|but)\b")
_JA_ANY = re.compile(r"[ぁ-ん]")


def sentence(text: str, start: int, end: int) -> str:
    """The sentence that characters stand in."""
    last = min((m.end() for m in _END.finditer(text) if m.end() >= end), default=None)
    return text[_first(text, start) : last]


def _first(text: str, at: int) -> int:
    """Where the sentence of a place begins."""
    return max((m.end() for m in _END.finditer(text) if m.end() <= at), default=0)


def breaks(text: str, start: int, end: int) -> int:
    """How many sentences end between two places of a text."""
    return sum(1 for _ in _END.finditer(text, start, end))


def looks_back(text: str, at: int) -> bool:
    """Whether "had" stands before a place in its sentence: another day may be meant."""
    return bool(_HAD.search(sentence(text, at, at)[: at - _first(text, at)]))


def clause_back(text: str, start: int, end: int) -> bool:
    """Whether the clause of a date looks back too: "the UN, which meets on ..."."""
    head = _before(text, start)
    opens = len(head.split()) < OPENING  # with the date
    return opens or bool(_BACK.search(head + _after(text, end)))


def _before(text: str, start: int) -> str:
    """The clause of a place, as far as it stands before it."""
    return _CLAUSE.split(text[_first(text, start) : start])[-1]


def _after(text: str, end: int) -> str:
    """The clause of a place, as far as it stands after it."""
    return _CLAUSE.split(sentence(text[end:], 0, 0))[0]


def planned(text: str, start: int, end: int) -> bool:
    """Whether the clause before a day has a verb that does not look back: "meets on".

    >>> planned("She meets us on Monday.", 16, 22), planned("Rain on Monday.", 8, 14)
    (True, False)
    """
    head = _STANDS.sub("is", _before(text, start))
    if len(head.split()) < OPENING:  # the clause opens with the day
        head = _after(text, end)
    elif not _LEADS.search(head):
        return False
    return bool(_NOW.search(head)) and not (_BACK.search(head) or _EITHER.search(head))


def quoted(text: str, at: int) -> bool:
    """Whether a place is in quotation marks, as far as its paragraph shows."""
    before = text[text.rfind("\n\n", 0, at) + 1 : at]
    open_ = any(before.rfind(a) > before.rfind(b) for a, b in ("“”", "「」", "『』"))
    return open_ or before.count('"') % 2 == 1


def tense(text: str, start: int, end: int) -> Tense | None:
    """Whether the sentence around a date tells what has been or what is to come.

    >>> text = "It closed on Monday. It will open on Friday."
    >>> tense(text, 13, 19), tense(text, 37, 43), tense("Monday!", 0, 6)
    ('past', 'future', None)
    """
    around = sentence(text, start, end)
    if _JA_ANY.search(around):
        around = _JA_SAID.split(around)[0]  # what was said has a tense of its own
        if _JA_PLAN.search(around):
            return "future"
        ahead: Tense | None = "future" if _JA_AHEAD.search(around) else None
        return "past" if _JA_BACK.search(around) else ahead
    head = _before(text, start)
    if _BACK.search(head) and not _AHEAD.search(head):
        return "past"  # drivers who were stranded on Tuesday will need no reminding
    if _AHEAD.search(around):
        return "future"
    return "past" if _BACK.search(around) else None
