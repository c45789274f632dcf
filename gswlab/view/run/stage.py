"""Where everything stands: the scene of each step, and the plane of all scenes.

On stage are whom the step's deeds tie, then whom it only mentions, then, pale, people
of the same chapter who were there before. A seat is a place of a small grid: who stays
keeps it, who is new or comes back sits where ties are short and cross nothing.

The plane is read like a page. Every step that brings nouns has a cell, row by row, and
in it stand those nouns, row by row, each beside those it is tied to. So a step's news
stand together, and a noun has its place before it appears: nothing moves with time.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import networkx as nx
from pyvis.network import Network

from gswlab.core.nouns import Episode, VerbPhrase, short
from gswlab.view.kit.looks import LOOKS
from gswlab.view.kit.page import asset
from gswlab.view.run.deeds import nameless
from gswlab.view.run.history import History, Record, Scene

MOST, BYSTANDERS = 30, 3
_SEATED = LOOKS.keys() - {"verb phrase", "episode", "time"}  # those are said in words
_NAMED = ("person", "organisation", "place")
_MIDDLE = 2.75 + 2j
# Every other row stands between the seats of its neighbours: fewer in a line.
SEATS = [complex(n % 6 + (n // 6) % 2 / 2, n // 6) for n in range(MOST)]
Way = tuple[complex, complex]


@dataclass(slots=True)
class Seating:
    """Who is seen at a step and where, by id; `ties` are ids of the history's deeds."""

    seats: dict[str, complex] = field(default_factory=dict)
    ties: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    chapter: int | None = None


def stages(history: History) -> list[Seating]:
    """The stage of every step, in order."""
    owned: dict[str, list[Record]] = {}
    for record in history.deeds.values():
        owned.setdefault(record.id.partition(":")[0], []).append(record)
    found, last, homes = [], Seating(), dict[str, complex]()
    for scene in history.scenes:
        stage, people = _cast(history, scene, owned, last)
        ties = (history.deeds[key].tie for key in stage.ties)
        pairs = [(tie.source, tie.target) for tie in ties if tie]
        stage.seats = _seated(people, pairs, last.seats, homes)
        homes |= stage.seats
        found.append(stage)
        last = stage if stage.seats else last
    return found


def _cast(
    history: History, scene: Scene, owned: Mapping[str, Sequence[Record]], last: Seating
) -> tuple[Seating, list[str]]:
    """The ties of a step and who is on stage, first whom they tie."""
    now, records, people = scene.step.index, history.records, dict[str, None]()
    news = [*scene.added, *scene.changed, *scene.retired]
    nouns = [scene.after.nouns.get(noun_id) for noun_id in news]
    told = [n.chapter for n in nouns if isinstance(n, VerbPhrase | Episode)]
    stage = Seating(chapter=told[0] if told else last.chapter)
    for tie in (tie for noun_id in news for tie in owned.get(noun_id, ())):
        ends = dict.fromkeys((tie.tie.source, tie.tie.target)) if tie.tie else {}
        if tie.there(now) and len(people | ends) <= MOST:
            people |= ends
            stage.ties.append(tie.id)
    # beside ties only those are seen without one who have a name
    tied = bool(people)
    kinds = _NAMED if tied else _SEATED
    for one in (records[i] for i in (*news, *scene.touched) if i in records):
        named = not (tied and one.name_at(now).islower())
        if one.kind in kinds and named and not one.face and len(people) < MOST:
            people[one.id] = None
    if last.chapter == stage.chapter:
        persons = (i for i in last.seats if records[i].kind == "person")
        stood = [i for i in persons if i not in people and i in scene.after.nouns]
        stood = [i for i in stood if not nameless(scene.after.nouns[i])]
        names = {records[i].name_at(now): i for i in (*reversed(stood), *people)}
        stage.before = [i for i in stood if i in names.values()]
    stage.before = stage.before[: min(BYSTANDERS, MOST - len(people))]
    return stage, [*people, *stage.before]


def _seated(
    people: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    last: Mapping[str, complex],
    homes: Mapping[str, complex],
) -> dict[str, complex]:
    """A seat for everybody: the one just held, then the best of those left."""
    seats = {one: last[one] for one in people if one in last}
    busy = {one: sum(one in pair for pair in pairs) for one in people}
    for one in sorted(busy.keys() - seats.keys(), key=lambda i: (-busy[i], i)):
        others = {a if b == one else b for a, b in pairs if one in (a, b)}
        tied = [seats[other] for other in sorted(others & seats.keys())]
        ways = [(seats[a], seats[b]) for a, b in pairs if {a, b} <= seats.keys()]
        taken = [*seats.values()]
        seats[one] = min(
            (seat for seat in SEATS if seat not in taken),
            key=lambda s: _cost(s, tied, taken, ways) - 0.8 * (homes.get(one) == s),
        )
    return {one: seats[one] for one in people}


def _cost(
    seat: complex, tied: Iterable[complex], taken: Sequence[complex], ways: list[Way]
) -> float:
    """What a seat costs: ties too long or too short, and what lies across another."""
    cost = 0.12 * abs(seat - _MIDDLE) + 1.2 * sum(_on(way, seat) for way in ways)
    for end in tied:
        # beside each other there is no room for what the tie says
        beside = seat.imag == end.imag and abs(seat - end) < 2
        cost += abs(abs(seat - end) - 1.5) + beside
        cost += 1.2 * sum(_on((seat, end), other) for other in taken)
        cost += sum(_crossed((seat, end), way) for way in ways)
    return cost


def _on(way: Way, seat: complex) -> bool:
    """Whether a seat lies on the way between two others."""
    a, b = way
    return seat not in way and abs(a - seat) + abs(seat - b) < abs(a - b) + 0.2


def _crossed(one: Way, other: Way) -> bool:
    def side(way: Way, p: complex) -> float:
        return ((way[1] - way[0]).conjugate() * (p - way[0])).imag

    apart = side(one, other[0]) * side(one, other[1]) < 0
    return apart and side(other, one[0]) * side(other, one[1]) < 0


_SCRIPTS = re.compile(r"<script[^>]*>(.*?)</script>", re.DOTALL)


def drawing(
    run: Mapping[str, Any], places: Mapping[str, tuple[int, int]]
) -> tuple[str, str]:
    """The scripts of a graph whose nodes and edges are all there from the start.

    The library is the first; the second draws into `#mynetwork`.
    """
    net = Network(cdn_resources="in_line", directed=True)
    for key, noun in run["nodes"].items():
        label, (x, y) = short(noun["names"][-1][1]), places[key]
        net.add_node(key, label, kind=noun["kind"], x=x, y=y, hidden=True)
    for key, edge in run["edges"].items():
        net.add_edge(edge["from"], edge["to"], id=key, hidden=True)
    net.set_options(json.dumps(json.loads(asset("run/network.json")), sort_keys=True))
    return _library(), _SCRIPTS.findall(net.generate_html())[-1].strip()


@cache
def _library() -> str:
    """vis-network, from a page without nouns: whatever a noun is called, it is this."""
    empty = Network(cdn_resources="in_line", directed=True).generate_html()
    library = max(_SCRIPTS.findall(empty), key=len)
    # The source map's address would be fetched by a browser's developer tools.
    return re.sub(r"//# sourceMappingURL=\S+", "", library).strip()


GAP = 104.0  # as wide as a short name
ASPECT = 2.2
Box = dict[str, tuple[float, float]]


def positions(
    born: Mapping[str, int], edges: Iterable[tuple[str, str]]
) -> dict[str, tuple[int, int]]:
    """A place for every noun, given the step each first appears at."""
    cells: dict[int, list[str]] = defaultdict(list)
    inside: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for noun, step in born.items():
        cells[step].append(noun)
    for edge in sorted((min(e), max(e)) for e in edges):
        if born[edge[0]] == born[edge[1]]:
            inside[born[edge[0]]].append(edge)
    boxes = [_cell(cells[step], inside[step]) for step in sorted(cells)]
    return {noun: (round(x), round(y)) for noun, x, y in _paged(boxes)}


def _cell(nouns: list[str], edges: list[tuple[str, str]]) -> Box:
    """What one step brings, in rows that stand between each other; its corner is 0, 0.

    Who has most ties comes first, then those it is tied to, then theirs.
    """
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(nouns)
    graph.add_edges_from(edges)
    order: dict[str, None] = {}
    for noun in sorted(nouns, key=lambda noun: -graph.degree[noun]):
        if noun not in order:
            order |= dict.fromkeys(nx.bfs_tree(graph, noun))
    wide = math.ceil(math.sqrt(len(nouns)))
    turns = ((noun, *divmod(turn, wide)) for turn, noun in enumerate(order))
    return {
        noun: (1.3 * GAP * (column + row % 2 / 2), 0.9 * GAP * row)
        for noun, row, column in turns
    }


def _paged(boxes: list[Box]) -> Iterator[tuple[str, float, float]]:
    """The cells in rows, which turn as an ox ploughs: the next is the neighbour."""
    ends = [map(max, zip(*box.values(), strict=True)) for box in boxes]
    sizes = [(right + 1.5 * GAP, below + GAP) for right, below in ends]
    area = sum(wide * high for wide, high in sizes)
    width = max([math.sqrt(area * ASPECT), *(wide for wide, _ in sizes)])
    top = left = height = 0.0
    forward = True
    for box, (wide, high) in zip(boxes, sizes, strict=True):
        if left + wide > width + 1:
            top, left, height, forward = top + height, 0.0, 0.0, not forward
        corner = left if forward else width - left - wide
        for noun, (x, y) in box.items():
            yield noun, corner + x, top + y
        left, height = left + wide, max(height, high)
