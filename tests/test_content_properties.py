"""Hostile text put together from live snippets stays inert, and inert text stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from kbexport.content.html import html_to_markdown
from kbexport.content.inert import inert_line, inert_markdown

SNIPPETS = (
    "[[x]] ![[x]] [x](y) [[x](y) [x]\\(y) [^1] [^1]:note [//]:# [:div] ((u)) {{m}} <div> </p> "
    "<!--c--> <2020-01-01> <%tp%> key:: k::v %%c%% ==m== ^^m^^ ~~s~~ @@html:x@@ ^id $x$ $5 "
    "$a#b$ $$x$$ $$ \\alpha \\ &lt; &lt;b&gt; &amp;lt; &#35;t &#40; &nbsp; *e* **b** _e_ `c` `a#t` "
    "`=x` `$=x` ``a`[[x]]`` ``` ~~~ ```dataview ~~~js-engine - + * 1. 1) 2. > [!note] # ## TODO "
    "[#A] --- *** === :NAME: #tag C#语言 #+TITLE:x javascript:x [j](javascript:x) "
    "![i](javascript:x) ![i](a.png) [j](<java&#115;cript:x>) [r][ref] [ref]:http://r.s [ref] "
    "http://a.b/c#d https://a.b/(c)。 obsidian://x <http://a.b> <obsidian://x> <a@b.c> <br> "
    "<sub>x</sub> <kbd/onclick=x> |a|b| |---|---| |-| `x\\|#t` ( ) ] [ { } \\[ \\] \\( \\) ` `` "
    "text 中文 ， : x_{i} ^[fn] [ ] [x] <script>alert(1)</script> <iframe/src=x> <pre>#t</pre> "
    '[![p](http://a/b.png)](http://c) [l](http://a"t") <img/src=x/onerror=y> \\# \\* ! #'
).split(" ")
GAPS = ["", " ", " ", "\n", "\n", "\n\n", "  \n", "\\\n", "\n  ", "\n    ", "\n> ", "\n* ", "\n1. "]

hostile = st.lists(
    st.tuples(st.sampled_from(SNIPPETS), st.sampled_from(GAPS)), min_size=1, max_size=14
).map(lambda pairs: "".join(snippet + gap for snippet, gap in pairs))
code = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp", "Co", "Cn"])
    | st.just("\n")
).map(lambda text: text.replace("\ufeff", "").strip("\n") or "x")

READER = MarkdownIt("commonmark").enable("table")
KEPT = re.compile(r"</?(?:br|sub|sup|kbd|u|mark)/?>", re.IGNORECASE)
RUNS = re.compile(r"dataview(?:js)?|js-engine|tasks|templater|query|ad-.*", re.IGNORECASE)


def tokens(markdown: str) -> Iterator[Token]:
    """All tokens of a text, as a CommonMark reader with tables sees them."""
    for token in READER.parse(markdown):
        yield token
        yield from token.children or ()


def faults(markdown: str) -> list[str]:
    """What in a text is more than text, formatting, code and harmless links."""
    found = []
    for token in tokens(markdown):
        if token.type in ("html_block", "html_inline") and KEPT.sub("", token.content).strip():
            found.append(f"HTML {token.content}")
        address = str(token.attrGet("href") or token.attrGet("src") or "")
        if re.match(r"(?!https?:|mailto:)\w[\w+.-]*:|//", address):
            found.append(f"address {address}")
        if token.type == "fence" and RUNS.fullmatch(token.info):
            found.append(f"fence {token.info}")
        if token.type == "code_inline" and token.content.strip().startswith(("=", "$=")):
            found.append(f"code {token.content}")
    return found


@pytest.mark.parametrize("logseq", [True, False])
@settings(deadline=None, max_examples=300)
@given(source=hostile)
def test_hostile_body_holds_nothing_live(logseq: bool, source: str) -> None:
    body = inert_markdown(source, logseq=logseq).text

    assert faults(body) == []
    assert not body.startswith("---")


@pytest.mark.parametrize("logseq", [True, False])
@settings(deadline=None, max_examples=300)
@given(source=hostile)
def test_hostile_title_shows_itself_wherever_it_stands(logseq: bool, source: str) -> None:
    plain = re.sub(r"[\t\n ]+", " ", source).strip(" ")
    line = inert_line(source, logseq=logseq)

    for mark in ("", "# ", "* ", "> "):
        shown = [token for token in tokens(mark + line) if token.content and not token.children]
        words = "".join(token.content for token in shown)
        assert words.replace("\u200b", "") == plain
        assert {token.type for token in shown} <= {"text", "text_special"}


@pytest.mark.parametrize("logseq", [True, False])
@settings(deadline=None, max_examples=300)
@given(source=hostile)
def test_inert_body_stays_as_it_is(logseq: bool, source: str) -> None:
    once = inert_markdown(source, logseq=logseq).text

    assert inert_markdown(once, logseq=logseq).text == once


@settings(deadline=None, max_examples=200)
@given(text=code, live=st.sampled_from(["", "[[x]] #t", "```", "<script>"]))
def test_code_block_is_exact(text: str, live: str) -> None:
    text = f"{text}\n{live}".rstrip("\n")
    fence = "`" * (max(map(len, re.findall("`+", text)), default=2) + 3)

    body = inert_markdown(f"a\n\n{fence}py\n{text}\n{fence}\n\nb", logseq=False).text

    assert [token.content for token in tokens(body) if token.type == "fence"] == [text + "\n"]


@settings(deadline=None, max_examples=200)
@given(text=hostile)
def test_words_of_html_show_as_words(text: str) -> None:
    plain = " ".join(re.sub(r"[$\\\n]", " ", text).split())
    escaped = plain.replace("&", "&amp;").replace("<", "&lt;")

    body = inert_markdown(html_to_markdown(f"<p>{escaped}</p>"), logseq=True).text

    assert faults(body) == []
    words = (token.content for token in tokens(body) if token.content and not token.children)
    assert "".join("".join(words).replace("\u200b", "").split()) == "".join(plain.split())
