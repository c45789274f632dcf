"""From a parse to its cast: dates, names, common nouns and pronouns, left to right.

Names come first because short forms ("Ray") must find the full one ("Ann Ray") even
when it follows; then everything is met in the order of the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.core.nouns import MentionForm
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator import coreference as coref
from gswlab.gsw.operator import turns
from gswlab.gsw.operator.actor_kinds import vote_agency, vote_kind
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.coreference import Apart
from gswlab.gsw.operator.entities import sort_of
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.names import Name, find_names
from gswlab.gsw.operator.nominals import GENDERED, add_nominals, add_predicates
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.lexicon import noun_class, words

_MOST = 0.5  # odds from which on a name's noun has a vote


def find_cast(
    parsed: Parsed, clauses: Sequence[Clause], apart: Apart, workspace: Workspace
) -> Cast:
    """Everyone and everything the chunk speaks of, with their mentions."""
    cast = dated_cast(parsed)
    add_names(cast, clauses, workspace)
    _sort_names(cast)
    turns.add_speaker(cast, workspace)
    add_nominals(cast)
    acting = [c for c in clauses if c.objects and not c.passive]
    for verb, token in ((c.verb, token) for c in acting for token in c.subjects):
        # Whatever asks or thanks is somebody, and a bank that acts is no building.
        noun, span = cast.headed(token), parsed.over([token, verb])
        house = token.lemma_.lower() in words("institution")
        if noun is None or noun.form != "nominal":
            continue
        if house and verb.lemma_ not in words("adjoining"):
            noun.vote("organisation", 1.2, f"does something: {verb.lemma_}", span)
        elif verb.lemma_ in words("of_persons"):
            noun.vote("person", 1.6, f"acts as a person: {verb.lemma_}", span)
    coref.add_pronouns(cast, clauses, apart)
    add_predicates(cast, clauses)
    return cast


def dated_cast(parsed: Parsed) -> Cast:
    """A cast with the dates of a chunk: one actor a day, however often it is told."""
    cast, dates = Cast(parsed), dict[str, Member]()
    for date in parsed.dates:
        if tokens := parsed.within(date.start, date.end):
            key, inside = date.value or date.text, {t.i for t in tokens}
            member = dates[key] = dates.get(key) or cast.add(date.text, "date")
            member.value = date.value
            member.alias(date.text)
            span = parsed.span(date.start, date.end)
            member.vote("time", 3.0, "a date or time expression", span)
            top = next((t for t in tokens if t.head.i not in inside), tokens[-1])
            cast.mention(member, tokens, top, "date")
    return cast


def add_names(cast: Cast, clauses: Sequence[Clause], workspace: Workspace) -> None:
    """Give every name its member, with the votes of rules for its kind."""
    parsed = cast.parsed

    def known(text: str) -> bool:
        met = (a for a in workspace.named(text) if a.kind != "time")
        return any(text in (a.name, *a.aliases, *a.name.split()) for a in met)

    names, members = find_names(parsed, known), dict[str, Member]()
    full = _full_names(names)
    for name in names:
        text = full[name.text]
        if (member := members.get(text)) is None:
            member = members[text] = cast.add(text, "name")
            met = (a for a in workspace.named(text) if text in (a.name, *a.aliases))
            member.prior = next((actor.kind for actor in met), None)
        form: MentionForm = "name" if name.text == text else "short"
        cast.mention(member, (*name.titles, *name.tokens), name.head, form)
        member.alias(name.text)
        if name.titles:
            member.alias(parsed.text((*name.titles, *name.tokens)))
        _entitle(cast, member, name)
        vote_kind(parsed, member, name)
    for clause in clauses:
        for token in clause.subjects:
            headed = cast.headed(token)
            if headed is not None and headed.form == "name":
                vote_agency(parsed, headed, clause, token)


def _sort_names(cast: Cast) -> None:
    """Which sort of place or people each name is; its kind is what rules vote for."""
    for member in (m for m in cast if m.form == "name"):
        kind = member.kind
        for head, mention in zip(member.heads, member.mentions, strict=True):
            sort = sort_of(head, cast.parsed.marked(head), kind)
            if sort.sort is not None and sort.odds >= _MOST:
                member.sort(sort, head.text, mention.span)


def _entitle(cast: Cast, member: Member, name: Name) -> None:
    """What titles say: gender, and of office a role ("Professor", but not "Mr")."""
    for title in name.titles:
        office = noun_class(title.text).startswith("person")
        if office and title.lower_ in words("honorific"):
            cast.give_role(member, title.lower_, [title])
    kin = [t for t in name.tokens[:1] if t.lower_ in words("kin_title")]
    for word in (token.lower_ for token in (*name.titles, *kin)):
        said = [gender for gender in "mf" if word in words(f"honorific_{gender}")]
        told = member.gender or GENDERED.get(noun_class(word))
        member.gender = said[-1] if said else told


def _full_names(names: Sequence[Name]) -> dict[str, str]:
    """Each form to the longest name it is an end of: "Ann" or "Ray" of "Ann Ray"."""
    heads = words("place_head") | words("organisation_head")
    texts = dict.fromkeys(name.text for name in names)
    ends: dict[str, list[str]] = {text: [] for text in texts}
    for text in texts:
        parts = text.split()
        if len(parts) > 1 and parts[-1].lower() not in heads:
            for end in {parts[0], parts[-1]} & ends.keys():
                ends[end].append(text)
    full = {text: own[0] if len(own) == 1 else text for text, own in ends.items()}
    return {text: full.get(full[text], full[text]) for text in full}
