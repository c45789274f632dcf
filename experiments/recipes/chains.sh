#!/usr/bin/env bash
# Audits against annotated chains of 10 and 20 chunks, three English, one Japanese.
# Writes experiments/results/chains.csv. Half a minute on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh chains "$@"
.venv/bin/python experiments/recipes/chains.py "$runs" \
  experiments/texts/chains/{ledger,fen,lighthouse,quarry}.json > "$runs/chains.csv"
cp "$runs/chains.csv" experiments/results/chains.csv
