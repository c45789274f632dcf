"""What Japanese says somebody is: 容疑者の佐藤健, 太郎は記者だ, 花子の弟, 先生."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Token

from gswlab.core.nouns import Actor, Relation, Role
from gswlab.core.workspace import Workspace
from gswlab.operator.cast import Cast, Member
from gswlab.operator.japanese.clauses import denied, particle, words
from gswlab.operator.japanese.runs import is_predicate, subject_of
from gswlab.operator.japanese.votes import is_role

SENSEI = "先生"


def named_after(head: Token) -> list[Token]:
    """The name a role noun stands before, as tokens: 佐藤健 for 容疑者の佐藤健."""
    name = head.head
    role = head.dep_ == "nmod" and particle(head) == "の" and is_role(head)
    titled = name.text in words("suffix")
    if not role or not ("人名" in name.tag_ or name.ent_type_ == "Person" or titled):
        return []
    parts = [c for c in name.lefts if c.dep_ == "compound"]
    return parts if titled and parts else [*parts, name]


def said_of(head: Token) -> Token | None:
    """Of whom a predicate noun is said: 太郎 for 記者 in 太郎は記者である."""
    said = is_predicate(head) and is_role(head) and not denied(head)
    return subject_of(head) if said else None


def add_role(cast: Cast, member: Member, tokens: Sequence[Token]) -> None:
    """A role of a member, once."""
    parsed = cast.parsed
    role = Role(parsed.text(tokens), (parsed.over(tokens),), parsed.chunk.id)
    if role.text not in {r.text for r in member.roles}:
        member.roles.append(role)


def master(cast: Cast, workspace: Workspace) -> str:
    """What 先生 alone is here: the role of the one teacher or doctor already met."""
    teachers = words("called_sensei")
    here = [m.roles for m in cast if m.form != "nominal"]
    chapter = workspace.in_chapter("actor", cast.parsed.chunk.chapter)
    met = here + [a.roles for a in chapter if isinstance(a, Actor)]
    known = [[r.text for r in roles] for roles in met]
    if any(SENSEI in roles for roles in known):
        return SENSEI
    fits = {role for roles in known for role in roles if role in teachers}
    return fits.pop() if len(fits) == 1 else SENSEI


def find_relations(cast: Cast) -> tuple[Relation, ...]:
    """Ties a relational noun names: 花子の弟 gives "弟 of"."""
    found: dict[tuple[str, str, str], Relation] = {}
    for token in cast.parsed.doc:
        owner, member = cast.headed(token), cast.headed(token.head)
        related = token.dep_ == "nmod" and particle(token) == "の"
        kin = token.head.text in words("kin")
        if related and kin and owner and member and owner is not member:
            key = (member.id, owner.id, f"{token.head.text} of")
            span = cast.parsed.over([token, token.head])
            chunk = cast.parsed.chunk.id
            new = f"r{len(found) + 1}"
            found.setdefault(key, Relation(new, *key, "stated", (span,), chunk))
    return tuple(found.values())
