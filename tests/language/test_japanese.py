"""The bundled Japanese story: read, asked in Japanese, answered with its characters."""

from __future__ import annotations

import re
from itertools import combinations as pairs

import pytest

from gswlab.commands import STORIES
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.language.dates.find import find_dates
from gswlab.language.keys import likeness
from gswlab.qa.question.names import Names, parse_question
from gswlab.qa.readers.cue import CueReader
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of, read_document

pytest.importorskip("ginza")

MARCH_2, MARCH_10, MARCH_13 = "2024年3月2日", "2024年3月10日", "2024年3月13日"
ANSWERS = {
    # いつ
    "山田太郎はいつ汐見公民館にいましたか。": [MARCH_2],
    "山田花子が京都に行ったのはいつですか。": ["2025年1月8日"],
    "花火大会が開かれたのは何年何月何日ですか。": ["2024年8月15日"],
    "山田花子はいつ岬灯台を訪れましたか。": [MARCH_10, "2025年1月5日"],
    "ロペスさんはいつ朗読会に招かれましたか。": ["2024年4月20日"],
    "小川先生はいつ音楽会に出席しましたか。": ["2024年11月3日"],
    "佐伯健はいつ逮捕されましたか。": [MARCH_13],
    "鈴木一郎はいつ鍵を受け取りましたか。": ["2024年3月14日"],
    # どこ
    "花火大会はどこで開かれましたか。": ["汐見港"],
    "マリア・ロペスはどこにいましたか。": ["汐見図書館", "汐見港"],
    "2024年4月21日にマリアがいた場所を教えてください。": ["汐見港"],
    "鈴木氏はどこで鍵を受け取りましたか。": ["警察署"],
    "鍵はどこにありましたか。": ["鞄"],
    "木村さんはどこにいましたか。": ["汐見港"],
    "2024年3月14日に鈴木さんはどこにいましたか。": ["警察署"],
    # 誰
    "2024年3月13日に横浜駅にいたのは誰ですか。": ["山田花子"],
    "岬灯台を訪れた人物をすべて挙げてください。": ["山田花子"],
    "誰が佐伯健を逮捕しましたか。": ["警察"],
    "鍵を盗んだのは誰ですか。": ["佐伯健"],
    "太郎は誰に紙を渡しましたか。": ["小川恵子"],
    "誰が小川先生を呼びましたか。": ["木村葵"],
    "音楽会には他に誰がいましたか。": ["山田花子", "鈴木一郎"],
    "朗読会の主人公は誰ですか。": ["マリア・ロペス"],
    # 何の催し
    "令和六年八月十五日に何がありましたか。": ["花火大会"],
    "2024年8月15日、汐見港ではどんな催しがありましたか。": ["花火大会"],
    "汐見図書館で開かれたのは何の催しですか。": ["朗読会"],
    "汐見公民館で行われた催しをすべて挙げてください。": ["和紙教室", "音楽会"],
    "花子は何を見つけましたか。": ["切符"],
    # 最後に, 直近, 最新
    "山田花子が最後に訪れた場所はどこですか。": ["京都"],
    "汐見港で直近に開かれた催しは何ですか。": ["花火大会"],
    "小川先生が出席した最新の催しは何でしょうか。": ["音楽会"],
    # 古い順, 時系列
    "山田花子が出席した行事の日付を古い順に教えてください。": [
        MARCH_10, MARCH_13, "2025年1月5日", "2025年1月8日",
    ],
    "山田花子が参加した催しを時系列で並べてください。": [
        "見学会", "書き初め大会", "展覧会",
    ],
    "汐見公民館で催しがあった日を古いものから順に挙げてください。": [
        MARCH_2, "2024年11月3日",
    ],
}  # fmt: skip
ABSTAINS = [
    "山田太郎はいつ京都にいましたか。",
    "陶芸教室が開かれたのはいつですか。",
    "2023年5月1日に何がありましたか。",
    "2024年8月15日に汐見図書館で何がありましたか。",
    "高橋美咲はどこにいましたか。",
    "ゴッホはいつ汐見公民館にいましたか。",
    "誰がマリア・ロペスを逮捕しましたか。",
    "誰が鍵を買いましたか。",
    "2024年3月15日に鍵を受け取ったのは誰ですか。",
    "太郎の妹は誰ですか。",  # no episode holds a tie, and no guess is made
]


def read(document):
    memory = GSW(SpacyOperator(), RulesReconciler())
    for chunk in chunks(document):
        memory.partial_fit(chunk)
    return memory


@pytest.fixture(scope="module")
def story():
    return read_document(STORIES["ja"])


@pytest.fixture(scope="module")
def memory(story):
    return read(story)


def ask(memory, question):
    return CueReader().answer(question, memory.recall(question, budget=1000))


def person(memory, name):
    found = [a for a in memory.workspace.actors if a.name == name]
    assert len(found) == 1, name
    return found[0]


@pytest.mark.parametrize("question", ANSWERS)
def test_a_question_is_answered_with_its_characters(memory, story, question):
    answer = ask(memory, question)
    assert list(answer.items) == ANSWERS[question], answer.reason
    assert answer.spans
    assert all(story.text[s.start : s.end].strip() for s in answer.spans)
    assert answer.chapters


@pytest.mark.parametrize("question", ABSTAINS)
def test_what_the_story_does_not_tell_is_not_answered(memory, question):
    answer = ask(memory, question)
    assert answer.abstained, answer.items
    assert answer.items == ()
    assert bool(answer.spans) == bool(answer.passage)  # near, and no answer


def test_a_family_name_of_two_people_is_neither(memory):
    cue = parse_question("山田さんはいつ汐見公民館にいましたか", memory.view().names)
    assert cue.protagonist == "山田 (山田太郎 / 山田花子)"
    assert ask(memory, "山田さんはいつ汐見公民館にいましたか").abstained
    assert ask(memory, "山田さんは最後にどこにいましたか").abstained


def test_each_person_is_one_actor_by_every_way_the_story_names_them(memory):
    called = {
        "山田太郎": {"太郎", "山田さん"},
        "山田花子": {"花子"},
        "小川恵子": {"小川恵子先生", "小川先生", "恵子"},
        "鈴木一郎": {"鈴木一郎氏", "鈴木氏"},
        "マリア・ロペス": {"マリア", "ロペスさん"},
        "木村葵": {"木村さん"},
        "佐伯健": {"佐伯"},
    }
    for name, aliases in called.items():
        assert aliases <= set(person(memory, name).aliases)
    people = [a.name for a in memory.workspace.actors if a.kind == "person"]
    assert not {alias for ways in called.values() for alias in ways} & set(people)


def test_roles_and_denials_are_read(memory):
    roles = {role.text for role in person(memory, "山田花子").roles}
    assert {"妹", "司書"} <= roles
    saeki = person(memory, "佐伯健")
    assert "船員" not in {role.text for role in saeki.roles}
    assert "船員ではなかった" in {state.text for state in saeki.states}
    assert "船員" not in {actor.name for actor in memory.workspace.actors}


def test_a_dropped_subject_is_the_topic_with_its_reason(memory, story):
    (phrase,) = [v for v in memory.workspace.verb_phrases if v.predicate == "緊張する"]
    (argument,) = phrase.arguments
    assert memory.workspace.resolve(argument.actor) == person(memory, "山田太郎").id
    assert "left out" in phrase.notes[0].text
    (span,) = argument.spans
    assert story.text[span.start : span.end] == "太郎"
    assert phrase.negated


def test_a_teacher_alone_is_the_teacher_of_the_chapter(memory):
    texts = [m.text for m in person(memory, "小川恵子").mentions]
    assert "先生" in texts
    assert "講師" in texts


# names of any script

MIXED = """Chapter 1

On May 7, 2024, 山田太郎 visited the Harbour Museum. He met José Vidal there.

Chapter 2

On June 9, 2024, 山田花子 visited the Harbour Museum. She met Zoë Marsh there.
"""
GREETED = """第一章

2024年5月7日、山田太郎は横浜でJoséに会った。

第二章

2024年6月9日、山田花子は横浜でZoëに会った。
"""


def ascii_key(name):
    """A name as the official code compares it: only letters and digits of ASCII."""
    return re.sub(r"[^a-z0-9\s]", "", name.lower()).strip()


def people(text):
    actors = read(document_of(text)).workspace.actors
    return [actor.name for actor in actors if actor.kind == "person"]


@pytest.mark.parametrize("text", [MIXED, GREETED])
def test_four_names_stay_apart_and_come_back_in_their_own_script(text):
    names = people(text)
    assert len(names) == 4
    assert all(name in text for name in names)
    for name in ("山田太郎", "山田花子", "José", "Zoë"):
        assert any(found.startswith(name) for found in names)


def test_matching_by_ascii_alone_would_have_merged_them():
    names = people(GREETED)
    keys = {name: ascii_key(name) for name in names}
    assert keys["山田太郎"] == keys["山田花子"] == ""
    assert len(set(keys.values())) < len(names)
    assert keys["José"] == ascii_key("Jos") == "jos"  # and what is left is cut
    assert all(likeness(one, two, "person") is None for one, two in pairs(names, 2))


def test_a_half_of_a_full_name_is_found_by_its_bearer_alone():
    memory = read(document_of(GREETED))
    names: Names = memory.view().names
    assert parse_question("太郎はいつ横浜にいましたか", names).protagonist == "山田太郎"
    assert ask(memory, "花子はいつ横浜にいましたか").items == ("2024年6月9日",)
    assert ask(memory, "Joséに会ったのは誰ですか").items == ("山田太郎",)


# what the story's sentences rest on


def test_a_family_name_finds_the_full_names_it_opens(memory):
    found = {actor.name for actor in memory.workspace.named("山田")}
    assert {"山田太郎", "山田花子"} <= found


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("十九日、雪が降った。十日間続いた。", ["2024-03-19"]),
        ("十八日夜に着いた。", ["2024-03-18"]),
        ("午後、警察が来た。", ["2024-03-10"]),
        ("三日かかった。四十日、待った。", []),
    ],
)
def test_a_day_without_its_month_is_of_the_month_told_last(text, days):
    found = find_dates(text, basis="2024-03-10", language="ja")
    assert [mention.day for mention in found] == days


def test_the_year_goes_on_untold_over_new_year():
    text = "第一章\n\n2023年11月3日、山田太郎は横浜で休んだ。\n\n"
    text += "第二章\n\n12月24日、山田太郎は京都で休んだ。\n\n"
    text += "第三章\n\n1月5日、山田太郎は奈良で休んだ。翌日、京都へ向かった。\n"
    days = [e.date.value for e in read(document_of(text)).workspace.episodes]
    assert days == ["2023-11-03", "2023-12-24", "2024-01-05", "2024-01-06"]


@pytest.mark.parametrize(
    ("sentence", "state"),
    [
        ("山田太郎は浴衣を着ていた。", "浴衣を着ていた"),
        ("山田太郎は留守だった。", "留守"),
        ("山田太郎は元気になった。", "元気"),
        ("山田太郎は静かではなかった。", "静かではなかった"),
    ],
)
def test_a_state_is_read_as_it_is_told(sentence, state):
    actor = person(read(document_of(sentence)), "山田太郎")
    assert [s.text for s in actor.states] == [state]


def test_what_somebody_does_to_a_thing_is_no_state():
    assert (
        person(read(document_of("山田太郎は本を読んでいた。")), "山田太郎").states == ()
    )


def test_nothing_is_carried_into_a_quotation_or_without_a_topic():
    memory = read(document_of("山田太郎は笑った。「もう帰る」と声がした。雨が降った。"))
    agents = {
        phrase.predicate: [a.text for a in phrase.arguments if a.slot == "agent"]
        for phrase in memory.workspace.verb_phrases
    }
    assert agents["笑う"] == ["山田太郎"]
    assert agents.get("帰る", []) == []
    assert agents["降る"] == ["雨"]


def test_nothing_printed_of_the_story_is_invented(memory, story):
    from gswlab.bench.grounding import Checker, Printed, invented

    told = memory.view().workspace
    printed = [
        Printed(ask(memory, question), memory.recall(question, budget=1000))
        for question in ANSWERS
    ]
    found = invented(Checker([story], told), printed)
    assert found["dates"] > 0
    assert found["examples"] == []
