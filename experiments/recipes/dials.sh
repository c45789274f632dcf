#!/usr/bin/env bash
# Error against each dial of the generator, books of our own making. Writes
# experiments/results/dials.csv and the figure dials.svg beside it. Fifteen minutes on one core.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh dials "$@"
.venv/bin/python experiments/recipes/dials.py "$runs" > "$runs/dials.csv"
cp "$runs/dials.csv" experiments/results/dials.csv
.venv/bin/python - <<'PY'
import pandas as pd
from gswlab.view.figures.comparison import dials
dials(pd.read_csv("experiments/results/dials.csv")).save("experiments/figures/dials.svg")
PY
