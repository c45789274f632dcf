"""The competition among kinds of event: the same in blocks, and apart from its size."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest

from gswlab.core.nouns import Episode, Span, Term, Vote
from gswlab.gsw.reconciler import event_types as kinds
from gswlab.gsw.reconciler.event_types import Competition

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
    return Episode(noun_id, "b", 1, terms=terms, votes=votes)


@pytest.fixture
def competition() -> Competition:
    return Competition(tuple(map(episode, WORDS)), ByWords())


def test_labels_judged_in_blocks_score_what_they_score_at_once(
    competition: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = competition.scores
    monkeypatch.setattr(kinds, "BLOCK", 7)
    apart = Competition(competition.episodes, competition.embedder).scores
    assert at_once.shape[1] > 7
    np.testing.assert_allclose(apart, at_once, rtol=0, atol=1e-9)


def test_likeness_is_scaled_by_its_spread_over_all_labels(
    competition: Competition,
) -> None:
    similar = competition.features(competition.kinds)["similar"]
    assert similar.std() == pytest.approx(1.0)
    np.testing.assert_allclose(similar.mean(axis=1), 0.0, atol=1e-9)


def test_a_label_wins_where_no_other_label_fits_better(
    competition: Competition,
) -> None:
    best = {i: found[0].value for i, found in competition.readings().items()}
    assert best["e1"] == "flower show"
    assert best["e4"] == "flower show"  # which it does not name: found by its label
    assert competition.won_by("flower show") == ("e1",)
    # "annual" says nothing: its own twin is no rival
    assert competition.won_by("the annual flower show") == ("e1",)
    assert competition.won_by("chess tournament") == ("e2",)


def test_a_book_without_an_embedder_is_judged_by_its_words() -> None:
    competition = Competition(tuple(map(episode, WORDS)))
    assert not competition.features(competition.kinds)["similar"].any()
    assert competition.readings()["e2"][0].value == "chess tournament"


def test_a_question_s_label_that_no_words_speak_for_is_not_embedded(
    competition: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "e1" in competition.won_by("flower show")
    monkeypatch.setattr(ByWords, "embed", lambda *_: pytest.fail("embedded"))
    assert competition.won_by("Sundial Bridge") == ()
    assert competition.won_by("his event") == ()


def said(number: int, **votes: float) -> Episode:
    """An episode that names each label with so many votes."""
    span = Span("b", 0, 4)
    named = tuple(
        Vote("kind", label.replace("_", " "), weight, "named", (span,))
        for label, weight in votes.items()
    )
    return Episode(f"e{number}", "b", number, votes=named)


def test_a_short_form_counts_for_the_full_name() -> None:
    episodes = (
        said(1, parish_council_meeting=3.0),
        said(2, parish_council_meeting=2.0, council_meeting=0.5),
        said(3, council_meeting=2.0),
    )
    competition = Competition(episodes)
    assert list(competition.documented.values()) == ["parish council meeting"]
    (short,) = competition.named[2].values()
    assert short.value == "parish council meeting"
    assert "short for" in short.reason


@pytest.mark.parametrize(
    "others",
    [
        (said(3, council_meeting=1.0), said(4, town_council_meeting=3.0)) * 2,
        (said(3, council_meeting=9.0), said(4, council_meeting=9.0)),
    ],
    ids=["of two", "said far more often"],
)
def test_a_label_that_may_stand_alone_is_short_for_nothing(others) -> None:
    episodes = (*(said(n, parish_council_meeting=2.0) for n in (1, 2)), *others)
    named = [b for found in Competition(episodes).named for b in found.values()]
    assert not any("short for" in bound.reason for bound in named)


def test_what_is_like_a_chapter_that_names_its_kind_is_of_that_kind() -> None:
    span = Span("b", 0, 4)
    label = "zzyzx vigil"  # of which no resource knows a word
    votes = (Vote("kind", label, 3.0, "named", (span,)),)

    def of(number: int, words: str, named: bool = False) -> Episode:
        terms = tuple(Term(word, span, "NOUN") for word in words.split())
        given = votes if named else ()
        return Episode(f"e{number}", "b", number, terms=terms, votes=given)

    others = [of(n, f"{chr(97 + n % 8) * 9} clabb hafdd") for n in range(20)]
    namer, alike = (
        of(30, "poppo oppop", named=True),
        of(31, "oppop poppo"),
    )
    readings = Competition((*others, namer, alike), ByWords()).readings()
    assert readings["e31"][0].value == label
    assert all(label not in {b.value for b in readings[e.id][:1]} for e in others)
