#!/usr/bin/env bash
# Generated books of 200 and 2,000 chapters: GSW against every other memory that asks no
# model, the same cue reader and budget. Writes experiments/results/generated_comparison.csv, a
# row a book and memory, each held against GSW on the same book. Of each kind of question
# and number of matching chapters at most CAP are drawn, by the book's seed (the default,
# 2, is some 300 questions). Interrupted, it goes on; once whole, it starts afresh; with
# MEMORIES=gsw,bm25 only these are compared, with LARGE=gsw,bm25 on the book of 2,000.
# experiments/recipes/generated_comparison.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
resumed generated_comparison
export OMP_NUM_THREADS=1
tables=()
for chapters in ${CHAPTERS:-200 2000}; do
  memories=${MEMORIES:-all}
  [ "$chapters" -lt 2000 ] || memories=${LARGE:-$memories}
  .venv/bin/python -m gswlab run -m experiment=generated dataset.chapters="$chapters" \
    dataset.cap="${CAP:-2}" memory="$memories" reader=cue executor.workers="${WORKERS:-2}" \
    run.dir="$runs/$chapters"
  [ "$chapters" -ge 2000 ] || .venv/bin/python -m gswlab run experiment=generated \
    dataset.chapters="$chapters" dataset.cap="${CAP:-2}" memory=long_context budget=1000000 \
    reader=cue run.dir="$runs/$chapters/generated/long_context/whole"
  gsw=$(cd "$runs/$chapters" && echo generated/gsw/*)
  .venv/bin/python experiments/recipes/collected.py "$runs/$chapters" "$gsw" \
    > "$runs/$chapters.csv"
  tables+=("$chapters=$runs/$chapters.csv")
done
.venv/bin/python experiments/recipes/joined.py chapters "${tables[@]}" > "$runs/table.csv"
cp "$runs/table.csv" experiments/results/generated_comparison.csv
whole
