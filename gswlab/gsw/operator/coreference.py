"""Who a pronoun or "the professor" means, by rules over the parse of one chunk.

A pronoun takes the best antecedent before it that agrees and that grammar allows, else
it is a local actor for the reconciler to align. A narrator's I is one actor; an I
inside a quotation is its speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product, takewhile
from operator import itemgetter

from gswlab.core.nouns import MentionForm
from gswlab.gsw.operator.clauses import FOCUS, SUBJECTS, Clause, is_listed
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.parse import Parsed
from gswlab.gsw.operator.speech import Quotation
from gswlab.language.lexicon import first_name_gender, word_pairs, words
from gswlab.language.log_linear import log_linear
from gswlab.language.pipeline import Token

# After others a plain pronoun may mean the subject ("she looked behind her").
_AIMED = frozenset({"at", "to", "about", "by", "against", "upon", "for", "of"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
_Pair = tuple[Token, Token]
_Found = tuple[Member, dict[str, float]]
_REACH = 3
SIGNS = "signs what is written"
_SIGNED = re.compile(  # "Yours," and who
    r"(?:^|,\s*\n|\b(?:yours?\b[^.!?\n]{0,40}|love|regards|wishes|sincerely),)"
    r"\s*(\w[^\n,.]*\w)\.?\s*$",
    re.I,
)
_TAG = 60  # characters between two halves of what one person says
PRONOUN_GENDER = word_pairs("pronoun")
HERE = {"f": "he_she_here", "m": "he_she_here", "they": "they_here", "n": "it_here"}
_BAR = 0.6  # of a score from which somebody is meant
_ROLES = dict.fromkeys(SUBJECTS, "subject") | {"dobj": "object"}
_ROLES |= {"poss": "owner", "compound": "owner", "pobj": "oblique", "conj": "listed"}
_NAME = {"f": "she", "m": "he", "they": "they"}
_PERSON = dict.fromkeys((w for w, of in FOCUS.items() if of == "narrator"), "I")
_PERSON |= word_pairs("in_talk")
FIRST = {word for word, who in _PERSON.items() if who == "I"}


def empty_cast(parsed: Parsed, clauses: tuple[Clause, ...]) -> Cast:
    """A cast of nobody yet, with the pairs of head tokens that cannot corefer."""
    found = list[_Pair]()
    spoken = ((q, q.speaker) for q in parsed.quotes if q.speaker is not None)
    for quote, speaker in spoken:
        # A speaker against the names in what he says, unless he gives his own.
        inside = [t for t in parsed.doc if parsed.quote(t) == quote]
        said = {t.lower_ for t in inside}
        gives = said & {"i", "my"} and said & {"am", "'m", "’m", "name", "called"}
        # “Ann Ray,” she said: a call, or her own name
        alone = all(token.pos_ in ("PROPN", "PUNCT", "SPACE") for token in inside)
        names = (t for t in inside if t.pos_ == "PROPN" and not (gives or alone))
        found += product([parsed.doc[speaker]], names)
    for clause in clauses:
        found += _within(parsed, clause)
    for token in parsed.doc:
        if token.dep_ == "poss":
            found.append((token, token.head))
        elif token.pos_ in _NOMINAL and (token.dep_ == "conj" or is_listed(token)):
            joined = [t for t in token.conjuncts if t.pos_ in _NOMINAL]
            above = [token.head] if token.dep_ == "appos" else []
            found += product([token, *above], [*above, *joined])
    pairs = {frozenset((one.i, two.i)) for one, two in found if one != two}
    return Cast(parsed, clauses, pairs)


def _within(parsed: Parsed, clause: Clause) -> Iterator[_Pair]:
    """The subject against objects and most obliques; a pronoun against names below."""
    others = [*clause.objects, *clause.recipients]
    for prep, token in clause.obliques:
        if token.lower_ not in words("personal") or prep.lower_ in _AIMED:
            others.append(token)
    # Whose purpose an infinitive tells is open ("hired Rui to show her round").
    purpose = clause.verb.dep_ in ("advcl", "acl") and clause.verb.tag_ == "VB"
    pairs = [*product(() if purpose else clause.subjects, others)]
    pairs += product(clause.objects, [*clause.objects, *clause.recipients])
    yield from (pair for pair in pairs if pair[1].lower_ not in words("reflexive"))
    verb, quote = clause.verb, parsed.quote
    own = [
        t for t in clause.subjects if t.lower_ in words("personal") and t.head == verb
    ]
    for subject, token in product(own, verb.subtree if own else ()):
        named = token.pos_ in ("PROPN", "NOUN") and token.i > verb.i
        if named and token.dep_ not in ("attr", "appos", "compound", "oprd"):
            # No coordinated or loosely joined clause may lie between.
            path = [token, *takewhile(lambda above: above != verb, token.ancestors)]
            joined = [t for t in path if t.dep_ == "conj" and t.pos_ in ("VERB", "AUX")]
            loose = joined or any(t.dep_ == "parataxis" for t in path)
            if not loose and quote(subject) is quote(token):
                yield subject, token


def apart_ids(cast: Cast) -> tuple[tuple[str, str], ...]:
    """The pairs of local ids kept apart: of people, and of whatever has a name."""
    doc, found = cast.parsed.doc, dict[tuple[str, str], None]()
    for pair in sorted(map(sorted, cast.apart)):
        members = sorted(cast.all(doc[i] for i in pair), key=lambda m: int(m.id[1:]))
        nouns = [m.kind == "person" for m in members if m.form == "nominal"]
        dated = any(member.form == "date" for member in members)
        if len(members) == 2 and all(nouns) and not dated:
            found[members[0].id, members[1].id] = None
    if name := cast.parsed.chunk.speaker:  # nobody is he or she in his own turn
        own, quote = cast.party(name), cast.parsed.quote
        others = (m for m in cast if m.form == "pronoun" and m.gender in ("f", "m"))
        found |= {(own.id, m.id): None for m in others if not quote(m.heads[0])}
    return tuple(found)


def antecedents(cast: Cast, token: Token, gender: str) -> list[_Found]:
    """Whom a pronoun may mean in its chunk, and what speaks for each."""
    found, quote = list[_Found](), cast.parsed.quote
    said = quote(token)
    says = None if said is None else _speaker(cast, said)
    for member in (m for m in cast if m is not says and _fits(m, gender)):
        # A speaker's own quotation may be all that names the member so far.
        before = [quote(head) for head in member.heads if head.i < token.i]
        called = before and all(q and q.speaker == token.i for q in before)
        if called or any({token.i, head.i} in cast.apart for head in member.heads):
            continue
        if features := _present(cast, member, token):
            found.append((member, features))
    return found


def _fits(member: Member, gender: str) -> bool:
    if member.form in ("pronoun", "date", "narrator"):
        return member.form == "pronoun" and member.gender == gender
    if gender == "they":
        listed = any(head.dep_ == "conj" or head.conjuncts for head in member.heads)
        return not listed and (member.plural or member.kind == "organisation")
    if member.plural:
        return False
    if gender == "n":
        return member.kind not in ("person", "time") and member.form == "nominal"
    if member.form == "nominal":
        return member.kind == "person" and member.gender in (None, gender)
    # Little may speak against a person: a pronoun is evidence itself.
    behind = member.scores[member.kind] - member.scores["person"]
    person = behind < 0.6 and member.scores["person"] > 0
    return (person or member.prior == "person") and _suggested(member) in (None, gender)


def _suggested(member: Member) -> str | None:
    """The gender stated, else the one a first name suggests (to find it, no more)."""
    named = member.gender is None and member.form == "name"
    guess = first_name_gender(member.name.split()[0]) if named else None
    return guess if guess in ("f", "m") else member.gender


def _present(cast: Cast, member: Member, token: Token) -> dict[str, float]:
    """How present a member is at a token: near, subject, named, in the same voice."""
    parsed, role = cast.parsed, _ROLES.get(token.dep_, "other")
    before = [head for head in member.heads if head.i < token.i]
    last = max(before, key=lambda head: head.i, default=token)
    between = parsed.doc[last.i + 1 : token.i + 1]
    distance = sum(bool(t.is_sent_start) for t in between)
    if not before or distance > _REACH:
        return {}
    was, said = _ROLES.get(last.dep_, "other"), parsed.quote(token) is not None
    seen = ["any", f"{distance} sentences back", f"was {was}", f"{role} {distance}"]
    seen += [f"last was {'a pronoun' if last.pos_ == 'PRON' else 'none'}"]
    seen += [member.form, member.kind]
    seen += ["gender"] * (_suggested(member) == PRONOUN_GENDER[token.lower_])
    seen += ["other voice"] * ((parsed.quote(last) is not None) != said)
    features = dict.fromkeys(seen, 1.0)
    features["sentences back"] = float(distance)
    features["times"] = min(3.0, len(before))
    return features | {"how late": last.i / token.i}


def add_pronouns(cast: Cast) -> None:
    """Give every pronoun its member, left to right."""
    subjects = {c.verb.i: c.subjects for c in cast.clauses}
    free = [t for t in cast.parsed.doc if cast.at(t) is None]
    pronouns = [t for t in free if t.pos_ == "PRON" or _PERSON.get(t.lower_) == "you"]
    # Who speaks is known before what is said is read.
    for token in sorted(pronouns, key=lambda t: cast.parsed.quote(t) is not None):
        word = token.lower_
        if word in words("reflexive") and word in PRONOUN_GENDER:
            above = (t for a in token.ancestors for t in subjects.get(a.i, ()))
            if member := next(filter(None, map(cast.at, above)), None):
                _bind(cast, member, token)
        elif word in PRONOUN_GENDER:
            # "it" may stand for nothing: "it rained", "it was clear that ..."
            beside = {child.dep_ for child in token.head.children}
            clausal = not beside.isdisjoint(("ccomp", "csubj", "xcomp"))
            if word != "it" or not (clausal or token.dep_ == "expl"):
                _third_person(cast, token)
    for token in pronouns:
        if token.lower_ in _PERSON:
            _in_talk(cast, token, _PERSON[token.lower_])
    signed = _SIGNED.findall(cast.parsed.doc.text)
    for member in (m for m in cast if m.kind == "person" and m.name in signed):
        member.vote("person", 2.0, SIGNS, member.mentions[-1].span)


def _introduced(cast: Cast) -> dict[int, Member]:
    """Who gives a name as their own: speaker's token (-1: narrator) to member."""
    found = {}
    for member, head in ((m, h) for m in cast if m.form == "name" for h in m.heads):
        # "I, Ann"; "I am Ann", "my name is Ann"
        own = head.dep_ == "appos" and head.head.lower_ in ("i", "me")
        for t in head.head.children if head.dep_ in ("attr", "oprd") else ():
            mine = t.lemma_ == "name" and any(c.lower_ == "my" for c in t.children)
            own |= t.dep_ in SUBJECTS and (t.lower_ == "i" or mine)
        quote = cast.parsed.quote(head)
        speaker = quote.speaker if quote else -1
        if own and speaker is not None and member.kind == "person":
            found[speaker] = member
    return found


def _in_talk(cast: Cast, token: Token, word: str) -> None:
    """I is who speaks, else the narrator; you is who is spoken to; we stays open."""
    form: MentionForm = "pronoun"
    quote = cast.parsed.quote(token)
    who = {"I": _speaker, "you": _addressee}.get(word)
    member = who(cast, quote) if who else None
    if word == "I" and quote is None and member is None:
        narrators, form = (m for m in cast if m.form == "narrator"), "narrator"
        member = _introduced(cast).get(-1) or next(narrators, None)
        name = "I" if token.is_ascii else token.text
        member = member or cast.add(name, "narrator")
        reason = "tells the story in the first person"
        member.vote("person", 2.0, reason, cast.parsed.over([token]))
    return cast.mention(member or _open(cast, word, quote), [token], token, form)


def _speaker(cast: Cast, quote: Quotation | None) -> Member | None:
    """Who says a quotation, or outside of any the turn, where the text tells."""
    if quote is None:
        name = cast.parsed.chunk.speaker
        return cast.party(name) if name else None
    return None if quote.speaker is None else cast.at(cast.parsed.doc[quote.speaker])


def _open(cast: Cast, word: str, quote: Quotation | None) -> Member:
    """Whoever speaks or is spoken to, left open: one for what is said in a row."""
    parsed = cast.parsed
    for member in (m for m in cast if m.form == "pronoun" and m.name == word):
        last = parsed.quote(member.heads[-1])
        between = parsed.doc.text[last.end : quote.start] if last and quote else ""
        # one speaker says both: a word of who said it stands between them
        if last is quote or 0 < len(between.strip()) < _TAG:
            return member
    member = cast.add(word, "pronoun")
    # A narrator's group goes on from chunk to chunk, a speaker's as far as he speaks.
    member.gender = "us" if word == "we" and quote is not None else word.lower()
    member.prior = "person"
    return member


def _addressee(cast: Cast, quote: Quotation | None) -> Member | None:
    """Whom it calls; else to whom it is said ("told her"), or who spoke before."""
    if quote is None:
        chunk = cast.parsed.chunk
        if not chunk.speaker:
            return None
        called = _called_upon(cast, Quotation(0, len(chunk.text)))
        answered = None if called else chunk.addressee
        return cast.party(answered, chunk.answers) if answered else called
    speaker, member = _speaker(cast, quote), _called_upon(cast, quote)
    verb = cast.parsed.doc[quote.speaker].head if quote.speaker is not None else None
    says = words("speech", "addressing")
    if member is None and verb is not None and verb.lemma_.lower() in says:
        aimed = [c for c in verb.children if c.dep_ in ("dobj", "dative")]
        to = (c for c in verb.children if c.dep_ in ("prep", "dative"))
        aimed += [o for c in to if c.lower_ == "to" for o in c.children]
        found = cast.all(t for t in aimed if t.i != quote.speaker)
        member = next((m for m in found if m.kind == "person"), None)
    if member is None:
        others = [q for q in cast.parsed.quotes if q.said and q is not quote]
        spoke = (_speaker(cast, q) for q in sorted(others, key=lambda q: -q.start))
        member = next((m for m in spoke if m and m is not speaker), None)
    return None if member is speaker else member


def _called_upon(cast: Cast, quote: Quotation) -> Member | None:
    """Whom a quotation calls by name: between commas, or at its rim."""
    named, calls = (m for m in cast if m.form == "name"), cast.parsed.calls
    called = (m for m in named if any(calls(quote, said.span) for said in m.mentions))
    return next((member for member in called if member.kind == "person"), None)


def _third_person(cast: Cast, token: Token) -> None:
    gender = PRONOUN_GENDER[token.lower_]
    if (best := _introduced(cast).get(token.i)) is None:
        scores = log_linear("en/coreference.tsv").scores
        fitting = antecedents(cast, token, gender)
        scored = [(scores(features)[HERE[gender]], m) for m, features in fitting]
        score, likely = max(scored, key=itemgetter(0), default=(0.0, None))
        best = likely if score > _BAR else None
    if best is not None:
        return _bind(cast, best, token)
    if gender == "n":
        return None
    # An earlier unbound pronoun of this class may go on here.
    unbound = (m for m in cast if m.form == "pronoun" and m.gender == gender)
    free = (
        m for m in unbound if not any({token.i, h.i} in cast.apart for h in m.heads)
    )
    member = next(free, None)
    if member is None:
        name = _NAME[gender] if token.is_ascii else token.text
        member, several = cast.add(name, "pronoun"), gender == "they"
        member.gender, member.plural = gender, several
        weight, span = 0.4 if several else 1.0, cast.parsed.over([token])
        member.vote("person", weight, f"called {token.lower_}", span)
    return cast.mention(member, [token], token, "pronoun")


def _bind(cast: Cast, member: Member, token: Token) -> None:
    cast.mention(member, [token], token, "pronoun")
    gender, span = PRONOUN_GENDER.get(token.lower_), cast.parsed.over([token])
    if gender in ("f", "m"):
        member.gender = member.gender or gender
        if member.form in ("name", "nominal"):
            member.vote("person", 0.8, f"called {token.lower_}", span)
