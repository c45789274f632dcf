"""Serial recall, its ablations and baselines on a plot of a page."""

from __future__ import annotations

import zlib
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_plot import made_plot

from gswlab.baselines.dense import Dense
from gswlab.baselines.passages import LongContext
from gswlab.bench.plots import plot_worlds, read_into
from gswlab.core.errors import GswlabError
from gswlab.hybridrag.graph_only import GraphOnly
from gswlab.hybridrag.outline import Outline
from gswlab.hybridrag.parallel import Parallel
from gswlab.hybridrag.plot import plot_of
from gswlab.hybridrag.serial import PublishedSerial, Serial
from gswlab.hybridrag.stores.memory import InMemory
from gswlab.hybridrag.stores.nouns import GraphEdge
from gswlab.hybridrag.ties import holding, tie_histories, tie_runs
from gswlab.language.keys import kind_stems
from gswlab.models.vectors.nearest import best

PLOT = """<Plot><Characters>
<Character id="1" role="hero"><Name>Ann Ray</Name>
<Description>A cook with a copper spoon.</Description></Character>
<Character id="2" role="villain"><Name>Bo</Name>
<Description>A rider who burns bridges.</Description></Character>
<Character id="3" role="friend"><Name>Cy</Name>
<Description>A piper of the northern marsh.</Description></Character>
</Characters><EventList>
<Event id="1"><Description>A kettle is stolen.</Description>
<Appearance character="1"/></Event>
<Event id="2"><Description>They fight on the bridge.</Description><Relationship>
<CharacterRef from="1" to="2" relation="enemy"/>
<CharacterRef from="2" to="1" relation="enemy"/></Relationship></Event>
<Event id="3"><Description>Snow falls.</Description><Relationship>
<CharacterRef from="1" to="3" relation="friend"/>
<CharacterRef from="3" to="1" relation="friend"/></Relationship></Event>
<Event id="4"><Description>Bread is shared.</Description><Relationship>
<CharacterRef from="1" to="2" relation="friend"/>
<CharacterRef from="2" to="1" relation="friend"/></Relationship></Event>
</EventList></Plot>"""


class Words:
    """Bags of stems, hashed: nearness is words in common. Counts what it embeds."""

    def __init__(self):
        self.embedded = []

    def embed(self, texts):
        self.embedded += texts
        rows = np.zeros((len(texts), 512), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for stem in kind_stems(text):
                row[zlib.crc32(stem.encode()) % 512] += 1
            row /= max(float(np.linalg.norm(row)), 1.0)
        return rows


def world(xml=PLOT):
    (one,) = plot_worlds([plot_of(xml.encode(), "bread.xml")], [()])
    return one


def serial(xml=PLOT, cls=Serial, **settings):
    return read_into(cls(InMemory(), Words(), **settings), world(xml))


def texts(memory, question, budget=300):
    return [item.text for item in memory.recall(question, budget).items]


def test_the_nearest_node_is_found_by_what_is_said_of_it():
    first = texts(serial(), "Which piper comes from the marsh?")[0]
    assert first == "Cy (friend)\nA piper of the northern marsh."


def test_the_ties_of_two_who_are_named_are_told_with_their_events():
    told = texts(serial(), "How did Bo and Ann Ray become friends?")[0]
    assert told == "Ann Ray and Bo: enemy (event 2), friend (event 4)."


def test_a_relation_at_a_given_event_is_that_of_the_last_event_that_states_it():
    at = serial()
    assert (
        texts(at, "Ann Ray and Bo at event 3?")[0] == "Ann Ray and Bo: enemy (event 2)."
    )
    off = serial(at=False)
    assert "friend (event 4)" in texts(off, "Ann Ray and Bo at event 3?")[0]


def test_of_one_who_is_named_all_ties_and_events_are_told():
    told = texts(serial(), "Who was ever a friend of Ann Ray?")[0]
    assert told == "Ann Ray: 4 events (1, 2, 3, 4); enemy of Bo; friend of Cy, Bo."


def test_a_larger_k_reaches_no_fewer_nodes_and_keeps_the_budget():
    reached = []
    for k in range(4):
        evidence = serial(k=k).recall("Where does the piper come from?", 60)
        assert evidence.tokens <= 60
        reached.append(len(evidence.trace[0].data["reached"]))
    assert reached == sorted(reached)
    assert reached[0] == 2
    assert reached[-1] == 7


def test_a_question_in_two_parts_finds_the_event_of_each():
    asked = "Which comes first: a kettle is stolen, or bread is shared?"
    seeds = serial(seeds=1).recall(asked, 300).trace[0].data["seeds"]
    assert seeds == ["e1", "e4"]
    assert (
        len(serial(seeds=1, parted=False).recall(asked, 300).trace[0].data["seeds"])
        == 1
    )


def test_what_comes_right_after_an_event_is_handed_over():
    told = texts(serial(), "What happens directly after a kettle is stolen?")
    assert any("They fight on the bridge." in text for text in told)


def test_the_published_system_enters_at_one_node_and_tells_no_history():
    memory = serial(cls=PublishedSerial)
    evidence = memory.recall("What were Ann Ray and Bo when bread is shared?", 300)
    assert evidence.trace[0].data["seeds"] == ["e4"]
    assert not any(item.text.startswith("Ann Ray and Bo:") for item in evidence.items)
    assert "A cook with a copper spoon." in memory._texts.values()


def test_an_edit_embeds_and_writes_only_what_changed():
    memory = serial(embed="names")
    embedder = memory.embedder
    before = len(embedder.embedded)
    edited = world(PLOT.replace("Snow falls.", "Hail falls."))
    update = memory.insert(edited.plot)
    assert update.nodes == ("e3",)
    assert (update.edges, update.deleted_nodes) == ((), ())
    (event,) = memory.finish().events
    assert embedder.embedded[before:] == ["Hail falls."]
    assert event.data == {"nodes": 7, "embedded": 1}
    assert "Hail falls." in "".join(texts(memory, "When does hail fall?"))


def test_parallel_adds_five_documents_to_the_same_graph():
    graph = Serial(InMemory(), Words())
    both = read_into(Parallel(graph, Dense(embedder=Words())), world())
    question = "Who burns bridges?"
    found, alone = both.recall(question, 10_000), texts(serial(), question)
    assert len(found.items) == 5 + len(alone)
    assert [item.text for item in found.items[5:]] == alone
    assert found.tokens > serial().recall(question, 300).tokens


def test_graph_only_finds_what_is_named_and_nothing_else():
    memory = read_into(GraphOnly(InMemory()), world())
    told = texts(memory, "What were Ann Ray and Bo to each other at event 3?")
    assert told[0] == "Ann Ray and Bo: enemy (event 2)."
    assert memory.recall("Who plays the pipe?", 300).items == ()


def test_long_context_is_the_file_as_it_is():
    memory = read_into(LongContext(), world())
    assert texts(memory, "Anything?", 10_000) == [PLOT]


def test_what_is_recalled_points_to_its_element_in_the_file():
    (item,) = serial(seeds=1, nodes=1).recall("the northern marsh", 300).items
    span = item.spans[0]
    assert PLOT[span.start : span.end].startswith('<Character id="3"')
    assert "northern marsh" in PLOT[span.start : span.end]


def test_a_memory_of_plots_that_read_a_text_says_what_it_reads():
    memory = Serial(InMemory(), Words())
    memory.partial_fit(world().chunks[0])
    with pytest.raises(GswlabError, match="experiment=plot"):
        memory.recall("Who left?", 300)


def test_without_an_embedder_the_setting_is_named():
    with pytest.raises(GswlabError, match="embedder=bilingual"):
        read_into(Serial(InMemory()), world())


@pytest.mark.parametrize(
    ("settings", "rule"),
    [({"k": -1}, "0 or more"), ({"seeds": -1}, "seeds"), ({"nodes": 0}, "nodes")],
)
def test_a_setting_out_of_range_is_one_sentence(settings, rule):
    with pytest.raises(GswlabError, match=rule):
        Serial(InMemory(), Words(), **settings)


def test_a_name_inside_a_longer_name_is_not_called():
    xml = PLOT.replace("<Name>Cy</Name>", "<Name>Ann</Name>")
    memory = serial(xml)
    assert memory.outlined().people("Who met Ann Ray?") == ("c1",)
    assert memory.outlined().people("Who met Ann?") == ("c3",)


STATED = st.lists(
    st.tuples(st.integers(1, 30), st.sampled_from(("friend", "enemy", "rival"))),
    unique_by=lambda pair: pair[0],
).map(sorted)


@given(STATED)
def test_runs_part_what_is_stated_only_where_it_changes(stated):
    parted = tie_runs(stated)
    assert [(e, r) for r, events in parted for e in events] == stated
    assert all(a[0] != b[0] for a, b in pairwise(parted))


@given(STATED, st.integers(1, 30))
def test_what_holds_at_an_event_is_what_was_last_stated(stated, event):
    held = [relation for at, relation in stated if at <= event][-1:]
    told = [relation for relation, _ in holding(tie_runs(stated), event)]
    assert told == (held or [relation for _, relation in stated[:1]])


@given(st.lists(st.integers(0, 5), min_size=1), st.integers(1, 8))
def test_the_best_rows_are_those_of_a_stable_sort(scores, count):
    row = np.array(scores, np.float32)
    assert best(row, count) == list(np.argsort(-row, kind="stable")[:count])


def test_ties_of_events_that_are_not_there_are_no_history():
    tie = GraphEdge("c1", "RELATES_TO", "c2", "friend", "e9")
    assert tie_histories([tie], {"e1": 1}) == {}


@pytest.mark.parametrize("nodes", [20, 57, 400])
def test_a_generated_plot_has_the_size_asked_for_and_repeats(nodes):
    plot = plot_of(made_plot(nodes, 3).encode())
    assert len(plot.characters) + len(plot.events) == nodes
    assert made_plot(nodes, 3) == made_plot(nodes, 3) != made_plot(nodes, 4)
    ties = [len(event.ties) for event in plot.events]
    assert max(ties) <= 6


def test_a_plot_too_small_to_generate_says_how_many_nodes():
    with pytest.raises(GswlabError, match="20 or more"):
        made_plot(5)


def test_any_generated_plot_keeps_the_budget_at_k_2():
    plot = plot_of(made_plot(1000, 1).encode(), "made.xml")
    memory = Serial(InMemory(), Words(), k=2, embed="descriptions")
    memory.insert(plot)
    for event in plot.events[::150]:
        one, other = (plot.characters[int(id_) - 1].name for id_ in event.appears[:2])
        question = f"What were {one} and {other} to each other at event {event.id}?"
        evidence = memory.recall(question, 300)
        assert 0 < evidence.tokens <= 300
        assert evidence.items[0].text.startswith((f"{one} and", f"{other} and"))


def test_an_outline_is_of_the_store_not_of_the_file():
    memory = serial()
    outline = Outline.of(memory.store)
    assert outline.statement("e2") == (
        "Event 2\nThey fight on the bridge. Ann Ray and Bo are enemies."
    )
    assert replace(outline).name("c2") == "Bo"
