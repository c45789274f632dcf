"""One glossary: every word that a screen says is in it, in two languages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Question
from gswlab.core.step import Admission, Alignment, Conflict, NounKind, Resolution
from gswlab.view import glossary
from gswlab.view.kit.looks import LOOKS

TEACH = Path(__file__).resolve().parents[2] / "notebooks" / "teach"
KANA = re.compile(r"[぀-ヿ一-鿿]")


def said(decision: type, field: str = "status") -> tuple[str, ...]:
    return get_args(get_type_hints(decision)[field])


SHOWN = {
    *LOOKS,
    *get_args(NounKind),
    *("alignment", "conflict", "resolution", "admission"),
    *said(Alignment),
    *said(Conflict, "kind"),
    *said(Resolution),
    *said(Admission),
    *said(Question),
}


@pytest.mark.parametrize("word", sorted(SHOWN))
def test_a_word_that_a_page_shows_is_explained_in_both_languages(word: str) -> None:
    term = glossary(word)
    assert term.en.endswith((".", "?", "!"))
    assert not KANA.search(term.en)
    assert KANA.search(term.ja)
    assert term.ja.endswith("。")


def test_a_word_is_found_by_either_name_in_the_plural_and_underlined() -> None:
    assert glossary("アクター") == glossary("Actors") == glossary("actor")
    assert glossary("state_conflict") == glossary("state conflict")
    assert glossary("ＡＧ") == glossary("AG")


def test_a_word_that_is_missing_names_the_nearest() -> None:
    with pytest.raises(GswlabError, match=r"no term 'reconciller'.*reconciler"):
        glossary("reconciller")


def test_every_word_stands_once_and_explains_itself_in_full() -> None:
    terms = glossary().terms
    names = [term.term for term in terms]
    assert len(set(names)) == len(names) > 100
    assert all(len(term.en) > 15 and len(term.ja) > 8 for term in terms)


def test_the_file_that_notebooks_link_is_this_glossary() -> None:
    """After a change: `glossary().to_markdown()` is what belongs into the file."""
    assert (TEACH / "glossary.md").read_text("utf-8") == glossary().to_markdown()


def test_in_a_notebook_each_word_stands_once() -> None:
    html = glossary()._repr_html_()
    assert html.count("<dt>") == len(glossary().terms)
    assert 'lang="ja"' in html
