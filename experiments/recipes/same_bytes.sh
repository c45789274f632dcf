#!/usr/bin/env bash
# EpBench's short book twice: other folders, processes and hash seeds, the same bytes in
# answers, scores, export and page. Prints what was compared; fails at the first difference.
# Two minutes on two cores.   GSWLAB_DATA=../shared/data experiments/recipes/same_bytes.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
parent=$(mktemp -d "${TMPDIR:-/tmp}/same-bytes.XXXXXX")
trap 'rm -rf "$parent"' EXIT
page="import gswlab, sys; from gswlab.view import write_page
write_page(gswlab.reopen(sys.argv[1]).journal, sys.argv[2])"
for seed in 0 1; do
  run=$parent/$seed
  export PYTHONHASHSEED=$seed
  .venv/bin/python -m gswlab run experiment=epbench20 run.dir="$run"
  .venv/bin/python -m gswlab export "$run" --out "$run/export.jsonl"
  .venv/bin/python -c "$page" "$run" "$run/page.html"
done
for name in answers.jsonl scores.json export.jsonl page.html; do
  cmp "$parent/0/$name" "$parent/1/$name"
  echo "the same: $name, $(wc -c < "$parent/0/$name") bytes"
done
