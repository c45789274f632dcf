"""Tables that a template tells, row by row.

The template says JSON, a line each: the caption, the heads, then the rows.
"""

from __future__ import annotations

import json
from typing import Any

from gswlab.core.nouns import visible
from gswlab.view.kit.page import rendered
from gswlab.view.kit.tables import Table


def told_table(template: str, **facts: Any) -> Table:
    """The table of a template of this package, with its facts."""
    lines = rendered(template, **facts).splitlines()
    caption, heads, *rows = (json.loads(line) for line in lines if line)
    told = tuple(tuple(map(visible, row)) for row in rows)
    return Table(tuple(heads), told, visible(caption))
