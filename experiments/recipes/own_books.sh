#!/usr/bin/env bash
# Our own books, read and asked with no model call. Rules were tuned on harbour, orchard,
# terraces, foundry, saltmarsh, cloister, larch, beacon, kestrel, marrow and tessera;
# lantern's text was not looked at but the weights of the kinds were fitted on it too; of
# quarry there is only the score. Writes experiments/results/own_books.csv. About six minutes on
# two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh own_books "$@"
folders=()
for book in harbour orchard terraces foundry saltmarsh cloister larch beacon kestrel \
  marrow tessera lantern quarry; do
  here=experiments/texts/books/$book
  .venv/bin/python experiments/texts/books/questions.py "$here" --seed 1 \
    --out "$runs/$book.questions.json" --tuples "$runs/$book.tuples.json"
  .venv/bin/python -m gswlab run experiment=epbench dataset.book="$here/book.json" \
    dataset.questions="$runs/$book.questions.json" \
    dataset.tuples="$runs/$book.tuples.json" run.dir="$runs/$book"
  folders+=("$runs/$book")
done
.venv/bin/python experiments/recipes/table.py "${folders[@]}" > experiments/results/own_books.csv
