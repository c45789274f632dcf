#!/usr/bin/env bash
# EpBench's short book, every memory that asks no model, the same cue reader and budget:
# writes experiments/results/epbench_comparison.csv, a row a memory and one of the whole book
# as text, each held against GSW. Two runs at a time (WORKERS=1 for one); interrupted, it
# goes on; once whole, it starts afresh; with MEMORIES=gsw,bm25 only these are compared.
# GSWLAB_DATA=../shared/data experiments/recipes/epbench_comparison.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
resumed epbench_comparison
export OMP_NUM_THREADS=1
.venv/bin/python -m gswlab run -m experiment=epbench20 memory="${MEMORIES:-all}" reader=cue \
  executor.workers="${WORKERS:-2}" run.dir="$runs"
.venv/bin/python -m gswlab run experiment=epbench20 memory=long_context budget=1000000 \
  reader=cue run.dir="$runs/epbench20/long_context/whole" # the whole book, same reader
gsw=$(cd "$runs" && echo epbench20/gsw/*)
.venv/bin/python experiments/recipes/collected.py "$runs" "$gsw" > "$runs/table.csv"
cp "$runs/table.csv" experiments/results/epbench_comparison.csv
whole
