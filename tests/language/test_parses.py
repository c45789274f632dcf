from gswlab.core.nouns import Chunk, Span
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.parse import _doc
from gswlab.gsw.operator.rules import SpacyOperator

TEXT = (
    "On 7 May 2024 Ann Ray opened the mill at Larch Quay. She had been its clerk. "
    '"Come in!" she said to Dr. Holt, who lost 3.5 million crowns there.'
)


def read(**settings):
    chunk = Chunk("d:0:0", "d", None, 0, TEXT, Span("d", 0, len(TEXT)))
    return SpacyOperator(**settings).extract(chunk, Workspace())


def test_a_parse_from_disk_gives_the_local_map_of_a_fresh_one(tmp_path):
    first = read(parses=str(tmp_path))
    _doc.cache_clear()
    assert len([*tmp_path.rglob("*.parse.json")]) == 1
    assert read(parses=str(tmp_path)) == first == read()


def test_a_text_whose_parse_is_on_disk_is_not_parsed_again(tmp_path, monkeypatch):
    first = read(parses=str(tmp_path))
    _doc.cache_clear()
    monkeypatch.setattr("spacy.language.Language.__call__", None)
    assert read(parses=str(tmp_path)) == first


def test_sentences_that_begin_elsewhere_are_another_parse(tmp_path, monkeypatch):
    read(parses=str(tmp_path))
    _doc.cache_clear()
    monkeypatch.setattr(
        "gswlab.gsw.operator.parse.sentences", lambda text, language: [(0, len(text))]
    )
    read(parses=str(tmp_path))
    _doc.cache_clear()
    assert len([*tmp_path.rglob("*.parse.json")]) == 2
