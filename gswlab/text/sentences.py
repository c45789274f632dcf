"""Sentences as spans, by our own rules: no model, one pass, characters untouched.

- a stop (. ! ? … 。！？) ends a sentence unless what stands before or after it says
  otherwise: a title, an initial, an enumerator, a lower-case "he said";
- a stop inside 「」『』（） belongs to the outer sentence;
- a blank line always ends one. A single line break does when the next word would have
  fitted on the line: then the break was the author's (list, verse, signature), not the
  editor's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from gswlab.text.language import JAPANESE
from gswlab.text.lines import lines

_STOP = re.compile(r"[.!?…。！？．｡‼⁇⁈⁉]+[\"'”’»›)\]}）］｝」』】〉》〕*_]*")
_JAPANESE_STOP = re.compile("[。！？．｡]")
_IS_JAPANESE = re.compile(f"[{JAPANESE}「『]")
_WORD_BEFORE = re.compile(r"[\w.&'’-]*$")
_FIRST_WORD = re.compile(r"[\W_]*(\w+)")
_LETTER = re.compile(r"[^\W\d_]")
_ENUMERATOR = re.compile(r"\W*(?:\d{1,3}(?:\.\d{1,3})*|[ivxIVX]{1,4}|[A-Za-z])")
_DOTTED = re.compile(r"(?:[a-z]\.)+[a-z]|ph\.d")
_LIST_ITEM = re.compile(r"[-*•‣・–—]\s|[-–—]\w|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s|P\.\s?S\.")
_BRACKET = re.compile("[「」『』（）]")
_OWN_LINE = re.compile("[　「『]")
_SPEECH = re.compile(
    r"(?:[A-Z][\w'’.-]*\s+){1,3}(?:said|says|asked|cried|called|shouted|whispered|"
    r"replied|answered|added|exclaimed|muttered|murmured|yelled|demanded|screamed|"
    r"laughed|snapped|gasped|sighed|growled|repeated|began|continued|went on)\b"
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Never the end of a sentence: what they belong to follows.
_TITLES = _set(
    "mr mrs ms mx dr prof rev fr st mt lt col gen capt sgt cpl maj cmdr hon gov sen "
    "rep pres supt det insp messrs mme mlle e.g i.e vs cf viz approx ca"
)
_BEFORE_NUMBER = _set("no nos nr p pp vol fig figs ch sec art eq app")
_MONTHS = _set("jan feb mar apr jun jul aug sep sept oct nov dec")
# May end one; then a word that opens sentences follows.
_MAY_END = _set("inc ltd co corp bros jr sr ave rd blvd sq dept est al esq")
_ENDS_BEFORE_CAPITAL = _set("a.m p.m am pm etc")
_DAY_NAMES = _set(
    "monday tuesday wednesday thursday friday saturday sunday january february march "
    "april may june july august september october november december est edt cst cdt "
    "mst mdt pst pdt gmt utc"
)
_OPENERS = _set(
    "the a an he she it they we i you his her its their my our your this that these "
    "those there here in on at by for from with when while after before as if but and "
    "or so then now not no yes one what who why how where since until although though "
    "because however meanwhile later nobody everyone nothing"
)


def sentences(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Start and end of each sentence: ordered, disjoint, covering all but spaces.

    >>> text = 'Dr. Bell paid 3.5 crowns. "Stop!" he said.'
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. Bell paid 3.5 crowns.', '"Stop!" he said.']
    """
    spans = []
    for start, end in _blocks(text, language):
        quoted = _quoted(text, start, end)
        for stop in _STOP.finditer(text, start, end):
            if stop.end() < end and _ends(text, start, stop, end, quoted):
                spans.append(_trim(text, start, stop.end()))
                start = stop.end()
        spans.append(_trim(text, start, end))
    return [(start, end) for start, end in spans if start < end]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, start + max(left, len(piece.rstrip()))


def _blocks(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Runs of lines that only stops may divide."""
    trimmed = [_trim(text, start, end) for start, end in lines(text)]
    width = max((end - start for start, end in trimmed), default=0)
    start, last = 0, None
    for begin, end in trimmed:
        if begin == end:
            last = None
            continue
        cut = last is None or _author_break(text, last, (begin, end), width, language)
        if cut and begin > start:
            yield start, begin
            start = begin
        last = begin, end
    yield start, len(text)


def _author_break(
    text: str, last: tuple[int, int], line: tuple[int, int], width: int, language: str
) -> bool:
    head = text[line[0] : min(line[1], line[0] + 80)]
    if _LIST_ITEM.match(head):
        return True
    if head[0].islower():
        return False
    japanese = language == "ja"
    if japanese and (_OWN_LINE.match(text[line[0] - 1]) or _OWN_LINE.match(head)):
        return True
    word = 1 if japanese else len(head.split()[0])
    unwrapped = width > (60 if japanese else 120)
    return unwrapped or (last[1] - last[0]) + 1 + word <= 0.75 * width


def _quoted(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The outermost closed Japanese quotations and parentheses of a block."""
    regions, stack = [], []
    closing = {"」": "「", "』": "『", "）": "（"}
    for match in _BRACKET.finditer(text, start, end):
        char, at = match.group(), match.start()
        if char not in closing:
            stack.append((char, at))
        elif any(opened == closing[char] for opened, _ in stack):
            while (top := stack.pop())[0] != closing[char]:
                pass
            regions.append((top[1], at))
    return _outermost(regions)


def _outermost(regions: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(regions):
        if not kept or start > kept[-1][1]:
            kept.append((start, end))
    return kept


def _ends(
    text: str, start: int, stop: re.Match[str], end: int, quoted: list[tuple[int, int]]
) -> bool:
    at, after = stop.start(), text[stop.end() : min(end, stop.end() + 80)]
    region = bisect_left(quoted, (at, 0)) - 1
    if region >= 0 and at < quoted[region][1]:
        return False
    if _JAPANESE_STOP.search(stop.group()):
        return _ends_japanese(stop.group(), text[at - 1 : at], after)
    if not after[0].isspace():
        return bool(set("!?") & set(stop.group()) and _IS_JAPANESE.match(after))
    head = after.lstrip()
    if not head or (head[0].islower() and not _lower_case_writer(text, start)):
        return False
    return _ends_english(text[max(start, at - 80) : at], stop.group(), head)


def _lower_case_writer(text: str, start: int) -> bool:
    """Whether the sentence that began at `start` did so in lower case, as chats do."""
    letter = _LETTER.search(text, start)
    return letter is not None and letter.group().islower()


def _ends_japanese(stop: str, before: str, after: str) -> bool:
    if stop[0] == "．":
        return not (before.isdecimal() and after[0].isdecimal())
    # 「えっ！？と驚いた」without brackets: the particle quotes what stands before.
    return "。" in stop or not after.startswith(("と", "って"))


def _ends_english(before: str, stop: str, head: str) -> bool:
    core = stop.rstrip("\"'”’»›)]}*_」』）")
    closed = len(core) < len(stop)
    if closed and head[0].islower():
        return False
    if core == ".":
        return not _abbreviated(before, head)
    if set(core) <= {".", "…"}:
        return not (head[0].islower() or re.match(r"I\b", head))
    return not (closed and _SPEECH.match(head))


def _abbreviated(before: str, head: str) -> bool:
    """Whether the dot between `before` and `head` belongs to a word, not a sentence."""
    if len(before) < 80 and _ENUMERATOR.fullmatch(before):
        return True
    match = _WORD_BEFORE.search(before[-40:])
    word = match.group() if match else ""
    match = _FIRST_WORD.match(head)
    low, following = word.lower().lstrip("."), match[1].lower() if match else ""
    opens = following in _OPENERS and not head[0].islower()
    if low == "st":  # saint, or a street whose name stands before
        return not (opens and re.search(r"[A-Z]\w+\s+St$", before[-40:]))
    if low in _TITLES:
        return True
    if low in _BEFORE_NUMBER:
        return head[0].isdigit()
    if low in _ENDS_BEFORE_CAPITAL:
        capital = head[0].isupper() or head[0] in "\"“‘'("
        return not capital or following in _DAY_NAMES
    initial = len(word) == 1 and word.isupper()
    if initial or low in _MAY_END or low in _MONTHS or _DOTTED.fullmatch(low):
        return not opens
    return False
