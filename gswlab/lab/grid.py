"""Runs by the dozen from a cell, and what one would cost before it is made.

>>> import gswlab                                                    # doctest: +SKIP
>>> gswlab.estimate("experiment=gsw_paper", "dataset.book=FILE")      # doctest: +SKIP
>>> gswlab.grid("experiment=epbench20", "memory=gsw,hybrid")          # doctest: +SKIP
Grid(2 runs, 0 failed)
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm.auto import tqdm

from gswlab.bench.bill import Estimate
from gswlab.core.display import DataFrame, Displayed
from gswlab.core.errors import RUN, GswlabError
from gswlab.lab import config
from gswlab.models.ask import StoppedError

_Done = dict[str, Any] | GswlabError


@dataclass(frozen=True)
class Grid(Displayed):
    """The run folders of a grid, in the order of its jobs, and what failed.

    The others are held against the first, question by question.
    """

    overrides: tuple[str, ...]
    runs: tuple[Path, ...]
    failed: tuple[GswlabError, ...] = ()

    def to_frame(self) -> DataFrame:
        """A row a run: figures with intervals, `difference_*` to the first run."""
        from gswlab.bench import collect

        top = Path(os.path.commonpath([run.parent for run in self.runs]))
        table = collect.collect(top, self.runs)
        return collect.against(table, top, str(self.runs[0].relative_to(top)))

    @property
    def command(self) -> str:
        """The equal shell command."""
        return f"{RUN} -m {shlex.join(self.overrides)}"

    def __repr__(self) -> str:
        return f"Grid({len(self.runs)} runs, {len(self.failed)} failed)"


def grid(
    *overrides: str, tell: Callable[[str, _Done], object] = lambda *_: None
) -> Grid:
    """Run a grid, `key=1,2`, with a bar; `tell` hears of each job what came of it.

    A job that fails stops no other; a run that is finished is not made again.

    Raises:
        GswlabError: no job succeeded, or the budget of a model is spent.
    """
    todo, runs, failed = config.jobs(overrides), list[Path](), list[GswlabError]()
    with config.executor(overrides).mapped() as mapped:
        told = tqdm(mapped(_attempted, todo), total=len(todo), desc="grid", unit="run")
        for number, done in enumerate(told, 1):
            tell(f"job {number} of {len(todo)}", done)
            if isinstance(done, GswlabError):
                failed.append(done)
            elif stopped := done.get("stopped"):
                raise StoppedError(stopped)
            else:
                runs.append(Path(done["run"]))
    if not runs:
        raise failed[0]
    return Grid(overrides, tuple(runs), tuple(failed))


def _attempted(overrides: tuple[str, ...]) -> _Done:
    """One run of a grid, perhaps elsewhere: what is wrong with it is its result."""
    try:
        return config.opened(*overrides).run()
    except StoppedError:
        raise  # the budget is the whole grid's
    except GswlabError as error:
        return error
    except Exception as error:  # a grid of days outlives the one job that breaks
        kind, said = type(error).__name__, " ".join(str(error).split())
        rule = "GSWLAB_DEBUG=1 without -m shows where"
        return GswlabError(f"{kind}: {said or 'no message'}", rule)


def estimate(*overrides: str) -> Estimate:
    """What a run would cost at most; nothing is asked and nothing written.

    Raises:
        GswlabError: no model is chosen.
    """
    lab = config.open(*overrides)
    if not lab.llm:
        raise GswlabError("llm=none asks no model", "a run without one is free", RUN)
    return Estimate.of(lab)
