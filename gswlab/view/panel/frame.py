"""A page in a frame that talks back: the one place that knows anywidget.

The frame may run scripts and nothing else. It and the kernel exchange a step, ids of
nouns and ids of lines; `panel.js` hears no other window and no other type.
"""

from __future__ import annotations

import gzip
from functools import cache
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.view.shell import asset


def frame(html: str, title: str, height: int) -> Any:
    """A widget with the traits `page`, `title` and `height`, and messages both ways.

    It says `{"gswlab": "ready"}` when a page is there, and a page's `step`, `nouns`,
    `lines` and `still` (reduced motion is asked for); sent to it, the first three move
    the page.

    Raises:
        GswlabError: the extra `notebook` is not installed.
    """
    return _frame_class()(page=packed(html), title=title, height=height)


def packed(html: str) -> bytes:
    """A page as its frame takes it: the same bytes for the same page."""
    return gzip.compress(html.encode(), mtime=0)


@cache
def _frame_class() -> Any:
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise missing(error.name) from error

    class Frame(anywidget.AnyWidget):
        _esm = asset("panel/panel.js")
        page = traitlets.Bytes().tag(sync=True)
        title = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int(900).tag(sync=True)

    return Frame


def missing(name: str | None) -> GswlabError:
    """The error that a library of the extra `notebook` is not there."""
    return GswlabError(
        f"the panel needs {name or 'ipywidgets'}, which is not installed",
        "the extra `notebook`",
        "pip install 'gswlab[notebook]'",
    )
