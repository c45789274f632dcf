"""Alignments of a reply as verdicts; whom nobody offered, nobody is merged with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from gswlab.core.nouns import Actor
from gswlab.language.names import key
from gswlab.reconcile.actors import form
from gswlab.reconcile.llm.asking import Outcome
from gswlab.reconcile.llm.reply import Aligned
from gswlab.reconcile.scene import Scene
from gswlab.reconcile.verdict import LOCAL, Status, Verdict

_BY_COUNT: tuple[Status, ...] = ("new", "merged", "ambiguous")


def verdicts_of(
    outcome: Outcome[Any],
    replies: Iterable[Aligned],
    offered: Mapping[str, Collection[str]],
) -> dict[str, Verdict]:
    """Verdicts by local id, the first on each actor.

    Args:
        outcome: takes what is refused, with its path.
        replies: what the reply says, in its order.
        offered: whom each new actor may be merged with, by their ids in the prompt.
    """
    found: dict[str, Verdict] = {}
    for i, said in enumerate(replies):
        path, local = f"entity_alignment.{i}", said.new_actor_id.removeprefix(LOCAL)
        if said.new_actor_id not in offered or local in found:
            why = f"{said.new_actor_id!r} is no actor asked about, or one twice"
            outcome.refuse(f"{path}.new_actor_id", why)
        elif verdict := _verdict(outcome, path, said, offered[said.new_actor_id]):
            found[local] = verdict
    for missing in (name for name in offered if name.removeprefix(LOCAL) not in found):
        outcome.refuse("entity_alignment", f"nothing to believe is said of {missing!r}")
    return found


def _verdict(
    outcome: Outcome[Any], path: str, said: Aligned, offered: Collection[str]
) -> Verdict | None:
    actor, reason = said.workspace_actor_id, f"{outcome.by}: {said.comment.strip()}"
    if said.status != "ambiguous":
        merges = actor in offered
        if actor and not merges:
            outcome.refuse(f"{path}.workspace_actor_id", f"{actor!r} is no candidate")
        elif actor and said.status == "new":
            outcome.refuse(f"{path}.status", f"new, and yet {actor!r}")
        elif said.status == "merged" and not actor:
            outcome.refuse(f"{path}.status", "merged, but with nobody")
        if merges != (said.status == "merged"):
            return None
        return Verdict(said.status, reason, (actor,) if actor and merges else ())
    named = [each for each in (actor, *said.candidates) if each]
    for each in (each for each in named if each not in offered):
        outcome.refuse(f"{path}.candidates", f"{each!r} is no candidate")
    return Verdict("ambiguous", reason, tuple(e for e in named if e in offered))


def by_exact_name(scene: Scene, new: Actor, by: str) -> Verdict:
    """The verdict on an actor that none was given on: whoever is called just so.

    A pronoun is nobody's name, a noun ("the door") only the chapter's; two of one name
    leave it open.
    """
    named = form(new) in ("name", "short")
    known = (*scene.actors(), *(scene.namesakes(new.name) if named else ()))
    same = tuple(dict.fromkeys(old.id for old in known if _is_called_so(new, old)))
    status = _BY_COUNT[min(len(same), 2)]
    return Verdict(status, f"{by} gave no verdict: by exact name {status}.", same)


def _is_called_so(new: Actor, old: Actor) -> bool:
    if form(new) == "pronoun" or old.kind == "time" or not key(new.name):
        return False
    return key(new.name) in map(key, (old.name, *old.aliases))
