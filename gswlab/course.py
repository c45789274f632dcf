"""Mazes and an explorer: the experiment that reads no text.

>>> from gswlab import config                                      # doctest: +SKIP
>>> config.opened("experiment=maze", "agent=dfs").run()["success"]  # doctest: +SKIP
1.0
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gswlab.bench import mazes
from gswlab.bench.folder import RunFolder
from gswlab.core.errors import RUN, GswlabError

if TYPE_CHECKING:
    from gswlab.experiment import Config


class Course:
    """An experiment over mazes; opened again on the same folder, it goes on there."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.folder = RunFolder(config.folder)
        self.mazes: mazes.Mazes = config.build("maze")

    def run(self) -> dict[str, Any]:
        """Walk, score and write; returns the headline figures."""
        self.folder.make()
        for name, text in self.config.files().items():
            self.folder.write(name, text)
        names = {"config": self.config.hash, "agent": self.config.choices["agent"]}
        return mazes.run(
            self.folder, self.mazes, lambda: self.config.build("agent"), names
        )

    def __repr__(self) -> str:
        return f"Course({self.config.name}: {self.mazes})"


def walked_before(folder: Path) -> Course | None:
    """The course of a run folder; None where it is no folder of mazes."""
    if not (folder / mazes.ROWS).exists():
        return None
    import yaml

    from gswlab.config import opened

    try:
        typed = yaml.safe_load((folder / "overrides.yaml").read_bytes())
    except (OSError, yaml.YAMLError, UnicodeDecodeError):
        typed = None
    course = opened(*map(str, typed)) if isinstance(typed, list) else None
    if isinstance(course, Course):
        return course
    rule = "overrides.yaml of a run over mazes names it"
    raise GswlabError(f"{folder} does not say which mazes it is of", rule, RUN)
