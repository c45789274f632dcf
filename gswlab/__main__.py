"""The command line: arguments in, one sentence out when something can be mended.

Everything heavy is imported by the command that needs it.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from gswlab.arguments import COMMANDS

EXAMPLES = """\
examples:
  python -m gswlab demo
  python -m gswlab read story.txt
  python -m gswlab ask runs/read/gsw/HASH "Who was arrested?"
  python -m gswlab run experiment=epbench20 reconciler.scope=chapter
  python -m gswlab estimate experiment=gsw_paper dataset.book=FILE
  python -m gswlab run -m experiment=epbench20 chunk.sentences=2,3,5
  python -m gswlab run -m experiment=epbench20 memory=bm25,dense,gsw run.dir=out
  python -m gswlab collect out
"""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence with the next command."""

    def error(self, message: str) -> NoReturn:
        """Write one line with the next command to stderr; exit with status 2."""
        self.exit(2, f"gswlab: {message}; try: python -m gswlab --help\n")


def parser() -> Parser:
    """All commands, one spelling each."""
    top = Parser(
        prog="python -m gswlab",
        description="See, rewind, fork and question what a memory believes.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (does, *taken) in COMMANDS.items():
        made = commands.add_parser(name, help=does)
        for flags, settings in taken:
            made.add_argument(*flags, **settings)
    return top


def call(arguments: argparse.Namespace) -> None:
    """Do what was asked: the function of that name, with these arguments."""
    from gswlab import commands

    given = dict(vars(arguments))
    name = given.pop("command")
    # `open` is a builtin: its function has the name that does not hide it.
    does = getattr(commands, name, None) or getattr(commands, f"{name}_")
    does(**given)


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The arguments; settings may stand before and after options."""
    top = parser()
    arguments, rest = top.parse_known_args(argv)
    strange = [text for text in rest if text.startswith("-") or "=" not in text]
    if strange or (rest and not hasattr(arguments, "overrides")):
        top.error(f"unknown argument {(strange or rest)[0]}")
    if rest:
        arguments.overrides = [*arguments.overrides, *rest]
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 2 for what a user can mend."""
    arguments = _parsed(argv)
    gc.set_threshold(50_000)  # what is loaded at the start is no cycle to be found
    if os.environ.get("GSWLAB_DEBUG"):
        call(arguments)
        return 0
    from gswlab.core.errors import GswlabError

    try:
        call(arguments)
        sys.stdout.flush()
    except GswlabError as error:
        return _told(str(error), error.status)
    except KeyboardInterrupt:
        return _told("stopped; the same command goes on at the next chunk", 130)
    except BrokenPipeError:
        # Whoever read us has gone: nothing to say, and nothing to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        what = f"{error.filename} cannot be used" if error.filename else "it stopped"
        said = f"{what}: {error.strerror or error}"
        return _told(f"{said} (rule: a file or folder that may be used)", 2)
    except Exception as error:  # the last door: a sentence, never a traceback
        kind = type(error).__name__
        said = " ".join(str(error).split()) or "no message"
        return _told(f"{kind}: {said}; GSWLAB_DEBUG=1 shows where", 1)
    return 0


def _told(sentence: str, status: int) -> int:
    from gswlab.core.nouns import visible

    print(f"gswlab: {visible(' '.join(sentence.splitlines()))}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
