"""What the pages of invented sites hold, without what stands around it: posts, lists of posts, pages of whole posts,
records filled from a template, notices."""
import dataclasses
import html

import sample_articles
import text_exchanges

POST, LIST, WHOLE, PROFILE, PRODUCT, NOTICE = "post", "list", "page of posts", "profile", "product", "notice"
FREE_WIDTH = (300, 900)  # of a post: text of the sample, ...
POST_WIDTH = (700, 2200)  # ... and invented sentences up to so much
TEASER_CHARACTERS = (80, 220)
MONTHS = ("2024-03", "2024-04", "2024-05")
POSTS_OF_MONTH = 6
AUTHORS, TAGS = 3, 4
RECORD_FIELDS = 9


@dataclasses.dataclass(frozen=True)
class Content:
    kind: str
    document: str  # two contents of one document are the same to a reader
    title: str
    parts: tuple  # HTML
    entries: frozenset = frozenset()  # of a list or a page of posts: their documents


@dataclasses.dataclass(frozen=True)
class Post:
    document: str
    title: str
    paragraphs: tuple
    date: str = ""
    author: str = ""
    tag: str = ""
    teaser: str = ""

    def content(self, byline=""):
        line = byline or f"{self.date} · {self.author}"
        parts = [html.escape(text) for text in (line, *self.paragraphs)]
        return Content(POST, self.document, self.title, tuple(parts))


class Names:
    """What the posts of one blog have in common."""

    def __init__(self, rng, prose):
        self.authors = [text_exchanges.invented_name(rng, prose) for _ in range(AUTHORS)]
        self.tags = [prose.label(rng) for _ in range(TAGS)]
        self.more = prose.label(rng)


def post_of(rng, prose, names, free_paragraphs, document, number):
    """A post that takes its first paragraphs from the iterator, as long as that has any."""
    paragraphs, free, whole = [], rng.randint(*FREE_WIDTH), rng.randint(*POST_WIDTH)
    while (so_far := sample_articles.width("".join(paragraphs))) < whole:
        paragraph = next(free_paragraphs, None) if so_far < free else None
        paragraphs.append(paragraph or prose.paragraph(rng, 2, 4))
    return Post(
        document,
        prose.phrase(rng, 4, 9),
        tuple(paragraphs),
        f"{MONTHS[number // POSTS_OF_MONTH % len(MONTHS)]}-{rng.randint(10, 28)}",
        rng.choice(names.authors),
        names.tags[number % TAGS],
        paragraphs[0][: rng.randint(*TEASER_CHARACTERS)],
    )


def entry_of(rng, record):
    """A record, as lists name it."""
    return Post(record.document, record.title, (), text_exchanges.numeral(rng))


def linked(title):
    return f'<a href="/a/{sum(map(ord, title)) % 10 ** 6}">{html.escape(title)}</a>'


def teaser(post, more):
    return f"<b>{linked(post.title)}</b> {post.date} {html.escape(post.teaser)}… {linked(more)}"


def listing(document, title, posts, more, only_titles=False):
    parts = [f"{post.date} {linked(post.title)}" if only_titles else teaser(post, more) for post in posts]
    return Content(LIST, document, title, tuple(parts), frozenset(post.document for post in posts))


def whole_posts(document, title, posts):
    parts = []
    for post in posts:
        parts += [f"<b>{linked(post.title)}</b> {post.date}", *map(html.escape, post.paragraphs)]
    return Content(WHOLE, document, title, tuple(parts), frozenset(post.document for post in posts))


class Records:
    """One template, with the name and the numbers exchanged."""

    def __init__(self, rng, prose, kind, sentences_of_fields):
        self.prose, self.kind = prose, kind
        self.labels = [prose.label(rng) for _ in range(RECORD_FIELDS)]
        self.choices = [[prose.label(rng) for _ in range(3)] for _ in range(RECORD_FIELDS)]
        self.fixed = prose.paragraph(rng, 1, 3)
        told = [prose.paragraph(rng, sentences_of_fields, sentences_of_fields)]
        slots = [text_exchanges.ENTITY, text_exchanges.NUMERAL]
        self.template = text_exchanges.template_of(rng, prose.language, told, lambda rng, words: list(slots))

    def content(self, rng, document):
        name, rows = text_exchanges.invented_name(rng, self.prose), []
        for number, (label, choices) in enumerate(zip(self.labels, self.choices)):
            value = rng.choice(choices) if number % 3 == 2 else text_exchanges.numeral(rng)
            rows.append(f"<tr><th>{html.escape(label)}</th><td>{html.escape(value if number else name)}</td></tr>")
        told = [html.escape(text) for text in text_exchanges.fill(rng, self.prose, self.template, name)]
        parts = (f"<table>{''.join(rows)}</table>", *told, html.escape(self.fixed))
        return Content(self.kind, document, name, parts)


def notice(document, title, text):
    return Content(NOTICE, document, title, (html.escape(text),))
