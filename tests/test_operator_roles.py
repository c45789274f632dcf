from operating import actor, operate, phrase, slots


def roles(text, name):
    return [role.text for role in actor(operate(text), name).roles]


def test_every_noun_of_a_list_is_a_role_and_no_actor():
    text = "Edward became a priest and later a bishop."
    assert roles(text, "Edward") == ["priest", "bishop"]
    assert [a.name for a in operate(text).actors] == ["Edward"]


def test_what_somebody_is_not_is_no_role():
    assert roles("Ann is no relation of the mayor.", "Ann") == []


def test_a_house_for_guests_is_no_guest():
    assert roles("Ann slept in the guest house.", "guest house") == []


def test_who_is_thanked_for_coming_came_and_who_is_given_something_has_it():
    local = operate("The mayor thanked Ann for leaving.")
    assert slots(phrase(local, "leave"))["agent"] == "Ann"
    given = operate("Ann has been given the key.")
    assert slots(phrase(given, "give")) == {"patient": "key", "recipient": "Ann"}
