#!/usr/bin/env python3
"""`ndc verify --repair`, and what commands say of damage in a store.

usage: repair_test.py PATH_OF_NDC [unittest arguments]
"""
import json
import os
import shutil
import sys
import unittest

import cli_test
from cli_test import CliTest, article, html, response

FOLDER = os.path.dirname(os.path.abspath(__file__))
STORES = os.path.join(FOLDER, "..", "golden", "stores")  # as releases wrote them


class RepairTest(CliTest):
    def setUp(self):
        super().setUp()
        self.store, self.saved = (os.path.join(self.folder.name, name) for name in ("pages.ndc", "saved.ndc"))

    def fill(self):
        self.ndc("dedup", "--store", self.store, self.pages(), "-o", "/dev/null")

    def dump(self, store):
        return [json.loads(line) for line in self.ndc("dump", store)[0].decode().splitlines()]

    def bytes_of(self, store):
        files = {}
        for name in os.listdir(store):
            with open(os.path.join(store, name), "rb") as file:
                files[name] = file.read()
        return files

    def test_a_whole_store(self):
        self.fill()
        before = self.bytes_of(self.store)
        out, err = self.ndc("verify", self.store, "--repair", self.saved)
        self.assertEqual(out, b"")
        self.assertEqual(err, "ndc: store %s: 5 pages, 3 groups; lost: 0 pages\n" % self.saved)
        self.assertEqual(self.bytes_of(self.store), before)
        self.ndc("verify", self.saved)
        self.assertEqual(self.dump(self.saved), self.dump(self.store))
        self.assertIn("is there already", self.ndc("verify", self.store, "--repair", self.saved, code=1)[1])

    def test_a_damaged_block(self):
        self.fill()
        for name in ("manifest-", "journal-"):  # else the generation before has it all
            os.remove(os.path.join(self.store, name + "%020d" % 0))
        run = sorted(name for name in os.listdir(self.store) if name.endswith("-pages"))[0]
        with open(os.path.join(self.store, run), "r+b") as file:
            file.seek(100)
            file.write(b"damage")
        before = self.bytes_of(self.store)
        out, err = self.ndc("verify", self.store, "--repair", self.saved, code=3)
        self.assertIn(run.encode() + b": byte 0: a block of ", out)
        self.assertIn("lost: 5 pages", err)
        self.assertEqual(self.bytes_of(self.store), before)
        self.ndc("verify", self.saved)
        # Everything is new to it.
        rows = self.ndc("dedup", "--store", self.saved, self.pages())[0]
        self.assertEqual(len(self.rows(rows)), 5)

    # What releases have written, with all that they knew.
    def test_stores_of_releases(self):
        for release in sorted(os.listdir(STORES)):
            store = os.path.join(STORES, release, "store")
            with self.subTest(release=release):
                # A copy that its journal has been taken into: dump sees snapshots alone.
                shutil.rmtree(self.saved, ignore_errors=True)
                copy = os.path.join(self.folder.name, release)
                shutil.copytree(store, copy)
                self.ndc("verify", copy, "--repair", self.saved)
                self.ndc("verify", self.saved)
                self.ndc("compact", copy)
                ids = lambda pages: [(page["url"], page["page_id"], page["group_id"]) for page in pages]  # noqa: E731
                self.assertEqual(ids(self.dump(self.saved)), ids(self.dump(copy)))

    def test_damage_in_the_journal_is_reported(self):
        archive = self.write(
            "many.warc",
            b"".join(response("http://many.example/%d" % number, html(article(number))) for number in range(40)),
        )
        self.ndc("dedup", "--store", self.store, archive, "-o", "/dev/null")
        # The journal of the last snapshot has no record; one that is not the beginning of any is put there.
        journal = os.path.join(
            self.store, sorted(name for name in os.listdir(self.store) if name.startswith("journal-"))[-1]
        )
        with open(journal, "ab") as file:
            file.write(b"x" * 1000)
        name = os.path.basename(journal)
        out = self.ndc("verify", self.store, code=1)[0].decode()
        self.assertIn(name + ": byte 64: ", out)
        self.assertIn("1000 bytes", out)
        self.assertIn("recover=true", self.ndc("compact", self.store, "--option", "verify=full", code=1)[1])
        err = self.ndc("compact", self.store)[1]
        self.assertIn(name + ", offset 64: ", err)
        self.assertIn("1000 bytes", err)
        self.ndc("verify", self.store)


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
