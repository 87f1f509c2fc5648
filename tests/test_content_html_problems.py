"""What HTML holds and a note cannot is told, and told only then."""

from __future__ import annotations

import pytest

from kbexport.content import html as conversion
from kbexport.content.html import convert_html
from kbexport.content.inert import inert_markdown


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ("<video><source src='blob:x'></video>", "video without an address was left out"),
        (
            "<img src='data:image/png;base64," + "A" * 3000 + "'>",
            "a picture that is part of the page itself was left out",
        ),
        (
            "<svg><text>队列</text></svg>",
            "a drawing that is part of the page itself (svg) was left out",
        ),
        (
            "<table><tr><td><pre>a\nb</pre></td><td>c</td></tr></table>",
            "a table holds code of several lines: its cells stand below another",
        ),
        (
            "<mjx-container><mjx-math>x</mjx-math></mjx-container>",
            "a formula that MathJax drew has lost its source: only its text is kept",
        ),
    ],
)
def test_what_is_lost_is_told(html: str, problem: str) -> None:
    assert convert_html(html * 2).problems == (problem,)


@pytest.mark.parametrize(
    "html",
    [
        "<img src='data:image/gif;base64,R0lGOD'>",
        "<svg><path d='M0 0'></path></svg>",
        "<iframe srcdoc='x'></iframe><script>x</script><button>复制</button>",
        "<table><tr><td><pre>a</pre></td><td>c</td></tr></table>",
    ],
)
def test_what_is_no_loss_is_not_told(html: str) -> None:
    assert convert_html(html).problems == ()


def test_code_that_does_not_read_back_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "laid_out", lambda markdown: markdown.replace("b", "c"))

    assert convert_html("<pre>a\nb</pre>").problems == (
        "a block of code is not kept as it was: 'a\\nb'",
    )


def test_html_in_a_markdown_body_is_told_too() -> None:
    table = "<table><tr><td><pre>a\nb</pre></td><td>c</td></tr></table>"

    assert len(inert_markdown(table, logseq=True).warnings) == 1
