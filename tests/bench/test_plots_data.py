"""Our plots: every answer follows from the XML, and none can be had by a trick."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from gswlab.bench.plots import BUNDLED, Plots, normalised_answer, right
from gswlab.hybridrag.plot import read_plot

WORLDS = {world.name: world for world in Plots().worlds}
ASKED = [(w, question) for w in WORLDS.values() for question in w.questions]
IDS = [question.id for _, question in ASKED]


class Facts:
    """A plot's XML, counted through without any code of a memory or a reader."""

    def __init__(self, world):
        plot = world.plot
        self.people = {one.id: one for one in plot.characters}
        self.events = {event.id: event for event in plot.events}
        self.place = {event.id: n for n, event in enumerate(plot.events, 1)}
        self.ids = list(self.events)

    def stated(self, one, other):
        return [
            (self.place[event.id], tie.relation)
            for event in self.events.values()
            for tie in event.ties
            if (tie.source, tie.target) == (one, other)
        ]

    def changes(self, one, other):
        return [
            after
            for before, after in pairwise(self.stated(one, other))
            if before[1] != after[1]
        ]

    def ever(self, one, relation):
        return {
            tie.target
            for event in self.events.values()
            for tie in event.ties
            if tie.source == one and tie.relation == relation
        }


def answer(facts, check):  # noqa: C901 - a table, a case a line
    """The items of the answer, recomputed from the XML."""
    match check:
        case {"name": one}:
            return [facts.people[one].name]
        case {"role": one}:
            return [facts.people[one].role]
        case {"relation": [one, other], "at": at}:
            held = [r for n, r in facts.stated(one, other) if n <= facts.place[at]]
            return [held[-1]]
        case {"relation": [one, other], "before": into}:
            stated = facts.stated(one, other)
            return [b[1] for b, a in pairwise(stated) if b[1] != a[1] == into][:1]
        case {"change": [one, other], "into": into}:
            found = [n for n, r in facts.changes(one, other) if r == into]
            assert len(found) == 1
            return [str(found[0])]
        case {"first": texts}:
            return [texts[min(texts, key=lambda id_: facts.place[id_])]]
        case {"last": texts}:
            return [texts[max(texts, key=lambda id_: facts.place[id_])]]
        case {"before": [one, other]}:
            return ["yes" if facts.place[one] < facts.place[other] else "no"]
        case {"first_tie": [one, *others], "relation": relation}:
            began = {
                o: min(n for n, r in facts.stated(one, o) if r == relation)
                for o in others
            }
            return [facts.people[min(began, key=began.__getitem__)].name]
        case {"events_of": one}:
            events = facts.events.values()
            return [str(sum(one in event.appears for event in events))]
        case {"ever": one, "relation": relation, "count": True}:
            return [str(len(facts.ever(one, relation)))]
        case {"ever": one, "relation": relation}:
            return [facts.people[o].name for o in facts.ever(one, relation)]
        case {"events_with": [one, other], "relation": relation}:
            return [str(sum(r == relation for _, r in facts.stated(one, other)))]
        case {"changes": [one, other]}:
            return [str(len(facts.changes(one, other)))]
    raise AssertionError(check)


@pytest.mark.parametrize(("world", "question"), ASKED, ids=IDS)
def test_an_answer_follows_from_the_xml(world, question):
    facts, check = Facts(world), question.check
    if "said_of" in check:
        text = facts.people[check["said_of"]].description
        assert any(one in text for one in question.answers[0])
    elif "after" in check:
        after = facts.ids[facts.ids.index(check["after"]) + 1]
        assert question.answers[0][0] in facts.events[after].description
    else:
        assert right(answer(facts, check), question)


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
def test_a_phrase_asked_for_is_in_few_elements_and_not_in_its_question(world):
    facts = Facts(world)
    texts = [e.description for e in (*facts.people.values(), *facts.events.values())]
    for question in world.questions:
        if question.within:
            spelling = question.answers[0][0]
            assert sum(spelling in text for text in texts) <= 3, question.id
            assert spelling not in question.question


@pytest.mark.parametrize("name", sorted(set(WORLDS) - {"lighthouse_ja"}))
def test_thirty_questions_are_six_of_each_kind_and_worded_apart(name):
    questions = WORLDS[name].questions
    assert set(Counter(q.kind for q in questions).values()) == {6}
    assert len(questions) == 30
    assert len({q.question for q in questions}) == 30


def test_no_answer_is_right_for_half_of_a_kind_of_question():
    for kind in ("relation", "change", "order", "aggregate"):
        asked = [question for _, question in ASKED if question.kind == kind]
        said = Counter(
            normalised_answer(text) for q in asked for text in set(q.answers[0])
        )
        assert max(said.values()) / len(asked) < 0.6, (kind, said.most_common(2))


def test_the_small_plot_has_the_shape_of_the_paper_s():
    world = WORLDS["lighthouse_ja"]
    roles = [one.role for one in world.plot.characters]
    assert roles == ["主人公", "敵役", "脇役", "ヒロイン"]
    assert len(world.plot.events) == 6
    assert Facts(world).stated("1", "2")[:2] == [(3, "enemy"), (4, "friend")]
    assert len({question.kind for question in world.questions}) == 5


def test_plots_are_of_ten_to_two_hundred_nodes_in_two_languages():
    plots = {name: world.plot for name, world in WORLDS.items()}
    sizes = {n: len(plot.characters) + len(plot.events) for n, plot in plots.items()}
    assert min(sizes.values()) == 10
    assert 180 < max(sizes.values()) <= 200
    assert sum(size >= 40 for size in sizes.values()) >= 2
    languages = Counter(w.plot.document.language for w in WORLDS.values())
    assert languages == {"ja": 3, "en": 2}


def test_every_tie_is_written_both_ways():
    for path in BUNDLED.glob("*.xml"):
        for event in read_plot(path).events:
            ties = {(tie.source, tie.target, tie.relation) for tie in event.ties}
            assert ties == {(b, a, r) for a, b, r in ties}
