"""What a question asks for, and in which order, whatever its wording.

The question comes masked: dates, places, people and kinds of event it names are `⟨t⟩`,
`⟨s⟩`, `⟨e⟩`, `⟨c⟩`, so no word of a name is ever taken for a word of the request. Then

1. what is ruled out ("without ...", "not the ...") goes, up to the comma;
2. the order is read and its words go ("by date" asks for no dates);
3. what is asked is the first answer noun after the request of the last sentence that
   makes one; sentences that only set the scene make none.
"""

from __future__ import annotations

import re

from gswlab.workspace.cues import Asked, Order

_NEGATED = re.compile(
    r"\b(?:without|rather than|instead of|as opposed to|no need (?:to|for)|skip(?:ping)?"
    r"|leav(?:e|ing) out|leav(?:e|ing) aside|omit(?:ting)?|ignor(?:e|ing)|avoid(?:ing)?"
    r"|refrain(?:ing)? from|exclud(?:e|ing)|sparing|no matter|spare (?:me|us)|never mind"
    r"|(?:do|does|did|should|need|is|are) ?n[o']t(?! (?:recall|remember|know|sure|have))"
    r"|(?:don't|not|no|nor)(?! (?:sure|certain|clear|quite|recall|remember|know|longer"
    r"|entirely|have))(?! only)|neither)\b[^,.;:!?()—–]*",
    re.I,
)
_CHRONOLOGICAL = re.compile(
    r"\bchronolog\w*(?: order| sequence| list)?|\btimeline\b|\btime[- ]ordered\b"
    r"|\b(?:in|by|into|following|respecting|with) (?:the |their |its |a |strict |proper "
    r"|correct |right |historical |temporal |calendar |date |time |story |ascending "
    r"|sequential |consecutive )*(?:order|sequence)(?: of (?:the |their )?(?:dates?|time"
    r"|occurrence|day|happening|events?))?(?! to\b)(?: in which (?:they|it)\b)?"
    r"|\b(?:order|sort|arrang|rank|sequenc|organi[sz])\w*(?: them| these| those| the list"
    r"| your answer| the answers?| everything| it| all)*"
    r" (?:by|according to|from) (?:the |their )?(?:dates?|time|day|earliest"
    r"|oldest|first)\b"
    r"|\b(?:earliest|oldest|first|soonest)(?: one| date| event)?[ -](?:first\b"
    r"|(?:up |through |on )?(?:to|until|through|and ending with)"
    r" (?:the )?(?:very )?(?:latest|last|most recent|newest|final))\b(?: one)?"
    r"|\b(?:first|earliest|start|beginning) (?:to|through|until|till) "
    r"(?:last|latest|end|finish|most recent)\b"
    r"|\b(?:start|begin|open)(?:ing)? (?:with|from|at) (?:the )?(?:very )?"
    r"(?:earliest|oldest|first)\b|\bas (?:they|it) (?:unfolded|happened|occurred)"
    r"(?= in time| over time|[,.?!]|$)|\bone after (?:the other|another)\b"
    r"|\b(?:sequentially|successively|consecutively)\b|\bsequence of\b|\bsuccession of\b"
    r"|\b(?:over|through|across) time\b|\bstep by step through time\b",
    re.I,
)
_LATEST = re.compile(
    r"\b(?:very )?(?:last|latest|newest|final)(?: (?:known|recorded|documented|reported"
    r"|ever|time|occasion|of all))*\b(?! names?\b)|\bmost recent(?:ly)?(?: time)?\b"
    r"|\bmost lately\b|\blast(?:ly)?\b(?! names?\b)|\bmore recently than\b"
    r"|\bmost up[- ]to[- ]date\b",
    re.I,
)
_NAMES = re.compile(r"\b(?:first and last|last|first|full) names?\b", re.I)
_EACH = re.compile(
    r"\b(?:every|each|any|same|this|that|one|next|first|all(?: the)?|at the) time\b(?!s)"
    r"|\btime and again\b|\b(?:by|per) dates?\b|\bat times\b|\bof all times?\b"
    r"|\btook time\b|\b(?:took|take|takes|taking|taken) (?:place|part)\b"
    r"|\bin (?:the )?first place\b",
    re.I,
)
_EVENT = (
    r"(?:events?|gatherings?|happenings?|occurrences?|functions?|affairs?|activit(?:y|ies)"
    r"|engagements?|experiences?|undertakings?|incidents?|episodes?|proceedings|pursuits?"
    r"|doings|goings-on|festivities)"
)
_HEADED = (
    r"(?!(?:'s|s')?[ -](?:dates?|days?|times?|locations?|venues?|places?|sites?"
    r"|settings?|participants?|attendees?|goers|protagonists?|characters?)\b)"
)
_PATTERNS: tuple[tuple[str, str], ...] = (
    (
        "details",
        r"\b(?:full|complete|detailed|thorough|entire|whole|comprehensive|blow-by-blow)"
        r" (?:\w+ )?(?:account|stor(?:y|ies)|details?|pictures?|narrati(?:ve|on)"
        r"|descriptions?|rundown|report|version|event details)\b|\bdetails?\b"
        r"|\beverything\b|\b(?:describe|recount|narrate|retell|elaborate|summari[sz]e)\b"
        r"|\bwalk me through\b|\bfill me in\b|\bin (?:full|detail|depth)\b"
        r"|\ball (?:there is|you know|that happened)\b|\baccount of\b|\bthe story of\b"
        r"|\bparticulars\b|\bspecifics\b|\bhow (?:it|things|events) unfold\w*\b"
        r"|\btell (?:me|us)(?: more| all)? about (?=⟨)|\brundown\b",
    ),
    (
        "other_entities",
        r"\b(?:who|whom) else\b|\b(?:any|every|some)(?:one|body) else\b"
        r"|\bcompanions?\b|\bcompany\b|\b(?:with|alongside|beside) whom\b"
        r"|\bwho(?=[^.?!]*\b(?:accompan\w+|joined ⟨e⟩|with ⟨e⟩|alongside ⟨e⟩))"
        r"|\b(?:secondary|supporting|minor|side|additional|remaining|further|fellow|other)"
        r" (?:\w+ )?(?:people|persons?|characters?|individuals?|figures?|names"
        r"|participants?|attendees?|guests?|protagonists?|entit(?:y|ies)|cast|actors?)\b"
        r"|\b(?:people|persons?|characters?|individuals?|figures?|participants?"
        r"|attendees?|guests?|names|entit(?:y|ies)|those|who|faces)"
        r"(?=[^.?!]*\b(?:other than|besides|apart from|aside from|in addition to"
        r"|as well as|beyond|except|along with|together with) ⟨e⟩)|\bthe others\b",
    ),
    (
        "times",
        r"\bwhen\b|\b(?:dates?|days?|(?<!same )times?|months?|years?)\b"
        r"|\bon (?:which|what) occasions?\b|\bhow (?:recently|long ago)\b"
        r"|\bpoints? in time\b|\bcalendar\b|\btimestamps?\b|\bmoments? in time\b",
    ),
    (
        "places",
        r"\bwhere(?:abouts)?\b|\b(?:places?|locations?|venues?|sites?|spots?|settings?"
        r"|locales?|landmarks?|address(?:es)?|destinations?|areas?|surroundings"
        r"|neighbou?rhoods?|backdrops?|premises|haunts?|localit(?:y|ies)"
        r"|whereabouts|stops|grounds|itinerary|route|scenes)\b",
    ),
    (
        "entities",
        r"\b(?:who|whom|whoever)\b|\b(?:people|persons?|protagonists?|characters?|faces?"
        r"|individuals?|participants?|attendees?|figures?|entit(?:y|ies)|actors?|guests?"
        r"|folks?|visitors?|personalit(?:y|ies)|heroes|hero|heroine|everyone|everybody"
        r"|anyone|anybody|someone|somebody|men|women|cast|attendance list)\b"
        r"|\bwhose (?:names?|stor(?:y|ies)|experiences?|path|adventures?)\b",
    ),
    (
        "contents",
        rf"\b(?:kinds?|types?|sorts?|nature|variety|categor(?:y|ies)) of\b"
        rf"|\b{_EVENT}\b{_HEADED}|\b(?:themes?|occasions?|topics?|goings on|agenda)\b"
        r"|\bwhat (?:else |exactly |precisely |all )?(?:did|does|do|was|were|is|are|had|has|have) "
        r"(?:⟨e⟩(?!')|he|she|they|it|people|everyone)"
        r"|\bwhat (?:\w+ )?(?:happen|occur|transpir|unfold|went on|was going on|brought"
        r"|drew|took|led|kept|occupied|was (?:happening|being|held|taking)|goes on|made)"
        r"|\b(?:doing|up to)\b|\bhow (?:did|was|were) ⟨e⟩(?! feel)"
        r"|\bwhat took place\b|\btook part in what\b|\b(?:attend|attended) what\b",
    ),
)
_ANSWER = re.compile(
    "|".join(f"(?P<{asked}>{pattern})" for asked, pattern in _PATTERNS), re.I
)
_REQUEST = re.compile(
    r"(?:^|[,;:—–(] ?|\b(?:and|then|please|kindly|to|you|me|just|only|i|we|simply|also"
    r"|now|next|finally|let's|i'd|could|can|would|help|hence|so|do|but) )"
    r"(?:list|name|give|provide|tell|state|identify|enumerate|specify|report|share"
    r"|supply|present|say|find|show|compile|collect|gather|return|mention|write|note"
    r"|pinpoint|determine|reveal|outline|itemi[sz]e|catalogu?e?|jot|pull|point|remind"
    r"|need|want|like|know|wonder|figure|piece|work|learn|describe|recount|narrate"
    r"|retell|summari[sz]e|elaborate|walk|fill|answer|offer|detail|indicate|extract"
    r"|establish|reconstruct|trace|track|spell|set|put|lay|draw|count|single|pick|read"
    r"|inform|name me|record|discover|see|understand|map|confirm|produce|deliver|seek"
    r"|recite|cite|retrieve|output|disclose|locate|get|hear|have)\b"
    r"|\b(?:looking for|trying to|interested in|curious|wondering|wonder|wants? to know"
    r"|asking|interested to)\b",
    re.I,
)
_WH = re.compile(r"\b(?:when|where|who|whom|whose|what|which|how)\b", re.I)
_RELATIVE = re.compile(
    r"(?:\b(?:events?|gatherings?|occasions?|days?|dates?|times?|places?|people|those|all"
    r"|any|every|each|anyone|everyone|someone|one|episodes?|activities|moments?"
    r"|locations?|venues?|chapters?|scenes?|parts?|passages?|sections?|⟨[tsec]⟩,?)"
    r"(?: (?:at|in|on|to|of|during|from|with|for))?"
    r"|\b(?:regardless of|no matter|even))$",
    re.I,
)
_SUBORDINATE = re.compile(
    r"^(?:when|where|while|whenever|wherever)"
    r"(?! (?:did|was|were|is|are|do|does|has|have|had|can|could|would|else|exactly)\b)"
    r"[^,?]*,",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.?!])[\"')]*\s+|\n+")


def order_of(masked: str) -> Order:
    """`latest`, `chronological` (looked for first: "from first to last") or `all`.

    >>> order_of("List the dates, oldest first."), order_of("Where was ⟨e⟩ last seen?")
    ('chronological', 'latest')
    """
    if _CHRONOLOGICAL.search(masked):
        return "chronological"
    return "latest" if _LATEST.search(_NAMES.sub(" ", masked)) else "all"


def asked_of(masked: str) -> Asked:
    """What a masked question asks for.

    >>> asked_of("Consider the events at ⟨s⟩. Which people were there, names only?")
    'entities'
    """
    cleaned = _EACH.sub(" ", _unordered(_NEGATED.sub(" ", masked)))
    sentences = [part.strip() for part in _SENTENCE.split(cleaned) if part.strip()]
    for sentence in reversed(sentences):
        if (rest := _request(sentence)) and (found := _ANSWER.search(rest)):
            return _asked(found)
    for sentence in reversed(sentences):
        if found := _ANSWER.search(sentence):
            return _asked(found)
    named = re.search(r"\bnames?\b", masked, re.I)
    return "entities" if named else "contents"


def _unordered(text: str) -> str:
    return _LATEST.sub(" ", _CHRONOLOGICAL.sub(" ", _NAMES.sub(" names ", text)))


def _request(sentence: str) -> str:
    """What follows the request of a sentence, from its own wh-word if it has one."""
    sentence = _SUBORDINATE.sub(" ", " ".join(sentence.split())).strip()
    asking = [m.start() for m in _WH.finditer(sentence) if not _relative(sentence, m)]
    verb = _REQUEST.search(sentence)
    if verb and (not asking or verb.start() <= asking[0]):
        return sentence[verb.start() :]
    return _from_preposition(sentence, asking[0]) if asking else ""


def _relative(sentence: str, wh: re.Match[str]) -> bool:
    return bool(_RELATIVE.search(sentence[: wh.start()].rstrip()))


def _from_preposition(sentence: str, start: int) -> str:
    """From "on which", "with whom" rather than from the wh-word alone."""
    before = re.search(
        r"\b(?:on|at|in|with|alongside|beside) $", sentence[:start], re.I
    )
    return sentence[before.start() if before else start :]


def _asked(found: re.Match[str]) -> Asked:
    return found.lastgroup  # type: ignore[return-value]
