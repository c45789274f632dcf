"""Gold excerpts: what they must hold, how they are read, and hand-counted scores."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.bench.coreference import adjusted_rand, pooled
from gswlab.bench.gold import (
    Merges,
    all_counts,
    conflicts,
    gold_scores,
    homonyms,
    propagation,
    timelines,
)
from gswlab.bench.gold.counts import matched_count
from gswlab.bench.gold.reading import (
    GoldFile,
    GoldReading,
    alike_phrases,
    excerpt,
    load_excerpts,
    read_excerpt,
    same_span,
    unmarked,
)
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import (
    Actor,
    Argument,
    Chunk,
    Effect,
    LocalMap,
    Mention,
    Place,
    Span,
    State,
    Time,
    VerbPhrase,
)
from gswlab.core.step import Conflict
from gswlab.core.workspace import Draft, Workspace
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.lab import config

ROOT = Path(__file__).resolve().parents[2]
GOLD = ROOT / "experiments" / "texts" / "gold"
PARTS = ("dev", "set_aside", "later", "kept")
LABELS = st.lists(st.integers(0, 3), min_size=1, max_size=12)


def all_excerpts():
    return [one for part in PARTS for one in load_excerpts(GOLD / part)]


def small(text="{ann:Ann Ray} arrested {tom:Tom Low}. {tom=He} wept.", **more):
    actors = {
        "ann": {"kind": "person", "name": "Ann Ray"},
        "tom": {"kind": "person", "name": "Tom Low"},
    }
    verbs = (
        "arrested | arrest | ann > tom | tom: in custody / arrested",
        "wept | weep | tom > -",
    )
    data = {"genre": "news", "language": "en", "actors": actors}
    return excerpt("x", GoldFile(text=text, verb_phrases=verbs, **{**data, **more}))


def span(start, end):
    return Span("x", start, end)


def person(id_, *mentions):
    made = tuple(Mention(span(a, b), form, "x:0:0", "") for a, b, form in mentions)
    return Actor(id_, "person", id_, mentions=made)


def told(gold, actors, phrases=(), conflicts=(), times=(), places=()):
    """A reading made by hand: what an operator read, taken over unchanged."""
    size = len(gold.text)
    chunk = Chunk("x:0:0", "x", None, 0, gold.text, span(0, size))
    local = LocalMap("x:0:0", tuple(actors), tuple(phrases))
    draft = Draft(Workspace())
    for kind, nouns in (("actor", actors), ("time", times), ("place", places)):
        for noun in nouns:
            draft.put(kind, noun)
    return GoldReading(gold, (chunk,), (local,), draft.workspace, tuple(conflicts))


def as_annotated(gold):
    ann = person("a1", (0, 7, "name"))
    tom = person("a2", (17, 24, "name"), (26, 28, "pronoun"))
    arrest = VerbPhrase(
        "v1", "arrest", (), (Effect("a2", "arrested"),), (span(8, 24),), "x:0:0"
    )
    weep = VerbPhrase("v2", "weep", (), (), (span(29, 33),), "x:0:0")
    return told(gold, (ann, tom), (arrest, weep))


def test_there_are_excerpts_of_many_kinds_in_two_languages_with_many_actors():
    excerpts = all_excerpts()
    assert len({one.file.genre for one in excerpts}) >= 7
    assert len(excerpts) >= 10
    assert sum(one.file.language == "ja" for one in excerpts) >= 3
    assert sum(len(one.file.actors) for one in excerpts) >= 50


@pytest.mark.parametrize("part", PARTS)
def test_each_part_has_both_languages_and_homonyms(part):
    excerpts = load_excerpts(GOLD / part)
    assert {one.file.language for one in excerpts} == {"en", "ja"}
    assert sum(bool(one.file.homonyms) for one in excerpts) >= 3


@pytest.mark.parametrize("half", PARTS[:2])
def test_each_half_that_is_annotated_whole_has_conflicts_and_late_anchors(half):
    excerpts = load_excerpts(GOLD / half)
    assert sum(bool(one.file.conflicts) for one in excerpts) >= 2
    assert any(shared.late for one in excerpts for shared in one.file.propagation)


def test_the_readme_names_every_excerpt_in_the_half_it_lies_in():
    lines = (GOLD / "README.md").read_text("utf-8").splitlines()
    for half in PARTS:
        (row,) = [line for line in lines if line.startswith(f"| `{half}/`")]
        for one in load_excerpts(GOLD / half):
            assert one.name in row.replace(",", " ").replace(";", " ").split()


def test_every_mention_role_and_quotation_occurs_in_its_text():
    for one in all_excerpts():
        for mark in one.marks:
            assert one.text[mark.start : mark.end] == mark.text != ""
        for state in one.states:
            assert one.text.startswith(state.text, state.start)
        for actor in one.file.actors.values():
            assert all(role.casefold() in one.text.casefold() for role in actor.roles)


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"states": ("asleep | tom",)}, "'asleep' does not occur"),
        ({"homonyms": (("ann", "bob"),)}, "bob"),
        ({"text": "{ann:Ann Ray} arrested {tom:Tom. He wept."}, "braces do not pair"),
        ({"text": "{ann:Ann Ray} arrested Tom. He wept."}, "tom"),
    ],
)
def test_a_quotation_that_does_not_occur_is_refused_with_its_words(more, problem):
    with pytest.raises(ValueError, match=problem):
        small(**more)


def test_a_file_that_is_no_excerpt_is_one_sentence_with_its_name(tmp_path):
    (tmp_path / "odd.yaml").write_text("genre: news\nlanguage: xx\n", "utf-8")
    with pytest.raises(GswlabError, match=r"odd\.yaml"):
        load_excerpts(tmp_path)
    with pytest.raises(GswlabError, match="no excerpt"):
        load_excerpts(tmp_path / "nowhere")


def test_mentions_may_lie_inside_mentions_and_times_hold_a_clock():
    text, marks = unmarked("{a:{b:Ada}'s boat} left {@2031-03-04T09:30:at 9:30}.")
    assert text == "Ada's boat left at 9:30."
    assert [(m.key, m.text) for m in marks] == [
        ("a", "Ada's boat"),
        ("b", "Ada"),
        ("@2031-03-04T09:30", "at 9:30"),
    ]


def test_what_was_annotated_read_as_it_stands_scores_one():
    counts = all_counts(as_annotated(small()))
    for name in ("actors", "kinds", "verb_phrases", "effects"):
        assert counts[f"operator.{name}"].missed == ()
        assert counts[f"operator.{name}"].spurious == ()
    table = gold_scores([as_annotated(small())])
    assert table["operator/actors/f1"].mean == 1.0
    assert table["reconciler/coreference/bcubed_f1"].mean == 1.0


def test_a_name_nobody_bears_costs_precision_and_a_stray_noun_does_not():
    gold = small("{ann:Ann Ray} arrested {tom:Tom Low}. {tom=He} wept. Rain over Ely.")
    whole = as_annotated(gold)
    rain = replace(person("a3", (35, 39, "nominal")), kind="object")
    ely = replace(person("a4", (45, 48, "name")), kind="place")
    counts = all_counts(told(gold, (*whole.maps[0].actors, rain, ely)))
    assert counts["operator.actors"].spurious == ("a4 (place)",)
    assert counts["operator.places"].read == 1
    assert counts["operator.invented"].found == 0


def test_a_verb_phrase_of_the_wrong_polarity_is_missed_and_wrong():
    whole = as_annotated(small())
    arrest, weep = whole.maps[0].verb_phrases
    actors = whole.maps[0].actors
    counts = all_counts(
        told(whole.excerpt, actors, (replace(arrest, negated=True), weep))
    )
    found = counts["operator.verb_phrases"]
    assert (found.found, found.read, found.gold) == (1, 2, 2)
    assert counts["operator.effects"].found == 0


def test_a_patient_may_stand_in_any_slot_but_the_agents_and_a_wrong_agent_costs():
    whole = as_annotated(small())
    arrest, weep = whole.maps[0].verb_phrases
    actors = whole.maps[0].actors
    slots = (
        Argument("place", "Tom Low", (), "a2"),
        Argument("manner", "Ann Ray", (), "a1"),
        Argument("agent", "Tom Low", (), "a2"),
    )
    phrases = (replace(arrest, arguments=slots), weep)
    found = all_counts(told(whole.excerpt, actors, phrases))["operator.arguments"]
    assert (found.found, found.read, found.gold) == (1, 2, 3)


def test_two_of_one_name_in_one_workspace_actor_are_a_wrong_merge():
    gold = small(homonyms=(("ann", "tom"),))
    assert homonyms(Merges(as_annotated(gold))).found == 0
    merged = told(gold, (person("a1", (0, 7, "name"), (17, 24, "name")),))
    assert homonyms(Merges(merged)).found == 1


@pytest.mark.parametrize(
    ("actors", "value", "found"),
    [
        (("a2",), "2031-03-04T09:00", 1),
        (("a1",), "2031-03-04", 0),
        (("a2",), "2031-03", 0),
    ],
)
def test_a_time_is_propagated_to_whom_it_is_coupled_up_to_the_day(actors, value, found):
    fact = {"kind": "time", "value": "2031-03-04", "actors": ("tom",)}
    whole = as_annotated(small(propagation=(fact,)))
    time = Time("t1", value, actors=actors)
    reading = told(whole.excerpt, whole.maps[0].actors, times=(time,))
    assert propagation(Merges(reading)).found == found
    assert propagation(Merges(reading), late=True).gold == 0


def test_a_place_is_propagated_under_any_of_its_names():
    text = "{ann:Ann Ray} arrested {tom:Tom Low}. {tom=He} wept in {ely:Ely}."
    fact = {"kind": "space", "value": "ely", "actors": ("tom",), "late": True}
    actors = {**small().file.actors, "ely": {"kind": "place", "name": "Ely"}}
    whole = as_annotated(small(text, propagation=(fact,), actors=actors))
    for name, found in (("ELY", 1), ("Elysium", 0)):
        place = Place("p1", name, actors=("a2",))
        reading = told(whole.excerpt, whole.maps[0].actors, places=(place,))
        assert propagation(Merges(reading), late=True).found == found


@pytest.mark.parametrize(
    ("states", "found"),
    [
        (("free", "arrested"), 1),
        (("arrested", "free"), 0),
        (("free", "arrested", "free"), 0),
        (("arrested",), 0),
    ],
)
def test_a_change_of_state_is_held_in_its_order(states, found):
    whole = as_annotated(small(timelines=({"tom": ("free", "jailed / arrested")},)))
    ann, tom = whole.maps[0].actors
    held = tuple(State(text, (), "x:0:0") for text in states)
    reading = told(whole.excerpt, (ann, replace(tom, states=held)))
    assert timelines(Merges(reading)).found == found


def test_a_conflict_counts_for_its_actor_only_and_others_are_false_alarms():
    whole = as_annotated(small(conflicts=({"tom": ("asleep", "awake")},)))
    actors = whole.maps[0].actors
    right = Conflict("state_conflict", "a2", "awake", "fast asleep", "both said")
    wrong = replace(right, subject="a1", reason="of Ann")
    count = conflicts(Merges(told(whole.excerpt, actors, (), (right, wrong))))
    assert (count.found, count.read, count.gold) == (1, 2, 1)
    assert count.spurious == ("of Ann",)


def test_a_date_more_precise_than_the_text_or_a_place_it_lacks_is_invented():
    gold = small(
        "{ann:Ann Ray} arrested {tom:Tom Low} {@2031-03:in March}. {tom=He} wept."
    )
    times = tuple(
        Time(f"t{i}", v) for i, v in enumerate(("2031-03", "2031", "2031-03-04"), 1)
    )
    places = (Place("p1", "Ann Ray"), Place("p2", "Atlantis"))
    found = all_counts(
        told(gold, (person("a1", (0, 7, "name")),), times=times, places=places)
    )
    assert found["operator.invented"].spurious == ("2031-03-04", "atlantis")
    assert found["operator.invented"].gold == 5


def test_everything_in_one_actor_has_no_rand():
    assert adjusted_rand("aabb", "xxxx") == 0.0


@given(LABELS)
def test_a_grouping_is_right_under_any_names(labels):
    assert adjusted_rand(labels, [f"actor {7 - label}" for label in labels]) == 1.0


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1))
def test_rand_is_the_same_both_ways(pairs):
    gold, read = [a for a, _ in pairs], [b for _, b in pairs]
    assert adjusted_rand(gold, read) == pytest.approx(adjusted_rand(read, gold))


@given(LABELS, LABELS)
def test_one_thing_read_serves_one_gold_only(gold, read):
    count = matched_count(gold, read, lambda one, item: one == item)
    common = sum(min(gold.count(x), read.count(x)) for x in set(gold))
    assert (count.found, count.read, count.gold) == (common, len(read), len(gold))
    assert len(count.missed) == len(gold) - common


def test_what_may_be_read_or_not_counts_neither_way():
    count = matched_count("ab", "bc", str.__eq__, optional=lambda one: one == "b")
    assert (count.found, count.read, count.gold) == (0, 1, 1)
    assert (count.missed, count.spurious) == (("a",), ("c",))


def test_a_second_wording_of_the_same_is_neither_right_nor_wrong():
    def starts(one, item):
        return item.startswith(one)

    assert matched_count(["a"], ["a1", "a2"], starts, again=True).read == 1
    assert matched_count(["a"], ["a1", "a2"], starts).read == 2


def test_figures_pool_items_and_draw_whole_excerpts():
    rows = [{"precision": (1, 2), "recall": (1, 1)}]
    found = pooled([*rows, {"precision": (2, 2), "recall": (2, 3)}])
    assert found["precision"].mean == pytest.approx(3 / 4)
    assert found["recall"].mean == pytest.approx(3 / 4)
    assert (found["precision"].n, found["recall"].n) == (4, 4)
    # one excerpt or the other, drawn alone, bounds what any draw gives
    assert found["precision"].low >= 1 / 2
    assert found["precision"].high <= 1


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("in custody", "custody", True),
        ("with a broken arm", "broken", True),
        ("asleep", "awake", False),
        ("was tired", "not tired", False),
        ("壊れている", "壊れた", True),
        ("壊れている", "壊れていない", False),
        ("空いている", "閉じている", False),
    ],
)
def test_phrases_are_alike_by_content_and_polarity(one, two, same):
    assert alike_phrases(one, two) is same
    assert alike_phrases(two, one) is same


def test_spans_are_the_same_by_half_their_union_or_by_their_last_word():
    detective = (0, 30)
    assert same_span(detective, (24, 30))  # "... Inspector Hannah Moss", "Moss"
    assert not same_span(detective, (0, 6))
    assert not same_span((0, 5), (5, 9))


def test_reading_an_excerpt_takes_the_path_of_a_run_and_nothing_stays_behind():
    memory = GSW(SpacyOperator(), RulesReconciler())
    once, again = (read_excerpt(small(), memory) for _ in range(2))
    assert once.workspace == again.workspace
    assert memory.workspace.version == 0
    assert all_counts(once) == all_counts(again)
    assert all_counts(once)["operator.actors"].found == 2


def test_the_command_scores_a_folder_as_the_recipe_does(tmp_path):
    for name in ("diary.yaml", "news.yaml"):
        (tmp_path / name).write_bytes((GOLD / "dev" / name).read_bytes())
    typed = f"dataset.folder={tmp_path}", f"run.dir={tmp_path / 'run'}"
    shown = config.open("experiment=gold", *typed).run()
    memory = GSW(SpacyOperator(), RulesReconciler())
    read = [read_excerpt(one, memory) for one in load_excerpts(tmp_path)]
    figures = gold_scores(read)
    assert shown["excerpts"] == len(read)
    assert shown["actors"] == round(figures["operator/actors/f1"].mean, 4)
    assert shown["merge"] == round(figures["reconciler/merge/bcubed_f1"].mean, 4)


@pytest.mark.parametrize("part", ["set_aside", "kept"])
def test_errors_of_what_only_measures_are_never_listed(part):
    command = [sys.executable, "experiments/recipes/gold.py", part, "--errors"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "never listed" in done.stderr
