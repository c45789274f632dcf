#!/usr/bin/env bash
# Phase 2 on mazes of 15 and 25 cells: the graph held after a first episode, before and
# after rewiring, and the episodes that follow. Writes experiments/maze_rewiring.csv.
set -euo pipefail
cd "$(dirname "$0")/.."
export OMP_NUM_THREADS=1
.venv/bin/python experiments/maze_rewiring.py > experiments/.maze_rewiring.csv
mv experiments/.maze_rewiring.csv experiments/maze_rewiring.csv
