"""Passages of six genres: read with their marks, checked, and written from braces.

`python passages.py check` says what does not hold, `python passages.py show NAME`
prints a passage with its marks in braces, `python passages.py write FILE...` makes
`.txt` and `.ann` of such files, `python passages.py agree FILE` compares one with what
is there. README.md tells what the marks mean.
"""

from __future__ import annotations

import csv
import hashlib
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gswlab.bench.coreference import by_label, coreference_shares
from gswlab.bench.marks import MarkedMention, MarkedQuote, Marks

HERE = Path(__file__).resolve().parents[1] / "texts" / "genres"
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
    """A text with its marks; `kinds` are its entities', `time` its day or "-"."""

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
        """Whether one may look at its errors (`tune`) or at its score only."""
        digest = hashlib.sha1(self.name.encode()).hexdigest()
        return ("tune", "report")[int(digest, 16) % 2]

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
        quotes = tuple(MarkedQuote(q.start, q.end, q.values[0]) for q in said)
        return Marks(mentions, quotes)


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
            entity = hit["entity"]
            # Several together, "ann+bob", are of the kind of the first.
            kind = kinds.setdefault(entity, kinds[entity.partition("+")[0]])
            waiting.append(
                ("MENTION", (kind, FORMS[hit["form"]], entity), len(plain)),
            )
        else:
            layer, values, start = waiting.pop()
            found.append(Mark(layer, start, len(plain), values))
    plain += marked[last:]
    if waiting or "{" in plain or "}" in plain:
        raise ValueError(f"braces do not pair near {plain[-80:]!r}")
    found.sort(key=lambda m: (m.start, -m.end, m.layer != "QUOTE"))
    return plain, tuple(found)


def braced(passage: Passage) -> str:
    """The text with its marks in braces, as `write` reads it."""
    opened, closed = defaultdict[int, str](str), defaultdict[int, str](str)
    signs = {form: sign for sign, form in FORMS.items()}
    for mark in passage.found:
        one, *rest = mark.values
        match mark.layer:
            case "MENTION":
                head = rest[1] + signs[rest[0]]
            case "QUOTE":
                head = f"{one}>{rest[0].replace('-', '')}|"
            case "DAY":
                head = f"@{one}|"
            case _:
                head = f"!{one}|"
        opened[mark.start] += "{" + head
        closed[mark.end] += "}"
    ends = range(len(passage.text) + 1)
    whole = (closed[i] + opened[i] + passage.text[i : i + 1] for i in ends)
    of = defaultdict[str, list[str]](list)
    for entity, kind in passage.kinds.items():
        of[kind].append(entity)
    declared = " | ".join(f"{kind} {' '.join(of[kind])}" for kind in KINDS if of[kind])
    head = f"=== {passage.name} {passage.language} {passage.time}"
    return f"{head}\n{declared}\n---\n{''.join(whole)}"


def load(folder: Path = HERE) -> tuple[Passage, ...]:
    """The passages of a folder, by name."""
    return tuple(passage(path) for path in sorted(folder.glob("*.ann")))


def passage(path: Path) -> Passage:
    """The passage of an `.ann` file and the `.txt` beside it.

    Raises:
        ValueError: a mark is not what stands there.
    """
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
    found = list[Asked]()
    for name, kind, asked, told, start, end, sentence in table:
        answers = tuple(filter(None, told.split(" / ")))
        found.append(Asked(name, kind, asked, answers, int(start), int(end), sentence))
    return tuple(found)


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
        if (
            asked.kind not in QUESTIONS
            or text[asked.start : asked.end] != asked.sentence
        ):
            yield f"{asked.passage}: {asked.question!r} has no such sentence"
        if bool(asked.answers) != bool(asked.sentence):
            yield f"{asked.passage}: {asked.question!r} has answers and no sentence"


_TITLES = "".join(
    rf"(?<!\b{title})" for title in ("Dr", "Mr", "Mrs", "St", "Jos", "No")
)
_STOP = re.compile(
    _TITLES + r"[.!?][”\"’)]*(?=\s+[^a-z0-9\s]|\s*$)|[。！？]」?|\n",
)


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


def asked_of(name: str, text: str, row: str) -> Asked:
    """The question of a row: kind, question, answers, words of the sentence."""
    kind, question, told, *quoted = (cell.strip() for cell in row.split("|"))
    if not quoted:
        return Asked(name, kind, question)
    start, end = sentence_at(text, quoted[0])
    answers = tuple(told.split(" / "))
    return Asked(name, kind, question, answers, start, end, text[start:end])


def written(path: Path) -> Iterator[tuple[Passage, tuple[Asked, ...]]]:
    """The passages of a file written with braces, and what is asked of each."""
    for part in re.split(r"^=== ", path.read_text("utf-8"), flags=re.M)[1:]:
        head, _, body = part.partition("\n---\n")
        first, declared = head.split("\n")[:2]
        name, language, *time = first.split()
        kinds = {e: k for k, *some in map(str.split, declared.split("|")) for e in some}
        marked, _, lines = body.partition("\n???\n")
        try:
            text, found = unbraced(marked.strip() + "\n", kinds)
            rows = filter(None, lines.strip().split("\n"))
            asked = tuple(asked_of(name, text, row) for row in rows)
        except (LookupError, ValueError) as error:
            raise ValueError(f"{name}: {error}") from error
        used = {value for mark in found for value in mark.values}
        kinds = {entity: kind for entity, kind in kinds.items() if entity in used}
        yield Passage(name, language, (*time, "-")[0], text, kinds, found), asked


def write(sources: list[Path], folder: Path = HERE) -> None:
    """Passages of files written with braces; their questions, where a file has some."""
    new = list[Asked]()
    for one, asked in (each for path in sources for each in written(path)):
        Path(folder, one.name + ".txt").write_text(one.text, "utf-8")
        Path(folder, one.name + ".ann").write_text("\n".join(rows(one)) + "\n", "utf-8")
        new += asked
    if not new:
        return
    fresh = {asked.passage for asked in new}
    before = questions(folder) if Path(folder, "questions.tsv").exists() else ()
    kept = [asked for asked in before if asked.passage not in fresh]
    lines = ["passage\tkind\tquestion\tanswers\tstart\tend\tsentence"]
    for each in sorted(kept + new, key=lambda asked: asked.passage):
        told, at = " / ".join(each.answers), f"{each.start}\t{each.end}"
        cells = (each.passage, each.kind, each.question, told, at, each.sentence)
        lines.append("\t".join(cells))
    Path(folder, "questions.tsv").write_text("\n".join(lines) + "\n", "utf-8")


def agreement(path: Path, folder: Path = HERE) -> Iterator[str]:
    """How far a second marking agrees with the passages, a line each figure."""
    counts, chains = Counter[str](), list[tuple[str, str]]()
    for two, _ in written(path):
        one = passage(Path(folder, f"{two.name}.ann"))
        if one.text != two.text:
            raise ValueError(f"{two.name}: another text was marked")
        meant = dict[str, Counter[str]]()
        for layer in ("MENTION", "QUOTE", "DAY", "STATE"):
            first = {(m.start, m.end): m.values for m in one.layer(layer)}
            second = {(m.start, m.end): m.values for m in two.layer(layer)}
            counts[layer] += len(first) + len(second)
            for at in first.keys() & second.keys():
                ours, theirs = first[at], second[at]
                counts[f"{layer} both"] += 1
                if layer == "MENTION":
                    counts["kind"] += ours[0] == theirs[0]
                    counts["form"] += ours[1] == theirs[1]
                    chains.append((one.name + ours[2], one.name + theirs[2]))
                    meant.setdefault(theirs[2], Counter())[ours[2]] += 1
                elif layer == "QUOTE":
                    who = [
                        meant.get(e, Counter([e])).most_common(1)[0][0] for e in theirs
                    ]
                    counts["speaker"] += ours[0] == who[0]
                    counts["addressee"] += ours[1] == who[1]
                elif layer == "DAY":
                    counts["value"] += ours == theirs
    for layer in ("MENTION", "QUOTE", "DAY", "STATE"):
        both = counts[f"{layer} both"]
        yield f"{layer} F1 {2 * both / counts[layer]:.3f} ({both} in both)"
    told = coreference_shares(*map(by_label, zip(*chains, strict=True)))
    sides = (told[f"b_cubed.{side}"] for side in ("precision", "recall"))
    precision, recall = (of_own / of_all for of_own, of_all in sides)
    yield f"B-cubed F1 {2 * precision * recall / (precision + recall):.3f}"
    for name in ("kind", "form", "speaker", "addressee", "value"):
        yield f"{name} {counts[name]}"


def main() -> int:
    """`check`, `show NAME...`, `write FILE...` or `agree FILE`."""
    command, *names = sys.argv[1:]
    if command == "write":
        write([Path(name) for name in names])
    for name in names if command == "show" else ():
        print(braced(passage(HERE / f"{name}.ann")))
    for name in names if command == "agree" else ():
        print(*agreement(Path(name)), sep="\n")
    bad = list(problems())
    print(*bad, sep="\n", end="\n" if bad else "")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
