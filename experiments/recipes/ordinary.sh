#!/usr/bin/env bash
# A hundred ordinary chapters, openings of FairytaleQA's stories and LitBank's books: how
# many has a kind of event that two readers did not find in its text, and how far these
# agree. Writes experiments/results/ordinary.csv. Two minutes on two cores.
# GSWLAB_DATA=../shared/data experiments/recipes/ordinary.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
.venv/bin/python experiments/recipes/ordinary.py "${GSWLAB_DATA:-../shared/data}" \
  > experiments/results/ordinary.csv.new
mv experiments/results/ordinary.csv.new experiments/results/ordinary.csv
