#!/usr/bin/env python3
"""reframe.py OUT: makes a labelled corpus from the freely licensed pages of data/sample, for the quality gate.

Articles of the sample, or parts of long ones, are put into the page templates of invented sites, each in several
copies with edits, among pages that look alike but are not copies. Writes OUT/en and OUT/zh, each with pages.warc.gz
(one gzip member per record), labels.tsv and details.tsv. The same sample and seed give the same bytes. Do not commit
the output.

Kinds: source (the sample's own page), dup-* (copies, by edit); and pages that are groups of their own: same-topic
(another part of a long article), quote (one paragraph of an article in other text), teaser (its first sentences),
index (headlines and first sentences of many), form (the same text around other entries, on one site or two of one
network), short, empty.
"""
import argparse
import dataclasses
import gzip
import html
import pathlib
import random
import re
import uuid

import frames
import invented_prose
import sample_articles
import text_edits

SEED = 1
CRAWLED = "2024-05-06T07:08:09Z"
LANGUAGES = ("en", "zh")
PART_WIDTH = 5000  # an article longer than this is divided into parts, which are articles of their own
LEAST_WIDTH = 600  # shorter ones are left out
LEAST_RESEMBLANCE = 0.35  # a copy that fell below both is drawn again
LEAST_CONTAINMENT = 0.7
SITES = {"en": (18, 8), "zh": (9, 4)}  # large and small ones
NETWORKS = 3
SEVERAL = [name for name in text_edits.EDITS if name not in ("none", "markup")]  # edits that come together
FORMS = {"en": 9, "zh": 4}  # sites whose pages share one form
CHARSETS = {
    "en": (("utf-8", "utf-8"), ("utf-8", "utf-8"), ("utf-8", None), ("cp1252", "windows-1252")),
    "zh": (("utf-8", "utf-8"), ("utf-8", None), ("gbk", "gbk"), ("gb18030", "gb2312"), ("gbk", None)),
}


@dataclasses.dataclass
class Page:
    url: str
    group: str
    kind: str
    site: str
    edits: str
    charset: str
    body: bytes


@dataclasses.dataclass
class Subject:
    """What one group is about."""

    name: str
    article: sample_articles.Article
    paragraphs: list
    is_part: bool  # of a longer article; the first part is none


def subjects_of(article):
    total = sample_articles.width("".join(article.paragraphs))
    if total < LEAST_WIDTH:
        return []
    count = max(1, round(total / PART_WIDTH))
    parts, room = [[]], total / count
    for paragraph in article.paragraphs:
        if len(parts) < count and sample_articles.width("".join(parts[-1])) >= room:
            parts.append([])
        parts[-1].append(paragraph)
    return [
        Subject(
            f"{article.name}-{n}" if count > 1 else article.name,
            article,
            [text_edits.Paragraph.original(text) for text in part],
            n > 0,
        )
        for n, part in enumerate(parts)
        if len(part) > 2
    ]


def marked_up(rng, text, rich):
    """The text as HTML; rich: with tags inside, which must not matter."""
    if not rich:
        return html.escape(text)
    parts = re.split(r"(\s+)", text) if " " in text else re.findall(r".{1,12}", text)
    for i, part in enumerate(parts):
        parts[i] = html.escape(part)
        if part.strip() and rng.random() < 0.12:
            tag = rng.choice(("b", "em", "span", "a"))
            parts[i] = f"<{tag}>{parts[i]}</{tag}>"
    return "".join(parts)


class Corpus:
    def __init__(self, language, articles, seed):
        self.language = language
        self.rng = random.Random(f"{seed} corpus {language}")
        self.articles = [article for article in articles if article.language == language]
        texts = [text for article in articles for text in article.paragraphs]
        self.prose = invented_prose.InventedProse(language, texts)
        self.subjects = [subject for article in self.articles for subject in subjects_of(article)]
        self.sites = self.make_sites(seed)
        self.pages = []

    def make_sites(self, seed):
        large, small = SITES[self.language]
        networks = [frames.Network(self.rng, self.prose) for _ in range(NETWORKS)]
        sites = []
        for number in range(large + small):
            network = networks[number % NETWORKS] if number < 2 * NETWORKS else None
            sites.append(frames.Site(number, self.language, self.prose, self.articles, seed, network))
        # The small ones get a page or two each.
        self.site_weights = [self.rng.uniform(0.6, 1.6) for _ in range(large)] + [0.08] * small
        return sites

    def some_site(self):
        return self.rng.choices(self.sites, self.site_weights)[0]

    def add_page(self, group, kind, title, paragraphs, edits="", rich=False, site=None):
        site = site or self.some_site()
        codec, declared = self.rng.choice(CHARSETS[self.language])
        body = [marked_up(self.rng, text, rich) for text in paragraphs]
        page = site.page(self.rng, title, body, declared).encode(codec, "xmlcharrefreplace")
        url = f"http://{site.host}/{self.rng.choice(('a', 'news', '2024/05'))}/{len(self.pages) + 1}.html"
        self.pages.append(
            Page(url, group, kind, site.name, edits, codec if declared else codec + ", not declared", page)
        )

    def edited(self, subject):
        """(kind, edits, paragraphs) of a copy that a person would call one."""
        while True:
            names = [self.rng.choice(list(text_edits.EDITS))]
            if self.rng.random() < 0.3:
                names = self.rng.sample(SEVERAL, self.rng.randint(2, 3))
            paragraphs = subject.paragraphs
            for name in names:
                paragraphs = text_edits.EDITS[name](self.rng, paragraphs, self.prose)
            r, c = text_edits.resemblance(subject.paragraphs, paragraphs)
            if r >= LEAST_RESEMBLANCE or c >= LEAST_CONTAINMENT:
                return "dup-" + (names[0] if len(names) == 1 else "multi"), "+".join(names), paragraphs

    def add_copies(self, subject, count):
        site = None
        for number in range(count):
            kind, edits, paragraphs = self.edited(subject)
            if number == 0 and subject.is_part and count == 1:
                kind, edits, paragraphs = "same-topic", "", subject.paragraphs
            if site is None or self.rng.random() >= 0.12:  # sometimes the same site twice
                site = self.some_site()
            self.add_page(
                "A-" + subject.name,
                kind,
                subject.article.title,
                [p.text for p in paragraphs],
                edits,
                kind == "dup-markup" or self.rng.random() < 0.2,
                site,
            )

    def add_source(self, article):
        """The sample's own page, if all of it is one subject."""
        own = [subject for subject in self.subjects if subject.article is article]
        if len(own) == 1:
            host = article.url.split("/")[2]
            self.pages.append(Page(article.url, "A-" + own[0].name, "source", host, "", "utf-8", article.body))

    def add_look_alikes(self):
        rng, prose = self.rng, self.prose
        for number, subject in enumerate(self.subjects):
            if rng.random() < 0.5:
                quoted = rng.choice([p.text for p in subject.paragraphs])
                around = [prose.paragraph(rng, 3, 6) for _ in range(rng.randint(5, 9))]
                around.insert(rng.randrange(len(around)), quoted)
                self.add_page(f"Q-{number}", "quote", prose.phrase(rng, 4, 9), around)
            if rng.random() < 0.6:
                first = subject.paragraphs[0].text
                self.add_page(f"Z-{number}", "teaser", subject.article.title, [first[: rng.randint(100, 280)]])
        for number in range(len(self.subjects) // 4):
            chosen = rng.sample(self.subjects, rng.randint(6, min(14, len(self.subjects))))
            entries = [f"{s.article.title}: {s.paragraphs[0].text[:rng.randint(60, 150)]}" for s in chosen]
            self.add_page(f"I-{number}", "index", prose.phrase(rng, 2, 4), entries)
        for number in range(len(self.subjects) // 4):
            self.add_page(f"S-{number}", "short", prose.phrase(rng, 2, 4), [prose.sentence(rng)])
        for number in range(3):
            url = f"http://{self.rng.choice(self.sites).host}/empty/{number}.html"
            self.pages.append(
                Page(
                    url,
                    f"E-{number}",
                    "empty",
                    url.split("/")[2].removeprefix("www.").removeprefix("news."),
                    "",
                    "utf-8",
                    b"<html><head><title></title></head><body> </body></html>",
                )
            )

    def add_forms(self):
        """Pages that a site fills into one text: alike, and about different things."""
        rng, prose = self.rng, self.prose
        for number in range(FORMS[self.language]):
            fixed = [prose.paragraph(rng, 2, 4) for _ in range(rng.randint(3, 5))]
            sites = [self.sites[number]]
            if number < NETWORKS:
                sites.append(self.sites[number + NETWORKS])
            for entry in range(rng.randint(3, 6)):
                own = [prose.paragraph(rng, 3, 5) for _ in range(rng.randint(2, 4))]
                place = rng.randrange(len(fixed) + 1)
                self.add_page(
                    f"F-{number}-{entry}",
                    "form",
                    prose.phrase(rng, 2, 5),
                    fixed[:place] + own + fixed[place:],
                    site=rng.choice(sites),
                )

    def make(self):
        for subject in self.subjects:
            most = 3 if subject.is_part else 11
            self.add_copies(subject, self.rng.randint(1, most))
        for article in self.articles:
            self.add_source(article)
        self.add_look_alikes()
        self.add_forms()
        self.rng.shuffle(self.pages)
        return self


def warc_record(page, date=CRAWLED):
    record_id = uuid.uuid5(uuid.NAMESPACE_URL, page.url + date)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    record = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{record_id}>\r\n"
        f"WARC-Date: {date}\r\nWARC-Target-URI: {page.url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(head) + len(page.body)}\r\n\r\n"
    )
    return gzip.compress(record.encode("utf-8") + head + page.body + b"\r\n\r\n", compresslevel=1, mtime=0)


def write_corpus(folder, corpus):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pages.warc.gz").write_bytes(b"".join(warc_record(page) for page in corpus.pages))
    labels = [f"{page.url}\t{page.group}\t{corpus.language}\t{page.kind}\t{page.site}\n" for page in corpus.pages]
    (folder / "labels.tsv").write_text("url\tgroup\tlang\tkind\tsite\n" + "".join(labels), encoding="utf-8")
    details = [
        f"{page.url}\t{page.group}\t{page.kind}\t{page.edits}\t{page.charset}\t{len(page.body)}\n"
        for page in corpus.pages
    ]
    (folder / "details.tsv").write_text(
        "url\tgroup\tkind\tedits\tcharset\tbytes\n" + "".join(details), encoding="utf-8"
    )


def generate(out, seed=SEED):
    """Returns {language: Corpus}, and writes them."""
    articles = sample_articles.read_articles()
    corpora = {language: Corpus(language, articles, seed).make() for language in LANGUAGES}
    for language, corpus in corpora.items():
        write_corpus(pathlib.Path(out) / language, corpus)
    return corpora


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    for language, corpus in generate(arguments.out, arguments.seed).items():
        groups = {page.group for page in corpus.pages}
        print(
            f"{language}: {len(corpus.pages)} pages, {len(groups)} groups, {len({page.site for page in corpus.pages})} "
            "sites"
        )


if __name__ == "__main__":
    main()
