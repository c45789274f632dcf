"""The actors of a reply as the cast of a chunk: what every later stage reads.

What a model says of a kind is one vote. Forms (name, noun, pronoun, date) and genders
are read off the words of the passage; a day is read by the calendar, as everywhere.
"""

from __future__ import annotations

from typing import NamedTuple

from spacy.tokens import Span as Run
from spacy.tokens import Token

from gswlab.core.nouns import Mention, MentionForm, Role, Span, State
from gswlab.language.dates.find import DateMention
from gswlab.language.names import likeness
from gswlab.operator.cast import Cast, Member
from gswlab.operator.coref import FIRST
from gswlab.operator.japanese import actors as japanese
from gswlab.operator.llm.grounding import Ground, Grounded, Told
from gswlab.operator.llm.place import Place
from gswlab.operator.parse import Parsed
from gswlab.operator.salience import GENDER

SAID = 2.0  # weight of a kind that a model gives: more than a label, less than a title
DATED = 3.0  # and where the calendar agrees
_ORDER = ("date", "name", "nominal", "narrator", "pronoun")


def cast_of(parsed: Parsed, found: Ground) -> Cast:
    """The cast of a chunk, its members in the order and with the ids of the actors."""
    cast = Cast(parsed)
    for actor in found.actors:
        _add(cast, actor)
    return cast


class Seen(NamedTuple):
    """One mention of an actor: where, in which form, and the date that it is."""

    place: Place
    form: MentionForm
    text: str
    run: Run
    date: DateMention | None


def _add(cast: Cast, actor: Grounded) -> None:
    parsed = cast.parsed
    seen = [_seen(parsed, actor, place) for place in sorted(actor.places)]
    seen = list({mention.place: mention for mention in seen}.values())
    best = min(seen, key=_telling)
    member = cast.add(_named(best), best.form)
    for place, form, text, run, _ in seen:
        if form == "name" and likeness(text, member.name, actor.kind) == "short":
            form = "short"
        cast.mention(member, list(run), run.root, form)
        exact = Mention(parsed.span(*place), form, parsed.chunk.id, text)
        member.mentions[-1] = exact  # a token may be longer than a name
        if form in ("name", "short"):
            member.alias(text)
    member.gender = _gender([mention.text.lower() for mention in seen])
    member.plural = all(mention.run.root.tag_ == "NNS" for mention in seen)
    date = next((mention.date for mention in seen if mention.date), None)
    _describe(member, actor, parsed, date)


def _seen(parsed: Parsed, actor: Grounded, place: Place) -> Seen:
    """A mention; of a time, the whole date that the calendar finds there."""
    dates = parsed.dates if actor.kind == "time" else ()
    here = (d for d in dates if place.meets(Place(d.start, d.end)))
    if date := next(here, None):
        place = Place(date.start, date.end)
    text = parsed.chunk.text[slice(*place)]
    run = parsed.doc.char_span(*place, alignment_mode="expand")
    assert run is not None, f"{place} is no place of {parsed.chunk.id}"
    form = "date" if actor.kind == "time" else _form(parsed, text.lower(), run)
    return Seen(place, form, text, run, date)


def _form(parsed: Parsed, word: str, run: Run) -> MentionForm:
    if word in GENDER:
        return "pronoun"
    if word in FIRST:  # an I in a quotation is not the narrator's
        return "nominal" if parsed.quote(run.root) else "narrator"
    if parsed.language == "ja":
        proper = any(map(japanese.is_name, run)) or japanese.is_place_name(list(run))
    else:
        proper = any(map(_is_proper, run))
    return "name" if proper else "nominal"


def _is_proper(token: Token) -> bool:
    """Whether a word with a capital has it for being a name's."""
    named = token.pos_ == "PROPN" or not token.is_sent_start
    return named and token.text[:1].isupper()


def _telling(mention: Seen) -> tuple[int, int]:
    """The fullest name comes first, then nouns; of pronouns the first."""
    longer = mention.form in ("name", "nominal")
    return _ORDER.index(mention.form), -len(mention.text) if longer else 0


def _named(mention: Seen) -> str:
    """The name of a member: a noun that opens a sentence loses its capital."""
    text = " ".join(mention.text.split())
    if mention.form == "narrator" and text.isascii():
        return "I"
    opens = mention.form == "nominal" and mention.run[0].is_sent_start
    if mention.form == "pronoun" or opens:
        return text[0].lower() + text[1:]
    return text


def _gender(texts: list[str]) -> str | None:
    """What the pronouns say; a mere "they" only of who has no other word."""
    said = [GENDER[text] for text in texts if text in GENDER]
    own = [gender for gender in said if gender in ("f", "m")]
    return next(iter(own or (said if len(said) == len(texts) else [])), None)


def _describe(
    member: Member, actor: Grounded, parsed: Parsed, date: DateMention | None
) -> None:
    spans = [mention.span for mention in member.mentions[:1]]
    weight = DATED if date else SAID
    member.vote(actor.kind, weight, "as the model reads it", *spans)
    member.value = date.value if date else None

    def over(told: Told) -> tuple[Span]:
        return (parsed.span(*told.place),)

    chunk = parsed.chunk.id
    member.roles = [Role(told.text, over(told), chunk) for told in actor.roles]
    member.states = [
        State(told.text, over(told), chunk, told.role) for told in actor.states
    ]
