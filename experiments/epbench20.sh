#!/usr/bin/env bash
# EpBench's short book with no model call: reads 19 chapters, answers 456 questions,
# and writes experiments/epbench20.csv, one row a figure, with the commit that made it.
# Under a minute on two cores.   GSWLAB_DATA=../shared/data experiments/epbench20.sh
set -euo pipefail
cd "$(dirname "$0")/.."
run=${1:-runs/recipes/epbench20}
rm -rf "$run" # a finished folder would only be shown again
.venv/bin/python -m gswlab run experiment=epbench20 run.dir="$run"
.venv/bin/python experiments/table.py "$run" > experiments/epbench20.csv
