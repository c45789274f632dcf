"""Workspaces of the published code, opened as runs; a small example of our own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gswlab
from gswlab.core.errors import GswlabError
from gswlab.gsw.memory import GSW
from gswlab.gsw.official import OfficialOperator, imported, records, slot_of
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.lab import config
from gswlab.text.document import read_document
from gswlab.view import became, ink, timeline
from gswlab.view.provenance.text import cited

FIRST = (
    "On May 7, 2024, Inspector Mara Voss came to Harbour Lane. Mara Voss met Tomas "
    "Reed, an old sailor."
)
SECOND = "Mara Voss arrested Tomas Reed at Harbour Lane. Tomas Reed was calm."
BOOK = f"{FIRST.replace('Mara Voss met', 'She met')}\n\nRain fell.\n\n{SECOND}\n"


def entity(id_, name, *roles, chunk=None):
    told = [{"role": r, "states": s, "chunk_id": c} for r, s, c in roles]
    return {"id": id_, "name": name, "roles": told, "chunk_id": chunk, "summary": None}


def question(id_, text, *answers, chunk=None):
    given = list(answers) or ["None"]
    return {"id": id_, "text": text, "answers": given, "chunk_id": chunk}


def phrase(id_, words, *questions, chunk=None):
    return {
        "id": id_,
        "phrase": words,
        "questions": list(questions),
        "chunk_id": chunk,
    }


def record(number, text, gsw, *links):
    return {
        "text": text,
        "doc_idx": 0,
        "chunk_idx": number,
        "global_id": f"0_{number}",
        "start_sentence": 0,
        "end_sentence": 3,
        "gsw": gsw,
        "context": "",
        "spacetime": {"spatio_temporal_links": list(links), "full_response": ""},
    }


def link(kind, value, *ids):
    return {"linked_entities": list(ids), "tag_type": kind, "tag_value": value}


ONE = {
    "entity_nodes": [
        entity("e1", "Mara Voss", ("Inspector", [], None)),
        entity("e2", "Tomas Reed", ("sailor", ["old"], None)),
        entity("e3", "Harbour Lane", ("meeting point", [], None)),
        entity("e4", "May 7, 2024"),
    ],
    "verb_phrase_nodes": [
        phrase("v1", "come", question("q1", "Who came?", "e1")),
        phrase(
            "v2",
            "meet",
            question("q2", "Who met someone?", "e1"),
            question("q3", "Whom did someone meet?", "e2"),
            question("q4", "Why did someone meet someone?"),
            question("q5", "Where did someone meet?", "e9"),
        ),
    ],
}
TWO = {
    "entity_nodes": [
        entity("e1", "Tomas Reed", ("suspect", ["calm"], None)),
        entity("e2", "Mara Voss"),
    ],
    "verb_phrase_nodes": [
        phrase(
            "v1",
            "arrest",
            question("q1", "Who arrested someone?", "e2"),
            question("q2", "Who was arrested?", "e1"),
            question("q3", "Where did it happen?", "TEXT:Harbour Lane"),
        )
    ],
}
COMBINED = {
    "metadata": {"total_documents": 1, "total_chunks": 2, "processed_at": "then"},
    "documents": {
        "doc_0": {
            "0_1": record(1, SECOND, TWO),
            "0_0": record(
                0,
                FIRST,
                ONE,
                link("spatial", "Harbour Lane", "e1", "e2"),
                link("temporal", "May 7, 2024", "e1", "e2"),
            ),
        }
    },
}
RECONCILED = {
    "entity_nodes": [
        entity("0_0::e1", "Mara Voss", ("Inspector", [], "0_0"), chunk="0_0"),
        entity(
            "0_0::e2",
            "Tomas Reed",
            ("sailor", ["old"], "0_0"),
            ("suspect", ["calm"], "0_10"),
            chunk="0_0",
        ),
    ],
    "verb_phrase_nodes": [
        phrase(
            "0_0::v2",
            "meet",
            question("0_0::q2", "Who met someone?", "0_0::e1", chunk="0_0"),
            question("0_0::q3", "Whom did someone meet?", "0_0::e2", chunk="0_0"),
            question(
                "0_0::q4", "Why did they meet?", "TEXT:to talk", chunk="chunk_0_2"
            ),
            chunk="0_0",
        ),
        phrase(
            "0_10::v1",
            "arrest",
            question("0_10::q1", "Who arrested someone?", "0_0::e1", chunk="0_10"),
            question("0_10::q2", "Who was arrested?", "0_0::e2", chunk="0_10"),
            chunk="0_10",
        ),
    ],
}


@pytest.fixture
def opened(tmp_path):
    def lab(data, *overrides, name="gsw"):
        path = tmp_path / f"{name}.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data))
        given = f"dataset.file={path}", f"run.dir={tmp_path / name}"
        return gswlab.open("experiment=official", *given, *overrides)

    return lab


def test_a_file_with_its_texts_is_stepped_viewed_and_asked(opened):
    lab = opened(COMBINED)
    lab.step()
    assert [a.name for a in lab.workspace.actors] == [
        "May 7, 2024",
        "Mara Voss",
        "Tomas Reed",
        "Harbour Lane",
    ]
    lab.run()
    assert [chunk.text for chunk in lab.chunks] == [FIRST, SECOND]
    assert lab.ask("Who arrested Tomas Reed?").items == ("Mara Voss",)
    assert lab.ask("Where was Mara Voss on May 7, 2024?").items == ("Harbour Lane",)
    frame = ink(lab, "Who arrested Tomas Reed?").to_frame()
    assert "Mara Voss" in set(frame["words"])
    merged = [
        d for s in lab.journal.steps() for d in s.decisions if d.type == "alignment"
    ]
    assert {d.name for d in merged if d.status == "merged"} == {
        "Mara Voss",
        "Tomas Reed",
        "Harbour Lane",
    }


def test_every_span_has_the_words_that_the_file_has(opened):
    lab = opened(COMBINED)
    lab.run()
    text = lab.document.text
    named = {a.name: a for a in lab.workspace.actors}
    for name, actor in named.items():
        assert {text[m.span.start : m.span.end] for m in actor.mentions} == {name}
    (inspector,) = named["Mara Voss"].roles
    assert text[inspector.spans[0].start : inspector.spans[0].end] == "Inspector"
    kinds = {name: actor.kind for name, actor in named.items()}
    assert kinds == {
        "May 7, 2024": "time",
        "Mara Voss": "person",
        "Tomas Reed": "person",
        "Harbour Lane": "place",
    }


def test_what_the_text_does_not_say_is_kept_at_the_name_or_refused_and_both_are_said(
    opened,
):
    lab = opened(COMBINED)
    lab.run()
    reed = next(a for a in lab.workspace.actors if a.name == "Tomas Reed")
    told = [(role.text, role.inferred) for role in reed.roles]
    assert told == [("sailor", False), ("suspect", True)]
    text, (at,) = lab.document.text, reed.roles[1].spans
    assert text[at.start : at.end] == "Tomas Reed"
    asked = {q.text: q.status for q in lab.workspace.questions}
    assert asked["Where did someone meet?"] != "answered"  # e9 is nobody


def test_a_reconciled_file_without_text_is_listed_and_says_so(opened):
    lab = opened(RECONCILED)
    assert [c.id.split(":")[1] for c in lab.chunks] == ["0_0", "0_2", "0_10"]
    lab.run()
    assert all("it has no text" in (c.title or "") for c in lab.chunks)
    assert "Mara Voss arrest Tomas Reed." in lab.document.text
    assert lab.ask("Who arrested Tomas Reed?").items == ("Mara Voss",)
    reed = next(a for a in lab.workspace.actors if a.name == "Tomas Reed")
    assert {role.text for role in reed.roles} == {"sailor", "suspect"}
    why = next(r for r in timeline(lab).rows if r.question.startswith("Why"))
    assert (why.asked, why.answered, why.answer) == (0, 1, "to talk")


def test_with_its_text_at_hand_spans_point_into_that(opened, tmp_path):
    book = tmp_path / "book.txt"
    book.write_text(BOOK)
    lab = opened(RECONCILED, f"dataset.text={book}")
    lab.run()
    assert lab.document.text == read_document(book).text
    told = became(lab, "Mara Voss arrested Tomas Reed at Harbour Lane.").to_frame()
    assert "arrest" in set(told[told["kind"] == "verb phrase"]["name"])


def test_two_files_of_one_text_are_two_experiments(opened):
    other = json.loads(json.dumps(COMBINED))
    other["documents"]["doc_0"]["0_1"]["gsw"]["verb_phrase_nodes"] = []
    assert opened(COMBINED).config.hash != opened(other, name="other").config.hash


def test_a_run_is_reopened_and_forked_without_the_file(opened, tmp_path):
    lab = opened(COMBINED)
    lab.run()
    Path(tmp_path / "gsw.json").unlink()
    again = config.reopen(lab.folder.path)
    assert again.ask("Who arrested Tomas Reed?").items == ("Mara Voss",)


def test_names_in_any_script_stay_apart(opened):
    names = {
        "entity_nodes": [
            entity("e1", "吉田"),
            entity("e2", "佐藤"),
            entity("e3", "José"),
        ],
        "verb_phrase_nodes": [],
    }
    text = "吉田 met 佐藤 and José."
    lab = opened(record(0, text, names))
    lab.run()
    assert [a.name for a in lab.workspace.actors] == ["José", "吉田", "佐藤"]


def test_each_fault_is_told_with_its_path(opened):
    broken = {"entity_nodes": [{"id": 3, "name": "Ann"}, {"id": "e2"}]}
    with pytest.raises(GswlabError) as told:
        opened(broken)
    said = str(told.value)
    assert "Input should be a valid string @ $.gsw.entity_nodes[0].id" in said
    assert "Field required @ $.gsw.entity_nodes[1].name" in said
    with pytest.raises(GswlabError, match=r"Input should be 'spatial'.*tag_type"):
        opened(record(0, FIRST, ONE, link("moral", "good", "e1")))
    with pytest.raises(GswlabError, match=r"gsw\.json is not JSON"):
        opened('{"entity_nodes": [')
    with pytest.raises(GswlabError, match="documents, gsw or entity_nodes"):
        opened('{"Chapter 1": "text"}')
    with pytest.raises(GswlabError, match="names nobody and nothing"):
        opened({"entity_nodes": []})


def test_read_knows_such_a_file_and_a_text_is_not_made_of_it(tmp_path):
    path = tmp_path / "combined.json"
    path.write_text(json.dumps(COMBINED))
    with pytest.raises(GswlabError, match=r"python -m gswlab read combined\.json"):
        read_document(path)
    command = [sys.executable, "-m", "gswlab", "read", str(path), "--run", "run"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["actors"] == 4


def test_a_slot_is_read_off_its_question():
    told = {
        "Who arrested someone?": "agent",
        "Who or what was arrested?": "patient",
        "Whom did someone meet?": "patient",
        "What did someone say?": "patient",
        "To whom did someone give it?": "recipient",
        "Where did it happen?": "place",
        "In which city did it happen?": "place",
        "On what date did it happen?": "time",
        "When?": "time",
        "Why?": "purpose",
        "How did someone do it?": "manner",
        "With what did someone do it?": "instrument",
    }
    assert {text: slot_of(text) for text in told} == told


KEYS = (
    *("documents", "gsw", "entity_nodes", "verb_phrase_nodes", "id", "name", "roles"),
    *("questions", "answers", "chunk_id", "text", "phrase"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_no_json_makes_anything_but_records_or_one_sentence(data):
    said, found = "", ()
    try:
        found = records(json.dumps(data), "any.json")
    except GswlabError as error:
        said = error.problem
    assert "any.json" in said or any(record.entities for record in found)


names = st.text("ab cé吉", min_size=1, max_size=6).filter(str.strip)
chunk_ids = st.builds("{}_{}".format, st.integers(0, 2), st.integers(0, 12))


@st.composite
def structures(draw):
    many = draw(st.integers(1, 4))
    ids = [f"e{n}" for n in range(many)]
    roles = st.lists(
        st.tuples(names, st.lists(names, max_size=2), chunk_ids), max_size=2
    )
    entities = [
        entity(i, draw(names), *draw(roles), chunk=draw(chunk_ids)) for i in ids
    ]
    answers = st.lists(st.sampled_from([*ids, "TEXT:so", "None", "e99"]), max_size=2)
    asked = st.lists(st.tuples(names, answers, chunk_ids), max_size=3)
    phrases = [
        phrase(
            f"v{n}",
            draw(names),
            *(question(f"q{n}{m}", t, *a, chunk=c) for m, (t, a, c) in enumerate(qs)),
            chunk=draw(chunk_ids),
        )
        for n, qs in enumerate(draw(st.lists(asked, max_size=3)))
    ]
    return {"entity_nodes": entities, "verb_phrase_nodes": phrases}


@given(structures())
def test_taken_apart_nothing_of_a_workspace_is_lost(whole):
    found = records(json.dumps(whole), "any.json")
    places = [(record.document, record.index) for record in found]
    assert places == sorted(set(places))
    roles = {
        (e.id, r.role) for record in found for e in record.entities for r in e.roles
    }
    assert roles == {
        (e["id"], r["role"]) for e in whole["entity_nodes"] for r in e["roles"]
    }
    answered = {
        (q.id, a)
        for record in found
        for p in record.phrases
        for q in p.questions
        for a in q.given
    }
    assert answered == {
        (q["id"], a)
        for p in whole["verb_phrase_nodes"]
        for q in p["questions"]
        for a in q["answers"]
        if a != "None"
    }
    known = {e["id"] for e in whole["entity_nodes"]}
    for record in found:
        there = {e.id for e in record.entities}
        named = {a for p in record.phrases for q in p.questions for a in q.given}
        assert named & known <= there


@given(structures())
def test_a_listing_is_text_that_its_chunks_cover(tmp_path_factory, whole):
    path = tmp_path_factory.mktemp("any") / "any.json"
    path.write_text(json.dumps(whole))
    found = imported(path)
    text = found.document.text
    for chunk in found.chunks:
        assert text[chunk.span.start : chunk.span.end] == chunk.text
        assert len(found.records[chunk.id]) == 1


@settings(max_examples=25)
@given(structures())
def test_whatever_a_file_states_its_run_comes_to_its_end(tmp_path_factory, whole):
    path = tmp_path_factory.mktemp("any") / "any.json"
    path.write_text(json.dumps(whole))
    operator = OfficialOperator(str(path))
    memory = GSW(operator, RulesReconciler())
    for chunk in operator.imported.chunks:
        memory.partial_fit(chunk)
    memory.finish()
    size = len(operator.imported.document.text)
    assert all(0 <= s.start <= s.end <= size for s in cited([*memory.workspace.actors]))
