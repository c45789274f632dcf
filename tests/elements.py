"""What a page is made of, as a browser would see its start tags."""

from __future__ import annotations

import html.parser

Attributes = dict[str, str | None]
LOADING = {"src", "href", "srcset", "action", "data", "poster", "background"}


class Elements(html.parser.HTMLParser):
    """Every element of a page, in order, with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, Attributes]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[Attributes]:
        """The attributes of each element of a name."""
        return [attributes for name, attributes in self.found if name == tag]

    @property
    def loading(self) -> list[Attributes]:
        """Elements that could fetch something, or lead somewhere."""
        return [attributes for _, attributes in self.found if LOADING & set(attributes)]

    @property
    def policy(self) -> str:
        """What the page allows itself to load."""
        return next(a["content"] or "" for a in self.named("meta") if "http-equiv" in a)
