"""Who is who in a text, as marks on its characters: what is scored, and against what.

`Marks` are the gold or what a memory read, in one form, so that either may stand on
either side. `seen` takes them from a workspace; whoever finds mentions otherwise makes
them and hands them to `compared`. A mention is matched by its syntactic head.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from spacy.tokens import Doc

from gswlab.bench.coreference import CONLL
from gswlab.language.pipeline import model, parsed

Bounds: TypeAlias = tuple[int, int]
Share: TypeAlias = tuple[float, float]  # so many, of so many
_NOUNS = ("NOUN", "PROPN", "PRON")
_VERBS = ("VERB", "AUX")
_PRONOUNS = {
    "he_she": "he him his himself she her hers herself",
    "they": "they them their theirs themselves",
    "we": "we us our ours ourselves",
    "you": "you your yours yourself yourselves ye thou thee thy thine thyself",
    "quoted_i": "i me my mine myself",
}
_CLASS = {word: name for name, said in _PRONOUNS.items() for word in said.split()}


@dataclass(frozen=True, slots=True)
class MarkedMention:
    """Characters that mention an `entity` (of the gold, or an actor's id).

    `form` is name, nominal or pronoun; `kind` one of PER, FAC, LOC, GPE, ORG and VEH,
    and None where a memory takes it for nothing of these.
    """

    start: int
    end: int
    form: str
    kind: str | None
    entity: str


@dataclass(frozen=True, slots=True)
class MarkedQuote:
    """Characters that somebody says: `speaker` is an entity, None where unknown.

    `said_by` are the characters of the mention that it is attributed to.
    """

    start: int
    end: int
    speaker: str | None
    said_by: Bounds | None = None


@dataclass(frozen=True, slots=True)
class Marks:
    """All that is marked in a text; an event is the characters whose head tells it."""

    mentions: tuple[MarkedMention, ...] = ()
    quotes: tuple[MarkedQuote, ...] = ()
    events: tuple[Bounds, ...] = ()


@dataclass(frozen=True)
class Syntax:
    """The tokens of a text in order: where they stand, what is above, their class."""

    starts: tuple[int, ...]
    above: tuple[int, ...]
    tags: tuple[str, ...]

    @classmethod
    def of(cls, text: str, tokens: Sequence[Bounds], firsts: frozenset[int]) -> Syntax:
        """The parse of tokens with these characters; `firsts` begin a sentence."""
        nlp, found, first = model("en"), list[Bounds](), list[bool | int | None]()
        begins = False
        for i, (start, end) in enumerate(tokens):
            begins |= i in firsts
            if start < end:
                found.append((start, end))
                first.append(begins)
                begins = False
        spaces = [text[end : end + 1] == " " for _, end in found]
        doc = Doc(nlp.vocab, [text[a:b] for a, b in found], spaces, sent_starts=first)
        doc = parsed(None, doc, nlp)
        above, tags = (t.head.i for t in doc), (t.pos_ for t in doc)
        return cls(tuple(a for a, _ in found), tuple(above), tuple(tags))

    def head(self, start: int, end: int, first: Sequence[str] = _NOUNS) -> int:
        """The token in these characters that hangs on one outside them.

        Of several, where a parse is odd, one of the classes that come `first`.
        """
        low = max(bisect_right(self.starts, start) - 1, 0)
        high = max(bisect_left(self.starts, end), low + 1)
        inside = range(low, high)
        tops = [i for i in inside if self.above[i] not in inside or self.above[i] == i]
        return next((i for i in tops if self.tags[i] in first), tops[0])


class Compared:
    """What was read of a text beside its gold: who was matched with whom."""

    def __init__(self, gold: Marks, read: Marks, syntax: Syntax) -> None:
        self.gold, self.read, self.syntax = gold, read, syntax
        waiting = defaultdict[int, list[int]](list)
        for j, mention in enumerate(gold.mentions):
            waiting[syntax.head(mention.start, mention.end)].append(j)
        self.pairs = dict[int, int]()  # of what was read, the gold
        self.at = dict[int, int]()  # of a head, what was read first
        for i, mention in enumerate(read.mentions):
            head = syntax.head(mention.start, mention.end)
            self.at.setdefault(head, i)
            if own := waiting[head]:
                near = min(own, key=lambda j: _unlike(gold.mentions[j], mention))
                own.remove(near)
                self.pairs[i] = near
        self.of = {j: i for i, j in self.pairs.items()}  # of the gold, what was read
        self._means = {True: self._counted(True), False: self._counted(False)}

    def _counted(self, pronouns: bool) -> dict[str, Counter[str]]:
        means = defaultdict[str, Counter[str]](Counter)
        for i, j in self.pairs.items():
            one = self.read.mentions[i]
            if (one.form == "pronoun") == pronouns:
                means[one.entity][self.gold.mentions[j].entity] += 1
        return means

    def means(self, entity: str, but: str | None = None) -> str | None:
        """Whom most names and nominals of a read entity mean.

        Where it has none, its pronouns tell, all `but` the one (of this gold) asked of.
        """
        told = self._means[False].get(entity)
        if not told:
            told = self._means[True].get(entity, Counter()).copy()
            told[but or ""] -= 1
        best = max(told, key=lambda gold: (told[gold], gold), default="")
        return best if told[best] > 0 else None


def _unlike(one: MarkedMention, two: MarkedMention) -> tuple[bool, int]:
    return one.form != two.form, abs(one.start - two.start) + abs(one.end - two.end)


def compared(gold: Marks, read: Marks, syntax: Syntax, text: str) -> dict[str, Share]:
    """Every count of one text, by the path of its share; shares of texts add up."""
    both = Compared(gold, read, syntax)
    found = {**_mentions(both), **_coreference(both), **_pronouns(both, text)}
    found |= _names_pairwise(both) | _speech(both)
    events = [
        {syntax.head(*event, first=_VERBS) for event in one.events}
        for one in (read, gold)
    ]
    return found | _shares("realis", len(events[0] & events[1]), *map(len, events))


def _shares(path: str, right: float, read: float, gold: float) -> dict[str, Share]:
    return {f"{path}.precision": (right, read), f"{path}.recall": (right, gold)}


def _mentions(both: Compared) -> dict[str, Share]:
    """Those of a kind of the six: all, of a form, and with the right kind."""
    gold, read = both.gold.mentions, [m for m in both.read.mentions if m.kind]
    pairs = [(both.read.mentions[i], gold[j]) for i, j in both.pairs.items()]
    pairs = [(one, two) for one, two in pairs if one.kind]
    found = _shares("mentions", len(pairs), len(read), len(gold))
    for form, path in (("name", "names"), ("nominal", "nominals")):
        right = sum(one.form == two.form == form for one, two in pairs)
        sizes = (sum(m.form == form for m in side) for side in (read, gold))
        found |= _shares(path, right, *sizes)
    right = sum(one.kind == two.kind for one, two in pairs)
    return found | _shares("typed", right, len(read), len(gold))


def _coreference(both: Compared) -> dict[str, Share]:
    """The clusters of all mentions, those of one mention too."""
    key, read = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for j, mention in enumerate(both.gold.mentions):
        key[mention.entity].append(j)
    for i, mention in enumerate(both.read.mentions):
        if mention.kind:
            read[mention.entity].append(both.pairs.get(i, -1 - i))
    found = dict[str, Share]()
    for name, measure in CONLL.items():
        sums = measure([*key.values()], [*read.values()])
        found[f"{name}.precision"] = sums.right_read, sums.read
        found[f"{name}.recall"] = sums.right_gold, sums.gold
    return found


def _names_pairwise(both: Compared) -> dict[str, Share]:
    """Pairs of names put together: of those that were found and are names."""
    named = list[tuple[str, str]]()
    for i, j in both.pairs.items():
        one, two = both.read.mentions[i], both.gold.mentions[j]
        if one.form == two.form == "name":
            named.append((one.entity, two.entity))

    def pairs(labels: Iterable[Hashable]) -> int:
        return sum(n * (n - 1) // 2 for n in Counter(labels).values())

    read, gold = zip(*named, strict=True) if named else ((), ())
    return _shares("names_pairwise", pairs(named), pairs(read), pairs(gold))


def _pronouns(both: Compared, text: str) -> dict[str, Share]:
    """Right and wrong of each class; what was linked to nobody is neither."""
    counts = {name: [0, 0, 0] for name in _PRONOUNS}
    for j, mention in enumerate(both.gold.mentions):
        name = _CLASS.get(text[mention.start : mention.end].lower())
        if mention.form != "pronoun" or name is None:
            continue
        quoted = any(q.start <= mention.start < q.end for q in both.gold.quotes)
        if name == "quoted_i" and not quoted:
            continue
        counts[name][2] += 1
        if (i := both.of.get(j)) is not None:
            meant = both.means(both.read.mentions[i].entity, mention.entity)
            counts[name][0] += meant == mention.entity
            counts[name][1] += meant not in (None, mention.entity)
    found = dict[str, Share]()
    for name, (right, wrong, all_) in counts.items():
        found[f"pronouns.{name}"] = right, all_
        found[f"pronouns.{name}_wrong"] = wrong, all_
    return found


def _speech(both: Compared) -> dict[str, Share]:
    """Quotations by more than half of the longer one; of the gold's, who speaks."""
    found = right = 0
    known = [quote for quote in both.gold.quotes if quote.speaker is not None]
    for quote in both.gold.quotes:
        like = (one for one in both.read.quotes if _overlap(one, quote))
        if (one := next(like, None)) is None:
            continue
        found += 1
        right += quote.speaker is not None and _said_by(both, one) == quote.speaker
    counts = found, len(both.read.quotes), len(both.gold.quotes)
    accuracy = {"speakers.accuracy": (float(right), float(len(known)))}
    return _shares("quotations", *counts) | accuracy


def _overlap(one: MarkedQuote, two: MarkedQuote) -> bool:
    shared = min(one.end, two.end) - max(one.start, two.start)
    return 2 * shared > max(one.end - one.start, two.end - two.start)


def _said_by(both: Compared, quote: MarkedQuote) -> str | None:
    """Whom the mention means that a quotation is given to, else its speaker."""
    i = both.at.get(both.syntax.head(*quote.said_by)) if quote.said_by else None
    if i is not None and i in both.pairs:
        return both.gold.mentions[both.pairs[i]].entity
    return both.means(quote.speaker) if quote.speaker else None


def figures(rows: Sequence[Mapping[str, Share]]) -> dict[str, float]:
    """Every figure of texts taken together, by its path."""
    found = dict[str, float]()
    for path in rows[0]:
        above, below = (sum(row[path][side] for row in rows) for side in (0, 1))
        found[path] = above / below if below else 0.0
        group, _, last = path.partition(".")
        if last == "recall":
            precision, recall = found[f"{group}.precision"], found[path]
            both = precision + recall
            found[f"{group}.f1"] = 2 * precision * recall / both if both else 0.0
    for share in ("precision", "recall", "f1"):
        found[f"conll.{share}"] = sum(found[f"{n}.{share}"] for n in CONLL) / len(CONLL)
    return found
