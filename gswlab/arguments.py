"""What each command takes: an entry a command, read by `__main__`."""

from __future__ import annotations

from typing import Any

_Argument = tuple[tuple[str, ...], dict[str, Any]]  # of `ArgumentParser.add_argument`


def _argument(*flags: str, **settings: Any) -> _Argument:
    return flags, settings


_SETTINGS = _argument(
    "overrides",
    nargs="*",
    metavar="key=value",
    default=[],
    help="a setting, like memory=bm25 or reconciler.scope=chapter; "
    "a name without a value, like memory=, is answered with all it takes",
)
_FOLDER = _argument("folder", metavar="RUN", help="a run's folder, like runs/story")
_QUESTION = 'in quotes, like "Who was arrested?"'
_JSON = _argument("--json", dest="as_json", action="store_true", help="one JSON object")
_OUT = _argument("--out", metavar="FILE", help="a file to write, like out.json")

COMMANDS: dict[str, tuple[str, *tuple[_Argument, ...]]] = {
    "run": (
        "run an experiment: experiment=NAME key=value",
        _SETTINGS,
        _argument("-m", "--multirun", action="store_true", help="a grid: key=1,2"),
    ),
    "estimate": ("what a run's model costs at most", _SETTINGS),
    "read": (
        "read a text, a Markdown file or a book",
        _argument(
            "file",
            metavar="FILE",
            help="a text, like story.txt: also md, html, pdf, docx, a book's JSON",
        ),
        _SETTINGS,
        _argument(
            "--run", dest="folder", metavar="DIR", help="the run folder (else runs/...)"
        ),
        _argument(
            "--standing",
            metavar="QUESTION",
            action="append",
            default=[],
            help="a question every chunk tries to answer (may be repeated)",
        ),
    ),
    "ask": (
        "ask a run a question",
        _FOLDER,
        _argument("question", metavar="QUESTION", help=_QUESTION),
        _argument(
            "overrides",
            nargs="*",
            metavar="llm.KEY=VALUE",
            default=[],
            help="which model to ask, like llm.base_url=http://127.0.0.1:8000/v1",
        ),
        _JSON,
    ),
    "chat": (
        "talk with an agent that pages its memory",
        _SETTINGS,
        _argument("--run", metavar="DIR", help="the run folder (else runs/chat/...)"),
        _argument("--persona", metavar="TEXT", help="the agent's block on itself"),
        _argument("--human", metavar="TEXT", help="its block on you"),
        _argument("--time", metavar="ISO", help="when this is said, or: now"),
    ),
    "step": (
        "show one step of a run",
        _FOLDER,
        _argument("k", type=int, metavar="K", help="its number, from 1 (-1: the last)"),
        _argument("--out", metavar="FILE", help="the step as a page, or .svg, .pdf"),
    ),
    "fork": (
        "another future of a run: RUN K key=value",
        _FOLDER,
        _argument("k", type=int, metavar="K", help="steps that both share"),
        _SETTINGS,
        _argument(
            "--ask",
            metavar="QUESTION",
            action="append",
            default=[],
            help="a question to both (may be repeated)",
        ),
        _argument("--out", metavar="FILE", help="both as a page"),
    ),
    "trace": (
        "what a run's gauge said, as a page",
        _FOLDER,
        _argument("--question", metavar="TEXT", help="of recall, not of reading"),
        _argument("--seed", type=int, metavar="N", help="of mazes: which one"),
        _argument("--out", metavar="FILE", default="trace.html", help="where to"),
    ),
    "audit": (
        "where and when: the text against a run",
        _FOLDER,
        _argument("actor", metavar="ACTOR", help="an id, a name or an alias"),
        _JSON,
    ),
    "open": (
        "a run in the browser, or all below a folder",
        _argument("folder", metavar="RUN", help="one run, or a folder, like runs"),
        _argument("--port", type=int, default=0, help="0 takes any that is free"),
        _argument(
            "--no-browser",
            dest="browser",
            action="store_false",
            help="only print the address",
        ),
    ),
    "export": (
        "a run's journal, or its last graph",
        _FOLDER,
        _argument(
            "--layout",
            choices=("journal", "graphml", "cytoscape"),
            default="journal",
            help="canonical JSON lines, or the last workspace as a graph",
        ),
        _OUT,
    ),
    "check": (
        "whether a run is what was written, and what it wants",
        _FOLDER,
        _argument("--upgrade", action="store_true", help="an older journal, in place"),
    ),
    "collect": (
        "one table of all runs in a folder",
        _argument("folder", metavar="DIR", help="a folder of runs, like runs"),
        _argument("--layout", choices=("csv", "markdown", "latex"), default="markdown"),
        _argument(
            "--against", metavar="RUN", help="a run of DIR to hold the others against"
        ),
        _OUT,
    ),
    "demo": (
        "read the bundled story and ask it",
        _argument("--out", metavar="FILE", default="demo.html", help="where to"),
        _argument("--language", choices=("en", "ja"), default="en"),
        _argument("--tour", metavar="FILE", help="instead, the tour for a class"),
        _argument(
            "--shelf",
            dest="books",
            metavar="FOLDER",
            nargs="?",
            const="",
            help="instead, openings of twelve novels: LitBank's, or in GSWLAB_DATA",
        ),
    ),
    "completion": (
        "complete words in bash, zsh or fish",
        _argument(
            "shell",
            choices=("bash", "zsh", "fish", "words"),
            help='like bash, as eval "$(gswlab completion bash)"',
        ),
        _argument("words", nargs="...", metavar="WORD", help="what was typed so far"),
    ),
}

# Each shell asks `completion words` what could follow; bash cuts a word at "=".
SHELLS = {
    "bash": """\
_gswlab() {
  local typed="${COMP_LINE:0:COMP_POINT}" now="${COMP_WORDS[COMP_CWORD]}"
  local -a words; read -ra words <<< "$typed"
  [[ "$typed" == *" " ]] && words+=("")
  [[ "$now" == "=" ]] && now=""
  local last="${words[-1]}"
  mapfile -t COMPREPLY < <(gswlab completion words "${words[@]:1}" 2>/dev/null)
  COMPREPLY=("${COMPREPLY[@]#"${last%"$now"}"}")
  [[ "${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -o default -F _gswlab gswlab""",
    "zsh": """\
_gswlab() {
  local -a found
  found=(${(f)"$(gswlab completion words "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -S '' -- $found; else _files; fi
}
compdef _gswlab gswlab""",
    "fish": """\
complete -c gswlab -a '(gswlab completion words (commandline -opc)[2..] \
(commandline -ct) 2>/dev/null)'""",
}
