"""Words by which English prose looks back or ahead."""

from gswlab.language.dates.calendar import compiled
from gswlab.language.language import Verbs

_AHEAD = compiled(
    r"\b(?:will|shall|won[’']t|must|going\s+to|(?<!had\s)(?<!was\s)(?<!were\s)(?<!ed\s)"
    r"to\s+be|is\s+to|are\s+to|due|next(?!\s+(?:door|to|of)\b)|tomorrow"
    r"|(?:hope|mean|plan|intend|expect|want|propose)s?\s+to|(?:is|are|am)\s+\w+ed\s+to)\b"
    r"|\w[’']ll\b"
)
_IRREGULAR = (
    "was were had did came went saw said told took gave got made left found met began "
    "broke brought bought built caught chose drew drove ate fell felt fled flew forgot "
    "fought hid held kept knew led lost paid ran rang rose sang sat sent shot sold "
    "spoke stood stole struck swam taught thought threw understood woke won wore wrote "
    "met became bit dreamt forgave knelt laid leapt learnt spun spat stank strove trod "
    "heard undertook overtook mistook withdrew withstood overcame arose awoke foresaw "
    "bent blew bore bound bred clung crept dealt dug fed flung froze grew ground hung "
    "lay lent lit meant rode sank sought shone shook slept slid spent sprang "
    "stuck stung strode swept swore swung tore wept wound"
)
_BACK = compiled(
    rf"\b(?:{'|'.join(_IRREGULAR.split())}|(?-i:[a-z]\w*[^e\W]ed))\b|n[’']t\b|\bsince\s+(?:the\s+)?$"
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
