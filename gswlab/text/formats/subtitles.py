"""Subtitles (.vtt, .srt): a cue is a turn, its speaker where the file names one.

The clock of a cue is shown before its words; it counts from the film's beginning, so it
is no date.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import webvtt

from gswlab.text.formats.source import Source, conversation

_NAMED = re.compile(r"(?:- ?)?([^\W\d_][\w .'’-]{0,40}): +(\S.*)", re.S)


def read(data: bytes, name: str) -> Source:
    """The words of subtitles."""
    form = "vtt" if name.lower().endswith(".vtt") else "srt"
    text = data.decode("utf-8-sig")
    return conversation(_turns(webvtt.from_buffer(io.StringIO(text), form)))


def _turns(cues: webvtt.WebVTT) -> Iterator[tuple[str, None, str | None, str]]:
    for cue in cues.captions:
        words, speaker = " ".join(cue.text.split()), cue.voice
        if speaker is None and (named := _NAMED.fullmatch(words)):
            speaker, words = named[1], named[2]
        yield f"[{cue.start.partition('.')[0]}]", None, speaker, words
