#!/usr/bin/env bash
# Milliseconds of a price on graphs of 50 to 50,000 nodes, and of a step in mazes of 15
# to 101 cells, the public code's beside. Writes experiments/results/gauge_speed.csv. Two minutes,
# worth what the machine was quiet.
set -euo pipefail
cd "$(dirname "$0")/../.."
export OMP_NUM_THREADS=1
.venv/bin/python experiments/recipes/gauge_speed.py > experiments/results/.gauge_speed.csv
mv experiments/results/.gauge_speed.csv experiments/results/gauge_speed.csv
