"""What a shell completes, and what `--help` says of the words a command takes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gswlab.__main__ import main
from gswlab.arguments import COMMANDS, SHELLS

ASKED = """
gswlab() {{ "{python}" -m gswlab "$@"; }}
eval "$(gswlab completion bash)"
COMP_LINE={line!r} COMP_POINT={many} COMP_WORDS=({words}) COMP_CWORD={last}
_gswlab 2>/dev/null
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def completed(line: str, *words: str) -> list[str]:
    """What bash offers at the end of a line that it cut into these words."""
    typed = " ".join(f"'{word}'" for word in words)
    script = ASKED.format(
        python=sys.executable,
        line=line,
        many=len(line),
        words=typed,
        last=len(words) - 1,
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "words", "offered"),
    [
        ("gswlab es", ("gswlab", "es"), "estimate"),
        ("gswlab step --", ("gswlab", "step", "--"), "--out"),
        ("gswlab run mem", ("gswlab", "run", "mem"), "memory="),
        ("gswlab run memory=bm", ("gswlab", "run", "memory", "=", "bm"), "bm25"),
        ("gswlab run memory=", ("gswlab", "run", "memory", "="), "gsw"),
        ("gswlab demo --language j", ("gswlab", "demo", "--language", "j"), "ja"),
    ],
)
def test_bash_completes_commands_options_and_settings(
    line: str, words: tuple[str, ...], offered: str
) -> None:
    assert offered in completed(line, *words)


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script_that_asks_what_could_follow(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    assert "gswlab completion words" in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_explains_each_word_that_a_command_takes(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for flags, settings in COMMANDS[name][1:]:
        assert (
            flags[0] in ("-m", "--port", "--layout", "--language") or settings["help"]
        )
        if not flags[0].startswith("-") and flags[0] not in ("k", "words"):
            assert "like" in settings["help"] or "id" in settings["help"]
            assert settings["help"].split()[0] in shown
