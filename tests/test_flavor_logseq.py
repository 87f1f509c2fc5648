"""Flavor `logseq`: a native graph of Logseq, merged like the others: `formats.md`, 3 and 6."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from blog import Blog, part
from hypothesis import given
from test_content_properties import hostile
from test_flavors import FULL, PROPERTIES
from test_render_notes import GROUPS, NAME, TAGS, THREE, TORCH, post, render, series
from test_render_notes import part as part_of

from kbexport.assets import make_asset
from kbexport.config import Config
from kbexport.content.blocks import parse_blocks
from kbexport.content.inert import inert_markdown
from kbexport.content.outline import outline
from kbexport.flavors import LOGSEQ, Properties
from kbexport.flavors.pointer import PLAIN, find_pointer, is_untouched
from kbexport.pipeline import vault_status
from kbexport.vault import Action
from kbexport.vault.merge import merge_note, navigation_of
from kbexport.vault.plain import read_plain
from kbexport.vault.settle import State, resolve

PROPERTIES_AS_DOCUMENTED = """\
date:: 2021-12-11T10:49:04
reads:: 1523
tags:: 机器学习, PyTorch/分布式
series:: [[PyTorch 分布式]]
ordinal:: 15
prev:: [[PyTorch 分布式(14) — 分布式优化器]]
next:: [[PyTorch 分布式(16) — 批处理 RPC]]
related:: [[PyTorch 分布式 Autograd]]
aliases:: "[源码解析] PyTorch 分布式(15) --- 参数服务器"
author:: "作者甲"
column:: "源码解析"
kind:: "original"
pinned:: true
url:: https://blog.example.net/p/15
kbexport:: p-1a2b3c4d5e6f 8b1e55c0a2d74f19
"""

PART = """\
- 系列：[[PyTorch 分布式]] · 上一篇：[(14)]([[PyTorch 分布式(14) — 分布式优化器]]) · \
下一篇：[(16)]([[PyTorch 分布式(16) — 批处理 RPC]])
- # [源码解析] PyTorch 分布式(15) --- 参数服务器
- ## 0x00 摘要
	- 本文介绍参数服务器。
"""

SERIES = """\
- # PyTorch 分布式
	- 3 篇 · 2021-12-10 – 2021-12-12 · 1 篇有正文，约 1 分钟
	- 缺 1–13
	- 14 · [[PyTorch 分布式(14) — 分布式优化器]] · 2021-12-10
	- 15 · [[PyTorch 分布式(15) — 参数服务器]] · 2021-12-11
	- 16 · [[PyTorch 分布式(16) — 批处理 RPC]] · 2021-12-12
- ## 相关系列
	- [[PyTorch 分布式 Autograd]]
"""


def block_of(text: str) -> str:
    found = PLAIN.match(text)
    assert found
    return found[1]


def properties(text: str) -> dict[str, object]:
    block = read_plain(block_of(text))
    assert block
    return {one.key: one.value for one in block.properties}


def body(text: str) -> str:
    return text.partition("\n\n")[2]


def test_the_properties_look_as_documented() -> None:
    assert LOGSEQ.front_matter(FULL) == PROPERTIES_AS_DOCUMENTED


def test_a_part_and_its_series_look_as_documented() -> None:
    notes = render(THREE, GROUPS, flavor=LOGSEQ, tags=TAGS)

    assert body(notes[NAME]) == PART
    assert body(notes[TORCH]) == SERIES
    assert list(properties(notes[TORCH])) == ["related", "aliases", "kbexport"]


def test_an_unknown_value_has_no_line() -> None:
    assert LOGSEQ.front_matter(Properties(kbexport="p-1 x")) == "kbexport:: p-1 x\n"


@given(PROPERTIES)
def test_no_value_adds_a_line_and_none_is_lost(known: Properties) -> None:
    known = known.model_copy(update={"kbexport": "p-1 "})
    wanted = {key for key, value in known.model_dump().items() if value is not None and value != ()}
    wanted = wanted - {"title", "aliases"} | ({"aliases"} if known.title is not None else set())
    written = LOGSEQ.front_matter(known)

    assert [line.split("::")[0] for line in written.splitlines()] == [
        key for key in Properties.model_fields if key in wanted
    ]
    assert set(properties(written)) == wanted


@pytest.mark.parametrize("title", ['Why "simple"', "a, b，c", "[[x]] #t", "k:: v", "A --- B", '"'])
def test_a_title_is_one_alias_whatever_signs_it_has(title: str) -> None:
    written = LOGSEQ.front_matter(Properties(title=title, kbexport="p-1 "))

    assert written.startswith(f'aliases:: "{title}"\n')
    assert properties(written)["aliases"] == (title,)


@pytest.mark.parametrize("url", ["https://b.example/p#x", "https://b.example/[[x]]", "mailto:a b"])
def test_an_address_in_which_logseq_finds_more_than_text_is_quoted(url: str) -> None:
    assert f'url:: "{url}"\n' in LOGSEQ.front_matter(Properties(url=url, kbexport="p-1 "))


def test_a_neighbour_whose_note_was_deleted_becomes_text() -> None:
    note = render(THREE, GROUPS, flavor=LOGSEQ, gone=["p-000014"])[NAME]

    assert "prev" not in properties(note)
    assert "上一篇：[源码解析] PyTorch 分布式(14) --- 分布式优化器 ·" in note


def test_a_post_in_no_series_is_its_title_and_its_text() -> None:
    notes = render(
        [post("p-1", "周报", body_markdown="正文"), post("p-2", "月报", excerpt="摘\n- 要")],
        flavor=LOGSEQ,
    )

    assert body(notes["周报"]) == "- # 周报\n\t- 正文\n"
    assert body(notes["月报"]) == "- # 月报\n\t- > 摘 - 要\n"


def test_a_part_without_a_number_is_called_by_its_name() -> None:
    posts = [post("p-1", "Celery 之 启动"), post("p-2", "Celery 之 worker")]
    parts = [part_of("p-1", name="启动"), part_of("p-2", name="worker")]
    note = render(posts, [series("Celery", *parts)], flavor=LOGSEQ)["Celery 之 启动"]

    assert "下一篇：[worker]([[Celery 之 worker]])\n" in note


@pytest.mark.parametrize(
    ("target", "label", "link"),
    [
        ("茶(2) b", "(2)", "[(2)]([[茶(2) b]])"),
        ("茶", "茶", "[[茶]]"),
        ("茶", None, "[[茶]]"),
        ("a) b", "b", "[[a) b]]"),
        ("a ((b))", "b", "[[a ((b))]]"),
        ("a", "((b))", "[[a]]"),
        ("a", "{{b}}", "[[a]]"),
    ],
)
def test_a_link_has_a_label_where_logseq_reads_it_as_one(
    target: str, label: str | None, link: str
) -> None:
    assert LOGSEQ.wiki_link(target, label) == link


OUTLINES = {
    "paragraphs stand below their heading": (
        "a\n\n## b\n\nc\n\n### d\n\ne\n\n## f\n\ng",
        "\t- a\n- ## b\n\t- c\n\t- ### d\n\t\t- e\n- ## f\n\t- g",
    ),
    "a heading that skips a level": ("#### a\n\nb\n\n## c", "- #### a\n\t- b\n- ## c"),
    "lines of one paragraph": ("a  \nb\nc", "\t- a  \n\t  b\n\t  c"),
    "items within each other": (
        "* a\n    * b\n        * c\n* d",
        "\t- a\n\t\t- b\n\t\t\t- c\n\t- d",
    ),
    "numbers as they are printed": ("7. a\n8. b", "\t- 7\\. a\n\t- 8\\. b"),
    "two paragraphs of an item": ("* a\n\n  b", "\t- a\n\t\t- b"),
    "code with an empty line": (
        "```py\nx = 1\n\n  y\n```",
        "\t- ```py\n\t  x = 1\n\n\t    y\n\t  ```",
    ),
    "code below an item": ("* a\n\n  ```\n  x\n  ```", "\t- a\n\t\t- ```\n\t\t  x\n\t\t  ```"),
    "code as an item": ("* ```\n  x\n  ```", "\t- ```\n\t  x\n\t  ```"),
    "code as a numbered item": ("3. ```\n   x\n   ```", "\t- 3\\.\n\t\t- ```\n\t\t  x\n\t\t  ```"),
    "a quote with all in it": (
        "> a\n>\n> * b\n>\n> ```\n> x\n> ```",
        "\t- > a\n\t  >\n\t  > * b\n\t  >\n\t  > ```\n\t  > x\n\t  > ```",
    ),
    "two quotes": ("> a\n\n> b", "\t- > a\n\t- > b"),
    "a table": ("a | b\n--|--\n1 | 2", "\t- | a | b\n\t  | --|--\n\t  | 1 | 2"),
    "a formula": ("$$\nx\n$$", "\t- $$\n\t  x\n\t  $$"),
    "a rule": ("a\n\n---\n\nb", "\t- a\n\t- ***\n\t- b"),
    "a footnote": ("a[^1]\n\n[^1]: b\n\n    c", "\t- a[^1]\n\t- [^1]: b\n\t\t- c"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize("name", OUTLINES)
def test_each_block_of_a_body_is_a_bullet(name: str) -> None:
    markdown, bullets = OUTLINES[name]

    assert outline(inert_markdown(markdown, logseq=True).text) == bullets


@given(hostile)
def test_every_line_of_an_outline_is_a_bullet_or_indented_below_one(source: str) -> None:
    bullets = outline(inert_markdown(source, logseq=True).text)

    for line in bullets.split("\n"):
        assert re.match(r"\t*- .|\t*  |$", line), bullets


@given(hostile)
def test_an_outline_has_every_word_and_all_code_of_the_body(source: str) -> None:
    inert = inert_markdown(source, logseq=True).text
    bullets = outline(inert)

    # The number of an item without a word is none.
    first, second = (re.findall(r"[^\W\d]\w*", text) for text in (inert, bullets))
    assert sorted(first) == sorted(second)
    for block in parse_blocks(inert):
        if block.kind == "code" and not block.within:
            code = "".join(f"  {line}\n" if line else "\n" for line in block.lines)
            assert code in bullets.replace("\t", "") + "\n" or "\t" in code


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("tags:: a, b", "tags", ("a", "b")),
        ("Tags::a", None, None),
        ("TAGS:: a，b", "tags", ("a", "b")),
        ("tags:: [[a, b]], #c, #[[d e]]", "tags", ("a, b", "c", "d e")),
        ("tags::", "tags", ()),
        ("my_mood:: a, b", "my-mood", "a, b"),
        ('author:: "a"', "author", "a"),
        ("reads:: 007 ", "reads", "007"),
        ("related:: [[a]], [[b, c]]", "related", ("a", "b, c")),
    ],
)
def test_values_are_read_as_logseq_reads_them(line: str, key: str | None, value: object) -> None:
    found = PLAIN.match(line + "\r\n- x")

    assert (properties(line + "\r\n- x") if found else {}) == ({key: value} if key else {})


def test_a_key_that_stands_twice_is_not_understood() -> None:
    assert read_plain("a_b:: 1\nA-b:: 2\n") is None


def note(*lines: str, text: str = "- # T\n\t- a\n", pointer: str = "0" * 16) -> str:
    return "".join(f"{line}\n" for line in (*lines, f"kbexport:: p-1 {pointer}")) + f"\n{text}"


BASE = note("reads:: 1", "tags:: a, b", 'aliases:: "T"')
NEW = note("reads:: 2", "tags:: b, c", 'aliases:: "U"', pointer="f" * 16)

MERGES = {
    "a key of the owner's": (
        "reads:: 1\n",
        "mood:: fine\nreads:: 1\n",
        ["mood:: fine", "reads:: 2"],
    ),
    "a tag of the owner's": ("tags:: a, b", "tags:: mine，b，#a", ["tags:: mine，b，c\n"]),
    "a tag that the owner removed": ("tags:: a, b", "tags:: a", ["tags:: c\n"]),
    "tags as links": ("tags:: a, b", "Tags:: [[a]], [[b]]", ["Tags:: [[b]], c\n"]),
}


@pytest.mark.parametrize("crlf", [False, True])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("name", MERGES)
def test_news_goes_around_what_the_owner_did_to_the_properties(
    name: str, mark: str, crlf: bool
) -> None:
    old, new, kept = MERGES[name]
    mine = mark + BASE.replace(old, new, 1)
    mine = mine.replace("\n", "\r\n") if crlf else mine

    merged = merge_note(BASE, mine, NEW)

    plain = merged.text.replace("\r\n", "\n")
    assert merged.conflicts == ()
    assert all(line in plain for line in kept)
    assert 'aliases:: "U"\n' in plain
    assert merged.text.startswith(mark)
    assert merged.text.count("\r\n") == (merged.text.count("\n") if crlf else 0)
    pointer = find_pointer(merged.text)
    assert pointer
    assert pointer.base == "f" * 16
    assert merge_note(NEW, merged.text, NEW).text == merged.text


def test_a_property_that_the_owner_removed_stays_removed() -> None:
    merged = merge_note(BASE, BASE.replace("reads:: 1\n", ""), NEW)

    assert "reads::" not in merged.text
    assert (merged.conflicts, merged.infos) == ((), ("reads",))


def test_a_new_property_goes_into_a_note_that_is_nothing_but_properties() -> None:
    base = "reads:: 1\nkbexport:: p-1 " + "0" * 16 + "\n"
    mine = "kbexport:: p-1 " + "0" * 16 + "\nreads:: 1"
    new = 'reads:: 1\nauthor:: "A"\nkbexport:: p-1 ' + "f" * 16 + "\n"

    assert merge_note(base, mine, new).text == (
        "kbexport:: p-1 " + "f" * 16 + '\nreads:: 1\nauthor:: "A"'
    )


def test_a_key_that_stands_twice_leaves_the_properties_as_they_are() -> None:
    mine = BASE.replace("reads:: 1\n", "reads:: 1\nReads:: 5\n")
    merged = merge_note(BASE, mine, NEW.replace("\t- a\n", "\t- b\n"))

    assert block_of(merged.text) == block_of(mine)
    assert "\t- b\n" in merged.text
    assert merged.conflicts == ("the front matter, which has a key twice",)


def test_bullets_side_by_side_are_not_one_change_of_both() -> None:
    base = note(text="- # T\n\t- a\n\t- b\n")
    mine = note(text="- # T\n\t- my a\n\t- b\n")
    merged = merge_note(base, mine, note(text="- # T\n\t- a\n\t- new b\n\t- c\n", pointer="f" * 16))

    assert merged.conflicts == ()
    assert merged.text.endswith("- # T\n\t- my a\n\t- new b\n\t- c\n")


def test_only_the_links_above_the_title_are_navigation() -> None:
    with_links = "\n- 系列：[[A]] · 上一篇：[听雾]([[B]])\n- # T\n\t- [[C]]\n"

    assert navigation_of(with_links) == {1}
    assert navigation_of("\n- # [[T]]\n\t- [[C]]\n") == frozenset()


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    made = Blog(tmp_path)
    made.build(part(1), part(2, tags=["灯"]), flavor="logseq")
    return made


def test_all_notes_lie_in_pages_and_the_apps_file_is_written_once(blog: Blog) -> None:
    visible = {path for path in blog.files() if not path.startswith(".kbexport/")}
    assert {path.split("/")[0] for path in visible} == {"pages", "logseq", ".gitignore"}
    (blog.vault / "logseq/config.edn").write_text("{:mine true}")

    blog.build(part(1), part(2), part(3))

    assert (blog.vault / "logseq/config.edn").read_text() == "{:mine true}"
    assert all(is_untouched(path.read_text()) for path in blog.notes())


def test_a_second_run_changes_nothing(blog: Blog) -> None:
    before = blog.files()

    blog.build(part(1), part(2, tags=["灯"]))

    assert blog.files() == before


def test_edits_stay_and_news_comes(blog: Blog) -> None:
    path = blog.note("灯塔手记(1)*")
    text = path.read_text().replace("\t- 第1晚的灯。", "\t- 第1晚的灯。\n\t\t- 我的话")
    path.write_text(text.replace("reads::", "mood:: 好\nreads::"))

    plan = blog.build(part(1, body_markdown="第1晚的灯。\n\n又一段。", reads=7000), part(2))

    assert plan.counts.get("merge") == 1
    after = path.read_text()
    assert "mood:: 好\nreads:: 7000" in after
    assert after.endswith("\t- 第1晚的灯。\n\t\t- 我的话\n\t- 又一段。\n")


@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_a_page_that_logseq_saved_anew_is_no_conflict(blog: Blog, gap: str) -> None:
    path = blog.note("灯塔手记(1)*")
    text = path.read_text().replace("\n\n", gap, 1).rstrip("\n")
    path.write_text(text.replace("\t- 第1晚的灯。", "\t- 第1晚的灯。\n\t- 我的话"))

    plan = blog.build(part(1, body_markdown="开头。\n\n第1晚的灯。", reads=7), part(2))

    assert not plan.needs_eye
    assert path.read_text().endswith("\t- 开头。\n\t- 第1晚的灯。\n\t- 我的话")


def test_navigation_that_its_owner_changed_is_no_conflict(blog: Blog) -> None:
    path = blog.note("灯塔手记(2)*")
    path.write_text(path.read_text().replace("- 系列：", "- 见 ", 1))

    plan = blog.build(part(1), part(2, tags=["灯"]), part(3))

    assert not plan.needs_eye
    assert "- 见 [[" in path.read_text()


@pytest.mark.parametrize("theirs", [False, True])
def test_a_conflict_is_told_and_settled(blog: Blog, theirs: bool) -> None:
    path = blog.note("灯塔手记(1)*")
    path.write_text(path.read_text().replace("第1晚的灯", "我的灯"))
    news = (part(1, body_markdown="第1晚的雾。"), part(2, tags=["灯"]))

    plan = blog.build(*news)
    waiting = [entry.state for entry in vault_status(blog.vault, Config(out=blog.vault))]
    resolve(path, theirs=theirs)
    before = blog.files()
    again = blog.build(*news)

    assert plan.needs_eye
    assert waiting == [State.CONFLICT]
    assert ("我的灯" in path.read_text(), "第1晚的雾" in path.read_text()) == (not theirs, theirs)
    assert not again.needs_eye
    assert blog.files() == before


def test_after_a_loss_of_state_the_notes_are_found_again(blog: Blog) -> None:
    notes = {path: path.read_bytes() for path in blog.notes()}
    shutil.rmtree(blog.state)

    plan = blog.build(part(1), part(2, tags=["灯"]))

    assert {path: path.read_bytes() for path in blog.notes()} == notes
    assert set(plan.counts) == {Action.UNCHANGED}
    assert '"flavor":"logseq"' in (blog.state / "manifest.jsonl").read_text()


def test_posts_are_recalled_from_their_notes(blog: Blog) -> None:
    shutil.rmtree(blog.state / "posts")
    before = {path: path.read_bytes() for path in blog.notes("灯塔手记(2)*")}

    blog.build(part(1), part(3))

    assert {path: path.read_bytes() for path in blog.notes("灯塔手记(2)*")} == before
    assert "2 · [[灯塔手记(2) 擦镜]]" in blog.note("灯塔手记").read_text()


def test_few_new_reads_are_not_worth_a_new_text(blog: Blog) -> None:
    blog.build(part(1, reads=102), part(2, tags=["灯"]), reads_update="10%")

    assert "reads:: 101\n" in blog.note("灯塔手记(1)*").read_text()


def test_a_link_of_a_body_keeps_its_words(tmp_path: Path) -> None:
    made = Blog(tmp_path)
    text = "见 [上 一篇](https://blog.example/p/1)，[`x`](https://blog.example/p/1)"
    made.build(part(1), part(2, body_markdown=text), flavor="logseq")

    link = "[[灯塔手记(1) 点灯]]"
    assert f"\t- 见 [上 一篇]({link})，`x` ({link})\n" in made.note("灯塔手记(2)*").read_text()


def test_a_picture_lies_one_folder_up(tmp_path: Path) -> None:
    made = Blog(tmp_path)
    picture = make_asset("seen.svg", "<svg></svg>".encode)
    made.build(part(1, body_markdown=f"![]({picture.path})"), assets=(picture,), flavor="logseq")

    assert f"\t- ![](../{picture.path})" in made.note("灯塔手记*").read_text()
    assert (made.vault / picture.path).is_file()


def test_a_graph_of_logseq_is_built_in_its_flavor(tmp_path: Path) -> None:
    made = Blog(tmp_path)
    (made.vault / "logseq").mkdir(parents=True)

    made.build(part(1))

    assert made.note("灯塔手记*").parent.name == "pages"
