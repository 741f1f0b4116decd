#!/usr/bin/env python3
"""`ndc options`, and --option KEY=VALUE.

usage: options_test.py PATH_OF_NDC [unittest arguments]
"""
import json
import os
import pathlib
import re
import sys
import unittest

import cli_test
from cli_test import CliTest


ROOT = pathlib.Path(__file__).resolve().parents[2]


class OptionsTest(CliTest):
    def test_table(self):
        lines = self.ndc("options")[0].decode().splitlines()
        self.assertEqual(lines[0].split(), ["key", "type", "default", "range", "needs", "meaning"])
        self.assertGreater(len(lines), 2)
        start = lines[0].index("meaning")
        for line in lines[1:]:
            self.assertIn(line.split()[1], ("integer", "number", "boolean", "choice", "words"))
            self.assertEqual(line[start - 2 : start], "  ")
            self.assertNotEqual(line[start], " ")
        self.assertTrue(any(line.startswith("keep_text ") for line in lines))

    def test_json(self):
        options = json.loads(self.ndc("options", "--format", "json")[0])
        lines = self.ndc("options")[0].decode().splitlines()[1:]
        self.assertEqual(
            [line.split()[:3] for line in lines],
            [[option["key"], option["type"], option["default"]] for option in options],
        )
        for option, line in zip(options, lines):
            self.assertIn(option["range"], line)
            self.assertTrue(line.endswith("  " + option["meaning"]))
        persistent = {option["key"]: option["persistent"] for option in options}
        self.assertIs(persistent["resemblance"], True)
        self.assertIs(persistent["durability"], False)
        self.ndc("options", "--format", "yaml", code=2)

    def test_experimental(self):
        def keys(*arguments):
            return [option["key"] for option in json.loads(self.ndc("options", "--format", "json", *arguments)[0])]

        stable, experimental = keys(), keys("--experimental")
        self.assertLessEqual(len(stable), 30)
        self.assertFalse([key for key in stable if key.startswith("x_")])
        self.assertFalse([key for key in experimental if not key.startswith("x_")])
        guides = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("guide-*.md"))
        self.assertEqual([key for key in stable if not re.search(rf"\b{key}\b", guides)], [])

    def test_no_option_is_ignored_in_silence(self):
        for option, sentence in (
            ("rounds=7", 'option "rounds" is experimental and called "x_rounds"'),
            ("lsh_s_rows=7", '"lsh_s_rows" is no option any more but a constant'),
            ("x_round=7", 'the nearest is "x_rounds"'),
            ("x_shingle_tokens=7", '"x_shingle_tokens" is no option any more but a constant'),
        ):
            self.assertIn(sentence, self.ndc("dedup", "--option", option, self.pages(), code=2)[1])
        err = self.ndc("dedup", "--option", "resemblance=0.5", self.pages(), code=2)[1]
        self.assertIn("option resemblance has no effect unless decision=report", err)
        err = self.ndc("dedup", "--option", "durability=sync", self.pages())[1]
        self.assertIn("option durability has no effect without a store", err)

    def test_a_command_without_an_engine_refuses_what_has_no_effect(self):
        commands = {
            "pairs": (["pairs", "--threshold", "0.5"], "`ndc pairs` with detector lcs"),
            "extract": (["extract"], "`ndc extract` without a store"),
            "partition": (["dedup", "--order", "fingerprints"], "`ndc dedup --order fingerprints`"),
        }
        taken = {
            "tokens_limit=100": {"pairs", "extract", "partition"},
            "x_relaxed_keys=3": {"pairs", "extract", "partition"},
            "x_rounds=2": {"pairs", "partition"},
            "same_document=0.9": {"partition"},
            "decision=report": {"pairs", "extract", "partition"},
            "x_first_similar=true": {"partition"},
            "check_work_limit=1000": {"partition"},
            "spotsigs=false": set(),
            "keep_text=true": set(),
            "events_limit=5": set(),
            "durability=sync": set(),
        }
        for option, takers in taken.items():
            for name, (command, words) in commands.items():
                out, err = self.ndc(*command, "--option", option, self.pages(), code=0 if name in takers else 2)
                if name not in takers:
                    self.assertEqual(out, b"")
                    self.assertIn(f"--option {option}: it has no effect on {words}, but on ", err)
        err = self.ndc("pairs", "--threshold", "0.5", "--option", "detector=exact", self.pages(), code=2)[1]
        self.assertIn("the detector of `ndc pairs` is that of --detector", err)
        # A default has the effect that it has without being said.
        self.ndc("extract", "--option", "same_document=0.5", self.pages())

    def test_an_engine_takes_what_its_pages_are_also_read_with(self):
        """Where a command asks the library about a page beside the engine, only the engine gets its options."""
        options = [word for setting in ("same_document=0.9", "events_limit=5") for word in ("--option", setting)]
        out = os.path.join(self.folder.name, "copy.warc.gz")
        self.ndc("dedup", "--keep", "canonical", *options, self.pages())
        self.ndc("filter", "--keep", "canonical", *options, self.pages(), "-o", out)
        self.ndc("report", *options, self.pages(), "-o", os.path.join(self.folder.name, "report"))

    def test_a_value_that_no_store_takes_is_wrong_usage(self):
        store, other = (os.path.join(self.folder.name, name) for name in ("first.ndc", "second.ndc"))
        options = ["--option", "detector=simhash64", "--option", "detector_threshold=99"]
        out = os.path.join(self.folder.name, "out")
        for command in (["dedup"], ["dedup", "--store", store], ["filter", "-o", out]):
            err = self.ndc(*command, self.pages(), *options, code=2)[1]
            self.assertIn("detector simhash64 takes 1..64 equal bits", err)
        for folder in (store, other):
            self.ndc("dedup", "--store", folder, self.pages())
        for command in (
            ["dedup", "--store", store, self.pages()],
            ["dedup", "--against", store, self.pages()],
            ["filter", "--store", store, self.pages(), "-o", out],
            ["merge-stores", store, other, "-o", out],
            ["compact", store],
            ["dump", store],
            ["explain", store, "http://a.example/", "http://b.example/"],
            ["extract", store],
            ["report", "--store", store, "-o", out],
            ["similar", store, "http://a.example/"],
            ["stats", store],
        ):
            self.assertIn("option detector", self.ndc(*command, *options[2:], code=2)[1])
        # What another store takes is no wrong usage.
        self.assertIn("the store was made with lcs", self.ndc("stats", store, *options[:2], code=1)[1])

    def test_a_description_takes_the_options_of_its_detector(self):
        def first_words(*options):
            out = self.ndc("extract", self.pages(), "--format", "jsonl", "--show", "spots", *options)[0]
            return json.loads(out.splitlines()[0])["spots"][0]["words"]

        self.assertEqual(len(first_words()), 3)
        self.assertEqual(len(first_words("--option", "x_spot_chain=3")), 4)

    def test_a_reader_prints_the_warnings(self):
        store = os.path.join(self.folder.name, "pages.ndc")
        self.ndc("dedup", "--store", store, self.pages(), "-o", "/dev/null")
        for command in ("stats", "dump"):
            err = self.ndc(command, store, "--option", "durability=sync")[1]
            self.assertIn("option durability has no effect", err)
            self.assertEqual(self.ndc(command, store)[1], "")
        err = self.ndc("compact", store, "--option", "durability=sync")[1]
        self.assertNotIn("has no effect", err)

    def test_settings(self):
        out, _ = self.ndc("options")
        key, default = out.decode().splitlines()[1].split()[0:3:2]
        expected, _ = self.ndc("dedup", self.pages())
        self.assertEqual(self.ndc("dedup", "--option", key + "=" + default, self.pages())[0], expected)
        err = self.ndc("dedup", "--option", "no_such_key=1", self.pages(), code=2)[1]
        self.assertIn("no_such_key", err)
        self.ndc("dedup", "--option", "=1", self.pages(), code=2)
        self.ndc("dedup", "--option", "word", self.pages(), code=2)


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
