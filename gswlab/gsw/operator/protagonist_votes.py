"""Who: votes for the protagonist, by binding constraints instead of counting.

Whoever perceives, feels and is called by the short name speaks for being the one a
chapter is about; a name that stands beside "she" in one clause cannot be "she". Votes
`given` a focus (she, he, they, the narrator's I) count in that reading only, because
which pronoun carries the chapter is known only when the chapter has been read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from spacy.tokens import Token

from gswlab.core.nouns import Mention, Span, Vote
from gswlab.gsw.operator.clauses import (
    FOCUS,
    OBLIQUE,
    own_possessives,
    pronoun_objects,
    subject_focus,
    verb_of,
    words,
)
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.parse import Parsed, Quote
from gswlab.language.lexicon import words as general

Said = tuple[float, str, str]  # weight, reason, given
Judged = Callable[[Token, Mention], Iterator[Said]]
FULL_NAME = -0.6  # whom a chapter is about is seldom called so twice
NEAR = 12  # tokens between a name and the badge or list it is written on
PLURAL_THEY = 0.3  # most of them are plural


def people_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for the focus, for each name as protagonist, and for who takes part."""
    yield from _focus_votes(parsed)
    for member in cast:
        if member.value is not None or member.plural:
            continue
        judged = partial(_judged, parsed, member)
        yield from member_votes(parsed, member, judged)


def member_votes(parsed: Parsed, member: Member, judged: Judged) -> Iterator[Vote]:
    """That a member is named, and what each mention says of the protagonist."""
    pairs = zip(member.heads, member.mentions, strict=True)
    mentions = [(parsed.doc[head], mention) for head, mention in pairs]
    named = [mention for _, mention in mentions if mention.form in ("name", "short")]
    if named:
        yield Vote("participant", member.id, 1.0, "is named", (named[0].span,))
    for token, mention in mentions:
        for weight, reason, given in judged(token, mention):
            spans = (mention.span,)
            yield Vote("protagonist", member.id, weight, reason, spans, given)


def _focus_votes(parsed: Parsed) -> Iterator[Vote]:
    for token in parsed.doc:
        if parsed.quote(token) is not None:
            continue
        word = token.lower_
        if word in FOCUS and token.dep_ in ("nsubj", "nsubjpass"):
            weight = PLURAL_THEY if word == "they" else 1.0
            yield _focus(parsed, token, FOCUS[word], weight)
        elif word in ("me", "my"):
            yield _focus(parsed, token, "narrator", 0.5)
        elif token.tag_ == "PRP$" and token.head.lemma_ in words("inner_noun"):
            yield _focus(parsed, token, OBLIQUE.get(word, "they"), 0.5)


def _focus(parsed: Parsed, token: Token, focus: str, weight: float) -> Vote:
    span = parsed.over([token])
    return Vote("focus", focus, weight, f"told through {token.text!r}", (span,))


def _judged(
    parsed: Parsed, member: Member, token: Token, mention: Mention
) -> Iterator[Said]:
    quote = parsed.quote(token)
    if mention.form not in ("name", "short"):
        if quote is None and mention.form in ("pronoun", "nominal"):
            yield from _threaded(token)
        return
    if quote is not None:
        yield from _in_speech(parsed, token, mention, quote)
        return
    if _is_short(member, mention):
        yield 1.6, "called by the short name", ""
    else:
        yield FULL_NAME, "called by the full name", ""
    yield from _introduced(token)
    yield from _written_down(parsed, token, mention)
    if token.dep_ in ("nsubj", "nsubjpass"):
        yield from _as_subject(parsed, token)
    elif token.dep_ == "poss":
        yield from _as_owner(token)
    else:
        yield from _beside_subject(token)


def _threaded(token: Token) -> Iterator[Said]:
    """A pronoun or noun that goes on about someone: small votes, but many."""
    lemma = token.head.lemma_.lower()
    if token.dep_ in ("nsubj", "nsubjpass"):
        inner = lemma in general("mental") | words("perception")
        yield (0.35, f"inner verb {lemma!r}", "") if inner else (0.06, "acts", "")
    elif token.dep_ == "poss" and lemma in words("inner_noun"):
        yield 0.4, f"the own {lemma!r} is told", ""


def _is_short(member: Member, mention: Mention) -> bool:
    text = mention.text.strip()
    return mention.form == "short" or " " not in text


def _as_subject(parsed: Parsed, token: Token) -> Iterator[Said]:
    verb = token.head
    lemma = verb.lemma_.lower()
    yield -1.5, f"a narrator would not say {token.text!r} of himself", "narrator"
    if lemma in general("mental") | words("perception"):
        yield 0.8, f"subject of the inner verb {verb.text!r}", ""
    elif lemma not in general("speech"):
        yield 0.2, f"acts: {verb.text!r}", ""
    for pronoun, focus in pronoun_objects(verb):
        yield -2.0, f"acts on {pronoun.text!r}, so is someone else", focus
    for pronoun, focus in own_possessives(verb, token):
        inner = pronoun.head.lemma_ in words("inner_noun")
        yield (1.2 if inner else 0.4), f"{pronoun.text!r} in the own clause", focus
    yield from _continued(parsed, token)


def _continued(parsed: Parsed, token: Token) -> Iterator[Said]:
    """The next sentence goes on with a pronoun: it is most often the same subject."""
    rest = parsed.doc[token.sent.end :]
    following = next((t for t in rest if t.dep_ in ("nsubj", "nsubjpass")), None)
    if following is None or following.lower_ not in ("she", "he", "they"):
        return
    if parsed.quote(following) is None:
        yield 0.4, f"{following.text!r} goes on", FOCUS[following.lower_]


def _as_owner(token: Token) -> Iterator[Said]:
    lemma = token.head.lemma_.lower()
    if lemma in words("inner_noun"):
        yield 1.2, f"the own {lemma!r} is told", ""
    elif lemma in general("body") or lemma in words("outer_noun"):
        yield -0.3, f"seen from outside: {lemma!r}", ""
    yield from _beside_subject(token)


def _beside_subject(token: Token) -> Iterator[Said]:
    focus = subject_focus(token)
    verb = verb_of(token)
    if verb is not None and verb.lemma_ in ("read", "spell", "sign"):
        # What is read is a name, not a person: it may well be the reader's own.
        yield 1.0, f"somebody does {verb.text!r} the name", ""
    elif focus is not None:
        yield -2.0, f"stands beside the subject in the clause of {token.text!r}", focus
    if token.dep_ == "conj":
        yield -0.2, "one of several in a list", ""


def _introduced(token: Token) -> Iterator[Said]:
    """Described as to a reader who does not know them: as others are."""
    if any(child.dep_ == "appos" for child in token.children):
        yield -0.3, "explained by an apposition", ""
    if token.dep_ == "appos":
        yield -0.7, "added to explain another noun", ""
    before = token.head
    if before.lower_ in ("named", "called") or before.lemma_ == "introduce":
        yield -1.5, "introduced by name", ""
        if before.lower_ == "called":
            yield 2.0, "is the name that is called out", "narrator"
    if any(child.dep_ == "relcl" for child in token.children):
        yield -0.4, "explained by a relative clause", ""


def _written_down(parsed: Parsed, token: Token, mention: Mention) -> Iterator[Said]:
    """On a badge, a list, an envelope, or as the signature of a letter."""
    sentence = token.sent
    start, end = max(sentence.start, token.i - NEAR), token.i + NEAR + 1
    near = {t.lemma_.lower() for t in parsed.doc[start : min(sentence.end, end)]}
    if near & words("name_bearer") and token.dep_ not in ("nsubj", "nsubjpass"):
        first = any(t.lower_ in ("i", "me", "my") for t in sentence)
        yield 0.5, "the name is written on something", ""
        yield (3.0 if first else 1.5), "the narrator reads the own name", "narrator"
    before = parsed.doc[max(0, token.left_edge.i - 4) : token.left_edge.i]
    closing = {t.lower_ for t in before} & words("valediction")
    last = parsed.doc[token.i + 1 : sentence.end].text.strip(" .\n") == ""
    ends = last and parsed.doc[sentence.end :].text.strip() == ""
    if ends and (closing or _letters(sentence.text) == _letters(mention.text)):
        yield 5.0, "signs the text", "narrator"
    if any(t.lower_ in ("dear", "dearest") for t in before[-1:]):
        yield -4.0, "the letter is written to this name", "narrator"


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _in_speech(
    parsed: Parsed, token: Token, mention: Mention, quote: Quote
) -> Iterator[Said]:
    """Said aloud: a name called, or a speaker who says who they are."""
    said = parsed.chunk.text[quote.start : quote.end]
    alone = said.strip("\"'“”‘’ ").startswith(mention.text)
    says = _says_own_name(token) or (alone and _answers(parsed, quote))
    speaker = parsed.doc[quote.speaker].lower_ if quote.speaker is not None else ""
    if says and speaker in FOCUS:
        yield 4.0 if speaker == "i" else 1.0, "says the own name", FOCUS[speaker]
        if speaker != "i":
            yield -2.0, "is the name somebody else gives", "narrator"
        return
    if says:
        yield 1.0, "somebody says the own name", "narrator"
        return
    if _is_called(parsed, mention.span, quote):
        yield 0.8, "is called by name", ""
        yield (-2.5 if speaker == "i" else 2.5), "is called by name", "narrator"
        if speaker in ("she", "he"):
            yield -1.5, f"is spoken to by {speaker!r}", FOCUS[speaker]
        return
    yield -0.2, "is spoken of", ""
    yield 0.5, "is named by others", "narrator"


def _says_own_name(token: Token) -> bool:
    """Whether the clause is "I am X", "my name is X", "X here" or "call me X"."""
    verb = verb_of(token)
    if verb is None:
        return False
    near = {child.lower_ for child in verb.children}
    if verb.lemma_ == "be" and token.dep_ == "attr":
        names = {c.lower_ for c in verb.subtree if c.i < token.i}
        return "i" in near or {"my", "name"} <= names
    return verb.lemma_ == "call" and "me" in names_below(verb)


def _answers(parsed: Parsed, quote: Quote) -> bool:
    """Whether who speaks a name first is I, she or he: giving the own name."""
    speaker = parsed.doc[quote.speaker].lower_ if quote.speaker is not None else ""
    return speaker in FOCUS


def names_below(verb: Token) -> set[str]:
    """Lower-cased words under a verb."""
    return {t.lower_ for t in verb.subtree}


def _is_called(parsed: Parsed, span: Span, quote: Quote) -> bool:
    """Set off by commas or alone in its quotation: a name called out."""
    base = parsed.chunk.span.start
    text = parsed.chunk.text
    before = text[quote.start : span.start - base].rstrip()
    after = text[span.end - base : quote.end].lstrip()
    opens = not before.strip("\"'“‘”— ") or before[-1:] in ",.!?;—"
    closes = not after.strip("\"'”’“— ") or after[:1] in ",.!?;—"
    title = before.split()[-1:] and before.split()[-1].strip(".“\"'").lower()
    titled = bool(title) and title in general("honorific") | general(
        "honorific_m"
    ) | general("honorific_f")
    return (opens or titled) and closes
