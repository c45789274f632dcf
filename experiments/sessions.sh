#!/usr/bin/env bash
# Generated chats: facts, preferences that change, consistency; and knowledge updated
# (the latest value, an earlier one, its date). Writes experiments/sessions.csv and
# knowledge_update.csv, the ranked recall of the agent held against the other rows.
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
fresh sessions "$@"
for experiment in sessions knowledge_update; do
  run() { # NAME key=value ...
    .venv/bin/python -m gswlab run experiment=$experiment dataset.chats="${CHATS:-10}" \
      run.dir="$runs/$experiment/$1" "${@:2}"
  }
  run memgpt memory=memgpt
  run plain_rag memory=bm25
  run fixed_context memory=fixed_context
  run recursive_summary memory=recursive_summary
  run truncation_head memory=long_context
  run truncation_tail memory=long_context memory.end=tail
  .venv/bin/python experiments/worlds.py "$runs/$experiment" memgpt accuracy \
    > "$runs/$experiment.csv"
  cp "$runs/$experiment.csv" experiments/
done
