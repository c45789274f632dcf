"""Settings: plain data that names classes, filled with their defaults and checked.

What is notable here:

- a file of `conf/` names a class by its path; everywhere else, in settings, hashes and
  journals, a class of ours goes by its own name, so that it may move;
- defaults live on the classes; a node `{"_target_": "Class"}` is filled from the
  class's own parameters, so every default can be seen and set;
- a value is checked against the parameter's type (a `Literal` lists its options);
- only classes of gswlab, and of modules the user allows (`allowed`), are built: a
  configuration is data, never somebody's code;
- a class with `SHARED` is built once for all who name it with the same settings;
- parameters marked `metadata={"path": True}` or `{"secret": True}` are no part of what
  an experiment *is*: `identity` leaves them out.
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple, get_args, get_type_hints

from typing_extensions import is_protocol

from gswlab.core.errors import RUN, TARGET, GswlabError, checked, is_plain

# Classes of your own in an experiment: which modules may be named, and objects.

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


def overrides_of(own: Mapping[str, Any]) -> Iterator[str]:
    """Objects by group as overrides: class, and what differs from its defaults.

    Raises:
        GswlabError: a class is no dataclass, so nobody can tell its settings.
    """
    for group, thing in own.items():
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


_PACKAGE = Path(__file__).resolve().parents[1]
# `conf/` lies at the top of a checkout and inside an installed package.
CONF = next(filter(Path.is_dir, (_PACKAGE / "conf", _PACKAGE.parent / "conf")))
MISSING = dataclasses.MISSING
Node = dict[str, Any]


class Parameter(NamedTuple):
    """A parameter of a class: its type, default (or MISSING) and field metadata."""

    hint: Any
    default: Any
    metadata: Mapping[str, Any]


def _classes(pattern: str, files: str) -> list[str]:
    texts = (file.read_text("utf-8") for file in sorted(CONF.glob(files)))
    return [path for text in texts for path in re.findall(pattern, text, re.M)]


@cache
def registry() -> Mapping[str, str]:
    """The classes that the files of `conf/` name: where each stands, by its own name.

    >>> registry()["GSW"]
    'gswlab.gsw.memory.GSW'
    """
    named = _classes(rf"^\s*{TARGET}: (\S+)$", "**/*.yaml")
    return {path.rpartition(".")[2]: path for path in named}


@cache
def _of_group(group: str) -> frozenset[str]:
    """The classes that the choices of a group are, or that another choice has there.

    None of what is no group.
    """
    heads = _classes(rf"^{TARGET}: (\S+)$", f"{group}/*.yaml")
    if heads:
        heads += _classes(rf"^ *{group}:\n +{TARGET}: (\S+)$", "*/*.yaml")
    return frozenset(path.rpartition(".")[2] for path in heads)


def conf_names(name: str, group: str) -> bool:
    """Whether a class may be what a setting describes: of its group, or one you allow.

    >>> conf_names("BM25", "memory"), conf_names("Ledger", "memory")
    (True, False)
    """
    if name.partition(".")[0] != PACKAGE and allowed(name):
        return True
    return name in (_of_group(group) or registry())


def target(node: Mapping[str, Any], path: str) -> type:
    """The class a node names; nothing that the user has not allowed is imported."""
    if not isinstance(node, Mapping) or not isinstance(node.get(TARGET), str):
        raise GswlabError(f"{path} names no class", f"{path}._target_ is one")
    name = registry().get(node[TARGET], node[TARGET])
    if not allowed(name):
        # no command to copy: who allows code should think
        rule = f"classes of {PACKAGE}, and of modules you list in {allow_list()}"
        raise GswlabError(f"{path}._target_ is {name!r}", rule)
    module, _, attribute = name.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        problem = f"{path}._target_ is {name!r}: {error}"
        raise GswlabError(problem, "a module that Python finds") from error
    if not isinstance(found, type):
        raise GswlabError(f"{path}._target_ is {name!r}", "there is no such class")
    return found


@lru_cache(maxsize=256)
def parameters(cls: type) -> Mapping[str, Parameter]:
    """What `cls` can be built with, by name."""
    if not dataclasses.is_dataclass(cls):
        raise GswlabError(f"{cls.__name__} has no settings", "settings are dataclasses")
    hints = get_type_hints(cls)
    found = {}
    for field in dataclasses.fields(cls):
        if field.init:
            factory = field.default_factory
            default = field.default if factory is MISSING else factory()
            found[field.name] = Parameter(hints[field.name], default, field.metadata)
    return found


def fill(node: Node, path: str = "") -> Node:
    """`node` with the defaults of every class it names, in the classes' order."""
    filled: Node = {}
    if TARGET in node:
        # a class of ours by its own name; one of yours by its path
        stands = str(node[TARGET])
        name = stands.rpartition(".")[2]
        filled[TARGET] = name if registry().get(name) == stands else stands
        for name, parameter in parameters(target(node, path)).items():
            if (value := parameter.default) is not MISSING and is_plain(parameter.hint):
                filled[name] = list(value) if isinstance(value, tuple) else value
    filled.update((key, value) for key, value in node.items() if key != TARGET)
    for key, value in filled.items():
        if isinstance(value, dict):
            filled[key] = fill(value, f"{path}.{key}".lstrip("."))
    return filled


def build(
    node: Mapping[str, Any], path: str, kept: Node | None = None, **given: Any
) -> Any:
    """The object a node describes; `given` are parameters no configuration can write.

    What is shared is looked up in `kept`, and put there.

    >>> build({"_target_": "Text", "file": "a.txt"}, "dataset")
    Text(file='a.txt', time=None)
    """
    cls, kept = target(node, path), {} if kept is None else kept
    same = json.dumps(node, sort_keys=True) if hasattr(cls, "SHARED") else ""
    if same in kept:
        return kept[same]
    known = parameters(cls)
    for key in (key for key in node if key != TARGET):
        require(key, known, f"{path}.")
        given[key] = _value(node[key], known[key].hint, f"{path}.{key}", kept)
    built = cls(**given)
    return kept.setdefault(same, built) if same else built


def _value(value: Any, hint: Any, path: str, kept: Node) -> Any:
    if isinstance(value, Mapping) and TARGET in value:
        built = build(value, path, kept)
        if _fits(built, hint):
            return built
        rule = "another class of ours, which can what is done with it"
        raise GswlabError(f"{path} cannot be {value[TARGET]}", rule)
    if value is None and NoneType in get_args(hint):
        return None
    if value is None and hasattr(hint, "SHARED"):
        raise GswlabError(f"{path} is none", *hint.SHARED)
    if not is_plain(hint):
        group = path.rpartition(".")[2]
        rule = f"{path} is built from the group {group}"
        raise GswlabError(f"{path} cannot be {value!r}", rule, f"{RUN} {group}=NAME")
    return checked(value, hint, path)


def _fits(built: object, hint: Any) -> bool:
    """Whether one of our own objects is what a parameter takes, where a class says."""
    kinds = [kind for kind in get_args(hint) or (hint,) if kind is not NoneType]
    classes = tuple(kind for kind in kinds if isinstance(kind, type))
    told = len(classes) == len(kinds) and not any(map(is_protocol, classes))
    ours = type(built).__module__.partition(".")[0] == PACKAGE
    return not (told and ours) or isinstance(built, classes)


def require(key: str, known: Iterable[str], prefix: str = "") -> None:
    """Fail, naming what there is, unless `key` is among `known`."""
    options = sorted(name for name in known if name != TARGET)
    if key in options:
        return
    near = difflib.get_close_matches(key, options, n=1) or options
    rule = f"there are {', '.join(prefix + name for name in options) or 'none here'}"
    command = f"{RUN} {prefix}{near[0]}=VALUE" if near else RUN
    raise GswlabError(f"there is no setting {prefix}{key}", rule, command)


def identity(
    node: Mapping[str, Any], path: str = "", without: Iterable[str] = ("path", "secret")
) -> Node:
    """What makes an experiment what it is: `node` without what is so marked."""
    known = parameters(target(node, path)) if TARGET in node else {}
    kept: Node = {}
    for key, value in node.items():
        marks = known[key].metadata if key in known else {}
        if not any(marks.get(mark) for mark in without):
            nested = isinstance(value, Mapping)
            kept[key] = identity(value, f"{path}.{key}", without) if nested else value
    return kept
