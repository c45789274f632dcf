#!/usr/bin/env bash
# What a memory costs: the 4,937 paragraphs of HotpotQA's first 500 development questions
# indexed as with nothing on disk, then the 500 questions asked of the pool. Each memory in
# a process of its own, on one thread; what several do alike is measured once and counted
# for each. Writes experiments/results/index_5000.csv. Memories measured before are kept:
# interrupted, it goes on; once whole, it starts afresh.
# GSWLAB_DATA=../shared/data experiments/recipes/index_5000.sh [MEMORY ...]
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
resumed index_5000
export OMP_NUM_THREADS=1
file=${GSWLAB_DATA:-../shared/data}/hotpotqa/dev_first500.json
.venv/bin/python experiments/recipes/index_5000.py "$file" "$runs" "$@" > "$runs/table.csv"
cp "$runs/table.csv" experiments/results/index_5000.csv
whole
