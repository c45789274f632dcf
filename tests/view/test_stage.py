"""The scene of a step: its sentence as a picture, that anybody can read at a glance."""

from __future__ import annotations

import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from test_browser import CHROMIUM, browser, shoot, tab  # noqa: F401 - fixtures
from test_page_speed import told as book
from told import told

import gswlab
from gswlab.commands import STORIES
from gswlab.core.journal import Journal
from gswlab.core.nouns import (
    Actor,
    Argument,
    Chunk,
    Mention,
    Relation,
    Span,
    State,
    VerbPhrase,
)
from gswlab.core.step import Put, Step
from gswlab.core.workspace import Draft, Workspace
from gswlab.view.run.deeds import deeds
from gswlab.view.run.history import History
from gswlab.view.run.page import page, payload, write_page
from gswlab.view.run.parts import Telling
from gswlab.view.run.stage import MOST, stages

ARREST, ASKED = 9, "Who arrested Edgar Voss?"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Any:
    run = tmp_path_factory.mktemp("story") / "run"
    lab = gswlab.open(f"dataset.file={STORIES['en']}", f"run.dir={run}")
    lab.standing("Who stole the compass?")
    lab.run()
    return lab


def ties_of(history: History, k: int) -> set[tuple[str, str, str]]:
    """The ties on stage at a step: who, what, whom."""
    name = {i: record.name_at(k) for i, record in history.records.items()}
    found = [history.deeds[key].tie for key in stages(history)[k].ties]
    return {(name[t.source], t.label, name[t.target]) for t in found if t}


def test_the_scene_of_the_arrest_names_both_and_what_happened_between(lab: Any) -> None:
    history = History.of(lab.journal.steps())
    arrest = "arrests\nMarch 12, 2025\nMerrow Station"
    assert ("Ruth Adeyemi", arrest, "Edgar Voss") in ties_of(history, ARREST)
    assert ("Ruth Adeyemi", "at", "Merrow Station") in ties_of(history, ARREST)


def test_what_somebody_did_with_nobody_is_its_own_badge(lab: Any) -> None:
    history = History.of(lab.journal.steps())
    assert ("lights", "fail", "lights") in ties_of(history, ARREST)
    assert ("Ruth Adeyemi", "may not say", "Ruth Adeyemi") in ties_of(history, 6)


@pytest.mark.parametrize(
    ("text", "clause", "slot", "predicate", "more", "said"),
    [
        ("The air whispered.", "whispered", "patient", "whisper", {}, "whispers"),
        ("The air was moved.", "was moved", "patient", "move", {}, "is moved"),
        ("He felt air moved up.", "moved up", "patient", "move", {}, "is moved"),
        ("The air, moved up.", "moved up", "patient", "move", {}, "is moved"),
        (
            "Such air would not have stood.",
            "would not have stood",
            "agent",
            "stand",
            {"negated": True, "modality": "hypothetical"},
            "may not stand",
        ),
        ("Nobody moved.", "moved", "agent", "move", {"negated": True}, "moves"),
    ],
)
def test_a_scene_says_a_verb_as_its_text_does(
    text: str, clause: str, slot: Any, predicate: str, more: Any, said: str
) -> None:
    name = "air" if "air" in text else "Nobody"

    def at(words: str) -> tuple[Span, ...]:
        return (Span("d", text.index(words), text.index(words) + len(words)),)

    filled = Argument(slot, name, at(name), "a1")
    verb = VerbPhrase("v1", predicate, (filled,), spans=at(clause), **more)
    workspace = Workspace(nouns={"a1": Actor("a1", "object", name), "v1": verb})
    chunk = Chunk("c", "d", None, 0, text, Span("d", 0, len(text)))
    ((_, tie),) = deeds(verb, workspace, chunk)
    assert tie.label == said


@pytest.mark.parametrize(
    ("text", "clause", "said"),
    [
        (
            "Intermission; she remained seated, a smile",
            "she remained",
            "remains seated",
        ),
        ("Was it she? It was, she said.", "she said", "says"),
        ("The Lark, she said, was Bo.", "she said", "says The Lark was Bo"),
        ('"It will rain," said she. He went.', "said she", "says"),
        ("she ran out of the old house", "she ran", "runs out of the old house"),
        ("Then she wrote the name down. Rain.", "she wrote", "writes down the name"),
        ("What she wrote was simple", "she wrote", "writes down"),
        ("Up she ran and wrote it down", "she ran", "runs"),
        ("She ran to him and wrote it", "She ran", "runs to him"),
    ],
)
def test_what_nobody_shared_goes_on_in_the_words_of_the_text(
    text: str, clause: str, said: str
) -> None:
    def at(words: str) -> tuple[Span, ...]:
        start = text.rindex(words)
        return (Span("d", start, start + len(words)),)

    base = {"remained": "remain", "said": "say", "ran": "run", "wrote": "write down"}
    verb = next(base[word] for word in clause.split() if word in base)
    she = text.index(clause) + clause.lower().index("she")
    filled = Argument("agent", "she", (Span("d", she, she + 3),), "a1")
    phrase = VerbPhrase("v1", verb, (filled,), spans=at(clause))
    workspace = Workspace(nouns={"a1": Actor("a1", "person", "she"), "v1": phrase})
    chunk = Chunk("c", "d", None, 0, text, Span("d", 0, len(text)))
    ((_, tie),) = deeds(phrase, workspace, chunk)
    assert (tie.source, tie.target, tie.label) == ("a1", "a1", said)


@pytest.mark.parametrize(
    ("text", "slot", "verb", "agent", "told", "said"),
    [
        ("Her eyes darted to it", "patient", "dart", "Her eyes", "it", "dart to"),
        ("A cold stood in it", "place", "stand", "A cold", "it", "stands in"),
    ],
)
def test_what_a_mere_text_did_is_said_of_what_it_reached(
    text: str, slot: Any, verb: str, agent: str, told: str, said: str
) -> None:
    def at(words: str) -> tuple[Span, ...]:
        start = text.rindex(words)
        return (Span("d", start, start + len(words)),)

    filled = (Argument("agent", agent, at(agent)), Argument(slot, told, at(told), "a1"))
    phrase = VerbPhrase("v1", verb, filled, spans=at(text))
    workspace = Workspace(nouns={"a1": Actor("a1", "object", told), "v1": phrase})
    chunk = Chunk("c", "d", None, 0, text, Span("d", 0, len(text)))
    ((_, tie),) = deeds(phrase, workspace, chunk)
    assert (tie.source, tie.label) == ("a1", f"{agent} {said}")


@pytest.mark.parametrize(
    ("text", "filled", "predicate", "more", "said"),
    [
        ("In a day a lamp failed", "agent:a lamp manner:a day", "fail", {},
         "fails in a day"),
        ("A cook put his hat down to lamp", "agent:A cook patient:his hat place:lamp",
         "put down", {}, "puts his hat down to"),
        ("Nobody warned lamp", "agent:Nobody patient:lamp", "warn", {},
         "is not warned"),
        ("lamp stood between rain and between fog", "patient:lamp place:rain place:fog",
         "stand", {}, "stands between rain and fog"),
        ("children were told the way", "recipient:children", "tell", {},
         "are told the way"),
        ("you see lamp", "agent:you patient:lamp", "see", {}, "see"),
    ],
)  # fmt: skip
def test_the_words_of_a_tie_are_a_sentence(
    text: str, filled: str, predicate: str, more: Any, said: str
) -> None:
    known = {"lamp", "a lamp", "A cook", "you", "children"}
    parts = [one.split(":") for one in re.findall(r"\w+:[\w ]+?(?= \w+:|$)", filled)]
    actors = {t: f"a{n}" for n, (_, t) in enumerate(parts) if t in known}

    def at(words: str) -> tuple[Span, ...]:
        return (Span("d", text.index(words), text.index(words) + len(words)),)

    slots: Any = [Argument(s, t, at(t), actors.get(t)) for s, t in parts]
    verb = VerbPhrase("v1", predicate, tuple(slots), spans=at(text), **more)
    nouns = {i: Actor(i, "person", t) for t, i in actors.items()}
    workspace = Workspace(nouns={**nouns, "v1": verb})
    chunk = Chunk("c", "d", None, 0, text, Span("d", 0, len(text)))
    labels = [tie.label for _, tie in deeds(verb, workspace, chunk)]
    assert labels[0] == said


def test_pronouns_that_may_be_each_other_are_no_tie() -> None:
    maybe = Relation("r1", "a1", "a2", "possibly_same_actor")
    they = Mention(Span("d", 0, 4), "pronoun", "c", "they")
    both = {i: Actor(i, "person", "they", mentions=(they,)) for i in ("a1", "a2")}
    assert not [*deeds(maybe, Workspace(nouns=both))]
    named = both | {"a2": Actor("a2", "person", "Ann")}
    assert [*deeds(maybe, Workspace(nouns=named))]


def test_who_may_be_whom_is_said_in_two_words() -> None:
    maybe = Relation("r1", "a1", "a2", "possibly_same_actor")
    ((_, tie),) = deeds(maybe, Workspace())
    assert tie.label == "may be"


def test_people_of_the_chapter_who_do_nothing_are_there_and_pale(lab: Any) -> None:
    history = History.of(lab.journal.steps())
    found = stages(history)
    pale = {history.records[i].name for i in found[3].before}
    assert "Edgar Voss" in pale
    assert not found[4].before, "another chapter, others"


def scenes_of(journal: Journal) -> list[dict[str, Any]]:
    telling = Telling.of(journal)
    data = payload(telling)
    for scene in data.run["steps"]:
        scene["names"] = [data.run["nodes"][i]["names"][-1][1] for i in scene["seats"]]
    return list(data.run["steps"])


def test_no_scene_of_the_story_or_of_a_long_book_is_too_full_or_has_a_nameless_node(
    lab: Any, tmp_path: Path
) -> None:
    with book(Journal(tmp_path / "book.sqlite"), 200, 9000) as long:
        for scene in (*scenes_of(lab.journal), *scenes_of(long)):
            assert len(scene["seats"]) <= MOST
            assert all(scene["names"])
            seats = [tuple(seat) for seat in scene["seats"].values()]
            assert len(set(seats)) == len(seats)


def test_who_stays_on_stage_keeps_the_seat(lab: Any, tmp_path: Path) -> None:
    with book(Journal(tmp_path / "book.sqlite"), 60, 600) as long:
        for journal in (lab.journal, long):
            found = [stage.seats for stage in stages(History.of(journal.steps()))]
            kept = 0
            for before, after in pairwise(found):
                for one in before.keys() & after.keys():
                    assert before[one] == after[one]
                    kept += 1
            assert kept > 10


def test_two_that_are_one_are_shown_as_one_becoming_the_other(tmp_path: Path) -> None:
    with told(tmp_path / "journal.sqlite") as journal:
        history = History.of(journal.steps())
    assert ("him", "is", "Tomas Reed") in ties_of(history, 2)


def test_a_step_that_changes_more_than_fits_shows_what_it_changed_first(
    tmp_path: Path,
) -> None:
    changes: list[Put] = []
    for n in range(1, 200):
        state = State("late", (), "c")
        changes.append(Put("actor", Actor(f"a{n}", "person", f"P{n}", states=(state,))))
    for n in range(1, 100):
        ends = (
            Argument("agent", "x", (), f"a{2 * n - 1}"),
            Argument("patient", "y", (), f"a{2 * n}"),
        )
        changes.append(Put("verb_phrase", VerbPhrase(f"v{n}", "meet", ends)))
    with Journal(tmp_path / "crowd.sqlite") as journal:
        journal.append(Step(0, None, tuple(changes)))
        (stage,) = stages(History.of(journal.steps()))
    assert list(stage.seats)[:4] == ["a1", "a2", "a3", "a4"]
    assert len(stage.seats) == MOST


def test_the_demo_opens_on_its_first_answer_and_has_all_of_them(lab: Any) -> None:
    asked = [(ASKED, lab.ask(ASKED)), ("Who sang?", lab.ask("Who sang?"))]
    text = page(lab.journal, asked=asked).to_html()
    assert f'"start":{ARREST}' in text
    assert f"<bdi>{ASKED}</bdi> <b><bdi>Ruth Adeyemi</bdi></b>" in text
    assert "<bdi>Who sang?</bdi> <b><bdi>no answer</bdi></b>" in text


def test_a_hostile_question_or_answer_stays_text(tmp_path: Path) -> None:
    from gswlab.core.nouns import Answer

    bad = "<img src=x onerror=alert(1)>"
    with told(tmp_path / "journal.sqlite") as journal:
        draft = Draft(journal.workspace())
        assert draft.workspace.version == 3
        answer = Answer((bad,), False, (), (), bad)
        assert bad not in page(journal, asked=[(bad, answer)]).to_html()


IN_FRAME = """() => {
  const box = document.getElementById("mynetwork");
  return nodes.get().filter(n => !n.hidden).every(n => {
    const at = network.canvasToDOM(network.getPositions([n.id])[n.id]);
    return at.x > 0 && at.y > 0 && at.x < box.clientWidth && at.y < box.clientHeight;
  });
}"""
TIES = "() => edges.get().filter(e => !e.hidden).map(e => [e.from, e.to])"


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no {CHROMIUM}")
def test_an_answer_is_clicked_lit_and_unfolded_with_everybody_in_frame(
    tab: Any,  # noqa: F811
    lab: Any,
    tmp_path: Path,
) -> None:
    charged = "What was Edgar Voss charged with?"
    asked = [(ASKED, lab.ask(ASKED)), (charged, lab.ask(charged))]
    tab.goto(write_page(lab.journal, tmp_path / "demo.html", asked).as_uri())
    (ruth,) = lab.workspace.called("Ruth Adeyemi")
    (voss,) = lab.workspace.called("Edgar Voss")
    assert [ruth.id, voss.id] in tab.evaluate(TIES)
    for width in (1280, 390):
        tab.set_viewport_size({"width": width, "height": 900})
        tab.reload()
        for _ in range(4):
            assert tab.evaluate(IN_FRAME)
            tab.click("#back")
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.reload()
    tab.click(".ask >> nth=1")
    assert tab.inner_text("#line").startswith("step 11, chunk 10 of 12")
    assert "charged him with theft" in tab.inner_text(".s[data-lit]")
    tab.click(".ask >> nth=0")
    before = len(tab.evaluate("() => nodes.get().filter(n => !n.hidden)"))
    spot = tab.evaluate(f"() => network.canvasToDOM(network.getPositions().{voss.id})")
    box = tab.locator("#mynetwork").bounding_box()
    tab.mouse.click(box["x"] + spot["x"], box["y"] + spot["y"])
    after = len(tab.evaluate("() => nodes.get().filter(n => !n.hidden)"))
    assert before < after <= MOST
    assert tab.evaluate(IN_FRAME)
    shoot(tab, "scene-unfolded")
    assert tab.wrong == []


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no {CHROMIUM}")
def test_the_first_scene_has_its_people_also_where_pages_move(
    lab: Any,
    browser: Any,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    file = page(lab.journal).write(tmp_path / "demo.html")
    tab = browser.new_page(reduced_motion="no-preference")  # noqa: F811 - a plain one
    tab.goto(file.as_uri())
    tab.wait_for_timeout(1000)
    picture = Image.open(BytesIO(tab.locator("#mynetwork").screenshot())).convert("RGB")
    tab.close()
    many = {colour: n for n, colour in picture.getcolors(1 << 20) or []}
    assert many.get((0, 114, 178), 0) > 100  # a person's, from `looks`
