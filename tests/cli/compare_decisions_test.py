#!/usr/bin/env python3
"""`ndc compare-decisions`: which groups change with option decision.

usage: compare_decisions_test.py PATH_OF_NDC [unittest arguments]
"""
import os
import sys
import unittest

import cli_test
from cli_test import Archive, CliTest, html, response

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "sample", "documentation.warc.gz")


class CompareDecisionsTest(CliTest):
    COLUMNS = [
        "#change",
        "url",
        "group_before",
        "group_after",
        "left_out_before",
        "left_out_after",
        "representative_before",
        "resemblance_before",
        "containment_before",
        "representative_after",
        "resemblance_after",
        "containment_after",
    ]

    def siblings(self):
        """A copy, and two pages of one text in which the subject is exchanged."""

        def filled(subject):
            return [sentence.replace(".", " %s." % subject) for sentence in Archive.base]

        return self.write(
            "siblings.warc",
            b"".join(
                [
                    response("http://one.example/butte", html(filled("butte"), title="Butte")),
                    response("http://two.example/butte", html(filled("butte"), title="Butte")),
                    response("http://three.example/riverside", html(filled("riverside"), title="Riverside")),
                ]
            ),
        )

    def changes(self, table):
        lines = table.decode().split("\n")
        self.assertEqual(lines[0].split("\t"), self.COLUMNS)
        return [dict(zip(self.COLUMNS, line.split("\t"))) for line in lines[1:-1]]

    def partition(self, decision, path):
        groups = {}
        for row in self.rows(self.ndc("dedup", "--option", "decision=" + decision, path)[0]):
            groups.setdefault(row["group_id"], []).append(row["#url"])
        return sorted(groups.values())

    def test_a_split(self):
        out, err = self.ndc("compare-decisions", self.siblings())
        changes = self.changes(out)
        self.assertEqual(len(changes), 1, err)
        change = changes[0]
        self.assertEqual((change["#change"], change["url"]), ("split", "http://three.example/riverside"))
        self.assertEqual(
            (change["group_before"], change["group_after"]),
            ("http://one.example/butte", "http://three.example/riverside"),
        )
        self.assertEqual((change["left_out_before"], change["left_out_after"]), ("yes", "no"))
        self.assertEqual(change["representative_before"], "http://one.example/butte")
        self.assertGreater(float(change["resemblance_before"]), 0.5)
        self.assertEqual(change["representative_after"], "-")
        self.assertEqual(
            err,
            "ndc: 3 pages: 1 group with decision=classic, 2 with decision=document\n"
            "ndc: 1 change: 1 split, 0 merged, 0 rearranged; 1 page in another group\n"
            "ndc: 1 page would no longer be left out, 0 newly would\n",
        )

    def test_backwards_it_is_a_merge(self):
        out, err = self.ndc(
            "compare-decisions", "--from", "document", "--to", "classic", "--format", "text", self.siblings()
        )
        self.assertEqual(err, "")
        lines = out.decode().splitlines()
        self.assertEqual(lines[0], "merged: 3 pages, 2 groups before, 1 after")
        self.assertEqual(lines[-1], "0 pages would no longer be left out, 1 newly would")

    def test_sample(self):
        out, err = self.ndc("compare-decisions", SAMPLE)
        before, after = self.partition("classic", SAMPLE), self.partition("document", SAMPLE)
        self.assertIn("150 pages: %d groups with decision=classic, %d with" % (len(before), len(after)), err)
        changed = {row["url"] for row in self.changes(out)}
        for group in before:
            if group not in after:
                self.assertTrue(changed & set(group))
        path = os.path.join(self.folder.name, "changes.tsv")
        self.assertEqual(self.ndc("compare-decisions", SAMPLE, "-o", path)[0], b"")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), out)

    def test_nothing_changes(self):
        out, err = self.ndc("compare-decisions", self.pages())
        self.assertEqual(self.changes(out), [])
        self.assertIn("5 pages: 3 groups with decision=classic, 3 with", err)
        # A page that comes again is one page.
        data = b"".join(Archive.records() * 2)
        self.assertIn("5 pages: 3 groups", self.ndc("compare-decisions", "-", data=data)[1])

    def test_wrong_usage_and_damage(self):
        for arguments in (
            ["--to", "classic"],
            ["--from", "nonsense"],
            ["--option", "decision=report"],
            ["--format", "jsonl"],
        ):
            self.ndc("compare-decisions", *arguments, self.pages(), code=2)
        for flag in ("--from", "--to"):
            err = self.ndc("compare-decisions", flag, "nonsense", self.pages(), code=2)[1]
            self.assertIn(f"ndc: {flag} nonsense: option decision: ", err)
            self.assertNotIn("--option", err)
        path = self.pages()
        self.assertIn("one of the inputs", self.ndc("compare-decisions", path, "-o", path, code=2)[1])
        self.ndc("compare-decisions", "/nonexistent.warc", code=1)
        self.assertIn(
            "skipped", self.ndc("compare-decisions", "-", data=b"garbage\r\n" + Archive.records()[0], code=3)[1]
        )


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
