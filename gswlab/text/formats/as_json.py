"""Texts as JSON: the two published layouts of an EpBench book, and chats.

- a book is an object `{"Chapter 1": text, ...}`, its keys in any order, or one string
  that holds the whole book with its `Chapter k` headings. Both give the same text:
  `Chapter k`, a blank line, the paragraphs; two blank lines between chapters;
- a chat is a list of messages, or an object that has them as `messages`. A message says
  who (`speaker`, `role`, `name`, `author` or `from`), what (`text`, `content` or
  `message`; parts of content are joined) and may say when (`time`, `timestamp`, `date`
  or `create_time`: ISO 8601, or seconds since 1970).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from gswlab.core.errors import GswlabError, shell_word
from gswlab.text.formats.transcript import Source, conversation

_WHO = ("speaker", "role", "name", "author", "from")
_WHAT = ("text", "content", "message")
_WHEN = ("time", "timestamp", "date", "create_time")
_KEY = re.compile(r"Chapter ([0-9]{1,6})")
_BOOK = '{"Chapter 1": "text", ...} or one string'
_RUN = "python -m gswlab run experiment=epbench dataset.book=FILE"
_CHAT = '[{"speaker": "Ann", "time": "2024-05-07T21:00", "text": "It rains."}, ...]'
_READ = "python -m gswlab read CHAT.json"


def read_json(text: str, name: str) -> Source:
    """The book or the chat that JSON holds; `name` is what errors call it."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        held = dict(pairs)
        if len(held) < len(pairs):  # a dict would drop the first in silence
            twice = next(k for k in held if sum(k == key for key, _ in pairs) > 1)
            raise GswlabError(f"{name} has {twice[:60]!r} twice", _BOOK, _RUN)
        return held

    try:
        held = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        problem = f"{name} is not JSON: {str(error).splitlines()[0]}"
        raise GswlabError(problem, _BOOK, _RUN) from error
    if is_official(held):
        problem = f"{name} is a workspace of the published code, no text"
        rule = "experiment=official opens it, dataset.text=TEXT is what it was made of"
        raise GswlabError(problem, rule, f"python -m gswlab read {shell_word(name)}")
    said = held.get("messages") if isinstance(held, dict) else held
    said = said if isinstance(said, list) else []
    first = next(iter(said), None)
    if isinstance(first, dict) and not first.keys().isdisjoint(_WHAT):
        return _chat(said, name)
    return Source(held if isinstance(held, str) else _book(held, name))


def _book(held: Any, name: str) -> str:
    if not isinstance(held, dict) or not held:
        raise GswlabError(f"{name} is no book", _BOOK, _RUN)
    chapters: list[tuple[int, str]] = []
    for key, text in held.items():
        if not (match := _KEY.fullmatch(key)):
            raise GswlabError(f"{name} has the key {key[:60]!r}", _BOOK, _RUN)
        if not isinstance(text, str):
            raise GswlabError(f"{key} of {name} is no text", _BOOK, _RUN)
        heading = f"Chapter {int(match[1])}\n"
        told = text if text.startswith(heading) else f"{heading}\n{text}"
        chapters.append((int(match[1]), told))
    return "\n\n\n".join(told for _, told in sorted(chapters))


def _chat(said: list[Any], name: str) -> Source:
    turns: list[tuple[str, str | None, str | None, str]] = []
    for number, message in enumerate(said):
        where = f"message {number} of {name}"
        if not isinstance(message, dict):
            raise GswlabError(f"{where} is no object", _CHAT, _READ)
        who, words, when = (
            next((message[key] for key in keys if message.get(key) is not None), None)
            for keys in (_WHO, _WHAT, _WHEN)
        )
        if isinstance(words, list):  # parts: what is no text is no words
            parts = [part.get("text") for part in words if isinstance(part, dict)]
            words = "\n".join(part for part in parts if isinstance(part, str))
        if not isinstance(words, str):
            raise GswlabError(f"{where} has no text", _CHAT, _READ)
        if who is not None and not isinstance(who, str):
            raise GswlabError(f"{where} is said by {who!r:.60}", _CHAT, _READ)
        time = None if when is None else _iso(when, where)
        turns.append((f"[{time}]" if time else "", time, who, words))
    return conversation(turns)


def _iso(when: Any, where: str) -> str:
    try:
        if isinstance(when, int | float):
            return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%dT%H:%M")
        return datetime.fromisoformat(when).isoformat(timespec="minutes")[:16]
    except (TypeError, ValueError, OverflowError, OSError) as error:
        rule = "ISO 8601, or seconds since 1970"
        problem = f"{where} has the time {when!r:.60}"
        raise GswlabError(problem, rule, _READ) from error


def is_official(data: Any) -> bool:
    """Whether JSON looks like a file of the published code, right or not."""
    held = data if isinstance(data, Mapping) else {}
    chapters = isinstance(held.get("documents"), Mapping)
    return chapters or not held.keys().isdisjoint({"gsw", "entity_nodes"})
