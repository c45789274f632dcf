"""The recipes of `experiments/`: what they ask of the package is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gswlab.lab.config import composed

RECIPES = Path(__file__).parents[1] / "experiments" / "recipes"
_CHOSEN = re.compile(
    r"(?<![\w.$])((?:memory|gate)(?:\.[\w.]+)?)=([\w.+-]+)(?=[\s\"]|$)"
)


def _asked() -> Iterator[str]:
    """The memory, gate and settings of a run, where a recipe sets any."""
    for path in sorted(RECIPES.glob("*.sh")):
        for line in path.read_text("utf-8").replace("\\\n", " ").splitlines():
            found = dict(_CHOSEN.findall(line))
            if found.keys() > {"memory"} and "{" not in line and line[:1] != "#":
                yield " ".join(f"{k}={v}" for k, v in sorted(found.items()))


@pytest.mark.parametrize("settings", sorted({*_asked()}))
def test_a_recipe_asks_for_settings_that_there_are(settings: str) -> None:
    assert composed("experiment=read", "dataset.file=x.txt", *settings.split())
