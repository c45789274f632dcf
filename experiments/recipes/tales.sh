#!/usr/bin/env bash
# FairytaleQA's validation questions and ProPara's development grids, no model: token F1,
# whether the first citation stands in a right section, and states sentence by sentence
# beside those who copy the last one. Writes experiments/results/fairytale.csv and propara.csv.
# Two minutes on two cores.   GSWLAB_DATA=../shared/data experiments/recipes/tales.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh tales "$@"
data=${GSWLAB_DATA:-../shared/data}
for memory in gsw bm25; do
  .venv/bin/python -m gswlab run experiment=fairytale dataset.folder="$data/fairytaleqa" \
    memory=$memory run.dir="$runs/fairytale/$memory"
done
.venv/bin/python -m gswlab run experiment=propara dataset.folder="$data/propara" \
  run.dir="$runs/propara/gsw"
for experiment in fairytale propara; do
  .venv/bin/python experiments/recipes/table.py "$runs/$experiment"/* > "$runs/$experiment.csv"
  cp "$runs/$experiment.csv" experiments/results/
done
