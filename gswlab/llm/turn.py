"""A place in a line of calls: what is left of a budget goes to those asked first."""

from __future__ import annotations

from threading import Event


class Turn:
    """Comes when the one before has left; the first in a line waits for nobody.

    Whoever takes one has to `leave` it, whatever happens: others wait for it.
    """

    def __init__(self, before: Turn | None = None) -> None:
        self._left: Event = Event()
        self._before: Event | None = before._left if before else None

    def wait(self) -> None:
        """Return when the one before has left."""
        if self._before:
            self._before.wait()

    def leave(self) -> None:
        """Let the next one go on; leaving twice does nothing."""
        self._left.set()
