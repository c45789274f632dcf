"""From a parse to its cast: dates, names, common nouns and pronouns, left to right.

Names come first because short forms ("Ray") must find the full one ("Ann Ray") even
when it follows; then everything is met in the order of the text, so that a pronoun
looks back on what stands before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Token

from gswlab.core.nouns import ActorKind, MentionForm, Role
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator import coreference as coref
from gswlab.gsw.operator.actor_kinds import vote_addressed, vote_agency, vote_kind
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.coreference import Apart
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.names import Name, find_names
from gswlab.gsw.operator.nominals import GENDERED, add_nominals
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.lexicon import noun_class, words

_PERSONAL = frozenset({"ask", "beg", "congratulate", "greet", "thank"})


def find_cast(
    parsed: Parsed, clauses: Sequence[Clause], apart: Apart, workspace: Workspace
) -> Cast:
    """Everyone and everything the chunk speaks of, with their mentions."""
    cast = Cast(parsed)
    _add_dates(cast)
    _add_names(cast, clauses, workspace)
    add_nominals(cast)
    for clause in clauses:
        _vote_nominals(cast, clause)
    coref.add_pronouns(cast, clauses, apart)
    return cast


def _add_dates(cast: Cast) -> None:
    parsed, seen = cast.parsed, dict[str, Member]()
    for date in parsed.dates:
        tokens = [t for t in parsed.doc if date.start <= t.idx < date.end]
        if not tokens:
            continue
        member = seen.get(date.value or date.text)
        if member is None:
            member = seen[date.value or date.text] = cast.add(date.text, "date")
            member.value = date.value
        member.alias(date.text)
        span = parsed.span(date.start, date.end)
        member.vote("time", 3.0, "a date or time expression", span)
        cast.mention(member, tokens, _top(tokens), "date")


def _top(tokens: Sequence[Token]) -> Token:
    inside = {t.i for t in tokens}
    return next((t for t in tokens if t.head.i not in inside), tokens[-1])


def _add_names(cast: Cast, clauses: Sequence[Clause], workspace: Workspace) -> None:
    names = find_names(cast.parsed, lambda text: _known(workspace, text))
    full = _full_names(names, workspace)
    members: dict[str, Member] = {}
    for name in names:
        text = full[name.text]
        member = members.get(text)
        if member is None:
            member = members[text] = cast.add(text, "name")
            member.prior = _prior(workspace, text)
        form: MentionForm = "name" if name.text == text else "short"
        cast.mention(member, (*name.titles, *name.tokens), name.head, form)
        member.alias(name.text)
        if name.titles:
            member.alias(cast.parsed.text((*name.titles, *name.tokens)))
            _title_roles(cast, member, name)
        vote_kind(cast.parsed, member, name)
        _gender(member, name)
    for clause in clauses:
        _vote_clause(cast, clause)


def _title_roles(cast: Cast, member: Member, name: Name) -> None:
    """A title of office is a role: "Professor", but not "Mr"."""
    parsed = cast.parsed
    for title in name.titles:
        role = Role(title.lower_, (parsed.over([title]),), parsed.chunk.id)
        known = {r.text for r in member.roles}
        office = noun_class(title.text).startswith("person")
        neutral = title.lower_ in words("honorific")
        if office and neutral and role.text not in known:
            member.roles.append(role)


def _vote_clause(cast: Cast, clause: Clause) -> None:
    for token in clause.subjects:
        member = cast.headed(token)
        if member is not None and member.form == "name":
            vote_agency(cast.parsed, member, clause, token)
    for token in (*clause.objects, *clause.recipients):
        member = cast.headed(token)
        if member is not None and member.form == "name":
            vote_addressed(cast.parsed, member, clause, token)


def _vote_nominals(cast: Cast, clause: Clause) -> None:
    """Whatever asks or thanks is somebody, and a bank that acts is no building."""
    verb = clause.verb.lemma_
    for token in clause.subjects if clause.objects and not clause.passive else ():
        member, span = cast.headed(token), cast.parsed.over([token, clause.verb])
        if member is None or member.form != "nominal":
            continue
        house = token.lemma_.lower() in words("institution")
        if house and verb not in words("adjoining"):
            member.vote("organisation", 1.2, f"does something: {verb}", span)
        elif verb in _PERSONAL:
            member.vote("person", 1.6, f"acts as a person: {verb}", span)


def _known(workspace: Workspace, text: str) -> bool:
    return any(
        text in (actor.name, *actor.aliases, *actor.name.split())
        for actor in workspace.named(text)
        if actor.kind != "time"
    )


def _prior(workspace: Workspace, text: str) -> ActorKind | None:
    found = [a.kind for a in workspace.named(text) if text in (a.name, *a.aliases)]
    return found[0] if found else None


def _full_names(names: Sequence[Name], workspace: Workspace) -> dict[str, str]:
    """Each surface form to the longest name of the chunk it can be short for."""
    texts = dict.fromkeys(name.text for name in names)
    titled = {n.text for n in names if n.titles}
    full = {}
    for text in texts:
        longer = [t for t in texts if _shortens(text, t, text in titled)]
        full[text] = longer[0] if len(longer) == 1 else text
    return {text: full.get(full[text], full[text]) for text in full}


def _shortens(short: str, long: str, titled: bool) -> bool:
    """Whether a name is the first or last word of another: "Ann", "Ray", "Ann Ray"."""
    parts = long.split()
    if short == long or len(parts) < 2 or " " in short:
        return False
    if parts[-1].lower() in words("place_head") | words("organisation_head"):
        return False
    return short == parts[0] or short == parts[-1]


def _gender(member: Member, name: Name) -> None:
    kin = [t for t in name.tokens[:1] if t.lower_ in words("kin_title")]
    for title in (*name.titles, *kin):
        word = title.lower_
        if word in words("honorific_f"):
            member.gender = "f"
        elif word in words("honorific_m"):
            member.gender = "m"
        else:
            member.gender = member.gender or GENDERED.get(noun_class(word))
