#!/usr/bin/env bash
# What reconciler.merge_bias moves: precision and recall of merges on 14 of LitBank's books
# that the weights were learned without, and of rules that others merge by. Writes
# experiments/results/merges.csv, the same as merges.json, and the figure merges.svg.
# Needs the tables of litbank.sh. Five minutes on two cores.
# GSWLAB_DATA=../shared/data experiments/recipes/merges.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${GSWLAB_DATA:-../shared/data}/litbank
.venv/bin/python experiments/recipes/merges.py "$data" runs/recipes/litbank/tables \
  experiments/results/merges.csv experiments/figures/merges.svg
