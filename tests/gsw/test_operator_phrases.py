import pytest
from operating import START, actor, operate, phrase, slots


def test_an_arrest_has_its_slots_its_effect_and_its_state():
    local = operate("On 7 May 2024 the police arrested Ann Ray at Alder Hall.")
    found = phrase(local, "arrest")
    assert slots(found) == {
        "agent": "police",
        "patient": "Ann Ray",
        "place": "Alder Hall",
        "time": "7 May 2024",
    }
    ray = actor(local, "Ann Ray")
    assert [(e.actor, e.before, e.after) for e in found.effects] == [
        (ray.id, "free", "arrested")
    ]
    assert [(s.text, s.source) for s in ray.states] == [("arrested", "effect")]


def test_a_passive_has_the_same_slots():
    found = phrase(operate("Victor Hale was arrested by the guard."), "arrest")
    assert slots(found) == {"agent": "guard", "patient": "Victor Hale"}


@pytest.mark.parametrize(
    ("text", "modality", "negated"),
    [
        ("The police did not arrest Ann Ray.", "asserted", True),
        ("The police never arrested Ann Ray.", "asserted", True),
        ("If the police arrested Ann Ray, she would cry.", "hypothetical", False),
        ("The police would arrest Ann Ray.", "hypothetical", False),
        ("Had the police arrested Ann Ray, she would cry.", "hypothetical", False),
        ("He looks as though the police arrested Ann Ray.", "hypothetical", False),
        ("The police planned to arrest Ann Ray.", "planned", False),
        ("The police will arrest Ann Ray.", "planned", False),
        ("“They arrest Ann Ray,” said Tom.", "reported", False),
    ],
)
def test_what_is_denied_supposed_or_planned_has_no_effect(text, modality, negated):
    local = operate(text)
    found = phrase(local, "arrest")
    assert (found.modality, found.negated) == (modality, negated)
    assert found.effects == ()
    assert actor(local, "Ann Ray").states == ()


def test_what_is_reported_as_past_has_its_effect():
    local = operate("Mara said that the thief had been arrested.")
    assert phrase(local, "arrest").modality == "reported"
    assert [s.text for s in actor(local, "thief").states] == ["arrested"]


def test_a_control_verb_shares_its_subject_and_a_persuaded_object_acts():
    local = operate("Mara wanted to open the vault. She told Des to leave.")
    assert slots(phrase(local, "open"))["agent"] == "Mara"
    assert slots(phrase(local, "leave"))["agent"] == "Des"


def test_joined_verbs_share_their_subject_and_particles_stay():
    local = operate("Des picked up the lamp and ran away.")
    assert slots(phrase(local, "pick up"))["patient"] == "lamp"
    assert slots(phrase(local, "run away"))["agent"] == "Des"


def test_a_giver_a_gift_and_a_receiver():
    found = phrase(operate("Tom handed Ann a silver compass."), "hand")
    assert slots(found) == {
        "agent": "Tom",
        "patient": "silver compass",
        "recipient": "Ann",
    }


def test_a_relative_clause_speaks_of_its_noun():
    found = phrase(operate("The man who stole the lamp was old."), "steal")
    assert slots(found) == {"agent": "man", "patient": "lamp"}


def test_roles_come_from_titles_appositions_copulas_and_as():
    local = operate(
        "The detective Ann Ray hired Tom, a retired sailor, as a guide. "
        "Ben Ward was a famous painter."
    )
    assert [r.text for r in actor(local, "Ann Ray").roles] == ["detective"]
    assert "retired sailor" in [r.text for r in actor(local, "Tom").roles]
    assert [r.text for r in actor(local, "Ben Ward").roles] == ["famous painter"]


def test_a_relational_noun_ties_two_actors():
    local = operate("Tom, Ann Ray's brother, came late.")
    tie = local.relations[0]
    tom, ann = actor(local, "Tom"), actor(local, "Ann Ray")
    assert (tie.source, tie.kind, tie.target) == (tom.id, "brother of", ann.id)


def test_states_are_what_the_text_says_and_name_no_other_actor():
    local = operate(
        "Ann was tired. Tom lay asleep. The wounded guard had a broken arm."
    )
    assert [s.text for s in actor(local, "Ann").states] == ["tired"]
    assert [s.text for s in actor(local, "Tom").states] == ["asleep"]
    guard = next(a for a in local.actors if "guard" in a.name)
    assert {s.text for s in guard.states} == {"wounded", "had a broken arm"}


def test_roles_imply_verb_phrases_only_where_the_text_joins_them():
    local = operate("The author of the book waved. The author met a guard.")
    implied = [v for v in local.verb_phrases if v.implied]
    assert [(v.predicate, slots(v)["patient"]) for v in implied] == [("write", "book")]


def test_the_checklist_asks_without_names_and_knows_what_is_open():
    local = operate("On 7 May 2024 the police arrested Ann Ray.")
    asked = {q.slot: q for q in local.questions if not q.predicted}
    assert {slot: q.status for slot, q in asked.items()} == {
        "agent": "answered",
        "patient": "answered",
        "place": "open",
        "time": "answered",
    }
    assert not any("Ray" in q.text or "police" in q.text for q in local.questions)
    assert asked["patient"].answers[0].actor == actor(local, "Ann Ray").id


def test_an_event_predicts_what_a_reader_now_expects_to_learn():
    local = operate("The police arrested Ann Ray.")
    predicted = {q.text for q in local.questions if q.predicted}
    assert "When will the suspect be charged?" in predicted
    assert "Where will the suspect be tried?" in predicted
    denied = operate("The police did not arrest Ann Ray.")
    assert not any(q.predicted for q in denied.questions)


def test_who_shares_a_place_and_who_a_date():
    local = operate("On 7 May 2024 Ann Ray met Tom at Alder Hall.")
    ids = {
        n: actor(local, n).id for n in ("Ann Ray", "Tom", "Alder Hall", "7 May 2024")
    }
    links = {link.kind: link for link in local.links}
    assert set(links["space"].actors) == {
        ids[n] for n in ("Ann Ray", "Tom", "Alder Hall")
    }
    assert links["space"].anchor == ids["Alder Hall"]
    assert links["time"].iso == "2024-05-07"
    assert ids["Tom"] in links["time"].actors


def test_a_place_shared_but_unnamed_has_no_value():
    local = operate("Marcus Vane and Julia Orr slept in the same room.")
    link = next(link for link in local.links if link.kind == "space")
    assert link.value is None
    assert len(link.actors) == 2


def test_every_item_lies_inside_its_chunk():
    text = "Mara told Des to leave. He was angry, and the old vault stayed open."
    local = operate(text)
    spans = [s for v in local.verb_phrases for s in v.spans]
    spans += [s for a in local.actors for r in (*a.roles, *a.states) for s in r.spans]
    spans += [s for q in local.questions for s in q.spans]
    assert spans
    assert all(START <= s.start < s.end <= START + len(text) for s in spans)


def test_the_same_chunk_gives_the_same_map():
    text = "Tess and her brother Cole ran through Bramble Wood. They met Mr. Orr."
    assert operate(text) == operate(text)


@pytest.mark.parametrize(
    ("text", "verb", "agent"),
    [
        ('"Xanthe Rokeby?" cried the porter.', "cry", "porter"),
        ('"Ann Ray," said the badge on her coat.', "say", "badge"),
        ("'No', said Ann Ray.", "say", "Ann Ray"),
        ('"The Times" reported a loss.', "report", "The Times"),
        ("Beside it stood a letter from Edgar Voss.", "stand", "letter"),
        ("Behind Ann Ray stood her brother Tom.", "stand", "Tom"),
        ("On the table Ann Ray stood a lamp.", "stand", "Ann Ray"),
    ],
)
def test_who_speaks_or_stands_is_found_behind_the_verb(text, verb, agent):
    found = phrase(operate(text), verb)
    assert slots(found)["agent"] == agent
    assert agent not in [a.text for a in found.arguments if a.slot == "patient"]


def test_what_is_said_is_what_the_verb_of_speaking_has_said():
    found = phrase(operate('"Xanthe Rokeby?" cried the porter.'), "cry")
    assert slots(found) == {"agent": "porter", "patient": '"Xanthe Rokeby?"'}
    found = phrase(operate('"A fair for coins?" Zenobia Babcock said.'), "say")
    assert slots(found) == {
        "agent": "Zenobia Babcock",
        "patient": '"A fair for coins?"',
    }


def test_a_verb_of_speaking_that_opens_a_sentence_is_no_first_name():
    local = operate('It was late. Muttered Montague Farquhar: "We are too late."')
    assert actor(local, "Montague Farquhar").kind == "person"


def test_what_is_done_at_an_occasion_is_done_where_that_is():
    text = "Edgar Voss played the cello at a charity concert in Saint Brennan Hall."
    assert slots(phrase(operate(text), "play"))["place"] == "Saint Brennan Hall"


def test_whom_one_finds_drawn_somewhere_suffers_it():
    text = "She found herself drawn to the edge of the island."
    drawn = phrase(operate(text), "draw").arguments
    assert "she" in {a.text for a in drawn if a.slot == "patient"}
