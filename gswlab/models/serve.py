"""The process of the local model's server, run as a script by `gswlab.models.local`.

Its settings come as one line of JSON on standard input, its address goes to standard
output, and it ends when its input does: with whoever started it, however that ended.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

_KEPT = 1024  # MiB of what prompts begin with


def serve(settings: dict[str, Any]) -> Any:
    """A server on loopback, at a port that was free, for those who know the key."""
    from xllamacpp import CommonParams, Server

    params = CommonParams()
    params.model.path = settings["weights"]
    params.n_ctx, params.n_parallel = settings["context"], 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys, params.cors_origins = [settings["key"]], ""
    params.ui = params.endpoint_slots = False
    params.endpoint_metrics = True
    params.verbosity = 1  # errors
    reuse = settings["reuse"]
    params.cache_prompt, params.cache_ram_mib = reuse, _KEPT if reuse else 0
    return Server(params)


if __name__ == "__main__":
    running = serve(json.loads(sys.stdin.readline()))
    print(running.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)  # a reply under way is not waited for
