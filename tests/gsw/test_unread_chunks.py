from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.core.workspace import Workspace
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator import rules
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler

TEXTS = Path(__file__).parents[2] / "experiments" / "texts" / "gold" / "dev"
SIGNS = (*"\"'“”‘’「」『』（）—–-:;,.!?…、。・〜<>#0翌第", "\n", "\n\n", " ", "8月16日")
EDITORIAL = "翌8月16日付『島根新聞』社説では、事件の背景が論じられた。"


def chunk(text, index=0):
    return Chunk(f"d:0:{index}", "d", None, index, text, Span("d", 0, len(text)))


def pieces(pattern):
    """Runs of characters of our own annotated texts, their braces and all."""
    texts = (path.read_text() for path in sorted(TEXTS.glob(pattern)))
    return [text[i : i + 40] for text in texts for i in range(0, len(text) - 40, 40)]


REAL = st.sampled_from(pieces("[a-i]*.yaml") + pieces("ja_*.yaml"))
CHUNKS = st.lists(st.one_of(REAL, st.sampled_from(SIGNS)), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(CHUNKS)
def test_pieces_of_text_in_two_languages_in_any_order_are_read(parts):
    memory = GSW(SpacyOperator(), RulesReconciler())
    step = memory.partial_fit(chunk("".join(parts)))
    assert [event.data for event in step.events if event.kind == "unread"] == []
    memory.finish()


def test_a_date_inside_a_longer_word_is_still_a_time():
    local = SpacyOperator().extract(chunk(EDITORIAL), Workspace())
    assert ("8月16日", "time") in {(actor.name, actor.kind) for actor in local.actors}


class Stumbling(SpacyOperator):
    """An operator with a slip that shows on one word."""

    def extract(self, chunk, workspace):
        if "Megalosaurus" in chunk.text:
            raise StopIteration("no such date")
        return super().extract(chunk, workspace)


def test_a_chunk_that_cannot_be_analysed_says_so_and_reading_goes_on():
    memory = GSW(Stumbling(), RulesReconciler())
    texts = ("Ann Ray met a Megalosaurus.", "Bob Lee left the mill.")
    failed, read = (memory.partial_fit(chunk(t, i)) for i, t in enumerate(texts))
    (event,) = failed.events
    assert event.kind == "unread"
    assert event.data["error"] == "StopIteration: no such date"
    assert failed.changes == ()
    assert event.spans[0].end == len(texts[0])
    assert read.changes
    assert "Bob Lee" in {a.name for a in memory.workspace.actors}


def test_a_missing_parser_is_no_chunk_that_cannot_be_analysed(monkeypatch):
    def missing(*_):
        raise GswlabError("the parser is not installed", "en needs one", "pip install")

    monkeypatch.setattr(rules, "parse", missing)
    with pytest.raises(GswlabError, match="not installed"):
        GSW(SpacyOperator(), RulesReconciler()).partial_fit(chunk("Ann Ray left."))
