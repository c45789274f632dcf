"""Passages of six genres: read with their marks, checked, and written from braces.

`python passages.py check` says what does not hold, `python passages.py show NAME`
prints a passage with its marks in braces, `python passages.py write FILE...` makes
`.txt` and `.ann` of such files. README.md tells what the marks mean.
"""

from __future__ import annotations

import csv
import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gswlab.bench.marks import MarkedMention, MarkedQuote, Marks

HERE = Path(__file__).resolve().parent
FORMS = {":": "PROP", "~": "NOM", "=": "PRON"}
KINDS = ("PER", "FAC", "LOC", "GPE", "ORG", "VEH", "WORK", "OBJ", "ABS")
QUESTIONS = ("who is", "where", "when", "what happened", "why", "how many")
_PLAIN = {"PROP": "name", "NOM": "nominal", "PRON": "pronoun"}
_OPEN = re.compile(
    r"\{(?:@(?P<day>[^|{}]+)\||!(?P<state>[\w+]+)\|"
    r"|(?P<speaker>[\w+]+)>(?P<to>[\w+]*)\||(?P<entity>[\w+]+)(?P<form>[:~=]))|\}"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters and what they are: MENTION (kind, form, entity), QUOTE, DAY, STATE."""

    layer: str
    start: int
    end: int
    values: tuple[str, ...]


@dataclass(frozen=True)
class Passage:
    """A text with its marks; `kinds` are those of its entities, `time` its day or "-"."""

    name: str
    language: str
    time: str
    text: str
    kinds: dict[str, str]
    found: tuple[Mark, ...]

    @property
    def genre(self) -> str:
        """What the name begins with."""
        return self.name.partition("_")[0]

    @property
    def part(self) -> str:
        """Whether one may look at its errors (`tune`) or only at its score (`report`)."""
        return ("tune", "report")[int(hashlib.sha1(self.name.encode()).hexdigest(), 16) % 2]

    def layer(self, name: str) -> tuple[Mark, ...]:
        """The marks of one layer, by where they start."""
        return tuple(mark for mark in self.found if mark.layer == name)

    @property
    def marks(self) -> Marks:
        """Mentions and quotations in the form that `gswlab.bench.marks` scores."""
        mentions = tuple(
            MarkedMention(m.start, m.end, _PLAIN[form], kind, entity)
            for m in self.layer("MENTION")
            for kind, form, entity in [m.values]
        )
        said = self.layer("QUOTE")
        return Marks(mentions, tuple(MarkedQuote(q.start, q.end, q.values[0]) for q in said))


def unbraced(marked: str, kinds: dict[str, str]) -> tuple[str, tuple[Mark, ...]]:
    """The plain text, and its marks by where they start (outer before inner)."""
    plain, last = "", 0
    waiting, found = list[tuple[str, tuple[str, ...], int]](), list[Mark]()
    for hit in _OPEN.finditer(marked):
        plain, last = plain + marked[last : hit.start()], hit.end()
        if hit["day"]:
            waiting.append(("DAY", (hit["day"],), len(plain)))
        elif hit["state"]:
            waiting.append(("STATE", (hit["state"],), len(plain)))
        elif hit["speaker"]:
            waiting.append(("QUOTE", (hit["speaker"], hit["to"] or "-"), len(plain)))
        elif hit["entity"]:
            entity = hit["entity"]  # one of several, "ann+bob", is of the first one's kind
            kind = kinds.setdefault(entity, kinds[entity.partition("+")[0]])
            values = (kind, FORMS[hit["form"]], entity)
            waiting.append(("MENTION", values, len(plain)))
        else:
            layer, values, start = waiting.pop()
            found.append(Mark(layer, start, len(plain), values))
    plain += marked[last:]
    if waiting or "{" in plain or "}" in plain:
        raise ValueError(f"braces do not pair near {plain[-80:]!r}")
    return plain, tuple(sorted(found, key=lambda m: (m.start, -m.end, m.layer != "QUOTE")))


def braced(passage: Passage) -> str:
    """The text with its marks in braces, as `write` reads it."""
    opened, closed = dict[int, str](), dict[int, str]()
    for mark in passage.found:
        one, *rest = mark.values
        head = {"DAY": f"@{one}|", "STATE": f"!{one}|", "QUOTE": f"{one}>"}.get(mark.layer)
        if mark.layer == "QUOTE":
            head = f"{one}>{rest[0].replace('-', '')}|"
        if mark.layer == "MENTION":
            head = rest[1] + next(sign for sign, form in FORMS.items() if form == rest[0])
        opened[mark.start] = opened.get(mark.start, "") + "{" + str(head)
        closed[mark.end] = closed.get(mark.end, "") + "}"
    text = passage.text
    whole = (
        closed.get(i, "") + opened.get(i, "") + text[i : i + 1] for i in range(len(text) + 1)
    )
    kinds = (
        f"{kind} " + " ".join(e for e, k in passage.kinds.items() if k == kind)
        for kind in KINDS
        if kind in passage.kinds.values()
    )
    head = f"=== {passage.name} {passage.language} {passage.time}"
    return f"{head}\n{' | '.join(kinds)}\n---\n{''.join(whole)}"


def load(folder: Path = HERE) -> tuple[Passage, ...]:
    """The passages of a folder, by name."""
    return tuple(passage(path) for path in sorted(folder.glob("*.ann")))


def passage(path: Path) -> Passage:
    """The passage of an `.ann` file and the `.txt` beside it; ValueError for a bad row."""
    text = path.with_suffix(".txt").read_text("utf-8")
    language = time = ""
    kinds, found = dict[str, str](), list[Mark]()
    for row in path.read_text("utf-8").splitlines():
        layer, *cells = row.split("\t")
        if layer == "TEXT":
            language, time = cells
        elif layer == "ENTITY":
            kinds[cells[0]] = cells[1]
        else:
            _, start, end, *values, quoted = cells
            mark = Mark(layer, int(start), int(end), tuple(values))
            if _shown(text[mark.start : mark.end]) != quoted:
                raise ValueError(f"{path.name}: {row!r} is not what stands there")
            found.append(mark)
    return Passage(path.stem, language, time, text, kinds, tuple(found))


def _shown(text: str) -> str:
    return text.replace("\n", "\\n")


def rows(one: Passage) -> Iterator[str]:
    """The lines of its `.ann` file."""
    yield f"TEXT\t{one.language}\t{one.time}"
    for entity, kind in one.kinds.items():
        yield f"ENTITY\t{entity}\t{kind}"
    counts = dict[str, int]()
    for mark in one.found:
        counts[mark.layer] = number = counts.get(mark.layer, 0) + 1
        cells = (mark.layer, f"{mark.layer[0]}{number}", str(mark.start), str(mark.end))
        yield "\t".join((*cells, *mark.values, _shown(one.text[mark.start : mark.end])))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on a passage; without `answers` the passage does not tell."""

    passage: str
    kind: str
    question: str
    answers: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    sentence: str = ""


def questions(folder: Path = HERE) -> tuple[Asked, ...]:
    """The questions of a folder, in their order."""
    with Path(folder, "questions.tsv").open(encoding="utf-8", newline="") as file:
        table = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return tuple(
        Asked(name, kind, asked, tuple(filter(None, told.split(" / "))), *map(int, at), said)
        for name, kind, asked, told, *at, said in table
    )


def problems(folder: Path = HERE) -> Iterator[str]:
    """What does not hold, a line each."""
    texts = {one.name: one for one in load(folder)}
    for one in texts.values():
        known = {*one.kinds, "-"}
        for mark in one.found:
            if not 0 <= mark.start < mark.end <= len(one.text):
                yield f"{one.name}: {mark} is no stretch of the text"
            if mark.layer == "MENTION":
                kind, form, entity = mark.values
                if one.kinds.get(entity) != kind or form not in _PLAIN:
                    yield f"{one.name}: {mark} is of no entity of that kind"
            elif mark.layer != "DAY" and not known.issuperset(mark.values):
                yield f"{one.name}: {mark} names nobody"
        if idle := {*one.kinds} - {value for m in one.found for value in m.values}:
            yield f"{one.name}: nothing is of {sorted(idle)}"
        if unbraced(braced(one).partition("\n---\n")[2], one.kinds)[0] != one.text:
            yield f"{one.name}: braces do not bring its text back"
    for asked in questions(folder):
        text = texts[asked.passage].text
        if asked.kind not in QUESTIONS or text[asked.start : asked.end] != asked.sentence:
            yield f"{asked.passage}: {asked.question!r} has no such sentence"
        if bool(asked.answers) != bool(asked.sentence):
            yield f"{asked.passage}: {asked.question!r} has an answer without a sentence"


@dataclass
class _Source:
    """A passage as it is written by hand, with its questions."""

    passage: Passage
    asked: list[Asked] = field(default_factory=list)


_STOP = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bSt)(?<!\bJos)(?<!\bNo)[.!?][”\"’)]*(?=\s+[^a-z0-9\s]|\s*$)|[。！？]」?|\n")


def sentence_at(text: str, quoted: str) -> tuple[int, int]:
    """The sentence that holds a quotation, which occurs once."""
    if text.count(quoted) != 1:
        raise ValueError(f"{quoted!r} occurs {text.count(quoted)} times")
    at = text.index(quoted)
    ends = [0, *(hit.end() for hit in _STOP.finditer(text)), len(text)]
    start = max(end for end in ends if end <= at)
    end = min(end for end in ends if end >= at + len(quoted))
    within = text[start:end]
    return start + len(within) - len(within.lstrip()), start + len(within.rstrip())


def written(path: Path) -> Iterator[_Source]:
    """The passages of a file written with braces."""
    for part in re.split(r"^=== ", path.read_text("utf-8"), flags=re.M)[1:]:
        head, _, body = part.partition("\n---\n")
        first, declared = head.split("\n")[:2]
        name, language, *time = first.split()
        kinds = {e: k for k, *some in map(str.split, declared.split("|")) for e in some}
        marked, _, asked = body.partition("\n???\n")
        try:
            text, found = unbraced(marked.strip() + "\n", kinds)
            used = {value for mark in found for value in mark.values}
            kinds = {entity: kind for entity, kind in kinds.items() if entity in used}
            source = _Source(Passage(name, language, "".join(time) or "-", text, kinds, found))
            for row in filter(None, asked.strip().split("\n")):
                kind, question, told, *quoted = (cell.strip() for cell in row.split("|"))
                at = sentence_at(text, quoted[0]) if quoted else (0, 0)
                answers = tuple(told.split(" / ")) if quoted else ()
                source.asked.append(
                    Asked(name, kind, question, answers, *at, text[slice(*at)])
                )
        except (KeyError, ValueError) as error:
            raise ValueError(f"{name}: {error}") from error
        yield source


def write(sources: list[Path], folder: Path = HERE) -> None:
    """Passages of files written with braces; their questions, where a file has some."""
    found = [source for path in sources for source in written(path)]
    for source in found:
        one = source.passage
        Path(folder, one.name + ".txt").write_text(one.text, "utf-8")
        Path(folder, one.name + ".ann").write_text("\n".join(rows(one)) + "\n", "utf-8")
    new = [asked for source in found for asked in source.asked]
    fresh = {asked.passage for asked in new}
    if not new:
        return
    before = questions(folder) if Path(folder, "questions.tsv").exists() else ()
    kept = [asked for asked in before if asked.passage not in fresh]
    lines = ["passage\tkind\tquestion\tanswers\tstart\tend\tsentence"]
    for asked in sorted(kept + new, key=lambda asked: asked.passage):
        cells = (asked.passage, asked.kind, asked.question, " / ".join(asked.answers))
        lines.append("\t".join((*cells, str(asked.start), str(asked.end), asked.sentence)))
    Path(folder, "questions.tsv").write_text("\n".join(lines) + "\n", "utf-8")


def main() -> int:
    """`check`, `show NAME...` or `write FILE...`."""
    command, *names = sys.argv[1:]
    if command == "write":
        write([Path(name) for name in names])
    for name in names if command == "show" else ():
        print(braced(passage(HERE / f"{name}.ann")))
    bad = list(problems())
    print(*bad, sep="\n", end="\n" if bad else "")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
