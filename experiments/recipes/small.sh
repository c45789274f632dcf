#!/usr/bin/env bash
# Every table that the papers are held against, of one commit, in about two hours of one
# core: two recipes at a time. Fewer questions are asked than the recipes do by
# themselves; how many stands in each table's n. A recipe that this commit has finished is
# not run again, one that was interrupted goes on.
# GSWLAB_DATA=../shared/data experiments/recipes/small.sh [RECIPE ...]
set -euo pipefail
cd "$(dirname "$0")/../.."
export WORKERS=1 FIRST=${FIRST:-100} CAP=${CAP:-1} TQDM_DISABLE=1
export LARGE=${LARGE:-gsw,bm25,dense,hybrid,long_context}
export commit=$(git rev-parse HEAD)
curved() { # KEY=VALUE ...
  .venv/bin/python experiments/recipes/curves.py experiments/results/curves.csv "$@"
}
curves() { # all questions of three books; every fourth where what is read is small
  curved books=EpBench-20,harbour,kestrel "budgets= " "memories= "
  local told=("budgets=1000 250 4000" "memories=bm25 dense hybrid linked" every=4)
  curved books=EpBench-20 "${told[@]}"
  curved books=EpBench-20 every=4 budgets=1000 units=chunk \
    "memories=hipporag lightrag graphrag static_graph gedig"
  curved books=harbour "${told[@]}" "minutes=${MINUTES:-25}"
}
export -f curved curves
once() { # RECIPE, without its ending
  mark=runs/recipes/$1.$commit
  [ ! -e "$mark" ] || return 0
  case $1 in
    maze_controls) .venv/bin/python "experiments/recipes/$1.py" "experiments/results/$1.csv" ;;
    curves) curves ;;
    *) "experiments/recipes/$1.sh" ;;
  esac
  touch "$mark"
}
export -f once
mkdir -p runs/recipes
recipes=(generated_comparison hotpotqa gedig_hotpotqa maze locomo beam curves maze_controls
  own_books sessions epbench20 epbench_comparison)
[ $# -eq 0 ] || recipes=("$@")
printf '%s\n' "${recipes[@]}" | xargs -P 2 -I{} bash -ec 'time once {}'
