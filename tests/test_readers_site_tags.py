"""Tags of Jekyll, Hexo and Hugo in a body."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.models import Problem, SourcePost
from kbexport.readers.markdown import parse
from kbexport.readers.site_tags import plain_tags


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("{% highlight js %}\na\n\nb\n{% endhighlight %}", "```js\na\n\nb\n```"),
        ("{%- highlight js -%}\na\n{%- endhighlight -%}", "```js\na\n```"),
        ("{% highlight md %}\n```\na\n```\n{% endhighlight %}", "````md\n```\na\n```\n````"),
        ("一 {% highlight js %}a(){% endhighlight %} 二", "一 \n\n```js\na()\n```\n\n 二"),
        ("* {% highlight js %}\n  a\n  {% endhighlight %}", "* ```js\n  a\n  ```"),
        ("{% codeblock lang:js %}\na\n{% endcodeblock %}", "```js\na\n```"),
        ("{% codeblock 题 %}\na\n{% endcodeblock %}", "题\n\n```\na\n```"),
        ('{{< highlight go "hl_lines=1" >}}\na\n{{< /highlight >}}', "```go\na\n```"),
        ("{% raw %}{{ a }}{% endraw %}", "{{ a }}"),
        ('{{</* figure src="a" */>}}', '{{< figure src="a" >}}'),
        ("[一]({% post_url 2021-3-1-lamp %})", "[一](/2021/03/01/lamp.html)"),
        ("[一]({% link _posts/2021-03-01-lamp.md %})", "[一](/2021/03/01/lamp.html)"),
        ("[一]({% link about.md %})", "[一](about.md)"),
        ("![]({{ '/a.png' | relative_url }})", "![](/a.png)"),
        ("[一]({{ site.url }}{{ site.baseurl }}/a)", "[一](/a)"),
        ('[一]({{< relref "lamp.md" >}})', "[一](lamp.md)"),
        ("{% img left /a.png 300 200 '题' '字' %}", "![字](/a.png)"),
        ("{% asset_img slug lamp.png %}", "![](lamp.png)"),
        ("{{< figure src='a.png' alt='甲' caption='乙' >}}", "![甲](a.png)\n\n乙"),
        ("{% note info %}\n一\n{% endnote %}", "> 一"),
        ("{% note 小心 %}\n一\n{% endnote %}", "> **小心**\n>\n> 一"),
        ("{% quote 某人 %}\n一\n{% endquote %}", "> 一\n>\n> — 某人"),
        ("{{% box %}}一{{% /box %}}", "一"),
        ('{{< details summary="看看" >}}一{{< /details >}}', "**看看**\n一"),
        ("{% gist a 1 %}", "<https://gist.github.com/a/1>"),
        ("一<!--more-->二<!-- more 续 -->三", "一二三"),
        ("{% comment %}一{% endcomment %}二", "二"),
    ],
)  # fmt: skip
def test_tags_are_what_they_show(body: str, shown: str) -> None:
    assert plain_tags(body).text == shown


@pytest.mark.parametrize(
    "body",
    [
        "```\n{% note %}\n<!--more-->\n{{< figure >}}\n```",
        "~~~ js\n{% raw %}\n~~~",
        "- 一\n\n  ```\n  {% raw %}\n  ```",
        "`{% raw %}` 与 ``{{< a >}}``",
        "<pre>{% note %}</pre>",
        "```\n{% raw %} 没有结尾",
        "{% if a %} {{ page.title }} {{< lantern >}} {% lantern 话 %}",
        "{% highlight js %} 没有结尾",
        "100 {% 不是标签 %} {{ 也不是 }}",
    ],
)
def test_code_and_what_is_not_known_stay_as_they_are(body: str) -> None:
    assert plain_tags(body).text == body


def test_code_in_a_body_of_html_is_html() -> None:
    body = "{% highlight js %}\na < b\n{% endhighlight %}"

    assert plain_tags(body, html=True).text == (
        '<pre><code class="language-js">a &lt; b</code></pre>'
    )


def test_files_that_a_text_includes_are_told_and_what_it_gives_them_is_kept() -> None:
    text = "---\ntitle: 灯\n---\n{% include share.html %}\n{% include box.html text='一句话' %}\n"

    problem, found = parse(text, "lamp.md")

    assert isinstance(problem, Problem)
    assert isinstance(found, SourcePost)
    assert ("share.html" in problem.reason, problem.lost) == (True, False)
    assert "一句话" in (found.post.body_markdown or "")


def test_a_text_that_is_of_no_site_keeps_its_signs() -> None:
    (found,) = parse("模板写作 {% note %} 和 <!--more-->。\n", "lamp.md")

    assert isinstance(found, SourcePost)
    assert found.post.body_markdown == "模板写作 {% note %} 和 <!--more-->。\n"


@pytest.mark.parametrize(
    "body",
    [
        "{% raw %}" * 20_000,
        "```\n" * 20_001,
        "{% " * 50_000,
        '{{< a "' * 20_000,
        "<!-- tab " * 20_000,
        "{% note %}" * 2_000 + "x" * 50_000,
        "{% endnote %}" * 2_000 + "{% note %}" * 9_000,
        "{{ 'a' | " * 20_000,
        "<pre>" * 20_000,
        "`" * 50_000,
        "` `` " * 20_000,
    ],
)
def test_tags_without_an_end_cost_no_time(body: str) -> None:
    begin = time.process_time()

    plain_tags(body)

    assert time.process_time() - begin < 5


WORDS = [
    *"{% %} {{< >}} {{% %}} raw endraw note endnote highlight endhighlight / ` ``` 一".split(),
    *("\n", " ", "figure", "src='a'", "<!--more-->", "include a"),
]


@given(st.lists(st.sampled_from(WORDS)).map("".join))
def test_any_tags_are_read_without_an_error_and_words_outside_of_tags_stay(body: str) -> None:
    plain_tags(body, html=True)

    assert "开始" in plain_tags("开始\n\n" + body).text
