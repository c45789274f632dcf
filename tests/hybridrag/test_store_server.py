"""A graph on a server: what is said when it is away, and nothing lost when it stops."""

from __future__ import annotations

import signal
import subprocess
import sys
from itertools import pairwise

import pytest

from gswlab.core.errors import GswlabError
from gswlab.hybridrag.stores import neo4j as cypher
from gswlab.hybridrag.stores.common import update
from gswlab.hybridrag.stores.memory import InMemory
from gswlab.hybridrag.stores.neo4j import Neo4j
from gswlab.hybridrag.stores.nouns import EDGE_TYPES, GraphEdge, GraphNode

AWAY = "the graph server at bolt://127.0.0.1:[0-9]+ is away .*; try: NEO4J_PASSWORD"


def chain(length: int) -> InMemory:
    """Events one after the other."""
    store = InMemory()
    events = [
        GraphNode(f"e{i:04}", "Event", {"description": f"event {i}"})
        for i in range(length)
    ]
    ties = [GraphEdge(a.id, "NEXT", b.id) for a, b in pairwise(events)]
    store.upsert(events, ties)
    return store


class Failing(Neo4j):
    """A store whose server dies after so many batches."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.batches = 0

    def _batches(self, rows):
        for batch in super()._batches(rows):
            yield batch
            self.batches += 1
            if self.batches == 3:
                self.server.stop(signal.SIGKILL)


@pytest.mark.slow
def test_a_server_killed_in_the_middle_of_a_write_loses_and_doubles_nothing(
    bolt_server, bolt
):
    wanted = chain(500).graph()
    failing = Failing(bolt_server.uri, "killed", batch=100, retry_seconds=1)
    failing.server = bolt_server
    store = bolt.named("killed")
    store.upsert(wanted.nodes[:50])
    with pytest.raises(GswlabError, match=AWAY):
        update(failing, wanted)
    with pytest.raises(GswlabError, match=AWAY):
        failing.counts()
    failing.close()
    bolt_server.start()  # what follows is over connections to the server that died
    assert store.graph().nodes == wanted.nodes[:50]  # the write happened not at all
    done = update(store, wanted)
    assert (len(done.nodes), len(done.edges)) == (450, 499)
    assert store.graph() == wanted


def test_a_wrong_password_is_one_sentence_without_it(bolt_server, monkeypatch):
    monkeypatch.setenv("NEO4J_PASSWORD", "a wrong password")
    with pytest.raises(GswlabError, match=r"refuses us .* NEO4J_USERNAME") as error:
        Neo4j(bolt_server.uri).counts()
    assert "wrong" not in str(error.value)


def test_a_database_that_is_not_there_is_one_sentence(bolt_server):
    with pytest.raises(GswlabError, match=r"refuses: .*nowhere"):
        Neo4j(bolt_server.uri, database="nowhere").counts()


@pytest.mark.parametrize(
    "uri",
    ["http://localhost", "bolt://me:secret@localhost", "", "bolt://[", "file:///x"],
)
def test_what_is_no_address_is_one_sentence_that_repeats_no_secret(uri):
    with pytest.raises(GswlabError, match=r"store\.uri is no address") as error:
        Neo4j(uri).counts()
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"name": "a\x1fb"}, "a name to be printed"),
        ({"name": ""}, "a name to be printed"),
        ({"batch": 0}, "store.batch is 0"),
        ({"retry_seconds": -1}, "retry_seconds -1"),
    ],
)
def test_a_setting_no_store_can_have_is_one_sentence(setting, said):
    with pytest.raises(GswlabError, match=said):
        Neo4j(**setting)


def test_what_others_keep_on_the_server_is_neither_read_nor_cleared(bolt_server, bolt):
    store = bolt.named("ours")
    store.upsert([GraphNode("a", "Event")])
    with store._connection._driver.session() as session:
        session.run("CREATE (n:Event {id: 'theirs', _graph: 'ours'})").consume()
    assert store.counts() == (1, 0)
    store.clear()
    with store._connection._driver.session() as session:
        (left,) = session.run("MATCH (n:Event) RETURN n.id AS id").data()
    assert (store.counts(), left) == ((0, 0), {"id": "theirs"})


def test_every_type_of_edge_has_its_statement():
    assert set(cypher.WRITE_EDGES) == set(EDGE_TYPES)
    for kind, statement in cypher.WRITE_EDGES.items():
        assert [t for t in EDGE_TYPES if f":{t} " in statement] == [kind]


@pytest.mark.parametrize(
    ("arguments", "password", "said"),
    [
        ([], "long enough", "try: NEO4J_PASSWORD=WORD"),
        (["FOLDER", "high"], "long enough", "try: NEO4J_PASSWORD=WORD"),
        (["FOLDER"], "short", "the server has no password"),
    ],
)
def test_a_server_that_cannot_be_started_says_why(arguments, password, said, tmp_path):
    folder = [argument.replace("FOLDER", str(tmp_path)) for argument in arguments]
    done = subprocess.run(
        [sys.executable, "-m", "gswlab.hybridrag.stores.serve", *folder],
        env={"NEO4J_PASSWORD": password},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_port_that_is_taken_is_one_sentence(bolt_server, tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "gswlab.hybridrag.stores.serve",
            str(tmp_path),
            str(bolt_server.port),
        ],
        env={"NEO4J_PASSWORD": "long enough"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert f"port {bolt_server.port} cannot be listened on" in done.stderr


def test_without_the_extra_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "neo4j", None)
    with pytest.raises(GswlabError, match=r'pip install "gswlab\[graphdb\]"'):
        Neo4j().counts()
