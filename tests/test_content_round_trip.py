"""An article in any site's markup reads back as its author wrote it."""

from __future__ import annotations

import pytest
from article_pages import SITES, Page, pages
from reading import kept, read

from kbexport.content.html import convert_html
from kbexport.content.inert import inert_markdown

PAGES = pages()


def test_there_are_pages_of_many_sites() -> None:
    assert len(SITES) >= 20


@pytest.mark.parametrize("logseq", [True, False])
@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_article_reads_back_as_it_was_written(page: Page, logseq: bool) -> None:
    converted = convert_html(page.html, base_url="https://blog.example/p/1")
    found = read(inert_markdown(converted.markdown, logseq=logseq).text)

    assert converted.problems == ()
    assert [kind for kind, (there, of) in kept(page.facts, found).items() if there < of] == []
    assert found["code"] == page.facts["code"]
    assert found["headings"] == page.facts["headings"]
