"""Vectors of the general resource of kinds: `python experiments/recipes/vectors.py`.

They ship with the package (`gswlab/models/vectors/shipped.npz`), so that a first run
need not embed thousands of labels. Exact: vectors have six decimals, stored as three
bytes a number. A row stands under the hash of its text: once a label has changed, its
row is not used.
"""

from __future__ import annotations

import numpy as np

from gswlab.language.event_types import Inventory
from gswlab.models.vectors.minilm import SHIPPED, encode, text_key


def main() -> None:
    """Embed what is told of every label and write the table, sorted by key."""
    inventory = Inventory.general()
    texts = {inventory.kind(label).told for label in inventory.labels}
    rows = {text_key(text): text for text in texts}
    keys = sorted(rows)
    vectors = np.stack([encode(rows[key]) for key in keys])
    whole = np.round(vectors.astype(np.float64) * 1e6).astype("<i4") + 2**23
    planes = whole.view(np.uint8).reshape(*whole.shape, 4)[..., :3].transpose(2, 0, 1)
    np.savez_compressed(SHIPPED, keys=np.array(keys, np.uint64), planes=planes)


if __name__ == "__main__":
    main()
