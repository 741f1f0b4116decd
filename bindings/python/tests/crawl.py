"""crawl.py ADDRESS SETTINGS: crawls the site of crawled_site.py, once for each of a JSON list of settings, all at once.

Items and stats go to OUTPUT of the settings, as lines of JSON. KILL_AFTER ends the process by SIGKILL at
that many pages.
"""

import json
import os
import signal
import sys

import scrapy
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.utils.reactor import install_reactor


class SiteSpider(scrapy.Spider):
    name = "site"

    async def start(self):
        yield scrapy.Request(self.settings["ADDRESS"] + "/")

    def parse(self, response, **arguments):
        self.seen = getattr(self, "seen", 0) + 1
        if self.seen == self.settings.getint("KILL_AFTER"):
            os.kill(os.getpid(), signal.SIGKILL)
        result = response.meta.get("ndc")
        yield {
            "path": response.url.removeprefix(self.settings["ADDRESS"]),
            "flags": response.flags,
            "verdict": result and result.verdict.value,
            "text": " ".join(response.css("p ::text").getall()),
        }
        yield from response.follow_all(css="a", callback=self.parse)


class CopiesLast:
    """The page with the copies follows when all else was crawled, so that a crawl's answers do not depend
    on its order."""

    def __init__(self, crawler):
        self.crawler = crawler
        self.done = False
        crawler.signals.connect(self.idle, signal=scrapy.signals.spider_idle)
        crawler.signals.connect(self.stopped, signal=scrapy.signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def idle(self, spider):
        if not self.done:
            self.done = True
            self.crawler.engine.crawl(scrapy.Request(spider.settings["ADDRESS"] + "/copies", callback=spider.parse))
            raise scrapy.exceptions.DontCloseSpider

    def stopped(self):
        values = {
            key: value for key, value in self.crawler.stats.get_stats().items() if isinstance(value, (int, float, str))
        }
        with open(self.crawler.settings["OUTPUT"], "a") as file:
            file.write(json.dumps({"stats": values}) + "\n")


class WriteItems:
    def process_item(self, item):
        with open(self.output, "a") as file:
            file.write(json.dumps({**item, "text": None}) + "\n")
        return item

    @classmethod
    def from_crawler(cls, crawler):
        out = cls()
        out.output = crawler.settings["OUTPUT"]
        return out


if __name__ == "__main__":
    address, crawls = sys.argv[1:]
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    process = CrawlerProcess({"LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False})
    for settings in json.loads(crawls):
        with_defaults = {
            "ADDRESS": address,
            "EXTENSIONS": {CopiesLast: 1},
            "ITEM_PIPELINES": {WriteItems: 900},
            "SPIDER_MIDDLEWARES": {"ndc_dedup.scrapy.NearDuplicatesMiddleware": 60},
            "TELNETCONSOLE_ENABLED": False,
            "DOWNLOAD_DELAY": 0,
            "LOG_LEVEL": "WARNING",
            **settings,
        }
        process.crawl(Crawler(SiteSpider, with_defaults))
    process.start()
