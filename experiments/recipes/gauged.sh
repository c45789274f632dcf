#!/usr/bin/env bash
# geDIG's gauge on the workspace memory: edits accepted, held or rejected by their price,
# and recall that goes on while it pays. Thresholds from harbour and orchard, figures of
# cloister, whose first figures were seen before the gauge was tuned again. Writes experiments/results/gauged.csv and
# experiments/results/gauged_recall.csv. Fifteen minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh gauged "$@"
for book in harbour orchard cloister; do
  .venv/bin/python experiments/texts/books/questions.py "experiments/texts/books/$book" --seed 1 \
    --out "$runs/$book.questions.json"
done
for what in reading recall; do
  .venv/bin/python experiments/recipes/gauged.py "$runs" "$runs" $what cloister > "$runs/$what.csv"
done
cp "$runs/reading.csv" experiments/results/gauged.csv
cp "$runs/recall.csv" experiments/results/gauged_recall.csv
