#!/usr/bin/env bash
# What k hops of a graph of 100,000 nodes take in memory, hubs among them: writes
# experiments/results/graph_store.csv. Two minutes on one core.
set -euo pipefail
cd "$(dirname "$0")/../.."
.venv/bin/python experiments/recipes/graph_store.py > experiments/graph_store.part
mv experiments/graph_store.part experiments/results/graph_store.csv
