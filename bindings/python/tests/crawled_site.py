"""A site on the loopback whose copies are known: articles, changed copies of some of them, one long article
with a copy."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from texts import text

ARTICLES = 12
COPIES = 5  # of the first articles
FRAME = "<html><head><title>{title}</title></head><body><nav><a href=/>Home</a></nav>{body}</body></html>"


def article(seed, note="", links="", words=150):
    return FRAME.format(
        title=f"Article {seed}", body=f"<h1>Article {seed}</h1><p>{text(seed, words)} {note}</p>{links}"
    )


def _links(title, paths):
    return FRAME.format(title=title, body="".join(f'<p><a href="{path}">{path}</a>' for path in paths))


def site():
    """Path to HTML. Copies link to pages that nothing else links to."""
    pages = {f"/article/{seed}": article(seed) for seed in range(ARTICLES)}
    for seed in range(COPIES):
        pages[f"/copy/{seed}"] = article(seed, "Read more on Monday.", f"<a href=/behind/{seed}>more</a>")
        pages[f"/behind/{seed}"] = article(100 + seed)
    pages["/long"] = article(200, words=60_000)
    pages["/long/copy"] = article(200, "Read more on Monday.", "<a href=/behind/long>more</a>", words=60_000)
    pages["/behind/long"] = article(201)
    # crawl.py asks for the copies when it has all else, so that each comes behind its article.
    pages["/"] = _links("Home", [*(f"/article/{seed}" for seed in range(ARTICLES)), "/long"])
    pages["/copies"] = _links("Copies", [*(f"/copy/{seed}" for seed in range(COPIES)), "/long/copy"])
    return pages


class Server:
    """Serves ``pages``, which are HTML, and sends who asks for one of ``redirects`` elsewhere."""

    def __init__(self, pages=None, redirects=()):
        pages = {path: body.encode() for path, body in (pages or site()).items()}
        redirects = dict(redirects)
        served = self.served = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                served.append(self.path)
                body = pages.get(self.path, b"<p>not here")
                self.send_response(302 if self.path in redirects else 200 if self.path in pages else 404)
                if self.path in redirects:
                    self.send_header("Location", redirects[self.path])
                kind = "image/png" if body.startswith(b"PNG") else "text/html; charset=utf-8"
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
