"""LitBank: texts made plain with their marks in place, and what a reading is worth."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.bench.coreference import pooled
from gswlab.bench.litbank import (
    LitBank,
    LitBook,
    attributes_apart,
    detokenised,
    litbank_book,
    litbank_books,
    set_aside,
)
from gswlab.bench.marks import MarkedMention, Marks, mark_shares
from gswlab.core.errors import GswlabError
from gswlab.lab import config
from gswlab.language.pipeline import model

TEXT = """“ I can not row , ” said Mara Venn .
The old ferryman laughed , for she had lost his oar .
He tied the _ Heron _ to the quay .
Mara wept ."""
MENTIONS = """T1 0 1 0 1 I PER PRON Mara_Venn-0
T2 0 8 0 9 Mara_Venn PER PROP Mara_Venn-0
T3 1 0 1 2 The_old_ferryman PER NOM ferryman-1
T4 1 6 1 6 she PER PRON Mara_Venn-0
T5 1 9 1 9 his PER PRON ferryman-1
T6 2 0 2 0 He PER PRON ferryman-1
T7 2 2 2 5 the___Heron___ VEH PROP Heron-2
T8 3 0 3 0 Mara PER PROP Mara_Venn-0
T9 2 7 2 8 the_quay FAC NOM"""
PLAIN = (
    "“I can not row,” said Mara Venn. The old ferryman laughed, for she had lost his "
    "oar. He tied the Heron to the quay. Mara wept."
)
KEYS = {"mentions", "names", "nominals", "typed", "realis", "quotations", "conll"}


def write(folder: Path, layer: str, file: str, text: str) -> None:
    path = folder / layer / "tsv" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one book of our own, laid out as LitBank is."""
    rows = [line.split(" ") for line in MENTIONS.splitlines()]
    marked = ["\t".join(["MENTION", *row[:8]]) for row in rows]
    marked += ["\t".join(["COREF", row[0], row[8]]) for row in rows if len(row) > 8]
    tokens = [token for line in TEXT.splitlines() for token in line.split(" ")]
    happened = {"laughed", "lost", "tied", "wept"}
    told = [f"{t}\t{'EVENT' if t in happened else 'O'}" for t in tokens]
    write(tmp_path, "coref", "ferry_brat.txt", TEXT)
    write(tmp_path, "coref", "ferry_brat.ann", "\n".join(marked))
    said = "QUOTE\tQ1\t0\t0\t0\t6\t“ I can not row , ”\nATTRIB\tQ1\tMara_Venn-0"
    write(tmp_path, "quotations", "ferry_brat.ann", said)
    write(tmp_path, "events", "ferry_brat.tsv", "\n".join(told))
    return tmp_path


@pytest.fixture
def book(folder: Path) -> LitBook:
    return litbank_book(folder, "ferry_brat")


def figures(book: LitBook, read: Marks) -> dict[str, float]:
    found = pooled([mark_shares(book.gold, read, book.syntax)])
    return {path: figure.mean for path, figure in found.items()}


def renamed(book: LitBook, **entities: str) -> Marks:
    """The gold with other entities for the mentions that begin so."""
    start = {book.text.index(said.replace("_", " ")): e for said, e in entities.items()}
    mentions = (
        replace(m, entity=start.get(m.start, m.entity)) for m in book.gold.mentions
    )
    return replace(book.gold, mentions=tuple(mentions))


def test_a_text_is_plain_again_and_every_mark_spells_its_words(book: LitBook) -> None:
    assert book.text == PLAIN
    said = [book.text[m.start : m.end] for m in book.gold.mentions]
    assert ", ".join(said) == (
        "I, Mara Venn, The old ferryman, she, his, He, the Heron, Mara, the quay"
    )
    (quote,) = book.gold.quotes
    assert book.text[quote.start : quote.end] == "“I can not row,”"
    assert quote.speaker == "Mara_Venn-0"
    assert [book.text[a:b] for a, b in book.gold.events] == [
        "laughed",
        "lost",
        "tied",
        "wept",
    ]


def test_a_mention_without_an_entity_is_one_of_its_own(book: LitBook) -> None:
    entities = [mention.entity for mention in book.gold.mentions]
    assert entities.count(entities[-1]) == 1
    assert len(set(entities)) == 4


WORDS = st.sampled_from(["Ann", "ran", ",", ".", "“", "”", "n't", "'s", "--", "_", '"'])


@given(st.lists(st.lists(WORDS, min_size=1), min_size=1))
def test_every_token_stands_where_it_is_said_to(lines: list[list[str]]) -> None:
    text, bounds = detokenised(lines)
    tokens = [token for line in lines for token in line]
    assert [text[a:b] or "_" for a, b in bounds] == tokens
    assert all(a[1] <= b[0] for a, b in combinations(bounds, 2))
    assert "  " not in text


def test_straight_quotation_marks_open_and_close_by_turns() -> None:
    lines = ['" No , " he said , " it is Ann \'s .', 'And mine . "', '" Then go ! "']
    text, _ = detokenised([line.split(" ") for line in lines])
    assert text == '"No," he said, "it is Ann\'s. And mine." "Then go!"'


def test_the_gold_read_as_it_is_is_wholly_right(book: LitBook) -> None:
    found = figures(book, book.gold)
    wrong = {path for path in found if path.endswith("_wrong")}
    absent = {"pronouns.they", "pronouns.we", "pronouns.you"}
    for path in found.keys() - wrong - absent:
        assert found[path] == pytest.approx(1), path
    assert found["pronouns.he_she_wrong"] == found["pronouns.quoted_i_wrong"] == 0


def test_a_mention_is_found_by_its_head_alone(book: LitBook) -> None:
    at = book.text.index("ferryman")
    read = Marks((MarkedMention(at, at + 8, "nominal", "PER", "a1"),))
    found = figures(book, read)
    assert found["nominals.precision"] == found["mentions.precision"] == 1
    assert (found["nominals.recall"], found["mentions.recall"]) == (
        0.5,
        pytest.approx(1 / 9),
    )
    nouns = (replace(read.mentions[0], start=at - 4, end=at - 1),)  # "old"
    assert figures(book, replace(read, mentions=nouns))["mentions.f1"] == 0


def test_what_is_none_of_the_six_kinds_counts_in_any_kind_alone(book: LitBook) -> None:
    at = book.text.index("oar")
    oar = MarkedMention(at, at + 3, "nominal", None, "a9")
    read = replace(book.gold, mentions=(*book.gold.mentions, oar))
    found = figures(book, read)
    assert found["mentions.precision"] == found["conll.f1"] == 1
    assert found["any_kind.mentions.precision"] == pytest.approx(9 / 10)
    assert found["any_kind.nominals.precision"] == pytest.approx(2 / 3)
    assert found["any_kind.conll.precision"] < 1


def test_a_pronoun_is_right_wrong_or_linked_to_nobody(book: LitBook) -> None:
    wrong = figures(book, renamed(book, she="ferryman-1"))
    assert wrong["pronouns.he_she"] == pytest.approx(2 / 3)
    assert wrong["pronouns.she_wrong"] == 1
    alone = figures(book, renamed(book, she="somebody"))
    assert alone["pronouns.she"] == alone["pronouns.she_wrong"] == 0


def test_pronouns_of_nobody_named_tell_one_another(book: LitBook) -> None:
    left = tuple(m for m in book.gold.mentions if m.form == "pronoun")
    found = figures(book, replace(book.gold, mentions=left))
    assert found["pronouns.he"] == 1  # his and he
    assert found["pronouns.she"] == 1  # she and the I of the quotation


def test_names_of_two_taken_for_one_cost_precision_by_pairs(book: LitBook) -> None:
    merged = figures(book, renamed(book, the_Heron="Mara_Venn-0"))
    assert merged["names_pairwise.precision"] == pytest.approx(1 / 3)
    assert merged["names_pairwise.recall"] == 1
    parted = figures(book, renamed(book, Mara_Venn="somebody"))
    assert parted["names_pairwise.recall"] == 0


def test_a_speaker_is_judged_by_the_mention_that_tells_who(book: LitBook) -> None:
    (quote,) = book.gold.quotes
    at = book.text.index("Mara Venn")
    told = replace(quote, speaker="ferryman-1", said_by=(at, at + 9))
    assert figures(book, replace(book.gold, quotes=(told,)))["speakers.accuracy"] == 1
    other = replace(told, said_by=None)
    assert figures(book, replace(book.gold, quotes=(other,)))["speakers.accuracy"] == 0


def test_a_quotation_is_found_by_more_than_half_of_the_longer(book: LitBook) -> None:
    (quote,) = book.gold.quotes
    most = replace(quote, start=quote.start + 7)
    half = replace(quote, start=quote.start + 8)
    assert quote.end - quote.start == 16
    assert figures(book, replace(book.gold, quotes=(most,)))["quotations.f1"] == 1
    assert figures(book, replace(book.gold, quotes=(half,)))["quotations.f1"] == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_what_was_read_changes_nothing(book: LitBook, seed: int) -> None:
    mentions = list(book.gold.mentions)
    Random(seed).shuffle(mentions)
    found = figures(book, replace(book.gold, mentions=tuple(mentions)))
    assert found["conll.f1"] == found["pronouns.he_she"] == 1


@pytest.fixture
def two(folder: Path) -> Path:
    """The book twice, under two names."""
    for path in sorted(folder.glob("*/tsv/ferry_brat.*")):
        other = path.with_name(path.name.replace("ferry", "again"))
        other.write_bytes(path.read_bytes())
    return folder


def test_the_command_scores_every_layer_and_again_the_same(two: Path) -> None:
    run = two / "run"
    typed = [f"dataset.folder={two}", f"run.dir={run}"]
    shown = config.open("experiment=litbank", *typed).run()
    scores = json.loads((run / "scores.json").read_text("utf-8"))
    assert all(0 <= scores[key]["f1"] <= 1 for key in KEYS | {"names_pairwise"})
    assert {"precision", "recall"} <= scores["names_pairwise"].keys()
    assert {"he_she", "they", "we", "you", "quoted_i"} <= scores["pronouns"].keys()
    assert {"they_wrong", "quoted_i_wrong"} <= scores["pronouns"].keys()
    assert scores["speakers"]["accuracy"] == shown["speakers"] == 1
    assert scores["books"] == 2
    low, high = scores["intervals"]["conll.f1"]
    assert low == high == scores["conll"]["f1"]  # two books alike
    before = (run / "scores.json").read_bytes()
    (run / "scores.json").unlink()
    config.open("experiment=litbank", *typed).run()
    assert (run / "scores.json").read_bytes() == before


def test_a_memory_without_a_workspace_is_refused_in_one_sentence(folder: Path) -> None:
    lab = config.open("experiment=litbank", f"dataset.folder={folder}", "memory=bm25",
                      f"run.dir={folder / 'run'}")  # fmt: skip
    with pytest.raises(GswlabError, match="no workspace"):
        lab.run()


def test_a_memory_reads_the_text_and_nothing_that_is_marked(folder: Path) -> None:
    dataset = LitBank(str(folder))
    (world,) = dataset.worlds
    assert " ".join(chunk.text for chunk in world.chunks) == PLAIN
    write(folder, "coref", "ferry_brat.ann", "MENTION\tT1\t0\t1\t0\t1\tI\tPER\tPRON")
    other = LitBank(str(folder))
    assert other.worlds == dataset.worlds
    assert other.hashes() != dataset.hashes()


def test_each_book_is_read_at_its_own_place_in_the_document(two: Path) -> None:
    dataset = LitBank(str(two))
    text = dataset.document().text
    for world in dataset.worlds:
        assert all(text[c.span.start : c.span.end] == c.text for c in world.chunks)
    assert dataset.worlds[0].chunks[0].span != dataset.worlds[1].chunks[0].span


def test_a_folder_of_another_layout_is_refused_by_name(folder: Path) -> None:
    with pytest.raises(GswlabError, match="no coref/tsv"):
        litbank_books(folder / "coref")
    with pytest.raises(GswlabError, match=r"dataset\.folder is not set"):
        _ = LitBank().books
    write(folder, "events", "ferry_brat.tsv", "Other\tO")
    with pytest.raises(GswlabError, match="ferry_brat cannot be read: its events"):
        litbank_books(folder)
    (folder / "quotations" / "tsv" / "ferry_brat.ann").unlink()
    with pytest.raises(GswlabError, match="quotations/tsv/ferry_brat"):
        litbank_books(folder)


@pytest.mark.data
def test_clusters_are_those_that_the_benchmarks_own_conll_files_have(
    data: Path,
) -> None:
    folder = data / "litbank"
    names = {path.stem for path in (folder / "coref" / "tsv").glob("*.ann")}
    apart = set_aside(names)
    assert (len(names), len(apart)) == (80, 10)
    for name in sorted(names - apart)[::7]:
        book, wanted = litbank_book(folder, name), set[frozenset[tuple[int, int]]]()
        open_: dict[str, list[int]] = {}
        spans: dict[str, set[tuple[int, int]]] = {}
        lines = (folder / "coref" / "conll" / f"{name}.conll").read_text("utf-8")
        rows = [r.split("\t") for r in lines.splitlines() if r[:1] not in ("#", "")]
        for (start, end), row in zip(book.tokens, rows, strict=True):
            for part in row[-1].strip().split("|"):
                key = part.strip("()_")
                if part.startswith("("):
                    open_.setdefault(key, []).append(start)
                if part.endswith(")"):
                    spans.setdefault(key, set()).add((open_[key].pop(), end))
        wanted = {frozenset(span) for span in spans.values()}
        found: dict[str, set[tuple[int, int]]] = {}
        for mention in book.gold.mentions:
            found.setdefault(mention.entity, set()).add((mention.start, mention.end))
        assert {frozenset(span) for span in found.values()} == wanted, name


def test_what_an_apposition_says_is_nobody_elses_mention() -> None:
    syntax = model("en")("Ann, a sailor, slept.")
    name = MarkedMention(0, 3, "name", "PER", "a1")
    read = Marks((name, MarkedMention(5, 13, "nominal", "PER", "a1")))
    told = attributes_apart(read, syntax).mentions
    assert told[0] == name
    assert told[1].entity != "a1"
