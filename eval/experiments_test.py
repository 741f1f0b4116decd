#!/usr/bin/env python3
"""experiments_test.py PROGRAMS [--quick] [unittest arguments]: the tests of `ndc eval`, end to end, on a corpus that
reframe.py makes.

PROGRAMS: the folder of ndc and ndc-eval. --quick, for slow builds: two detectors in place of all, and no sweep.
"""
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import quality
import reframe

PROGRAMS = None
QUICK = False
QUICK_DETECTORS = ["--detectors", "lcs,simhash64"]
# Their rows are compared with those of `ndc dedup`, scored by the other scorer.
COMPARED = (("lcs", "lcs"), ("simhash64", "method"), ("simhash64", "lcs"), ("minhash", "method"), ("cosine", "lcs"))
SWEPT = {
    "detectors",
    "detector_errors",
    "default_errors",
    "thresholds",
    "lcs_fingerprints",
    "lcs_windows",
    "lcs_slopes",
    "lcs_against",
    "lcs_sampled_sets",
    "lcs_templates",
    "spotsigs_thresholds",
    "spotsigs_work",
    "spotsigs_partitions",
    "moz_histogram",
    "moz_quadrants",
    "moz_pairs",
    "moz_thresholds",
    "moz_speed",
    "mwo_filters",
    "mwo_thresholds",
}
MEASURED_TIMES = {
    "cpu_ms_a_page",
    "read_ms_a_page",
    "describe_ms_a_page",
    "search_ms_a_page",
    "own_ms_a_page_least",
    "own_ms_a_page_most",
    "pages_per_second",
}
COMPARED_TABLES = {"detectors", "detector_errors", "default_errors"}
WITHOUT_ROWS = {"moz_pairs", "default_errors"}  # where every answer is right


def needs_sweep(test):
    """Asks when the test runs: the command line has not been read when this class is defined."""

    @functools.wraps(test)
    def run(self):
        if QUICK:
            self.skipTest("no sweep")
        test(self)

    return run


def ndc(*words):
    return subprocess.run([PROGRAMS / "ndc", *map(str, words)], capture_output=True, text=True)


class Tables:
    """What a run of `ndc eval` wrote."""

    def __init__(self, folder):
        self.folder = folder
        self.record = json.loads((folder / "run.json").read_text(encoding="utf-8"))

    def rows(self, name):
        """As {column: cell}."""
        table = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
        columns = [column["name"] for column in table["columns"]]
        return [dict(zip(columns, row, strict=True)) for row in table["rows"]]

    def cell_count(self, name):
        lines = (self.folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
        return sum(len(line.split("\t")) for line in lines[1:])


class EvalTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="ndc-eval-")
        cls.addClassCleanup(cls.scratch.cleanup)
        root = pathlib.Path(cls.scratch.name)
        reframe.generate(root)
        cls.corpus = root / "en"
        cls.labels, cls.pages = cls.corpus / "labels.tsv", cls.corpus / "pages.warc.gz"
        cls.out = root / "out"
        cls.ran = ndc("eval", cls.labels, cls.pages, "-o", cls.out, *(QUICK_DETECTORS if QUICK else ["--sweep"]))

    def setUp(self):
        self.assertEqual(self.ran.returncode, 0, self.ran.stderr)
        self.tables = Tables(self.out)

    def test_every_table_has_rows_in_both_forms(self):
        self.assertEqual(set(self.tables.record["tables"]), COMPARED_TABLES if QUICK else SWEPT)
        for name in self.tables.record["tables"]:
            rows = self.tables.rows(name)
            self.assertTrue(rows or name in WITHOUT_ROWS, name)
            self.assertEqual(self.tables.cell_count(name), sum(map(len, rows)), name)

    def test_the_record_tells_what_was_run(self):
        labels = quality.read_table(self.labels)
        record = self.tables.record
        self.assertEqual(record["name"], "en")
        self.assertEqual(record["pages"], len(labels))
        self.assertEqual(record["sites"], len({row["site"] for row in labels}))
        self.assertFalse(record["silver"])
        self.assertTrue(record["complete"])
        self.assertEqual(record["settings"]["seed"], 1)
        self.assertEqual(
            sorted(record["tables"]), sorted(name for names in record["tables_of"].values() for name in names)
        )

    def as_pages_come(self):
        """Without settling: the engine of `ndc eval` decides each page once."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return "--store", os.path.join(folder.name, "pages.ndc")

    def test_the_errors_are_those_of_the_score(self):
        labels = quality.read_table(self.labels)
        groups = self.out / "default.tsv"
        self.assertEqual(ndc("dedup", *self.as_pages_come(), "-o", groups, self.pages).returncode, 0)
        score = quality.score_labels(labels, quality.read_groups(groups))
        kinds = {row["kind"]: row for row in self.tables.rows("detector_errors") if row["detector"] == "lcs"}
        for name, counts in score.kinds.items():
            self.assertEqual(
                (kinds[name]["pages"], kinds[name]["pages_with_wrong"], kinds[name]["pages_with_missed"]),
                (counts.pages, counts.pages_with_wrong, counts.pages_with_missed),
                name,
            )
        listed = [row["error"] for row in self.tables.rows("default_errors")]
        self.assertEqual(
            (listed.count("wrong"), listed.count("missed")),
            (min(200, score.all_pairs.wrong), min(200, score.all_pairs.missed)),
        )

    def test_an_interrupted_run_is_resumed(self):
        out = self.out / "resumed"
        words = (
            "eval",
            self.labels,
            self.pages,
            "--no-figures",
            "-o",
            out,
            "--experiments",
            "detectors,moz",
            "--orders",
            1,
            "--detectors",
            "exact,simhash64",
        )
        self.assertEqual(ndc(*words).returncode, 0)
        path = out / "run.json"
        whole = json.loads(path.read_text(encoding="utf-8"))
        interrupted = {
            **whole,
            "complete": False,
            "seconds": {"detectors": 12.5},
            "tables_of": {"detectors": whole["tables_of"]["detectors"]},
            "tables": whole["tables_of"]["detectors"],
        }
        path.write_text(json.dumps(interrupted), encoding="utf-8")
        kept = (out / "detectors.json").stat().st_mtime_ns
        (out / "moz_speed.json").unlink()
        done = ndc(*words, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("detectors was finished before", done.stderr)
        self.assertEqual((out / "detectors.json").stat().st_mtime_ns, kept)
        resumed = json.loads(path.read_text(encoding="utf-8"))
        self.assertTrue(resumed["complete"])
        self.assertEqual(resumed["seconds"]["detectors"], 12.5)
        self.assertEqual(set(resumed["tables"]), set(whole["tables"]))
        for change, sentence in (
            ({"pages": 1}, "of other pages"),
            ({"commit": "elsewhere"}, "of another build"),
            ({"settings": {}}, "of other settings"),
            ({"tables_of": 3, "seconds": 4}, None),
            ({"version": None}, "another build"),
        ):
            path.write_text(json.dumps({**whole, **change}), encoding="utf-8")
            done = ndc(*words, "--resume")
            self.assertEqual(done.returncode, 1, (change, done.stderr))
            self.assertIn(sentence or "no record of this program", done.stderr)
        path.write_text("[", encoding="utf-8")
        self.assertEqual(ndc(*words, "--resume").returncode, 1)

    def test_detectors_are_those_of_dedup(self):
        labels = quality.read_table(self.labels)
        rows = {(row["detector"], row["decide"]): row for row in self.tables.rows("detectors")}
        for detector, decide in COMPARED:
            if (detector, decide) not in rows:
                self.assertTrue(QUICK)
                continue
            groups = self.out / f"{detector}-{decide}.tsv"
            done = ndc(
                "dedup", *self.as_pages_come(), "--detector", detector, "--decide", decide, "-o", groups, self.pages
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            score = quality.score_labels(labels, quality.read_groups(groups))
            row = rows[detector, decide]
            for prefix, counts in (
                ("", score.all_pairs),
                ("same_site_", score.same_site),
                ("cross_site_", score.cross_site),
            ):
                for measure in ("precision", "recall", "f1"):
                    if row[prefix + measure] is not None:  # nothing could be found, or nothing was
                        self.assertAlmostEqual(
                            row[prefix + measure], getattr(counts, measure), 5, (detector, decide, prefix, measure)
                        )
            self.assertAlmostEqual(row["b_cubed_f1"], score.b_cubed_f1, 5)

    def test_the_default_engine_leads(self):
        rows = self.tables.rows("detectors")
        lcs = next(row for row in rows if row["detector"] == "lcs")
        # The corpus is invented and made to be hard; candidates by another method may find a pair or two more. MWO over
        # main content finds more copies of it, and pays with wrong pairs, which the default does not.
        for row in rows:
            if row["precision"] is not None:  # it joined at least one pair
                self.assertLessEqual(row["precision"], lcs["precision"], row)
            if row["detector"] != "mwo":
                self.assertLessEqual(row["f1"], lcs["f1"] + 0.01, row)

    @needs_sweep
    def test_thresholds_pass_through_the_defaults(self):
        default = {(row["detector"], row["decide"]): row for row in self.tables.rows("detectors")}
        met = set()
        for row in self.tables.rows("thresholds"):
            known = default[row["detector"], row["decide"]]
            if row["threshold"] is not None and row["threshold"] == known["threshold"]:
                self.assertAlmostEqual(row["f1"], known["f1"], delta=0.02, msg=row)
                met.add((row["detector"], row["decide"]))
        with_threshold = {key for key, row in default.items() if row["threshold"] is not None}
        self.assertEqual(met, with_threshold)

    @needs_sweep
    def test_many_fingerprints_cover_more_than_few(self):
        for text in ("main", "all"):
            rows = [row for row in self.tables.rows("lcs_fingerprints") if row["text"] == text]
            self.assertEqual([row["fingerprints"] for row in rows], list(range(7, 113, 7)))
            # Step by step it may fall: one more key may move a page to another set, and lose it there.
            self.assertGreater(rows[-1]["coverage"], rows[0]["coverage"])

    @needs_sweep
    def test_partitions_and_pruning_change_the_work_alone(self):
        found = {}
        for row in self.tables.rows("spotsigs_work"):
            key = row.get("collection"), row["text"], row["tau"]
            self.assertEqual(found.setdefault(key, row["pairs"]), row["pairs"], row)

    @needs_sweep
    def test_quadrants_sum_the_histogram(self):
        cells = self.tables.rows("moz_histogram")
        quadrants = {row["quadrant"]: row["pairs"] for row in self.tables.rows("moz_quadrants")}
        pages = self.tables.record["pages"]
        self.assertEqual(sum(cell["pairs"] for cell in cells), sum(quadrants.values()))
        self.assertLessEqual(sum(quadrants.values()), pages * (pages - 1) // 2)
        right = [cell for cell in cells if cell["simhash_difference"] <= 5 and cell["vector_difference"] > 6]
        self.assertEqual(sum(cell["pairs"] for cell in right), quadrants["simhash_only"])

    @needs_sweep
    def test_the_safe_filter_loses_nothing(self):
        for row in self.tables.rows("mwo_filters"):
            if row["filter"] == "safe":
                self.assertEqual(row["lost_pairs"], 0)
            self.assertLessEqual(row["after_overlap"], row["after_position"])
            self.assertLessEqual(row["after_position"], row["after_prefix"])

    def test_the_page_has_its_figures(self):
        page = (self.out / "index.html").read_text(encoding="utf-8")
        for figure in (self.out / "figures").iterdir():
            self.assertGreater(figure.stat().st_size, 1000, figure)
        self.assertIn("figures/", page)

    def test_the_same_again_gives_the_same(self):
        again = self.out / "again"
        options = QUICK_DETECTORS if QUICK else ["--detectors", "lcs,simhash64,mwo"]
        done = ndc("eval", self.labels, self.pages, "--no-figures", "-o", again, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((again / "index.html").exists())
        before = {(row["detector"], row["decide"]): row for row in self.tables.rows("detectors")}
        for row in Tables(again).rows("detectors"):
            known = before[row["detector"], row["decide"]]
            for column in row.keys() - MEASURED_TIMES - {"index_bytes_a_page", "features_bytes_a_page"}:
                self.assertEqual(row[column], known[column], (row["detector"], column))
            # Tables are keyed by a secret of each engine: how full the buckets of so small an index become is chance
            # (0.4 % standard deviation, with outliers of 2 %). What the test is after is an index that is counted
            # twice, or not at all.
            self.assertAlmostEqual(
                row["index_bytes_a_page"], known["index_bytes_a_page"], delta=0.25 * known["index_bytes_a_page"]
            )
            # Which words get a code while few texts are known depends on the same secret.
            self.assertAlmostEqual(
                row["features_bytes_a_page"],
                known["features_bytes_a_page"],
                delta=0.02 * known["features_bytes_a_page"],
            )

    def test_without_labels_the_default_engine_stands_for_them(self):
        out = self.out / "silver"
        done = ndc("eval", "-", self.pages, "--no-figures", "-o", out, *QUICK_DETECTORS)
        self.assertEqual(done.returncode, 0, done.stderr)
        tables = Tables(out)
        self.assertTrue(tables.record["silver"])
        self.assertEqual(next(row["f1"] for row in tables.rows("detectors") if row["detector"] == "lcs"), 1)

    def test_detectors_may_stand_before_the_labels(self):
        done = ndc(
            "eval", "--detectors", "exact,lcs", "--no-figures", "-o", self.out / "first", self.labels, self.pages
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({row["detector"] for row in Tables(self.out / "first").rows("detectors")}, {"lcs", "exact"})

    def test_bad_input_is_an_error_with_a_sentence(self):
        other = self.out / "other.tsv"
        other.write_text("url\tgroup\nhttp://elsewhere.example/\tg\n", encoding="utf-8")
        for words, code, sentence in (
            ((self.out / "absent.tsv", self.pages), 1, "cannot read the labels"),
            ((self.pages, self.pages), 1, "the head has no columns"),
            ((self.labels, self.out / "absent.warc"), 1, "absent.warc"),
            ((other, self.pages), 1, "no page has a label"),
            ((self.labels, self.pages, "--detectors", "psychic"), 2, "psychic"),
            ((self.labels,), 2, "WARC"),
            ((self.labels, self.pages, "-o", self.labels / "below"), 1, "cannot make the folder"),
        ):
            done = ndc("eval", *words, *(() if "-o" in words else ("-o", self.out / "bad")))
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(sentence, done.stdout + done.stderr)


if __name__ == "__main__":
    PROGRAMS = pathlib.Path(sys.argv.pop(1)).resolve()
    if "--quick" in sys.argv:
        sys.argv.remove("--quick")
        QUICK = True
    unittest.main()
