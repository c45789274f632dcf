"""A first page for a text of one's own, and an experiment's form, by their methods."""

from __future__ import annotations

from pathlib import Path

import pytest

import gswlab
from gswlab.core.errors import GswlabError
from gswlab.view.panel.forms import NOTEBOOK_FORMS

STORY = Path(gswlab.__file__).parent / "data" / "story.txt"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_in_a_text_is_its_cast_places_and_days(here):
    people, places, days = (told for _, told in gswlab.view.start(STORY).rows)
    assert people.startswith("Edgar Voss, Ruth Adeyemi, Clara Novak")
    assert "Alder Street Museum" in places
    assert days.startswith("March 03, 2025, March 05, 2025")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("note.md", "# Rain\n\nRain fell all morning.\n"),
        ("note.html", "<p>Rain fell all morning.</p>"),
        ("chat.json", '[{"role": "user", "content": "Rain fell all morning."}]'),
    ],
)
def test_a_text_of_any_kind_that_tells_no_day_says_so(here, name, text):
    (here / name).write_text(text, encoding="utf-8")
    told = dict(gswlab.view.start(name).rows)
    assert told["days"] == "this text tells no day"


def test_an_abstention_offers_what_is_nearest_to_the_question(here):
    first = gswlab.view.start(STORY)
    found = first.ask("Where was Clara Novak on March 4, 2025?")
    assert found.answer.abstained
    assert "March 03, 2025, Alder Street Museum, Clara Novak" in repr(found)
    other = repr(first.ask("Who killed Hamlet?"))
    assert "It knows people: Edgar Voss" in other


def test_what_cannot_be_read_or_asked_is_one_sentence(here):
    with pytest.raises(GswlabError, match="no file was read yet"):
        gswlab.view.start().ask("Who?")
    with pytest.raises(GswlabError, match="there is no file none"):
        gswlab.view.start("none.txt")


def test_a_file_that_is_dropped_stays_in_its_folder_and_a_large_one_is_named(here):
    first = gswlab.view.start()
    form = NOTEBOOK_FORMS[type(first)](first)
    form._dropped(None, {"name": "../../note.txt"}, [b"Ann Ray went to Oslo."])
    assert (here / "runs" / "texts" / "note.txt").is_file()
    assert "Ann Ray" in form.holds.value
    with pytest.raises(GswlabError, match=r"big\.pdf is too large"):
        form._dropped(None, {"name": "big.pdf"}, [])


def test_the_form_of_an_experiment_gives_the_cell_and_the_command_of_what_it_shows():
    config = gswlab.open(f"dataset.file={STORY}", "memory.match=embedding").config
    form = NOTEBOOK_FORMS[type(config)](config)
    form._set("memory", "bm25")  # what was set of the other memory is gone
    form._set("memory.k1", "2")
    given = (f"dataset.file={STORY}", "memory=bm25", "memory.k1=2")
    assert form.config.overrides == given
    assert all(repr(one) in form.config.cell for one in given)
    assert form.config.command == f"python -m gswlab run {' '.join(given)}"
    with pytest.raises(GswlabError, match=r"memory\.k1 cannot be 'much'"):
        form._set("memory.k1", "much")
    form._set("memory.k1", "")
    assert form.config.overrides == given[:2]
