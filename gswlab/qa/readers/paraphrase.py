"""What a sentence says of a question in other words: "lodges" where "stays" is asked.

Each word of a question that a sentence has not got is held against the sentence's own
by their vectors, each read with the words around it (BERTScore's matching: Zhang et
al. 2020, section 3). The least alike counts. A noun that stands in the sentences
before, and names there, need no counterpart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gswlab.core.nouns import Item
from gswlab.models.vectors.minilm import word_vectors
from gswlab.qa.passages import content_words
from gswlab.qa.question.answer_type import answer_type
from gswlab.qa.readers.typed import NearSentence, QuestionWords, read_off

# Below it, one in forty questions of texts/genres and texts/asked (the halves that are
# looked at) is answered from a text without the sentence that answers it; here, none.
ALIKE = 0.45
_TYPES = ("time", "place", "number", "reason", "duration")


def paraphrased(
    question: str, near: Sequence[tuple[Item, NearSentence]]
) -> tuple[Item, str] | None:
    """The sentence most alike a question that tells what it asks, and what it tells.

    None where no sentence is as alike as `ALIKE`, or the question asks of no day,
    place, number or reason.
    """
    if answer_type(question) not in _TYPES:
        return None
    asked = QuestionWords(question)
    alike = [(least_alike(asked, told), -row) for row, (_, told) in enumerate(near)]
    for score, row in sorted(alike, reverse=True):
        item, told = near[-row]
        if score < ALIKE:
            break
        if found := read_off(question, replace(told, share=1.0, is_meant=True)):
            return item, found
    return None


def least_alike(asked: QuestionWords, passage: NearSentence) -> float:
    """The cosine of the question's word that is least alike any of a sentence, 0 to 1.

    >>> asked = QuestionWords("Where is Edwin staying?")
    >>> least_alike(asked, NearSentence("Edwin is lodging over a shop.")) > ALIKE
    True
    >>> least_alike(asked, NearSentence("Edwin broke a window over a shop."))  > ALIKE
    False
    """
    said = passage.own & asked.names.union(asked.common)
    if not said or not asked.names <= passage.all_near:
        return 0.0
    here = passage.own | (asked.nouns & passage.all_near)
    missing = {*asked.common} - here
    if not missing:
        return ALIKE  # what it has not got stands before it
    words, vectors = word_vectors(asked.text)
    rows = [row for row, word in enumerate(words) if missing & {*content_words(word)}]
    cosines = vectors[rows] @ word_vectors(passage.text)[1].T
    return float(cosines.max(axis=1).min()) if cosines.size else 0.0
