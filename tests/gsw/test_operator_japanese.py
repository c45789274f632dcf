import pytest
from operating import actor, mentions, operate, phrase, slots

from gswlab.core.errors import GswlabError
from gswlab.language.pipeline import model

ARREST = "2024年5月7日、横浜で警察は容疑者の佐藤健を逮捕した。"


def test_an_arrest_in_japanese_has_its_slots_and_its_effect():
    pytest.importorskip("ginza")
    local = operate(ARREST)
    found = phrase(local, "逮捕する")
    assert slots(found) == {
        "agent": "警察",
        "patient": "佐藤健",
        "place": "横浜",
        "time": "2024年5月7日",
    }
    sato = actor(local, "佐藤健")
    assert [r.text for r in sato.roles] == ["容疑者"]
    assert [s.text for s in sato.states] == ["逮捕された"]
    assert actor(local, "横浜").kind == "place"
    assert actor(local, "警察").kind == "organisation"
    assert actor(local, "2024年5月7日").value == "2024-05-07"


def test_forward_questions_are_japanese_too():
    pytest.importorskip("ginza")
    predicted = [q.text for q in operate(ARREST).questions if q.predicted]
    assert "容疑者はいつ起訴されるか。" in predicted


def test_a_passive_makes_its_subject_the_patient():
    pytest.importorskip("ginza")
    local = operate("鈴木氏は東京駅で逮捕された。")
    assert slots(phrase(local, "逮捕する")) == {"patient": "鈴木", "place": "東京駅"}


def test_a_suffix_makes_a_person_and_a_family_name_finds_its_full_name():
    pytest.importorskip("ginza")
    local = operate("山田太郎さんは本を読んだ。彼は疲れていた。山田さんは帰った。")
    found = actor(local, "山田太郎")
    assert found.kind == "person"
    assert mentions(found) == ["山田太郎さん", "彼", "山田さん"]
    assert [s.text for s in found.states if s.source == "stated"] == ["疲れていた"]


def test_a_denied_arrest_changes_nothing():
    pytest.importorskip("ginza")
    local = operate("田中刑事は犯人を逮捕しなかった。")
    assert phrase(local, "逮捕する").negated
    assert actor(local, "犯人").states == ()


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("郵便局の角を曲がると、海が見えた。", "郵便局", "place"),
        ("郵便局は手紙を返した。", "郵便局", "organisation"),
        ("坂の上の古い洋館に、画家が住んでいた。", "洋館", "place"),
        ("祖母は裏庭の井戸のそばに立っていた。", "裏庭", "place"),
    ],
)
def test_an_office_is_a_place_where_its_building_is_meant(text, name, kind):
    pytest.importorskip("ginza")
    assert actor(operate(text), name).kind == kind


def test_without_the_extra_the_error_names_the_command(monkeypatch):
    def missing(name):
        raise OSError(name)

    monkeypatch.setattr("spacy.load", missing)
    model.cache_clear()
    with pytest.raises(GswlabError, match=r'pip install "gswlab\[ja\]"'):
        operate(ARREST.replace("横浜", "神戸"))  # a text read once is not parsed again
    model.cache_clear()
