#!/usr/bin/env bash
# geDIG's gauge on the workspace memory: edits accepted, held or rejected by their price,
# and recall that goes on while it pays. Thresholds from harbour and orchard, figures of
# cloister, whose first figures were seen before the gauge was tuned again. Writes experiments/gauged.csv and
# experiments/gauged_recall.csv. Fifteen minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
fresh gauged "$@"
for book in harbour orchard cloister; do
  .venv/bin/python experiments/books/questions.py "experiments/books/$book" --seed 1 \
    --out "$runs/$book.questions.json"
done
for what in reading recall; do
  .venv/bin/python experiments/gauged.py "$runs" "$runs" $what cloister > "$runs/$what.csv"
done
cp "$runs/reading.csv" experiments/gauged.csv
cp "$runs/recall.csv" experiments/gauged_recall.csv
