#!/usr/bin/env bash
# What each mechanism is worth: harbour and orchard, the books rules were tuned on, read
# and asked with one mechanism changed at a time. Writes experiments/switches.csv; what
# each took is in seconds.csv beside the runs. Ten minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
fresh switches "$@"
for book in harbour orchard; do
  .venv/bin/python experiments/books/questions.py "experiments/books/$book" --seed 1 \
    --out "$runs/$book.questions.json"
done
.venv/bin/python experiments/switches.py "$runs" "$runs" \
  experiments/books/{harbour,orchard} > "$runs/switches.csv"
cp "$runs/switches.csv" experiments/switches.csv
