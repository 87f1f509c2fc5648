"""HTML that authors write into Markdown."""

from __future__ import annotations

import pytest

from kbexport.content.inert import inert_markdown
from kbexport.content.inline_html import markdown_of_tags

A = "https://x.example/a.png"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (f'看图 <img src="{A}" width=200 alt="图[1]"> 后面', f"看图 ![图 1](<{A}>) 后面"),
        (f"<img src={A}>", f"![](<{A}>)"),
        ("<font color=red>红</font>与<span style='x'>绿</span>", "红与绿"),
        ("一段<b>粗</b>与<em class=x>斜</em>与<del>删</del>", "一段**粗**与*斜*与~~删~~"),
        ("用 <code>a&lt;b</code> 与 <code>`</code>", "用 `a<b` 与 `` ` ``"),
        ('<a href="https://x.example/?a=1&amp;b=2">页</a>', "[页](<https://x.example/?a=1&b=2>)"),
        ('<a name="top"></a>上', "上"),
        ('<iframe src="//p.example/1"></iframe>', "[//p.example/1](<//p.example/1>)"),
        ("<!-- 注释 -->正文 <!-- more -->", "正文 <!-- more -->"),
        ("List<String> 与 <your-name> 与 a<b 与 <T>", "List<String> 与 <your-name> 与 a<b 与 <T>"),
        ("for <i> in <b>", "for <i> in <b>"),
        ("`<b>x</b>` 与 ``<img src=x>``", "`<b>x</b>` 与 ``<img src=x>``"),
        (r"\<b>x", r"\<b>x"),
        ("<script>x</script>", "<script>x</script>"),
        ("<div\nalign=center>图</div>", "\n图"),
    ],
)
def test_tags_become_what_they_stand_for(written: str, shown: str) -> None:
    assert markdown_of_tags(written) == shown


@pytest.mark.parametrize(
    ("body", "note"),
    [
        (
            f'<div align="center">\n<img src="{A}" />\n图一\n</div>\n\n正文',
            f"![]({A})\n图一\n\n正文",
        ),
        ("<center>\n\n正文\n\n</center>", "正文"),
        ("<details><summary>展开</summary>\n\n内容\n\n</details>", "展开\n\n内容"),
        ("- 一 <b>粗</b>\n- <font color=red>红</font>", "* 一 **粗**\n* 红"),
        (
            '<div class="cnblogs_code">\n<pre>int a;\n\n b;</pre>\n</div>\n后',
            "```\nint a;\n\n b;\n```\n\n后",
        ),
        ("<ul>\n<li>一<ul><li>二</li>\n</ul></li>\n<li>三</li>\n</ul>", "* 一\n    * 二\n* 三"),
        ("<h2>标题</h2>\n正文", "## 标题\n\n正文"),
        ("```html\n<div>x</div>\n```", "```html\n<div>x</div>\n```"),
        ("## <font color=red>标题</font>", "## 标题"),
        ("| a | b |\n|---|---|\n| <b>x</b> | <i>y</i> |", "| a | b |\n|---|---|\n| **x** | *y* |"),
        (
            '<video controls>\n<source src="https://x.example/m.mp4">\n</video>',
            "[https://x.example/m.mp4](https://x.example/m.mp4)",
        ),
        ('<a href="javascript:alert(1)">x</a>', "x"),
        ("<iframe src='javascript:alert(1)'></iframe>后", "javascript\\:alert(1)后"),
    ],
)
def test_a_note_shows_the_words_and_pictures_and_no_tags(body: str, note: str) -> None:
    assert inert_markdown(body, logseq=False).text.replace("\\:", ":") == note.replace("\\:", ":")


def test_tags_without_end_cost_no_more_than_their_length() -> None:
    text = "<a href=x>" * 20_000 + "</a>" * 20_000 + "<b>" * 20_000 + "</i>" * 20_000

    assert len(markdown_of_tags(text)) > 20_000


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("写 <div> 不会变成框", "写 <div> 不会变成框"),
        ("写 <div>框</div> 里", "写 框 里"),
        ("字 <font color=red>红", "字 红"),
        ("<center>图", "图"),
        ("字</p>", "字</p>"),
        ("\\<!-- c -->", "\\<!-- c -->"),
    ],
)
def test_a_tag_in_a_sentence_that_nothing_closes_may_be_spoken_of(written: str, shown: str) -> None:
    assert markdown_of_tags(written) == shown
