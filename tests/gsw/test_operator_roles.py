from operating import actor, operate, phrase, slots

from gswlab.core.nouns import Chunk, Span
from gswlab.gsw.operator.mentions import Cast
from gswlab.gsw.operator.parse import parse
from gswlab.gsw.operator.roles import add_roles


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


def test_who_is_made_something_has_that_role():
    assert roles("Ann was elected mayor.", "Ann") == ["mayor"]
    assert roles("The king made Tom a magistrate.", "Tom") == ["magistrate"]


def test_a_title_without_a_full_stop_is_a_title():
    found = actor(operate("The letter reached Dr Singh and Mrs Lowe."), "Singh")
    assert (found.kind, found.mentions[0].text) == ("person", "Dr Singh")


def test_a_son_of_the_same_name_keeps_his_junior():
    local = operate("Peter Fry met Peter Fry junior.")
    assert [a.name for a in local.actors] == ["Peter Fry", "Peter Fry junior"]


def test_a_chair_that_thanks_somebody_is_a_person_and_one_that_broke_is_none():
    assert actor(operate("The chair thanked Ann."), "chair").kind == "person"
    assert actor(operate("The chair broke."), "chair").kind == "object"


def test_a_mention_whose_head_is_none_of_its_words_is_found_by_its_head():
    text = "She coached the men and women's teams."
    chunk = Chunk("d:1:0", "d", 1, 0, text, Span("d", 0, len(text)))
    parsed = parse(chunk)
    cast, doc = Cast(parsed), parsed.doc
    member = cast.add("women", "nominal")
    cast.mention(member, [doc[5], doc[6]], doc[3], "nominal")  # as a parse may have it
    member.vote("person", 1.0, "women are people", parsed.over([doc[5]]))
    assert cast.spot(doc[3]).text == "women's"
    add_roles(cast)
    assert [role.text for role in member.roles]


def test_a_role_keeps_a_word_that_a_hyphen_joins():
    text = "She met Ogilvy, the well-known astronomer, once."
    assert roles(text, "Ogilvy") == ["well-known astronomer"]
