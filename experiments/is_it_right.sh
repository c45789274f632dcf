#!/usr/bin/env bash
# The tables of the other recipes, shown: notebooks/lab/02_is_it_right.ipynb run from
# nothing, and the table "Is it right?" of README.md. Under a minute on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/python experiments/claims.py README.md
.venv/bin/python experiments/notebook.py notebooks/lab/02_is_it_right.ipynb
