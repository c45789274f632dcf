"""A chat is a run: journaled, stepped, exported, resumed, whatever stopped it."""

from __future__ import annotations

import io

import pytest

from gswlab.__main__ import main
from gswlab.core.errors import GswlabError
from gswlab.lab import config
from gswlab.lab.chat import chat


def opened(folder, *overrides):
    return chat(f"run.dir={folder}", *overrides)


def exported(chat):
    return list(chat.lab.journal.export())


def test_a_chat_replies_from_what_was_said_and_goes_on_where_it_stopped(tmp_path):
    chat = opened(tmp_path / "run", "memory.human=likes tea")
    assert str(chat.send("My sister Bea lives in Oslo.", "2024-05-08")) == "Noted."
    before, window = exported(chat), chat.context()
    del chat
    again = opened(tmp_path / "run", "memory.human=likes tea")
    assert (exported(again), again.context()) == (before, window)
    assert "Oslo" in str(again.send("Where does my sister live?", "2024-06-01"))
    assert len(again.agent.storage.recall) == 4
    assert [s.chunk for s in again.lab.journal.steps()] == [
        "message-0:0:0",
        "message-1:0:0",
    ]


def test_equal_chats_have_equal_journals_and_their_steps_tell_what_happened(tmp_path):
    one, two = (opened(tmp_path / name) for name in ("one", "two"))
    for said in ("I am Ann.", "Who am I?"):
        one.send(said, "2024-05-08")
        two.send(said, "2024-05-08")
    assert exported(one) == exported(two)
    kinds = [event.kind for event in list(one.lab.journal.steps())[1].events]
    assert {"entered", "called", "hit", "replied", "paging", "window"} <= set(kinds)


@pytest.mark.parametrize("lost", ["the step", "the turn and the step"])
def test_a_message_whose_process_was_killed_is_answered_once_when_opened(
    lost, tmp_path, monkeypatch
):
    chat = opened(tmp_path / "run")
    chat.send("I am Ann.")
    where = {"the step": "append", "the turn and the step": "workspace"}[lost]

    def killed(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(
            chat.lab.journal if where == "append" else chat.agent,
            "append" if where == "append" else "send",
            killed,
        )
        with pytest.raises(KeyboardInterrupt):
            chat.send("My cat is Tom.")
    del chat
    again = opened(tmp_path / "run")
    assert len(again.lab.journal) == 2
    assert again.agent.storage.recall.search("My cat is Tom.").total == 1
    assert again.agent.main.turn == 2


def test_the_command_reads_lines_and_prints_replies(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "run"
    lines = "My boat is red.\n\n/window\nWhat colour is my boat?\n/quit\nnever\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    assert main(["chat", "--run", str(folder), "--human", "Ann, a baker."]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Noted.\n8,192 window - ")
    assert told.endswith("user: My boat is red.\n")
    assert main(["step", str(folder), "2"]) == 0
    assert "What colour is my boat?" in capsys.readouterr().out
    assert config.reopen(folder).ask("What is red?") is not None


def test_only_an_agent_can_be_talked_to(tmp_path):
    with pytest.raises(GswlabError, match=r"no setting memory\.replies"):
        opened(tmp_path / "run", "memory=bm25")
