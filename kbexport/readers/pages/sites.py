"""The article pages of sites, as data: which page is theirs, and where it has what.

Selectors and words are those of `inputs/README.md`, sections 3 to 8.
"""

from __future__ import annotations

from dataclasses import dataclass

from kbexport.models import Kind
from kbexport.readers.pages.picks import Pick


@dataclass(frozen=True)
class Site:
    """Where the article pages of a site have what. Picks are in order of preference."""

    name: str
    """The site, for people."""
    body: tuple[str, ...]
    """Selectors of the text, the surest first; on a page of the site one finds it."""
    title: tuple[Pick, ...] = ()
    url: tuple[Pick, ...] = ()
    """The address, where the site prints it; mostly the head of the page has it."""
    suffix: str = ""
    """What the site adds to the title in `<title>`, as a pattern."""
    published: tuple[Pick, ...] = ()
    updated: tuple[Pick, ...] = ()
    author: tuple[Pick, ...] = ()
    reads: tuple[Pick, ...] = ()
    tags: tuple[Pick, ...] = ()
    categories: tuple[Pick, ...] = ()
    column: tuple[Pick, ...] = ()
    kinds: tuple[tuple[str, Kind], ...] = ()
    """Selectors of the signs that say whether the author wrote it."""
    drop: str = ""
    """Selector of what stands in the text and is none."""
    offset: int = 0
    """How many hours the authors' clocks are ahead, where the site states times in UTC."""


_CSDN_TYPE = "img.article-type-img[src*='{}.png']"

WECHAT = Site(
    name="WeChat",
    body=("#js_content",),
    title=(Pick("#activity-name"), Pick("meta[property='og:title']", attr="content")),
    published=(
        Pick(pattern=r"\bcreateTime\s*=\s*['\"](\d{4}-\d\d-\d\d[ \d:]*)['\"]"),
        Pick(pattern=r"\bct\s*=\s*['\"](\d{10})['\"]"),
        Pick("#publish_time"),
    ),
    author=(Pick("#js_author_name"), Pick("#js_author_name_text"), Pick("#js_name")),
    tags=(Pick("#js_tags a"), Pick("#js_tags .article-tag__item")),
    kinds=(("#copyright_logo", "original"),),
    drop=".code-snippet__line-index",
)

SITES = (
    Site(
        name="51CTO, to 2021",
        body=(".artical-Left .editor-preview-side", ".artical-Left .artical-content-bak"),
        title=(Pick("h1.artical-title"),),
        suffix=r"(?:[-_][^-_]{1,60}的(?:技术)?博客)?[-_]51CTO博客.*$",
        published=(Pick(".artical-title-list a.time"),),
        author=(Pick(".artical-title-list a.name"),),
        reads=(Pick(".artical-title-list a.read"),),
        tags=(Pick(".for-tag a"),),
        categories=(Pick(".crumbs a[href*='/category']"),),
        kinds=(
            (".artical-title-list .tab.original", "original"),
            (".artical-title-list .tab.reprint", "repost"),
            (".artical-title-list .tab.translation", "translation"),
        ),
    ),
    Site(
        name="51CTO",
        body=(".article-detail .editor-preview-side", ".article-detail .artical-content-bak"),
        title=(Pick(".article-detail .title h1"),),
        suffix=r"(?:[-_][^-_]{1,60}的(?:技术)?博客)?[-_]51CTO博客.*$",
        published=(Pick(".mess-line1 time"),),
        author=(Pick(".mess-line1 a:not([href*='/category'])"),),
        reads=(Pick(".mess-tag", r"阅读数\s*([\d.,]+\s*[万wk千]?\+?)"),),
        tags=(Pick(".mess-tag .shence_tag"), Pick(".label-list a")),
        categories=(Pick(".mess-line1 a[href*='/category']"),),
        kinds=(
            (".article-detail .title .original", "original"),
            (".article-detail .title .reprint", "repost"),
            (".article-detail .title .translation", "translation"),
        ),
        drop=".copytext",
    ),
    Site(
        name="cnblogs",
        body=("#cnblogs_post_body",),
        title=(Pick("#cb_post_title_url"), Pick("h1.postTitle")),
        url=(Pick("#cb_post_title_url", attr="href"),),
        suffix=r"(?: - [^-]{1,60})? - 博客园$",
        published=(
            Pick("#post-date"),
            Pick(".postDesc", r"\d{4}-\d\d-\d\d \d\d:\d\d"),
        ),
        author=(
            Pick(".postDesc a[href*='cnblogs.com/']:not([href*='i.cnblogs.com'])"),
            Pick("title", r" - ([^-]{1,60}) - 博客园$"),
        ),
        reads=(Pick("#post_view_count"), Pick(".postDesc", r"阅读\s*\(\d+\)")),
        tags=(Pick("#EntryTag a"),),
        categories=(Pick("#BlogPostCategory a"),),
        drop="#MySignature, #blog_post_info_block",
    ),
    Site(
        name="CSDN",
        body=("#content_views",),
        title=(Pick("#articleContentId"), Pick("h1.title-article")),
        suffix=r"(?:_[^_]{1,60})?[-_]CSDN博客.*$",
        published=(
            Pick(".up-time", r"\d{4}-\d\d-\d\d[ \d:]*(?=\s*(?:首次)?发布)"),
            Pick(".article-info-box .time", r"^(?!.*修改).*"),
        ),
        updated=(Pick(".article-info-box .time", r"\d{4}-\d\d-\d\d[ \d:]*(?=\s*修改)"),),
        author=(Pick("a.follow-nickName"), Pick("#uid")),
        reads=(Pick(".read-count"),),
        tags=(Pick(".blog-tags-box a.tag-link:not([href*='/category_'])"),),
        column=(Pick(".blog-tags-box a[href*='/category_']"),),
        kinds=(
            (_CSDN_TYPE.format("original"), "original"),
            (_CSDN_TYPE.format("reprint"), "repost"),
            (_CSDN_TYPE.format("translate"), "translation"),
        ),
        drop=".toc, .hide-preCode-box, svg",
    ),
    WECHAT,
    Site(
        name="juejin",
        body=(".article-viewer",),
        title=(Pick("h1.article-title"),),
        suffix=r" - 掘金$",
        published=(
            Pick("meta[itemprop='datePublished']", attr="content"),
            Pick(".author-info-box time", attr="datetime"),
            Pick(".author-info-box time"),
        ),
        author=(Pick(".author-info-box .username"), Pick("[itemprop='author'] [itemprop='name']")),
        reads=(Pick(".author-info-box .views-count"), Pick(".views-count")),
        tags=(Pick(".article-end .tag-title"), Pick(".tag-list .tag-title")),
        drop=".copy-code-btn, .code-block-extension-header",
        offset=8,
    ),
    Site(
        name="zhihu",
        body=(".Post-RichTextContainer .RichText", ".Post-RichText"),
        title=(Pick(".Post-Title"),),
        suffix=r" - 知乎$",
        published=(
            Pick("meta[itemprop='datePublished']", attr="content"),
            Pick(pattern=r"\"created\":(\d{10})\b"),
            Pick(".ContentItem-time", r"发布于\s*(.+)"),
        ),
        updated=(Pick("meta[itemprop='dateModified']", attr="content"),),
        author=(
            Pick(".Post-Author .UserLink-link"),
            Pick(".AuthorInfo meta[itemprop='name']", attr="content"),
            Pick(".AuthorInfo-name"),
        ),
        tags=(Pick(".Post-topicsAndReviewer .TopicLink"), Pick(".TopicList .TopicLink")),
        column=(Pick(".Post-Header .ColumnLink"), Pick(".ColumnPageHeader-Title a")),
        drop="figure noscript",
        offset=8,
    ),
)
"""A page is of the first one whose body it has."""

ANY = Site(
    name="",
    body=(
        "[itemprop='articleBody']",
        ".available-content .body.markup",
        ".gh-content",
        ".entry-content",
        ".post-content",
        ".post-body",
        ".article-entry",
        ".article-content",
        ".article-body",
        ".e-content",
        ".markdown-body",
    ),
    published=(
        Pick("time.published[datetime], time.entry-date[datetime]", attr="datetime"),
        Pick("time.dt-published[datetime], time[itemprop='datePublished']", attr="datetime"),
        Pick("[itemprop='datePublished'][content]", attr="content"),
        Pick("abbr.published[title]", attr="title"),
    ),
    updated=(
        Pick("time.updated[datetime], time.dt-updated[datetime]", attr="datetime"),
        Pick("time[itemprop='dateModified']", attr="datetime"),
        Pick("[itemprop='dateModified'][content]", attr="content"),
    ),
    author=(
        Pick(".author.vcard .fn, .vcard.author .fn, .byline .fn"),
        Pick(".entry-author-name, .author-name, .byline .author"),
        Pick("a[rel~='author']"),
    ),
    tags=(Pick("a[rel='tag']"), Pick(".tags-links a, .post-tags a, .article-tag-list a")),
    categories=(Pick("a[rel='category tag'], a[rel='category']"), Pick(".cat-links a")),
    drop=(
        ".sharedaddy, .jp-relatedposts, .addtoany_share_save_container,"
        " .heateor_sss_sharing_container, .wp-block-post-navigation-link, .post-navigation,"
        " .nav-links, .post-nav, #comments, .comments-area, #respond, .yarpp-related,"
        " #toc_container, ins.adsbygoogle"
    ),
)
"""Themes of WordPress, Hexo, Ghost, Blogger and the like, and whoever writes pages as they do."""

FRAME = (
    "nav, header, footer, form, time, #comments, .comments, aside:not([class*='note'],"
    " [class*='admonition'], [class*='callout']), .post-meta, .entry-meta, .article-meta,"
    " .pager, .pagination, [rel='prev'], [rel='next'], .share, .related, .related-posts"
)
"""What stands around the text where a whole `article` or `main` has to be taken for it."""
