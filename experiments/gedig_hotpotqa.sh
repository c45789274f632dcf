#!/usr/bin/env bash
# geDIG on HotpotQA's first 500 development questions: its gates and what they are held
# against, recall against 300 to 1,500 context tokens. Weights and thresholds are from
# the training questions alone (experiments/gedig_weights.py).
# GSWLAB_DATA=../shared/data experiments/gedig_hotpotqa.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. experiments/fresh.sh
fresh gedig_hotpotqa "$@"
file=${FILE:-${GSWLAB_DATA:-../shared/data}/hotpotqa/dev_first500.json}
run() { # WORLD NAME key=value ...
  .venv/bin/python -m gswlab run experiment=hotpotqa dataset.file="$file" \
    dataset.world="$1" run.dir="$runs/$1/$2" "${@:3}"
}
spend=gate.thresholds.dg=1.0e9 # DG off: all gates spend the same tokens
gates() { # WORLD: one memory, every gate
  run "$1" gedig memory=gedig gate=gedig $spend
  read -r fires follows < <(.venv/bin/python experiments/gedig_hotpotqa.py rates "$runs/$1/gedig")
  run "$1" random_fires memory=gedig gate=random gate.rate="$fires"
  run "$1" random_follows memory=gedig gate=random gate.rate="$follows"
  run "$1" never memory=gedig gate=never
  run "$1" always memory=gedig gate=always
  for rounds in 1 2 3; do
    run "$1" rounds_$rounds memory=gedig gate=rounds gate.rounds=$rounds
  done
  run "$1" ag_off memory=gedig gate=gedig $spend gate.thresholds.ag=1.0e9
  run "$1" similarity memory=gedig gate=similarity
  run "$1" structure memory=gedig gate=structure
  run "$1" calibrated memory=gedig gate=calibrated
  run "$1" paper memory=gedig gate=paper
  run "$1" linked memory=linked
}
for world in ${WORLDS:-own pool}; do
  gates "$world"
done
if [ -d "$runs/own" ]; then # the public code sees a question's own paragraphs
  run own released memory=gedig gate=released
  run own neighbours memory=gedig gate=neighbours
  run own static_graph memory=static_graph
  run own gedig_static memory=gedig_static gate=gedig $spend
  for budget in 300 670 1500; do
    for gate in gedig never always rounds; do
      more=$([ $gate = gedig ] && echo $spend || true)
      run read ${gate}_$budget memory=gedig gate=$gate $more budget=$budget dataset.paragraphs=99 \
        dataset.world=own
    done
  done
fi
.venv/bin/python experiments/gedig_hotpotqa.py table "$runs" > experiments/gedig_hotpotqa.csv
.venv/bin/python experiments/gedig_hotpotqa.py figure experiments/gedig_hotpotqa.csv
train=${GSWLAB_DATA:-../shared/data}/hotpotqa/train100.json
.venv/bin/python experiments/gedig_hotpotqa.py reliability "$train" "$file" "$runs/calibration"
.venv/bin/python experiments/gedig_rewiring.py "$file" > experiments/gedig_rewiring.csv
