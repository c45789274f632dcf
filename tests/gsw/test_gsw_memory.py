from dataclasses import replace

import pytest

from gswlab.core.budget import count_tokens
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import (
    Actor,
    Argument,
    Bound,
    Chunk,
    Episode,
    LocalMap,
    Place,
    Reading,
    Role,
    Span,
    State,
    Time,
    VerbPhrase,
)
from gswlab.core.protocols import Memory
from gswlab.core.step import Put, Set, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.memory import GSW
from gswlab.gsw.recall.verbalise import describe, known_of, summarise
from gswlab.models.vectors.minilm import MiniLM


def at(start):
    return (Span("b", start, start + 4),)


def episode(number, date, place, who, kind, *others):
    return Episode(
        f"e{number}", "b", number,
        date=Bound(date, spans=at(number * 100)),
        place=Bound(place, spans=at(number * 100 + 10)),
        protagonist=Bound(who, spans=at(number * 100 + 20)),
        kind=Bound(kind, spans=at(number * 100 + 30)),
        participants=tuple(Bound(o, spans=at(number * 100 + 40)) for o in others),
    )  # fmt: skip


BOOK = (
    episode(1, "2031-05-07", "the Old Mill", "Ann Ray", "pottery class", "Bob Lee"),
    episode(2, "2032-06-01", "Quay House", "Grace Holt", "kite fair"),
    episode(3, "2030-01-02", "Quay House", "Ann Ray", "book swap"),
)
SATO = Actor(
    "a1", "person", "Ken Sato",
    roles=(Role("a smuggler", at(5), "c"),), states=(State("arrested", at(40), "c"),),
)  # fmt: skip
LEE = Actor("a2", "person", "Mara Lee", aliases=("the inspector",))
COMPASS = Actor("a3", "object", "the compass")
ARREST = VerbPhrase(
    "v1", "arrest",
    (Argument("agent", "Lee", at(20), "a2"), Argument("patient", "him", at(28), "a1")),
    spans=at(24), time="t1", place="p1",
)  # fmt: skip
SINK = VerbPhrase(
    "v2", "sink", (Argument("agent", "the compass", at(60), "a3"),), spans=at(62)
)
DAY = Time(
    "t1", "2031-05-07", "day", (Reading("May 7", "2031-05-07", "c", at(30)),), ("a1",)
)
PIER = Place("p1", "Pier 4", (Reading("Pier 4", None, "c", at(35)),), ("a1", "a2"))


class Parts:
    """An operator and a reconciler of two lines: every chunk is an actor."""

    def extract(self, chunk, workspace):
        return LocalMap(chunk.id, (Actor("a1", "person", chunk.text),))

    def reconcile(self, workspace, local, chunk):
        actor = replace(local.actors[0], id=f"a{workspace.version + 1}")
        return Step(workspace.version, chunk.id, (Put("actor", actor),))

    def finish(self, workspace):
        done = [a for a in workspace.actors if a.gender is None and a.value == "open"]
        changes = tuple(Set("actor", a.id, "value", "closed") for a in done)
        return Step(workspace.version, None, changes)


def memory(**settings):
    nouns = [Put("episode", e) for e in BOOK]
    nouns += [Put("actor", a) for a in (SATO, LEE, COMPASS)]
    nouns += [Put("verb_phrase", v) for v in (ARREST, SINK)]
    nouns += [Put("time", DAY), Put("place", PIER)]
    workspace = Workspace().apply(Step(0, None, tuple(nouns)))
    return GSW(Parts(), Parts(), workspace, **settings)


def chunk(number, text):
    return Chunk(f"b:1:{number}", "b", 1, number, text, Span("b", 0, len(text)))


def chapters(evidence):
    return [item.chapter for item in evidence.items]


def test_it_is_a_memory():
    assert isinstance(memory(), Memory)


def test_reading_a_chunk_applies_the_step_it_returns():
    gsw = GSW(Parts(), Parts())
    step = gsw.partial_fit(chunk(0, "Ann Ray"))
    assert gsw.workspace == Workspace().apply(step)


def test_finish_is_idempotent_and_an_empty_one_is_no_version():
    gsw = memory()
    version = gsw.workspace.version
    assert gsw.finish().changes == ()
    gsw.finish()
    assert gsw.workspace.version == version


def test_a_clone_has_the_settings_and_has_read_nothing():
    clone = memory(match="embedding").clone()
    assert clone.match == "embedding"
    assert clone.workspace == Workspace()


def test_asking_in_the_middle_of_a_book_does_not_touch_the_run():
    gsw = GSW(Parts(), Parts())
    gsw.partial_fit(chunk(0, "Ann Ray"))
    before = gsw.workspace
    gsw.recall("Where is Ann Ray?", 100)
    assert gsw.workspace is before
    gsw.partial_fit(chunk(1, "Bo Lee"))
    assert gsw.view().workspace.version > before.version


def test_episodes_that_fit_the_cues_are_the_facts_of_the_items():
    evidence = memory().recall("Which events took place at Quay House?", 1000)
    assert sorted(chapters(evidence)) == [2, 3]
    assert {item.facts[0].id for item in evidence.items} == {"e2", "e3"}


def test_the_last_comes_first_when_the_latest_is_asked_for():
    gsw = memory()
    latest = gsw.recall("Where was Ann Ray last seen?", 1000)
    first = gsw.recall("List Ann Ray's dates in chronological order.", 1000)
    assert chapters(latest) == [1, 3]
    assert chapters(first) == [3, 1]


def test_nothing_that_fits_is_no_evidence():
    evidence = memory().recall("On which dates was Karl Fenn at Quay House?", 1000)
    assert evidence.items == ()
    assert evidence.tokens == 0


def test_tokens_count_the_text_handed_over_with_its_separators():
    evidence = memory().recall("Which events took place at Quay House?", 1000)
    assert evidence.tokens == count_tokens(evidence.text)
    assert "\n\n" in evidence.text


@pytest.mark.parametrize("budget", [1000, 60, 30, 12, 0])
def test_evidence_never_exceeds_its_budget(budget):
    evidence = memory().recall("Which events took place at Quay House?", budget)
    assert evidence.tokens <= budget
    assert all(item.spans for item in evidence.items)


def test_many_episodes_are_told_shortly_rather_than_dropped():
    many = [
        episode(
            i, f"2031-05-{i:02}", "Quay House", f"Ann{i} Ray", "kite fair", "Bo Lee"
        )
        for i in range(1, 29)
    ]
    step = Step(0, None, tuple(Put("episode", e) for e in many))
    gsw = GSW(Parts(), Parts(), Workspace().apply(step))
    assert len(gsw.recall("List all dates of events at Quay House.", 600).items) == 28


def test_an_item_is_one_paragraph_with_date_place_people_and_kind():
    item = memory().recall("Who was at the Old Mill?", 1000).items[0]
    for named in (
        "May 07, 2031",
        "the Old Mill",
        "Ann Ray",
        "pottery class",
        "Bob Lee",
    ):
        assert named in item.text
    assert "\n" not in item.text
    assert count_tokens(item.text) <= 80


def test_a_plain_question_recalls_what_happened():
    evidence = memory().recall("Who arrested Sato?", 1000)
    assert evidence.items[0].text == "Mara Lee arrests Ken Sato (Pier 4, May 07, 2031)."
    assert evidence.items[0].spans[0] == ARREST.spans[0]


def test_what_happened_to_a_thing_needs_no_verb():
    evidence = memory().recall("What happened to the compass?", 1000)
    assert "The compass sinks." in evidence.text


def test_an_open_question_recalls_the_summary_of_the_actor_it_names():
    evidence = memory().recall("Tell me about Ken Sato.", 1000)
    assert "Ken Sato: at Pier 4." in evidence.text


def test_a_plain_question_recalls_the_occurrence_behind_the_sentence():
    told = memory().recall("Where is Ken Sato?", 1000).items[0].told
    assert (told.predicate, told.fillers("place")[0].value) == ("arrest", "Pier 4")
    told = memory().recall("Whom did Lee arrest?", 1000).items[0].told
    assert told.fillers("agent", "patient")[1].value == "Ken Sato"


def test_a_name_the_text_does_not_have_recalls_no_namesake():
    for question in ("Where is Ken Moss?", "Who arrested Ken Moss?"):
        assert memory().recall(question, 1000).items == ()


def test_names_match_as_the_setting_says():
    assert memory().recall("What happened to Ken Satoh?", 1000).items == ()
    close = memory(match="embedding", embedder=MiniLM())
    assert (
        "sinks"
        in close.recall("What became of the navigational compass device?", 99).text
    )


def test_ranking_by_similarity_puts_the_nearest_first_and_needs_an_embedder():
    question = "What was the gathering with kites at Quay House, of all events?"
    ranked = memory(rank="similarity", embedder=MiniLM())
    assert chapters(ranked.recall(question, 1000))[0] == 2
    with pytest.raises(GswlabError, match="embedder"):
        memory(rank="similarity").recall("Which events were at Quay House?", 1000)


def test_a_summary_names_every_date_and_place_in_the_order_of_the_text():
    workspace = memory().workspace
    summary = summarise(workspace, SATO, known_of(workspace)["a1"])
    assert " ".join(sentence.text for sentence in summary) == (
        "Ken Sato is a smuggler. Mara Lee arrests Ken Sato (Pier 4, May 07, 2031). "
        "Ken Sato: May 07, 2031. Ken Sato: at Pier 4. Ken Sato is arrested."
    )


def test_a_summary_says_nothing_without_a_span():
    bare = replace(SATO, roles=(Role("a ghost", (), "c"),))
    summary = summarise(memory().workspace, bare, known_of(memory().workspace)["a1"])
    assert not any("ghost" in sentence.text for sentence in summary)
    assert all(sentence.spans for sentence in summary)


def test_what_is_unknown_of_an_episode_is_left_out():
    assert describe(replace(BOOK[1], place=None)).text == (
        "Chapter 2: June 01, 2032, Grace Holt, kite fair."
    )


def test_modality_and_negation_are_said():
    workspace = memory().workspace
    for change, said in (
        ({"negated": True}, "does not arrest"),
        ({"modality": "hypothetical"}, "may arrest"),
        ({"modality": "reported"}, "reportedly arrests"),
    ):
        told = summarise(workspace, SATO, [replace(ARREST, **change)])
        assert any(said in sentence.text for sentence in told)
