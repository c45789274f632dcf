#!/usr/bin/env bash
# geDIG's gauge on the workspace memory: edits accepted, held or rejected by their price,
# and recall that goes on while it pays. Thresholds from harbour and orchard, figures of
# cloister and quarry. Writes experiments/gauged.csv. Fifteen minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
fresh gauged "$@"
for book in harbour orchard cloister quarry; do
  .venv/bin/python experiments/books/questions.py "experiments/books/$book" --seed 1 \
    --out "$runs/$book.questions.json"
done
.venv/bin/python experiments/gauged.py "$runs" "$runs" > "$runs/gauged.csv"
cp "$runs/gauged.csv" experiments/gauged.csv
