"""Sizes and shapes nobody writes: read in time that grows with them, or refused."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import gswlab
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.gsw.operator.parse import parse
from gswlab.lab.config import quoted
from gswlab.lab.lab import Lab
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of, read_document

GROWTH = 2.6  # times the seconds for twice the text
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


def grown(does: Callable[[int], object], size: int) -> tuple[float, float]:
    """CPU seconds of half a size and of the size, the best of two to 25 times.

    A machine that is busy makes one of them slow now and then, never both the same.
    What the tests before left in memory is not looked through, as in `timeit`.
    """
    best = {size // 2: float("inf"), size: float("inf")}
    for time_ in range(25):
        for n in best:
            gc.collect()
            gc.disable()
            began = time.process_time()
            does(n)
            best[n] = min(best[n], time.process_time() - began)
            gc.enable()
        if time_ and best[size] <= GROWTH * best[size // 2]:
            break
    return best[size // 2], best[size]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_reading_grows_with_the_text(shape: str, tmp_path: Path) -> None:
    size, suffix, made = SHAPES[shape]
    for n in (size // 2, size):
        (tmp_path / f"{n}{suffix}").write_text(made(n), "utf-8")

    def cut(n: int) -> None:
        found = chunks(read_document(tmp_path / f"{n}{suffix}"))
        assert max(len(chunk.text) for chunk in found) <= 3 * 2000 + 100

    half, whole = grown(cut, size)
    assert whole <= GROWTH * half, (half, whole)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    home = tmp_path_factory.mktemp("asked")
    (home / "s.txt").write_text(SENTENCE * 3, "utf-8")
    given = f"dataset.file={quoted(str(home / 's.txt'))}", f"run.dir={home / 'run'}"
    lab = gswlab.open(*given, "embedder=none")
    lab.run()
    return lab


ASKED = {
    "a word": lambda n: "Who met " + "a" * n,
    "short ones": lambda n: "Who? " * (n // 5),
    "names": lambda n: "Who met " + " ".join(f"Name{k}" for k in range(n // 8)),
    "choices": lambda n: "Was it Ann or " * (n // 14),
    "digits": lambda n: "9" * n,
    "ways": lambda n: "How many days after " * (n // 20),
    "CJK": lambda n: "山田太郎は東京で本を読んだ" * (n // 13) + "か？",
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", ASKED)
def test_answering_grows_with_the_question(shape: str, lab: Lab) -> None:
    asked = ASKED[shape]
    chance = iter(range(10_000))  # no question twice: an answer is kept
    half, whole = grown(lambda n: lab.ask(asked(n) + " " * next(chance)), 3900)
    assert whole <= GROWTH * half, (half, whole)


@pytest.mark.slow
def test_what_is_said_again_and_again_is_read_in_time_that_grows_with_it(
    tmp_path: Path,
) -> None:
    """Every mention is of the same two people, every vote on the same day."""
    runs = iter(range(100))

    def read(n: int) -> None:
        run = tmp_path / str(next(runs))
        (tmp_path / f"{n}.txt").write_text(SENTENCE * n, "utf-8")
        given = f"dataset.file={quoted(str(tmp_path / f'{n}.txt'))}", f"run.dir={run}"
        again = gswlab.open(*given, "embedder=none")
        while again.step():
            pass

    half, whole = grown(read, 300)
    assert whole <= GROWTH * half, (half, whole)


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
        ("雨が降っていた。山田さんは駅で待った。", "UTF-16LE"),
        ("雨が降っていた。山田さんは駅で待った。", "UTF-16BE"),
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
    with pytest.raises(GswlabError) as caught:
        read_document(file)
    assert f"try: iconv -f {encoding} -t UTF-8 'a story.txt'" in str(caught.value)
    data = file.read_bytes().decode(encoding)
    file.write_text(data, "utf-8")
    assert read_document(file).text == text
