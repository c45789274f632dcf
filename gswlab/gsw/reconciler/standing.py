"""Standing questions: registered by a user, answered anew as the text goes on.

A standing question is read as a cue over all episodes bound so far, so the answer to
"where was she last seen?" may change with any chunk; one about a plain verb ("who
arrested Sato?") is read over all that was told to happen. What is kept beside the
answer is why it is one: the nouns it rests on, or what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Bound, Episode, Filler, Question
from gswlab.core.step import Resolution, Step
from gswlab.core.workspace import Draft, Workspace
from gswlab.gsw.reconciler.questions import Attempt, resolution
from gswlab.qa.cue import Cue, answer_cue
from gswlab.qa.question.asked_for import arrange
from gswlab.qa.question.names import Names
from gswlab.qa.question.occurrences import told_occurrences
from gswlab.qa.question.parse import parse_question, plain_verbs
from gswlab.qa.question.wh_question import Fit, answered

_FIELD = {
    "times": "date",
    "places": "place",
    "entities": "protagonist",
    "contents": "kind",
}
_TOLD = ("status", "answers", "reason")  # what a question takes of an attempt
_FACTS = ("date", "place", "protagonist", "kind", "participants")


def register(workspace: Workspace, text: str) -> Step:
    """The step that puts a standing question, answered as far as the text goes.

    >>> register(Workspace(), "Where was Ann Ray last seen?").changes[0].item.status
    'open'
    """
    if not text.strip():
        rule = "a question says what is asked"
        command = 'python -m gswlab ask RUN "Who was arrested?"'
        raise GswlabError("the question is empty", rule, command)
    draft = Draft(workspace)
    cue, found = _attempt(workspace, text)
    said = {name: getattr(found, name) for name in _TOLD}
    named = draft.new_id("question"), text.strip(), cue.asked
    question = Question(*named, standing=True, **said)
    draft.put("question", question)
    told = (resolution(question.id, found),)
    return Step(workspace.version, None, draft.taken(), told, note="register")


def retry_standing(draft: Draft, chunk: str | None) -> list[Resolution]:
    """Answer the standing questions again, where anything they read has changed."""
    own: tuple[Question, ...] = draft.workspace.in_chapter("question", None)
    questions = [question for question in own if question.standing]
    if not questions or not _changed(draft):
        return []
    found_out = []
    for question in questions:
        _, found = _attempt(draft.workspace, question.text)
        if any(getattr(question, name) != getattr(found, name) for name in _TOLD):
            for name in _TOLD:
                draft.set(question.id, name, getattr(found, name))
            draft.set(question.id, "resolved", chunk if found.answers else None)
            found_out.append(resolution(question.id, found))
    return found_out


def _changed(draft: Draft) -> bool:
    ids = {change.id for change in draft.changes}
    if any(noun_id[:1] in ("a", "v", "t", "p") for noun_id in ids):
        return True

    def facts(workspace: Workspace, episode_id: str) -> list[object]:
        episode = workspace.nouns.get(episode_id)
        return [getattr(episode, name, None) for name in _FACTS]

    episodes = [noun_id for noun_id in ids if noun_id[:1] == "e"]
    return any(facts(draft.workspace, e) != facts(draft.before, e) for e in episodes)


def _attempt(workspace: Workspace, text: str) -> tuple[Cue, Attempt]:
    episodes = workspace.episodes
    cue = parse_question(text, Names.of(episodes))
    fits = arrange(answer_cue(episodes, cue), cue.order)
    if found := told_occurrences(workspace, text, cue, bool(fits)):
        return cue, _tell(found)
    if plain_verbs(text, cue):
        return cue, Attempt("open", reason="nothing read so far tells of it")
    return cue, _weigh(cue, fits)


def _tell(found: tuple[Fit, ...]) -> Attempt:
    """What occurrences say to a plain question: only asserted ones answer in full."""
    support = tuple(dict.fromkeys(fit.occurrence.id for fit in found))
    bounds = [bound for fit in found for bound in answered(fit)]
    if not bounds:
        reason = f"{', '.join(support)} tells of it, but no {found[0].slots[0]} is told"
        return Attempt("insufficient", (), support, reason)
    if not any(fit.occurrence.modality == "asserted" for fit in found):
        reason = f"{', '.join(support)} is only {found[0].occurrence.modality}"
        return Attempt("partly", _fillers(bounds), support, reason)
    return Attempt("answered", _fillers(bounds), support, f"told by {support[0]}")


def _weigh(cue: Cue, fits: tuple[Episode, ...]) -> Attempt:
    """Answered, partly, contradictory, insufficient or open: what the episodes say."""
    said = ", ".join(f"{name} {getattr(cue, name)!r}" for name in cue.fields)
    if not fits:
        return Attempt("open", reason=f"nothing read so far has {said or 'such a cue'}")
    support = tuple(episode.id for episode in fits)
    bounds = [_asked(cue, episode) for episode in fits]
    missing = [e.id for e, found in zip(fits, bounds, strict=True) if not found]
    answers = _fillers(bound for found in bounds for bound in found)
    if not answers:
        reason = f"{', '.join(missing)}: {said}, but no {cue.asked} are known"
        return Attempt("insufficient", (), support, reason)
    # second readings of the asked field that have as much evidence as the first
    name, rivals = _FIELD.get(cue.asked, ""), list[str]()
    for episode in fits:
        best: Bound | None = getattr(episode, name, None)
        rivals += [
            f"{episode.id} is as well read as {other.value} as {best.value}"
            for other in episode.hypotheses.get(name, ())
            if best and other.score >= best.score > 0
        ]
    if rivals:
        return Attempt("contradictory", answers, support, "; ".join(rivals))
    if missing:
        reason = f"no {cue.asked} are known for {', '.join(missing)}"
        return Attempt("partly", answers, support, reason)
    return Attempt("answered", answers, support, f"{', '.join(support)}: {said}")


def _asked(cue: Cue, episode: Episode) -> tuple[Bound, ...]:
    if cue.asked == "other_entities":
        return episode.participants
    names = _FIELD.values() if cue.asked == "details" else [_FIELD[cue.asked]]
    found = (getattr(episode, name) for name in names)
    return tuple(bound for bound in found if bound is not None)


def _fillers(bounds: Iterable[Bound]) -> tuple[Filler, ...]:
    first: dict[str, Bound] = {}
    for bound in bounds:
        first.setdefault(bound.value, bound)
    return tuple(Filler(b.value, b.spans, b.id) for b in first.values())
