"""Sizes and shapes nobody writes: read in time that grows with them, or refused."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

import gswlab
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.gsw.operator.parse import parse
from gswlab.lab.config import quoted
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of, encoding_of, read_document

SENTENCE = "Ann Ray met Bo Lind in Tall Mill on May 7, 2024. "
HAN = (
    "山田太郎は東京で本を読んだ雨が降る船出港町静朝夜空海風月星花鳥森川橋駅車道家門窓灯"
)
SHAPES: dict[str, tuple[int, str, Callable[[int], str]]] = {
    "CJK without a break": (200_000, ".txt", lambda n: (HAN * (n // 9))[:n]),
    "one paragraph": (1_500_000, ".txt", lambda n: SENTENCE * (n // len(SENTENCE))),
    "one sentence": (400_000, ".txt", lambda n: "word " * (n // 5)),
    "one word": (400_000, ".txt", lambda n: "a" * n),
    "chapters of a word": (
        10_000,
        ".txt",
        lambda n: "".join(f"Chapter {k}\n\nRain.\n\n" for k in range(1, n + 1)),
    ),
    "short lines": (20_000, ".txt", lambda n: "".join(f"Line {k}\n" for k in range(n))),
    "entities": (100_000, ".html", lambda n: f"<p>{'&amp;' * n} Rain fell.</p>"),
    "elements in elements": (
        12_000,
        ".html",
        lambda n: "<div>" * n + "Rain fell." + "</div>" * n,
    ),
    "paragraphs left open": (4_000, ".html", lambda n: "<p>Rain fell.<br>" * n),
    "quotations": (50_000, ".txt", lambda n: '"Rain." ' * n),
    "brackets": (100_000, ".txt", lambda n: "「" * n + "雨。"),
}


def seconds(file: Path) -> float:
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        found = chunks(read_document(file))
        best = min(best, time.process_time() - began)
        assert max(len(chunk.text) for chunk in found) <= 3 * 2000 + 100
    return best


@pytest.mark.parametrize("shape", SHAPES)
def test_reading_grows_with_the_text(shape: str, tmp_path: Path) -> None:
    size, suffix, made = SHAPES[shape]
    spent = []
    for n in (size // 2, size):
        file = tmp_path / f"{n}{suffix}"
        file.write_text(made(n), "utf-8")
        spent.append(seconds(file))
    assert spent[1] <= 2.6 * spent[0] or spent[1] < 0.05, spent


def test_a_sentence_without_an_end_is_read_in_parts_that_lose_nothing() -> None:
    for text in ("word " * 5000, "a" * 9000, HAN * 300):
        document = document_of(text)
        said = "".join(chunk.text for chunk in chunks(document))
        assert said.replace(" ", "") == text.replace(" ", "")
    usual = "Rain fell, " * 150 + "and Mara ran."
    assert len(chunks(document_of(usual))) == 1


def test_a_chunk_that_no_parser_takes_is_refused_with_the_limit() -> None:
    text = "雨" * 20_000
    chunk = Chunk("d:0:0", "d", None, 0, text, Span("d", 0, len(text)))
    with pytest.raises(GswlabError, match=r"60,000 bytes \(rule: .* at most 48,000"):
        parse(chunk)


def test_a_question_that_is_a_text_is_refused_with_the_limit(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text(SENTENCE, "utf-8")
    given = f"dataset.file={quoted(str(tmp_path / 's.txt'))}", "memory=bm25"
    lab = gswlab.open(*given, "embedder=none", f"run.dir={tmp_path / 'run'}")
    lab.run()
    for many in ("Who met " + "a" * 100_000, "Who? " * 20_000):
        began = time.process_time()
        with pytest.raises(GswlabError, match="a question has at most 4,000"):
            lab.ask(many)
        assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("雨が降っていた。山田さんは駅で待った。", "CP932"),
        ("雨が降っていた。山田さんは駅で待った。", "EUC-JP"),
        ("雨が降っていた。山田さんは駅で待った。", "ISO-2022-JP"),
        ("Rain fell on the quay.", "UTF-16LE"),
        ("Rain fell on the quay.", "UTF-16BE"),
        ("Rain fell on the quay.", "UTF-32"),
        ("José ate at the café in Málaga, and Zoë sang.", "CP1252"),
        ("Шёл дождь, и Анна ждала на станции.", "CP1251"),
        ("비가 내렸다. 안나는 역에서 기다렸다.", "EUC-KR"),
        ("天下着大雨，安娜在车站等他。", "GB18030"),
    ],
)
def test_another_encoding_is_named_with_the_command_that_converts_it(
    text: str, encoding: str, tmp_path: Path
) -> None:
    file = tmp_path / "a story.txt"
    file.write_bytes(text.encode(encoding))
    assert encoding_of(file.read_bytes()) == encoding
    with pytest.raises(GswlabError) as caught:
        read_document(file)
    assert f"try: iconv -f {encoding} -t UTF-8 'a story.txt'" in str(caught.value)
    data = file.read_bytes().decode(encoding)
    file.write_text(data, "utf-8")
    assert read_document(file).text == text
