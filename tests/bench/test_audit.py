"""Audits: what a text says of an actor's whereabouts against what a run held."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import gswlab
from gswlab.__main__ import main
from gswlab.bench.audit import actor_called, audit
from gswlab.bench.audit.whereabouts import expected_of
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Argument, State, VerbPhrase
from gswlab.core.step import Conflict, Put, Set, Step
from gswlab.language.dates.calendar import parse_iso
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of
from gswlab.view.terminal import audit_text

CHAINS = Path(__file__).resolve().parents[2] / "experiments" / "texts" / "chains"
TEXT = """On May 3, 2024, Clara Novak sat in the Harbour Museum. She sealed a letter.

The next day Clara Novak took the train to Port Merrow. Edgar Voss met her there.

On May 9, 2024, Edgar Voss was at Port Merrow. Clara Novak was in the Harbour Museum.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run that has read the text, two sentences a chunk."""
    home = tmp_path_factory.mktemp("audit")
    (home / "text.txt").write_text(TEXT, encoding="utf-8")
    given = ("embedder=none", "chunk.sentences=2", f"run.dir={home / 'run'}")
    gswlab.open(f"dataset.file={home / 'text.txt'}", *given).run()
    return home / "run"


@pytest.fixture
def journal(folder):
    """The run's journal, for reading."""
    with Journal(folder / "journal.sqlite", "r") as journal:
        yield journal


class Changed:
    """A journal whose steps were tampered with: a run that held something else."""

    def __init__(self, journal, change):
        self.journal, self.change = journal, change

    def __iter__(self):
        return iter([self.change(step) for step in self.journal])

    def workspace(self):
        found = gswlab.Workspace()
        for step in self:
            found = found.apply(step)
        return found

    def chunks(self):
        return self.journal.chunks()

    def documents(self):
        return self.journal.documents()


def more(journal, at, *changes, decisions=()):
    """The journal with more changes at one of its steps."""

    def change(step: Step) -> Step:
        if step.index != at:
            return step
        return replace(step, changes=(*step.changes, *changes), decisions=decisions)

    return Changed(journal, change)


def test_every_chunk_that_speaks_of_the_actor_has_its_day_and_place(journal):
    rows = audit(journal, "Clara Novak").rows
    assert [row.expected.time for row in rows] == [
        "2024-05-03",
        "2024-05-04",
        "2024-05-09",
    ]
    assert [row.expected.place for row in rows] == [
        "Harbour Museum",
        "Port Merrow",
        "Harbour Museum",
    ]
    assert [row.held.time for row in rows] == [row.expected.time for row in rows]
    assert [row.held.place for row in rows] == [row.expected.place for row in rows]


def test_a_chunk_that_does_not_speak_of_the_actor_has_no_row(journal):
    assert [row.step for row in audit(journal, "Edgar Voss").rows] == [1, 2]


def test_what_is_held_is_what_was_held_then_not_what_is_known_in_the_end(journal):
    first = audit(journal, "Clara Novak").rows[0]
    assert first.held.time == "2024-05-03"
    assert first.held.step == 0


def test_an_update_that_the_workspace_did_not_make_is_missed(journal):
    day = next(t for t in journal.workspace().times if t.value == "2024-05-03")
    moved = more(journal, 0, Set("time", day.id, "value", "2023-01-01"))
    first = audit(moved, "Clara Novak").rows[0]
    assert first.missed == ("time",)
    assert (first.expected.time, first.held.time) == ("2024-05-03", "2023-01-01")


def test_two_places_on_one_day_without_a_way_between_are_inconsistent(journal):
    last = journal.workspace()
    clara = actor_called(last, "Clara Novak").id
    day = next(t.id for t in last.times if t.value == "2024-05-09")
    port = next(p.id for p in last.places if p.name == "Port Merrow")
    museum = next(p.id for p in last.places if p.name == "Harbour Museum")
    spans = last.verb_phrases[-1].spans
    found = [
        VerbPhrase(
            f"v{number}", "dine", (Argument("agent", "Clara", spans, clara),),
            spans=spans, chunk="c", time=day, place=place,
        )
        for number, place in ((91, port), (92, museum))
    ]  # fmt: skip
    kinds = {
        t.kind
        for t in audit(
            more(journal, 3, *(Put("verb_phrase", v) for v in found)), clara
        ).transitions
    }
    assert kinds == {"two places at one time"}


def test_a_state_that_returns_without_an_event_flips_back(journal):
    clara = actor_called(journal.workspace(), "Clara Novak")
    states = [State(text, (), f"c{n}") for n, text in enumerate(("alive", "dead"))]
    again = State("alive", (), "c3")

    def kinds(last):
        change = Set("actor", clara.id, "states", (*states, last))
        found = audit(more(journal, 3, change), clara.id).transitions
        return [t.kind for t in found]

    assert kinds(again) == ["flips back"]
    assert kinds(replace(again, source="effect")) == []


def test_what_ends_before_it_started_is_inconsistent(journal):
    last = journal.workspace()
    clara = actor_called(last, "Clara Novak").id
    early, late = (
        next(t.id for t in last.times if t.value == day)
        for day in ("2024-05-03", "2024-05-09")
    )
    begin, end = (v.spans for v in (last.verb_phrases[0], last.verb_phrases[-1]))

    def phrase(number, verb, spans, day):
        arguments = (
            Argument("agent", "Clara", spans, clara),
            Argument("patient", "fair", spans),
        )
        return Put("verb_phrase", VerbPhrase(number, verb, arguments, (), spans, "c",
                                             time=day))  # fmt: skip

    def kinds(first, second):
        told = (
            phrase("v91", "open", begin, first),
            phrase("v92", "close", end, second),
        )
        return [t.kind for t in audit(more(journal, 3, *told), clara).transitions]

    assert kinds(late, early) == ["end before start"]
    assert kinds(early, late) == []


def test_conflicts_that_the_run_noted_are_listed(journal):
    clara = actor_called(journal.workspace(), "Clara Novak").id
    noted = Conflict("state_conflict", clara, "asleep", "awake", "she cannot be both")
    found = audit(more(journal, 3, decisions=(noted,)), clara).transitions
    assert [(t.kind, t.text) for t in found] == [
        ("noted by the run", "she cannot be both")
    ]


def test_an_actor_is_meant_by_id_by_name_and_by_alias_however_written(journal):
    last = journal.workspace()
    clara = actor_called(last, "Clara Novak")
    assert actor_called(last, clara.id) == clara
    assert actor_called(last, "  clara  NOVAK") == clara
    named = last.change(Set("actor", clara.id, "aliases", ("the archivist",)))
    assert actor_called(named, "The Archivist").id == clara.id


def test_a_name_that_nobody_has_is_answered_with_the_nearest(journal):
    with pytest.raises(GswlabError, match="nearest names are Clara Novak"):
        audit(journal, "Klara Nowak")


def test_a_name_that_several_have_asks_for_an_id(journal):
    last = journal.workspace()
    clara = actor_called(last, "Clara Novak")
    twice = last.change(Put("actor", replace(clara, id="a99")))
    with pytest.raises(GswlabError, match=f"{clara.id}, a99"):
        actor_called(twice, "Clara Novak")


def test_the_table_marks_what_an_earlier_chunk_named(journal):
    shown = audit_text(audit(journal, "Clara Novak"))
    assert shown.startswith("Clara Novak (")
    assert "Harbour Museum" in shown
    assert shown.endswith("Inconsistent transitions\n  none")


def test_the_command_prints_a_table_or_one_json_object(folder, capsys):
    assert main(["audit", str(folder), "Clara Novak"]) == 0
    assert "time expected" in capsys.readouterr().out
    assert main(["audit", str(folder), "Clara Novak", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["name"], data["missed"]) == ("Clara Novak", 0)
    assert main(["audit", str(folder), "Nobody Here"]) == 2
    assert "no actor is called 'Nobody Here'" in capsys.readouterr().err


def said(text, name, sentences=2):
    """Time and place that the audit reads off each chunk that speaks of the actor."""
    document = document_of(text, "b")
    memory = gswlab.GSW(gswlab.SpacyOperator(), gswlab.RulesReconciler())
    read = chunks(document, sentences)
    for chunk in read:
        memory.partial_fit(chunk)
    memory.finish()
    last = memory.workspace
    found = expected_of(last, actor_called(last, name), read, (document,))
    return [(one.time, one.place) for one in found.values()]


@pytest.mark.parametrize(
    ("second", "place"),
    [
        ("Ann Ray spoke of Port Merrow.", "Quay House"),
        ("Ann Ray wrote to the mayor of Port Merrow.", "Quay House"),
        ("Her brother went to Port Merrow.", "Quay House"),
        ("Ann Ray went to Port Merrow.", "Port Merrow"),
        ("In Port Merrow, Ann Ray slept.", "Port Merrow"),
    ],
)
def test_only_a_place_that_somebody_is_put_at_is_expected(second, place):
    text = f"On May 7, 2031, Ann Ray sat in Quay House. {second} Port Merrow is old."
    assert said(text, "Ann Ray", sentences=3) == [("2031-05-07", place)]


def test_a_plural_speaks_of_the_last_two_persons():
    text = "On May 7, 2031, Ann Ray and Bo Lind met. They sat in Quay House."
    assert said(text, "Bo Lind", sentences=1)[-1] == ("2031-05-07", "Quay House")


def test_a_step_back_leaves_the_day_in_force_where_it_is():
    text = "On May 7, 2031, Ann Ray was in Quay House. Two days earlier Ann Ray sang."
    assert said(text, "Ann Ray", sentences=1)[-1] == ("2031-05-07", "Quay House")


def test_a_new_chapter_begins_without_a_day_or_place():
    text = (
        "Chapter 1\n\nOn May 7, 2031, Ann Ray was in Quay House.\n\n"
        "Chapter 2\n\nAnn Ray sang.\n"
    )
    assert said(text, "Ann Ray") == [("2031-05-07", "Quay House"), (None, None)]


def test_a_day_moves_and_the_place_of_the_day_before_is_not_expected():
    text = "On May 7, 2031, Ann Ray was in Quay House. The next day Ann Ray sang."
    assert said(text, "Ann Ray", sentences=1)[-1] == ("2031-05-08", None)


def test_japanese_is_read_by_the_particles_after_a_place():
    text = "2031年5月7日、山田太郎は桜公園にいた。翌日、山田太郎は桜公園を出た。"
    found = said(text, "山田太郎", sentences=1)
    assert found == [("2031-05-07", "桜公園"), ("2031-05-08", None)]


@pytest.mark.parametrize("path", sorted(CHAINS.glob("*.json")), ids=lambda p: p.stem)
def test_an_annotated_chain_is_cut_as_it_is_read_and_names_its_actors(path):
    chain = json.loads(path.read_text(encoding="utf-8"))
    texts = [chunk["text"] for chunk in chain["chunks"]]
    assert len(texts) in (10, 20)
    read = chunks(document_of("\n\n".join(texts), "b"), 2)
    assert [chunk.text for chunk in read] == texts
    for chunk in chain["chunks"]:
        assert set(chunk["where"]) <= set(chain["actors"])
        for where in chunk["where"].values():
            assert set(where) == {"time", "place"}
            assert parse_iso(where["time"]).iso == where["time"]
