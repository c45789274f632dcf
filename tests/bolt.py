"""A real Bolt server in a process of its own, on a free port of this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

USER, PASSWORD = "root", "a long password"
ENVIRONMENT = {"NEO4J_USERNAME": USER, "NEO4J_PASSWORD": PASSWORD}
_SMALL = "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # starts in half the time


class BoltServer:
    """What `python -m gswlab.hybridrag.stores.serve FOLDER PORT` starts."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder = folder
        self.uri = f"bolt://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [
            "-m",
            "gswlab.hybridrag.stores.serve",
            str(self.folder),
            str(self.port),
        ]
        self.process = subprocess.Popen(
            [sys.executable, *command],
            env={**os.environ, **ENVIRONMENT, "ARCADEDB_JVM_ARGS": _SMALL},
            stdout=subprocess.PIPE,
            stderr=(self.folder.parent / "server.log").open("a"),
            text=True,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("serving"):
                return
        log = (self.folder.parent / "server.log").read_text()
        raise AssertionError(f"the server did not start: {log[-2000:]}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop as a user does, or at once with SIGKILL."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.communicate(timeout=60)
            self.process = None
