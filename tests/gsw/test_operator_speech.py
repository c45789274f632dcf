from pathlib import Path

import pytest

from gswlab.core.nouns import Chunk, Span
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.actor_kinds import noun_features, sort_of
from gswlab.gsw.operator.parse import parse
from gswlab.gsw.operator.phrases import UNDEPICTED
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.language.log_linear import log_linear

TABLES = Path(__file__).parents[2] / "gswlab" / "language" / "en"
LEARNED = ("entities", "speech", "speakers", "realis")


def chunk(text):
    return Chunk("d:0:0", "d", None, 0, text, Span("d", 0, len(text)))


def operate(text):
    return SpacyOperator().extract(chunk(text), Workspace())


def who(text):
    """Each mention's words, and the name of the actor they are of."""
    actors = operate(text).actors
    return {m.text: a.name for a in actors for m in a.mentions}


def test_what_is_only_called_so_is_not_said():
    called = parse(chunk("The road was known as “the drift” in those days."))
    spoken = parse(chunk("“I cannot stay here,” said Ann."))
    assert [quote.said for quote in called.quotes] == [False]
    assert [quote.said for quote in spoken.quotes] == [True]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("“I cannot stay here,” said Ann. Tom looked up.", "Ann"),
        ("Ann said, “I cannot stay here.” Tom looked up.", "Ann"),
        ("“I cannot stay here,” laughed Ann. Tom looked up.", "Ann"),
    ],
)
def test_who_speaks_is_found_before_and_after_what_is_said(text, speaker):
    parsed = parse(chunk(text))
    (quote,) = parsed.quotes
    assert parsed.doc[quote.speaker].text == speaker


def test_i_of_a_quotation_is_its_speaker_though_a_pronoun_names_him_later():
    assert who("Tom came in. “I am late,” he said.")["I"] == "Tom"


def test_you_is_whom_a_quotation_calls_or_tells():
    assert who("“Will you come, Tom?” said Ann.")["you"] == "Tom"
    assert who("“You are late,” Ann told Mary.")["You"] == "Mary"


def test_you_of_a_quotation_that_nobody_is_named_in_is_left_open():
    assert who("“You are late.” The rain fell.")["You"] == "you"


def test_nobody_is_he_in_his_own_speech():
    said = who("Tom met Paul. “I never liked him,” said Tom.")
    assert said["I"] == "Tom"
    assert said["him"] != "Tom"


def test_we_of_a_narrator_is_one_group_however_often_it_is_said():
    actors = operate("We left the house in our carriage. Nobody saw us.").actors
    (group,) = [a for a in actors if a.name == "we"]
    assert [m.text for m in group.mentions] == ["We", "our", "us"]


def test_a_dash_opens_a_line_of_speech():
    (quote,) = parse(chunk("— Come up, you fearful sinner, he said.")).quotes
    assert quote.start == 0
    assert quote.said


def test_an_abstraction_is_no_person_and_a_thing_is_none():
    doc = parse(chunk("The woman spoke of gravity to the sailor.")).doc
    sorts = {t.text: sort_of(t).sort for t in doc if t.pos_ == "NOUN"}
    assert sorts["woman"] == sorts["sailor"] == "person"
    assert sorts["gravity"] is None


def test_what_may_happen_is_told_and_not_depicted():
    local = operate("She opened the door. If it rains, he will close it.")
    doubted = {
        p.predicate
        for p in local.verb_phrases
        if any(n.text.startswith(UNDEPICTED) for n in p.notes)
    }
    assert "open" not in doubted
    assert "close" in doubted


def test_odds_sum_to_one():
    doc = parse(chunk("The sailor slept.")).doc
    scorer, features = log_linear("en/entities.tsv"), noun_features(doc[1], False)
    assert sum(scorer.odds(features).values()) == pytest.approx(1.0)


def test_weights_name_their_source_and_licence_and_are_small():
    paths = [TABLES / f"{name}.tsv" for name in LEARNED]
    assert sum(path.stat().st_size for path in paths) <= 500_000
    for path in paths:
        head = path.read_text("utf-8")[:400]
        assert "# source:" in head
        assert "CC BY 4.0" in head
