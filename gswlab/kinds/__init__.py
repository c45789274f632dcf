"""Kinds of event: an inventory of labels, and how well a chapter's words fit each."""

from gswlab.kinds.affinity import Affinity
from gswlab.kinds.inventory import Inventory, Kind, content_stems, label_of

__all__ = ["Affinity", "Inventory", "Kind", "content_stems", "label_of"]
