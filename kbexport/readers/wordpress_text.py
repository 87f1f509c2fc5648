"""The text of a post as WordPress stores it -> the HTML that it shows.

Bare line ends are paragraphs there, marks of blocks stand in comments, and shortcodes in brackets;
what is not known of the latter stays as it is, for it may be the author's own words.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field

from kbexport.readers.wordpress_paragraphs import MOST_WORK, paragraphs, unclosed

_LANGUAGES = """
    actionscript3 as3 bash shell sh c cpp csharp css delphi diff erlang fsharp go groovy html java
    javafx javascript js jscript latex matlab objc perl php plain text powershell ps py python r
    rails ruby scala sql swift vb xml xhtml yaml
"""
_CODE = re.compile(
    r"(?<!\[)\[(?P<name>code|sourcecode|source|highlight|crayon|cci?(?:_\w+)?|"
    + "|".join(_LANGUAGES.split())
    + r")(?P<attributes>(?:\s|=)[^\[\]\n]*)?\](?P<text>.*?)\[/(?P=name)\](?!\])",
    re.DOTALL,
)
_NO_LANGUAGE = ("code", "sourcecode", "source", "highlight", "crayon", "cc", "cci", "plain", "text")
_ATTRIBUTE = re.compile(
    r"(?P<name>[\w-]+)\s*=\s*(?:[\"'“”](?P<quoted>[^\"'“”]*)[\"'“”]|(?P<bare>[^\s\"'\]]+))"
)
_CAPTION = re.compile(
    r"\[(?P<name>caption|wp_caption)(?P<attributes>\s[^\[\]]*)?\](?P<inner>.*?)\[/(?P=name)\]",
    re.DOTALL,
)
_PICTURE = re.compile(r"\A(?P<picture>.*?<img\b[^<>]*>(?:\s*</a>)?)(?P<text>.*)\Z", re.DOTALL)
_GALLERY = re.compile(r"\[gallery(?P<attributes>\s[^\[\]]*)?\]")
_EMBED = re.compile(r"\[embed[^\[\]]*\]\s*(?P<address>\S+?)\s*\[/embed\]")
_MEDIA = re.compile(
    r"\[(?P<name>audio|video|youtube|vimeo)(?P<attributes>[\s=][^\[\]]*)\](?:\s*\[/(?P=name)\])?"
)
_ADDRESS = re.compile(r"https?://[^\s\"'\]<>]+")
_LATEX = re.compile(
    r"\$latex\s+(?P<dollar>[^$]+?)\s*\$|\[latex\](?P<bracket>.*?)\[/latex\]", re.DOTALL
)
_ESCAPED = re.compile(r"\[(\[[a-z_]+(?:\s[^\[\]]*)?\](?:.{0,2000}?\[/[a-z_]+\])?)\]", re.DOTALL)
_PAIRED = re.compile(
    r"\[(?P<close>/)?(?:code|sourcecode|source|highlight|crayon|cci?|caption|wp_caption|embed|"
    + "|".join(_LANGUAGES.split())
    + r")\b"
)
_BLOCK = "<!-- wp:"
_SHARED = re.compile(r"<!--\s+wp:block\s+\{\s*\"ref\"\s*:\s*(?P<id>\d+)[^<>]*?/-->")
_HIGHLIGHTED = re.compile(
    r"<!--\s+wp:(?:syntaxhighlighter/code|code)\s+(?P<json>\{[^<>]*?\})\s+-->\s*<pre\b(?P<rest>[^<>]*)>"
)
_MARKS = re.compile(r"<!--\s*(?:/?wp:[^<>]*?|more[^<>]*?|nextpage|noteaser)\s*-->", re.DOTALL)
# WP-Syntax, and the block of code, write the language as an attribute of their own.
_PRE_LANGUAGE = re.compile(
    r"<pre\b(?P<before>[^<>]*?)\slang=[\"'](?P<language>[\w+#.-]+)[\"'](?P<after>[^<>]*)>"
)
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|#0?39|#x27|#91|#93);")


@dataclass
class Library:
    """What posts of an export refer to by number."""

    pictures: dict[str, str] = field(default_factory=dict)
    """Addresses of attachments."""
    children: dict[str, list[str]] = field(default_factory=dict)
    """Attachments of a post, in the order of the file."""
    blocks: dict[str, str] = field(default_factory=dict)
    """Texts that several posts share."""


def body_of(text: str, post_id: str, library: Library) -> str:
    """The text of a post as the HTML that its site shows."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _SHARED.sub(lambda found: library.blocks.get(found["id"], found[0]), text)
    of_blocks = _BLOCK in text
    marked = "[" in text or "$latex" in text
    if marked and unclosed(_PAIRED, text) * len(text) < MOST_WORK:
        text = _without_shortcodes(text, post_id, library)
    if "<pre" in text:
        text = _HIGHLIGHTED.sub(_with_language, text)
        text = _PRE_LANGUAGE.sub(r'<pre\g<before> class="language-\g<language>"\g<after>>', text)
    if "<!--" in text:
        text = _MARKS.sub("", text)
    return text if of_blocks else paragraphs(text)


def _without_shortcodes(text: str, post_id: str, library: Library) -> str:
    held: list[str] = []

    def hold(code: str) -> str:
        held.append(code)
        return f"\ue000{len(held) - 1}\ue001"

    text = re.sub("[\ue000\ue001]", "", text)
    text = _CODE.sub(lambda found: hold(_code(found)), text)
    text = _CAPTION.sub(_figure, text)
    text = _GALLERY.sub(lambda found: _gallery(found, post_id, library), text)
    text = _EMBED.sub(lambda found: _link(found["address"]), text)
    text = _MEDIA.sub(_media, text)
    text = _LATEX.sub(lambda found: f"${(found['dollar'] or found['bracket']).strip()}$", text)
    text = _ESCAPED.sub(r"\1", text)
    return re.sub("\ue000([0-9]+)\ue001", lambda found: held[int(found[1])], text)


def _attributes(text: str | None) -> dict[str, str]:
    found = _ATTRIBUTE.finditer(html.unescape(text or ""))
    return {one["name"].lower(): one["quoted"] or one["bare"] or "" for one in found}


def _code(found: re.Match[str]) -> str:
    """A block of code; its text is stored as it is or, by some editors, as HTML."""
    attributes = _attributes(found["attributes"])
    language = attributes.get("language") or attributes.get("lang") or ""
    name = found["name"]
    if not language and name not in _NO_LANGUAGE:
        language = name.rpartition("_")[2]
    text = found["text"].strip("\n")
    if _ENTITY.search(text) and "<" not in text:
        text = html.unescape(text)
    kind = f' class="language-{html.escape(language.lower())}"' if language else ""
    code = f"<code{kind}>{html.escape(text, quote=False)}</code>"
    inline = name == "cci" or ("\n" not in text and attributes.get("inline") == "true")
    return code if inline else f"<pre>{code}</pre>"


def _with_language(found: re.Match[str]) -> str:
    """Code of the editor of blocks: its language stands in the comment only."""
    try:
        language = json.loads(found["json"]).get("language")
    except (ValueError, AttributeError):
        language = None
    kind = f' class="language-{html.escape(language)}"' if isinstance(language, str) else ""
    rest = re.sub(r"\sclass=\"[^\"]*\"", "", found["rest"]) if kind else found["rest"]
    return f"<pre{kind}{rest}>"


def _figure(found: re.Match[str]) -> str:
    """A picture with words below it; older ones have them as an attribute."""
    parts = _PICTURE.match(found["inner"])
    if not parts:
        return found[0]
    words = parts["text"].strip() or _attributes(found["attributes"]).get("caption", "")
    caption = f"<figcaption>{words}</figcaption>" if words else ""
    return f"<figure>{parts['picture'].strip()}{caption}</figure>"


def _gallery(found: re.Match[str], post_id: str, library: Library) -> str:
    attributes = _attributes(found["attributes"])
    listed = attributes.get("ids") or attributes.get("include")
    ids = re.findall(r"\d+", listed) if listed else library.children.get(post_id, [])
    addresses = [library.pictures[number] for number in ids if number in library.pictures]
    if not addresses or len(addresses) < len(ids):
        return found[0]  # pictures that the file does not have: the mark shows that they were there
    shown = (f'<img src="{html.escape(address)}">' for address in addresses)
    return "".join(f"<figure>{picture}</figure>" for picture in shown)


def _media(found: re.Match[str]) -> str:
    addresses = dict.fromkeys(_ADDRESS.findall(html.unescape(found["attributes"])))
    return "".join(map(_link, addresses)) or found[0]


def _link(address: str) -> str:
    safe = html.escape(html.unescape(address))
    return f'<p><a href="{safe}">{safe}</a></p>'
