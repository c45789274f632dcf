#!/usr/bin/env bash
# How long serial recall takes, in memory and over Bolt: writes experiments/results/plot_speed.csv.
# Worth what the machine was quiet: run it alone. Ten minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh plot_speed "$@"
.venv/bin/python experiments/recipes/plot_speed.py "$runs" > "$runs/plot_speed.csv"
cp "$runs/plot_speed.csv" experiments/results/plot_speed.csv
