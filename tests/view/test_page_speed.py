"""A page at size: what it weighs, and how long its own thread is busy with it."""

from __future__ import annotations

from pathlib import Path

import pace as pages
import pytest

from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor, Argument, Mention, Span, VerbPhrase
from gswlab.core.step import Alignment, Candidate, Extend, Put, Step
from gswlab.view.run.page import page

STEPS, NOUNS = 200, 500
needs_chromium = pytest.mark.skipif(
    not pages.CHROMIUM.exists(), reason=f"no {pages.CHROMIUM}"
)


def told(journal: Journal, steps: int, nouns: int) -> Journal:
    """Actors that meet by turns: each step brings some, ties them and weighs one."""
    known = 0
    for k in range(steps):
        more = nouns * (k + 1) // steps
        changes: list[Put | Extend] = []
        at = Span("book", 40 * k, 40 * k + 9)
        mention = Mention(at, "name", f"c{k}", "Ann Ray")
        if known:
            changes.append(Extend("actor", "a1", "mentions", (mention,)))
        for n in range(known + 1, more + 1):
            told = (mention,)
            if n % 2:
                actor = Actor(f"a{n}", "person", f"Person {n}", mentions=told)
                changes.append(Put("actor", actor))
                continue
            ends = (Argument("agent", "x", (at,), f"a{n - 1}"),
                    Argument("patient", "y", (at,), f"a{max(n - 21, 1)}"))  # fmt: skip
            verb = VerbPhrase(f"v{n}", "meet", ends, spans=(at,), chunk=f"c{k}")
            changes.append(Put("verb_phrase", verb))
        known = more
        weighed = (Candidate("a1", 0.7, (("name", 0.7),)),)
        why = Alignment("x", "Ann", "merged", "a1", "one name", weighed, 0.6)
        journal.append(Step(k, None, tuple(changes), (why,)))
    return journal


@pytest.mark.browser
@needs_chromium
def test_two_hundred_steps_of_five_hundred_nouns_open_and_move_at_once(
    tmp_path: Path,
) -> None:
    with told(Journal(tmp_path / "long.sqlite"), STEPS, NOUNS) as journal:
        file = page(journal).write(tmp_path / "page.html")
    found = pages.pace(file, moves=20, opens=1)
    # of the page's own thread: what else the machine does is no fault of the page
    assert found.opened.busy < 2000
    assert found.moved(0.95).busy < 100
    assert found.megabytes < 3


@pytest.mark.slow
def test_a_page_of_two_thousand_steps_says_what_it_leaves_out(tmp_path: Path) -> None:
    with told(Journal(tmp_path / "long.sqlite"), 2000, 2000) as journal:
        text = page(journal).html
    assert "the newest 500 of 2000 steps" in text
    assert "the 1500 best connected of 2000 nouns" in text
    assert text.count('<article class="step"') == 500
    assert len(text.encode()) < 10e6


def test_without_chromium_the_way_to_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "CHROMIUM", tmp_path / "none")
    with pytest.raises(GswlabError, match="apt-get install chromium"):
        pages.pace(tmp_path / "page.html")
