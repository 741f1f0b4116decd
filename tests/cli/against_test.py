#!/usr/bin/env python3
"""`ndc dedup --against`.

usage: against_test.py PATH_OF_NDC [unittest arguments]
"""
import os
import shutil
import sys
import unittest

import cli_test
from cli_test import Archive, CliTest, article, html, response


class StoresTest(CliTest):
    def path(self, name):
        return os.path.join(self.folder.name, name)

    def fill(self, name, records):
        archive = self.write(name + ".warc", b"".join(records))
        self.ndc("dedup", "--store", self.path(name), archive, "-o", "/dev/null")
        return self.path(name)

    def bytes_of(self, store):
        files = {}
        for name in os.listdir(store):
            with open(os.path.join(store, name), "rb") as file:
                files[name] = file.read()
        return files


class AgainstTest(StoresTest):
    def setUp(self):
        super().setUp()
        self.store = self.fill("known.ndc", Archive.records())
        near = article(2)[:-1] + ["Another end."]
        self.input = self.write(
            "new.warc",
            b"".join(
                [
                    response("http://seven.example/", html(near)),  # a copy of a page that the store has
                    response("http://eight.example/", html(article(8))),
                    response("http://nine.example/", html(article(8))),  # a copy of the page before
                    response("http://one.example/a", html(article(1))),  # known
                    response("http://three.example/other", html(article(10))),  # known, with other text now
                    response("http://ten.example/", b""),
                ]
            ),
        )

    def test_rows_are_those_of_a_store_and_the_store_stays(self):
        copy = self.path("copy.ndc")
        shutil.copytree(self.store, copy)
        before = self.bytes_of(self.store)
        expected = self.ndc("dedup", "--store", copy, self.input)[0]
        out, err = self.ndc("dedup", "--against", self.store, self.input)
        self.assertEqual(out, expected)
        self.assertEqual(err, "")
        self.assertEqual(
            [row["verdict"] for row in self.rows(out)], ["near", "new", "exact", "unchanged", "new", "no-text"]
        )
        self.assertEqual(self.ndc("dedup", "--against", self.store, self.input)[0], expected)
        for more in (["--threads", "4"], ["--format", "jsonl"], ["--warc-metadata", self.path("verdicts.warc")]):
            self.ndc("dedup", "--against", self.store, self.input, *more, "-o", "/dev/null")
        self.assertEqual(self.bytes_of(self.store), before)
        os.chmod(self.store, 0o555)  # nobody but root could write it
        self.addCleanup(os.chmod, self.store, 0o755)
        self.ndc("dedup", "--against", self.store, self.input, "-o", "/dev/null")

    def test_refusals(self):
        before = self.bytes_of(self.store)
        for more, said in (
            (["--store", self.path("copy.ndc")], "only one of them"),
            (["--keep", "first"], "--against"),
            (["--format", "groups"], "--against"),
            (["--order", "fingerprints"], "--against"),
            (["--restart"], "--store"),
            (["-o", os.path.join(self.store, "rows.tsv")], "lies in the store"),
        ):
            self.assertIn(said, self.ndc("dedup", "--against", self.store, self.input, *more, code=2)[1])
        missing = self.path("no-store")
        self.assertIn("no-store", self.ndc("dedup", "--against", missing, self.input, code=1)[1])
        self.assertFalse(os.path.exists(missing))
        err = self.ndc("dedup", "--against", self.store, self.input, "--option", "same_document=0.9", code=1)[1]
        self.assertIn("same_document", err)
        self.assertEqual(self.bytes_of(self.store), before)


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
