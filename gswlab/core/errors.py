"""One family of errors: a sentence with the value, the rule and the next command."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import ConfigDict, TypeAdapter, ValidationError


class GswlabError(Exception):
    """What a user can mend. Printed as one sentence, without a traceback.

    >>> print(GswlabError("no step 99", "0 to 12", "python -m gswlab step RUN 12"))
    no step 99 (rule: 0 to 12); try: python -m gswlab step RUN 12
    """

    status = 2  # of a command that ends with it

    def __init__(self, problem: str, rule: str = "", command: str = "") -> None:
        self.problem, self.rule, self.command = problem, rule, command
        text = problem + (f" (rule: {rule})" if rule else "")
        super().__init__(text + (f"; try: {command}" if command else ""))

    def __reduce__(self) -> tuple[type[GswlabError], tuple[str, str, str]]:
        return type(self), (self.problem, self.rule, self.command)


def shell_word(path: object) -> str:
    """A path as a shell takes it, one word: a folder's name is not always ours.

    >>> shell_word("my run"), shell_word("runs/story")
    ("'my run'", 'runs/story')
    """
    return shlex.quote(str(path))


RUN = "python -m gswlab run"
TARGET = "_target_"
_SHOWN = 20  # problems printed before "and n more"


def is_plain(hint: Any) -> bool:
    """Whether values of a type can be written in a configuration.

    >>> is_plain(tuple[str, ...] | None), is_plain(object)
    (True, False)
    """
    origin = get_origin(hint)
    if origin in (tuple, list, dict, Mapping, Union, UnionType):
        return all(is_plain(argument) for argument in get_args(hint))
    plain = (bool, int, float, str, NoneType, Ellipsis)
    return hint in plain or origin is Literal


@lru_cache(maxsize=256)
def _rule(hint: Any) -> TypeAdapter[Any]:
    # a name or a date that looks like a number stays text
    lax = ConfigDict(coerce_numbers_to_str=True) if is_plain(hint) else None
    return TypeAdapter(hint, config=lax)


def checked(value: Any, hint: Any, path: str) -> Any:
    """`value` as `hint` wants it, or one sentence with the value and the rule."""
    try:
        return _rule(hint).validate_python(value)
    except ValidationError as error:
        said = error.errors()[0]["msg"]
        rule = said[:1].lower() + said[1:]
        command = f"{RUN} {path}=VALUE"
        raise GswlabError(f"{path} cannot be {value!r}", rule, command) from None


def problems(error: ValidationError) -> str:
    """Every problem of data from outside, with its path, in one line."""
    found = []
    for item in error.errors():
        at = [f"[{p}]" if isinstance(p, int) else f".{p}" for p in item["loc"]]
        said = item["msg"].removeprefix("Value error, ")
        found.append(f"{said} @ ${''.join(at)}")
    rest = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    many = "s" if len(found) > 1 else ""
    return f"{len(found)} problem{many}: " + "; ".join(found[:_SHOWN]) + rest
