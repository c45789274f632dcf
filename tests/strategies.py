"""Hypothesis strategies: nouns, workspaces and steps that fit them.

`runs()` draws a list of steps that fold from an empty workspace; `steps(workspace)` one
step that follows. Ids are the workspace's own, so every change is a legal one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

from hypothesis import strategies as st

from gswlab.core.nouns import Episode, Noun, Span, TraceEvent
from gswlab.core.step import (
    Alignment,
    Candidate,
    Conflict,
    Drop,
    Extend,
    NounKind,
    Put,
    Resolution,
    Set,
    Step,
)
from gswlab.core.workspace import NOUNS, PREFIX, Workspace

KINDS: tuple[NounKind, ...] = tuple(NOUNS)
# every script, quotes and controls, but no lone surrogates: those are no Unicode text
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = st.sampled_from(
    ["Ann Ray", "the officer", "山田太郎", "José Álvarez", "O’Neil", "नीता", "<b>&"]
)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | texts,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(texts, inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, 500))
    return Span("book", start, start + draw(st.integers(1, 40)))


def _short_tuples(hint: Any) -> st.SearchStrategy[Any]:
    """Two items show whatever five would, in a third of the time."""
    args = get_args(hint)
    if args[-1:] == (...,):
        return st.lists(st.from_type(args[0]), max_size=2).map(tuple)
    return st.tuples(*map(st.from_type, args))


st.register_type_strategy(tuple, _short_tuples)
st.register_type_strategy(Span, spans())
st.register_type_strategy(str, texts)
st.register_type_strategy(float, st.floats(-4, 4, width=32))


# What a field takes is made out once: a strategy costs more to make than to draw from.


@cache
def _hints(kind: NounKind) -> Mapping[str, Any]:
    return get_type_hints(NOUNS[kind])


def nouns(kind: NounKind, noun_id: str) -> st.SearchStrategy[Noun]:
    """A noun of this kind under this id, every other field drawn."""
    given = {name: field_values(kind, name) for name in _hints(kind) if name != "id"}
    return st.builds(NOUNS[kind], id=st.just(noun_id), **given)


@cache
def field_values(kind: NounKind, name: str) -> st.SearchStrategy[Any]:
    """Values that the field `name` of a noun of this kind may have."""
    if name == "name" and kind == "actor":
        return names
    hint = _hints(kind)[name]
    if name == "chapter":
        return st.none() | st.integers(1, 3)
    if kind == "episode" and name == "hypotheses":
        bounds = st.lists(st.from_type(_bound()), max_size=2).map(tuple)
        return st.dictionaries(st.sampled_from(["date", "place"]), bounds, max_size=2)
    return st.from_type(hint)


def _bound() -> type:
    return next(
        arg for arg in get_type_hints(Episode)["date"].__args__ if arg is not type(None)
    )


@cache
def _tuple_fields(kind: NounKind) -> list[str]:
    return [
        name for name, hint in _hints(kind).items() if str(hint).startswith("tuple[")
    ]


@st.composite
def changes(draw: st.DrawFn, workspace: Workspace) -> Any:
    """One change that this workspace accepts."""
    live = sorted(workspace.nouns)
    op = draw(st.sampled_from(["put", "replace", "extend", "set", "drop"]))
    if op == "put" or not live:
        kind = draw(st.sampled_from(KINDS))
        number = workspace.counts.get(PREFIX[kind], 0) + 1
        return Put(kind, draw(nouns(kind, f"{PREFIX[kind]}{number}")))
    noun_id = draw(st.sampled_from(live))
    kind = next(k for k, prefix in PREFIX.items() if prefix == noun_id[0])
    if op == "replace":
        return Put(kind, draw(nouns(kind, noun_id)))
    if op == "drop":
        same = [i for i in live if i[0] == noun_id[0] and i != noun_id]
        return Drop(kind, noun_id, draw(st.none() | st.sampled_from(same or [None])))
    if op == "extend":
        name = draw(st.sampled_from(_tuple_fields(kind)))
        return Extend(kind, noun_id, name, draw(field_values(kind, name)))
    name = draw(st.sampled_from([n for n in _hints(kind) if n != "id"]))
    return Set(kind, noun_id, name, draw(field_values(kind, name)))


@st.composite
def alignments(draw: st.DrawFn, actor_ids: list[str]) -> Alignment:
    actor = st.sampled_from(actor_ids)
    features = st.lists(st.tuples(texts, st.floats(0, 1)), max_size=2).map(tuple)
    candidate = st.builds(Candidate, actor, st.floats(0, 2), features)
    return draw(
        st.builds(
            Alignment,
            st.from_regex(r"a[1-9]", fullmatch=True),
            names,
            st.sampled_from(["merged", "new", "ambiguous"]),
            actor,
            texts,
            st.lists(candidate, max_size=2).map(tuple),
            st.floats(0, 2),
        )
    )


def decisions(workspace: Workspace) -> st.SearchStrategy[Any]:
    """Decisions about nouns that live in this workspace."""
    ids = sorted(workspace.nouns)
    choices: list[st.SearchStrategy[Any]] = []
    if actors := [i for i in ids if i[0] == "a"]:
        choices.append(alignments(actors))
        conflict = st.builds(Conflict, subject=st.sampled_from(actors))
        choices.append(conflict)
    if questions := [i for i in ids if i[0] == "q"]:
        support = st.lists(st.sampled_from(ids), max_size=3, unique=True).map(tuple)
        choices.append(
            st.builds(
                Resolution,
                question=st.sampled_from(questions),
                answer=texts,
                support=support,
                reason=texts,
            )
        )
    return st.one_of(choices) if choices else st.nothing()


events = st.builds(
    TraceEvent,
    kind=st.sampled_from(["retrieved", "evicted", "gate_fired"]),
    data=st.dictionaries(texts, json_values, max_size=3),
    spans=st.lists(spans(), max_size=2).map(tuple),
)


@st.composite
def steps(draw: st.DrawFn, workspace: Workspace, chunk: str | None = None) -> Step:
    """A step that `workspace.apply` accepts, with decisions about what it leaves."""
    found = []
    after = workspace
    for _ in range(draw(st.integers(0, 4))):
        change = draw(changes(after))
        after = after.change(change)
        found.append(change)
    made = decisions(after)
    return Step(
        workspace.version,
        chunk,
        tuple(found),
        () if made.is_empty else tuple(draw(st.lists(made, max_size=3))),
        tuple(draw(st.lists(events, max_size=2))),
        draw(texts),
    )


@st.composite
def runs(draw: st.DrawFn, max_steps: int = 5) -> list[Step]:
    """Steps that fold one after the other from an empty workspace."""
    found: list[Step] = []
    workspace = Workspace()
    for index in range(draw(st.integers(1, max_steps))):
        chunk = draw(st.sampled_from([f"book:1:{index}", None]))
        step = draw(steps(workspace, chunk))
        workspace = workspace.apply(step)
        found.append(step)
    return found


def fold(found: list[Step]) -> Workspace:
    workspace = Workspace()
    for step in found:
        workspace = workspace.apply(step)
    return workspace
