from operating import actor, is_apart, mentions, names, operate


def test_pronouns_find_the_name_of_their_gender():
    local = operate("Mr. Hale met Ann Ray. She gave him a key, and he thanked her.")
    assert mentions(actor(local, "Ann Ray")) == ["Ann Ray", "She", "her"]
    assert mentions(actor(local, "Hale")) == ["Mr. Hale", "him", "he"]


def test_a_pronoun_without_antecedent_stays_an_actor_of_its_own():
    found = actor(operate("She opened the window."), "she")
    assert (found.gender, found.kind) == ("f", "person")
    assert found.mentions[0].form == "pronoun"


def test_an_unbound_pronoun_goes_on_as_itself_past_another_name():
    local = operate("When she came in, Yusuf was at the bar. She did not see him.")
    assert mentions(actor(local, "she")) == ["she", "She"]
    assert mentions(actor(local, "Yusuf")) == ["Yusuf", "him"]


def test_they_is_kept_apart_from_each_of_a_pair():
    local = operate("Tess and Cole ran. They did not stop.")
    assert mentions(actor(local, "they")) == ["They"]


def test_a_narrator_is_one_actor_outside_quotations():
    local = operate("I closed my eyes. “I am cold,” Ann Ray told me.")
    assert mentions(actor(local, "I")) == ["I", "my", "me"]
    assert mentions(actor(local, "Ann Ray")) == ["I", "Ann Ray"]
    assert actor(local, "I").mentions[0].form == "narrator"


def test_a_narrator_who_gives_a_name_bears_it():
    found = actor(operate("My name is Teo. I run a bakery."), "Teo")
    assert found.kind == "person"
    assert [m.form for m in found.mentions] == ["narrator", "name", "narrator"]


def test_a_place_is_no_narrator():
    local = operate("I had to put in his: Arden Market Hall, 4:10 in the afternoon.")
    assert mentions(actor(local, "Arden Market Hall")) == ["Arden Market Hall"]


def test_a_speaker_who_gives_a_name_bears_it():
    local = operate("“My name is Ann Ray,” she said. She sat down.")
    assert mentions(actor(local, "Ann Ray")) == ["My", "Ann Ray", "she", "She"]


def test_an_apposition_is_its_name():
    local = operate("Her assistant, a nervous student called Milo, dropped the jar.")
    assert mentions(actor(local, "Milo")) == ["assistant", "nervous student", "Milo"]


def test_a_reflexive_is_its_subject():
    local = operate("Tom Hale looked at Ben Ward and cut himself.")
    assert "himself" in mentions(actor(local, "Tom Hale"))


def test_subject_and_plain_object_are_apart():
    local = operate("Nadia watched her. Nadia pointed at Freya.")
    assert is_apart(local, "Nadia", "she")
    assert is_apart(local, "Nadia", "Freya")


def test_members_of_a_list_are_apart():
    local = operate("Marcus Vane, Julia Orr and Ben Ward met in the cellar.")
    assert is_apart(local, "Marcus Vane", "Ben Ward")
    assert is_apart(local, "Julia Orr", "Ben Ward")


def test_a_possessor_is_apart_from_what_is_possessed():
    assert is_apart(operate("Her sister came late."), "she", "sister")


def test_a_speaker_is_apart_from_the_name_called():
    local = operate("“Come in, Wendell,” the woman said.")
    assert is_apart(local, "woman", "Wendell")


def test_a_speaker_who_says_only_a_name_may_give_his_own():
    local = operate("“Lorcan Vasquez,” he said. “I come from the bakery.”")
    assert not is_apart(local, "Lorcan Vasquez", "he")


def test_a_pronoun_is_apart_from_a_name_below_it():
    local = operate("She said that Freya was late.")
    assert is_apart(local, "she", "Freya")


def test_a_subject_and_a_pronoun_behind_a_preposition_of_place_may_be_one():
    local = operate("Freya closed the door behind her.")
    assert names(local) == ["Freya"]
    assert local.apart == ()
