"""Files people own: what is read of them, and where it stands in them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from docx import Document as WordFile
from docx.enum.text import WD_BREAK
from docx.oxml import OxmlElement
from pypdf import PdfReader, PdfWriter

from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Span
from gswlab.text.chunks import chunks
from gswlab.text.document import read_document
from gswlab.view.provenance.answer import answer_view

PAGES = ("Ann Ray left Kobe on May 7, 2024.\nShe took the ferry.", "Rain fell in Oban.")
HTML = """<!doctype html><html><head><title>No text</title><meta charset="utf-8">
<script>alert("no text")</script></head><body><nav><a href="/">Home</a></nav>
<h1>The ferry</h1><p>Ann   Ray left
<a href="javascript:alert(1)">Kobe</a>.<!-- no text --></p>
<h1>The pier</h1><ul><li>Rain fell.</li><li>Nobody came &lt;back&gt;.</li></ul>
</body></html>"""
VTT = """WEBVTT

00:00:04.000 --> 00:00:06.000
<v Ann Ray>It rains
again.

00:00:07.500 --> 00:00:09.000
Bob: Then stay.
"""
SRT = """1
00:00:04,000 --> 00:00:06,000
Bob: Then stay.

2
00:01:02,000 --> 00:01:03,000
No.
"""


def written(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def pdf(path: Path) -> Path:
    import matplotlib as mpl
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure

    with mpl.rc_context({"pdf.fonttype": 42}), PdfPages(path) as out:
        for text in PAGES:
            figure = Figure()
            figure.text(0.1, 0.8, text)
            out.savefig(figure)
    return path


def word(path: Path) -> Path:
    """A file as Word leaves one, with the breaks of its last layout."""
    file = WordFile()
    file.add_heading("The ferry", 1)
    file.add_paragraph("Ann Ray left Kobe.")
    run = file.add_paragraph("Rain fell. ").add_run()
    run._r.append(OxmlElement("w:lastRenderedPageBreak"))
    run.add_text("Nobody came.")
    table = file.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Oban", "Pier 4"
    file.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    file.save(str(path))
    return path


def at(document: Document, words: str) -> Span:
    start = document.text.index(words)
    return Span(document.id, start, start + len(words))


def test_a_pdf_keeps_the_page_that_a_span_is_on(tmp_path: Path) -> None:
    document = read_document(pdf(tmp_path / "log.pdf"))
    assert document.page(at(document, "ferry")) == 1
    assert document.page(at(document, "Rain fell")) == 2
    cited = Answer(("Oban",), False, (), (at(document, "Oban"),), "")
    assert "log, page 2: " in repr(answer_view(cited, [document]))


def test_a_locked_pdf_and_one_without_text_are_one_sentence(tmp_path: Path) -> None:
    locked = PdfWriter(clone_from=PdfReader(pdf(tmp_path / "log.pdf")))
    locked.encrypt("secret")
    locked.write(tmp_path / "locked.pdf")
    blank = PdfWriter()
    blank.add_blank_page(100, 100)
    blank.write(tmp_path / "scan.pdf")
    with pytest.raises(GswlabError, match="locked by a password"):
        read_document(tmp_path / "locked.pdf")
    with pytest.raises(GswlabError, match="no text on them"):
        read_document(tmp_path / "scan.pdf")


def test_a_word_file_gives_headings_tables_and_pages(tmp_path: Path) -> None:
    document = read_document(word(tmp_path / "log.docx"))
    assert [chapter.title for chapter in document.chapters] == ["The ferry"]
    assert "Oban | Pier 4" in document.text
    assert document.page(at(document, "Rain fell")) == 1
    assert document.page(at(document, "Nobody came")) == 2


def test_a_word_file_that_unpacks_to_a_mountain_is_not_unpacked(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out,
        out.open("word/document.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(501):
            part.write(b"\0" * 1_000_000)
    with pytest.raises(GswlabError, match="unpacks to 501,000,000 bytes"):
        read_document(written(tmp_path / "bomb.docx", packed.getvalue()))


def test_a_page_of_the_web_is_its_words_under_their_headings(tmp_path: Path) -> None:
    document = read_document(written(tmp_path / "log.html", HTML))
    assert [chapter.title for chapter in document.chapters] == ["The ferry", "The pier"]
    assert [chunk.text for chunk in chunks(document)] == [
        "Ann Ray left Kobe.",
        "Rain fell.\n\nNobody came <back>.",
    ]


@pytest.mark.parametrize(
    ("name", "data", "turns"),
    [
        (
            "a.vtt",
            VTT,
            [("Ann Ray", None, "It rains again."), ("Bob", None, "Then stay.")],
        ),
        ("a.srt", SRT, [("Bob", None, "Then stay."), (None, None, "No.")]),
        (
            "a.json",
            json.dumps(
                [
                    {"role": "user", "create_time": 1715115600, "content": "It rains."},
                    {"role": "assistant", "content": [{"text": "Stay."}, {"image": 1}]},
                ]
            ),
            [("user", "2024-05-07T21:00", "It rains."), ("assistant", None, "Stay.")],
        ),
        (
            "b.json",
            '{"messages": [{"speaker": "安", "date": "2024-05-07", "text": "雨だ。"}]}',
            [("安", "2024-05-07T00:00", "雨だ。")],
        ),
    ],
)
def test_a_turn_of_a_conversation_is_a_chunk_with_its_speaker_and_time(
    tmp_path: Path, name: str, data: str, turns: list[tuple[str, str, str]]
) -> None:
    document = read_document(written(tmp_path / name, data))
    found = chunks(document)
    assert [(c.speaker, c.time, c.text) for c in found] == turns
    for chunk in found:
        assert document.text[chunk.span.start : chunk.span.end] == chunk.text
