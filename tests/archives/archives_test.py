#!/usr/bin/env python3
"""Archives that real tools make of a site on the loopback interface: `ndc` reads as many records as warcio does, and
the same pages.

usage: archives_test.py PATH_OF_NDC [unittest arguments]

Without a tool its tests are skipped. NDC_WARC_SUITES names a folder with the test files of other projects, which are
not part of the repository: a folder for each project, as archives_table.py wants them.
"""
import collections
import os
import sys
import tempfile
import unittest

import archives_table
import crawled_site
import made_archives

if made_archives.capture_http is not None:
    import archive_counts

NDC = ""
SUITES = os.environ.get("NDC_WARC_SUITES")
VERDICTS = {"/copy.html": "near", "/empty.html": "no-text"}


class ArchivesTest(unittest.TestCase):
    def made(self, tool, make):
        for needed in (tool, "warcio"):  # which counts
            reason = made_archives.why_not(needed)
            if reason:
                self.skipTest(reason)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with crawled_site.served() as site:
            return site, make(site, folder.name)

    def read(self, site, paths):
        """Both have read all, to the end; and every page is one. Gives what ndc read, and its pages by path
        and verdict."""
        counted, read = archive_counts.by_warcio(paths), archive_counts.Read(NDC, paths)
        self.assertIsNone(counted.failure)
        self.assertEqual(read.code, 0, read.messages)
        self.assertEqual(read.records, counted.records)
        self.assertEqual(read.records, read.pages + sum(read.left_out.values()))
        pages = collections.Counter(path[len(site) :] for path, _ in read.rows)
        self.assertEqual(set(pages), set(crawled_site.PAGES))
        self.assertEqual(read.pages, sum(pages.values()))
        first = {}
        for url, verdict in read.rows:
            first.setdefault(url[len(site) :], verdict)
        if list(first)[-1] == "/":  # it tells nobody but itself
            first.pop("/")
        self.assertEqual(first, {path: VERDICTS.get(path, "new") for path in first})
        return counted, read

    def assert_left_out(self, read, **counts):
        expected = {
            "left_out_style_sheets": 1,
            "left_out_scripts": 1,
            "left_out_json": 2,
            "left_out_feeds": 1,
            "left_out_images": 1,
        }
        expected.update(counts)
        self.assertEqual(read.left_out, expected)

    def wget_is_read(self, name, *options):
        site, paths = self.made("wget", lambda site, folder: made_archives.wget(site, folder, name, *options))
        counted, read = self.read(site, paths)
        self.assert_left_out(
            read,
            other_record_types=counted.types["request"] + counted.types["warcinfo"] + counted.types["metadata"],
            # The missing page, robots.txt, and the one that has moved.
            other_http_statuses=3,
            # Its own arguments and log, which are "resource" records of type text/plain.
            left_out_archive_notes=counted.types["resource"],
        )
        self.assertEqual(counted.types["resource"], 2)

    def test_wget(self):
        self.wget_is_read("packed")

    def test_wget_plain(self):
        self.wget_is_read("plain", "--no-warc-compression")

    def test_wget_revisits(self):
        site, (first, second) = self.made("wget", made_archives.wget_twice)
        counted, read = self.read(site, [first, second])
        self.assertGreaterEqual(counted.types["revisit"], len(crawled_site.PAGES))
        again = [verdict for _, verdict in read.rows[len(read.rows) // 2 :]]
        self.assertEqual(set(again), {"unchanged"})
        # The second alone refers to what is not there; but one record has the payload of another in it, and redirects
        # say so themselves.
        alone = archive_counts.Read(NDC, [second])
        self.assertEqual(alone.rows, [(site + "/empty.html", "no-text")])
        self.assertEqual(alone.left_out["other_http_statuses"], 3)
        self.assertEqual(alone.left_out["left_out_lost_revisits"], counted.types["revisit"] - 1 - 3)

    def test_warcio(self):
        for name, gzip in (("packed.warc.gz", True), ("plain.warc", False)):
            site, paths = self.made(
                "warcio", lambda site, folder, name=name, gzip=gzip: made_archives.warcio(site, folder, name, gzip)
            )
            counted, read = self.read(site, paths)
            self.assertEqual(
                counted.types, {"request": len(crawled_site.ANSWERS), "response": len(crawled_site.ANSWERS)}
            )
            self.assert_left_out(read, other_record_types=len(crawled_site.ANSWERS), other_http_statuses=2)

    def test_wacz_as_browsertrix_has_it(self):
        site, paths = self.made("wacz", made_archives.browsertrix)
        counted, read = self.read(site, paths)
        self.assertEqual(counted.types["resource"], 4 * len(crawled_site.PAGES))
        self.assert_left_out(
            read,
            other_record_types=len(crawled_site.ANSWERS) + 1,
            other_http_statuses=2,
            left_out_archive_notes=counted.types["resource"],
        )

    @unittest.skipUnless(SUITES, "NDC_WARC_SUITES names no folder with test files of other projects")
    def test_files_of_other_projects(self):
        if made_archives.why_not("warcio"):
            self.skipTest(made_archives.why_not("warcio"))
        for path in archives_table.files_below(SUITES):
            counted, read = archive_counts.by_warcio([path]), archive_counts.Read(NDC, [path])
            why = archives_table.why_different(os.path.basename(path))
            said = "%s: warcio %d records, ndc %d; %s" % (path, counted.records, read.records, why)
            self.assertEqual(archives_table.differ(counted, read), why is not None, said)
            self.assertIn(read.code, (0, 3))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    NDC = sys.argv.pop(1)
    unittest.main()
