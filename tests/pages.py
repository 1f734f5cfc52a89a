"""What the tests of the web pages read a page with."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.http import HttpResponse

_VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


@dataclass
class Page(HTMLParser):
    """A page as read: its text, its links, and what a strict policy would refuse in it."""

    answer: HttpResponse
    text: str = ""
    title: str = ""
    language: str = ""
    links: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    unclosed: list[str] = field(default_factory=list)
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.answer.content.decode())
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element says of itself."""
        given = dict(attrs)
        self.elements.append((tag, given))
        if tag not in _VOID:
            self.unclosed.append(tag)
        if tag == "html":
            self.language = given.get("lang") or ""
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        self.addresses += [given[name] or "" for name in ("href", "src", "action") if name in given]
        if "id" in given:
            self.ids.append(given["id"] or "")
        for name in given:
            if name == "style" or name.startswith("on"):
                self.inline.append(f"{tag} {name}")
        if tag == "style":
            self.inline.append(tag)
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.inline.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened last, which must be this."""
        opened = self.unclosed.pop()
        assert opened == tag, f"</{tag}> closes <{opened}> near {self.getpos()}"
        self.text += " "  # what follows is another element, not the same word

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that closes itself, as in a drawing."""
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        """Note the text of the page."""
        if self.unclosed and self.unclosed[-1] == "title" and "svg" not in self.unclosed:
            self.title += data
        elif "script" not in self.unclosed:
            self.text += data

    def having(self, attribute: str) -> list[dict[str, str | None]]:
        """Return the attributes of the elements that have this one."""
        return [given for _tag, given in self.elements if attribute in given]
