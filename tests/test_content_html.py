"""HTML becomes Markdown without losing text, code or addresses."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from markdown_it import MarkdownIt

from kbexport.content.dom import parse_page
from kbexport.content.html import html_to_markdown, html_to_text
from kbexport.content.inert import inert_markdown


def through(html: str) -> str:
    """The whole chain: HTML -> Markdown -> inert Markdown."""
    return inert_markdown(html_to_markdown(html), logseq=True).text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>用 &lt;div&gt; 写作 &amp;lt;br&amp;gt;</p>", "用 \\<div> 写作 \\&lt;br\\&gt;"),
        ("<p>a * b _c_ [[x]] #t `q`</p>", "a \\* b \\_c\\_ \\[\\[x]] \\#t \\`q\\`"),
        ("<p>1. x</p><p>- y</p><p># z</p>", "1\\. x\n\n\\- y\n\n\\# z"),
        ("<p>C:\\new</p>", "C:\\\\new"),
        ("<p>$x_1*y$ 和 \\(a_b\\)</p>", "$x_1*y$ 和 $a_b$"),
        ("<script>alert(1)</script><p onclick='x()'>点我</p>", "点我"),
        ("<style>a{}</style><svg onload=x></svg><object></object>a", "a"),
        ("<a href=' java&#10;script:x'>二</a>", "二"),
        ("<iframe src='//v.example.net/1'></iframe>", "<https://v.example.net/1>"),
        ("<iframe srcdoc='x'></iframe>a", "a"),
        ("<ul><li><input type=checkbox checked>a</li></ul>", "* ☑ a"),
        (
            "<p>H<sub>2</sub>O x<sup>2</sup> <kbd>A</kbd></p>",
            "H<sub>2</sub>O x<sup>2</sup> <kbd>A</kbd>",
        ),
        ("<p>甲<br><br>乙<br>丙</p>", "甲\n\n乙  \n丙"),
        ("<h2>节<a class=headerlink href='#s'>¶</a></h2>", "## 节"),
        ("<a href='https://x.y/'><h3>标题</h3><p>文</p></a>", "### [标题](https://x.y/)\n\n文"),
    ],
)
def test_html_reads_as_the_page_did(html: str, expected: str) -> None:
    assert expected == through(html)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>他说<strong>“可以”</strong>之后</p>", "他说**\u200b“可以”\u200b**之后"),
        ("<p><strong>注意：</strong>不要</p>", "**注意：\u200b**不要"),
        ("<p>前<strong> 空格 </strong>后</p>", "前 **空格** 后"),
        ("<p><b>甲</b><b>乙</b>丙</p>", "**甲乙**丙"),
        ("<p>空<b></b>的</p>", "空的"),
    ],
)
def test_emphasis_works_beside_chinese(html: str, expected: str) -> None:
    assert expected == through(html)


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<pre><code class="hljs language-js">{}</code></pre>', "js"),
        ('<pre><code class="lang-python hljs">{}</code></pre>', "python"),
        ('<pre><code class="hljs python">{}</code></pre>', "python"),
        ('<pre class="brush: java; gutter: true">{}</pre>', "java"),
        ('<pre data-enlighter-language="css">{}</pre>', "css"),
        ('<pre><code data-lang="go">{}</code></pre>', "go"),
        ('<div class="highlight-source-shell"><pre>{}</pre></div>', "shell"),
        ('<div class="language-rb highlighter-rouge"><pre><code>{}</code></pre></div>', "rb"),
        ('<pre><code class="language-c++">{}</code></pre>', "c++"),
        ('<pre><code class="language-dataviewjs">{}</code></pre>', "text"),
        ("<pre>{}</pre>", ""),
    ],
)
def test_code_keeps_its_language_and_text(html: str, language: str) -> None:
    code = "if (a &lt; b &amp;&amp; c)\n\n\tx[[1]] = &quot;#t&quot;;"

    shown = through(html.replace("{}", code))

    assert f'```{language}\nif (a < b && c)\n\n\tx[[1]] = "#t";\n```' == shown


def test_line_numbers_are_no_code() -> None:
    html = (
        '<figure class="highlight python"><table><tr><td class="gutter"><pre>1<br>2</pre></td>'
        '<td class="code"><pre><span class="line">def f():</span><br>'
        '<span class="line">\xa0\xa0return</span><br></pre></td></tr></table></figure>'
    )

    assert through(html) == "```python\ndef f():\n  return\n```"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            '<img src="data:image/gif;base64,R" data-src="https://i.n/a.png" alt="图">',
            "![图](https://i.n/a.png)",
        ),
        ('<img data-original="//i.n/b.png">', "![](https://i.n/b.png)"),
        (
            (
                '<img src="l.gif" data-lazy-src="https://i.n/c.png">'
                '<noscript><img src="https://i.n/c.png"></noscript>'
            ),
            "![](https://i.n/c.png)",
        ),
        ('<img src="../e.png">', "![](https://b.n/e.png)"),
        ('<img srcset="https://i.n/1.png 1x, https://i.n/2.png 2x">', "![](https://i.n/2.png)"),
        ('<img src="data:image/svg+xml,x">', ""),
        ('<a href="x.html">下一篇</a>', "[下一篇](https://b.n/p/x.html)"),
    ],
)
def test_addresses_are_real_and_absolute(html: str, expected: str) -> None:
    assert expected == html_to_markdown(html, base_url="https://b.n/p/")


def test_table_cells_hold_bars_breaks_and_spans() -> None:
    html = (
        "<table><tr><th>命令</th><th>说明</th></tr><tr><td><code>x | y</code></td>"
        "<td><p>一</p><p>二</p></td></tr><tr><td colspan=2>合并</td></tr></table>"
    )

    assert through(html) == "| 命令 | 说明 |\n| --- | --- |\n| `x \\| y` | 一<br>二 |\n| 合并 |  |"


@pytest.mark.parametrize("tags", ["<div>", "<b>", "<ul><li>", "<blockquote>", "<table><tr><td>"])
def test_deep_nesting_is_bounded(tags: str) -> None:
    markdown = html_to_markdown(tags * 100_000 + "x")

    assert "x" in inert_markdown(markdown, logseq=True).text
    assert len(markdown) < 50_000


def test_title_with_markup_becomes_plain_text() -> None:
    assert (
        html_to_text("Q&amp;A：List&lt;String&gt; &#8211; <b>x</b><br>y<script>z</script>")
        == "Q&A：List<String> – x y"
    )


def test_page_is_asked_by_selectors() -> None:
    page = parse_page('<ul><li class="a b" id=x> 一\n <b>二</b></li><li>三</li></ul>')
    items = page.select("li")

    assert [item.text for item in items] == ["一 二", "三"]
    assert tuple(items[0].attr(n) for n in ("class", "id", "title")) == ("a b", "x", None)
    assert page.select("b")[0].inner_html.join(("<b>", "</b>")) == "<b>二</b>"
    assert page.select_one("table") is None


def test_text_of_a_page_holds_no_script() -> None:
    page = parse_page("<body>a <style>b{}</style><script>var c</script><p>d</p></body>")
    script = page.select_one("script")

    assert page.text == "a d"
    assert script is not None
    assert script.inner_html == "var c"


def test_templates_in_scripts_hold_no_elements() -> None:
    page = parse_page("<script type='text/html'><p>no</p></script><p>yes</p>")

    assert [element.text for element in page.select("p")] == ["yes"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<ul><li>甲<ul><li>乙<ul><li>丙</ul></ul><li>丁</ul>",
            "* 甲\n    * 乙\n        * 丙\n* 丁",
        ),
        ("<ol><li>甲<ul><li>乙</ul></ol>", "1. 甲\n    * 乙"),
        ("<ol start=100><li>甲<ul><li>乙</ul></ol>", "100. 甲\n     * 乙"),
        ("<ol><li>甲</ol><ol><li>乙<ul><li>丙</ul></ol>", "1. 甲\n1) 乙\n    * 丙"),
        ("<blockquote><ul><li>甲<ul><li>乙</ul></ul></blockquote>", "> * 甲\n>     * 乙"),
        ("<ul><li><ul><li>甲<li>乙</ul></ul>", "*\n    * 甲\n    * 乙"),
    ],
)
def test_nested_lists_stand_four_spaces_in(html: str, expected: str) -> None:
    assert expected == html_to_markdown(html)


@pytest.mark.parametrize(
    "code", ["x\n  y\n\n    z\n", "* a\n> b\n1. c\n", "```\nq\n```\n", "\t\tx\n"]
)
@pytest.mark.parametrize(
    ("html", "nested"),
    [
        ("<ul><li>甲<pre>{}</pre></li></ul>", 1),
        ("<ul><li><pre>{}</pre>乙</li></ul>", 1),
        ("<ol><li>甲<ul><li>乙<pre>{}</pre></li></ul></li><li>丙</li></ol>", 2),
        ("<ul><li>甲<blockquote><ol><li>乙<pre>{}</pre></li></ol></blockquote></li></ul>", 2),
    ],
)
@pytest.mark.parametrize("convert", [html_to_markdown, through])
def test_code_in_a_list_stays_in_its_item_and_keeps_its_text(
    convert: Callable[[str], str], html: str, nested: int, code: str
) -> None:
    tokens = MarkdownIt().parse(convert(html.replace("{}", code)))

    (place,) = [number for number, token in enumerate(tokens) if token.type == "fence"]
    items = [token.nesting for token in tokens[:place] if token.type.startswith("list_item")]
    assert tokens[place].content == code
    assert sum(items) == nested
