#!/usr/bin/env bash
# 1,000 random faults of a server over whole runs of experiment=gsw_paper: each run is
# complete after at most three reruns, and equal to one without faults.
set -euo pipefail
cd "$(dirname "$0")/../.."
GSWLAB_FAULTS=1000 .venv/bin/python -m pytest -q tests/bench/test_open_asks.py -k faults_leave
