"""The competition among kinds of event: the same in blocks, and apart from its size."""

from __future__ import annotations

from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest

from gswlab.core.nouns import Bound, Episode, Span, Term, Vote
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler import event_types as kinds
from gswlab.gsw.reconciler.event_types import Competition
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.models.vectors import minilm
from gswlab.models.vectors.minilm import MiniLM
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

WORDS = {
    "e1": "vase petal orchid rosette judge",
    "e2": "clock bishop pawn arbiter rook",
    "e3": "clipper fleece ewe shed wool",
    "e4": "petal rose dahlia exhibitor rook",
}
NAMED = {"e1": "flower show", "e2": "chess tournament"}


class ByWords:
    """Vectors by the words of a text: what shares words means the same."""

    def embed(self, texts):
        rows = [sum(map(self._word, text.split()), np.zeros(64)) for text in texts]
        found = np.array(rows, dtype=np.float32).reshape(len(texts), 64)
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)

    def _word(self, word):
        return np.random.default_rng(crc32(word.encode())).normal(size=64)


def episode(noun_id: str) -> Episode:
    span = Span("b", 0, 4)
    terms = tuple(Term(word, span, "VERB") for word in WORDS[noun_id].split())
    name = NAMED.get(noun_id)
    votes = (Vote("kind", name, 3.0, "named", (span,)),) if name else ()
    day, hall = Bound("2025-03-03"), Bound("Weavers' Hall")
    return Episode(noun_id, "b", 1, date=day, place=hall, terms=terms, votes=votes)


@pytest.fixture
def competition(monkeypatch: pytest.MonkeyPatch) -> Competition:
    """Four episodes of five words, held to be enough to compare labels over."""
    monkeypatch.setattr(kinds, "_COMPANY", len(WORDS))
    monkeypatch.setattr(kinds, "_SHOWN", 3.0)
    return Competition(tuple(map(episode, WORDS)), ByWords())


def test_words_alone_show_no_kind_where_no_day_or_no_place_is_known(
    competition: Competition,
) -> None:
    assert competition.readings()["e3"][0].value == "sheep shearing"
    assert competition.won_by("sheep shearing") == ("e3",)
    for missing in ("date", "place"):
        lost = [replace(each, **{missing: None}) for each in competition.episodes]
        again = Competition(tuple(lost), ByWords())
        found = again.readings()
        assert found["e3"] == () == again.won_by("sheep shearing")
        assert found["e1"][0].value == "flower show"  # its text names it
        assert again.won_by("flower show") == ("e1",)


def test_labels_judged_in_blocks_score_what_they_score_at_once(
    competition: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once, _ = competition.scores
    monkeypatch.setattr(kinds, "BLOCK", 7)
    apart, _ = Competition(competition.episodes, competition.embedder).scores
    assert at_once.shape[1] > 7
    np.testing.assert_allclose(apart, at_once, rtol=0, atol=1e-9)


def test_likeness_is_scaled_by_its_spread_over_all_labels(
    competition: Competition,
) -> None:
    similar = competition.features(competition.kinds)["similar"]
    assert similar.std() == pytest.approx(1.0)
    np.testing.assert_allclose(similar.mean(axis=1), 0.0, atol=1e-9)


def test_a_label_wins_where_no_other_that_the_document_names_fits_better(
    competition: Competition,
) -> None:
    best = {i: found[0].value for i, found in competition.readings().items()}
    assert best["e1"] == "flower show"
    assert best["e4"] == "flower show"  # which it does not name: found by its label
    assert competition.won_by("flower show") == ("e1", "e4")
    # "annual" says nothing: its own twin is no rival
    assert "e1" in competition.won_by("the annual flower show")
    assert competition.won_by("chess tournament") == ("e2",)


def test_a_book_is_read_to_its_end_without_a_pass_through_the_layers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(minilm, "encode_all", lambda texts: pytest.fail(str(texts)))
    memory = GSW(SpacyOperator(), RulesReconciler(embedder=MiniLM()))
    told = "On May 7, 2024, Ann Ray opened the flower show at Tall Mill. Roses bloomed."
    text = "\n\n".join(f"Chapter {n}\n\n{told}" for n in range(1, 9))
    for chunk in chunks(document_of(text)):
        memory.partial_fit(chunk)
    memory.finish()
    found = [e.kind.value for e in memory.workspace.episodes if e.kind]
    assert found == ["flower show"] * 8


def test_a_book_without_an_embedder_is_judged_by_its_words() -> None:
    competition = Competition(tuple(map(episode, WORDS)))
    assert not competition.features(competition.kinds)["similar"].any()
    assert competition.readings()["e2"][0].value == "chess tournament"


def test_a_question_s_label_that_no_words_speak_for_or_a_thing_s_fits_nothing(
    competition: Competition,
) -> None:
    assert "e1" in competition.won_by("flower show")
    assert competition.won_by("Flower Hall") == ()  # a place, whatever grows there
    assert competition.won_by("wedding reception") == ()
    assert competition.won_by("his event") == ()


def test_a_kind_mentioned_in_passing_is_none_and_one_presented_is(
    competition: Competition,
) -> None:
    first, *rest = competition.episodes
    span = first.terms[0].span
    for weight, named in ((1.5, False), (2.5, True)):
        vote = Vote("kind", "tea party", weight, "named", (span,))
        told = replace(first, votes=(vote,), date=None)
        found = Competition((told, *rest), ByWords()).readings()["e1"]
        assert [bound.value for bound in found] == ["tea party"] * named
    many = tuple(Term(f"w{n}", span, "NOUN") for n in range(400))
    long = Competition((replace(told, terms=many), *rest), ByWords()).readings()
    assert long["e1"] == ()


def naming(number: int, label: str, place: str = "Weavers' Hall") -> Episode:
    span = Span("b", 10 * number, 10 * number + 4)
    votes = (Vote("kind", label, 3.0, "named", (span,)),)
    bound = Bound("2025-03-03"), Bound(place)
    return Episode(
        f"e{number}", "b", number, date=bound[0], place=bound[1], votes=votes
    )


@pytest.mark.parametrize(("misread", "known"), [(1, True), (2, False)])
def test_a_kind_is_no_place_for_one_of_many_chapters_read_amiss(
    misread: int, known: bool
) -> None:
    halls = ["Clock Clinic"] * misread + ["Weavers' Hall"] * (4 - misread)
    told = [naming(n, "clock clinic", hall) for n, hall in enumerate(halls, 1)]
    labels = Competition(tuple(told)).documented.values()
    assert ("clock clinic" in labels) is known


def test_a_kind_named_mostly_as_part_of_a_longer_one_is_that_one() -> None:
    told = [naming(n, "parish council meeting") for n in (1, 2, 3)]
    short = naming(4, "council meeting")
    longer = Competition((*told, short))
    labels = [kind.label for kind in longer.kinds]
    assert "parish council meeting" in labels
    assert "council meeting" not in labels
    apart = Competition((told[0], short, replace(short, id="e5", chapter=5)))
    assert "council meeting" in [kind.label for kind in apart.kinds]


def test_a_kind_is_spelt_as_its_document_spells_it() -> None:
    told = [naming(n, "midwives' conference") for n in (1, 2)]
    told.append(naming(3, "midwife conference"))
    found = Competition(tuple(told)).readings()
    assert {own[0].value for own in found.values()} == {"midwives' conference"}
