"""Grids on processes and on a real Dask cluster: the same results as one by one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from gswlab.__main__ import main
from gswlab.bench.collect import collect
from gswlab.bench.executors import Dask, LocalExecutor
from gswlab.core.errors import GswlabError
from gswlab.lab import config

STORY = "Ann Ray opened a book fair. She sold forty books. Rain fell."


@pytest.fixture
def grid(tmp_path, capsys):
    """Runs a grid of two jobs; its last lines, run folders left out."""
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")

    def run(name, *more):
        given = (
            f"dataset.file={tmp_path / 'story.txt'}", "memory=bm25,long_context",
            f"run.dir={tmp_path / name}",
        )  # fmt: skip
        assert main(["run", "-m", *given, *more]) == 0
        lines = capsys.readouterr().out.splitlines()
        return [{**json.loads(line), "run": ""} for line in lines]

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [("executor.workers=2",), ("executor=dask", "executor.workers=2")],
    ids=["processes", "dask"],
)
def test_a_grid_elsewhere_gives_the_lines_of_a_grid_here(grid, more):
    here = grid("here")
    assert len(here) == 2
    assert grid("elsewhere", *more) == here


def test_where_jobs_run_is_no_part_of_what_an_experiment_is(tmp_path):
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    given = (f"dataset.file={tmp_path / 'story.txt'}",)
    here = config.composed(*given)
    there = config.composed(*given, "executor=dask", "executor.workers=3")
    assert here.hash == there.hash


def test_a_scheduler_that_does_not_answer_is_one_sentence():
    import dask

    with (
        dask.config.set({"distributed.comm.timeouts.connect": "200ms"}),
        pytest.raises(GswlabError, match="no scheduler answers"),
        Dask("tcp://127.0.0.1:9").mapped(),
    ):
        pass


def test_one_worker_maps_in_this_process():
    seen = []
    with LocalExecutor().mapped() as mapped:
        assert list(mapped(lambda n: seen.append(n) or n * 2, [1, 2])) == [2, 4]
    assert seen == [1, 2]


def test_each_process_does_its_linear_algebra_on_one_thread():
    asked = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]
    with LocalExecutor(workers=2).mapped() as mapped:
        assert list(mapped(os.getenv, asked)) == ["1", "1", "1"]


@pytest.mark.slow
def test_a_cluster_of_two_workers_by_its_address_goes_on_past_a_failing_job(
    tmp_path, capsys
):
    from distributed import LocalCluster

    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    given = (
        f"dataset.file={tmp_path / 'story.txt'}", "memory=dense,bm25,long_context",
        "embedder=none", f"run.dir={tmp_path / 'runs'}", "executor=dask",
    )  # fmt: skip
    started = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**started) as cluster:
        address = f"executor.address={cluster.scheduler_address}"
        assert main(["run", "-m", *given, address]) == 2
        said = capsys.readouterr()
        assert len(said.out.splitlines()) == 2
        assert "1 of 3 jobs failed; memory=dense has no embedder" in said.err
        assert len(cluster.workers) == 2


def test_a_job_that_breaks_is_reported_and_the_grid_goes_on(
    tmp_path, capsys, monkeypatch
):
    opened = config.opened

    def broken(*overrides):
        assert "memory=bm25" not in overrides, "a slip of ours"
        return opened(*overrides)

    monkeypatch.setattr(config, "opened", broken)
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    given = f"dataset.file={tmp_path / 'story.txt'}", f"run.dir={tmp_path / 'runs'}"
    assert main(["run", "-m", *given, "memory=bm25,long_context"]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    assert "1 of 2 jobs failed; AssertionError: a slip of ours" in said.err


@contextmanager
def cluster_of_two(folder):
    """A scheduler's address, and two workers with nobody to start them again."""
    file, quiet = folder / "scheduler.json", {"stderr": subprocess.DEVNULL}
    dask = [sys.executable, "-m", "distributed.cli.dask_"]
    ends = ["--scheduler-file", str(file), "--no-dashboard"]
    first = [
        *dask[:2],
        dask[2] + "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        *ends,
    ]
    worker = [*dask[:2], dask[2] + "worker", "--no-nanny", "--nthreads", "1", *ends]
    started = [subprocess.Popen(words, **quiet) for words in (first, worker, worker)]
    try:
        while not file.exists():
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_a_worker_that_is_killed_in_a_grid_loses_no_job_and_does_none_twice(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("TQDM_DISABLE", "1")
    (tmp_path / "story.txt").write_text(STORY * 6, encoding="utf-8")
    given = (
        f"dataset.file={tmp_path / 'story.txt'}", "embedder=none",
        "chunk.sentences=1,2,3,4", "reconciler.threshold=0.5,0.6,0.7",
    )  # fmt: skip

    def grid(name, *more):
        words = [sys.executable, "-m", "gswlab", "run", "-m", *given, *more]
        return subprocess.Popen(
            [*words, f"run.dir={tmp_path / name}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def lines(out):
        return [{**json.loads(line), "run": ""} for line in out.splitlines()]

    with cluster_of_two(tmp_path) as (address, workers):
        there = "executor=dask", f"executor.address={address}"
        running, runs = grid("there", *there), tmp_path / "there"
        while len(done := sorted(runs.rglob("scores.json"))) < 3:
            assert running.poll() is None, running.communicate()
            time.sleep(0.05)
        workers[0].send_signal(signal.SIGKILL)
        before = {path: path.stat().st_mtime_ns for path in done}
        out, said = running.communicate()
        assert running.returncode == 0, said
        assert len(lines(out)) == len(list(runs.rglob("scores.json"))) == 12
        assert {path: path.stat().st_mtime_ns for path in done} == before
        again, _ = grid("there", *there).communicate()  # one worker is left
        assert again == out
        assert {path: path.stat().st_mtime_ns for path in done} == before
    here, _ = grid("here").communicate()
    assert lines(here) == lines(out)
    told = [
        sorted(
            " ".join(word for word in words.split() if not word.startswith("executor"))
            for words in collect(tmp_path / name)["settings"]
        )
        for name in ("there", "here")
    ]
    assert told[0] == told[1]
    assert len(set(told[0])) == 12
