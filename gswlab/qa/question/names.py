"""A question to a `Cue`, compositional and without a table of templates.

1. dates are cut out, then the names of the workspace, longest first, then
   capitalised runs the workspace does not know (typed by the syntax around them);
2. what is left over, once the words that every question is built of are gone, names
   the kind of event if it stands where a name of one can;
3. what is asked and in which order is read off the masked question.

The last two go by the rules of the question's language, a module here of its code's
name, or by its table `asked.txt` alone. Names of episodes come before those the text
merely mentions; a short form ("Ann") stands for the full name when it is unique.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from gswlab.core.nouns import NAME_FORMS, Bound
from gswlab.core.workspace import Workspace
from gswlab.language.dates.find import find_dates
from gswlab.language.event_types import is_common
from gswlab.language.keys import Word, key_words, kind_stems, name_key
from gswlab.language.language import Language, asked_in, of
from gswlab.language.lexicon import first_name_gender, groups
from gswlab.language.stems import folded_stem
from gswlab.qa.cue import Asked, Cue, EpisodeIndex, EpisodeSource, Order, surfaces
from gswlab.qa.question.asked_for import asked_of, left_over, order_of, table_asks
from gswlab.qa.question.stopwords import event_like, is_scaffold, like, opens_sentence

CueField = Literal["date", "place", "protagonist", "content"]
Key = tuple[str, ...]
QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "«": '"', "»": '"'})
SEVERAL = " / "  # between those whom a short name may mean: it finds none of them
_HONORIFIC = re.compile(f".(?:{'|'.join(sorted(groups('ja/words.tsv')['suffix']))})$")


@dataclass(frozen=True, slots=True)
class FoundName:
    """A name in a question: where, which field it fills, and with what value."""

    start: int
    end: int
    field: CueField
    value: str
    short: bool = False
    unknown: bool = False


@dataclass(slots=True)
class Names:
    """Names by their folded words. `Names.of(workspace)` builds it once per version."""

    table: dict[Key, tuple[CueField, str]] = field(default_factory=dict)
    shorts: dict[Key, set[str]] = field(default_factory=dict)
    kinds: set[Key] = field(default_factory=set)
    stems: set[frozenset[str]] = field(default_factory=set)
    longest: int = 1

    @classmethod
    def of(cls, source: EpisodeSource) -> Names:
        """The names of episodes and, for a workspace, of its persons and places."""
        names = cls()
        episodes = EpisodeIndex.of(source).episodes
        for episode in episodes:
            for kind in (episode.kind, *episode.hypotheses.get("kind", ())):
                for label in surfaces(kind):
                    key = tuple(map(folded_stem, name_key(label)))
                    names.stems.add(kind_stems(label))
                    names.kinds.add(key)
                    names.longest = max(names.longest, len(key))
            names._bound("place", episode.place)
            names._bound("protagonist", episode.protagonist)
        for episode in episodes:
            for participant in episode.participants:
                names._bound("protagonist", participant)
        for actor in source.actors if isinstance(source, Workspace) else ():
            if actor.kind not in ("person", "place"):
                continue
            field_: CueField = "place" if actor.kind == "place" else "protagonist"
            # Written with a capital; in a script that has none, once told as a name.
            named = any(m.form in NAME_FORMS for m in actor.mentions)
            for surface in (actor.name, *actor.aliases):
                told = any(c.isupper() or (named and ord(c) > 0x2E7F) for c in surface)
                if told and kind_stems(surface) not in names.stems:
                    names._add(field_, surface, actor.name)
        return names

    def find(self, text: str) -> tuple[FoundName, ...]:
        """Names in `text`, longest first, none inside another; in order of place."""
        tokens = key_words(text)
        stems = tuple(folded_stem(token.text) for token in tokens)
        taken, found = set[int](), list[FoundName]()
        for size in range(min(self.longest, len(tokens)), 0, -1):
            for start in range(len(tokens) - size + 1):
                part, span = slice(start, start + size), range(start, start + size)
                free = taken.isdisjoint(span)
                if free and (hit := self._at(text, tokens[part], stems[part])):
                    found.append(hit)
                    taken.update(span)
        return tuple(sorted(found, key=lambda hit: hit.start))

    def knows_kind(self, label: str) -> bool:
        """Whether some episode may be of this kind: all stems in one known label."""
        stems = kind_stems(label)
        return bool(stems) and any(stems <= known for known in self.stems)

    def _at(self, text: str, run: tuple[Word, ...], stems: Key) -> FoundName | None:
        start, end = run[0].start, run[-1].end
        key = tuple(word.text for word in run)
        if len(full := self.shorts.get(key, ())) > 1 and len(key) > 1:
            several = f"{text[start:end]} ({SEVERAL.join(sorted(full))})"
            return FoundName(start, end, "protagonist", several, short=True)
        if known := self.table.get(key):
            return FoundName(start, end, *known) if _plausible(text, run) else None
        if stems in self.kinds and len(run) > 1 and not full:
            return FoundName(start, end, "content", text[start:end])
        if full and _plausible(text, run):
            value = next(iter(full)) if len(full) == 1 else text[start:end]
            return FoundName(start, end, "protagonist", value, short=True)
        return None

    def _bound(self, name: CueField, bound: Bound | None) -> None:
        value, *others = surfaces(bound) or ("",)
        for surface in (value, *others):
            # what the text took for a name may be a kind of event rather
            if name == "place" or kind_stems(surface) not in self.stems:
                self._add(name, surface, value)

    def _add(self, name: CueField, surface: str, value: str) -> None:
        key = name_key(surface)
        if not key or (_unspaced(key) and _HONORIFIC.search(surface)):
            return  # 山田さん is whoever 山田 is
        # A place answers to the places around it, but is not one of them.
        self.table.setdefault(key, (name, surface if name == "place" else value))
        self.longest = max(self.longest, len(key))
        if name == "protagonist" and len(key) > 1:
            shorts = {key[:1], key[-1:]}
            if _unspaced(key):  # the family or the given name, by character
                parts = [(key[:at], key[at:]) for at in range(1, len(key))]
                shorts = {half for both in parts for half in both if len(half) > 1}
            for short in shorts:
                self.shorts.setdefault(short, set()).add(value)


def _unspaced(key: Key) -> bool:
    """Whether a name is of a script without spaces: each character is a word."""
    return all(len(word) == 1 and ord(word) > 0x2E7F for word in key)


def _plausible(text: str, run: tuple[Word, ...]) -> bool:
    """Whether a name of one word is one here: "Grace" is, "grace" is not.

    A word of which questions are built ("Give") is none where it opens a sentence.
    """
    first, start = text[run[0].start], run[0].start
    if len(run) > 1 or ord(first) > 0x2E7F or first.isdigit():
        return True
    if not first.isupper() or run[0].text == "i":
        return False
    return not (opens_sentence(text, start) and is_scaffold(run[0].text))


def unknown_runs(text: str, known: tuple[FoundName, ...]) -> list[FoundName]:
    """Capitalised runs that no known name accounts for."""
    runs, blank = list[FoundName](), blanked(text, known)
    for match in like("run").finditer(blank):
        start, end = match.span()
        # without the word that only opens its sentence, or that is scaffold
        lead = like("lead").match(blank, start, end)
        word = lead.group().split()[0] if lead else ""
        is_lead = is_scaffold(word) or not match.group().strip(word)
        if lead and is_lead and (opens_sentence(blank, start) or word == "I"):
            start = lead.end()
        if start >= end or re.fullmatch(r"I(?:'\w+)?", text[start:end]):
            continue
        # "Central Park Zoo" is not "Central Park": a known name beside it is given up.
        for hit in known:
            if hit.start - end == 1 and text[end] in " -":
                end = hit.end
            if start - hit.end == 1 and text[hit.end] in " -":
                start = hit.start
        runs.append(FoundName(start, end, "content", text[start:end]))
    return runs


def typed(text: str, run: FoundName, names: Names) -> FoundName:
    """An unknown run with the field that the syntax around it gives it."""
    label, words = run.value, re.split("[ -]", run.value)
    guess: CueField = "protagonist"
    common = (is_common(w) or w.endswith("ing") or is_scaffold(w) for w in words)
    worded = event_like(label) or all(common)
    if names.knows_kind(label) or (worded and not first_name_gender(words[0])):
        guess = "content"
    elif like("locative").search(text[: run.start].rstrip("\"' ") + " "):
        guess = "place"
    return FoundName(run.start, run.end, guess, label, unknown=True)


def blanked(text: str, hits: Iterable[FoundName]) -> str:
    """The text with what was found blanked out, every other character in its place."""
    for hit in hits:
        text = text[: hit.start] + "·" * (hit.end - hit.start) + text[hit.end :]
    return text


def named(text: str, entities: Iterable[str], names: Names) -> list[FoundName]:
    """The entities that `text` has, none inside another, in order of place."""
    found: list[FoundName] = []
    for entity in sorted(dict.fromkeys(entities), key=len, reverse=True):
        start = text.lower().find(entity.lower())
        end = start + len(entity)
        if start < 0 or any(hit.start < end and start < hit.end for hit in found):
            continue
        run = FoundName(start, end, "content", text[start:end])
        known = [h for h in names.find(run.value) if h.end - h.start == len(entity)]
        known = [replace(hit, start=start, end=end) for hit in known]
        found += known or [typed(text, run, names)]
    return sorted(found, key=lambda hit: hit.start)


_MASK = {"date": "⟨t⟩", "place": "⟨s⟩", "protagonist": "⟨e⟩", "content": "⟨c⟩"}


def parse_question(
    question: str, names: Names, entities: Sequence[str] | None = None
) -> Cue:
    """What `question` fixes, asks for, and in which order.

    With `entities` these are the names it has, and no others.
    """
    said = unicodedata.normalize("NFKC", question).translate(QUOTES)
    text = " ".join(said.split())
    language = of(asked_in(text))
    hits = _cut(text, names, entities, language)
    values: dict[str, str] = {}
    # One value a field, a full name before a short form. A name the text does not have
    # is never dropped: where its field is taken it fills another.
    for hit in sorted(hits, key=lambda hit: (hit.unknown, hit.short, hit.start)):
        others = ("place", "protagonist", "content") if hit.unknown else ()
        free = [name for name in (hit.field, *others) if name not in values]
        values |= dict.fromkeys(free[:1], hit.value)
    masked = text
    for hit in sorted(hits, key=lambda hit: -hit.start):
        masked = masked[: hit.start] + _MASK[hit.field] + masked[hit.end :]
    rules: Any = language.rules("gswlab.qa.question")
    if by_rule := hasattr(rules, "content"):
        content, rest = rules.content(masked, names)
    else:
        content, rest = " ".join(left_over(masked, language)), ()
    if content and "content" not in values:
        values["content"] = content
        if language.space:  # "the moot court final" is no last
            masked = masked.replace(content, _MASK["content"], 1)
    asked: Asked = asked_of(masked) if by_rule else table_asks(masked, language)
    if asked == "entities" and "protagonist" in values:
        asked = "other_entities"
    if asked == "contents" and len(values) == 4:
        asked = "details"
    # details are told "from start to finish"
    order: Order = "all" if asked == "details" else order_of(masked, language)
    return Cue(**values, asked=asked, order=order, rest=rest)


def _cut(
    text: str, names: Names, entities: Sequence[str] | None, language: Language
) -> list[FoundName]:
    """Dates, known names, then unknown capitalised runs."""
    hits = [
        FoundName(mention.start, mention.end, "date", mention.value)
        for mention in find_dates(text, language=language.code)
        if mention.value is not None and not mention.relative
    ]
    open_text = blanked(text, hits)
    if entities is not None:
        told = [entity.translate(QUOTES) for entity in entities]
        return [*hits, *named(open_text, told, names)]
    known = names.find(open_text)
    for run in unknown_runs(open_text, known) if language.space else ():
        known = tuple(hit for hit in known if not run.start <= hit.start < run.end)
        hits.append(typed(text, run, names))
    return [*hits, *known]
