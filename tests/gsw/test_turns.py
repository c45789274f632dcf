"""Turns of talk: I is who speaks, you is who is called, nobody is he of himself."""

from __future__ import annotations

from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

CHAT = (
    "[17:02] <marazul> i live in Vestby\n"
    "[17:03] <t0by> marazul: do you like it?\n"
    "[17:04] <marazul> i do. ask grue9\n"
    "[17:05] <grue9> t0by, you broke it. he knows\n"
    "[17:06] <t0by> I see.\n"
)


def said(text: str) -> dict[str, set[str]]:
    """The words that each actor is mentioned by."""
    memory, found = GSW(SpacyOperator(), RulesReconciler()), dict[str, set[str]]()
    for chunk in chunks(document_of(text)):
        step = memory.partial_fit(chunk)
        assert all(event.kind != "unread" for event in step.events)
    for actor in memory.workspace.actors:
        told = {text[m.span.start : m.span.end].casefold() for m in actor.mentions}
        found.setdefault(actor.name, set()).update(told)
    return found


def test_i_is_who_speaks_in_every_turn():
    found = said(CHAT)
    assert "i" in found["marazul"] & found["t0by"]
    assert "I" not in found  # no narrator beside them


def test_you_is_who_is_called_by_name():
    told = "Ann: It rains.\nBob: Ann, you are wet.\nCy: You too.\nAnn: I am.\nCy: So.\n"
    assert "you" in said(told + "Bob: Oh.\n")["Ann"]


def test_of_two_who_talk_you_is_the_other():
    told = "Ann: Do you see it?\nBob: I do. Do you?\nAnn: No.\nBob: There.\n"
    found = said(told)
    assert "you" in found["Ann"]
    assert "you" in found["Bob"]


def test_nobody_is_he_in_his_own_turn():
    told = "Tom: He came late.\nJim: Who?\nTom: Harry. He slept.\nJim: I see.\n"
    assert "he" not in said(told)["Tom"]


def test_a_nick_written_small_is_a_name_once_it_has_spoken():
    assert {"marazul", "t0by", "grue9"} <= said(CHAT).keys()


def test_the_professor_is_the_name_that_bears_the_title():
    found = said("Professor Zoë Marchetti came in. The professor smiled.")
    assert "professor" in found["Zoë Marchetti"]


def test_a_definite_noun_is_the_one_met_before():
    found = said("A thief broke the window. The thief ran.")
    assert list(found) == ["thief", "window"]


SPEECH = "“It rained. It snowed. The road was closed. I slept. I woke. My boat was gone"


def test_i_of_a_speech_that_goes_on_is_no_narrator():
    found = said(f"Ann Ray met Tom Bell. Ann Ray said, {SPEECH}.” The rain fell.")
    assert "my" in found["Ann Ray"]
    assert found.keys().isdisjoint({"I", "my"})
