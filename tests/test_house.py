"""The house: who may import whom, no circles, one name for one thing, no empty room."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx

import gswlab

ROOT = Path(__file__).resolve().parent.parent
FLOORS = {
    "core": 1,
    "language": 2,
    "text": 3,
    "models": 3,
    "qa": 4,
    "baselines": 4,
    "gsw": 5,
    "gedig": 5,
    "hybridrag": 5,
    "memgpt": 5,
    "bench": 6,
    "lab": 7,
    "view": 8,
    "": 9,
}
# Modules whose names are not theirs to choose: another module may have them too.
NAMED_BY_OTHERS = {
    "gswlab.commands": "a function is named as the command one types",
}
# Modules that nothing of the package imports: a person or another process starts them.
STARTED = {
    "gswlab.__main__": "python -m gswlab",
    "gswlab.testing": "for authors of a memory of their own",
    "gswlab.models.serve": "the process of a local model, started by its path",
    "gswlab.hybridrag.stores.serve": "python -m gswlab.hybridrag.stores.serve",
}
LONGEST = 60


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by name, parsed."""
    found = {}
    for path in sorted((ROOT / "gswlab").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text("utf-8"))
    return found


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules of the package that a module imports, deferred and for types too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name in modules())
        elif isinstance(node, ast.ImportFrom) and node.module in modules():
            inner = [f"{node.module}.{a.name}" for a in node.names]
            named = [name for name in inner if name in modules()]
            yield from named
            if len(named) < len(inner):
                yield str(node.module)


@cache
def graph() -> nx.DiGraph:
    """Who imports whom."""
    edges = ((n, m) for n, tree in modules().items() for m in imported(tree) if m != n)
    made = nx.DiGraph(edges)
    made.add_nodes_from(modules())
    return made


def wing(name: str) -> str:
    """The folder of a module; "" for those at the root."""
    parts = name.split(".")
    return parts[1] if len(parts) > 2 or parts[-1] in FLOORS else ""


def test_every_folder_has_a_floor_and_nothing_imports_upwards_or_sideways():
    assert {wing(name) for name in modules()} == set(FLOORS)
    wrong = [
        f"{one} imports {other}"
        for one, other in graph().edges
        if wing(one) != wing(other) and FLOORS[wing(other)] >= FLOORS[wing(one)]
    ]
    assert not wrong, "\n".join(sorted(wrong))


def test_no_module_stands_in_a_circle_of_imports():
    circles = [sorted(c) for c in nx.strongly_connected_components(graph())]
    assert not [circle for circle in circles if len(circle) > 1]


def test_no_folder_stands_in_a_circle_of_imports():
    folders = nx.DiGraph(
        (wing(one), wing(other))
        for one, other in graph().edges
        if wing(one) != wing(other)
    )
    assert nx.is_directed_acyclic_graph(folders)


def public(tree: ast.Module) -> Iterator[str]:
    """The names that a module defines for others."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (t.id for t in targets if isinstance(t, ast.Name))


def test_a_public_name_is_defined_once():
    homes: defaultdict[str, list[str]] = defaultdict(list)
    free = set(modules()) - set(NAMED_BY_OTHERS)
    for module in sorted(
        name for name in free if name.split(".")[-1] not in languages()
    ):
        tree = modules()[module]
        for name in {n for n in public(tree) if not n.startswith("_")}:
            homes[name].append(module)
    twice = {name: at for name, at in homes.items() if len(at) > 1}
    assert not twice, "\n".join(f"{n}: {', '.join(at)}" for n, at in twice.items())
    assert set(NAMED_BY_OTHERS) <= set(modules())


def test_the_package_hands_out_at_most_twenty_names():
    assert len(gswlab.__all__) <= 20


def named() -> str:
    """What names a module without importing it: conf, the manual, what tools load."""
    files = [*(ROOT / "conf").rglob("*.yaml"), ROOT / "README.md"]
    files += sorted((ROOT / "docs").glob("*.md"))
    files += sorted((ROOT / "experiments" / "recipes").glob("*.py"))
    constants = (
        node.value
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return "\n".join([*(path.read_text("utf-8") for path in files), *constants])


def test_every_module_is_imported_by_another_or_named_where_a_user_meets_it():
    text = named()
    folders = {name for name in modules() if any(inside(name))}
    lonely = [
        name
        for name in set(modules()) - folders - set(STARTED)
        if not list(graph().predecessors(name))
        and not re.search(rf"{re.escape(name)}\b", text)
        and languages().isdisjoint(name.split("."))
    ]
    assert not lonely
    assert set(STARTED) <= set(modules())


def inside(name: str) -> Iterator[str]:
    """The modules of a package."""
    return (other for other in modules() if other.startswith(f"{name}."))


def languages() -> set[str]:
    """The codes of the languages there are: a wing's own rules are found by them."""
    home = ROOT / "gswlab" / "language"
    return {path.parent.name for path in home.glob("*/*.tsv")}


def test_no_function_is_longer_than_a_screen():
    long = [
        f"{name}.{node.name}"
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > LONGEST
    ]
    assert not long


def test_every_public_class_and_function_says_what_it_is():
    silent = [
        f"{name}.{node.name}"
        for name, tree in modules().items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert not silent
