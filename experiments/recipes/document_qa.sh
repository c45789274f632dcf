#!/usr/bin/env bash
# Document QA over the pooled HotpotQA paragraphs: K documents, 1 to 700, put into a
# window of 4,096 tokens, or paged in by the scripted agent, which reads 350 (about three
# documents: chosen on the 100 training questions, where this reader loses by more). Writes
# experiments/results/document_qa.csv and document_qa.svg, the row of the agent held against the
# others. QUESTIONS=500 takes more than the first 100 questions.
# GSWLAB_DATA=../shared/data experiments/recipes/document_qa.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh document_qa "$@"
file=${GSWLAB_DATA:-../shared/data}/hotpotqa/dev_first500.json
run() { # NAME key=value ...
  .venv/bin/python -m gswlab run experiment=document_qa dataset.file="$file" \
    dataset.questions="${QUESTIONS:-100}" run.dir="$runs/$1" "${@:2}"
}
run memgpt memory=memgpt budget=350
run plain_rag memory=bm25 budget=350
run fixed_context memory=bm25
run truncation_shares memory=bm25 dataset.form=shares
run truncation_head memory=bm25 dataset.form=head
run truncation_tail memory=bm25 dataset.form=tail
run recursive_summary memory=bm25 dataset.form=summary
document() { # NAME key=value ...: one document of 512,000 tokens, a window of 8,192
  run "$1" dataset.tokens=512000 'dataset.k=[10000]' budget=4096 "${@:2}"
}
document document_memgpt memory=memgpt memory.window=8192
document document_fixed_context memory=fixed_context memory.window=8192
document document_recursive_summary memory=recursive_summary memory.window=8192
document document_head memory=long_context
document document_tail memory=long_context memory.end=tail
.venv/bin/python experiments/recipes/worlds.py "$runs" memgpt accuracy > "$runs/document_qa.csv"
cp "$runs/document_qa.csv" experiments/results/document_qa.csv
.venv/bin/python - <<'PY'
import sys

sys.path.insert(0, "experiments/recipes")
from plates import accuracy_by_setting

runs = ("memgpt", "plain_rag", "fixed_context", "truncation_shares", "truncation_head",
        "truncation_tail", "recursive_summary")
for measure in ("accuracy", "answer_in_window"):
    title = f"Document QA over pooled paragraphs: {measure.replace('_', ' ')}"
    told = accuracy_by_setting("experiments/results/document_qa.csv", runs, title,
                               "documents handed over, K", measure)
    suffix = "" if measure == "accuracy" else f"_{measure}"
    told.save(f"experiments/figures/document_qa{suffix}.svg")
PY
