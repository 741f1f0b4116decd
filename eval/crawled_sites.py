"""The sites of one language, two blogs and a catalogue, and their pages as a crawler sees them: first, and when it
comes again. The first blog renews its template half way through the first crawl."""
import dataclasses
import html
import random
import urllib.parse

import decided_pairs
import frames
import site_contents as contents
import text_edits

POSTS = (18, 12)  # of the blog that renews its template, and of the other one
LIST_LENGTH = 4
WHOLE_LENGTH = 4
REPUBLISHED = slice(5, 13)  # posts of the first blog on the second one, of either template
EDITED = slice(0, 18, 2)  # posts of the first blog
RECORDS = 12  # of a kind
RECENT = 7  # posts that the sidebar knows
DRIFT = (0, 0, 1, 2)  # how many of these are older, from fetch to fetch

# How a page comes to be a copy.
OTHER_PATH, PRINT, REPRINT = "other path", "print form", "republished"
ACROSS, REORDERED, NOTICE_AGAIN = "across the renewal", "list in another order", "notice at another address"
COPY_OF_EDIT = "copy of an edited post"

# What has changed when a URL is fetched again.
UNCHANGED, SIDEBAR, RENEWED, EDIT = "unchanged", "other sidebar", "other template", "edited"

EDITS = (
    decided_pairs.reworded,
    decided_pairs.by_paragraphs(text_edits.add),
    decided_pairs.by_paragraphs(text_edits.delete),
    decided_pairs.by_paragraphs(text_edits.reorder),
)


def in_pages(items, length):
    """Full ones."""
    return [items[begin : begin + length] for begin in range(0, len(items) - length + 1, length)]


class Frame(frames.Site):
    """One template of a site. Authors and related pages go with the document, recent posts with the time, the rest is
    by chance; `quiet`: of which there is little."""

    def __init__(self, number, material, seed, quiet=False):
        articles = material.sites[0].articles
        super().__init__(number, material.language, material.prose, articles, seed)
        self.number, self.seed, self.renewed = number, seed, False
        self.host = self.name
        self.notice = self.notice or self.network.notice
        if quiet:
            self.promotions, self.authors, self.quotes_others = self.promotions[:1], self.authors[:1], False
        self.published = self.headlines  # oldest first

    def renew(self, old):
        self.name, self.host, self.renewed = old.name, old.host, True

    def body(self, page):
        chance = random.Random(f"{self.seed} {self.number} {page.url} {page.fetch}")
        of_page = random.Random(f"{self.seed} {self.number} {page.content.document}")
        newest = max(RECENT, len(self.published) - chance.choice(DRIFT))
        self.headlines = self.published[newest - RECENT : newest]
        return self.page(chance, page.content.title, list(page.content.parts), "utf-8", of_page)


@dataclasses.dataclass(frozen=True)
class Page:
    url: str
    content: contents.Content
    frame: Frame | None  # None: nothing around it
    copy: str = ""  # how it comes to be a copy; "": it is the page itself
    fetch: int = 1  # another number: what is by chance is drawn anew

    @property
    def host(self):
        return self.url.split("/")[2]

    def body(self):
        if self.frame:
            return self.frame.body(self).encode()
        title, parts = html.escape(self.content.title), "".join(f"<p>{part}</p>" for part in self.content.parts)
        return f'<html><head><meta charset="utf-8"><title>{title}</title></head><body>{parts}</body></html>'.encode()


class Sites:
    """`before` and `after` are the pages of the first crawl, before and after the renewal; `again` those of the later
    one; `fetches` says of each URL of the first what has changed later."""

    def __init__(self, material, seed):
        self.material, self.prose, self.language, self.seed = material, material.prose, material.language, seed
        self.rng = random.Random(f"{seed} sites {self.language}")
        self.free_paragraphs = iter([text for piece in material.texts for text in piece.paragraphs])
        self.before, self.after, self.again, self.fetches = [], [], [], {}
        blog, renewed = (Frame(number, material, seed) for number in (0, 3))
        renewed.renew(blog)
        other_blog, catalogue = (Frame(number, material, seed, quiet=True) for number in (1, 2))
        posts = self.add_blog(POSTS[0], blog, renewed)
        self.add_blog(POSTS[1], other_blog, other_blog)
        self.add_catalogue(catalogue)
        for post in posts[REPUBLISHED]:
            self.add_reprint(self.after, post, other_blog, REPRINT)
        edits = {post.document: self.edited(post) for post in posts[EDITED]}
        for page in self.before + self.after:
            self.fetch_again(page, edits, {blog: renewed})
        for post in edits.values():
            self.add_reprint(self.again, post, other_blog, COPY_OF_EDIT)
        for pages in (self.before, self.after, self.again):
            self.rng.shuffle(pages)

    def add(self, pages, path, content, frame, copy="", bare=False):
        pages.append(Page(f"http://{frame.host}{path}", content, None if bare else frame, copy))

    def add_blog(self, count, before, after):
        """Returns the posts. Those of the first half are older than the renewal."""
        names, half = contents.Names(self.rng, self.prose), count // 2
        posts = [
            contents.post_of(self.rng, self.prose, names, self.free_paragraphs, f"{before.name} post {number}", number)
            for number in range(count)
        ]
        headlines = [(post.title, post.teaser) for post in posts]
        before.published, after.published = headlines[:half], headlines
        for number, post in enumerate(posts):
            pages, frame = (self.before, before) if number < half else (self.after, after)
            day, word = post.date.replace("-", "/"), urllib.parse.quote(post.title.split()[0])
            self.add(pages, f"/{day}/{number}-{word}.html", post.content(), frame)
            if number % 2:
                self.add(pages, f"/?p={number}", post.content(), frame, OTHER_PATH)
            else:
                self.add(pages, f"/print/{number}", post.content(), frame, PRINT, bare=True)
            if number < half and before is not after:
                self.add(self.after, f"/index.php?p={number}", post.content(), after, ACROSS)
        self.add_lists(posts, names, after)
        self.add_notices(after)
        return posts

    def add_lists(self, posts, names, frame):
        newest = posts[::-1]
        for n, of_page in enumerate(in_pages(newest, LIST_LENGTH)):
            self.add_list(f"page/{n + 1}", frame.name, of_page, names, frame)
        for n, tag in enumerate(names.tags):
            self.add_list(f"tag/{n}", tag, [post for post in newest if post.tag == tag], names, frame)
        for n, author in enumerate(names.authors):
            self.add_list(f"author/{n}", author, [post for post in newest if post.author == author], names, frame)
        for month in contents.MONTHS:
            of_month = [post for post in newest if post.date.startswith(month)]
            self.add_list(f"date/{month}", month, of_month, names, frame, only_titles=True)
        for n, of_page in enumerate(in_pages(posts, WHOLE_LENGTH)):
            self.add(self.after, f"/all/{n}", contents.whole_posts(f"{frame.name} all {n}", frame.name, of_page), frame)

    def add_list(self, path, title, posts, names, frame, only_titles=False):
        """And once more with the entries in another order."""
        if len(posts) < 2:
            return
        document = f"{frame.name} {path}"
        for query, copy in (("", ""), ("?sort=1", REORDERED)):
            content = contents.listing(document, title, posts, names.more, only_titles)
            self.add(self.after, f"/{path}/{query}", content, frame, copy)
            posts = posts[1::2] + posts[::2]

    def add_notices(self, frame):
        texts = {"consent": frame.notice}
        texts |= {name: self.prose.paragraph(self.rng, 1, 2) for name in ("login", "error")}
        for name, text in texts.items():
            content = contents.notice(f"{frame.name} {name}", self.prose.label(self.rng), text)
            for number, copy in enumerate(("", NOTICE_AGAIN)):
                self.add(self.after, f"/{name}?from={number}", content, frame, copy, bare=name == "consent")

    def add_catalogue(self, frame):
        for kind, sentences in ((contents.PROFILE, 3), (contents.PRODUCT, 1)):
            template, names = contents.Records(self.rng, self.prose, kind, sentences), contents.Names(
                self.rng, self.prose
            )
            records = [template.content(self.rng, f"{frame.name} {kind} {number}") for number in range(RECORDS)]
            for number, record in enumerate(records):
                self.add(self.after, f"/{kind}/{number}", record, frame)
            entries = [contents.entry_of(self.rng, record) for record in records]
            for n, of_page in enumerate(in_pages(entries, LIST_LENGTH)):
                self.add_list(f"{kind}s/{n + 1}", names.tags[0], of_page, names, frame, only_titles=True)
        self.add_notices(frame)

    def add_reprint(self, pages, post, frame, copy):
        byline = f"{post.date} {frame.name}, {post.author}"
        number = post.document.split()[-1]
        self.add(pages, f"/{copy.replace(' ', '-')}/{number}", post.content(byline), frame, copy)

    def edited(self, post):
        paragraphs = post.paragraphs
        while paragraphs == post.paragraphs:  # some edits find nothing to do in a short post
            edit = self.rng.choice(EDITS)
            paragraphs = tuple(edit(self.rng, self.material, list(post.paragraphs)))
        return dataclasses.replace(post, paragraphs=paragraphs)

    def fetch_again(self, page, edits, renewals):
        """An edit is seen under all paths of the site, but not on another one."""
        frame, post = renewals.get(page.frame, page.frame), edits.get(page.content.document)
        content = post.content() if post and page.copy != REPRINT else page.content
        later = dataclasses.replace(page, content=content, frame=frame)
        if content is not page.content:
            change = EDIT
        elif frame is not page.frame:
            change = RENEWED
        elif frame and self.rng.random() < 0.3:
            change, later = SIDEBAR, dataclasses.replace(later, fetch=2)
        else:
            change = UNCHANGED
        self.again.append(later)
        self.fetches[page.url] = change
