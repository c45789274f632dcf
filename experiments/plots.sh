#!/usr/bin/env bash
# Our five plots and their 125 questions, every system and k, and what each mechanism of
# serial recall is worth: writes experiments/plots.csv. No model is asked. Vectors are
# embedded anew, so that times of recall hold the question's. Ten minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
fresh plots "$@"
export GSWLAB_CACHE="$runs/cache" TQDM_DISABLE=1
run() { # NAME key=value ...
  .venv/bin/python -m gswlab run experiment=plot run.dir="$runs/$1" "${@:2}"
}
for k in 0 1 2 3; do
  run serial_k$k memory=serial k=$k
  run serial_published_k$k memory=serial_published k=$k
  run parallel_k$k memory=parallel k=$k
  run graph_k$k memory=graph k=$k
done
run long_context memory=long_context
run dense memory=dense
run bm25 memory=bm25
run gsw memory=gsw
run closed_book memory=closed_book
# ablations of serial, k = 1: one mechanism off or changed
run without_names memory=serial memory.named=false
run without_ties memory=serial memory.edges=false
run without_ranking memory=serial memory.ranked=false
run without_parts memory=serial memory.parted=false
run without_event memory=serial memory.at=false
run without_joined memory=serial memory.joined=0
run embed_descriptions memory=serial memory.embed=descriptions
run embed_names memory=serial memory.embed=names
run seeds_1 memory=serial memory.seeds=1
run seeds_4 memory=serial memory.seeds=4
run nodes_2 memory=serial memory.nodes=2
run nodes_8 memory=serial memory.nodes=8
.venv/bin/python experiments/plots.py "$runs" > "$runs/plots.csv"
cp "$runs/plots.csv" experiments/plots.csv
