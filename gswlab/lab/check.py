"""Whether a run folder is what a run wrote, and what it would want of this machine.

An accident is found, a forgery is not: whoever can write the journal can write its
digests as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from gswlab.bench.folder import RunFolder
from gswlab.core import database
from gswlab.core.codec import decode_step
from gswlab.core.errors import GswlabError
from gswlab.core.files import own
from gswlab.lab.config import config_of, sifted
from gswlab.lab.trust import settings_of
from gswlab.models.ledger import entries

_MOST = 20  # rows that are named one by one


def damage_in(folder: str | Path) -> Iterator[str]:
    """What is wrong with a run folder, a sentence each; nothing where all is whole.

    Raises:
        GswlabError: there is no journal, or it cannot be opened at all.
    """
    at = RunFolder(Path(folder))
    for path in sorted(at.path.iterdir()) if at.path.is_dir() else ():
        if path.is_symlink():
            yield from _said(own, path)
    with closing(at.reading()) as journal:
        damaged = list(islice(journal.damages(), _MOST))
        yield from map(str, damaged)
        if not damaged:
            yield from _said(lambda: [*journal.documents(), *journal.chunks()])
            yield from _said(journal.workspace)
            if known := journal.meta.get("settings"):
                yield from _said(settings_of, at.path, known)
    yield from _said(entries, at.ledger)
    yield from _said(at.seconds)
    for name in ("scores.json", "ledger.json"):
        yield from _said(at.read_json, name)
    for path in sorted(at.path.glob("*.jsonl")):
        yield from _said(at.read_lines, path.name, mend=False)


def _said(
    does: Callable[..., object], *given: object, **named: object
) -> Iterator[str]:
    try:
        does(*given, **named)
    except GswlabError as error:
        yield str(error)


def wishes(folder: str | Path) -> Iterator[str]:
    """What a whole run folder wants of this machine, and how that would be allowed."""
    settings = config_of(Path(folder))[0].settings
    for group in sorted(settings):
        yield from _said(settings.__getitem__, group)
    yield from _said(sifted, Path(folder))


def upgrade(folder: str | Path) -> int:
    """Give a journal of an older version its digests; returns how many steps it has.

    What is in it is read as strictly as ever, and written beside: it is replaced whole.

    Raises:
        GswlabError: a step cannot be read; nothing is changed.
    """
    path = RunFolder(Path(folder)).journal
    tables = database.older(path)
    for chunk, undoes, text in tables["steps"]:
        step = decode_step(text)
        if (step.chunk, step.undoes) != (chunk, undoes):
            rule = "a step and its row name one chunk"
            raise GswlabError(f"step {step.index + 1} of {path} is damaged", rule)
    database.write_whole(path, tables)
    return len(tables["steps"])
