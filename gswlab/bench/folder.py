"""A run folder: what is in it, written so that a killed run never leaves half a file.

============== ==================================================================
journal.sqlite documents, chunks and steps (written as they happen)
answers.jsonl  a row a question: items, abstained, chapters, spans, evidence_tokens,
               evidence_spans
verdicts.jsonl a row a question: judge, gold, items, matches, scores, reason
graded.jsonl   a row a question: asked, gold, what the answer is worth, blame
scores.json    every figure with its interval; `data` says of which texts
ledger.json    calls, tokens, money and seconds; per stage, chunk, decision, answer
ledger.jsonl   the calls of models that these sums are of, as they were made
timings.csv    seconds of every step and question (with the ledger, the only clock)
config.yaml    the settings, secrets left out; overrides.yaml what was typed
============== ==================================================================
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gswlab.core.errors import GswlabError, shell_word
from gswlab.core.files import content, draft_of, own
from gswlab.core.journal import Journal
from gswlab.core.nouns import Answer, Evidence

# Content hashes of what a run is scored by: equal gold, equal hash, on any machine.


def digest_of_files(*paths: Path) -> str:
    """The SHA-256 of files, one after another."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def digest_of_data(data: Any) -> str:
    """The SHA-256 of the JSON of data that has one order."""
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()


ANSWERS = "answers.jsonl"


def answer_data(question: str, answer: Answer, evidence: Evidence) -> dict[str, Any]:
    """What `answers.jsonl` and `ask --json` say of an answer."""
    return {
        "question": question,
        "items": list(answer.items),
        "abstained": answer.abstained,
        "chapters": list(answer.chapters),
        "spans": [asdict(span) for span in answer.spans],
        "evidence_tokens": evidence.tokens,
        "reason": answer.reason,
    }


@dataclass(frozen=True)
class RunFolder:
    """The files of one run."""

    path: Path

    @property
    def journal(self) -> Path:
        """The path of the journal, there or not."""
        return self.path / "journal.sqlite"

    @property
    def ledger(self) -> Path:
        """The path of the calls of models as they were made, there or not."""
        return self.path / "ledger.jsonl"

    def reading(self) -> Journal:
        """The journal of a run that is there, to be read."""
        if not self.journal.exists():
            problem, rule = "holds no run", "a run folder holds journal.sqlite"
            command = "python -m gswlab read FILE"
            raise GswlabError(f"{self.path} {problem}", rule, command)
        return Journal(self.journal, "r")

    def make(self) -> None:
        """Make the folder, or say in one sentence why it cannot be made."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            problem = f"{self.path} cannot be made: {error.strerror}"
            rule = "run.dir names a folder that may be written"
            raise GswlabError(problem, rule, "run.dir=DIR") from error

    def write(self, name: str, text: str) -> Path:
        """Write a file whole or not at all; a device (/dev/stdout) is written to."""
        path = self.path / name
        if path.exists() and not path.is_file():
            if not path.is_dir() and not path.is_relative_to("/dev"):
                own(path)  # a pipe, or a link to a device, that a folder came with
            with _writing(path):
                path.write_text(text, encoding="utf-8", newline="\n")
            return path
        with _writing(path):
            draft = draft_of(path)
            try:
                with draft.open("x", encoding="utf-8", newline="\n") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)
        return path

    def write_json(self, name: str, data: Mapping[str, Any]) -> Path:
        """Write indented JSON, in the order of the mapping."""
        return self.write(name, json.dumps(data, indent=1, ensure_ascii=False) + "\n")

    def write_lines(self, name: str, rows: Iterable[Mapping[str, Any]]) -> Path:
        """Write JSON lines."""
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        return self.write(name, "".join(lines))

    def append_line(self, name: str, row: Mapping[str, Any]) -> None:
        """Add a JSON line to a file that `read_lines` reads."""
        path = own(self.path / name)
        with _writing(path), path.open("a", encoding="utf-8", newline="") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def read_lines(self, name: str, mend: bool = True) -> list[dict[str, Any]]:
        """The whole JSON lines; `mend` cuts off what a killed run left of another."""
        path = self.path / name
        whole = content(path)
        kept = whole[: whole.rfind(b"\n") + 1]
        rows = [_row(path, n, line) for n, line in enumerate(kept.split(b"\n")[:-1], 1)]
        if mend and kept != whole:
            with _writing(path):
                os.truncate(path, len(kept))
        return rows

    def read_json(self, name: str) -> dict[str, Any]:
        """A file as last written; empty when there is none yet."""
        path = self.path / name
        if not path.exists():
            return {}
        try:
            data = json.loads(content(path).decode())
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            rule = "it is made from the journal: delete it and run again"
            raise GswlabError(
                f"{path} is no JSON object", rule, f"rm {shell_word(path)}"
            )
        return data

    def time(self, rows: Iterable[tuple[str, object, float]]) -> None:
        """Add seconds to `timings.csv`: what, its number, how long."""
        path = own(self.path / "timings.csv")
        new = not path.exists()
        with _writing(path), path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if new:
                writer.writerow(("what", "number", "seconds"))
            writer.writerows((what, n, f"{seconds:.6f}") for what, n, seconds in rows)

    def times(self) -> list[tuple[str, str, float]]:
        """What `timings.csv` has: what, its number, how long."""
        path = self.path / "timings.csv"
        try:  # none where it was stepped through, not run
            whole, _, _ = content(path).decode().rpartition("\n")
            rows = [*csv.reader(whole.splitlines())][1:]
            return [(what, n, float(seconds)) for what, n, seconds in rows]
        except (ValueError, csv.Error):
            rule = "rows of what, number and seconds; no answer rests on it"
            command = shlex.join(["rm", str(path)])
            raise GswlabError(f"{path} is no table of seconds", rule, command) from None

    def seconds(self) -> dict[str, list[float]]:
        """What `timings.csv` has, by what took it."""
        found: dict[str, list[float]] = {}
        for what, _, seconds in self.times():
            found.setdefault(what, []).append(seconds)
        return found


def _row(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line.decode())
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        rule = "a JSON object a line, as a run writes them"
        raise GswlabError(
            f"line {number} of {path} is no row", rule, f"rm {shell_word(path)}"
        )
    return row


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        problem = f"{path} cannot be written: {error.strerror}"
        rule = "a file in a folder that exists, may be written and has space"
        command = "the same command with another run.dir=DIR or --out FILE"
        raise GswlabError(problem, rule, command) from error
