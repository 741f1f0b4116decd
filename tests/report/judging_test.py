#!/usr/bin/env python3
"""What an archivist does with the page of `ndc report`: reads, searches, judges, and filters by what was judged.

usage: judging_test.py PATH_OF_NDC [unittest arguments]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import report_test  # which finds the modules of tests/cli as well
from report_test import SAMPLE, BrowserTest, run

import outside_tools
from cli_test import Archive, html, response
from report_data import part

try:
    from warcio.archiveiterator import ArchiveIterator
except ImportError:
    ArchiveIterator = None


class ReadingTest(BrowserTest):
    def test_joiners_and_encoded_urls_are_left_readable(self):
        titles = [
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0915\u094d\u200d\u0937 \U0001f469\u200d\U0001f4bb",
        ]
        records = [
            response("http://%d.example/%%D9%%85%%DB%%8C%%E2%%80%%8C%%20x%%2F%%FF" % i, html(Archive.base, title))
            for i, title in enumerate(titles)
        ]
        self.open(self.report(self.write("in.warc", records)), "#/group/0")
        shown = self.text()
        for title in titles:
            self.assertIn(title, shown)
        self.assertIn("http://0.example/\u0645\u06cc\u200c%20x%2F%FF", shown)
        # A live link is that of the archive.
        self.assertEqual(
            self.browser.evaluate("document.querySelector('a.outside').getAttribute('href')"),
            "http://0.example/%D9%85%DB%8C%E2%80%8C%20x%2F%FF",
        )

    def test_a_search_finds_what_urls_are_shown_as(self):
        urls = ["http://%s.example/%%D0%%BA%%D0%%B0%%d1%%82/1" % host for host in "ab"]
        path = self.write("cyrillic.warc", [response(url, html(Archive.base, "Harbour")) for url in urls])
        self.open(self.report(path))
        for words, found in (("\u043a\u0430\u0442", 1), ("\u041a\u0410\u0422 harbour", 1), ("\u043a\u0438\u0442", 0)):
            hits = self.browser.evaluate(
                "(async () => { const hits = new Uint8Array(ndcReport.meta.groups);"
                "await ndcReport.search(%s, hits, () => {}); return [...hits]; })()" % json.dumps(words)
            )
            self.assertEqual(sum(hits), found, words)

    def test_a_text_begins_at_its_own_side(self):
        letters = "\u0627\u0628\u067e\u062a\u062c\u062f\u0631\u0632\u0633\u0634\u06a9\u0644\u0645"
        base = [
            " ".join(
                letters[(i * j + k) % 13] * 2 + letters[(i + k) % 13] + letters[j] for k in range(3) for j in range(4)
            )
            for i in range(40)
        ]
        pages = [base, base[:20] + ["\u0633\u0644\u0627\u0645"] + base[20:]]
        records = [response("http://%d.example/" % i, html(text)) for i, text in enumerate(pages)]
        self.open(self.report(self.write("in.warc", records)), "#/group/0/1")
        row = "document.querySelector('.texts tr.change td:last-child')"
        begins = (
            "(() => { const range = document.createRange(); range.selectNodeContents(%s.firstChild); return [range,"
            % row
        )
        ends = " %s].map((each) => each.getBoundingClientRect()).map((each) => [each.left, each.right]); })()" % row
        (left, right), (from_left, from_right) = self.browser.evaluate(begins + ends)
        self.assertLess(from_right - right, 15)
        self.assertGreater(left - from_left, 15)
        # Nothing more is to be shown.
        self.assertIsNone(self.browser.evaluate("document.querySelector('.texts ~ button').offsetParent"))

    def test_links_lead_to_a_replay(self):
        path = self.write("in.warc", Archive.records())
        self.open(self.report(path, "--replay", "https://replay.example/web/"), "#/group/0")
        self.assertEqual(
            self.browser.evaluate("document.querySelectorAll('a.outside')[1].href"),
            "https://replay.example/web/20240506070809/http://one.example/a",
        )
        self.report(path, "--replay", "javascript:alert(1)//", name="refused", code=2)

    def test_lists_are_searched_as_one_types_and_sorted_by_columns(self):
        self.open(self.report(SAMPLE), "#/groups")
        self.browser.press("/", *"populate")
        self.browser.until("document.querySelector('caption').textContent === '1 group'")
        self.assertEqual(self.browser.evaluate("document.activeElement.id"), "search")
        self.assertIn("q=populate", self.browser.evaluate("location.hash"))
        self.go("#/groups")
        self.browser.evaluate("document.getElementById('sort-resemblance').click()")
        self.browser.until("document.querySelector('th[aria-sort=ascending]') !== null")
        scores = [float(text) for text in self.texts("tbody td:nth-child(4)")]
        self.assertEqual(scores, sorted(scores))

    def test_members_are_searched_and_sorted(self):
        records = [response("http://h.example/%02d" % (i * 7 % 30), html(Archive.base)) for i in range(30)]
        self.open(self.report(self.write("in.warc", records)), "#/group/0?sort=url&up=1")
        shown = self.texts("tbody .url")
        self.assertEqual(shown, ["http://h.example/%02d" % i for i in reversed(range(30))])
        self.browser.press("/", *"e/03")
        self.browser.until("document.querySelectorAll('tbody tr').length === 1")
        self.assertEqual(self.texts("tbody .url"), ["http://h.example/03"])

    def test_pictures_lead_to_their_groups(self):
        self.open(self.report(SAMPLE))
        self.browser.until("document.querySelectorAll('.picture').length === 2")
        for picture in (1, 2):
            name = self.browser.evaluate(
                "document.querySelector('.picture:nth-child(%d) a').getAttribute('aria-label')" % picture
            )
            address = self.browser.evaluate(
                "document.querySelector('.picture:nth-child(%d) a').getAttribute('href')" % picture
            )
            count = int(re.search(r": (\d+) ", name).group(1))
            self.go(address)
            groups = int(self.text("caption").split()[0])
            self.assertEqual(count, groups, name)
            self.go("#/")
            self.browser.until("document.querySelectorAll('.picture').length === 2")

    def test_a_view_is_found_again_as_it_was_left(self):
        self.open(self.report(SAMPLE), "#/groups?sort=resemblance")
        self.browser.evaluate("window.scrollTo(0, 900)")
        self.browser.evaluate("document.querySelectorAll('tbody a.title')[12].focus({preventScroll: true})")
        left = self.browser.evaluate("document.activeElement.hash")
        self.go(left)
        self.browser.press("u")
        self.browser.until("document.activeElement.hash === %s" % json.dumps(left))
        self.assertEqual(self.browser.evaluate("Math.round(window.scrollY)"), 900)

    def test_the_difference_is_on_the_first_screen(self):
        self.open(self.report(SAMPLE), "#/group/0/1")
        pairs = self.browser.evaluate("ndcReport.load('review').then((pairs) => pairs.length)")
        top = "document.querySelector('%s').getBoundingClientRect().top"
        for width, marks in ((1280, ("ins", "del")), (500, (":is(ins, del)",))):  # A above B where it is narrow
            self.browser.size(width)
            self.go("#/group/0/1")
            for mark in marks:
                self.assertLess(self.browser.evaluate(top % (".change " + mark)), 900, (width, mark))
            for pair in range(1, pairs + 1):
                self.go("#/review/%d" % pair)
                change, mark, buttons = (
                    self.browser.evaluate(top % each) for each in (".change", ".change :is(ins, del)", ".judge-row")
                )
                self.assertLess(change, buttons, (width, pair))
                self.assertLess(mark, 900, (width, pair))


class JudgingTest(BrowserTest):
    def click(self, name):
        self.browser.evaluate("document.getElementById(%s).click()" % json.dumps(name))

    def pressed(self, name):
        return self.browser.evaluate("document.getElementById(%s).ariaPressed" % json.dumps(name))

    def downloaded(self, button, name):
        path = pathlib.Path(self.downloads, name)
        path.unlink(missing_ok=True)
        self.click(button)
        for _ in range(1000):
            if path.exists() and path.stat().st_size > 0:
                break
            self.browser.evaluate("new Promise(done => setTimeout(done, 20))")
        return path

    def judge_three_groups(self, out):
        """The URLs that must be in the result, and those that must not, by the three ways to say so."""
        self.open(out, "#/group/0")
        self.browser.evaluate("ndcReport.decide(ndcReport.decidedPages(), undefined)")
        urls = [line.split("\t")[0] for line in part(out, "pages-0")["names"].split("\n")]
        # A page that would be left out is kept, by its button; what was said by mistake is undone.
        self.assertEqual(self.browser.evaluate("ndcReport.columns.pages.slice(0, 3).join()"), "2,2,2")
        self.click("keep-1")
        self.browser.until("document.getElementById('keep-1').ariaPressed === 'true'")
        self.click("leave-0")
        self.browser.until("document.getElementById('leave-0').ariaPressed === 'true'")
        self.click("undo")
        self.browser.until("document.getElementById('leave-0').ariaPressed === 'false'")
        # All of a group.
        self.go("#/group/1")
        self.click("keepAll")
        self.browser.until("document.querySelectorAll('[aria-pressed=true]').length === 2")
        # One for the other, by keys.
        self.go("#/group/2/5")
        self.browser.press("v")
        self.browser.until("document.getElementById('keep-5').ariaPressed === 'true'")
        self.go("#/group/2")
        self.click("leave-4")
        self.browser.until("document.getElementById('leave-4').ariaPressed === 'true'")
        return {urls[page] for page in (1, 2, 3, 5)}, {urls[4]}

    def test_a_day_from_dedup_to_an_archive_that_was_judged(self):
        run("dedup", SAMPLE, "--keep", "first", "-o", self.folder / "rows.tsv")
        out = self.report(SAMPLE, "--parts")
        kept, left_out = self.judge_three_groups(out)
        self.go("#/decisions")
        self.assertIn("5 pages decided", self.text())
        decisions = self.downloaded("downloadDecisions", "decisions.tsv")
        rows = [line.split("\t") for line in decisions.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(rows[0], ["#url", "decision", "fetched"])
        self.assertEqual({url for url, said, _ in rows[1:] if said == "keep"}, kept)
        self.assertEqual({url for url, said, _ in rows[1:] if said == "leave-out"}, left_out)
        result = self.folder / "judged.warc.gz"
        said = run("filter", "--decisions", decisions, SAMPLE, "-o", result)
        self.assertNotIn("without a page in the input", said)
        listed = (self.folder / "judged.warc.gz.left-out.tsv").read_text().splitlines()
        self.assertEqual([line.split("\t")[0] for line in listed if line.endswith("\tjudged")], sorted(left_out))
        found = set()
        if ArchiveIterator is None:
            self.skipTest("the Python package warcio is not installed")
        with open(result, "rb") as file:
            for each in ArchiveIterator(file, check_digests=True):
                each.content_stream().read()
                self.assertNotEqual(each.digest_checker.passed, False)
                found.add(each.rec_headers.get_header("WARC-Target-URI"))
        self.assertLessEqual(kept, found)
        self.assertEqual(left_out & found, set())
        jwarc = outside_tools.jwarc()
        if jwarc is None or shutil.which("java") is None:
            self.skipTest("jwarc cannot be fetched, or there is no Java")
        read = subprocess.run(["java", "-jar", jwarc, "ls", result], capture_output=True, text=True, timeout=300)
        self.assertEqual((read.returncode, read.stderr), (0, ""))
        self.assertEqual({line.split()[-1] for line in read.stdout.splitlines()} - {"-"}, found - {None})

    def test_decisions_survive_and_are_forgotten_in_steps(self):
        out = self.report(SAMPLE)
        self.judge_three_groups(out)
        self.open(out, "#/decisions")
        self.assertIn("5 pages decided", self.text())
        self.assertEqual(self.count("tbody tr"), 5)
        self.click("forgetDecisions")
        self.browser.until("document.querySelectorAll('tbody tr').length === 0")
        self.browser.press("z")
        self.browser.until("document.querySelectorAll('tbody tr').length === 5")
        # A second press takes a decision back.
        self.go("#/group/0")
        self.click("keep-1")
        self.browser.until("document.getElementById('keep-1').ariaPressed === 'false'")

    def test_pairs_that_differ_are_kept(self):
        out = self.report(SAMPLE, "--parts")
        a, b = part(out, "review")[0][:2]
        urls = [line.split("\t")[0] for line in part(out, "pages-0")["names"].split("\n")]
        self.open(out, "#/review/1")
        self.browser.evaluate("ndcReport.decide(ndcReport.decidedPages(), undefined)")
        self.browser.evaluate("ndcReport.forgetJudgements()")
        self.browser.press("d")
        self.browser.until("location.hash === '#/review/2'")
        table = self.browser.evaluate("ndcReport.decisionsTable()").splitlines()
        self.assertEqual({line.split("\t")[0] for line in table[1:]}, {urls[a], urls[b]})
        self.browser.evaluate("ndcReport.forgetJudgements()")

    def test_contradictions_are_ambiguous(self):
        path = self.write("in.warc", Archive.records())
        self.open(self.report(path), "#/review")
        said = self.browser.evaluate(
            """(() => { const r = ndcReport; r.forgetJudgements();
            r.judge(0, 1, "same"); r.judge(1, 2, "same"); r.judge(0, 2, "different");
            const labels = r.labels(); r.forgetJudgements(); return labels; })()"""
        )
        self.assertEqual(said["conflicts"], 2)
        self.assertEqual(
            [(row["page"], row["group"], row["kind"]) for row in said["rows"]],
            [(0, 0, "ambiguous"), (1, 0, "judged"), (2, 0, "ambiguous")],
        )

    def test_what_cannot_be_judged(self):
        store = self.folder / "pages.ndc"
        run("dedup", SAMPLE, "--store", store, "-o", self.folder / "rows.tsv")
        self.open(self.report("--store", store), "#/group/0")
        self.assertEqual(self.count(".decide"), 0)
        self.assertNotIn("Review", self.text("nav"))
        self.go("#/")
        self.assertEqual(self.text().count("nobody can judge"), 1)


class AccessibilityTest(BrowserTest):
    """axe-core finds nothing in any view, by the rules of WCAG 2.2, A and AA."""

    def test_no_view_has_a_violation(self):
        axe = outside_tools.axe()
        if axe is None:
            self.skipTest("axe-core cannot be fetched with npm")
        out = self.report(SAMPLE)
        rules = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}"
        for width, dark, language in ((1280, False, "en"), (500, True, "zh")):
            self.browser.size(width)
            self.browser.dark(dark)
            for address in ("#/", "#/groups", "#/group/0", "#/group/0/1", "#/review", "#/decisions"):
                self.open(out, address)
                self.browser.evaluate("ndcReport.language = %s, ndcReport.route()" % json.dumps(language))
                self.browser.evaluate(axe.read_text(encoding="utf-8") + ";0")
                found = self.browser.evaluate("axe.run(document, %s)" % rules)
                self.assertGreater(len(found["passes"]), 10)
                broken = [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found["violations"]]
                self.assertEqual(broken, [], (address, width))
        self.browser.size(1280)


if __name__ == "__main__":
    report_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
