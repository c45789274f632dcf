#!/usr/bin/env bash
# HotpotQA's first 500 development questions, memories without a model, both worlds:
# writes experiments/hotpotqa_own.csv and hotpotqa_pool.csv, a row a memory, each held
# against the BM25 that was tuned on the training questions, as `linked` was.
# GSWLAB_DATA=../shared/data experiments/hotpotqa.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
fresh hotpotqa "$@"
file=${GSWLAB_DATA:-../shared/data}/hotpotqa/dev_first500.json
run() { # WORLD NAME key=value ...
  .venv/bin/python -m gswlab run experiment=hotpotqa dataset.file="$file" \
    dataset.world="$1" run.dir="$runs/$1/$2" "${@:3}"
}
for world in own pool; do
  run $world bm25 memory=bm25
  run $world bm25_tuned memory=bm25 memory.stopwords=true memory.title=0.5
  run $world linked memory=linked
  run $world linked_without_titles memory=linked memory.titles=false
  run $world dense memory=dense
  run $world hybrid memory=hybrid
  run $world long_context memory=long_context
  run $world closed_book memory=closed_book
  .venv/bin/python experiments/collected.py "$runs/$world" bm25_tuned \
    > "experiments/hotpotqa_$world.csv"
done
