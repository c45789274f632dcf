#!/usr/bin/env bash
# Does an agent slow down as it talks? One chat of 50,000 messages, a step a message.
# Writes experiments/results/memgpt_messages.csv. Fifty minutes on a shared core.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh memgpt_messages "$@"
.venv/bin/python experiments/recipes/memgpt_messages.py "$runs" > "$runs/memgpt_messages.csv"
cp "$runs/memgpt_messages.csv" experiments/results/memgpt_messages.csv
