#!/usr/bin/env bash
# HotpotQA's first 500 development questions, every memory without a model, both worlds:
# writes experiments/results/hotpotqa_own.csv and hotpotqa_pool.csv, a row a memory, each held
# against the BM25 that was tuned on the training questions, as `linked` was. Two runs at
# a time (WORKERS=1 for one); interrupted, it goes on; once whole, it starts afresh.
# FIRST=100 asks the first hundred alone, WORLDS=own one of the two.
#
# The memories as they are, in one command:
#   python -m gswlab run -m experiment=hotpotqa dataset.file=FILE dataset.world=own,pool \
#     memory=all executor.workers=2
#
# GSWLAB_DATA=../shared/data experiments/recipes/hotpotqa.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
resumed hotpotqa
export runs OMP_NUM_THREADS=1
export file=${GSWLAB_DATA:-../shared/data}/hotpotqa/dev_first500.json
run() { # WORLD NAME key=value ...
  .venv/bin/python -m gswlab run experiment=hotpotqa dataset.file="$file" \
    dataset.first="${FIRST:-500}" dataset.world="$1" run.dir="$runs/$1/$2" "${@:3}"
}
export -f run
rows() { # what is parsed, extracted or embedded is on disk for those that come later
  for world in ${WORLDS:-own pool}; do
    cat << ROWS
$world static_graph memory=static_graph
$world dense memory=dense
$world bm25 memory=bm25
$world bm25_tuned memory=bm25 memory.stopwords=true memory.title=0.5
$world linked memory=linked
$world linked_without_titles memory=linked memory.titles=false
$world hybrid memory=hybrid
$world long_context memory=long_context
$world closed_book memory=closed_book
$world gedig memory=gedig
$world gedig_static memory=gedig_static
$world gsw memory=gsw memory.fallback=summaries memory.evidence=chunks
$world hipporag memory=hipporag
$world gsw_chain memory=gsw_chain
$world lightrag memory=lightrag
$world graphrag memory=graphrag
$world gsw_gauged memory=gsw_gauged memory.fallback=summaries memory.evidence=chunks
$world hipporag_passages memory=hipporag memory.passage_weight=0.5
$world gsw_chain_pairs memory=gsw_chain memory.handed=pairs
ROWS
  done
}
rows | xargs -P "${WORKERS:-2}" -I{} bash -c 'run {}'
for world in ${WORLDS:-own pool}; do
  .venv/bin/python experiments/recipes/collected.py "$runs/$world" bm25_tuned > "$runs/$world.csv"
  cp "$runs/$world.csv" "experiments/results/hotpotqa_$world.csv"
done
whole
