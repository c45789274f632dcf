#!/usr/bin/env bash
# Error against each dial of the generator, books of our own making. Writes
# experiments/dials.csv and the figure dials.svg beside it. Fifteen minutes on one core.
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
fresh dials "$@"
.venv/bin/python experiments/dials.py "$runs" > "$runs/dials.csv"
cp "$runs/dials.csv" experiments/dials.csv
.venv/bin/python - <<'PY'
from gswlab.view.kit.chart import draw_dials
draw_dials("experiments/dials.csv", "experiments/dials.svg")
PY
