#!/usr/bin/env bash
# BEAM, ten chats of 100,000 tokens, without a judge: the turns that an answer needs inside
# 1,500 and 7,000 tokens, by kind of question; turns are packed alike for all. `ranking` was
# fitted on LoCoMo's conversations 1 and 2; no agent acts. Writes experiments/results/beam.csv,
# every row held against BM25.
# GSWLAB_DATA=../shared/data experiments/recipes/beam.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
resumed beam
data=${GSWLAB_DATA:-../shared/data}/beam/100K
tables=()
for budget in 1500 7000; do
  run() { # NAME key=value ...
    .venv/bin/python -m gswlab run experiment=beam dataset.folder="$data" \
      ${CHATS:+dataset.chats=$CHATS} budget=$budget run.dir="$runs/$budget/$1" "${@:2}"
  }
  for memory in ${MEMORIES:-bm25 dense hybrid ranking}; do
    case $memory in
      ranking) run ranking memory=memgpt ;;
      *) run "$memory" memory="$memory" ;;
    esac
  done
  .venv/bin/python experiments/recipes/worlds.py "$runs/$budget" bm25 > "$runs/$budget.csv"
  tables+=("$budget=$runs/$budget.csv")
done
.venv/bin/python experiments/recipes/joined.py budget "${tables[@]}" > "$runs/table.csv"
cp "$runs/table.csv" experiments/results/beam.csv
whole
