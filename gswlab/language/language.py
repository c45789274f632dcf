"""What a language is: its tables, its parser, and how it writes dates and sentences.

A language is a folder `language/<code>/` with a module `language.py` that declares one
`Language`, and tables beside it. `of(code)` finds it; nobody asks which one it is.
Rules that no table can say stand in a module of that code's name in the wing whose
nouns they fill, and are found by `rules`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Literal, TypeAlias

from gswlab.core.errors import GswlabError
from gswlab.language.dates.calendar import Calendar, FoundDate

DEFAULT = "en"  # of a text that no other language claims
Tense: TypeAlias = Literal["past", "future"]
Rows: TypeAlias = tuple[tuple[str, ...], ...]
Groups: TypeAlias = Mapping[str, frozenset[str]]
KANA_KANJI = "ぁ-ゖァ-ヺー々〇一-鿿㐀-䶿ｦ-ﾟ"
LETTER = re.compile(r"[^\W\d_]")
NEVER = re.compile("(?!)")
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, eq=False)
class Language:
    """A language as text, operator, questions and readers ask about it."""

    code: str  # ISO 639, the name of its folder and of its rules' modules
    name: str  # in English
    folder: Path  # where its tables lie
    parser: str  # the spaCy package that parses it
    # the dates of a text in its words, beside those found; else by its table `dates`
    dates: Callable[[str, Sequence[FoundDate]], list[FoundDate]] | None = None
    dated: Callable[[Calendar], str] = attrgetter("iso")  # a point in its words
    heading: re.Pattern[str] = NEVER  # of a chapter; its `number` is what it states
    # words that tell a tense: forms of verbs (`back`, `ahead`), `either` of them, `had`
    # that looks back further, `now` that does not; and what is written on a day: `held`
    # on it, or a letter, that begins with `where` and `greets`
    tells: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    letters: re.Pattern[str] = NEVER  # what only it writes
    share: float = 0.5  # of all letters: a text with more of its own is of it
    asked: re.Pattern[str] = NEVER  # makes a question one of it, whatever its names
    space: str = " "  # between words
    plain: bool = True  # its parser is spaCy's own, which takes the chunks' sentences
    year_once: bool = False  # a year is told once, and months go on from it

    def table(self, name: str) -> Rows:
        """The rows of a table of its folder, their cells split at tabs.

        Raises:
            GswlabError: its folder has no such table.
        """
        return rows(self._path(name))

    @cache  # noqa: B019  asked for every sentence
    def having(self, name: str) -> Language:
        """This language where its folder has a table of that name, else the default."""
        own = (self.folder / f"{name}.tsv").is_file()
        return self if own else of(DEFAULT)

    @cache  # noqa: B019  asked for every verb
    def _path(self, name: str, suffix: str = "tsv") -> Path:
        path = self.folder / f"{name}.{suffix}"
        if not path.is_file():
            problem = f"{self.name} has no table {name}"
            raise GswlabError(problem, f"a file {path}, as {_FOLDER / DEFAULT} has one")
        return path

    def groups(self, name: str) -> Groups:
        """A table of lines `group<TAB>word word ...`."""
        return grouped(self._path(name))

    @cached_property
    def abbreviations(self) -> Groups:
        """Words whose dot ends no sentence, by what may follow them."""
        known = self.having("abbreviations").groups("abbreviations")
        return defaultdict(frozenset, known)

    @cache  # noqa: B019  asked for every phrase
    def pairs(self, name: str) -> Mapping[str, str]:
        """A table of two columns."""
        return {row[0]: row[1] for row in self.table(name)}

    @cache  # noqa: B019  a handful of languages, for good
    def patterns(self, name: str) -> Mapping[str, Sequence[str]]:
        """A table of lines `group: pattern`, the patterns of a group in order."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for (line,) in rows(self._path(name, "txt")):
            group, _, pattern = line.partition(": ")
            found[group].append(pattern)
        return found

    def rules(self, package: str) -> ModuleType | None:
        """The module of this language in a package; None where it needs none."""
        name = f"{package}.{self.code}"
        return import_module(name) if find_spec(name) else None


@cache
def rows(path: str | Path) -> Rows:
    """The rows of a table, `en/nouns.tsv` of this folder or any other, cells at tabs.

    Lines that start with `#` are its source and licence.
    """
    lines = (_FOLDER / path).read_text("utf-8").splitlines()
    kept = (line for line in lines if line and not line.startswith("#"))
    return tuple(tuple(line.split("\t")) for line in kept)


@cache
def grouped(path: str | Path) -> Groups:
    """A table of lines `group<TAB>word word ...`: group to words."""
    return {row[0]: frozenset(row[1].split()) for row in rows(path)}


@cache
def by_word(path: str | Path) -> Mapping[str, str]:
    """The same table by its words: the group that each is of."""
    return {word: group for group, words in rows(path) for word in words.split()}


@cache
def languages() -> dict[str, Language]:
    """Every language by its code, the default first; an entry adds one."""
    codes = sorted(path.parent.name for path in _FOLDER.glob("*/language.py"))
    found = {}
    for code in sorted(codes, key=lambda code: code != DEFAULT):
        declared = vars(import_module(f"gswlab.language.{code}.language")).values()
        found[code] = next(one for one in declared if isinstance(one, Language))
    return found


def of(code: str) -> Language:
    """The language of a code.

    Raises:
        GswlabError: there is no folder of that name.
    """
    known = languages()
    if code not in known:
        rule = f"one of {', '.join(known)}"
        raise GswlabError(f"there is no language {code!r}", rule)
    return known[code]


@lru_cache(maxsize=1024)  # a chunk's text is asked about three times
def language_of(text: str) -> str:
    """The code of the language that most letters of a text are of, else `en`."""
    letters = len(LETTER.findall(text))
    for language in languages().values():
        if len("".join(language.letters.findall(text))) > language.share * letters:
            return language.code
    return DEFAULT


@lru_cache(maxsize=64)  # a sentence is asked about once a date
def asked_in(question: str) -> str:
    """The code of a question's language: one kana is enough, whatever its names."""
    known = languages().values()
    return next((one.code for one in known if one.asked.search(question)), DEFAULT)
