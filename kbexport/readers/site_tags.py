"""Tags of site generators, made plain: Liquid (Jekyll), Nunjucks (Hexo), Hugo's shortcodes.

Code stays code, the author's words stay words, marks that only the site needs are dropped. What is
not known is left as it stands. Code that is marked as such already is never touched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

from kbexport.readers.site_marks import Arguments, Form, mark_of

# What stands in a tag ends where the tag does, or the next one begins: nothing is read twice.
_LIQUID = r"\{%-?\s*(?P<name>[\w-]+)(?P<arguments>(?:\s(?:(?!-?%\}|\{%).)*+)?)-?%\}"
_HUGO = (
    r"\{\{(?P<sign>[<%])\s*(?P<close>/?)\s*(?P<code>[\w./-]+)"
    r"(?P<given>(?:\s(?:(?!/?[>%]\}\}|\{\{[<%]).)*+)?)/?[>%]\}\}"
)
_CODE_TAGS = "highlight|codeblock|code|mermaid"
_TOKEN = re.compile(
    # Code that is marked as such, in a block or in a line.
    r"(?P<held>^[ \t>]*(?:[-*+]\s+|\d+[.)]\s+)?(?P<fence>`{3,}|~{3,})[^\n]*\n"
    r"(?:[^\n]*\n)*?(?:[ \t>]*(?P=fence)[`~]*[ \t]*$|[^\n]*\Z)"
    r"|(?<!`)(?P<ticks>`{1,2})(?!`)(?:[^`\n]|\n(?!\s*\n))+?(?<!`)(?P=ticks)(?!`)"
    r"|<pre\b[^>]*>.*?</pre>)"
    # Text that the generator is told to leave alone.
    r"|\{%-?\s*raw\s*-?%\}(?P<raw>.*?)\{%-?\s*endraw\s*-?%\}"
    r"|\{%-?\s*comment\s*-?%\}(?P<comment>.*?)\{%-?\s*endcomment\s*-?%\}"
    r"|\{\{(?P<shown>[<%])/\*(?P<escaped>.*?)\*/[>%]\}\}"
    rf"|\{{%-?\s*(?P<tag>{_CODE_TAGS})\b(?P<how>[^\n]*?)-?%\}}(?P<body>.*?)"
    r"\{%-?\s*end(?P=tag)\s*-?%\}"
    rf"|\{{\{{[<%]\s*(?P<short>{_CODE_TAGS})\b(?P<options>[^\n]*?)[>%]\}}\}}(?P<inner>.*?)"
    r"\{\{[<%]\s*/\s*(?P=short)\s*[>%]\}\}"
    r"|\{%-?\s*(?P<quote>blockquote|quote|pullquote|centerquote|cq|note)\b(?P<whose>[^\n]*?)-?%\}"
    r"(?P<words>.*?)\{%-?\s*end(?P=quote)\s*-?%\}"
    # What ends the excerpt, and the tabs of a theme.
    r"|(?P<more><!--\s*(?:more|excerpt)\b[^<>]*?-->)"
    r"|<!--\s*tab\b(?P<tab>[^<>]*?)-->|(?P<endtab><!--\s*endtab\s*-->)"
    # `{{ site.url }}` and `{{ "/path" | relative_url }}`
    r"|(?P<site>\{\{-?\s*site\.(?:base)?url\s*-?\}\})"
    r"|\{\{-?\s*(?P<mark>[\"'])(?P<path>[^\"'\n]*)(?P=mark)\s*\|[^{}\n]*?(?:url|site\.)[^{}\n]*\}\}"
    rf"|(?P<liquid>{_LIQUID})|(?P<hugo>{_HUGO})",
    re.MULTILINE | re.DOTALL,
)
_ESCAPED = re.compile(r"\{\{([<%])/\*(.*?)\*/([>%])\}\}", re.DOTALL)
_CLOSING = re.compile(r"\{\{[<%]\s*/\s*([\w./-]+)\s*[>%]\}\}")
_ANY = re.compile(r"\{%|\{\{|<!--")
_PAIRED = re.compile(
    r"\{%-?\s*(?P<end>end)?(?P<tag>raw|comment|highlight|codeblock|code|mermaid|blockquote|quote"
    r"|pullquote|centerquote|cq|note)\b|\{\{[<%]\s*(?P<slash>/)?\s*(?P<short>highlight|codeblock|code"
    r"|mermaid)\b|(?P<open><pre\b)|(?P<shut></pre>)"
)
_MOST_WORK = 20_000_000
"""So many signs at most are searched for ends that are not there; no real post comes near."""


@dataclass
class Plain:
    """A body without tags of its generator."""

    text: str
    left_out: list[str] = field(default_factory=list)
    """Names of files that the site would have put in."""


def plain_tags(body: str, *, html: bool = False) -> Plain:
    """The body with every tag that is known as what it shows; ``html`` is the form of the body."""
    plain = Plain(body)
    if _ANY.search(body) and _unclosed(body) * len(body) < _MOST_WORK:
        form = Form(html=html, paired=frozenset(_CLOSING.findall(body)), left_out=plain.left_out)
        plain.text = _TOKEN.sub(lambda found: _shown(found, form), body)
    return plain


def _unclosed(body: str) -> int:
    """How many tags have no end: for each of them all the rest is searched."""
    opened: Counter[str] = Counter()
    for found in _PAIRED.finditer(body):
        name = found["tag"] or found["short"] or "pre"
        if found["end"] or found["slash"] or found["shut"]:
            opened[name] -= opened[name] > 0
        else:
            opened[name] += 1
    return opened.total()


def _shown(found: re.Match[str], form: Form) -> str:
    for group, show in _SHOW.items():
        if found[group] is not None:
            return show(found, form)
    return found[0]


def _code(found: re.Match[str], form: Form) -> str:
    """A block of code as a fence that stands on lines of its own."""
    name, options = found["tag"] or found["short"], found["how"] or found["options"] or ""
    arguments = Arguments.of(options)
    language, title = _language(name, arguments)
    text = found["body"] if found["body"] is not None else found["inner"]
    text = re.sub(r"\A[ \t]*\n", "", text)
    code, _, indent = text.rpartition("\n")
    if indent.strip():
        code, indent = text, ""
    if form.html:
        kind = f' class="language-{escape(language)}"' if language else ""
        above = f"<p>{escape(title)}</p>\n" if title else ""
        return f"{above}<pre><code{kind}>{escape(code, quote=False)}</code></pre>"
    longest = max(map(len, re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    before = found.string[: found.start()].rpartition("\n")[2]
    after = found.string[found.end() :].partition("\n")[0]
    above = f"{title}\n\n{indent}" if title else ""
    return (
        ("\n\n" if before.strip(" \t>") and not _LIST.fullmatch(before) else "")
        + f"{above}{fence}{language}\n{code}\n{indent}{fence}"
        + ("\n\n" if after.strip() else "")
    )


_LIST = re.compile(r"[ \t>]*(?:[-*+]|\d+[.)])[ \t]+")


def _language(name: str, arguments: Arguments) -> tuple[str, str]:
    """The language of a block of code, and the title above it."""
    words = [word for word in arguments.words if not word.lower().startswith("lang:")]
    named = [word[5:] for word in arguments.words if word.lower().startswith("lang:")]
    if name == "mermaid":
        return "mermaid", ""
    if name == "highlight":
        return (words[0] if words else ""), ""
    title = " ".join(word for word in words if ":" not in word or "//" in word)
    return (named[0] if named else arguments.named.get("lang", "")), title


def _quote(found: re.Match[str], form: Form) -> str:
    """A quotation, or a note of the theme, with whom it is from."""
    inner = plain_tags(found["words"].strip("\n"), html=form.html)
    form.left_out.extend(inner.left_out)
    arguments = Arguments.of(found["whose"] or "")
    words = [word for word in arguments.words if not _is_class(word)]
    whose = " ".join(words if found["quote"] == "note" else arguments.words)
    if form.html:
        source = f"<p>{escape(whose)}</p>" if whose else ""
        return f"<blockquote>{inner.text}{source}</blockquote>"
    lines = inner.text.split("\n")
    if whose:
        lines = (
            [f"**{whose}**", "", *lines] if found["quote"] == "note" else [*lines, "", f"— {whose}"]
        )
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _is_class(word: str) -> bool:
    """Whether a word of a note is a look of the theme and no word of the author."""
    return bool(re.fullmatch(r"[a-z]+(?:-[a-z]+)*", word))


def _tab(found: re.Match[str], _: Form) -> str:
    title = found["tab"].strip().partition("@")[0].strip()
    return f"**{title}**\n" if title else ""


def _hugo(found: re.Match[str], form: Form) -> str:
    if found["close"]:
        return ""
    shown = mark_of(found["code"].lower(), Arguments.of(found["given"] or ""), form)
    return found[0] if shown is None else shown


def _liquid(found: re.Match[str], form: Form) -> str:
    shown = mark_of(found["name"].lower(), Arguments.of(found["arguments"] or ""), form)
    return found[0] if shown is None else shown


_SHOW: dict[str, Callable[[re.Match[str], Form], str]] = {
    # Hugo reads its tags in code, too; those that it is to show are written as comments.
    "held": lambda found, _: _ESCAPED.sub(r"{{\1\2\3}}", found[0]),
    "raw": lambda found, _: found["raw"],
    "comment": lambda _, __: "",
    "escaped": lambda found, _: _ESCAPED.sub(r"{{\1\2\3}}", found[0]),
    "tag": _code,
    "short": _code,
    "quote": _quote,
    "more": lambda _, __: "",
    "tab": _tab,
    "endtab": lambda _, __: "",
    "site": lambda _, __: "",
    "path": lambda found, _: found["path"],
    "liquid": _liquid,
    "hugo": _hugo,
}
