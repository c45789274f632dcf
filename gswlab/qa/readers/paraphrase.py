"""What a sentence says of a question in other words: "lodges" where "stays" is asked.

Each word of a question that a sentence has not got is held against the sentence's own
by their vectors, each read with the words around it (BERTScore's matching: Zhang et
al. 2020, section 3). The least alike counts, and how alike the two are as wholes. A
noun that stands in the sentences before, and names there, need no counterpart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from gswlab.core.nouns import Item
from gswlab.models.vectors.minilm import word_vectors
from gswlab.qa.passages import content_words
from gswlab.qa.readers.typed import NearSentence, QuestionWords, read_off

# Of the questions in texts/genres and texts/asked that are looked at, 63 of 140 of such
# types are rightly answered at this bar (40 in the text's own words alone), and 4 of 66
# that the text does not answer (1).
ALIKE = 0.475


def paraphrased(
    question: str, near: Sequence[tuple[Item, NearSentence]]
) -> tuple[Item, str] | None:
    """The sentence most alike a question that tells what it asks, and what it tells.

    None where no sentence is as alike as `ALIKE`.
    """
    asked = QuestionWords(question)
    meant = ((item, replace(told, is_meant=True)) for item, told in near)
    read = ((item, told, read_off(question, told)) for item, told in meant)
    alike = [
        (likeness_of(asked, told), item, said) for item, told, said in read if said
    ]
    score, item, said = max(alike, key=itemgetter(0), default=(0.0, None, ""))
    return (item, said) if item and score >= ALIKE else None


def likeness_of(asked: QuestionWords, passage: NearSentence) -> float:
    """How alike a question and a sentence are, 0 to 1: words and wholes, in the mean.

    >>> asked = QuestionWords("Where is Edwin staying?")
    >>> likeness_of(asked, NearSentence("Edwin is lodging over a shop.")) > ALIKE
    True
    >>> likeness_of(asked, NearSentence("Edwin broke a window over a shop.")) > ALIKE
    False
    """
    if not passage.own & asked.all or not asked.names <= passage.all_near:
        return 0.0
    missing = {*asked.common} - passage.own - (asked.nouns & passage.all_near)
    one, other = word_vectors(asked.text), word_vectors(passage.text)
    rows = [n for n, word in enumerate(one.words) if missing & {*content_words(word)}]
    cosines = one.vectors[rows] @ other.vectors.T
    least = float(cosines.max(axis=1).min()) if cosines.size else ALIKE
    return (least + float(one.whole @ other.whole)) / 2
