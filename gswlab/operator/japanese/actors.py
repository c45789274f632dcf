"""Japanese actors: GiNZA's fine labels, name suffixes and a general word list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from gswlab.operator import coref
from gswlab.operator.apart import Apart
from gswlab.operator.cast import Cast, Member
from gswlab.operator.clauses import Clause
from gswlab.operator.japanese.clauses import particle, words
from gswlab.operator.lexicon import groups
from gswlab.operator.parse import Parsed
from gswlab.workspace.nouns import MentionForm, Relation, Role

_NOUNS = ("NOUN", "PROPN")
_ARGUMENTS = frozenset({"nsubj", "obj", "obl", "iobj", "nmod", "ROOT"})


def find_cast(parsed: Parsed, clauses: Sequence[Clause], apart: Apart) -> Cast:
    """Dates, names, common nouns and pronouns of a Japanese chunk."""
    cast = Cast(parsed)
    for date in parsed.dates:
        tokens = [t for t in parsed.doc if date.start <= t.idx < date.end]
        if tokens:
            member = cast.add(date.text, "date")
            member.value = date.value
            member.vote("time", 3.0, "a date or time expression", parsed.over(tokens))
            cast.mention(member, tokens, tokens[-1], "date")
    members: dict[str, Member] = {}
    _titles(cast)
    for run in _runs(cast):
        _add(cast, members, run)
    coref.add_pronouns(cast, clauses, apart)
    return cast


def _titles(cast: Cast) -> None:
    """Works named in 『』."""
    parsed = cast.parsed
    for quote in parsed.quotes:
        inside = [t for t in parsed.doc if quote.start < t.idx < quote.end - 1]
        if quote.title and inside:
            member = cast.add(parsed.text(inside), "name")
            member.vote("work", 2.0, "a title in 『』", parsed.over(inside))
            cast.mention(member, inside, inside[-1], "name")


def _runs(cast: Cast) -> Iterator[list[Token]]:
    """Noun phrases: a noun that is an argument, with its compounds before it."""
    for token in cast.parsed.doc:
        called = "人名" in token.tag_ and token.dep_ != "compound"  # 「佐藤です」
        if token.pos_ not in _NOUNS or not (called or token.dep_ in _ARGUMENTS):
            continue
        if cast.at(token) is not None or token.ent_type_ in ("Date", "Time"):
            continue
        if _family(token) and token.i + 1 < len(token.doc) and _given(token.nbor()):
            continue  # read with the given name, however the parser ties them
        parts = [c for c in token.lefts if c.dep_ in ("compound", "nummod")]
        if _given(token) and token.i and _family(token.nbor(-1)) and not parts:
            parts = [token.nbor(-1)]
        yield [*parts, token]


def _family(token: Token) -> bool:
    return token.tag_.endswith("人名-姓")


def _given(token: Token) -> bool:
    return token.tag_.endswith("人名-名")


def _add(cast: Cast, members: dict[str, Member], run: Sequence[Token]) -> None:
    parsed, head = cast.parsed, run[-1]
    titled = head.text in words("suffix") and len(run) > 1
    named = list(run[:-1] if titled else run)
    text = parsed.text(named)
    proper = titled or any("固有名詞" in t.tag_ for t in named)
    form: MentionForm = "name" if proper else "nominal"
    owner = _owner(cast, members, head) if form == "nominal" else None
    full = _full(members, text) if form == "name" else None
    member = owner or members.get(text) or full
    if form == "name" and member is not None and member.name != text:
        form = "short"
    if member is None:
        member = members[text] = cast.add(text, form)
        _votes(cast, member, named, head if titled else None)
    if proper and not titled and particle(head).startswith(("で", "へ")):
        span = parsed.over(run)
        member.vote("place", 1.0, "で or へ puts something there", span)
    cast.mention(member, run, head, form)
    if titled:
        member.alias(parsed.text(run))
    role = head.text in words("suffix_role") if titled else form == "nominal"
    if role and member.kind == "person":
        _role(cast, member, [head] if titled else run)


def _full(members: dict[str, Member], text: str) -> Member | None:
    """The one full name a family name opens: 山田 for 山田太郎."""
    longer = [
        member
        for name, member in members.items()
        if name.startswith(text) and member.form == "name" and member.kind == "person"
    ]
    return longer[0] if len(longer) == 1 else None


def _owner(cast: Cast, members: dict[str, Member], head: Token) -> Member | None:
    """The name a role noun stands before: 容疑者の佐藤健 is one person."""
    name = head.head
    role = head.dep_ == "nmod" and particle(head) == "の" and _is_person(head)
    if not role or ("人名" not in name.tag_ and name.text not in words("suffix")):
        return None
    parts = [c for c in name.lefts if c.dep_ == "compound"]
    run = parts if name.text in words("suffix") else [*parts, name]
    text = cast.parsed.text(run) if run else name.text
    if text not in members:
        members[text] = cast.add(text, "name")
        _votes(cast, members[text], run or [name], None)
    return members[text]


def _is_person(token: Token) -> bool:
    return token.text in words("person") or token.ent_type_ == "Position_Vocation"


def _votes(
    cast: Cast, member: Member, tokens: Sequence[Token], suffix: Token | None
) -> None:
    span, last = cast.parsed.over(tokens), tokens[-1]
    if suffix is not None:
        member.vote("person", 3.0, f"suffix {suffix.text}", span)
    for kind, labels in groups("labels_ja.tsv").items():
        if last.ent_type_ in labels:
            member.vote(kind, 1.0, f"parser label {last.ent_type_}", span)
    if "人名" in last.tag_:
        member.vote("person", 1.0, "tagged as a personal name", span)
    if "地名" in last.tag_:
        member.vote("place", 1.5, "tagged as a place name", span)
    for group in ("person", "organisation", "place", "work"):
        if last.text in words(group) or _ends(member.name, words(group)):
            member.vote(group, 0.8, f"ends in a word for a {group}", span)
    if _is_person(last) and member.form == "nominal":
        member.vote("person", 0.5, "a role", span)
    if not member.votes:
        kind = "object" if member.form == "nominal" else "abstract"
        member.vote(kind, 0.2, "nothing else is known", span)
    member.gender = _gender(last)


def _gender(last: Token) -> str | None:
    """What a noun or the ending of a given name says: 姉, 恵子; 兄, 太郎."""
    for gender, group in (("f", "female"), ("m", "male")):
        if last.text in words(group):
            return gender
        if (
            _given(last)
            and len(last.text) > 1
            and last.text[-1] in words(f"{group}_ending")
        ):
            return gender
    return None


def _ends(name: str, group: frozenset[str]) -> bool:
    return any(len(word) > 1 and name.endswith(word) for word in sorted(group))


def _role(cast: Cast, member: Member, tokens: Sequence[Token]) -> None:
    parsed = cast.parsed
    role = Role(parsed.text(tokens), (parsed.over(tokens),), parsed.chunk.id)
    if role.text not in {r.text for r in member.roles}:
        member.roles.append(role)


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
