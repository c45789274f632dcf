"""What every page of ours is put together from: files of this package, data, a policy.

A page is one file: scripts run by the hash of their bytes, under a content security
policy that allows nothing else, so data can be hostile and stays data.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any


def policy(scripts: tuple[str, ...]) -> str:
    """The content security policy under which these scripts run and no other."""
    allowed = " ".join(sources(scripts))
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def sources(scripts: tuple[str, ...]) -> list[str]:
    """What a policy calls these scripts: the hashes of their bytes."""
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def json_text(data: Any) -> str:
    """Data as it may stand in a script element, in one order of keys."""
    # "<" must not end the element the data stands in, whatever a document says.
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


@cache
def asset(name: str) -> str:
    """A file that stands beside this one."""
    return (files("gswlab.view") / name).read_text(encoding="utf-8").strip()
