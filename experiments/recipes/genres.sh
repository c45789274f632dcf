#!/usr/bin/env bash
# Natural questions and questions without an answer on passages of seven genres, those that
# nothing was tuned on: right and cited, false, and kinds of event that no word names.
# Writes experiments/results/genres.csv. Five minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh genres "$@"
.venv/bin/python experiments/recipes/genres.py "$runs" > "$runs/genres.csv"
cp "$runs/genres.csv" experiments/results/
