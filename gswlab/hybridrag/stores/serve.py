"""A Bolt server for whoever has none: ArcadeDB, from the extra `graphdb`.

    NEO4J_PASSWORD=WORD python -m gswlab.hybridrag.stores.serve FOLDER [PORT]

It listens on this machine alone, keeps its graphs in FOLDER, and runs until it is
interrupted. A run finds it by `store=neo4j store.uri=bolt://localhost:PORT`, with the
same password and `NEO4J_USERNAME=root` in its environment.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path

from gswlab.core.errors import GswlabError

_HOST = "127.0.0.1"
_COMMAND = "NEO4J_PASSWORD=WORD python -m gswlab.hybridrag.stores.serve FOLDER [PORT]"
_SHORTEST = 8  # characters of a password that ArcadeDB takes
_PLUGIN = "Bolt:com.arcadedb.bolt.BoltProtocolPlugin"


def serve_graphs(folder: Path, port: int = 7687) -> None:
    """Serve Bolt on a port of this machine until SIGINT or SIGTERM.

    Raises:
        GswlabError: no password, no server installed, or the port is taken.
    """
    password = os.environ.get("NEO4J_PASSWORD", "")
    if len(password) < _SHORTEST:
        rule = f"NEO4J_PASSWORD holds {_SHORTEST} characters or more"
        raise GswlabError("the server has no password", rule, _COMMAND)
    try:
        import arcadedb_embedded as arcadedb
    except ImportError:
        rule, command = "it is in the extra graphdb", 'pip install "gswlab[graphdb]"'
        problem = "arcadedb-embedded is not installed"
        raise GswlabError(problem, rule, command) from None
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)  # where its engine writes logs, whatever it is told
    listening = {"host": _HOST, "http_port": _free(0), "bolt_port": _free(port)}
    config = {**listening, "server_plugins": _PLUGIN}
    server = arcadedb.create_server(str(folder), password, config)
    stop = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, stop)
    with server:
        server.create_database("graph")
        uri = f"bolt://{_HOST}:{listening['bolt_port']}"
        print(f"serving {folder} to NEO4J_USERNAME=root at {uri}", flush=True)
        signal.sigwait(stop)
    os._exit(0)  # a client that holds its connection would hold this process too


def _free(port: int) -> int:
    """The port, or a free one for 0."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_HOST, port))
        except OSError as error:
            problem = f"port {port} cannot be listened on: {error.strerror}"
            raise GswlabError(problem, "a free port", _COMMAND) from None
        return int(probe.getsockname()[1])


def _main(arguments: list[str]) -> int:
    """Serve, or say in one sentence why not."""
    try:
        folder, port = Path(arguments[0]).absolute(), int((*arguments[1:], "7687")[0])
        serve_graphs(folder, port)
    except (IndexError, ValueError):
        print(f"try: {_COMMAND}", file=sys.stderr)
        return GswlabError.status
    except GswlabError as error:
        print(error, file=sys.stderr)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
