#!/usr/bin/env python3
"""`ndc extract`, `similar` and `explain` show what the library makes of the pages of an archive.

usage: shown_pages_test.py PATH_OF_NDC [unittest arguments]
"""
import json
import os
import re
import shutil
import sys
import unittest

import cli_test
from cli_test import Archive, CliTest, article, html, response

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "sample", "documentation.warc.gz")


class ExtractTest(CliTest):
    def test_text(self):
        out, _ = self.ndc("extract", self.pages())
        text = out.decode()
        for url, _ in Archive.pages:
            self.assertIn("\n" + url + "\n", "\n" + text)
        self.assertRegex(text, r"(?m)^  title +A page$")
        self.assertRegex(text, r"(?m)^  [01]\.\d\d  ")

    def test_what_detectors_keep(self):
        url = Archive.pages[1][0]
        out, _ = self.ndc(
            "extract", self.pages(), "--url", url, "--show", "spots,terms,simhash,vector", "--format", "jsonl"
        )
        shown = json.loads(out)
        self.assertEqual({len(spot["words"]) for spot in shown["spots"]}, {3})
        self.assertAlmostEqual(sum(term["share"] for term in shown["terms"]), 1, places=3)
        self.assertTrue(all(term["term"] for term in shown["terms"]))
        self.assertRegex(shown["simhash"], r"^[0-9a-f]{16}$")
        self.assertEqual(len(shown["vector"]), 128)
        text = self.ndc("extract", self.pages(), "--url", url, "--show", "spots,simhash")[0].decode()
        self.assertIn("  simhash         " + shown["simhash"] + "\n", text)
        self.assertIn("  spots: %d\n    1  %s\n" % (len(shown["spots"]), " ".join(shown["spots"][0]["words"])), text)
        self.ndc("extract", self.pages(), "--show", "nothing", code=2)

    def test_one_url(self):
        url = Archive.pages[1][0]
        out, _ = self.ndc("extract", self.pages(), "--url", url, "--format", "jsonl")
        extract = json.loads(out)
        self.assertEqual(extract["url"], url)
        self.assertEqual(extract["kind"], "html")
        self.assertTrue(any("one more sentence" in block["text"].lower() for block in extract["blocks"]))
        self.assertIn("no page", self.ndc("extract", self.pages(), "--url", "http://none/", code=1)[1])

    def test_control_characters_do_not_reach_the_terminal(self):
        data = response("http://evil.example/\x1b[2J", html(article(4), title="a\x1b[2Jb"))
        self.assertNotIn(b"\x1b", self.ndc("extract", "-", data=data)[0])


class SimilarTest(CliTest):
    def rows(self, *arguments):
        lines = self.ndc("similar", *arguments)[0].decode().splitlines()
        self.assertEqual(lines[0], "#score\turl\tgroup")
        return [line.split("\t") for line in lines[1:]]

    def test_an_archive_and_its_store_give_the_same_list(self):
        store = os.path.join(self.folder.name, "similar.ndc")
        for detector in ["lcs", "spotsigs", "mwo"]:
            shutil.rmtree(store, ignore_errors=True)
            self.ndc("dedup", "--detector", detector, "--store", store, self.pages(), "-o", os.devnull)
            rows = self.rows("--detector", detector, self.pages(), Archive.pages[0][0])
            self.assertIn(rows[0][1], ("http://four.example/same", Archive.pages[1][0]), detector)
            scores = [float(row[0]) for row in rows]
            self.assertEqual(scores, sorted(scores, reverse=True))
            self.assertEqual(self.rows(store, Archive.pages[0][0]), rows, detector)
            self.assertEqual(self.rows("-k", "1", store, Archive.pages[0][0]), rows[:1])

    def test_members_of_groups_are_found_as_representatives_are(self):
        """By the complete join: whoever reaches the threshold with the page, whatever represents it."""
        for detector, threshold in (("mwo", 0.2), ("spotsigs", 0.3), ("lcs", 0.6)):
            table = self.ndc("pairs", "--detector", detector, "--threshold", str(threshold), SAMPLE)[0].decode()
            partners = {}
            for row in (line.split("\t") for line in table.splitlines()[1:]):
                partners.setdefault(row[0], set()).add(row[1])
                partners.setdefault(row[1], set()).add(row[0])
            option = [] if detector == "lcs" else ["--option", "detector_threshold=%d" % (threshold * 1000)]
            self.assertGreater(len(partners), 50)
            for url in sorted(partners)[::40]:
                rows = self.rows("--detector", detector, "-k", "200", *option, SAMPLE, url)
                self.assertLessEqual(partners[url], {row[1] for row in rows}, (detector, url))

    def test_what_is_missing_is_named(self):
        self.assertIn("http://none/", self.ndc("similar", self.pages(), "http://none/", code=1)[1])
        self.ndc("similar", "-k", "0", self.pages(), Archive.pages[0][0], code=2)
        self.ndc("similar", "--detector", "none", self.pages(), Archive.pages[0][0], code=2)


class ExplainTest(CliTest):
    def test_another_detector_explains_itself(self):
        out, _ = self.ndc(
            "explain",
            "--option",
            "detector=mwo",
            "--option",
            "decide=method",
            self.pages(),
            Archive.pages[0][0],
            Archive.pages[1][0],
        )
        text = out.decode()
        self.assertRegex(text, r"(?m)^detector +mwo: score 0\.\d{4}, near-duplicates from 0\.5000 on$")
        self.assertRegex(text, r"(?m)^compared +terms: \d+ of a, \d+ of b, \d+ shared$")
        self.assertRegex(text, r"(?m)^decided by +detector_threshold: asked for 0\.5000, found 0\.\d{4}$")
        self.assertNotRegex(text, r"(?m)^(resemblance|shared)")

    def test_text(self):
        out, _ = self.ndc("explain", self.pages(), Archive.pages[0][0], Archive.pages[1][0])
        text = out.decode()
        self.assertIn(Archive.pages[0][0], text)
        self.assertIn(Archive.pages[1][0], text)
        self.assertRegex(text, r"(?m)^verdict +near \(rule: .+\)$")
        self.assertRegex(text, r"(?m)^resemblance +0\.\d{4}$")
        self.assertRegex(text, r"(?m)^containment +[01]\.\d{4}$")
        added = " ".join(line[2:] for line in text.splitlines() if line.startswith("+ ")).lower()
        self.assertIn("more sentence", added)
        self.assertFalse([line for line in text.splitlines() if line.startswith("- ")])

    def test_order_of_the_archive_does_not_matter(self):
        backwards = self.write("backwards.warc", b"".join(reversed(Archive.records())))
        arguments = [Archive.pages[0][0], Archive.pages[1][0]]
        self.assertEqual(
            self.ndc("explain", backwards, *arguments)[0], self.ndc("explain", self.pages(), *arguments)[0]
        )

    def test_json(self):
        out, _ = self.ndc("explain", "--format", "json", self.pages(), Archive.pages[0][0], Archive.pages[2][0])
        self.assertEqual(json.loads(out)["verdict"], "different")

    def test_steps_of_the_report(self):
        a, b = Archive.pages[0][0], Archive.pages[1][0]
        command = ["explain", self.pages(), a, b, "--show", "sketch,trustable"]
        text = self.ndc(*command, "--option", "decision=report")[0].decode()
        json_text = self.ndc("explain", "--format", "json", "--option", "decision=report", self.pages(), a, b)[0]
        explained = json.loads(json_text)
        titles = ("\nsketch of a:\n", "\nsketch of b:\n", "\ntrustable of a:\n")
        shown = re.split("|".join(titles), text)[1:]
        ranges = (explained["sketch"]["a"], explained["sketch"]["b"], explained["trustable"])
        for part, of_part in zip(shown, ranges, strict=True):
            self.assertEqual(part.split(), " ".join(each["text"] for each in of_part).split())
            self.assertGreater(len(part.split()), 300)
        self.assertNotIn("more sentence", text)
        self.assertIn("more sentence", json_text.decode())
        default = self.ndc(*command)[0].decode()
        self.assertIn("sketch: only the comparison of --option decision=report has it", default)
        self.ndc(*command, "--format", "json", code=2)
        self.ndc("explain", self.pages(), a, b, "--show", "spots", code=2)
        for name in ("sketch", "trustable"):
            err = self.ndc("extract", self.pages(), "--url", a, "--show", "spots," + name, code=2)[1]
            self.assertIn("ndc explain INPUT URL_A URL_B --option decision=report --show " + name, err)

    def test_missing_and_equal_urls(self):
        err = self.ndc("explain", self.pages(), Archive.pages[0][0], "http://none/", code=1)[1]
        self.assertIn("http://none/", err)
        self.ndc("explain", self.pages(), Archive.pages[0][0], Archive.pages[0][0], code=2)


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
