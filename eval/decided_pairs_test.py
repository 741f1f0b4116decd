#!/usr/bin/env python3
"""The exchanges on texts small enough to read; the pairs made of them, that they are what their kind says; and what
their gate calls a fault."""
import itertools
import pathlib
import random
import tempfile
import unittest
import urllib.parse

import decided_pairs
import gate
import invented_prose
import judged
import page_differences
import text_exchanges

ENGLISH = invented_prose.InventedProse(
    "en", ["one two three four five six seven eight nine ten one three five seven nine"]
)


class ExchangeTest(unittest.TestCase):
    def test_whole_words_in_the_case_of_what_they_replace(self):
        self.assertEqual(
            text_exchanges.exchange("en", {"table": "index"}, "A table, the Table, TABLE and tables."),
            "A index, the Index, INDEX and tables.",
        )

    def test_without_spaces(self):
        self.assertEqual(text_exchanges.exchange("zh", {"语言": "键盘"}, "选择语言和语言环境"), "选择键盘和键盘环境")

    def test_two_words_exchanged_with_each_other(self):
        self.assertEqual(text_exchanges.exchange("en", {"row": "column", "column": "row"}, "row column"), "column row")

    def test_nothing_to_exchange(self):
        self.assertEqual(text_exchanges.exchange("en", {}, "A table."), "A table.")

    def test_terms_are_repeated_and_rare(self):
        texts = [{"vacuum": 3, "that": 9, "index": 2}, {"that": 4, "cluster": 3, "row": 5}, {"that": 3}, {"that": 2}]
        rare = text_exchanges.rare_words("en", texts)
        self.assertEqual(rare, {"vacuum", "index", "cluster"})  # `row` is short
        self.assertEqual(
            [text_exchanges.subject_terms(counts, rare) for counts in texts], [["vacuum"], ["cluster"], [], []]
        )


class TemplateTest(unittest.TestCase):
    def fill(self, slots):
        template = text_exchanges.template_of(
            random.Random(1), "en", ["One two three. Four five six."], lambda rng, words: slots
        )
        return template, text_exchanges.fill(random.Random(2), ENGLISH, template, "Entity")

    def test_the_entity_is_the_same_throughout(self):
        _, (paragraph,) = self.fill([text_exchanges.ENTITY])
        self.assertEqual(paragraph.count("Entity"), 2)
        self.assertEqual(len(paragraph.split()), 6)

    def test_other_values_in_the_same_sentences(self):
        template, (paragraph,) = self.fill([text_exchanges.NUMERAL])
        (other,) = text_exchanges.fill(random.Random(3), ENGLISH, template, "Entity")
        differing = [(a, b) for a, b in zip(paragraph.split(), other.split()) if a != b]
        self.assertEqual(len(differing), 2)
        self.assertTrue(all(value[0].isdigit() for pair in differing for value in pair))


class EditTest(unittest.TestCase):
    def test_reworded_at_a_rate(self):
        text = ["one two three four five six seven eight nine ten"] * 40
        self.assertEqual(text_exchanges.reworded(random.Random(1), ENGLISH, text, 0.0), text)
        changed = text_exchanges.reworded(random.Random(1), ENGLISH, text, 0.1)
        self.assertEqual(len(changed), len(text))
        self.assertTrue(5 < sum(a != b for a, b in zip(text, changed)) < 40)

    def test_typing_errors_exchange_letters(self):
        (wrong,) = text_exchanges.with_typing_errors(random.Random(1), "en", ["some words"], 1)
        self.assertNotEqual(wrong, "some words")
        self.assertEqual(sorted(wrong), sorted("some words"))

    def test_a_mark_is_added(self):
        self.assertEqual(text_exchanges.with_mark(random.Random(1), "en", "word", "15"), "15 word")
        self.assertEqual(text_exchanges.with_mark(random.Random(1), "en", "...", "15"), "15 ...")


class PairsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.materials = decided_pairs.read_materials()
        cls.kinds = {kind: decided_pairs.make_kind(kind, cls.materials) for kind in decided_pairs.KINDS}

    def pairs(self, name):
        return next(pairs for kind, (_, pairs) in self.kinds.items() if kind.name == name)

    def text(self, name, url):
        pages = next(pages for kind, (pages, _) in self.kinds.items() if kind.name == name)
        return page_differences.visible_text(next(page.body for page in pages if page.url == url).decode())

    def test_enough_of_each_kind_in_each_language(self):
        for kind, (_, pairs) in self.kinds.items():
            languages = [judged.product_of(pair.a).split("-")[0] for pair in pairs]
            self.assertEqual(set(languages), set(decided_pairs.LANGUAGES), kind.name)
            self.assertGreaterEqual(len(pairs), 90, kind.name)

    def test_one_site_or_two(self):
        for kind, (_, pairs) in self.kinds.items():
            self.assertEqual({pair.a.split("/")[2] != pair.b.split("/")[2] for pair in pairs}, {kind.across}, kind.name)

    def test_every_page_once(self):
        for kind, (pages, pairs) in self.kinds.items():
            urls = [page.url for page in pages]
            self.assertEqual(len(set(urls)), len(urls), kind.name)
            self.assertEqual({url for pair in pairs for url in (pair.a, pair.b)}, set(urls), kind.name)

    def test_a_sibling_has_another_subject_in_title_url_and_text(self):
        for pair in self.pairs("subject")[::3]:  # of three pages the first two
            terms = [urllib.parse.unquote(url.rsplit("/", 1)[1]).removesuffix(".html") for url in (pair.a, pair.b)]
            for url, own, foreign in zip((pair.a, pair.b), terms, terms[::-1]):
                words = text_exchanges.words_of(pair.why.split("(")[1][:2], self.text("subject", url))
                said = "".join(words) if pair.a.startswith(("http://zh", "http://ja")) else words
                self.assertIn(own, said)
                self.assertNotEqual(own, foreign)

    def test_the_same_bytes_again(self):
        kind = decided_pairs.KINDS[0]
        self.assertEqual(decided_pairs.make_kind(kind, decided_pairs.read_materials()), self.kinds[kind])
        self.assertNotEqual(decided_pairs.make_kind(kind, self.materials, seed=2), self.kinds[kind])

    def test_judged_reads_what_is_written(self):
        kind = decided_pairs.KINDS[0]
        with tempfile.TemporaryDirectory() as folder:
            decided_pairs.write_kind(pathlib.Path(folder), *self.kinds[kind])
            pairs = judged.read_pairs(pathlib.Path(folder) / "pairs.tsv")
            bodies = page_differences.archived_bodies(
                [pathlib.Path(folder) / "pages.warc.gz"], [page.url for page in self.kinds[kind][0]]
            )
        self.assertEqual(pairs, self.kinds[kind][1])
        self.assertEqual(
            {url: body for url, (_, body) in bodies.items()}, {page.url: page.body for page in self.kinds[kind][0]}
        )

    def test_no_text_is_two_families(self):
        for material in self.materials:
            for one, other in itertools.combinations(material.texts, 2):
                self.assertTrue(set(one.paragraphs).isdisjoint(other.paragraphs))


class GateTest(unittest.TestCase):
    NAMES, DATED = (
        dict(zip(gate.DECISIONS_COLUMNS, (kind, label, "100", "0.5000", "0.4000", "0.6000")))
        for kind, label in (("names", "0"), ("dated", "2"))
    )

    def faults(self, row, **changed):
        return list(gate.decisions_faults([row], [row | changed]))

    def test_as_the_table_says(self):
        for row in (self.NAMES, self.DATED):
            self.assertEqual(self.faults(row), [])
            self.assertEqual(self.faults(row, joined="0.4800") + self.faults(row, joined="0.5200"), [])

    def test_more_siblings_or_fewer_editions_joined(self):
        self.assertEqual(
            self.faults(self.NAMES, joined="0.5400"),
            ["names: joined went from 0.5000 to 0.5400, which is worse"],
        )
        self.assertEqual(
            self.faults(self.DATED, joined_spaced="0.3600"),
            ["dated: joined_spaced went from 0.4000 to 0.3600, which is worse"],
        )

    def test_better_than_the_table(self):
        self.assertEqual(self.faults(self.NAMES, joined="0.4600"), [])
        self.assertEqual(
            self.faults(self.NAMES, joined="0.3900"),
            ["names: joined went from 0.5000 to 0.3900; the table must say so"],
        )
        self.assertEqual(
            self.faults(self.DATED, joined="0.6100"),
            ["dated: joined went from 0.5000 to 0.6100; the table must say so"],
        )

    def test_all_pairs_are_held_closer(self):
        total = self.NAMES | {"kind": "all different"}
        self.assertEqual(
            self.faults(total, joined="0.5200"),
            ["all different: joined went from 0.5000 to 0.5200, which is worse"],
        )

    def test_rows_must_match(self):
        self.assertEqual(list(gate.decisions_faults([], [self.NAMES])), ["names: the table has no such row"])
        self.assertEqual(list(gate.decisions_faults([self.NAMES], [])), ["names: in the table, but was not measured"])
        self.assertEqual(self.faults(self.NAMES, pairs="99"), ["names: the pairs are others than the table's"])

    def test_row_of_answers(self):
        answers = [
            judged.Answer(group, False, joined, "")
            for group, joined in (("en-site", True), ("ru-site", False), ("ja-site", True))
        ]
        row = gate.decisions_row("names", 0, answers)
        self.assertEqual(list(row.values()), ["names", "0", "3", "0.6667", "0.5000", "1.0000"])


if __name__ == "__main__":
    unittest.main()
