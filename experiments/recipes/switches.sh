#!/usr/bin/env bash
# What each mechanism is worth: harbour and orchard, the books rules were tuned on, read
# and asked with one mechanism changed at a time. Writes experiments/results/switches.csv; what
# each took is in seconds.csv beside the runs. Ten minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh switches "$@"
for book in harbour orchard; do
  .venv/bin/python experiments/texts/books/questions.py "experiments/texts/books/$book" --seed 1 \
    --out "$runs/$book.questions.json"
done
.venv/bin/python experiments/recipes/switches.py "$runs" "$runs" \
  experiments/texts/books/{harbour,orchard} > "$runs/switches.csv"
cp "$runs/switches.csv" experiments/results/switches.csv
