"""The one place that knows pyvis: its graph as two scripts, and nothing else of it.

`Network.show` prints, writes files and stays blank in most notebooks, so only
`generate_html` is called. Of its page this module keeps the vis-network library
(bundled in pyvis, inlined once) and the script that draws; the Bootstrap links, its
styles and the addresses in them are left behind, so the page asks the network nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from pyvis.network import Network

_SCRIPTS = re.compile(r"<script[^>]*>(.*?)</script>", re.DOTALL)

OPTIONS: Mapping[str, Any] = {
    "autoResize": True,
    "physics": {"enabled": False},
    "layout": {"randomSeed": 7, "improvedLayout": False},
    "interaction": {
        "hover": True,
        "keyboard": False,
        "multiselect": False,
        "selectConnectedEdges": False,
        "tooltipDelay": 200,
        "zoomSpeed": 0.6,
    },
    "edges": {
        "arrows": {"to": {"enabled": True, "scaleFactor": 0.45}},
        "smooth": {"enabled": True, "type": "continuous", "roundness": 0.3},
        "width": 1,
    },
}


class Drawing(NamedTuple):
    """Two scripts: the library, and the one that draws into `#mynetwork`."""

    library: str
    draw: str


def drawing(
    nodes: Iterable[Mapping[str, Any]], edges: Iterable[Mapping[str, Any]]
) -> Drawing:
    """The scripts of a graph whose nodes and edges are all there from the start."""
    net = Network(cdn_resources="in_line", directed=True)
    for node in nodes:
        net.add_node(node["id"], **{k: v for k, v in node.items() if k != "id"})
    for edge in edges:
        rest = {k: v for k, v in edge.items() if k not in ("from", "to")}
        net.add_edge(edge["from"], edge["to"], **rest)
    net.set_options(json.dumps(OPTIONS, sort_keys=True))
    return Drawing(_library(), _SCRIPTS.findall(net.generate_html())[-1].strip())


@cache
def _library() -> str:
    """vis-network, from a page without nouns: whatever a noun is called, it is this."""
    empty = Network(cdn_resources="in_line", directed=True).generate_html()
    library = max(_SCRIPTS.findall(empty), key=len)
    # The source map's address would be fetched by a browser's developer tools.
    return re.sub(r"//# sourceMappingURL=\S+", "", library).strip()
