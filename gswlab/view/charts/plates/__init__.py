"""Every figure of the paper by name, each drawn from committed run tables."""

from gswlab.view.charts.plates import books, chats, hops, mazes, plots
from gswlab.view.charts.plates.plate import Plate

PLATES: tuple[Plate, ...] = (
    *books.PLATES,
    *hops.PLATES,
    *mazes.PLATES,
    *plots.PLATES,
    *chats.PLATES,
)
