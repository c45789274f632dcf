"""The wire: one request to an OpenAI-compatible server, its faults sorted in three.

- gone by itself (429, 5xx, time-out, lost connection): the client waits and tries
  again, `Retry-After` honoured; when it stays, the ask fails and the run goes on;
- true of every ask (no such model, no right to it): the run stops with one sentence;
- a parameter or form is not understood (400, 422, 501): the client says it otherwise
  (`dialect`), which the model remembers.

The key is read from the environment when the first request is made. It is in no field,
it is sent in one header and to no other address than the one that was named, and it is
masked where a server repeats it as a word of its own.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import urljoin, urlsplit

from pydantic import BaseModel, Field, ValidationError

from gswlab.core.errors import GswlabError
from gswlab.models.ask import Ask, ModelError
from gswlab.models.dialect import request_body

if TYPE_CHECKING:
    from openai import OpenAI


# What a server must send, of all that it may: checked here, trusted from here on.

_Count = Annotated[int, Field(ge=0)]
_Number = Annotated[float, Field(allow_inf_nan=False)]


class _Called(BaseModel):
    name: str
    arguments: str = ""  # as the model wrote them


class _ToolCall(BaseModel):
    function: _Called


class _Message(BaseModel):
    content: str | None = None  # a refusal has none
    tool_calls: list[_ToolCall] | None = None
    # what it thought before: vLLM and Ollama have the one name, llama.cpp the other
    reasoning: Any = None
    reasoning_content: Any = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Read(BaseModel):
    cached_tokens: _Count | None = None


class _Wrote(BaseModel):
    reasoning_tokens: _Count | None = None


class _Usage(BaseModel):
    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0
    prompt_tokens_details: _Read | None = None
    completion_tokens_details: _Wrote | None = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None  # a server may leave its count out


class _Row(BaseModel):
    index: int
    embedding: list[_Number]


class _Vectors(BaseModel):
    data: list[_Row]
    usage: _Usage | None = None


_Body = TypeVar("_Body", _Completion, _Vectors)


def _sent(body: bytes, kind: type[_Body]) -> _Body:
    """A body, or the failure of its ask with every problem and its path."""
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
    errors = [
        f"{'.'.join(map(str, e['loc'])) or 'the body'}: {e['msg']}" for e in found
    ]
    raise ModelError(
        f"the server sent no {kind.__name__.lower().strip('_')}", tuple(errors)
    )


_MOST_BYTES = 8_000_000  # 64 vectors of 4,096 numbers are 6 million
_SHORTEST, _LONG_WORD = 8, 20  # characters of a key that no reply has as a word
_NO_KEY = "none"  # what servers without keys are sent
_KEYED = "api.openai.com"  # answers nobody without one


def _transport(error: Exception) -> str:
    """What broke on the way, in words: that of the cause, where one is told."""
    causes = [error]
    while causes[-1].__cause__ is not None and len(causes) < 9:
        causes.append(causes[-1].__cause__)  # type: ignore[arg-type]
    names = " ".join(type(cause).__name__ for cause in causes)
    if "Timeout" in names:
        return "it took too long"
    said = next((text for c in causes[::-1] if (text := " ".join(str(c).split()))), "")
    return f"the connection broke: {said[:300] or 'no more is known'}"


_THOUGHT = re.compile(r"\s*<think>(.*?)(?:</think>\s*|\Z)", re.DOTALL)


def _is_address(text: str) -> bool:
    """Whether a client can call it; what none can call is a setting to mend.

    >>> [_is_address(f"http://{it}/v1") for it in ("a:80", ":80", "a:x", "[::1", "a b")]
    [True, False, False, False, False]
    """
    try:
        parts = urlsplit(text)
        callable_ = parts.hostname and (parts.port or parts.port is None)
    except ValueError:
        return False
    one_word = text.isprintable() and not re.search(r"\s", text)
    return bool(callable_ and one_word and parts.scheme in ("http", "https"))


class RefusedError(Exception):
    """A form of request that the server does not take."""


@dataclass(frozen=True)
class Endpoint:
    """A server, and how long and how often it is tried."""

    base_url: str
    key_env: str
    timeout: float
    retries: int

    def __post_init__(self) -> None:
        # neither value is repeated before it is known to be no secret
        if not re.fullmatch("[A-Z_][A-Z0-9_]*", self.key_env):
            rule = "the name of an environment variable, which holds the key"
            raise GswlabError("llm.key_env is no such name", rule, "export NAME=KEY")
        if "@" in self.base_url or "?" in self.base_url:
            rule = "an address alone: keys come from the environment"
            command = f"export {self.key_env}=KEY"
            raise GswlabError("llm.base_url is more than an address", rule, command)
        if not _is_address(self.base_url):
            rule = "an http or https address, as http://127.0.0.1:8000/v1"
            problem = f"llm.base_url cannot be {self.base_url!r}"
            raise GswlabError(problem, rule, "llm.base_url=URL")

    @property
    def name(self) -> str:
        """Who answers: the host, without the port where a local server gets any."""
        parts = urlsplit(self.base_url)
        local = parts.hostname in ("127.0.0.1", "localhost", "::1")
        return str(parts.hostname) if local else parts.netloc + parts.path.rstrip("/")

    def chat(
        self, ask: Ask, dialect: Collection[str], settings: Mapping[str, Any]
    ) -> dict[str, Any]:
        """One reply: text, cut, input_tokens, output_tokens.

        Where there are any: `calls`, `cached_tokens` that the server had read before,
        and whether the model `thought` first.
        """
        create = self._client.chat.completions.with_streaming_response.create
        said = request_body(ask, dialect, settings)
        found = _sent(self._asked(lambda: create(**said)), _Completion)
        choice, usage = found.choices[0], found.usage or _Usage()
        message = choice.message
        made = [call.function for call in message.tool_calls or ()]
        calls = [[self._clean(f.name), self._clean(f.arguments)] for f in made]
        text, wrote = message.content or "", usage.completion_tokens_details
        thought = message.reasoning or message.reasoning_content
        thought = thought or (wrote and wrote.reasoning_tokens)
        if aloud := _THOUGHT.match(text):
            text, thought = text[aloud.end() :], True
        read = usage.prompt_tokens_details
        more = {
            "calls": calls,
            "cached_tokens": (read and read.cached_tokens) or 0,
            "thought": bool(thought),
        }
        return {
            **{name: value for name, value in more.items() if value},
            "text": self._clean(text),
            "cut": choice.finish_reason == "length",
            "input_tokens": usage.prompt_tokens,
            "output_tokens": usage.completion_tokens,
        }

    def embed(self, texts: Sequence[str], model: str) -> tuple[list[list[float]], int]:
        """The vectors of texts in their order, and how many tokens they were."""
        create = self._client.embeddings.with_streaming_response.create
        asked: Any = {"input": list(texts), "model": model, "encoding_format": "float"}
        found = _sent(self._asked(lambda: create(**asked)), _Vectors)
        rows = sorted(found.data, key=lambda row: row.index)
        sizes = {len(row.embedding) for row in rows}
        if [row.index for row in rows] != [*range(len(texts))] or len(sizes) != 1:
            sent = f"{len(rows)} vectors of sizes {sorted(sizes)}"
            raise ModelError(f"{self.base_url} sent {sent} for {len(texts)} texts")
        tokens = (found.usage or _Usage()).prompt_tokens
        return [row.embedding for row in rows], tokens

    def _asked(self, send: Callable[[], Any]) -> bytes:
        import openai

        denied = openai.AuthenticationError, openai.PermissionDeniedError
        every = (*denied, openai.NotFoundError)
        form = openai.BadRequestError, openai.UnprocessableEntityError
        try:
            with send() as response:
                # a body, as far as it is no larger and no slower than a reply can be
                body, until = bytearray(), time.monotonic() + self.timeout
                for part in response.iter_bytes():
                    body += part
                    if len(body) > _MOST_BYTES:
                        raise self._failed(f"it has more than {_MOST_BYTES} bytes")
                    if time.monotonic() > until:
                        said = f"its body took longer than {self.timeout:g} s"
                        raise self._failed(said)
                return bytes(body)
        except every as error:
            failure: Exception = GswlabError(
                f"{self.base_url} refuses: {self._clean(str(error))}",
                f"a model that it serves, and its key in {self.key_env}",
                f"export {self.key_env}=KEY, or llm.model=NAME",
            )
        except form as error:
            failure = RefusedError(self._clean(str(error)))
        except openai.APIStatusError as error:
            said, where = self._clean(str(error)), error.response.headers
            failure = self._failed(said)
            if error.status_code == 501:
                failure = RefusedError(said)
            elif error.status_code // 100 == 3 and "location" in where:
                failure = self._redirected(where["location"])
        except GswlabError:
            raise
        except Exception as error:  # whatever broke under way, of whichever library
            failure = self._failed(self._clean(_transport(error)))
        # Outside the handlers: the client's own error, which holds the request with
        # its key, is not carried along.
        raise failure

    def _failed(self, said: str) -> ModelError:
        return ModelError(f"{self.base_url} gave no reply: {said}")

    def _redirected(self, where: str) -> GswlabError:
        """What a server that sends us elsewhere is: nothing is sent there."""
        other = urljoin(f"{self.base_url}/", where).partition("?")[0]
        rule = "what is asked goes to the address that was named, and to no other"
        problem = f"{self.base_url} sends us on to {self._clean(other)[:200]}"
        command = f"llm.base_url={self.base_url.rstrip('/')}"
        if (near := urlsplit(other)).path.endswith("/chat/completions"):
            command = f"llm.base_url={near.scheme}://{near.netloc}"
            command += near.path.removesuffix("/chat/completions")
        return GswlabError(problem, rule, command)

    @property
    def _key(self) -> str:
        """The key, without the end of a line that it was read from."""
        return os.environ.get(self.key_env, "").strip()

    def _clean(self, text: str) -> str:
        """What a server said without the key, where it stands as a key does.

        A key that is a word like others, or a letter, cannot be told from the text.
        """
        key = self._key
        if len(key) < (_LONG_WORD if key.isalpha() else _SHORTEST):
            return text
        return re.sub(rf"(?<!\w){re.escape(key)}(?!\w)", "***", text)

    def ready(self) -> None:
        """Fail where nobody could be asked from here: no client, or no key."""
        if find_spec("openai") is None:
            rule = "the client of models is in the extra llm"
            command = 'pip install "gswlab[llm]"'
            raise GswlabError("openai is not installed", rule, command)
        if not (self._key.isascii() and self._key.isprintable()):
            # it is not repeated: most of it is the key
            rule, command = "a key is ASCII, on one line", f"export {self.key_env}=KEY"
            raise GswlabError(f"{self.key_env} holds no key", rule, command)
        if not self._key and self.name.startswith(_KEYED):
            rule, command = f"{self.name} wants a key", f"export {self.key_env}=KEY"
            raise GswlabError(f"{self.key_env} is not set", rule, command)

    @cached_property
    def _client(self) -> OpenAI:
        self.ready()
        from openai import DefaultHttpxClient, OpenAI

        return OpenAI(
            base_url=self.base_url,
            api_key=self._key or _NO_KEY,
            timeout=self.timeout,
            max_retries=self.retries,
            http_client=DefaultHttpxClient(follow_redirects=False),
        )
