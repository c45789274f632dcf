"""What can be set of an agent, with the published values as defaults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, get_type_hints

from pydantic import Field

from gswlab.core.errors import checked
from gswlab.memgpt.archival_storage import How
from gswlab.memgpt.recall_storage import By

_Count = Annotated[int, Field(ge=1)]
_Maybe = Annotated[int, Field(ge=0)]
_Share = Annotated[float, Field(gt=0, le=1)]


@dataclass(kw_only=True)
class Settings:
    """Sizes in tokens of cl100k_base, shares from 0 to 1.

    `window` is the whole context, `reply` what is kept free of it for a reply. At
    `warn` of the window the model is warned, or with `pressure=summarise` what is old
    is evicted at once; when the queue is over its capacity, `evict` of it goes.
    `calls`, `repeats` and `failures` are the most calls for one message, the same call
    in it, and failed calls in a row. `page` is the hits of a page, `batch` the pages
    one search brings in, `prefetch` the hits brought in before a message is thought
    about. `keep` says which chunks archival storage gets: those without a speaker
    (`passages`), `all`, or `none`; `around` is how many neighbours a message found
    brings along. `replies` says whether what is read is answered as well.
    """

    window: int = 8192
    reply: int = 512
    pressure: Literal["warn", "summarise"] = "warn"
    warn: float = 0.7
    evict: float = 0.5
    summary: Literal["extractive", "llm"] = "extractive"
    summary_tokens: int = 200
    calls: int = 20
    repeats: int = 3
    failures: int = 3
    page: int = 5
    batch: int = 1
    prefetch: int = 0
    recall_by: By = "auto"
    archival_by: How = "both"
    weight: float = 0.5
    keep: Literal["passages", "all", "none"] = "passages"
    around: int = 0
    replies: bool = False
    persona: str = ""
    human: str = ""
    limit: int = 2000
    language: str = "en"
    file: str | None = field(default=None, metadata={"path": True})

    def __post_init__(self) -> None:
        rules = {
            "window reply summary_tokens limit": _Count,
            "calls repeats failures page batch": _Count,
            "prefetch around": _Maybe,
            "warn evict": _Share,
        }
        for names, rule in rules.items():
            for name in names.split():
                checked(getattr(self, name), rule, f"memory.{name}")
        hints = get_type_hints(Settings)
        for name in ("pressure", "summary", "recall_by", "archival_by", "keep"):
            checked(getattr(self, name), hints[name], f"memory.{name}")
