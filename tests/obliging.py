"""What a model says that does as it is told: a function of the request alone."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import pairwise
from typing import Any

from standin import completion

NAME = re.compile(r"\b(?:[A-Z][a-z]+ [A-Z][a-z]+|[A-Z][a-z]+ \d+, \d{4})\b")
PLACES = "Mill", "Quay"
LISTED = re.compile(r"^(e\d+) (.+) \((\w+)\)", re.MULTILINE)
TASKS = "entity_alignment", "resolved_queries", "unresolved_queries"


def names_in(text: str, tag: str) -> list[str]:
    inside = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", text, re.DOTALL)
    return list(dict.fromkeys(NAME.findall(inside[1] if inside else text)))


def kind(name: str) -> str:
    if name[-1].isdigit():
        return "time"
    return "place" if name.endswith(PLACES) else "person"


def replies(text: str) -> dict[str, Any]:
    """The reply to each schema, by its name."""
    read = {
        "ContextReply": {"context": "", "situation": ""},
        "SameActor": {"entity_alignment": []},
        "EnoughReply": {"missing": "", "next": "answer"},
        "QueryReply": {"cypher": "MATCH (a:Character)-[r]-(b) RETURN a, r, b"},
        "NamesReply": {"entities": names_in(text, "question")},
        "SummaryReply": {"paragraph": "Somebody."},
        "Action": {
            "thought": "",
            "call": {"function": "send_message", "arguments": {"message": "Hm."}},
        },
    }
    people = [
        {"id": f"e{n}", "kind": kind(name), "name": name, "mentions": [], "roles": []}
        for n, name in enumerate(names_in(text, "passage"), 1)
    ]
    listed = LISTED.findall(text)
    shared = [
        {"kind": of, "actors": [one for one, _, _ in listed], "value": name}
        for _, name, found in listed
        if (of := {"place": "space", "time": "time"}.get(found))
    ]
    read["CouplingReply"] = {"groups": shared}
    answers = [{"text": name, "evidence": [1]} for name in names_in(text, "evidence")]
    pair = {"item": 1, "gold": 1, "score": "found"}
    read["OperatorReply"] = {"actors": people, "verb_phrases": []}
    read["Reconciled"] = {task: [] for task in TASKS}
    read["AnswerReply"] = {
        "chapters": [],
        "entity": "",
        "why": "",
        "cannot_answer": False,
        "answers": answers[:1],
    }
    said = re.search(r"<passage>\n(.*?)\n</passage>", text, re.DOTALL)
    lines = re.split(r"(?<=[.!?])\s+", said[1] if said else "")
    pairs = ((line, NAME.findall(line)) for line in lines)
    read["OpenIEReply"] = {
        "entities": [{"name": one["name"], "kind": one["kind"]} for one in people],
        "triples": [
            {"subject": a, "predicate": "with", "object": b, "quote": line}
            for line, names in pairs
            for a, b in pairwise(names)
        ],
    }
    found = [{"text": name, "score": 50} for name in names_in(text, "report")[:3]]
    read["ReportReply"] = {
        "title": "Some",
        "summary": "A group.",
        "findings": ["It is."],
    }
    read["PointsReply"] = {"points": found}
    asked = names_in(text, "question")
    read["KeywordsReply"] = {"low": asked[:8], "high": ["whereabouts"]}
    read["FactsReply"] = {"facts": [1]}
    shown = re.search(r"<chapter>\n(.*?)\n</chapter>", text, re.DOTALL)
    quote = shown[1].partition(".")[0] if shown else ""
    read["OccasionReply"] = {"kind": "wine tasting", "quote": quote[:240]}
    judged = {"knows_nothing": False, "explanation": "", "pairs": [pair]}
    return {**read, "JudgeReply": judged}


def obliging(body: dict[str, Any], number: int) -> Any:
    if "input" in body:  # texts to be embedded
        return "ok"
    if "tools" in body:
        said = completion("", 99)
        message = json.dumps({"message": "Hm."})
        call = {"function": {"name": "send_message", "arguments": message}}
        said["choices"][0]["message"]["tool_calls"] = [call]
        return json.dumps(said).encode()
    if "response_format" not in body:
        return "A summary."
    text = "\n".join(str(turn["content"]) for turn in body["messages"][1:])
    return json.dumps(replies(text)[body["response_format"]["json_schema"]["name"]])


class Faulty:
    """One that does as it is told, but for so many faults, drawn by a seed.

    What happens to a request is drawn for it and the how-manieth time it comes, not for
    when it arrives: on a busy machine the same happens.
    """

    FAULTS: tuple[Any, ...] = (
        (500, {"retry-after-ms": "1"}, "it broke"),
        (429, {"retry-after-ms": "1"}, "slow down"),
        (400, {"x-should-retry": "false"}, "not now"),
        b'{"choices": [',
        "{}",
        "no object at all",
    )

    def __init__(self, seed: int, faults: int) -> None:
        self.seed, self.left = seed, faults
        self.asked: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any], number: int) -> Any:
        request = json.dumps(body, sort_keys=True)
        self.asked[request] += 1
        drawn = random.Random(f"{self.seed} {self.asked[request]} {request}")
        if self.left and drawn.random() < 0.3:
            self.left -= 1
            return drawn.choice(self.FAULTS)
        return obliging(body, number)
