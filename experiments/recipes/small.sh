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
once() { # RECIPE, without its ending
  mark=runs/recipes/$1.$commit
  [ ! -e "$mark" ] || return 0
  case $1 in
    maze_controls) .venv/bin/python "experiments/recipes/$1.py" "experiments/results/$1.csv" ;;
    curves) .venv/bin/python experiments/recipes/curves.py experiments/results/curves.csv \
      "minutes=${MINUTES:-20}" every=4 books=EpBench-20,harbour budgets="1000 250 4000" \
      memories="bm25 dense hybrid" ;;
    *) "experiments/recipes/$1.sh" ;;
  esac
  touch "$mark"
}
export -f once
mkdir -p runs/recipes
recipes=(generated_comparison hotpotqa gedig_hotpotqa maze locomo beam curves maze_controls
  own_books sessions epbench20)
[ $# -eq 0 ] || recipes=("$@")
printf '%s\n' "${recipes[@]}" | xargs -P 2 -I{} bash -ec 'time once {}'
