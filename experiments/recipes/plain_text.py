"""Plain text of 1 MB and 10 MB, in one paragraph and in many.

    python recipes/plain_text.py DIR > CSV

Each is cut into chunks and read by memory=bm25 in a process of its own: CPU seconds and
peak memory a kilobyte, and how they compare with the tenth of the text.
"""

from __future__ import annotations

import csv
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

from table import commit

import gswlab
from gswlab.text.chunks import chunks
from gswlab.text.document import read_document

SIZES = 1_000_000, 10_000_000
HEADS = "text", "figure", "per_kB", "against_first", "target", "commit"
WHO = ("Ann Ray", "Bo Lind", "Mara Vey", "Ian Holt", "a ferryman", "the baker")
DID = ("opened a book fair", "sold forty lamps", "met the crew", "crossed the bay")
WHERE = ("in Tall Mill", "at Old Pier", "by the quay", "near the chapel", "in Graz")


def written(size: int, paragraph: int) -> str:
    """A text of so many characters, so many sentences to a paragraph; 0 is one."""
    chance, parts, length = random.Random(size), [], 0
    while length < size:
        who, did, where = map(chance.choice, (WHO, DID, WHERE))
        said = f"On day {len(parts)}, {who} {did} {where}."
        ends = paragraph and len(parts) % paragraph == paragraph - 1
        parts.append(said + ("\n\n" if ends else " "))
        length += len(parts[-1])
    return "".join(parts)


def timed(file: Path) -> None:
    """Print the CPU seconds of cutting and of reading, and the peak in kilobytes."""
    began = time.process_time()
    found = chunks(read_document(file))
    cut = time.process_time() - began
    given = f"dataset.file={file}", "memory=bm25", "reader=extractive", "embedder=none"
    lab = gswlab.open(*given, f"run.dir={file.parent / file.stem}")
    began = time.process_time()
    lab.run()
    print(cut, time.process_time() - began, len(found))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def main(folder: str, *sizes: str) -> None:
    """Write a row a figure."""
    os.environ["TQDM_DISABLE"] = "1"
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    for name, paragraph in (("one paragraph", 0), ("many paragraphs", 5)):
        first: dict[str, float] = {}
        for size in map(int, sizes or SIZES):
            file = Path(folder, f"{name.split()[0]}{size}.txt").resolve()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(written(size, paragraph), "utf-8")
            words = [sys.executable, __file__, "--timed", str(file)]
            done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
            *_, spent, peak = done.stdout.splitlines()
            cut, read, _ = map(float, spent.split())
            figures = {"cutting, CPU ms": 1000 * cut, "reading, CPU ms": 1000 * read}
            for figure, value in {**figures, "peak, kB": float(peak)}.items():
                each = value / (size / 1000)
                ratio = each / first.setdefault(figure, each)
                row = f"{name}, {size / 1e6:g} MB", figure, f"{each:.4f}"
                table.writerow((*row, f"{ratio:.2f}", "1.3", commit()))
            sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "--timed":
        timed(Path(sys.argv[2]))
    else:
        main(*sys.argv[1:])
