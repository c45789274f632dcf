"""What a server must send, of all that it may: checked here, trusted from here on."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BaseModel, Field, ValidationError

from gswlab.llm.ask import ModelError

Count = Annotated[int, Field(ge=0)]
Number = Annotated[float, Field(allow_inf_nan=False)]


class Called(BaseModel):
    """The function of a tool call, its arguments as the model wrote them."""

    name: str
    arguments: str = ""


class ToolCall(BaseModel):
    """One call of a tool."""

    function: Called


class Message(BaseModel):
    """The model's turn; a refusal has no content."""

    content: str | None = None
    tool_calls: list[ToolCall] | None = None


class Choice(BaseModel):
    """One reply of those asked for, which is one."""

    message: Message
    finish_reason: str | None = None


class Usage(BaseModel):
    """Tokens as the server counts them."""

    prompt_tokens: Count = 0
    completion_tokens: Count = 0


class Completion(BaseModel):
    """The body of a chat completion; a server may leave its count out."""

    choices: list[Choice] = Field(min_length=1)
    usage: Usage | None = None


class Row(BaseModel):
    """The vector of one text."""

    index: int
    embedding: list[Number]


class Vectors(BaseModel):
    """The body of an embeddings reply."""

    data: list[Row]
    usage: Usage | None = None


Body = TypeVar("Body", Completion, Vectors)


def read(body: bytes, kind: type[Body]) -> Body:
    """A body, or the failure of its ask with every problem and its path."""
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
    errors = [
        f"{'.'.join(map(str, e['loc'])) or 'the body'}: {e['msg']}" for e in found
    ]
    raise ModelError(f"the server sent no {kind.__name__.lower()}", tuple(errors))
