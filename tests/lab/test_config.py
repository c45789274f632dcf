"""Composing experiments: what may be set, what is refused and in which words."""

from __future__ import annotations

import re

import pytest

import gswlab
from gswlab.core.errors import GswlabError, is_plain
from gswlab.lab import config
from gswlab.lab.settings import CONF, build, fill, identity, registry, target


@pytest.fixture
def story(tmp_path):
    path = tmp_path / "story.txt"
    path.write_text("Ann Ray slept. Bo Lind left on May 7, 2024.", encoding="utf-8")
    return path


def open_story(story, *overrides):
    return gswlab.open(f"dataset.file={story}", *overrides)


def test_the_same_experiment_can_be_opened_any_number_of_times(story):
    assert open_story(story).config.hash == open_story(story).config.hash


def test_opening_writes_nothing(story, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    repr(open_story(story))
    assert [path.name for path in tmp_path.iterdir()] == ["story.txt"]


def test_the_hash_knows_settings_and_text_but_no_path(story, tmp_path):
    base = open_story(story).config.hash
    assert open_story(story, "reconciler.scope=chapter").config.hash != base
    assert open_story(story, f"run.dir={tmp_path / 'elsewhere'}").config.hash == base
    (tmp_path / "other").mkdir()
    moved = story.rename(tmp_path / "other" / "story.txt")
    assert open_story(moved).config.hash == base
    moved.write_text("Another text.", encoding="utf-8")
    assert open_story(moved).config.hash != base


def test_every_default_is_shown_and_changed_values_are_marked(story):
    lab = open_story(story, "reconciler.scope=chapter")
    table = lab.config._repr_html_()
    assert re.search(r"● set</td><td>reconciler.scope</td>", table)
    assert "<td></td><td>reconciler.threshold</td>" in table
    assert lab.config.hash in table
    assert f"dataset.file={story}" in table.replace("&#x27;", "")


def test_the_shell_command_shown_composes_the_same_experiment(story):
    import shlex

    lab = open_story(story, "chunk.sentences=2")
    words = shlex.split(lab.config.command)
    assert words[:4] == ["python", "-m", "gswlab", "run"]
    assert gswlab.open(*words[4:]).config.hash == lab.config.hash


def test_a_file_name_may_hold_any_character(tmp_path):
    path = tmp_path / "what's (in) it, a=b.txt"
    path.write_text("Ann Ray slept.", encoding="utf-8")
    lab = gswlab.open(f"dataset.file={config.quoted(str(path))}")
    assert lab.document.text == "Ann Ray slept."


@pytest.mark.parametrize(
    "text", ["${oc.env:HOME}", r"\${x}", r"a\\${x}'", "${", "x\\", r"b\${x}", "$"]
)
def test_a_text_that_looks_like_a_reference_refers_to_nothing(text):
    said = f"memory.persona={config.quoted(text)}"
    found = config.composed("experiment=chat", said)
    assert found.settings["memory"]["persona"] == text


@pytest.mark.parametrize(
    ("override", "words"),
    [
        (
            "experiment=epbnch",
            "epbench20, fairytale, generated, gold, gsw_paper",
        ),
        ("operator=gpt", "operator is one of llm, official, rules_then_llm, spacy"),
        ("reconciler.scope=galaxy", "'chapter' or 'global'"),
        ("reconciler.scop=global", "try: python -m gswlab run reconciler.scope=VALUE"),
        ("nothing=1", "there is no setting nothing"),
        ("reconciler.threshold=high", "valid number"),
        ("reconciler={}", "llm, rules, rules_then_llm"),
        ("chunk=3", "chunk is no single setting"),
        ("chunk.sentences=0", "greater than 0"),
        ("chunk.sentences=2,3", "run -m chunk.sentences=2,3"),
        ("~reconciler", "none can be removed"),
        ("reconciler._target_=os.system", "no setting reconciler._target_"),
        ("oops", "'oops' is no setting"),
    ],
)
def test_a_wrong_setting_is_one_sentence_with_what_there_is(story, override, words):
    with pytest.raises(GswlabError, match=re.escape(words)) as caught:
        open_story(story, override)
    assert "\n" not in str(caught.value)


def test_only_classes_of_this_package_are_built_unless_you_allow_more(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("GSWLAB_MODULES", str(tmp_path / "modules.txt"))
    for name in ("subprocess.Popen", "gswlabels.Mine", "os.path.join"):
        with pytest.raises(GswlabError, match="modules you list in"):
            build({"_target_": name, "args": ["true"]}, "operator")
    with pytest.raises(GswlabError, match="no such class"):
        target({"_target_": "gswlab.core.errors.Nothing"}, "operator")


def test_a_missing_file_names_the_variable_that_says_where_data_is(monkeypatch):
    monkeypatch.setenv("GSWLAB_DATA", "/nowhere")
    with pytest.raises(GswlabError, match="GSWLAB_DATA"):
        gswlab.open("experiment=epbench20")


def test_an_experiment_without_a_text_says_which_setting_names_it():
    with pytest.raises(GswlabError, match=r"dataset\.file is not set"):
        gswlab.open()


def test_a_grid_is_every_combination_of_listed_values():
    assert len(config.jobs(["a=1,2,3", "b=x,y", "c=z"])) == 6


def test_paths_and_secrets_are_no_part_of_an_experiment():
    node = fill({"_target_": "gswlab.bench.texts.Text", "file": "a.txt"})
    assert identity(node) == {"_target_": "Text", "time": None}


def test_a_class_of_ours_has_a_name_of_its_own_and_may_move():
    named = [line for line in _targets() if line.startswith("gswlab.")]
    assert sorted(registry().values()) == sorted(set(named))
    node = fill({"_target_": "gswlab.bench.texts.Text", "file": "a.txt"})
    assert target(node, "dataset") is target({"_target_": "Text"}, "dataset")


def _targets() -> list[str]:
    files = [file.read_text() for file in CONF.rglob("*.yaml")]
    return re.findall(r"_target_: (\S+)", "\n".join(files))


def test_where_vectors_are_kept_is_no_part_of_an_experiment(story, monkeypatch):
    base = open_story(story).config
    monkeypatch.setenv("GSWLAB_CACHE", "/proc/nowhere")
    moved = open_story(story).config
    assert base.settings["embedder"]["cache"] != moved.settings["embedder"]["cache"]
    assert base.hash == moved.hash


def test_only_plain_types_can_be_written_in_a_configuration():
    assert is_plain(dict[str, int | None])
    assert not is_plain(GswlabError | None)
