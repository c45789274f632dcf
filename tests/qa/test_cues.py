import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.core.nouns import Actor, Bound, Episode, Place, Span, Term
from gswlab.core.step import Drop, Put, Step
from gswlab.core.workspace import Workspace
from gswlab.language.keys import date_keys, key_words, name_key
from gswlab.qa.cue import Cue, EpisodeIndex, answer_cue
from gswlab.qa.question.asked_for import arrange


def episode(number, date=None, place=None, who=None, kind=None, **more):
    fields = {"date": date, "place": place, "protagonist": who, "kind": kind}
    bounds = {
        k: v if isinstance(v, Bound) else Bound(v) for k, v in fields.items() if v
    }
    return Episode(f"e{number}", "b", number, **bounds, **more)


BOOK = (
    episode(1, "2031-05-07", "the Old Mill", "Ann Ray", "Pottery Class"),
    episode(2, "2030-06-01", "Quay House", "José Álvarez", "Book Swap"),
    episode(3, "2031-05-19", "Old  Mill", "Ann Ray", "Pottery Exhibition"),
    episode(4, "2031-05", "港の倉庫", "山田太郎", "茶会"),
)


def chapters(cue, source=BOOK):
    return [found.chapter for found in answer_cue(source, cue)]


def test_the_cues_of_a_question_intersect():
    assert chapters(Cue(place="the old mill")) == [1, 3]
    assert chapters(Cue(place="the old mill", date="2031-05-19")) == [3]
    assert chapters(Cue(place="the old mill", protagonist="José Álvarez")) == []


def test_words_told_count_only_where_no_kind_is_so_labelled():
    told = (Term("parade", Span("b", 0, 6)), Term("eel", Span("b", 7, 10)))
    book = (
        episode(1, place="Quay", kind="Lantern Parade"),
        episode(2, place="Mill", kind="Book Swap", terms=told),
    )
    assert chapters(Cue(content="parade"), book) == [1]
    assert chapters(Cue(content="eel parade"), book) == [2]


def test_who_owns_a_kind_is_no_word_of_it():
    book = (episode(1, kind="coroners inquest"),)
    assert chapters(Cue(content="Coroner's Inquest"), book) == [1]
    assert chapters(Cue(content="the coroners’ inquest"), book) == [1]


def test_a_cue_that_fixes_nothing_matches_nothing():
    assert chapters(Cue()) == []


def test_a_month_finds_its_days_but_a_day_does_not_find_a_month():
    assert chapters(Cue(date="2031-05")) == [1, 3, 4]
    assert chapters(Cue(date="2031")) == [1, 3, 4]
    assert chapters(Cue(date="2031-05-20")) == []


def test_a_day_without_its_year_is_found_in_any():
    assert chapters(Cue(date="--05-07")) == [1]


def test_names_are_compared_in_any_script_and_never_merge_by_accident():
    assert chapters(Cue(protagonist="JOSÉ ÁLVAREZ")) == [2]
    assert chapters(Cue(protagonist="山田太郎")) == [4]
    assert chapters(Cue(protagonist="山田花子")) == []
    assert chapters(Cue(protagonist="Jos lvarez")) == []


def test_a_title_is_not_part_of_a_name():
    assert chapters(Cue(protagonist="Dr. Ann Ray")) == [1, 3]


def test_an_alias_finds_the_protagonist():
    known = episode(1, who=Bound("Ann Ray", aliases=("the Captain",)))
    assert chapters(Cue(protagonist="captain"), [known]) == [1]


def test_a_kind_needs_every_stem_of_the_cue():
    assert chapters(Cue(content="pottery")) == [1, 3]
    assert chapters(Cue(content="pottery classes")) == [1]
    assert chapters(Cue(content="night pottery class")) == []
    assert chapters(Cue(content="茶会")) == [4]


def test_stems_of_two_labels_do_not_add_up_to_a_kind():
    known = episode(1, kind=Bound("pottery class", aliases=("kite fair",)))
    assert chapters(Cue(content="pottery fair"), [known]) == []
    assert chapters(Cue(content="kite fair"), [known]) == [1]


def test_a_city_finds_the_episodes_in_its_rooms():
    places = [
        Place("p1", "Room 5", inside="p2", actor="a1"),
        Place("p2", "Quay House", inside="p3", actor="a2"),
        Place("p3", "Oslo", actor="a3"),
    ]
    actors = [Actor(f"a{n}", "place", p.name) for n, p in enumerate(places, 1)]
    merged = (Put("actor", Actor("a4", "place", "Room 5")), Drop("actor", "a1", "a4"))
    told = episode(1, place=Bound("Room 5", id="a1"))
    changes = (
        *(Put("actor", a) for a in actors),
        *(Put("place", p) for p in places),
        *merged,
        Put("episode", told),
    )
    workspace = Workspace().apply(Step(0, None, changes))
    assert chapters(Cue(place="Oslo"), workspace) == [1]
    assert chapters(Cue(place="Quay House"), workspace) == [1]
    assert chapters(Cue(place="Bergen"), workspace) == []


def test_episodes_come_in_the_order_of_the_story_whatever_is_asked():
    assert [e.chapter for e in arrange(BOOK, "all")] == [2, 4, 1, 3]
    assert [e.chapter for e in arrange(BOOK, "chronological")] == [2, 4, 1, 3]
    assert [e.chapter for e in arrange(BOOK, "latest")] == [3]


def test_what_has_no_date_is_in_no_story_order():
    assert arrange([episode(1)], "latest") == ()


@given(st.text(max_size=30))
def test_a_name_is_its_own_key_whatever_its_case_and_width(name):
    assert name_key(name) == name_key(f"  {name} ")
    assert all(name[w.start : w.end] for w in key_words(name))


@given(st.dates())
def test_every_prefix_of_a_day_finds_it(day):
    value = day.isoformat()
    keys = date_keys(value)
    assert value in keys
    assert value[:7] in keys
    assert value[:4] in keys


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["2031-05-07", "2030-06-01"]),
            st.sampled_from(["Mill", "Quay"]),
            st.sampled_from(["Ann Ray", "Bo Lee"]),
            st.sampled_from(["kite fair", "book swap"]),
        ),
        max_size=8,
    ),
    st.sampled_from(["2031-05-07", "2031", None]),
    st.sampled_from(["Mill", None]),
    st.sampled_from(["Ann Ray", None]),
    st.sampled_from(["kite fair", None]),
)
def test_an_index_answers_as_a_plain_scan_does(rows, date, place, who, kind):
    book = [episode(i + 1, *row) for i, row in enumerate(rows)]
    cue = Cue(date, place, who, kind)
    scan = [
        e.chapter
        for e, row in zip(book, rows, strict=True)
        if cue.fields
        and (date is None or row[0].startswith(date))
        and (place is None or row[1] == place)
        and (who is None or row[2] == who)
        and (kind is None or row[3] == kind)
    ]
    assert chapters(cue, book) == scan


def test_two_thousand_episodes_are_answered_in_under_twenty_milliseconds():
    rng = random.Random(0)
    book = [
        episode(
            i, f"2031-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
            f"Hall {rng.randint(1, 99)}", f"Ann{rng.randint(1, 99)} Ray", "kite fair",
        )
        for i in range(1, 2001)
    ]  # fmt: skip
    index = EpisodeIndex.of(book)
    start = time.process_time()
    for number in range(1, 51):
        answer_cue(index, Cue(place=f"Hall {number}", content="kite fair"))
        answer_cue(index, Cue(protagonist=f"Ann{number} Ray", content="unknown kind"))
    assert (time.process_time() - start) / 100 < 0.02


@pytest.mark.parametrize("source", [BOOK, EpisodeIndex.of(BOOK)])
def test_any_source_of_episodes_will_do(source):
    assert chapters(Cue(date="2030"), source) == [2]
