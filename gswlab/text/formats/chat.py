"""Chats as JSON: a list of messages, or an object that has them as `messages`.

A message says who (`speaker`, `role`, `name`, `author` or `from`), what (`text`,
`content` or `message`; parts of content are joined) and may say when (`time`,
`timestamp`, `date` or `create_time`: ISO 8601, or seconds since 1970).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.text.formats.source import Source, conversation

_WHO = ("speaker", "role", "name", "author", "from")
_WHAT = ("text", "content", "message")
_WHEN = ("time", "timestamp", "date", "create_time")
_READ = "python -m gswlab read CHAT.json"
_LAYOUT = '[{"speaker": "Ann", "time": "2024-05-07T21:00", "text": "It rains."}, ...]'


def messages(data: Any) -> list[Any] | None:
    """The messages of a chat's JSON; None where it is something else."""
    if isinstance(data, Mapping):
        data = data.get("messages")
    said = isinstance(data, list) and data and isinstance(data[0], Mapping)
    return data if said and any(key in data[0] for key in _WHAT) else None


def read(found: list[Any], name: str) -> Source:
    """The words of a chat's messages."""
    turns: list[tuple[str, str | None, str | None, str]] = []
    for number, message in enumerate(found):
        where = f"message {number} of {name}"
        if not isinstance(message, Mapping):
            raise GswlabError(f"{where} is no object", _LAYOUT, _READ)
        words = _first(message, _WHAT)
        if isinstance(words, list):  # parts: what is no text is no words
            parts = [part.get("text") for part in words if isinstance(part, Mapping)]
            words = "\n".join(part for part in parts if isinstance(part, str))
        if not isinstance(words, str):
            raise GswlabError(f"{where} has no text", _LAYOUT, _READ)
        who, time = _first(message, _WHO), _iso(_first(message, _WHEN), where)
        if who is not None and not isinstance(who, str):
            raise GswlabError(f"{where} is said by {who!r:.60}", _LAYOUT, _READ)
        turns.append((f"[{time}]" if time else "", time, who, words))
    return conversation(turns)


def _first(message: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((message[key] for key in keys if message.get(key) is not None), None)


def _iso(value: Any, where: str) -> str | None:
    if value is None:
        return None
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%dT%H:%M")
        return datetime.fromisoformat(value).isoformat(timespec="minutes")[:16]
    except (TypeError, ValueError, OverflowError, OSError) as error:
        rule = "ISO 8601, or seconds since 1970"
        problem = f"{where} has the time {value!r:.60}"
        raise GswlabError(problem, rule, _READ) from error
