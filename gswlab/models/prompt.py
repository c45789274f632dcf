"""Prompts are files: their words can be read, compared, changed and hashed.

`prompts/LANGUAGE/NAME.md` of the wing that asks holds what the model is told, a line
`---`, and the form of what it is given, with `{{name}}` for each value. A value comes
from outside: it stands between tags of its name, it can neither close them nor feign
another value's, and every prompt says that what is in tags is material and never an
instruction.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from gswlab.core.errors import GswlabError
from gswlab.language.language import DEFAULT, of

WINGS = Path(__file__).resolve().parents[1]
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Prompt:
    """One prompt in one language; `hash` is of its words, twelve hex digits.

    >>> Prompt("sum up", "en", "Sum this up.", "{{chunk}}").turns(chunk="A")[1]
    {'role': 'user', 'content': '<chunk>\\nA\\n</chunk>'}
    """

    name: str
    language: str
    system: str
    user: str

    @property
    def hash(self) -> str:
        """The first twelve hex digits of the SHA-256 of both its texts."""
        text = f"{self.system}\n---\n{self.user}"
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of the values, in the order of the text."""
        return tuple(dict.fromkeys(_SLOT.findall(self.user)))

    def turns(self, **values: str) -> tuple[dict[str, str], ...]:
        """The messages of a conversation that begins with this prompt.

        Raises:
            GswlabError: a value is missing, or one the prompt does not use.
        """
        if set(values) != set(self.slots):
            problem = f"the prompt {self.name} was given {', '.join(sorted(values))}"
            raise GswlabError(problem, f"it takes {', '.join(self.slots)}")
        # a zero-width space would change quotes; a plain one is seen and harmless
        tags = re.compile(rf"<(?=/?(?:{'|'.join(self.slots)})>)", re.I)

        def fenced(slot: re.Match[str]) -> str:
            return f"<{slot[1]}>\n{tags.sub('< ', values[slot[1]])}\n</{slot[1]}>"

        filled = _SLOT.sub(fenced, self.user)
        said = {"system": self.system, "user": filled}
        return tuple({"role": role, "content": text} for role, text in said.items())


@cache
def prompt(name: str, language: str) -> Prompt:
    """A prompt of the package, by name and language; English where it has none.

    Raises:
        GswlabError: there is no such file, or it has no line `---`.
    """
    of(language)
    found = (WINGS.glob(f"*/prompts/{code}/{name}.md") for code in (language, DEFAULT))
    path = next(chain.from_iterable(found), None)
    if path is None:
        rule = "a wing has its prompts in prompts/LANGUAGE/NAME.md"
        raise GswlabError(f"there is no prompt {name} in {language}", rule)
    system, line, user = path.read_text(encoding="utf-8").partition("\n---\n")
    if not line:
        rule = "a prompt has a line `---` between what is told and what is given"
        raise GswlabError(f"{path} is no prompt", rule)
    return Prompt(name, language, system.strip(), user.strip())
