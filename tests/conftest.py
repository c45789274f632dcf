"""Shared by all tests: the data marker, a stand-in model, a Hypothesis profile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from standin import StandIn, serving

import gswlab  # noqa: F401 - before numpy: one thread of linear algebra

settings.register_profile("gswlab", deadline=None, derandomize=True)
settings.load_profile("gswlab")
ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GSWLAB_DATA", ROOT.parent / "shared" / "data"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked `data` skip, in one sentence, where the data is not."""
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
