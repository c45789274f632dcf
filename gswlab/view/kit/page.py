"""What every page of ours is: a description, filled into one template.

A description is a title, the facts, and a file of blocks (`papers/gauge.html`) that
says where they go. Facts are text: a template escapes them, and says `safe` of what is
HTML already. A page is one file: scripts run by the hash of their bytes, under a
content security policy that allows nothing else, so data can be hostile.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gswlab.bench.folder import RunFolder
from gswlab.core.nouns import visible
from gswlab.view.kit.fonts import with_typeface
from gswlab.view.kit.looks import LOOKS, badge
from gswlab.view.kit.spans import brief, escape, html_text, isolated

if TYPE_CHECKING:
    from jinja2 import Environment


def rendered(template: str, **facts: Any) -> str:
    """A template of this package with its facts.

    Text is escaped, HTML is marked `safe`; in a `.md` or `.txt` all is text.
    """
    return _templates().get_template(template).render(facts)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    made = Environment(
        autoescape=lambda name: not (name or "").endswith((".md", ".txt")),
        # a control character of a document is seen, in whatever place it stands
        finalize=lambda said: visible(said) if type(said) is str else said,
        loader=FunctionLoader(asset),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters["brief"] = brief
    for known in (badge, isolated, html_text):
        made.filters[known.__name__] = lambda *said, make=known: Markup(make(*said))
    return made


def sources(scripts: Iterable[str]) -> list[str]:
    """What a policy calls these scripts: the hashes of their bytes."""
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def attribute(page: str) -> str:
    """A page as the value of an attribute between single quotes."""
    return page.replace("&", "&amp;").replace("'", "&#39;")


@cache
def asset(name: str) -> str:
    """A file that stands beside this one."""
    return (files("gswlab.view") / name).read_text(encoding="utf-8").strip()


@dataclass(frozen=True, slots=True)
class Page:
    """A self-contained HTML page; in a notebook it shows itself in a frame."""

    html: str
    title: str
    caption: str
    height: int = 900

    def to_html(self) -> str:
        """The page's bytes as text."""
        return self.html

    def write(self, path: str | Path) -> Path:
        """Write the page to `path` and return it."""
        return RunFolder(Path(path).parent).write(Path(path).name, self.html)

    def _repr_html_(self) -> str:
        # The frame may run scripts and nothing else: no cookies, no parent page.
        return (
            f'<figure style="margin:0"><iframe title="{escape(self.title)}" '
            f"sandbox=\"allow-scripts\" srcdoc='{attribute(self.html)}' "
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
            f"<figcaption>{escape(self.caption)}</figcaption></figure>"
        )

    def __repr__(self) -> str:
        return f"Page({self.title!r}, {self.caption})"


def described(
    name: str,
    template: str,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    caption: str = "",
    height: int = 900,
    language: str = "en",
    allowed: Sequence[str] = (),
    data: Any = None,
    **facts: object,
) -> Page:
    """A page by its name, the file of its blocks, and the facts that fill them.

    Args:
        template: the file of its blocks.
        styles: files (`*.css`) and rules of its own, below the style of all.
        scripts: files (`*.js`) and code of its own, in the order they run in.
        height: of its frame in a notebook, in pixels.
        allowed: what the policy allows besides: scripts of pages inside it.
        data: what its script reads, as JSON.
    """
    codes = [asset(one) if one.endswith(".js") else one for one in scripts]
    known = {"title": name, "caption": caption, **facts}
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    page = rendered(
        template,
        **known,
        name=name,
        stem=Path(template).stem,
        language=language,
        policy=" ".join([*sources(codes), *allowed]),
        style=stylesheet(*styles),
        codes=codes,
        # "<" must not end the element the data stands in, whatever a document says
        data=None if data is None else text.replace("<", "\\u003c"),
    )
    return Page(with_typeface(page), name, caption, height)


def stylesheet(*styles: str) -> str:
    """The style of what is inside `.gswlab`, then files and rules of one's own."""
    named = (asset(one) if one.endswith(".css") else one for one in styles)
    looks = rendered("kit/looks.css", looks=LOOKS)
    return "\n".join((asset("run/parts.css"), looks, *named))


def embedded(inner: str, *styles: str) -> str:
    """HTML as a notebook shows it: in the style of a page, without being one."""
    return f'<div class="gswlab"><style>{stylesheet(*styles)}</style>{inner}</div>'
