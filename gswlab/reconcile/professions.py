"""Professions: the roles of which a person usually has one.

A role that differs is no reason to think of two people (a mother, a guest, a winner
may be one); a profession that differs is a hint. The list is a small hand-written
one of common trades; a role that is not in it never speaks against a merge.
"""

from __future__ import annotations

_ENGLISH = (
    "accountant actor actress architect astronomer bailiff baker banker barber "
    "bartender biologist blacksmith bookseller botanist bricklayer builder butcher "
    "butler carpenter cashier chef chemist clerk coach cobbler composer conductor cook "
    "courier dancer dentist designer detective doctor driver economist editor "
    "electrician engineer farmer firefighter fisherman florist gardener geologist "
    "goldsmith grocer guard hairdresser historian jeweller journalist judge lawyer "
    "lecturer librarian locksmith magician maid mason mathematician mechanic midwife "
    "miller miner musician nurse optician painter pharmacist photographer physician "
    "physicist pianist pilot plumber policeman policewoman porter postman potter "
    "priest professor programmer psychologist publisher reporter sailor saddler "
    "scientist sculptor secretary shepherd shoemaker singer soldier solicitor surgeon "
    "tailor teacher translator vet veterinarian violinist waiter waitress weaver writer"
)
_JAPANESE = (
    "医者 医師 外科医 看護師 教師 弁護士 警察官 刑事 消防士 料理人 大工 農家 漁師 作家 "
    "画家 歌手 俳優 記者 学者 教授 技師 運転手 店員 銀行員 会計士 建築家 薬剤師 パン屋"
)
_ALL = frozenset((_ENGLISH + " " + _JAPANESE).split())


def profession(noun: str) -> bool:
    """Whether a role's head noun is a profession.

    >>> profession("surgeon"), profession("mother")
    (True, False)
    """
    return noun in _ALL
