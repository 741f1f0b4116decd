#!/usr/bin/env python3
"""The scorer, the gate and the tables on cases small enough to count by hand; and the invented corpus, that it is
what it says."""
import collections
import pathlib
import random
import tempfile
import unittest

import ablation
import gate
import ingredients
import quality
import reframe
import report
import sample_articles
import spots
import text_edits


def trace(*rows):
    """(url, group) or (url, group, candidate groups, verifications)."""
    made = []
    for row in rows:
        url, group, candidates, verifications = (row + ("", 0))[:4] if len(row) == 2 else row
        made.append(quality.PageRow(url, group, len(candidates), verifications, frozenset(candidates)))
    return quality.Trace(made, {})


def labels(*rows):
    """(url, group, site) or (url, group, site, kind)."""
    return [dict(zip(("url", "group", "site", "kind"), row + ("dup-none",))) for row in rows]


class LabelScoreTest(unittest.TestCase):
    # Label A: a1 a2 a3 (a1, a2 on site s), label B: b1 b2 (b1 on s). Said: {a1 a2 b1} {a3} {b2}.
    LABELS = labels(("a1", "A", "s"), ("a2", "A", "s"), ("a3", "A", "t"), ("b1", "B", "s", "quote"), ("b2", "B", "t"))
    TRACE = trace(("a1", "1"), ("a2", "1"), ("b1", "1"), ("a3", "2"), ("b2", "3"))

    def setUp(self):
        self.score = quality.score_labels(self.LABELS, self.TRACE)

    def test_all_pairs(self):
        # Of 4 true pairs one is found (a1 a2); said are 3.
        self.assertEqual(self.score.all_pairs, quality.PairCounts(right=1, wrong=2, missed=3))
        self.assertEqual((self.score.all_pairs.precision, self.score.all_pairs.recall), (1 / 3, 1 / 4))
        self.assertAlmostEqual(self.score.all_pairs.f1, 2 / 7)

    def test_sites(self):
        # All that was said is within site s, where a1 a2 is the only true pair.
        self.assertEqual(self.score.same_site, quality.PairCounts(1, 2, 0))
        self.assertEqual(self.score.cross_site, quality.PairCounts(0, 0, 3))
        self.assertEqual(
            (self.score.cross_site.precision, self.score.cross_site.recall, self.score.cross_site.f1), (1.0, 0.0, 0.0)
        )

    def test_b_cubed(self):
        self.assertAlmostEqual(self.score.b_cubed_precision, (2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5)
        self.assertAlmostEqual(self.score.b_cubed_recall, (2 / 3 + 2 / 3 + 1 / 3 + 1 / 2 + 1 / 2) / 5)

    def test_kinds(self):
        self.assertEqual(self.score.kinds["quote"], quality.KindCounts(1, 1, 2, 1, 1))
        # a1, a2: one wrong pair and one missed each; a3: two missed; b2: one.
        self.assertEqual(self.score.kinds["dup-none"], quality.KindCounts(4, 2, 2, 4, 5))

    def test_ambiguous_pages_are_not_scored(self):
        more = self.LABELS + labels(("n", "A", "s", "ambiguous"))
        self.assertEqual(
            quality.score_labels(more, trace(*[(r.url, r.group) for r in self.TRACE.rows], ("n", "1"))), self.score
        )

    def test_absent_page_is_alone_or_left_out(self):
        few = trace(("a1", "1"), ("a2", "1"))
        score = quality.score_labels(self.LABELS, few)
        self.assertEqual((score.absent_count, score.all_pairs), (3, quality.PairCounts(1, 0, 3)))
        score = quality.score_labels(self.LABELS, few, present_only=True)
        self.assertEqual((score.page_count, score.all_pairs), (2, quality.PairCounts(1, 0, 0)))

    def test_last_row_of_a_url_counts(self):
        self.assertEqual(trace(("a", "1"), ("a", "2")).group("a"), "2")


class IntervalTest(unittest.TestCase):
    def test_one_group_or_groups_that_are_alike_have_no_spread(self):
        one = labels(("a1", "A", "s"), ("a2", "A", "t"), ("a3", "A", "t"))
        found = trace(("a1", "1"), ("a2", "1"), ("a3", "2"))
        self.assertEqual(quality.f1_interval(one, found), (0.5, 0.5))
        # Of each of two groups one pair of three; nothing is wrong.
        two = one + labels(("b1", "B", "s"), ("b2", "B", "s"), ("b3", "B", "s"))
        both = trace(("a1", "1"), ("a2", "1"), ("a3", "2"), ("b1", "3"), ("b2", "3"), ("b3", "4"))
        self.assertEqual(quality.f1_interval(two, both), (0.5, 0.5))

    def test_a_wrong_pair_counts_half_for_each_of_its_groups(self):
        # a1 a2 and b1 b2 are right, each of a1, a2 is wrongly with each of b1, b2: F1 = 2 * 2 / (2 * 2 + 4),
        # in each draw.
        pages = labels(("a1", "A", "s"), ("a2", "A", "s"), ("b1", "B", "s"), ("b2", "B", "s"))
        together = trace(("a1", "1"), ("a2", "1"), ("b1", "1"), ("b2", "1"))
        self.assertEqual(quality.score_labels(pages, together).all_pairs.f1, 0.5)
        self.assertEqual(quality.f1_interval(pages, together), (0.5, 0.5))

    def test_the_whole_is_within_and_ambiguous_pages_are_not_scored(self):
        chance = random.Random(5)
        pages = labels(*[(f"p{i}", f"L{i // 4}", "s") for i in range(80)])
        found = trace(*[(f"p{i}", f"g{i // 4 if chance.random() < .8 else i}") for i in range(80)])
        low, high = quality.f1_interval(pages, found)
        self.assertTrue(low < quality.score_labels(pages, found).all_pairs.f1 < high, (low, high))
        more = pages + labels(("n", "L0", "s", "ambiguous"))
        self.assertEqual(quality.f1_interval(more, found), (low, high))


class FinalGroupsTest(unittest.TestCase):
    def test_a_trace_may_tell_them_beside_the_first_answers(self):
        row = "u\t1\t7\tnear\tresemblance\t0.5\t0.6\t1\t1\t7"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.tsv"
            path.write_text(row + "\t3\n#pages\t1\n", encoding="utf-8")
            told = quality.read_trace(path)
            self.assertEqual((told.group("u"), told.final().group("u"), told.final().totals["pages"]), ("7", "3", 1))
            path.write_text(row + "\n", encoding="utf-8")
            self.assertEqual(quality.read_trace(path).rows[0].final_group, "")


class IngredientsTest(unittest.TestCase):
    def test_each_is_taken_out_of_the_whole(self):
        whole, *others = ingredients.settings()
        self.assertEqual(whole.options, ())
        for name, option in ingredients.INGREDIENTS:
            self.assertIn(ablation.Ablation(f"without {name}", (option,)), others)

    def test_a_table_of_means(self):
        def row(order, groups, **figures):
            return ingredients.row_of(ablation.Ablation(ingredients.WHOLE), "en", order, groups, **figures)

        rows = [
            row("file", "first", precision=1, recall=0.8, f1=0.9, f1_low=0.85, f1_high=0.95),
            row("1", "first", precision=0.9, recall=0.9, f1=0.8),
            row("file", "final", precision=1, recall=0.9, f1=0.95),
            row("1", "final", precision=1, recall=0.9, f1=0.85),
            ingredients.row_of(
                ablation.Ablation(ingredients.WHOLE),
                "pairs",
                "file",
                "first",
                precision=0.75,
                recall=1,
                f1=0.857,
                f1_low=0.8,
                f1_high=0.9,
                mean_f1=0.7,
                mean_f1_low=0.6,
                mean_f1_high=0.8,
            ),
        ]
        with tempfile.TemporaryDirectory() as folder:
            english = pathlib.Path(folder) / "en"
            english.mkdir()
            (english / "labels.tsv").touch()
            table = ingredients.table(rows, [ablation.Corpus(english)], report.markdown)
        self.assertEqual(
            table.splitlines()[0], "| options | en: F1, first / final; least P | pairs: P / F1 / mean F1 |"
        )
        self.assertEqual(table.splitlines()[2], "| the whole | 0.850 / 0.900; 0.900 | 0.750 / 0.857 / 0.700 |")
        intervals = ingredients.interval_table([rows[0], rows[-1]], report.markdown).splitlines()
        self.assertEqual(intervals[2], "| en | 1.000 | 0.800 | 0.900 (0.850–0.950) | – |")
        self.assertEqual(intervals[3], "| pairs | 0.750 | 1.000 | 0.857 (0.800–0.900) | 0.700 (0.600–0.800) |")


class CandidateRecallTest(unittest.TestCase):
    LABEL_OF = {"a1": "A", "a2": "A", "a3": "A", "a4": "A", "a5": "A", "b1": "B"}

    def test_majority_and_any(self):
        # a2 finds nothing and founds 2; a3 has 2 only, but of equals the older group counts; a4 has the
        # majority; a5 as a3.
        rows = trace(
            ("a1", "1", "", 0),
            ("a2", "2", "", 0),
            ("b1", "3", "1", 1),
            ("a3", "2", "2", 1),
            ("a4", "1", "2", 1),
            ("a5", "2", "2", 1),
        )
        self.assertEqual(quality.candidate_recall(self.LABEL_OF, rows), (1 / 4, 3 / 4))

    def test_pages_without_label_are_not_asked(self):
        self.assertEqual(quality.candidate_recall({"a1": "A"}, trace(("x", "1"), ("a1", "1"), ("y", "1"))), (1.0, 1.0))


class PairScoreTest(unittest.TestCase):
    PAIRS = [
        dict(zip(("urlA", "urlB", "r", "c", "how", "r_main", "c_main"), row))
        for row in (
            ("a", "b", "0.6", "0.9", "same-path", "0.1", "0.1"),
            ("a", "c", "0.9", "0.9", "same-path", "0.9", "0.9"),
            ("b", "d", "0.2", "0.7", "random", "0.2", "0.2"),
            ("a", "d", "0.27", "0.69", "random", "0.7", "0.7"),
        )
    ]
    TRACE = trace(("c", "7", "", 0), ("a", "1", "7", 1), ("b", "1", "1", 1), ("d", "1", "", 0))

    def test_whole_text(self):
        score = quality.score_pairs(self.PAIRS, self.TRACE)
        # Grouped: ab, bd (right by its containment), ad (wrong). Positive: ab, and ac, which was refused
        # as a candidate.
        self.assertEqual((score.positive_count, score.grouped_count), (2, 3))
        self.assertEqual((score.precision, score.recall, score.candidate_recall), (2 / 3, 1 / 2, 1.0))

    def test_main_text_and_kinds(self):
        score = quality.score_pairs(self.PAIRS, self.TRACE, main=True)
        self.assertEqual(
            (score.positive_count, score.precision, score.recall, score.candidate_recall), (2, 1 / 3, 1 / 2, 1 / 2)
        )
        score = quality.score_pairs(self.PAIRS, self.TRACE, kinds={"same-path"})
        self.assertEqual((score.pair_count, score.precision, score.recall), (2, 1.0, 1 / 2))

    def test_nothing_grouped(self):
        score = quality.score_pairs(self.PAIRS, trace())
        self.assertEqual((score.precision, score.recall, score.candidate_recall), (0.0, 0.0, 0.0))

    def test_recall_by_length(self):
        steps = quality.recall_by_length(self.PAIRS, {"a": 500, "b": 24, "c": 25, "d": 1}, self.TRACE, {"same-path"})
        self.assertEqual(steps[:3], [(0, 1, 1.0), (25, 1, 0.0), (50, 0, 0.0)])


class TraceFileTest(unittest.TestCase):
    def test_rows_and_totals(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows.tsv"
            path.write_text(
                "#url\tpage_id\tgroup_id\tverdict\trule\tr\tc\tcandidates\tverifications\tcandidate_groups\n"
                "http://a/\t1\t1\tnew\t-\t0\t0\t0\t0\t-\n"
                "http://b/\t2\t1\tnear\tresemblance\t0.9\t1\t2\t1\t1,12\n"
                "#pages\t2\n",
                encoding="utf-8",
            )
            read = quality.read_trace(path)
        self.assertEqual(read.rows[0].candidate_groups, frozenset())
        self.assertEqual(read.rows[1].candidate_groups, {"1", "12"})
        self.assertEqual(read.totals, {"pages": 2})
        self.assertEqual((read.per_page("candidate_count"), read.per_page("verification_count")), (1.0, 0.5))


class GateTest(unittest.TestCase):
    ROW = {
        "corpus": "en",
        "options": "default",
        "per_host": "all",
        "order": "file",
        "pages": "10",
        "precision": "0.9000",
        "recall": "0.8000",
        "f1": "0.8471",
        "candidate_recall": "-",
        "candidates": "2.000",
        "verifications": "1.000",
    }

    def faults(self, **changes):
        return list(gate.faults([self.ROW], [self.ROW | changes]))

    def test_within_tolerance(self):
        self.assertEqual(
            self.faults(precision="0.8950", recall="0.8200", candidates="2.200", verifications="0.100"), []
        )

    def test_fall_of_quality(self):
        for column in ("precision", "recall", "f1"):
            value = float(self.ROW[column]) - 0.0052
            self.assertRegex(self.faults(**{column: f"{value:.4f}"})[0], f"{column} fell")

    def test_rise_of_quality(self):
        self.assertRegex(self.faults(f1="0.8673")[0], "f1 rose")

    def test_rise_of_work(self):
        self.assertRegex(self.faults(candidates="2.202")[0], "candidates a page rose")
        self.assertRegex(self.faults(verifications="1.102")[0], "verifications a page rose")

    def test_other_corpus_and_rows(self):
        self.assertRegex(self.faults(pages="11")[0], "another corpus")
        self.assertRegex(" ".join(self.faults(options="x_rounds=1")), "no such row.*was not measured")


class ReportTest(unittest.TestCase):
    def test_sections(self):
        text = (
            "Prose.\n<!-- generated: one -->\nold\n<!-- end -->\nMore.\n<!-- generated: two -->\nstays\n<!-- end -->\n"
        )
        renewed, homeless = report.replace_sections(text, {"one": "new\n", "three": "x\n"})
        self.assertEqual(renewed, text.replace("old", "new"))
        self.assertEqual(homeless, ["three"])
        self.assertEqual(report.replace_sections(renewed, {"one": "new\n"}), (renewed, []))

    def test_mean_and_range(self):
        outcomes = [ablation.Outcome(None, None, {"f1": value}) for value in (0.8, 0.9, 1.0)]
        self.assertEqual(report.Summary(outcomes).with_range("f1"), "0.900 (0.800–1.000)")
        self.assertEqual(report.Summary(outcomes[:1]).with_range("f1"), "0.800")
        self.assertEqual(report.Summary(outcomes).text("precision"), "–")


class SpotsTest(unittest.TestCase):
    OUTPUT = (
        "#url\tlength\tspotsigs/none/0.440\tspotsigs/web/0.440\n"
        "a1\t9\t0\t0\na2\t8\t0\t1\na3\t0\t2\t2\nb1\t8\t0\t1\nb2\t7\t4\t4\n"
        "#join\tband\ttau\tpartitions\tpruning\tdocuments\tpartitions_used\tpostings_touched\tcomputations\tpairs"
        "\tcpu_seconds\n"
        "#partition\tband\ttau\tnumber\tshortest\tlongest\tdocuments\n"
        "#join\tnone\t440\ton\ton\t4\t2\t1200\t7\t3\t0.002\n"
        "#partition\tnone\t440\t3\t7\t7\t1\n#partition\tnone\t440\t4\t8\t9\t3\n"
        "#join\tnone\t440\toff\toff\t4\t1\t3400\t9\t3\t0.005\n#total\tpages\t5\n"
    )

    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows.tsv"
            path.write_text(self.OUTPUT, encoding="utf-8")
            self.output = spots.read_output(path)
            (pathlib.Path(folder) / "labels.tsv").touch()
            corpus = ablation.Corpus(pathlib.Path(folder))
            self.figures = {
                setting: spots.figures_of(corpus, LabelScoreTest.LABELS, trace)
                for setting, trace in self.output.groups.items()
            }
        self.measured = spots.Measured(corpus, spots.MAIN, self.figures, self.output)

    def test_groups(self):
        # Without a band the grouping of LabelScoreTest; with one, a2 b1 alone is said, and is wrong.
        self.assertEqual(self.output.pages, 5)
        self.assertAlmostEqual(self.figures[spots.Setting("spotsigs", "none", "0.440")]["f1"], 2 / 7)
        self.assertEqual(self.figures[spots.Setting("spotsigs", "web", "0.440")]["f1"], 0.0)

    def test_quality_rows(self):
        row = next(spots.quality_rows([self.measured]))
        self.assertEqual(
            (row["band"], row["tau"], row["pages"], row["f1"], row["all_recall"]), ("none", "0.440", "5", "0.2857", "-")
        )
        self.assertLessEqual(set(spots.COLUMNS), set(row))

    def test_work(self):
        both, neither = spots.work_rows([self.measured])
        self.assertEqual((both["median_partition"], both["largest_partition"]), ("2", "3"))
        self.assertEqual((neither["median_partition"], neither["largest_partition"]), ("4", "4"))


class InventedCorpusTest(unittest.TestCase):
    LONE_KINDS = ["quote", "teaser", "index", "form", "short", "empty"]

    @classmethod
    def setUpClass(cls):
        cls.articles = sample_articles.read_articles()
        cls.corpora = {
            language: reframe.Corpus(language, cls.articles, reframe.SEED).make() for language in reframe.LANGUAGES
        }

    def test_size_and_kinds(self):
        self.assertGreaterEqual(sum(len(corpus.pages) for corpus in self.corpora.values()), 600)
        for corpus in self.corpora.values():
            kinds = collections.Counter(page.kind for page in corpus.pages)
            for kind in ["dup-" + name for name in text_edits.EDITS] + ["dup-multi", "source"] + self.LONE_KINDS:
                self.assertGreater(kinds[kind], 0, kind)

    def test_urls_differ_and_look_alikes_are_alone(self):
        for corpus in self.corpora.values():
            self.assertEqual(len({page.url for page in corpus.pages}), len(corpus.pages))
            sizes = collections.Counter(page.group for page in corpus.pages)
            for page in corpus.pages:
                if page.kind in self.LONE_KINDS:
                    self.assertEqual(sizes[page.group], 1, page.url)

    def test_same_seed_same_bytes(self):
        again = reframe.Corpus("en", self.articles, reframe.SEED).make()
        self.assertEqual(
            [reframe.warc_record(page) for page in again.pages],
            [reframe.warc_record(page) for page in self.corpora["en"].pages],
        )
        other = reframe.Corpus("en", self.articles, reframe.SEED + 1).make()
        self.assertNotEqual([page.body for page in other.pages], [page.body for page in again.pages])

    def test_edits_keep_what_they_say(self):
        prose = self.corpora["en"].prose
        for subject in self.corpora["en"].subjects[:10]:
            for name, edit in text_edits.EDITS.items():
                edited = edit(random.Random(name), subject.paragraphs, prose)
                text = " ".join(paragraph.text for paragraph in edited)
                for paragraph in edited:
                    self.assertLessEqual(paragraph.kept, sample_articles.width(paragraph.text) + 2, name)
                if name in ("none", "markup", "reorder", "add", "extras"):
                    for paragraph in subject.paragraphs:
                        self.assertIn(paragraph.text, text)
                    self.assertEqual(text_edits.resemblance(subject.paragraphs, edited)[1], 1.0, name)
                if name in ("del", "words"):
                    self.assertLess(text_edits.resemblance(subject.paragraphs, edited)[0], 1.0, name)


if __name__ == "__main__":
    unittest.main()
