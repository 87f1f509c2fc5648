"""Invented articles in the markup of thirty sites, and what has to be left of each in Markdown.

An article is a list of blocks; a site says how it writes code, pictures, formulas, notes, headings
and tables. So what a page holds is known without reading its HTML. The markup is that of
`tests/constructs`; the words are nobody's.
"""

# ruff: noqa: E501 - markup stands on one line, as it does in its page

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape, unescape
from urllib.parse import quote

from reading import KINDS, Facts, on_one_line, words

CODE = {
    "python": "def weigh(stones):\n    total = 0\n\n    for stone in stones:\n        total += stone[0] * 2  # *twice*\n    return total < 10 and total",
    "bash": "cd /opt/quay && ls -l | grep '^d'\n\n# three\n\techo \"$HOME\" `date`",
    "java": "public interface Crane<T> {\n    List<T> lift(int a, char b);\n\n    // & nothing [[else]]\n}",
    "yaml": "quay:\n  - name: north\n    depth: 3\n\n  - name: south",
}

Block = tuple[str, ...]

ARTICLES: list[list[Block]] = [
    [
        ("p", "这篇文章看<b>码头</b>上的起重机怎样排队，先说结论：<strong>“先到先得”</strong>并不总是对的。"),
        ("h", "2", "0x00 摘要"),
        ("p", "起重机有两种，一种在<i>（北岸）</i>，一种在南岸；参数见⟦link:https://quay.example/spec?a=1&b=2|说明书 第三版⟧，价格是 $5 与 $6。"),
        ("ul", "先看船的吃水", "再看<code>weigh()</code>的结果", "最后看⟦link:https://quay.example/tide|潮汐表⟧"),
        ("code", "python"),
        ("img", "https://img.quay.example/north_bank.png", "北岸的起重机"),
        ("h", "3", "1.1 排队的长度"),
        ("p", "设队列的长度为⟦math:L_q=\\frac{\\rho^2}{1-\\rho}⟧，其中⟦math:\\rho<1⟧，那么等待不会无限。⟦note:1⟧"),
        ("display", "W_q = \\sum_{i=1}^{n} \\frac{s_i}{\\mu - \\lambda}"),
        ("table", "泊位|深度|备注", "北一|12|可停<b>大船</b>", "北二|9|a<br>b"),
        ("p", "换行一次：<br>第二行。<br>第三行 <kbd>Ctrl</kbd>。"),
        ("code", "bash"),
        ("notes", "排队论的记号，见任何一本 教科书。"),
    ],
    [
        ("p", "Last winter the crane on the north bank stopped at <em>four</em> in the morning, and nobody knew why."),
        ("h", "2", "What the log said"),
        ("p", "The log is short. It names the ⟦link:https://quay.example/hoist_v2|hoist⟧, the wind and a number: 42 * 7 is not <code>a*b</code>."),
        ("code", "java"),
        ("ol", "Read the log from its end", "Compare the hours with the ⟦link:https://quay.example/tide|tide⟧", "Ask the night shift"),
        ("h", "3", "A table of hours"),
        ("table", "hour|wind|state", "03|5 m/s|runs", "04|9 m/s|<code>stop | hold</code>", "05|4 m/s|runs"),
        ("img", "https://img.quay.example/log-page.jpg", "A page of the log"),
        ("p", "So the brake closed by itself.⟦note:1⟧ It should not: <strong>never</strong> below 12 m/s."),
        ("code", "yaml"),
        ("quote", "A brake that closes by itself is a brake that has not been asked."),
        ("notes", "The brake is a spring, held open by a magnet."),
    ],
    [
        ("h", "1", "第一章 灯塔的账本"),
        ("p", "灯塔的账本有三栏：日期、油量和天气。看守每晚写一行，写了<b>四十年。</b>字很小，但清楚。"),
        ("h", "2", "1.1 记号"),
        ("p", "他用 <code>+</code> 表示晴，用 <code>[x]</code> 表示雾；数组写作 a[0]，下划线 lamp_oil_2 也常见，#12 号灯单独算。"),
        ("ul", "晴天：油少", "雾天：油多，<b>《规程》</b>要求整夜", "暴雨：停"),
        ("img", "https://img.quay.example/ledger/1931.png", "账本的一页"),
        ("img", "https://img.quay.example/ledger/1932.png", ""),
        ("p", "油量和天数成正比：⟦math:V = k_1 d + k_0⟧。⟦note:1⟧"),
        ("code", "python"),
        ("code", "yaml"),
        ("h", "2", "1.2 小结"),
        ("table", "年|升", "1931|820", "1932|790"),
        ("p", "更多的数字在⟦link:https://lamp.example/a_b(c)|附录⟧里。"),
        ("notes", "按当年的 升 计算。"),
    ],
]  # fmt: skip


@dataclass(frozen=True)
class Site:
    """How a site writes what its authors wrote."""

    code: Callable[[str, str], str]
    """Language and text of a block -> its HTML."""
    image: str = '<p><img src="{src}" alt="{alt}"></p>'
    heading: str = "<h{level}>{text}</h{level}>"
    math: str = "\\({tex}\\)"
    display: str = "<p>$${tex}$$</p>"
    note: str = '<sup id="fnref:{n}"><a href="#fn:{n}" class="footnote">{n}</a></sup>'
    notes: str = (
        '<div class="footnotes"><ol><li id="fn:{n}"><p>{text} <a href="#fnref:{n}"'
        ' class="reversefootnote">&#8617;</a></p></li></ol></div>'
    )
    page: str = "<article>{body}</article>"
    table: str = "<table>{rows}</table>"
    paragraph: str = "<p>{text}</p>"


@dataclass
class Page:
    """A page and what a reader of its Markdown has to find, by kind, in the order of the page."""

    name: str
    html: str
    facts: Facts = field(default_factory=dict)


def numbers(text: str, form: str) -> str:
    """A form for each line, filled with its number."""
    return "".join(form.format(n=n) for n in range(1, text.count("\n") + 2))


def lines(text: str, form: str) -> str:
    """A form for each line, filled with its number and its escaped words."""
    return "".join(
        form.format(n=n, line=escape(line, quote=False))
        for n, line in enumerate(text.split("\n"), 1)
    )


def plain(form: str) -> Callable[[str, str], str]:
    """A site that writes the text of a block into one form; `{lang}` and `{text}` are filled."""
    return lambda lang, text: form.format(lang=lang, text=escape(text, quote=False))


def spans(form: str) -> Callable[[str, str], str]:
    """The same, every word in a span as highlighters leave it."""

    def write(lang: str, text: str) -> str:
        words = "".join(
            f'<span class="hljs-x">{escape(word, quote=False)}</span>'
            if word.isalpha()
            else escape(word, quote=False)
            for word in _words(text)
        )
        return form.format(lang=lang, text=words)

    return write


def _words(text: str) -> Iterator[str]:
    word = ""
    for char in text:
        if char.isalpha():
            word += char
        else:
            yield from (word, char)
            word = ""
    yield word


def gutter(form: str, number: str, line: str) -> Callable[[str, str], str]:
    """A site with a column of numbers: `{numbers}` and `{lines}` are filled line by line."""
    return lambda lang, text: form.format(
        lang=lang, numbers=numbers(text, number), lines=lines(text, line)
    )


def blanks(write: Callable[[str, str], str]) -> Callable[[str, str], str]:
    """A site whose code has no-break spaces and `<br>` instead of spaces and lines."""
    return lambda lang, text: write(lang, text).replace("  ", "&nbsp;&nbsp;").replace("\n", "<br>")


KATEX = (
    '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>'
    '<annotation encoding="application/x-tex">{tex}</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true">drawn</span></span>'
)
MATHJAX = (
    '<span class="MathJax_Preview">y</span><span class="MathJax"><nobr>y</nobr></span>'
    '<script type="math/tex{mode}">{tex}</script>'
)
LAZY = '<p><img src="data:image/gif;base64,R0lGODlh" {name}="{{src}}" alt="{{alt}}"></p>'
ANCHORED = '<h{level} id="h"><a class="anchor" href="#h" aria-hidden="true">#</a>{text}</h{level}>'

SITES: dict[str, Site] = {
    "51cto-2018": Site(
        plain('<pre class="brush:{lang};toolbar:false">{text}\n</pre>'),
        page='<div class="artical-content-bak"><div class="con editor-preview-side" id="result">{body}</div></div>',
    ),
    "51cto-2022": Site(
        spans('<pre><code class="prism language-{lang}">{text}\n</code></pre>'),
        image='<p><img src="{src}" alt="{alt}" title="" loading="lazy"></p>',
        heading='<h{level} id="h">{text}</h{level}>',
    ),
    "cnblogs": Site(
        spans(
            '<div class="cnblogs_code"><div class="cnblogs_code_toolbar"><span class="cnblogs_code_copy">'
            '<a href="javascript:void(0);" title="复制代码"><img src="//common.cnblogs.com/images/copycode.gif" alt="复制代码"></a>'
            '</span></div>\n<pre>{text}</pre>\n<div class="cnblogs_code_toolbar"></div></div>'
        ),
        page='<div id="cnblogs_post_body" class="blogpost-body">{body}</div>',
        paragraph="<p>{text}</p>\n<p>&nbsp;</p>",
    ),
    "cnblogs-markdown": Site(
        spans('<pre class="language-{lang} highlighter-hljs" highlighted="true"><code class="language-{lang} hljs">{text}\n</code></pre>'),
        math=MATHJAX.replace("{mode}", ""),
        display=MATHJAX.replace("{mode}", "; mode=display"),
    ),
    "cnblogs-highlighter": Site(
        gutter(
            '<div class="cnblogs_Highlighter sh-gutter"><div><div class="syntaxhighlighter  {lang}"><div class="toolbar"><span><a href="#">?</a></span></div>'
            '<table><tbody><tr><td class="gutter">{numbers}</td><td class="code"><div class="container">{lines}</div></td></tr></tbody></table></div></div></div>',
            '<div class="line number{n}">{n}</div>',
            '<div class="line number{n}"><code class="plain">{line}</code></div>',
        ),
    ),
    "csdn": Site(
        lambda lang, text: spans('<pre data-index="0" class="prettyprint"><code class="prism language-{lang} has-numbering">{text}\n'
            '<div class="hljs-button" data-title="复制"></div></code>')(lang, text) + '<ul class="pre-numbering">' + numbers(text, "<li>{n}</li>") + "</ul></pre>",
        page='<div id="content_views" class="markdown_views"><svg style="display: none;"><path d="M5,0"></path></svg>{body}</div>',
        heading='<h{level}><a name="t0"></a><a id="_4"></a>{text}</h{level}>',
        math=KATEX,
        display='<span class="katex--display"><span class="katex-display">' + KATEX + "</span></span>",
        table='<div class="table-box"><table>{rows}</table></div>',
    ),
    "csdn-html": Site(
        lambda lang, text: f'<pre name="code"><code class="language-{lang} hljs"><ol class="hljs-ln">' + lines(text,
            '<li><div class="hljs-ln-numbers"><div class="hljs-ln-n" data-line-number="{n}"></div></div><div class="hljs-ln-code"><div class="hljs-ln-line">{line}</div></div></li>')
            + '</ol></code><div class="hljs-button" data-title="复制"></div></pre>',
        math='<img alt="{tex}" class="mathcode" src="https://latex.csdn.net/eq?x">',
    ),
    "wechat": Site(
        lambda lang, text: '<section class="code-snippet__fix"><ul class="code-snippet__line-index">' + numbers(text, "<li></li>")
            + f'</ul><pre class="code-snippet__js" data-lang="{lang}">' + lines(text, '<code><span class="code-snippet_outer">{line}</span></code>') + "</pre></section>",
        image='<section><img class="rich_pages" data-src="{src}" data-type="png" alt="{alt}"></section>',
        paragraph='<p style="margin: 0"><span style="font-size: 15px">{text}</span></p>',
        page='<div id="js_content"><section>{body}</section></div>',
    ),
    "wechat-mdnice": Site(
        blanks(spans('<pre class="custom" data-tool="x"><span style="display: block"></span><code class="hljs language-{lang}" style="display: -webkit-box">{text}\n</code></pre>')),
        math='<span class="span-inline-equation" data-formula="{tex}"><svg></svg></span>',
        display='<section class="block-equation" data-formula="{tex}"><svg></svg></section>',
        image='<figure><img data-src="{src}" alt="{alt}"></figure>',
    ),
    "juejin": Site(
        spans(
            '<pre><div class="code-block-extension-header"><span class="code-block-extension-lang">{lang}</span>'
            '<div class="code-block-extension-copyCodeBtn">复制代码</div></div><code class="hljs language-{lang}" lang="{lang}">{text}\n</code></pre>'
        ),
        heading='<h{level} data-id="heading-1">{text}</h{level}>',
        image='<p><img src="{src}" alt="{alt}" loading="lazy" class="medium-zoom-image"></p>',
    ),
    "zhihu": Site(
        spans('<div class="highlight"><pre><code class="language-{lang}">{text}\n</code></pre></div>'),
        image='<figure data-size="normal"><noscript><img src="{src}" alt="{alt}"></noscript><img src="data:image/svg+xml;utf8,x" data-actualsrc="{src}" alt="{alt}" class="lazy"></figure>',
        math='<img src="https://www.zhihu.com/equation?tex={quoted}" alt="[公式]" eeimg="1">',
    ),
    "jianshu": Site(
        plain('<div class="_2Uzcx_"><button class="VJbwyy" type="button"></button><pre class="line-numbers  language-{lang}"><code class="{lang}  language-{lang}">{text}\n</code></pre></div>'),
        image='<div class="image-package"><div class="image-container"><div class="image-view"><img data-original-src="{src}" alt="{alt}"></div></div></div>',
    ),
    "segmentfault": Site(
        plain('<div class="widget-codetool"><div class="widget-codetool--inner"></div></div><pre class="hljs {lang}"><code>{text}</code></pre>'),
        image=LAZY.format(name="data-lazy"),
    ),
    "hexo": Site(
        gutter(
            '<figure class="highlight {lang}"><table><tr><td class="gutter"><pre>{numbers}</pre></td><td class="code"><pre>{lines}</pre></td></tr></table></figure>',
            '<span class="line">{n}</span><br>',
            '<span class="line">{line}</span><br>',
        ),
        heading='<h{level} id="h"><a href="#h" class="headerlink" title="{text}"></a>{text}</h{level}>',
        image=LAZY.format(name="data-original"),
    ),
    "hexo-prism": Site(
        lambda lang, text: spans('<pre class="line-numbers language-{lang}" data-language="{lang}"><code class="language-{lang}">{text}')(lang, text)
            + '<span aria-hidden="true" class="line-numbers-rows">' + numbers(text, "<span></span>") + "</span></code></pre>",
        image='<p><img src="/img/loading.gif" data-src="{src}" alt="{alt}"></p>',
    ),
    "hugo": Site(
        gutter(
            '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code>{numbers}</code></pre></td>'
            '<td class="lntd"><pre class="chroma"><code class="language-{lang}" data-lang="{lang}">{lines}</code></pre></td></tr></table></div></div>',
            '<span class="lnt">{n}\n</span>',
            '<span class="line"><span class="cl">{line}\n</span></span>',
        ),
        note='<sup id="fnref:{n}"><a href="#fn:{n}" class="footnote-ref" role="doc-noteref">{n}</a></sup>',
        heading=ANCHORED,
    ),
    "jekyll": Site(
        spans('<div class="language-{lang} highlighter-rouge"><div class="highlight"><pre class="highlight"><code>{text}\n</code></pre></div></div>'),
    ),
    "github": Site(
        spans('<div class="highlight highlight-source-{lang} notranslate" dir="auto"><pre>{text}</pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy"><svg></svg></clipboard-copy></div></div>'),
        heading='<div class="markdown-heading"><h{level} class="heading-element">{text}</h{level}><a id="h" class="anchor" href="#h"><svg class="octicon"></svg></a></div>',
        note='<sup><a href="#user-content-fn-{n}" id="user-content-fnref-{n}" data-footnote-ref="">{n}</a></sup>',
        notes='<section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-{n}"><p>{text} <a href="#user-content-fnref-{n}" data-footnote-backref="">↩</a></p></li></ol></section>',
        page='<article class="markdown-body entry-content">{body}</article>',
    ),
    "wordpress-classic": Site(
        plain('<pre class="brush: {lang}; title: ; notranslate" title="">\n{text}\n</pre>'),
        image='<div class="wp-caption"><a href="{src}"><img class="lazy" src="data:image/gif;base64,R0" data-lazy-src="{src}" alt="{alt}"></a><noscript><img src="{src}" alt="{alt}"></noscript></div>',
    ),
    "wordpress-blocks": Site(
        plain('<pre class="wp-block-code"><code lang="{lang}" class="language-{lang}">{text}</code></pre>'),
        image='<figure class="wp-block-image"><img decoding="async" src="{src}" alt="{alt}" srcset="{src} 600w"/></figure>',
        note='<sup data-fn="aa-{n}" class="fn"><a href="#aa-{n}" id="aa-{n}-link">{n}</a></sup>',
        notes='<ol class="wp-block-footnotes"><li id="aa-{n}">{text} <a href="#aa-{n}-link">↩︎</a></li></ol>',
        table='<figure class="wp-block-table"><table class="has-fixed-layout">{rows}</table></figure>',
    ),
    "enlighter": Site(
        plain('<pre class="EnlighterJSRAW" data-enlighter-language="{lang}" data-enlighter-theme="">{text}</pre>'),
    ),
    "medium": Site(
        blanks(plain('<pre class="graf graf--pre">{text}</pre>')),
        image='<figure class="graf graf--figure"><img class="graf-image" data-image-id="1" src="{src}" alt="{alt}"></figure>',
        paragraph='<p name="1a" class="graf graf--p">{text}</p>',
    ),
    "substack": Site(
        plain('<div class="highlighted_code_block" data-attrs="{{&quot;language&quot;:&quot;{lang}&quot;}}"><pre class="shiki"><code>{text}</code></pre></div>'),
        note='<a class="footnote-anchor" id="footnote-anchor-{n}" href="#footnote-{n}" target="_self">{n}</a>',
        notes='<div class="footnote"><a id="footnote-{n}" href="#footnote-anchor-{n}" class="footnote-number">{n}</a><div class="footnote-content"><p>{text}</p></div></div>',
    ),
    "docusaurus": Site(
        lambda lang, text: f'<div class="language-{lang} codeBlockContainer_x"><div><pre class="prism-code language-{lang}"><code>'
            + lines(text, '<span class="token-line"><span class="token plain">{line}</span><br></span>') + '</code></pre><div><button type="button">Copy</button></div></div></div>',
        heading='<h{level} class="anchor" id="h">{text}<a href="#h" class="hash-link" title="Direct link">&#8203;</a></h{level}>',
    ),
    "vitepress": Site(
        lambda lang, text: f'<div class="language-{lang} line-numbers-mode"><button class="copy"></button><span class="lang">{lang}</span><pre class="shiki"><code>'
            + "\n".join(f'<span class="line">{escape(line, quote=False)}</span>' for line in text.split("\n"))
            + '</code></pre><div class="line-numbers-wrapper">' + numbers(text, '<span class="line-number">{n}</span><br>') + "</div></div>",
    ),
    "sphinx": Site(
        plain('<div class="highlight-{lang} notranslate"><div class="highlight"><pre><span></span>{text}\n</pre></div></div>'),
        heading='<h{level}>{text}<a class="headerlink" href="#h" title="Permalink">¶</a></h{level}>',
        table='<table class="docutils align-default">{rows}</table>',
    ),
    "blogger": Site(
        blanks(plain('<pre class="prettyprint lang-{lang}">{text}</pre>')),
        page='<div class="post-body entry-content">{body}</div>',
        image='<div class="separator"><a href="{src}"><img border="0" src="{src}" alt="{alt}"></a></div>',
    ),
    "mediawiki": Site(
        plain('<div class="mw-highlight mw-highlight-lang-{lang}"><pre><span></span>{text}\n</pre></div>'),
        note='<sup id="cite_ref-{n}" class="reference"><a href="#cite_note-{n}">[{n}]</a></sup>',
        notes='<ol class="references"><li id="cite_note-{n}"><span class="mw-cite-backlink"><b><a href="#cite_ref-{n}">↑</a></b></span> <span class="reference-text">{text}</span></li></ol>',
        heading='<h{level}><span class="mw-headline" id="h">{text}</span></h{level}>',
        table='<table class="wikitable"><tbody>{rows}</tbody></table>',
    ),
    "pandoc": Site(
        plain('<div class="sourceCode" id="cb1"><pre class="sourceCode {lang}"><code class="sourceCode {lang}">{text}</code></pre></div>'),
        note='<a href="#fn{n}" class="footnote-ref" id="fnref{n}" role="doc-noteref"><sup>{n}</sup></a>',
        notes='<section class="footnotes" role="doc-endnotes"><hr /><ol><li id="fn{n}"><p>{text}<a href="#fnref{n}" class="footnote-back">↩︎</a></p></li></ol></section>',
    ),
    "crayon": Site(
        lambda lang, text: f'<div class="crayon-syntax"><div class="crayon-toolbar"><div class="crayon-tools"><span class="crayon-language">{lang}</span></div></div>'
            f'<div class="crayon-plain-wrap"><textarea class="crayon-plain">{escape(text)}</textarea></div><div class="crayon-main"><table class="crayon-table"><tr><td class="crayon-nums">'
            + numbers(text, '<div class="crayon-num">{n}</div>') + '</td><td class="crayon-code"><div class="crayon-pre">' + lines(text, '<div class="crayon-line">{line}</div>') + "</div></td></tr></table></div></div>",
    ),
}  # fmt: skip

TOKEN = re.compile(r"⟦(link|math|note):(.*?)⟧")


def pages() -> list[Page]:
    """Every article in the markup of every site."""
    return [
        page_of(f"{name}-{number}", site, article)
        for name, site in SITES.items()
        for number, article in enumerate(ARTICLES, 1)
    ]


def page_of(name: str, site: Site, article: list[Block]) -> Page:
    """One article as a site writes it."""
    page = Page(name, "", {kind: [] for kind in KINDS})
    body = "\n".join(_block(block, site, page.facts) for block in article)
    page.html = site.page.format(body=body)
    return page


def _block(block: Block, site: Site, facts: Facts) -> str:  # noqa: PLR0911 - one for each kind
    """The HTML of a block; what it holds is added to the facts."""
    kind, *parts = block
    match kind:
        case "p":
            return site.paragraph.format(text=_inline(parts[0], site, facts))
        case "h":
            facts["headings"].append(on_one_line(parts[1]))
            return site.heading.format(level=parts[0], text=_inline(parts[1], site, facts))
        case "ul" | "ol":
            items = "".join(f"<li>{_inline(part, site, facts, 'items')}</li>" for part in parts)
            return f"<{kind}>{items}</{kind}>"
        case "table":
            rows = [
                _row(part, "td" if number else "th", site, facts)
                for number, part in enumerate(parts)
            ]
            return site.table.format(rows="".join(rows))
        case "code":
            facts["code"].append(CODE[parts[0]])
            return site.code(parts[0], CODE[parts[0]])
        case "img":
            facts["images"].append(parts[0])
            return site.image.format(src=parts[0], alt=parts[1])
        case "display":
            facts["formulas"].append("".join(parts[0].split()))
            return site.display.format(tex=_tex(site, parts[0]))
        case "quote":
            return f"<blockquote><p>{_inline(parts[0], site, facts)}</p></blockquote>"
        case _:
            return _notes(parts, site, facts)


def _tex(site: Site, tex: str) -> str:
    # A script holds its text as it is.
    return tex if "<script" in site.math else escape(tex)


def _notes(parts: list[str], site: Site, facts: Facts) -> str:
    facts["notes"] += [str(n) for n in range(1, len(parts) + 1)]
    return "".join(
        site.notes.format(n=n, text=_inline(part, site, facts)) for n, part in enumerate(parts, 1)
    )


def _row(row: str, tag: str, site: Site, facts: Facts) -> str:
    cells = row.replace(" | ", "\ue00b").split("|")
    return (
        "<tr>"
        + "".join(
            f"<{tag}>{_inline(cell.replace(chr(0xE00B), ' | '), site, facts, 'cells')}</{tag}>"
            for cell in cells
        )
        + "</tr>"
    )


def _inline(text: str, site: Site, facts: Facts, kind: str = "") -> str:
    """The HTML of a line of words, whose links, formulas and notes are written `⟦link:…⟧`."""

    def write(found: re.Match[str]) -> str:
        if found[1] == "link":
            address, _, label = found[2].partition("|")
            facts["links"].append(f"{address} {on_one_line(label)}")
            return f'<a href="{escape(address)}">{label}</a>'
        if found[1] == "math":
            facts["formulas"].append("".join(found[2].split()))
            return site.math.format(tex=_tex(site, found[2]), quoted=quote(found[2]))
        facts["notes"].append(found[2])
        return site.note.format(n=found[2])

    plain_text = TOKEN.sub(lambda found: found[2].partition("|")[2], text)
    plain_text = unescape(re.sub(r"<br>", " ", plain_text))
    plain_text = re.sub(r"</?(?:b|i|em|strong|code|kbd)>", "", plain_text)
    facts["text"] += words(plain_text)
    if kind:
        facts[kind].append(on_one_line(plain_text))
    return TOKEN.sub(write, text)
