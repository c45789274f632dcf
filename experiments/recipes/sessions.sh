#!/usr/bin/env bash
# Generated chats: facts, preferences that change, consistency; and knowledge updated
# (the latest value, an earlier one, its date). Writes experiments/results/sessions.csv and
# knowledge_update.csv, the ranked recall of the agent held against the other rows.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
fresh sessions "$@"
for experiment in sessions knowledge_update; do
  run() { # NAME key=value ...
    .venv/bin/python -m gswlab run experiment=$experiment dataset.chats="${CHATS:-4}" \
      run.dir="$runs/$experiment/$1" "${@:2}"
  }
  run memgpt memory=memgpt
  # the agent's own paging, without the fitted ranking: what its settings are worth
  for window in 8192 3000; do
    run memgpt_paged_$window memory=memgpt memory.recall_by=auto memory.window=$window
    run memgpt_paged_${window}_summary_at_once memory=memgpt memory.recall_by=auto \
      memory.window=$window memory.pressure=summarise
  done
  run memgpt_paged_3000_prefetch memory=memgpt memory.recall_by=auto \
    memory.window=3000 memory.prefetch=3
  run memgpt_gsw_paged_3000 memory=memgpt_gsw memory.recall_by=auto memory.window=3000
  run plain_rag memory=bm25
  run fixed_context memory=fixed_context
  run recursive_summary memory=recursive_summary
  run truncation_head memory=long_context
  run truncation_tail memory=long_context memory.end=tail
  .venv/bin/python experiments/recipes/worlds.py "$runs/$experiment" memgpt accuracy \
    > "$runs/$experiment.csv"
  cp "$runs/$experiment.csv" experiments/results/
done
