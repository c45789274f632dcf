#!/usr/bin/env bash
# What a model asked where rules doubt could be worth at most, drawn without one: an
# oracle answers from gold. An upper bound and no system. Books of our own as they are
# named, LitBank's seventy with litbank=FOLDER; with llm.base_url=URL llm.model=NAME a
# model answers. Writes experiments/results/oracle.csv and experiments/figures/oracle.svg.
# A minute a book and way of reading, LitBank as well.
set -euo pipefail
cd "$(dirname "$0")/../.."
PYTHONPATH=.:tests .venv/bin/python experiments/recipes/oracle.py \
  experiments/results/oracle.csv "${@:-kestrel}"
mv experiments/results/oracle.svg experiments/figures/
