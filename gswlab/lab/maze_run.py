"""Mazes and an explorer: the experiment that reads no text.

>>> from gswlab import config                                      # doctest: +SKIP
>>> config.opened("experiment=maze", "agent=dfs").run()["success"]  # doctest: +SKIP
1.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gswlab.bench.folder import RunFolder

if TYPE_CHECKING:
    from gswlab.bench import mazes
    from gswlab.lab.experiment import Config


class MazeRun:
    """An experiment over mazes; opened again on the same folder, it goes on there."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.folder = RunFolder(config.folder)
        self.mazes: mazes.Mazes = config.build("maze")

    def run(self) -> dict[str, Any]:
        """Walk, score and write; returns the headline figures."""
        from gswlab.bench import mazes

        self.folder.make()
        for name, text in self.config.files().items():
            self.folder.write(name, text)
        names = {"config": self.config.hash, "agent": self.config.choices["agent"]}
        return mazes.run_mazes(
            self.folder, self.mazes, lambda: self.config.build("agent"), names
        )

    def __repr__(self) -> str:
        return f"MazeRun({self.config.name}: {self.mazes})"
