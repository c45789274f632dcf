import pytest
from operating import actor, operate


def stated(text, name):
    found = [a for a in operate(text).actors if a.name == name]
    return [s.text for a in found for s in a.states if s.source == "stated"]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Ann was off duty.", "off duty"),
        ("Ann is still in bed.", "in bed"),
        ("Ann, who is on the waiting list, wrote to Tom.", "on the waiting list"),
        ("Ann was in Bath with Tom.", "in Bath"),
        ("Ann is abroad.", "abroad"),
        ("Ann was nowhere to be found.", "nowhere to be found"),
        ("Ann woke with a sore throat.", "with a sore throat"),
        ("Ann slept with her boots on.", "with her boots on"),
        ("Ann had a bad cold.", "had a bad cold"),
        ("Ann fell ill.", "ill"),
        ("Ann walked home alone.", "alone"),
        ("Ann arrived exhausted and hungry.", "hungry"),
        ("Ann sat on the wall, shivering.", "shivering"),
        ("Ann was left alone.", "alone"),
        ("Ann, now blind, lives at the mill.", "now blind"),
        ("Ann is no relation of the mayor.", "no relation"),
    ],
)
def test_a_person_is_in_the_state_the_text_says(text, state):
    assert state in stated(text, "Ann")


def test_what_several_are_is_said_of_each():
    tale = "A weaver had two daughters. The eldest was proud, the youngest was lazy."
    assert stated(tale, "eldest") == ["proud"]
    assert stated(tale, "youngest") == ["lazy"]


def test_what_is_reported_is_a_state_too():
    text = "Ann told Tom that the valve was open. He swore that the valve was shut."
    assert stated(text, "valve") == ["open", "shut"]


def test_a_lasting_passive_is_a_state_and_an_event_is_none():
    assert stated("The hall was flooded and the piano was ruined.", "piano") == [
        "ruined"
    ]
    for event in ("Ann was arrested.", "Ann was hurt by a horse.", "Ann was thanked."):
        assert stated(event, "Ann") == []


def test_an_object_is_left_in_its_state_and_no_subject_is():
    text = "The boy left the door open."
    assert (stated(text, "boy"), stated(text, "door")) == ([], ["open"])


def test_a_classifying_adjective_is_no_state():
    text = "The regional secretary and a second officer met the tired clerk."
    people = ("regional secretary", "second officer", "tired clerk")
    assert [stated(text, name) for name in people] == [[], [], ["tired"]]


def test_what_stands_somewhere_is_in_no_state():
    assert stated("The letter was on the mat.", "letter") == []


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("Ann was neither rich nor kind.", ["not rich", "not kind"]),
        ("Ann said her ankle was sprained.", ["ankle was sprained"]),
        ("Ann was sorry to hear that Tom was unwell.", ["sorry"]),
        ("Ann, deaf and blind, let Tom in.", ["deaf", "blind"]),
    ],
)
def test_a_state_is_told_by_its_own_words(text, states):
    assert stated(text, "Ann") == states


@pytest.mark.parametrize(
    ("text", "name", "state"),
    [
        ("医者は留守で、娘が窓を開けた。", "医者", "留守"),
        ("弥助は働き者だが、耳が遠かった。", "弥助", "耳が遠かった"),
        ("「階段がこわかった」と佐藤健は言った。", "佐藤健", "こわかった"),
    ],
)
def test_japanese_states_are_joined_topical_or_felt(text, name, state):
    pytest.importorskip("ginza")
    assert state in [s.text for s in actor(operate(text), name).states]


def test_what_somebody_is_busy_with_is_no_japanese_state():
    pytest.importorskip("ginza")
    assert not actor(operate("佐藤健は話していた。"), "佐藤健").states
