"""A page as a tree: the few questions that readers of saved pages ask.

Only this package knows turbohtml; what readers see is small enough to be kept whatever parser
stands behind it. Scripts, styles and templates hold no elements (HTML5), so nothing is found there.
"""

from __future__ import annotations

import turbohtml

_UNSEEN = "script, style, template, noscript"


class Element:
    """An element of a page, or the page itself."""

    __slots__ = ("_node",)

    def __init__(self, node: turbohtml.Node) -> None:
        self._node = node

    def select(self, css: str) -> list[Element]:
        """All elements below this one that match the selector, in the order of the page."""
        return [Element(node) for node in self._node.select(css)]

    def select_one(self, css: str) -> Element | None:
        """The first element below this one that matches the selector."""
        node = self._node.select_one(css)
        return None if node is None else Element(node)

    def matches(self, css: str) -> bool:
        """Whether this element itself matches the selector; the page as a whole matches none."""
        return isinstance(self._node, turbohtml.Element) and self._node.matches(css)

    def remove(self) -> None:
        """Take the element, and all that is in it, out of the page."""
        self._node.extract()

    @property
    def text(self) -> str:
        """The text of the element on one line: white space collapsed, none at the ends.

        What stands in scripts and styles inside it is no text.
        """
        text = self._node.text
        if self._node.select_one(_UNSEEN):
            text = "".join(
                node.data
                for node in self._node.descendants
                if isinstance(node, turbohtml.Text)
                and not (
                    isinstance(node.parent, turbohtml.Element) and node.parent.matches(_UNSEEN)
                )
            )
        return " ".join(text.split())

    def attr(self, name: str) -> str | None:
        """The value of an attribute as it is written; None where there is none."""
        if not isinstance(self._node, turbohtml.Element):
            return None
        value = self._node.attrs.get(name)
        return " ".join(value) if isinstance(value, list) else value

    @property
    def inner_html(self) -> str:
        """The HTML inside the element."""
        return self._node.inner_html

    def drop(self) -> None:
        """Take the element out of its page."""
        if isinstance(self._node, turbohtml.Element):
            self._node.decompose()


def parse_page(html: str) -> Element:
    """The HTML of a whole page or of a fragment -> its root."""
    return Element(turbohtml.parse(html))
