"""Texts as they are: documents, sentences, chunks, dates and token counts, as spans."""

from gswlab.text.chunks import chunks, titled
from gswlab.text.dates import DateMention, find_dates, format_date, normalise_date
from gswlab.text.document import Chapter, Document, document_of, read_document
from gswlab.text.language import Language, language_of
from gswlab.text.sentences import sentences
from gswlab.text.tokens import count_tokens

__all__ = [
    "Chapter",
    "DateMention",
    "Document",
    "Language",
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
