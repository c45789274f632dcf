"""A sentence answers with what stands where the type asked stands, or not at all."""

from __future__ import annotations

import pytest

from gswlab.core.nouns import Chunk, Span
from gswlab.qa.passages import NearestSentences
from gswlab.qa.readers.typed import NearSentence
from tests.qa.near import read_off


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        ("How many gates remain?", "It has seven gates, of which five remain.", "five"),
        ("How many guests fell ill?", "Of 130 guests 71 fell ill within a day.", "71"),
        ("How much money was left?", "Of the money £412.17 was left.", "£412.17"),
        ("Where did the committee meet?", "The committee met on Monday.", None),
        ("Where did Ann land?", "Ann landed on rolled carpets.", "on rolled carpets"),
        ("When did the gate open?", "At 1 p.m. the gate opened.", "At 1 p.m."),
        ("When did the baker sell a horse?", "At 1 p.m. the gate opened.", None),
        ("Why does Ann sleep below?", "Bo snores, so Ann sleeps below.", "Bo snores"),
        ("Who is Juma?", "Juma, the village smith, went.", "the village smith"),
        ("Who is Ann?", "The driver, Ms. Ann, shook.", "The driver"),
        ("What happened to Ann?", "A driver, Ann, was fined.", "Ann, was fined"),
        ("What happened to Ann?", "A driver saw Ann.", None),
        ("How many crew were aboard?", "Ninety passengers were aboard.", None),
        ("What happened to the Swift?", 'The "Swift" was sold.', 'Swift" was sold'),
        ("What happened to the fish?", "All the fish spoiled.", "fish spoiled"),
        ("When did the shop shut?", "The shop shut at five, as ever.", "at five"),
        (
            "Why was Ann fined?",
            "Ann was fined for stopping her tram.",
            "for stopping her tram",
        ),
        ("Why did the crack open?", "They left after the crack opened.", None),
        ("Where is the pond?", "The pond by the gate is dry.", "by the gate"),
        ("Where is the pond?", "The pond is dry from the gate on.", None),
        ("Where did Bo take the cow?", "Bo had to take the cow in the night.", None),
        ("How deep was the hole?", "The hole was ten metres wide.", None),
        ("How deep was the hole?", "The hole was ten metres deep.", "ten metres"),
        ("How long did Bo wait?", "Bo had to wait for a second sitting.", None),
        ("How old is Juno?", "Juno is seventeen and keeps goats.", "seventeen"),
        ("How old is Mr. Rae?", '"I sold rolls," said Mr. Rae, 63.', "63"),
        ("How old was Bo when he fell ill?", "Bo fell ill at seven.", "seven"),
        ("How old is Ann?", "Ann was beaten by four votes.", None),
        ("How old is Ann?", "Ann was nine miles off.", None),
        ("Where did they move?", "They moved to the mill.", "to the mill"),
        ("How much did the bus cost?", "The bus cost 900 kroner.", "900 kroner"),
        ("How much coal was aboard?", "Aboard were 40 tons of coal.", "40 tons"),
        ("How many elephants came?", "Report 3, elephants came.", None),
        ("Why was there a strike?", "He was there because of the strike.", None),
        ("Why will Ann retire?", "Ann will retire after 31 years.", None),
        ("What happened to the cart?", "Ann, who had a cart, died.", None),
        ("What happened to the bus after it broke?", "The bus was broken.", None),
        ("What happened to him?", "He is 70 and likes it.", None),
        ("Who is Soo-ah?", "There: Soo-ah (lead), Bo.", "lead"),
        ("子は何人いますか。", "子が六人いるから平気。", "六人"),
    ],
)
def test_a_sentence_says_what_is_asked_or_nothing(question, sentence, said):
    assert read_off(question, NearSentence(sentence)) == said


def test_a_name_may_stand_in_the_sentence_before_and_has_to_stand_somewhere():
    question, text = "Where did Ann Ray sleep?", "She slept in a barn."
    before = NearSentence(text, ("Ann Ray came late.",))
    assert read_off(question, before) == "in a barn"
    assert read_off(question, NearSentence(text, ("Ann Lee came late.",))) is None


def test_a_noun_may_stand_further_back_where_a_pronoun_is_for_it_but_no_verb():
    before = ("Ann has a rose.", "It is red.")
    told = NearSentence("Ann brought it from Lund in 1962.", before)
    assert read_off("When did Ann bring the rose from Lund?", told) == "1962"
    assert read_off("When did Ann cut the rose in Lund?", told) is None


def test_what_tells_no_day_was_on_the_day_that_heads_it():
    told = NearSentence("The quince was planted.", ("14 May.",), "14 May")
    assert read_off("When was the quince planted?", told) == "14 May"
    assert read_off("When will the quince be planted?", told) is None


def test_who_owns_a_thing_may_stand_in_the_sentence_before_what_befell_it():
    before = ("Amina runs the bakery.",)
    told = NearSentence("Her shop window was broken.", before)
    asked = "What happened to the bakery's window?"
    assert read_off(asked, told) == "window was broken"
    assert read_off(asked, NearSentence(told.text, ())) is None


def test_an_hour_heads_its_line():
    text = "18:44 Bo calls.\n18:57 Ann is there. It works.\nRain."
    chunk = Chunk("d:0:0", "d", None, 0, text, Span("d", 0, len(text)))
    heads = NearestSentences(lambda: (chunk,)).heads
    assert [head for head, _ in heads] == ["18:44", "18:57", "18:57", ""]


def test_what_befell_nobody_is_not_told():
    for question in ("What happened to him?", "What happened to  ?"):
        assert read_off(question, NearSentence("He was fined.")) is None


def test_what_is_told_of_somebody_else_answers_nothing():
    before = ("Oom wrote a memoir of their flights.",)
    asked = "Where did Oom die?"
    assert read_off(asked, NearSentence("Thorvall died in Liege.", before)) is None
    assert read_off(asked, NearSentence("He died in Liege.", before)) == "in Liege"
    turn = NearSentence("i live in Vestby, i have no umlauts", ("tobias: told you",))
    assert read_off("Where does Tobias live?", turn) is None


def test_how_long_somebody_did_something_is_told_in_units_of_time():
    money = NearSentence("Ann, the treasurer, said that 2,114 pounds were in the bank.")
    assert read_off("How long has Ann been treasurer?", money) is None
    years = NearSentence("Ann was treasurer for nineteen seasons.")
    assert read_off("How long was Ann treasurer?", years) == "nineteen seasons"
    bridge = NearSentence("The bridge over the Mur is 90 metres long.")
    assert read_off("How long is the bridge over the Mur?", bridge) == "90 metres"


def test_a_number_is_of_those_who_are_named():
    told = NearSentence(
        "The film cost 84,000 pounds.", ("It was shown for nine days.",)
    )
    assert read_off("How much did the film earn in Chile?", told) is None
    assert read_off("How much did the film cost?", told) == "84,000 pounds"


def test_who_took_bearings_was_not_born():
    told = NearSentence("Between 1891 and 1896 Oom took bearings.")
    assert read_off("When was Oom born?", told) is None
