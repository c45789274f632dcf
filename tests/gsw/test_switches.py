"""Mechanisms as switches: each off or on changes what is believed or handed over."""

from __future__ import annotations

import pytest
from maps import Story

import gswlab
from gswlab.core.budget import count_tokens
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Vote
from gswlab.core.workspace import Workspace
from gswlab.gsw.interpreter import Interpreter
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.models.vectors.minilm import MiniLM
from gswlab.qa.readers.cue import CueReader
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

BOOK = """Chapter 1

On May 7, 2031, Ann Ray opened the kite fair at Quay House. Bo Lind bought a kite.

Chapter 2

On June 2, 2030, Ann Ray won a chess tournament at the Old Mill. She laughed.

Chapter 3

On July 9, 2032, Bo Lind held a swimming race at Quay House. Nobody came.
"""


class Read:
    """The past of a memory that read the book: its chunks and its steps."""

    def __init__(self, reconciler=None):
        self.operator, self.reconciler = (
            SpacyOperator(),
            reconciler or RulesReconciler(),
        )
        self.memory = GSW(self.operator, self.reconciler)
        self._chunks = chunks(document_of(BOOK, "b"))
        self._steps = [self.memory.partial_fit(chunk) for chunk in self._chunks]
        self._steps.append(self.memory.finish())

    def chunks(self):
        return self._chunks

    def steps(self):
        return iter(self._steps)

    def recall(self, question, budget=1000, **settings):
        workspace = self.memory.workspace
        parts = (self.operator, self.reconciler, workspace)
        return GSW(*parts, past=self, **settings).recall(question, budget)


@pytest.fixture(scope="module")
def read():
    return Read()


def told(reconciler):
    """A story in which one chunk has the day, another the place, a third who it was."""
    story, workspace = Story(), Workspace()
    day = story.tell("It was 7 May 2031 when the letter came.")
    date = day.actor("7 May 2031", "date", value="2031-05-07")
    letter = day.actor("the letter", "nominal", "object")
    day.link("time", (date, letter), "7 May 2031", anchor=date, iso="2031-05-07")
    vote = Vote("date", date, 1.0, "the day", (day.span("7 May 2031"),))
    day.parts["votes"] = [vote]
    workspace = day.into(reconciler, workspace)
    who = story.tell("Ann Ray read it and Bo Lind listened.")
    ann, bo = who.actor("Ann Ray"), who.actor("Bo Lind")
    who.parts["votes"] = [
        Vote("protagonist", ann, 2.0, "reads", (who.span("Ann Ray"),)),
        Vote("participant", bo, 1.0, "listens", (who.span("Bo Lind"),)),
    ]
    who.link("space", (ann, bo), None)
    reading = who.does("read", ann)
    who.asks("Where was it read?", "place", reading)
    workspace = who.into(reconciler, workspace)
    where = story.tell("Ann Ray sat in Quay House.")
    again = where.actor("Ann Ray")
    house = where.actor("Quay House", kind="place")
    where.link("space", (again, house), "Quay House", anchor=house)
    return where.into(reconciler, workspace)


def coupled(workspace):
    """Who is coupled to a place or time, besides these themselves."""
    anchors = (*workspace.times, *workspace.places)
    ids = {workspace.resolve(i) for anchor in anchors for i in anchor.actors}
    named = {workspace.get(i) for i in ids}
    return sorted(a.name for a in named if a.kind not in ("time", "place"))


def test_without_propagation_a_place_stays_with_the_words_that_state_it():
    assert coupled(told(RulesReconciler())) == ["Ann Ray", "Bo Lind", "the letter"]
    assert coupled(told(RulesReconciler(propagation=False))) == []


def test_without_propagation_a_day_does_not_reach_the_protagonist_of_another_chunk():
    with_, without = (
        told(RulesReconciler(propagation=on)).episodes[0] for on in (True, False)
    )
    assert (with_.protagonist.value, with_.date.value) == ("Ann Ray", "2031-05-07")
    assert (without.protagonist.value, without.date) == ("Ann Ray", None)


def test_without_propagation_what_one_chunk_says_itself_is_still_bound():
    found = Read(RulesReconciler(propagation=False)).memory.workspace.episodes
    assert [(e.date.value, e.place.value) for e in found if e.chapter == 1] == [
        ("2031-05-07", "Quay House")
    ]


def test_without_questions_none_is_put_and_a_standing_one_is_answered_all_the_same():
    assert told(RulesReconciler()).questions
    bare = RulesReconciler(questions=False)
    assert told(bare).questions == ()
    asked = Workspace().apply(bare.register(Workspace(), "Who was at Quay House?"))
    memory = GSW(SpacyOperator(), bare, asked)
    memory.partial_fit(chunks(document_of(BOOK, "b"))[0])
    assert [q.status for q in memory.workspace.questions] == ["answered"]


def test_scope_decides_whether_a_name_of_another_chapter_is_the_same_actor():
    def named(scope):
        actors = Read(RulesReconciler(scope=scope)).memory.workspace.actors
        return sum(actor.name == "Ann Ray" for actor in actors)

    assert (named("global"), named("chapter")) == (1, 2)


@pytest.mark.parametrize(
    ("form", "has", "lacks"),
    [
        ("chunks", "Bo Lind bought a kite.", "Chapter 1:"),
        ("phrases", "Bo Lind buys the kite.", "bought"),
        ("summaries", "Ann Ray: at Quay House.", "bought"),
    ],
)
def test_evidence_has_the_form_that_was_chosen_and_no_facts(read, form, has, lacks):
    question = "What did people do at Quay House on May 7, 2031?"
    evidence = read.recall(question, evidence=form)
    assert has in evidence.text
    assert lacks not in evidence.text
    assert all(item.spans and not item.facts for item in evidence.items)
    assert {item.chapter for item in evidence.items} == {1}
    assert evidence.tokens == count_tokens(evidence.text)
    assert read.recall(question).items[0].facts


@pytest.mark.parametrize("form", ["chunks", "phrases", "summaries"])
def test_every_form_keeps_to_its_budget(read, form):
    for budget in (0, 20, 1000):
        found = read.recall("Which events were at Quay House?", budget, evidence=form)
        assert found.tokens <= budget


def test_evidence_without_facts_is_read_by_the_operator_and_rules_of_the_run(read):
    question = "On which dates was something held at Quay House?"
    evidence = read.recall(question, evidence="chunks")
    reader = CueReader(Interpreter(read.operator, read.reconciler))
    answer = reader.answer(question, evidence)
    assert answer.items == ("May 07, 2031", "July 09, 2032")
    assert answer.chapters == (1, 3)
    held = [span for item in evidence.items for span in item.spans]
    for cited in answer.spans:
        assert any(s.start <= cited.start and cited.end <= s.end for s in held)
    assert CueReader().answer(question, evidence).items != answer.items


def test_without_rank_items_are_in_the_order_of_the_text(read):
    listed = "List Ann Ray's places in chronological order."
    assert [i.chapter for i in read.recall(listed).items] == [2, 1]
    assert [i.chapter for i in read.recall(listed, rank="none").items] == [1, 2]


def test_rank_by_similarity_puts_the_nearest_first(read):
    question = "What was the gathering with swimmers at Quay House, of all events?"
    near = read.recall(question, rank="similarity", embedder=MiniLM())
    assert near.items[0].chapter == 3


def test_a_name_by_meaning_is_found_by_embedding_alone(read):
    question = "What became of the toy that flies in the wind on a string?"
    assert read.recall(question).items == ()
    assert read.recall(question, match="embedding", embedder=MiniLM()).items


def test_what_looks_into_the_past_says_so_when_there_is_none(read):
    parts = read.operator, read.reconciler, read.memory.workspace
    memory = GSW(*parts, evidence="chunks")
    with pytest.raises(GswlabError, match="has no past"):
        memory.recall("Which events were at Quay House?", 100)


def test_every_switch_is_a_setting_of_a_run_and_forks_one(tmp_path):
    (tmp_path / "b.txt").write_text(BOOK, encoding="utf-8")
    given = (f"dataset.file={tmp_path / 'b.txt'}", "embedder=none")
    lab = gswlab.open(*given, f"run.dir={tmp_path / 'run'}")
    lab.run()
    question = "On which dates was something held at Quay House?"
    switches = ("memory.evidence=chunks", "memory.rank=none")
    fork = lab.fork(len(lab.journal), *switches, f"run.dir={tmp_path / 'fork'}")
    assert fork.ask(question).items == ("May 07, 2031", "July 09, 2032")
    again = gswlab.reopen(tmp_path / "fork")
    assert again.answer(question) == fork.answer(question)
