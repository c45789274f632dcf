"""Names in a question that its text does not have: quoted or capitalised runs.

They must be understood all the same, for they are why a reader abstains. The syntax
around a run says which field it fills; a known name it touches is part of it, and no
longer the known name: "Central Park Zoo" is not "Central Park".
"""

from __future__ import annotations

import re

from gswlab.language.event_types import Inventory, is_common
from gswlab.language.keys import words
from gswlab.language.lexicon import first_name_gender
from gswlab.question.names import CueField, Found, Names
from gswlab.question.scaffold import (
    event_like,
    is_kind,
    is_scaffold,
    may_be_inside,
    opens_sentence,
)

_QUOTED = re.compile(r'"([^"]{2,60})"|(?<!\w)\'([^\']{2,60})\'(?!\w)')
_CAPITAL = (
    r"(?:(?:St|Dr|Mr|Mrs|Ms|Mt|Prof|[A-Z])\.|[^\W\d_a-zß-öø-ÿ]\w*(?:['-](?!s\b)\w+)*"
    r"(?:'s?(?= [A-Z]))?|\d+(?:st|nd|rd|th))"
)
_JOIN = r"(?: (?:of|the|de|la|du|del|von|van|and|&|le|da|di)){1,2}"
_RUN = re.compile(rf"{_CAPITAL}(?:(?:{_JOIN})?[ -]{_CAPITAL})*")
_SELF = re.compile(r"I(?:'\w+)?")
_LEADING = re.compile(r"(\w+) (?:of|for|at|in|on|with) (?:the )?")
_LOCATIVE = re.compile(
    r"\b(?:at|in|inside|within|near|around|from|visit(?:ed|ing)?|outside|across|location"
    r"|venue|place|site|to)(?: of)?,? (?:the )?$",
    re.I,
)
# Both narrower than those of words in lower case (`leftover`): with capitals, a name of
# a person or place is the likelier reading ("Ann Ray happened to hold the events").
_LINKED = re.compile(
    r"\b(?:link|relat|connect|t[yi]|dedicat|devot|belong)\w* to(?: the| an?)? $",
    re.I,
)
_TAKES_PLACE = re.compile(
    r"^ (?:(?:was|were|is|are|be|been|being) )?"
    r"(?:happen(?:ed|s)?(?! to)|t[ao]k\w* place|occur\w*|held|staged|hosted)\b",
    re.I,
)
_ARTICLE = re.compile(r"\b(?:the|an?|any|some|each|every) $", re.I)
_ACTS = re.compile(
    r"^(?:'s?\b| (?:was|were|did|had|has|have|is|does|attend|appear|took|take|been"
    r"|particip|went|visit|spen[dt]|engag|experienc|show|turn|doing|do|be|find|found"
    r"|star|made|make|met|join|got|wound|ended|happen)\w*\b)",
    re.I,
)
_ACTED = re.compile(
    r"\b(?:did|was|were|does|has|had|is|where|when|with|by|besides|alongside|whom|than"
    r"|beyond|from|that|which|as|follow\w*|about|joined|accompan\w+|involv\w+"
    r"|featur\w+|of|for|protagonist|character|named) $",
    re.I,
)


def unknown_runs(text: str, known: tuple[Found, ...]) -> list[Found]:
    """Quoted or capitalised runs that no known name accounts for."""
    runs = [
        Found(m.start(), m.end(), "content", m.group(1) or m.group(2))
        for m in _QUOTED.finditer(text)
        if not any(m.start() <= hit.start < m.end() for hit in known)
    ]
    blank = blanked(text, known)
    for match in () if _title_case(blank) else _RUN.finditer(blank):
        start, end = _without_lead(blank, match.start(), match.end())
        if (
            start >= end
            or _SELF.fullmatch(text[start:end])
            or any(run.start <= start < run.end for run in runs)
        ):
            continue
        start, end = _widened(text, start, end, known)
        runs.append(Found(start, end, "content", text[start:end]))
    return runs


def _widened(
    text: str, start: int, end: int, known: tuple[Found, ...]
) -> tuple[int, int]:
    """A run with the known names it touches: they make one name, and another one.

    "Central Park Zoo" is not "Central Park"; a known name beside it is given up.
    """
    for hit in known:
        if hit.start - end == 1 and text[end] in " -":
            end = hit.end
        if start - hit.end == 1 and text[hit.end] in " -":
            start = hit.start
    return start, end


def _without_lead(text: str, start: int, end: int) -> tuple[int, int]:
    """A run without the word that only opens its sentence, or that is scaffold."""
    asking = _LEADING.match(text[start:end])
    if asking and is_scaffold(asking[1]) and not may_be_inside(asking[1]):
        return start + asking.end(), end  # "Venues of the Opera Rehearsal"
    if is_kind(text[start:end]):
        return start, end  # "Book Launch: which dates?"
    lead = re.match(r"[\w']+(?: (?:the|of|and|for|in|on|at)\b)*[ ,-]*", text[start:end])
    opens = opens_sentence(text, start)
    word = lead.group().split()[0] if lead else ""
    if opens or word == "I":
        if is_scaffold(word) or lead is None or not text[start:end].strip(word):
            return start + (lead.end() if lead else 0), end
        if len(text[start:end].split()) > 2:
            return start, end
    return start, end


def _title_case(text: str) -> bool:
    """Whether capitals say nothing here: a headline, or shouting.

    Told by the words that are no names: "Give The Dates Of All Events".
    """
    own = [w for w in words(text)[1:] if is_scaffold(w.text) and w.end - w.start > 1]
    return sum(text[w.start].isupper() for w in own) > 0.5 * max(1, len(own))


def typed(text: str, run: Found, names: Names) -> Found:
    """An unknown run with the field that the syntax around it gives it."""
    if near := names.near(run.value):
        return Found(run.start, run.end, *near)
    before, after = text[: run.start].rstrip("\"'"), text[run.end :]
    guess: CueField = "content"
    kind = names.knows_kind(run.value) or is_kind(run.value)
    kind = kind or (event_like(run.value) and not _first_named(run.value))
    if kind or _LINKED.search(before) or _takes_place(before, after):
        pass
    elif _LOCATIVE.search(before + ("" if before.endswith(" ") else " ")):
        guess = "place"
    elif _personal(run.value) and (_ACTS.match(after) or _ACTED.search(before)):
        guess = "protagonist"
    return Found(run.start, run.end, guess, run.value, unknown=True)


def _takes_place(before: str, after: str) -> bool:
    """Whether what has an article is said to happen: "did the Shanty Night occur"."""
    return bool(_ARTICLE.search(before) and _TAKES_PLACE.match(after))


def _in_plain_words(label: str) -> bool:
    """Whether three words or more all have a meaning of their own, as few names do.

    >>> _in_plain_words("Speed Dating Evening"), _in_plain_words("Zoë Lily Marsh")
    (True, False)
    """
    parts = re.split("[ -]", label)
    return len(parts) > 2 and not _first_named(label) and all(map(_plain, parts))


def _plain(word: str) -> bool:
    return is_common(word) or word.endswith("ing") or is_scaffold(word)


def _first_named(label: str) -> bool:
    """Whether a label opens like a person: with a first name, or no word we know.

    A usual first name that is a word as well ("Rose Show") says nothing, nor does a
    strange word before a form of events ("Kizomba Class").

    >>> _first_named("Winifred Sale"), _first_named("Kizomba Class")
    (True, False)
    """
    first, *rest = label.split()
    if not (rest and first.isalpha()) or _plain(first):
        return False
    return bool(first_name_gender(first)) or not Inventory.general().is_form(rest[-1])


def _personal(label: str) -> bool:
    """Two or three capitalised words and no joint: how a person may be called."""
    parts = label.split()
    capitals = len(parts) <= 3 and all(part[0].isupper() for part in parts)
    return capitals and not _in_plain_words(label)


def blanked(text: str, hits: list[Found] | tuple[Found, ...]) -> str:
    """The text with what was found blanked out, every other character in its place."""
    for hit in hits:
        text = text[: hit.start] + "\u00b7" * (hit.end - hit.start) + text[hit.end :]
    return text
