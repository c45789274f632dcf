"""Web pages as Markdown: headings kept, scripts, styles and navigation left out."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup
from bs4.element import NavigableString

from gswlab.text.formats.source import Source

_UNREAD = ["script", "style", "template", "noscript", "head", "nav", "svg", "iframe"]
_BLOCKS = re.compile(
    "p|div|section|article|main|header|footer|aside|blockquote|figure|figcaption|ul|ol"
    "|li|dl|dt|dd|table|tr|pre|hr|h[1-6]|body"
)


def read(data: bytes, name: str) -> Source:
    """The words of a page; its encoding is what it declares, else UTF-8."""
    soup = BeautifulSoup(data, "html.parser")
    for tag in soup(_UNREAD):
        tag.decompose()
    for text in soup.find_all(string=True):
        if type(text) is not NavigableString:
            text.extract()  # comments, declarations
        elif text.find_parent("pre") is None:
            text.replace_with(re.sub(r"\s+", " ", text))
    for tag in soup(["br"]):
        tag.replace_with("\n")
    for tag in soup(_BLOCKS):
        if tag.name[0] == "h" and tag.name[1:].isdigit():
            tag.insert(0, "#" * int(tag.name[1]) + " ")
        tag.insert_before("\n\n")
        tag.insert_after("\n\n")
    lines = (line.strip() for line in soup.get_text().splitlines())
    return Source(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), markdown=True)
