"""German in a few rows: from a text's sentences to the answer of a question."""

import re

import pytest

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Evidence, Item
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.language.dates.find import find_dates
from gswlab.language.language import Language, language_of, languages, of
from gswlab.qa.cue import answer_cue
from gswlab.qa.question.names import Names, parse_question
from gswlab.qa.readers.cue import answer_from
from gswlab.qa.readers.model import as_read
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of
from gswlab.text.sentences import sentences

TABLES = {
    "abbreviations.tsv": "before_word\tdr bzw usw\nafter_figure\tmai juni",
    "asked.txt": "times?: wann\nplaces?: wo\nlatest: zuletzt\nscaffold: war|in|am",
    "dates.tsv": (
        "month\tmai\t5\nmonth\tjuni\t6\nstep\tam tag darauf\tday\t1\ttold\n"
        r"point	\b(?P<day>\d{1,2})\. <MONTH>(?: (?P<year>\d{4}))?"
    ),
    "evidence.tsv": "chapter\tKapitel {}\nno chapter\tOhne Kapitel",
}
TEXT = (
    "Am 7. Mai 2024 kam Dr. Anna Roth nach Hamburg. Am Tag darauf war Anna Roth müde."
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, rows in TABLES.items():
        (tmp_path / name).write_text(rows + "\n", "utf-8")
    german = Language(
        code="de",
        name="German",
        folder=tmp_path,
        parser=of("en").parser,
        letters=re.compile(r"\b(?:am|kam|nach|war|der|die|das)\b", re.IGNORECASE),
        share=0.1,
        asked=re.compile(r"\b(?:wann|wo|wer)\b", re.IGNORECASE),
        dated=lambda point: f"{point.day}.{point.month}.{point.year}",
    )
    monkeypatch.setitem(languages(), "de", german)
    return tmp_path


def answer(question: str) -> tuple[str, ...]:
    """What a text read chunk by chunk answers."""
    operator, reconciler, workspace = SpacyOperator(), RulesReconciler(), Workspace()
    for chunk in chunks(document_of(TEXT)):
        local = operator.extract(chunk, workspace)
        workspace = workspace.apply(reconciler.reconcile(workspace, local, chunk))
    workspace = workspace.apply(reconciler.finish(workspace))
    cue = parse_question(question, Names.of(workspace))
    shown = as_read(Evidence((Item(TEXT, (), 3, 1.0),), 0), "de")[0]
    assert shown.startswith("Kapitel 3")
    return answer_from(cue, answer_cue(workspace, cue), "de").items


def test_the_whole_path_goes_by_the_tables(folder):
    assert language_of(TEXT) == "de" != language_of("She came to Leeds and was tired.")
    assert [TEXT[a:b][-1] for a, b in sentences(TEXT, "de")] == [".", "."]
    days = [date.value for date in find_dates(TEXT, language="de")]
    assert days == ["2024-05-07", "2024-05-08"]
    cue = parse_question("Wann war Anna Roth zuletzt in Hamburg?", Names())
    assert (cue.asked, cue.order) == ("times", "latest")
    assert answer("Wann war Anna Roth?") == ("7.5.2024",)


@pytest.mark.parametrize("table", sorted(TABLES.keys() - {"abbreviations.tsv"}))
def test_a_missing_table_is_said_by_name(folder, table):
    (folder / table).unlink()
    said = f"German has no table {table.partition('.')[0]}"
    with pytest.raises(GswlabError, match=said):
        answer("Wann war Anna Roth?")


def test_without_its_folder_a_code_is_no_language():
    with pytest.raises(GswlabError, match="no language 'de'"):
        of("de")
