#!/usr/bin/env python3
"""`ndc merge-stores`.

usage: merge_test.py PATH_OF_NDC [unittest arguments]
"""
import json
import os
import sys
import unittest

import cli_test
from against_test import StoresTest
from cli_test import Archive, article, html, response

MAP = "#kind\told_page_id\tpage_id\told_group_id\tgroup_id\turl"


class MergeTest(StoresTest):
    def setUp(self):
        super().setUp()
        records = Archive.records()
        self.first = self.fill("first.ndc", records[:3])
        self.second = self.fill("second.ndc", records[3:] + [response("http://six.example/", html(article(6)))])
        self.merged = self.path("merged.ndc")

    def dump(self, store):
        return {page["url"]: page for page in map(json.loads, self.ndc("dump", store)[0].decode().splitlines())}

    def test_two_stores(self):
        before = [self.bytes_of(store) for store in (self.first, self.second)]
        table = self.path("ids.tsv")
        out, err = self.ndc("merge-stores", self.first, self.second, "-o", self.merged, "--map", table)
        self.assertEqual(out, b"")
        said = "; of %s: 3 pages added, 1 of them to groups of %s, 0 newer, 0 older, 0 withheld\n"
        self.assertIn(": 6 pages, 4 groups" + said % (self.second, self.first), err)
        self.assertEqual([self.bytes_of(store) for store in (self.first, self.second)], before)
        self.ndc("verify", self.merged)
        first, second, merged = (self.dump(store) for store in (self.first, self.second, self.merged))
        self.assertEqual({url: merged[url] for url in first}, first)
        with open(table, encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.assertEqual(lines[0], MAP)
        rows = [line.split("\t") for line in lines[1:-1]]
        self.assertEqual([row[5] for row in rows], list(second))
        for kind, old_page, page, old_group, group, url in rows:
            self.assertEqual(kind, "added")
            self.assertEqual([int(old_page), int(old_group)], [second[url][key] for key in ("page_id", "group_id")])
            self.assertEqual([int(page), int(group)], [merged[url][key] for key in ("page_id", "group_id")])
        self.assertEqual(merged["http://four.example/same"]["group_id"], merged["http://one.example/a"]["group_id"])
        # The next run knows them all.
        rows = self.rows(self.ndc("dedup", "--store", self.merged, self.pages())[0])
        self.assertEqual({row["verdict"] for row in rows}, {"unchanged"})

    def test_an_option_without_effect_is_a_warning(self):
        settings = ("durability=sync", "keep_text=true", "memory_budget_bytes=100000000")
        options = [word for setting in settings for word in ("--option", setting)]
        err = self.ndc("merge-stores", self.first, self.second, "-o", self.merged, *options)[1]
        self.assertIn("option durability has no effect on a merge, which has durability=none\n", err)
        self.assertIn("option keep_text has no effect here: it acts on features\n", err)
        self.assertNotIn("memory_budget_bytes", err)

    def test_refusals(self):
        def refused(*arguments, code=1):
            err = self.ndc("merge-stores", *arguments, "-o", self.merged, code=code)[1]
            self.assertFalse(os.path.exists(self.merged))
            self.assertFalse(os.path.exists(self.merged + ".new"))
            return err

        self.assertIn("itself", refused(self.first, self.first))
        self.assertIn("no-store", refused(self.first, self.path("no-store")))
        self.assertIn("no ndc store", refused(self.first, self.folder.name))
        other = self.path("other.ndc")
        self.ndc("dedup", "--store", other, self.pages(), "-o", "/dev/null", "--option", "same_document=0.7")
        self.assertIn("same_document", refused(self.first, other))
        self.assertIn("lies in the store", refused(self.first, self.second, "--map", self.first + "/ids.tsv", code=2))
        for name in ("manifest-", "journal-"):  # else the generation before has it all
            os.remove(os.path.join(self.second, name + "%020d" % 0))
        run = next(name for name in sorted(os.listdir(self.second)) if name.endswith("-texts"))
        with open(os.path.join(self.second, run), "r+b") as file:
            file.seek(200)
            file.write(b"damage")
        self.assertIn(run, refused(self.first, self.second, "--map", self.path("ids.tsv")))
        self.assertFalse(os.path.exists(self.path("ids.tsv")))
        for there in (self.first, self.folder.name):
            err = self.ndc("merge-stores", self.first, self.second, "-o", there, code=1)[1]
            self.assertIn("is there already", err)
        self.ndc("merge-stores", self.first, self.second, code=2)


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
