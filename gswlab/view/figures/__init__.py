"""Every figure of the paper by name, each drawn from committed run tables."""

from __future__ import annotations

from gswlab.view.figures import plates as books
from gswlab.view.figures import plates as chats
from gswlab.view.figures import plates as hops
from gswlab.view.figures import plates as mazes
from gswlab.view.figures import plates as plots
from gswlab.view.figures.plate import Plate

PLATES: tuple[Plate, ...] = (
    *books.PLATES,
    *hops.HOPS_PLATES,
    *mazes.MAZES_PLATES,
    *plots.PLOTS_PLATES,
    *chats.CHATS_PLATES,
)
