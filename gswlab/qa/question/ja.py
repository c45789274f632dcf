"""Japanese questions through the same `Cue`: いつ, どこ, だれ, 何の催し, 最後に, 順に.

Names are found as in any script. What is asked and the words that every question is
built of are data (`asked_ja.txt`). What is left names a kind of event, or something
the text must tell; when it does not, a reader abstains.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import get_args

from gswlab.core.nouns import Occurrence
from gswlab.language.dates.find import find_dates
from gswlab.language.lexicon import groups
from gswlab.language.stems import inflects, spaceless_root
from gswlab.qa.cue import Asked, Cue, Order
from gswlab.qa.question.names import Found, Names, named

_KIND = re.compile(
    r"「(?P<quoted>[^」]+)」"
    r"|(?P<plain>(?!何|誰|出来事|催し|行事)[一-龠ァ-ヶー々A-Za-z]{2,12})"
    r"(?:に関する|に関わる|に関係する|についての|という|が(?:開|行|催|あ)|の(?:催|会が))"
)
_WORD = re.compile("[一-龠々〆ヶ]+|[ァ-ヶー]{2,}|[A-Za-z]{2,}")
_BLANK = "・"


def parse_japanese(
    text: str, names: Names, entities: Sequence[str] | None = None
) -> Cue:
    """The cue of a Japanese question; with `entities` it has no other known names.

    >>> parse_japanese("茶会が開かれたのはいつですか。", Names()).asked
    'times'
    """
    values: dict[str, str] = {}
    dates = [m for m in find_dates(text, language="ja") if m.value and not m.relative]
    for date in dates[:1]:
        values["date"] = str(date.value)
    masked = _blank(text, [(m.start, m.end) for m in dates])
    if kin := _kin().search(masked):  # asked of ties, which no episode holds
        return Cue(content=text[kin.start("of") : kin.end("of")], asked="entities")
    found: Sequence[Found] = names.find(masked)
    if entities is not None:
        hits = named(masked, entities, names)
        found = [hit for hit in hits if not hit.unknown]
    for hit in sorted(found, key=lambda hit: (hit.short, hit.start)):
        values.setdefault(hit.field, hit.value)
    masked = _blank(masked, [(hit.start, hit.end) for hit in found])
    if "content" not in values and (content := _content(masked)):
        values["content"] = content
    asked = _asked(masked)
    if asked == "entities" and "protagonist" in values:
        asked = "other_entities"
    if asked == "contents" and len(values) == 4:
        asked = "details"
    return Cue(**values, asked=asked, order=_order(masked))  # type: ignore[arg-type]


def _content(masked: str) -> str:
    """What a question asks about that is no name: a kind of event, else all it says.

    The latter is no kind of any event; it is why a reader abstains.
    """
    kind = _KIND.search(masked)
    if named := kind and (kind["quoted"] or "".join(left_over(kind["plain"]))):
        return named
    rest = left_over(masked)
    if rest and rest[-1].endswith(tuple(groups("ja/binding.tsv")["event_suffix"])):
        return " ".join(rest)
    return masked[masked.index(rest[0]) :].rstrip("。？?") if rest else ""


def left_over(masked: str) -> tuple[str, ...]:
    """The words of a masked question that not every question is built of.

    >>> left_over("・・が葉書を書いたのはいつですか"), left_over("催しはどこ")
    (('葉書', '書'), ())
    """
    patterns = _patterns()
    for group, pattern in patterns.items():
        if group not in ("scaffold", "edge", "idle"):
            masked = pattern.sub(_BLANK, masked)
    kept = (patterns["edge"].sub("", word) for word in _WORD.findall(masked))
    whole = patterns["scaffold"]
    return tuple(dict.fromkeys(w for w in kept if w and not whole.fullmatch(w)))


def is_telling(predicate: str) -> bool:
    """Whether a verb is more than questions are built of.

    >>> is_telling("盗む"), is_telling("訪れる")
    (True, False)
    """
    return _patterns()["idle"].fullmatch(predicate) is None


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """The groups of `asked_ja.txt`, the words of questions longest first."""
    text = files("gswlab.language").joinpath("ja", "asked.txt").read_text("utf-8")
    found: dict[str, list[str]] = defaultdict(list)
    for line in text.splitlines():
        if line and line[0] != "#":
            group, _, pattern = line.partition(": ")
            found[group].append(pattern)
    # A word of several characters may stand at the edge of another: 朗読会開催日.
    scaffold = "|".join(found.pop("scaffold"))
    edge = "|".join(word for word in scaffold.split("|") if len(word) > 1)
    found |= {"scaffold": [f"(?:{scaffold})+"], "edge": [f"^(?:{edge})+|(?:{edge})+$"]}
    return {group: re.compile("|".join(parts)) for group, parts in found.items()}


@cache
def _kin() -> re.Pattern[str]:
    """A tie that is asked for by a name: 太郎の妹は誰ですか."""
    kin = "|".join(sorted(groups("ja/words.tsv")["kin"], key=len, reverse=True))
    return re.compile(rf"(?P<of>[^、。]+の(?:{kin}))(?:は|が)(?:誰|だれ|どなた)")


def _asked(text: str) -> Asked:
    """An account or the others; else the first question word; else the last noun."""
    patterns = _patterns()
    for asked in ("details", "other_entities"):
        if patterns[asked].search(text):
            return asked
    words: list[tuple[int, Asked]] = []
    nouns: list[tuple[int, Asked]] = []
    for asked in get_args(Asked):
        for group, found in ((f"{asked}?", words), (asked, nouns)):
            if group in patterns and asked not in ("details", "other_entities"):
                found += [(m.start(), asked) for m in patterns[group].finditer(text)]
    if words:
        return min(words, key=lambda item: item[0])[1]
    return max(nouns)[1] if nouns else "contents"


def _order(text: str) -> Order:
    if _patterns()["chronological"].search(text):
        return "chronological"
    return "latest" if _patterns()["latest"].search(text) else "all"


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + _BLANK * (end - start) + text[end:]
    return text


# Plain questions in Japanese: the slot by its particle, the verb by its root.

_WHO = "(?:だれ|誰|どなた|何者)"
_BEFALLEN = re.compile("(?P<whom>[^、。]+?)(?:さん|氏)?(?:に(?:は)?何が起|はどうな)")
_ASKED = (
    (_BEFALLEN, ("story",)),
    (re.compile(rf"[かがさたなばまらわ]れたのは{_WHO}"), ("patient", "agent")),
    (re.compile(rf"{_WHO}(?:が|は)|のは{_WHO}"), ("agent",)),
    (re.compile(rf"{_WHO}を|(?:何|なに)を|のは(?:何|なに)"), ("patient",)),
    (re.compile(rf"{_WHO}に"), ("recipient", "agent", "patient")),
    (re.compile("いつ|何日"), ("time",)),
    (re.compile("どこ|何処"), ("place",)),
    (re.compile("なぜ|何のため|どうして"), ("purpose",)),
    (re.compile("どうやって|どのように"), ("manner", "instrument")),
    (re.compile("(?:何|なに)が"), ("agent", "patient")),
)
_WHERE = re.compile("(?:どこ|何処)に(?:い|居)")
_WHO_IS = ("agent", "patient", "recipient", "place")
_SPACELESS_WORD = re.compile("[一-龠々ァ-ヶー]")


def asked_slots(text: str) -> tuple[str, ...]:
    """The slots a Japanese question asks for; none for another question.

    >>> asked_slots("だれが佐藤を逮捕しましたか"), asked_slots("Who is 佐藤?")
    (('agent',), ())
    """
    return next((slots for pattern, slots in _ASKED if pattern.search(text)), ())


def befallen(text: str) -> str | None:
    """Whom a Japanese question asks what became of; None for any other question.

    >>> befallen("佐藤さんに何が起きましたか"), befallen("何が起きましたか")
    ('佐藤', None)
    """
    found = _BEFALLEN.search(text)
    return found["whom"] if found else None


def is_whereabouts(text: str) -> bool:
    """Whether a Japanese question asks where somebody was, whatever they did there.

    >>> is_whereabouts("佐藤はどこにいましたか"), is_whereabouts("どこで休みましたか")
    (True, False)
    """
    return bool(_WHERE.search(text))


def fits_spaceless(text: str, told: Occurrence) -> bool:
    """Whether the verb and every other word of the question are told of it."""
    root, where = spaceless_root(told.predicate), is_whereabouts(text)
    if not root or not (where or inflects(told.predicate, text)):
        return False
    said = [bound for slot, bound in told.slots if not where or slot in _WHO_IS]
    names = [name for bound in said for name in (bound.value, *bound.aliases)]
    rest = re.sub(rf"{_WHO}|何のため|何処|何日|何|{re.escape(root)}", "、", text)
    asked = left_over(rest)
    if not asked and not _SPACELESS_WORD.match(root):
        return False  # ある or する of nothing that the question names
    return all(any(word in name for name in names) for word in asked)
