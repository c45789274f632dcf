"""What is read as a place: by its noun, where it stands, and who acts."""

import pytest
from operating import actor, operate

PLACES = [
    ("She slept in the study.", "study"),
    ("He left his dog in the hold.", "hold"),
    ("The bedroom looked on the mews.", "mews"),
    ("They swam in the pool.", "pool"),
    ("We walked past the baker's.", "baker"),
    ("He lay ill at Guy's.", "Guy"),
    ("Father went home to Ealing by train.", "Ealing"),
    ("China is not taking part.", "China"),
    ("He lives two miles north of Penhallow.", "Penhallow"),
    ("After lunch we took the train to Olympia.", "Olympia"),
    ("He lived in Station Road, Marlow End.", "Marlow End"),
    ("The lorries left Bucharest at dawn.", "Bucharest"),
    ("He took me up to Gannet Head last Sunday.", "Gannet Head"),
    ("They anchored abreast of St Olave's Light.", "St Olave's Light"),
    ("At the school in Florence she learned to swim.", "Florence"),
    ("They crossed the pass at dawn.", "pass"),
    ("A carter stood at the tram stop.", "tram stop"),
    ("Goats live in the powder magazine.", "powder magazine"),
    ("She mapped the sea bed.", "sea bed"),
    ("She walked as far as the sluice.", "sluice"),
    ("There was a mill in the lane.", "mill"),
    ("He had been at his sister's flat in Holme Vale.", "flat"),
    ("He retired to a bungalow outside Whitsea.", "bungalow"),
    ("She came down the front steps.", "front steps"),
    ("A bend beside the cement works hid it.", "cement works"),
    ("The army marched to the spit.", "spit"),
    ("They filled St Alkmund's with music.", "St Alkmund"),
    ("A train for Drobna was late.", "Drobna"),
    ("The riders raced out of Valmy at eleven.", "Valmy"),
    ("Ada travelled up from Rye every week.", "Rye"),
]
NO_PLACES = [
    ("The study took two years.", "study"),
    ("The Head drove the van.", "Head"),
    ("The magazine printed his letter.", "magazine"),
    ("In Florence he recognised a friend and thanked her.", "friend"),
    ("The baker sold bread.", "baker"),
    ("The EU pressed them for weeks.", "EU"),
    ("The UN meets on Monday.", "UN"),
    ("Tom Low left Orrin in the car.", "Orrin"),
    ("The people of the village cheered.", "people"),
    ("The Pascoes had to be got out.", "Pascoes"),
    ("The letter for Tom came by rail.", "Tom"),
    ("The bus left Tom at the corner.", "Tom"),
    ("The recruits walked in step.", "step"),
    ("He read the works of Carlyle.", "works"),
    ("As far as the girl knew, nothing had changed.", "girl"),
]


@pytest.mark.parametrize(("text", "name"), PLACES)
def test_nouns_and_names_are_places_where_they_stand_so(text, name):
    assert actor(operate(text), name).kind == "place"


@pytest.mark.parametrize(("text", "name"), NO_PLACES)
def test_what_acts_or_is_met_is_no_place(text, name):
    found = [a for a in operate(text).actors if name in a.name]
    assert all(a.kind != "place" for a in found)


def test_a_bank_that_acts_is_an_organisation_and_one_that_stands_a_place():
    acts, stands = "The bank closed its doors.", "The bank faced the square."
    assert actor(operate(acts), "bank").kind == "organisation"
    assert actor(operate(stands), "bank").kind == "place"


@pytest.mark.parametrize(
    "name", ["Drapers' Colonnade", "Fiddler's Common", "Threadneedle Vaults"]
)
def test_a_venue_keeps_its_name_at_the_head_of_a_sentence(name):
    assert actor(operate(f"{name} was full."), name).kind == "place"


def test_a_length_is_nowhere():
    local = operate("He shot from thirty yards and hit the gate.")
    assert not [a for a in local.actors if "yards" in a.name]


def test_a_house_opposite_another_is_not_called_by_it():
    local = operate(
        "My brother, who runs the inn opposite the railway station, saw it."
    )
    assert {a.name for a in local.actors} >= {"inn", "railway station"}


JAPANESE = [
    ("女房は納戸で米をといだ。", "納戸", "place"),
    ("新吉は番屋に走った。", "番屋", "place"),
    ("窓から御神楽岳が見えた。", "御神楽岳", "place"),
    ("橇は鉄橋を渡った。", "鉄橋", "place"),
    ("兄は隣村へ出かけた。", "隣村", "place"),
    ("父は北島の鉱山にいた。", "北島", "place"),
    ("新しい住まいは静かだった。", "住まい", "place"),
    ("調査員は紙を渡した。", "調査員", "person"),
    ("小学校が祭りの案内を配った。", "小学校", "organisation"),
    ("田中さんは小学校で歌った。", "小学校", "place"),
    ("東高の監督が話した。", "東高", "organisation"),
]


@pytest.mark.parametrize(("text", "name", "kind"), JAPANESE)
def test_japanese_nouns_have_the_kind_of_their_words_and_use(text, name, kind):
    pytest.importorskip("ginza")
    assert actor(operate(text), name).kind == kind


def test_a_japanese_name_that_opens_a_paragraph_holds_no_line_end():
    pytest.importorskip("ginza")
    local = operate("父は帰った。\n\n納戸は空だった。")
    assert not [a.name for a in local.actors if "\n" in a.name]
