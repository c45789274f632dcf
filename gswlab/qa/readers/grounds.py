"""What an answer rests on: how sure it is that a sentence says what is asked.

Hard exclusions first: a name that is nowhere near, a verb that has no other word
("born"), another number. What is left is weighed by one learned log-linear score
(`language/en/answers.tsv`, a column a type of answer): the question's words in the
sentence and around it, what lies between them and the answer, which wording found it,
and how alike question and sentence are, as wholes and word by word (BERTScore's
matching: Zhang et al. 2020, section 3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

from gswlab.core.nouns import Item
from gswlab.language.language import asked_in
from gswlab.language.lexicon import words
from gswlab.language.log_linear import log_linear
from gswlab.models.vectors.minilm import word_vectors
from gswlab.qa.question.asked_for import answer_type
from gswlab.qa.question.stopwords import like
from gswlab.qa.readers.typed import (
    Finding,
    NearSentence,
    QuestionWords,
    read_particles,
    readings,
    word_set,
)


def read_off(question: str, near: Sequence[Item]) -> tuple[str, Item] | None:
    """The surest that near sentences say of it, if it is likelier right than wrong."""
    kind, table = answer_type(question) or "", log_linear("en/answers.tsv")
    if asked_in(question) == "ja":
        said = ((read_particles(kind, question, item.text), item) for item in near)
        return next(((text, item) for text, item in said if text), None)
    asked = QuestionWords(question)
    found = [
        (table.scores(features)[kind], reading.text, item)
        for item, one in near_sentences(near)
        for reading, features in supported(asked, one)
    ]
    best = max(found, key=itemgetter(0), default=None)
    return best[1:] if best and best[0] >= 0 else None


def near_sentences(near: Sequence[Item]) -> list[tuple[Item, NearSentence]]:
    """Sentences near a question, each as it is read."""
    best = max((item.score for item in near), default=0.0) or 1.0
    return [
        (i, NearSentence(i.text, i.before, i.under[0], i.score / best)) for i in near
    ]


def supported(
    asked: QuestionWords, near: NearSentence
) -> Iterator[tuple[Finding, Mapping[str, float]]]:
    """What a sentence may say of what is asked, each with what speaks for it."""
    missing = {*asked.common} - near.own
    own = missing & words("own_word") or any(word[0].isdigit() for word in missing)
    found = [*readings(asked, near)]
    if own or not found or not asked.names <= near.all_near:
        return
    shared = _of_sentence(asked, near)
    for reading in found:
        if not word_set(reading.text) <= asked.all:
            yield reading, shared | _of_reading(asked, near, reading)


def _of_sentence(asked: QuestionWords, near: NearSentence) -> dict[str, float]:
    """What speaks for a sentence, whatever is read in it."""
    negated = {bool(like("negated").search(text)) for text in (near.text, asked.text)}
    planned = like("will").search(near.text) and not like("will").search(asked.text)
    one, other = word_vectors(asked.text), word_vectors(near.text)
    rows = [n for n, word in enumerate(one.words) if word_set(word) & asked.all]
    cosines = one.vectors[rows] @ other.vectors.T
    return {
        "any": 1.0,
        "worth": near.worth,
        "words near it": len(asked.all & near.all_near) / max(len(asked.all), 1),
        "no name is asked about": float(not asked.names),
        "one is negated": float(len(negated) > 1),
        "is only planned": float(bool(planned)),
        "alike as wholes": float(one.whole @ other.whole),
        "alike word by word": float(cosines.max(axis=1).mean()) if cosines.size else 0,
    }


def _of_reading(
    asked: QuestionWords, near: NearSentence, reading: Finding
) -> dict[str, float]:
    """What speaks for an answer where it stands in its sentence."""
    start, end = reading.at, reading.at + len(reading.text)
    hits = re.finditer(r"\w[\w'’-]*", near.text)
    spoken = [(hit.span(), word_set(hit.group()) & asked.all) for hit in hits]
    spoken = [(at, held) for at, held in spoken if at[1] <= start or end <= at[0]]
    places = [at for at, held in spoken if held & {*asked.common}]
    gaps = [near.text[b:start] if b <= start else near.text[end:a] for a, b in places]
    whole = not gaps or start < 0  # of which nothing is told beside it
    gap = "" if whole else min(gaps, key=len)
    outside, own = {w for _, held in spoken for w in held}, word_set(reading.text)
    return {
        f"found as {reading.how}": 1.0,
        "how far": 3.0 if whole else min(len(gap) / 20, 5.0),
        "marks between": len(like("between").findall(gap)),
        "behind the question's words": float(any(b <= start for _, b in places)),
        "words outside it": len(outside) / max(len(asked.all), 1),
        "words in it that are asked": len(own & asked.all) / max(len(own), 1),
    }
