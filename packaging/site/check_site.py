#!/usr/bin/env python3
"""check_site.py FOLDER: each link of each page of a site leads to a file in it, and each fragment to a place there;
nothing is loaded from elsewhere. What doxygen and javadoc have made is looked at for its files alone: they make their
own fragments.
"""
import html.parser
import pathlib
import sys
import urllib.parse

MADE_BY_OTHERS = ("reference/c/", "reference/java/")
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src")}


class Page(html.parser.HTMLParser):
    """Its links, (what, where) of what it loads, and the places that a fragment may name."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.places = [], [], {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.places.update(value for key, value in attributes if key in ("id", "name") and value)
        for key in ("href", "src"):
            if found.get(key) is None or found.get("rel") == "canonical":
                continue
            (self.loaded if (tag, key) in LOADED else self.links).append(found[key])


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8", errors="replace")) for path in root.rglob("*.html")}
    faults, count = [], 0
    for path, page in pages.items():
        name = path.relative_to(root).as_posix()
        if name == "404.html":  # its links are absolute: it is for servers
            continue
        for target in page.links + page.loaded:
            address = urllib.parse.urlsplit(target)
            if address.scheme or address.netloc:
                if target in page.loaded and address.scheme != "javascript":
                    faults.append(f"{name} loads {target}")
                continue
            count += 1
            other = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
            fragment = urllib.parse.unquote(address.fragment)
            if not other.is_file():
                faults.append(f"{name}: no file {target}")
            elif other in pages and fragment not in pages[other].places and not name.startswith(MADE_BY_OTHERS):
                faults.append(f"{name}: nothing has the name of {target}")
    for fault in faults:
        print(f"check_site: {fault}", file=sys.stderr)
    print(f"{len(pages)} pages, {count} links")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
