#!/usr/bin/env bash
# How fast the page of a run is: opened and its slider moved in headless Chromium, by the
# clock and by what its own thread was busy, at 50 to 2,000 steps of a generated book.
# Writes experiments/results/page_speed.csv. On a machine that does nothing else.
# experiments/recipes/page_speed.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
runs=runs/page_speed
mkdir -p "$runs"
.venv/bin/python experiments/recipes/page_speed.py "$runs" > "$runs/page_speed.csv"
cp "$runs/page_speed.csv" experiments/results/page_speed.csv
