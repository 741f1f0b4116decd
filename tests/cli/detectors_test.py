#!/usr/bin/env python3
"""Every detector on collections that are smaller than its limits are made for: none, one page, a few pages, so that no
epoch of document frequencies ever begins; and thresholds that are none of its unit.

usage: detectors_test.py PATH_OF_NDC [unittest arguments]
"""
import os
import sys
import unittest

import cli_test
from cli_test import CliTest, article, html, response

# The unit of option detector_threshold, and the greatest value; None: no threshold.
UNITS = {
    "spotsigs": ("thousandths", 1000),
    "i-match-s": None,
    "lsh-s": ("thousandths", 1000),
    "moz-vector": ("equal entries of 128", 128),
    "simhash64": ("equal bits of 64", 64),
    "simhash128": ("equal bits of 128", 128),
    "mwo": ("thousandths", 1000),
    "shingles": ("thousandths", 1000),
    "minhash": ("thousandths", 1000),
    "cosine": ("thousandths", 999),
    "i-match": None,
    "exact": None,
}
DETECTORS = ["lcs", *UNITS]
ONE = response("http://one.example/", html(article(1)))
# Below an epoch, which begins at 4,096 groups.
FEW = ONE + response("http://two.example/", html(article(2))) + response("http://one.example/", html(article(1)))


class DetectorsTest(CliTest):
    def decided(self, detector, *options):
        decide = [] if detector == "lcs" else ["--decide", "method"]
        return ["dedup", "--detector", detector, *decide, *options, "-"]

    def test_an_empty_collection(self):
        for detector in DETECTORS:
            self.assertEqual(self.rows(self.ndc(*self.decided(detector), data=b"")[0]), [], detector)
            out = self.ndc("pairs", "--detector", detector, "--threshold", "0", "-", data=b"")[0]
            self.assertEqual(len(out.splitlines()), 1, detector)
            no_page = self.ndc("similar", "--detector", detector, "-", "http://one.example/", data=b"", code=1)[1]
            self.assertIn("no page with the URL http://one.example/", no_page)

    def test_one_page(self):
        for detector in DETECTORS:
            rows = self.rows(self.ndc(*self.decided(detector), data=ONE)[0])
            self.assertEqual([row["verdict"] for row in rows], ["new"], detector)
            out = self.ndc("pairs", "--detector", detector, "--threshold", "0", "-", data=ONE)[0]
            self.assertEqual(len(out.splitlines()), 1, detector)
            path = self.write("one.warc", ONE)
            self.assertEqual(
                self.ndc("similar", "--detector", detector, path, "http://one.example/")[0], b"#score\turl\tgroup\n"
            )

    def test_fewer_pages_than_an_epoch_has(self):
        """All words weigh the same, so that equal texts are found, and others not by what is frequent."""
        pages = FEW.replace(b"http://one.example/", b"http://six.example/", 1)
        for detector in DETECTORS:
            rows = self.rows(self.ndc(*self.decided(detector), data=pages)[0])
            self.assertEqual([row["group_id"] for row in rows], ["1", "2", "1"], detector)
            out = self.ndc("pairs", "--detector", detector, "--threshold", "0.9", "-", data=pages)[0]
            pairs = [line.split(b"\t")[:2] for line in out.splitlines()[1:]]
            self.assertEqual(pairs, [[b"http://one.example/", b"http://six.example/"]], detector)

    def test_thresholds_outside_the_range_of_a_unit(self):
        for detector, unit in UNITS.items():
            name = "detector_threshold=%d" % (unit[1] + 1 if unit else 1)
            is_of_option = bool(unit) and unit[1] == 1000  # the range of the option itself
            err = self.ndc(*self.decided(detector, "--option", name), data=FEW, code=2)[1]
            wanted = "takes 1..%d %s, or 0 for its default" % (unit[1], unit[0]) if unit else "has no threshold"
            wanted = '"1001" is not an integer in 0..1000' if is_of_option else "detector %s %s" % (detector, wanted)
            self.assertIn(wanted, err)
            if unit:
                self.ndc(*self.decided(detector, "--option", "detector_threshold=%d" % unit[1]), data=FEW)
        for value in ("-1", "1001", "0.5", "x"):
            err = self.ndc(*self.decided("mwo", "--option", "detector_threshold=" + value), data=FEW, code=2)[1]
            self.assertIn('"%s" is not an integer in 0..1000' % value, err)


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
