"""What stands in the window: every entry as one packed JSON event, counted as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gswlab.core.budget import count_tokens
from gswlab.memory.memgpt.nouns import Message


def packed(**values: Any) -> str:
    """One line of JSON; what is None is left out.

    >>> packed(type="user_message", time=None, message="左様なら")
    '{"type": "user_message", "message": "左様なら"}'
    """
    told = {key: value for key, value in values.items() if value is not None}
    return json.dumps(told, ensure_ascii=False)


def shown(message: Message) -> str:
    """A message as a model is shown it; what is no message is packed already."""
    if message.kind != "message":
        return message.text
    text = shortened(message.text, message.most) if message.most else message.text
    if message.role == "assistant":
        return call("send_message", {"message": text})
    said = {"time": message.time, "message": text}
    return packed(type="user_message", **{"from": message.speaker, **said})


def call(name: str, arguments: Mapping[str, Any], thought: str = "") -> str:
    """A call as a model makes it."""
    made = {"function": name, "arguments": dict(arguments)}
    return packed(thought=thought or None, call=made)


def shortened(text: str, most: int) -> str:
    """A text of at most about `most` tokens that says what was left out.

    >>> shortened("one two three four five six", 3)
    'one two thr ... (3 of 6 tokens; the rest is in storage)'
    """
    total = count_tokens(text)
    if total <= most:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(text[:middle]) <= most:
            low = middle
        else:
            high = middle - 1
    return f"{text[:low]} ... ({most} of {total} tokens; the rest is in storage)"
