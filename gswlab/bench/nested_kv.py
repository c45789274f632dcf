"""Nested key-value retrieval: a key whose value is a key, n look-ups deep.

The exact construction of MemGPT's experiments (arXiv 2310.08560, 3.2.2): 140 pairs of
UUIDs; an ordering i_0 ... i_{n-1} makes the value of key i_k the key i_{k+1}, positions
unmoved; the answer is the original value of key i_{n-1}. n look-ups are n - 1 nestings.

What makes it harder, `variant`:

============ ====================================================================
distractors  three keys beside each key of the chain that differ in their last part
overwritten  each key of the chain had another value before, itself a key
pages        24 pairs whose value is a key of the chain: more than a page of hits
============ ====================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field, TypeAdapter

from gswlab.bench.epbench import refused
from gswlab.bench.folder import digest_of_data
from gswlab.bench.task import TaskQuestion, TextLine, World, Worlds, laid, number_range
from gswlab.bench.texts import PATH, existing_file
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError, checked

_COMMAND = "python -m gswlab run experiment=nested_kv"
_ASKED = (
    'Look up the value of the key "{}". While what you find is itself a key, look up'
    " its value too. What is the last value?"
)
_Pair = tuple[str, str]
_Variant = Literal["plain", "distractors", "overwritten", "pages"]
_NEAR, _HITS = 3, 24


class _Base(BaseModel):
    ordered_kv_records: Annotated[list[_Pair], Field(min_length=2)]


@dataclass
class NestedKV(Worlds):
    """A world an ordering; `lookups` and `orderings` are a number or a range from 1."""

    folder: str | None = field(default=None, metadata=PATH)
    variant: _Variant = "plain"
    lookups: str = "1-6"
    orderings: str = "1-100"
    seed: int = 0

    def __post_init__(self) -> None:
        checked(self.variant, _Variant, "dataset.variant")

    @cached_property
    def laid(self) -> tuple[Document, tuple[World, ...]]:
        """A world an ordering, few look-ups first, each with its one question."""
        base = self._base
        depths = number_range(str(self.lookups), "dataset.lookups", _COMMAND)
        chains = [chain for n in depths for chain in self._chains(n, len(base))]
        told = [self._pairs(base, chain, row) for row, chain in enumerate(chains)]
        lines = [[TextLine(f"{key}: {value}") for key, value in own] for own in told]
        document, chunks = laid("nested_kv", lines)
        worlds = []
        rows = zip(chains, told, chunks, strict=True)
        for row, (chain, own, read) in enumerate(rows):
            on_way, pairs = _on_way(base, chain), zip(read, own, strict=True)
            gold = frozenset(chunk.id for chunk, pair in pairs if pair in on_way)
            text, answer = _ASKED.format(base[chain[0]][0]), base[chain[-1]][1]
            asked = TaskQuestion(f"{row}", text, (answer,), str(len(chain)), gold)
            worlds.append(World(f"ordering {row}", tuple(read), (asked,)))
        return document, tuple(worlds)

    def _pairs(
        self, base: Sequence[_Pair], chain: Sequence[int], row: int
    ) -> list[_Pair]:
        """All pairs of a world, in order; a latest value stands behind earlier ones."""
        rng = Random(f"{self.seed}/{row}")
        nested = dict(_on_way(base, chain))
        found = [(key, nested.get(key, value)) for key, value in base]
        keys, added = [base[index][0] for index in chain], list[_Pair]()
        if self.variant == "distractors":
            for key in [key for key in keys for _ in range(_NEAR)]:
                last = _uuid(rng).rpartition("-")[2]
                added.append((f"{key.rpartition('-')[0]}-{last}", _uuid(rng)))
        elif self.variant == "pages":
            added = [(_uuid(rng), key) for key in keys for _ in range(_HITS)]
        elif self.variant == "overwritten":
            others = [key for key, _ in base if key not in nested]
            first = [(key, rng.choice(others)) for key in keys]
            for key, value in first:  # anywhere before the later one
                at = next(n for n, pair in enumerate(found) if pair[0] == key)
                found.insert(rng.randrange(at + 1), (key, value))
        for pair in added:  # anywhere among the others
            found.insert(rng.randrange(len(found) + 1), pair)
        return found

    @cached_property
    def _base(self) -> list[_Pair]:
        path = self._file("kv_140_keys_first.jsonl")
        rule = 'one JSON object: {"ordered_kv_records": [[KEY, VALUE], ...]}'
        with refused(path, rule, _COMMAND):
            found = _Base.model_validate_json(path.read_bytes()).ordered_kv_records
        keys = {key for key, _ in found}
        if len(keys) < len(found) or keys & {value for _, value in found}:
            rule = "every key once, and none of them a value"
            raise GswlabError(f"{path} repeats a key", rule, _COMMAND)
        return found

    def _chains(self, depth: int, many: int) -> list[list[int]]:
        """The orderings of so many look-ups that are asked for."""
        name = f"random_orderings_100_samples_140_indices_{depth}_levels.jsonl"
        path = self._file(name)
        rule = f"a JSON list of {depth} different numbers below {many} a line"
        row = Annotated[int, Field(ge=0, lt=many)]
        length = Field(min_length=depth, max_length=depth)
        layout = TypeAdapter(Annotated[list[row], length])
        with refused(path, rule, _COMMAND):
            lines = path.read_text("utf-8").splitlines()
            found = [layout.validate_json(line) for line in lines if line.strip()]
        if any(len(set(chain)) < depth for chain in found):
            raise GswlabError(f"{path} repeats a number in an ordering", rule, _COMMAND)
        wanted = number_range(str(self.orderings), "dataset.orderings", _COMMAND)
        return [chain for n, chain in enumerate(found, 1) if n in wanted]

    def _file(self, name: str) -> Path:
        folder = existing_file(self.folder, "dataset.folder", _COMMAND)
        return existing_file(str(folder / name), "dataset.folder", _COMMAND)

    def hashes(self) -> dict[str, str]:
        """The hash of all pairs and answers."""
        gold = [q.answers for world in self.worlds for q in world.questions]
        return {"questions": digest_of_data(gold)}


def _on_way(base: Sequence[_Pair], chain: Sequence[int]) -> list[_Pair]:
    """The pairs of a chain: each key with the next one, the last with its own value."""
    keys = [base[index][0] for index in chain]
    return [*pairwise(keys), (keys[-1], base[chain[-1]][1])]


def _uuid(rng: Random) -> str:
    return str(UUID(int=rng.getrandbits(128), version=4))
