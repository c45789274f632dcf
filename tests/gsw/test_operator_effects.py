import pytest
from operating import operate


def effects(text):
    local = operate(text)
    named = {actor.id: actor.name for actor in local.actors}
    return {
        (named[effect.actor], effect.after)
        for phrase in local.verb_phrases
        for effect in phrase.effects
    }


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("The witch turned the boy into a stone.", ("boy", "a stone")),
        ("The storm left the house empty.", ("house", "empty")),
        ("Ann went blind.", ("Ann", "blind")),
        ("Ann became a priest.", ("Ann", "a priest")),
        ("Ann fell ill.", ("Ann", "ill")),
        ("Ann sat up.", ("Ann", "upright")),
        ("Ann came in.", ("Ann", "inside")),
        ("Ann went home.", ("Ann", "home")),
        ("Ann lost her job.", ("Ann", "out of work")),
        ("Ann lost consciousness.", ("Ann", "unconscious")),
        ("Ann sold the violin.", ("violin", "sold")),
        ("The key was given to Ann.", ("Ann", "in possession")),
        ("Ann was given the key.", ("Ann", "in possession")),
        ("The ship sailed at eleven.", ("ship", "at sea")),
        ("The meeting closed.", ("meeting", "closed")),
    ],
)
def test_a_verb_and_what_stands_beside_it_tell_a_new_state(text, effect):
    assert effect in effects(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ann begins tomorrow.",
        "Ann left Tom in the boiler room.",
        "Ann went to the mill.",
        "Ann did not sit up.",
        "Ann might go home.",
    ],
)
def test_nothing_follows_for_who_only_acts_or_only_might(text):
    assert not [effect for effect in effects(text) if effect[0] == "Ann"]
