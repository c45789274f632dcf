#!/usr/bin/env bash
# EpBench's short book with no model call: reads 19 chapters, answers 456 questions,
# and writes experiments/results/epbench20.csv, one row a figure, with the commit that made it.
# Under a minute on two cores.   GSWLAB_DATA=../shared/data experiments/recipes/epbench20.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh epbench20 "$@"
.venv/bin/python -m gswlab run experiment=epbench20 run.dir="$runs"
.venv/bin/python experiments/recipes/table.py "$runs" > experiments/results/epbench20.csv
