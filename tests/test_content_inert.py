"""Prose, code, links and HTML of a source hold nothing live: `formats.md`, section 5."""

from __future__ import annotations

import time

import pytest

from kbexport.content.inert import inert_line, inert_markdown


def both(markdown: str) -> str:
    return inert_markdown(markdown, logseq=True).text


def obsidian(markdown: str) -> str:
    return inert_markdown(markdown, logseq=False).text


PROSE = [
    # source, in both apps, in Obsidian alone
    ("C#语言", "C\\#语言", "C#语言"),
    ("用 C# 和 #include", "用 C\\# 和 \\#include", "用 C# 和 \\#include"),
    ("#+TITLE: x", "\\#+TITLE: x", "\\#+TITLE: x"),
    ("#+BEGIN_QUERY", "\\#+BEGIN_QUERY", "\\#+BEGIN_QUERY"),
    ("[[x]]", "\\[[x]]", "\\[[x]]"),
    ("![[x]]", "!\\[[x]]", "!\\[[x]]"),
    ("a [^1] b", "a \\[^1] b", "a \\[^1] b"),
    ("[:div]", "\\[:div]", "\\[:div]"),
    ("((uuid))", "(\\(uuid))", "(\\(uuid))"),
    ("{{macro}}", "{\\{macro}}", "{\\{macro}}"),
    ("<x> </x> <y-z>", "\\<x> \\</x> \\<y-z>", "\\<x> \\</x> \\<y-z>"),
    ("SCHEDULED: <2020-01-01>", "SCHEDULED: \\<2020-01-01>", "SCHEDULED: \\<2020-01-01>"),
    ("<% tp %> <%* x %>", "<\\% tp %> <\\%* x %>", "<\\% tp %> <\\%* x %>"),
    ("key:: v", "key:\\: v", "key:\\: v"),
    ("%%c%%", "\\%\\%c\\%\\%", "\\%\\%c\\%\\%"),
    ("==m==", "\\=\\=m\\=\\=", "\\=\\=m\\=\\="),
    ("^^m^^", "\\^\\^m\\^\\^", "\\^\\^m\\^\\^"),
    ("@@html: x@@", "\\@\\@html: x\\@\\@", "\\@\\@html: x\\@\\@"),
    ("text ^id", "text \\^id", "text \\^id"),
    ("x ^[note] y", "x \\^[note] y", "x \\^[note] y"),
    ("$5", "\\$5", "\\$5"),
    ("obsidian://x", "obsidian:\\//x", "obsidian:\\//x"),
]


@pytest.mark.parametrize(("source", "in_both", "in_obsidian"), PROSE)
def test_live_sign_in_prose_is_text(source: str, in_both: str, in_obsidian: str) -> None:
    assert in_both == both(source)
    assert in_obsidian == obsidian(source)


@pytest.mark.parametrize(("source", "in_both", "in_obsidian"), PROSE)
def test_live_sign_in_a_title_is_text(source: str, in_both: str, in_obsidian: str) -> None:
    plain_stars = (in_both.replace("%*", "%\\*"), in_obsidian.replace("%*", "%\\*"))

    assert plain_stars == (inert_line(source, logseq=True), inert_line(source, logseq=False))


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("[源码解析] PyTorch 分布式(15) --- 参数", "[源码解析] PyTorch 分布式(15) --- 参数"),
        ("- x", "\\- x"),
        ("+ x", "\\+ x"),
        ("> x", "\\> x"),
        ("1. x", "1\\. x"),
        ("1) x", "1\u200b) x"),
        ("===", "\\=\\=\\="),
        ("---", "\\---"),
        (":NAME:", "\\:NAME:"),
        ("[ ] x", "\\[ ] x"),
        ("[!note] x", "\\[!note] x"),
        ("[#A] x", "\\[\\#A] x"),
        ("[x](y)", "\\[x](y)"),
        ("[//]: # x", "\\[//]: \\# x"),
        ("TODO x", "**TODO** x"),
        ("IN-PROGRESS x", "**IN-PROGRESS** x"),
        ("TODOS x", "TODOS x"),
        ("*a* _b_ snake_case `c`", "\\*a\\* \\_b\\_ snake_case \\`c\\`"),
        ("a | b", "a \\| b"),
        ("\\alpha \\n", "\\\\alpha \\\\n"),
        ("&lt; &amp;", "\\&lt; \\&amp;"),
        ("https://a.b/#c", "https:\\//a.b/\\#c"),
        ("one\ntwo\x00\ud800", "one two\ufffd"),
    ],
)
def test_title_shows_as_it_is(title: str, expected: str) -> None:
    shown = inert_line(title, logseq=True)

    assert expected == shown


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("`[[ -n $x ]]`", "`[[ -n $x ]]`"),
        ("`` a`b ``", "``a`b``"),
        ("`= x`", "`\u200b= x`"),
        ("`$= dv.pages()`", "`\u200b$= dv.pages()`"),
        ("`a\nb`", "`a b`"),
        ("a ` b", "a \\` b"),
        ("**b** *e* ~~s~~ snake_case", "**b** *e* ~~s~~ snake_case"),
        ("$E = mc^2$ 与 $$x$$", "$E = mc^2$ 与 $$x$$"),
        ("$\\href{javascript:x}{y}$", "\\$\\\\href{javascript:x}{y}\\$"),
        ("&copy; &lt;div&gt; &amp;lt;", "© \\<div\\> \\&lt;"),
        ("\\# \\* \\]", "\\# \\* ]"),
        ("a\\\nb", "a  \nb"),
        ("a<br>b H<sub class=x>2</sub>", "a<br>b H<sub>2</sub>"),
        ("[^1]\n\n[^1]: note", "[^1]\n\n[^1]: note"),
    ],
)
def test_inline_markdown_stays_what_it_was(source: str, expected: str) -> None:
    assert expected == both(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("[a](https://b.c)", "[a](https://b.c)"),
        ("[a [b] c](https://b.c)", "[a [b] c](https://b.c)"),
        ("[[a]](https://b.c)", "[\u200b[a]](https://b.c)"),
        ("[a](<https://b.c/x y>)", "[a](https://b.c/x%20y)"),
        ("[a](https://b.c/(x)_y)", "[a](https://b.c/(x)_y)"),
        ("[a](javascript:alert(1))", "a"),
        ("[a](<java\tscript:alert(1)>)", "a"),
        ("[a](&#106;avascript:x)", "a"),
        ("[a](data:text/html;x)", "a"),
        ("[a](obsidian://x)", "a"),
        ("[a](file:///etc/passwd)", "a"),
        ("[a](//host/x)", "a"),
        ("[a](other.md)", "a"),
        ("![图](javascript:x)", "图"),
        ("![图](../assets/a.png)", "![图](../assets/a.png)"),
        ("[a][r]\n\n[r]: https://b.c", "[a](https://b.c)"),
        ("[a][r]\n\n[r]: javascript:x", "a"),
        ("[r]: https://b.c/#d", "\\[r]: <https://b.c/#d>"),
        ("<https://b.c/#d>", "<https://b.c/#d>"),
        ("<obsidian://b>", "\\<obsidian:\\//b>"),
        ("看 https://b.c/d。再", "看 <https://b.c/d>。再"),
        ("看https://b.c/#d。", "看[https://b.c/#d](https://b.c/#d)。"),
        ("[https://b.c](https://b.c)", "[https://b.c](https://b.c)"),
    ],
)
def test_only_harmless_addresses_stay(source: str, expected: str) -> None:
    assert expected == both(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("- a\n- b", "* a\n* b"),
        ("+ a\n    + b", "* a\n    * b"),
        ("1) a\n2) b", "1. a\n2. b"),
        ("- [ ] a\n- [x] b", "* \\[ ] a\n* \\[x] b"),
        ("A\n===\n\nB\n---", "# A\n\n## B"),
        ("## TODO x\n\n## [#A] y ##", "## **TODO** x\n\n## \\[\\#A] y"),
        ("a\n\n* * *\n\nb", "a\n\n***\n\nb"),
        ("---\n\na", "***\n\na"),
        ("> [!note] t\n> x", "> \\[!note] t\n> x"),
        ("a\n2. b", "a\n2\\. b"),
        ("|a|b|\n|-|-|\n|`x \\| y`|[[z]]|", "|a|b|\n|-|-|\n|`x \\| y`|\\[[z]]|"),
        ("| `a \\| #t` |\n|---|", "| a \\| \\#t |\n|---|"),
        ("$$\na [[x]]\n$$", "$$\na [ [x]]\n$$"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("<pre>a #t\n\n[[x]]</pre>", "```\na #t\n\n[[x]]\n```"),
    ],
)
def test_blocks_are_written_as_both_apps_read_them(source: str, expected: str) -> None:
    assert expected == both(source)


def test_rule_in_obsidian_is_three_dashes() -> None:
    assert obsidian("a\n\n* * *\n\nb") == "a\n\n---\n\nb"
    assert obsidian("---\n\na") == "***\n\na"


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ("python", "python"),
        ("c++", "c++"),
        ("python title=x", "python"),
        ("js{1,2}", "js"),
        ("dataview", "text"),
        ("DataviewJS", "text"),
        ("ad-note", "text"),
        ("run-python", "text"),
        ("{{x}}", ""),
        ("中文", ""),
    ],
)
def test_info_string_is_one_harmless_word(info: str, expected: str) -> None:
    assert f"```{expected}\n#t [[x]]\n```" == both(f"```{info}\n#t [[x]]\n```")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("    #t\n\n    [[x]]", "```\n#t\n\n[[x]]\n```"),
        ("````\n```\nx\n```\n````", "````\n```\nx\n```\n````"),
        ("```\nopen", "```\nopen\n```"),
        ("> ```\n> #t\n> ```", "> ```\n> #t\n> ```"),
        ("* ```\n  #t\n  ```", "* \u200b\n\n  ```\n  #t\n  ```"),
        ("* a\n  ```\n  x\n\n  y\n  ```", "* a\n\n  ```\n  x\n\n  y\n  ```"),
    ],
)
def test_code_keeps_its_text(source: str, expected: str) -> None:
    assert expected == both(source)


def test_fence_inside_code_is_held_only_where_something_live_would_come_loose() -> None:
    harmless = inert_markdown("````\n```\nx\n```\n````", logseq=True)
    live = inert_markdown("````\n```\n#t\n```\n````", logseq=True)

    assert harmless.warnings == ()
    assert live.text == "````\n\u200b```\n#t\n\u200b```\n````"
    assert len(live.warnings) == 1
    assert inert_markdown("````\n```\n#t\n```\n````", logseq=False).warnings == ()


def test_formula_of_mldoc_is_never_closed_by_code() -> None:
    assert both("[[x]] `a\\]`") == "\\[[x]] `a\\\u200b]`"


def test_link_to_another_post_becomes_what_the_caller_says() -> None:
    def link(address: str, label: str) -> str | None:
        return f"{label}（[[Note]]）" if address == "/p/1" else None

    inert = inert_markdown("看 [上 #1](/p/1)，[b](https://c.d)", logseq=True, link=link)

    assert inert.text == "看 上 \\#1（[[Note]]），[b](https://c.d)"


@pytest.mark.parametrize(
    "sign", ["[", "`", "*", "` a``", "[a](", "[]((", "<", "$a ", "&", "(", ">", "* ", "[a]: b\n"]
)
def test_long_runs_of_one_sign_take_linear_time(sign: str) -> None:
    text = sign * (100_000 // len(sign))

    started = time.process_time()
    inert_markdown(text, logseq=True)
    inert_line(text, logseq=True)

    assert time.process_time() - started < 5


def test_bar_of_a_wiki_link_in_a_table_is_escaped() -> None:
    table = "| 篇 |\n|---|\n| [上](https://blog.example.net/1) |"

    inert = inert_markdown(table, logseq=False, link=lambda _address, label: f"[[N|{label}]]")

    assert inert.text == "| 篇 |\n|---|\n| [[N\\|上]] |"


def test_cell_of_one_hard_space_is_the_same_at_the_second_pass() -> None:
    once = inert_markdown("&nbsp;\n|-|", logseq=False).text

    assert inert_markdown(once, logseq=False).text == once


def test_display_formula_with_code_that_would_run_is_text() -> None:
    inert = inert_markdown("$$\n`=x`$$", logseq=True).text

    assert "`=x`" not in inert


def test_row_without_a_bar_opens_no_fence() -> None:
    inert = inert_markdown("茶\n    ~~~\n|-|", logseq=False).text

    assert inert == "茶\n\\~~~\n|-|"


@pytest.mark.parametrize("logseq", [True, False])
def test_footnote_is_no_link_definition(logseq: bool) -> None:
    inert = inert_markdown("见[^1]\n\n[^1]: javascript:alert(1)", logseq=logseq).text

    assert "[^1]: \u200b javascript:alert(1)" in inert


@pytest.mark.parametrize("after", ["text", "| a |\n|---|", "<pre>x</pre>", "# H"])
def test_indented_code_ends_before_what_follows(after: str) -> None:
    inert = inert_markdown(f"    code\n\n{after}", logseq=False).text

    assert inert.startswith("```\ncode\n```\n\n")


def test_more_mark_is_gone() -> None:
    inert = inert_markdown("a\n\n<!--more-->\n\nb <!-- more --> c", logseq=True).text

    assert "more" not in inert


@pytest.mark.parametrize("address", ["/etc/passwd", "#sec", "?q=1", "other.html", "../x.png"])
def test_path_that_does_not_lead_into_assets_is_text(address: str) -> None:
    assert inert_markdown(f"[x]({address})", logseq=False).text == "x"
    assert inert_markdown(f"![x]({address})", logseq=False).text == "x"


def test_path_into_assets_stays() -> None:
    assert inert_markdown("![x](../assets/a.png)", logseq=True).text == "![x](../assets/a.png)"


@pytest.mark.parametrize("logseq", [True, False])
def test_note_of_several_blocks_stays_one_note(logseq: bool) -> None:
    source = (
        "见[^1]\n\n[^1]: 一 段\n\n    二 段 #t\n\n    ```py\n    [[x]]\n    ```\n[^2]: 另 一\n\n后"
    )

    inert = inert_markdown(source, logseq=logseq).text

    assert inert == source.replace("#t", "\\#t")
    assert inert_markdown(inert, logseq=logseq).text == inert


def test_tag_alone_above_a_row_of_dashes_is_no_html_block() -> None:
    assert inert_markdown("<br>\n|-|", logseq=True).text == "<br>\u200b\n|-|"


@pytest.mark.parametrize("body", ["`key:: v` is code", "x`key:: v`", "a\n`key:: v`"])
def test_code_at_the_head_of_a_line_is_no_property_to_logseq(body: str) -> None:
    once = both(body)

    assert not any(
        line.partition("::")[0].count(" ") == 0 for line in once.split("\n") if "::" in line
    )
    assert both(once) == once
    assert obsidian(body) == body


def test_behind_a_no_break_space_an_address_stands_in_a_link_of_its_own() -> None:
    inert = inert_markdown("a\u00a0<http://a.b/c#d>", logseq=True).text

    assert inert == "a\u00a0[http://a.b/c#d](http://a.b/c#d)"
