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


def _asked() -> Iterator[tuple[str, str]]:
    """A recipe and the memory, gate and settings of one of its runs."""
    for path in sorted(RECIPES.glob("*.sh")):
        for line in path.read_text("utf-8").replace("\\\n", " ").splitlines():
            found = dict(_CHOSEN.findall(line))
            if found.get("memory") and "{" not in line and not line.startswith("#"):
                yield path.name, " ".join(f"{k}={v}" for k, v in found.items())


@pytest.mark.parametrize(("recipe", "settings"), sorted({*_asked()}))
def test_a_recipe_asks_for_settings_that_there_are(recipe: str, settings: str) -> None:
    assert composed("experiment=read", "dataset.file=x.txt", *settings.split()), recipe
