#!/usr/bin/env python3
"""`ndc migrate`: a new store from archives, and the map from the ids of the old one.

usage: migrate_test.py PATH_OF_NDC [unittest arguments]
"""
import gzip
import json
import os
import shutil
import subprocess
import sys
import time
import unittest

import cli_test
from cli_test import Archive, CliTest, article, html, response

FOLDER = os.path.dirname(os.path.abspath(__file__))
SAMPLE = os.path.join(FOLDER, "..", "..", "data", "sample", "documentation.warc.gz")
STORES = os.path.join(FOLDER, "..", "golden", "stores")  # as earlier releases wrote them


class MigrateTest(CliTest):
    def setUp(self):
        super().setUp()
        self.old, self.new, self.map, self.missing = (
            os.path.join(self.folder.name, name) for name in ("old.ndc", "new.ndc", "map.tsv", "missing.txt")
        )

    def fill_old(self, *arguments, path=None):
        self.ndc("dedup", "--store", self.old, *arguments, path or self.pages(), "-o", "/dev/null")

    def dump(self, store):
        lines = self.ndc("dump", store)[0].decode().splitlines()
        return {page["url"]: (str(page["page_id"]), str(page["group_id"])) for page in map(json.loads, lines)}

    def rows_of_map(self):
        with open(self.map, encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.assertEqual(lines[0].split("\t"), ["#url", "old_page_id", "old_group_id", "new_page_id", "new_group_id"])
        self.assertEqual(lines[-1], "")
        return {line.split("\t")[0]: tuple(line.split("\t")[1:]) for line in lines[1:-1]}

    def check_map(self):
        old, new = self.dump(self.old), self.dump(self.new)
        nowhere = ("-", "-")
        self.assertEqual(
            self.rows_of_map(), {url: old.get(url, nowhere) + new.get(url, nowhere) for url in old.keys() | new.keys()}
        )

    def test_map(self):
        self.fill_old("--option", "decision=classic")
        before = self.dump(self.old)
        out, err = self.ndc("migrate", self.old, self.new, self.pages(), "-o", self.map)
        self.assertEqual(out, b"")
        self.assertEqual(
            err,
            "ndc: 5 pages of the old store carried over, 0 not in the archives (their texts cannot be "
            "carried over), 0 only in the archives\n"
            "ndc: store %s: 5 pages, 3 groups, generation 1\n" % self.new,
        )
        self.check_map()
        self.assertEqual(self.dump(self.old), before)
        # A new store decides again, unless told otherwise.
        self.ndc("stats", self.new, "--option", "decision=document")
        self.ndc("stats", self.old, "--option", "decision=classic")
        again = self.new + "2"
        self.ndc("migrate", "--option", "decision=classic", self.old, again, self.pages(), "-o", self.map)
        self.ndc("stats", again, "--option", "decision=classic")

    def test_groups_are_those_of_a_run_in_memory(self):
        self.fill_old("--option", "decision=classic", path=SAMPLE)
        self.ndc("migrate", self.old, self.new, SAMPLE, "-o", self.map)
        self.check_map()
        expected = {row["#url"]: (row["page_id"], row["group_id"]) for row in self.rows(self.ndc("dedup", SAMPLE)[0])}
        self.assertEqual({url: row[2:] for url, row in self.rows_of_map().items()}, expected)

    def test_pages_that_one_side_lacks(self):
        self.fill_old()
        archive = self.write(
            "rest.warc", b"".join(Archive.records()[1:]) + response("http://six.example/f", html(article(7)))
        )
        err = self.ndc("migrate", self.old, self.new, archive, "-o", self.map, "--missing", self.missing)[1]
        self.assertIn("4 pages of the old store carried over, 1 not in the archives", err)
        self.assertIn("1 only in the archives", err)
        self.check_map()
        with open(self.missing, encoding="utf-8") as file:
            self.assertEqual(file.read(), Archive.pages[0][0] + "\n")

    def test_the_same_command_again(self):
        self.fill_old()
        path = self.pages()
        nowhere = os.path.join(self.folder.name, "missing", "map.tsv")
        self.assertIn(nowhere, self.ndc("migrate", self.old, self.new, path, "-o", nowhere, code=1)[1])
        self.assertFalse(os.path.exists(self.new))
        self.ndc("migrate", self.old, self.new, path, "-o", self.map)
        with open(self.map, "rb") as file:
            expected = file.read()
        os.remove(self.map)
        err = self.ndc("migrate", self.old, self.new, path, "-o", self.map)[1]
        self.assertIn("only the map is written", err)
        with open(self.map, "rb") as file:
            self.assertEqual(file.read(), expected)
        other = self.write("other.warc", Archive.records()[0])
        self.assertIn("other archives", self.ndc("migrate", self.old, self.new, other, "-o", self.map, code=1)[1])
        self.assertEqual(len(self.dump(self.new)), 5)
        with open(self.map, "rb") as file:
            self.assertEqual(file.read(), expected)

    def test_an_interrupted_migration_goes_on(self):
        pages = [
            ("http://site%d.example/%d" % (number % 7, number), html(article(100 + number // 3, 200)))
            for number in range(300)
        ]
        path = self.write("many.warc.gz", b"".join(gzip.compress(response(*page)) for page in pages))
        self.fill_old(path=path)
        killed = subprocess.Popen(
            [cli_test.NDC, "migrate", self.old, self.new, path, "-o", self.map], stderr=subprocess.DEVNULL
        )

        def journal_bytes():
            try:
                return sum(entry.stat().st_size for entry in os.scandir(self.new) if entry.name.startswith("journal"))
            except (
                FileNotFoundError
            ):  # a journal is written under another name first and renamed, maybe since the listing
                return 0

        while killed.poll() is None and journal_bytes() < 200000:
            time.sleep(0.001)
        was_running = killed.poll() is None
        killed.kill()
        killed.communicate(timeout=300)
        err = self.ndc("migrate", self.old, self.new, path, "-o", self.map)[1]
        if was_running:
            self.assertRegex(err, "continuing an earlier run behind|only the map is written")
        self.check_map()
        self.assertEqual(self.dump(self.new), self.dump(self.old))

    def test_options_of_the_old_store(self):
        self.fill_old("--option", "resemblance=0.6", "--option", "window_width=20")
        err = self.ndc("migrate", self.old, self.new, self.pages(), code=1)[1]
        self.assertRegex(err, "option resemblance is .* made with 0.6")
        self.assertRegex(err, "option window_width is 16, .* made with 20")
        self.assertIn("--option KEY=VALUE", err)
        self.assertFalse(os.path.exists(self.new))
        self.ndc(
            "migrate",
            self.old,
            self.new,
            self.pages(),
            "-o",
            self.map,
            "--option",
            "resemblance=0.6",
            "--option",
            "window_width=16",
            "--option",
            "durability=snapshot",
        )
        self.ndc("stats", self.new, "--option", "resemblance=0.6", "--option", "window_width=16")

    def test_stores_of_earlier_releases(self):
        """Their options are the defaults of their releases, and nobody has to name one that a later release
        has changed."""
        for release in sorted(os.listdir(STORES)):
            old, new = (os.path.join(self.folder.name, kind + release) for kind in ("old", "new"))
            shutil.copytree(os.path.join(STORES, release, "store"), old)
            err = self.ndc("migrate", old, new, self.pages(), "-o", self.map)[1]
            self.assertRegex(err, r"^ndc: 0 pages of the old store carried over, [1-9]\d* not in the archives")
            self.ndc("stats", new, "--option", "decision=document")

    def test_refusals(self):
        self.assertIn(self.old, self.ndc("migrate", self.old, self.new, self.pages(), code=1)[1])
        self.assertFalse(os.path.exists(self.new))
        self.fill_old()
        inside = os.path.join(self.old, "x")
        for arguments in (
            [self.old, self.old, self.pages()],
            [self.old, inside, self.pages()],
            [self.old, self.new, self.pages(), "-o", inside],
            [self.old, self.new, self.pages(), "--missing", "-"],
            [self.old, self.new, self.pages(), "-o", self.map, "--missing", self.map],
            [self.old, self.new, self.pages(), "--option", "word"],
            [self.old, self.new],
        ):
            self.ndc("migrate", *arguments, code=2)
        link = os.path.join(self.folder.name, "link")
        os.symlink(self.missing, link)
        self.ndc("migrate", self.old, self.new, self.pages(), "-o", self.missing, "--missing", link, code=2)
        path = self.pages()
        self.assertIn("one of the inputs", self.ndc("migrate", self.old, self.new, path, "--missing", path, code=2)[1])
        self.assertFalse(os.path.exists(self.new))
        # A store that no migration has filled, and a directory that is none.
        self.ndc("dedup", "--store", self.new, self.pages(), "-o", "/dev/null")
        self.assertIn("has pages already", self.ndc("migrate", self.old, self.new, self.pages(), code=1)[1])
        plain = os.path.join(self.folder.name, "plain")
        os.mkdir(plain)
        self.write("plain/file", b"x")
        self.assertIn(plain, self.ndc("migrate", self.old, plain, self.pages(), code=1)[1])

    def test_standard_input_and_damage(self):
        self.fill_old()
        data = b"".join(Archive.records()[:3]) + b"garbage\r\n" + b"".join(Archive.records()[3:])
        out, err = self.ndc("migrate", self.old, self.new, "-", "--threads", "2", data=data, code=3)
        self.assertEqual(len(out.splitlines()), 6)
        self.assertIn("skipped", err)
        self.assertIn("has pages already", self.ndc("migrate", self.old, self.new, "-", data=data, code=1)[1])


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
