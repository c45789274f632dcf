"""Entities and triples: what the grammar, or mere company, says of whom."""

from __future__ import annotations

import json

import pytest
from graphs import PAIRS, RULES, chunk

from gswlab.baselines import triples as module
from gswlab.baselines.triples import Cooccurrence, Rules, phrase
from gswlab.gsw.operator.rules import SpacyOperator

TEXT = "Ann Ray founded the Larch Choir in Tarn. She met Bo Lind on May 7, 2024."


def names(found):
    return [entity.name for entity in found.entities]


def facts(found):
    return [triple.text for triple in found.triples]


def test_rules_read_who_did_what_and_resolve_a_pronoun():
    found = RULES.extract(chunk(0, TEXT))
    assert {"Ann Ray", "Larch Choir", "Tarn", "Bo Lind"} <= set(names(found))
    assert "Ann Ray found Larch Choir" in facts(found)
    assert "Ann Ray meet Bo Lind" in facts(found)


def test_a_day_is_one_entity_however_it_is_written():
    other = "On 7 May 2024 the bells rang."
    for extractor in (RULES, PAIRS):
        days = [
            [
                e.key
                for e in extractor.extract(chunk(0, text)).entities
                if "2024" in e.key
            ]
            for text in (TEXT, other)
        ]
        assert days[0] == days[1] != []


def test_company_ties_all_names_of_a_sentence_and_the_title():
    found = PAIRS.extract(chunk(0, TEXT, "Choirs (music)"))
    assert names(found)[0] == "Choirs"
    pairs = {frozenset(triple.ends) for triple in found.triples}
    assert {frozenset(("ann ray", "tarn")), frozenset(("choirs", "bo lind"))} <= pairs
    assert frozenset(("tarn", "bo lind")) not in pairs  # of two sentences


def test_a_crowded_sentence_gives_a_bounded_number_of_pairs():
    crowd = "Ann, Bo, Cy, Dan, Eve, Fay, Gus, Hal and Ida met in Tarn."
    assert (
        len(Cooccurrence(SpacyOperator(), most=4).extract(chunk(0, crowd)).triples) <= 6
    )


def test_every_triple_names_two_and_at_least_one_by_name():
    found = RULES.extract(chunk(0, "The cat ate the fish. Ann fed the cat."))
    keys = {entity.key for entity in found.entities}
    assert found.triples
    for triple in found.triples:
        assert len(set(triple.ends)) == 2
        assert keys & set(triple.ends)


@pytest.mark.parametrize("extractor", [RULES, PAIRS])
def test_a_triple_rests_on_the_sentence_that_says_it(extractor):
    for triple in extractor.extract(chunk(3, TEXT)).triples:
        sentence = TEXT[triple.start : triple.end]
        assert sentence.endswith(".")
        assert triple.subject in TEXT or "2024" in triple.subject
        assert sentence in TEXT


def test_places_of_an_entity_are_where_its_name_stands():
    for entity in PAIRS.extract(chunk(0, TEXT)).entities:
        if entity.kind == "name":
            assert {TEXT[a:b] for a, b in entity.places} == {entity.name}


def test_the_number_of_a_chapter_is_no_entity():
    assert "chapter 3" not in [
        entity.key for entity in PAIRS.extract(chunk(0, TEXT, "Chapter 3")).entities
    ]


def test_japanese_names_are_nodes_and_none_is_empty():
    pytest.importorskip("ja_ginza")
    text = "山田太郎は京都で鈴木花子に会った。"
    found = PAIRS.extract(chunk(0, text))
    assert {"山田太郎", "京都", "鈴木花子"} <= set(names(found))
    assert all(entity.key for entity in found.entities)
    assert phrase("山田・太郎") == "山田 太郎"


def test_what_is_cached_on_disk_is_what_was_read(tmp_path, monkeypatch):
    fresh = Rules(SpacyOperator(), cache=str(tmp_path))
    found = fresh.extract(chunk(0, TEXT))
    again = Rules(SpacyOperator(), cache=str(tmp_path))
    monkeypatch.setattr(Rules, "read", None)  # nothing is read a second time
    assert again.extract(chunk(9, TEXT, document="other")) == found
    assert len(list(tmp_path.rglob("*.json"))) == 1


def test_a_cache_of_other_code_is_not_used(tmp_path, monkeypatch):
    def found():
        pairs = Cooccurrence(SpacyOperator(), cache=str(tmp_path))
        return pairs.extract(chunk(0, TEXT)).entities

    assert found()
    (file,) = tmp_path.rglob("*.json")
    file.write_text(json.dumps({"entities": [], "triples": []}))
    assert not found()
    monkeypatch.setattr(module, "_code", lambda: "another version")
    assert found()


def test_the_same_triples_come_from_the_same_text_every_time():
    one, two = Rules(SpacyOperator()), Rules(SpacyOperator())
    assert one.extract(chunk(0, TEXT)) == two.extract(chunk(5, TEXT))
