"""External context: found for ever, quick, on disk before the reply, really deleted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.baselines.bm25 import BM25
from gswlab.core.budget import count_tokens
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.memgpt.agent import Agent
from gswlab.memgpt.core_memory import Block, Core, EditError
from gswlab.memgpt.database import EXACT, LOOKED, Database
from gswlab.memgpt.nouns import Message
from gswlab.memgpt.storage import Recall, Storage, pieces

TEXT = st.text(alphabet="abAB ü太郎'\"%_*(", min_size=1, max_size=12)


def message(text, time=None, **of):
    return Message(0, "user", "message", text, 1, 1, time=time, **of)


def recall(*texts):
    found = Recall(Database())
    for text in texts:
        found.append(message(text))
    return found


def texts(page):
    return [hit.row.text for hit in page.hits]


@given(st.lists(TEXT, max_size=8), TEXT)
def test_a_substring_is_found_wherever_it_stands_and_nowhere_else(said, query):
    page = recall(*said).search(query, 50, by="substring")
    expected = [t for t in said if query.lower() in t.lower()] if query.strip() else []
    assert texts(page) == expected[::-1]
    assert page.total == len(expected)


@given(st.lists(st.text("abc ", min_size=1, max_size=20), min_size=1, max_size=12))
def test_ranking_by_words_is_bm25_as_the_other_memories_have_it(said):
    query, reference = "a ab c", BM25()
    for i, text in enumerate(said):
        span = Span("d", 0, 1)
        reference.partial_fit(Chunk(f"d:{i}", "d", None, i, text, span))
    reference.finish()
    wanted = {row + 1: s for row, s in reference.rank(query) if s > 0}
    found = dict(recall(*said).index.ranked(query))
    assert found.keys() == wanted.keys()
    for row, score in found.items():
        assert score == pytest.approx(wanted[row], rel=1e-4)


def shown(agent):
    return "\n".join(part.text for part in agent.context().parts)


def test_pages_say_how_many_there_are_and_hold_each_message_once():
    kept = recall(*(f"tea {n}" for n in range(12)))
    pages = [kept.search("tea", 5, n) for n in range(3)]
    assert [p.header for p in pages] == [
        "Showing 5 of 12 results (page 0/2)",
        "Showing 5 of 12 results (page 1/2)",
        "Showing 2 of 12 results (page 2/2)",
    ]
    assert [text for page in pages for text in texts(page)] == [
        f"tea {n}" for n in range(11, -1, -1)
    ]


def test_counting_stops_and_says_so_but_pages_beyond_are_there():
    kept = recall(*(f"tea {n}" for n in range(LOOKED + 10)))
    assert kept.search("tea").header.startswith(f"Showing 5 of {LOOKED}+ results")
    beyond = kept.search("tea", 5, LOOKED // 5 + 1)
    assert (beyond.total, beyond.more) == (LOOKED + 10, False)
    assert texts(beyond) == ["tea 4", "tea 3", "tea 2", "tea 1", "tea 0"]


def test_days_are_found_by_the_time_of_a_message_and_dates_count_from_it():
    agent = Agent()
    for day in ("2024-05-07", "2024-05-08", "2024-06-01"):
        agent.hear("I sold the boat yesterday.", f"{day}T12:30", "Ann")
    found = agent.storage.recall.between("2024-05-07", "2024-05-08")
    assert found.hits[1].text == (
        "[2024-05-08T12:30] Ann: I sold the boat yesterday. (yesterday: 2024-05-07)"
    )
    assert found.total == 2


def test_a_text_is_cut_into_passages_of_at_most_300_tokens_that_keep_their_place():
    text = " ".join(f"Boat {n} sank near the coast of Lund." for n in range(120))
    span = Span("book", 1000, 1000 + len(text))
    kept = Storage().archival.insert(text, span=span, chunk="book:1")
    assert len(kept) > 3
    assert all(passage.tokens <= 300 for passage in kept)
    for passage in kept:
        start, end = passage.span.start - 1000, passage.span.end - 1000
        assert text[start:end] == passage.text


@given(st.text(alphabet="ab. \n太。", max_size=200), st.integers(3, 20))
def test_pieces_leave_out_nothing_but_space_and_keep_to_their_size(text, most):
    cuts = pieces(text, most)
    kept = "".join(text[start:end] for start, end in cuts)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(count_tokens(text[a:b]) <= most or b - a < 2 for a, b in cuts)


def test_tags_narrow_a_search_to_passages_that_have_them_all():
    archival = Storage().archival
    archival.insert("Tea in Lund.", tags=("drink", "lund"))
    archival.insert("Tea in Oslo.", tags=("drink",))
    found = archival.search("tea", tags=("lund", "drink"))
    assert texts(found) == ["Tea in Lund."]
    assert archival.tags() == {"drink": 2, "lund": 1}


def test_what_is_deleted_is_in_no_file_and_no_index(tmp_path):
    file = tmp_path / "agent.sqlite"
    agent = Agent(file=str(file), keep="all")
    for n in range(30):
        agent.hear(f"Nothing of note {n}.", speaker="Ann")
    span = Span("secret", 0, 20)
    agent.hear("The xqzvault opens at noon.", speaker="Ann", chunk="s", span=span)
    agent.insert("The xqzvault opens at noon.", chunk="s", span=span)
    assert agent.storage.recall.search("xqz").total == 1
    agent.forget("secret")
    assert agent.storage.recall.search("xqzvault").total == 0
    assert agent.storage.archival.search("xqzvault").total == 0
    assert "xqzvault" not in shown(agent)
    agent.close()
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Nothing of note" in left
    for trace in (b"xqzvault", b"xqz", b"qzv"):
        assert trace not in left
    with pytest.raises(GswlabError, match="no document 'secret'"):
        Agent(file=str(file)).forget("secret")


KILLED = """
import sys
from gswlab.memgpt.agent import Agent
agent = Agent(file=sys.argv[1], window=2800)
for n in range(10_000):
    agent.send(f"Fact {n}: my cat is number {n}. I am Ann.", speaker="Ann")
    print(n, flush=True)
"""


def test_after_a_kill_every_acknowledged_message_is_there_and_the_agent_goes_on(
    tmp_path,
):
    file = tmp_path / "agent.sqlite"
    command = [sys.executable, "-c", KILLED, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        told = [int(child.stdout.readline()) for _ in range(40)]
        os.kill(child.pid, signal.SIGKILL)
        told += [int(line) for line in child.stdout.read().split()]
    agent = Agent(file=str(file), window=2800)
    for n in told:
        found = agent.storage.recall.search(f"Fact {n}:", by="substring")
        assert found.total == 1, n
        row = found.hits[0].row.id
        reply = next(agent.storage.recall.where("WHERE id > ? ORDER BY id", row))
        assert reply.turn == found.hits[0].row.turn
    assert agent.main.turn in (len(told), len(told) + 1), "nothing twice"
    assert agent.context().terms["queue"] <= agent.context().terms["capacity"]
    assert agent.send("Is my cat number 7?").outcome == "replied"


def test_a_turn_that_breaks_leaves_nothing_behind(monkeypatch):
    agent = Agent()
    agent.send("I am Ann.")
    before = agent.context(), len(agent.storage.recall)

    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("gswlab.memgpt.agent.run_turn", fail)
    with pytest.raises(KeyboardInterrupt):
        agent.send("This is never answered.")
    assert (agent.context(), len(agent.storage.recall)) == before


def test_a_file_of_something_else_is_refused_in_one_sentence(tmp_path):
    other = tmp_path / "notes.sqlite"
    other.write_text("not a database, but long enough to look like some file" * 20)
    with pytest.raises(GswlabError, match="cannot be used"):
        Agent(file=str(other)).send("Hello?")


def test_a_block_keeps_its_limit_and_an_edit_says_what_is_wrong():
    core = Core(Database())
    core.put(Block("human", "who", "Ann likes tea.", 20))
    core.replace("human", "tea", "chai")
    assert core.block("human").value == "Ann likes chai."
    for edit, advice in (
        (lambda: core.append("human", "And bread."), "shorten it by 6"),
        (lambda: core.replace("human", "tea", "x"), "copy it exactly"),
        (lambda: core.replace("human", "i", "x"), "more of the words around it"),
        (lambda: core.replace("human", "", "x"), "old is empty"),
        (lambda: core.append("human", " "), "the value is empty"),
    ):
        with pytest.raises(EditError, match=advice):
            edit()
    core.put(Block("rules", "", "Be kind.", 20, read_only=True))
    with pytest.raises(EditError, match="read only"):
        core.append("rules", "x")
    assert core.block("human").value == "Ann likes chai."


def test_two_agents_share_a_block_and_nothing_else():
    ann, bo = Agent(), Agent()
    ann.storage.core.put(Block("team", "what both know", "", 100))
    ann.share("team", bo)
    bo.storage.core.append("team", "The boat is sold.")
    assert ann.storage.core.block("team").value == "The boat is sold."
    assert "The boat is sold." in shown(bo)
    bo.hear("Only Bo heard this.")
    assert ann.storage.recall.search("heard").total == 0


def test_a_shared_block_is_found_again_when_an_agent_is_opened(tmp_path):
    files = [str(tmp_path / f"{name}.sqlite") for name in ("ann", "bo")]
    ann, bo = (Agent(file=file) for file in files)
    ann.storage.core.put(Block("team", "what both know", "", 100))
    ann.share("team", bo)
    bo.close()
    again = Agent(file=files[1])
    again.storage.core.append("team", "The boat is sold.")
    assert ann.storage.core.block("team").value == "The boat is sold."


def test_search_looks_at_no_more_texts_of_ten_thousand_messages_than_its_limits(
    monkeypatch,
):
    kept = recall()
    with kept.db.transaction():
        for n in range(3 * EXACT):
            kept.append(message(f"tea {'rare' if n == 5 else 'common'} {n}"))
    looked = []
    rows = Database.rows

    def counted(db, sql, *values):
        looked.extend([len(values)] * ("SELECT id, text" in sql))
        return rows(db, sql, *values)

    monkeypatch.setattr(Database, "rows", counted)
    assert kept.search("the rare tea", by="words").hits[0].row.id == 6
    assert looked[0] <= 300
