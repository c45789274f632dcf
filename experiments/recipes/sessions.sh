#!/usr/bin/env bash
# Generated chats: facts, preferences that change, consistency; and knowledge updated
# (the latest value, an earlier one, its date). Writes experiments/results/sessions.csv and
# knowledge_update.csv, the ranked recall of the agent held against the other rows; and
# keeping.csv: what a window of 3,000 tokens still holds of what was told long ago, where
# nothing outside of it may be searched. Interrupted, it goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
resumed sessions
run() { # EXPERIMENT NAME key=value ...
  .venv/bin/python -m gswlab run experiment="$1" dataset.chats="${CHATS:-4}" \
    run.dir="$runs/$1/$2" "${@:3}"
}
for experiment in sessions knowledge_update; do
  run $experiment memgpt memory=memgpt
  # the agent's own paging, without the fitted ranking: what its settings are worth
  for window in 8192 3000; do
    run $experiment memgpt_paged_$window memory=memgpt memory.recall_by=auto memory.window=$window
    run $experiment memgpt_paged_${window}_summary_at_once memory=memgpt memory.recall_by=auto \
      memory.window=$window memory.pressure=summarise
  done
  run $experiment memgpt_paged_3000_prefetch memory=memgpt memory.recall_by=auto \
    memory.window=3000 memory.prefetch=3
  run $experiment memgpt_gsw_paged_3000 memory=memgpt_gsw memory.recall_by=auto memory.window=3000
  run $experiment plain_rag memory=bm25
  run $experiment fixed_context memory=fixed_context
  run $experiment recursive_summary memory=recursive_summary
  run $experiment truncation_head memory=long_context
  run $experiment truncation_tail memory=long_context memory.end=tail
  .venv/bin/python experiments/recipes/worlds.py "$runs/$experiment" memgpt accuracy \
    > "$runs/$experiment.csv"
  cp "$runs/$experiment.csv" experiments/results/
done
for end in head tail; do
  run keeping truncation_$end memory=long_context memory.end=$end
done
run keeping window memory=fixed_context memory.warn=1 # nothing is written down
run keeping core_memory memory=fixed_context
run keeping recursive_summary memory=recursive_summary
.venv/bin/python experiments/recipes/worlds.py "$runs/keeping" core_memory accuracy \
  > "$runs/keeping.csv"
cp "$runs/keeping.csv" experiments/results/
whole
