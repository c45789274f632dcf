#!/usr/bin/env bash
# The tables of the other recipes, shown: notebooks/lab/02_is_it_right.ipynb run from
# nothing, the tables of RESULTS.md, and CLAIMS.md. Under a minute on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p runs
.venv/bin/python experiments/recipes/claims.py experiments/RESULTS.md
.venv/bin/python experiments/recipes/papers.py > runs/CLAIMS.md
mv runs/CLAIMS.md experiments/CLAIMS.md
.venv/bin/python experiments/recipes/notebook.py notebooks/lab/02_is_it_right.ipynb
