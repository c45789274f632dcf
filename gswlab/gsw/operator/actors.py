"""From a parse to its cast: dates, names, common nouns and pronouns, left to right.

Names come first: a short form ("Ray") must find the full one ("Ann Ray") that follows.
A noun in apposition to a name ("her brother Tom") is that name's mention; every other
noun that is an argument is an actor of its own, or a noun met before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gswlab.core.nouns import MentionForm
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator import actor_kinds as kinds
from gswlab.gsw.operator import coreference as coref
from gswlab.gsw.operator.clauses import is_listed
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.names import TITLES, Name, called, find_names, fullest, opens
from gswlab.language.lexicon import noun_class, noun_kind, words
from gswlab.language.pipeline import Token

_MOST = 0.5  # odds from which on a name's noun has a vote
GENDERED = {"person_f": "f", "person_m": "m"}
BECOMING = frozenset({"be", "become", "remain", "stay"})
_DIRECT = frozenset({"nsubj", "nsubjpass", "dobj"})
_LEFT_OUT = {"advmod", "det", "punct", "cc", "predet", "preconj", "poss", "case"}


def find_cast(cast: Cast, workspace: Workspace) -> None:
    """Add everyone and everything the chunk speaks of, with their mentions."""
    add_dates(cast)
    add_names(cast, workspace)
    for member in (m for m in cast if m.form == "name"):
        # Which sort of place or people it is; its kind is what rules vote for.
        kind = member.kind
        for head, mention in zip(member.heads, member.mentions, strict=True):
            sort = kinds.sort_of(head, cast.parsed.marked(head), kind)
            if sort.odds >= _MOST:
                kinds.vote_sort(member, sort, head.text, mention.span)
    if cast.parsed.chunk.speaker is not None:
        _add_parties(cast, workspace)
    add_nominals(cast)
    acting = [c for c in cast.clauses if c.objects and not c.passive]
    for verb, token in ((c.verb, token) for c in acting for token in c.subjects):
        # Whatever asks or thanks is somebody, and a bank that acts is no building.
        noun, span = cast.headed(token), cast.parsed.over([token, verb])
        house = token.lemma_.lower() in words("institution")
        if noun is None or noun.form != "nominal":
            continue
        if house and verb.lemma_ not in words("adjoining"):
            noun.vote("organisation", 1.2, f"does something: {verb.lemma_}", span)
        elif verb.lemma_ in words("of_persons"):
            noun.vote("person", 1.6, f"acts as a person: {verb.lemma_}", span)
    coref.add_pronouns(cast)
    add_predicates(cast)


def add_dates(cast: Cast) -> None:
    """The dates of a chunk: one actor a day, however often it is told."""
    parsed, dates = cast.parsed, dict[str, Member]()
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


def add_names(cast: Cast, workspace: Workspace) -> None:
    """Give every name its member, with the votes of rules for its kind."""
    parsed = cast.parsed

    def known(text: str) -> bool:
        met = (a for a in workspace.named(text) if a.kind != "time")
        return any(text in (a.name, *a.aliases, *a.name.split()) for a in met)

    names, members = find_names(parsed, known), dict[str, Member]()
    forms = [(called(name, names), name) for name in names]
    full = fullest(dict(reversed(forms)))
    for own, name in forms:
        text = full[own]
        if (member := members.get(text)) is None:
            member = members[text] = cast.add(text, "name")
            met = (a for a in workspace.named(text) if text in (a.name, *a.aliases))
            member.prior = next((actor.kind for actor in met), None)
        form: MentionForm = "name" if own == text else "short"
        cast.mention(member, (*name.titles, *name.tokens), name.head, form)
        member.alias(own)
        if name.titles:
            member.alias(parsed.text((*name.titles, *name.tokens)))
        _entitle(cast, member, name)
        kinds.vote_kind(parsed, member, name)
    for clause in cast.clauses:
        for token in clause.subjects:
            headed = cast.headed(token)
            if headed is not None and headed.form == "name":
                kinds.vote_agency(parsed, headed, clause, token)


def _add_parties(cast: Cast, workspace: Workspace) -> None:
    """Who speaks is named before a turn's words; in it a nick, small, is a name."""
    chunk = cast.parsed.chunk
    cast.party(str(chunk.speaker), chunk.named)
    for token in (token for token in cast.parsed.doc if cast.at(token) is None):
        known = (actor.name for actor in workspace.named(token.text))
        if not token.is_title and token.text in known:
            cast.mention(cast.party(token.text), [token], token, "name")


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


def add_nominals(cast: Cast) -> None:
    """Give every noun phrase that is an argument its member."""
    for head, phrase in _phrases(cast):
        # "one morning" only says when; "the King" and "Mother" are common nouns.
        timed = noun_class(head.lemma_) == "time" or head.lemma_ in words("event_time")
        titled = head.text.islower() or head.lower_ in TITLES
        common = head.pos_ in ("NOUN", "ADJ") or (head.pos_ == "PROPN" and titled)
        if (timed and head.pos_ == "NOUN") or not common or cast.at(head) is not None:
            continue
        tokens = noun_tokens(cast, phrase, head)
        named, span = _beside(cast, head), cast.parsed.over(tokens)
        gender = GENDERED.get(noun_class(head.lemma_))
        if named is not None:
            cast.mention(named, tokens, head, "nominal")
            kind = noun_kind(head.lemma_)
            if kind != "abstract":
                named.vote(kind, 1.5, f"is called a {head.lemma_}", span)
            named.gender = named.gender or gender
        elif _is_argument(head, sort := kinds.sort_of(head, cast.parsed.marked(head))):
            text = " ".join(cast.parsed.text(tokens).split())
            if opens(tokens[0]) and not tokens[0].ent_type_:
                text = text[0].lower() + text[1:]
            member = cast.add(text, "nominal")
            member.gender, member.plural = gender, head.tag_ == "NNS"
            told = f"{head.lemma_} names a kind of {sort.kind}"
            member.vote(sort.kind, 1.0, told, span)
            kinds.vote_sort(member, sort, head.lemma_, span)
            cast.mention(member, tokens, head, "nominal")


def add_predicates(cast: Cast) -> None:
    """A noun that says what a subject is mentions it: "Ann was a sailor"."""
    for clause in cast.clauses:
        told = clause.verb.lemma_ in BECOMING and clause.modality == "asserted"
        subjects = [m for m in map(cast.at, clause.subjects) if m is not None]
        if not told or clause.negated or len(subjects) != 1:
            continue
        for head in (c for c in clause.verb.children if c.dep_ == "attr"):
            sort = kinds.sort_of(head, cast.parsed.marked(head))
            own = subjects[0].form in ("name", "nominal", "narrator")
            fits = own and sort.sort is not None and sort.kind == subjects[0].kind
            if head.pos_ == "NOUN" and fits and cast.at(head) is None:
                tokens = noun_tokens(cast, head.subtree, head)
                cast.mention(subjects[0], tokens, head, "nominal")


def _phrases(cast: Cast) -> Iterator[tuple[Token, Sequence[Token]]]:
    """Noun phrases by their heads: "the miller's boy" holds "the miller" too."""
    for chunk in cast.parsed.doc.noun_chunks:
        for token in chunk:
            if token.dep_ == "poss" and token.pos_ != "PRON":
                yield token, [t for t in chunk if token in (t, *t.ancestors)]
        yield chunk.root, list(chunk)
    for token in cast.parsed.doc:
        # An adjective may stand for a person: "the eldest", "the second" of several.
        the = token.pos_ == "ADJ" and any(c.lower_ == "the" for c in token.children)
        several = the and any(m.plural and m.kind == "person" for m in cast)
        groups = ("by_age", "by_order") if several else ("by_age",)
        named = the and token.dep_ in _DIRECT and token.lower_ in words(*groups)
        if named or kinds.mistaken_place(token):
            yield token, [token]


def _is_argument(head: Token, sort: kinds.Sort) -> bool:
    """Whether the noun is an actor: no predicate, no body part, no bare abstraction."""
    first = head
    while first.dep_ == "conj":
        first = first.head
    # "There is a mill": said of no subject.
    exists = first.dep_ == "attr" and any(c.dep_ == "expl" for c in first.head.children)
    bodily = noun_class(head.lemma_) == "body"
    # "thirty yards": a noun that may name a place, and here only measures
    counted = head.lemma_ == "yard" and any(c.dep_ == "nummod" for c in head.children)
    unreal = bodily or counted or head.lower_ in words("pronominal")
    if unreal or (is_predicate(head) and not exists):
        return False
    if head.dep_ == "pobj" and head.head.lower_ == "as" and not kinds.as_far(head.head):
        return False
    if head.dep_ == "poss":
        return sort.sort is not None
    return sort.kind != "abstract" or head.dep_ in _DIRECT


def is_predicate(noun: Token) -> bool:
    """Whether a noun says what a subject is: "became a priest and later a bishop"."""
    joined = noun.dep_ == "conj" or (noun.dep_ == "appos" and noun.head.pos_ == "NOUN")
    told = noun.dep_ == "conj" and noun.head.lemma_ in BECOMING
    return noun.dep_ in ("attr", "oprd") or told or (joined and is_predicate(noun.head))


def noun_tokens(cast: Cast, phrase: Iterable[Token], head: Token) -> list[Token]:
    """A noun phrase without determiner and possessor; its head, where it names more."""
    left_out = (child for child in head.children if child.dep_ in _LEFT_OUT)
    dropped = {t.i for child in left_out for t in child.subtree}
    kept = [t for t in phrase if t.i not in dropped and not t.is_space]
    joined = {t.i - 1 for t in kept if t.text == "-"}  # the well-known astronomer
    begins = (t.i for t in kept if t.dep_ not in _LEFT_OUT or t.i in joined)
    start = next(begins, head.i)
    own, whose = [t for t in kept if t.i >= start], (None, cast.at(head))
    return own if all(cast.at(token) in whose for token in own) else [head]


def _beside(cast: Cast, head: Token) -> Member | None:
    """The name (or noun) a noun is in apposition with, if their kinds agree."""
    for named in (child for child in head.children if child.dep_ == "acl"):
        if named.lemma_ in ("name", "call"):
            called = (t for t in named.children if t.dep_ in ("oprd", "attr", "dobj"))
            return next(filter(None, map(cast.headed, called)), None)
    if head.tag_ == "NNS" or is_listed(head):
        return None
    partners = [c for c in head.children if c.dep_ == "appos"]
    if head.dep_ == "appos":
        partners.append(head.head)
    for token in (t for t in partners if _touch(head, t)):
        member = cast.headed(token)
        if member is None and token.pos_ == "NOUN" and token.i > head.i:
            member = _beside(cast, token)
        if member and member.form in ("name", "nominal"):
            kind = noun_kind(head.lemma_)
            some = any(c.lower_ in ("a", "an") for c in head.children)
            tight = (some or token.left_edge.i == head.i + 1) and kind != "abstract"
            weak = member.scores[member.kind] < 1.5 and (kind == "person" or tight)
            if weak or member.kind in (kind, "abstract"):
                return member
    return None


def _touch(one: Token, two: Token) -> bool:
    """Whether nothing but commas and what belongs to the first stands between."""
    left, right = sorted((one, two), key=lambda token: token.i)
    own = {t.i for t in left.subtree}
    gap = left.doc[left.i + 1 : max(right.left_edge.i, left.i + 1)]
    return not any(
        t.text in (".", "!", "?", ";", "”")
        or (t.i not in own and not t.is_punct)
        or (t.dep_ == "prep" and not any(t.children))  # the inn opposite the station
        for t in gap
    )
