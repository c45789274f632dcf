"""A run's pages at an address: read-only, for this machine alone."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import pytest

from gswlab.core.errors import GswlabError
from gswlab.lab import config
from gswlab.view.served import LOOPBACK, pages, served

TEXT = "Ann Ray left Kobe on May 7, 2024. She took <b>the ferry</b>."


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    text = folder / "note.txt"
    text.write_text(TEXT)
    lab = config.open(f"dataset.file={text}", f"run.dir={folder / 'run'}")
    lab.run()
    lab.journal.close()
    (folder / "run" / "answers.jsonl").write_text(
        '{"question": "<script>where()</script>", "items": ["Kobe"], "reason": ""}\n'
    )
    return folder / "run"


def digests(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


@pytest.fixture(scope="module")
def port(run: Path) -> Iterator[int]:
    with served(pages(run)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def asked(port: int, method: str, path: str, host: str = "") -> tuple[int, str]:
    connection = HTTPConnection(LOOPBACK, port, timeout=10)
    headers = {"Host": host} if host else {}
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_the_first_page_names_the_others_and_they_are_there(port: int) -> None:
    status, text = asked(port, "GET", "/")
    assert status == 200
    for path in ("/1/steps", "/1/ink", "/1/ink/1"):
        assert f'href="{path}"' in text
        assert asked(port, "GET", path)[0] == 200
    assert "Ann Ray" in asked(port, "GET", "/1/steps")[1]


def test_what_a_text_or_a_question_says_is_text_on_every_page(port: int) -> None:
    assert "&lt;script&gt;where()" in asked(port, "GET", "/")[1]
    assert "<b>the ferry" not in asked(port, "GET", "/1/steps")[1]


def test_nothing_is_written_and_no_file_is_served(port: int, run: Path) -> None:
    before = digests(run)
    for method in ("POST", "PUT", "DELETE"):
        assert asked(port, method, "/")[0] == 501
    for path in ("/config.yaml", "/../run/config.yaml", "//etc/passwd", "/1/steps/.."):
        assert asked(port, "GET", path)[0] == 404
    assert digests(run) == before


def test_a_page_of_another_site_cannot_ask_by_its_own_name(port: int) -> None:
    assert asked(port, "GET", "/", host=f"example.org:{port}")[0] == 403
    assert asked(port, "GET", "/", host=f"localhost:{port}")[0] == 200


def test_a_port_that_is_taken_is_one_sentence(port: int) -> None:
    for taken in (port, 70000):
        with pytest.raises(GswlabError, match=f"port {taken} of 127.0.0.1"):
            served({}, taken)


def test_the_command_prints_an_address_that_answers(run: Path) -> None:
    command = [sys.executable, "-m", "gswlab", "open", str(run), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        status, _ = asked(int(address.rsplit(":", 1)[1].strip("/")), "GET", "/1/steps")
        process.terminate()
    assert status == 200
