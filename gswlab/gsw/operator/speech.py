"""Quotations of a chunk: whether they are said, and who says them.

Whether marks hold speech, and which noun outside them speaks, are log-linear scores
(`language/en/speech.tsv`, `speakers`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from gswlab.gsw.operator.clauses import SUBJECTS
from gswlab.language.language import DEFAULT
from gswlab.language.lexicon import first_name_gender, words
from gswlab.language.log_linear import log_linear
from gswlab.language.pipeline import Doc, Token
from gswlab.text.quotations import Bounds, KnownBounds, marked

_REACH = 12
_BAR = 0.35  # of odds from which a speaker is told; chosen on held-out books
_SPEAKS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "conj", "ROOT", "appos"})
_NOBODY = frozenset({"it", "you", "which", "that", "what", "there"})
_NEAR = ((0, "0"), (1, "1"), (2, "2"), (4, "4"), (8, "8"), (16, "16"))


@dataclass(frozen=True, slots=True)
class Quotation:
    """Characters between quotation marks; a `title` or a mere name is not `said`."""

    start: int
    end: int
    likely: int | None = None  # the index of the token of who says it
    odds: float = 1.0
    title: bool = False
    said: bool = True

    @property
    def speaker(self) -> int | None:
        """The token of who says it, where that is as good as told."""
        return self.likely if self.odds >= _BAR else None


def _is_title(doc: Doc, start: int, end: int) -> bool:
    inside = [t for t in doc if start < t.idx < end - 1 and not t.is_space]
    if doc.text[end - 1] not in "\"”’'」』":
        return False  # speech that goes on in the next chunk
    content = [t for t in inside if t.is_alpha and len(t) > 3]
    if doc.text[start] == "『" or not content:
        return doc.text[start] == "『"
    first = inside[0].text
    told = any(t.pos_ == "PRON" or t.tag_ in ("VBD", "VBP", "MD") for t in inside)
    parted = any(t.text in (".", "!", "?", ";", ",", "\n") for t in inside)
    if told or parted or len(inside) > 8 or first_name_gender(first):
        return False  # said, or somebody's name
    return first[:1].isupper() and all(t.text[0].isupper() for t in content)


class Marked:
    """A doc's quotations: where, which name works, and whom verbs of speaking name."""

    def __init__(self, doc: Doc, given: KnownBounds) -> None:
        self.doc, self.ranges = doc, sorted(_ranges(doc, given))
        within = {i for a, b in self.ranges for i in range(a, b)}
        self.outside = [t for t in doc if t.idx not in within]
        self.titles = [_is_title(doc, *bounds) for bounds in self.ranges]
        told = zip(self.titles, self.ranges, strict=True)
        self.rules = [None if title else self._by_verb(*b) for title, b in told]

    def _by_verb(self, start: int, end: int) -> Token | None:
        """The subject of the nearest verb of speaking, after a quotation or before."""
        outside = self.outside
        after = [t for t in outside if t.idx >= end][:_REACH]
        before = [t for t in outside if t.idx < start][-_REACH:][::-1]
        stops = (".", "!", "?", "。")
        for tokens in (after, before):  # what still belongs to the quotation's sentence
            ends = (i for i, t in enumerate(tokens) if i and t.text in stops)
            del tokens[next(ends, len(tokens)) :]
        for verb in (*after, *reversed(before)):
            says = verb.lemma_.lower() in words("speech")
            if not says or verb.pos_ not in ("VERB", "AUX"):
                continue
            own = [verb, *([verb.head] if verb.dep_ == "conj" else [])]
            subjects = [c for t in own for c in t.children if c.dep_ in SUBJECTS]
            told = [c for c in subjects if c in outside]  # no name in what is said
            if not told and verb.i > 0 and verb.nbor(-1).text in ("”", '"', "’"):
                told = [c for c in verb.children if c.dep_ == "dobj"]  # “No,” said Ann
            if told:
                return told[0]
        return None


def quotations(doc: Doc, language: str, given: KnownBounds) -> tuple[Quotation, ...]:
    """The quotations of a doc in order, `given` or found, each with its speaker."""
    marks, found = Marked(doc, given), list[Quotation]()
    for i, bounds in enumerate(marks.ranges):
        title, rule = marks.titles[i], marks.rules[i]
        if language != DEFAULT:
            said, best = not title, (rule.i if rule else None, 1.0)
        else:
            odds = log_linear("en/speech.tsv").odds(said_features(marks, i))
            said = not title and odds["said"] >= odds["called"]
            scorer = log_linear("en/speakers.tsv")
            fitting = speaker_features(marks, i) if said else ()
            likely = ((t.i, scorer.odds(features)["yes"]) for t, features in fitting)
            best = max(likely, key=itemgetter(1), default=(None, 0.0))
        found.append(Quotation(*bounds, *best, title, said))
    return tuple(found)


def _ranges(doc: Doc, given: KnownBounds) -> set[Bounds]:
    """Where quotation marks, or the dash that opens a line of speech, begin and end."""
    text, found = doc.text, marked(doc.text) if given is None else given
    ranges = {(max(0, start), min(end, len(text))) for start, end in found}
    # Else lines that a dash opens, to the words that say whose they are.
    for sentence in () if ranges else doc.sents:
        first = sentence[0]
        if first.text[0] not in "—–" or len(sentence) < 2:
            continue
        end = sentence.end_char
        for who in (t for t in sentence if t.dep_ in ("nsubj", "dobj")):
            start = min(who.head.i, who.left_edge.i)
            says = who.head.lemma_.lower() in words("speech") and start > first.i
            if says and doc[start - 1].text in (",", "!", "?", "."):
                end = min(end, doc[start].idx)
        ranges.add((first.idx, len(text[:end].rstrip())))
    return ranges


def said_features(marks: Marked, at: int) -> dict[str, float]:
    """What the scorer sees of a quotation."""
    doc, (start, end) = marks.doc, marks.ranges[at]
    inside = [t for t in doc if start < t.idx < end - 1 and not t.is_space]
    before = [t for t in doc if t.idx < start and not t.is_space][-1:]
    after = [t for t in doc if t.idx >= end and not t.is_space][:1]
    last = doc.text[start + 1 : end].rstrip('"”’」')[-1:]
    many = min(sum(t.is_alpha for t in inside), 6)
    upper = bool(inside) and inside[0].text[:1].isupper()
    seen = ["any", f"ends {'word' if last.isalnum() else last}", f"words {many}"]
    seen += [f"opens {doc.text[start : start + 1]}", f"capital {upper} {many}"]
    seen += [f"before {t.pos_ if t.is_alpha else t.text}" for t in before]
    seen += [f"after {t.pos_ if t.is_alpha else t.text}" for t in after]
    seen += ["starts"] * (not before) + ["spoken"] * (marks.rules[at] is not None)
    seen += ["finite"] * any(t.tag_ in ("VBD", "VBP", "VBZ", "MD") for t in inside)
    seen += ["person"] * any(t.lower_ in ("i", "you", "my", "your") for t in inside)
    return dict.fromkeys(seen, 1.0)


def speaker_features(
    marks: Marked, at: int
) -> Iterator[tuple[Token, dict[str, float]]]:
    """Every noun outside quotations that may speak one, and what the scorer sees."""
    (start, end), text, outside = marks.ranges[at], marks.doc.text, marks.outside
    first = sum(t.idx < end for t in outside)
    for n, token in enumerate(outside):
        noun = token.pos_ in ("NOUN", "PROPN", "PRON") and token.dep_ in _SPEAKS
        if not noun or token.lower_ in _NOBODY:
            continue
        after, dep = token.idx >= end, token.dep_
        between = outside[first:n] if after else outside[n + 1 : first]
        gap = sum(not t.is_punct for t in between)
        near = next((name for most, name in _NEAR if gap <= most), "far")
        stops = sum(t.text in (".", "!", "?", ";") for t in between)
        low, high = (end, token.idx) if after else (token.idx, start)
        quotes = sum(low <= a and b <= high for a, b in marks.ranges)
        side = f"{'after' if after else 'before'} {min(stops, 2)} {min(quotes, 2)}"
        edge = text[end - 2 : end - 1] if after else text[:start].rstrip()[-1:]
        verb, who = token.head.lemma_.lower(), token.pos_
        who = token.lower_ if who == "PRON" else who
        seen = ["any", side, f"{side} {near}", f"dep {dep}", f"label {token.ent_type_}"]
        seen += [f"who {who}", f"{side} who {who}", f"verb {verb}"]
        seen += [f"{side} says {verb in words('speech')} {dep}"]
        seen += [f"{side} {'word' if edge.isalnum() else edge}"]
        spoke = [i - at for i, t in enumerate(marks.rules) if t and t.i == token.i]
        for i in (max(-3, min(3, i)) for i in spoke):
            seen += [f"spoke {i}", f"spoke {i} {side}"]
        seen += ["other spoke"] * (not spoke and marks.rules[at] is not None)
        yield token, dict.fromkeys(seen, 1.0)
