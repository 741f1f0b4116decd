"""Real crawls of a site whose copies are known."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

import ndc_dedup as ndc  # noqa: E402
from crawled_site import ARTICLES, COPIES, Server, site  # noqa: E402
from ndc_dedup.scrapy import DuplicatePage, NearDuplicatesMiddleware  # noqa: E402
from scrapy import Request  # noqa: E402
from scrapy.http import HtmlResponse  # noqa: E402
from scrapy.utils.test import get_crawler  # noqa: E402
from texts import text  # noqa: E402

PROGRAM = Path(__file__).with_name("crawl.py")
DUPLICATES = {f"/copy/{seed}" for seed in range(COPIES)} | {"/long/copy"}
BEHIND = {f"/behind/{seed}" for seed in range(COPIES)} | {"/behind/long"}


PIPELINES = {"ndc_dedup.scrapy.NearDuplicatesPipeline": 100, "crawl.WriteItems": 900}
TEXTS = {"SPIDER_MIDDLEWARES": {}, "ITEM_PIPELINES": PIPELINES}
CRAWLS = {
    "tag": {"ND_ACTION": "tag"},
    "drop": {"ND_ACTION": "drop"},
    "skip-links": {"ND_ACTION": "skip-links"},
    "all pages in threads": {"ND_ACTION": "drop", "ND_THREAD_BYTES": 1},
    "no page in a thread": {"ND_ACTION": "drop", "ND_THREAD_BYTES": 1 << 30},
    "no store": {"ND_STORE": "/proc/no/such"},
    "wrong action": {"ND_ACTION": "dorp"},
    "wrong option": {"ND_OPTIONS": {"relaxd": "true"}},
    "texts drop": {**TEXTS, "ND_ITEM_ACTION": "drop"},
    "texts tag": TEXTS,
}


@pytest.fixture(scope="module")
def server():
    with Server() as running:
        yield running


class Output:
    """What a crawl wrote."""

    def __init__(self, path):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        self.items = {line["path"]: line for line in lines if "path" in line}
        self.stats = next((line["stats"] for line in lines if "stats" in line), {})

    def duplicates(self):
        return {path for path, item in self.items.items() if item["verdict"] in ("near", "exact")}


def run(server, directory, crawls, expected=0):
    """The outputs of crawls, by their names, and the log."""
    paths = {name: directory / f"{number}.jsonl" for number, name in enumerate(crawls)}
    for path in paths.values():
        path.unlink(missing_ok=True)
        path.touch()
    settings = [{"OUTPUT": str(paths[name]), **crawls[name]} for name in crawls]
    done = subprocess.run(
        [sys.executable, str(PROGRAM), server.address, json.dumps(settings)],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == expected, done.stderr
    return {name: Output(path) for name, path in paths.items()}, done.stderr


@pytest.fixture(scope="module")
def all_crawls(server, tmp_path_factory):
    return run(server, tmp_path_factory.mktemp("crawls"), CRAWLS)


@pytest.fixture
def crawl(request, all_crawls):
    return all_crawls[0][request.param]


def of(name):
    return pytest.mark.parametrize("crawl", [name], indirect=True)


def test_the_log_has_what_is_wrong_and_nothing_else(all_crawls):
    for sentence in (
        "near-duplicates are not looked for: ",
        "'dorp' is none of tag, drop, skip-links",
        'the nearest is "x_relaxed"',
    ):
        assert sentence in all_crawls[1]
    assert all_crawls[1].count("ndc") < 20 and "Traceback" not in all_crawls[1]


@of("tag")
def test_tag(crawl):
    assert crawl.items.keys() == site().keys()
    assert crawl.duplicates() == DUPLICATES
    for path, item in crawl.items.items():
        assert item["flags"] == ["ndc-" + item["verdict"]], path
    assert crawl.stats["ndc/duplicates"] == len(DUPLICATES) == crawl.stats["ndc/verdict/near"]
    assert crawl.stats["ndc/pages"] == len(site())
    assert "ndc/errors" not in crawl.stats and "spider_exceptions/count" not in crawl.stats


@pytest.mark.parametrize("crawl", ["drop", "all pages in threads", "no page in a thread"], indirect=True)
def test_drop(crawl):
    assert crawl.items.keys() == site().keys() - DUPLICATES - BEHIND
    assert crawl.stats["ndc/dropped"] == len(DUPLICATES)
    assert "spider_exceptions/count" not in crawl.stats


@of("skip-links")
def test_skip_links(crawl):
    assert crawl.items.keys() == site().keys() - BEHIND
    assert crawl.duplicates() == DUPLICATES
    assert crawl.stats["ndc/links_skipped"] >= len(DUPLICATES)


@pytest.mark.parametrize("crawl", ["no store", "wrong action", "wrong option"], indirect=True)
def test_what_is_wrong_does_not_stop_the_crawl(crawl):
    assert crawl.items.keys() == site().keys()
    assert all(item["flags"] == [] for item in crawl.items.values())


def middleware(**settings):
    crawler = get_crawler(settings_dict={"ND_ACTION": "drop", **settings})
    opened = NearDuplicatesMiddleware(crawler)
    opened.spider_opened()
    return crawler.stats, opened


def is_dropped(opened, number, words):
    url = f"http://site{number}.example/"
    response = HtmlResponse(url, body=f"<p>{words}".encode(), request=Request(url))
    try:
        opened.process_spider_input(response)
    except DuplicatePage:
        return True
    return False


def test_only_copies_are_dropped():
    base = text(1, 600)
    pages = [base, base + " " + text(2, 700), text(1, 300), base, base + " It is Monday.", base + " " + text(2, 700)]
    stats, opened = middleware()
    assert [is_dropped(opened, *page) for page in enumerate(pages)] == [False, False, False, True, True, True]
    assert stats.get_value("ndc/kept/part") == 2 and stats.get_value("ndc/dropped") == 3
    # Unchanged, they are compared with the page that founded their group.
    assert [is_dropped(opened, *page) for page in enumerate(pages)] == [False, False, False, True, True, False]
    opened.spider_closed()
    stats, opened = middleware(ND_LEAVE_OUT_PARTS=True)
    assert [is_dropped(opened, *page) for page in enumerate(pages)] == [False] + [True] * 5
    assert stats.get_value("ndc/kept/part") is None
    opened.spider_closed()


def test_a_page_whose_founder_is_gone_is_not_dropped():
    stats, opened = middleware()
    assert not is_dropped(opened, 0, text(1))
    assert is_dropped(opened, 1, text(1))
    opened.engine.remove("http://site0.example/")
    assert not is_dropped(opened, 2, text(1) + " It is Monday.")
    assert stats.get_value("ndc/kept/other") == 1
    opened.spider_closed()


@of("texts drop")
def test_the_pipeline_drops_copies_of_texts(crawl):
    assert not crawl.items.keys() & DUPLICATES
    assert {f"/article/{seed}" for seed in range(ARTICLES)} <= crawl.items.keys()
    assert crawl.stats["item_dropped_count"] == len(DUPLICATES)


@of("texts tag")
def test_the_pipeline_tags(crawl):
    near = {path for path, item in crawl.items.items() if item["ndc_verdict"] == "near"}
    assert near == DUPLICATES
    assert all(item["ndc_resemblance"] > 0.9 for path, item in crawl.items.items() if path in near)


def test_a_kill_and_a_second_run_find_what_one_run_finds(server, tmp_path):
    settings = {"ND_ACTION": "drop", "ND_STORE": str(tmp_path / "crawl.ndc"), "CONCURRENT_REQUESTS": 2}
    outputs, _ = run(server, tmp_path, {"killed": {**settings, "KILL_AFTER": 7}}, expected=-9)
    assert len(outputs["killed"].items) < 7 and not outputs["killed"].stats
    new = site().keys() - DUPLICATES - BEHIND
    for least_unchanged in (6, len(new) + len(DUPLICATES)):
        outputs, log = run(server, tmp_path, {"again": settings})
        again = outputs["again"]
        assert again.items.keys() == new and log == ""
        assert again.stats["ndc/verdict/unchanged"] >= least_unchanged
        assert again.stats["ndc/dropped"] == len(DUPLICATES)
    assert ndc.verify(tmp_path / "crawl.ndc") == []
    before = {path.name: path.read_bytes() for path in (tmp_path / "crawl.ndc").iterdir()}
    outputs, log = run(server, tmp_path, {"beside": {**settings, "ND_OPTIONS": {"overlay": True}}})
    assert outputs["beside"].items.keys() == new and log == ""
    assert outputs["beside"].stats["ndc/verdict/unchanged"] == len(new) + len(DUPLICATES)
    assert {path.name: path.read_bytes() for path in (tmp_path / "crawl.ndc").iterdir()} == before
