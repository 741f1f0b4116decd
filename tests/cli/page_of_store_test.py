#!/usr/bin/env python3
"""`ndc explain`, `extract` and `similar` find pages in stores and folders, and commands name what is not there.

usage: page_of_store_test.py PATH_OF_NDC [unittest arguments]
"""
import gzip
import json
import os
import sys
import unittest

import cli_test
from cli_test import Archive, CliTest, article, html, response


class PageOfStoreTest(CliTest):
    """`explain` and `extract` find pages in a store, too."""

    def setUp(self):
        super().setUp()
        self.store = os.path.join(self.folder.name, "explained.ndc")
        self.ndc("dedup", "--store", self.store, self.pages(), "-o", os.devnull)

    def test_explain(self):
        a, b = Archive.pages[0][0], Archive.pages[1][0]
        found = json.loads(self.ndc("explain", self.store, a, b, "--format", "json")[0])
        self.assertEqual((found["a"]["url"], found["b"]["url"], found["verdict"]), (a, b, "near"))
        text = self.ndc("explain", self.store, a, b)[0].decode()
        self.assertRegex(text, r"(?m)^\+ \(tokens a \[\d+,\d+\] b \[\d+,\d+\]\)$")
        err = self.ndc("explain", self.store, "http://none/", b, code=1)[1]
        self.assertEqual(err, "ndc: no page with the URL http://none/ in the store %s\n" % self.store)
        self.assertIn("resemblence", self.ndc("explain", "--option", "resemblence=1", self.store, a, b, code=2)[1])

    def test_extract(self):
        url = Archive.pages[1][0]
        known = json.loads(self.ndc("extract", self.store, "--url", url, "--format", "jsonl")[0])
        dumped = [json.loads(line) for line in self.ndc("dump", self.store)[0].splitlines()]
        self.assertIn(known, dumped)
        self.assertEqual(known["url"], url)
        text = self.ndc("extract", self.store, "--url", url)[0].decode()
        self.assertRegex(text, r"(?m)^  verdict +near$")
        self.assertIn("keeps no texts", self.ndc("extract", self.store, code=2)[1])
        self.assertIn("keeps no texts", self.ndc("extract", self.store, "--url", url, "--show", "terms", code=2)[1])
        self.assertIn("in the store", self.ndc("extract", self.store, "--url", "http://none/", code=1)[1])

    def test_own_text(self):
        out, _ = self.ndc("extract", self.pages(), "--show", "own", "--store", self.store, "--format", "jsonl")
        known = {page["url"]: page["own"] for page in map(json.loads, out.splitlines())}
        out, _ = self.ndc("extract", self.pages(), "--show", "own", "--format", "jsonl")
        unknown = {page["url"]: page["own"] for page in map(json.loads, out.splitlines())}
        self.assertEqual(known.keys(), unknown.keys())
        self.assertTrue(any(unknown.values()))
        url = Archive.pages[1][0]
        shown = self.ndc("extract", self.pages(), "--url", url, "--show", "own", "--store", self.store)[0].decode()
        lines = "".join("    %s\n" % line for line in known[url].splitlines())
        self.assertTrue(shown.endswith("  own:\n" + lines + "\n"), shown)
        self.assertIn("--show own", self.ndc("extract", self.pages(), "--store", self.store, code=2)[1])
        self.ndc("extract", self.pages(), "--show", "own", "--store", self.store + "-none", code=1)

    def test_fingerprints_and_antecedents(self):
        long = self.write("long.warc", response("http://a.example/", html(article(3, 400))))
        out, _ = self.ndc("extract", long, "--show", "fingerprints,antecedents,spots", "--format", "jsonl")
        shown = json.loads(out)
        self.assertGreater(len(set(shown["fingerprints"])), 0)
        kept = [sum(each["count"] for each in shown[name]) for name in ("antecedents", "spots")]
        self.assertEqual((kept[0], len(shown["antecedents"])), (kept[1], 2))

    def test_dump_says_which_page_to_keep(self):
        pages = [json.loads(line) for line in self.ndc("dump", self.store)[0].splitlines()]
        self.assertFalse(any("kept" in page for page in pages))
        for rule, best in (
            ("first", lambda page: page["page_id"]),
            ("longest", lambda page: (-page["width"], page["page_id"])),
            ("newest", lambda page: page["page_id"]),
        ):
            found = [json.loads(line) for line in self.ndc("dump", self.store, "--keep", rule)[0].splitlines()]
            self.assertEqual([{**page, "kept": None} for page in pages], [{**page, "kept": None} for page in found])
            for page in found:
                group = [each for each in pages if each["group_id"] == page["group_id"]]
                self.assertEqual(page["kept"], min(group, key=best)["url"], rule)
        self.ndc("dump", self.store, "--keep", "oldest", code=2)
        # A store keeps no links.
        self.ndc("dump", self.store, "--keep", "canonical", code=2)

    def test_a_store_is_no_input_of_pages(self):
        for command in (
            ["dedup"],
            ["pairs", "--threshold", ".5"],
            ["filter", "-o", self.folder.name + "/x.warc"],
        ):
            err = self.ndc(*command, self.store, code=1)[1]
            self.assertEqual(
                err, "ndc: %s: is a store, which keeps no pages; give the archives that they came from\n" % self.store
            )

    def test_a_folder_of_archives_is_no_store(self):
        folder = os.path.join(self.folder.name, "archives")
        os.mkdir(folder)
        os.rename(self.pages(), os.path.join(folder, "a.warc"))
        a, b = Archive.pages[0][0], Archive.pages[1][0]
        self.assertIn(b"near", self.ndc("explain", folder, a, b)[0])
        self.assertIn(a.encode(), self.ndc("extract", folder, "--url", a)[0])
        self.assertIn(b.encode(), self.ndc("similar", folder, a)[0])
        empty = os.path.join(self.folder.name, "empty")
        os.mkdir(empty)
        self.assertIn("no page with the URL", self.ndc("explain", empty, a, b, code=1)[1])

    def test_an_index_leads_to_pages(self):
        a, b = Archive.pages[0][0], Archive.pages[1][0]
        records = Archive.records()
        folder = os.path.join(self.folder.name, "collection")
        for name in ("archive", "indexes"):
            os.makedirs(os.path.join(folder, name))
        lines = []
        for number, (url, item) in enumerate(zip((url for url, _ in Archive.pages), records)):
            # What lies before is damaged, so that whoever reads it exits with 3.
            start = b"\x1f\x8b\x08garbage"
            with open(os.path.join(folder, "archive", "%d.warc.gz" % number), "wb") as file:
                file.write(start + gzip.compress(item))
            lines.append(
                "org,example)/ 20240506070809 "
                + json.dumps({"url": url, "filename": "%d.warc.gz" % number, "offset": len(start)})
            )
        lines.append(
            "org,example)/ 20240506070809 "
            + json.dumps({"url": "http://gone/", "filename": "gone.warc.gz", "offset": "0"})
        )
        text = ("!meta {}\n" + "\n".join(lines) + "\n").encode()
        for name, data in (("index.cdxj", text), ("index.cdxj.gz", gzip.compress(text))):
            for place in ("indexes", "archive", ""):
                path = os.path.join(folder, place, name)
                with open(path, "wb") as file:
                    file.write(data)
                self.assertEqual(json.loads(self.ndc("extract", path, "--url", b, "--format", "jsonl")[0])["url"], b)
                found = json.loads(self.ndc("explain", path, a, b, "--format", "json")[0])
                self.assertEqual((found["a"]["url"], found["b"]["url"], found["verdict"]), (a, b, "near"))
                for command in (["extract", path, "--url", "http://none/"], ["explain", path, a, "http://none/"]):
                    err = self.ndc(*command, code=1)[1]
                    self.assertEqual(err, "ndc: no page with the URL http://none/ in the index %s\n" % path)
                self.assertIn(
                    "gone.warc.gz is not there", self.ndc("extract", path, "--url", "http://gone/", code=1)[1]
                )
                os.unlink(path)

    def test_what_is_no_store_is_named(self):
        for command in ("stats", "dump", "events", "compact", "verify"):
            err = self.ndc(command, "/nonexistent.ndc", code=1)[1]
            self.assertEqual(err, "ndc: /nonexistent.ndc: there is no such directory, and no ndc store\n")
        err = self.ndc("eval", "/nonexistent.tsv", self.pages(), code=1)[1]
        self.assertEqual(err, "ndc: cannot read the labels /nonexistent.tsv: No such file or directory\n")

    def test_it_says_what_was_compared_and_why(self):
        urls = Archive.pages[0][0], Archive.pages[1][0]
        alone = self.ndc("explain", self.pages(), *urls)[0].decode()
        self.assertTrue(alone.startswith("compared      by themselves: nothing is known of their sites\n"))
        self.assertRegex(alone, r"(?m)^ +\d+ % of A's own text is in B too, and \d+ % of B's own text is in A\.$")
        self.assertRegex(alone, r"(?m)^ +That makes it \d+ % probable that they are the same document; from 50 %")
        within = self.ndc("explain", "--in-context", self.pages(), *urls)[0].decode()
        self.assertTrue(within.startswith("compared      by what the other pages tell of their sites\n"))
        self.assertIn("one more sentence", within)
        self.assertTrue(self.ndc("explain", self.store, *urls)[0].startswith(b"compared      by what the other pages"))
        equal = self.ndc("explain", self.pages(), Archive.pages[0][0], Archive.pages[3][0])[0].decode()
        self.assertIn("A and B have the same text, word for word.", equal)
        err = self.ndc("explain", "--in-context", self.pages(), urls[0], "http://none/", code=1)[1]
        self.assertIn("no page with the URL http://none/ in ", err)

    def test_a_slip_of_the_finger_is_told_the_nearest_name(self):
        for words, nearest in ((("filtr", "x"), "filter"), (("filter", "--cautoin", "equal", "x"), "--caution")):
            self.assertIn("; the nearest is %s; " % nearest, self.ndc(*words, code=2)[1])
        for words in (("zzzzzz", "x"), ("filter", "--nothing-like-it", "x")):
            self.assertNotIn("nearest", self.ndc(*words, code=2)[1])

    def test_events_say_when_there_is_none(self):
        self.assertIn("there is no event behind number 999", self.ndc("events", self.store, "--after", "999")[1])


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
