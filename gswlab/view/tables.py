"""Everything drawn is also a table: the nouns and lines of a page, a `LocalMap`."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gswlab.view.spans import escape
from gswlab.workspace.nouns import Actor, LocalMap, VerbPhrase


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads: HTML in a notebook, aligned text elsewhere."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""

    def _repr_html_(self) -> str:
        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        return f"<table>{caption}{_body(self.heads, self.rows)}</table>"

    def __repr__(self) -> str:
        lines = [" | ".join(row) for row in (self.heads, *self.rows)]
        return "\n".join([self.caption, *lines] if self.caption else lines)


def local_table(local: LocalMap) -> Table:
    """What an operator found in one chunk: one row a noun, one a question.

    >>> local_table(LocalMap("c", actors=(Actor("a1", "time", "May", value="05"),)))
    what | name | what it says
    time | May | value: 05
    """
    names = {actor.id: actor.name for actor in local.actors}
    rows = [
        *((a.kind, a.name, _actor(a)) for a in local.actors),
        *(_verb(v, names) for v in local.verb_phrases),
        *(
            (link.kind, link.value or "(unnamed)", _shared(link.actors, names))
            for link in local.links
        ),
        *(
            (
                "forward question" if q.predicted else "question",
                q.text,
                ", ".join(a.text for a in q.answers) or q.status,
            )
            for q in local.questions
        ),
    ]
    return Table(("what", "name", "what it says"), tuple(rows))


def _actor(actor: Actor) -> str:
    roles = ", ".join(role.text for role in actor.roles)
    states = ", ".join(
        s.text + (" (effect)" if s.source == "effect" else "") for s in actor.states
    )
    told = (("role", roles), ("state", states), ("value", actor.value or ""))
    return "; ".join(f"{what}: {text}" for what, text in told if text)


def _verb(verb: VerbPhrase, names: dict[str, str]) -> tuple[str, str, str]:
    parts = [f"{a.slot}: {names.get(a.actor or '', a.text)}" for a in verb.arguments]
    parts += [
        f"effect: {names.get(e.actor, e.actor)} {e.before or '?'} → {e.after}"
        for e in verb.effects
    ]
    parts += ["implied"] if verb.implied else []
    return "verb phrase", verb.predicate, "; ".join(parts)


def _shared(ids: Iterable[str], names: dict[str, str]) -> str:
    return "shared by " + ", ".join(names.get(i, i) for i in ids)


def node_table(run: dict[str, Any], first: int = 0) -> str:
    """Every noun of a page, when it was there and what it says at the end."""
    rows = (
        (
            f'<button class="noun" data-node="{escape(i)}">'
            f"<bdi>{escape(node['names'][-1][1])}</bdi></button>",
            escape(node["kind"]),
            _when(node["life"], run["steps"], first),
            escape("; ".join(f"{f[0]} {f[1]}" for f in _telling(node["facts"]))),
        )
        for i, node in run["nodes"].items()
    )
    heads = ("noun", "kind", "there", "what it says")
    return f"<table>{_raw(heads, rows)}</table>"


def edge_table(run: dict[str, Any], first: int = 0) -> str:
    """Every line of a page: from, what, to, and when it was there."""

    def named(i: str) -> str:
        return f"<bdi>{escape(run['nodes'][i]['names'][-1][1])}</bdi>"

    rows = (
        (
            named(edge["from"]),
            escape(edge["label"]),
            named(edge["to"]),
            _when(edge["life"], run["steps"], first),
        )
        for edge in run["edges"].values()
    )
    return f"<table>{_raw(('from', 'line', 'to', 'there'), rows)}</table>"


def _telling(facts: Sequence[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    quiet = ("kind", "mention", "read as")
    return (fact for fact in facts if fact[3] is None and fact[0] not in quiet)


def _when(life: Sequence[Sequence[int | None]], steps: Any, first: int) -> str:
    def label(k: int) -> str:
        return escape(steps[k - first]["label"]) if k >= first else "earlier"

    return ", ".join(
        f"from {label(born or 0)}" + ("" if gone is None else f" until {label(gone)}")
        for born, gone in life
    )


def _body(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    cells = (tuple(escape(cell) for cell in row) for row in rows)
    return _raw(tuple(html.escape(head) for head in heads), cells)


def _raw(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{h}</th>' for h in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
