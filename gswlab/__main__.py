"""The command line: arguments in, one sentence out when something can be mended.

Everything heavy is imported by the command that needs it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

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

    run = commands.add_parser(
        "run", help="run an experiment: experiment=NAME key=value"
    )
    run.add_argument("overrides", nargs="*", metavar="key=value", default=[])
    run.add_argument("-m", "--multirun", action="store_true", help="a grid: key=1,2")

    cost = commands.add_parser("estimate", help="what a run's model costs at most")
    cost.add_argument("overrides", nargs="*", metavar="key=value", default=[])

    read = commands.add_parser("read", help="read a text, a Markdown file or a book")
    read.add_argument("file", metavar="FILE")
    read.add_argument("overrides", nargs="*", metavar="key=value", default=[])
    read.add_argument("--run", metavar="DIR", help="the run folder (else runs/...)")
    read.add_argument(
        "--standing",
        metavar="QUESTION",
        action="append",
        default=[],
        help="a question every chunk tries to answer (may be repeated)",
    )

    ask = commands.add_parser("ask", help="ask a run a question")
    ask.add_argument("run", metavar="RUN")
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("overrides", nargs="*", metavar="llm.KEY=VALUE")
    ask.add_argument("--json", action="store_true", help="one JSON object")

    chat = commands.add_parser("chat", help="talk with an agent that pages its memory")
    chat.add_argument("overrides", nargs="*", metavar="key=value", default=[])
    chat.add_argument(
        "--run", metavar="DIR", help="the run folder (else runs/chat/...)"
    )
    chat.add_argument("--persona", metavar="TEXT", help="the agent's block on itself")
    chat.add_argument("--human", metavar="TEXT", help="its block on you")
    chat.add_argument("--time", metavar="ISO", help="when this is said, or: now")

    step = commands.add_parser("step", help="show one step of a run")
    step.add_argument("run", metavar="RUN")
    step.add_argument(
        "k", type=int, metavar="K", help="the step's number, from 0 (-1: the last)"
    )

    trace = commands.add_parser("trace", help="what a run's gauge said: page or figure")
    trace.add_argument("run", metavar="RUN")
    trace.add_argument("--question", metavar="TEXT", help="of recall, not of reading")
    trace.add_argument("--seed", type=int, metavar="N", help="of mazes: which one")
    trace.add_argument("--out", metavar="FILE", default="trace.html", help="or .svg")

    audit = commands.add_parser("audit", help="where and when: the text against a run")
    audit.add_argument("run", metavar="RUN")
    audit.add_argument("actor", metavar="ACTOR", help="an id, a name or an alias")
    audit.add_argument("--json", action="store_true", help="one JSON object")

    open_ = commands.add_parser("open", help="a run's pages in the browser, read-only")
    open_.add_argument("run", metavar="RUN")
    open_.add_argument("--port", type=int, default=0, help="0 takes any that is free")
    open_.add_argument(
        "--no-browser", action="store_true", help="only print the address"
    )

    export = commands.add_parser("export", help="a run's journal, or its last graph")
    export.add_argument("run", metavar="RUN")
    export.add_argument(
        "--layout",
        choices=("journal", "graphml", "cytoscape"),
        default="journal",
        help="canonical JSON lines, or the last workspace as a graph",
    )
    export.add_argument("--out", metavar="FILE")

    collect = commands.add_parser("collect", help="one table of all runs in a folder")
    collect.add_argument("folder", metavar="DIR")
    collect.add_argument(
        "--layout", choices=("csv", "markdown", "latex"), default="markdown"
    )
    collect.add_argument(
        "--against", metavar="RUN", help="a run of DIR to hold the others against"
    )
    collect.add_argument("--out", metavar="FILE")

    demo = commands.add_parser("demo", help="read the bundled story and ask it")
    demo.add_argument("--out", metavar="FILE", default="demo.html", help="the page")
    demo.add_argument("--language", choices=("en", "ja"), default="en")
    return top


def call(arguments: argparse.Namespace) -> None:  # noqa: C901 - a case a command
    """Do what was asked."""
    from gswlab import commands

    match arguments.command:
        case "run":
            commands.run(arguments.overrides, arguments.multirun)
        case "estimate":
            commands.estimate(arguments.overrides)
        case "read":
            given = arguments.standing, arguments.overrides
            commands.read(arguments.file, arguments.run, *given)
        case "ask":
            asked = arguments.question, arguments.json, arguments.overrides
            commands.ask(arguments.run, *asked)
        case "chat":
            told = {n: getattr(arguments, n) for n in ("run", "persona", "human")}
            commands.chat(arguments.overrides, arguments.time, **told)
        case "step":
            commands.step(arguments.run, arguments.k)
        case "trace":
            which = arguments.question, arguments.seed
            commands.trace(arguments.run, *which, arguments.out)
        case "audit":
            commands.audit(arguments.run, arguments.actor, arguments.json)
        case "open":
            shown = arguments.port, not arguments.no_browser
            commands.open_(arguments.run, *shown)
        case "export":
            commands.export(arguments.run, arguments.layout, arguments.out)
        case "collect":
            into = arguments.layout, arguments.against, arguments.out
            commands.collect(arguments.folder, *into)
        case "demo":
            commands.demo(arguments.out, arguments.language)


def parsed(argv: Sequence[str] | None) -> argparse.Namespace:
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
    arguments = parsed(argv)
    if os.environ.get("GSWLAB_DEBUG"):
        call(arguments)
        return 0
    from gswlab.errors import GswlabError

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
    except Exception as error:  # the last door: a sentence, never a traceback
        kind = type(error).__name__
        said = " ".join(str(error).split()) or "no message"
        return _told(f"{kind}: {said}; GSWLAB_DEBUG=1 shows where", 1)
    return 0


def _told(sentence: str, status: int) -> int:
    print(f"gswlab: {sentence}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
