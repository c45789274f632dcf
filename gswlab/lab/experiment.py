"""A composed experiment as data: its settings, hash, folder and shell command."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gswlab.core.display import Live
from gswlab.core.errors import RUN, TARGET, GswlabError
from gswlab.lab.settings import Node, build, identity

_REFERENCE = re.compile(r"\$\{(\w+)\}")

_WHERE = ("run", "executor")  # where a run is made and kept, not what it is


@dataclass(frozen=True)
class Config(Live):
    """A composed experiment. Its table marks what the user changed.

    `shown` is what the files and overrides say, `settings` the same with references
    resolved; `hash` identifies the experiment and the data, whatever the paths.
    """

    settings: Mapping[str, Any]
    shown: Mapping[str, Any]
    choices: Mapping[str, str]
    overrides: tuple[str, ...] = ()
    data: str = ""
    forked: Mapping[str, Any] = field(default_factory=dict)
    _kept: Node = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The name of the experiment, as `conf/` has it."""
        return str(self.settings["experiment"]["name"])

    @property
    def hash(self) -> str:
        """Twelve hex digits of the settings (no path, no secret) and the data."""
        parts = [self.identity, self.data, dict(self.forked)]
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def identity(self) -> Node:
        """The settings that make the experiment what it is."""
        rest = {k: v for k, v in self.settings.items() if k not in _WHERE}
        choices = {k: v for k, v in self.choices.items() if k not in _WHERE}
        return {**identity(rest), "choices": choices}

    @property
    def record(self) -> Node:
        """What a journal keeps of the settings: enough to open the run again."""
        return {**self.identity, "forked": dict(self.forked)}

    @property
    def folder(self) -> Path:
        """Where the run lives: `run.dir`, else PARENT/EXPERIMENT/MEMORY/HASH.

        An experiment without a text has its agent in the memory's place.
        """
        where = self.settings["run"]
        if where["dir"]:
            return Path(where["dir"])
        if not re.fullmatch(r"\w[\w.-]*", self.name):  # it may be a folder's own
            rule = "a name, which a folder is called by, and no path"
            problem = f"experiment.name cannot be {self.name!r}"
            raise GswlabError(problem, rule, f"{RUN} experiment.name=NAME")
        system = self.choices.get("agent") or self.choices["memory"]
        return Path(where["parent"], self.name, system, self.hash)

    def files(self) -> dict[str, str]:
        """What a run folder keeps of the settings: no secret, and what was typed."""
        import yaml

        told = {
            "config.yaml": identity(self.settings, without=("secret",)),
            "overrides.yaml": list(self.overrides),
        }
        return {
            name: str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True))
            for name, data in told.items()
        }

    @property
    def command(self) -> str:
        """The equal shell command."""
        return shlex.join([*RUN.split(), *self.overrides])

    @property
    def changed(self) -> frozenset[str]:
        """The keys that the user set."""
        return frozenset(text.partition("=")[0].lstrip("+") for text in self.overrides)

    @property
    def stages(self) -> tuple[str, ...]:
        """The groups that a run's memory, reader and judge are made of, and these."""
        found = ["memory", "reader", "judge"]
        for group in found:  # grows while it is read
            names = _REFERENCE.findall(json.dumps(self.shown.get(group)))
            new = [n for n in dict.fromkeys(names) if n not in (*found, "llm")]
            found += [n for n in new if isinstance(self.settings[n], Mapping)]
        return tuple(found)

    @property
    def cell(self) -> str:
        """The equal notebook cell."""
        given = "".join(f"\n    {text!r}," for text in self.overrides)
        return f"lab = gswlab.open({given}\n)" if given else "lab = gswlab.open()"

    def build(self, group: str, **given: Any) -> Any:
        """The object that a group describes, None where it is `none`.

        What is shared, a model, is one object however many groups are built.
        """
        node = self.settings[group]
        return build(node, group, self._kept, **given) if node else None

    def rows(self) -> Iterator[tuple[str, str, bool]]:
        """Every setting: key, value, and whether the user changed it."""
        for group, choice in sorted(self.choices.items()):
            yield group, choice, group in self.changed
        for key, value in _flat(self.shown):
            yield key, json.dumps(value, ensure_ascii=False), key in self.changed

    def __repr__(self) -> str:
        return f"Config({self.hash}: {self.command})"


def _flat(node: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in node.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        elif key != TARGET:
            yield prefix + key, value
