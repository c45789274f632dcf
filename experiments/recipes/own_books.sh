#!/usr/bin/env bash
# Our own books, read and asked with no model call. Rules were tuned on harbour, orchard,
# terraces, foundry, saltmarsh, cloister, larch, beacon, kestrel, marrow and tessera;
# the weights of the kinds were fitted on lantern, too, and labels of lantern and quarry
# have been looked at since: no book of these is unseen any more. Writes experiments/results/own_books.csv. Two books at a time
# (WORKERS=1 for one); interrupted, it goes on; once whole, it starts afresh.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
resumed own_books
export runs OMP_NUM_THREADS=1
books=(harbour orchard terraces foundry saltmarsh cloister larch beacon kestrel marrow
  tessera lantern quarry)
run() { # BOOK
  here=experiments/texts/books/$1
  .venv/bin/python experiments/texts/books/questions.py "$here" --seed 1 \
    --out "$runs/$1.questions.json" --tuples "$runs/$1.tuples.json"
  .venv/bin/python -m gswlab run experiment=epbench dataset.book="$here/book.json" \
    dataset.questions="$runs/$1.questions.json" \
    dataset.tuples="$runs/$1.tuples.json" run.dir="$runs/$1"
}
export -f run
printf '%s\n' "${books[@]}" | xargs -P "${WORKERS:-2}" -I{} bash -c 'run {}'
.venv/bin/python experiments/recipes/table.py "${books[@]/#/$runs/}" > "$runs/table.csv"
cp "$runs/table.csv" experiments/results/own_books.csv
whole
