"""The general resource of kinds: well-formed, without doubles, and telling."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest
import snowballstemmer

from gswlab.gsw.reconciler.event_types import WEIGHTS, Affinity
from gswlab.language.event_types import Inventory
from gswlab.language.stems import content_stems, stem

TABLES = ("topics", "forms", "kinds")
USUAL = (2, 7)
LEAST = {"topics": 8, "forms": 10, "kinds": 10}
TALES = {
    "flower show": """
        By ten the dahlias stood in their vases along the trestle, and every petal had
        been wiped. The judge bent over a rose, sniffed, and laid a red rosette beside
        an orchid. Rain drummed on the marquee while the exhibitors held their breath.
    """,
    "chess tournament": """
        She slapped the clock and leaned back. His bishop was pinned, the last pawn was
        blocked, and the arbiter hovered between the boards. One more rook and there
        would be no escape; he tipped his king in a murmur of whispers.
    """,
    "sheep shearing": """
        The clippers hummed in the shed. He rolled the ewe on her back, and the fleece
        came off in one greasy blanket, which the boys threw on the pile of wool. In
        the pen the ram stamped. His hands shone with lanolin; dags went into a sack.
    """,
    "fire drill": """
        The alarm rang at noon. Everyone filed down the stairwell past the extinguisher
        to the car park, where a warden with a whistle took the rollcall; it took four
        minutes to evacuate the floor.
    """,
    "baptism": """
        The vicar dipped three fingers in the font and sprinkled water over the infant,
        who howled in her shawl. Each godparent held a candle, and there was oil to
        wipe off the small brow.
    """,
    "livestock auction": """
        Straw flew as they drove the heifers past the rail. Each bidder touched a cap
        or scratched a chin, the gavel fell, and the auctioneer was already chanting
        for the ram in the next pen.
    """,
    "art auction": """
        White gloves set the canvas on the easel. One paddle rose, then a voice on the
        telephone doubled it; the estimate was long past when the gavel came down, and
        the collector at the back asked again about its provenance.
    """,
}


def rows(table: str) -> list[tuple[str, tuple[str, ...]]]:
    """Label and lemmas of each row, with nothing forgiven."""
    text = files("gswlab.language").joinpath("en", f"{table}.tsv").read_text("utf-8")
    kept = [line for line in text.splitlines() if not line.startswith("#")]
    cells = [line.split("\t") for line in kept]
    columns = 3 if table == "kinds" else 2
    assert all(len(cell) == columns for cell in cells), "label, tab, lemmas"
    return [(cell[0], tuple(cell[1].split(" "))) for cell in cells]


def affinity() -> Affinity:
    """What the words of every tale say of a kind."""
    words = (re.findall("[a-z]+", text.casefold()) for text in TALES.values())
    return Affinity([frozenset(map(stem, tale)) for tale in words])


def best(tale: str) -> list[str]:
    """Kinds with a name of their own, by how well one tale among all shows each."""
    inventory = Inventory.general()
    labels = sorted(inventory.named)
    shown = affinity().shown([inventory.kind(label) for label in labels])
    usual = np.array([inventory.usual[frozenset(content_stems(x))] for x in labels])
    total = WEIGHTS["shown"] * shown + WEIGHTS["usual"] * usual
    fits = dict(zip(labels, total[list(TALES).index(tale)], strict=True))
    return sorted(fits, key=lambda label: (-fits[label], label))


@pytest.mark.parametrize("table", TABLES)
def test_every_row_is_a_label_and_enough_single_lemmas(table: str) -> None:
    for label, lemmas in rows(table):
        assert re.fullmatch(r"[a-z]+(?:[ -][a-z]+)*", label), label
        assert len(lemmas) >= LEAST[table], label
        assert all(re.fullmatch("[a-z]{2,}", lemma) for lemma in lemmas), label


@pytest.mark.parametrize("table", TABLES)
def test_rows_are_sorted_and_no_two_labels_have_the_same_stems(table: str) -> None:
    labels = [label for label, _ in rows(table)]
    assert labels == sorted(labels)
    stems = Counter(frozenset(content_stems(label)) for label in labels)
    assert [s for s, count in stems.items() if count > 1] == []


@pytest.mark.parametrize("table", TABLES)
def test_no_lemma_repeats_another_or_a_word_of_its_label(table: str) -> None:
    for label, lemmas in rows(table):
        shown = [stem(lemma) for lemma in lemmas]
        own = {stem(word) for word in re.split("[ -]", label)}
        assert len(set(shown)) == len(shown), label
        assert not own & set(shown), label


def test_every_usual_row_is_a_field_and_a_few_forms_of_their_tables() -> None:
    fields, forms = (dict(rows(table)) for table in ("topics", "forms"))
    for field, usual in rows("usual"):
        assert field in fields
        assert USUAL[0] <= len(usual) <= USUAL[1], field
        assert set(usual) <= set(forms), field


def test_no_usual_name_repeats_and_none_says_one_word_twice() -> None:
    for field, usual in rows("usual"):
        assert len(set(usual)) == len(usual), field
        assert stem(field) not in {stem(form) for form in usual}, field


def test_the_usual_fields_stand_in_the_order_of_the_fields() -> None:
    fields = [field for field, _ in rows("usual")]
    kept = set(fields)
    assert fields == [field for field, _ in rows("topics") if field in kept]


@pytest.mark.parametrize("table", [*TABLES, "usual"])
def test_every_table_says_its_source_and_licence(table: str) -> None:
    text = files("gswlab.language").joinpath("en", f"{table}.tsv").read_text("utf-8")
    head = " ".join(x[2:] for x in text.splitlines() if x.startswith("#"))
    assert "written for gswlab from general knowledge" in head
    assert "Licence: MIT" in head


def test_the_stems_of_all_words_are_those_that_snowball_gives() -> None:
    text = files("gswlab.language").joinpath("en", "stems.tsv").read_text("utf-8")
    kept = (x.split("\t") for x in text.splitlines() if not x.startswith("#"))
    told = {word: root for root, words in kept for word in words.split()}
    known = {w for t in TABLES for label, ws in rows(t) for w in (label, *ws)}
    words = {w for label in known for w in re.split("[ -]", label)}
    words |= {w for label in known for w in label.split()}
    stemmer = snowballstemmer.stemmer("english")
    assert told == {word: stemmer.stemWord(word) for word in words}


def test_a_bare_form_is_no_kind_with_a_name_of_its_own() -> None:
    forms = {label for label, _ in rows("forms")}
    assert forms & {label for label, _ in rows("kinds")} == set()


def test_the_inventory_reads_every_lemma_of_a_row() -> None:
    inventory = Inventory.general()
    for label, lemmas in rows("forms"):
        assert inventory.forms[stem(label)] == lemmas
    for label, lemmas in rows("topics"):
        assert inventory.fields[stem(label)] == lemmas
    assert inventory.named == dict(rows("kinds"))


@pytest.mark.parametrize("kind", TALES)
def test_a_tale_that_never_names_its_kind_fits_that_kind_best(kind: str) -> None:
    assert kind not in TALES[kind].casefold()
    assert best(kind)[0] == kind


def test_what_shows_a_kind_is_told_back_most_telling_first() -> None:
    kind = Inventory.general().kind("flower show")
    shown = affinity().shown_by([*TALES].index("flower show"), kind)
    assert {"dahlia", "rosett", "marque"} <= set(shown)
    assert "king" not in shown
