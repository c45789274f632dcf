"""The examples of docstrings do what they say; what others import is there."""

from __future__ import annotations

import ast
import doctest
import json
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "gswlab").rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]
USERS = [
    path
    for kind in ("*.md", "experiments/recipes/*.py", "notebooks/*/*.ipynb")
    for path in sorted(ROOT.glob(kind))
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_what_it_does(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def code(path: Path) -> str:
    """A script, the cells of a notebook, or the Python blocks of a page."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return text
    if path.suffix == ".md":
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    else:
        cells = [c for c in json.loads(text)["cells"] if c["cell_type"] == "code"]
        blocks = ["".join(cell["source"]) for cell in cells]
    return re.sub(r"(?m)^[%!].*", "", "\n".join(blocks))


@pytest.mark.parametrize("path", USERS, ids=lambda path: path.name)
def test_what_a_recipe_a_notebook_or_a_page_takes_of_the_package_is_there(
    path: Path,
) -> None:
    names: dict[str, Any] = {}
    tree = list(ast.walk(ast.parse(code(path))))
    for node in tree:
        if isinstance(node, ast.Import | ast.ImportFrom):
            line = ast.unparse(node)
            if re.match(r"(from|import) gswlab\b", line):
                exec(line, names)
    for node in tree:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = names.get(node.value.id)
            if isinstance(module, ModuleType):
                assert hasattr(module, node.attr), f"{module.__name__}.{node.attr}"
