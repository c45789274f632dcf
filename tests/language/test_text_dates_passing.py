"""Dates given in passing: '48, the feast of a saint, the 12th of that June."""

import pytest

from gswlab.language.dates.basis import written_on
from gswlab.language.dates.find import find_dates
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

SAID = "1923-10-14"  # a Sunday


def read(text, **more):
    return {found.text: found.value for found in find_dates(text, **more)}


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("He was born in the spring of '48.", "'48", "1848"),
        ("It was the autumn of twenty-one.", "twenty-one", "1921"),
        ("We met there. Nineteen thirty-six.", "Nineteen thirty-six", "1936"),
        ("Born 1901.", "1901", "1901"),
        (
            "I have waited since the August fair of 1919.",
            "August fair of 1919",
            "1919-08",
        ),
        ("In the year of grace 1702 he sailed.", "1702", "1702"),
    ],
)
def test_years_are_read_where_prose_gives_them_in_passing(text, date, value):
    assert read(text, said=SAID)[date] == value


def test_it_is_november_names_a_month_and_it_is_april_no_woman():
    assert read("It is November, Edmund.") == {"November": "--11"}
    assert read("It was 1848 men who came.") == {}


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("Come to us at All Hallows if you can.", "All Hallows", "1923-11-01"),
        (
            "They met on the eve of St Agnes 1919.",
            "the eve of St Agnes 1919",
            "1919-01-20",
        ),
        ("They met on St Swithin's Day 1919.", "St Swithin's Day 1919", "1919-07-15"),
        ("On All Saints’ they will rest.", "All Saints’", "1923-11-01"),
        (
            "He will be back at Michaelmas of next year.",
            "Michaelmas of next year",
            "1924-09-29",
        ),
    ],
)
def test_feasts_have_days_and_may_be_of_another_year(text, date, value):
    assert read(text, said=SAID)[date] == value


@pytest.mark.parametrize(
    "text",
    [
        "It was the second Sunday in Advent.",
        "They rang every Tuesday, and of a Sunday.",
        "第三金曜に会った。",
    ],
)
def test_a_weekday_that_something_else_chooses_is_not_the_nearest(text):
    assert not [value for value in read(text, said=SAID).values() if value]


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("He sails on Saturday week, the 27th.", "the 27th", "1923-10-27"),
        ("Your letter of the 3rd has come.", "the 3rd", "1923-10-03"),
        ("At half past one on the 8th a dog barked.", "the 8th", "1923-10-08"),
        ("We stayed from the 3rd to the 9th.", "the 9th", "1923-10-09"),
        ("He came in June and left on the 12th.", "the 12th", "1923-06-12"),
    ],
)
def test_a_day_of_the_month_may_stand_by_its_number(text, date, value):
    assert read(text, said=SAID)[date] == value


def test_a_day_of_the_month_is_of_the_month_its_weekday_fits():
    text = (
        "Sunday 8 September 1872. Closed since the 20th of last month. Wednesday 11th."
    )
    found = read(text, narrated=True)
    assert found["the 20th of last month"] == "1872-08-20"
    assert found["Wednesday 11th"] == "1872-09-11"


def test_years_count_from_a_year_just_told():
    text = "In January 1950 she joined. Five years later she left. That summer she wed."
    found = read(text, said="2021-01-07")
    assert (found["Five years later"], found["That summer"]) == ("1955", "1955")


def test_what_had_to_be_done_lies_behind_and_what_must_be_ahead():
    behind = "On Tuesday night they had to be got out."
    assert read(behind, said=SAID)["Tuesday night"] == "1923-10-09"
    ahead = "We must move him before the spring."
    assert read(ahead, said=SAID)["spring"] == "1924"


def test_what_is_to_come_is_not_of_the_time_just_spoken_of():
    text = "I have waited since 1919. We shall tell nobody till Christmas."
    assert read(text, said=SAID)["Christmas"] == "1923-12-25"


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("昭和二十二年の元旦に始まる。", "昭和二十二年の元旦", "1947-01-01"),
        ("一昨年の正月に会った。", "一昨年の正月", "1964-01"),
        ("去年の大晦日に会った。", "去年の大晦日", "1965-12-31"),
        ("同じ年の十月に建った。", "同じ年の十月", None),
        ("天保三年の冬に会った。", "天保三年", "1832"),
        ("けさ会った。", "けさ", "1966-10-12"),
        ("この前の日曜に会った。", "この前の日曜", "1966-10-09"),
        ("お盆には帰らず、十五日の夜に電報が来た。", "十五日", "1966-08-15"),
        ("先月二十二日に公告し、七日に落札した。", "七日", "1966-10-07"),
    ],
)
def test_japanese_dates_have_the_year_or_month_that_stands_near(text, date, value):
    assert read(text, said="1966-10-12", language="ja")[date] == value


@pytest.mark.parametrize(
    "text", ["震災の一月前である。", "お盆に茶を載せた。", "高校三年の夏に会った。"]
)
def test_spans_of_time_trays_and_forms_at_school_are_no_dates(text):
    assert read(text, language="ja") == {}


def test_a_story_that_has_come_to_saturday_the_8th_means_it_by_saturday():
    text = "On 8 March 2008 a dog barked. On Saturday afternoon we asked there."
    assert read(text, narrated=True)["Saturday afternoon"] == "2008-03-08"


@pytest.mark.parametrize(
    "text",
    [
        "It was June, the cook, who spoke.",
        "He waited till June was asleep.",
        "He paid in '20 notes.",
        "St John's Night Club was shut.",
        "All Hallows Church burned.",
        "Michaelmas daisies grew.",
        "That spring water was cold.",
        "Born 1200 men.",
        "The 1500 survey replies came.",
    ],
)
def test_names_and_numbers_that_look_like_dates_are_none(text):
    assert read(text, said=SAID) == {}


@pytest.mark.parametrize("text", ["三日の朝食を食べた。", "二日の夜勤だった。"])
def test_the_breakfast_of_three_days_is_no_date(text):
    assert read(text, said="1966-10-12", language="ja") == {}


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("The race resumes on Friday.", "Friday", "1923-10-19"),
        ("Could you come up on Friday?", "Friday", "1923-10-19"),
        ("Sunday looks brighter in the west.", "Sunday", None),  # it is Sunday
        ("Monday looks brighter in the west.", "Monday", "1923-10-15"),
        ("On Saturday night gales may close it.", "Saturday night", "1923-10-20"),
        ("He has been the leader since Thursday.", "Thursday", "1923-10-11"),
        ("Those left on Tuesday will need food.", "Tuesday", "1923-10-09"),
        ("Wilfred sails on Friday.", "Friday", "1923-10-19"),
        ("We put out on Friday.", "Friday", None),  # put out: then, or next
        ("Rain on Friday.", "Friday", None),
        ("The harbour stays shut until Monday.", "Monday", "1923-10-15"),
        ("She proposed that rents be raised from 1 April.", "1 April", "1924-04-01"),
    ],
)
def test_a_plan_told_in_the_present_lies_ahead_and_since_lies_behind(text, date, value):
    assert read(text, said=SAID)[date] == value


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("He left the year before last.", "the year before last", "1921"),
        ("I shall be home for Christmas.", "Christmas", "1923-12-25"),
        (
            "Two days after 3 May 1922 he died.",
            "Two days after 3 May 1922",
            "1922-05-05",
        ),
        (
            "It was the day after Christmas Day 1922.",
            "the day after Christmas Day 1922",
            "1922-12-26",
        ),
        ("They left on Martinmas Eve 1922.", "Martinmas Eve 1922", "1922-11-10"),
        ("He died on the 3d of May, 1812.", "the 3d of May, 1812", "1812-05-03"),
        ("A year ago next Monday I was third.", "A year ago next Monday", None),
    ],
)
def test_days_are_counted_from_what_stands_beside_them(text, date, value):
    assert read(text, said=SAID)[date] == value


SAILED = "On 4 September 1872 they sailed. "  # a Wednesday


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("Two days after that it rained.", "Two days after that", "1872-09-06"),
        ("The morrow was fine.", "The morrow", "1872-09-05"),
        ("Next morning it rained.", "Next morning", "1872-09-05"),
        ("He had been ill the day before.", "the day before", "1872-09-03"),
        ("On the Friday it rained.", "Friday", "1872-09-06"),
        ("He had met her on the Friday.", "Friday", "1872-08-30"),
        ('"Come on the Friday," she said.', "Friday", "1872-09-06"),
    ],
)
def test_a_story_counts_from_the_day_it_has_come_to(text, date, value):
    assert read(SAILED + text, narrated=True)[date] == value


def test_a_day_that_is_only_looked_back_to_moves_no_story():
    text = SAILED + "He had come aboard on 3 May. The next day they landed."
    assert read(text, narrated=True)["The next day"] == "1872-09-05"


def test_days_that_head_the_entries_of_a_log_go_on_and_are_days_of_writing():
    text = "4 September 1872. All last month we lay idle.\n\n5th. Rain.\n\nFriday. Fog."
    found = read(text, narrated=True)
    assert (found["5th"], found["Friday"]) == ("1872-09-05", "1872-09-06")
    assert found["last month"] == "1872-08"


def test_a_year_just_told_is_the_year_of_what_follows_where_no_day_was_told():
    text = "In 1936 he was twelve. In March he left school. On 3 May he began work."
    found = read(text, narrated=True)
    assert (found["March"], found["3 May"]) == ("1936-03", "1936-05-03")
    far = "Nineteen thirty-six. From school. Alone. I was fourteen on 3 May."
    assert read(far, narrated=True)["3 May"] == "1936-05-03"
    told = read(
        "The mill, built in 1936, burned. On 3 May they left.", basis="2031-03-01"
    )
    assert told["3 May"] == "2031-05-03"


def test_a_day_without_a_year_has_a_next_one_but_for_the_end_of_february():
    text = "On All Souls' Day they met. Two days later they left."
    assert read(text, narrated=True)["Two days later"] == "--11-04"
    leap = "On 28 February they met. The next day they left."
    assert read(leap, narrated=True)["The next day"] is None


def test_later_than_is_no_date():
    assert read("It came eleven days later than usual.", basis=SAID) == {}


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("In 1946 she left. The following May she wed.", "following May", "1947-05"),
        ("From November to March it is shut.", "March", "--03"),
    ],
)
def test_months_follow_a_year_just_told_and_end_a_span(text, date, value):
    assert read(text, narrated=True)[date] == value


def test_what_had_been_on_a_weekday_leaves_a_story_where_it_is():
    text = SAILED + "He had gone on Sunday. Next day he died."
    assert read(text, narrated=True)["Next day"] == "1872-09-05"


def test_the_house_next_door_is_not_to_come():
    text = "The house next door was let in September."
    assert read(text, said=SAID) == {"September": "1923-09"}


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        (
            "The fair is on the last Saturday in July.",
            "the last Saturday in July",
            "1923-07-28",
        ),
        (
            "They met on the first Monday of May 1922.",
            "the first Monday of May 1922",
            "1922-05-01",
        ),
        (
            "It was the last day of February 1920.",
            "the last day of February 1920",
            "1920-02-29",
        ),
        ("七月の最終土曜に開く。", "七月の最終土曜", "1923-07-28"),
        (
            "大正十二年七月の第二月曜日に会う。",
            "大正十二年七月の第二月曜日",
            "1923-07-09",
        ),
    ],
)
def test_a_day_may_be_the_first_or_last_of_its_name_in_a_month(text, date, value):
    assert read(text, said="1923-05-17")[date] == value


def test_the_last_friday_of_a_month_lies_where_the_sentence_looks():
    text = "They {} on the last Friday in August."
    day = "the last Friday in August"
    values = [
        read(text.format(verb), said="1923-05-17")[day] for verb in ("met", "will meet")
    ]
    assert values == ["1922-08-25", "1923-08-31"]
    assert read(text.format("will meet"), said="9998-12-01")


def test_an_earlier_day_told_aside_moves_no_log_and_no_story():
    text = "4 September 1872. Spoke a brig; she left on the 3rd of April.\n\n5th. Rain."
    assert read(text, narrated=True)["5th"] == "1872-09-05"
    text = SAILED + "The cook has been ill since the Saturday."
    assert read(text, narrated=True)["Saturday"] == "1872-08-31"


def test_a_step_back_counts_from_the_day_told_last_also_from_a_step_back():
    text = "On Christmas Eve they met. She came last night. And the night before."
    found = read(text, narrated=True)
    assert (found["last night"], found["the night before"]) == ("--12-23", "--12-22")


def test_the_friday_of_a_plan_is_near_the_day_just_told_or_nobody_knows_which():
    text = SAILED + "Nobody waved. The sea was calm. “Come on the Friday,” she said."
    assert read(text, narrated=True)["Friday"] is None


def test_days_nobody_can_tell_leave_the_year_as_it_was():
    text = "They married in June 1958. Three weeks later he fell, and lay until August."
    assert read(text, said="2019-11-30")["August"] == "1958-08"


def test_a_summer_is_of_a_year_told_some_sentences_before():
    text = "On 9 May 1955 she sank. Men died. Oake asked, and spent that summer in it."
    assert read(text, said="2021-01-07")["that summer"] == "1955"


def test_on_thursday_under_a_dateline_of_thursday_is_that_day():
    text = (
        "MARROW, 21 November. A man who forged his aunt's will was tried on Thursday."
    )
    assert read(text, said="2024-11-21")["Thursday"] == "2024-11-21"
    leave = "Notes of 21 November. Absent: Lars (on leave until Thursday)."
    assert read(leave, said="2024-11-21")["Thursday"] is None


def test_the_sunday_before_a_feast_is_not_the_feast():
    assert "Lady Day" not in read("They came the Sunday before Lady Day.", said=SAID)
    assert "24 hours later" in read("24 hours later Ann was found.", narrated=True)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Yarran Downs, 11 August 2019\n\nDear Kev,\n\nIt is dry.", "2019-08-11"),
        ("Reefton, 19th April 1937. Report of Constable Farr.", "1937-04-19"),
        ("Inquest held at Kapunda, on 14 March 1911, before Mr. Ray.", "1911-03-14"),
        ("清風園にて、昭和二十八年十一月三日\n\n文子へ\n\n元気です。", "1953-11-03"),
        ("On 11 August 2019 it rained.\n\nDear Kev, she thought.", None),
        ("He came to Yarran Downs, 11 August 2019.\n\nIt rained.", None),
    ],
)
def test_a_letter_a_report_and_minutes_are_of_the_day_that_heads_them(text, day):
    assert written_on(text) == day


def test_a_letter_is_dated_by_the_weekday_that_ends_its_first_line():
    found = read("Villa Rossa, Sunday\n\nWe came on Tuesday.", said=SAID)
    assert found == {"Sunday": "1923-10-14", "Tuesday": "1923-10-09"}


def test_what_a_letter_tells_counts_from_the_day_that_heads_it():
    text = "Yarran Downs, 11 August 2019\n\nDear Kev,\n\nHe limped on Thursday."
    chunk = chunks(document_of(text))[-1]
    assert chunk.time == "2019-08-11"
    assert read(text, said=chunk.time)["Thursday"] == "2019-08-08"
