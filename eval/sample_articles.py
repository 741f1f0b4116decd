"""The freely licensed pages of data/sample, or of another archive, as articles: paragraphs of plain text, and the
navigation around them."""
import dataclasses
import gzip
import html
import html.parser
import pathlib
import re

SAMPLE = pathlib.Path(__file__).resolve().parent.parent / "data" / "sample" / "documentation.warc.gz"

# Of each work one version: the two are near-duplicates of each other, and how near nobody has labelled.
HOSTS = {"postgresql-doc-17.example": "en", "debian-handbook-bookworm.example": "zh"}

LEAST_PARAGRAPH_WIDTH = 60


@dataclasses.dataclass
class Article:
    name: str
    language: str
    url: str
    body: bytes
    title: str
    paragraphs: list
    navigation: list  # HTML pieces: what stands above and below the article


def records(path):
    """Yields (head, block) of each record of a WARC."""
    with gzip.open(path, "rb") as stream:
        while line := stream.readline():
            if not line.startswith(b"WARC/"):
                continue
            fields = {}
            while line := stream.readline().strip():
                name, _, value = line.decode("utf-8").partition(":")
                fields[name.lower()] = value.strip()
            yield fields, stream.read(int(fields["content-length"]))


def width(text):
    """A wide character counts 2, as everywhere in ndc."""
    return sum(2 if character >= "\u2e80" else 1 for character in text)


class ParagraphReader(html.parser.HTMLParser):
    """The text of `p` elements and of `div` elements of class para, the innermost ones."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.title, self.paragraphs = "", []
        self.open, self.parts, self.in_title = [], None, False

    def handle_starttag(self, tag, attributes):
        if tag == "title":
            self.in_title = True
        if tag not in ("p", "div"):
            return
        self.finish()
        classes = (dict(attributes).get("class") or "").split()
        is_text = tag == "p" and "title" not in classes and dict(attributes).get("id") != "title" or "para" in classes
        self.open.append((tag, is_text))
        self.parts = [] if is_text else None

    def handle_endtag(self, tag):
        if tag == "title":
            self.in_title = False
        if tag in ("p", "div") and self.open:
            self.finish()
            self.open.pop()
            self.parts = [] if self.open and self.open[-1][1] else None

    def handle_data(self, data):
        if self.in_title:
            self.title += data
        elif self.parts is not None:
            self.parts.append(data)

    def finish(self):
        text = re.sub(r"\s+", " ", "".join(self.parts or [])).strip()
        if width(text) >= LEAST_PARAGRAPH_WIDTH:
            self.paragraphs.append(text)


def navigation_of(page):
    return re.findall(
        r'<div[^>]*class="nav(?:header|footer)">.*?</table>.*?</div>|<ul class="docnav.*?</ul>', page, re.S
    )


def read_articles(path=SAMPLE, hosts=HOSTS):
    """Those of the hosts, {host: language}, whose pages are UTF-8."""
    articles = []
    for fields, block in records(path):
        url = fields.get("warc-target-uri", "")
        language = hosts.get(url.partition("://")[2].partition("/")[0])
        if fields["warc-type"] != "response" or language is None:
            continue
        body = block.partition(b"\r\n\r\n")[2]
        page = body.decode("utf-8")
        reader = ParagraphReader()
        reader.feed(page)
        reader.close()
        title = re.sub(r"^[\d.\s]+", "", html.unescape(reader.title)).strip()
        name = url.rpartition("/")[2].removesuffix(".html")
        articles.append(Article(name, language, url, body, title, reader.paragraphs, navigation_of(page)))
    return sorted(articles, key=lambda article: article.url)
