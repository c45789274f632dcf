"""The question parser on wordings of our own, every third held out of its making."""

import itertools
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.core.nouns import Bound, Episode
from gswlab.language.keys import kind_stems, name_key
from gswlab.qa.cue import Cue, answer_cue
from gswlab.qa.question.asked_for import asked_of, order_of
from gswlab.qa.question.names import Names, parse_question
from gswlab.qa.question.stopwords import like

FOLDER = Path(__file__).parent / "wordings"
DATES = ["May 07, 2031", "7 June 2030", "May 2031", "January 2, 2030"]
ISO = ["2031-05-07", "2030-06-07", "2031-05", "2030-01-02"]
PLACES = [
    "the Old Mill",
    "Museum of the Three Rivers",
    "Harrow-on-Sea Pier",
    "St. Brannoc's Well",
    "Quay House",
]
PEOPLE = ["Ann Ray", "Tom O'Neil", "Mary-Jane Holt", "Zoë Brandt", "Luc de Vries"]
KINDS = ["Pottery Class", "Book Swap", "ghost walk", "Kite Festival", "beekeeping fair"]
UNKNOWN = {
    "t": ["March 03, 2027"],
    "s": ["Tallow Square", "the Hall of Echoes"],
    "e": ["Karl Fenn", "Ines Marlow"],
    "c": ["Origami Contest", "Seed Auction", "falconry display"],
}


def episodes() -> list[Episode]:
    found = []
    for i in range(5):
        date, kind = Bound(ISO[i % 4]), Bound(KINDS[i])
        place, who = Bound(PLACES[i]), Bound(PEOPLE[i])
        found.append(
            Episode(
                f"e{i + 1}", "b", i + 1, date=date, place=place, protagonist=who,
                kind=kind, participants=(Bound("Bob Lee"),), order=i,
            )
        )  # fmt: skip
    return found


NAMES = Names.of(episodes())


def lines(name: str) -> list[str]:
    rows = (FOLDER / name).read_text("utf-8").splitlines()
    return [row for row in rows if row and not row.startswith("#")]


@cache
def wordings(held_out: bool) -> list[tuple[str, str, str]]:
    """(asked, order, wording with slots): whole ones, and frames over nouns."""
    whole = [row.split(" | ", 1) for row in kept(lines("whole.txt"), held_out)]
    frames = [row.split(" | ", 1) for row in kept(lines("frames.txt"), held_out)]
    nouns = kept(lines("nouns.txt"), held_out)
    found = [(*head.split(), text) for head, text in whole]
    for (head, frame), noun in itertools.product(frames, nouns):
        found.append((*head.split(), frame.replace("{events}", noun)))
    return found


def kept(rows: list[str], held_out: bool) -> list[str]:
    return [row for i, row in enumerate(rows) if (i % 3 == 2) == held_out]


def fills(wording: str, number: int) -> tuple[str, dict[str, str]]:
    values = {
        "t": DATES[number % 4],
        "s": PLACES[number % 5],
        "e": PEOPLE[(number // 2) % 5],
        "c": KINDS[(number // 3) % 5],
    }
    text = wording.replace("the {s}", "{s}").replace("The {s}", "{s}")
    text = text.format(**values)
    return text[0].upper() + text[1:], {
        k: v for k, v in values.items() if "{" + k in wording
    }


def problems(cue: Cue, values: dict[str, str], asked: str, order: str) -> list[str]:
    found = []
    if cue.asked != expected(asked, values):
        found.append(f"asked {cue.asked}, not {asked}")
    if cue.order != order:
        found.append(f"order {cue.order}, not {order}")
    iso = dict(zip(DATES, ISO, strict=True)).get(values.get("t", ""))
    if cue.date != iso:
        found.append(f"date {cue.date}")
    if name_key(cue.place or "") != name_key(values.get("s", "")):
        found.append(f"place {cue.place}")
    if (cue.protagonist or "") != values.get("e", ""):
        found.append(f"protagonist {cue.protagonist}")
    if kind_stems(cue.content or "") != kind_stems(values.get("c", "")):
        found.append(f"content {cue.content}")
    return found


def expected(asked: str, values: dict[str, str]) -> str:
    """Asking for people where one is named means the others."""
    return "other_entities" if asked == "entities" and "e" in values else asked


def failures(held_out: bool) -> tuple[list[str], int]:
    bad = []
    rows = wordings(held_out)
    for number, (asked, order, wording) in enumerate(rows):
        text, values = fills(wording, number)
        if found := problems(parse_question(text, NAMES), values, asked, order):
            bad.append(f"{text}  -> {'; '.join(found)}")
    return bad, len(rows)


def test_every_wording_the_parser_was_made_with_is_understood():
    bad, count = failures(held_out=False)
    assert count > 600
    assert bad == []


def test_wordings_held_out_of_its_making_are_understood():
    bad, count = failures(held_out=True)
    assert count > 190
    assert len(bad) / count <= 0.05, f"{len(bad)} of {count}"


@pytest.mark.parametrize("slot", ["t", "s", "e", "c"])
def test_a_name_the_text_does_not_have_finds_no_episode_in_any_wording(slot):
    found = []
    rows = [row for row in wordings(False) if "{" + slot + "}" in row[2]]
    for number, (_, _, wording) in enumerate(rows):
        _, values = fills(wording, number)
        values[slot] = UNKNOWN[slot][number % len(UNKNOWN[slot])]
        text = wording.replace("the {s}", "{s}").format(**values)
        if answer_cue(episodes(), parse_question(text, NAMES)):
            found.append(text)
    assert len(found) / len(rows) <= 0.01, "\n".join(found)


def test_a_longer_name_is_not_the_known_name_inside_it():
    cue = parse_question("Who was seen at Quay House Annex?", NAMES)
    assert "Quay House Annex" in (cue.place, cue.content)
    assert not answer_cue(episodes(), cue)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Lay the dates of Zoë Brandt out in a row.", None),
        ("Where was some potter's fair held?", "potter's fair"),
        ("When was there any candle dipping?", "candle dipping"),
        ("Who was at the Candle Dipping?", "Candle Dipping"),
    ],
)
def test_a_kind_is_told_from_how_answers_are_to_be_laid_out(text, content):
    assert parse_question(text, NAMES).content == content


def test_a_unique_first_name_stands_for_the_full_name():
    assert parse_question("Where was Zoë last seen?", NAMES).protagonist == "Zoë Brandt"


def test_a_word_that_is_also_a_name_needs_its_capital():
    names = Names.of([Episode("e1", "b", 1, protagonist=Bound("Mark Gray"))])
    assert parse_question("Please mark the dates of all events.", names).fields == ()
    assert parse_question("Please list Mark's dates.", names).protagonist == "Mark Gray"


def test_two_people_of_one_first_name_are_not_guessed_between():
    pair = [
        Episode("e1", "b", 1, protagonist=Bound("Ann Ray")),
        Episode("e2", "b", 2, protagonist=Bound("Ann Moss")),
    ]
    cue = parse_question("Where was Ann seen?", Names.of(pair))
    assert cue.protagonist == "Ann"
    assert answer_cue(pair, cue) == ()


def test_a_month_is_a_coarser_date():
    cue = parse_question("Which events took place in May 2031?", NAMES)
    assert cue.date == "2031-05"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Name every venue ⟨e⟩ visited, names only.", "places"),
        (
            "Which people were at ⟨s⟩? Do not give dates or describe the events.",
            "entities",
        ),
        ("Dates only, please: the events at ⟨s⟩.", "times"),
        ("List the days, rather than the places or the people.", "times"),
        ("Events need not be described. Where was ⟨e⟩?", "places"),
        ("I cannot recall which venues ⟨e⟩ went to.", "places"),
        ("Give the locations in order of date.", "places"),
        ("The sites ⟨e⟩ saw, without their dates: which are they?", "places"),
    ],
)
def test_traps_in_what_is_asked(text, asked):
    assert asked_of(text) == asked


@pytest.mark.parametrize(
    ("text", "asked", "order"),
    [
        ("Recall who was at ⟨s⟩ and list only the days.", "times", "all"),
        ("Consider what ⟨e⟩ did; then name the sites.", "places", "all"),
        ("I cannot recall where ⟨e⟩ was.", "places", "all"),
        ("What is the latest day ⟨e⟩ has in the tale's chronology?", "times", "latest"),
        ("Where was ⟨e⟩ last in the story's timeline?", "places", "latest"),
        ("List the sites of ⟨e⟩ along the timeline.", "places", "chronological"),
    ],
)
def test_what_is_only_recalled_is_not_asked_and_a_timeline_is_no_list(
    text, asked, order
):
    assert (asked_of(text), order_of(text)) == (asked, order)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("Speed Dating Evening", "content"),
        ("Winifred Sale", "protagonist"),
        ("Lucian Farrow", "protagonist"),
        ("Kizomba Class", "content"),
    ],
)
def test_an_unknown_name_is_a_person_where_it_opens_like_one(name, field):
    cue = parse_question(f"Consider all events involving {name}. When was it?", NAMES)
    assert getattr(cue, field) == name


def test_a_kind_that_ends_in_final_asks_for_no_last():
    assert parse_question("Where was there any moot court final?", NAMES).order == "all"


def test_from_first_to_last_is_an_order_and_not_the_last():
    assert order_of("Give the dates from first to last.") == "chronological"
    assert order_of("Give the last date.") == "latest"
    assert order_of("Give first and last names.") == "all"
    assert order_of("Where is ⟨e⟩?") == "latest"


@pytest.mark.parametrize(
    ("question", "cue"),
    [
        ("山田太郎はいつ港の倉庫にいましたか。",
         Cue(place="港の倉庫", protagonist="山田太郎", asked="times")),
        ("2031年5月7日に港の倉庫でだれがいましたか。",
         Cue(date="2031-05-07", place="港の倉庫", asked="entities")),
        ("山田太郎が最後にいた場所はどこですか。",
         Cue(protagonist="山田太郎", asked="places", order="latest")),
        ("山田太郎が参加した催しを順に教えてください。",
         Cue(protagonist="山田太郎", asked="contents", order="chronological")),
        ("茶会が開かれたのはどこですか。", Cue(content="茶会", asked="places")),
        ("将棋大会が開かれたのはいつですか。", Cue(content="将棋大会", asked="times")),
    ],
)  # fmt: skip
def test_japanese_questions_give_the_same_cues(question, cue):
    known = Episode(
        "e1", "b", 1, date=Bound("2031-05-07"), place=Bound("港の倉庫"),
        protagonist=Bound("山田太郎"), kind=Bound("茶会"),
    )  # fmt: skip
    assert parse_question(question, Names.of([known])) == cue


@given(st.text(max_size=80))
def test_any_text_is_a_question_without_an_error(text):
    assert isinstance(parse_question(text, NAMES), Cue)


def test_a_question_is_parsed_the_same_whatever_its_spaces_and_quotes():
    plain = parse_question("When was Tom O'Neil at St. Brannoc's Well?", NAMES)
    fancy = parse_question(" When was  Tom O’Neil at St. Brannoc’s\nWell?", NAMES)
    assert plain == fancy
    assert plain.protagonist == "Tom O'Neil"


def test_a_kind_of_event_taken_for_a_person_stays_a_kind_in_a_question():
    mistaken = Episode("e1", "b", 1, participants=(Bound("Spelling Bee"),))
    named = Episode("e2", "b", 2, kind=Bound("spelling bee"))
    cue = parse_question("When was the Spelling Bee?", Names.of([mistaken, named]))
    assert (cue.protagonist, cue.content) == (None, "Spelling Bee")


def test_a_verb_that_opens_a_sentence_is_no_name_whatever_the_text_took_it_for():
    mistaken = Episode("e1", "b", 1, participants=(Bound("Give"), Bound("I")))
    cue = parse_question("Give the dates I asked for.", Names.of([mistaken]))
    assert cue.fields == ()


DRAPERS = Names.of(
    [
        Episode(
            "e1", "b", 1, place=Bound("Drapers' Colonnade"),
            protagonist=Bound("Ann Ray"), kind=Bound("gallery opening"),
        ),
        Episode("e2", "b", 2, kind=Bound("escape room")),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("The doors of Drapers' Colonnade have opened often. On what days?",
         Cue(place="Drapers' Colonnade", asked="times", rest=("opened",))),
        ("Open the diary of Ann Ray. Which days are in it?",
         Cue(protagonist="Ann Ray", asked="times", rest=("open",))),
        ("Travel with Ann Ray. Which venues do you pass?",
         Cue(protagonist="Ann Ray", asked="places", rest=("pass",))),
        ("When did the Sea Shanty Evening happen?",
         Cue(content="Sea Shanty Evening", asked="times")),
        ("Which protagonists are linked to the Sea Shanty Evening?",
         Cue(content="Sea Shanty Evening", asked="entities")),
        ("Put all those in one room who went to some marionette show: who are they?",
         Cue(content="marionette show", asked="entities", rest=("room",))),
    ],
)  # fmt: skip
def test_a_verb_or_a_thing_is_no_kind_of_event_and_a_happening_is(text, cue):
    assert parse_question(text, DRAPERS) == cue


def test_a_name_the_book_does_not_have_stays_a_cue():
    found = parse_question("Were any dates kept for Weavers' Row?", DRAPERS)
    assert "Weavers' Row" in (found.place, found.protagonist, found.content)


@pytest.mark.parametrize(
    "text",
    [
        "⟨t⟩: what was it that people were attending? Kinds of event only.",
        "Events attended by ⟨e⟩: which types? Leave dates and places aside.",
    ],
)
def test_an_answer_limited_to_kinds_is_of_kinds(text):
    assert asked_of(text) == "contents"


def test_a_wording_that_no_table_has_is_an_error_and_not_found_everywhere():
    with pytest.raises(KeyError, match="no such wording"):
        like("no such wording")
