"""A turn of talk: who speaks is told beside it, and so is whom it answers.

The name stands before the turn's own words, as a nick or the head of a line. Nobody is
he or she in his own turn; *I* is who speaks, *you* who is called in it or answered.
"""

from __future__ import annotations

from collections.abc import Iterator

from gswlab.core.nouns import Mention, Span
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.mentions import Cast, Member


def add_speaker(cast: Cast, workspace: Workspace) -> None:
    """Whoever speaks is a person of the turn, mentioned where the turn names them.

    Nicks are written small: in a turn, one that is known is a name.
    """
    chunk = cast.parsed.chunk
    if chunk.speaker is None:
        return
    party(cast, chunk.speaker, chunk.named)
    for token in (token for token in cast.parsed.doc if cast.at(token) is None):
        known = (actor.name for actor in workspace.named(token.text))
        if not token.is_title and token.text in known:
            cast.mention(party(cast, token.text), [token], token, "name")


def party(cast: Cast, name: str, beside: Span | None = None) -> Member:
    """The member of this name, new if need be; `beside` names it outside the turn."""
    named = (m for m in cast if m.form == "name" and name in (m.name, *m.aliases))
    member = next(named, None) or cast.add(name, "name")
    if beside is not None:
        told = Mention(beside, "name", cast.parsed.chunk.id, name)
        member.beside += [told] * (told not in member.beside)
        member.vote("person", 3.0, "speaks", beside)
    return member


def speaker(cast: Cast) -> Member | None:
    """Who speaks, where the chunk is a turn."""
    name = cast.parsed.chunk.speaker
    return party(cast, name) if name else None


def not_the_speaker(cast: Cast) -> Iterator[tuple[Member, Member]]:
    """Who speaks, and each whom the turn calls he or she."""
    if (own := speaker(cast)) is not None:
        others = (m for m in cast if m.form == "pronoun" and m.gender in ("f", "m"))
        yield from ((own, m) for m in others if not cast.parsed.quote(m.heads[0]))
