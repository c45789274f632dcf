"""What a run is expected to cost, against what it used; and at most, never less."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from obliging import obliging
from standin import completion
from test_open_asks import asked

import gswlab
from gswlab.bench.bill import Estimate
from gswlab.core.budget import count_tokens

TAPE = Path(__file__).parents[2] / "notebooks/lab/03_operator_with_a_model.sqlite"
MODEL = "SmolLM2-135M-Instruct.Q4_1"
PEOPLE = ("Ann Ray", "Bo Lind", "Cy Moss", "Di Falk", "Ed Hart")
PLACES = ("Tall Mill", "Old Quay", "Low Mill", "New Quay")


def lengths() -> list[int]:
    """How long the recorded replies are."""
    with sqlite3.connect(f"file:{TAPE}?immutable=1", uri=True) as tape:
        rows = tape.execute("SELECT reply FROM replies ORDER BY key").fetchall()
    return [json.loads(reply)["output_tokens"] for (reply,) in rows]


class Drawing:
    """One that does as it is told, at lengths that are drawn, and counts its tokens."""

    def __init__(self, seed: int) -> None:
        self.drawn, self.known = random.Random(seed), lengths()

    def __call__(self, body: dict[str, Any], number: int) -> bytes:
        said = completion(obliging(body, number), 10**6)
        read = sum(count_tokens(turn["content"]) + 8 for turn in body["messages"])
        schema = body["response_format"]["json_schema"]["schema"]
        wrote = min(self.drawn.choice(self.known), body["max_tokens"])
        read += count_tokens(json.dumps(schema))
        said["usage"] = {"prompt_tokens": read, "completion_tokens": wrote}
        return json.dumps(said).encode()


@pytest.fixture
def paper(tmp_path: Path, server: Any) -> list[str]:
    """The paper's experiment on twelve chapters, its model known from the tape."""
    draw, book, questions = random.Random(3), {}, []
    for n in range(1, 13):
        day, where = f"May {n}, 2024", draw.choice(PLACES)
        one, other = draw.sample(PEOPLE, 2)
        told = [f"On {day}, {one} opened a book fair in {where}."]
        told += [f"{one} met {other} {k} times. It rained." for k in range(3)]
        told += [f"{other} left the hall and {one} read a letter aloud to the guests."]
        book[f"Chapter {n}"] = " ".join(told)
        questions.append(asked(f"Where was {one} on {day}?", [where], [n]))
    (tmp_path / "b.json").write_text(json.dumps(book))
    (tmp_path / "q.json").write_text(json.dumps(questions))
    shutil.copy(TAPE, tmp_path / "tape.sqlite")
    files = (f"dataset.{n}={tmp_path / n[0]}.json" for n in ("book", "questions"))
    given = ["experiment=gsw_paper", *files, f"llm.base_url={server.url}"]
    given += ["embedder=none", "memory.rank=cue", f"llm.model={MODEL}"]
    return [
        *given,
        f"llm.cassette={tmp_path / 'tape.sqlite'}",
        f"run.dir={tmp_path / 'run'}",
    ]


def test_what_is_expected_is_within_a_quarter_of_what_a_run_uses(paper, server):
    lab = gswlab.open(*paper)
    frame = Estimate.of(lab).frame
    told = frame.loc["all"].iloc[0]
    assert server.requests == []
    server.script = Drawing(1)
    lab.run()
    used = lab.llm.ledger.total()
    print(frame.to_string(), used, lab.llm.ledger.by("stage"), sep="\n")
    for name in ("input_tokens", "output_tokens"):
        spent = getattr(used, name)
        assert told[f"expected_{name}"] == pytest.approx(spent, rel=0.25)
        assert spent <= told[name]
    assert told.expected_calls == pytest.approx(used.calls, rel=0.25)
