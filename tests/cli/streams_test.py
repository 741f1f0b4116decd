#!/usr/bin/env python3
"""Standard streams that are closed or full: no row goes into another file, and no command says that it is done.

usage: streams_test.py PATH_OF_NDC [unittest arguments]
"""
import itertools
import os
import subprocess
import sys
import unittest

import cli_test
from cli_test import CliTest


class StreamsTest(CliTest):
    def setUp(self):
        super().setUp()
        self.store = os.path.join(self.folder.name, "pages.ndc")
        self.archive = self.pages()
        self.ndc("dedup", "--store", self.store, self.archive, "-o", "/dev/null")

    def commands_with_rows(self):
        return [
            ["dedup", self.archive],
            ["dedup", "--store", self.store, self.archive],
            ["dedup", self.archive, "--format", "jsonl"],
            ["pairs", "--detector", "spotsigs", "--threshold", "0.44", self.archive],
            ["extract", self.archive],
            ["stats", self.store],
            ["dump", self.store],
            ["events", self.store],
            ["verify", self.store],
            ["options"],
            ["--help"],
            ["dedup", "--help"],
            ["--version"],
        ]

    def run_shell(self, arguments, redirection):
        done = subprocess.run(
            ["bash", "-c", 'exec "$0" "$@" ' + redirection, cli_test.NDC, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
        )
        return done.returncode, done.stderr.decode()

    def assert_store_is_whole(self):
        self.ndc("verify", self.store)
        self.assertEqual(os.path.getsize(os.path.join(self.store, "lock")), 0)

    @unittest.skipUnless(os.path.exists("/dev/full"), "the system has no /dev/full")
    def test_full(self):
        for command in self.commands_with_rows():
            if command[0] == "events":
                continue  # there are none yet
            with self.subTest(command=command):
                code, err = self.run_shell(command, ">/dev/full")
                self.assertEqual(code, 1, err)
                self.assertIn("cannot write standard output", err)
        self.assert_store_is_whole()

    def test_closed_output(self):
        for command in self.commands_with_rows():
            if command[0] == "events":
                continue
            with self.subTest(command=command):
                code, err = self.run_shell(command, ">&-")
                self.assertEqual(code, 1, err)
                self.assertIn("cannot write standard output", err)
        self.assert_store_is_whole()

    # Whichever are closed, what is written to a file is the same, and nothing else is in it.
    def test_closed_descriptors(self):
        expected = self.ndc("dedup", self.archive)[0]
        out = os.path.join(self.folder.name, "out.tsv")
        for closed in itertools.product(("", "<&-"), ("", ">&-"), ("", "2>&-")):
            with self.subTest(closed=closed):
                code, err = self.run_shell(["dedup", self.archive, "-o", out], " ".join(closed))
                self.assertEqual(code, 0, err)
                with open(out, "rb") as file:
                    self.assertEqual(file.read(), expected)
                store = os.path.join(self.folder.name, "store" + "".join(filter(str.isalnum, repr(closed))))
                code, err = self.run_shell(["dedup", "--store", store, self.archive, "-o", out], " ".join(closed))
                self.assertEqual(code, 0, err)
                # Damage is reported, whatever is closed, and into no file.
                code, err = self.run_shell(["dedup", self.archive, "/nonexistent", "-o", out], " ".join(closed))
                self.assertEqual(code, 1, err)
                self.ndc("verify", store)
                self.assertEqual(os.path.getsize(os.path.join(store, "lock")), 0)

    def test_rows_without_an_output_damage_no_store(self):
        for closed in itertools.product(("", "<&-"), (">&-",), ("", "2>&-")):
            with self.subTest(closed=closed):
                store = os.path.join(self.folder.name, "rows" + "".join(filter(str.isalnum, repr(closed))))
                code, _ = self.run_shell(["dedup", "--store", store, self.archive], " ".join(closed))
                self.assertEqual(code, 1)
                self.ndc("verify", store)
                self.assertEqual(os.path.getsize(os.path.join(store, "lock")), 0)

    def test_closed_input_has_no_pages(self):
        code, err = self.run_shell(["dedup", "-"], "<&- >/dev/null")
        with_nothing = self.run_shell(["dedup", "-"], "</dev/null >/dev/null")
        self.assertEqual((code, err), with_nothing)


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
