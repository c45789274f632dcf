#!/usr/bin/env bash
# Does recall storage slow down from ten thousand messages to a million, and what does a
# killed process leave? Writes experiments/results/memgpt_scale.csv. Ten minutes alone.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh memgpt_scale "$@"
.venv/bin/python experiments/recipes/memgpt_scale.py "$runs" > "$runs/memgpt_scale.csv"
cp "$runs/memgpt_scale.csv" experiments/results/memgpt_scale.csv
rm -f "$runs/agent.sqlite"*
