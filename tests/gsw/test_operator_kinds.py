import pytest
from operating import actor, operate


def kind(text, name):
    return actor(operate(text), name).kind


@pytest.mark.parametrize("noun", ["dairy", "sawmill", "stairs", "farm", "harbour"])
def test_where_people_work_and_walk_is_a_place(noun):
    assert kind(f"Agnes went down to the {noun}.", noun) == "place"


@pytest.mark.parametrize("noun", ["door", "wall", "window", "table", "valve"])
def test_parts_of_a_room_are_objects_and_no_places(noun):
    assert kind(f"Agnes painted the {noun}.", noun) == "object"


@pytest.mark.parametrize(
    "text",
    [
        "Ann lost her place at the mill.",
        "He dismissed her on the spot.",
        "All this took place at the mill.",
        "The lease ended at the end of May.",
    ],
)
def test_an_idiom_makes_no_place(text):
    places = [a.name for a in operate(text).actors if a.kind == "place"]
    assert set(places) <= {"mill"}


def test_the_king_of_a_tale_is_a_person_and_a_ship_no_place():
    tale = "The Frost King hid. Apples grow in the garden of the Frost King."
    assert kind(tale, "Frost King") == "person"
    assert kind("The Aurelia sailed at eleven.", "Aurelia") == "object"


def test_a_name_that_ends_in_a_thing_needs_agency_to_be_a_person():
    stood = "Tamarack Landing was full by eight."
    spoke = "Tamarack Landing laughed and told Ann to wait."
    assert kind(stood, "Tamarack Landing") != "person"
    assert kind(spoke, "Tamarack Landing") == "person"


def test_a_person_may_be_named_by_age_or_rank_or_only_as_an_owner():
    tale = operate(
        "A king had three daughters. The eldest was proud, the second was lazy. "
        "The King found the miller's boy. Ann wore Mother's brooch."
    )
    for name in ("eldest", "second", "king", "miller", "Mother"):
        assert actor(tale, name).kind == "person"


def test_an_order_of_things_is_nobody():
    local = operate("The bell rang. The first was loud, the second was not.")
    assert "second" not in [a.name for a in local.actors]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Edward was the organist of St Olave's.", "St Olave", "place"),
        ("We ate at Lindqvist's.", "Lindqvist", "place"),
        ("A voice of Ann's reached him.", "Ann", "person"),
        ("We reached the monastery of Sveta Petka.", "Sveta Petka", "place"),
        ("The bus to Kratovo was full.", "Kratovo", "place"),
        ("They sold the schooner Boadicea.", "Boadicea", "object"),
        ("We passed the wreck of the Hesperus.", "Hesperus", "object"),
        ("He was taken to the General Hospital.", "General Hospital", "place"),
        ("Captain Hill laughed.", "Hill", "person"),
    ],
)
def test_what_stands_beside_a_name_tells_its_kind(text, name, expected):
    assert kind(text, name) == expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("UKIP won two seats.", "UKIP", "organisation"),
        ("IBM built the machine in 1964.", "IBM", "organisation"),
        ("London beat Paris in the final.", "London", "place"),
        ("He moved from Florida to Texas.", "Florida", "place"),
    ],
)
def test_of_the_world_s_names_the_parser_knows_more_than_their_form(
    text, name, expected
):
    assert kind(text, name) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("She spoke in the Portland Senate.", "Portland Senate"),
        ("He teaches at the University of Nordhavn.", "University of Nordhavn"),
        ("Halden Publications bought it.", "Halden Publications"),
        ("Ferrum Oster GmbH sold it.", "Ferrum Oster GmbH"),
        ("He sings with the band Lanterns.", "Lanterns"),
        ("Apink, a South Korean band, was formed in Seoul.", "Apink"),
    ],
)
def test_what_meets_trades_or_plays_is_an_organisation(text, name):
    assert kind(text, name) == "organisation"
