"""A gauge before the workspace and at its recall: what is let in, how far it goes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from maps import Story, Telling

import gswlab
from gswlab.core.codec import decode_step, encode_step
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Vote
from gswlab.core.step import Admission, Step
from gswlab.core.workspace import Workspace
from gswlab.gedig.gauge import Gauge
from gswlab.gedig.record import recorded_prices
from gswlab.gedig.thresholds import Fixed
from gswlab.gedig.workspace.recall import RecallGauge
from gswlab.gedig.workspace.reconciler import (
    GaugedReconciler,
    after_changes,
    edit_gain,
    edit_of,
)
from gswlab.gsw.memory import GSW
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.models.vectors.embedder import Vectors
from gswlab.view.papers.gedig_page import gauge_page
from gswlab.view.papers.gedig_trace import of_steps
from gswlab.view.run.page import page as run_page
from gswlab.view.terminal import step_text

STORY = Path(gswlab.__file__).parent / "data" / "story.txt"
EVERY, NONE = Fixed(1000.0, 1000.0), Fixed(1000.0, -1000.0)


def met() -> list[Telling]:
    """A meeting without a day, then who they are and when it was."""
    story = Story()
    first = story.tell("Ann met Bob.")
    ann, bob = first.actor("Ann"), first.actor("Bob")
    first.does("meet", ann, bob)
    second = story.tell("On 2024-05-07 Ann and Bob were at the mill.")
    day = second.actor("2024-05-07", "date", value="2024-05-07")
    for name in ("Ann", "Bob"):
        second.does("be", second.actor(name))
    votes = [Vote("date", day, 3.0, "the day is told", (second.span("2024-05-07"),))]
    second.parts["votes"] = votes
    return [first, second]


def gauged(gates: Fixed, **more: Any) -> GaugedReconciler:
    return GaugedReconciler(RulesReconciler(), Gauge(lam=10.0, hops=0), gates, **more)


def reads(reconciler: Any, tellings: Sequence[Telling]) -> tuple[Workspace, list[Step]]:
    workspace, steps = Workspace(), []
    for telling in tellings:
        step = reconciler.reconcile(workspace, telling.local(), telling.chunk)
        steps.append(step)
        workspace = workspace.apply(step)
    return workspace, steps


def admissions(steps: Sequence[Step]) -> list[tuple[str, str]]:
    decisions = [d for step in steps for d in step.decisions]
    return [(d.edit, d.status) for d in decisions if isinstance(d, Admission)]


def prices_of(steps: Sequence[Step]) -> dict[str, list[float]]:
    found = defaultdict(list)
    for step in steps:
        for one in recorded_prices(step.events):
            found[str(one.data["edit"])].append(one.price.g_min)
    return found


def test_a_gate_that_lets_all_in_changes_no_noun() -> None:
    plain, _ = reads(RulesReconciler(), met())
    passed, steps = reads(gauged(EVERY), met())
    assert passed.nouns == plain.nouns
    assert [status for _, status in admissions(steps)] == ["accepted"] * 2


def test_what_is_rejected_is_nowhere_in_the_workspace_and_the_reason_says_why() -> None:
    workspace, steps = reads(gauged(NONE), met())
    assert not workspace.nouns
    assert len(workspace.chunks) == 2  # they were read all the same
    assert [status for _, status in admissions(steps)] == ["rejected"] * 2
    decision = next(d for d in steps[0].decisions if isinstance(d, Admission))
    assert "tells too little" in decision.reason


def test_news_is_cheaper_by_what_it_tells_and_by_whom_it_is_about() -> None:
    first, second = met()
    before = Workspace()
    step = RulesReconciler().reconcile(before, second.local(), second.chunk)
    after = after_changes(before, step.changes)
    assert edit_gain(before, after, second.chunk) > 0
    known = before.apply(step)
    again = RulesReconciler().reconcile(known, first.local(), first.chunk)
    fresh = RulesReconciler().reconcile(before, first.local(), first.chunk)
    edits = [
        edit_of(w, after_changes(w, s.changes), s.changes)
        for w, s in ((known, again), (before, fresh))
    ]
    assert len(edits[0].nodes) < len(edits[1].nodes)


def between() -> Fixed:
    """Gates between the meeting's price when nobody is known and when both are."""
    first, second = met()
    (alone,) = prices_of(reads(gauged(EVERY), [first])[1]).values()
    found = prices_of(reads(gauged(EVERY), [second, first])[1])
    once_known, other = found[first.chunk.id][0], found[second.chunk.id][0]
    assert max(once_known, other) < alone[0]
    middle = (max(once_known, other) + alone[0]) / 2
    return Fixed(middle, middle)


def test_a_held_edit_is_let_in_once_more_is_known() -> None:
    first, second = met()
    workspace, steps = reads(gauged(between()), [first, second])
    names = [first.chunk.id, second.chunk.id, first.chunk.id]
    statuses = ["held", "accepted", "accepted"]
    assert admissions(steps) == list(zip(names, statuses, strict=True))
    other, _ = reads(RulesReconciler(), [second, first])
    assert workspace.nouns == other.nouns


def test_a_held_edit_is_not_tried_for_ever() -> None:
    story = Story()
    tellings = [story.tell(f"Number {n} came.") for n in range(4)]
    for telling in tellings:
        telling.does("come", telling.actor(telling.chunk.text.split(" came")[0]))
    never = Fixed(-1000.0, -1000.0)
    _, steps = reads(gauged(never, patience=2), tellings)
    mine = [s for edit, s in admissions(steps) if edit == tellings[0].chunk.id]
    assert mine == ["held", "held", "rejected"]
    with pytest.raises(GswlabError, match=r"reconciler\.patience"):
        gauged(never, patience=-1)


def test_the_end_lets_in_what_pays_by_then_and_changes_nothing_twice() -> None:
    first, second = met()
    reconciler = gauged(between())
    workspace, _ = reads(reconciler, [first])
    reconciler.finish(workspace)  # asked midway: nothing is settled by that
    known = workspace.apply(
        reconciler.reconcile(workspace, second.local(), second.chunk)
    )
    done = known.apply(reconciler.finish(known))
    again = reconciler.finish(done)
    assert not again.changes
    assert not [d for d in again.decisions if isinstance(d, Admission)]


def test_lots_are_the_same_each_time_and_know_nothing_of_the_text() -> None:
    prices = [prices_of(reads(gauged(EVERY, chance=True), met())[1]) for _ in range(2)]
    assert prices[0] == prices[1]
    story = Story()
    other = story.tell("Nobody came.")
    lots = prices_of(reads(gauged(EVERY, chance=True), [other])[1])
    assert lots[other.chunk.id] == prices[0][met()[0].chunk.id]


def test_a_reconciler_is_taken_up_with_what_a_journal_says_was_held() -> None:
    first, second = met()
    workspace, steps = reads(gauged(between()), [first])
    journal = [decode_step(encode_step(step)) for step in steps]
    taken_up, never_stopped = gauged(between()), gauged(between())
    taken_up.resumed(journal, [first.chunk])
    reads(never_stopped, [first])
    found = [
        one.reconcile(workspace, second.local(), second.chunk)
        for one in (taken_up, never_stopped)
    ]
    assert found[0] == found[1]
    assert admissions(found[:1])[-1] == (first.chunk.id, "accepted")
    taken_up.resumed([*journal, found[0]], [first.chunk, second.chunk])
    after = workspace.apply(found[0])
    assert not admissions([taken_up.finish(after)])  # settled since, so held no more


HOLDING = (
    "reconciler=gauged",
    "reconciler.gates.dg=-9",
    "reconciler.gates.ag=-9",
    "chunk.sentences=1",
)


def test_a_run_that_was_stopped_goes_on_with_what_it_held(tmp_path: Path) -> None:
    text = tmp_path / "short.txt"
    text.write_text("Clara Novak came. Ivo Brandt left. Clara Novak slept.", "utf-8")
    told = []
    for stops in (0, 1):
        folder = f"run.dir={tmp_path / str(stops)}"
        settings = (f"dataset.file={text}", *HOLDING, folder)
        for _ in range(stops):
            gswlab.open(*settings).step()  # and another lab goes on
        lab = gswlab.open(*settings)
        while lab.step():
            pass
        told.append([encode_step(step) for step in lab.journal.steps()])
    assert told[0] == told[1]
    assert sum("tried enough" in step for step in told[0]) >= 1
    page = gauge_page(of_steps(lab.journal.steps(), "short")).to_html()
    assert "reject" in page
    said = step_text(lab.journal, 1)
    assert "the edit of" in said
    assert "held at" in said
    assert "is held</b> at" in run_page(lab.journal).to_html()


def test_the_gauge_is_off_unless_it_is_chosen(tmp_path: Path) -> None:
    lab = gswlab.open(f"dataset.file={STORY}", f"run.dir={tmp_path}")
    lab.step()
    (step,) = lab.journal.steps()
    assert not recorded_prices(step.events)
    assert not [d for d in step.decisions if isinstance(d, Admission)]


class Letters:
    """Unit vectors by which letters a text has: near is what is spelt alike."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = [[text.count(chr(97 + k)) for k in range(26)] for text in texts]
        array = np.array(rows, dtype=np.float32) + 1e-6
        return np.asarray(array / np.linalg.norm(array, axis=1, keepdims=True))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("plain")
    lab = gswlab.open(f"dataset.file={STORY}", f"run.dir={folder}")
    while lab.step():
        pass
    return lab.workspace


QUESTION = "When was Clara Novak at any event?"


@pytest.mark.parametrize(("lam", "share"), [(0.0, 0.0), (1e6, 1.0)])
def test_recall_goes_on_as_far_as_it_pays(
    workspace: Workspace, lam: float, share: float
) -> None:
    parts: Any = {"operator": None, "reconciler": RulesReconciler()}
    parts |= {"workspace": workspace, "embedder": Letters()}
    whole = GSW(**parts).recall(QUESTION, 1000)
    assert len(whole.items) > 1
    gate = RecallGauge(parts["embedder"], Gauge(lam=lam, hops=0))
    memory = GSW(gate=gate, **parts)
    found = memory.recall(QUESTION, 1000)
    assert found.items == whole.items[: 1 + round(share * (len(whole.items) - 1))]
    assert (found.tokens < whole.tokens) == (share == 0)
    prices = recorded_prices(found.trace)
    assert [one.action for one in prices] == (
        ["go on"] * (len(whole.items) - 1) if share else ["stop"]
    )
    assert memory.clone().gate == gate


def test_a_gauge_at_recall_without_an_embedder_says_so(workspace: Workspace) -> None:
    parts: Any = {"operator": None, "reconciler": RulesReconciler()}
    memory = GSW(workspace=workspace, gate=RecallGauge(), **parts)
    with pytest.raises(GswlabError, match="no embedder"):
        memory.recall(QUESTION, 1000)
