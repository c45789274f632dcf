"""The window: its sum, its pressure, what is evicted, brought back and shown."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gswlab.core.budget import count_tokens
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.core.protocols import Memory
from gswlab.memgpt.agent import Agent
from gswlab.memgpt.loop import Tools
from gswlab.memgpt.memory import MemGPT
from gswlab.memgpt.policy import PolicyStep
from gswlab.memgpt.window import fates, moments, window_timeline
from gswlab.models.vectors.minilm import MiniLM
from gswlab.view.papers.memgpt import (
    window_chart,
    window_page,
    window_table,
)

SMALL = {"window": 2400, "reply": 256}
TALK = st.lists(st.tuples(st.booleans(), st.integers(1, 400)), min_size=1, max_size=12)


def chunk(number, text, speaker="Ann", time=None):
    span = Span("talk", number * 1000, number * 1000 + len(text))
    name = f"talk:{number}"
    return Chunk(name, "talk", None, number, text, span, None, speaker, time)


def kinds(events):
    return [event.kind for event in events]


def of(events, kind):
    return [event.data for event in events if event.kind == kind]


class Told:
    """A policy that makes the calls it is given, then sends a message."""

    name = "told"

    def __init__(self, *calls):
        self.calls = list(calls)

    def mind(self, main):
        return self.decide

    def decide(self, why, last):
        self.why, self.last = why, last
        if self.calls:
            function, arguments = self.calls.pop(0)
            return PolicyStep(function, {**arguments, "request_heartbeat": True})
        return PolicyStep("send_message", {"message": "Done."})


@settings(max_examples=10)
@given(TALK)
def test_the_parts_of_a_window_add_up_and_it_never_overflows(talk):
    agent = Agent(**SMALL)
    for asks, words in talk:
        text = " ".join(["boat"] * words) + ("?" if asks else ".")
        (agent.send if asks else agent.hear)(text)
        window = agent.context()
        for part in window.parts:
            assert part.part == "reply" or count_tokens(part.text) == part.tokens
        terms = window.terms
        fixed = sum(terms[name] for name in ("system", "core", "functions", "reply"))
        assert terms["capacity"] == 2400 - fixed
        assert terms["queue"] == agent.main.queue.tokens <= terms["capacity"]
        assert sum(part.tokens for part in window.parts) + terms["free"] == 2400
        assert sum(window.to_frame().tokens) == 2400 - terms["free"]


def test_the_first_entry_of_a_full_queue_is_its_summary_and_turns_stay_whole():
    agent = Agent(**SMALL)
    for n in range(12):
        agent.send(f"Where is boat number {n}?")
        entries = agent.main.queue.entries
        turns = [entry.turn for entry in entries]
        assert turns == sorted(turns)
        for turn in set(turns) - {agent.main.turn}:
            whole = [
                e.id
                for e in agent.storage.recall.where("ORDER BY id")
                if e.turn == turn
            ]
            assert [e.id for e in entries if e.turn == turn] == whole
    parts = [part.part for part in agent.context().parts]
    assert parts[parts.index("reply") + 1] == "summary"
    assert f"{agent.main.queue.hidden} earlier entries" in agent.main.queue.first


def test_pressure_warns_once_a_cycle_and_half_is_evicted_when_full():
    agent = Agent(**SMALL)
    warned, evicted = [], []
    for n in range(40):
        events = agent.hear(f"Message {n} is about the boat and the sea.").events
        warned += [n] * kinds(events).count("warned")
        for data in of(events, "evicted"):
            evicted.append(n)
            left = agent.main.queue.tokens - agent.main.queue.entries[-1].tokens
            assert 0.4 <= data["tokens"] / (data["tokens"] + left) <= 0.75
    assert len(evicted) >= 2
    assert abs(len(warned) - len(evicted)) <= 1
    assert warned[0] < evicted[0]


def test_with_summarise_the_window_is_kept_below_its_level_without_a_warning():
    agent = Agent(pressure="summarise", window=4000, reply=256)
    for n in range(60):
        events = agent.hear(f"Message {n} is about the boat and the sea.").events
        assert "warned" not in kinds(events)
        assert agent.context().prompt <= 0.7 * 4000


def test_what_was_evicted_is_found_for_ever_and_paged_in_again():
    agent = Agent(**SMALL)
    agent.hear("The key is under the blue stone.", "2024-05-07", "Ann")
    for n in range(60):
        agent.hear(f"Message {n} is about the weather.", "2024-05-08", "Bo")
    assert "m1" not in agent.main.queue.resident
    turn = agent.send("What is under the blue stone?")
    assert turn.said == ("[2024-05-07] Ann: The key is under the blue stone.",)
    assert "m1" in of(turn.events, "paged_in")[0]["ids"]
    assert turn.paging.faults >= 1
    assert "m1" in agent.main.queue.resident
    again = agent.send("And what is under the blue stone?")
    assert "m1" in of(again.events, "hit")[0]["ids"]


def test_a_message_larger_than_the_window_is_cut_there_and_whole_in_storage():
    agent = Agent(**SMALL)
    long = " ".join(f"word{n}" for n in range(5000)) + " The end is near the pier."
    agent.send(long)
    assert agent.context().terms["free"] >= 0
    assert any("the rest is in storage" in p.text for p in agent.context().parts)
    assert agent.storage.recall.search("near the pier").hits[0].row.text == long


def test_a_turn_of_many_searches_evicts_its_own_oldest_calls_with_their_results():
    searches = [("archival_memory_search", {"query": f"boat {n}"}) for n in range(15)]
    agent = Agent(**SMALL, policy=Told(*searches))
    for n in range(60):
        agent.insert(f"Boat {n} lies in the old harbour and waits for paint and rope.")
    turn = agent.send("Tell me of all boats.")
    assert turn.outcome == "replied"
    entries = agent.main.queue.entries
    assert entries[0].text == "Tell me of all boats."
    assert [e.kind for e in entries[1:3]] == ["call", "result"]
    assert len(of(turn.events, "evicted")) >= 1


def test_prefetch_turns_faults_into_hits_and_batches_bring_several_pages():
    def agent(**of):
        made = Agent(**of)
        for n in range(30):
            made.insert(f"Boat {n} is called Tern.")
        return made

    plain = agent().send("Which boat is called Tern?").paging
    ahead = agent(prefetch=5).send("Which boat is called Tern?").paging
    assert (plain.page_ins, plain.hit_rate) == (5, plain.hits / (plain.hits + 5))
    assert ahead.prefetched == 5
    assert ahead.faults < plain.faults
    assert agent(batch=3).send("Which boat is called Tern?").paging.page_ins == 15


def test_the_papers_paged_functions_find_what_the_counted_ones_find():
    agent = Agent()
    for n in range(12):
        agent.hear(f"Tea at {n}.", f"2024-05-{n + 1:02d}")
    agent.main.received = None
    tools = Tools(agent.main)

    def call(function, **arguments):
        result = tools.call(PolicyStep(function, arguments))
        return [hit.key for hit in result.page.hits] if result.page else result.text

    first = call("recall_memory_search", query="tea", count=5)
    assert first == call("conversation_search", query="tea")
    assert call("page", number=1) == call("conversation_search", query="tea", page=1)
    days = {"start_date": "2024-05-02", "end_date": "2024-05-03"}
    assert call("conversation_search_date", **days) == ["m2", "m3"]
    assert "there is no page 9" in call("page", number=9)
    swapped = {"start_date": "2024-05-03", "end_date": "2024-05-02"}
    assert "swap them" in call("conversation_search_date", **swapped)


def test_a_timer_may_act_unprompted_and_not_while_it_is_paused():
    policy = Told(("pause_heartbeats", {"minutes": 60}))
    agent = Agent(policy=policy)
    assert agent.timer("2024-05-08T10:00").outcome == "silent"
    assert agent.timer("2024-05-08T10:59").outcome == "paused"
    assert agent.timer("2024-05-08T11:01").said == ("Done.",)


def test_a_failed_call_goes_before_a_heartbeat_and_a_warning_before_both():
    calls = [("fly", {}), ("archival_memory_insert", {"content": "x"})]
    agent = Agent(policy=Told(*calls))
    seen = []
    decide = agent.policy.decide
    agent.policy.decide = lambda why, last: seen.append(why) or decide(why, last)
    agent.send("Go.")
    assert seen == ["received", "failed", "heartbeat"]
    full = Agent(window=2400, reply=256, warn=0.66, policy=Told(("fly", {})))
    seen.clear()
    decide_full = full.policy.decide
    full.policy.decide = lambda why, last: seen.append(why) or decide_full(why, last)
    full.send("Go. " * 30)
    assert seen[0] == "received"
    assert "warned" in kinds(full.main.events)


def test_a_window_too_small_for_what_is_always_in_it_is_refused():
    with pytest.raises(GswlabError, match=r"always in it.*memory\.window="):
        Agent(window=1500).send("Hello?")
    with pytest.raises(GswlabError, match=r"memory\.warn cannot be 7"):
        Agent(warn=7)


def test_a_nested_key_is_looked_up_to_its_end_through_overwrites_and_pages():
    keys = [f"{n:08x}-0000-4000-8000-000000000000" for n in range(40)]
    agent = Agent(archival_by="substring", calls=50)
    for key in keys:
        agent.insert(json.dumps({key: f"end of {key[:8]}"}))
    for first, second in ((3, 7), (7, 20), (20, 31)):
        agent.insert(json.dumps({keys[first]: keys[second]}))
    for n in range(12):  # more than a page of hits that name the key as a value
        agent.insert(json.dumps({f"note {n}": keys[7]}))
    turn = agent.send(f'What is the value of "{keys[3]}"?')
    assert turn.said == (f"end of {keys[31][:8]}",)


def test_it_is_a_memory_that_reads_recalls_and_changes_nothing_by_being_asked():
    memory = MemGPT(**SMALL, embedder=MiniLM(), keep="all")
    assert isinstance(memory, Memory)
    for n in range(30):
        step = memory.partial_fit(chunk(n, f"Boat {n} is in port {n % 7}."))
        assert step.chunk == f"talk:{n}"
        assert kinds(step.events)[0] == "entered"
    window, rows = memory.context(), len(memory.storage.recall)
    found = memory.recall("Where is boat 3?", 100)
    assert 0 < found.tokens <= 100
    assert any(
        span == Span("talk", 3000, 3020) for i in found.items for span in i.spans
    )
    assert (memory.context(), len(memory.storage.recall)) == (window, rows)
    assert memory.recall("Where is boat 3?", 100) == found
    assert not memory.clone().recall("Where is boat 3?", 100).items


def test_a_chunk_without_a_speaker_goes_to_archival_storage_alone():
    memory = MemGPT()
    (event,) = memory.partial_fit(chunk(0, "The mill burned.", None)).events
    assert event.kind == "inserted"
    assert not memory.main.queue.entries
    (item, *_) = memory.recall("What burned?", 50).items
    assert item.spans == (Span("talk", 0, 16),)


def test_forgetting_takes_a_document_out_of_queue_storage_and_summary():
    memory = MemGPT(**SMALL)
    for n in range(40):
        memory.partial_fit(chunk(n, f"Vault {n} has the code {n * 7919}."))
    memory.partial_fit(
        Chunk("x:0", "x", None, 0, "It rains.", Span("x", 0, 9), None, "Bo")
    )
    memory.forget("talk")
    assert "Vault" not in "".join(part.text for part in memory.context().parts)
    assert [hit.row.text for hit in memory.storage.recall.search("rains").hits]


def test_the_moments_of_a_run_are_read_off_its_steps_alone():
    memory = MemGPT(**SMALL, replies=True)
    chunks = [chunk(n, f"Boat {n} is red and large, said Bo.") for n in range(12)]
    chunks.append(chunk(12, "Which boat is large?"))
    steps = [memory.partial_fit(each) for each in chunks]
    told = moments(steps, chunks)
    assert len(told) == len(steps)
    assert [e.id for e in told[-1].entries] == [
        entry.key for entry in memory.main.queue.entries
    ]
    assert dict(told[-1].parts) == memory.context().sums
    frame = window_timeline(told)
    assert list(frame.step) == list(range(13))
    gone = fates(told)
    assert chunks[0].text in {*gone.text}
    assert str(chunks[0].text) not in {e.text for e in told[-1].entries}


def test_views_of_a_window_escape_what_was_said_and_say_it_in_words():
    memory = MemGPT(**SMALL, replies=True)
    chunks = [chunk(n, f"<b>Boat {n}</b> & sea, it is red.") for n in range(12)]
    told = moments([memory.partial_fit(each) for each in chunks], chunks)
    page = window_page(told)
    assert "<b>Boat" not in page.html
    assert "&lt;b&gt;Boat 11" in page.html
    assert page.html.count("<section") == 12
    assert "message" in window_chart(told).alt
    table = window_table(memory.context())
    assert "2,400 window - " in table.caption
    assert "<b>" not in table._repr_html_()


def test_japanese_is_searched_followed_and_answered_without_spaces():
    agent = Agent(language="ja", window=4096)
    agent.send("妹の花子は大阪に住んでいます。", "2024-05-08", "太郎")
    agent.send("昨日、赤い船を売りました。", "2024-05-09", "太郎")
    assert "大阪" in str(agent.send("妹はどこに住んでいますか。"))
    assert "(昨日: 2024-05-08)" in str(agent.send("赤い船をいつ売りましたか。"))
    for words in ("船", "花子", "赤い船"):
        texts = [hit.row.text for hit in agent.storage.recall.search(words).hits]
        assert texts
        assert all(words in text for text in texts)
