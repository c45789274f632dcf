#!/usr/bin/env bash
# LitBank: who is who, who speaks and what happened in openings of novels, no model. All
# books but the ten whose names have the smallest SHA-1, which are opened once, at the end.
# Writes experiments/results/litbank.csv, intervals over books. Six minutes on two cores.
# GSWLAB_DATA=../shared/data experiments/recipes/litbank.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh litbank "$@"
data=${GSWLAB_DATA:-../shared/data}/litbank
.venv/bin/python experiments/recipes/litbank.py lay "$data" "$runs/books"
.venv/bin/python -m gswlab run experiment=litbank dataset.folder="$runs/books" \
  run.dir="$runs/rules"
.venv/bin/python experiments/recipes/litbank.py table "$runs/rules" > "$runs/litbank.csv"
cp "$runs/litbank.csv" experiments/results/
