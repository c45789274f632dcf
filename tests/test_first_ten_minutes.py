"""The README's first ten minutes, followed as written, from an empty folder."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SECTION = README.split("## First ten minutes")[1].split("\n## ")[0]
WORKS, FAILS = (
    block.strip().splitlines()
    for block in re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL)
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first")
    (folder / "gswlab").symlink_to(ROOT / "gswlab")
    return folder


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = shlex.split(line)
    assert words[:3] == ["python", "-m", "gswlab"]
    known = {k: v for k, v in os.environ.items() if k != "OPENAI_API_KEY"}
    return subprocess.run(
        [sys.executable, *words[1:]],
        cwd=folder,
        env={**known, "TQDM_DISABLE": "1", "GSWLAB_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_what_works_works(folder: Path) -> None:
    done = {line.split()[3]: run(line, folder) for line in WORKS}
    assert {name: each.returncode for name, each in done.items()} == dict.fromkeys(
        ("read", "step", "ask", "fork", "run"), 0
    ), [each.stderr for each in done.values()]
    assert "at least 0.60" in done["step"].stdout
    assert "Alder Street Museum" in done["ask"].stdout
    assert "3 steps replayed from the journal, 0 calls" in done["fork"].stdout
    assert (folder / "two.html").stat().st_size > 10_000
    table = done["run"].stderr
    assert re.search(r"\| gsw \| \d+ \| 0\.\d+ \[0\.\d+, 0\.\d+\]", table)
    assert f"again: {' '.join(shlex.split(WORKS[-1]))}" in table


@pytest.mark.slow
def test_what_fails_fails_in_one_sentence_with_the_next_command(folder: Path) -> None:
    for line in FAILS:
        done = run(line, folder)
        said = done.stderr.strip().splitlines()[-1]
        assert done.returncode == 2, line
        assert re.fullmatch(r"gswlab: .+ \(rule: .+\); try: .+", said), said
        assert "Traceback" not in done.stderr
