"""Questions about a plot, answered by the rules of the reader of plots."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.bench.plots import (
    PlotQuestion,
    load_plot_questions,
    normalised_answer,
    right,
)
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Evidence, Item, Span
from gswlab.hybridrag.question import plot_cue
from gswlab.hybridrag.reader import PlotReader, plot_answer
from gswlab.hybridrag.story import ToldCast, ToldEvent, ToldPerson, ToldTie, forms
from gswlab.hybridrag.ties import relations_said, same_relation

ENGLISH = (
    "Ann Ray (hero)\nA cook who keeps a copper spoon.",
    "Bo (villain)\nA rider who burns bridges.",
    "Event 2\nThey fight on the bridge. Ann Ray and Bo are enemies.",
    "Event 3\nSnow falls on the marsh. Ann Ray and Cy are friends.",
    "Event 4\nBread is shared. Ann Ray and Bo are friends.",
    "Ann Ray: 4 events (1, 2, 3, 4); enemy of Bo; friend of Cy, Bo.",
)
JAPANESE = (
    "颯太 (主人公)\n風の変わり目を言い当てる少年。",
    "千鶴 (ヒロイン)\n紙を漉いた年がわかる娘。",
    "出来事3\n颯太は千鶴に出会う。颯太と千鶴は友人である。",
    "出来事17\n二人は河原で喧嘩別れした。颯太と千鶴は敵である。",
    "出来事25\n颯太は雨の中を謝りに行く。颯太と千鶴は友人である。",
    "千鶴: 出来事3件(3、17、25); 友人は颯太; 敵は颯太。",
)


def evidence(*texts):
    items = [
        Item(text, (Span("d", n, n + 1),), None, 0.0) for n, text in enumerate(texts)
    ]
    return Evidence(tuple(items), 0)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What were Ann Ray and Bo to each other at event 3?", "enemy"),
        ("What were Ann Ray and Bo before they became friends?", "enemy"),
        ("Are Ann Ray and Bo friends or enemies in event 4?", "friend"),
        ("In which event do Ann Ray and Bo become friends?", "4"),
        ("When do Ann Ray and Bo stop being enemies?", "4"),
        ("How many times did the relation of Ann Ray and Bo change?", "1"),
        ("In how many events are Ann Ray and Bo enemies?", "1"),
        ("In how many events does Ann Ray appear?", "4"),
        ("How many characters were ever friends of Ann Ray?", "2"),
        ("Who was ever an enemy of Ann Ray?", "Bo"),
        ("Who became a friend of Ann Ray first, Bo or Cy?", "Cy"),
        (
            "Which comes first: the snow falls, or the bread is shared?",
            "the snow falls",
        ),
        ("Which comes last: the snow falls, or they fight?", "the snow falls"),
        ("Does the snow fall before they fight on the bridge?", "no"),
        ("Does the snow fall after they fight on the bridge?", "yes"),
        ("What happens right after they fight?", "Snow falls on the marsh."),
        ("What is Bo's role?", "villain"),
        ("Who keeps a spoon of copper?", "Ann Ray"),
        ("What does Bo burn?", "A rider who burns bridges."),
    ],
)
def test_an_english_question_is_answered(question, answer):
    assert PlotReader().answer(question, evidence(*ENGLISH)).items == (answer,)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("出来事17で、颯太と千鶴はどんな関係でしたか。", "敵"),
        ("颯太と千鶴が敵になるのはどの出来事ですか。", "17"),
        ("颯太と千鶴が再び友人に戻るのは何番目の出来事ですか。", "25"),
        ("颯太と千鶴の関係は何回変わりましたか。", "2"),
        ("千鶴が登場する出来事はいくつありますか。", "3"),
        ("千鶴の友人になったことがあるのは誰ですか。", "颯太"),
        ("「喧嘩別れする」と「千鶴に出会う」では、どちらが先ですか。", "千鶴に出会う"),
        ("颯太が千鶴に出会うのは、喧嘩別れするより前ですか。", "はい"),
        ("颯太の役割は何ですか。", "主人公"),
        ("紙を漉いた年がわかるのは誰ですか。", "千鶴"),
    ],
)
def test_a_japanese_question_is_answered(question, answer):
    assert PlotReader().answer(question, evidence(*JAPANESE)).items == (answer,)


def test_an_answer_cites_the_items_it_rests_on():
    found = plot_answer("When do Ann Ray and Bo become friends?", evidence(*ENGLISH))
    assert Span("d", 4, 5) in found.spans
    assert Span("d", 0, 1) not in found.spans


def test_what_is_not_told_is_an_abstention():
    found = plot_answer("When do Bo and Cy become friends?", evidence(*ENGLISH))
    assert found.abstained


def test_evidence_of_no_plot_is_read_as_before():
    told = evidence("Pier\nThe pier burnt down in 1901.")
    assert plot_answer("When did the pier burn?", told) is None
    assert PlotReader().answer("When did the pier burn?", told).items == ("1901",)


def test_a_title_with_a_word_in_brackets_makes_no_plot_of_a_page():
    pages = ("Kes (film)\nKes was made in 1969.", "Pier\nThe pier burnt down in 1901.")
    assert plot_answer("When was Kes made?", evidence(*pages)) is None


def test_xml_is_read_whole_or_cut():
    xml = (
        '<Plot><Character role="hero" id="1"><Name>A &amp; B</Name><Description>x'
        "</Description></Character><Character id='2' role=\"r\"><Name>Bo</Name>"
        "<Description>y</Description></Character><Event id='9'><Description>z"
        '</Description><Relationship><CharacterRef from="1" to="2" relation="enemy"/>'
        "</Relationship></Event><Event id='10'><Descr"
    )
    person, other, event, tie = forms(xml)
    assert person == ToldPerson("A & B", "hero", "x")
    assert other.name == "Bo"
    assert event == ToldEvent(1, "z")
    assert tie == ToldTie(frozenset({"A & B", "Bo"}), "enemy", 1)


def test_a_summing_line_is_no_pair():
    (form,) = forms("Bo: 2 events (2, 4); enemy of Ann Ray.")
    assert form == ToldCast("Bo", 2, (("enemy", ("Ann Ray",)),))


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text):
    list(forms(text))
    plot_cue(text, 2)
    plot_answer(text, evidence(text, *ENGLISH))


def test_relations_are_said_in_their_order_and_a_rival_is_no_enemy():
    assert relations_said("From friends to enemies") == ("friend", "enemy")
    assert relations_said("好敵手から友人に") == ("rival", "friend")
    assert same_relation("敵", "enemies")
    assert not same_relation("敵", "brother of")


def question(*answers, **more):
    items = tuple(tuple(item) for item in answers)
    return PlotQuestion(id="q", kind="order", question="?", answers=items, **more)


def test_answers_match_one_to_one_whatever_their_order_and_spelling():
    both = question(["Ann Ray"], ["Bo", "Old Bo"])
    assert right(["old Bo", "ANN RAY"], both)
    assert right(["Ann Ray and Bo"], both)
    assert not right(["Ann Ray"], both)
    assert not right(["Ann Ray", "Bo", "Cy"], both)
    assert right(["出来事４です。"], question(["4"]))
    assert right(["three times"], question(["3"]))


def test_a_phrase_is_held_whole_and_in_few_words():
    phrase = question(["copper spoon"], within=True)
    assert right(["She keeps a copper spoon."], phrase)
    assert not right(["She keeps copper spoons."], phrase)
    assert not right(["copper spoon " * 30], phrase)


@given(st.text())
def test_normalising_twice_changes_nothing_more_of_words(text):
    once = normalised_answer(text)
    assert once == " ".join(once.split())


@pytest.mark.parametrize(
    ("line", "said_"),
    [
        ("{", "line 1 of q.jsonl is not JSON"),
        ('{"id": "a"}', r"Field required @ \$\.kind"),
        (
            '{"id":"a","kind":"plot","question":"?","answers":[["x"]]}',
            r"Input should be .* @ \$\.kind",
        ),
        (
            '{"id":"a","kind":"order","question":"?","answers":[]}',
            r"at least 1 item .* @ \$\.answers",
        ),
        (
            '{"id":"a","kind":"order","question":"?","answers":[["x"]],"z":1}',
            r"Extra inputs .* @ \$\.z",
        ),
        ("", "holds no question"),
    ],
)
def test_a_faulty_question_is_one_sentence_with_its_line(line, said_, tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(GswlabError, match=said_):
        load_plot_questions(path)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("颯太は誰と出会いますか。", "千鶴"),
        ("千鶴は誰を待ちましたか。", "颯太"),
        ("颯太は何を言い当てますか。", "風の変わり目"),
        ("千鶴は何を漉きますか。", "紙"),
    ],
)
def test_with_whom_whom_and_what_are_objects_of_the_verb_asked_about(question, answer):
    told = (
        *(
            "颯太 (主人公)\n風の変わり目を言い当てる少年。",
            "千鶴 (ヒロイン)\n紙を漉く娘。",
        ),
        "出来事1\n颯太は河原で千鶴と出会う。颯太と千鶴は友人である。",
        "出来事2\n千鶴は雨の中で颯太を待った。",
    )
    found = plot_answer(question, evidence(*told))
    assert found is not None
    assert found.items == (answer,)
    assert found.spans
