#!/usr/bin/env bash
# LitBank: who is who, who speaks and what happened in openings of novels, no model. 70
# books, each read with weights learned without it (five folds); with --set-aside the ten
# whose names have the smallest SHA-1 too, opened once, at the end. Writes
# experiments/results/litbank.csv, intervals over books. Fifteen minutes on two cores.
# GSWLAB_DATA=../shared/data experiments/recipes/litbank.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh litbank
data=${GSWLAB_DATA:-../shared/data}/litbank
.venv/bin/python experiments/recipes/who.py folds "$data" "$runs/tables"
.venv/bin/python experiments/recipes/litbank.py "$data" "$runs/tables" "$@" \
  > "$runs/litbank.csv"
cp "$runs/litbank.csv" experiments/results/
