import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operating import START, actor, mentions, operate

from gswlab.text.chunks import chunks
from gswlab.text.document import read_document

pytest.importorskip("ginza")

STORY = """第一章

2024年3月2日の朝、佐藤健は横浜の陶芸教室に着いた。佐藤は窓から港を見た。土の匂いがして、彼は少し緊張していると感じた。
「佐藤さん、こちらへどうぞ」と講師の中村恵子が言った。彼は轆轤の前に座り、粘土に手を置いた。陶芸教室は昼まで続いた。
佐藤は自分の器を見て、もっと大きな皿を作ろうと思った。胸が高鳴った。中村は釉薬について説明した。

第二章

2024年4月14日、佐藤健は京都で開かれた写真展を訪れた。彼は古い寺の写真の前で足を止めた。
「佐藤さんも写真を撮るんですか」と山本太郎が聞いた。佐藤は首を振った。彼は光の柔らかさに気づいた。
大阪から来た客が多かった。写真展の出口で佐藤は絵葉書を三枚買った。

第三章

2024年5月7日の夕方、高橋美咲は横浜の港で花火大会を待っていた。彼女は浴衣を着ていた。
「高橋さん、席はこちらです」と係員が言った。美咲は海の上に上がる花火を見た。彼女の胸は震えた。
翌日、高橋は鎌倉へ向かった。鎌倉で彼女は古い友人の木村葵に会った。彼女は時間の早さを思った。
"""


PARTS = "佐藤健 は が の に 横浜 で 、 。 「 」 彼女 私 胸 思った 会 翌日 さん です と"
PARTS = [*PARTS.split(), "言った", "2024年5月7日"]


def votes(text, field, name="", given=None):
    """Weights of a chunk's votes of a field for a name (or a plain candidate)."""
    local = operate(text)
    names = {a.id: a.name for a in local.actors}
    return [
        vote.weight
        for vote in local.votes
        if vote.field == field and names.get(vote.candidate, vote.candidate) == name
        if given is None or vote.given == given
    ]


def reasons(text, name):
    local = operate(text)
    ids = {a.id for a in local.actors if a.name == name}
    said = (v for v in local.votes if v.field == "protagonist" and v.candidate in ids)
    return [vote.reason for vote in said]


# dates


def test_a_told_day_weighs_more_than_one_counted_from_it():
    text = "2024年5月7日、佐藤健は横浜に着いた。翌日、佐藤は帰った。"
    (told,), (relative,) = (
        votes(text, "date", "2024年5月7日"),
        votes(text, "date", "翌日"),
    )
    assert told > relative > 0


@pytest.mark.parametrize(
    "text",
    [
        "2019年3月2日に生まれた佐藤健は横浜に着いた。",
        "2019年3月2日から佐藤健は横浜にいた。",
        "「2019年3月2日まで待った」と佐藤健は言った。",
    ],
)
def test_a_day_of_another_time_hardly_counts(text):
    (weight,) = votes(text, "date", "2019年3月2日")
    assert 0 < weight < 0.7


@pytest.mark.parametrize("word", ["翌日", "翌朝", "三日後", "次の日"])
def test_a_next_day_that_opens_a_sentence_opens_a_scene(word):
    text = f"2024年5月7日、佐藤健は横浜に着いた。{word}、佐藤は鎌倉へ向かった。"
    assert votes(text, "scene", word) == [1.0]


def test_a_look_back_moves_no_scene():
    text = "2024年5月7日、佐藤健は横浜に着いた。前日、佐藤は鎌倉にいた。"
    assert votes(text, "scene", "前日") == []


def test_a_scene_vote_spans_the_sentence_that_the_next_day_opens():
    text = "2024年5月7日、佐藤健は横浜に着いた。翌日、佐藤は鎌倉へ向かった。"
    scenes = [v for v in operate(text).votes if v.field == "scene"]
    start = START + text.index("翌日")
    assert [v.spans[0].start for v in scenes] == [START, start]


# places


def test_particles_rank_the_places_of_a_scene():
    text = "佐藤健は{}。"
    weights = [
        votes(text.format(said), "place", "横浜")[0]
        for said in ("横浜で休んだ", "横浜へ急いだ", "横浜から来た")
    ]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] >= 2.0 > weights[1] >= 1.0 > weights[2]


def test_a_place_is_where_what_it_owns_is():
    (at,) = votes("佐藤健は横浜の港で休んだ。", "place", "横浜")
    (away,) = votes("佐藤健は横浜の港から来た。", "place", "横浜")
    assert at > 1.0 > away


def test_where_somebody_was_born_is_not_where_the_scene_is():
    (born,) = votes("神戸で生まれた佐藤健は横浜で休んだ。", "place", "神戸")
    assert born < 0.5


# people


def test_who_feels_speaks_for_being_the_protagonist():
    assert "feels or perceives: '気づく'" in reasons("佐藤は光に気づいた。", "佐藤")
    assert "feels or perceives: '胸'" in reasons("佐藤は胸が高鳴った。", "佐藤")
    assert "the own '胸' is told" in reasons("佐藤の胸は震えた。", "佐藤")


def test_a_feeling_that_is_nobodys_is_that_of_the_topic():
    text = "佐藤は器を並べた。中村が笑った。胸が高鳴った。"
    said = "'胸' is told, and the talk is of '佐藤'"
    assert said in reasons(text, "佐藤")
    assert said not in reasons(text, "中村")


def test_a_feeling_that_is_somebodys_is_not_that_of_the_topic():
    text = "佐藤は器を並べた。彼女の胸は震えた。中村が光に気づいた。"
    assert not any("and the talk is of" in reason for reason in reasons(text, "佐藤"))


def test_a_name_beside_her_is_not_hers():
    text = "彼女は木村葵に会った。"
    assert -2.0 in votes(text, "protagonist", "木村葵", given="f")


@pytest.mark.parametrize(
    ("word", "focus"),
    [
        ("私", "narrator"),
        ("僕", "narrator"),
        ("俺", "narrator"),
        ("彼", "m"),
        ("彼女", "f"),
    ],
)
def test_a_pronoun_outside_quotations_gives_the_focus(word, focus):
    assert votes(f"{word}は窓を見た。", "focus", focus) == [1.0]
    assert votes(f"「{word}は窓を見た」と係員が言った。", "focus", focus) == []


def test_only_persons_take_part():
    text = "佐藤健は横浜で中村恵子に会った。"
    assert votes(text, "participant", "佐藤健") == [1.0]
    assert votes(text, "participant", "中村恵子") == [1.0]
    assert votes(text, "participant", "横浜") == []


def test_the_ending_of_a_given_name_keeps_the_other_pronoun_away():
    local = operate("中村恵子が笑った。彼は座った。彼女は立った。")
    assert mentions(actor(local, "中村恵子")) == ["中村恵子", "彼女"]


# kinds of event and terms


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("佐藤健は陶芸教室に参加した。", "陶芸教室"),
        ("夏祭りが始まった。", "夏祭り"),
        ("彼女は花火大会を待っていた。", "花火大会"),
        ("彼は写真展を訪れた。", "写真展"),
        ("図書館で読書会を開いた。", "読書会"),
        ("古本市は正午に始まった。", "古本市"),
        ("結婚式の最中に雨が降った。", "結婚式"),
    ],
)
def test_a_noun_made_like_an_event_names_the_kind(text, label):
    (weight,) = votes(text, "kind", label)
    assert weight >= 1.0


@pytest.mark.parametrize(
    "text",
    ["社会は変わった。", "教会に入った。", "その方式を見た。", "横浜市に着いた。"],
)
def test_a_noun_that_only_ends_like_an_event_names_none(text):
    assert [v for v in operate(text).votes if v.field == "kind"] == []


def test_a_bare_form_or_last_years_event_says_less_than_a_named_one():
    (bare,) = votes("大会が始まった。", "kind", "大会")
    (last,) = votes("去年の写真展を訪れた。", "kind", "写真展")
    (named,) = votes("写真展が始まった。", "kind", "写真展")
    assert last < bare < named


def test_terms_are_content_words_and_compounds_without_names():
    text = "2024年3月2日、佐藤健は横浜の陶芸教室で粘土をこねた。"
    local = operate(text)
    lemmas = [term.lemma for term in local.terms]
    assert {"陶芸教室", "陶芸", "粘土", "こねる"} <= set(lemmas)
    assert not {"佐藤", "健", "横浜", "日", "2024"} & set(lemmas)
    for term in local.terms:
        said = text[term.span.start - START : term.span.end - START]
        assert said[0] == term.lemma[0]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.sampled_from(PARTS),
        min_size=1,
        max_size=14,
    )
)
def test_any_text_gives_votes_with_spans_of_its_own_and_known_candidates(parts):
    text = "".join(parts) + "は見た"
    local = operate(text)
    ids = {actor.id for actor in local.actors}
    for vote in local.votes:
        assert vote.spans
        assert all(START <= s.start < s.end <= START + len(text) for s in vote.spans)
        if vote.field in ("date", "place", "protagonist", "participant", "scene"):
            assert vote.candidate in ids


# end to end


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    path = tmp_path_factory.mktemp("ja") / "story.txt"
    path.write_text(STORY, "utf-8")
    return path


@pytest.fixture(scope="module")
def memory(story):
    from gswlab.gsw.memory import GSW
    from gswlab.gsw.operator.rules import SpacyOperator
    from gswlab.gsw.reconciler.rules import RulesReconciler

    memory = GSW(SpacyOperator(), RulesReconciler())
    for chunk in chunks(read_document(story)):
        memory.partial_fit(chunk)
    return memory


def test_three_chapters_bind_four_episodes(memory):
    bound = [
        (e.chapter, e.date.value, e.place.value, e.protagonist.value)
        for e in memory.workspace.episodes
    ]
    assert bound == [
        (1, "2024-03-02", "横浜", "佐藤健"),
        (2, "2024-04-14", "京都", "佐藤健"),
        (3, "2024-05-07", "横浜", "高橋美咲"),
        (3, "2024-05-08", "鎌倉", "高橋美咲"),
    ]


def test_the_kinds_named_so_far_are_japanese(memory):
    kinds = [e.kind and e.kind.value for e in memory.workspace.episodes]
    assert kinds == ["陶芸教室", "写真展", "花火大会", None]


def test_family_names_stay_with_the_full_name(memory):
    first = memory.workspace.episodes[0]
    assert {"佐藤", "佐藤さん"} <= set(first.protagonist.aliases)
    assert [p.value for p in first.participants] == ["中村恵子"]


@pytest.mark.parametrize(
    ("question", "items", "chapters"),
    [
        ("佐藤健はいつ横浜にいましたか", ["2024年3月2日"], [1]),
        ("高橋美咲はいつ鎌倉にいましたか", ["2024年5月8日"], [3]),
        ("佐藤健はどこにいましたか", ["横浜", "京都"], [1, 2]),
        ("2024年4月14日に京都にいたのは誰ですか", ["佐藤健"], [2]),
        ("佐藤健はいつ鎌倉にいましたか", [], []),
    ],
)
def test_a_japanese_question_is_answered_in_japanese(memory, question, items, chapters):
    from gswlab.qa.readers.cue import CueReader

    answer = CueReader().answer(question, memory.recall(question, budget=1000))
    assert list(answer.items) == items
    assert answer.abstained == (not items)
    assert answer.abstained or list(answer.chapters) == chapters
    assert all(STORY[s.start : s.end].strip() for s in answer.spans)
    assert bool(answer.spans) == bool(items or answer.passage)


@pytest.mark.slow
def test_the_command_line_reads_and_answers_in_japanese(story, tmp_path):
    run = tmp_path / "run"
    read = _gswlab("read", str(story), "--run", str(run))
    assert json.loads(read.splitlines()[-1])["episodes"] == 4
    said = _gswlab("ask", str(run), "佐藤健はいつ横浜にいましたか")
    assert said.split()[0] == "2024年3月2日"
    assert "[2024年3月2日]の朝" in said


def _gswlab(*arguments):
    command = [sys.executable, "-m", "gswlab", *arguments]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout
