"""Core memory: named blocks in the window, edited by the model, limited in characters.

A block may live in another agent's file: both see it, an edit of either holds at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gswlab.core.errors import GswlabError
from gswlab.memgpt.database import Database


@dataclass(frozen=True, slots=True)
class Block:
    """A block: `description` tells a model what belongs there; `limit` is its length.

    >>> print(Block("human", "who you talk to", "Ann.", 2000))
    <human description="who you talk to" characters="4/2000">
    Ann.
    </human>
    """

    label: str
    description: str = ""
    value: str = ""
    limit: int = 2000
    read_only: bool = False

    def __str__(self) -> str:
        about = f' description="{self.description}"' if self.description else ""
        used = f' characters="{len(self.value)}/{self.limit}"'
        fixed = ' read_only="true"' if self.read_only else ""
        opened = f"<{self.label}{about}{used}{fixed}>"
        return f"{opened}\n{self.value}\n</{self.label}>"


class EditError(Exception):
    """An edit that was refused; its words are advice to whoever tried."""


@dataclass
class Core:
    """The blocks of an agent; each is read from its file whenever it is looked at."""

    db: Database
    shared: dict[str, Database] = field(default_factory=dict)

    def blocks(self) -> tuple[Block, ...]:
        """All blocks, own ones in the order they were made, then shared ones."""
        return tuple(map(self.block, self.labels()))

    def labels(self) -> list[str]:
        """The labels of `blocks`, in their order."""
        sql = "SELECT label FROM blocks ORDER BY rowid"
        own = [label for (label,) in self.db.rows(sql) if label not in self.shared]
        return [*own, *sorted(self.shared)]

    def block(self, label: str) -> Block:
        """A block as it is now.

        Raises:
            EditError: there is none of this label; the error lists those there are.
        """
        sql = "SELECT label, description, value, most, read_only FROM blocks"
        home = self.shared.get(label, self.db)
        for row in home.rows(f"{sql} WHERE label = ?", label):
            name, about, value, most, fixed = row
            return Block(name, about, value, most, bool(fixed))
        known = ", ".join(self.labels())
        raise EditError(f"there is no block {label!r}; there are: {known or 'none'}")

    def put(self, block: Block) -> None:
        """Make a block, or replace the one of its label.

        Raises:
            GswlabError: its value is over its limit.
        """
        if len(block.value) > block.limit:
            problem = f"block {block.label} has {len(block.value)} characters"
            rule = f"at most {block.limit}"
            raise GswlabError(problem, rule, f"Block({block.label!r}, limit=NUMBER)")
        self.shared.get(block.label, self.db).write(
            "INSERT INTO blocks VALUES (?, ?, ?, ?, ?) ON CONFLICT (label) DO UPDATE"
            " SET description = excluded.description, value = excluded.value,"
            " most = excluded.most, read_only = excluded.read_only",
            *(block.label, block.description, block.value, block.limit),
            int(block.read_only),
        )

    def append(self, label: str, value: str) -> Block:
        """Add a line to a block.

        Raises:
            EditError: no such block, read only, nothing to add, or over its limit.
        """
        block = self._open(label)
        if not value.strip():
            raise EditError("the value is empty; give the words to add")
        return self._write(block, f"{block.value}\n{value}" if block.value else value)

    def replace(self, label: str, old: str, new: str) -> Block:
        """Put `new` where `old` stands; an empty `new` deletes it.

        Raises:
            EditError: no such block, read only, over its limit, or `old` is empty, not
                there, or there more than once.
        """
        block = self._open(label)
        if not old:
            raise EditError(f"old is empty; core_memory_append adds to {label}")
        many = block.value.count(old)
        if many != 1:
            where = f"stands {many} times in" if many else "is not in"
            advice = "give more of the words around it" if many else "copy it exactly"
            raise EditError(f"{old[:80]!r} {where} {label}; {advice}")
        return self._write(block, block.value.replace(old, new))

    def _open(self, label: str) -> Block:
        block = self.block(label)
        if block.read_only:
            raise EditError(f"block {label} is read only; nothing was changed")
        return block

    def _write(self, block: Block, value: str) -> Block:
        over = len(value) - block.limit
        if over > 0:
            said = f"{block.label} would have {len(value)} of {block.limit} characters"
            advice = f"shorten it by {over}, or keep it with archival_memory_insert"
            raise EditError(f"{said}; {advice}")
        new = replace(block, value=value)
        self.put(new)
        return new
