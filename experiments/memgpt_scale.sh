#!/usr/bin/env bash
# Does recall storage slow down from ten thousand messages to a million, and what does a
# killed process leave? Writes experiments/memgpt_scale.csv. Ten minutes alone.
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
fresh memgpt_scale "$@"
.venv/bin/python experiments/memgpt_scale.py "$runs" > "$runs/memgpt_scale.csv"
cp "$runs/memgpt_scale.csv" experiments/memgpt_scale.csv
rm -f "$runs/agent.sqlite"*
