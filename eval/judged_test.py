#!/usr/bin/env python3
"""The scorer of judged pairs and the estimate of wrong joins, on cases small enough to count by hand; and data/judged
and data/judged_texts, that they are whole."""
import collections
import gzip
import hashlib
import json
import pathlib
import re
import tempfile
import unittest

import gate
import judged
import page_differences
import quality
import sample_joins


def answers(group, *outcomes):
    """(same, joined) of each."""
    return [judged.Answer(group, same, joined, "") for same, joined in outcomes]


def pair(first, second, a="http://manual-de-bookworm.example/a", b="http://manual-de-trixie.example/a"):
    return judged.JudgedPair(a, b, first, second, "")


class PairTest(unittest.TestCase):
    def test_what_is_scored(self):
        self.assertEqual(
            [pair(*labels).same for labels in ((3, 2), (2, 2), (0, 0), (1, 1), (2, 1), (0, 1), (0, 3))],
            [True, True, False, None, None, None, None],
        )

    def test_a_missing_reading_is_not_scored(self):
        self.assertIsNone(pair(3, None).same)

    def test_products(self):
        for url, product in (
            ("http://manual-de-bookworm.example/a", "manual-de"),
            ("http://postgresql-doc-13.example/", "postgresql-doc"),
            ("http://python3.9-doc.example/x", "python"),
            ("http://llvm-15-doc.example/", "llvm-doc"),
        ):
            self.assertEqual(judged.product_of(url), product)

    def test_labels(self):
        pairs = [
            pair(*labels, *urls)
            for urls, labels in (("ba", (3, 3)), ("cb", (2, 2)), ("de", (0, 0)), ("cd", (0, 0)), ("fg", (1, 1)))
        ]
        self.assertEqual(judged.labels_of(pairs), {"a": "a", "b": "a", "c": "a", "d": "d", "e": "e"})
        with self.assertRaises(ValueError):
            judged.labels_of([*pairs, pair(0, 0, "a", "c")])

    def test_answers_of_pages(self):
        # b is in no group that another page has; c and d share one.
        trace = quality.Trace(
            [quality.PageRow(url, group, 0, 0, frozenset()) for url, group in (("a", "1"), ("c", "2"), ("d", "2"))], {}
        )
        host = "http://m.example/"
        pairs = [
            judged.JudgedPair(host + x, host + y, *labels, "")
            for x, y, labels in (("a", "b", (3, 3)), ("c", "d", (0, 0)), ("a", "c", (1, 1)))
        ]
        renamed = quality.Trace([row.__class__(host + row.url, row.group, 0, 0, frozenset()) for row in trace.rows], {})
        said = judged.answers_of_pages(pairs, renamed)
        self.assertEqual([(a.group, a.same, a.joined) for a in said], [("m", True, False), ("m", False, True)])


class ScoreTest(unittest.TestCase):
    # p: 2 right, 1 wrong, 1 missed: P 2/3, R 2/3, F1 2/3. q: 1 right: F1 1. s: only pairs of one class.
    P = answers("p", (True, True), (True, True), (False, True), (True, False), (False, False))
    Q = answers("q", (True, True), (False, False))
    S = answers("s", (True, False))

    def test_counts(self):
        self.assertEqual(judged.counts(self.P), quality.PairCounts(right=2, wrong=1, missed=1))
        self.assertAlmostEqual(judged.counts(self.P).f1, 2 / 3)

    def test_mean_takes_products_with_both_classes(self):
        self.assertAlmostEqual(judged.mean_f1([self.P, self.Q, self.S]), (2 / 3 + 1) / 2)
        self.assertIsNone(judged.mean_f1([self.S]))

    def test_groups(self):
        self.assertEqual(
            {name: len(group) for name, group in judged.by_group(self.Q + self.P + self.S).items()},
            {"p": 5, "q": 2, "s": 1},
        )

    def test_without_one(self):
        # Without p: 1 (q alone); without q: 2/3; without s: their mean.
        self.assertEqual(judged.without_one(judged.by_group(self.P + self.Q + self.S)), (2 / 3, 1.0))

    def test_intervals_draw_whole_products(self):
        # Drawing two of p and q gives p p, p q or q q: F1 of all pairs 2/3, 3/4 or 1.
        bounds = judged.intervals([self.P, self.Q], rounds=400)
        self.assertEqual(bounds["f1"], (2 / 3, 1.0))
        self.assertEqual(bounds, judged.intervals([self.P, self.Q], rounds=400))

    def test_intervals_of_one_product_are_a_point(self):
        self.assertEqual(judged.intervals([self.P], rounds=50)["recall"], (2 / 3, 2 / 3))

    def test_percentile(self):
        self.assertEqual(judged.percentile([0.0, 1.0, 2.0], 0.5), 1.0)
        self.assertAlmostEqual(judged.percentile([0.0, 1.0, 2.0], 0.25), 0.5)

    def test_leave_one_product_out(self):
        # `strict` is better on p, `loose` on q: p is scored by what is best on q, and the other way round.
        good, bad = ((True, True), (False, False)), ((True, False), (False, True))
        settings = {
            "strict": answers("p", *good) + answers("q", *bad),
            "loose": answers("p", *bad) + answers("q", *good),
        }
        held_out = judged.leave_one_product_out(settings)
        self.assertEqual(
            {product: setting for product, (setting, _) in held_out.items()}, {"p": "loose", "q": "strict"}
        )
        self.assertEqual([judged.counts(of_product).f1 for _, of_product in held_out.values()], [0.0, 0.0])


class AgreementTest(unittest.TestCase):
    def test_2_and_3_are_one(self):
        self.assertEqual(judged.kappa([pair(2, 3), pair(0, 0)]), 1.0)

    def test_by_hand(self):
        # 3 of 4 agree; by chance (2/4 · 1/4) + (2/4 · 3/4) = 1/2.
        self.assertAlmostEqual(judged.kappa([pair(0, 0), pair(0, 2), pair(2, 2), pair(3, 3)]), 0.5)

    def test_nothing_to_compare(self):
        self.assertIsNone(judged.kappa([pair(3, None)]))
        self.assertIsNone(judged.kappa([pair(3, 3)]))


class TextsTest(unittest.TestCase):
    def test_record_is_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "one.warc.gz"
            path.write_bytes(gzip.compress(judged.text_record("http://a.example/1", "naïve")))
            self.assertEqual(
                page_differences.archived_bodies([path], ["http://a.example/1"]),
                {"http://a.example/1": ("utf-8", "naïve".encode())},
            )

    def test_pairs_of_a_table(self):
        with tempfile.TemporaryDirectory() as folder:
            table, archive = pathlib.Path(folder) / "pairs.jsonl", pathlib.Path(folder) / "texts.jsonl"
            row = {"id": "de-name-07", "language": "de", "a": "naïve", "b": "b", "first": 3, "second": 2, "why": "w"}
            table.write_text(json.dumps(row) + "\n", encoding="utf-8")
            (read,) = judged.read_texts(table, archive)
            pages = [json.loads(line) for line in archive.read_text(encoding="utf-8").splitlines()]
        self.assertEqual([(page["url"], page["text"]) for page in pages], [(read.a, "naïve"), (read.b, "b")])
        self.assertNotEqual(*(url.split("/")[2] for url in (read.a, read.b)))
        self.assertEqual((read.product, judged.product_of(read.b), read.same), ("de", "de", True))
        self.assertEqual(
            {part: len(pairs) for part, pairs in gate.parts_of_texts([read]).items()}, {"all": 1, "de": 1, "name": 1}
        )


class DifferencesTest(unittest.TestCase):
    def test_visible_text(self):
        self.assertEqual(page_differences.visible_text("<p>a<b>b</b><script>x</script></p>&amp;").split(), ["ab", "&"])

    def test_hunks_that_hardly_anything_parts_are_one(self):
        hunks, runs = page_differences.hunks_and_runs("a b c 1 x 2 d e f".split(), "a b c 3 x 4 d e f".split())
        self.assertEqual((hunks, runs), ([(3, 6, 3, 6)], [(0, 3, 0, 3), (6, 9, 6, 9)]))

    def test_punctuation_alone_is_no_hunk(self):
        hunks, _ = page_differences.hunks_and_runs(
            page_differences.tokens("one two three."), page_differences.tokens("one two three!")
        )
        self.assertEqual(hunks, [])

    def test_charsets(self):
        self.assertEqual(page_differences.decoded("é".encode("latin-1"), "iso-8859-1"), "é")
        self.assertEqual(page_differences.decoded("é".encode(), "no-such-charset"), "é")


class JoinsTest(unittest.TestCase):
    def row(self, url, verdict="near", representative="http://a.example/1", resemblance="0.6500", **more):
        return {
            "url": url,
            "verdict": verdict,
            "representative": representative,
            "resemblance": resemblance,
            "containment": "0.9",
            **more,
        }

    def test_what_is_a_join(self):
        rows = [
            self.row("http://a.example/1", "new"),
            self.row("http://a.example/1"),
            self.row("http://a.example/2"),
            self.row("http://b.example/3"),
            self.row("http://a.example/4", "exact"),
            self.row("http://a.example/5", "no-text"),
        ]
        self.assertEqual(
            [(join.page[-1], join.stratum) for join in sample_joins.joins(rows)],
            [("2", "r from 0.60, same host"), ("3", "r from 0.60, two hosts"), ("4", "identical")],
        )

    def test_bands(self):
        for resemblance, begin in (
            ("0", "0.00"),
            ("0.2799", "0.00"),
            ("0.28", "0.28"),
            ("0.95", "0.95"),
            ("1", "0.95"),
        ):
            self.assertEqual(
                sample_joins.stratum_of(self.row("http://a.example/2", resemblance=resemblance)),
                f"r from {begin}, same host",
            )

    def test_rule_is_part_of_a_stratum(self):
        self.assertEqual(
            sample_joins.stratum_of(self.row("http://a.example/2", rule="containment")),
            "r from 0.60, same host, containment",
        )

    def test_shares(self):
        # 3, 5 and 5 to begin with; the rest, 20 - 13 = 7, by roots 1.7, 10 and 20 of 31.7: 0, 2, 4.
        self.assertEqual(
            sample_joins.shares({"small": 3, "middle": 100, "large": 400}, 20), {"small": 3, "middle": 7, "large": 9}
        )

    def test_draw_is_repeatable_and_without_repetition(self):
        all_joins = [sample_joins.Join("s", str(i), "r", "1", "1") for i in range(50)]
        drawn = sample_joins.draw(all_joins, 20)
        self.assertEqual(drawn, sample_joins.draw(all_joins, 20))
        self.assertEqual(len({join.page for join, _ in drawn}), len(drawn))

    def test_estimate(self):
        # Half of 100 joins and none of 300: 50 of 400.
        strata = {"low": (100, [0, 3]), "high": (300, [3, 2, 1])}
        self.assertEqual(sample_joins.per_thousand(strata, sample_joins.WRONG), 125)
        self.assertEqual(sample_joins.per_thousand(strata, sample_joins.BETWEEN), 375)
        self.assertEqual(sample_joins.interval(strata, sample_joins.WRONG), (0, 250))
        # 300 joins, 3 read: a share of up to 1.
        self.assertEqual(sample_joins.unseen_at_most(strata, sample_joins.WRONG), 750)

    def test_a_stratum_that_was_read_whole_hides_nothing(self):
        self.assertEqual(sample_joins.unseen_at_most({"all": (2, [3, 3])}, sample_joins.WRONG), 0)

    def test_a_stratum_that_nobody_read(self):
        rows = [{"stratum": "s", "stratum_joins": "4", "label": ""}]
        with self.assertRaisesRegex(ValueError, "no label in: s"):
            sample_joins.labels_by_stratum(rows)


class GateTest(unittest.TestCase):
    ROW = {
        "options": "default",
        "pairs": "10",
        "same": "5",
        "precision": "0.9000",
        "recall": "0.8000",
        "f1": "0.8500",
        "mean_f1": "0.8000",
    }

    def test_same(self):
        self.assertEqual(list(gate.judged_faults([self.ROW], [self.ROW])), [])

    def test_fall_and_rise(self):
        worse, better = self.ROW | {"precision": "0.8800"}, self.ROW | {"mean_f1": "0.8400"}
        self.assertEqual(
            list(gate.judged_faults([self.ROW], [worse])), ["default: precision fell from 0.9000 to 0.8800"]
        )
        self.assertEqual(
            list(gate.judged_faults([self.ROW], [better])),
            ["default: mean_f1 rose from 0.8000 to 0.8400; the table must say so"],
        )

    def test_a_part_may_differ_by_a_pair(self):
        rows = [
            {"part": part, "pairs": "10", "same": "5"} | dict.fromkeys(gate.JUDGED_QUALITY, "0.8000")
            for part in ("all", "de")
        ]
        worse = [row | {"recall": "0.7500"} for row in rows]
        self.assertEqual(list(gate.judged_faults(rows, worse, "part")), ["all: recall fell from 0.8000 to 0.7500"])
        worst = [rows[0], rows[1] | {"recall": "0.7000"}]
        self.assertEqual(list(gate.judged_faults(rows, worst, "part")), ["de: recall fell from 0.8000 to 0.7000"])

    def test_other_pairs(self):
        self.assertEqual(
            list(gate.judged_faults([self.ROW], [self.ROW | {"pairs": "11"}])),
            ["default: the pairs are others than the table's"],
        )

    def test_rows_must_match(self):
        self.assertEqual(list(gate.judged_faults([], [self.ROW])), ["default: the table has no such row"])
        self.assertEqual(list(gate.judged_faults([self.ROW], [])), ["default: in the table, but was not measured"])


class DataTest(unittest.TestCase):
    """data/judged: what its README promises."""

    def setUp(self):
        self.pairs = judged.read_pairs(judged.DATA / "pairs.tsv")
        self.pages = quality.read_table(judged.DATA / "pages.tsv")

    def test_each_page_is_there_as_described(self):
        urls = {url for pair in self.pairs for url in (pair.a, pair.b)}
        digests = {row["#url"]: row["sha256"] for row in self.pages}
        bodies = page_differences.archived_bodies([judged.DATA / "pages.warc.gz"], urls)
        self.assertEqual(urls, set(digests))
        self.assertEqual({url: hashlib.sha256(body).hexdigest() for url, (_, body) in bodies.items()}, digests)

    def test_licences_are_there(self):
        names = {path.stem for path in (judged.DATA / "LICENSES").iterdir()}
        packages = {
            "libreoffice-help" if row["package"].startswith("libreoffice-help") else row["package"]
            for row in self.pages
        }
        self.assertLessEqual(packages, names)

    def test_no_pair_twice(self):
        self.assertEqual(len({frozenset((pair.a, pair.b)) for pair in self.pairs}), len(self.pairs))
        self.assertTrue(all(pair.a != pair.b and pair.product == judged.product_of(pair.b) for pair in self.pairs))

    def test_every_label_has_a_reason(self):
        self.assertTrue(all(pair.first in range(4) and pair.why for pair in self.pairs))

    def test_both_classes_in_every_product(self):
        if any(pair.second is None for pair in self.pairs):
            self.skipTest("the second reading is not whole")
        scored = collections.defaultdict(collections.Counter)
        for pair in self.pairs:
            scored[pair.product][pair.same] += 1
        self.assertTrue(all(min(found[True], found[False]) >= 4 for found in scored.values()), scored)
        self.assertGreaterEqual(sum(found[True] for found in scored.values()), 100)
        self.assertGreaterEqual(sum(found[False] for found in scored.values()), 100)
        self.assertGreaterEqual(judged.kappa(self.pairs), 0.6)

    def test_languages(self):
        languages = {row["language"] for row in self.pages}
        self.assertGreaterEqual(len(languages), 6)
        self.assertLessEqual({"ja", "ar", "ru"}, languages)


class TextsDataTest(unittest.TestCase):
    """data/judged_texts: what its README promises."""

    def setUp(self):
        folder = judged.TEXTS.parent
        self.rows = [json.loads(line) for line in judged.TEXTS.read_text(encoding="utf-8").splitlines()]
        self.sources = quality.read_table(folder / "sources.tsv")
        with tempfile.TemporaryDirectory() as scratch:
            self.pairs = judged.read_texts(judged.TEXTS, pathlib.Path(scratch) / "texts.jsonl")

    def test_size_and_spread(self):
        languages = collections.Counter(row["language"] for row in self.rows)
        kinds = collections.Counter((row["language"], row["kind"]) for row in self.rows)
        self.assertGreaterEqual(len(self.rows), 300)
        self.assertGreaterEqual(len(languages), 6)
        self.assertGreaterEqual(min(languages.values()), 50)
        self.assertEqual(len(kinds), 4 * len(languages))
        self.assertGreaterEqual(min(kinds.values()), 10)

    def test_no_text_twice_in_a_language(self):
        texts = [(row["language"], row[side]) for row in self.rows for side in "ab"]
        self.assertEqual(len(set(texts)), len(texts))
        self.assertEqual(len({row["id"] for row in self.rows}), len(self.rows))

    def test_readings(self):
        self.assertTrue(all(row[reading] in range(4) for row in self.rows for reading in ("first", "second")))
        self.assertTrue(all(row["why"] for row in self.rows))
        scored = collections.Counter(pair.same for pair in self.pairs)
        self.assertGreaterEqual(min(scored[True], scored[False]), 100)
        self.assertGreaterEqual(judged.kappa(self.pairs), 0.6)

    def test_each_source_has_a_licence(self):
        used = {tuple(row["from_" + side].split()[:2]) for row in self.rows for side in "ab"}
        self.assertEqual({(row["#suite"], row["package"]) for row in self.sources}, used)
        self.assertTrue(all(row["license"] and row["version"] for row in self.sources))
        notices = (judged.TEXTS.parent / "LICENSES" / "NOTICES.txt").read_text(encoding="utf-8")
        self.assertLessEqual({package for _, package in used}, set(re.split(r"[\s,:]+", notices)))


if __name__ == "__main__":
    unittest.main()
