#!/usr/bin/env python3
"""What may be left out: only copies of a page that stays. `ndc dedup`, its lists, `ndc filter`, `ndc report` and
`ndc dump` agree on it.

usage: left_out_test.py PATH_OF_NDC [unittest arguments]
"""
import gzip
import json
import os
import re
import sys
import unittest

import cli_test
from cli_test import CliTest, article, html, response

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "sample", "documentation.warc.gz")
BASE = article(1, 48)
URLS = {name: "http://%s.example/" % name for name in ("first", "changed", "cut", "same", "whole", "part", "alone")}
# `changed` and `cut` are copies of `first`, but not of each other; `same` has the text of `cut`; `whole` holds `first`
# and much more, `part` lies in it.
TEXTS = {
    "first": BASE,
    "changed": article(2, 24) + BASE[18:],
    "cut": BASE[:30] + article(3, 18),
    "same": BASE[:30] + article(3, 18),
    "whole": BASE + article(4, 80),
    "part": BASE[:20],
    "alone": article(5),
}
GROUP = [name for name in TEXTS if name != "alone"]


class LeftOutTest(CliTest):
    def archive(self, names):
        return self.write("in.warc", b"".join(response(URLS[name], html(TEXTS[name])) for name in names))

    def kept(self, path, *arguments):
        """What stays in the place of each page, by the rows; the lists say the same."""
        keep, drop = (os.path.join(self.folder.name, name) for name in ("keep", "drop"))
        out, err = self.ndc(
            "dedup", path, "--format", "jsonl", "--keep-urls", keep, "--drop-urls", drop, "--stats", *arguments
        )
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(len({row["group_id"] for row in rows if row["url"] != URLS["alone"]}), 1, "they are one group")
        with open(keep) as kept, open(drop) as dropped:
            self.assertEqual(kept.read().split(), [row["url"] for row in rows if row["kept"] == row["url"]])
            self.assertEqual(dropped.read().split(), [row["url"] for row in rows if row["kept"] != row["url"]])
        names = {url: name for name, url in URLS.items()}
        return {names[row["url"]]: names[row["kept"]] for row in rows}, err

    def test_a_page_is_left_out_for_a_copy_of_itself_only(self):
        path = self.archive(["first", "changed", "cut", "same", "alone"])
        kept, err = self.kept(path)
        self.assertEqual(
            kept, {"first": "first", "changed": "first", "cut": "first", "same": "first", "alone": "alone"}
        )
        self.assertIn("could be left out: 3 pages", err)
        self.assertNotIn("also kept", err)
        # The group was made by comparisons with `first`; the longest is `changed`, which `cut` is no copy of.
        kept, err = self.kept(path, "--keep", "longest")
        self.assertEqual(
            kept, {"first": "changed", "changed": "changed", "cut": "cut", "same": "cut", "alone": "alone"}
        )
        self.assertIn("could be left out: 2 pages; also kept: 1 other document", err)

    def test_parts_are_left_out_on_request(self):
        path = self.archive(["first", "whole", "part", "alone"])
        self.assertEqual(self.kept(path)[0], {"first": "first", "whole": "whole", "part": "part", "alone": "alone"})
        self.assertIn("could be left out: 0 pages; also kept: 2 with much more or less text", self.kept(path)[1])
        self.assertEqual(
            self.kept(path, "--leave-out-parts")[0],
            {"first": "first", "whole": "first", "part": "first", "alone": "alone"},
        )

    def test_exact_is_said_beside_the_page_whose_text_is_equal(self):
        path = self.archive(["first", "changed", "cut", "same"])
        rows = self.rows(self.ndc("dedup", path)[0])
        near, same = rows[2], rows[3]
        self.assertEqual((near["verdict"], near["representative"]), ("near", URLS["first"]))
        self.assertLess(float(near["resemblance"]), 0.9)
        self.assertEqual(
            (same["verdict"], same["representative"], same["resemblance"], same["containment"]),
            ("exact", URLS["cut"], "1.0000", "1.0000"),
        )
        records = os.path.join(self.folder.name, "verdicts.warc")
        self.ndc("dedup", path, "-o", os.devnull, "--warc-metadata", records)
        with open(records, "rb") as file:
            about = file.read().partition(b"WARC-Target-URI: " + URLS["same"].encode())[2]
        self.assertIn(b"nd-matched-url: " + URLS["cut"].encode() + b"\r\nnd-resemblance: 1.0000", about)

    def test_a_page_that_is_known_only_in_part_is_no_copy(self):
        beginning, url = article(6, 60), "http://%s.example/".__mod__
        start = html(beginning)
        limit = ("--max-page-bytes", str(len(start) + 200))
        more = html(beginning + article(7, 200))
        # As far as it is read the second is near the first; what comes behind that is in no other page.
        path = self.write("in.warc", response(url("a"), start) + response(url("b"), more))
        for rule in ("first", "longest", "newest"):
            for parts in ((), ("--leave-out-parts",)):
                err = self.ndc("dedup", path, "-o", os.devnull, "--stats", "--keep", rule, *limit, *parts)[1]
                self.assertIn("could be left out: 0 pages; also kept: 1 other document", err)
                out = os.path.join(self.folder.name, "out.warc")
                self.ndc("filter", path, "-o", out, "--keep", rule, *limit, *parts)
                with open(out, "rb") as copy, open(path, "rb") as whole:
                    self.assertTrue(copy.read().endswith(b"\r\n\r\n\r\n" + whole.read()))
        # Two pages of which the engine takes only so many tokens.
        tails = [response(url(name), html(beginning + article(seed, 300))) for name, seed in (("a", 8), ("b", 9))]
        path = self.write("long.warc", b"".join(tails))
        limit = ("--option", "tokens_limit=512")
        rows = self.rows(self.ndc("dedup", path, *limit)[0])
        self.assertEqual([row["verdict"] for row in rows], ["new", "near"])
        err = self.ndc("dedup", path, "-o", os.devnull, "--stats", "--keep", "first", *limit)[1]
        self.assertIn("could be left out: 0 pages; also kept: 1 other document", err)

    def test_a_url_with_several_texts_stays(self):
        first, twice, last = (URLS[name] for name in ("first", "changed", "cut"))
        copy, own = html(BASE), html(TEXTS["alone"])
        drop = os.path.join(self.folder.name, "drop")
        for texts, dropped in (((own, copy), [last]), ((copy, copy), [twice, last])):
            captures = [response(twice, text) for text in texts]
            path = self.write("in.warc", b"".join([response(first, copy), *captures, response(last, copy)]))
            for threads in ("1", "2"):
                arguments = ("--stats", "--threads", threads, "-o", os.devnull)
                err = self.ndc("dedup", path, "--drop-urls", drop, *arguments)[1]
                with open(drop) as listed:
                    self.assertEqual(listed.read().split(), dropped)
                # Which capture the engine reads last, and so the page's group, is chance with two threads.
                if threads == "1":
                    self.assertEqual("also kept: 1 other document" in err, len(dropped) == 1, err)

    def counts(self, path, rule, *arguments):
        """How many pages are left out, by five outputs."""
        kept = ("--keep", rule, *arguments)
        drop = os.path.join(self.folder.name, "drop")
        said = self.ndc("dedup", path, "--stats", "-o", os.devnull, "--drop-urls", drop, *kept)[1]
        store = os.path.join(self.folder.name, "store-" + rule + "-".join(arguments))
        self.ndc("dedup", path, "-o", os.devnull, "--store", store)
        pages = [json.loads(line) for line in self.ndc("dump", store, *kept)[0].splitlines()]
        report = self.ndc("report", path, "-o", os.path.join(self.folder.name, "report"), *kept)[1]
        filtered = self.ndc("filter", path, "-o", os.path.join(self.folder.name, "out.warc"), *kept)[1]
        with open(drop) as dropped:
            listed = len(dropped.read().split())
        found = [
            re.search(pattern, text)
            for pattern, text in (
                (r"could be left out: (\d+) pages?", said),
                (r"(\d+) pages? could be left out", report),
                (r"left out: (\d+) pages?", filtered),
            )
        ]
        also_kept = {text.partition("also kept: ")[2].partition(";")[0].strip() for text in (said, report, filtered)}
        self.assertEqual(len(also_kept), 1, also_kept)
        return [listed, sum(page["kept"] != page["url"] for page in pages), *(int(match[1]) for match in found)]

    def test_all_outputs_agree(self):
        path = self.archive([*GROUP, "alone"])
        for rule, arguments, count in (("first", (), 3), ("longest", (), 2), ("first", ("--leave-out-parts",), 5)):
            self.assertEqual(self.counts(path, rule, *arguments), [count] * 5, (rule, arguments))
        for arguments in ((), ("--leave-out-parts",)):
            groups = self.ndc("dedup", path, "--format", "groups", *arguments)[0].decode().splitlines()[-1]
            self.assertIn("of which %d could be left out" % self.counts(path, "first", *arguments)[0], groups)
            self.assertTrue(groups.startswith("7 pages: 1 group of near-duplicates with 6 pages"), groups)

    def test_the_sample(self):
        self.assertEqual(self.counts(SAMPLE, "first"), [54] * 5)

    def test_every_page_of_filter_that_is_left_out_has_a_copy_that_stays(self):
        for arguments in (["--keep", "longest"], ["--keep", "first", "--leave-out-parts"]):
            out = os.path.join(self.folder.name, "out.warc.gz")
            self.ndc("filter", self.archive([*GROUP, "alone"]), "-o", out, *arguments)
            with gzip.open(out) as file:
                stay = set(re.findall(rb"WARC-Target-URI: (\S+)", file.read()))
            kept = self.kept(self.archive([*GROUP, "alone"]), *arguments)[0]
            self.assertEqual(stay, {URLS[name].encode() for name in set(kept.values())}, arguments)

    def test_the_order_of_fingerprints_counts_parts_too(self):
        path = self.archive(["first", "part", "alone"])
        groups = ("dedup", path, "--order", "fingerprints", "--format", "groups")
        self.assertIn("with 2 pages, of which 0 could", self.ndc(*groups)[0].decode())
        self.assertIn("with 2 pages, of which 1 could", self.ndc(*groups, "--leave-out-parts")[0].decode())

    def test_the_order_of_fingerprints_counts_copies_at_one_url(self):
        path = self.write(
            "in.warc", 2 * response(URLS["first"], html(BASE)) + response(URLS["alone"], html(article(5)))
        )
        groups = ("dedup", path, "--order", "fingerprints", "--format", "groups")
        self.assertIn("with 2 pages, of which 1 could", self.ndc(*groups)[0].decode())

    def test_what_does_not_go_together(self):
        path = self.archive(["first"])
        self.assertIn("--leave-out-parts goes with", self.ndc("dedup", path, "--leave-out-parts", code=2)[1])
        store = os.path.join(self.folder.name, "store")
        self.ndc("dedup", path, "-o", os.devnull, "--store", store)
        self.assertIn("--leave-out-parts goes with", self.ndc("dump", store, "--leave-out-parts", code=2)[1])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cli_test.NDC = sys.argv.pop(1)
    unittest.main()
