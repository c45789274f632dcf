"""One decision edited by hand: a fork that decides one actor anew, and says who did.

The edited step is read again under a person's word, so that a wrong merge is split and
a wrong split merged with every mention, argument and vote at the side its span is on;
then the later chunks are read under what it says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import ByHand, Chunk, LocalMap
from gswlab.core.protocols import Operator
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.decide import LOCAL
from gswlab.lab import config
from gswlab.lab.futures.fork import Futures
from gswlab.lab.lab import Lab

_NEW = "new"
_ALREADY = "an edit decides otherwise"
SIGNED = "edited by hand: "  # how the reason of such a decision begins


def edit(
    lab: Lab, k: int, who: str | Alignment, becomes: str = _NEW, because: str = ""
) -> Futures:
    """Decide one actor of step `k` by hand, and read on under that decision.

    Args:
        lab: a run whose memory keeps a workspace.
        k: the number of the step that decided, from 1.
        who: the decision, or the name or local id of the actor it is about.
        becomes: `"new"`, or the id or name of the actor that it is merged with.
        because: why, kept in the decision's reason.

    Raises:
        GswlabError: the step has no such decision, or it says so already.
    """
    if not lab.folds:
        problem = f"memory={lab.names['memory']} decides nothing that can be edited"
        raise GswlabError(problem, "decisions are those of a workspace: memory=gsw")
    k = lab.journal.index_of(k)
    step = lab.journal[k]
    was = _decision(step, who)
    hand = _by_hand(lab, step, was, becomes, because)
    told = {"new": hand.new, "actor": hand.actor, "reason": hand.reason}
    fork = config.branch(lab, k, edited=told)
    if len(fork.journal) == k:
        memory: Any = fork.remembered()
        memory.operator = Edited(memory.operator, hand)
        chunk = next(c for c in fork.chunks if c.id == step.chunk)
        anew: Step = replace(memory.partial_fit(chunk), index=k)
        reasons = [d.reason for d in anew.decisions if isinstance(d, Alignment)]
        held = any(event.kind == "held" for event in anew.events)
        if not held and not any(SIGNED in reason for reason in reasons):
            reconciler = type(memory.reconciler).__name__
            rule = "a reconciler hears a person where it aligns as ours do"
            raise GswlabError(f"{reconciler} did not take the edit", rule)
        fork.journal.append(anew)
    known = lab.at(k).nouns.get(hand.actor or "")
    name = getattr(known, "name", becomes)
    outcome = f"merged with {name}" if hand.actor else "made somebody new"
    return Futures(lab, fork, k, f"“{was.name}” {outcome} by hand").run()


def _decision(step: Step, who: str | Alignment) -> Alignment:
    """The one alignment of a step that is meant."""
    known = [d for d in step.decisions if isinstance(d, Alignment)]
    if isinstance(who, Alignment):
        found, said = [d for d in known if d == who], who.name
    else:
        said = who
        found = [d for d in known if d.new == who]
        found = found or [d for d in known if who in (d.name, d.actor)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(f"{d.new} “{d.name}” {d.status}" for d in found or known)
    rule = f"it decides {names}" if names else "it aligns nobody"
    problem = (
        f"step {step.index + 1} has {len(found) or 'no'} decision{'s' * bool(found)}"
    )
    first = (found or known)[0].new if names else ""
    command = f"edit(lab, {step.index + 1}, {first!r}, becomes=...)" if first else ""
    raise GswlabError(f"{problem} on {said!r}", rule, command)


def _by_hand(lab: Lab, step: Step, was: Alignment, becomes: str, why: str) -> ByHand:
    """The edit as a local map carries it; the word of a person is signed as such."""

    def signed(otherwise: str) -> str:
        return f"{SIGNED}{(why or otherwise).strip()}"

    if becomes == _NEW:
        if was.status == _NEW:
            raise GswlabError(f"“{was.name}” is new already", _ALREADY)
        return ByHand(was.new, None, signed("somebody new"))
    actor = _target(lab.at(step.index), step, was, becomes)
    if was.status == "merged" and actor == was.actor:
        raise GswlabError(f"“{was.name}” is merged with {becomes} already", _ALREADY)
    reason, other = signed(f"the same as {becomes}"), actor.removeprefix(LOCAL)
    order = [d.new for d in step.decisions if isinstance(d, Alignment)]
    # of two actors of one chunk the one decided later is merged into the earlier
    if actor.startswith(LOCAL) and order.index(other) >= order.index(was.new):
        return ByHand(other, LOCAL + was.new, reason)
    return ByHand(was.new, actor, reason)


def _target(before: Workspace, step: Step, was: Alignment, becomes: str) -> str:
    """Whom it is merged with: an actor known before, or another one of the chunk."""
    living = before.resolve(becomes)
    if living[:1] == "a" and living in before:
        return living
    aligned = [d for d in step.decisions if isinstance(d, Alignment) and d != was]
    kept = [d for d in aligned if d.status != "merged"]
    own = [LOCAL + d.new for d in kept if becomes in (d.actor, d.name)]
    found = own or [a.id for a in before.called(becomes)]
    if len(found) == 1:
        return found[0]
    names = {c.actor: before.nouns.get(c.actor) for c in was.candidates}
    near = ", ".join(f"{i} ({getattr(a, 'name', '?')})" for i, a in names.items())
    rule = f"“new”, or an actor known before step {step.index + 1}"
    rule += f"; considered were {near}" if near else ""
    many = f"{len(found)} actors are" if found else "no actor is"
    raise GswlabError(f"{many} called {becomes!r}", rule, f"lab.at({step.index})")


@dataclass(frozen=True)
class Edited:
    """An operator whose local map also says what a person decided."""

    operator: Operator
    hand: ByHand

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """What the operator reads, and the hand beside it."""
        return replace(self.operator.extract(chunk, workspace), by_hand=(self.hand,))
