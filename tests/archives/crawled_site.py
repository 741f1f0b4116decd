"""A small web site on the loopback interface, for archiving tools to crawl: what a real one has beside HTML pages."""
import contextlib
import gzip
import http.server
import random
import threading
import zlib


def article(seed, sentences=30):
    """Text of invented words, which no other seed shares."""
    rng = random.Random(seed)
    words = [
        "".join(rng.choices(["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu"], k=rng.randint(2, 4)))
        for _ in range(400)
    ]
    return " ".join(" ".join(rng.choices(words, k=12)).capitalize() + "." for _ in range(sentences))


def html(title, body, head=""):
    return (
        "<!doctype html><html><head><meta charset=utf-8><title>%s</title>%s</head><body><h1>%s</h1>%s</body></html>"
        % (title, head, title, body)
    ).encode()


def paragraph(text):
    return "<p>%s</p>" % text


class Answer:
    def __init__(self, body, kind="text/html; charset=utf-8", status=200, coding=None, is_chunked=False, fields=()):
        self.body, self.kind, self.status, self.coding, self.is_chunked, self.fields = (
            body,
            kind,
            status,
            coding,
            is_chunked,
            fields,
        )


XHTML = (
    '<?xml version="1.0" encoding="utf-8"?><html '
    'xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body>'
    "<p>%s</p></body></html>" % article(5)
).encode()
FEED = (
    b'<?xml version="1.0"?><rss '
    b'version="2.0"><channel><title>News</title><link>http://a/</link><description>d</description></channel></rss>'
)
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c626001000000050001a5f645400000000049454e44ae426082"
)

# Path to answer. The first page links all others.
ANSWERS = {
    "/story.html": Answer(html("Story", paragraph(article(1)))),
    "/copy.html": Answer(html("Story", paragraph(article(1) + " One more sentence stands here."))),
    "/other.html": Answer(html("Other", paragraph(article(2)))),
    "/zipped.html": Answer(html("Zipped", paragraph(article(3))), coding="gzip"),
    "/deflated.html": Answer(html("Deflated", paragraph(article(6))), coding="deflate"),
    "/chunked.html": Answer(html("Chunked", paragraph(article(4))), is_chunked=True),
    "/page.xhtml": Answer(XHTML, "application/xhtml+xml"),
    "/notes.txt": Answer(article(7).encode(), "text/plain"),
    "/undeclared": Answer(html("Undeclared", paragraph(article(8))), kind=None),
    "/octets": Answer(html("Octets", paragraph(article(9))), kind="application/octet-stream"),
    "/empty.html": Answer(b""),
    "/really-json": Answer(b'{"a": 1}', "text/html"),
    "/moved": Answer(b"", status=301, fields=(("Location", "/story.html"),)),
    "/missing.html": Answer(html("Not here", "no such page"), status=404),
    "/style.css": Answer(b"body { color: black }", "text/css"),
    "/script.js": Answer(b"let a = 1;", "text/javascript"),
    "/data.json": Answer(b'{"a": 1}', "application/json"),
    "/feed.xml": Answer(FEED, "application/rss+xml"),
    "/pixel.png": Answer(PIXEL, "image/png"),
}
LINKED = "".join(
    '<p><a href="%s">%s</a></p>' % (path, path)
    for path in ANSWERS
    if path not in ("/style.css", "/script.js", "/pixel.png")
)
ANSWERS["/"] = Answer(
    html(
        "Start",
        LINKED + '<img src="/pixel.png"><script src="/script.js"></script>',
        '<link rel=stylesheet href="/style.css">',
    )
)
# Those that ndc takes for pages, whatever tool archived them: 2xx, and HTML, XHTML or text by declaration or looks. An
# empty body is one.
PAGES = (
    "/",
    "/story.html",
    "/copy.html",
    "/other.html",
    "/zipped.html",
    "/deflated.html",
    "/chunked.html",
    "/page.xhtml",
    "/notes.txt",
    "/undeclared",
    "/octets",
    "/empty.html",
)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        answer = ANSWERS.get(self.path) or Answer(b"no such page", "text/plain", 404)
        body = answer.body
        if answer.coding == "gzip":
            body = gzip.compress(body, mtime=0)
        elif answer.coding == "deflate":
            body = zlib.compress(body)
        self.send_response(answer.status)
        fields = list(answer.fields)
        if answer.kind:
            fields.append(("Content-Type", answer.kind))
        if answer.coding:
            fields.append(("Content-Encoding", answer.coding))
        fields.append(("Transfer-Encoding", "chunked") if answer.is_chunked else ("Content-Length", str(len(body))))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        if not answer.is_chunked:
            self.wfile.write(body)
            return
        for at in range(0, len(body), 700):
            piece = body[at : at + 700]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served():
    """The site's address, http://127.0.0.1:PORT."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield "http://127.0.0.1:%d" % server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
