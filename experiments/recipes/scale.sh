#!/usr/bin/env bash
# Does it slow down as the book grows? Generated books of 200 and 2,000 chapters read,
# asked and scored, with no vector on disk. Writes experiments/results/scale.csv. Twenty
# minutes alone on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
export OMP_NUM_THREADS=1
. experiments/recipes/fresh.sh
fresh scale "$@"
.venv/bin/python experiments/recipes/scale.py "$runs" > "$runs/scale.csv"
cp "$runs/scale.csv" experiments/results/scale.csv
