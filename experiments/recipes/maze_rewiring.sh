#!/usr/bin/env bash
# Phase 2 on mazes of 15 and 25 cells: the graph held after a first episode, before and
# after rewiring, and the episodes that follow. Writes experiments/results/maze_rewiring.csv.
set -euo pipefail
cd "$(dirname "$0")/../.."
export OMP_NUM_THREADS=1
.venv/bin/python experiments/recipes/maze_rewiring.py > experiments/results/.maze_rewiring.csv
mv experiments/results/.maze_rewiring.csv experiments/results/maze_rewiring.csv
