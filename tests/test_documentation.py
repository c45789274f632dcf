"""README and docs, followed as written, by somebody with an empty folder.

A page is one session: its Python top to bottom in a fresh interpreter, then its shell
line by line. What is not run stands in `NOT_RUN`, with the reason.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
from obliging import obliging
from standin import StandIn

from gswlab.__main__ import parser

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [*PAGES, ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("experiments/*.md"))]
NOTEBOOKS = sorted(ROOT.glob("notebooks/*/*.ipynb"))
FENCE = re.compile(r"^```(\w*)( fails)?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)")
SAID = re.compile(r"gswlab: .+ \(rule: .+\); try: .+")

DATA, SERVES = "it needs data that is not shipped", "it serves until it is stopped"
SETS_UP = "it sets up an environment; .ci/run does"
NOT_RUN = {
    "make lab": SETS_UP,
    "make demo": SETS_UP,
    "pip install -e .": SETS_UP,
    "from dask_jobqueue import SLURMCluster": "it needs a Slurm cluster",
    "python -m gswlab open runs/first": SERVES,
    "python -m gswlab open runs/story": SERVES,
    "NEO4J_PASSWORD=WORD python -m gswlab.hybridrag.stores.serve FOLDER": SERVES,
    "python -m gswlab run experiment=epbench20": DATA,
    "python -m gswlab run experiment=epbench dataset.book=FILE"
    " dataset.questions=FILE": DATA,
    "python -m gswlab estimate experiment=gsw_paper dataset.book=FILE"
    " dataset.questions=FILE": DATA,
    "python -m gswlab read gsw_results_combined.json dataset.text=BOOK.txt": DATA,
    "python -m gswlab run experiment=hotpotqa dataset.file=FILE dataset.world=own"
    " memory=linked": DATA,
    "python -m gswlab run experiment=hotpotqa memory=gedig gate=gedig"
    " dataset.file=FILE": DATA,
    "python -m gswlab run -m experiment=epbench20 memory=all executor=local": DATA,
    "python -m gswlab run experiment=locomo dataset.file=FILE memory=memgpt": DATA,
    "python -m gswlab run experiment=nested_kv memory=memgpt policy=scripted": DATA,
    "python -m gswlab run experiment=plot dataset.file=PLOT.xml"
    " dataset.questions=FILE memory=serial": "the plot is the reader's own",
    "python -m gswlab run experiment=gsw_table1 dataset.book=FILE"
    " dataset.questions=FILE": DATA,
    "python -m gswlab read gswlab/data/story.txt operator=llm llm=openai"
    " llm.base_url=URL llm.model=NAME": "it needs a server and a key",
    'python -m gswlab ask RUN "question" llm.base_url=URL': "it needs a server",
}
# What some lines print: the promises made around them.
PRINTS = {
    "python -m gswlab step runs/first 3": "at least 0.60",
    'python -m gswlab ask runs/first "Where was Clara Novak on March 3, 2025?"': (
        "Alder Street Museum"
    ),
    'python -m gswlab ask runs/story "Who was arrested?"': "Edgar Voss",
    "python -m gswlab fork runs/first 3 reconciler.scope=chapter"
    " --out runs/two.html": "3 steps replayed from the journal, 0 calls",
    "python -m gswlab run -m experiment=generated dataset.chapters=4 dataset.cap=1"
    " memory=bm25,gsw run.dir=runs/grid": (
        r"(?s)\| gsw \| \d+ \| 0\.\d+ \[0\.\d+, 0\.\d+\].+again: python -m gswlab run"
    ),
}
SHOWN = """
def shown(value, said=None):
    "What a notebook does with the value of a line; a comment may say what it is."
    getattr(value, "_repr_html_", lambda: repr(value))()
    assert said in (None, repr(value)), f"{value!r} is not {said}"
"""


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    fails: bool
    text: str


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    found = FENCE.findall(page.read_text("utf-8"))
    return [Block(language, bool(fails), text) for language, fails, text in found]


def lines(page: Path) -> list[tuple[str, bool]]:
    """The shell lines of a page, and whether each is meant to fail."""
    shell = (block for block in blocks(page) if block.language == "sh")
    return [(line, one.fails) for one in shell for line in one.text.splitlines()]


def python(page: Path) -> str:
    """The Python of a page as one script, each line's value shown."""
    script = SHOWN
    for block in blocks(page):
        first = block.text.partition("\n")[0]
        if block.language != "python" or first in NOT_RUN:
            continue
        source = block.text.splitlines()
        for node in ast.parse(block.text).body:
            if isinstance(node, ast.Expr):
                said = source[node.end_lineno - 1][node.end_col_offset :].strip(" #")
                value = ast.unparse(node.value)
                script += f"shown({value}, {said if is_literal(said) else None!r})\n"
            else:
                script += ast.unparse(node) + "\n"
    return script if script != SHOWN else ""


def is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return False
    return True


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Somebody's shell: their environment is activated, and no key is in it."""
    known = {k: v for k, v in os.environ.items() if k != "OPENAI_API_KEY"}
    own = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "TQDM_DISABLE": "1",
        "GSWLAB_CACHE": str(folder / "cache"),
    }
    return subprocess.run(
        command,
        cwd=folder,
        env={**known, **own},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkout in which nothing was run yet."""
    for part in ("gswlab", "conf", "notebooks", "experiments"):
        (tmp_path / part).symlink_to(ROOT / part)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_works_as_typed_and_litters_nothing(page: Path, folder: Path) -> None:
    before = {*folder.iterdir()}
    if script := python(page):
        done = run([sys.executable, "-c", script], folder)
        assert done.returncode == 0, done.stderr
    for line, fails in lines(page):
        if line in NOT_RUN:
            continue
        done = run(["bash", "-c", line], folder)
        assert done.returncode == (2 if fails else 0), f"{line}\n{done.stderr}"
        assert re.search(PRINTS.get(line, ""), done.stdout + done.stderr), line
        if fails:  # in one sentence with the next command
            assert "Traceback" not in done.stderr
            assert SAID.fullmatch(done.stderr.strip().splitlines()[-1]), done.stderr
    left = {path.name for path in {*folder.iterdir()} - before}
    assert left <= {"runs", "demo.html", "cache"}


def test_the_fifteen_lines_about_models_work_with_any_server(
    folder: Path, server: StandIn
) -> None:
    server.script = obliging
    page = ROOT / "docs" / "models.md"
    (block,) = (block for block in blocks(page) if block.language == "python")
    assert len(block.text.splitlines()) == 15
    other = f'"llm=openai", "llm.base_url={server.url}", "llm.model=any"'
    script = python(page).replace("'llm=local'", other)
    assert other in script
    done = run([sys.executable, "-c", f"{script}\nprint(answer.items)"], folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "('May 07, 2024',)"
    assert len(server.requests) == 1


def test_what_is_not_run_or_printed_still_stands_on_a_page() -> None:
    typed = {line for page in PAGES for line, _ in lines(page)}
    typed |= {block.text.partition("\n")[0] for page in PAGES for block in blocks(page)}
    assert {*NOT_RUN, *PRINTS} <= typed


def test_code_stands_in_fences_that_say_what_it_is() -> None:
    for page in PAGES:
        written = {block.language for block in blocks(page)}
        assert written <= {"sh", "python", "yaml", "text"}
        prose = FENCE.sub("", page.read_text("utf-8"))
        assert "```" not in prose, page
        assert not re.search(r"\n\n {4}\S", prose), page


def test_every_command_is_typed_on_a_page_and_listed() -> None:
    subparsers = next(a for a in parser()._actions if a.dest == "command")
    typed = " ".join(line for page in PAGES for line, _ in lines(page))
    listed = (ROOT / "docs" / "commands.md").read_text("utf-8")
    for command in subparsers.choices:
        assert f"python -m gswlab {command} " in typed
        assert f"| `{command} " in listed


def test_every_setting_that_has_a_name_is_listed() -> None:
    conf = ROOT / "conf"
    listed = (ROOT / "docs" / "settings.md").read_text("utf-8")
    for group in (path for path in conf.iterdir() if path.is_dir()):
        names = sorted(path.stem for path in group.glob("*.yaml"))
        row = f"| `{group.name}` | {', '.join(f'`{name}`' for name in names)} |"
        assert row in listed


@pytest.mark.parametrize("page", [*LINKED, *NOTEBOOKS], ids=name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    text = page.read_text("utf-8")
    if page.suffix == ".ipynb":
        cells = nbformat.reads(text, as_version=4).cells
        text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    assert [to for to in LINK.findall(text) if not (page.parent / to).exists()] == []


@pytest.mark.parametrize("page", LINKED, ids=name)
def test_every_path_that_is_named_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    paths = re.findall(r"`((?:experiments|tests|notebooks|gswlab)/[\w/.]+)`", text)
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_readme_is_short_and_points_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) <= 150
    assert {name(page) for page in PAGES[1:]} <= {*LINK.findall(readme)}
