"""Texts as they are: documents, sentences, chunks, dates and token counts, as spans."""

from gswlab.core.budget import count_tokens
from gswlab.core.document import Chapter, Document
from gswlab.language.dates.find import DateMention, find_dates
from gswlab.language.dates.format import format_date, normalise_date
from gswlab.language.language import language_of
from gswlab.text.chunks import chunks, titled
from gswlab.text.document import document_of, read_document
from gswlab.text.sentences import sentences

__all__ = [
    "Chapter",
    "DateMention",
    "Document",
    "chunks",
    "count_tokens",
    "document_of",
    "find_dates",
    "format_date",
    "language_of",
    "normalise_date",
    "read_document",
    "sentences",
    "titled",
]
