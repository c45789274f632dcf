"""A chunk's way and a question's way are as CONTRIBUTING.md tells them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import gswlab

ROOT = Path(__file__).resolve().parent.parent
STORY = Path(gswlab.__file__).parent / "data" / "story.txt"
QUESTION = "Who was arrested?"


def way(whose: str) -> list[str]:
    """The numbered lines under a heading of CONTRIBUTING.md."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    after = text.partition(f"**A {whose}'s way**")[2].partition("**")[0]
    return re.findall(r"^\d+\. `(\S+)`$", after, re.M)


def followed(act: Callable[[], object]) -> list[str]:
    """The functions of the package that `act` calls, by their first call."""
    seen: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("gswlab."):
            name = f"{module.removeprefix('gswlab.')}.{frame.f_code.co_qualname}"
            seen.setdefault(name)

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return list(seen)


@pytest.mark.parametrize("whose", ["chunk", "question"])
def test_the_way_that_contributing_describes_is_the_one_the_code_takes(whose, tmp_path):
    lab = gswlab.open(f"dataset.file={STORY}", f"run.dir={tmp_path / 'run'}")
    lab.step()
    if whose == "question":
        lab.run()
    calls = followed(lab.step if whose == "chunk" else lambda: lab.ask(QUESTION))
    told = way(whose)
    assert len(told) == 10
    assert [name for name in told if name not in calls] == []
    assert sorted(told, key=calls.index) == told
