#!/usr/bin/env bash
# geDIG on HotpotQA's first 500 development questions: its gates and what they are held
# against, recall against 300 to 1,500 context tokens. Weights and thresholds are from
# the training questions alone (experiments/recipes/gedig_weights.py). Two runs at a time
# (WORKERS=1 for one); interrupted, it goes on; once whole, it starts afresh. FIRST=100
# asks the first hundred alone, WORLDS=own one of the two.
# GSWLAB_DATA=../shared/data experiments/recipes/gedig_hotpotqa.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. experiments/recipes/fresh.sh
resumed gedig_hotpotqa
export runs OMP_NUM_THREADS=1
export file=${FILE:-${GSWLAB_DATA:-../shared/data}/hotpotqa/dev_first500.json}
run() { # WORLD NAME key=value ...
  .venv/bin/python -m gswlab run experiment=hotpotqa dataset.file="$file" \
    ${FIRST:+dataset.first=$FIRST} dataset.world="$1" run.dir="$runs/$1/$2" "${@:3}"
}
budgeted() { # GATE_BUDGET key=value ...: other answers are read, of as many tokens
  .venv/bin/python -m gswlab run experiment=hotpotqa dataset.file="$file" \
    ${FIRST:+dataset.first=$FIRST} dataset.world=own run.dir="$runs/read/$1" memory=gedig dataset.paragraphs=99 "${@:2}"
}
export -f run budgeted
each() { # runs the lines it is given
  xargs -P "${WORKERS:-2}" -I{} bash -c '{}'
}
spend=gate.thresholds.dg=1.0e9 # DG off: all gates spend the same tokens
same=gate.order=again # every gate reads the first list anew, as the gauge does
gates() { # WORLD: one memory, every gate; those of gate=random fire as often as the gauge
  read -r fires follows < <(.venv/bin/python experiments/recipes/gedig_hotpotqa.py rates "$runs/$1/gedig")
  cat << GATES
run $1 dg_on memory=gedig gate=gedig
run $1 random_fires memory=gedig gate=random gate.rate=$fires $same
run $1 random_follows memory=gedig gate=random gate.rate=$follows $same
run $1 never memory=gedig gate=never $same
run $1 always memory=gedig gate=always $same
run $1 rounds_1 memory=gedig gate=rounds gate.rounds=1 $same
run $1 rounds_2 memory=gedig gate=rounds gate.rounds=2 $same
run $1 rounds_3 memory=gedig gate=rounds gate.rounds=3 $same
run $1 first_order memory=gedig gate=always
run $1 no_gain memory=gedig gate=gedig $spend gate.gauge.lam=0
run $1 ag_off memory=gedig gate=gedig $spend gate.thresholds.ag=1.0e9
run $1 ag_always memory=gedig gate=gedig $spend gate.thresholds.ag=-1.0e9
run $1 similarity memory=gedig gate=similarity
run $1 structure memory=gedig gate=structure
run $1 calibrated memory=gedig gate=calibrated
run $1 paper memory=gedig gate=paper
run $1 linked memory=linked
GATES
}
own() { # the public code sees a question's own paragraphs
  cat << GATES
run own released memory=gedig gate=released
run own neighbours memory=gedig gate=neighbours
run own static_graph memory=static_graph
run own gedig_static memory=gedig_static gate=gedig $spend
GATES
  for budget in 300 670 1500; do
    echo "budgeted gedig_$budget gate=gedig $spend budget=$budget"
    for gate in never always rounds; do
      echo "budgeted ${gate}_$budget gate=$gate budget=$budget"
    done
  done
}
worlds=${WORLDS:-own pool}
for world in $worlds; do echo "run $world gedig memory=gedig gate=gedig $spend"; done | each
{
  for world in $worlds; do gates "$world"; done
  [[ $worlds != *own* ]] || own
} | each
.venv/bin/python experiments/recipes/gedig_hotpotqa.py table "$runs" > experiments/results/gedig_hotpotqa.csv
.venv/bin/python experiments/recipes/gedig_hotpotqa.py figure experiments/results/gedig_hotpotqa.csv
train=${GSWLAB_DATA:-../shared/data}/hotpotqa/train100.json
.venv/bin/python experiments/recipes/gedig_hotpotqa.py reliability "$train" "$file" "$runs/calibration"
.venv/bin/python experiments/recipes/gedig_rewiring.py "$file" > experiments/results/gedig_rewiring.csv
whole
