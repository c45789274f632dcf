"""Where: votes for the place a scene happens at, by the particle after it.

で and に put the scene there, へ and まで go there, から leaves. A place that owns part
of the scene (横浜の港で) is judged by what follows that part.
"""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from gswlab.core.nouns import Vote
from gswlab.operator.cast import Cast
from gswlab.operator.japanese.binding.grammar import does, verb_of
from gswlab.operator.japanese.clauses import particle
from gswlab.operator.parse import Parsed

NOMINAL = 0.05  # 台所 binds only where nothing is named
WRITTEN = 0.1  # what a ticket says is not where it is read
OWNER = 0.8  # 横浜の港で: the scene is at what it owns


def venue_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """A vote for each mention of what may be a place."""
    for member in cast:
        if member.score("place") <= 0:
            continue
        for head, mention in zip(member.heads, member.mentions, strict=True):
            if mention.form not in ("name", "short", "nominal"):
                continue
            token = parsed.doc[head]
            weight, reason = judged(token)
            if mention.form == "nominal":
                weight *= NOMINAL
            if parsed.quote(token) is not None:
                weight, reason = 0.7 * weight, f"{reason}, in a quotation"
            yield Vote("place", member.id, round(weight, 3), reason, (mention.span,))


def judged(token: Token) -> tuple[float, str]:
    """Weight and reason of one mention as the scene's place."""
    marks, verb = particle(token), verb_of(token)
    if marks.startswith("と") and does(verb, "writing_verb"):
        return WRITTEN, "it is what is written"
    if marks.startswith("から"):
        return 0.2, "から points elsewhere"
    if verb is not None and does(verb, "away_verb"):
        return 0.2, f"{verb.lemma_!r} points elsewhere"
    if marks.startswith("の") and token.dep_ == "nmod":
        weight, reason = judged(token.head)
        return round(OWNER * weight, 3), f"part of it: {reason}"
    case = marks.rstrip("はも") or marks
    if case == "で":
        return 2.0, "で puts the scene there"
    if case == "に":
        stays = does(verb, "stay_verb")
        return (2.2, "に: someone is there") if stays else (1.8, "に puts it there")
    if case in ("へ", "まで"):
        return (
            1.4 if does(verb, "motion_verb") else 1.0
        ), f"{case}: someone goes there"
    if case == "を":
        reached = does(verb, "reach_verb")
        return (2.5, "someone visits it") if reached else (0.6, "object of a verb")
    if case in ("は", "が", "も"):
        return 1.0, "it is what the clause is about"
    return 0.7, "it is mentioned"
