"""Runs of a folder held against one of them, as CSV with the commit that made them.

python experiments/recipes/collected.py DIR RUN > experiments/results/NAME.csv
"""

from __future__ import annotations

import sys

from table import commit

from gswlab.bench.collect import against, collect, render_table

if __name__ == "__main__":
    folder, run = sys.argv[1:]
    table = against(collect(folder), folder, run).assign(commit=commit())
    print(render_table(table, "csv"), end="")
