"""An answer is of the type that was asked for; else a passage is shown, or nothing."""

from __future__ import annotations

import pytest

from gswlab.commands import STORIES
from gswlab.core.document import Document
from gswlab.core.nouns import Answer
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.qa.cue import Cue
from gswlab.qa.question.asked_for import answer_type, tells_episodes
from gswlab.qa.readers.cue import CueReader
from gswlab.qa.readers.typed import NearSentence
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of, read_document
from tests.qa.near import read_off


def read(document: Document) -> GSW:
    memory = GSW(SpacyOperator(), RulesReconciler())
    for chunk in chunks(document):
        memory.partial_fit(chunk)
    memory.finish()
    return memory


@pytest.fixture(scope="module")
def story() -> GSW:
    """The bundled story, read to its end."""
    return read(read_document(STORIES["en"]))


def asked(memory: GSW, question: str) -> Answer:
    return CueReader().answer(question, memory.recall(question, 1000))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How old was the captain?", "age"),
        ("How many coins did Ruth find?", "number"),
        ("Why did the ferry leave?", "reason"),
        ("On which day did it leave?", "time"),
        ("What happened on the ferry?", "happening"),
        ("What kind of event was it?", "event"),
        ("Tell me about Ruth Adeyemi.", "account"),
        ("Did the ferry leave?", "verdict"),
        ("List them.", None),
        ("Ann Ray, Model Railway Show, July 24: her part, please.", None),
        ("山田太郎は何歳でしたか。", "age"),
    ],
)
def test_the_words_of_a_question_say_what_type_its_answer_has(question, kind):
    assert answer_type(question) == kind


def test_who_an_episode_is_about_is_told_by_it_also_after_what_is_said_of_it(story):
    where = "The charity concert took place at Saint Brennan Hall on March 9, 2025."
    found = asked(story, f"{where} Who was the protagonist?")
    assert found.items == asked(story, f"{where} Who was the main person?").items != ()


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Who is the Lark?", ("Edgar Voss",)),
        ("How many sailors were questioned?", ("two sailors",)),
        ("How many coins did Ruth find?", ("three old coins",)),
        ("How long had she prepared the auction?", ("eleven weeks",)),
        ("Who stole the compass?", ("Edgar Voss",)),
        ("When was the concert?", ("March 09, 2025",)),
        ("What kind of event was at Saint Brennan Hall?", ("charity concert",)),
    ],
)
def test_the_story_answers_with_what_is_asked_for(story, question, items):
    assert asked(story, question).items == items


@pytest.mark.parametrize(
    "question",
    [
        "How old is Clara Novak?",
        "How old is Edgar Voss?",
        "Why did the concert take place?",
        "Why was Edgar Voss charged?",
        "Did Clara Novak steal the compass?",
        "Who is Sherlock Holmes?",
        "Who is Clara Novak?",
        "How did Clara Novak feel at the concert?",
        "What did Clara Novak paint?",
    ],
)
def test_no_kind_of_event_and_no_state_stands_for_what_is_not_told(story, question):
    answer = asked(story, question)
    assert answer.abstained
    assert answer.items == ()


def test_the_nearest_passage_is_shown_and_cited_and_is_no_answer(story):
    answer = asked(story, "Who called himself the Lark?")
    assert answer.abstained
    assert answer.passage == (
        "The cook remembered a thin man who called himself the Lark."
    )
    (span,) = answer.spans
    document = read_document(STORIES["en"])
    assert document.text[span.start : span.end] == answer.passage


def test_whom_a_pronoun_stands_for_is_near_its_sentence(story):
    answer = asked(story, "What did Ruth Adeyemi find in the interval?")
    assert answer.items == ("three old coins",)


def test_of_a_day_that_nothing_tells_nothing_is_near(story):
    answer = asked(story, "Where was Clara Novak on March 4, 2025?")
    assert answer.abstained
    assert not answer.passage
    assert not answer.spans


def test_in_the_middle_of_a_text_no_later_sentence_is_near():
    document = document_of("Ann Ray slept. Bo Lind read. A heron came. It sang to all.")
    memory, (first, *_) = GSW(SpacyOperator(), RulesReconciler()), chunks(document, 2)
    memory.partial_fit(first)
    assert not asked(memory, "Why did the heron sing?").passage


def test_a_question_in_a_language_that_is_not_read_is_told_so(story):
    assert asked(story, "Wo war Clara?").reason == "A question in German is not read."
    assert asked(story, "Où était Clara Novak?").abstained


def test_all_that_is_known_of_somebody_is_told_in_the_order_of_the_text(story):
    (told,) = asked(story, "Tell me about Ruth Adeyemi.").items
    assert told.index("reads the list") < told.index("arrests Edgar Voss")


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        ("How old was Ann?", "Ann was twelve years old.", "twelve years old"),
        ("How old was Ann?", "Ann was tired.", None),
        ("Why did Ann cry?", "Ann cried because she fell.", "because she fell"),
        ("How many boats sank?", "Forty-two men saw three boats sink.", "three boats"),
        ("How many boats sank?", "Boats sank at three.", None),
        ("How many children had Bo?", "Bo was the youngest of seven children.", None),
        ("Who is Bo?", "Bo, I fear, is a smuggler of tea.", "a smuggler of tea"),
        ("Who is Bo?", "Bo is tired.", None),
    ],
)
def test_a_sentence_says_a_measure_a_reason_or_who_somebody_is(
    question, sentence, said
):
    assert read_off(question, NearSentence(sentence)) == said


@pytest.mark.parametrize(
    "told",
    [
        "{0}, Taro Yamada opened the Lantern Fair at Kew Hall. "
        "{1}, Hanako Suzuki judged the Kite Contest at Zürich Lake Hall.",
        "Taro Yamada opened the Lantern Fair at Kew Hall {0}. "
        "Hanako Suzuki judged the Kite Contest at Zürich Lake Hall {1}.",
    ],
)
def test_a_kind_is_of_the_day_that_names_it_wherever_the_day_stands(told: str) -> None:
    both = read(document_of(told.format("On 7 May 2024", "On 2 June 2024"), "both"))
    found = [
        asked(both, f"When was the {kind}?").items
        for kind in ("Lantern Fair", "Kite Contest")
    ]
    assert found == [("May 07, 2024",), ("June 02, 2024",)]


@pytest.fixture(scope="module")
def two() -> GSW:
    """Two sentences, each of another day, place and person."""
    text = (
        "山田太郎 opened the Lantern Fair at Kew Hall on 7 May. "
        "鈴木花子 judged the Kite Contest at Zürich Lake Hall on 2 June."
    )
    return read(document_of(text, "two"))


def test_a_sentence_of_another_day_that_tells_who_and_where_is_another_episode(
    two: GSW,
) -> None:
    bound = [(e.date, e.place, e.protagonist) for e in two.workspace.episodes]
    assert [[b.value for b in each if b] for each in bound] == [
        ["--05-07", "Kew Hall", "山田太郎"],
        ["--06-02", "Zürich Lake Hall", "鈴木花子"],
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was the Lantern Fair?", "May 07"),
        ("Where was the Lantern Fair?", "Kew Hall"),
        ("Who opened the Lantern Fair?", "山田太郎"),
        ("Where was 鈴木花子 on 2 June?", "Zürich Lake Hall"),
        ("When did 鈴木花子 judge the Kite Contest?", "June 02"),
        ("Who was at Kew Hall on 7 May?", "山田太郎"),
        ("Lantern Fairはいつでしたか?", "5月7日"),
        ("Lantern Fairはどこで開かれましたか?", "Kew Hall"),
        ("Kite Contestを審査したのは誰ですか?", "鈴木花子"),
        ("鈴木花子は6月2日にどこにいましたか?", "Zürich Lake Hall"),
    ],
)
def test_each_of_two_episodes_is_asked_in_either_language(
    two: GSW, question: str, answer: str
) -> None:
    assert asked(two, question).items == (answer,)


def test_a_name_in_another_script_after_a_day_is_who_did_it() -> None:
    text = (
        "On 7 May 2024 山田太郎 opened the Lantern Fair at Kew Hall. "
        "On 2 June 2024 鈴木花子 judged the Kite Contest at Zürich Lake Hall."
    )
    told = read(document_of(text, "days"))
    assert asked(told, "Who judged the Kite Contest?").items == ("鈴木花子",)
    found = [e.protagonist.value for e in told.workspace.episodes if e.protagonist]
    assert found == ["山田太郎", "鈴木花子"]


@pytest.mark.parametrize("question", ["Where was 山田太郎 on 2 June?", "Wer ist 田中?"])
def test_what_neither_of_two_episodes_tells_is_not_answered(
    two: GSW, question: str
) -> None:
    assert asked(two, question).abstained


@pytest.mark.parametrize(
    "question",
    [
        "Where does Ann Ray live?",
        "When is the regatta?",
        "When will Ann Ray come?",
        "At what time did Ann Ray come?",
    ],
)
def test_what_is_to_come_or_lasts_is_no_episode_s_to_tell(question: str) -> None:
    cue = Cue(protagonist="Ann Ray", asked="places" if "Where" in question else "times")
    assert not tells_episodes(question, cue)
    assert tells_episodes("Where was Ann Ray?", Cue(protagonist="Ann", asked="places"))


def test_who_somebody_is_is_told_as_in_full_as_a_sentence_has_it() -> None:
    text = "Fermin Quispe, the head of the village council, sold two cows."
    memory = read(document_of(text, "who"))
    assert asked(memory, "Who is Fermin Quispe?").items == (
        "the head of the village council",
    )


def test_a_man_is_who_somebody_is_only_where_no_more_is_said() -> None:
    text = "Rupert Vane was a man of forty. He was a surgeon. Ann Loe was a woman."
    memory = read(document_of(text, "who"))
    assert asked(memory, "Who was Rupert Vane?").items == ("surgeon",)
    assert asked(memory, "Who was Ann Loe?").items == ("a woman",)
