#!/usr/bin/env python3
"""`ndc pairs`: the complete join. What it finds is compared with brute force in
tests/unit/engine/complete_join_test.cpp and tests/unit/sample_join; here is what its users see.

usage: pairs_test.py PATH_OF_NDC [unittest arguments]
"""
import gzip
import json
import os
import subprocess
import sys
import unittest

import cli_test
from cli_test import Archive, CliTest, article, html, response

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "sample", "documentation.warc.gz")
DETECTORS = ["lcs", "spotsigs", "mwo", "simhash64", "simhash128"]


class PairsTest(CliTest):
    def table(self, *arguments, **options):
        by_lcs = "--detector" not in arguments or "lcs" in arguments
        lines = self.ndc("pairs", *arguments, **options)[0].decode("latin-1").split("\n")
        self.assertEqual(lines[0], "#url\tearlier_url\tscore" + ("\tcontainment" if by_lcs else ""))
        self.assertEqual(lines[-1], "")
        rows = [line.split("\t") for line in lines[1:-1]]
        for row in rows:
            self.assertEqual(len(row), 4 if by_lcs else 3)
            for score in row[2:]:
                self.assertRegex(score, r"^(0\.\d{4}|1\.0000)$")
        return [(*row[:2], *map(float, row[2:])) for row in rows]

    def pairs(self, *arguments, **options):
        return [row[:3] for row in self.table(*arguments, **options)]

    def test_rows(self):
        a, b, _, same, _ = [url for url, _ in Archive.pages]
        for detector in DETECTORS:
            rows = self.pairs("--detector", detector, "--threshold", "0.7", self.pages())
            self.assertEqual([row[:2] for row in rows], [(b, a), (same, a), (same, b)], detector)
            self.assertTrue(0.7 <= rows[0][2] <= rows[1][2], rows)
            if detector != "mwo":  # which sees that the URLs differ
                self.assertEqual(rows[1][2], 1)
                rows = self.pairs("--detector", detector, "--threshold", "1", self.pages())
                self.assertIn((same, a, 1), rows, detector)
        self.assertEqual(
            self.pairs("--threshold", "0.9", self.pages()),
            self.pairs("--detector", "lcs", "--threshold", ".900", self.pages()),
        )

    def test_json_lines_are_the_same_rows(self):
        lines = self.ndc("pairs", "--threshold", "0.7", "--format", "jsonl", self.pages())[0].splitlines()
        rows = [json.loads(line) for line in lines]
        self.assertEqual([list(row) for row in rows], [["url", "earlier_url", "score", "containment"]] * len(rows))
        self.assertEqual([tuple(row.values()) for row in rows], self.table("--threshold", "0.7", self.pages()))
        lines = self.ndc("pairs", "--detector", "mwo", "--threshold", "0.7", "--format", "jsonl", self.pages())[0]
        self.assertEqual([list(json.loads(line)) for line in lines.splitlines()], [["url", "earlier_url", "score"]] * 3)

    def test_containment_finds_parts(self):
        """The rule of TR2007012, section 5.4: a page that another one has, and much more."""
        whole = article(1, 60)
        pages = [whole, whole[24:36], article(2, 60), whole[:8] + article(3, 60)]
        path = self.write(
            "parts.warc",
            b"".join(response("http://site%d.example/" % i, html(text)) for i, text in enumerate(pages)),
        )
        # A fingerprint of the report, of four sentences, is rarely that of so small a part.
        for options in ([], ["--option", "decision=report", "--option", "x_fingerprint_sentences=1"]):
            every = self.table("--threshold", "0", *options, path)
            either = self.table("--threshold", "0.28", "--containment", "0.7", *options, path)
            self.assertEqual(either, [row for row in every if row[2] >= 0.28 or row[3] >= 0.7])
            parts = [row[:2] for row in either if row[2] < 0.28]
            self.assertIn(("http://site1.example/", "http://site0.example/"), parts)
            if not options:
                self.assertLess(len(either), len(every))
            self.assertEqual(
                self.table("--threshold", "0.28", *options, path), [row for row in every if row[2] >= 0.28]
            )
            clusters = self.ndc(
                "pairs", "--threshold", "0.28", "--containment", "0.7", "--clusters", "connected", *options, path
            )[0]
            self.assertEqual(clusters.decode().splitlines()[2].split("\t")[1], "http://site0.example/")

    def test_a_threshold_of_0_asks_for_anything_in_common(self):
        pages = self.pages()
        with_text = {url for url, _ in Archive.pages[:4]}
        for detector in ["simhash64", "simhash128"]:
            rows = self.pairs("--detector", detector, "--threshold", "0", pages)
            self.assertEqual(len(rows), 6, "the page without text has no pair")
            self.assertEqual({url for row in rows for url in row[:2]}, with_text)
        for detector in DETECTORS:
            rows = self.pairs("--detector", detector, "--threshold", "0", pages)
            self.assertGreaterEqual(len(rows), 3)
            self.assertTrue(all(row[2] > 0 for row in rows))

    def test_neither_threads_nor_memory_change_what_is_found(self):
        one = self.write(
            "one.warc.gz",
            gzip.compress(
                b"".join(
                    response(
                        "http://site%d.example/%d" % (number % 7, number),
                        html(article(number // 4, 60) + ["Copy %d." % number]),
                    )
                    for number in range(120)
                )
            ),
        )
        for detector in DETECTORS:
            command = ["pairs", "--detector", detector, "--threshold", "0.4", one, SAMPLE]
            expected, _ = self.ndc(*command)
            self.assertGreater(expected.count(b"\n"), 200)
            for threads in ("2", "5"):
                self.assertEqual(self.ndc(*command, "--threads", threads)[0], expected, detector)
            for threads in ("1", "3"):
                blocks, err = self.ndc(*command, "--memory", "1", "--threads", threads, "--stats")
                self.assertEqual(sorted(blocks.split(b"\n")), sorted(expected.split(b"\n")), detector)
            if detector == "lcs":
                self.assertRegex(err, r"(?m)^join\.blocks +[2-9]$")
                self.assertRegex(err, r"(?m)^join\.spooled_pages +\d+$")
                self.assertEqual(
                    self.ndc(*command, "--memory", "1", "--threads", "2")[0], blocks, "and keep the order of the blocks"
                )

    def test_thresholds_in_the_detectors_own_unit(self):
        for detector, option, whole in (
            ("simhash64", "--bits", 64),
            ("simhash128", "--bits", 128),
            ("moz-vector", "--entries", 128),
        ):
            every = self.pairs("--detector", detector, "--threshold", "0.5", SAMPLE)
            for least in (whole * 3 // 4, whole - 5, whole):
                wanted = [row for row in every if row[2] >= round(least / whole, 4)]
                self.assertGreater(len(wanted), 0)
                self.assertEqual(self.pairs("--detector", detector, option, str(least), SAMPLE), wanted, least)

    def test_clusters(self):
        """By the rows of the pairs: what they connect, and the first similar representative."""
        options = ["--detector", "simhash64", "--threshold", "0.7"]
        rows = self.pairs(*options, SAMPLE)
        urls = [line.split("\t")[0] for line in self.ndc("dedup", SAMPLE)[0].decode().splitlines()[1:]]
        connected = {url: url for url in urls}
        for later, earlier, _ in rows:
            old, new = connected[later], connected[earlier]
            for url in urls:
                if connected[url] in (old, new):
                    connected[url] = min(old, new, key=urls.index)
        similar = {url: [earlier for later, earlier, _ in rows if later == url] for url in urls}
        representative = {}
        for url in urls:
            founders = [other for other in urls if other in similar[url] and representative.get(other) == other]
            representative[url] = founders[0] if founders else url
        self.assertNotEqual(list(connected.values()), list(representative.values()))
        for kind, wanted in (("connected", connected), ("representative", representative)):
            for memory in ("1024", "1"):
                command = ["pairs", *options, "--clusters", kind, "--memory", memory, SAMPLE]
                lines = self.ndc(*command)[0].decode().splitlines()
                self.assertEqual(lines[0], "#url\tcluster_url\tpage\tcluster_page")
                rows = [[url, wanted[url], str(urls.index(url) + 1), str(urls.index(wanted[url]) + 1)] for url in urls]
                self.assertEqual([line.split("\t") for line in lines[1:]], rows, kind)
                lines = self.ndc(*command, "--format", "jsonl")[0].splitlines()
                names = ("url", "cluster_url", "page", "cluster_page")
                self.assertEqual(
                    [json.loads(line) for line in lines],
                    [dict(zip(names, (*row[:2], int(row[2]), int(row[3])))) for row in rows],
                )

    def test_clusters_of_a_url_that_comes_twice(self):
        texts = [article(1), article(2), article(3), article(2)]  # the second is like the fourth, of the same URL
        urls = ["http://a.example/", "http://b.example/", "http://a.example/", "http://b.example/"]
        path = self.write("twice.warc", b"".join(response(url, html(text)) for url, text in zip(urls, texts)))
        for memory in ("1024", "1"):
            out = self.ndc("pairs", "--threshold", "0.5", "--clusters", "connected", "--memory", memory, path)[0]
            rows = [line.split("\t") for line in out.decode().splitlines()[1:]]
            self.assertEqual([row[0] for row in rows], urls)
            self.assertEqual([row[2:] for row in rows], [["1", "1"], ["2", "2"], ["3", "3"], ["4", "2"]])

    def test_only_fingerprints(self):
        every = self.pairs("--threshold", "0.3", SAMPLE)
        report = self.pairs("--threshold", "0.3", "--option", "x_relaxed=false", SAMPLE)
        self.assertLess(len(report), len(every))
        self.assertLessEqual(set(report), set(every))

    def test_empty_input(self):
        self.assertEqual(self.pairs("--threshold", "0", "-", data=b""), [])
        self.assertEqual(self.pairs("--threshold", "0", "--threads", "3", self.write("no.warc", b"")), [])
        empty = response("http://a.example/", b"<html></html>") * 3
        for detector in DETECTORS:
            self.assertEqual(self.pairs("--detector", detector, "--threshold", "0", "-", data=empty), [])
        one = response("http://a.example/", html(article(1, 60)))
        self.assertEqual(self.pairs("--threshold", "0", "-", data=one), [])
        for kind in ("connected", "representative"):
            command = ("pairs", "--threshold", "0", "--clusters", kind, "-")
            self.assertEqual(self.ndc(*command, data=b"")[0], b"#url\tcluster_url\tpage\tcluster_page\n")
            lines = self.ndc(*command, data=one)[0].splitlines()
            self.assertEqual(lines[1:], [b"http://a.example/\thttp://a.example/\t1\t1"])

    def test_pairs_are_streamed(self):
        count = 1500
        body = html(article(5, 4))
        path = self.write(
            "same.warc",
            b"".join(
                response("http://a-long-name-of-a-site.example/page/%06d" % number, body) for number in range(count)
            ),
        )
        out = os.path.join(self.folder.name, "pairs.tsv")
        with subprocess.Popen(
            [cli_test.NDC, "pairs", "--detector", "spotsigs", "--threshold", "1", "--threads", "2", path, "-o", out],
            stderr=subprocess.PIPE,
        ) as process:
            self.assertEqual(process.stderr.read(), b"")
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        with open(out, "rb") as file:
            self.assertEqual(sum(1 for _ in file), 1 + count * (count - 1) // 2)
        with open(cli_test.NDC, "rb") as file:
            program = file.read()
        if b"__asan_init" not in program and b"__tsan_init" not in program:
            self.assertLess(usage.ru_maxrss * 1024, os.path.getsize(out), "memory does not grow with the pairs")

    def test_wrong_usage(self):
        for threshold in ("-0.1", "1.1", "0.1234", "nan", "inf", "x"):
            self.ndc("pairs", "--threshold=" + threshold, self.pages(), code=2)
        self.ndc("pairs", self.pages(), code=2)
        for detector in ("LCS", ""):
            self.ndc("pairs", "--threshold", "1", "--detector", detector, self.pages(), code=2)
        for units in (
            ["--detector", "simhash64", "--bits", "5", "--threshold=-1"],
            ["--bits", "59"],
            ["--detector", "simhash64", "--bits", "65"],
            ["--detector", "simhash64", "--bits", "0"],
            ["--detector", "simhash128", "--bits", "129"],
            ["--detector", "simhash128", "--entries", "100"],
            ["--detector", "moz-vector", "--entries", "129"],
            ["--detector", "simhash64", "--bits", "59", "--threshold", "0.9"],
        ):
            self.ndc("pairs", *units, self.pages(), code=2)
        self.ndc("pairs", "--threshold", "1", "--clusters", "all", self.pages(), code=2)
        for containment in ("-0.1", "1.1", "0.1234", "nan"):
            self.ndc("pairs", "--threshold", "1", "--containment=" + containment, self.pages(), code=2)
        alone = self.ndc("pairs", "--detector", "mwo", "--threshold", "1", "--containment", "1", self.pages(), code=2)
        self.assertIn("lcs alone", alone[1])
        self.ndc("pairs", "--containment", "1", self.pages(), code=2)
        for option in (["--threads", "0"], ["--threads", "257"], ["--memory", "0"], ["--option", "no_such_key=1"]):
            self.ndc("pairs", "--threshold", "1", *option, self.pages(), code=2)
        pages = self.pages()
        self.ndc("pairs", "--threshold", "1", pages, "-o", pages, code=2)
        self.ndc("pairs", "--threshold", "1", "no-such-file.warc", code=1)

    def test_damage_is_skipped_and_told(self):
        records = Archive.records()
        path = self.write("damaged.warc", records[0] + b"no record\r\n\r\n" + b"".join(records[1:]))
        out, err = self.ndc("pairs", "--threshold", "0.9", path, code=3)
        self.assertEqual(out, self.ndc("pairs", "--threshold", "0.9", self.pages())[0])
        self.assertIn("damaged.warc", err)

    def test_a_full_disk_is_told(self):
        err = self.ndc("pairs", "--threshold", "0", SAMPLE, "-o", "/dev/full", code=1)[1]
        self.assertIn("No space left", err)

    def test_stats(self):
        err = self.ndc("pairs", "--threshold", "0.9", "--stats", self.pages())[1]
        self.assertRegex(err, r"(?m)^input\.pages +5$")
        self.assertRegex(err, r"(?m)^join\.pairs +3$")
        self.assertRegex(err, r"(?m)^join\.blocks +1$")
        self.assertRegex(err, r"(?m)^ndc: 5 pages, 3 pairs in \d+\.\d s$")


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
