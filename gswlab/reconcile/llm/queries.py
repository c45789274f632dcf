"""What a reply says of the open questions it was shown: every status is kept."""

from __future__ import annotations

from collections.abc import Iterator

from gswlab.core.nouns import Question, QuestionStatus
from gswlab.reconcile.attempts import Attempt
from gswlab.reconcile.llm.answers import filled
from gswlab.reconcile.llm.ground import Ground
from gswlab.reconcile.llm.reply import Reconciled, ResolvedQuery, UnresolvedQuery
from gswlab.reconcile.questions import resolution, write
from gswlab.workspace.export import RESOLVED, UNRESOLVED

_STATUS: dict[str, QuestionStatus] = {
    said: status  # type: ignore[misc]
    for status, said in (*RESOLVED.items(), *UNRESOLVED.items())
}


def settle(ground: Ground, reply: Reconciled, by: str) -> None:
    """Write down what became of each question, the first word on each."""
    seen: set[str] = set()
    for path, said in _paths(reply):
        named = ground.named(f"{path}.query_id", said.query_id, "q")
        if named is None:
            continue
        if named in seen:
            ground.refuse(f"{path}.query_id", f"{said.query_id!r} is settled above")
            continue
        seen.add(named)
        if isinstance(said, ResolvedQuery):
            _resolve(ground, path, named, said, by)
        else:
            _leave(ground, named, said, by)


def _paths(reply: Reconciled) -> Iterator[tuple[str, ResolvedQuery | UnresolvedQuery]]:
    for i, resolved in enumerate(reply.resolved_queries):
        yield f"resolved_queries.{i}", resolved
    for i, unresolved in enumerate(reply.unresolved_queries):
        yield f"unresolved_queries.{i}", unresolved


def _resolve(
    ground: Ground, path: str, question_id: str, said: ResolvedQuery, by: str
) -> None:
    filler = filled(ground, path, said.answer, said.answer_entity_id)
    if filler is None:
        return
    kinds = {"actors": "a", "events": "v", "spacetime": "tp"}
    support = [
        noun
        for name, kind in kinds.items()
        for noun in ground.all_named(
            f"{path}.support.{name}", getattr(said.support, name), kind
        )
    ]
    found = Attempt(_STATUS[said.status], (filler,), tuple(support), f"{by} reads it")
    write(ground.scene, ground.scene.workspace.get(question_id), found)


def _leave(ground: Ground, question_id: str, said: UnresolvedQuery, by: str) -> None:
    """A question stays open, or what is known of it does not fit together."""
    question: Question = ground.scene.workspace.get(question_id)
    status = _STATUS[said.status]
    found = Attempt(status, (), (), f"{by}: {said.reason.strip()}")
    if status == "open" and question.answers:
        # half an answer is not taken back by a chunk that has none
        ground.scene.decisions.append(resolution(question_id, found))
    else:
        write(ground.scene, question, found)
