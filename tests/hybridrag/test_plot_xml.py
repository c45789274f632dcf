"""Plots as XML: what a good file says, and what is said of a bad one."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.core.errors import GswlabError
from gswlab.hybridrag.plot import plot_graph, plot_of, read_plot
from gswlab.hybridrag.stores.common import update
from gswlab.hybridrag.stores.memory import InMemory
from gswlab.hybridrag.stores.nouns import PropertyGraph

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<Plot>\n'
PLOT = f"""{HEAD}<Characters>
<Character id="1" role="主人公"><Name>アリス</Name><Description>勇敢な少女。</Description></Character>
<Character id="2" role="敵役"><Name>ドラゴン</Name><Description>火を吹く&amp;飛ぶ。</Description></Character>
<Character id="3" role="脇役"><Name>村人たち</Name><Description>村の人々。</Description></Character>
</Characters>
<EventList>
<Event id="1"><Description>ドラゴンと戦う。</Description><Relationship>
<CharacterRef from="1" to="2" relation="enemy"/>
<CharacterRef from="2" to="1" relation="enemy"/>
</Relationship></Event>
<Event id="2"><Description>友達になる。</Description><Relationship>
<CharacterRef from="1" to="2" relation="friend"/></Relationship>
<Appearance character="3"/></Event>
</EventList>
</Plot>
"""  # noqa: E501


def plot(*edits: tuple[str, str]):
    """The plot with one occurrence of each text replaced."""
    text = PLOT
    for before, after in edits:
        assert before in text
        text = text.replace(before, after, 1)
    return plot_of(text.encode())


def test_a_plot_has_characters_events_ties_and_who_appears():
    told = plot()
    assert [(c.id, c.role, c.name) for c in told.characters][:2] == [
        ("1", "主人公", "アリス"),
        ("2", "敵役", "ドラゴン"),
    ]
    assert told.characters[1].description == "火を吹く&飛ぶ。"
    first, second = told.events
    assert [(t.source, t.target, t.relation) for t in first.ties] == [
        ("1", "2", "enemy"),
        ("2", "1", "enemy"),
    ]
    assert (first.appears, second.appears) == (("1", "2"), ("1", "2", "3"))
    assert told.document.language == "ja"


def test_spans_point_at_the_elements_of_the_file(tmp_path):
    path = tmp_path / "alice.xml"
    path.write_bytes(b"\xef\xbb\xbf" + PLOT.encode())
    told = read_plot(path)
    assert (told.document.id, told.document.text) == ("alice", PLOT)
    for noun in (*told.characters, *told.events):
        element = PLOT[noun.span.start : noun.span.end]
        tag = type(noun).__name__.removeprefix("Plot")
        assert element.startswith(f'<{tag} id="{noun.id}"')
        assert element.endswith(f"</{tag}>")


FAULTS = {
    "an entity bomb": (
        ("<Plot>", '<!DOCTYPE p [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>\n<Plot>'),
        "line 2 of plot.xml: a document type is declared (rule: no DOCTYPE",
    ),
    "an external entity": (
        ("<Plot>", '\n<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><Plot>'),
        "line 3 of plot.xml: a document type is declared",
    ),
    "an external document type": (
        ("<Plot>", '<!DOCTYPE Plot SYSTEM "https://example.org/p.dtd"><Plot>'),
        "line 2 of plot.xml: a document type is declared",
    ),
    "an undeclared entity": (("勇敢", "&who;"), "line 4 of plot.xml: undefined entity"),
    "another declared encoding": (
        ("UTF-8", "Shift_JIS"),
        "line 1 of plot.xml: the encoding 'Shift_JIS' is declared (rule: UTF-8",
    ),
    "a dangling tie": (
        ('from="2" to="1"', 'from="2" to="9"'),
        "line 11 of plot.xml: CharacterRef names a character '9' (rule: the id of",
    ),
    "a dangling appearance": (
        ('character="3"', 'character="e1"'),
        "line 15 of plot.xml: Appearance names a character 'e1'",
    ),
    "a character twice": (
        ('id="3"', 'id=" 2"'),
        "line 6 of plot.xml: Character '2' is there twice; other faults on line 15 "
        "(rule: first on line 5)",
    ),
    "an event twice": (
        ('<Event id="2"', '<Event id="1"'),
        "line 13 of plot.xml: Event '1' is there twice (rule: first on line 9)",
    ),
    "a tie to oneself": (
        ('from="2" to="1"', 'from="2" to="2"'),
        "line 11 of plot.xml: CharacterRef ties '2' to itself",
    ),
    "an unknown element": (
        ("<Characters>", "<Characters><Monster/>"),
        "line 3 of plot.xml: there is an element 'Monster' (rule: here may stand "
        "Character)",
    ),
    "a root too many": (
        ("<Plot>", "<Novel><Plot>"),
        "line 18 of plot.xml: no element found",
    ),
    "a missing attribute": (
        (' role="敵役"', ""),
        "line 5 of plot.xml: the attribute 'role' of Character is missing",
    ),
    "an empty attribute": (
        ('role="敵役"', 'role=" "'),
        "line 5 of plot.xml: the attribute 'role' of Character is empty",
    ),
    "an unknown attribute": (
        ('role="敵役"', 'role="敵役" age="9"'),
        "line 5 of plot.xml: Character has an attribute 'age' (rule: Character has id",
    ),
    "a missing element": (
        ("<Name>アリス</Name>", ""),
        "line 4 of plot.xml: Character has 0 Name (rule: exactly one)",
    ),
    "an element twice": (
        ("<Name>アリス</Name>", "<Name>アリス</Name><Name>アリス</Name>"),
        "line 4 of plot.xml: Character has 2 Name (rule: exactly one)",
    ),
    "an empty text": (
        ("友達になる。", " "),
        "line 13 of plot.xml: Description is empty",
    ),
    "text where none stands": (
        ("<EventList>", "<EventList>それから"),
        "line 8 of plot.xml: EventList holds text of its own",
    ),
    "a tag that is not closed": (
        ("</Name>", ""),
        "line 4 of plot.xml: mismatched tag",
    ),
}


@pytest.mark.parametrize(("edit", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_one_sentence_with_its_line(edit, said):
    with pytest.raises(GswlabError) as error:
        plot(edit)
    assert str(error.value).startswith(said)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (PLOT.encode("cp932"), "line 4 of plot.xml: byte 0x8e is not UTF-8"),
        (PLOT.encode("utf-16"), "line 1 of plot.xml: byte 0xff is not UTF-8"),
        (PLOT.encode()[:-9], "line 16 of plot.xml: no element found"),
        (b"", "line 1 of plot.xml: no element found"),
        (b"\0", "line 1 of plot.xml: "),
        (b"<a/>", "line 1 of plot.xml: there is an element 'a' (rule: here may stand"),
        (b"<Plot/>", "line 1 of plot.xml: Plot has 0 Characters"),
        (b"<a>" * 20_000, "line 1 of plot.xml: no element found"),
    ],
)
def test_bytes_that_are_no_plot_are_one_sentence_with_a_line(data, said):
    with pytest.raises(GswlabError) as error:
        plot_of(data)
    assert str(error.value).startswith(said)


def test_the_first_fault_is_told_and_on_which_lines_there_are_more():
    with pytest.raises(GswlabError, match=r"^line 4 .*; other faults on line 5, 15 "):
        plot((' role="主人公"', ""), (' role="敵役"', ""), ("character", "who"))


def test_a_file_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(GswlabError, match="cannot be read: No such file"):
        read_plot(tmp_path / "none.xml")
    with pytest.raises(GswlabError, match="cannot be read: Is a directory"):
        read_plot(tmp_path)


@given(st.data())
def test_bytes_changed_anywhere_give_a_plot_or_one_sentence(data):
    source = bytearray(PLOT.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at, gone = data.draw(st.integers(0, len(source))), data.draw(st.integers(0, 9))
        source[at : at + gone] = data.draw(st.binary(max_size=4))
    try:
        told = plot_graph(plot_of(bytes(source)))
    except GswlabError as error:
        told = error.problem
    assert told.nodes if isinstance(told, PropertyGraph) else told.startswith("line ")


texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
    min_size=1, max_size=9,
).filter(lambda text: text == text.strip() != "")  # fmt: skip


@st.composite
def stories(draw: st.DrawFn) -> tuple[list[tuple[str, ...]], list]:
    """Characters, and events with ties, as what their attributes and texts say."""
    ids = draw(st.lists(texts, min_size=2, max_size=4, unique=True))
    people = [(id_, draw(texts), draw(texts), draw(texts)) for id_ in ids]
    pairs = st.tuples(st.sampled_from(ids), st.sampled_from(ids), texts)
    ties = st.lists(pairs.filter(lambda pair: pair[0] != pair[1]), max_size=3)
    events = [(id_, draw(texts), draw(ties)) for id_ in draw(
        st.lists(texts, min_size=1, max_size=3, unique=True)
    )]  # fmt: skip
    return people, events


@given(stories())
def test_what_is_written_as_xml_is_read_back(story):
    people, events = story
    written = "".join(
        f"<Character id={quoteattr(id_)} role={quoteattr(role)}>"
        f"<Name>{escape(name)}</Name><Description>{escape(said)}</Description>"
        "</Character>"
        for id_, role, name, said in people
    )
    told = "".join(
        f"<Event id={quoteattr(id_)}><Description>{escape(said)}</Description>"
        + "<Relationship>"
        + "".join(
            f"<CharacterRef from={quoteattr(a)} to={quoteattr(b)} "
            f"relation={quoteattr(tie)}/>"
            for a, b, tie in ties
        )
        + "</Relationship></Event>"
        for id_, said, ties in events
    )
    lists = f"<Characters>{written}</Characters><EventList>{told}</EventList>"
    read = plot_of(f"<Plot>{lists}</Plot>".encode())
    assert [(c.id, c.role, c.name, c.description) for c in read.characters] == people
    assert [(e.id, e.description) for e in read.events] == [e[:2] for e in events]
    for event, (_, _, ties) in zip(read.events, events, strict=True):
        found = [(tie.source, tie.target, tie.relation) for tie in event.ties]
        assert found == list(dict.fromkeys(ties))
    store = InMemory()
    update(store, plot_graph(read))
    assert store.graph() == plot_graph(read)


EDITS = {
    "nothing": ((), ([], 0, [], 0)),
    "white space": ((("<EventList>", "\n\n<EventList>"),), ([], 0, [], 0)),
    "a description": ((("村の人々", "山の人々"),), (["c3"], 0, [], 0)),
    "a role": ((("脇役", "仲間"),), (["c3"], 0, [], 0)),
    "a relation": (
        (('to="1" relation="enemy"', 'to="1" relation="rival"'),), ([], 1, [], 1),
    ),
    "an event between two": (
        (
            ('<Event id="2">', '<Event id="9"><Description>眠る。</Description></Event>'
             '<Event id="2">'),
        ),
        (["e9"], 2, [], 1),
    ),
    "an event fewer": (
        ((PLOT[PLOT.index('<Event id="2">') : PLOT.index("</EventList>")], ""),),
        ([], 0, ["e2"], 5),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("edits", "counts"), EDITS.values(), ids=EDITS)
def test_an_edit_rewrites_only_what_it_changed(edits, counts):
    store = InMemory()
    assert len(update(store, plot_graph(plot())).nodes) == 5
    done = update(store, plot_graph(plot(*edits)))
    nodes, edges, gone, untied = done
    assert ([*nodes], len(edges), [*gone], len(untied)) == counts
    assert store.graph() == plot_graph(plot(*edits))


@pytest.mark.parametrize(
    "opening", ["", '<?xml version="1.0" encoding="UTF-8"?>\n<!-- a -->']
)
def test_the_paper_s_file_has_two_lists_and_no_root(opening):
    body = PLOT.partition("<Plot>")[2].rpartition("</Plot>")[0]
    bare = plot_of(f"{opening}{body}".encode())
    assert plot_graph(bare) == plot_graph(plot())
    for one in (*bare.characters, *bare.events):
        element = bare.document.text[one.span.start : one.span.end]
        assert element.startswith(
            (f'<Character id="{one.id}"', f'<Event id="{one.id}"')
        )
        assert element.endswith(("</Character>", "</Event>"))


def test_a_fault_in_lists_without_a_root_is_told_by_its_line():
    with pytest.raises(GswlabError, match=r"line 2 of plot.xml: .*Characters"):
        plot_of(b"\n<Characters></Characters>\n<EventList></EventList>")
