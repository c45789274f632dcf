#!/usr/bin/env bash
# What does plain text cost? 1 MB and 10 MB in one paragraph and in many, cut and read by
# memory=bm25. Writes experiments/results/plain_text.csv.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh plain_text "$@"
.venv/bin/python experiments/recipes/plain_text.py "$runs" > "$runs/plain_text.csv"
cp "$runs/plain_text.csv" experiments/results/plain_text.csv
