import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operating import START, actor, names, operate

from gswlab.core.nouns import Actor
from gswlab.core.workspace import Draft, Workspace

KINDS = [
    ("Inside Quillon, nothing moved. Mara Teague shivered.", "Quillon", "place"),
    ("They met at the Museum of Small Things.", "Museum of Small Things", "place"),
    ("I waited at Pier 17 until dusk.", "Pier 17", "place"),
    ("The choir sang in St. Brannoc's Hall.", "St. Brannoc's Hall", "place"),
    ("He sailed to Port Maren with his dog.", "Port Maren", "place"),
    ("Orrin whispered something. Nobody heard.", "Orrin", "person"),
    ("Vashti's voice trembled on the stairs.", "Vashti", "person"),
    ("José Álvarez-Ruiz closed his eyes.", "José Álvarez-Ruiz", "person"),
    ("Then J. R. Okafor nodded.", "J. R. Okafor", "person"),
    ("Seamus O'Neill ran.", "Seamus O'Neill", "person"),
    ("The Harvest Lantern Parade began.", "Harvest Lantern Parade", "abstract"),
    (
        "The Tidewater Fishing Company closed.",
        "Tidewater Fishing Company",
        "organisation",
    ),
    ("Hargreaves & Sons declined to comment.", "Hargreaves & Sons", "organisation"),
    ("The queue began at Tollgate No. 7.", "Tollgate No. 7", "place"),
    ("Residents of Elm Hollow cheered.", "Elm Hollow", "place"),
    ("It went to Hallett & Sons of Yeovil last year.", "Yeovil", "place"),
    ("Marlow Town Council voted to build it.", "Marlow Town Council", "organisation"),
    ("Dear Tancred, you will laugh.", "Tancred", "person"),
    ("It said: the Arden Opera House Gives Blood.", "Arden Opera House", "place"),
    ("Gideon Marsh pressed the bell.", "Gideon Marsh", "person"),
    ("Tamarack Marsh was flooded.", "Tamarack Marsh", "place"),
    ("María de la Fuente signed.", "María de la Fuente", "person"),
    ("She opened “The Glass Orchard” and read.", "The Glass Orchard", "work"),
    ("It rained upon Sexton's Acre. Nobody came.", "Sexton's Acre", "place"),
    ("They came to Drapers' Colonnade at six.", "Drapers' Colonnade", "place"),
    ("Half of Sundial Court had been roped off.", "Sundial Court", "place"),
    ("Inside Clockmender's Passage it was cold.", "Clockmender's Passage", "place"),
    ("She lived in Linden Parade for years.", "Linden Parade", "place"),
    ("They had all come for the Water Divining.", "Water Divining", "abstract"),
]


@pytest.mark.parametrize(("text", "name", "kind"), KINDS)
def test_grammar_and_words_tell_what_kind_a_name_is(text, name, kind):
    assert actor(operate(text), name).kind == kind


def test_a_name_printed_in_capitals_is_the_name():
    assert names(operate("KONRAD VOGEL stood on the card.")) == ["Konrad Vogel"]


def test_a_heading_in_capitals_is_no_name():
    assert names(operate("EMERGENCY MEETING TODAY. Nobody came.")) == []


def test_two_names_that_no_comma_parts_are_two():
    local = operate("At Saltgrass Reserve Priya Nair waved.")
    assert names(local) == ["Saltgrass Reserve", "Priya Nair"]
    local = operate("Inside Sandglass Pavilion Qodrin moved a step nearer.")
    assert names(local) == ["Sandglass Pavilion", "Qodrin"]
    local = operate("At Marigold Stadium Choir Practice ends at six.")
    assert "Choir Practice" not in names(local, "person")
    assert names(operate("Old Port Jefferson slept.")) == ["Old Port Jefferson"]


def test_a_name_behind_a_place_and_a_comma_is_where_it_lies_and_no_subject():
    assert (
        actor(operate("It burned at Hale Hotel, Kapunda."), "Kapunda").kind == "place"
    )
    assert actor(operate("At Hale Hotel, Qodrin wept."), "Qodrin").kind == "person"
    assert names(operate(", Kapunda.")) == ["Kapunda"]  # behind nothing but a comma


def test_one_reason_counts_once_however_often_a_name_is_written():
    found = actor(
        operate("Inside Quillon it rained. Inside Quillon it froze."), "Quillon"
    )
    reasons = [vote.reason for vote in found.votes]
    assert len(reasons) == len(set(reasons))


def test_every_kind_vote_gives_its_reason_and_its_characters():
    found = actor(operate("Inside Quillon, nothing moved."), "Quillon")
    assert {vote.field for vote in found.votes} <= {"kind", "sort"}
    assert all(vote.reason for vote in found.votes)
    assert found.votes[0].spans[0].start >= START


def test_an_ordinary_word_that_opens_a_sentence_is_no_name():
    local = operate(
        "Laughter filled the room. Thunder rolled. Carved masks hung there."
    )
    assert names(local) == []


def test_a_first_name_that_opens_a_sentence_is_one_though_it_is_a_word_too():
    assert names(operate("Rose laughed. Grace did not.")) == ["Rose", "Grace"]


def test_a_name_the_workspace_knows_is_found_again_at_the_start_of_a_sentence():
    draft = Draft(Workspace())
    draft.put("actor", Actor("a1", "person", "Thunder"))
    assert names(operate("Thunder smiled.", draft.workspace)) == ["Thunder"]


def test_a_title_is_kept_beside_the_name_and_not_inside_it():
    found = actor(operate("We saw Professor Zoë Marchetti there."), "Zoë Marchetti")
    assert found.aliases == ("Professor Zoë Marchetti",)
    assert [role.text for role in found.roles] == ["professor"]


def test_a_short_form_finds_the_full_name_even_before_it():
    local = operate("Teague ran. Later Mara Teague rested, and Mara slept.")
    found = actor(local, "Mara Teague")
    assert [m.form for m in found.mentions] == ["short", "name", "short"]


def test_two_names_with_one_family_name_stay_two():
    local = operate("Ann Ray met Tom Ray. Ray laughed.")
    assert names(local) == ["Ann Ray", "Tom Ray", "Ray"]


def test_a_verb_that_opens_an_entry_is_no_name():
    assert names(operate("Met the brother. Sent Agnes home.")) == ["Agnes"]


def test_of_does_not_join_a_person_to_an_office():
    local = operate("Chief Amara Diallo of the Lowfield Police Department spoke.")
    assert names(local) == ["Amara Diallo", "Lowfield Police Department"]


def test_a_possessive_is_not_part_of_a_name_unless_a_place_follows():
    assert names(operate("Hale's lawyer came.")) == ["Hale"]
    assert "St. Mary's Hospital" in names(operate("She left St. Mary's Hospital."))


def test_a_date_is_an_actor_of_kind_time_with_its_iso_value():
    found = actor(operate("On 7 May 2024 it rained."), "7 May 2024")
    assert (found.kind, found.value) == ("time", "2024-05-07")


def test_a_relative_date_counts_from_the_last_day_told_in_the_chapter():
    draft = Draft(Workspace())
    day = Actor("a1", "time", "7 May 2024", value="2024-05-07", chapter=1)
    draft.put("actor", day)
    local = operate("The next day the harbour froze.", draft.workspace)
    assert [a.value for a in local.actors if a.kind == "time"] == ["2024-05-08"]


WORDS = st.one_of(
    st.text(max_size=10),
    st.sampled_from(
        ["Ann", "Ray", "the", "ran", "to", "Hall", ".", "“", "”", "she", "and", "'s",
         "of", "-", "Dr.", "“No,”", "said", "\n", "7 May 2024", "I", "!", "José", "『",
         "if", "myself", "東京", "さん", "を", "逮捕した", "。", "No.", "was", "who"]
    ),
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.lists(WORDS, max_size=20))
def test_any_text_gives_a_map_of_its_own_characters_and_ids(words):
    text = " ".join(words)
    local = operate(text)
    ids = {a.id for a in local.actors}
    mentions = [m for a in local.actors for m in a.mentions]
    for mention in mentions:
        start, end = mention.span.start - START, mention.span.end - START
        assert text[start:end] == mention.text
    used = [a.actor for v in local.verb_phrases for a in v.arguments if a.actor]
    used += [i for link in local.links for i in link.actors]
    used += [i for pair in local.apart for i in pair]
    used += [i for tie in local.relations for i in (tie.source, tie.target)]
    assert set(used) <= ids
    asked = {q.verb_phrase for q in local.questions}
    assert asked <= {v.id for v in local.verb_phrases}
