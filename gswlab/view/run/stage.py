"""The scene of each step: its sentences as a picture that fits in one look.

- On stage are whom the step's deeds tie, then whom it only mentions, then, in grey,
  people of the same chapter who were there before; never more than `MOST`.
- A seat is a place of a small grid. Who stays keeps the seat, who comes back finds it
  again where it is free, and who is new sits down near whom it is tied to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from gswlab.core.nouns import Episode, VerbPhrase
from gswlab.view.kit.looks import LOOKS
from gswlab.view.run.history import History, Record, Scene

MOST = 30
BYSTANDERS = 3  # in grey, beside those a step speaks of
_COLUMNS, _ROWS = 6, 5
_HIDDEN = ("verb phrase", "episode", "time")  # said along ties, not seated
Seat = tuple[float, float]
# Every other row stands between the seats of its neighbours: fewer in a line.
SEATS: Sequence[Seat] = sorted(
    ((column + (row % 2) / 2, row) for row in range(_ROWS) for column in range(_COLUMNS)),
    key=lambda s: ((s[0] - 2.75) ** 2 + 1.5 * (s[1] - 2) ** 2, s),
)


@dataclass(slots=True)
class Stage:
    """Who is seen at a step and where, by id; `ties` are ids of the history's deeds."""

    seats: dict[str, Seat] = field(default_factory=dict)
    ties: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    chapter: int | None = None


def stages(history: History) -> list[Stage]:
    """The stage of every step, in order."""
    owned: dict[str, list[Record]] = {}
    for record in history.deeds.values():
        owned.setdefault(record.id.partition(":")[0], []).append(record)
    found, last, homes = [], Stage(), dict[str, Seat]()
    for scene in history.scenes:
        stage, people = _cast(history, scene, owned, last)
        ends = [history.deeds[key].tie for key in stage.ties]
        pairs = [(tie.source, tie.target) for tie in ends if tie]
        stage.seats = _seated(people, pairs, last.seats, homes)
        homes |= stage.seats
        found.append(stage)
        last = stage if stage.seats else last
    return found


def _cast(
    history: History, scene: Scene, owned: Mapping[str, Sequence[Record]], last: Stage
) -> tuple[Stage, list[str]]:
    """Who is on stage, first whom the step ties; its ties; and who is grey."""
    now, stage = scene.step.index, Stage()
    news = [*scene.added, *scene.changed, *scene.retired]
    people: dict[str, None] = {}
    for record in chain.from_iterable(owned.get(noun_id, ()) for noun_id in news):
        ends = {e: None for e in (record.tie.source, record.tie.target)} if record.tie else {}
        if _there(record, now) and len(people | ends) <= MOST:
            people |= ends
            stage.ties.append(record.id)
    nouns = [scene.after.nouns.get(noun_id) for noun_id in news]
    told = [n.chapter for n in nouns if isinstance(n, VerbPhrase | Episode)]
    stage.chapter = told[0] if told else last.chapter
    mentioned = [i for i in (*news, *scene.touched) if _seen(history, i, bool(people))]
    loose = [i for i in dict.fromkeys(mentioned) if i not in people]
    stood = [i for i in last.seats if history.records[i].kind == "person"]
    stood = [i for i in stood if i not in {*people, *loose} and i in scene.after.nouns]
    if last.chapter == stage.chapter:
        stage.before = stood[: max(0, min(BYSTANDERS, MOST - len(people) - len(loose)))]
    everybody = [*people, *loose[: MOST - len(people)], *stage.before]
    return stage, everybody


def _there(record: Record, now: int) -> bool:
    """Whether a tie holds at a step, or ends with it."""
    return any(a is not None and a <= now and (b is None or now < b or b == now)
               for a, b in record.life)  # fmt: skip


def _seen(history: History, noun_id: str, few: bool) -> bool:
    """Whether a noun without a tie is seen; beside ties only who has a name is."""
    record = history.records[noun_id]
    named = record.kind in ("person", "organisation", "place")
    kinds = set(LOOKS) - set(_HIDDEN)
    return record.kind in kinds and not record.face and (named or not few)


def _seated(
    people: Iterable[str],
    pairs: Sequence[tuple[str, str]],
    last: Mapping[str, Seat],
    homes: Mapping[str, Seat],
) -> dict[str, Seat]:
    """A seat for everybody: the one just held, then the best of those left."""
    people = [*people]
    seats = {one: last[one] for one in people if one in last}
    order = sorted(
        (one for one in people if one not in seats),
        key=lambda one: -sum(one in pair for pair in pairs),
    )
    for one in order:
        free = [seat for seat in SEATS if seat not in seats.values()]
        tied = [*_tied(one, pairs)]
        lines = [(seats[a], seats[b]) for a, b in pairs if a in seats and b in seats]
        best = [
            (_cost(seat, [seats[t] for t in tied if t in seats], seats.values(), lines)
             - 0.8 * (homes.get(one) == seat), n)
            for n, seat in enumerate(free)
        ]  # fmt: skip
        seats[one] = free[min(best)[1]]
    return {one: seats[one] for one in people}


def _tied(one: str, pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    for a, b in pairs:
        if one in (a, b) and a != b:
            yield b if a == one else a


def _cost(
    seat: Seat,
    tied: Sequence[Seat],
    taken: Iterable[Seat],
    lines: Sequence[tuple[Seat, Seat]],
) -> float:
    """What a seat costs: long ties, nouns and ties that lie across each other."""
    cost = 0.12 * (abs(seat[0] - 2.75) + 1.2 * abs(seat[1] - 2))
    for other in tied:
        # beside each other there is no room for what the tie says
        beside = seat[1] == other[1] and abs(seat[0] - other[0]) < 2
        cost += abs(_far(seat, other) - 1.5) + beside
        cost += 1.2 * sum(_between(seat, other, third) for third in taken)
        cost += sum(_crossed(seat, other, a, b) for a, b in lines)
    return cost + 1.2 * sum(_between(a, b, seat) for a, b in lines)


def _far(a: Seat, b: Seat) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _between(a: Seat, b: Seat, third: Seat) -> bool:
    """Whether a third seat lies on the way from one to another."""
    return third not in (a, b) and _far(a, third) + _far(third, b) < _far(a, b) + 0.2


def _crossed(a: Seat, b: Seat, c: Seat, d: Seat) -> bool:
    """Whether the ways from a to b and from c to d cross; to meet at an end is none."""

    def side(p: Seat, q: Seat, r: Seat) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    apart = side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
    return apart and not {a, b} & {c, d}
