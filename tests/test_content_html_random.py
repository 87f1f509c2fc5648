"""Whatever elements are put into each other, no word and no line of code is lost or doubled."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reading import read

from kbexport.content.html import convert_html
from kbexport.content.inert import inert_markdown

INLINE = "b i strong em del u sub sup kbd mark span font a code q small".split()
BLOCKS = (
    "p div section blockquote ul ol li h2 h4 table tr td th figure figcaption dl dt dd details "
    "summary center pre"
).split()
VOID = ["<br>", "<hr>", "<br><br>", " ", "\n", "&nbsp;", "：", "。", "（", "*", "_", "`", "$"]

leaf = st.one_of(
    st.just("WORD"),
    st.just("WORD "),
    st.sampled_from(VOID),
    st.just("<pre><code>CODE</code></pre>"),
)


def wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Elements round some parts; a link has an address."""
    parts = st.lists(inner, min_size=1, max_size=4).map("".join)
    tags = st.sampled_from(INLINE + BLOCKS * 2)
    return st.tuples(tags, parts).map(lambda pair: element(*pair))


def element(tag: str, parts: str) -> str:
    """One element; a link has an address, a row stands in a table."""
    match tag:
        case "a":
            return f'<a href="https://x.example/">{parts}</a>'
        case "td" | "th":
            return f"<table><tr><{tag}>{parts}</{tag}><td>WORD</td></tr></table>"
        case "li":
            return f"<ul><li>{parts}</li></ul>"
        case _:
            return f"<{tag}>{parts}</{tag}>"


pages = st.recursive(leaf, wrapped, max_leaves=14)


def numbered(html: str) -> tuple[str, int, int]:
    """The page with a number behind each word and each piece of code, and how many there are."""
    words = codes = 0

    def write(found: re.Match[str]) -> str:
        nonlocal words, codes
        if found[0] == "WORD":
            words += 1
            return f"w{words}w"
        codes += 1
        return f"x{codes}\n\n    * {codes}\n"

    return re.sub("WORD|CODE", write, html), words, codes


@pytest.mark.parametrize("logseq", [True, False])
@settings(deadline=None, max_examples=100)
@given(page=pages)
def test_no_word_and_no_code_is_lost(logseq: bool, page: str) -> None:
    html, words, codes = numbered(page)

    converted = convert_html(html)
    body = inert_markdown(converted.markdown, logseq=logseq).text

    assert Counter(re.findall(r"w\d+w", body)) == Counter(f"w{n}w" for n in range(1, words + 1))
    if not re.search(r"<pre>(?!<code>x)|<code>(?!x\d)", html):  # code in code is one block
        found = [text.replace("\u200b", "") for text in read(body)["code"]]
        assert sorted(found) == sorted(f"x{n}\n\n    * {n}" for n in range(1, codes + 1))
        assert not [problem for problem in converted.problems if "block of code" in problem]


line = st.recursive(
    st.sampled_from(
        ["字", "a", " ", "。", "（", "）", "“", "”", "：", "<code>c</code>", "<br>", ",", "\\("]
    ),
    lambda inner: st.tuples(
        st.sampled_from("b i strong em del u a span sub".split()),
        st.lists(inner, min_size=1, max_size=3).map("".join),
    ).map(lambda pair: element(*pair)),
    max_leaves=12,
)


@pytest.mark.parametrize("logseq", [True, False])
@settings(deadline=None, max_examples=100)
@given(parts=st.lists(line, min_size=1, max_size=5))
def test_no_mark_of_emphasis_is_seen_as_text(logseq: bool, parts: list[str]) -> None:
    # Behind a tag at a line's start Logseq begins a block, so there a star may have to be text.
    assume(not logseq or not re.search("<u>|<sub>", "".join(parts)))

    body = inert_markdown(convert_html(f"<p>{''.join(parts)}</p>").markdown, logseq=logseq).text

    assert re.findall(r"[*~`\[\]]", "".join(read(body)["shown"])) == []
