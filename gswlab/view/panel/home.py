"""Where what widgets say is done: in the thread that runs the cells."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress


class Home:
    """The thread in which a panel was made: what it is of belongs to that thread.

    A notebook may hand over what its widgets say in another thread than it runs cells
    in, at the same time; a journal, as any SQLite file, is one thread's.
    """

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self._loop: asyncio.AbstractEventLoop | None = None
        with suppress(RuntimeError):  # no loop runs: this is no notebook
            self._loop = asyncio.get_running_loop()

    def call(self, action: Callable[..., object], *given: object) -> None:
        """Do something in this thread: at once, or when it has done what it does."""
        if self._loop is None or threading.get_ident() == self._thread:
            action(*given)
        else:
            self._loop.call_soon_threadsafe(action, *given)
