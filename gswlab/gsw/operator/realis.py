"""Whether a text depicts what a verb tells as taking place, or only speaks of it.

What is denied, wished, supposed, usual or lasting is told without happening. One
log-linear score over the verb, its helpers and its grammar; the weights are learned
(`language/en/realis.tsv`).
"""

from __future__ import annotations

from gswlab.core.nouns import Note, VerbPhrase
from gswlab.gsw.operator.clauses import SUBJECTS, Clause
from gswlab.gsw.operator.mentions import Cast
from gswlab.gsw.operator.parse import Parsed
from gswlab.gsw.operator.phrases import More
from gswlab.language.lexicon import words
from gswlab.language.log_linear import log_linear

_BAR = 0.35  # chosen on held-out books
_GROUPS = (
    *("speech", "mental", "motion", "agentive", "perception", "posture", "looking"),
    *("stative", "planning", "senses", "of_persons", "giving", "carrying"),
)
_BELOW = {"dobj", "attr", "acomp", "ccomp", "xcomp", "prep", "advcl", *SUBJECTS}
_BESIDE = {"aux", "auxpass", "mark", "advmod", "neg", "prt"}
UNDEPICTED = "told, not depicted: "


def doubts(cast: Cast, clause: Clause) -> More:
    """A note on a verb phrase that is hardly depicted as taking place."""
    seen = verb_features(cast.parsed, clause)
    if (odds := log_linear("en/realis.tsv").odds(seen)["yes"]) >= _BAR:
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
    seen += [f"in {group}" for group in _GROUPS if lemma in words(group)]
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
    root, last = verb.sent.root, verb.sent[-1].text
    modal = any(c.dep_ == "aux" and c.tag_ == "MD" for c in root.children)
    seen += [f"root {root.tag_} {modal}"]
    seen += [f"sentence {last}"] * (last in ("?", "!"))
    seen += [f"behind {t.lower_}" for t in verb.doc[max(verb.i - 1, 0) : verb.i]]
    seen += [f"before {t.tag_}" for t in verb.doc[verb.i + 1 : verb.i + 2]]
    seen += [f"near {t.lower_}" for t in verb.sent if t.lower_ in words("how_often")]
    seen += [f"beside {t.tag_}" for t in verb.sent if t.pos_ == "VERB" and t != verb]
    return dict.fromkeys(seen, 1.0)
