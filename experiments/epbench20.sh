#!/usr/bin/env bash
# EpBench's short book with no model call: reads 19 chapters, answers 456 questions,
# and writes experiments/epbench20.csv, one row a figure, with the commit that made it.
# Under a minute on two cores.   GSWLAB_DATA=../shared/data experiments/epbench20.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
fresh epbench20 "$@"
.venv/bin/python -m gswlab run experiment=epbench20 run.dir="$runs"
.venv/bin/python experiments/table.py "$runs" > experiments/epbench20.csv
