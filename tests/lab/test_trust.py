"""A run folder is data: whoever made it, nothing outside of it hears or changes."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from attacks import CLASS_NAME, STORY, forged, listener, snapshot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from standin import StandIn, serving

import gswlab
from gswlab.__main__ import main
from gswlab.core.errors import GswlabError
from gswlab.lab.settings import CONF, conf_names

SECRET = "s3cret-of-this-machine-0451"
QUESTION = "Who opened a book fair?"
MODEL = {"_target_": "Model", "model": "m", "ledger": {"_target_": "Ledger"}}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished runs: `plain` over passages and `whole` with a workspace."""
    home = tmp_path_factory.mktemp("made")
    (home / "story.txt").write_text(STORY, "utf-8")
    given = f"dataset.file={home / 'story.txt'}", "embedder=none"
    for name, more in (("plain", ["memory=bm25", "reader=extractive"]), ("whole", [])):
        lab = gswlab.open(*given, *more, f"run.dir={home / name}")
        lab.run()
        lab.journal.close()
    return home


@pytest.fixture
def sent(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a secret, and a copy of each run as somebody might send it."""
    for name in ("OPENAI_API_KEY", "NEO4J_USERNAME", "NEO4J_PASSWORD", "PRIVATE"):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("GSWLAB_CACHE", str(tmp_path / "cache"))
    home = tmp_path / "home"
    shutil.copytree(made, home)
    monkeypatch.chdir(home)
    return home


def told(*words: str) -> tuple[int, str]:
    """The status of a command, and all it said."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(words)
    return status, out.getvalue()


def refused(*words: str) -> str:
    status, said = told(*words)
    assert status == 2, said
    assert len(said.strip().splitlines()) == 1, said
    assert SECRET not in said
    return said


def asks_model(address: str, **more: Any) -> Any:
    def change(known: dict[str, Any]) -> None:
        known["llm"] = MODEL | {"base_url": f"http://{address}/v1"} | more
        known["reader"] = {"_target_": "LLMReader", "model": known["llm"]}
        known["choices"] |= {"llm": "openai", "reader": "llm"}

    return change


def test_a_folder_s_model_is_not_asked(sent: Path) -> None:
    with listener() as (address, heard):
        folder = forged(sent / "plain", asks_model(address))
        assert "no model is called" in refused("ask", str(folder), QUESTION)
        said = refused("ask", str(folder), QUESTION, "llm.replay_only=false")
        assert "llm.base_url=" in said
        assert not heard


def test_a_folder_names_no_variable_and_no_path(sent: Path) -> None:
    with listener() as (address, heard):
        for name, value in {"key_env": "PRIVATE", "cassette": "/tmp/x"}.items():
            folder = forged(sent / "plain", asks_model(address, **{name: value}))
            said = refused("ask", str(folder), QUESTION)
            assert f"wants llm.{name}={value}" in said
            assert f"try: the same command with llm.{name}={value}" in said
        assert not heard


def test_consent_is_for_an_address_not_for_a_folder(sent: Path) -> None:
    """An embedder of another address gets nothing of what the model was allowed."""

    def change(known: dict[str, Any]) -> None:
        asks_model(address)(known)
        known["embedder"] = {
            "_target_": "OpenAIEmbedder",
            "model": known["llm"],
            "name": "vectors",
            "base_url": f"http://{address}/v1",
        }
        known["memory"] = {"_target_": "Dense", "embedder": known["embedder"]}

    with listener() as (address, heard), serving(StandIn()) as mine:
        folder = forged(sent / "plain", change)
        typed = f"llm.base_url={mine.url}"
        said = refused("ask", str(folder), QUESTION, typed)
        wish = f"embedder.base_url=http://{address}/v1"
        assert f"wants {wish}" in said
        assert not heard
        assert not mine.requests
        both = typed, f"embedder.base_url={mine.url}"
        assert told("ask", str(folder), QUESTION, *both)[0] in (
            0,
            3,
        )  # 3: asks stay open
        assert mine.requests
        assert not heard


def test_a_graph_server_is_typed_or_not_called(sent: Path) -> None:
    with listener() as (address, heard):
        named = {"uri": f"bolt://{address}"}
        for more in ({}, named, named | {"user_variable": "OPENAI_API_KEY"}):
            store = {"_target_": "Neo4j", "name": "g", **more}
            graph = {"_target_": "Serial", "store": store, "embedder": None}
            told = {"store": store, "memory": graph}
            folder = forged(sent / "plain", lambda known, now=told: known.update(now))
            assert "wants store.uri=bolt://" in refused("ask", str(folder), QUESTION)
        assert not heard


@pytest.mark.parametrize("more", [{}, {"download": True}])
def test_a_model_s_folder_is_never_loaded_because_a_run_names_it(
    sent: Path, more: dict[str, Any]
) -> None:
    mark = sent / "imported"
    (sent / "evil").mkdir()
    (sent / "evil" / "evil.py").write_text(f"open({str(mark)!r}, 'w')", "utf-8")
    kinds = [{"idx": 0, "name": "0", "path": "", "type": "evil.Evil"}]
    (sent / "evil" / "modules.json").write_text(json.dumps(kinds), "utf-8")

    def change(known: dict[str, Any]) -> None:
        node = {"_target_": "SentenceTransformers", "model": "evil", **more}
        known["embedder"] = node
        known["memory"] = {"_target_": "Dense", "embedder": node}

    folder = forged(sent / "plain", change)
    assert "wants embedder.model=evil" in refused("ask", str(folder), QUESTION)
    assert not mark.exists()


CODE = ("subprocess.Popen", "gswlab.models.local.Server", "os.system", "evil.Evil")


@pytest.mark.parametrize("name", [*CODE, "Ledger", "gswlab.bench.folder.RunFolder"])
def test_a_class_is_one_of_its_group(sent: Path, name: str) -> None:
    mark = sent / "imported"
    (sent / "evil.py").write_text(f"open({str(mark)!r}, 'w')", "utf-8")
    for group in ("memory", "reader"):
        folder = sent / f"{group}-run"
        shutil.copytree(sent / "plain", folder)
        forged(folder, lambda known, at=group: known.update({at: {"_target_": name}}))
        said = refused("ask", str(folder), QUESTION)
        assert f"{group}._target_" in said
    assert not mark.exists()


LISTED = (
    ("llm=openai", "llm.key_env=PRIVATE", "operator=llm", "llm.base_url=http://{0}/v1"),
    ("llm=openai", "operator=llm", "llm.base_url=http://{0}/${{oc.env:PRIVATE}}"),
    ("reconciler.threshold=${{oc.env:PRIVATE}}",),
    ("memory=evil.Evil",),
    ("++hydra.run.dir=/tmp/x",),
    ("~memory",),
    ("memory=bm25,dense",),
    ("store=neo4j", "memory=serial", "store.uri=bolt://{0}"),
    ("llm=openai", "embedder=openai", "embedder.base_url=http://{0}/v1"),
    ("llm=openai", "memory=dense", "embedder=openai", "llm.base_url=http://{0}/v1"),
)


@pytest.mark.parametrize("listed", LISTED)
def test_a_fork_executes_nothing_that_a_folder_lists(
    sent: Path, listed: tuple[str, ...]
) -> None:
    mark = sent / "imported"
    (sent / "evil.py").write_text(f"open({str(mark)!r}, 'w')", "utf-8")
    sys.modules.pop("evil", None)
    with listener() as (address, heard):
        lines = [line.format(address) for line in listed]
        (sent / "whole" / "overrides.yaml").write_text(json.dumps(lines), "utf-8")
        status, said = told("fork", "whole", "1", "reconciler.threshold=0.9")
        assert not heard
        assert SECRET not in said
        assert status == 2, said
    assert not mark.exists()


OBJECTS = (
    "operator.model={_target_:Model,base_url:'http://{0}/v1',key_env:PRIVATE}",
    "operator.model={'_target_':Model,base_url:'http://{0}/v1'}",
    "operator.model=[{_target_:Model,base_url:'http://{0}/v1'}]",
    "memory.operator={_target_:SpacyOperator,parses:outside}",
    "memory.embedder={_target_:MiniLM,cache:outside}",
)


@pytest.mark.parametrize("line", OBJECTS)
def test_an_object_that_a_folder_lists_takes_no_part_in_a_fork(
    sent: Path, line: str
) -> None:
    with listener() as (address, heard), serving(StandIn()) as mine:
        lines = ["llm=openai", "operator=llm", line.replace("{0}", address)]
        (sent / "whole" / "overrides.yaml").write_text(json.dumps(lines), "utf-8")
        said = refused("fork", "whole", "1", f"llm.base_url={mine.url}")
        assert f"wants {line.partition('=')[0]}=" in said or "is no setting" in said
        assert not heard
        assert not mine.requests
    assert not (sent / "outside").exists()


def test_a_fork_of_somebody_s_run_is_where_this_machine_keeps_runs(sent: Path) -> None:
    outside = sent / "outside"
    lines = [f"run.parent={outside}", "embedder=none", f"operator.parses={outside}"]
    lines += [f"dataset.file={sent / 'story.txt'}"]
    (sent / "whole" / "overrides.yaml").write_text(json.dumps(lines), "utf-8")
    (sent / "story.txt").unlink()
    before = snapshot(sent / "whole")
    status, said = told("fork", "whole", "1", "reconciler.threshold=0.9")
    assert status == 0, said
    assert not outside.exists()
    assert list((sent / "runs" / "read" / "gsw").iterdir())
    assert snapshot(sent / "whole") == before


@pytest.mark.parametrize("name", ["{0}", "../../outside", "..", "a\\b", "'a\n'"])
def test_a_name_that_a_folder_lists_is_no_path(sent: Path, name: str) -> None:
    lines = ["embedder=none", f"experiment.name={name.format(sent / 'outside')}"]
    (sent / "whole" / "overrides.yaml").write_text(json.dumps(lines), "utf-8")
    before = snapshot(sent)
    said = refused("fork", "whole", "1", "reconciler.threshold=0.9")
    assert "experiment.name cannot be" in said
    assert snapshot(sent) == before


def test_a_fork_of_one_s_own_run_is_what_the_run_was(sent: Path) -> None:
    """Nothing changed, typed anew: the same settings, steps and experiment."""
    lab = gswlab.reopen("whole")
    fork = lab.fork(1)
    while fork.step():
        pass
    assert [*fork.journal.export()][1:] == [*lab.journal.export()][1:]
    assert fork.config.identity == lab.config.identity


WRITES = ("timings.csv", "ledger.jsonl", "journal.sqlite", "journal.sqlite-wal")
WRITES += ("journal.sqlite-shm", "journal.sqlite.lock")


@pytest.mark.parametrize("name", WRITES)
def test_no_write_follows_a_link(sent: Path, name: str) -> None:
    canary = sent / "canary"
    for content in (b"", b"precious\n"):
        canary.write_bytes(content)
        folder = sent / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if name != "journal.sqlite":
            shutil.copy(sent / "whole" / "journal.sqlite", folder)
            with closing(sqlite3.connect(folder / "journal.sqlite")) as db:
                db.execute("DELETE FROM steps WHERE position > 1")
                db.execute("UPDATE counts SET rows = 2 WHERE name = 'steps'")
                db.commit()
        (folder / name).symlink_to(canary)
        words = "read", "story.txt", "--run", "run", "embedder=none"
        more = ("llm=openai",) if name == "ledger.jsonl" else ()
        assert "is a link" in refused(*words, *more) or more
        assert canary.read_bytes() == content


def test_a_chat_s_file_is_its_own(sent: Path) -> None:
    canary = sent / "canary"
    canary.touch()
    (sent / "talk").mkdir()
    (sent / "talk" / "memory.sqlite").symlink_to(canary)
    with pytest.raises(GswlabError, match="is a link"):
        gswlab.chat(run="talk").send("I moved to Oslo.")
    assert not canary.read_bytes()


@pytest.mark.parametrize("statement", ["TRIGGER t AFTER INSERT ON steps", "VIEW v AS"])
def test_a_journal_with_statements_of_somebody_is_no_journal(
    sent: Path, statement: str
) -> None:
    body = " BEGIN DELETE FROM chunks; END" if "TRIGGER" in statement else " SELECT 1"
    with closing(sqlite3.connect(sent / "whole" / "journal.sqlite")) as db:
        db.execute(f"CREATE {statement}{body}")
    assert "is not what was written" in refused("step", "whole", "1")


def test_what_a_folder_wants_is_told_and_can_be_copied(sent: Path) -> None:
    wish = "x'; touch pwned; echo '\x1b[31m"
    folder = forged(sent / "plain", asks_model("127.0.0.1:9", key_env=wish))
    said = refused("ask", str(folder), QUESTION)
    assert "\x1b" not in said
    assert "'\"'\"'; touch pwned" in said  # quoted: pasted, it is one word
    assert told("check", str(folder))[0] == 0, told("check", str(folder))
    assert "wants llm.key_env=" in told("check", str(folder))[1]


NASTY = st.sampled_from(
    [
        *("http://{0}/v1", "bolt://{0}", "{1}", "../outside", "${{oc.env:PRIVATE}}"),
        *("PRIVATE", "os.system", "evil.Evil", "Neo4j", "OpenAIEmbedder", "Model"),
        *("SentenceTransformers", "Local", "MemGPT", "LLMReader", "", "GSW"),
    ]
)
KEYS = st.sampled_from(
    [
        *("_target_", "base_url", "uri", "key_env", "file", "parses", "cache", "model"),
        *("weights", "download", "cassette", "embedder", "store", "operator", "reader"),
        *("sentences", "name", "llm", "memory", "choices", "budget", "strange"),
    ]
)
VALUES = st.recursive(
    NASTY | st.none() | st.booleans() | st.integers(-1, 5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=8,
)
PLACES = st.lists(KEYS, min_size=1, max_size=3)


def filled(value: Any, *given: str) -> Any:
    if isinstance(value, str):
        return value.format(*given)
    if isinstance(value, list):
        return [filled(one, *given) for one in value]
    if isinstance(value, dict):
        return {key: filled(one, *given) for key, one in value.items()}
    return value


def put(known: dict[str, Any], place: list[str], value: Any) -> None:
    *parents, last = place
    for key in parents:
        nearer = known.get(key)
        known[key] = known = dict(nearer) if isinstance(nearer, dict) else {}
    known[last] = value


LISTED_SETTINGS = st.lists(st.tuples(PLACES, VALUES), min_size=1, max_size=3)


def swayed(home: Path, listed: list[tuple[list[str], Any]]) -> tuple[bool, str]:
    """Whether a folder of such settings was refused, and what it should not have got.

    `home` has a run, `plain`, and the environment a SECRET.
    """
    canary, folder = home / "canary", home / "any"
    canary.write_text("precious")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(home / "plain", folder)
    with listener() as (address, heard):

        def change(known: dict[str, Any]) -> None:
            for place, value in listed:
                put(known, place, filled(value, address, str(canary)))

        before = set(os.listdir(home)), snapshot(forged(folder, change))
        status, said = told("ask", str(folder), QUESTION)
    after = set(os.listdir(home)), snapshot(folder)
    wrongs = {
        "a class name": bool(CLASS_NAME.search(said)) or status not in (0, 2),
        "a secret": SECRET in said,
        "a call": bool(heard),
        "a change": before != after or canary.read_text() != "precious",
    }
    return status == 2, ", ".join(name for name, wrong in wrongs.items() if wrong)


@pytest.mark.parametrize("node", [{}, {"model": "m"}, {"_target_": 7}, ["Model"], "M"])
def test_a_group_without_a_class_is_a_sentence(sent: Path, node: object) -> None:
    for group in ("reader", "memory", "llm", "embedder", "judge", "dataset"):
        shutil.copytree(sent / "plain", sent / group)
        forged(sent / group, lambda known, at=group: known.update({at: node}))
        for words in (("ask", QUESTION), ("step", "1"), ("fork", "1"), ("check",)):
            status, said = told(words[0], str(sent / group), *words[1:])
            assert status in (0, 2), said
            assert not CLASS_NAME.search(said)


@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(LISTED_SETTINGS)
def test_whatever_settings_a_folder_has_nothing_is_heard_or_changed(
    sent: Path, listed: list[tuple[list[str], Any]]
) -> None:
    assert not swayed(sent, listed)[1]


def parts(node: Any, group: str) -> Iterator[tuple[str, str]]:
    """Each class that a file of settings names, with the setting it stands under."""
    if isinstance(node, dict):
        if isinstance(node.get("_target_"), str):
            yield group, node["_target_"].rpartition(".")[2]
        for key, value in node.items():
            yield from parts(value, str(key))


def test_whatever_our_own_settings_choose_a_folder_may_name() -> None:
    for file in sorted(CONF.glob("*/*.yaml")):
        named = [*parts(yaml.safe_load(file.read_text("utf-8")), file.parent.name)]
        assert all(conf_names(name, group) for group, name in named), (file, named)


STRANGE = {
    "timings.csv": b"a,b\n1,2\n",
    "scores.json": b'{"memory": {}, "world": [1], "questions": "x", "workspace": "w"}',
    "ledger.jsonl": b"\xff\xfe\n",
    "overrides.yaml": b"!!python/object/apply:os.system ['touch imported']",
    "config.yaml": b"[" * 9000,
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_file_beside_a_journal_that_no_run_wrote_is_a_sentence(
    sent: Path, name: str
) -> None:
    file = sent / "whole" / name
    for kind in ("strange", "a pipe", "a link to a pipe"):
        file.unlink(missing_ok=True)
        if kind == "strange":
            file.write_bytes(STRANGE[name])
        else:
            at = file if kind == "a pipe" else sent / "pipe"
            os.mkfifo(at)
            if at != file:
                file.symlink_to(at)
        for words in (("check", "whole"), ("collect", "."), ("step", "whole", "1")):
            more = ("--out", "step.html") if words[0] == "step" else ()
            status, said = told(*words, *more)
            assert status in (0, 2), said
            assert not CLASS_NAME.search(said), said
    assert not (sent / "imported").exists()


@pytest.mark.parametrize("name", ["config.yaml", "scores.json", "ledger.json"])
def test_nothing_is_written_to_a_device_through_a_link(sent: Path, name: str) -> None:
    (sent / "run").mkdir()
    os.mkfifo(sent / "pipe")
    (sent / "run" / name).symlink_to(sent / "pipe")
    words = "read", "story.txt", "--run", "run", "embedder=none"
    assert "is a link" in refused(*words)


def test_a_folder_s_name_is_one_word_of_what_can_be_copied(sent: Path) -> None:
    name = "x; touch pwned\x1b[31m\n  y\\z"
    (sent / "whole").rename(sent / name)
    with closing(sqlite3.connect(sent / name / "journal.sqlite")) as db:
        db.execute("UPDATE steps SET json = '{}' WHERE position = 0")
        db.commit()
    for words in (("step", name, "1"), ("ask", name, QUESTION), ("check", name)):
        status, said = told(*words)
        assert status == 2
        assert "\x1b" not in said
        if words[0] != "check":
            assert len(said.strip().splitlines()) == 1
            assert "try: python -m gswlab check 'x; touch pwned" in said
