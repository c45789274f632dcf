#!/usr/bin/env bash
# LoCoMo: evidence turns inside 1,500 tokens and the benchmark's F1 by category, no model.
# `ranking` is 18 features of a message, weighed by what was fitted on the gold of
# conversations 1 and 2 (recall_weights.py): no agent acts. `agent` is MemGPT's script, which
# searches by words and pages. All pack turns alike, day by day. Writes
# experiments/results/locomo.csv (conversations 3 to 5) and locomo_all.csv (1 to 5), the ranking
# held against every other row, and locomo.svg. Vectors are not taken from a cache, so
# reading_ms is all of reading. Interrupted, it goes on; once whole, it starts afresh; with
# PARTS=3-5 only these conversations are asked about.
# GSWLAB_DATA=../shared/data experiments/recipes/locomo.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
resumed locomo
data=${GSWLAB_DATA:-../shared/data}/locomo
run() { # CONVERSATIONS NAME key=value ...
  .venv/bin/python -m gswlab run experiment=locomo dataset.file="$data/locomo_first5.json" \
    dataset.errors="$data/label_errors.json" dataset.conversations="$1" \
    run.dir="$runs/$1/$2" "${@:3}"
}
for part in ${PARTS:-3-5 1-5}; do
  run $part ranking memory=memgpt embedder.cache=null
  run $part ranking_no_vectors memory=memgpt memory.embedder=null
  run $part agent memory=memgpt memory.recall_by=words
  run $part bm25 memory=bm25
  run $part dense memory=dense
  run $part hybrid memory=hybrid
  run $part truncation_head memory=long_context
  run $part truncation_tail memory=long_context memory.end=tail
  run $part fixed_context memory=fixed_context
  run $part recursive_summary memory=recursive_summary
done
table() { # CONVERSATIONS NAME
  [ -d "$runs/$1" ] || return 0
  .venv/bin/python experiments/recipes/worlds.py "$runs/$1" ranking > "$runs/$2.csv"
  cp "$runs/$2.csv" experiments/results/
}
table 3-5 locomo
table 1-5 locomo_all
.venv/bin/python - <<'PY'
import sys

sys.path.insert(0, "experiments/recipes")
from plates import accuracy_by_setting

runs = ("ranking", "ranking_no_vectors", "agent", "bm25", "dense", "hybrid")
title = "LoCoMo, conversations 3 to 5: evidence turns inside 1,500 tokens"
told = accuracy_by_setting("experiments/results/locomo.csv", runs, title, "category",
                           "evidence_recall")
told.save("experiments/figures/locomo.svg")
PY
whole
