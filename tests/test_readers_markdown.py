"""Markdown files, and the traps of front matter."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kbexport.models import Post, Problem, SourcePost
from kbexport.readers import front_matter
from kbexport.readers.base import Document
from kbexport.readers.markdown import parse, read, sniff

LOADERS = [yaml.BaseLoader, getattr(yaml, "CBaseLoader", yaml.BaseLoader)]


def post_of(text: str, name: str = "notes/tea.md") -> Post:
    (post,) = [item.post for item in parse(text, name) if isinstance(item, SourcePost)]
    return post


def problems_of(text: str) -> list[Problem]:
    return [item for item in parse(text, "tea.md") if isinstance(item, Problem)]


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("value", "title"),
    [
        ("1.10", "1.10"),
        ("010", "010"),
        ("no", "no"),
        ("2021-02-30", "2021-02-30"),
        ('"茶: 水"', "茶: 水"),
        ("null", "tea"),
        ("''", "tea"),
    ],
)
def test_values_are_the_strings_that_stand_there(
    value: str, title: str, loader: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_matter, "_LOADER", loader)

    assert title == post_of(f"---\ntitle: {value}\n---\n正文\n").title


@pytest.mark.parametrize(
    "text",
    [
        "---\n一段话\n---\n又一段\n",
        "---\n- 一\n- 二\n---\n又一段\n",
        "---\nNote: this is no property\n---\n又一段\n",
        "---\n没有第二条线\n",
        "----\ntitle: a\n----\n又一段\n",
    ],
)
def test_what_only_looks_like_front_matter_stays_in_the_body(text: str) -> None:
    assert text == post_of(text).body_markdown


def test_four_dashes_do_not_end_the_block() -> None:
    post = post_of("---\ntitle: 茶\ndescription: |\n  a\n  ----\n  b\n---\n正文\n")

    assert (post.title, post.body_markdown) == ("茶", "正文\n")


@pytest.mark.parametrize("key", ["content", "handler", "yes", "1", "text"])
def test_no_key_disturbs_the_library(key: str) -> None:
    assert post_of(f"---\ntitle: 茶\n{key}: x\n---\n正文\n").title == "茶"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gbk"])
def test_front_matter_is_found_in_every_encoding_and_with_windows_line_ends(encoding: str) -> None:
    text = "---\r\ntitle: 茶与水\r\n---\r\n\r\n正文在这里。\r\n"

    (item,) = read(Document("tea.md", text.encode(encoding)))

    assert isinstance(item, SourcePost)
    assert (item.post.title, item.post.body_markdown) == ("茶与水", "正文在这里。\n")


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    "block",
    [
        "title: [煮茶] 水温\ndate: 2021-12-23\ntags: [水]",
        "title: a: b\ndate: 2021-12-23\ntags:\n- 水",
        'date: 2021-12-23\ntags: [水]\ntitle: "没有结束',
        "date: 2021-12-23\ntitle: @茶\ntags: 水",
    ],
)
def test_a_broken_block_is_one_problem_and_costs_no_other_key(
    block: str, loader: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_matter, "_LOADER", loader)
    text = f"---\n{block}\n---\n正文\n"

    post = post_of(text)

    assert len(problems_of(text)) == 1
    assert post.title
    assert (post.published, post.tags, post.body_markdown) == ("2021-12-23", ("水",), "正文\n")


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    "bomb",
    [
        "[" * 30_000,
        "{a: " * 10_000,
        "\n" + "".join(" " * depth + "a:\n" for depth in range(1, 300)),
        "- " * 20_000,
        "? " * 20_000,
        "&a [*a]",
        "x" * 100_000,
    ],
    ids=["brackets", "braces", "indents", "dashes", "questions", "itself", "long"],
)
def test_no_block_brings_the_program_down(
    bomb: str, loader: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_matter, "_LOADER", loader)

    assert post_of(f"---\ntitle: {bomb}\n---\n正文\n").body_markdown


def test_aliases_are_not_multiplied() -> None:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]

    post = post_of("---\ntitle: 茶\n" + "\n".join(lines) + "\ntags: *a8\n---\n正文\n")

    assert post.title == "茶"


@pytest.mark.parametrize("mark", ["draft: true", "Draft: yes", "published: false", "published: no"])
def test_a_draft_is_left_out_and_reported(mark: str) -> None:
    (problem,) = parse(f"---\ntitle: 茶\n{mark}\n---\n正文\n", "tea.md")

    assert isinstance(problem, Problem)
    assert not problem.lost


@pytest.mark.parametrize(
    ("name", "folder"), [("blog/_drafts/tea.md", ""), ("_drafts/tea.md", ""), ("tea.md", "_drafts")]
)
def test_what_lies_in_the_folder_of_drafts_is_a_draft(name: str, folder: str) -> None:
    (problem,) = parse("---\ntitle: 茶\n---\n正文\n", name, folder)

    assert isinstance(problem, Problem)
    assert (problem.reason, problem.lost) == ("a draft is left out", False)


@pytest.mark.parametrize(
    "line",
    [
        'title: "{{ .Name }}"',
        "date: {{ .Date }}",
        'title: "{{ replace .Name "-" " " | title }}"',
        "title: {{ title }}",
    ],
)
def test_a_template_for_posts_is_no_post(line: str) -> None:
    (problem,) = parse(f"---\n{line}\ndraft: true\n---\n", "archetype.md")

    assert isinstance(problem, Problem)
    assert problem.reason == "a template for posts, no post"
    assert not problem.lost


def test_a_title_may_speak_of_templates() -> None:
    assert post_of('---\ntitle: "Vue 的 {{ msg }} 插值"\n---\n').title == "Vue 的 {{ msg }} 插值"


@pytest.mark.parametrize(
    ("text", "name", "title", "published"),
    [
        ("# 茶 #\n\n正文", "a.md", "茶", None),
        ("正文", "posts/水.md", "水", None),
        ("正文", "posts/茶与水/index.md", "茶与水", None),
        ("正文", "_posts/2021-08-23-basic-post.md", "basic-post", "2021-08-23"),
        (
            "---\ndate: 2021-08-24\n---\n正文",
            "2021-08-23-basic-post.md",
            "basic-post",
            "2021-08-24",
        ),
        ("正文", "2021-13-45-basic-post.md", "basic-post", None),
        ("#标签不是标题", "a.md", "a", None),
        ("\n \n# 茶", "a.md", "茶", None),
        ("茶与水\n===\n\n正文", "a.md", "茶与水", None),
        ("# 茶 *与* `a*b` [水](u) **2**\n", "a.md", "茶 与 a*b 水 2", None),
        ("# [煮茶] List<T> (1)\n", "a.md", "[煮茶] List<T> (1)", None),
        ("正文\n\n# 节\n", "a.md", "a", None),
        ("正文", "-", None, None),
    ],
)
def test_title_and_date_where_front_matter_has_none(
    text: str, name: str, title: str | None, published: str | None
) -> None:
    post = post_of(text, name)

    assert (title, published) == (post.title, post.published)


def test_html_below_front_matter_is_a_body_in_html() -> None:
    post = post_of("---\ntitle: 茶\n---\n<p>正文</p>\n", "tea.html")

    assert (post.body_html, post.body_markdown) == ("<p>正文</p>\n", None)


def test_a_heading_that_became_the_title_is_not_in_the_body() -> None:
    assert post_of("# 茶\n\n正文").body_markdown == "正文\n"


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("tags: machine learning", "tags", ("machine learning",)),
        ("layout: post\ntags: a b", "tags", ("a", "b")),
        ("tags: a b, c", "tags", ("a b", "c")),
        ("tag: a b", "tags", ("a b",)),
        ("category: 笔记", "categories", ("笔记",)),
        ("authors: [甲, 乙]", "author", "甲, 乙"),
        ("author: {name: 甲}", "author", "甲"),
        ("pubDate: Thu, 23 Dec 2021 10:49:04 +0800", "published", "2021-12-23T10:49:04+08:00"),
        ("permalink: /a/b/", "url", None),
        ("permalink: :year/:title/", "url", None),
        ("categories: [[甲, 乙], 丙]", "categories", ("甲", "乙", "丙")),
        ("link: https://tea.example.org/a", "url", "https://tea.example.org/a"),
        ("series: [甲]", "series", "甲"),
        ("part: 3", "ordinal", 3),
        ("column: 煮茶", "column", "煮茶"),
        ("kind: 转载", "kind", "repost"),
        ("kind: translation", "kind", "translation"),
        ("pinned: yes", "pinned", True),
        ("pinned: false", "pinned", False),
        ("top: true", "pinned", True),
        ("sticky: 100", "pinned", True),
        ("top: 0", "pinned", None),
        ("attachments: [a.png, b c.zip]", "attachments", ("a.png", "b c.zip")),
        ("slug: Hello World", "slug", "hello-world"),
        ("views: 1.2万", "reads", 12_000),
        ("summary: 一句话", "excerpt", "一句话"),
        ("guid: 17", "id", "17"),
    ],
)
def test_keys_of_other_programs(line: str, field: str, value: object) -> None:
    assert value == getattr(post_of(f"---\ntitle: 茶\n{line}\n---\n正文\n"), field)


def test_plain_text_without_front_matter_is_not_markdown() -> None:
    assert not sniff(Document("notes.txt", "一段话\n".encode()))
    assert sniff(Document("notes.txt", "---\ntitle: 茶\n---\n一段话\n".encode()))


@given(st.text() | st.text().map("---\n{}\n---\n".format) | st.text().map("+++\n{}\n+++\n".format))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert list(parse(text, "tea.md"))


@given(
    st.text(st.sampled_from(list("ab:-[]{}'\"#&*!|> \n\t茶"))).map(
        "---\ntitle: {}\n---\n正文".format
    )
)
def test_any_block_leaves_the_body(text: str) -> None:
    assert "正文" in (post_of(text).body_markdown or "")


@pytest.mark.parametrize("heading", ["# 茶\n", "\n\n# 茶 #\n", "茶\n====\n"])
def test_every_form_of_heading_leaves_the_body(heading: str) -> None:
    assert post_of(heading + "\n正文\n").body_markdown == "正文\n"


@pytest.mark.parametrize(
    ("block", "line", "title"),
    [
        ('title = "茶\ndate = 2021-12-23\ntags = ["水"]', 2, "茶"),
        ('tags = ["水"]\ndate = 2021-12-23\ntitle = 茶', 4, "茶"),
        ('Date = 2021-12-23\ntitle = "a"\ntitle = "b"\ntags = ["水"]\n[params]\ndate = 1', 4, "b"),
    ],
)
def test_a_broken_toml_block_is_one_problem_and_costs_no_other_key(
    block: str, line: int, title: str
) -> None:
    text = f"+++\n{block}\n+++\n正文\n"

    post, (problem,) = post_of(text), problems_of(text)

    assert (problem.place, problem.lost) == (f"line {line}", True)
    assert problem.reason.startswith("the front matter is no valid TOML: ")
    assert (post.title, post.published, post.tags) == (title, "2021-12-23", ("水",))
    assert post.body_markdown == "正文\n"


def test_a_toml_block_of_which_nothing_can_be_read_stays_in_the_body() -> None:
    text = "+++\n一段话\n+++\n又一段\n"

    assert post_of(text).body_markdown == text
    assert [problem.lost for problem in problems_of(text)] == [True]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: 茶\n\n正文\n", 1),
        ("---\ntitle: 茶\n\n正文\n\n---\n\n又一段\n", 1),
        ("\n---\nTitle: 茶\n正文\n", 2),
        ('+++\ntitle = "茶"\n\n正文\n', 1),
    ],
)
def test_a_block_without_an_end_is_reported_and_read(text: str, line: int) -> None:
    post, (problem,) = post_of(text), problems_of(text)

    assert (problem.source, problem.place, problem.lost) == ("tea.md", f"line {line}", True)
    assert problem.reason.startswith("the front matter has no end")
    assert post.title == "茶"
    assert (post.body_markdown or "").startswith("正文\n")


@pytest.mark.parametrize(
    "text", [';;;\n"title": "茶"\n;;;\n正文\n', '{\n  "title": "茶"\n}\n正文\n']
)
def test_front_matter_in_json_is_reported_and_stays_in_the_body(text: str) -> None:
    assert post_of(text).body_markdown == text
    assert [p.reason for p in problems_of(text)] == ["front matter in JSON is not read"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: 茶\n...\n正文\n", "茶"),
        ("---\n---\n正文\n", "tea"),
        ("---\n\n---\n\n# 茶\n正文\n", "茶"),
        ("+++\n+++\n正文\n", "tea"),
    ],
)
def test_other_forms_of_the_block_are_no_body(text: str, title: str) -> None:
    post = post_of(text)

    assert problems_of(text) == []
    assert (post.title, post.body_markdown) == (title, "正文\n")


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("---\ndate: 2021-12-23\ntitle: [煮茶] 水\n---\n", "line 3"),
        ("\n\n---\ndate: 2021-12-23\ntitle: [煮茶] 水\n---\n", "line 5"),
        ("date: 2021-12-23\ntitle: [煮茶] 水\n---\n", "line 2"),
    ],
)
def test_a_fault_is_placed_where_an_editor_shows_it(
    text: str, place: str, loader: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_matter, "_LOADER", loader)

    assert [problem.place for problem in problems_of(text)] == [place]


def test_a_problem_names_the_key_as_it_is_written() -> None:
    text = "---\ntitle: 茶\nDate: gestern\nViews: viele\n---\n"

    reasons = [problem.reason for problem in problems_of(text)]

    assert reasons == ["Date: no date that can be read: gestern", "Views: no count: viele"]


@pytest.mark.parametrize("loader", LOADERS)
def test_a_key_given_twice_is_reported(loader: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front_matter, "_LOADER", loader)
    text = "---\ntitle: 茶\ndate: 2021-12-23\ntitle: 水\n---\n"

    assert post_of(text).title == "水"
    assert [p.reason for p in problems_of(text)] == ["title: this key is given twice"]


def test_keys_that_are_not_known_are_reported_once_a_file() -> None:
    text = "---\ntitle: 茶\nlayout: post\ntoc: true\npermalink: /a/\nSubtitle: x\nfoo: 1\n---\n"

    (problem,) = problems_of(text)

    assert problem.reason == "keys that are not known were left out: `Subtitle`, `foo`"
    assert not problem.lost


def test_of_several_series_the_first_is_taken_and_the_rest_reported() -> None:
    text = "---\ntitle: 茶\nseries: [甲, 乙, 丙]\n---\n"

    (problem,) = problems_of(text)

    assert post_of(text).series == "甲"
    assert problem.reason == "a post has one series, 2 further ones were left out"
    assert not problem.lost


def test_a_dated_name_is_a_sign_of_jekyll() -> None:
    text = "---\ntitle: 茶\ntags: a b\ncategories: c d\n---\n"

    post = post_of(text, "_posts/2021-08-23-tea.md")

    assert (post.tags, post.categories) == (("a", "b"), ("c", "d"))
    assert post_of(text).categories == ("c d",)
