#!/usr/bin/env bash
# EpBench's short book, every memory that asks no model, the same cue reader and budget:
# writes experiments/epbench_comparison.csv, a row a memory, each held against GSW. It
# goes on where it was interrupted; once whole, it starts afresh.
# GSWLAB_DATA=../shared/data experiments/epbench_comparison.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
runs=runs/recipes/epbench_comparison
[ -e "$runs/unfinished" ] || fresh epbench_comparison
touch "$runs/unfinished"
.venv/bin/python -m gswlab run -m experiment=epbench20 memory=all reader=cue run.dir="$runs"
gsw=$(cd "$runs" && echo epbench20/gsw/*)
.venv/bin/python experiments/collected.py "$runs" "$gsw" > "$runs/table.csv"
cp "$runs/table.csv" experiments/epbench_comparison.csv
rm "$runs/unfinished"
