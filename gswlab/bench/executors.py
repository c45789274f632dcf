"""Where the jobs of a grid run: here, in processes, or on a Dask cluster.

Each job is a run folder of its own, so any number may run at once, wherever they can
write the same disk. On Slurm, for example:

    srun --ntasks=1 dask scheduler --scheduler-file=dask.json &
    srun --ntasks=8 dask worker --scheduler-file=dask.json --nthreads=1 &
    python -m gswlab run -m memory=all ... executor=dask \\
        executor.address=$(jq -r .address dask.json) run.dir=/shared/runs
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from gswlab.core.errors import GswlabError

Mapped = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


@dataclass(frozen=True)
class LocalExecutor:
    """This machine: one job after another, or `workers` processes."""

    workers: int = 1

    @contextmanager
    def mapped(self) -> Iterator[Mapped]:
        """What maps a function over jobs, results in their order."""
        if self.workers == 1:
            yield map
            return
        fresh = get_context("spawn")
        with ProcessPoolExecutor(self.workers, fresh, _one_thread) as pool:
            yield pool.map


def _one_thread() -> None:
    """Workers share the cores: each does its linear algebra on one, as Dask's do."""
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"


@dataclass(frozen=True)
class Dask:
    """A Dask cluster by its scheduler's address; without one, `workers` started here.

    Raises:
        GswlabError: Dask is not installed, or nothing answers at the address.
    """

    address: str | None = None
    workers: int = 2

    @contextmanager
    def mapped(self) -> Iterator[Mapped]:
        """What maps a function over jobs, results in their order."""
        try:
            import distributed
        except ImportError as error:
            command = 'pip install "gswlab[cluster]"'
            problem = "executor=dask and Dask is not installed"
            raise GswlabError(problem, "a cluster needs it", command) from error
        connect: Any = distributed.Client
        one_each = {"n_workers": self.workers, "threads_per_worker": 1}
        started = {**one_each, "dashboard_address": None}
        try:
            client = connect(self.address, **({} if self.address else started))
        except OSError as error:
            problem = f"no scheduler answers at {self.address}"
            rule = "executor.address is a Dask scheduler's"
            raise GswlabError(problem, rule, "executor=local") from error
        with client, client.get_executor(pure=False) as pool:
            yield pool.map
