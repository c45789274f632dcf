"""What is always in the window: instructions, core memory, functions, room to reply."""

from __future__ import annotations

from functools import lru_cache

from gswlab.core.budget import count_tokens
from gswlab.memory.memgpt import functions
from gswlab.memory.memgpt.settings import Settings
from gswlab.memory.memgpt.storage import Storage
from gswlab.memory.memgpt.window import Part, PartName
from gswlab.models.prompt import prompt

counted = lru_cache(maxsize=256)(count_tokens)  # these texts repeat, turn after turn


def fixed(settings: Settings, storage: Storage) -> list[Part]:
    """The parts that are never evicted, in the order a model is sent them."""
    return [
        _sized("system", "", system(settings, storage)),
        *(_sized("core", b.label, f"{b}\n") for b in storage.core.blocks()),
        _sized("functions", "", functions.manual(settings.language)),
        Part("reply", "", settings.reply, ""),
    ]


def system(settings: Settings, storage: Storage) -> str:
    """The instructions, and how much lies outside of the window."""
    told = prompt("memgpt", settings.language).system
    recall, archival = len(storage.recall), len(storage.archival)
    tags = ", ".join(storage.archival.tags())
    counts = f"recall storage: {recall} messages; archival storage: {archival}"
    tagged = f"; tags: {tags}" if tags else ""
    return f"{told}\n\n{counts} passages{tagged}\n\n"


def _sized(part: PartName, id_: str, text: str) -> Part:
    return Part(part, id_, counted(text), text)
