#!/usr/bin/env bash
# Nested key-value retrieval, 1 to 6 look-ups, all 100 orderings, and the hard variants:
# the scripted agent beside what an exact look-up reader makes of 4,096 tokens. Writes
# experiments/results/nested_kv.csv and nested_kv.svg. ORDERINGS=1-20 takes fewer of them.
# GSWLAB_DATA=../shared/data experiments/recipes/nested_kv.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh nested_kv "$@"
orderings=${ORDERINGS:-1-100}
run() { # NAME key=value ...
  .venv/bin/python -m gswlab run experiment=nested_kv \
    dataset.orderings="$orderings" run.dir="$runs/$1" "${@:2}"
}
run memgpt memory=memgpt
for variant in distractors overwritten pages; do
  run memgpt_$variant memory=memgpt dataset.variant=$variant
  run head_$variant memory=long_context dataset.variant=$variant
done
run truncation_head memory=long_context
run truncation_tail memory=long_context memory.end=tail
run plain_rag memory=bm25
run fixed_context memory=fixed_context
run recursive_summary memory=recursive_summary
.venv/bin/python experiments/recipes/worlds.py "$runs" > "$runs/nested_kv.csv"
cp "$runs/nested_kv.csv" experiments/results/nested_kv.csv
.venv/bin/python - <<'PY'
import sys

sys.path.insert(0, "experiments/recipes")
from plates import accuracy_by_setting

runs = ("memgpt", "memgpt_pages", "truncation_head", "truncation_tail", "plain_rag",
        "fixed_context", "recursive_summary")
title = "Nested key-value retrieval, scripted agent beside exact look-up in 4,096 tokens"
told = accuracy_by_setting("experiments/results/nested_kv.csv", runs, title, "look-ups")
told.save("experiments/figures/nested_kv.svg")
PY
