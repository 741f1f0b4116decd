"""As many pages as one asks for, made of the pages of an archive.

The pages come in generations. The first is the archive itself. Each further one has all its pages again, at hosts of
its own, in other words: the words of a language that are about as frequent are exchanged, the same way on all pages
of a generation, and the most frequent ones stay. So no page is like one of another generation, and those of one
generation are as much alike as the archive's: groups, sites and boilerplate keep their proportions whatever the
number of pages is. On top of that each copy is edited: sentences are changed, inserted, dropped and moved, at a rate
drawn for the page.

The same archive, seed and number give the same bytes.
"""
import collections
import dataclasses
import gzip
import hashlib
import random
import re
import uuid
import zlib

MARKUP = re.compile(r"(<script\b.*?</script\s*>|<style\b.*?</style\s*>|<!--.*?-->|<[^>]*>)", re.IGNORECASE | re.DOTALL)
# Character references stay; so do single letters and digits.
WORD = re.compile(r"&[#\w]{1,12};|[A-Za-z]{2,}|[0-9]{2,}|[\u4e00-\u9fff]")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
LEAST_TEXT = 80  # characters between two tags, from which on sentences are edited
RATES = (0, 0, 0.02, 0.05, 0.1, 0.2, 0.3)  # of the sentences of a page
KEPT_WORDS = 60  # the most frequent ones: what makes English of it
SWAPPED_RANKS = 64  # words whose ranks by frequency lie so close are exchanged
POOL = 200  # sentences of earlier pages, for insertions
DATE = "2024-10-07T00:00:00Z"


@dataclasses.dataclass
class SourcePage:
    host: str
    path: str
    content_type: str
    text: str
    encoding: str


def record_heads_and_blocks(archive):
    """(fields by lower-case name, block) of each record of a gzipped WARC."""
    with gzip.open(archive, "rb") as records:
        while records.readline():  # the version
            fields = {}
            for line in iter(records.readline, b"\r\n"):
                if not line:
                    raise SystemExit(f"{archive} ends within a record")
                name, _, value = line.decode("utf-8").partition(":")
                fields[name.lower()] = value.strip()
            yield fields, records.read(int(fields["content-length"]))
            records.read(4)


def source_pages(archive):
    """Its responses. Pages of one path stand together: they are versions of each other, and a part of a generation
    should have all or none of them."""
    pages = []
    for fields, block in record_heads_and_blocks(archive):
        if fields["warc-type"] != "response":
            continue
        head, _, body = block.partition(b"\r\n\r\n")
        content_type = re.search(rb"(?im)^content-type:\s*(.*?)\s*$", head)
        try:
            text, encoding = body.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            text, encoding = body.decode("latin-1"), "latin-1"
        host, _, path = fields["warc-target-uri"].partition("://")[2].partition("/")
        pages.append(
            SourcePage(host, path, content_type[1].decode("latin-1") if content_type else "text/html", text, encoding)
        )
    if not pages:
        raise SystemExit(f"{archive} holds no page")
    return sorted(pages, key=lambda page: (zlib.crc32(page.path.encode()), page.path, page.host))


class Vocabulary:
    """The words and ideographs of all pages, the most frequent first."""

    def __init__(self, pages):
        counts = collections.Counter()
        for page in pages:
            for text in MARKUP.split(page.text)[::2]:
                counts.update(word.lower() for word in WORD.findall(text) if word[0].isalpha())
        ranked = sorted(counts, key=lambda word: (-counts[word], word))
        self.kinds = [[word for word in ranked if word.isascii()], [word for word in ranked if not word.isascii()]]


class Language(dict):
    """What each word of the archive is in a generation."""

    def __init__(self, vocabulary, seed):
        super().__init__()
        rng = random.Random(seed)
        self.lower_case = {}
        for ranked in vocabulary.kinds:
            for first in range(KEPT_WORDS, len(ranked), SWAPPED_RANKS):
                words = ranked[first : first + SWAPPED_RANKS]
                self.lower_case.update(zip(words, rng.sample(words, len(words)), strict=True))
        self.digits = str.maketrans("123456789", "".join(rng.sample("123456789", 9)))

    def __missing__(self, word):
        if word[0].isdigit():
            made = word.translate(self.digits)
        else:
            made = self.lower_case.get(word.lower(), word.lower()) if word[0] != "&" else word
            if word[0] != "&" and word.isupper():
                made = made.upper()
            elif word[0].isupper():
                made = made.capitalize()
        self[word] = made
        return made

    def of(self, text):
        return WORD.sub(lambda word: self[word[0]], text)


class Editor:
    """Edits sentences; keeps some, which it inserts into later pages."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.pool = []

    def edited(self, texts):
        """The texts between tags of one page."""
        rate = self.rng.choice(RATES)
        return [self.text(text, rate) if rate and len(text) >= LEAST_TEXT else text for text in texts]

    def text(self, text, rate):
        rng, out = self.rng, []
        for sentence in SENTENCE_END.split(text):
            if rng.random() >= rate or not sentence:
                out.append(sentence)
                continue
            edit = rng.randrange(4)
            if edit == 0:
                out.append(self.changed(sentence))
            elif edit == 1:
                out += [sentence, rng.choice(self.pool) if self.pool else sentence]
            elif edit == 2 and out:
                out.insert(len(out) - 1, sentence)
            # Else it is dropped.
            self.keep(sentence)
        return " ".join(out)

    def keep(self, sentence):
        if len(self.pool) < POOL:
            self.pool.append(sentence)
        else:
            self.pool[self.rng.randrange(POOL)] = sentence

    def changed(self, sentence):
        words = sentence.split(" ")
        other = self.rng.choice(self.pool).split(" ") if self.pool else words
        for _ in range(1 + len(words) // 8):
            words[self.rng.randrange(len(words))] = self.rng.choice(other)
        return " ".join(words)


def with_quotation(html, quotation):
    """The page with a paragraph behind its first one, or at its end."""
    end = html.lower().find("</p>")
    at = end + len("</p>") if end >= 0 else len(html)
    return html[:at] + f"<p>{quotation}</p>" + html[at:]


def warc_record(host, path, content_type, body):
    """One response, as a gzip member of its own."""
    url = f"http://{host}/{path}"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    record_id = uuid.UUID(bytes=hashlib.md5(url.encode(), usedforsecurity=False).digest())
    fields = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{record_id}>\r\nWARC-Date: {DATE}\r\n"
        f"WARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(head) + len(body)}\r\n\r\n"
    ).encode()
    member = zlib.compressobj(1, zlib.DEFLATED, 31)  # 31: gzip
    return member.compress(fields + head + body + b"\r\n\r\n") + member.flush()


def records(pages, vocabulary, seed, quotation=None):
    """Yields records without end, generation after generation."""
    generation = 0
    while True:
        language = Language(vocabulary, f"{seed} language {generation}")
        editor = Editor(f"{seed} edits {generation}")
        for page in pages:
            html = page.text
            if generation:
                pieces = MARKUP.split(html)
                pieces[::2] = editor.edited([language.of(text) for text in pieces[::2]])
                html = "".join(pieces)
            if quotation:
                html = with_quotation(html, quotation)
            host = f"g{generation}-{page.host}" if generation else page.host
            yield warc_record(
                host, page.path, page.content_type, html.encode(page.encoding, errors="xmlcharrefreplace")
            )
        generation += 1


class Archives:
    """Files of about one size, filled from the records."""

    def __init__(self, folder, all_records, file_bytes):
        self.folder, self.records, self.file_bytes = folder, all_records, file_bytes
        self.files, self.pages = [], 0

    def fill(self, pages):
        """The files that hold the first so many pages; call it with growing numbers."""
        file = None
        while self.pages < pages:
            if file is None:
                self.files.append(self.folder / f"pages-{len(self.files):04}.warc.gz")
                file = open(self.files[-1], "wb")
            file.write(next(self.records))
            self.pages += 1
            if file.tell() >= self.file_bytes or self.pages == pages:
                file.close()
                file = None
        return list(self.files)
