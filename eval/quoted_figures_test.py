#!/usr/bin/env python3
"""docs/quality.md says in its sentences what its tables have: test `quality.quoted_figures`."""
import dataclasses
import unittest

import quoted_figures


class QuotedFiguresTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = quoted_figures.Tables.read()

    def test_the_page_says_what_its_tables_have(self):
        page = quoted_figures.plain(self.tables.page)
        for sentence in quoted_figures.sentences(self.tables):
            with self.subTest(sentence=sentence):
                self.assertIn(quoted_figures.plain(sentence), page)

    def test_every_figure_of_the_conclusions_is_one_of_a_table(self):
        self.assertEqual(quoted_figures.unquoted_figures(self.tables), [])

    def test_what_comes_from_elsewhere_is_still_there(self):
        text = " ".join(
            quoted_figures.plain(quoted_figures.part(self.tables.page, heading))
            for heading in quoted_figures.QUOTING_PARTS
        )
        for words, _ in quoted_figures.ELSEWHERE:
            self.assertIn(words, text)

    def test_another_figure_in_a_table_is_another_sentence(self):
        row = next(
            row
            for row in self.tables.spots
            if row["corpus"] == "versions"
            and row["detector"] == "spotsigs"
            and (row["text"], row["band"], row["tau"]) == ("main", "none", "0.440")
        )
        others = [row | {"same_path_recall": "0.1234"} if other is row else other for other in self.tables.spots]
        changed = dataclasses.replace(self.tables, spots=others)
        self.assertTrue(
            any("finds .123 of the same-path pairs" in sentence for sentence in quoted_figures.sentences(changed))
        )

    def test_a_figure_that_no_table_has_is_found(self):
        added = self.tables.page.replace("\n### What they say\n", "\n### What they say\n\nIn short, .4321 of them.\n")
        found = quoted_figures.unquoted_figures(dataclasses.replace(self.tables, page=added))
        self.assertEqual(len(found), 1)
        self.assertIn(".4321", found[0])


if __name__ == "__main__":
    unittest.main()
