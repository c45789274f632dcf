#!/usr/bin/env bash
# A whole chapter, through every stage that asks a model, with the model that ships:
# SmolLM2-135M proves wiring, its answers are worth nothing. GGUF=FILE takes any other
# and prints its table; without it experiments/results/local_chapter.csv is written. Extra
# `local`; a quarter of an hour alone on one core.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh local_chapter "$@"
.venv/bin/python experiments/recipes/local_chapter.py "$runs" ${GGUF:+"$GGUF"} > "$runs/local_chapter.csv"
[ -n "${GGUF:-}" ] || cp "$runs/local_chapter.csv" experiments/results/local_chapter.csv
cat "$runs/local_chapter.csv"
