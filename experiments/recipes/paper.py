"""Every figure and table from the run tables beside this file, into a folder.

python experiments/recipes/paper.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from gswlab.view.figures.rebuilt import rebuilt

if __name__ == "__main__":
    made = rebuilt(Path(__file__).resolve().parents[1] / "results", *sys.argv[1:2])
    print("\n".join([*made.skipped, repr(made)]))
