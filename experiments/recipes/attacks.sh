#!/usr/bin/env bash
# What does a run folder survive? 200 damaged journals, 300 kills, 1,000 broken replies and
# 1,000 malicious settings. Writes experiments/results/attacks.csv.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh attacks "$@"
.venv/bin/python experiments/recipes/attacks.py "$runs" > "$runs/attacks.csv"
cp "$runs/attacks.csv" experiments/results/attacks.csv
