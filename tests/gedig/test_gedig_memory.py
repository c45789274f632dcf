"""geDIG as a memory: what each gate causes, and what its trace tells of it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import gswlab
from gswlab.bench.hotpotqa import AREA, Pool, by_tokens, gated
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Evidence, Span
from gswlab.gedig.entropy import SupportWeights, support_gain, support_gains
from gswlab.gedig.gauge import Gauge
from gswlab.gedig.passages.field import PASSAGE_FEATURES, PassageField, Relevance, Sight
from gswlab.gedig.passages.gates import Chance, FigureOne, Gauged, Rounds
from gswlab.gedig.passages.memory import Gedig
from gswlab.gedig.passages.released import Neighbours, Released, closed, featured
from gswlab.gedig.record import recorded_prices
from gswlab.gedig.thresholds import Fixed, Online

TEXTS = {
    "Tall Mill": "Tall Mill is a mill by the river. It was built by Ann Ray.",
    "Ann Ray": "Ann Ray was a mason. She came from Old Pier.",
    "Old Pier": "Old Pier is a port. Boats land there.",
    "The Grey Song": "The Grey Song is a song. Bo Lind wrote it in 1902.",
    "Sand Hill": "Sand Hill is a hill. Nobody lives there.",
    "Low Mill": "Low Mill is a mill that burnt down. It made paper.",
}
ASKED = "Where did the mason who built Tall Mill come from?"


class Blank:
    """An embedder to which all texts mean the same."""

    def embed(self, texts):
        return np.ones((len(texts), 2), np.float32) / np.float32(np.sqrt(2))


def chunks(texts=TEXTS):
    for index, (title, text) in enumerate(texts.items()):
        span = Span("pool", index * 1000, index * 1000 + len(text))
        yield Chunk(f"pool:{index}", "pool", index + 1, index, text, span, title)


def filled(gate, texts=TEXTS, **settings):
    memory = Gedig(gate, Blank(), **settings)
    for chunk in chunks(texts):
        memory.partial_fit(chunk)
    memory.finish()
    return memory


def titles(evidence):
    return [item.text.split("\n")[0] for item in evidence.items]


def actions(evidence):
    return [event.data["action"] for event in evidence.trace]


def open_gate(dg=1e9, ag=-1e9, **settings):
    return Gauged(Gauge(lam=15, hops=1), Fixed(ag, dg), **settings)


def test_ag_is_what_looks_along_links():
    looks = filled(open_gate()).recall(ASKED, 1000)
    blind = filled(open_gate(ag=1e9)).recall(ASKED, 1000)
    assert titles(looks)[:2] == ["Tall Mill", "Ann Ray"]
    assert "follow" in actions(looks)
    assert "follow" not in actions(blind)
    assert titles(looks) != titles(blind)


def test_dg_is_what_brings_in_and_its_silence_answers():
    shut = filled(open_gate(dg=-1e9)).recall(ASKED, 1000)
    assert len(shut.items) == 1
    assert actions(shut) == ["take", "answer"]
    assert not shut.trace[-1].data["forced"]
    assert len(filled(open_gate()).recall(ASKED, 1000).items) == len(TEXTS)


def test_an_answer_for_want_of_room_is_marked_forced():
    evidence = filled(open_gate()).recall(ASKED, 40)
    assert evidence.tokens <= 40
    assert evidence.trace[-1].data["forced"]


@pytest.mark.parametrize("budget", [1, 30, 60, 10_000])
@pytest.mark.parametrize("gate", [open_gate(), Rounds(2), FigureOne(), Released()])
def test_evidence_keeps_to_its_budget_to_the_token(gate, budget):
    evidence = filled(gate).recall(ASKED, budget)
    assert evidence.tokens <= budget


def test_the_trace_tells_what_was_proposed_at_which_price():
    evidence = filled(open_gate()).recall(ASKED, 1000)
    for price in recorded_prices(evidence.trace):
        assert price.price.g_min == min(price.price.series)
        assert price.data["ag"] == (price.price.g0 > price.theta_ag)
        assert price.data["dg"] == (price.price.g_min <= price.theta_dg)
    first = evidence.trace[0].data
    assert first["labels"] == ("Tall Mill",)
    assert first["nodes"] == ("pool:0",)
    assert first["edges"] == (("question", "pool:0"),)
    assert json.dumps([dict(event.data) for event in evidence.trace])


def branches(gate, texts=TEXTS):
    trace = filled(gate, texts).recall(ASKED, 10_000).trace
    told = [(e.data["ag"], e.data["dg"], e.data["action"]) for e in trace]
    return told, [event.data["forced"] for event in trace]


def test_all_three_branches_of_the_papers_figure_are_taken():
    """Passages that all name one another: each new one costs less beside its ties."""
    names = ["Oak", "Elm", "Ash", "Yew", "Fir", "Box", "Bay", "Fig"]
    texts = {name: f"{name} is by {', '.join(names)}." for name in names}
    told, forced = branches(FigureOne(width=1, rounds=8), texts)
    taken = ["ag" if ag else "dg" if dg else "neither" for ag, dg, _ in told]
    assert list(dict.fromkeys(taken)) == ["ag", "neither", "dg"]
    for branch, (_, _, action) in zip(taken, told, strict=True):
        assert action == ("answer" if branch == "dg" else "retrieve")
    assert not any(forced)


def test_a_round_cap_that_is_exhausted_answers_and_says_that_it_was_forced():
    told, forced = branches(FigureOne(width=1, rounds=2, thresholds=Fixed(-9.0, -9.0)))
    assert [action for _, _, action in told] == ["retrieve", "retrieve", "answer"]
    assert forced == [False, False, True]


def test_the_papers_gate_has_the_constants_of_its_text():
    gate = FigureOne()
    assert (gate.gauge.lam, gate.gauge.hops) == (0.3, 3)
    assert (gate.thresholds.ag, gate.thresholds.dg) == (0.5, 0.3)


def test_the_reading_gauge_tells_a_real_text_from_random_features():
    field = PassageField.of(list(chunks()), Blank())
    sight, relevance = Sight(field, ASKED), Relevance()
    rows = range(len(TEXTS))

    def gains(numbers):
        return support_gains(SupportWeights(0.5, tuple(relevance(numbers))))

    real = gains(sight.told((), rows))
    assert max(range(len(TEXTS)), key=real.__getitem__) == 0  # the mill that is named
    rng = np.random.default_rng(0)
    noise = [gains(rng.random((len(TEXTS), len(PASSAGE_FEATURES)))) for _ in range(200)]
    named = [max(range(len(TEXTS)), key=one.__getitem__) == 0 for one in noise]
    assert np.mean(named) < 0.4
    gap = max(real) - sorted(real)[-2]
    assert gap > np.quantile([max(n) - sorted(n)[-2] for n in noise], 0.9)


def test_the_reading_gauge_tells_a_text_from_the_same_text_about_something_else():
    other = {k: v.replace("built", "sold") for k, v in TEXTS.items()}
    prices = [
        recorded_prices(filled(open_gate(), texts).recall(ASKED, 1000).trace)[
            0
        ].price.g0
        for texts in (TEXTS, other)
    ]
    assert prices[0] < prices[1]


@pytest.mark.parametrize(
    ("pairs", "g0"),
    [((), 0.288), (((0, 1),), 0.087), (((0, 1), (2, 3)), -0.094)],
)
def test_the_released_gauge_counts_facts_and_titles_whatever_they_say(pairs, g0):
    """Stored scores of the public runs, to 0.02; the texts are drawn at random."""
    names = ["A", "B", "C", "D", "E"]
    for one, other in pairs:
        names[other] = names[one]
    rng, found = np.random.default_rng(1), []
    for _ in range(5):
        words = [" ".join(f"w{n}" for n in rng.integers(0, 50, 12)) for _ in names]
        found.append(released_g0(words, names))
    assert np.mean(found) == pytest.approx(g0, abs=0.02)
    assert np.ptp(found) < 0.03
    assert found[0] == pytest.approx(closed(5, pairs), abs=0.03)


def released_g0(texts, names):
    memory = Gedig(Released(width=5), Blank())
    for row, (text, name) in enumerate(zip(texts, names, strict=True)):
        span = Span("d", row * 1000, row * 1000 + len(text))
        memory.partial_fit(Chunk(f"d:{row}", "d", row, row, text, span, name))
    memory.finish()
    return recorded_prices(memory.recall("w1 w2 w3", 10_000).trace)[0].price.g0


def test_the_released_gate_reads_sentences_and_stops_after_one_more_round():
    evidence = filled(Released()).recall(ASKED, 10_000)
    assert len(evidence.trace) <= 2
    assert all(item.text.count("\n") == 1 for item in evidence.items)
    assert featured("a b", ["a c"], ["T"]).shape == (2, 69)


def test_neighbours_are_the_sentences_beside_a_hit_of_the_same_paragraph():
    texts = {"A": "One is here. Boats land. Three ends.", "B": "Four. Five."}
    evidence = filled(Neighbours(width=1), texts).recall("Where do boats land?", 1000)
    assert [item.text.split("\n")[1] for item in evidence.items] == [
        "One is here.", "Boats land.", "Three ends.",
    ]  # fmt: skip


def test_fixed_rounds_follow_links_as_often_as_they_say():
    for rounds in range(3):
        made = actions(filled(Rounds(rounds)).recall(ASKED, 1000))
        assert made.count("follow") == rounds
    assert actions(filled(Rounds(0)).recall(ASKED, 1000)).count("take") == len(TEXTS)


def test_a_gate_that_reads_the_list_again_takes_the_likeliest_by_what_is_held():
    memory = filled(Rounds(0, order="again"))
    episode, _ = memory.episode(ASKED, 1000)
    first, second = episode.held[:2]
    assert first == episode.order[0]
    rest = [row for row in episode.order if row != first]
    episode.held = [first]
    weights = episode.posterior(rest, links=False)
    assert second == rest[int(weights.argmax())]


def test_chance_fires_at_its_rate_and_the_same_way_each_time():
    memory = filled(Chance(0.5))
    field = memory._field
    drawn = []
    for seed in range(40):
        memory.gate = Chance(0.5, seed)
        trace = memory.recall(ASKED, 1000).trace
        drawn.append(any(event.data["action"] == "follow" for event in trace[1:2]))
        assert trace == memory.recall(ASKED, 1000).trace
    assert field is memory._field
    assert 10 <= sum(drawn) <= 30
    with pytest.raises(GswlabError, match=r"gate\.rate"):
        Chance(1.5)


def test_parts_of_the_gauge_choose_otherwise_than_the_whole():
    whole = titles(filled(open_gate()).recall(ASKED, 1000))
    for part in ("similarity", "structure"):
        assert titles(filled(open_gate(reads=part)).recall(ASKED, 1000)) != whole


def test_an_online_threshold_learns_from_every_decision():
    online = Online(rate=0.45, start=Fixed(-1.0, 1e9))
    filled(Gauged(Gauge(lam=15, hops=1), online)).recall(ASKED, 1000)
    assert online.ag != -1.0


def test_a_gain_of_each_is_the_gain_of_its_edit():
    support = SupportWeights(0.4, (0.5, 0.2, 0.0, 0.7))
    for place, gain in enumerate(support_gains(support)):
        assert gain == pytest.approx(support_gain(support, support.bringing([place])))


def test_area_is_one_where_all_gold_comes_first_and_less_the_later_it_comes():
    world = Pool.of(())
    assert by_tokens(Evidence((), 0), world, set())[AREA] == 1.0
    assert by_tokens(Evidence((), 0), world, {1})[AREA] == 0.0


def test_a_run_tells_the_papers_statistics_and_the_seconds_of_its_parts(tmp_path):
    given = ("experiment=hotpotqa", "memory=gedig", "gate=paper", "embedder=minilm",
             "embedder.cache=null", f"run.dir={tmp_path / 'run'}",
             f"dataset.file={small(tmp_path)}")  # fmt: skip
    gswlab.open(*given).run()
    gates = json.loads((tmp_path / "run" / "scores.json").read_text())["gates"]
    assert {"ag_first", "ag_last", "dg_first", "dg_last", "gauge", "edges", "rounds",
            "forced", "fires"} <= gates.keys()  # fmt: skip
    ledger = json.loads((tmp_path / "run" / "ledger.json").read_text())
    assert {"indexing", "retrieval", "gauge"} <= ledger["seconds"].keys()


def small(tmp_path):
    paragraphs = [{"title": title, "text": text} for title, text in TEXTS.items()]
    row = {"question": ASKED, "answers": ["Old Pier"], "paragraphs": paragraphs,
           "gold": [0, 1]}  # fmt: skip
    path = tmp_path / "small.json"
    path.write_text(json.dumps([row]), encoding="utf-8")
    return path


def test_nothing_is_told_of_gates_where_nothing_decided():
    assert gated(()) is None


def test_a_model_decides_whether_it_is_enough(server, tmp_path):
    said = iter([{"missing": "who the mason is", "next": "link"},
                 {"missing": "", "next": "answer"}])  # fmt: skip
    server.script = lambda body, number: json.dumps(next(said))
    model = ("llm=openai", f"llm.base_url={server.url}", "llm.model=stand-in")
    given = (f"run.dir={tmp_path / 'run'}", f"dataset.file={small(tmp_path)}", *model)
    asked = ("experiment=hotpotqa", "memory=gedig", "gate=self", "llm.cassette=null")
    gswlab.open(*asked, *given).run()
    (line,) = (tmp_path / "run" / "answers.jsonl").read_text().splitlines()
    told = json.loads(line)
    assert told["gates"]["rounds"] == 2
    assert told["gates"]["follows"] == 1
    assert len(server.requests) == 2


def test_a_gate_without_its_memory_is_one_sentence_that_names_the_command():
    with pytest.raises(GswlabError, match="memory=gedig gate=paper"):
        gswlab.open("experiment=hotpotqa", "memory=bm25", "gate=paper")
