#!/usr/bin/env bash
# Who is who in 54 passages of six genres, by weights that have not seen the passage and by
# those set by hand, no model. Reads the tables that litbank.sh leaves. Writes
# experiments/results/genres_who.csv, intervals over passages. Two minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
tables=runs/recipes/litbank/tables
[ -d "$tables" ] || { echo "$tables is missing (rule: weights that have not seen a passage); try: experiments/recipes/litbank.sh" >&2; exit 2; }
.venv/bin/python experiments/recipes/genres_who.py "$tables" > runs/recipes/genres_who.csv
cp runs/recipes/genres_who.csv experiments/results/
