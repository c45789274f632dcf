"""Verb phrases: every clause as base-form predicate with its slots filled or asked.

What is told, not depicted, has a note (`language/en/realis.tsv`). Agent, patient, place
and time are asked, other slots where they are filled; one stays open only where a state
of somebody named changed. Forward questions wait for a later chunk (`forward.tsv`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product

from gswlab.core.nouns import Argument, Filler, Link, Note, Question, Slot, VerbPhrase
from gswlab.gsw.operator.clauses import SUBJECTS, Clause, infinitive, is_verb
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.language import of
from gswlab.language.lexicon import groups_with, noun_class, table, words
from gswlab.language.log_linear import log_linear
from gswlab.language.pipeline import Token
from gswlab.language.verbs import third_person

_WHEN = frozenset({"during", "after", "before", "since", "until", "till"})
_SKIPPED = frozenset({"who", "which", "that", "what", "there"})
_JOINING = frozenset({"of", "in", "at", "from", "for", "to"})
_ALWAYS: tuple[Slot, ...] = ("agent", "patient", "place", "time")
_SENSIBLE: tuple[Slot, ...] = ("manner", "purpose", "recipient", "instrument")
_DEPICTED = 0.35  # chosen on held-out books
_GROUPS = (
    *("speech", "mental", "motion", "agentive", "perception", "posture", "looking"),
    *("stative", "planning", "senses", "of_persons", "giving", "carrying"),
)
_BELOW = {"dobj", "attr", "acomp", "ccomp", "xcomp", "prep", "advcl", *SUBJECTS}
_BESIDE = {"aux", "auxpass", "mark", "advmod", "neg", "prt"}
UNDEPICTED = "told, not depicted: "
SlotOf = Callable[[Cast, Clause, Token, Token], Slot | None]
More = tuple[Iterable[Argument], Iterable[Token], tuple[Note, ...]]
MoreOf = Callable[[Cast, Clause], More]


def find_phrases(cast: Cast, slot_of: SlotOf, more: MoreOf) -> tuple[VerbPhrase, ...]:
    """The explicit verb phrases of a chunk; `more` says what else a clause has."""
    parsed, found = cast.parsed, list[VerbPhrase]()
    for clause in cast.clauses:
        # It says something of somebody, and its verb is no name's word.
        verb, slots = clause.verb, [slot_of(cast, clause, *o) for o in clause.obliques]
        said: object = clause.subjects or clause.objects or slots
        if verb.lemma_.lower() == "be":
            said = "place" in slots or "time" in slots
        if not said or cast.at(verb) is not None:
            continue
        arguments, tokens, notes = more(cast, clause)
        near = [*clause.objects, *clause.recipients, *(o for _, o in clause.obliques)]
        own = [t for t in (*clause.subjects, *near) if verb in t.ancestors]
        told = (*_arguments(cast, clause, slot_of), *arguments)
        found.append(
            VerbPhrase(
                id=f"v{len(found) + 1}",
                predicate=clause.predicate,
                arguments=tuple(dict.fromkeys(told)),
                spans=(parsed.over([verb, *own, *tokens]),),
                chunk=parsed.chunk.id,
                chapter=parsed.chunk.chapter,
                negated=clause.negated,
                modality="reported" if parsed.quote(verb) else clause.modality,
                notes=notes,
            )
        )
    return tuple(found)


def _arguments(cast: Cast, clause: Clause, slot_of: SlotOf) -> Iterator[Argument]:
    slots: tuple[Slot, Slot] = ("agent", "patient")
    for slot, tokens in zip(slots, (clause.agents, clause.patients), strict=True):
        for token in (t for t in tokens if not _quoted(cast, clause, t)):
            timed = _is_time(cast, token)
            yield from argument(cast, "time" if timed else slot, token)
    yield from _said(cast, clause)
    for token in clause.recipients:
        yield from argument(cast, "recipient", token)
    for prep, token in clause.obliques:
        if filled := slot_of(cast, clause, prep, token):
            yield from argument(cast, filled, token)
    for child in clause.verb.children:
        adverb = child.dep_ == "advmod"
        if adverb and child.lower_.endswith("ly"):
            yield from argument(cast, "manner", child)
        elif adverb and child.lower_ in ("here", "there", "home"):
            yield from argument(cast, "place", child)
        elif (adverb or child.dep_ in ("npadvmod", "nmod")) and _is_time(cast, child):
            yield from argument(cast, "time", child)
        elif child.dep_ == "advcl" and infinitive(child) and is_verb(child):
            aim, parsed = list(child.subtree)[:12], cast.parsed
            yield Argument("purpose", parsed.text(aim), (parsed.over(aim),))


def _said(cast: Cast, clause: Clause) -> Iterator[Argument]:
    """The quotation that is what a verb of speaking has said, in its sentence."""
    parsed, verb, at = cast.parsed, clause.verb, {t.i for t in clause.agents}
    says = verb.lemma_.lower() in words("speech")
    if not says or not all(_quoted(cast, clause, o) for o in clause.objects):
        return
    for quote in (q for q in parsed.quotes if q.said and q.speaker in at):
        inside = parsed.within(quote.start, quote.end)
        if any(token.sent == verb.sent for token in inside) and verb not in inside:
            yield Argument("patient", parsed.text(inside), (parsed.over(inside),))
            return


def _quoted(cast: Cast, clause: Clause, token: Token) -> bool:
    """Whether a noun is in what a verb of speaking has said: “A fair?” said Ann."""
    says = clause.verb.lemma_.lower() in words("speech")
    quote = cast.parsed.quote(token) if says else None
    return quote is not None and quote is not cast.parsed.quote(clause.verb)


def argument(cast: Cast, slot: Slot, token: Token) -> Iterator[Argument]:
    """One filled slot: the actor `token` speaks of, else its words."""
    parsed, member = cast.parsed, cast.at(token)
    if slot == "time" and member is None:
        dates = (t for t in token.subtree if (m := cast.at(t)) and m.form == "date")
        token = next(dates, token)
        member = cast.at(token)
    if member is not None:
        yield Argument(slot, member.name, (cast.spot(token).span,), member.id)
    elif token.lower_ not in _SKIPPED and not token.is_punct:
        # The noun with what stands before it and its "of", without clauses.
        apart = ("cc", "punct", "prep", "relcl", "advcl")
        kept = [t for c in token.lefts if c.dep_ not in apart for t in c.subtree]
        of = [c for c in token.rights if c.dep_ == "prep" and c.lower_ == "of"]
        phrase = [*kept, token, *[t for prep in of for t in prep.subtree][:8]]
        yield Argument(slot, parsed.text(phrase), (parsed.over(phrase),))


def prep_slot(cast: Cast, clause: Clause, prep: Token, token: Token) -> Slot | None:
    """The slot of a prepositional argument, None if it fills no slot."""
    word, verb, member = prep.lower_, clause.verb.lemma_.lower(), cast.headed(token)
    noun, local = noun_class(token.lemma_.lower()), word in words("locative")
    kind, dated = (member.kind, member.form == "date") if member else ("", False)
    gives = word in ("to", "for") and verb in words("giving", "speech")
    bound = word in ("to", "from") or (word == "for" and verb in words("motion"))
    company = token.pos_ in ("PROPN", "PRON") or noun.startswith("person")
    known = noun not in ("person", "act", "") or token.pos_ == "PROPN"
    aimed: Slot | None = "patient" if word in ("at", "to", "about", "of") else None
    rows: tuple[tuple[object, Slot | None], ...] = (
        (prep.dep_ == "agent", None),
        (dated or noun == "time", "time"),
        (kind == "place" and (local or bound), "place"),
        (word == "with" and company, None),
        (word == "with", "instrument" if noun in ("object", "body") else "manner"),
        (kind == "person", "recipient" if gives else aimed),
        (prep.dep_ == "dative" or gives, "recipient"),
        (word in _WHEN, "time"),
        (local and known, "place"),
        (word == "for", "purpose"),
        (True, aimed),
    )
    return next(slot for holds, slot in rows if holds)


def _is_time(cast: Cast, token: Token) -> bool:
    if (member := cast.at(token)) is not None:
        return member.form == "date"
    timed = token.lemma_.lower() in words("event_time")
    return token.ent_type_ == "TIME" or (timed and token.dep_ not in SUBJECTS)


def find_links(cast: Cast, slot_of: SlotOf) -> tuple[Link, ...]:
    """The groups of a chunk, in order; each names its anchor where there is one."""
    found: list[Link] = []
    for clause in cast.clauses:
        if not clause.negated and clause.modality not in ("hypothetical", "planned"):
            found += _shared(cast, clause, slot_of)
    for member in (m for m in cast if m.form == "date"):
        for token, mention in zip(member.heads, member.mentions, strict=True):
            # A date holds for the verb it hangs on and what is coordinated with it.
            above = (t for t in token.ancestors if t.pos_ in ("VERB", "AUX"))
            verb, members = next(above, None), list[Member]()
            held = [verb, *verb.conjuncts] if verb is not None else [*token.sent]
            for clause in (c for c in cast.clauses if c.verb in held):
                near = (*clause.subjects, *(o for _, o in clause.obliques))
                members += _actors(cast, clause)
                members += [m for m in cast.all(near) if m.kind == "place"]
            if members:
                ids = tuple(dict.fromkeys(m.id for m in (*members, member)))
                at = mention.span.start - cast.parsed.chunk.span.start
                date = next(d for d in cast.parsed.dates if d.start <= at < d.end)
                told = (date.value, date.granularity, date.basis)
                spans = (mention.span,)
                found.append(Link("time", ids, date.text, spans, member.id, *told))
    return tuple(dict.fromkeys(found))


def _shared(cast: Cast, clause: Clause, slot_of: SlotOf) -> Iterator[Link]:
    """Who shares the places that one clause names, and the ones it only points at."""
    ids = tuple(member.id for member in _actors(cast, clause))
    for prep, token in clause.obliques:
        place, away = cast.headed(token), ("from", "near", "towards", "off")
        fills = slot_of(cast, clause, prep, token) == "place"
        if not (place and fills and place.kind == "place") or prep.lower_ in away:
            continue
        spans = (cast.spot(token).span,)
        if any(c.lower_ in ("that", "this", "same") for c in token.children):
            yield Link("space", ids, None, spans)
        elif ids:
            group = tuple(dict.fromkeys((*ids, place.id)))
            yield Link("space", group, place.name, spans, anchor=place.id)


def _actors(cast: Cast, clause: Clause) -> list[Member]:
    """Who takes part in a clause, companions included."""
    company = ("with", "by", "と", "に")
    with_ = [o for p, o in clause.obliques if p.lower_ in company]
    tokens = (*clause.subjects, *clause.objects, *clause.recipients, *with_)
    return [m for m in cast.all(tokens) if m.kind not in ("time", "abstract", "place")]


def implied_phrases(cast: Cast, first: int) -> tuple[VerbPhrase, ...]:
    """Phrases that roles imply, from `first` on: the author of a book writes it."""
    parsed, found = cast.parsed, dict[tuple[str, str, str], VerbPhrase]()
    rows = table("en/implied.tsv")
    roles = {role for role, *_ in rows}
    for role in (t for t in parsed.doc if t.lemma_.lower() in roles):
        # Who has the role: its own member, or the subject of its copula.
        copula = role.head.children if role.dep_ == "attr" else ()
        own, subjects = cast.headed(role), [c for c in copula if c.dep_ == "nsubj"]
        holders = [own] if own is not None else cast.all(subjects)
        preps = (c for c in role.children if c.dep_ == "prep" and c.lower_ in _JOINING)
        partners = [c for c in role.children if c.dep_ == "poss"]
        partners += [t for p in preps for t in p.children if t.dep_ == "pobj"]
        for holder, noun in product(holders, partners):
            other = cast.headed(noun)
            if other is None or other is holder:
                continue
            lemma, owned = role.lemma_.lower(), noun.lemma_.lower()
            groups = {f"@{other.kind}", f"@{noun_class(owned)}", owned}
            told = (does for who, fits, does in rows if who == lemma and fits in groups)
            if (does := next(told, None)) is None:
                continue
            slot: Slot = "place" if other.kind == "place" else "patient"
            agent = Argument("agent", holder.name, (parsed.over([role]),), holder.id)
            acted = Argument(slot, other.name, (cast.spot(noun).span,), other.id)
            spans, chunk = (parsed.over([role, noun]),), parsed.chunk
            where = (spans, chunk.id, chunk.chapter)
            phrase = VerbPhrase("", does, (agent, acted), (), *where, implied=True)
            found[holder.id, does, other.id] = phrase
    return tuple(replace(p, id=f"v{i}") for i, p in enumerate(found.values(), first))


def find_questions(cast: Cast, phrases: Iterable[VerbPhrase]) -> tuple[Question, ...]:
    """The questions of a chunk, answered or open, then its predictions."""
    real = [p for p in phrases if not p.implied and p.modality != "hypothetical"]
    found = [(p, q) for p in real for q in _checklist(cast, p)]
    # What a reader now expects to learn, if the event was asserted or is planned.
    ahead = of(cast.parsed.language).having("forward").table("forward")
    for phrase, (verb, slot, text) in product(real, ahead):
        if verb == phrase.predicate and not phrase.negated:
            reason = f"makes likely: {verb}"
            asked = Question("", text, slot, predicted=True, reason=reason)
            found.append((phrase, asked))
    return tuple(
        replace(q, id=f"q{i}", verb_phrase=p.id, spans=p.spans, chunk=p.chunk)
        for i, (p, q) in enumerate(found, 1)
    )


def _checklist(cast: Cast, phrase: VerbPhrase) -> Iterator[Question]:
    verb, still = phrase.predicate.split(" ")[0], ("motion", "posture", "looking")
    third = phrase.predicate.replace(verb, third_person(verb), 1)
    forms = of(cast.parsed.language).having("questions").pairs("questions")
    intransitive = verb == "be" or groups_with(still, verb)
    filled = defaultdict[Slot, list[Filler]](list)
    for a in phrase.arguments:
        filled[a.slot].append(Filler(a.text, a.spans, a.actor, phrase.chunk))
    said = {a.actor for a in phrase.arguments}
    matters = phrase.effects and any(m.named for m in cast if m.id in said)
    patients = {filler.actor for filler in filled["patient"]}
    persons = {m.id for m in cast if m.id in patients and m.kind == "person"}
    object_ = " someone" if patients == persons else " something"
    object_ = object_ if patients and not intransitive else ""
    for slot in (*_ALWAYS, *(s for s in _SENSIBLE if s in filled)):
        given = tuple(filled[slot])
        if given or (matters and not (slot == "patient" and intransitive)):
            told = {"third": third, "base": phrase.predicate, "object": object_}
            text = forms[slot].format(**told)  # "Who picks up something?"
            yield Question("", text, slot, None, "answered" if given else "open", given)


def doubts(cast: Cast, clause: Clause) -> More:
    """A note on a verb phrase that is hardly depicted as taking place."""
    seen = verb_features(cast.parsed, clause)
    if (odds := log_linear("en/realis.tsv").odds(seen)["yes"]) >= _DEPICTED:
        return (), (), ()
    span, chunk = cast.parsed.over([clause.verb]), cast.parsed.chunk.id
    return (), (), (Note(f"{UNDEPICTED}{odds:.2f}", (span,), chunk),)


def is_doubted(phrase: VerbPhrase) -> bool:
    """Whether a verb phrase is told and not depicted."""
    return any(note.text.startswith(UNDEPICTED) for note in phrase.notes)


def verb_features(parsed: Parsed, clause: Clause) -> dict[str, float]:
    """What the scorer sees of a clause, each of value 1."""
    verb, mode, below = clause.verb, clause.modality, [*clause.verb.children]
    lemma, tag, dep, above = verb.lemma_.lower(), verb.tag_, verb.dep_, verb.head
    said = "said" if parsed.marked(verb) else "told"
    seen = ["any", said, f"verb {lemma}", f"tag {tag}", f"dep {dep}", f"{said} {tag}"]
    seen += [f"tag {tag} {dep}", f"mode {mode}", f"{said} {mode}"]
    seen += [f"ends {verb.lower_[-3:]}", f"verb {lemma} {tag}", f"verb {lemma} {dep}"]
    seen += ["denied"] * clause.negated
    seen += [f"in {group}" for group in groups_with(_GROUPS, lemma)]
    seen += [f"{c.dep_} {c.lower_}" for c in below if c.dep_ in _BESIDE]
    helpers = (c.lemma_.lower() for c in below if c.dep_ in ("aux", "auxpass"))
    seen += [f"helped {' '.join(sorted(helpers))}"]
    if above != verb:
        seen += [f"{dep} {above.lemma_.lower()}", f"{dep} {above.pos_} {above.tag_}"]
    for subject in clause.subjects[:1]:
        kind = subject.pos_
        seen += [f"by {subject.lower_ if kind == 'PRON' else kind}"]
        seen += [f"by {subject.tag_} {tag}", f"verb {lemma} by {kind}"]
        seen += [f"by a {c.lower_}" for c in subject.children if c.dep_ == "det"]
    seen += [f"has {kind}" for kind in sorted({c.dep_ for c in below} & _BELOW)]
    sent = verb.sent
    root, last = sent.root, sent[-1].text
    modal = any(c.dep_ == "aux" and c.tag_ == "MD" for c in root.children)
    seen += [f"root {root.tag_} {modal}"]
    seen += [f"sentence {last}"] * (last in ("?", "!"))
    seen += [f"behind {t.lower_}" for t in verb.doc[max(verb.i - 1, 0) : verb.i]]
    seen += [f"before {t.tag_}" for t in verb.doc[verb.i + 1 : verb.i + 2]]
    seen += [f"near {t.lower_}" for t in sent if t.lower_ in words("how_often")]
    seen += [f"beside {t.tag_}" for t in sent if t.pos_ == "VERB" and t != verb]
    return dict.fromkeys(seen, 1.0)
