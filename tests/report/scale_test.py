#!/usr/bin/env python3
"""scale_test.py PATH_OF_NDC GROUPS: the page of a report with so many invented groups, in a headless Chromium.

Says how long it took to open, to find all groups and to search; fails only far beyond what that takes on a machine that
is busy with other work. 77 if there is no browser.
"""
import json
import pathlib
import sys
import tempfile
import time

import browser
import report_test
import synthetic_report
from cli_test import Archive

SECONDS = (
    300  # of a machine with much else to do: issue 28 asks for 2 at 10,000 groups and 5 at 1,000,000 on a quiet one
)


def check(truth, what):
    if not truth:
        raise SystemExit("failed: " + what)


class Timed:
    def __init__(self, page):
        self.page = page

    def step(self, what, expression, until):
        """Does something, and says after how many seconds the page shows it."""
        begin = Begin(self.page)
        self.page.evaluate(expression)
        self.page.until(until, SECONDS)
        begin.tell(what)


class Begin:
    """When a step began. What the browser's processes worked meanwhile depends less on what else the machine does."""

    def __init__(self, page):
        self.page = page
        self.time, self.work = time.monotonic(), page.processor_seconds()

    def tell(self, what):
        print(
            "%-34s %6.2f s, %6.2f s of processors"
            % (what, time.monotonic() - self.time, self.page.processor_seconds() - self.work),
            flush=True,
        )


def main():
    report_test.NDC, groups = sys.argv[1], int(sys.argv[2])
    if browser.program() is None:
        print(browser.NONE)
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "in.warc").write_bytes(b"".join(Archive.records()))
        report_test.run("report", folder / "in.warc", "--parts", "-o", folder / "template")
        saved, resemblance = synthetic_report.write(folder / "template", folder / "report", groups)
        page = browser.Browser()
        try:
            walk(page, folder / "report", groups, saved, resemblance)
        finally:
            page.close()
    check(page.logged == [], str(page.logged))
    return 0


def walk(page, folder, groups, saved, resemblance):
    begin = Begin(page)
    page.open(folder / "index.html")
    page.until("document.documentElement.dataset.opened", SECONDS)
    begin.tell("%d groups: the overview" % groups)
    page.until("document.documentElement.dataset.indexed", SECONDS)
    begin.tell("all groups known")
    timed = Timed(page)
    ready = "document.documentElement.dataset.ready === %s"

    def go(what, address):
        timed.step(what, "location.hash = " + json.dumps(address), ready % json.dumps(address))
        return page.evaluate("[...document.querySelectorAll('tbody a.title')].map(a => Number(a.hash.split('/')[2]))")

    first = go("the list, most bytes first", "#/groups")
    check([saved[i] for i in first] == sorted(saved, reverse=True)[:50], "order by bytes")
    first = go("lowest resemblance first", "#/groups?sort=resemblance")
    check([resemblance[i] for i in first] == sorted(resemblance)[:50], "order by resemblance")
    go("the last page", "#/groups?at=%d" % (groups - 10))
    check(page.evaluate("document.querySelectorAll('tbody tr').length") == 10, "the last page")
    go("filters", "#/groups?site=host-77.&flag=9&from=0.5&to=0.7")
    wanted = sum(i % 500 in (76, 77) and i % 5 == 0 and 5000 <= resemblance[i] <= 7000 for i in range(groups))
    check(page.evaluate("document.querySelector('caption').textContent").startswith("%d " % wanted), "filters")
    text = "pages/%d/1" % (groups - 3)
    go("a search through all pages", "#/groups?q=" + text)
    check(page.evaluate("document.querySelectorAll('tbody a.title')[0].hash") == "#/group/%d" % (groups - 3), "search")
    go("a group", "#/group/%d" % (groups // 2))
    go("a comparison", "#/group/%d/%d" % (groups // 2, groups // 2 * 2 + 1))
    memory = page.evaluate("performance.memory.usedJSHeapSize")
    print("%-34s %6.0f MB" % ("the page's memory", memory / 1e6))


if __name__ == "__main__":
    sys.exit(main())
