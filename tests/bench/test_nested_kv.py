"""Nested key-value retrieval: how it is made, the exact reader, the agent."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.baselines.passages import LongContext
from gswlab.bench.nested_kv import NestedKV
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Evidence, Item, Span, TraceEvent
from gswlab.lab import config
from gswlab.memgpt.memory import FixedContext
from gswlab.qa.readers.lookup import LookupReader, pairs

KEYS = [f"{n:08x}-0000-4000-8000-{n:012x}" for n in range(30)]
VALUES = [f"{n:08x}-1111-4111-8111-{n:012x}" for n in range(30)]
BASE = list(zip(KEYS, VALUES, strict=True))
TWICE = json.dumps({"ordered_kv_records": [["a", "b"]] * 2})
ORDERINGS = "random_orderings_100_samples_140_indices_{}_levels.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    base = json.dumps({"ordered_kv_records": BASE})
    (tmp_path / "kv_140_keys_first.jsonl").write_text(base, "utf-8")
    for depth in range(1, 5):
        chains = [
            [(7 * depth + 3 * n + step) % 30 for n in range(depth)] for step in (0, 11)
        ]
        lines = "\n".join(map(json.dumps, chains))
        (tmp_path / ORDERINGS.format(depth)).write_text(lines, "utf-8")
    return tmp_path


def held(chunks: object) -> Iterator[tuple[str, str]]:
    for chunk in chunks:  # type: ignore[attr-defined]
        yield from pairs(chunk.text)


def test_values_become_the_next_key_and_positions_do_not_move(folder: Path) -> None:
    world = NestedKV(str(folder), lookups="3", orderings="1").worlds[0]
    chain = json.loads((folder / ORDERINGS.format(3)).read_text().splitlines()[0])
    told = list(held(world.chunks))
    assert [key for key, _ in told] == KEYS
    assert told[chain[0]][1] == KEYS[chain[1]]
    assert told[chain[1]][1] == KEYS[chain[2]]
    assert world.questions[0].answers == (VALUES[chain[2]],)
    assert f'"{KEYS[chain[0]]}"' in world.questions[0].question
    changed = [n for n, (_, value) in enumerate(told) if value != VALUES[n]]
    assert sorted(changed) == sorted(chain[:2])


def test_settings_are_numbers_of_look_ups(folder: Path) -> None:
    worlds = NestedKV(str(folder), lookups="1-4").worlds
    settings = [question.setting for world in worlds for question in world.questions]
    assert settings == ["1", "1", "2", "2", "3", "3", "4", "4"]


@pytest.mark.parametrize("variant", ["plain", "distractors", "overwritten", "pages"])
def test_the_latest_values_lead_to_the_gold_in_every_variant(
    folder: Path, variant: str
) -> None:
    for world in NestedKV(str(folder), variant=variant, lookups="1-4").worlds:
        latest = dict(held(world.chunks))
        (question,) = world.questions
        key = question.question.split('"')[1]
        for _ in range(int(question.setting)):
            key = latest[key]
        assert (key,) == question.answers
        assert key not in latest


def test_a_variant_is_the_same_whenever_it_is_drawn(folder: Path) -> None:
    one, other = (NestedKV(str(folder), variant="pages", lookups="2") for _ in "ab")
    assert one.worlds == other.worlds
    assert one.hashes() == other.hashes()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("kv_140_keys_first.jsonl", "{}", "ordered_kv_records"),
        ("kv_140_keys_first.jsonl", TWICE, "repeats a key"),
        (ORDERINGS.format(2), "[1]", "2 different numbers"),
        (ORDERINGS.format(2), "[1, 1]", "repeats a number"),
        (ORDERINGS.format(2), "[1, 99]", "below 30"),
    ],
)  # fmt: skip
def test_a_faulty_file_is_one_sentence(
    folder: Path, name: str, text: str, said: str
) -> None:
    (folder / name).write_text(text, "utf-8")
    with pytest.raises(GswlabError, match=said):
        _ = NestedKV(str(folder), lookups="2").worlds


def test_the_reader_follows_the_value_written_last() -> None:
    def item(at: int, text: str) -> Item:
        return Item(text, (Span("d", at, at + 1),), None, 1.0)

    items = (item(9, "a: b"), item(1, "a: c"), item(5, "b: d"))
    answer = LookupReader().answer('What is "a"?', Evidence(items, 0))
    assert answer.items == ("d",)


def test_the_reader_ends_where_keys_go_in_a_circle() -> None:
    items = (Item("a: b\nb: a", (), None, 1.0),)
    assert LookupReader().answer('What is "a"?', Evidence(items, 0)).items == ("a",)


def test_an_agents_own_reply_stands() -> None:
    trace = (TraceEvent("replied", {"message": "so be it"}, ()),)
    told = Evidence((Item("a: b", (), None, 1.0),), 0, trace)
    assert LookupReader().answer('What is "a"?', told).items == ("so be it",)


@given(st.text(max_size=200))
def test_pairs_are_found_in_any_text_without_fault(text: str) -> None:
    assert all(isinstance(key, str) and value for key, value in pairs(f"k: v\n{text}"))


def test_the_tail_of_a_text_is_what_was_read_last(folder: Path) -> None:
    world = NestedKV(str(folder), lookups="1", orderings="1").worlds[0]
    head, tail = LongContext(), LongContext(end="tail")
    for chunk in world.chunks:
        head.partial_fit(chunk)
        tail.partial_fit(chunk)
    assert KEYS[0] in head.recall("", 120).text
    assert KEYS[29] in tail.recall("", 120).text
    assert KEYS[0] not in tail.recall("", 120).text


def test_the_window_alone_knows_what_came_last_and_a_summary_if_asked(
    folder: Path,
) -> None:
    world = NestedKV(str(folder), lookups="1", orderings="1").worlds[0]
    plain, summed = (FixedContext(window=3072, summarises=s) for s in (False, True))
    for chunk in world.chunks:
        plain.partial_fit(chunk)
        summed.partial_fit(chunk)
    assert KEYS[29] in plain.recall("?", 4096).text
    assert KEYS[0] not in plain.recall("?", 4096).text
    assert summed.recall("?", 4096).tokens > plain.recall("?", 4096).tokens


@pytest.mark.parametrize("variant", ["plain", "overwritten", "pages"])
def test_the_scripted_agent_is_always_right(
    folder: Path, tmp_path: Path, variant: str
) -> None:
    typed = (f"dataset.folder={folder}", f"dataset.variant={variant}")
    run = f"run.dir={tmp_path / 'run'}"
    chosen = ("dataset.lookups=3-4", "dataset.orderings=1")
    line = config.open("experiment=nested_kv", *typed, *chosen, run).run()
    assert line["accuracy_by_setting"] == {"3": 1.0, "4": 1.0}
    assert line["policy"] == "scripted"
