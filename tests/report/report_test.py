#!/usr/bin/env python3
"""`ndc report`: what the command writes, and the page that it makes, in a headless Chromium.

usage: report_test.py PATH_OF_NDC [unittest arguments]
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))

import browser  # noqa: E402
from cli_test import Archive, article, html, response  # noqa: E402
from report_data import Sites, pages_of_groups, part, pieces_of  # noqa: E402

NDC = ""
SAMPLE = ROOT / "data" / "sample" / "documentation.warc.gz"
READY = "document.documentElement.dataset.ready === "


def run(*arguments, code=0, cwd=None):
    done = subprocess.run([NDC, *map(str, arguments)], capture_output=True, timeout=600, cwd=cwd)
    if done.returncode != code:
        raise AssertionError("ndc %s: %d: %s" % (arguments, done.returncode, done.stderr.decode()))
    return done.stderr.decode("utf-8", "replace")


class ReportTest(unittest.TestCase):
    """A folder, and a browser if the test asks for one."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, name, records):
        path = self.folder / name
        path.write_bytes(b"".join(records))
        return path

    def report(self, *arguments, name="report", code=0):
        out = self.folder / name
        self.said = run("report", *arguments, "-o", out, code=code)
        return out


class CommandTest(ReportTest):
    def test_the_data_say_what_dedup_says(self):
        out = self.report(SAMPLE, "--parts", "--keep", "longest")
        rows = self.folder / "rows.jsonl"
        run("dedup", SAMPLE, "--keep", "longest", "--format", "jsonl", "-o", rows)
        told = {row["url"]: row for row in map(json.loads, rows.read_text().splitlines())}
        meta, pages = part(out, "meta"), part(out, "pages-0")
        groups = {}
        for row in told.values():
            groups.setdefault(row["group_id"], []).append(row["url"])
        self.assertEqual(meta["pages"], len(told))
        self.assertEqual(meta["groups"], sum(len(urls) > 1 for urls in groups.values()))
        self.assertEqual(meta["singles"], sum(len(urls) == 1 for urls in groups.values()))
        self.assertEqual(meta["duplicates"], sum(row["kept"] != row["url"] for row in told.values()))
        urls = [line.split("\t")[0] for line in pages["names"].split("\n")]
        self.assertEqual(len(urls), len(pages["rows"]))
        # A group's pages follow each other, the one that is kept first; behind them are those of near misses.
        urls, pages["rows"] = urls[: meta["group_rows"]], pages["rows"][: meta["group_rows"]]
        for url, row in zip(urls, pages["rows"], strict=True):
            self.assertEqual((row[7] & 1) != 0, told[url]["kept"] == url, url)
        self.assertEqual(sorted(urls), sorted(url for each in groups.values() if len(each) > 1 for url in each))
        self.assertIn("73 groups of near-duplicates", self.said)

    def test_texts_and_differences_are_those_of_explain(self):
        base = article(1)
        changed = base[:20] + ["One more sentence stands here."] + base[21:]
        path = self.write(
            "in.warc", [response("http://one.example/a", html(base)), response("http://two.example/b", html(changed))]
        )
        out = self.report(path)
        text, difference = part(out, "texts-0")
        explained = json.loads(
            subprocess.run(
                [NDC, "explain", path, "http://one.example/a", "http://two.example/b", "--format", "json"],
                capture_output=True,
                check=True,
            ).stdout
        )
        pieces = [("both" if side == "ab" else side, piece) for side, piece, _ in pieces_of(text, difference)]
        merged = []
        for kind, piece in pieces:
            if merged and merged[-1][0] == kind == "b":
                merged[-1] = (kind, merged[-1][1] + piece)
            else:
                merged.append((kind, piece))
        self.assertEqual(merged, [(each["kind"], each["text"]) for each in explained["segments"]])
        row = part(out, "pages-0")["rows"][1]
        self.assertEqual(row[2], round(explained["resemblance"] * 10000))
        self.assertEqual(row[11]["d"][0], explained["decided_by"]["option"])

    def test_learned_boilerplate_is_marked_and_counted(self):
        """As the library tells it, whether the report is of a run or of a store; each page by its own site."""
        path = self.write("in.warc", Sites.records())
        store = self.folder / "pages.ndc"
        run("dedup", path, "--store", store, "-o", self.folder / "rows.tsv")
        of_run = self.report(path, name="of-run")
        of_store = self.report("--store", store, "--pages", path, name="of-store")
        without_texts = self.report("--store", store, name="without")
        told = {}
        for host in ("two", "three"):
            told[host] = json.loads(
                subprocess.run(
                    [NDC, "explain", store, "http://one.example/1", "http://%s.example/1" % host, "--format", "json"],
                    capture_output=True,
                    check=True,
                ).stdout
            )["boilerplate"]
        self.assertEqual(told["three"], {"a": told["two"]["a"], "b": []})
        self.assertGreater(len(told["two"]["b"]), 0)

        def count(ranges):
            return sum(end - begin for begin, end in ranges)

        for out in (of_run, of_store):
            text, *differences = part(out, "texts-0")
            self.assertEqual(len(differences), 2)
            grey = "".join(text["t"][begin:end] for begin, end in zip(text["g"][::2], text["g"][1::2]))
            self.assertIn("one's daily news", grey)
            self.assertIn("imprint of one", grey)
            self.assertNotIn(article(1)[0].lower(), grey)
            for difference, marked in zip(differences, ("two's weekly paper|contact of two", "")):
                grey = "".join(piece for side, piece, grey in pieces_of(text, difference) if grey and "b" in side)
                for words in filter(None, marked.split("|")):
                    self.assertIn(words, grey)
                self.assertEqual(marked == "", grey == "")
        for out in (of_run, of_store, without_texts):
            rows = part(out, "pages-0")["rows"]
            for row, host in zip(rows[1:3], ("two", "three")):
                self.assertEqual(row[11]["b"], [count(told[host]["a"]), count(told[host]["b"])])
        # Where nothing is learned, nothing is grey, whatever the weights of the blocks.
        alone = self.report(self.write("alone.warc", Sites.records()[:2]), name="alone")
        text, difference = part(alone, "texts-0")
        self.assertEqual(text["g"], [])
        self.assertFalse([piece for _, piece, grey in pieces_of(text, difference) if grey])
        self.assertNotIn("b", part(alone, "pages-0")["rows"][1][11])

    def test_a_store_has_no_texts_but_those_of_pages(self):
        path = self.write("in.warc", Archive.records())
        store = self.folder / "pages.ndc"
        run("dedup", path, "--store", store, "-o", self.folder / "rows.tsv")
        meta = part(self.report("--store", store), "meta")
        self.assertEqual((meta["pages"], meta["groups"], meta["sized"], meta["text_parts"]), (5, 1, 0, 0))
        run_meta = part(self.report(path, name="run"), "meta")
        with_pages = self.report("--store", store, "--pages", path, name="with")
        meta = part(with_pages, "meta")
        self.assertEqual({**meta, "store": None}, run_meta)
        self.assertEqual(part(with_pages, "pages-0"), part(self.folder / "run", "pages-0"))
        self.assertEqual(part(with_pages, "texts-0"), part(self.folder / "run", "texts-0"))
        # Another text than that which was decided on is not shown as if it were that.
        other = self.write(
            "other.warc",
            [response("http://one.example/a", html(Archive.base)), response("http://two.example/b", html(article(9)))],
        )
        meta = part(self.report("--store", store, "--pages", other, name="other"), "meta")
        self.assertEqual(meta["other_texts"], 1)

    def test_limits_cut_texts_and_say_so(self):
        path = self.write("in.warc", Archive.records())
        out = self.report(path, "--page-text-bytes", 100)
        entries = part(out, "texts-0")
        self.assertTrue(all(entry.get("cut") for entry in entries))
        self.assertLessEqual(len(entries[0]["t"]), 100)
        meta = part(self.report(path, "--text-megabytes", 0), "meta")
        self.assertEqual((meta["text_parts"], meta["texts_left_out"] > 0), (0, True))

    def test_near_misses_are_pairs_that_a_threshold_kept_apart(self):
        out = self.report(SAMPLE, "--parts", "--option", "same_document=0.9")
        meta, pages = part(out, "meta"), part(out, "pages-0")
        urls = [line.split("\t")[0] for line in pages["names"].split("\n")]
        misses = [pair for pair in part(out, "review") if pair[3] == 2]
        self.assertEqual(meta["page_rows"], meta["group_rows"] + 2 * len(misses))
        self.assertEqual(meta["near_miss_groups"], meta["groups"] + meta["singles"])
        self.assertGreater(len(misses), 0)
        for a, b, group, _, label_a, label_b in misses:
            self.assertEqual((group, b), (-1, a + 1))
            self.assertGreaterEqual(a, meta["group_rows"])
            self.assertEqual((urls[label_a], urls[label_b]), (urls[a], urls[b]))
            pair = pages["rows"][b][11]
            self.assertEqual(pair["v"], "different")
            option, asked, found = pair["d"]
            self.assertTrue(0 <= asked - found < 0.1, (option, asked, found))
            # What stands in the row is what the store of the same pages says.
            self.assertEqual(pages["rows"][b][8], -1)
            self.assertGreaterEqual(pages["rows"][b][9], 0, "the texts are there")
        none = self.report(SAMPLE, "--parts", "--near-misses", 0, "--option", "same_document=0.9", name="none")
        self.assertEqual(part(none, "meta")["page_rows"], meta["group_rows"])
        self.assertFalse([pair for pair in part(none, "review") if pair[3] == 2])
        few = part(
            self.report(SAMPLE, "--parts", "--near-misses", 10, "--option", "same_document=0.9", name="few"), "meta"
        )
        self.assertEqual(few["near_miss_groups"], 10)

    def test_a_folder_of_something_else_stays_as_it_is(self):
        path = self.write("in.warc", Archive.records())
        other = self.folder / "other"
        other.mkdir()
        (other / "index.html").write_text("mine")
        self.report(path, name="other", code=1)
        self.assertIn("holds no report", self.said)
        self.assertEqual((other / "index.html").read_text(), "mine")
        # An earlier report goes, with all its parts.
        out = self.report(path, "--parts")
        self.assertTrue((out / "data").is_dir())
        self.report(path)
        self.assertEqual(sorted(os.listdir(out)), ["index.html"])

    def test_wrong_usage(self):
        path = self.write("in.warc", Archive.records())
        for arguments in (
            [],
            [path, "--store", self.folder],
            [path, "--pages", path],
            [path, "--keep", "best"],
            [path, "--parts", "--single-file"],
            ["--store", self.folder / "s", "-o", self.folder / "s" / "x"],
        ):
            with self.subTest(arguments):
                run("report", *arguments, *([] if "-o" in arguments else ["-o", self.folder / "out"]), code=2)
        self.assertFalse((self.folder / "out").exists())
        run("report", path, code=2)
        run("report", self.folder / "nothing", "-o", self.folder / "out", code=1)
        run("report", "--store", self.folder / "nothing", "-o", self.folder / "out", code=1)
        self.assertFalse((self.folder / "out").exists())

    def test_damage_is_told(self):
        path = self.write("in.warc", [*Archive.records(), Archive.records()[0][:300]])
        meta = part(self.report(path, code=3), "meta")
        self.assertEqual(meta["damaged"], 1)

    def test_a_trap_is_told(self):
        """Of a run; a store's pages are not read again."""
        month = "<ul><li>Home<li>News</ul><h1>Calendar %d-%d</h1><table>%s</table><p>No events in this month"
        days = ["<td>%d" % day for day in range(1, 32)]
        calendar = [
            response(
                "http://site.example/%d" % number,
                (month % (number // 12 + 2000, number % 12 + 1, "".join(days))).encode(),
            )
            for number in range(40)
        ]
        articles = [response("http://other.example/%d" % number, html(article(number))) for number in range(10)]
        for records, least in ((calendar, 30), (articles, 0)):
            path, store = self.write("in.warc", records), self.folder / ("%d.ndc" % least)
            told = part(self.report(path), "meta")["without_own_text"]
            run("dedup", path, "--store", store, "-o", self.folder / "rows.tsv")
            self.assertEqual(part(self.report("--store", store), "meta")["without_own_text"], 0)
            self.assertTrue(least <= told <= 4 * least, told)

    def test_the_guide_works_as_written(self):
        (self.folder / "data").symlink_to(ROOT / "data")
        folder = tempfile.mkdtemp(dir=self.folder)
        os.symlink(ROOT / "data", os.path.join(folder, "data"))
        environment = dict(os.environ, PATH=os.path.dirname(NDC) + ":" + os.environ["PATH"])
        commands = [
            line.strip()
            for line in (ROOT / "docs" / "guide-report.md").read_text().splitlines()
            if line.startswith("    ndc ")
        ]
        self.assertGreater(len(commands), 4)
        # Files that only a person makes.
        pathlib.Path(folder, "decisions.tsv").write_text("http://postgresql-doc-17.example/populate.html\tkeep\n")
        pathlib.Path(folder, "labels.tsv").write_text(
            "url\tgroup\tkind\tsite\nhttp://postgresql-doc-13.example/populate.html\t0\tjudged\tx\n"
            "http://postgresql-doc-17.example/populate.html\t0\tjudged\ty\n"
        )
        for command in commands:
            with self.subTest(command):
                done = subprocess.run(
                    shlex.split(command), cwd=folder, env=environment, capture_output=True, timeout=600
                )
                self.assertEqual(done.returncode, 0, done.stderr.decode())


class BrowserTest(ReportTest):
    """One browser for all tests of a class; none of them may see a message, a dialog or a request."""

    @classmethod
    def setUpClass(cls):
        if browser.program() is None:
            raise unittest.SkipTest(browser.NONE)
        cls.downloads = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.browser = browser.Browser(cls.downloads)
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.browser.logged.clear()
        self.browser.size(1280)
        self.browser.dark(False)
        self.addCleanup(lambda: self.assertEqual(self.browser.logged, []))
        # The browser keeps a language, and what was judged, for all files.
        self.addCleanup(lambda: self.browser.evaluate("location.protocol === 'file:' && localStorage.clear()"))

    def open(self, folder, address="#/"):
        self.browser.open(folder / "index.html", address)
        self.browser.until("document.documentElement.dataset.indexed")
        self.browser.until(READY + json.dumps(address))

    def go(self, address):
        self.browser.evaluate("location.hash = " + json.dumps(address))
        self.browser.until(READY + json.dumps(address))

    def unfold(self):
        self.browser.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")

    def text(self, selector="main"):
        return self.browser.evaluate("document.querySelector(%s).innerText" % json.dumps(selector))

    def texts(self, selector):
        return self.browser.evaluate(
            "[...document.querySelectorAll(%s)].map(each => each.innerText)" % json.dumps(selector)
        )

    def count(self, selector):
        return self.browser.evaluate("document.querySelectorAll(%s).length" % json.dumps(selector))


class PageTest(BrowserTest):
    def sample(self, *arguments):
        return self.report(SAMPLE, *arguments)

    def test_one_file_and_parts_show_the_same(self):
        shown = []
        for layout in ("--single-file", "--parts"):
            out = self.sample(layout)
            self.assertEqual((out / "data").exists(), layout == "--parts")
            self.open(out)
            seen = [self.text()]
            for address in ("#/groups", "#/group/3", "#/group/3/7", "#/review"):
                self.go(address)
                seen.append(self.text())
            shown.append(seen)
            self.assertIn("54", seen[0])
            self.assertIn("Could be saved", seen[0])
        self.assertEqual(*shown)

    def test_groups_are_sorted_and_filtered(self):
        self.open(self.sample(), "#/groups")
        self.assertEqual(self.text("caption"), "73 groups")
        self.assertEqual(self.count("tbody tr"), 50)
        self.go("#/groups?sort=resemblance")
        scores = [float(text) for text in self.texts("tbody td:nth-child(4)")]
        self.assertEqual(scores, sorted(scores))
        self.go("#/groups?sort=resemblance&up=1")
        scores = [float(text) for text in self.texts("tbody td:nth-child(4)")]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.go("#/groups?from=0.5&to=0.8")
        self.assertTrue(all(0.5 <= float(text) <= 0.8 for text in self.texts("tbody td:nth-child(4)")))
        self.go("#/groups?pages=3")
        self.assertIn("0 groups", self.text("caption"))
        self.go("#/groups?at=50")
        self.assertEqual(self.count("tbody tr"), 23)
        rule = part(self.folder / "report", "meta")["rules"].index(["exact", 1])
        self.go("#/groups?rule=%d" % rule)
        self.assertEqual(self.text("caption"), "1 group")

    def test_filters_choose_by_any_page_of_a_group(self):
        """Each filter against the rows of the data."""
        out = self.sample("--parts")
        self.open(out, "#/groups")
        groups = pages_of_groups(out)
        rules = [name for name, _ in part(out, "meta")["rules"]]
        saved = [sum(row[5] for _, row in pages if not row[7] & 1) for pages in groups]
        least = [min(row[2] for _, row in pages if not row[7] & 2) for pages in groups]
        a_rule = rules.index("probability")

        def on(site):
            return [any(site in url.split("/")[2] for url, _ in pages) for pages in groups]

        wanted = {
            "site=doc-13": on("doc-13"),
            "site=doc-17": on("doc-17"),
            "site=DOC-1": on("doc-1"),
            "site=nowhere": on("nowhere"),
            "pages=2": [len(pages) >= 2 for pages in groups],
            "pages=3": [len(pages) >= 3 for pages in groups],
            "saved=20": [each >= 20000 for each in saved],
            "from=0.9": [each >= 9000 for each in least],
            "to=0.6": [each <= 6000 for each in least],
            "from=0.6&to=0.9": [6000 <= each <= 9000 for each in least],
            "flag=11": [len({url.split("/")[2] for url, _ in pages}) > 1 for pages in groups],
            "flag=12": [all(row[8] < 0 or rules[row[8]] == "exact" for _, row in pages) for pages in groups],
            "rule=%d" % a_rule: [any(row[8] == a_rule for _, row in pages) for pages in groups],
            "site=doc-17&from=0.95&rule=%d"
            % a_rule: [
                x and each >= 9500 and any(row[8] == a_rule for _, row in pages)
                for x, each, pages in zip(on("doc-17"), least, groups)
            ],
        }
        for query, fits in wanted.items():
            found = set()
            for at in range(0, len(groups), 50):
                self.go("#/groups?%s&sort=first&at=%d" % (query, at))
                found.update(
                    self.browser.evaluate(
                        "[...document.querySelectorAll('tbody a.title')].map((link) => Number(link.hash.split('/')[2]))"
                    )
                )
            with self.subTest(query):
                self.assertEqual(sorted(found), [group for group, each in enumerate(fits) if each])
        for query in ("site=doc-17", "saved=20", "to=0.6", "flag=11"):
            self.assertTrue(any(wanted[query]), query)
        # The overview leads to the groups of a site whose pages are all to be left out.
        self.go("#/")
        for link, name in zip(
            self.browser.evaluate("[...document.querySelectorAll('.tally th a')].map((link) => link.hash)"),
            self.texts(".tally th a"),
        ):
            self.go(link)
            self.assertGreater(self.count("tbody tr"), 0, name)

    def test_the_overview_counts_by_site_month_and_rule(self):
        dated = []
        for number, (host, month) in enumerate(
            (("a", "2024-01"), ("a", "2024-03"), ("b", "2024-03"), ("b", "2024-03"), ("c", "2023-12"))
        ):
            body = html(article(7 if number < 4 else 8))
            dated.append(
                response("http://%s.example/%d" % (host, number), body).replace(b"2024-05-06", month.encode() + b"-06")
            )
        self.open(self.report(self.write("in.warc", dated), "--keep", "newest"))
        size = "%.1f KB" % (len(html(article(7))) / 1000)
        all_saved = "%.1f KB" % (3 * len(html(article(7))) / 1000)
        cards = " ".join(self.texts(".card"))
        for fact in (
            "Pages\n5",
            "Groups of near-duplicates\n1",
            "Pages without a duplicate\n1",
            "Duplicates\n3",
            all_saved,
        ):
            self.assertIn(fact, cards)
        shown = {}
        for at, caption in enumerate(self.texts(".tally caption")):
            shown[caption] = self.browser.evaluate(
                "[...document.querySelectorAll('.tally')[%d].tBodies[0].rows].map((row) => [...row.cells].map("
                "(cell) => cell.textContent))" % at
            )
        self.assertEqual(
            sorted(shown["By site"]),
            [
                ["a.example", "2", "1", size],
                ["b.example", "2", "2", "%.1f KB" % (2 * len(html(article(7))) / 1000)],
                ["c.example", "1", "0", "0 B"],
            ],
        )
        self.assertEqual(
            shown["By month"],
            [
                ["2023-12", "1", "0", "0 B"],
                ["2024-01", "1", "1", size],
                ["2024-03", "3", "2", "%.1f KB" % (2 * len(html(article(7))) / 1000)],
            ],
        )
        self.assertEqual(shown["By rule"], [["all text equal", "3"]])

    def test_search_finds_titles_and_urls_of_all_pages_of_a_group(self):
        self.open(self.sample(), "#/groups")
        self.browser.press("/")
        self.browser.call("Input.insertText", {"text": "POPULATE doc-17"})
        self.browser.press("Enter")
        self.browser.until("location.hash.includes('q=')")
        self.browser.until(
            "document.querySelector('caption') !== null && "
            "document.querySelector('caption').textContent === '1 group'"
        )
        self.assertIn("populate.html", self.text("tbody .url"))
        self.go("#/groups?q=no+such+page")
        self.browser.until("document.querySelector('caption').textContent === '0 groups'")

    def test_a_search_that_was_left_begins_anew(self):
        self.open(self.sample("--parts"), "#/groups")
        # The first part comes late, and the reader has gone on meanwhile.
        self.browser.evaluate(
            """(() => { const load = ndcReport.load; window.late = [];
            ndcReport.load = (name, keep) => name.startsWith("pages-") && keep === false
                ? new Promise((resolve) => window.late.push(() => resolve(load(name, keep))))
                : load(name, keep); })()"""
        )
        self.browser.evaluate("location.hash = '#/groups?q=populate'")
        self.browser.until("window.late.length === 1")
        self.go("#/")
        self.browser.evaluate("location.hash = '#/groups?q=populate'")
        self.browser.until("window.late.length === 2")
        self.browser.evaluate("window.late.forEach((resolve) => resolve())")
        self.browser.until("document.querySelector('caption') !== null")
        self.assertEqual(self.text("caption"), "1 group")

    def test_the_keys_lead_everywhere(self):
        self.open(self.sample())
        press = self.browser.press
        press("g")
        self.browser.until(READY + "'#/groups'")
        press("j", "j")
        second = self.browser.evaluate("document.activeElement.getAttribute('href')")
        self.assertEqual(
            second, self.browser.evaluate("document.querySelectorAll('tbody a.title')[1].getAttribute('href')")
        )
        press("Enter")
        self.browser.until(READY + json.dumps(second))
        press("j", "j", "Enter")  # the first row is the representative's
        self.browser.until("/^#\\/group\\/\\d+\\/\\d+$/.test(document.documentElement.dataset.ready)")
        press("n")
        self.assertEqual(self.browser.evaluate("document.activeElement.className"), "change")
        self.browser.evaluate("document.getElementById('nextChange').focus(), ndcReport.moveChange(1)")  # as a click
        self.assertTrue(self.browser.evaluate("document.querySelectorAll('tr.change')[1] === document.activeElement"))
        press("u")
        self.browser.until(READY + json.dumps(second))
        press("u")
        self.browser.until(READY + "'#/groups'")
        press("]")
        self.browser.until(READY + "'#/groups?at=50'")
        press("o")
        self.browser.until(READY + "'#/'")
        press("?")
        self.browser.until("document.getElementById('help').open")
        press("Escape")
        self.browser.until("!document.getElementById('help').open")

    def test_chinese(self):
        self.open(self.sample())
        keys = self.browser.evaluate("ndcReport.wordKeys()")
        self.assertEqual(sorted(keys["en"]), sorted(keys["zh"]))
        self.browser.press("l")
        self.browser.until("document.documentElement.lang === 'zh-CN'")
        self.assertIn("近似重复分组", self.text())
        for address in ("#/groups", "#/group/0", "#/group/0/1", "#/review"):
            self.go(address)
            self.assertEqual(re.findall(r"\{\d\}|undefined|NaN", self.text()), [])
        self.browser.call(
            "Emulation.setUserAgentOverride",
            {"userAgent": self.browser.evaluate("navigator.userAgent"), "acceptLanguage": "zh-TW"},
        )
        self.addCleanup(
            self.browser.call,
            "Emulation.setUserAgentOverride",
            {"userAgent": self.browser.evaluate("navigator.userAgent"), "acceptLanguage": "en-US"},
        )
        self.open(self.folder / "report")
        self.assertEqual(self.browser.evaluate("document.documentElement.lang"), "zh-CN")

    def test_a_narrow_window_a_dark_one_and_paper(self):
        self.open(self.sample())
        ground = "getComputedStyle(document.body).backgroundColor"
        light = self.browser.evaluate(ground)
        for address in ("#/", "#/groups?site=doc", "#/group/0", "#/group/0/1", "#/review"):
            self.go(address)
            self.browser.size(500)
            for _ in range(2):  # in both languages
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 500, address)
                self.browser.evaluate("ndcReport.switchLanguage()")
            self.browser.size(1280)
            self.browser.dark()
            self.assertNotEqual(self.browser.evaluate(ground), light)
            self.browser.dark(False)
        # Paper is white where the screen is dark.
        self.browser.call(
            "Emulation.setEmulatedMedia",
            {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]},
        )
        self.assertEqual(self.browser.evaluate(ground), light)
        self.go("#/group/0/1")
        for hidden in ("#nav", "#tools", ".changes button"):
            self.assertEqual(
                self.browser.evaluate("getComputedStyle(document.querySelector('%s')).display" % hidden), "none"
            )
        for selector, line in (("del", "dotted"), ("ins", "solid")):  # not by colours alone
            self.assertEqual(
                self.browser.evaluate("getComputedStyle(document.querySelector('%s')).borderBottomStyle" % selector),
                line,
            )
        self.assertIn("probable that they are the same document", self.text(".why"))
        self.browser.call("Emulation.setEmulatedMedia", {"media": ""})

    def test_readers_of_the_screen_find_names_and_roles(self):
        self.open(self.sample())
        for address in ("#/", "#/groups", "#/group/0", "#/group/0/1", "#/review"):
            self.go(address)
            self.assertEqual(self.browser.evaluate("document.activeElement.tagName"), "H2", address)
            nodes = self.browser.call("Accessibility.getFullAXTree")["nodes"]
            roles = [node["role"]["value"] for node in nodes if not node["ignored"] and "role" in node]
            for role in ("main", "banner", "navigation", "heading", "link"):
                self.assertIn(role, roles)
            for node in nodes:
                if not node["ignored"] and node["role"]["value"] in (
                    "link",
                    "button",
                    "textbox",
                    "searchbox",
                    "combobox",
                    "spinbutton",
                    "table",
                    "progressbar",
                ):
                    self.assertTrue(node["name"]["value"].strip(), (address, node))

    def test_why_and_what_changed(self):
        path = self.write("in.warc", Archive.records())
        self.open(self.report(path), "#/group/0")
        self.assertEqual(self.count("tbody tr"), 3)
        self.assertIn("Kept: it came first.", self.text())
        self.go("#/group/0/1")
        self.assertEqual(
            self.texts("ins"),
            ["only in B", "one more sentence stands here that the other page does not have. "],
        )
        self.assertEqual(self.texts(".change del"), [])
        said = subprocess.run(
            [NDC, "explain", path, Archive.pages[0][0], Archive.pages[1][0]], capture_output=True, text=True, check=True
        ).stdout
        reasons = self.text(".reasons")
        for sentence in reasons.split(". ")[:2]:
            self.assertIn(sentence.rstrip(".") + ".", said)
        self.assertIn("probable that they are the same document; from 50 % on", reasons)
        self.assertEqual(self.text("#changes"), "1 change")
        self.unfold()
        self.assertIn("Near-duplicate.", self.text(".why"))
        self.assertTrue(self.count("tr.fold") > 0)
        self.browser.evaluate("document.querySelector('tr.fold button').click()")
        self.go("#/group/0/2")
        self.assertEqual(self.text(".reasons"), "A and B have the same text, word for word.")
        self.assertIn("No change", self.text())

    def test_what_was_learned_is_grey(self):
        self.open(self.report(self.write("in.warc", Sites.records())), "#/group/0/1")
        pairs = part(self.folder / "report", "pages-0")["rows"]
        self.unfold()
        self.assertIn(
            "Learned as boilerplate of their sites: %d words of the representative, %d of this page."
            % tuple(pairs[1][11]["b"]),
            self.text(".why"),
        )
        for button in range(self.count("tr.fold button")):
            self.browser.evaluate("document.querySelector('tr.fold button').click()")
        self.browser.evaluate("document.querySelectorAll('.inner').forEach((fold) => fold.click())")
        left = "".join(self.texts(".texts td:first-child .grey"))
        right = "".join(self.texts(".texts td:nth-child(2) .grey"))
        for words in ("one's daily news", "imprint of one"):
            self.assertIn(words, left)
        for words in ("two's weekly paper", "contact of two"):
            self.assertIn(words, right)
        words = article(1)[3].lower().rstrip(".")
        self.assertIn(words, "".join(self.texts(".texts td:first-child")))
        self.assertNotIn(words, left + right)
        # Nothing was learned of the third host; of the first the same as before.
        self.go("#/group/0/2")
        self.assertEqual(self.texts(".texts td:nth-child(2) .grey"), [])
        self.assertIn("one's daily news", "".join(self.texts(".texts td:first-child .grey")))
        self.unfold()
        self.assertIn("%d words of the representative, 0 of this page" % pairs[1][11]["b"][0], self.text(".why"))

    def test_a_group_shows_times_sizes_and_what_to_keep(self):
        path = self.write(
            "in.warc",
            [
                response("http://a.example/", html(Archive.base)).replace(b"2024-05-06", b"2022-02-03"),
                response("http://b.example/", html(Archive.changed)),
            ],
        )
        self.open(self.report(path, "--keep", "newest"), "#/group/0")
        rows = self.browser.evaluate(
            "[...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText))"
        )
        self.assertEqual([row[0].split()[0] for row in rows], ["Keep", "Leave"])
        self.assertEqual([row[1] for row in rows], ["2024-05-06 07:08", "2022-02-03 07:08"])
        self.assertEqual(
            [row[2] for row in rows], ["%.1f KB" % (len(html(text)) / 1000) for text in (Archive.changed, Archive.base)]
        )
        self.assertIn("http://b.example/", rows[0][0])

    def test_each_rule_says_why_it_keeps(self):
        path = self.write("in.warc", Archive.records())
        for rule, reason in (
            ("longest", "it has most text"),
            ("newest", "fetched last, 2024-05-06"),
            ("canonical", "shortest URL"),
        ):
            self.open(self.report(path, "--keep", rule), "#/group/0")
            self.assertIn(reason, self.text(".facts"))

    def test_a_store_says_what_it_lacks(self):
        path = self.write("in.warc", Archive.records())
        store = self.folder / "pages.ndc"
        run("dedup", path, "--store", store, "-o", self.folder / "rows.tsv")
        self.open(self.report("--store", store))
        self.assertIn("Sizes, titles and texts of 5 of 5 pages are missing", self.text())
        self.go("#/group/0/1")
        self.assertIn("The texts are not in this report.", self.text())
        self.assertIn("same document", self.text(".why"))


class HostileTest(BrowserTest):
    ATTACKS = [
        "</script><script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "\"><svg onload=alert(1)>",
        "{{7*7}}${alert(1)}",
        "<!--<script>",
        "]]>",
        "javascript:alert(1)",
        "\u202egnp.exe\u202c",
        "a\u0085b\u200bc",
        "<base href=//evil.example/>",
        "<meta http-equiv=refresh content=0;url=//evil.example>",
        "\\u003cscript>",
    ]

    def test_nothing_of_an_archive_runs_or_hides(self):
        records = []
        for number, attack in enumerate(self.ATTACKS):
            title = attack.replace("&", "&amp;").replace("<", "&lt;")
            body = [attack.replace("<", "&lt;")] + article(number)
            for copy in "ab":
                url = "http://%s.example/%s/%d?q=" % (copy, copy, number)
                records.append(response(url, html(body, title)).replace(url.encode(), (url + attack).encode("utf-8")))
        path = self.write("<img src=x onerror=alert(1)>.warc", records)
        for layout in ("--single-file", "--parts"):
            self.open(self.report(path, layout))
            self.assertIn("<img src=x onerror=alert(1)>.warc", self.text(".notes"))
            self.assertEqual(self.count("main img"), 0)
            self.go("#/groups")
            groups = part(self.folder / "report", "meta")["groups"]
            self.assertEqual(groups, len(self.ATTACKS))
            page = self.text()
            self.assertIn("<img src=x onerror=alert(1)>", page)
            self.assertNotIn("\u202e", page)
            self.assertIn("⟨202E⟩", page)
            for group in range(groups):
                self.go("#/group/%d" % group)
                self.go("#/group/%d/%d" % (group, 2 * group + 1))
                self.assertEqual(self.count("main img, main svg, main script, main base, main meta, main iframe"), 0)
            self.go("#/review")
            self.assertEqual(
                self.browser.evaluate("document.querySelectorAll('[onerror],[onload],[style*=url]').length"), 0
            )
            lines = self.browser.evaluate(
                """(async () => { const r = ndcReport; r.forgetJudgements();
                for (let page = 0; page < r.meta.group_rows; page += 2) r.judge(page, page + 1, "same");
                const table = await r.labelsTable(); r.forgetJudgements(); return table; })()"""
            ).split("\n")
            self.assertEqual(len(lines), 2 * groups + 2)
            for line in lines[:-1]:
                self.assertRegex(line, "^[^\\t\\x00-\\x1f]+(\t[^\\t\\x00-\\x1f]+){3}$")

    def test_the_policy_holds_where_escaping_would_not(self):
        self.open(self.report(self.write("in.warc", Archive.records())))
        self.browser.evaluate(
            """(async () => {
            document.body.append(document.createRange().createContextualFragment(
                "<img src=x onerror=window.ran=1><script>window.ran=2</script>" +
                "<a href='javascript:window.ran=3' id=trap></a>"));
            document.getElementById("trap").click();
            await new Promise((done) => setTimeout(done, 200)); })()"""
        )
        self.assertIsNone(self.browser.evaluate("window.ran"))
        self.assertTrue(self.browser.evaluate("fetch('http://evil.example/').then(() => false, () => true)"))
        self.assertGreater(sum("Content Security Policy" in line for line in self.browser.logged), 2)
        self.assertFalse([line for line in self.browser.logged if line.startswith("request:")])
        self.browser.logged.clear()

    def test_wrong_addresses_show_something(self):
        path = self.write("in.warc", Archive.records())
        self.open(self.report(path))
        for address in (
            "#/group/99",
            "#/group/x",
            "#/group/0/99",
            "#/group/-1/0",
            "#/review/99",
            "#/nowhere",
            "#/groups?sort=x",
            "#/groups?at=-5",
            "#/groups?rule=99&flag=x",
            "#/group/0?at=x",
            "#/group/0/0",
        ):
            self.go(address)
            self.assertTrue(self.text("h2"), address)
            self.assertEqual(self.count(".failure"), 0, address)

    def test_a_missing_part_is_told(self):
        path = self.write("in.warc", Archive.records())
        out = self.report(path, "--parts")
        (out / "data" / "pages-0.js").unlink()
        self.open(out, "#/group/0")
        self.assertIn("data/pages-0.js", self.text(".failure"))
        self.browser.logged.clear()  # the browser names the file too

    def test_a_group_of_ten_thousand_pages(self):
        body = html(article(1))
        path = self.write("in.warc", [response("http://h%d.example/page/%d" % (i % 7, i), body) for i in range(10000)])
        out = self.report(path)
        self.open(out, "#/group/0")
        self.assertIn("10,000 pages", self.text(".facts"))
        self.assertEqual(self.count("tbody tr"), 100)
        self.go("#/group/0?at=9900")
        self.assertEqual(self.count("tbody tr"), 100)
        self.assertIn("9,901–10,000 of 10,000", self.text(".pager"))
        self.go("#/group/0/9999")
        self.assertIn("the same text, word for word.", self.text())

    def test_pages_of_four_megabytes(self):
        base = [" ".join(article(seed, 40)) for seed in range(1700)]
        changed = list(base)
        for i in range(0, 1700, 2):
            changed[i] += " changed here"
        pages = [html(base), html(changed)]
        self.assertGreater(len(pages[0]), 4 << 20)
        path = self.write("in.warc", [response("http://a.example/", pages[0]), response("http://b.example/", pages[1])])
        for limit, cut in ((1 << 20, False), (100000, True)):
            out = self.report(path, "--page-text-bytes", limit)
            self.assertEqual(part(out, "meta")["groups"], 1)
            self.open(out, "#/group/0/1")
            self.unfold()
            self.assertIn("cut by a limit", self.text(".why"))  # by the library's, of tokens
            self.assertEqual("is cut here" in self.text(), cut)
            self.assertLess(self.count("main *"), 20000)


class ReviewTest(BrowserTest):
    def test_judgements_become_labels_that_ndc_eval_reads(self):
        out = self.report(ROOT / "data" / "judged" / "pages.warc.gz", "--parts")
        pairs = part(out, "review")
        self.assertGreater(len(pairs), 20)
        self.open(out, "#/review")
        keys = "sdasdsssdd"
        for number, key in enumerate(keys):
            self.browser.until(
                "document.querySelector('.pager span:not(.button)').textContent.startsWith('Pair %d of')" % (number + 1)
            )
            self.browser.press(key)
        self.browser.until(
            "document.getElementById('judged').textContent === '%d of %d judged'" % (len(keys), len(pairs))
        )
        self.browser.evaluate("document.getElementById('download').click()")
        path = pathlib.Path(self.downloads, "labels.tsv")
        for _ in range(1000):
            if path.exists() and path.stat().st_size > 0:
                break
            self.browser.evaluate("new Promise(done => setTimeout(done, 20))")
        lines = path.read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "url\tgroup\tkind\tsite")
        rows = {line.split("\t")[0]: line.split("\t")[1:] for line in lines[1:]}
        urls = [line.split("\t")[0] for line in part(out, "pages-0")["names"].split("\n")]
        for (a, b, *_), key in zip(pairs, keys):
            row_a, row_b = rows[urls[a]], rows[urls[b]]
            self.assertEqual(row_a[0] == row_b[0], key == "s")
            self.assertEqual(row_b[1], "ambiguous" if key == "a" else "judged")
        # They are kept, and the first pair without one is the next.
        self.open(out, "#/review")
        self.assertIn("Pair %d of" % (len(keys) + 1), self.text(".pager"))
        judged = ROOT / "data" / "judged" / "pages.warc.gz"
        run("eval", path, judged, "--detectors", "lcs", "-o", self.folder / "figures")
        record = json.loads((self.folder / "figures" / "run.json").read_text())
        self.assertFalse(record["silver"])
        table = json.loads((self.folder / "figures" / "detectors.json").read_text())
        self.assertTrue(table["rows"])

    def test_a_near_miss_is_shown_and_judged(self):
        out = self.report(SAMPLE, "--option", "same_document=0.9")
        pairs = part(out, "review")
        number = next(at for at, pair in enumerate(pairs) if pair[3] == 2)
        self.open(out, "#/review/%d" % (number + 1))
        self.browser.evaluate("ndcReport.forgetJudgements()")
        self.assertIn("near miss", self.text(".pager"))
        self.assertNotIn("Group", self.text(".pager"))
        self.unfold()
        self.assertIn("would not be put together", self.text(".why"))
        self.assertGreater(self.count(".change"), 0)
        self.assertNotIn("Near misses were looked for", self.text())
        self.browser.press("d")
        a, b = pairs[number][4:]
        self.browser.until("ndcReport.judgementOf(%d, %d) === 'different'" % (a, b))
        self.browser.evaluate("ndcReport.forgetJudgements()")
        # No group is found by the rows of near misses.
        groups = self.browser.evaluate(
            """(async () => { const r = ndcReport; await r.loadColumns();
            const hits = new Uint8Array(r.meta.groups); await r.search("http", hits, () => {});
            return hits.every((hit) => hit === 1); })()"""
        )
        self.assertTrue(groups)
        few = self.report(SAMPLE, "--near-misses", 10, "--option", "same_document=0.9", name="few")
        self.open(few, "#/review")
        self.assertIn("Near misses were looked for in 10 of 91 groups.", self.text())


if __name__ == "__main__":
    NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
