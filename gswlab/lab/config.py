"""Choosing an experiment: the only module that knows Hydra.

- `conf/` holds named choices; the classes they name hold the defaults; an override
  `key=value` may set any of them. The command line and notebooks call `open`.
- Composed twice: once for the groups, to learn which settings there are, and once
  with the values, so an unknown key is answered with the known ones.
- `initialize_config_dir` is used as a context manager with an absolute path: calling
  `open` again, as one re-runs a notebook cell, is the normal case.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import PositiveInt

from gswlab.bench.folder import RunFolder
from gswlab.core.errors import RUN, TARGET, GswlabError, checked, is_plain
from gswlab.core.files import content
from gswlab.lab.experiment import Config
from gswlab.lab.lab import Lab
from gswlab.lab.settings import (
    CONF,
    Node,
    build,
    fill,
    identity,
    overrides_of,
    parameters,
    require,
    target,
)
from gswlab.lab.trust import OnThisMachine, settings_of, typed_for, wants

if TYPE_CHECKING:
    from hydra.core.override_parser.types import Override
    from omegaconf import DictConfig

    from gswlab.bench import mazes
    from gswlab.core.document import Document


_KEY = re.compile(r"[a-z_]+(\.\w+)*")
WITHOUT_TEXT = ("experiment", "maze", "agent", "executor", "run")  # settings of mazes


def open(*overrides: str, **own: Any) -> Lab:  # noqa: A001 - the word for it
    """Open an experiment; nothing is read or written until you step.

    `own` are objects of yours by group, `memory=Mine()`: what they are built with is
    their settings, and whatever groups they name are built for them.

    >>> lab = open("experiment=epbench20", "reconciler.scope=chapter")  # doctest: +SKIP
    >>> lab.run()["strict_f1"]                                         # doctest: +SKIP
    0.9
    """
    lab = opened(*overrides, *overrides_of(own))
    if isinstance(lab, MazeRun):
        rule = "a lab is opened on a text; this experiment is only run"
        raise GswlabError(f"experiment={lab.config.name} reads none", rule, RUN)
    return lab


class MazeRun:
    """An experiment over mazes; opened again on the same folder, it goes on there."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.folder = RunFolder(config.folder)
        self.mazes: mazes.Mazes = config.build("maze")

    def run(self) -> dict[str, Any]:
        """Walk, score and write; returns the headline figures."""
        from gswlab.bench import mazes

        made, folder = self.config, self.folder
        folder.make()
        for name, text in made.files().items():
            folder.write(name, text)
        names = {"config": made.hash, "agent": made.choices["agent"]}
        return mazes.run_mazes(folder, self.mazes, lambda: made.build("agent"), names)

    def __repr__(self) -> str:
        return f"MazeRun({self.config.name}: {self.mazes})"


def opened(*overrides: str) -> Lab | MazeRun:
    """What a command runs: a lab, or the course of an experiment without a text."""
    made = _composed(overrides)
    if "maze" not in made.settings:
        document: Document = _built(made.settings)["dataset"].document()
        return Lab(replace(made, data=digest(document)), document, branch)
    for override in map(_parsed, overrides):
        require(override.key_or_group.partition(".")[0], WITHOUT_TEXT)
    kept, seen = ({k: n[k] for k in WITHOUT_TEXT} for n in (made.settings, made.shown))
    chosen = {k: name for k, name in made.choices.items() if k in WITHOUT_TEXT}
    return MazeRun(Config(kept, seen, chosen, overrides))


def composed(*overrides: str) -> Config:
    """The configuration alone, its values checked: no text is read."""
    made = _composed(overrides)
    _built(made.settings)
    return made


def _built(settings: Mapping[str, Any]) -> Node:
    """Every group's object: what cannot be built is said here."""
    # first, as parts of groups repeat it
    checked(settings["chunk"]["sentences"], PositiveInt, "chunk.sentences")
    return {
        group: build(node, group)
        for group, node in settings.items()
        if isinstance(node, dict) and TARGET in node
    }


def reopen(folder: str | Path, *overrides: str) -> Lab:
    """The lab of a run folder, for reading: ask it, step through it, fork it.

    A folder may be anybody's: no server or file that it names is asked, except those
    that `overrides` name (`llm.base_url=URL`); else its model replays.

    >>> reopen("runs/read/gsw/0123456789ab").ask("Who was arrested?")  # doctest: +SKIP
    """
    return Lab(*config_of(Path(folder), *overrides), branch, mode="r")


def config_of(folder: Path, *overrides: str) -> tuple[Config, Document]:
    """The settings that a run folder's journal holds, as used here, and its text."""
    with RunFolder(folder).reading() as journal:
        known, documents = journal.meta.get("settings"), journal.documents()
    if not known or not documents:
        rule = "a run's journal holds its settings and its text"
        raise GswlabError(f"{journal.path} was not made by a run", rule, RUN)
    known = settings_of(folder, known)
    choices, forked = known.pop("choices"), known.pop("forked")
    typed = _typed(folder)
    known["run"] = {"dir": str(folder), "parent": str(folder.parent)}
    now = typed_for(overrides, known)
    settings = OnThisMachine(known, overrides, now, folder, cache=_cache)
    data = digest(documents[0])
    return Config(settings, settings, choices, typed, data, forked), documents[0]


def _typed(folder: Path) -> tuple[str, ...]:
    """The overrides a run was started with, as its folder lists them."""
    import yaml

    path = folder / "overrides.yaml"
    try:
        data = yaml.safe_load(content(path)) if path.exists() else []
    except (yaml.YAMLError, ValueError, RecursionError):
        data = None
    if isinstance(data, list) and all(isinstance(text, str) for text in data):
        return tuple(data)
    rule = "a list of what was typed; no figure rests on it"
    command = shlex.join(["rm", str(path)])
    raise GswlabError(f"{path} is no YAML list of settings", rule, command)


def sifted(folder: Path, typed: Iterable[str] | None = None) -> tuple[str, ...]:
    """Of what a run folder lists as typed, that which is a plain value.

    Where a run is kept and the paths it names are left out; what would be resolved,
    takes a setting away, or describes an object in the place of one, is refused.
    """
    overrides = _typed(folder) if typed is None else typed
    kept = [text for text in overrides if not text.startswith(("run.", "executor"))]
    keys = {text: text.partition("=")[0] for text in kept}
    for text, key in keys.items():
        if "=" not in text or not _KEY.fullmatch(key):
            raise wants(folder, "overrides.yaml", text)
    chosen = tuple(text for text in kept if keys[text] in conf_groups())
    known = _composed(chosen).settings
    found = tuple(t for t in kept if not _is_path(keys[t], known))
    for text in found:
        override = _parsed(text)
        swept = override.is_sweep_override()
        if swept or "${" in text or TARGET in str(override.value()):
            raise wants(folder, keys[text], text.partition("=")[2])
    return found


def _is_path(key: str, settings: Mapping[str, Any]) -> bool:
    """Whether a setting says where something is on the machine of who typed it."""
    parent, _, name = key.rpartition(".")
    node = _value_at(parent, settings)
    if not isinstance(node, dict) or TARGET not in node:
        return False
    parameter = parameters(target(node, key)).get(name)
    return bool(parameter and parameter.metadata.get("path"))


def branch(
    lab: Lab, k: int, *overrides: str, edited: Node | None = None, **own: Any
) -> Lab:
    """A lab that shares the first `k` steps of `lab` and goes on under `overrides`.

    `own` are objects by group, as for `open`; `edited` is what a person decided anew
    of step `k`, which makes it another experiment.
    """
    new = (*overrides, *overrides_of(own))
    mine = lab.config.settings
    if isinstance(mine, OnThisMachine):  # somebody's folder
        new = (*mine.overrides, *new)
        made = _composed((*sifted(mine.folder, lab.config.overrides), *new))
        keys = [_parsed(text).key_or_group for text in new]
        now = {key: _value_at(key, made.settings) for key in keys}
        settings = OnThisMachine(made.settings, new, now, mine.folder)
        made = replace(made, settings=settings)
    else:
        kept = (t for t in lab.config.overrides if not t.startswith("run.dir"))
        made = _composed((*kept, *new))
    forked = {"of": lab.config.hash, "at": k, **({"edited": edited} if edited else {})}
    child = Lab(replace(made, data=lab.data, forked=forked), lab.document, branch)
    if lab.mode == "r":
        child.chunks = lab.chunks  # what was read, whatever file it was read from
    if not child.folder.journal.exists():
        # what is out of range, or damaged, is said before a folder is made
        lab.journal.at(k), lab.journal.workspace()
        _goes_on(lab, child, k)
        made, path = child.config, child.folder.journal
        lab.journal.fork(path, k, config=made.hash, settings=made.record).close()
    return child


def _value_at(key: str, node: Any) -> Any:
    for part in key.split("."):
        node = node.get(part) if isinstance(node, Mapping) else None
    return node


def _goes_on(lab: Lab, child: Lab, k: int) -> None:
    """Whether a fork can take up the steps of `lab`: same text, and what they hold."""
    for group in ("dataset", "chunk"):
        mine, theirs = (identity(each.config.settings[group]) for each in (lab, child))
        if mine != theirs:
            rule = "a fork reads the text that was read, in the same chunks"
            command = f"{RUN} {group}.NAME=VALUE"
            raise GswlabError(f"{group} would be another in the fork", rule, command)
    if k and child.folds and not lab.folds:
        memory, known = (each.names["memory"] for each in (child, lab))
        problem = f"memory={memory} finds no workspace in the steps of memory={known}"
        raise GswlabError(problem, "it is forked before the first step", "lab.fork(0)")


def digest(document: Document) -> str:
    """The content hash of what a run reads."""
    spans = [(c.number, c.title, c.span.start, c.span.end) for c in document.chapters]
    parts = [document.id, document.time, document.language, spans, document.text]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def jobs(overrides: Iterable[str]) -> list[tuple[str, ...]]:
    """The grid of a multirun: `a=1,2 b=3` is two jobs, `memory=all` one a memory.

    Of all choices, those that ask a model are meant only where one is chosen, and
    memories only in the experiments that their classes name. An experiment that is a
    table is a job a row. `run.dir` is the parent of the folders of all jobs.

    >>> jobs(["reader=cue,extractive", "run.dir=out"])
    [('reader=cue', 'run.parent=out'), ('reader=extractive', 'run.parent=out')]
    """
    given = tuple(text.replace("run.dir=", "run.parent=", 1) for text in overrides)
    values = []
    for text in given:
        override, (key, _, value) = _parsed(text), text.partition("=")
        if value == "all" and key in conf_groups():
            values.append([f"{key}={name}" for name in _all(key, given)])
        elif override.is_sweep_override():
            swept = override.sweep_string_iterator()
            values.append([f"{override.key_or_group}={one}" for one in swept])
        else:
            values.append([text])
    found = list(product(*values))
    return [job + row for job in found for row in table_rows(given)] or found


def table_rows(overrides: Iterable[str]) -> list[tuple[str, ...]]:
    """What the rows of an experiment that is a table override; else none.

    >>> table_rows(["experiment=gsw_table1"])[1], table_rows(["experiment=read"])
    (('memory=dense',), [])
    """
    given = list(overrides)
    named = tuple(text for text in given if text.startswith("experiment="))
    swept = any(_parsed(text).is_sweep_override() for text in named)
    if not named or swept or any(text.startswith("memory=") for text in given):
        return []
    file = CONF / "experiment" / f"{named[-1].partition('=')[2]}.yaml"
    if file.is_file() and "rows:" not in file.read_text("utf-8"):
        return []  # nothing is composed to learn that
    told = _composed(named).settings["experiment"].get("rows", ())
    return [tuple(row.split()) for row in told]


def executor(overrides: Iterable[str]) -> Any:
    """Where the jobs of a multirun go."""
    given = tuple(text for text in overrides if text.startswith("executor"))
    return build(_composed(given).settings["executor"], "executor")


def quoted(value: str) -> str:
    r"""A value that Hydra's grammar takes as it is, whatever characters it has.

    A name that looks like a reference refers to nothing.

    >>> print(quoted("what's in (1).txt"))
    'what\'s in (1).txt'
    """
    return _in_quotes(re.sub(r"(\\*)\$\{", r"\1\1\\${", value))


def _in_quotes(value: str) -> str:
    # a backslash is one, except before a quote
    inside = re.sub(r"(\\*)('|$)", lambda m: m[1] * 2 + ("\\'" if m[2] else ""), value)
    return f"'{inside}'"


@cache
def conf_groups() -> dict[str, list[str]]:
    """The groups of `conf/` and the choices of each."""
    found: dict[str, list[str]] = {}
    for file in sorted(CONF.glob("*/*.yaml")):
        found.setdefault(file.parent.name, []).append(file.stem)
    return found


def _composed(overrides: tuple[str, ...]) -> Config:
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    chosen, own = dict[str, str](), dict[str, str]()
    values: dict[str, Override] = {}
    for text in overrides:
        override = _parsed(text)
        if override.is_sweep_override():
            rule = "a list of values is a grid of runs"
            problem = f"{text} has several values"
            raise GswlabError(problem, rule, f"{RUN} -m {text}")
        if override.is_delete():
            rule = "settings can be changed, none can be removed"
            raise GswlabError(f"{text} would remove a setting", rule, RUN)
        key, value = override.key_or_group, override.get_value_element_as_str()
        if key in conf_groups() and "." in value:
            own[key] = value
        elif key in conf_groups():
            if value not in (options := conf_groups()[key]):
                rule = f"{key} is one of {', '.join(options)}"
                problem = f"{key}={value} is no choice"
                raise GswlabError(problem, rule, f"{RUN} {key}={options[0]}")
            chosen[key] = value
        else:
            values[key] = override
    if "agent" in chosen and chosen.get("experiment") != "maze":
        rule, agent = "an agent walks in mazes", f"agent={chosen['agent']}"
        raise GswlabError(f"{agent} has none", rule, f"{RUN} experiment=maze {agent}")
    if "gate" in chosen and not chosen.get("memory", "").startswith("gedig"):
        rule, gate = "a gate decides what memory=gedig reads", f"gate={chosen['gate']}"
        raise GswlabError(f"{gate} has none", rule, f"{RUN} memory=gedig {gate}")
    choosing = [f"{key}={value}" for key, value in chosen.items() if key not in own]
    choosing += [text for group, name in own.items() for text in _own(group, name)]
    shown, choices = _compose(choosing)
    for key in values:
        _known(key, shown)
    if values:
        shown, choices = _compose(choosing, values.values())
    try:
        settings: Any = OmegaConf.to_container(OmegaConf.create(shown), resolve=True)
    except OmegaConfBaseException as error:
        rule = "a reference is to another setting of the experiment"
        raise GswlabError(_cause(error), rule, RUN) from error
    return Config(settings, shown, {**choices, **own}, overrides)


def _own(group: str, name: str) -> Iterator[str]:
    """A class in the place of a group's choice, built from the groups it names."""
    known = parameters(target({TARGET: name}, group))
    yield f"~{group}"
    yield f"+{group}.{TARGET}={name}"
    for key in known:
        if key in conf_groups() and not is_plain(known[key].hint):
            yield f"+{group}.{key}=${{{key}}}"


def _compose(
    choosing: Iterable[str], values: Collection[Override] = ()
) -> tuple[Node, dict[str, str]]:
    """The settings, references unresolved and defaults filled, and the choices."""
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        settings, choices = _chosen(tuple(choosing))
        settings = deepcopy(settings) if values else settings
        for each in values:
            OmegaConf.update(settings, each.key_or_group, each.value(), force_add=True)
    except (HydraException, OmegaConfBaseException) as error:
        raise GswlabError(_cause(error), "Hydra's override grammar", RUN) from error
    node: Any = OmegaConf.to_container(settings, resolve=False)
    return fill(node), choices


# What Hydra's own command line would have, a third of all that is composed.
_HELP = ("help", "hydra_help", "hydra_logging", "job_logging")
_OF_HYDRA = (*_HELP, "output", "launcher", "sweeper")


@lru_cache(maxsize=256)
def _chosen(choosing: tuple[str, ...]) -> tuple[DictConfig, dict[str, str]]:
    """What Hydra composes of choices: a fifth of a second, so once for each."""
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf, open_dict

    OmegaConf.register_new_resolver("data", _data, replace=True)
    OmegaConf.register_new_resolver("cache", _cache, replace=True)
    with initialize_config_dir(str(CONF), version_base="1.3"):
        given = [*choosing, *(f"~hydra/{group}" for group in _OF_HYDRA)]
        composed = compose("config", given, return_hydra_config=True)
    choices: Any = OmegaConf.to_container(composed.hydra.runtime.choices)
    with open_dict(composed):
        del composed["hydra"]
    own = {k: str(v) for k, v in choices.items() if not k.startswith("hydra")}
    return composed, own


def _data(name: str) -> str:
    """`${data:NAME}`: a file of the benchmark data that GSWLAB_DATA points to."""
    near, beside = (Path("..", "shared", "data"), CONF.parents[1] / "shared" / "data")
    default = near if near.is_dir() or not beside.is_dir() else beside
    return str(Path(os.environ.get("GSWLAB_DATA") or default) / name)


def _cache(name: str) -> str | None:
    """`${cache:NAME}`: a folder that outlives runs, None where none may be written."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(os.environ.get("GSWLAB_CACHE") or Path(home, "gswlab")) / name
    made = next(path for path in (folder, *folder.parents) if path.exists())
    return str(folder) if os.access(made, os.W_OK) else None


@lru_cache(maxsize=256)
def _parsed(text: str) -> Override:
    """One override, read by Hydra's grammar; a bare file name need not be quoted."""
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    key, equals, value = text.partition("=")
    for line in (text, f"{key}={_in_quotes(value)}"):
        try:
            return OverridesParser.create().parse_override(line)
        except HydraException as error:
            problem = _cause(error)
            if not equals:
                break
    raise GswlabError(f"{text!r} is no setting: {problem}", "key=value", RUN)


def _known(key: str, settings: Node) -> None:
    node, prefix = settings, ""
    for part in key.split("."):
        require(part, node if isinstance(node, dict) else (), prefix)
        node, prefix = node[part], f"{prefix}{part}."
    if isinstance(node, dict):
        rule = f"{key} has the settings {', '.join(k for k in node if k != TARGET)}"
        raise GswlabError(f"{key} is no single setting", rule, f"{key}.NAME=VALUE")


def _all(group: str, given: tuple[str, ...]) -> list[str]:
    parsed = [_parsed(text) for text in given if not text.endswith("=all")]
    fixed = [o for o in parsed if not o.is_sweep_override()]
    chosen = [str(o.input_line) for o in fixed if o.key_or_group in conf_groups()]
    whole, choices = _compose(chosen)
    names = conf_groups()[group]
    # what a choice is stands in its file: other choices matter to whom they bring in
    beside = [] if group in _compose(())[1] else chosen
    each = {n: _compose([*beside, f"{group}={n}"])[0][group] for n in names}
    if not whole.get("llm"):
        each = {n: node for n, node in each.items() if "${llm}" not in json.dumps(node)}
    if group != "memory":
        return list(each)
    name = choices["experiment"]
    meant = {n: target(node, group) for n, node in each.items() if node}
    found = [n for n, cls in meant.items() if name in getattr(cls, "experiments", ())]
    if not found:
        rule = "a memory's class names its experiments"
        raise GswlabError(f"no memory is for experiment={name}", rule, RUN)
    return found


def _cause(error: BaseException) -> str:
    """The innermost sentence of a chain of errors: Hydra's own is in `__cause__`."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split())


def walked_before(folder: Path) -> MazeRun | None:
    """The course of a run folder; None where it is no folder of mazes."""
    from gswlab.bench import mazes

    if not (folder / mazes.WALKS).exists():
        return None
    typed = sifted(folder)
    course = opened(*typed) if typed else None
    if isinstance(course, MazeRun):
        return course
    rule = "overrides.yaml of a run over mazes names it"
    raise GswlabError(f"{folder} does not say which mazes it is of", rule, RUN)
