import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.core.budget import count_tokens
from gswlab.core.errors import GswlabError
from gswlab.language.language import language_of
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of, read_document
from gswlab.text.formats.as_json import read_json


def write(folder: Path, name: str, data: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def headings(text: str, markdown: bool = False) -> list[tuple[int | None, str | None]]:
    document = document_of(text, markdown=markdown)
    return [(chapter.number, chapter.title) for chapter in document.chapters]


def test_a_byte_order_mark_and_windows_line_breaks_leave_the_text_alone(
    tmp_path: Path,
) -> None:
    text = "Chapter 1\r\n\r\nRain fell.\r\n"
    document = read_document(write(tmp_path, "a.txt", b"\xef\xbb\xbf" + text.encode()))
    assert document.text == text
    assert chunks(document)[0].text == "Rain fell."


def test_the_id_is_the_stem_made_safe(tmp_path: Path) -> None:
    document = read_document(write(tmp_path, "私の 話: 1.txt", "雨が降った。"))
    assert document.id == "私の-話-1"
    assert document.language == "ja"


def test_plain_heading_lines_make_chapters_and_prose_about_chapters_does_not() -> None:
    text = (
        "A word before.\n\nCHAPTER IV\n\nRain.\n\nChapter Five: Salt\n\n"
        "Chapter 6 was the one she feared.\n\n第七章　手紙\n\n終わり。"
    )
    assert headings(text) == [
        (None, None),
        (4, "CHAPTER IV"),
        (5, "Chapter Five: Salt"),
        (7, "第七章　手紙"),
    ]


def test_a_title_on_the_line_below_belongs_to_the_heading() -> None:
    document = document_of("CHAPTER I\r\nThe Boat\r\n\r\nHe left.\r\n")
    assert document.chapters[0].title == "CHAPTER I The Boat"
    assert [chunk.text for chunk in chunks(document)] == ["He left."]


def test_prose_right_below_a_heading_is_no_title() -> None:
    document = document_of("Chapter 1\nHe left.\n\nShe stayed.")
    assert document.chapters[0].title == "Chapter 1"
    assert chunks(document)[0].text == "He left.\n\nShe stayed."


def test_markdown_headings_make_chapters_at_the_level_that_repeats() -> None:
    text = "# My book\n\n## Rain\n\nOne.\n\n### Aside\n\nTwo.\n\n## Sun\n\nThree."
    assert headings(text, markdown=True) == [(1, "Rain"), (2, "Sun")]


def test_markdown_inside_a_code_fence_is_no_heading() -> None:
    text = "# One\n\na\n\n```\n# not\n```\n\n# Two\n\nb"
    assert headings(text, markdown=True) == [(1, "One"), (2, "Two")]


def test_stated_numbers_that_start_again_are_counted_instead() -> None:
    text = "Chapter 1\n\na\n\nChapter 2\n\nb\n\nChapter 1\n\nc"
    assert [number for number, _ in headings(text)] == [1, 2, 3]


def test_an_epilogue_follows_the_last_chapter_and_a_preface_has_no_number() -> None:
    text = "Once.\n\n# Chapter 7\n\na\n\n# Chapter 8\n\nb\n\n# Epilogue\n\nc"
    numbers = [number for number, _ in headings(text, markdown=True)]
    assert numbers == [None, 7, 8, 9]


def test_book_keys_are_sorted_as_numbers_and_laid_out_as_published(
    tmp_path: Path,
) -> None:
    book = '{"Chapter 10": "Sun.", "Chapter 2": "Rain.\\n\\nWind."}'
    document = read_document(write(tmp_path, "book.json", book))
    assert document.text == "Chapter 2\n\nRain.\n\nWind.\n\n\nChapter 10\n\nSun."
    assert [chunk.id for chunk in chunks(document)] == ["book:2:0", "book:10:1"]


def test_a_chapter_that_brings_its_heading_is_not_headed_twice() -> None:
    source = read_json('{"Chapter 3": "Chapter 3\\n\\nRain."}', "b")
    assert source.text == "Chapter 3\n\nRain."


def test_a_book_of_one_string_is_the_same_document(tmp_path: Path) -> None:
    one = '"Chapter 2\\n\\nRain.\\n\\nWind.\\n\\n\\nChapter 10\\n\\nSun."'
    two = '{"Chapter 10": "Sun.", "Chapter 2": "Rain.\\n\\nWind."}'
    assert read_document(write(tmp_path, "book.json", one)) == read_document(
        write(tmp_path, "book.json", two)
    )


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.txt", b"", "empty"),
        ("a.txt", b" \n ", "empty"),
        ("a.txt", b"\xef\xbb\xbf \n", "no text"),
        ("a.bin", b"%PDF\x00\x01\xff", "binary"),
        ("a.pdf", b"%PDF\x00\x01\xff", "cannot be read as pdf"),
        ("a.docx", b"PK\x03\x04abc", "cannot be read as docx"),
        ("a.vtt", b"Rain fell.", "cannot be read as vtt"),
        ("a.srt", "雨".encode("cp932"), "cannot be read as srt"),
        ("a.html", b"<script>rain()</script>", "no text"),
        ("chat.json", b'[{"text": 3}]', "message 0 of chat.json has no text"),
        ("chat.json", b'[{"text": "a"}, 4]', "message 1 of chat.json is no object"),
        ("chat.json", b'[{"text": "a", "time": "noon"}]', "the time 'noon'"),
        ("chat.json", b'[{"text": "a", "role": {}}]', "is said by {}"),
        ("a.txt", b"PK\x03\x04abc", "binary"),
        ("a.txt", "雨".encode("cp932"), "not UTF-8"),
        ("book.json", b"{", "not JSON"),
        ("book.json", b"[" * 100_000, "not JSON"),
        ("book.json", b"[]", "no book"),
        ("book.json", b"{}", "no book"),
        ("book.json", b'{"Chapter 1": {"a": 1}}', "no text"),
        ("book.json", b'{"Part 1": "a"}', "'Part 1'"),
        ("book.json", b'{"Chapter 1": "a", "Chapter 1": "b"}', "'Chapter 1' twice"),
        ("book.json", b'{"Chapter 1": "\\ud800"}', "surrogate"),
        ("book.json", b'""', "no text"),
    ],
)
def test_bad_input_is_one_sentence_with_a_rule_and_a_command(
    tmp_path: Path, name: str, data: bytes, says: str
) -> None:
    with pytest.raises(GswlabError, match=says) as caught:
        read_document(write(tmp_path, name, data))
    assert caught.value.rule
    assert caught.value.command
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_directory_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(GswlabError, match="there is no file"):
        read_document(tmp_path / "none.txt")
    with pytest.raises(GswlabError, match="is a directory"):
        read_document(tmp_path)


def test_a_path_no_system_takes_is_one_sentence_too() -> None:
    for path in ("a" * 5000, "a\0b"):
        with pytest.raises(GswlabError, match="cannot be read"):
            read_document(path)


FILES = ["a.txt", "a.md", "book.json", "a.html", "a.pdf", "a.docx", "a.vtt", "a.srt"]


@given(st.binary(), st.sampled_from(FILES))
def test_any_bytes_are_a_document_or_one_sentence(data: bytes, name: str) -> None:
    with TemporaryDirectory() as folder:
        path = write(Path(folder), name, data)
        try:
            document = read_document(path)
        except GswlabError:
            return
    assert document.text.strip()
    assert document.chapters


BOOK_KEYS = st.sampled_from(["Chapter 1", "Chapter 2", "Chapter 11", "x"])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(BOOK_KEYS, inner),
    max_leaves=8,
)


@given(JSON_VALUES)
def test_any_json_is_a_book_or_one_sentence(value: object) -> None:
    try:
        text = read_json(json.dumps(value), "book.json").text
    except GswlabError:
        return
    assert isinstance(value, str | dict)
    parts = [value] if isinstance(value, str) else value.values()
    assert all(part in text for part in parts)


def test_no_chunk_crosses_a_chapter_or_holds_its_heading() -> None:
    document = document_of(
        "Chapter 1\n\nAnn ran. Bob sat. Cat hid.\n\nChapter 2\n\nEve left."
    )
    assert [(c.chapter, c.index, c.text) for c in chunks(document, 2)] == [
        (1, 0, "Ann ran. Bob sat."),
        (1, 1, "Cat hid."),
        (2, 2, "Eve left."),
    ]


def test_a_chunk_of_no_sentences_is_refused() -> None:
    with pytest.raises(GswlabError, match="0 sentences"):
        chunks(document_of("Rain."), 0)


PIECES = st.sampled_from(
    [
        "Chapter 1",
        "# A",
        "## 第二章",
        "\n",
        "\n\n",
        "\r\n",
        "Rain. ",
        "雨。",
        "---",
        "=",
        "\x85",
    ]
)


@given(
    st.one_of(st.text(), st.lists(PIECES).map("".join)),
    st.booleans(),
    st.integers(1, 4),
)
def test_chunks_are_slices_in_order_inside_their_chapter(
    text: str, markdown: bool, size: int
) -> None:
    try:
        document = document_of(text, markdown=markdown)
    except GswlabError:
        return
    found = chunks(document, size)
    spans = {chapter.number: chapter.span for chapter in document.chapters}
    for index, chunk in enumerate(found):
        assert chunk.text == text[chunk.span.start : chunk.span.end]
        assert chunk.index == index
        assert spans[chunk.chapter].start <= chunk.span.start
        assert chunk.span.end <= spans[chunk.chapter].end
    ends = [(chunk.span.start, chunk.span.end) for chunk in found]
    assert ends == sorted(ends)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Rain.", "en"),
        ("雨が降った。", "ja"),
        ("", "en"),
        ("I met 太郎.", "en"),
        ("7", "en"),
    ],
)
def test_the_language_is_that_of_most_letters(text: str, language: str) -> None:
    assert language_of(text) == language


def test_tokens_are_those_of_cl100k_base() -> None:
    assert count_tokens("hello world") == 2
    assert count_tokens("<|endoftext|>") == 7


@given(st.text())
def test_counting_tokens_never_fails(text: str) -> None:
    assert (count_tokens(text) > 0) == bool(text)
