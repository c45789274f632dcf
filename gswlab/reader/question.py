"""A question to a `Cue`, compositional and without a table of templates.

1. dates are cut out, then the names of the workspace, longest first, then quoted and
   capitalised runs the workspace does not know (typed by the syntax around them);
2. what is asked and in which order is read off the masked question
   (`gswlab.reader.asked`);
3. what is left over, once the words every question is built of are gone
   (`scaffold.txt`), names the kind of event if it stands where a name of one can.

A cue that matches nothing is as good as one that does: it is why a reader abstains.
"""

from __future__ import annotations

import re
import unicodedata

import snowballstemmer

from gswlab.reader.asked import asked_of, order_of
from gswlab.reader.japanese import parse_japanese
from gswlab.reader.names import CueField, Found, Names
from gswlab.reader.scaffold import event_like, is_scaffold, opens_sentence, scaffold
from gswlab.text import Language, find_dates
from gswlab.workspace.cues import Cue, Word, words

_MASK = {"date": "⟨t⟩", "place": "⟨s⟩", "protagonist": "⟨e⟩", "content": "⟨c⟩"}
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "«": '"', "»": '"'})
_QUOTED = re.compile(r'"([^"]{2,60})"|(?<!\w)\'([^\']{2,60})\'(?!\w)')
_CAPITAL = (
    r"(?:(?:St|Dr|Mr|Mrs|Ms|Mt|Prof|[A-Z])\.|[^\W\d_a-zß-öø-ÿ]\w*(?:['-](?!s\b)\w+)*"
    r"(?:'s(?= [A-Z]))?|\d+(?:st|nd|rd|th))"
)
_JOIN = r"(?: (?:of|the|de|la|du|del|von|van|and|&|le|da|di)){1,2}"
_RUN = re.compile(rf"{_CAPITAL}(?:(?:{_JOIN})?[ -]{_CAPITAL})*")
_LOCATIVE = re.compile(
    r"\b(?:at|in|inside|within|near|around|from|visit(?:ed|ing)?|outside|across|location"
    r"|venue|place|site|to)(?: of)?,? (?:the )?$",
    re.I,
)
_STRONG = re.compile(
    r"(?:\b(?:(?:relat|connect|t[yi]|link|pertain|devot|dedicat|belong|cent(?:er|re)"
    r"|revolv|focus|associat|concern)\w* (?:to|with|on|around|about)|involv\w+"
    r"|featur\w+|called|label+ed|entitled|titled|described as|classified as|counted as"
    r"|known as|termed|dubbed|(?:events?|gatherings?|occasions?|all|those|anything)"
    r" (?:concerning|regarding|about|around|surrounding)|kinds? of|types? of|sorts? of"
    r"|attend\w*|host\w*|h[eo]ld(?:ing|s)?|experienc\w*|join\w*|part in|enjoy\w*"
    r"|participat\w* in|we?nt to|go(?:es|ing|ne)? to|been to|stag(?:ed|ing)|put on"
    r"|occurrences? of"
    r"|(?:involvement|participation|presence|role|interest|stage|protagonist|characters?"
    r"|figures?|people|persons?|participants?|individuals?) (?:in|at|of)|both ⟨e⟩ and"
    r"|there (?:was|were|is|are|be|been|had been)|was there|were there|(?:dates?|days?"
    r"|venues?|places?|locations?|instances?|cases?|wherever|whenever) (?:of|for))"
    r"(?: (?:the|a|an|any|some|this|every|each|one|another|such))*|⟨e⟩'s) ?$",
    re.I,
)
_HELD = re.compile(
    r"^ (?:(?:was|were|is|are|be|been|being|has been|had been|would be|got|did) )*"
    r"(?:held|took place|takes place|taking place|take place|taken place|happen\w*"
    r"|occur\w*|hosted|staged|organi[sz]ed|put on|came about|go on|going on|went on"
    r"|events?|gatherings?|sessions?|occasions?)\b",
    re.I,
)
_WEAK = re.compile(
    r"(?:\b(?:a|an|the|any|some|every|each|this|that|these|those|another|of|at|for|with"
    r"|during|in|on|to|from|by|attend\w*|host\w*|held|hold|holds|holding|joined|saw|see"
    r"|witness\w*|includ\w+|was|were|as|his|her|their|all|which|what|between|and)"
    r"|⟨[tse]⟩'s?) ?$",
    re.I,
)
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
_BEFELL = re.compile(
    r"\b(?:happen\w* to|became of|become of|befell)\b|に何が起|はどうな", re.I
)
_LISTS = re.compile(
    r"\b(?:all|every|each|list|events?|gatherings?|occasions?|activit(?:y|ies)|dates"
    r"|days|times|places|locations|venues|people|persons|protagonists|characters"
    r"|kinds?|types?|sorts?|names?)\b",
    re.I,
)
_WHICH = re.compile(
    r"\b(?:what|which|the) (?:\w+ )?(?:kinds?|sorts?|types?|manner|variety|nature) of"
    r"(?: \w+)? ?$",
    re.I,
)
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_STEMMER = snowballstemmer.stemmer("english")


def parse_question(question: str, names: Names) -> Cue:
    """What `question` fixes, asks for, and in which order.

    >>> parse_question("On which days was there a pottery class?", Names())
    Cue(date=None, place=None, protagonist=None, content='pottery class', ...)
    """
    text = unicodedata.normalize("NFKC", question).translate(_QUOTES).strip()
    text = " ".join(text.split())
    if asked_in(text) == "ja":
        return parse_japanese(text, names)
    hits = _cut(text, names)
    masked = _masked(text, hits)
    values = _values(hits)
    content, rest = _left_over(masked, names)
    if content and "content" not in values:
        values["content"] = content
    asked = asked_of(masked)
    if asked == "entities" and "protagonist" in values:
        asked = "other_entities"
    if asked == "contents" and len(values) == 4:
        asked = "details"
    return Cue(**values, asked=asked, order=order_of(masked), rest=rest)


def asked_in(question: str) -> Language:
    """The language of a question: one kana is enough, whatever names are in it.

    >>> asked_in("Ann Rayはいつ Quay Houseに？"), asked_in("When was 山田太郎 there?")
    ('ja', 'en')
    """
    return "ja" if _KANA.search(question) else "en"


def plain_verbs(question: str, cue: Cue) -> tuple[str, ...] | None:
    """The verbs of a plain question ("Who arrested Sato?"), None for any other.

    A question that lists, or names a date or place, asks for episodes. "What happened
    to ...?" and "Where is Ann?" are plain and ask for every verb: an empty tuple.

    >>> plain_verbs("Who arrested Sato?", Cue(rest=("arrested",)))
    ('arrested',)
    """
    if cue.order == "chronological" or cue.date or cue.place:
        return None
    if _BEFELL.search(question):
        return ()
    if _LISTS.search(question):
        return None
    return cue.rest if cue.rest or cue.fields == ("protagonist",) else None


def _cut(text: str, names: Names) -> list[Found]:
    """Dates, known names, then unknown quoted and capitalised runs, by place."""
    hits = [
        Found(mention.start, mention.end, "date", mention.value)
        for mention in find_dates(text)
        if mention.value is not None and not mention.relative
    ]
    open_text = _blanked(text, hits)
    known = names.find(open_text)
    for run in _unknown_runs(open_text, known):
        inside = [hit for hit in known if run.start <= hit.start < run.end]
        known = tuple(hit for hit in known if hit not in inside)
        hits.append(_typed(text, run, names, known))
    return sorted([*hits, *known], key=lambda hit: hit.start)


def _unknown_runs(text: str, known: tuple[Found, ...]) -> list[Found]:
    """Quoted or capitalised runs that no known name accounts for."""
    runs = [
        Found(m.start(), m.end(), "content", m.group(1) or m.group(2))
        for m in _QUOTED.finditer(text)
        if not any(m.start() <= hit.start < m.end() for hit in known)
    ]
    blank = _blanked(text, known)
    for match in () if _title_case(blank) else _RUN.finditer(blank):
        start, end = _without_lead(blank, match.start(), match.end())
        if (
            start >= end
            or text[start:end] == "I"
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


def _typed(text: str, run: Found, names: Names, known: tuple[Found, ...]) -> Found:
    """An unknown run with the field that the syntax around it gives it."""
    if near := names.near(run.value):
        return Found(run.start, run.end, *near)
    before, after = text[: run.start], text[run.end :]
    before = before.rstrip("\"'")
    kind = names.knows_kind(run.value) or event_like(run.value)
    guess: CueField = "content"
    if kind:
        guess = "content"
    elif _LOCATIVE.search(before + ("" if before.endswith(" ") else " ")):
        guess = "place"
    elif _personal(run.value) and (_ACTS.match(after) or _ACTED.search(before)):
        guess = "protagonist"
    return Found(run.start, run.end, guess, run.value, unknown=True)


def _personal(label: str) -> bool:
    """Two or three capitalised words and no joint: how a person may be called."""
    parts = label.split()
    return len(parts) <= 3 and all(part[0].isupper() for part in parts)


def _values(hits: list[Found]) -> dict[str, str]:
    """One value a field: the first, a full name before a short form.

    A name the text does not have is never dropped: where its field is taken it fills
    another, for nothing that names it can be found.
    """
    values: dict[str, str] = {}
    for hit in sorted(hits, key=lambda hit: (hit.unknown, hit.short, hit.start)):
        free = [
            hit.field,
            *(("place", "protagonist", "content") if hit.unknown else ()),
        ]
        name = next((name for name in free if name not in values), None)
        if name is not None:
            values[name] = hit.value
    return values


def _blanked(text: str, hits: list[Found] | tuple[Found, ...]) -> str:
    for hit in hits:
        text = text[: hit.start] + "\u00b7" * (hit.end - hit.start) + text[hit.end :]
    return text


def _masked(text: str, hits: list[Found]) -> str:
    for hit in sorted(hits, key=lambda hit: -hit.start):
        text = text[: hit.start] + _MASK[hit.field] + text[hit.end :]
    return text


def _left_over(masked: str, names: Names) -> tuple[str | None, tuple[str, ...]]:
    """The lower-case name of a kind of event in a masked question, and other words."""
    text = scaffold().phrases.sub(lambda m: "-" * len(m.group()), masked)
    runs = _runs(text)
    ranked = sorted(runs, key=lambda run: (-_rank(masked, run, names), run[0].start))
    if not ranked or _rank(masked, ranked[0], names) == 0:
        return None, tuple(word.text for run in runs for word in run)
    best = ranked[0]
    others = tuple(word.text for run in runs if run is not best for word in run)
    return text[best[0].start : best[-1].end].strip("'"), others


def _runs(text: str) -> list[list[Word]]:
    """Runs of neighbouring words that questions are not built of."""
    runs: list[list[Word]] = []
    tokens = [w for w in words(text) if not _in_mask(text, w)]
    for number, word in enumerate(tokens):
        if is_scaffold(word.text) or word.text.isdigit() or len(word.text) < 2:
            continue
        if runs and _joined(text, runs[-1][-1], word):
            runs[-1].append(word)
        else:
            runs.append([*_inner(text, tokens[:number][::-1], word)[::-1], word])
    for run in runs:
        after = [w for w in tokens if w.start > run[-1].start]
        run += _inner(text, after, run[-1])
    return runs


def _inner(text: str, neighbours: list[Word], word: Word) -> list[Word]:
    """Words touching `word` that may be part of the name of a kind of event."""
    found: list[Word] = []
    for other in neighbours:
        first, second = sorted((other, word), key=lambda w: w.start)
        if text[first.end : second.start] not in (" ", "-"):
            break
        if _STEMMER.stemWord(other.text) not in scaffold().inner:
            break
        found.append(other)
        word = other
    return found


def _joined(text: str, first: Word, second: Word) -> bool:
    return text[first.end : second.start] in (" ", "-", "'", " and ", " of ", " & ")


def _in_mask(text: str, word: Word) -> bool:
    return word.start > 0 and text[word.start - 1] == "⟨"


def _rank(text: str, run: list[Word], names: Names) -> int:
    """How surely a run names a kind of event; 0 is not at all."""
    before, label = text[: run[0].start], text[run[0].start : run[-1].end]
    if _WHICH.search(before):
        return 0
    if names.knows_kind(label):
        return 3
    if _STRONG.search(before) or _HELD.search(text[run[-1].end :]):
        return 2
    return 1 if _WEAK.search(before) and event_like(label) else 0
