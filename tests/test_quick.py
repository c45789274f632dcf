"""What makes a command quick: what it does not load and does not do again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import bpe_openai
import pytest
from bm25s.stopwords import STOPWORDS_EN

import gswlab
from gswlab.core.budget import count_tokens
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.language import stems

STORY = Path(gswlab.__file__).parent / "data" / "story.txt"
HEAVY = {"pandas", "scipy", "networkx", "spacy", "matplotlib", "hydra", "bm25s"}
CODE = """
import json, sys
from gswlab.__main__ import main
status = main(sys.argv[1:])
print(json.dumps([status, sorted(sys.modules)]))
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quick") / "run"
    file = f"dataset.file={STORY}"
    gswlab.open("experiment=read", file, f"run.dir={folder}").run()
    return str(folder)


def loaded(*arguments):
    """The exit status of a command and the packages it loaded."""
    command = [sys.executable, "-c", CODE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    status, names = json.loads(done.stdout.splitlines()[-1])
    return status, {name.partition(".")[0] for name in names}, set(names)


@pytest.mark.parametrize(("number", "status"), [("3", 0), ("-1", 0), ("999", 2)])
def test_a_step_is_shown_without_a_parser_numbers_or_a_lab_of_figures(
    run, number, status
):
    got, packages, modules = loaded("step", run, number)
    assert got == status
    assert not packages & {*HEAVY, "numpy", "pyvis"}
    assert not {m for m in modules if m.startswith("gswlab.bench.")} - {
        "gswlab.bench.folder"
    }


def test_a_question_loads_no_parser_no_dataset_and_one_vocabulary(run):
    status, packages, modules = loaded("ask", run, "Who was arrested?")
    assert status == 0
    assert not packages & HEAVY
    assert not modules & {"bpe_openai.registry", "gswlab.bench.texts"}


def test_importing_gswlab_loads_nothing_of_it_but_names():
    code = "import sys, gswlab; print(sorted(m for m in sys.modules if 'gswlab' in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.count("gswlab.") <= 3, done.stdout


def test_a_finished_run_is_not_settled_again_when_it_is_asked(run, monkeypatch):
    asked = "Who was arrested?"
    said = gswlab.reopen(run).ask(asked)

    def settled(*_):
        raise AssertionError("the end of the text was settled again")

    monkeypatch.setattr(RulesReconciler, "finish", settled)
    assert gswlab.reopen(run).ask(asked) == said


def test_the_token_counter_counts_as_its_package_does():
    whole = bpe_openai.get_encoding("cl100k_base")
    texts = (
        STORY.read_text("utf-8"),
        "昨日、Annaに会った。",
        "<|endoftext|> a\ud83d",
        "",
    )
    for text in texts:
        assert count_tokens(text) == len(whole.encode_ordinary(text))


def test_the_stop_words_are_those_of_bm25s():
    assert set(STOPWORDS_EN) <= stems._IGNORED
    assert set(stems._WORDS["bm25_stop"]) == set(STOPWORDS_EN)
