"""Classes of your own in an experiment: which modules may be named, and objects.

A configuration may be anybody's, so a class outside this package is built only if you
allow its module: a line of the file that `GSWLAB_MODULES` names, else of
`~/.config/gswlab/modules.txt`. An object that you hand over is allowed by that.

>>> import gswlab                                                  # doctest: +SKIP
>>> gswlab.open("dataset.file=a.txt", memory=Mine(size=3)).run()    # doctest: +SKIP
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gswlab.core.errors import GswlabError

PACKAGE = "gswlab"
_handed: set[str] = set()


def allow_list() -> Path:
    """The file with the modules you allow, one a line; it need not exist."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(os.environ.get("GSWLAB_MODULES") or Path(home, PACKAGE, "modules.txt"))


def allowed(name: str) -> bool:
    """Whether a class may be built: ours, of a module you allow, or handed over."""
    module = name.rpartition(".")[0]
    if module.partition(".")[0] == PACKAGE or module in _handed:
        return True
    path = allow_list()
    listed = path.read_text("utf-8").split() if path.is_file() else []
    return any(module == own or module.startswith(f"{own}.") for own in listed)


def refusal(path: str, name: str) -> GswlabError:
    """Why a class is not built. No command to copy: who allows code should think."""
    rule = f"classes of {PACKAGE}, and of modules you list in {allow_list()}"
    return GswlabError(f"{path} is {name!r}", rule)


def overrides(group: str, thing: Any) -> Iterator[str]:
    """An object as overrides: its class, and the settings that differ from defaults.

    Raises:
        GswlabError: its class is no dataclass, so nobody can tell its settings.
    """
    cls = type(thing)
    if not dataclasses.is_dataclass(thing):
        rule = "settings are the fields of a dataclass"
        problem = f"{group} is a {cls.__name__}, which has no settings"
        raise GswlabError(problem, rule, f"@dataclass above class {cls.__name__}")
    _handed.add(cls.__module__)
    yield f"{group}={cls.__module__}.{cls.__qualname__}"
    for field in dataclasses.fields(cls):
        value = getattr(thing, field.name)
        plain = value is None or isinstance(value, str | bool | int | float)
        if field.init and plain and value != field.default:
            yield f"{group}.{field.name}={json.dumps(value, ensure_ascii=False)}"
