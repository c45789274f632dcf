#!/usr/bin/env bash
# Mazes of 15, 25, 51 and 101 cells, both generators, goal hidden and goal known:
# published agent, classic explorers, ours, ours without its parts. Writes
# experiments/results/maze.csv. Interrupted, it goes on. Eight minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
export OMP_NUM_THREADS=1
.venv/bin/python experiments/recipes/mazes.py experiments/results/maze.csv
