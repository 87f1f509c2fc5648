"""No page is too deep or too large: no recursion, and time that grows with the size only."""

from __future__ import annotations

import time

import pytest

from kbexport.content.html import convert_html
from kbexport.content.inert import inert_markdown

DEEP = 30_000
"""`test_content_html.py` has the plain tags 100,000 deep; these take longer."""

NESTED = [
    "<span>",
    "<a href='https://x.example/'>",
    "<dl><dd>",
    "<details><summary>",
    "<pre>",
    "<code><tt>",
    "<ruby><rt>",
    "<sup><a href='#f'>",
    "<figure class=highlight>",
    "<div class=syntaxhighlighter><td class=code>",
    "<section class=code-snippet__fix><pre><code>",
    "<div class=footnotes><li id=f>",
    "<math><mrow>",
    "<p><b>",
    "<ol><p>",
    "<object>",
    "<noscript>",
]


@pytest.mark.parametrize("tags", NESTED)
def test_deep_page_keeps_its_text(tags: str) -> None:
    converted = convert_html(tags * DEEP + "x")

    assert "x" in inert_markdown(converted.markdown, logseq=True).text


def test_deep_page_is_reported() -> None:
    assert convert_html("<div>" * 300 + "x").problems == (
        "elements nested deeper than 200 are kept as text",
    )


def test_deep_formula_in_an_attribute_is_bounded() -> None:
    deep = "&lt;math&gt;" + "&lt;mrow&gt;" * DEEP + "&lt;mi&gt;x&lt;/mi&gt;"

    assert convert_html(f'<span class="MathJax" data-mathml="{deep}">y</span>').markdown == "$x$"


WIDE = {
    "paragraphs": "<p>正文 <b>粗体。</b>后 <a href='https://x.example/'>链</a> $x$ <br>行</p>",
    "code": "<pre><code class='hljs python'><span>def</span> f():\n    return 1</code></pre>",
    "lines of code": "<pre><div class=line>x</div></pre>",
    "lists": "<ul><li>a<ul><li>b</li></ul></li></ul>",
    "tables": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2<br>3</td></tr></table>",
    "spans": "<table><tr><td rowspan=50 colspan=50>x</td></tr><tr><td>y</td></tr></table>",
    "twins": "<img src='data:,x'><noscript><img src='https://x.example/a.png'></noscript>",
    "breaks": "a<br>",
    "bold": "<b>a</b><i>b</i>",
    "notes": "<sup><a href='#f%d' id='r%d'>%d</a></sup><p id='f%d'>注 <a href='#r%d'>x</a></p>",
    "dollars": "$5 ",
    "pictures": "<img src='data:image/gif;base64,R0' data-src='https://i.example/a.png'>",
}


def seconds(construct: str, size: int) -> float:
    """CPU time to convert a page of so many bytes that holds nothing else."""
    count = size // len(construct.encode())
    signs = construct.count("%d")
    html = "".join(construct.replace("%d", str(n)) if signs else construct for n in range(count))
    start = time.process_time()
    inert_markdown(convert_html(html).markdown, logseq=True)
    return time.process_time() - start


@pytest.mark.parametrize("name", WIDE)
def test_time_grows_with_the_size(name: str) -> None:
    small, large = (seconds(WIDE[name], size) for size in (20_000, 160_000))

    assert large < 8 * 2.5 * small + 0.5


def test_spans_do_not_blow_up_a_table() -> None:
    row = "<tr><td rowspan=50 colspan=50>x</td></tr>"

    assert len(convert_html(f"<table>{row * 1000}</table>").markdown) < 20_000


def test_page_of_ten_megabytes_is_read() -> None:
    html = ("<p>" + "字" * 3000 + "<br><code>a</code></p>") * 1100

    assert len(html.encode()) > 9_900_000
    assert inert_markdown(convert_html(html).markdown, logseq=True).text.count("`a`") == 1100
