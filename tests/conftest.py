"""Shared by all tests: the data marker, a stand-in model, a Hypothesis profile."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bolt import ENVIRONMENT, BoltServer
from hypothesis import settings
from standin import StandIn, serving

import gswlab  # noqa: F401 - before numpy: one thread of linear algebra

if TYPE_CHECKING:
    from gswlab.hybridrag.stores.neo4j import Neo4j

gc.set_threshold(20_000, 50, 100)  # a tenth of the time went into looking for cycles
os.environ["TQDM_DISABLE"] = "1"  # what a command says is read line by line
settings.register_profile("gswlab", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("gswlab")
ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GSWLAB_DATA", ROOT.parent / "shared" / "data"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser is slow; without data, tests marked `data` skip in one sentence."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker("slow")
    if (DATA / "epbench20").is_dir():
        return
    reason = f"no benchmark data in {DATA}: set GSWLAB_DATA to the folder that has it"
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of benchmark data."""
    return DATA


@pytest.fixture
def server() -> Iterator[StandIn]:
    """A server on loopback; a test writes its `script`."""
    with serving(StandIn()) as stand_in:
        yield stand_in


@pytest.fixture(scope="session")
def bolt_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoltServer]:
    """A running Bolt server of its own; a test that stops it starts it again."""
    pytest.importorskip("arcadedb_embedded", reason="it is in the extra graphdb")
    server = BoltServer(tmp_path_factory.mktemp("bolt") / "graphs")
    server.start()
    os.environ.update(ENVIRONMENT)
    yield server
    for name in ENVIRONMENT:
        del os.environ[name]
    server.stop()


@pytest.fixture(scope="session")
def bolt(bolt_server: BoltServer) -> Iterator[Neo4j]:
    """A store on that server."""
    from gswlab.hybridrag.stores.neo4j import Neo4j

    store = Neo4j(bolt_server.uri)
    yield store
    store.close()
