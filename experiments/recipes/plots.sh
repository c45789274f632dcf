#!/usr/bin/env bash
# Our five plots and their 125 questions, every system and k, and what each mechanism of
# serial recall is worth: writes experiments/results/plots.csv. No model is asked. Five minutes
# on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh plots "$@"
export TQDM_DISABLE=1
.venv/bin/python experiments/recipes/plots.py "$runs" > "$runs/plots.csv"
cp "$runs/plots.csv" experiments/results/plots.csv
