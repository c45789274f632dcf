"""Who is who in passages of six genres, by weights learned and by those set by hand.

    python recipes/genres_who.py INTO > CSV

INTO holds the tables of every fold (`who.py folds`): a passage that is for tuning is
read by those that have not seen it, one that is for reporting by the package's own. The
English ones, each read by a memory of its own and scored as books of LitBank are.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

import coreference
from litbank import read_by
from passages import KINDS, Passage, load
from table import commit
from who import FOLDS, TABLES, tuned

from gswlab.bench.coreference import Ratio, pooled
from gswlab.bench.marks import Marks, mark_shares
from gswlab.language.pipeline import model

SCORED = KINDS[:6]  # as in LitBank: works, things and ideas are nobody
SHOWN = ("mentions.f1", "names.f1", "nominals.f1", "typed.f1", "conll.f1")
SHOWN += ("names_pairwise.precision", "names_pairwise.recall", "speakers.accuracy")
SHOWN += ("pronouns.he_she", "pronouns.he_she_wrong", "pronouns.they")
SHOWN += ("pronouns.they_wrong", "pronouns.we", "pronouns.we_wrong")
SHOWN += ("pronouns.you", "pronouns.you_wrong")
SHOWN += ("pronouns.quoted_i", "pronouns.quoted_i_wrong")


def shares(passage: Passage, tables: Path) -> dict[str, Ratio]:
    """Every share of one passage, read by a memory of its own."""
    told = passage.marks
    mentions = tuple(m for m in told.mentions if m.kind in SCORED)
    syntax, read = model("en")(passage.text), read_by(tables, passage.text)
    return mark_shares(Marks(mentions, told.quotes), read, syntax)


def table(weights: str, rows: list[tuple[Passage, dict[str, Ratio]]]) -> None:
    """Print a weighting's figures of each genre, and of all."""
    parts = defaultdict[tuple[str, str], list[dict[str, Ratio]]](list)
    for one, row in rows:
        for part in ("both", one.genre), ("both", "all"), (one.part, "all"):
            parts[part].append(row)
    out, made = csv.writer(sys.stdout, lineterminator="\n"), commit()
    for (half, genre), own in sorted(parts.items()):
        figures = pooled(own)
        for path in (path for path in SHOWN if path in figures):
            mean, low, high, _ = figures[path].to_dict().values()
            row = (weights, half, genre, path, mean, low, high, len(own), made)
            out.writerow(row)


def main(into: Path) -> None:
    """Print the table."""
    print("weights,half,genre,figure,value,low,high,passages,commit")
    folds = {one.name: into / f"fold{i % FOLDS}" for i, one in enumerate(tuned())}
    learned, by_hand = list[tuple[Passage, dict[str, Ratio]]](), []
    for one in (one for one in load() if one.language == "en"):
        tables = folds.get(one.name, TABLES)
        learned.append((one, shares(one, tables)))
        with coreference.by(coreference.prior()):
            by_hand.append((one, shares(one, tables)))
    table("learned", learned)
    table("by hand", by_hand)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
