"""Names of runs and settings are text in a table, whatever program opens it."""

from __future__ import annotations

import csv
import io
import re

import pandas as pd
import pytest

from gswlab.bench.collect import collect, render_table
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import visible
from gswlab.view.run.export import csv_text

NASTY = (
    "=HYPERLINK('http://x','y')",
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "\uff1d1",
    "x\x1b[31m\u202ey",
    r"a\input{/etc/passwd} & b % $x^2$ #1 {~} _u_ <i> |",
    "<script>alert(1)</script> ![x](http://x) [y](javascript:z) `q` | cell",
    "two\nlines\r\u2028more",
)


@pytest.fixture
def table() -> pd.DataFrame:
    rows = [{"run": name, "settings": name, "n": -3, "em": 0.5} for name in NASTY]
    return pd.DataFrame(rows)


def test_a_cell_of_csv_computes_nothing(table: pd.DataFrame) -> None:
    text = render_table(table, "csv")
    assert not re.search("[\r\x1b\u202e]", text)
    assert "\r" not in csv_text(table)
    rows = list(csv.DictReader(io.StringIO(text)))
    for name, row in zip(NASTY, rows, strict=True):
        computes = name.strip()[0] in "=+-@\uff1d" and name[0] != "\r"
        assert row["run"] == ("'" if computes else "") + visible(name)
        assert row["n"] == "-3"


def test_a_cell_of_latex_is_letters(table: pd.DataFrame) -> None:
    lines = render_table(table, "latex").splitlines()
    assert len(lines) == 6 + len(NASTY)
    for line in lines[3:-2]:
        if line.startswith("\\") and line.endswith("rule"):
            continue
        body = line.removesuffix(r" \\")
        for known in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}"):
            body = body.replace(known, "")
        body = re.sub(r"\\text(less|greater|bar|quotedbl)\{\}", "", body)
        body = re.sub(r"\\[&%$#_{}]", "", body).replace(" & ", "")
        assert not re.search(r"[\\&%$#_{}~^<>|]", body), line


def test_a_cell_of_markdown_is_no_tag_and_no_link(table: pd.DataFrame) -> None:
    lines = render_table(table, "markdown").splitlines()
    assert len(lines) == 2 + len(NASTY)
    for line in lines[2:]:
        assert "<" not in line
        assert "](" not in line
        assert len(re.findall(r"(?<!\\)\|", line.replace(r"\\", ""))) == 5


def test_settings_that_are_no_yaml_are_one_sentence(tmp_path) -> None:
    (tmp_path / "scores.json").write_text('{"em": 3, "anatomy": []}')
    for bad in ("{", "!!python/object/apply:os.system [x]", "\0", "[" * 5000):
        (tmp_path / "config.yaml").write_text(bad)
        with pytest.raises(GswlabError, match=r"config\.yaml is no YAML"):
            collect(tmp_path)
    (tmp_path / "config.yaml").write_text("experiment: [1]")
    (tmp_path / "overrides.yaml").write_text("- 5\n- {a: b}")
    assert len(collect(tmp_path)) == 1
