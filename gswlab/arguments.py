"""What each command takes: an entry a command, read by `__main__`."""

from __future__ import annotations

from typing import Any, NamedTuple


class Argument(NamedTuple):
    """One argument of a command, in argparse's words."""

    flags: tuple[str, ...]
    settings: dict[str, Any]


class Command(NamedTuple):
    """A command: what `--help` says of it, and its arguments."""

    help: str
    arguments: tuple[Argument, ...]


def argument(*flags: str, **settings: Any) -> Argument:
    """An argument as `ArgumentParser.add_argument` takes it."""
    return Argument(flags, settings)


SETTINGS = argument("overrides", nargs="*", metavar="key=value", default=[])
_FOLDER = argument("folder", metavar="RUN")
JSON = argument("--json", dest="as_json", action="store_true", help="one JSON object")
OUT = argument("--out", metavar="FILE")

COMMANDS = {
    "run": Command(
        "run an experiment: experiment=NAME key=value",
        (
            SETTINGS,
            argument("-m", "--multirun", action="store_true", help="a grid: key=1,2"),
        ),
    ),
    "estimate": Command("what a run's model costs at most", (SETTINGS,)),
    "read": Command(
        "read a text, a Markdown file or a book",
        (
            argument("file", metavar="FILE"),
            SETTINGS,
            argument(
                "--run",
                dest="folder",
                metavar="DIR",
                help="the run folder (else runs/...)",
            ),
            argument(
                "--standing",
                metavar="QUESTION",
                action="append",
                default=[],
                help="a question every chunk tries to answer (may be repeated)",
            ),
        ),
    ),
    "ask": Command(
        "ask a run a question",
        (
            _FOLDER,
            argument("question", metavar="QUESTION"),
            argument("overrides", nargs="*", metavar="llm.KEY=VALUE", default=[]),
            JSON,
        ),
    ),
    "chat": Command(
        "talk with an agent that pages its memory",
        (
            SETTINGS,
            argument(
                "--run", metavar="DIR", help="the run folder (else runs/chat/...)"
            ),
            argument("--persona", metavar="TEXT", help="the agent's block on itself"),
            argument("--human", metavar="TEXT", help="its block on you"),
            argument("--time", metavar="ISO", help="when this is said, or: now"),
        ),
    ),
    "step": Command(
        "show one step of a run",
        (
            _FOLDER,
            argument(
                "k", type=int, metavar="K", help="its number, from 0 (-1: the last)"
            ),
            argument("--out", metavar="FILE", help="the step as a page, or .svg, .pdf"),
        ),
    ),
    "fork": Command(
        "another future of a run: RUN K key=value",
        (
            _FOLDER,
            argument("k", type=int, metavar="K", help="steps that both share"),
            SETTINGS,
            argument(
                "--ask",
                metavar="QUESTION",
                action="append",
                default=[],
                help="a question to both (may be repeated)",
            ),
            argument("--out", metavar="FILE", help="both as a page"),
        ),
    ),
    "trace": Command(
        "what a run's gauge said: page or figure",
        (
            _FOLDER,
            argument("--question", metavar="TEXT", help="of recall, not of reading"),
            argument("--seed", type=int, metavar="N", help="of mazes: which one"),
            argument("--out", metavar="FILE", default="trace.html", help="or .svg"),
        ),
    ),
    "audit": Command(
        "where and when: the text against a run",
        (
            _FOLDER,
            argument("actor", metavar="ACTOR", help="an id, a name or an alias"),
            JSON,
        ),
    ),
    "open": Command(
        "a run's pages in the browser, read-only",
        (
            _FOLDER,
            argument("--port", type=int, default=0, help="0 takes any that is free"),
            argument(
                "--no-browser",
                dest="browser",
                action="store_false",
                help="only print the address",
            ),
        ),
    ),
    "export": Command(
        "a run's journal, or its last graph",
        (
            _FOLDER,
            argument(
                "--layout",
                choices=("journal", "graphml", "cytoscape"),
                default="journal",
                help="canonical JSON lines, or the last workspace as a graph",
            ),
            OUT,
        ),
    ),
    "collect": Command(
        "one table of all runs in a folder",
        (
            argument("folder", metavar="DIR"),
            argument(
                "--layout", choices=("csv", "markdown", "latex"), default="markdown"
            ),
            argument(
                "--against",
                metavar="RUN",
                help="a run of DIR to hold the others against",
            ),
            OUT,
        ),
    ),
    "demo": Command(
        "read the bundled story and ask it",
        (
            argument("--out", metavar="FILE", default="demo.html", help="the page"),
            argument("--language", choices=("en", "ja"), default="en"),
            argument("--tour", metavar="FILE", help="instead, the tour for a class"),
        ),
    ),
}
