"""The actors of a reply as the cast of a chunk: what every later stage reads.

What a model says of a kind is one vote. Forms (name, noun, pronoun, date) and genders
are read off the words of the passage; a day is read by the calendar, as everywhere.
"""

from __future__ import annotations

from spacy.tokens import Span as Run

from gswlab.operator.cast import Cast, Member
from gswlab.operator.coref import FIRST
from gswlab.operator.llm.grounding import Ground, Grounded, Place, Told
from gswlab.operator.parse import Parsed
from gswlab.operator.salience import GENDER
from gswlab.reconcile.phrases import likeness
from gswlab.text import DateMention
from gswlab.workspace.nouns import Mention, MentionForm, Role, Span, State

SAID = 2.0  # weight of a kind that a model gives: more than a label, less than a title
DATED = 3.0  # and where the calendar agrees
_ORDER = ("date", "name", "nominal", "narrator", "pronoun")


def cast_of(parsed: Parsed, found: Ground) -> Cast:
    """The cast of a chunk, its members in the order and with the ids of the actors."""
    cast = Cast(parsed)
    for actor in found.actors:
        _add(cast, actor)
    return cast


def _add(cast: Cast, actor: Grounded) -> None:
    parsed = cast.parsed
    dates = [_date(parsed, actor, place) for place in sorted(actor.places)]
    where = [
        Place(date.start, date.end) if date else place
        for date, place in zip(dates, sorted(actor.places), strict=True)
    ]
    runs = [_run(parsed, place) for place in where]
    forms = [_form(parsed, actor, run) for run in runs]
    texts = [parsed.chunk.text[slice(*place)] for place in where]
    best = min(range(len(runs)), key=lambda i: (_ORDER.index(forms[i]), -len(texts[i])))
    member = cast.add(_named(texts[best], forms[best], runs[best]), forms[best])
    for place, run, form, text in zip(where, runs, forms, texts, strict=True):
        if form == "name" and likeness(text, member.name, actor.kind) == "short":
            form = "short"
        cast.mention(member, list(run), run.root, form)
        exact = Mention(parsed.span(*place), form, parsed.chunk.id, text)
        member.mentions[-1] = exact  # a token may be longer than a name
        if form in ("name", "short"):
            member.alias(text)
    _describe(member, actor, parsed, next(filter(None, dates), None))
    member.gender = _gender(texts)
    member.plural = all(run.root.tag_ == "NNS" for run in runs)


def _date(parsed: Parsed, actor: Grounded, place: Place) -> DateMention | None:
    """The date that the words of a time are, as far as the calendar knows."""
    here = (d for d in parsed.dates if place.meets(Place(d.start, d.end)))
    return next(here, None) if actor.kind == "time" else None


def _run(parsed: Parsed, place: Place) -> Run:
    run = parsed.doc.char_span(*place, alignment_mode="expand")
    assert run is not None, f"{place} is no place of {parsed.chunk.id}"
    return run


def _form(parsed: Parsed, actor: Grounded, run: Run) -> MentionForm:
    if actor.kind == "time":
        return "date"
    word = run.text.lower()
    if word in GENDER:
        return "pronoun"
    if word in FIRST:  # an I in a quotation is not the narrator's
        return "nominal" if parsed.quote(run.root) else "narrator"
    proper = (
        t.pos_ == "PROPN" or (t.text[:1].isupper() and not t.is_sent_start) for t in run
    )
    return "name" if any(proper) else "nominal"


def _named(text: str, form: MentionForm, run: Run) -> str:
    """The name of a member: a noun that opens a sentence loses its capital."""
    text = " ".join(text.split())
    opens = form == "nominal" and run[0].is_sent_start
    return text[0].lower() + text[1:] if opens else text


def _gender(texts: list[str]) -> str | None:
    """What the pronouns say; a mere "they" only of who has no other word."""
    said = [GENDER[text.lower()] for text in texts if text.lower() in GENDER]
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
