"""Who is who in a text, as marks on its characters: what is scored, and against what.

`Marks` are the gold, or what a memory read, in one form: `seen` takes them from a
workspace, and who finds them in another way hands them to `mark_shares`. Whatever is
compared is so by its syntactic head, under one parse for both.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from spacy.tokens import Doc

from gswlab.bench.coreference import Ratio, coreference_shares, pairs_alike, shares
from gswlab.core.nouns import Actor, Chunk
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.parse import parse
from gswlab.gsw.operator.phrases import is_doubted


@dataclass(frozen=True, slots=True)
class MarkedMention:
    """Characters that mention an `entity`: one of the gold, or an actor by its id.

    `form` is name, nominal or pronoun; `kind` is PER, FAC, LOC, GPE, ORG, VEH or None.
    """

    start: int
    end: int
    form: str
    kind: str | None
    entity: str


@dataclass(frozen=True, slots=True)
class MarkedQuote:
    """Characters that an entity says, and those of the mention that tells who."""

    start: int
    end: int
    speaker: str | None = None
    said_by: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Marks:
    """All that is marked in a text; an event is told by the head of its characters."""

    mentions: tuple[MarkedMention, ...] = ()
    quotes: tuple[MarkedQuote, ...] = ()
    events: tuple[tuple[int, int], ...] = ()


_FORMS = {"name": "name", "short": "name", "nominal": "nominal"}
_FORMS |= {"pronoun": "pronoun", "narrator": "pronoun"}


def seen(workspace: Workspace, chunks: Sequence[Chunk], base: int = 0) -> Marks:
    """The marks of a text that a workspace has read, from character `base` on.

    A place or a thing is of the sort that its nouns speak of (`operator.actor_kinds`).
    """
    mentions = set[MarkedMention]()
    for actor in workspace.actors:
        kind = _kind(actor)
        for m in actor.mentions:
            if form := _FORMS.get(m.form):
                bounds = m.span.start - base, m.span.end - base
                mentions.add(MarkedMention(*bounds, form, kind, actor.id))
    ordered = tuple(sorted(mentions, key=lambda m: (m.start, m.end, m.entity)))
    kept = (p for p in workspace.verb_phrases if not (p.implied or is_doubted(p)))
    spans = (s for p in kept for s in p.spans)
    events = tuple((span.start - base, span.end - base) for span in spans)
    return Marks(ordered, tuple(_quoted(ordered, chunks, base)), events)


_KINDS = {"person": "PER", "organisation": "ORG"}
_PAUSE = 300  # characters between what two say in turn
_SORTS = {"person": "PER", "organisation": "ORG", "vehicle": "VEH"}
_SORTS |= {"building": "FAC", "land": "LOC", "town": "GPE"}


def _kind(actor: Actor) -> str | None:
    """One of the six kinds: as the nouns say, else of names a town for any place."""
    if actor.kind not in ("person", "place", "organisation", "object"):
        return None
    sums = defaultdict[str, float](float)
    for vote in actor.votes:
        if vote.field == "sort":
            sums[_SORTS[vote.candidate]] += vote.weight
    if sums:
        return max(sorted(sums), key=sums.__getitem__)
    if actor.kind == "person" or any(
        _FORMS.get(m.form) == "name" for m in actor.mentions
    ):
        return "GPE" if actor.kind == "place" else _KINDS.get(actor.kind)
    return None  # nouns of no sort: a dictionary's sense is not yet a place of a story


def _quoted(
    mentions: Sequence[MarkedMention], chunks: Sequence[Chunk], base: int
) -> Iterator[MarkedQuote]:
    """What is said; a quotation that a chunk leaves open goes on in the next.

    Where nobody is as good as told to say it, two who talk are taken to alternate.
    """
    since: int | None = None
    turns = deque[MarkedQuote](maxlen=2)
    for chunk in chunks:
        read, at = parse(chunk), chunk.span.start - base
        if (named := chunk.named) is not None:  # a turn of talk is said as a whole
            by = named.start - base, named.end - base
            who = next((m.entity for m in mentions if (m.start, m.end) == by), None)
            yield MarkedQuote(at, at + len(chunk.text), who, by)
        for quote in (quote for quote in read.quotes if quote.said):
            start = at + quote.start if since is None or quote.start else since
            since = None
            if quote.end == len(chunk.text) and chunk.text[-1] not in "\"'’”":
                since = start
                continue
            token = -1 if quote.likely is None else at + read.doc[quote.likely].idx
            over = (m for m in mentions if m.start <= token < m.end)
            one = min(over, key=lambda m: m.end - m.start, default=None)
            said_by = (one.entity, (one.start, one.end)) if one else ()
            turn = MarkedQuote(start, at + quote.end, *said_by)
            if quote.speaker is None and _is_talk([*turns, turn]):
                turn = replace(turn, speaker=turns[0].speaker, said_by=turns[0].said_by)
            turns.append(turn)
            yield turn


def _is_talk(turns: Sequence[MarkedQuote]) -> bool:
    """Whether three quotations follow each other, the first two by two who are told."""
    gaps = (two.start - one.end for one, two in pairwise(turns))
    told = {turn.speaker for turn in turns[:2]} - {None}
    return len(turns) == 3 and len(told) == 2 and all(gap < _PAUSE for gap in gaps)


_NOUNS, _VERBS = ("NOUN", "PROPN", "PRON"), ("VERB", "AUX")


def head_of(syntax: Doc, start: int, end: int, like: Sequence[str] = _NOUNS) -> int:
    """The token that heads these characters; of several, one of a class like these."""
    span = syntax.char_span(start, end, alignment_mode="expand")
    if span is None:
        return -1
    tops = (t for t in span if t.head == t or not span.start <= t.head.i < span.end)
    return next((t.i for t in tops if t.pos_ in like), span.root.i)


class Compared:
    """What was read of a text beside its gold, matched one to one by their heads."""

    def __init__(self, gold: Marks, read: Marks, syntax: Doc) -> None:
        self.gold, self.read, self.syntax = gold.mentions, read.mentions, syntax
        waiting = defaultdict[int, list[int]](list)
        for j, one in enumerate(self.gold):
            waiting[head_of(syntax, one.start, one.end)].append(j)
        self.pairs, self.at = dict[int, int](), dict[int, int]()
        self._told = defaultdict[tuple[str, bool], Counter[str]](Counter)
        for i, two in enumerate(self.read):
            head = head_of(syntax, two.start, two.end)
            if own := waiting[head]:
                alike = [j for j in own if self.gold[j].form == two.form] or own
                near = min(alike, key=lambda j: abs(self.gold[j].end - two.end))
                own.remove(near)
                self.pairs[i] = self.at[head] = near
                told = self._told[two.entity, two.form == "pronoun"]
                told[self.gold[near].entity] += 1
        self.found = {j: i for i, j in self.pairs.items()}

    def meant(self, entity: str | None, but: str = "") -> str | None:
        """Whom most names and nominals of a read entity mean.

        Where it has none, its pronouns tell, less one that means `but`.
        """
        told = self._told.get((entity or "", False))
        if not told:
            told = self._told.get((entity or "", True), Counter[str]()).copy()
            told[but] -= 1
        best = max(told, key=lambda gold: (told[gold], gold))
        return best if told[best] > 0 else None


def mark_shares(gold: Marks, read: Marks, syntax: Doc) -> dict[str, Ratio]:
    """Every share of one text by its path; those of several texts add up.

    Mentions are those of one of the six kinds; `any_kind` takes what has none too.
    """
    both = Compared(gold, read, syntax)
    anyone = {f"any_kind.{k}": v for k, v in _mentions(both, kinds=False).items()}
    found = {**_mentions(both), **anyone, **_names_pairwise(both)}
    events, happened = (
        {head_of(syntax, *event, _VERBS) for event in m.events} for m in (read, gold)
    )
    right = len(events & happened)
    found |= shares("realis", (right, len(events)), (right, len(happened)))
    return found | _pronouns(both, gold) | _speech(both, gold, read)


def _mentions(both: Compared, kinds: bool = True) -> dict[str, Ratio]:
    """Mentions found, all and by form; those with the right kind; their clusters."""
    read = {i: m for i, m in enumerate(both.read) if m.kind or not kinds}
    pairs = {i: j for i, j in both.pairs.items() if i in read}
    found = dict[str, Ratio]()
    for path, form in ("mentions", ""), ("names", "name"), ("nominals", "nominal"):
        made = [i in pairs for i, m in read.items() if form in ("", m.form)]
        gold = [j for j, m in enumerate(both.gold) if form in ("", m.form)]
        held = sum(both.found.get(j) in pairs for j in gold)
        found |= shares(path, (sum(made), len(made)), (held, len(gold)))
    if kinds:
        right = sum(read[i].kind == both.gold[j].kind for i, j in pairs.items())
        found |= shares("typed", (right, len(read)), (right, len(both.gold)))
    key, clusters = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for j, one in enumerate(both.gold):
        key[one.entity].append(j)
    for i, two in read.items():
        clusters[two.entity].append(pairs.get(i, -1 - i))
    return found | coreference_shares([*key.values()], [*clusters.values()])


def _names_pairwise(both: Compared) -> dict[str, Ratio]:
    """Pairs of names taken for one, of those that are names and were read as such."""
    pairs = ((both.read[i], both.gold[j]) for i, j in both.pairs.items())
    named = [(r.entity, g.entity) for r, g in pairs if r.form == g.form == "name"]
    read, gold = (pairs_alike(pair[side] for pair in named) for side in (0, 1))
    both_alike = pairs_alike(named)
    return shares("names_pairwise", (both_alike, read), (both_alike, gold))


_HE, _SHE = "he him his himself", "she her hers herself"
_PRONOUNS = {
    "he": _HE,
    "she": _SHE,
    "he_she": f"{_HE} {_SHE}",
    "they": "they them their theirs themselves",
    "we": "we us our ours ourselves",
    "you": "you your yours yourself yourselves ye thou thee thy thine thyself",
    "quoted_i": "i me my mine myself",
}


def _pronouns(both: Compared, gold: Marks) -> dict[str, Ratio]:
    """Right and wrong of each class; what was linked to nobody is neither."""
    said = {i for quote in gold.quotes for i in range(quote.start, quote.end)}
    counts = {name: Counter[str]() for name in _PRONOUNS}
    for j, one in enumerate(gold.mentions):
        word, i = both.syntax.text[one.start : one.end].lower(), both.found.get(j)
        meant = None if i is None else both.meant(both.read[i].entity, one.entity)
        fate = "open" if meant is None else "right" if meant == one.entity else "wrong"
        for name, words in _PRONOUNS.items():
            if word in words.split() and (name != "quoted_i" or one.start in said):
                counts[name][fate] += one.form == "pronoun"
    found = dict[str, Ratio]()
    for name, count in counts.items():
        found[f"pronouns.{name}"] = count["right"], count.total()
        found[f"pronouns.{name}_wrong"] = count["wrong"], count.total()
    return found


def _speech(both: Compared, gold: Marks, read: Marks) -> dict[str, Ratio]:
    """Quotations that share more than half of the longer one, and who says them."""
    found = right = 0
    for quote in gold.quotes:
        for one in read.quotes:
            shared = min(one.end, quote.end) - max(one.start, quote.start)
            if 2 * shared > max(one.end - one.start, quote.end - quote.start):
                head = head_of(both.syntax, *one.said_by) if one.said_by else -1
                at = both.at.get(head)
                told = both.meant(one.speaker) if at is None else both.gold[at].entity
                found += 1
                right += told is not None and told == quote.speaker
                break
    known = sum(quote.speaker is not None for quote in gold.quotes)
    sizes = (found, len(read.quotes)), (found, len(gold.quotes))
    return shares("quotations", *sizes) | {"speakers.accuracy": (right, known)}
