"""What every page of ours is put together from: files of this package, data, a policy.

A page is one file: scripts run by the hash of their bytes, under a content security
policy that allows nothing else, so data can be hostile and stays data.
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
from string import Template
from typing import Any

from gswlab.bench.folder import RunFolder
from gswlab.view.kit.fonts import with_typeface
from gswlab.view.kit.looks import looks_css
from gswlab.view.kit.spans import escape

_DOCUMENT = Template("""\
<!doctype html>
<html lang="$language">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>$title</title>
<style>
$style
</style>
</head>
$body""")


def document(
    title: str, style: str, body: str, allowed: Sequence[str] = (), language: str = "en"
) -> str:
    """A whole page: its title as text, its style sheet, its body to the end.

    Scripts run whose `sources` are `allowed`, no other; its words are in `en` or `ja`.
    """
    policy = (
        f"default-src 'none'; script-src {' '.join(allowed)}; "
        "style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; "
        "form-action 'none'"
    )
    page = _DOCUMENT.substitute(
        language=language, policy=policy, title=escape(title), style=style, body=body
    )
    return with_typeface(page)


def filled(template: str, **parts: object) -> str:
    """A template that stands beside this file, its names filled in."""
    return Template(asset(template)).substitute(parts)


def sources(scripts: Iterable[str]) -> list[str]:
    """What a policy calls these scripts: the hashes of their bytes."""
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def attribute(page: str) -> str:
    """A page as the value of an attribute between single quotes.

    Only these two need writing out there: a third of the size.
    """
    return page.replace("&", "&amp;").replace("'", "&#39;")


def json_text(data: Any) -> str:
    """Data as it may stand in a script element, in one order of keys."""
    # "<" must not end the element the data stands in, whatever a document says.
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


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
    styles: Sequence[str],
    scripts: Sequence[str] = (),
    caption: str = "",
    height: int = 900,
    language: str = "en",
    allowed: Sequence[str] = (),
    **parts: object,
) -> Page:
    """A page by its title, the files it is made of, and the parts that fill them.

    Args:
        template: the file of its body; `$scripts` in it are its scripts.
        styles: files (`*.css`) and rules of its own, below the style of all.
        scripts: files (`*.js`) and code of its own, in the order they run in.
        height: of its frame in a notebook, in pixels.
        allowed: scripts of pages inside it, which run by its policy.
    """
    codes = [asset(one) if one.endswith(".js") else one for one in scripts]
    elements = "".join(f"<script>{code}</script>\n" for code in codes)
    known = {"scripts": elements, "caption": escape(caption)}
    body, style = filled(template, **{**known, **parts}), stylesheet(*styles)
    run = sources([*codes, *allowed])
    return Page(document(name, style, body, run, language), name, caption, height)


def stylesheet(*styles: str) -> str:
    """The style of what is inside `.gswlab`, then files and rules of one's own."""
    named = (asset(one) if one.endswith(".css") else one for one in styles)
    return "\n".join((asset("run/parts.css"), looks_css(), *named))


def embedded(inner: str, *styles: str) -> str:
    """HTML as a notebook shows it: in the style of a page, without being one."""
    return f'<div class="gswlab"><style>{stylesheet(*styles)}</style>{inner}</div>'
