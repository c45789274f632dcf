"""A run folder is data, whoever sent it: what it may say here, and what it may not.

From a folder come texts, steps and plain values. What reaches beyond it is typed now,
or is this machine's own (GSWLAB_DATA, GSWLAB_CACHE, the modules you allow):

- a server is called at an address that was typed, address by address; else what the
  folder's model said before is replayed;
- a model's folder, a download, a graph server are typed, or not used;
- paths and names of environment variables in it are refused, resolvers never resolved;
- a class is one that `conf/` names for its group, or of a module you allow.
"""

from __future__ import annotations

import shlex
from collections import UserDict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import JsonValue, TypeAdapter, ValidationError

from gswlab.core.codec import typed_dict
from gswlab.core.errors import TARGET, GswlabError, shell_word
from gswlab.core.nouns import visible
from gswlab.lab.settings import (
    Node,
    Parameter,
    conf_names,
    parameters,
    require,
    target,
)

_RULE = "from a folder comes data only: what reaches beyond it is typed"
_LLM = "llm"  # the group of a model, wherever it stands
_CACHES = {"cache": "vectors", "parses": "parses", "cassette": "replies.sqlite"}
_ADDRESSES = (".base_url", ".uri")
_LONGEST = 200
_BUILT = "memory", "reader"  # groups that every run has
_JSON = dict[str, JsonValue]
_RECORD: TypeAdapter[Any] = TypeAdapter(
    typed_dict(
        "record",
        {
            "choices": dict[str, str],
            "forked": _JSON,
            "experiment": typed_dict("experiment", {"name": str}),
            "chunk": typed_dict("chunk", {"sentences": int}),
            "budget": int,
            **dict.fromkeys(("memory", "reader", "dataset"), _JSON),
        },
        llm=_JSON | None,
    )
)


def settings_of(folder: Path, known: object) -> Node:
    """The settings in a journal, as strictly as its steps are read."""
    try:
        found: Node = _RECORD.validate_python(known, strict=True, extra="allow")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        wrong = f"{'.'.join(map(str, first['loc'])) or 'all of them'}: {first['msg']}"
    else:
        missing = [f"choices.{g}" for g in _BUILT if g not in found["choices"]]
        missing += [f"{g}.{TARGET}" for g in _BUILT if TARGET not in found[g]]
        if not missing:
            return found
        wrong = f"{missing[0]}: Field required"
    problem = f"the settings of {folder} are not what a run writes"
    raise GswlabError(problem, wrong, f"python -m gswlab check {shell_word(folder)}")


class OnThisMachine(UserDict[str, Any]):
    """Settings of a folder as they are used here, each group when it is asked for.

    `typed` are the settings that a person typed now, and their values; `overrides`
    the same as they were typed. `cache` tells where this machine keeps what is asked,
    embedded and parsed once; None where its own settings name that already. What is
    not asked for is not imported: a question needs no dataset and no judge.
    """

    def __init__(
        self,
        known: Mapping[str, Any],
        overrides: tuple[str, ...],
        typed: Node,
        folder: Path,
        cache: Callable[[str], str | None] | None = None,
    ) -> None:
        super().__init__(known)
        self.overrides, self.typed, self.folder = overrides, typed, folder
        self._cache = cache
        self._addresses = {v for k, v in typed.items() if k.endswith(_ADDRESSES)}

    def __getitem__(self, group: str) -> Any:
        return self._part(self.data[group], group)

    def _part(self, value: Any, group: str) -> Any:
        if not isinstance(value, Mapping):
            return value
        if TARGET not in value:
            return {key: self._part(part, key) for key, part in value.items()}
        if not conf_names(str(value[TARGET]), group):
            raise wants(self.folder, f"{group}._target_", value[TARGET])
        known = parameters(target(value, group))
        group = _LLM if "replay_only" in known else group
        each = ((key.partition("."), one) for key, one in self.typed.items())
        said = {name: one for (owner, _, name), one in each if owner == group}
        if self._cache:
            for key in said:
                require(key, known, f"{group}.")
        kept = self._kept(value, group, known, said)
        if group == _LLM:
            kept["replay_only"] = not _asked(kept, said)
        kept |= said if self._cache else {}
        for key, parameter in known.items():
            self._consented(group, key, kept, parameter)
        return kept

    def _kept(
        self, node: Mapping[str, Any], group: str, known: Any, said: Node
    ) -> Node:
        """A node without the paths of whoever made it, and with this machine's."""
        kept: Node = {}
        for key, value in node.items():
            path = key in known and known[key].metadata.get("path")
            if not (path and self._cache):
                kept[key] = value if key == TARGET else self._part(value, key)
            elif isinstance(value, str) and key not in said:
                raise wants(self.folder, f"{group}.{key}", value)
        for name, file in _CACHES.items():
            if name in known and self._cache:
                kept[name] = self._cache(file)
        return kept

    def _consented(self, group: str, key: str, node: Node, known: Parameter) -> None:
        """What only works by reaching out is typed, where it would."""
        how, value = known.metadata.get("reaches"), node.get(key, known.default)
        model, name = node.get("model"), f"{group}.{key}"
        replayed = not isinstance(model, Mapping) or model.get("replay_only", True)
        if not how or not value or name in self.typed:
            return
        if how != "asks" or not (replayed or value in self._addresses):
            raise wants(self.folder, name, value)


def _asked(node: Node, said: Node) -> bool:
    """Whether a person said which model is asked."""
    whom = "weights" if "weights" in node else "base_url"
    calls = said.get("replay_only") is False
    asked = whom in said or (calls and whom == "weights" and not node[whom])
    if calls and not asked:
        rule = "a run folder may be anybody's: who asks says what is asked"
        command = f'python -m gswlab ask RUN "QUESTION" llm.{whom}={whom.upper()}'
        raise GswlabError("llm.replay_only=false names no model", rule, command)
    return asked


def wants(folder: Path, name: str, value: object) -> GswlabError:
    """What a folder wants and does not get, with the words that would allow it."""
    said = visible(str(value))
    said = said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."
    command = f"the same command with {shlex.quote(f'{name}={said}')}"
    if name.endswith(TARGET):
        command = ""  # no command to copy: who allows code should think
    return GswlabError(f"{visible(str(folder))} wants {name}={said}", _RULE, command)


def typed_for(overrides: Iterable[str], known: Mapping[str, Any]) -> Node:
    """What a person sets of a run that was made: its model, and what reaches out."""
    import yaml

    found: Node = {}
    for text in overrides:
        key, _, value = text.partition("=")
        group, _, name = key.partition(".")
        node = known.get(group)
        marks: Mapping[str, Any] = {}
        if isinstance(node, Mapping) and conf_names(str(node.get(TARGET)), group):
            parameter = parameters(target(node, group)).get(name)
            marks = parameter.metadata if parameter else {}
        if "." in name or not (
            group == _LLM or marks.get("path") or "reaches" in marks
        ):
            rule = "of a run that was made, only its model can be set, llm.KEY=VALUE"
            rule += ", and a file or an address that it needs"
            raise GswlabError(f"{text!r} cannot be set", rule, "llm.base_url=URL")
        try:
            found[key] = yaml.safe_load(value)
        except yaml.YAMLError:
            found[key] = value  # as it is: [, { or : begin no list here
    return found
