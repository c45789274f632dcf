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
from collections.abc import Iterator

from gswlab.language.language import KANA_KANJI, LETTER, Groups, Language, of


def lines(text: str) -> list[tuple[int, int]]:
    r"""Start and end of each line, its own line break (LF, CRLF, CR, ...) left out.

    >>> lines("one\r\n\ntwo")
    [(0, 3), (5, 5), (6, 9)]
    """
    spans, start = [], 0
    for line in text.splitlines(keepends=True):
        spans.append((start, start + len(line.splitlines()[0])))
        start += len(line)
    return spans


_Bounds = tuple[int, int]
_LONGEST = 2000  # characters of a sentence; what is not told apart is cut at a space
_STOP = re.compile(r"[.!?…。！？．｡‼⁇⁈⁉]+[\"'”’»›)\]}）］｝」』】〉》〕*_]*")
_JAPANESE_STOP = re.compile("[。！？．｡]")
_IS_JAPANESE = re.compile(f"[{KANA_KANJI}「『]")
_WORD_BEFORE = re.compile(r"[\w.&'’-]*$")
_FIRST_WORD = re.compile(r"[\W_]*(\w+)")
_ENUMERATOR = re.compile(r"\W*(?:\d{1,3}(?:\.\d{1,3})*|[ivxIVX]{1,4}|[A-Za-z])")
_DOTTED = re.compile(r"(?:[a-z]\.)+[a-z]|ph\.d")
_LIST_ITEM = re.compile(r"[-*•‣・–—]\s|[-–—]\w|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s|P\.\s?S\.")
_QUOTED = re.compile("「[^「」]*」|『[^『』]*』|（[^（）]*）")
_OWN_LINE = re.compile("(?s:.?)[　「『]")
_SAYS = re.compile(r"(?:[A-Z][\w'’.-]*\s+){1,3}([a-z]+\b)")


def own_questions(text: str, language: str = "en") -> tuple[str, ...]:
    """The questions that a text itself asks, what somebody in it says left out."""
    found = (text[start:end].strip() for start, end in sentences(text, language))
    asked = (one for one in found if one[-1:] in "?？" and one[0] not in "\"'“‘«「『")
    return tuple(dict.fromkeys(asked))


def sentences(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Start and end of each sentence: ordered, disjoint, covering all but spaces."""
    spans, known = [], of(language)
    for start, end in _blocks(text, known):
        block, first = text[start:end], 0
        # a stop that is quoted is none
        outside = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), block)
        for stop in _STOP.finditer(outside):
            if stop.end() < len(block) and _ends(block, first, stop, known):
                spans.append(_trim(text, start + first, start + stop.end()))
                first = stop.end()
        spans.append(_trim(text, start + first, end))
    return [part for span in spans for part in _parted(text, *span)]


def _parted(text: str, start: int, end: int) -> Iterator[_Bounds]:
    """A sentence, in parts where it goes on for longer than any that was written."""
    while end - start > _LONGEST:
        space = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
        cut = space if space > 0 else start + _LONGEST
        yield _trim(text, start, cut)
        start = _trim(text, cut, end)[0]
    if start < end:
        yield start, end


def _trim(text: str, start: int, end: int) -> _Bounds:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, start + max(left, len(piece.rstrip()))


def _blocks(text: str, language: Language) -> Iterator[_Bounds]:
    """Runs of lines that only stops may divide."""
    trimmed = [_trim(text, start, end) for start, end in lines(text)]
    width = max((end - start for start, end in trimmed), default=0)
    start, last = 0, 0  # how wide the line before was; a blank one is a break
    for begin, end in trimmed:
        line = text[begin - 1 : min(end, begin + 80)]
        cut = not last or (begin < end and _author_break(line, last, width, language))
        if cut and start < begin < end:
            yield start, begin
            start = begin
        last = end - begin
    yield start, len(text)


def _author_break(line: str, last: int, width: int, language: Language) -> bool:
    head, spaceless = line[1:], not language.space  # the character before it is first
    if _LIST_ITEM.match(head):
        return True
    if head[0].islower():
        return False
    word = 1 if spaceless else len(head.split()[0])
    unwrapped = width > (60 if spaceless else 120)
    own = spaceless and _OWN_LINE.match(line)
    return bool(own) or unwrapped or last + 1 + word <= 0.75 * width


def _ends(block: str, start: int, stop: re.Match[str], language: Language) -> bool:
    at, marks, after = stop.start(), stop.group(), block[stop.end() : stop.end() + 80]
    if _JAPANESE_STOP.search(marks):
        if marks[0] == "．":
            return not (block[at - 1 : at].isdecimal() and after[0].isdecimal())
        # 「えっ！？と驚いた」without brackets: the particle quotes what stands before.
        return "。" in marks or not after.startswith(("と", "って"))
    if not after[0].isspace():
        return bool(set("!?") & set(marks) and _IS_JAPANESE.match(after))
    head, letter = after.lstrip(), LETTER.search(block, start)
    core = marks.rstrip("\"'”’»›)]}*_」』）")
    closed, small = core != marks, head[:1].islower()
    # who began a sentence in lower case, as chats do, goes on so
    low = letter is not None and letter.group().islower()
    if not head or (small and (closed or not low)):
        return False
    if core == ".":
        before = block[max(start, at - 80) : at]
        return not _abbreviated(language.abbreviations, before, head)
    if set(core) <= {".", "…"}:
        return not (small or re.match(r"I\b", head))
    says = _SAYS.match(head) if closed else None
    return says is None or says[1] not in language.abbreviations["says"]


def _abbreviated(known: Groups, before: str, head: str) -> bool:
    """Whether the dot between `before` and `head` ends a word and not a sentence.

    Dr., No. 5, J. R. Smith, U.S., 9 p.m.: the word that follows decides where both may.
    """
    if len(before) < 80 and _ENUMERATOR.fullmatch(before):
        return True
    word = _WORD_BEFORE.findall(before[-40:])[0]
    following = "".join(_FIRST_WORD.findall(head)[:1]).lower()
    low = word.lower().lstrip(".")
    opens = following in known["opener"] and not head[0].islower()
    if low == "st":  # saint, or a street whose name stands before
        return not (opens and re.search(r"[A-Z]\w+\s+St$", before[-40:]))
    figure = low.isdigit() and following in known["after_figure"]  # 7. Mai
    if figure or low in known["before_word"] or word in known["title"]:
        return True
    if low in known["before_number"]:
        return head[0].isdigit()
    if low in known["ends_before_capital"]:
        capital = head[0].isupper() or head[0] in "\"“‘'("
        return not capital or following in known["no_opening"]
    initial = len(word) == 1 and word.isupper()
    may_end = initial or low in known["may_end"] or bool(_DOTTED.fullmatch(low))
    return may_end and not opens
