"""What the package does, as one hash a part: a net under changes that change nothing.

    python recipes/net.py [PART ...] [--write]     # all parts; --write keeps them

A hash is over content: journals, answers, scores, pages' data. Class paths, hashes of
settings, seconds and a page's code are left out. Prints the parts that differ from
`results/net.tsv` and fails if any does. Benchmarks lie where GSWLAB_DATA says.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT, TEXTS = HERE.parents[1], HERE.parent / "texts"
TABLE = HERE.parent / "results" / "net.tsv"
DATA = Path(os.environ.get("GSWLAB_DATA", ROOT.parent / "shared" / "data")).resolve()
LEFT_OUT = {"config", "settings", "commit", "_target_", "run", "hash", "command"}
PATH = re.compile(r"\bgswlab(?:\.\w+)+\.(\w+)")
HASH = re.compile(r"(?<![-\"\w])[0-9a-f]{12}(?![-\"\w])")  # of settings, on pages
FOLDER = re.compile(r"/\S*?/gswlab-net\.[^/\s\"']+")
BOOKS = ("harbour", "kestrel", "marrow", "quarry")
MEMORIES = (
    *("bm25", "closed_book", "dense", "gedig", "gedig_static", "graphrag", "gsw"),
    *("gsw_chain", "gsw_gauged", "hipporag", "hybrid", "lightrag", "linked"),
    *("long_context", "static_graph"),
)
Row = tuple[str, str, str]


def gswlab(*words: str, folder: Path) -> str:
    """A command of the package, run in `folder`; its standard output."""
    code = [sys.executable, "-m", "gswlab", *words]
    paths = os.pathsep.join((str(ROOT), str(HERE)))
    given = {"PYTHONPATH": paths, "TQDM_DISABLE": "1", "GSWLAB_DATA": str(DATA)}
    done = subprocess.run(
        code, cwd=folder, env=os.environ | given, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stderr[-2000:]}")
    return done.stdout


def plain(value: Any) -> Any:
    """Data without what may change though nothing does."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in sorted(value.items()) if k not in LEFT_OUT}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return bare(value) if isinstance(value, str) else value


def bare(text: str) -> str:
    """A text with neither class paths nor this machine's folders."""
    return HASH.sub("", FOLDER.sub("", PATH.sub(r"\1", text)))


def hashed(parts: Iterable[Any]) -> str:
    """Sixteen hex digits of canonical JSON."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(json.dumps(plain(part), sort_keys=True).encode() + b"\n")
    return whole.hexdigest()[:16]


def lines(path: Path) -> list[Any]:
    """The objects of a file of JSON lines, none where there is no file."""
    text = path.read_text("utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def run_rows(part: str, name: str, *overrides: str, folder: Path) -> Iterator[Row]:
    """Journal, answers and scores of one run."""
    run = folder / name
    gswlab("run", *overrides, f"run.dir={run}", folder=folder)
    for file in ("answers.jsonl", "verdicts.jsonl", "walks.jsonl", "gates.jsonl"):
        if (run / file).exists():
            yield part, f"{name} {file}", hashed(lines(run / file))
    yield (
        part,
        f"{name} scores.json",
        hashed([json.loads((run / "scores.json").read_text())]),
    )
    if (run / "journal.sqlite").exists():
        gswlab("export", str(run), "--out", str(run / "export.jsonl"), folder=folder)
        yield part, f"{name} journal", hashed(lines(run / "export.jsonl"))


def epbench20(folder: Path) -> Iterator[Row]:
    """EpBench's short book by GSW."""
    yield from run_rows("epbench20", "gsw", "experiment=epbench20", folder=folder)


def books(folder: Path) -> Iterator[Row]:
    """Four books of our own."""
    script = str(TEXTS / "books" / "questions.py")
    for name in BOOKS:
        here = Path(script).parent / name
        files = {k: folder / f"{name}.{k}.json" for k in ("questions", "tuples")}
        out = ("--out", str(files["questions"]), "--tuples", str(files["tuples"]))
        code = [sys.executable, script, str(here), "--seed", "1", *out]
        subprocess.run(code, check=True, capture_output=True)
        given = [f"dataset.{k}={v}" for k, v in files.items()]
        book = f"dataset.book={here / 'book.json'}"
        yield from run_rows(
            "books", name, "experiment=epbench", book, *given, folder=folder
        )


def plots(folder: Path) -> Iterator[Row]:
    """Our five plots by every system for them."""
    for memory in ("serial", "serial_published", "parallel", "graph", "dense", "gsw"):
        yield from run_rows(
            "plots", memory, "experiment=plot", f"memory={memory}", folder=folder
        )


def mazes(folder: Path) -> Iterator[Row]:
    """A batch of mazes a generator, by every explorer."""
    agents = (
        "dfs",
        "frontier",
        "gedig",
        "least_visited",
        "oracle",
        "published",
        "random",
    )
    for generator in ("published", "correct"):
        for agent in (*agents, "random"):
            given = (f"agent={agent}", f"maze.generator={generator}", "maze.seeds=0-9")
            yield from run_rows(
                "mazes",
                f"{generator}-{agent}",
                "experiment=maze",
                *given,
                folder=folder,
            )


def locomo(folder: Path) -> Iterator[Row]:
    """LoCoMo's conversations 1 and 2."""
    files = [f"dataset.file={DATA / 'locomo' / 'locomo_first5.json'}"]
    files += [f"dataset.errors={DATA / 'locomo' / 'label_errors.json'}"]
    for memory in ("memgpt", "bm25", "hybrid", "fixed_context"):
        given = (*files, "dataset.conversations=1-2", f"memory={memory}")
        yield from run_rows(
            "locomo", memory, "experiment=locomo", *given, folder=folder
        )


def nested(folder: Path) -> Iterator[Row]:
    """Nested key-value retrieval, three orderings."""
    for memory in ("memgpt", "long_context"):
        for variant in ("plain", "overwritten"):
            given = ["dataset.orderings=1-3", f"memory={memory}"]
            given += [f"dataset.variant={variant}"] * (variant != "plain")
            yield from run_rows(
                "nested",
                f"{memory}-{variant}",
                "experiment=nested_kv",
                *given,
                folder=folder,
            )


def sessions(folder: Path) -> Iterator[Row]:
    """Generated chats, and knowledge that is updated."""
    for kind in ("sessions", "knowledge_update"):
        for memory in ("memgpt", "memgpt_gsw", "recursive_summary"):
            given = (f"experiment={kind}", "dataset.chats=1", f"memory={memory}")
            paged = ("memory.recall_by=auto", "memory.window=3000")
            yield from run_rows(
                "sessions",
                f"{kind}-{memory}",
                *given,
                *(paged if memory == "memgpt_gsw" else ()),
                folder=folder,
            )


def hotpotqa(folder: Path) -> Iterator[Row]:
    """HotpotQA's first 50 questions by every memory."""
    file = f"dataset.file={DATA / 'hotpotqa' / 'dev_first500.json'}"
    for memory in MEMORIES:
        given = (file, "dataset.first=50", "dataset.world=own", f"memory={memory}")
        yield from run_rows(
            "hotpotqa", memory, "experiment=hotpotqa", *given, folder=folder
        )


def generated(folder: Path) -> Iterator[Row]:
    """A generated book, and its questions."""
    given = ("experiment=generated", "dataset.chapters=12", "dataset.seed=3")
    yield from run_rows("generated", "gsw", *given, folder=folder)


def _recipe(part: str, *words: str, folder: Path) -> Iterator[Row]:
    """What a recipe prints, its last column, the commit, left out."""
    code = [sys.executable, str(HERE / words[0]), *words[1:]]
    given = {"PYTHONPATH": str(ROOT), "TQDM_DISABLE": "1"}
    done = subprocess.run(
        code, cwd=ROOT, env=os.environ | given, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stderr[-2000:]}")
    rows = [line.rpartition(",")[0] for line in done.stdout.splitlines()]
    yield part, words[0], hashed(rows)


def gold(folder: Path) -> Iterator[Row]:
    """Gold excerpts in both languages, element by element."""
    yield from _recipe("gold", "gold.py", "dev", "set_aside", folder=folder)


def chains(folder: Path) -> Iterator[Row]:
    """Annotated chains in both languages."""
    home = TEXTS / "chains"
    files = [str(home / f"{n}.json") for n in ("ledger", "fen", "lighthouse", "quarry")]
    yield from _recipe("chains", "chains.py", str(folder), *files, folder=folder)


def cassette(folder: Path) -> Iterator[Row]:
    """What lab 03 shows, replayed from its cassette without a miss."""
    notebook = json.loads(
        (ROOT / "notebooks/lab/03_operator_with_a_model.ipynb").read_text()
    )
    cells = [c for c in notebook["cells"] if c["cell_type"] == "code"]
    # Columns and frames are drawn by code that may change: the reading is what counts.
    told = "[canonical(asked), canonical(rules), reply.text]"
    shown = f"import json; print(json.dumps({told}))"
    home = "core" if (ROOT / "gswlab" / "core").is_dir() else "workspace"
    code = [
        f"from gswlab.{home}.codec import canonical",
        "asked = rules = reply = None",
    ]
    code += ["".join(cell["source"]) for cell in cells] + [shown]
    path = folder / "lab03.py"
    path.write_text("\n".join(code), "utf-8")
    done = subprocess.run(
        [sys.executable, str(path)],
        cwd=ROOT / "notebooks" / "lab",
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    yield "cassette", "lab 03", hashed(json.loads(done.stdout.splitlines()[-1]))


class _Words(HTMLParser):
    """The words of a page, and the data it embeds: its code and style left out."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """What a script holds counts where it is data."""
        kind = dict(attrs).get("type")
        if tag in ("script", "style", "title"):
            self._inside = "data" if kind == "application/json" else "code"

    def handle_endtag(self, tag: str) -> None:
        """The end of what is left out."""
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Words are kept with their white space folded."""
        if self._inside == "data":
            self.kept.append(json.dumps(plain(json.loads(data)), sort_keys=True))
        elif not self._inside and data.strip():
            self.kept.append(" ".join(data.split()))


def page_words(path: Path) -> list[str]:
    """What a page holds."""
    words = _Words()
    words.feed(path.read_text("utf-8"))
    return words.kept


def pages(folder: Path) -> Iterator[Row]:
    """The two stories read and asked, and the pages that tell of them."""
    story = ROOT / "gswlab" / "data"
    demo = {"en": (), "ja": ("--language", "ja")}
    for language, words in demo.items():
        gswlab("demo", *words, folder=folder)
        found = page_words(folder / "demo.html")
        yield "pages", f"demo {language}", hashed(found)
        gswlab("demo", *words, "--tour", "tour.html", folder=folder)
        yield "pages", f"tour {language}", hashed(page_words(folder / "tour.html"))
    asked = {
        "story.txt": ("Where was Clara Novak on March 3, 2025?", "Who was arrested?"),
        "story_ja.txt": ("誰が逮捕されましたか。",),
    }
    for file, questions in asked.items():
        name = file.partition(".")[0]
        gswlab("read", str(story / file), "--run", name, folder=folder)
        gswlab("export", name, "--out", f"{name}.jsonl", folder=folder)
        yield "pages", f"{name} journal", hashed(lines(folder / f"{name}.jsonl"))
        answers = [
            json.loads(gswlab("ask", name, q, "--json", folder=folder))
            for q in questions
        ]
        yield "pages", f"{name} answers", hashed(answers)
        gswlab("step", name, "4", "--out", f"{name}.html", folder=folder)
        yield "pages", f"{name} step 4", hashed(page_words(folder / f"{name}.html"))
        yield (
            "pages",
            f"{name} step 4, told",
            hashed([gswlab("step", name, "4", folder=folder)]),
        )
    audit = json.loads(gswlab("audit", "story", "Clara Novak", "--json", folder=folder))
    yield "pages", "audit", hashed([audit])
    gswlab(
        *("fork", "story", "3", "reconciler.scope=chapter", "--out", "two.html"),
        folder=folder,
    )
    yield "pages", "two futures", hashed(page_words(folder / "two.html"))


PARTS: dict[str, Callable[[Path], Iterator[Row]]] = {
    part.__name__: part
    for part in (
        *(epbench20, books, plots, mazes, locomo, nested, sessions, hotpotqa),
        *(generated, gold, chains, cassette, pages),
    )
}


def measured(names: Iterable[str]) -> list[Row]:
    """The rows of the parts named, two at a time."""

    def one(name: str) -> list[Row]:
        with tempfile.TemporaryDirectory(prefix="gswlab-net.") as folder:
            return list(PARTS[name](Path(folder)))

    with ThreadPoolExecutor(int(os.environ.get("WORKERS", "2"))) as pool:
        return [row for rows in pool.map(one, names) for row in rows]


def main(arguments: list[str]) -> int:
    """Measure, and hold against what is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], default=[])
    parser.add_argument("--write", action="store_true", help="keep what is measured")
    given = parser.parse_args(arguments)
    names = given.parts or list(PARTS)
    table = TABLE.read_text("utf-8").splitlines() if TABLE.exists() else []
    known = {(p, n): v for p, n, v in (line.split("	") for line in table)}
    rows = measured(names)
    if given.write:
        merged = known | {(part, name): value for part, name, value in rows}
        text = "".join(f"{p}\t{n}\t{v}\n" for (p, n), v in sorted(merged.items()))
        TABLE.write_text(text, "utf-8")
    differs = [(p, n) for p, n, v in rows if known.get((p, n)) != v]
    for part, name in differs:
        print(f"differs: {part}, {name}")
    print(f"{len(rows) - len(differs)} of {len(rows)} hashes are equal")
    return bool(differs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
