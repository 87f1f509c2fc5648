"""What a single tag of a site generator shows: a picture, a link, a film, or nothing.

Tags of Hexo, Jekyll and Octopress, and the shortcodes that come with Hugo; of themes the commonest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

_WORD = re.compile(
    r"(?:(?P<key>[\w-]+)\s*=\s*)?(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|`(?P<tick>[^`]*)`"
    r"|(?P<bare>[^\s\"'`=]+))"
)
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|webp|svg|avif|bmp)(?:[?#].*)?\Z", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?:/|\.{0,2})/|[\w.%-]+\.\w{2,5}\Z")
_POST = re.compile(r"(?:.*/)?(?P<day>\d{4}-\d{1,2}-\d{1,2})-(?P<slug>[^/]+?)(?:\.\w+)?")
_SOURCES = ("src", "url", "link", "image", "image_path", "img", "path", "href")
_WORDS = ("title", "caption", "alt", "summary", "text", "description", "attr")


@dataclass(frozen=True)
class Arguments:
    """What stands in a tag behind its name."""

    words: tuple[str, ...] = ()
    named: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Arguments:
        """Split the text at blanks, but not within quotes."""
        words: list[str] = []
        named: dict[str, str] = {}
        for found in _WORD.finditer(text):
            given = (found[name] for name in ("double", "single", "tick", "bare"))
            value = next((part for part in given if part is not None), "")
            if found["key"]:
                named.setdefault(found["key"].lower(), value)
            elif value:
                words.append(value)
        return cls(tuple(words), named)

    @property
    def first(self) -> str:
        """The first word."""
        return self.words[0] if self.words else next(iter(self.named.values()), "")

    def get(self, *names: str) -> str:
        """The first of these arguments that is there."""
        return next((self.named[name] for name in names if self.named.get(name)), "")


@dataclass(frozen=True)
class Form:
    """How tags of one body are shown."""

    html: bool
    paired: frozenset[str]
    """Names of shortcodes that are closed somewhere in the body."""
    left_out: list[str]

    def picture(self, address: str, words: str) -> str:
        """A picture."""
        if self.html:
            return f'<img src="{escape(address)}" alt="{escape(words)}">'
        return f"![{_label(words)}]({_target(address)})"

    def link(self, address: str, words: str = "") -> str:
        """A link with words, or with its own address to be seen."""
        if self.html:
            return f'<a href="{escape(address)}">{escape(words or address)}</a>'
        if not words and re.fullmatch(r"https?://[^\s<>]+", address):
            return f"<{address}>"
        words = words or address
        return f"[{_label(words)}]({_target(address)})"

    def strong(self, words: str) -> str:
        """Words of a heading that is none."""
        return f"<p><strong>{escape(words)}</strong></p>" if self.html else f"**{words}**\n"


def _label(words: str) -> str:
    return re.sub(r"([\[\]\\])", r"\\\1", words)


def _target(address: str) -> str:
    return f"<{address}>" if re.search(r"[\s()]", address) else address


def mark_of(name: str, arguments: Arguments, form: Form) -> str | None:
    """What the tag shows; ``None`` where it is not known."""
    if name in _MARKS:
        return _MARKS[name](arguments, form)
    if name in _FILMS:
        address = arguments.first
        address = address if address.startswith("http") else _FILMS[name] + address
        return form.link(address, arguments.get("title"))
    if name in _SILENT or (name.startswith("end") and name[3:] in _CONTAINERS):
        return ""
    if name in _CONTAINERS or name in form.paired:
        return _opened(arguments, form)
    return None


def _opened(arguments: Arguments, form: Form) -> str:
    """The title of a box whose frame is dropped; looks of the theme are no title."""
    words = [word for word in arguments.words if re.search(r"[^\x00-\x7f]|\s", word)]
    title = arguments.get("title", "summary", "caption") or " ".join(words)
    return form.strong(title) if title else ""


def _figure(arguments: Arguments, form: Form) -> str:
    """A picture with all words that belong to it."""
    address = arguments.get(*_SOURCES) or arguments.first
    title, caption = arguments.get("title"), arguments.get("caption")
    words = arguments.get("alt") or title or caption
    below = [text for text in (title, caption, arguments.get("attr")) if text and text != words]
    shown = form.picture(address, words)
    target = arguments.get("link")
    if target and address != target and not form.html:
        shown = f"[{shown}]({_target(target)})"
    return "\n\n".join([shown, *(escape(text) if form.html else text for text in below)])


def _image(arguments: Arguments, form: Form) -> str:
    """Hexo's `img` and `asset_img`: classes, the address, sizes, title and words for the blind."""
    words = list(arguments.words)
    place = next((n for n, word in enumerate(words) if _ADDRESS.match(word)), None)
    if place is None:
        place = 0 if words else None
    if place is None:
        return ""
    rest = [word for word in words[place + 1 :] if not re.fullmatch(r"\d+(?:%|px)?|auto", word)]
    titles = [part.strip("'\" ") for word in rest for part in re.split(r"['\"]\s+['\"]", word)]
    return form.picture(words[place], titles[-1] if titles else "")


def _named_link(arguments: Arguments, form: Form) -> str:
    """Hexo's `post_link` and `asset_link`: the name of the target, then the words."""
    words = [word for word in arguments.words[1:] if word not in ("true", "false")]
    return form.link(arguments.first, " ".join(words))


def _worded_link(arguments: Arguments, form: Form) -> str:
    """Hexo's `link`: the words, then the address. Jekyll's `link` has only a path."""
    if len(arguments.words) < 2:
        return _address(arguments, form)
    place = next((n for n, word in enumerate(arguments.words) if _ADDRESS.match(word)), 1)
    return form.link(arguments.words[place], " ".join(arguments.words[:place]))


def _button(arguments: Arguments, form: Form) -> str:
    """A button of a theme: address, words and a picture of it, with commas between."""
    parts = " ".join(arguments.words).split(",")
    return form.link(parts[0].strip(), parts[1].strip() if len(parts) > 1 else "")


def _address(arguments: Arguments, _: Form) -> str:
    """The address of a post or a file within the site, as sites have it by default."""
    path = arguments.first
    if found := _POST.fullmatch(path):
        day = "/".join(part.zfill(2) for part in found["day"].split("-"))
        return f"/{day}/{found['slug']}.html"
    return path


def _include(arguments: Arguments, form: Form) -> str:
    """A file of the site: what the post hands over to it is kept."""
    file = arguments.words[0] if arguments.words else ""
    address, words = arguments.get(*_SOURCES), [arguments.named.get(name, "") for name in _WORDS]
    kept = list(dict.fromkeys(word for word in words if word))
    film = next((name for name in _FILMS if name in file.lower()), "")
    if film and (number := arguments.get("id", "video_id", "code")):
        return form.link(_FILMS[film] + number, " ".join(kept))
    if address and _PICTURE.search(address):
        return _figure(arguments, form)
    if address:
        return form.link(address, " ".join(kept))
    if not kept:
        form.left_out.append(file)
    return "\n\n".join(kept)


def _gist(arguments: Arguments, form: Form) -> str:
    return form.link("https://gist.github.com/" + "/".join(arguments.words[:2]))


def _tweet(arguments: Arguments, form: Form) -> str:
    user = arguments.get("user") or "i"
    return form.link(f"https://twitter.com/{user}/status/{arguments.get('id') or arguments.first}")


def _label_words(arguments: Arguments, _: Form) -> str:
    return " ".join(arguments.words).partition("@")[2].strip() or " ".join(arguments.words)


_FILMS = {
    "youtube": "https://www.youtube.com/watch?v=",
    "vimeo": "https://vimeo.com/",
    "bilibili": "https://www.bilibili.com/video/",
    "instagram": "https://www.instagram.com/p/",
    "jsfiddle": "https://jsfiddle.net/",
    "pdf": "",
    "iframe": "",
    "audio": "",
    "video": "",
}
_MARKS: dict[str, Callable[[Arguments, Form], str]] = {
    "figure": _figure,
    "image": _figure,
    "img": lambda arguments, form: (_image if arguments.words else _figure)(arguments, form),
    "asset_img": _image,
    "asset_path": _address,
    "asset_link": _named_link,
    "post_link": _named_link,
    "post_path": _address,
    "post_url": _address,
    "ref": _address,
    "relref": _address,
    "link": _worded_link,
    "btn": _button,
    "button": _button,
    "include": _include,
    "include_relative": _include,
    "include_cached": _include,
    "include_code": _include,
    "gist": _gist,
    "tweet": _tweet,
    "twitter": _tweet,
    "x": _tweet,
    "label": _label_words,
}
_CONTAINER_NAMES = """
    note notice admonition callout alert tip warning info danger tab folding fold spoiler
    details hidetoggle hideblock cell grouppicture gp blockquote quote center math rawhtml expand
    subnote timeline mermaid
"""
_CONTAINERS = frozenset(_CONTAINER_NAMES.split())
_SILENT = frozenset(("toc", "assign", "seo", "feed_meta", "tabs", "endtab", "endtabs"))
