"""The spiders of the guide, as printed, on a site as sites are: links that are none, to elsewhere, and redirects; with
and without a store that somebody else has open."""

import json
import re
import subprocess
import sys

import ndc_dedup as ndc
import pytest
from crawled_site import Server, article
from places import SOURCE

pytest.importorskip("scrapy")

LINKS = [
    "/article",
    "/copy",
    "/redirect",
    "/redirect-elsewhere",
    "/redirect-for-ever",
    "/missing",
    "/picture",
    "article#part",
    "",
    "#",
    "http://[",
    "http://elsewhere.invalid/",
    "//elsewhere.invalid/",
    "mailto:somebody@a.example",
    "javascript:void(0)",
    "tel:+1",
    "data:text/html,<p>text",
    "http://127.0.0.1:99999/",
    "?\x00",
    "\u00e9 ü%",
]
PAGES = {
    "/": "<p>Home<a>no link</a>" + "".join(f'<p><a href="{link}">link</a>' for link in LINKS),
    "/article": article(1),
    "/copy": article(1, "Read more on Monday."),
    "/target": article(2),
    "/picture": "PNG\0\1",
}
REDIRECTS = {
    "/redirect": "/target",
    "/redirect-elsewhere": "http://elsewhere.invalid/",
    "/redirect-for-ever": "/redirect-for-ever?",
    "/redirect-for-ever?": "/redirect-for-ever",
}


def printed(name):
    guide = (SOURCE / "docs/guide-scrapy.md").read_text(encoding="utf-8")
    return re.search(rf"^```python\n(# {name}\n.*?)^```$", guide, re.MULTILINE | re.DOTALL)[1]


def crawl(directory, name, address):
    (directory / name).write_text(printed(name).replace("http://127.0.0.1:8000", address))
    command = [sys.executable, "-m", "scrapy", "runspider", name, "-O", "out.jsonl"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    items = [json.loads(line) for line in (directory / "out.jsonl").read_text().splitlines()]
    return {item["url"].removeprefix(address): item for item in items}, done.stderr


def test_the_spider_of_pages(tmp_path):
    with Server(PAGES, REDIRECTS) as server:
        with ndc.NearDuplicates(tmp_path / "crawl.ndc"):
            items, log = crawl(tmp_path, "spider.py", server.address)
        assert items.keys() == PAGES.keys() and {item["verdict"] for item in items.values()} == {None}
        assert "near-duplicates are not looked for" in log
        items, log = crawl(tmp_path, "spider.py", server.address)
        assert items.keys() == PAGES.keys() and "ndc/errors" not in log
        assert {items["/article"]["verdict"], items["/copy"]["verdict"]} == {"new", "near"}
        assert items["/picture"]["verdict"] == "no-text"
        items, _ = crawl(tmp_path, "spider.py", server.address)
        assert items["/article"]["verdict"] == "unchanged"


def test_the_spider_of_texts(tmp_path):
    with Server(PAGES, REDIRECTS) as server:
        items, _ = crawl(tmp_path, "items.py", server.address)
    assert len(items) == 3 and len(items.keys() & {"/article", "/copy"}) == 1 and {"/", "/target"} <= items.keys()
