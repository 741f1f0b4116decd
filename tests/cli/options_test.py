#!/usr/bin/env python3
"""`ndc options`, and --option KEY=VALUE.

usage: options_test.py PATH_OF_NDC [unittest arguments]
"""
import json
import os
import sys
import unittest

import cli_test
from cli_test import CliTest


class OptionsTest(CliTest):
    def test_table(self):
        lines = self.ndc("options")[0].decode().splitlines()
        self.assertEqual(lines[0].split(), ["key", "type", "default", "range", "meaning"])
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
