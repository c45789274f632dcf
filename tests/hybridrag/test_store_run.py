"""A run over a plot whose graph is on a server: the same run, also when that stops."""

from __future__ import annotations

import json
import signal

import pytest

import gswlab
from gswlab.core.errors import GswlabError
from gswlab.hybridrag.plot import plot_graph, read_plot
from gswlab.hybridrag.serial import Serial

PLOT = """<Plot>
<Characters>
<Character id="1" role="protagonist"><Name>Ann</Name>
<Description>A ferrywoman who counts every crossing in chalk.</Description></Character>
<Character id="2" role="antagonist"><Name>Vane</Name>
<Description>An engineer who means to dam the river.</Description></Character>
</Characters>
<EventList>
<Event id="1"><Description>Ann hides the map of the weir.</Description><Relationship>
<CharacterRef from="1" to="2" relation="enemy"/>
<CharacterRef from="2" to="1" relation="enemy"/></Relationship></Event>
<Event id="2"><Description>Vane pulls Ann out of the flood.</Description><Relationship>
<CharacterRef from="1" to="2" relation="friend"/>
<CharacterRef from="2" to="1" relation="friend"/></Relationship></Event>
</EventList>
</Plot>
"""
ASKED = {
    "Who counts crossings in chalk?": "Ann",
    "What does Vane mean to dam?": "river",
    "What were Ann and Vane to each other at event 1?": "enemy",
    "What role does Vane have?": "antagonist",
}


@pytest.fixture
def settings(tmp_path):
    """The overrides of a run over the plot, but for its folder and its store."""
    (tmp_path / "river.xml").write_text(PLOT)
    rows = [
        {"id": f"q{n}", "kind": "description", "question": asked, "answers": [[answer]]}
        for n, (asked, answer) in enumerate(ASKED.items())
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "river.jsonl").write_text(lines)
    return (
        "experiment=plot",
        f"dataset.file={tmp_path / 'river.xml'}",
        f"dataset.questions={tmp_path / 'river.jsonl'}",
    )


def test_a_server_that_stops_in_a_run_is_one_error_and_the_run_goes_on(
    settings, bolt_server, bolt, tmp_path, monkeypatch
):
    local = gswlab.open(*settings, f"run.dir={tmp_path / 'local'}")
    wanted = local.run()
    on_server = (
        *settings,
        "store=neo4j",
        f"store.uri={bolt_server.uri}",
        "store.retry_seconds=1",
        f"run.dir={tmp_path / 'remote'}",
    )
    recall, asked = Serial.recall, []

    def dying(memory, question, budget):
        asked.append(question)
        if len(asked) == 3:
            bolt_server.stop(signal.SIGKILL)
        return recall(memory, question, budget)

    monkeypatch.setattr(Serial, "recall", dying)
    with pytest.raises(GswlabError, match=r"the graph server at .* is away"):
        gswlab.open(*on_server).run()
    assert len(gswlab.open(*on_server).folder.read_lines("answers.jsonl")) == 2
    with pytest.raises(GswlabError, match=r"the graph server at .* is away"):
        gswlab.open(*on_server).run()  # still away: still one error, nothing lost
    bolt_server.start()
    lab = gswlab.open(*on_server)
    found = lab.run()
    assert asked[3:] == [*ASKED][2:]  # nothing was asked twice
    rows = lab.folder.read_lines("answers.jsonl")
    assert rows == local.folder.read_lines("answers.jsonl")
    assert {**found, "run": "", "config": ""} == {**wanted, "run": "", "config": ""}
    held = bolt.named("river")
    assert held.graph() == plot_graph(read_plot(tmp_path / "river.xml"))
    assert held.counts() == (4, 9)
