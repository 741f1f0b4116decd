#!/usr/bin/env python3
"""The man pages can be set, and bash completes what can follow.

usage: manual_test.py GROFF FOLDER_OF_THE_MANUAL [unittest arguments]
"""
import pathlib
import subprocess
import sys
import unittest

GROFF = ""
MANUAL = pathlib.Path()


def completed(*words):
    """What is offered for the last word."""
    script = f'''source "$0"; COMP_WORDS=("$@"); COMP_CWORD={len(words)}; _ndc; printf '%s\\n' "${{COMPREPLY[@]}}"'''
    done = subprocess.run(
        ["bash", "-c", script, MANUAL / "ndc.bash", "ndc", *words], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


class CompletionTest(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(completed("ded"), ["dedup"])
        self.assertIn("verify", completed(""))
        self.assertEqual(completed("help", "ver"), ["verify"])

    def test_options_of_a_command(self):
        self.assertEqual(completed("dedup", "--fo"), ["--format"])
        self.assertEqual(completed("remove", "--pu"), ["--purge"])
        self.assertEqual(completed("verify", "--fo"), [])

    def test_values(self):
        self.assertEqual(completed("dedup", "--format", ""), ["tsv", "jsonl", "groups"])
        self.assertEqual(completed("stats", "--format", "p"), ["prometheus"])
        self.assertEqual(completed("dedup", "--option", "keep_"), ["keep_text="])
        self.assertIn("cosine", completed("dedup", "--detector", ""))

    def test_files_are_left_to_the_shell(self):
        self.assertEqual(completed("dedup", "crawl"), [])
        self.assertEqual(completed("dedup", "-o", ""), [])


class PagesTest(unittest.TestCase):
    def test_pages_are_set_without_a_warning(self):
        pages = sorted(MANUAL.glob("*.1"))
        self.assertGreater(len(pages), 10)
        for page in pages:
            done = subprocess.run(
                [GROFF, "-man", "-Tutf8", "-ww", "-z", "-k", page], capture_output=True, text=True, check=True
            )
            self.assertEqual(done.stderr, "", page.name)

    def test_each_page_has_its_sections(self):
        for page in MANUAL.glob("*.1"):
            text = page.read_text(encoding="utf-8")
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"):
                self.assertIn(f"\n.SH {section}\n", text, page.name)


if __name__ == "__main__":
    GROFF, MANUAL = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
    unittest.main()
