"""Measure reading a WordPress export of many posts: time per post, and whether memory stays flat.

usage: python bench/wxr.py [--posts 2000 20000] [--size 4000] [--damaged]

Each number of posts is read in a process of its own, which keeps no post. The file's bytes are in
memory once; what is shown as memory is the peak above them, and it must not grow with the posts.
"""

# ruff: noqa: INP001, T201, S603 - a script, which prints, and starts itself again

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kbexport.models import SourcePost
from kbexport.readers.base import Document
from kbexport.readers.wordpress import READER

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>灯塔手记</title><link>https://log.example</link>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://log.example</wp:base_blog_url>
"""
ITEM = """<item><title>灯塔日记({n}) &amp;amp; 天气</title><link>https://log.example/{n}</link>
<dc:creator><![CDATA[keeper]]></dc:creator><guid isPermaLink="false">https://log.example/?p={n}</guid>
<content:encoded><![CDATA[{text}]]></content:encoded><excerpt:encoded><![CDATA[]]></excerpt:encoded>
<wp:post_id>{n}</wp:post_id><wp:post_date><![CDATA[2021-03-10 00:30:00]]></wp:post_date>
<wp:post_date_gmt><![CDATA[2021-03-09 16:30:00]]></wp:post_date_gmt>
<wp:post_name>log-{n}</wp:post_name>
<wp:status><![CDATA[publish]]></wp:status><wp:post_type><![CDATA[post]]></wp:post_type>
<category domain="post_tag" nicename="tag-{tag}"><![CDATA[标签{tag}]]></category></item>
"""
PARAGRAPH = (
    "今夜有雾，钟声<strong>一分钟</strong>一下，\n"
    '灯芯换过，油还有半罐。See the <a href="/x">log</a>.\n\n'
)


def write_export(file: Path, posts: int, size: int, *, damaged: bool) -> None:
    """Write an invented export with bodies of about ``size`` bytes."""
    text = PARAGRAPH * max(1, size // len(PARAGRAPH.encode()))
    with file.open("w", encoding="utf-8") as stream:
        stream.write(HEAD)
        for n in range(posts):
            stream.write(ITEM.format(n=n, text=text, tag=n % 40))
            if damaged and n == posts // 2:
                stream.write("<item><title>a </b></title></item>\n")
        stream.write("</channel></rss>\n")


def peak() -> int:
    """The most memory that this process had so far, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(file: Path) -> None:
    """Read the export and print what it cost, as JSON."""
    list(READER.read(Document("warm-up.xml", f"{HEAD}</channel></rss>".encode())))
    document = Document(file.name, file.read_bytes())
    before, begin = peak(), time.process_time()
    claimed = READER.sniff(document)
    found = sum(isinstance(item, SourcePost) for item in READER.read(document))
    figures = {
        "claimed": claimed,
        "posts": found,
        "megabytes": round(len(document.data) / 1e6, 1),
        "seconds": round(time.process_time() - begin, 2),
        "microseconds a post": round((time.process_time() - begin) / max(1, found) * 1e6),
        "KiB above the bytes": peak() - before,
    }
    print(json.dumps(figures))


def main() -> None:
    """Write the exports, and read each in a process of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--posts", type=int, nargs="+", default=[2000, 20000])
    parser.add_argument("--size", type=int, default=4000)
    parser.add_argument("--damaged", action="store_true")
    parser.add_argument("--read", type=Path)
    arguments = parser.parse_args()
    if arguments.read:
        measure(arguments.read)
        return
    with tempfile.TemporaryDirectory() as folder:
        for posts in arguments.posts:
            file = Path(folder) / f"{posts}.xml"
            write_export(file, posts, arguments.size, damaged=arguments.damaged)
            subprocess.run([sys.executable, __file__, "--read", str(file)], check=True)
            file.unlink()


if __name__ == "__main__":
    main()
