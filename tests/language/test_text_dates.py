from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.bench.judge import normalise_date
from gswlab.core.errors import GswlabError
from gswlab.language.dates.find import find_dates
from gswlab.language.dates.format import format_date

BASIS = "2024-05-07"  # a Tuesday


def values(text: str, basis: str | None = None) -> dict[str, str | None]:
    return {mention.text: mention.value for mention in find_dates(text, basis)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("May 07, 2024", "2024-05-07"),
        ("May 7 2024", "2024-05-07"),
        ("7 May 2024", "2024-05-07"),
        ("7 may 2024", "2024-05-07"),
        ("7-May-2024", "2024-05-07"),
        ("the 7th of May, 2024", "2024-05-07"),
        ("the seventh of May, twenty twenty-four", "2024-05-07"),
        ("the twenty-first day of June 1999", "1999-06-21"),
        ("Tuesday, 7 May 2024", "2024-05-07"),
        ("Tue, May 7th, 2024", "2024-05-07"),
        ("MAY 7, 2024", "2024-05-07"),
        ("Sept. 3, 1921", "1921-09-03"),
        ("2009 Aug 7", "2009-08-07"),
        ("the 7th day of May, in the year 2024", "2024-05-07"),
        ("Sat, 10 Apr 2010 12:28:52", "2010-04-10T12:28"),
        ("May twenty-first, two thousand and six", "2006-05-21"),
        ("March 3, 2225", "2225-03-03"),
        ("7 May", "--05-07"),
        ("May 7th", "--05-07"),
        ("May the fourth", "--05-04"),
        ("February 29", "--02-29"),
        ("May 2024", "2024-05"),
        ("May of 2024", "2024-05"),
        ("May 7–9, 2024", "2024-05"),
        ("2024-05-07", "2024-05-07"),
        ("2024/5/7", "2024-05-07"),
        ("2024-05-07T21:30:00Z", "2024-05-07T21:30"),
        ("7.5.2024", "2024-05-07"),
        ("13/05/2024", "2024-05-13"),
        ("05/13/2024", "2024-05-13"),
        ("at 9 p.m. on May 7, 2024", "2024-05-07T21:00"),
        ("May 7, 2024, at 12:15 am", "2024-05-07T00:15"),
        ("2024年5月7日", "2024-05-07"),
        ("２０２４年５月７日", "2024-05-07"),
        ("２０２４／０５／０７", "2024-05-07"),
        ("二〇二四年五月七日", "2024-05-07"),
        ("二千二十四年十二月三十一日", "2024-12-31"),
        ("令和6年5月7日", "2024-05-07"),
        ("平成元年1月8日", "1989-01-08"),
        ("昭和六十四年一月七日午後三時半", "1989-01-07T15:30"),
        ("大正十二年九月", "1923-09"),
        ("明治45年", "1912"),
        ("5月7日", "--05-07"),
        ("5月7日（火）", "--05-07"),
        ("二〇二四年", "2024"),
    ],
)
def test_an_absolute_date_has_its_iso_value(text: str, value: str) -> None:
    japanese = "年" in text or "月" in text
    carrier = f"それは{text}に起きた。" if japanese else f"It was {text}; he knew."
    assert values(carrier) == {text: value}


@pytest.mark.parametrize(
    ("text", "date_text", "value"),
    [
        ("It happened in 2024.", "2024", "2024"),
        ("In March she sang.", "March", "--03"),
        ("It began in March. He sang.", "March", "--03"),
        ("They left last Sunday, May 12.", "Sunday, May 12", "--05-12"),
        ("She left in May, alone.", "May", "--05"),
        ("in twenty twenty-six the mill closed", "twenty twenty-six", "2026"),
        ("in nineteen oh five", "nineteen oh five", "1905"),
        ("the winter of 1947", "1947", "1947"),
        ("mid-2031", "2031", "2031"),
        ("the great strike of 1947.", "1947", "1947"),
        ("built in spring 2020", "2020", "2020"),
        ("on St. Stephen's Day 2030", "St. Stephen's Day 2030", "2030-12-26"),
        ("こどもの日に", "こどもの日", "--05-05"),
        ("By 2025, it stood.", "2025", "2025"),
        ("五月に会った。", "五月", "--05"),
    ],
)
def test_a_month_or_year_counts_where_its_words_say_so(
    text: str, date_text: str, value: str
) -> None:
    assert values(text) == {date_text: value}


@pytest.mark.parametrize(
    "text",
    [
        "You may 7 times ask. She may march.",
        "They march 3 miles in march step.",
        "Room 2024, flat 3.5, call 555-2024 or 03-1234-5678.",
        "April smiled at June and August.",
        "At 7 May woke up.",
        "By 2025 men had signed; 2024 people came, 1200 more after 2000 metres.",
        "February 30, 2024 and 31 April and 2024-13-01 and 45/45/2024",
        "It took three days and two nights. One day, some day, every day.",
        "He slept at 9 p.m. in Suite 7:30.",
        "built-in DEC support by Jun T., not built in a day",
        "version 1.2.2024.5 and 192.168.2024.1",
        "the second march of the first battalion",
        "三日間、二十一年、五月雨、日々、5年生、二日目、3月号、今日子、明日香、一人前、百年の孤独",
    ],
)
def test_what_is_no_date_is_not_reported(text: str) -> None:
    assert find_dates(text, BASIS) == ()


@pytest.mark.parametrize(
    ("text", "value", "granularity"),
    [
        ("today", "2024-05-07", "day"),
        ("tonight", "2024-05-07", "part_of_day"),
        ("yesterday", "2024-05-06", "day"),
        ("tomorrow morning", "2024-05-08", "part_of_day"),
        ("the day before yesterday", "2024-05-05", "day"),
        ("the day after tomorrow", "2024-05-09", "day"),
        ("the next day", "2024-05-08", "day"),
        ("the following morning", "2024-05-08", "part_of_day"),
        ("the previous day", "2024-05-06", "day"),
        ("the day before", "2024-05-06", "day"),
        ("last night", "2024-05-06", "part_of_day"),
        ("that evening", "2024-05-07", "part_of_day"),
        ("the same day", "2024-05-07", "day"),
        ("three days later", "2024-05-10", "day"),
        ("3 days earlier", "2024-05-04", "day"),
        ("twenty-one days ago", "2024-04-16", "day"),
        ("a week later", "2024-05-14", "day"),
        ("a hundred years ago", "1924", "year"),
        ("a fortnight ago", "2024-04-23", "day"),
        ("two nights later", "2024-05-09", "part_of_day"),
        ("in two weeks", "2024-05-21", "day"),
        ("next Monday", "2024-05-13", "day"),
        ("next Tuesday", "2024-05-14", "day"),
        ("last Tuesday", "2024-04-30", "day"),
        ("last Monday", "2024-05-06", "day"),
        ("this Friday", "2024-05-10", "day"),
        ("next week", "2024-05", "month"),
        ("last week", "2024", "year"),
        ("last month", "2024-04", "month"),
        ("ten months later", "2025-03", "month"),
        ("next year", "2025", "year"),
        ("two decades ago", "2004", "year"),
        ("last March", "2024-03", "month"),
        ("last May", "2023-05", "month"),
        ("next May", "2025-05", "month"),
        ("the 3rd of next month", "2024-06-03", "day"),
        ("Friday last", "2024-05-03", "day"),
        ("last autumn", "2023", "year"),
        ("the previous spring", "2023", "year"),
        ("the night before last", "2024-05-05", "part_of_day"),
        ("last weekend", "2024", "year"),
        ("Thursday week", "2024-05-16", "day"),
        ("Tuesday fortnight", "2024-05-28", "day"),
        ("tomorrow week", "2024-05-15", "day"),
        ("this day fortnight", "2024-05-21", "day"),
        ("ten years on", "2034", "year"),
        ("昨日", "2024-05-06", "day"),
        ("きのう", "2024-05-06", "day"),
        ("一昨日", "2024-05-05", "day"),
        ("明後日", "2024-05-09", "day"),
        ("翌日", "2024-05-08", "day"),
        ("翌朝", "2024-05-08", "part_of_day"),
        ("前日", "2024-05-06", "day"),
        ("三日後", "2024-05-10", "day"),
        ("３日前", "2024-05-04", "day"),
        ("二週間後", "2024-05-21", "day"),
        ("十か月後", "2025-03", "month"),
        ("来週の月曜日", "2024-05-13", "day"),
        ("来週", "2024-05", "month"),
        ("次の日曜日", "2024-05-12", "day"),
        ("昨秋", "2023", "year"),
        ("再来週の月曜", "2024-05-20", "day"),
        ("先々週の金曜日", "2024-04-26", "day"),
        ("明くる朝", "2024-05-08", "part_of_day"),
        ("三日たって", "2024-05-10", "day"),
        ("本月二日", "2024-05-02", "day"),
        ("本年四月", "2024-04", "month"),
        ("明春", "2025", "year"),
        ("半年前", "2023-11", "month"),
        ("その夜", "2024-05-07", "part_of_day"),
        ("去年", "2023", "year"),
    ],
)
def test_a_relative_date_is_resolved_against_its_basis_and_keeps_it(
    text: str, value: str, granularity: str
) -> None:
    carrier = f"彼は{text}、出た。" if text > "z" else f"They left {text}, I know."
    (mention,) = find_dates(carrier, BASIS)
    assert (mention.text, mention.value) == (text, value)
    assert (mention.granularity, mention.basis) == (granularity, BASIS)
    assert mention.relative


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("He stayed from 12 to 15 March 2030.", ["2030-03-12", "2030-03-15"]),
        ("Between the 2nd and 5th of May 2031.", ["2031-05-02", "2031-05-05"]),
        ("Between 1961 and 1974 he taught.", ["1961", "1974"]),
        ("四月一日から三日まで休む。", ["2024-04-01", "2024-04-03"]),
        ("Overnight on 3/4 April the door was forced.", ["2024-04"]),
        ("It closed c. 1900.", ["1900"]),
        ("一九三一年生まれの祖父。", ["1931"]),
        ("Sat 4th. Rain.", ["2024-05-04"]),
        ("十四日　雨", ["2024-05-14"]),
        ("十日の未明に着いた。", ["2024-05-10"]),
        ("from 3 to 4 metres", []),
        ("between 10 and 20 March hares", ["2024-03-10", "2024-03-20"]),
        ("Week and fortnight are words.", []),
        ("三日して", []),
    ],
)
def test_both_ends_of_a_span_and_the_shapes_of_logs_are_read(
    text: str, values: list[str]
) -> None:
    assert [mention.value for mention in find_dates(text, BASIS)] == values


def test_without_a_basis_a_relative_date_has_no_value() -> None:
    (mention,) = find_dates("Three days later it rained.")
    assert (mention.value, mention.basis, mention.relative) == (None, None, True)


@pytest.mark.parametrize(
    "text",
    ["a few days later", "Tuesday", "two days after the trial", "数日後", "二、三日後"],
)
def test_what_no_basis_can_settle_stays_without_value(text: str) -> None:
    (mention,) = find_dates(f"They met {text}.", BASIS)
    assert mention.relative
    assert mention.value is None


def test_a_missing_year_is_filled_from_the_basis_which_is_kept() -> None:
    (mention,) = find_dates("They met on May 9th.", "2031-01-02")
    assert (mention.value, mention.basis) == ("2031-05-09", "2031-01-02")
    assert not mention.relative


def test_a_year_that_stands_once_for_two_days_is_the_year_of_both() -> None:
    text = "The fair ran from 3 May until 7 June 2021; on 9 August 2022 it was gone."
    found = find_dates(text, basis="2024-05-07")
    assert [m.value for m in found] == ["2021-05-03", "2021-06-07", "2022-08-09"]
    text = "On 3 May he left. On 7 May 2021 it rained."
    assert find_dates(text, basis="2024-05-07")[0].value == "2024-05-03"


def test_a_leap_day_is_not_moved_into_a_common_year() -> None:
    assert values("on February 29", "2023-01-01") == {"February 29": "--02-29"}


def test_a_coarse_basis_moves_only_what_it_knows() -> None:
    assert values("Two months later, or two days later?", "2024-12") == {
        "Two months later": "2025-02",
        "two days later": None,
    }


def test_a_step_out_of_the_calendar_has_no_value() -> None:
    assert values("last May, last year, yesterday", "0001-01-01") == {
        "last May": None,
        "last year": None,
        "yesterday": None,
    }


def test_figures_that_allow_two_readings_say_which_was_taken() -> None:
    (mention,) = find_dates("on 07/05/2024")
    assert (mention.value, mention.basis) == ("2024-07-05", "read as month/day/year")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("11.08. km 4,380.\n\n12.08. Nothing.", ["--08-11", "--08-12"]),
        ("Tue 4/3/25", ["2025-03-04"]),
        ("Thu 4/3/25", ["2025-04-03"]),
        ("[3/14/21, 10:42] Ann: hi", ["2021-03-14T10:42"]),
        ("31/12/24 we left.\n4/3/25 we came.", ["2024-12-31", "2025-03-04"]),
        ("1.2. Scope\n3.14. is pi; he won 4/3/25 of it", []),
    ],
)
def test_heads_of_lines_are_days(text: str, values: list[str]) -> None:
    assert [found.value for found in find_dates(text)] == values


def test_an_unambiguous_date_decides_the_order_of_the_others() -> None:
    assert values("07/05/2024 and 13/05/2024") == {
        "07/05/2024": "2024-05-07",
        "13/05/2024": "2024-05-13",
    }


def test_a_narrators_day_becomes_the_basis_and_a_look_back_does_not() -> None:
    text = "On May 7, 2024 it rained. Three days later it snowed. Two days earlier he "
    text += "had left. The next morning was dry."
    found = [mention.value for mention in find_dates(text, narrated=True)]
    assert found == ["2024-05-07", "2024-05-10", "2024-05-08", "2024-05-11"]


SAID = "2030-01-17"  # a Thursday


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("It was shut on Wednesday night.", "Wednesday night", "2030-01-16"),
        ("It will be shut on Saturday.", "Saturday", "2030-01-19"),
        ("It was shut on Thursday.", "Thursday", None),  # which one?
        ("They left for York, where it meets on Monday.", "Monday", "2030-01-21"),
        ("The minutes of 13 December were read.", "13 December", "2029-12-13"),
        ("They met again on 14 February.", "14 February", "--02-14"),  # which year?
        ("They agreed to pay from 1 April.", "1 April", "2030-04-01"),
        ("They left on the 11th.", "the 11th", "2030-01-11"),
        ("They left on the 28th.", "the 28th", "2029-12-28"),
        ("That evening they left.", "That evening", None),
        ("They left yesterday.", "yesterday", "2030-01-16"),
        ("They will meet on Easter Monday.", "Easter Monday", "2030-04-22"),
        ("They met on Boxing Day.", "Boxing Day", "2029-12-26"),
        ("They were ill until Christmas.", "Christmas", "2029-12-25"),
        ("They met over Christmas.", "Christmas", "2029-12"),
        ("He left in the summer.", "summer", "2029"),
        ("We meet in the summer.", "summer", None),  # every year, perhaps
        ("He died in October.", "October", "2029-10"),
        ("It will close at the end of the month.", "the end of the month", "2030-01"),
        ("It closed at the end of the month.", "the end of the month", None),
        ("They left on the morning of the 5th.", "the 5th", "2030-01-05"),
        ("翌週月曜日に会った。", "翌週月曜日", None),
        ("十五日（火）から始めた。", "十五日", "2030-01-15"),
        ("On the 12th Constable Cole left.", "the 12th", "2030-01-12"),
        ("先月二十七日に会った。", "先月二十七日", "2029-12-27"),
        ("He means to sail on the 2nd of April.", "the 2nd of April", "2030-04-02"),
        ("She was bailed on Monday 31 December.", "Monday 31 December", "2029-12-31"),
        ("工事は三月上旬に始まると述べた。", "三月", "2030-03"),
        ("三月に直すことになった。", "三月", "2030-03"),
        ("三年前の二月に会った。", "三年前の二月", "2027-02"),
        ("十一月に戻り、今は休んでいます。", "十一月", "2029-11"),
        ("来年三月に退く。", "来年三月", "2031-03"),
        ("月曜に全員がそろった。", "月曜", "2030-01-14"),
        ("大みそかに亡くなった。", "大みそか", "2029-12-31"),
        ("月末に終わる予定です。", "月末", "2030-01"),
        ("十月に降りた。", "十月", "2029-10"),
        ("十一日に発表した。", "十一日", "2030-01-11"),
        ("九月に市議会を開いた。", "九月", "2029-09"),
        ("翌日、出発した。", "翌日", None),
    ],
)
def test_a_day_of_writing_tells_before_from_after_by_the_tense(
    text: str, date: str, value: str | None
) -> None:
    (found,) = find_dates(text, said=SAID)
    assert (found.text, found.value) == (date, value)


@pytest.mark.parametrize(
    ("text", "open_"),
    [
        ("On 7 May 1990 it rained. He swore he had been ill that night.", "that night"),
        ("On 7 May 1990 it rained. The stone was cleaned last year.", "last year"),
    ],
)
def test_a_narrators_day_that_is_not_sure_has_no_value(text: str, open_: str) -> None:
    found = {m.text: m.value for m in find_dates(text, narrated=True)}
    assert found[open_] is None


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        ("On 7 May 1990 it rained. On Friday they met.", "Friday", "1990-05-11"),
        ("On 7 May 1990 it rained. He had gone on Friday.", "Friday", "1990-05-04"),
        ('On 7 May 1990 it rained. "I saw him on Friday."', "Friday", "1990-05-04"),
        ("On 7 May 1990 it rained. That December he left.", "That December", "1990-12"),
        (
            "On 7 May 1990 he came. On Wednesday they forded the Aa, which they were "
            "to see again a week later. The next day they rode on.",
            "The next day",
            "1990-05-10",
        ),
    ],
)
def test_a_storys_days_go_on_unless_somebody_looks_back(
    text: str, date: str, value: str
) -> None:
    found = {
        m.text.removeprefix("the "): m.value for m in find_dates(text, None, "en", True)
    }
    assert found[date] == value


def test_the_june_before_last_is_two_junes_ago() -> None:
    (found,) = find_dates("He left the June before last.", said="2019-08-11")
    assert (found.text, found.value) == ("the June before last", "2018-06")


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        (
            "the Monday after Christmas 1940",
            "the Monday after Christmas 1940",
            "1940-12-30",
        ),
        (
            "on the Thursday before Whitsun, 1893",
            "the Thursday before Whitsun, 1893",
            "1893-05-18",
        ),
        (
            "He left the day after Easter 1793.",
            "the day after Easter 1793",
            "1793-04-01",
        ),
        ("They married at Easter 1621.", "Easter 1621", "1621-04-11"),
        ("Since Thanksgiving, 1925, she ailed.", "Thanksgiving, 1925", "1925-11-26"),
        (
            "2030年のクリスマスの翌日に見せた。",
            "2030年のクリスマスの翌日",
            "2030-12-26",
        ),
    ],
)
def test_a_day_is_counted_from_a_feast(text: str, date: str, value: str) -> None:
    assert [(m.text, m.value) for m in find_dates(text)] == [(date, value)]


def test_a_month_after_one_of_long_ago_is_of_the_same_time() -> None:
    text = "They married in June 1958. She nursed him until the end of August."
    assert [m.value for m in find_dates(text, said=SAID)] == ["1958-06", "1958-08"]
    text = "They married in June 1958. She nursed him until February."
    assert [m.value for m in find_dates(text, said=SAID)] == ["1958-06", "1959-02"]


def test_both_ends_of_a_span_of_years_are_found() -> None:
    text = "Ann Ray (1931-2019) ran it from 1960 to 1985."
    assert [m.value for m in find_dates(text)] == ["1931", "2019", "1960", "1985"]


def test_that_day_is_the_day_told_just_before_and_not_the_day_of_writing() -> None:
    text = "He was held on 2 January and let go a week later. It rained. It snowed. "
    text += "That night a dog barked. They came yesterday. The same day it thawed."
    found = {m.text: m.value for m in find_dates(text, said=SAID)}
    assert found["a week later"] == "2030-01-09"
    assert found["That night"] is None
    assert found["The same day"] == "2030-01-16"


def test_a_day_told_at_the_end_of_what_went_before_is_just_before() -> None:
    (found,) = find_dates("The next day it rained.", "2030-01-05", said=SAID)
    assert (found.value, found.basis) == ("2030-01-06", "2030-01-05")


def test_a_worded_day_alone_follows_a_date() -> None:
    found = values("It is the ninth of November. He promised it for the first.")
    assert found == {"the ninth of November": "--11-09", "the first": "--11-01"}
    assert values("He voted for the second.", SAID) == {}


def test_a_day_and_month_close_to_the_turn_of_the_year_is_in_the_nearest_one() -> None:
    assert values("on 13 December, on 1 April", SAID) == {
        "13 December": "2029-12-13",
        "1 April": "2030-04-01",
    }


def test_the_day_of_a_mention_leaves_its_hour_out() -> None:
    (mention,) = find_dates("May 7, 2024 at noon")
    assert (mention.value, mention.day) == ("2024-05-07T12:00", "2024-05-07")
    assert mention.granularity == "hour"


def test_a_basis_that_is_no_date_is_refused() -> None:
    with pytest.raises(GswlabError, match="'soon' is no date"):
        find_dates("yesterday", "soon")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("May 07, 2024", "2024-05-07"),
        ("on May 7, 2024.", "2024-05-07"),
        ("2024-05", "2024-05"),
        ("2024", "2024"),
        ("May", "--05"),
        ("令和６年５月７日", "2024-05-07"),
        ("yesterday", None),
        ("Room 5", None),
        ("May 7, 2024 and May 8, 2024", None),
        ("", None),
    ],
)
def test_one_date_is_normalised_and_anything_else_is_not(
    text: str, value: str | None
) -> None:
    assert normalise_date(text) == value


@pytest.mark.parametrize(
    ("value", "english", "japanese"),
    [
        ("2024-05-07", "May 07, 2024", "2024年5月7日"),
        ("2024-05", "May 2024", "2024年5月"),
        ("2024", "2024", "2024年"),
        ("--05-07", "May 07", "5月7日"),
        ("--05", "May", "5月"),
        ("2024-05-07T21:00", "May 07, 2024, 21:00", "2024年5月7日 21:00"),
    ],
)
def test_a_value_is_written_out_in_both_languages(
    value: str, english: str, japanese: str
) -> None:
    assert format_date(value) == english
    assert format_date(value, language="ja") == japanese


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_a_day_written_out_is_read_back(day: date) -> None:
    value = day.isoformat()
    assert normalise_date(format_date(value)) == value
    assert normalise_date(format_date(value, language="ja")) == value
    assert normalise_date(value) == value


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)), st.integers(1, 900))
def test_steps_forth_and_back_meet_again(day: date, count: int) -> None:
    (there,) = find_dates(f"{count} days later", day.isoformat())
    (back,) = find_dates(f"{count} days ago", there.value)
    assert back.value == day.isoformat()


PIECES = (
    "May may 7 07 2024 2024-05-07 - / , . : of the 7th seventh in on next last day "
    "days later ago week before after two twenty Monday at p.m. 12:30 令和 元 年 5 五 "
    "月 日 後 前 翌日 昨日 ９ ٣ ² 99999 0"
)
DENSE = st.lists(st.sampled_from(PIECES.split())).map(" ".join)
BASES = st.sampled_from([None, BASIS, "0001-01", "--02-29"])


@given(st.one_of(st.text(), DENSE), BASES)
def test_any_text_gives_ordered_mentions_that_quote_it(
    text: str, basis: str | None
) -> None:
    end = 0
    for mention in find_dates(text, basis, narrated=True):
        assert end <= mention.start < mention.end
        assert text[mention.start : mention.end] == mention.text
        if mention.value is not None:
            assert format_date(mention.value)
        end = mention.end
    normalise_date(text)
