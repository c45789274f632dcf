"""Words by which English prose looks back or ahead."""

from gswlab.language.dates.calendar import any_of, compiled
from gswlab.language.language import Verbs
from gswlab.language.stems import irregular
from gswlab.language.verbs import past

_AHEAD = compiled(
    r"\b(?:will|shall|won[’']t|must|going\s+to|(?<!had\s)(?<!was\s)(?<!were\s)(?<!ed\s)"
    r"to\s+be|is\s+to|are\s+to|due|next(?!\s+(?:door|to|of)\b)|tomorrow"
    r"|(?:hope|mean|plan|intend|expect|want|propose)s?\s+to|(?:is|are|am)\s+\w+ed\s+to)\b"
    r"|\w[’']ll\b"
)
_PASTS = {"was", "were", *(past(verb) for verb in irregular() if verb != "be")}
_BACK = compiled(
    rf"\b(?:{any_of(_PASTS)}|(?-i:[a-z]\w*[^e\W]ed))\b|n[’']t\b|\bsince\s+(?:the\s+)?$"
)
# put, shut: what has been, or what is
_EITHER = compiled(
    r"\b(?:put|cut|hit|set|let|shut|read|cost|hurt|spread|burst|cast|bet|quit|split)\b"
)
_NOW = compiled(
    r"\b(?:I|you|we|they|he|she|it|who|which|there|is|are|am|has|have|does|do|can|could|"
    r"may|might|should|would|please)\b|\b\w+[^\Wsui]s\s|^\W*(?:come|meet|bring|send|"
    r"leave|start|begin|call|write|return|finish)\b"
)
_HAD = compiled(r"\bhad\b")

ENGLISH_VERBS = Verbs(_BACK, _AHEAD, _HAD, _NOW, _EITHER)
