#!/usr/bin/env bash
# Mazes of 15, 25 and 51 cells, both generators, goal hidden and goal known: published
# agent, classic explorers, ours, ours without its parts. Writes experiments/maze.csv.
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/python experiments/mazes.py > experiments/.maze.csv
mv experiments/.maze.csv experiments/maze.csv
