"""What words are: their class, number and forms, in either language."""

from __future__ import annotations

from gswlab.language.dates.calendar import same_day
from gswlab.language.event_types import Inventory, names_occasion
from gswlab.language.keys import head, is_plural, key_words
from gswlab.language.lexicon import any_words, first_name_gender, noun_class
from gswlab.language.stems import inflects, spaceless_root
from gswlab.language.verbs import does_itself, end_of_verb, participle, third_person
from gswlab.text.quotations import marked
from gswlab.text.sentences import own_questions


def test_a_noun_has_a_class_a_head_and_a_number() -> None:
    classes = [noun_class(noun) for noun in ("detective", "kitchen", "brother")]
    assert classes == ["person", "place", "person_m"]
    assert any_words("profession") >= {"surgeon", "医者"}
    assert [head(noun) for noun in ("the old professor of law", "その古い教会")] == [
        "professor",
        "古い教会",
    ]
    assert [*map(first_name_gender, ("Rosa", "Granite"))] == ["f", None]
    counted = [is_plural(noun) for noun in ("hemp spinners", "the waitress", "two men")]
    assert counted == [True, False, True]


def test_a_verb_has_its_forms() -> None:
    verbs = ("undergo", "carry", "be", "逮捕する")
    assert [*map(third_person, verbs)] == ["undergoes", "carries", "is", "逮捕する"]
    done = [participle(v) for v in ("forgive", "pin", "carry", "put", "逮捕する")]
    assert done == ["forgiven", "pinned", "carried", "put", "逮捕される"]
    assert end_of_verb("take on", "words taking on an undertone") == 15
    assert does_itself("steal", "The ", " stole in")
    assert not does_itself("steal", "The ", " was stolen")


def test_a_verb_without_spaces_keeps_its_root() -> None:
    assert [*map(spaceless_root, ("逮捕する", "盗む", "steal"))] == ["逮捕", "盗", ""]
    assert inflects("見る", "何を見ましたか")
    assert not inflects("見る", "何を見つけましたか")


def test_common_words_may_name_an_occasion_and_a_first_name_none() -> None:
    assert names_occasion(["model", "railway", "show"])
    assert not names_occasion(["rosa", "show"])
    forms = [Inventory.general().is_form(word) for word in ("parties", "open")]
    assert forms == [True, False]


def test_a_day_is_the_same_whatever_its_hour_and_year_unsaid() -> None:
    assert same_day("2024-05-07T09", "--05-07")
    assert not same_day("2024-05", "2024-05-07")


def test_a_quotation_goes_on_behind_who_says_it_and_may_hold_another() -> None:
    text = "“One,” she said. “Two, and ‘three’.”"
    said = [text[start:end] for start, end in sorted(marked(text))]
    assert said == ["“One,”", "“Two, and ‘three’.”", "‘three’"]


def test_a_text_asks_what_nobody_in_it_says() -> None:
    text = 'The case was empty. Who had taken it? "Why?" she said.'
    assert own_questions(text) == ("Who had taken it?",)


def test_each_character_without_spaces_is_a_word() -> None:
    words = [word.text for word in key_words("St. Paul's 公園")]
    assert words == ["st", "paul", "s", "公", "園"]
