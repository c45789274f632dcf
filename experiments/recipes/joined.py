"""CSV tables one below the other, what tells them apart in a first column.

python recipes/joined.py COLUMN VALUE=TABLE.csv ... > results/NAME.csv
"""

from __future__ import annotations

import sys

import pandas as pd

if __name__ == "__main__":
    column, *pairs = sys.argv[1:]
    parts = {value: pd.read_csv(path) for value, _, path in
             (pair.partition("=") for pair in pairs)}  # fmt: skip
    whole = pd.concat(parts, names=[column]).reset_index(level=0)
    print(whole.to_csv(index=False, lineterminator="\n"), end="")
