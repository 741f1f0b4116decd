#!/usr/bin/env python3
"""The page of figures, drawn from invented runs. Needs a Python with matplotlib."""
import html.parser
import io
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import warnings
import xml.etree.ElementTree
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

import direct_labels
import draw
import sentences
import moz
import overview
import tables
from invented_run_test import Invented

HOSTILE = '<script>alert(1)</script>"\' onload=x $\\frac{1}$ \u202e\ud800\x07 漢字 &amp;'
SECTIONS = ("ran", "seen", "detectors", "errors", "thresholds", "lcs", "spotsigs", "moz", "mwo")
EXPERIMENTS = pathlib.Path(__file__).resolve().parent.parent / "experiments"
SITE_COLUMNS = {"same_site_pairs", "same_label_same_site_pairs", "other_label_same_site_pairs"}
FIGURES = (
    "detectors_f1",
    "detectors_sites",
    "detectors_cost",
    "thresholds_curves",
    "thresholds_precision_recall",
    "lcs_fingerprints",
    "lcs_windows",
    "lcs_slopes",
    "lcs_against",
    "spotsigs_thresholds",
    "spotsigs_work",
    "spotsigs_partitions",
    "moz_histogram",
    "moz_labels",
    "moz_thresholds",
    "moz_speed",
    "mwo_filters",
    "mwo_thresholds",
)
VOID = {"meta", "img", "br", "link"}


class Page(html.parser.HTMLParser):
    """What is on a page; faults are tags that do not match."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.ids, self.images, self.links, self.tags = [], [], [], [], [], set()
        self.words, self.sentences = [], []
        self.feed(text)
        self.faults += self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        found = dict(attributes)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "img":
            self.images.append(found)
        if "href" in found:
            self.links.append(found["href"])
        if any(name.startswith("on") for name in found):
            self.faults.append(f"handler in {tag}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.words.append(data)
        if self.open and self.open[-1] in ("p", "li", "figcaption"):
            self.sentences.append(data)

    @property
    def text(self):
        return " ".join(self.words)


def run_draw(*arguments):
    """(exit code, what was written to stderr)."""
    errors = io.StringIO()
    with redirect_stderr(errors), redirect_stdout(io.StringIO()):
        try:
            code = draw.main([str(argument) for argument in arguments])
        except SystemExit as exit:
            code = exit.code
    return code, errors.getvalue()


class Folders(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name)

    def drawn(self, *runs):
        """The page over these folders."""
        output = self.root / "out"
        self.assertEqual(run_draw(*runs, "-o", output), (0, ""))
        text = (output / "index.html").read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.faults, [])
        self.check_images(page, output)
        self.check_links(page)
        return page

    def check_images(self, page, output):
        for image in page.images:
            self.assertGreater(len(image["alt"]), 20)
            svg = output / image["src"]
            self.assertEqual(xml.etree.ElementTree.parse(svg).getroot().tag, "{http://www.w3.org/2000/svg}svg")
            header = svg.with_suffix(".png").read_bytes()[:24]
            self.assertEqual(header[:8], b"\x89PNG\r\n\x1a\n")
            width, height = struct.unpack(">II", header[16:24])
            self.assertGreaterEqual(width, 1300, svg)
            self.assertLess(height, 1600, svg)

    def check_links(self, page):
        self.assertNotIn("script", page.tags)
        for link in page.links:
            self.assertRegex(link, r"^(#[a-z]+|figures/[a-z0-9_]+\.png|https?://.*)$")

    def invented(self, name="invented", **options):
        Invented(self.root / name, name, **options)
        return self.root / name

    def only(self, run, *names):
        """Drops all other tables: drawing takes time."""
        for path in run.glob("*.json"):
            if path.stem not in names + ("run",):
                path.unlink()
        return run

    def change(self, run, name, change):
        path = run / f"{name}.json"
        data = json.loads(path.read_text())
        change(data)
        path.write_text(json.dumps(data))


class WholePage(Folders):
    def test_one_run_has_every_section_and_figure(self):
        page = self.drawn(self.invented())
        self.assertEqual(page.ids, list(SECTIONS))
        self.assertEqual([image["src"] for image in page.images], [f"figures/{name}.svg" for name in FIGURES])
        for text in (
            "1,234, of which 1,200 are scored",
            "321 groups (labels.tsv)",
            "invented processor, 2 cores",
            "2026-11-21",
            "98.8 MB",
            "15.5 s",
            "1.1.0, commit 0123456789ab, 13.1",
            "7, 3, 2,000,000",
            "LCS partition and LSH-S, options at their defaults",
        ):
            self.assertIn(text, page.text)
        self.assertNotIn("Left out", page.text)
        self.assertNotIn("silver", page.text)
        for heading, count in (("The document reports", 21), ("We measure", 23), ("The difference", 21)):
            self.assertEqual(page.text.count(heading), count)

    def test_three_runs_stand_side_by_side(self):
        runs = [
            self.invented(name, seed=seed, **options)
            for seed, (name, options) in enumerate(
                (("first", {}), ("second", {"leading": ("cosine", "method")}), ("third", {"silver": True}))
            )
        ]
        (runs[1] / "moz_speed.json").unlink()
        page = self.drawn(*runs)
        self.assertIn("measured: first, second and third", page.text)
        self.assertRegex(page.text, r"first: LCS partition leads with F1 0\.990, 0\.\d+ ahead of")
        self.assertRegex(
            page.text,
            r"second: cosine leads with F1 0\.990, 0\.\d+ ahead of .*?; the default engine has 0\.\d+, 0\.\d+"
            r" less\.",
        )
        self.assertIn("third: no labels were given", page.text)
        self.assertIn("Left out for second: the table moz_speed is not there or not complete.", page.text)

    def test_same_run_gives_the_same_files(self):
        run = self.only(self.invented(), "thresholds", "moz_histogram", "lcs_slopes")
        self.drawn(run)
        first = {path.name: path.read_bytes() for path in self.root.glob("out/**/*.*")}
        self.drawn(run)
        self.assertEqual(first, {path.name: path.read_bytes() for path in self.root.glob("out/**/*.*")})
        self.assertEqual(len(first), 1 + 2 * 5)


class HostileTables(Folders):
    def test_text_of_cells_stays_text(self):
        run = self.invented()
        manifest = json.loads((run / "run.json").read_text())
        manifest.update(
            name=HOSTILE,
            labels=HOSTILE,
            version=HOSTILE,
            date=HOSTILE,
            machine={"model": HOSTILE, "cores": "many"},
            seconds=[1],
        )
        (run / "run.json").write_text(json.dumps(manifest))

        def spoil(data):
            for row in data["rows"][-3:]:
                row[:] = [HOSTILE if isinstance(cell, str) else cell for cell in row]

        for path in run.glob("*.json"):
            if path.name not in ("run.json", "moz_quadrants.json"):
                self.change(run, path.stem, spoil)
        self.change(run, "moz_pairs", lambda data: data["rows"][0].__setitem__(0, "javascript:" + "x" * 5000))
        page = self.drawn(run)
        text = (self.root / "out/index.html").read_text(encoding="utf-8")
        self.assertNotIn("<script", text)
        self.assertNotIn("\u202e", text)
        self.assertNotIn("x" * 200, text)
        self.assertIn("<script>alert(1)</script>", page.text)
        self.assertIn("javascript:xxx", page.text)

    def test_any_numbers_can_be_drawn(self):
        strange = (None, 0, -1, 1, 1e-300, 1e300, 10**30, float("nan"), float("inf"), True, "text", [1], {"a": 1})
        for seed in range(4):
            source = random.Random(seed)
            run = self.invented(f"strange{seed}")
            for path in sorted(run.glob("*.json")):
                if path.name == "run.json":
                    continue
                data = json.loads(path.read_text())
                rows = [
                    [source.choice(strange) if source.random() < (0.02, 0.2, 0.9, 1)[seed] else cell for cell in row]
                    for row in data["rows"]
                ]
                data["rows"] = source.sample(rows, min(len(rows), (1000, 200, 20, 1)[seed]))
                path.write_text(json.dumps(data))
            with self.subTest(seed=seed), mock.patch(
                "style.save", lambda figure, folder, name: figure.draw_without_rendering()
            ):
                self.assertEqual(run_draw(run), (0, ""))
                self.assertEqual(Page((run / "index.html").read_text(encoding="utf-8")).faults, [])

    def test_long_names_and_great_numbers(self):
        run = self.invented()
        manifest = json.loads((run / "run.json").read_text())
        (run / "run.json").write_text(json.dumps({**manifest, "pages": 10**400, "seconds": {"a": 10**400, "b": 2}}))

        def spoil(data):
            for number, row in enumerate(data["rows"]):
                row[:] = [cell + "x" * 3000 if isinstance(cell, str) and number % 3 == 0 else cell for cell in row]
            data["rows"][-1][-1] = 10**400

        for path in run.glob("*.json"):
            if path.name != "run.json":
                self.change(run, path.stem, spoil)
        self.assertEqual(run_draw(run), (0, ""))
        self.assertNotIn("x" * 100, (run / "index.html").read_text(encoding="utf-8"))

    def test_no_warning_of_what_is_not_positive(self):
        run = self.only(self.invented(), "spotsigs_partitions", "moz_thresholds", "moz_histogram", "mwo_filters")
        for name in ("spotsigs_partitions", "moz_histogram", "mwo_filters", "moz_thresholds"):
            self.change(
                run,
                name,
                lambda data: data.update(
                    rows=[[-1 if isinstance(cell, (int, float)) else cell for cell in row] for row in data["rows"]]
                ),
            )
        done = subprocess.run([sys.executable, "-B", draw.__file__, run], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with warnings.catch_warnings(record=True) as told, mock.patch.object(warnings, "simplefilter"):
            warnings.resetwarnings()
            self.assertEqual(run_draw(run)[0], 0)
        self.assertEqual([str(warning.message) for warning in told if "log" in str(warning.message)], [])

    def test_rows_and_cells_left_out_are_told(self):
        run = self.only(self.invented(), "mwo_filters")

        def spoil(data):
            data["rows"][0][0] = data["rows"][1][0] = None
            data["rows"][2][3:5] = [1e300, True]

        self.change(run, "mwo_filters", spoil)
        page = self.drawn(run)
        self.assertIn(
            "Table mwo_filters of invented: rows left out, for want of a name in fields or filter: 2 of 42.", page.text
        )
        self.assertIn(
            "Table mwo_filters of invented: cells left out, which are neither text nor a number up to 1e+15: 2.",
            page.text,
        )

    def test_sentences_pass_over_empty_scores(self):
        for seed in range(3):
            source = random.Random(seed)
            run = self.invented(f"empty{seed}")
            for path in sorted(run.glob("*.json")):
                if path.name != "run.json":
                    self.change(run, path.stem, lambda data: self.empty(data, source, (0.3, 0.8, 1)[seed]))
            with self.subTest(seed=seed), mock.patch(
                "style.save", lambda figure, folder, name: figure.draw_without_rendering()
            ):
                self.assertEqual(run_draw(run), (0, ""))
                sentences = Page((run / "index.html").read_text(encoding="utf-8")).sentences
                self.assertGreater(len(sentences), 60)
                for sentence in sentences:
                    self.assertNotRegex(sentence.replace("“Summary –", ""), r"–|None|\bnan\b")

    def empty(self, data, source, share):
        """Without some scores: where nothing was found, or there was nothing to find."""
        scores = re.compile("precision|recall|f1|coverage|trustable|reserved|strained_away|resemblance")
        for row in data["rows"]:
            for number, column in enumerate(data["columns"]):
                if scores.search(column["name"]) and source.random() < share:
                    row[number] = None

    def test_absent_tables_are_told(self):
        run = self.invented()
        page = self.drawn(self.only(run))
        self.assertEqual(page.ids, list(SECTIONS))
        self.assertEqual(page.images, [])
        self.assertIn(
            "Left out for invented: the tables lcs_fingerprints, lcs_windows, lcs_slopes, lcs_against, lcs_sampled_sets"
            " and lcs_templates are not there or not complete.",
            page.text,
        )
        self.assertIn("None of the tables that this list is computed from is there.", page.text)

    def test_tables_that_lack_a_column_or_rows(self):
        run = self.only(self.invented(), "detectors")
        self.change(run, "detectors", lambda data: data["columns"][8].update(name="f_one"))
        page = self.drawn(run)
        self.assertIn("Table detectors of invented has no column f1.", page.text)
        self.assertEqual(page.images, [])


class Errors(Folders):
    def test_pairs_are_links_to_the_web_alone(self):
        page = self.drawn(self.only(self.invented(), "default_errors"))
        self.assertEqual(
            {link for link in page.links if "example" in link},
            {
                "https://one.example/",
                "http://two.example/" + "long/" * 20,
                "https://one.example/1",
                "https://one.example/2",
            },
        )
        self.assertIn("javascript:alert(1)", page.text)
        self.assertIn(
            "Of 1 wrong pair in the list the LCS alone decides 1 in the same way; of 2 missed pairs in the list the LCS"
            " alone decides 1 in the same way; what it decides otherwise comes of",
            page.text,
        )

    def test_kinds_with_errors_are_named(self):
        page = self.drawn(self.only(self.invented(), "detector_errors"))
        self.assertIn(
            "The default engine has 4 pages in a wrong pair, most of them teaser (3 of 80) and source (1 of 100) and 11"
            " pages in a missed pair, most of them dup-words (7 of 90) and source (4 of 100).",
            page.text,
        )


class Manifest(Folders):
    def test_an_interrupted_run_is_drawn_and_told(self):
        run = self.only(self.invented(), "detectors")
        self.change(
            run, "run", lambda data: data.update(complete=False, tables=["detectors"], seconds={"detectors": 3})
        )
        page = self.drawn(run)
        self.assertIn("invented: the run was interrupted; this page shows what it had finished.", page.text)
        self.assertIn("detectors and moz; interrupted: moz is missing", page.text)
        self.assertIn("figures/detectors_f1.svg", [image["src"] for image in page.images])

    def test_tables_of_another_run_are_not_drawn(self):
        run = self.only(self.invented(), "moz_speed", "spotsigs_partitions")
        for listed, drawn in (
            (["moz_speed"], ["moz_speed"]),
            ([], []),
            (None, []),
            ("moz_speed", []),
            ([{}, 1, "moz_speed"], ["moz_speed"]),
        ):
            self.change(run, "run", lambda data: data.update(tables=listed))
            page = self.drawn(run)
            self.assertEqual([image["src"] for image in page.images], [f"figures/{name}.svg" for name in drawn])
            self.assertIn(
                "Table spotsigs_partitions of invented is left out: its file is there, but run.json does not list it",
                page.text,
            )
        self.change(run, "run", lambda data: data.pop("tables"))
        self.assertEqual(self.drawn(run).images, [])

    def test_every_table_of_ndc_eval_is_known(self):
        named = re.compile(r'(?:\bTable(?: \w+)?\(|\breturn \{)\s*"([a-z_]+)",')
        written = {name for path in EXPERIMENTS.glob("*.cpp") for name in named.findall(path.read_text())}
        self.assertEqual(written, set(tables.NAMES))

    def test_every_known_table_is_read(self):
        run = tables.read_run(self.invented())
        self.assertEqual(set(run.listed()), set(tables.NAMES))
        with mock.patch("style.save"):
            overview.whole_page([run], self.root)
        self.assertEqual(set(run.known), set(tables.NAMES))
        self.assertEqual(run.problems, [])

    def test_an_unknown_table_is_told(self):
        run = self.only(self.invented())
        self.change(run, "run", lambda data: data.update(tables=["lcs_new", "moz_speed", 3]))
        self.assertIn("invented has tables that this page does not draw: lcs_new.", self.drawn(run).text)


class Faults(Folders):
    def test_each_has_one_sentence(self):
        run = self.only(self.invented(), "moz_speed")
        self.assertEqual(
            run_draw(self.root), (1, f"draw.py: {self.root} has no run.json: it is no folder that ndc eval wrote.\n")
        )
        (run / "moz_speed.json").write_text("{")
        self.assertEqual(run_draw(run), (1, f"draw.py: {run / 'moz_speed.json'} is not JSON.\n"))
        for content in (
            "[]",
            '{"columns": [{"name": "step"}], "rows": [[1, 2]]}',
            '{"columns": [], "rows": 3}',
            "[" * 100000,
        ):
            (run / "moz_speed.json").write_text(content)
            code, message = run_draw(run)
            self.assertEqual((code, message.count("\n")), (1, 1), message)
        (run / "run.json").write_text("[]")
        self.assertIn("no manifest", run_draw(run)[1])
        (self.root / "file").write_text("")
        self.assertEqual(run_draw(self.invented("again"), "-o", self.root / "file")[0], 1)
        self.assertEqual(run_draw()[0], 2)
        self.assertEqual(run_draw(*[run] * 7)[0], 2)

    def test_a_full_disk_is_told_with_the_place(self):
        run = self.only(self.invented(), "moz_speed")
        with mock.patch("style.save", side_effect=OSError(28, "No space left on device")):
            self.assertEqual(run_draw(run), (1, f"draw.py: {run} cannot be written: No space left on device.\n"))

    def test_without_matplotlib_the_package_is_named(self):
        with mock.patch.dict(sys.modules, {"matplotlib": None}):
            code, message = run_draw(self.invented())
        self.assertEqual(code, 3)
        self.assertIn("python3-matplotlib", message)

    def test_as_a_program_without_output_it_writes_beside_the_tables(self):
        run = self.only(self.invented(), "moz_histogram")
        program = pathlib.Path(draw.__file__)
        done = subprocess.run([sys.executable, "-B", program, run], capture_output=True, text=True, cwd=self.root)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{run / 'index.html'}\n", ""))
        self.assertTrue((run / "figures/moz_histogram.svg").is_file())


class Sentences(Folders):
    """Sentences follow the data, whichever way it goes."""

    def run_with(self, **rows):
        """A run of tables {name: (columns, rows)}."""
        run = self.root / "said"
        run.mkdir(exist_ok=True)
        (run / "run.json").write_text(json.dumps({"name": "said", "tables": list(rows)}))
        for name, (columns, cells) in rows.items():
            (run / f"{name}.json").write_text(
                json.dumps({"columns": [{"name": column} for column in columns.split()], "rows": cells})
            )
        return tables.read_run(run)

    def detectors(self, *rows):
        import detectors

        cells = [
            [detector, decide, 1, 1, f1, 0.5, 1, 1, 0.6, 1, 1, 1, 1, 2, cost, 0] for detector, decide, f1, cost in rows
        ]
        return self.run_with(detectors=(detectors.COLUMNS, cells))

    def test_who_leads(self):
        from detectors import alone_sentence, cost_sentence, lead_sentence, site_sentence, verified_sentence

        run = self.detectors(
            ("lcs", "lcs", 0.9, 3), ("cosine", "method", 0.95, 1), ("mwo", "lcs", 0.945, 0.5), ("cosine", "lcs", 0.5, 1)
        )
        self.assertEqual(
            lead_sentence(run),
            "cosine leads with F1 0.950, 0.005 ahead of MWO + LCS (0.945); the default engine has 0.900, 0.050 less.",
        )
        self.assertEqual(
            alone_sentence(run),
            "Of the methods that decide alone, cosine is best with F1 0.950, 0.050 above the default engine.",
        )
        self.assertIn("The cheapest within 0.01 of the best F1 is MWO + LCS: 0.50 ms", cost_sentence(run))
        self.assertEqual(
            verified_sentence(run),
            "Verification by the LCS changes F1 by −0.450 on the mean: of 1 method, 0 gain and 1 loses.",
        )
        self.assertIn("Of 1 method deciding alone, 1 is less precise", site_sentence(run))
        tied = self.detectors(("lcs", "lcs", 0.9, 3), ("cosine", "method", 0.9, 1), ("mwo", "method", 0.8, 1))
        self.assertEqual(
            lead_sentence(tied), "LCS partition and cosine lead with F1 0.900, 0.100 ahead of MWO (0.800)."
        )
        self.assertEqual(lead_sentence(self.detectors(("mwo", "method", 0.8, 1))), "MWO leads with F1 0.800.")

    def test_how_sure_the_default_is(self):
        import detectors

        run = self.invented()
        self.change(run, "detectors", lambda data: [self.set_interval(data, row) for row in data["rows"]])
        said = detectors.spread_sentence(tables.read_run(run))
        self.assertEqual(
            said,
            "the F1 of the default engine, 0.990, lies within 0.970 and 0.994 (95 %, bootstrap over label groups); over"
            " 3 orders of the pages it has 0.987 (0.980 to 0.990); the interval of MWO reaches its own.",
        )
        self.assertIsNone(detectors.spread_sentence(self.detectors(("lcs", "lcs", 0.9, 3))))

    def set_interval(self, data, row):
        """The default's is .970 to .994; of all others that of MWO alone ends above it."""
        place = {column["name"]: number for number, column in enumerate(data["columns"])}
        row[place["f1_low"]], row[place["f1_high"]] = 0.1, 0.2
        if row[0] == "lcs":
            row[place["f1_low"]], row[place["f1_high"]] = 0.97, 0.994
        elif row[:2] == ["mwo", "method"]:
            row[place["f1_high"]] = 0.971

    def test_whether_a_method_reaches_the_default(self):
        import detectors
        import thresholds

        own = ["lcs", "lcs", 1, 1, 0.8, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 0]

        def said(*tops):
            cells = [["lcs", "lcs", 0.1, 0.1, 1, 1, 0.99]] + [
                ["cosine", decide, 1, 0.4, 0.5, 0.5, f1] for decide, f1 in tops
            ]
            return thresholds.reach_sentence(
                self.run_with(thresholds=(thresholds.COLUMNS, cells), detectors=(detectors.COLUMNS, [own]))
            )

        self.assertEqual(
            said(("method", 0.7), ("lcs", 0.79)),
            "no other method reaches the default engine (0.800) at any threshold of the sweep, which was chosen on"
            " these very pages; nearest is cosine + LCS: F1 0.790 at 0.40.",
        )
        self.assertEqual(
            said(("method", 0.8), ("lcs", 0.79)),
            "at the best threshold of the sweep, chosen on these very pages, cosine reaches the default engine (0.800);"
            " best is cosine: F1 0.800 at 0.40.",
        )
        self.assertIn("cosine + LCS and cosine reach the default engine", said(("method", 0.8), ("lcs", 0.9)))

    def test_each_technique_of_the_join_alone(self):
        import spotsigs

        rows = [
            ["all", 0.9, *ways, seconds, 10, 5]
            for ways, seconds in ((("on", "on"), 1), (("on", "off"), 5), (("off", "on"), 2), (("off", "off"), 10))
        ]
        self.assertEqual(
            spotsigs.alone_sentence(self.run_with(spotsigs_work=(spotsigs.WORK, rows))),
            "beside the join with neither, as fast: over the pages partitions alone 2×, pruning alone 5× and both 10×.",
        )
        self.assertIsNone(spotsigs.alone_sentence(self.run_with(spotsigs_work=(spotsigs.WORK, rows[:3]))))

    def test_precision_by_stage(self):
        import lcs_partition

        run = self.run_with(
            lcs_fingerprints=(
                f"{lcs_partition.FINGERPRINTS} trustable_labels",
                [["main", 7, 1, 1, 0.9], ["main", 112, 1, 1, 0.6]],
            ),
            lcs_against=(
                lcs_partition.AGAINST,
                [["report-main", "all", 0.9, 0.5, 1], ["report-all", "all", 0.4, 0.5, 1]],
            ),
        )
        self.assertEqual(
            lcs_partition.stages_sentence(run),
            "over main text precision is 0.600 after stage one and 0.900 after stage three.",
        )
        self.assertEqual(
            lcs_partition.stages_difference(run),
            "from the first stage to the last precision changes by +0.300 over main text; in the slides by +0.280.",
        )
        self.assertIsNone(lcs_partition.stages_difference(self.run_with()))

    def test_the_join_beside_its_competitors(self):
        import detectors
        import spotsigs

        columns = f"{detectors.COLUMNS} index_bytes_a_page features_bytes_a_page"
        rows = [
            [name, "method", *[1] * 11, 2, describe, search, size, 500]
            for name, describe, search, size in (
                ("spotsigs", 0.1, 0.1, 500),
                ("lsh-s", 0.3, 0.1, 1500),
                ("mwo", 1, 1, 1),
            )
        ]
        run = self.run_with(detectors=(columns, rows))
        self.assertEqual(
            spotsigs.others_difference(run),
            "beside SpotSigs LSH-S takes 2× the time (2.60× in the slides) and 2× the memory (0.53×); here a page at a"
            " time is searched, there a collection is joined.",
        )
        self.assertIn(
            "SpotSigs 0.20 ms and 1,000 bytes a page; LSH-S 0.40 ms and 2,000 bytes a page",
            spotsigs.others_sentence(run),
        )
        self.assertIsNone(spotsigs.others_sentence(self.run_with()))

    def test_the_slope_of_the_report_is_told(self):
        import lcs_partition

        rows = [["main", 0.1, 0.31, 0.8, 0.9], ["main", 0.2, 0.3, 0.9, 0.9]]
        self.assertIn(
            "; at the report's slope, 0.1, it is 0.800 (resemblance 0.310, in the report 0.28).",
            lcs_partition.slopes_sentence(self.run_with(lcs_slopes=(lcs_partition.SLOPES, rows))),
        )

    def test_ties_and_equal_values(self):
        import detectors

        equal = [("lcs", "lcs", 0.9, 0.0002)] + [
            (name, "method", 0.9001, 1) for name in ("cosine", "mwo", "exact", "minhash")
        ]
        run = self.detectors(*equal, ("mwo", "lcs", 0.9002, 1))
        self.assertEqual(detectors.lead_sentence(run), "MWO + LCS, cosine, MWO and 3 others lead with F1 0.900.")
        self.assertIn("F1 0.900, equal to the default engine.", detectors.alone_sentence(run))
        self.assertEqual(
            detectors.verified_sentence(run),
            "Verification by the LCS changes F1 by less than 0.001 on the mean: of 1 method, 0 gain and 0 lose.",
        )
        self.assertIn("< 0.001", str(detectors.key_grid([self.detectors(("lcs", "lcs", 0.9, 0))]).rows))
        self.assertIn("LCS partition: < 0.001 ms", detectors.cost_sentence(self.detectors(("lcs", "lcs", 0.9, 0))))

    def test_no_pair(self):
        import detectors
        import lcs_partition
        import mwo
        import spotsigs

        row = [1, 0, 0]
        run = self.run_with(
            detectors=(
                detectors.COLUMNS,
                [[name, "method", *row, 1, 0, 0, 1, 0, 0, 0, 0, 2, 1, 0] for name in ("simhash128", "mwo")],
            ),
            lcs_against=(lcs_partition.AGAINST, [[name, "all", 1, 0, None] for name in ("lcs", "simhash128")]),
            moz_histogram=(moz.HISTOGRAM, [[3, 3, 4, 0, 0]]),
            moz_thresholds=(moz.THRESHOLDS, [[limit, 4, 0, 0, 1, 1] for limit in (5, 6)]),
            mwo_thresholds=(mwo.THRESHOLDS, [["all", "safe", 0.5, *row, 0]]),
            spotsigs_thresholds=(spotsigs.THRESHOLDS, [["spotsigs", "all", "none", 0.4, *row, 0]]),
        )
        self.assertEqual(detectors.lead_sentence(run), "detectors: no pair to be found or said.")
        self.assertEqual(detectors.report_gap(run), "simhash 128 alone: no pair to be found or said.")
        for sentence in (
            detectors.alone_sentence,
            detectors.cost_sentence,
            detectors.site_sentence,
            detectors.verified_sentence,
            mwo.thresholds_sentence,
            moz.threshold_difference,
            lcs_partition.against_difference,
            spotsigs.thresholds_difference,
        ):
            self.assertIsNone(sentence(run), sentence)
        self.assertEqual(lcs_partition.against_sentence(run), "no pair to be found or said.")
        self.assertEqual(mwo.thresholds_difference(run), "at t = 0.5: no pair to be found or said.")
        self.assertEqual(spotsigs.thresholds_sentence(run), "no pair to be found or said.")
        self.assertEqual(moz.threshold_sentence(run), "up to 5 bits there is no pair with labels.")
        self.assertIn("no pair below the line has labels", moz.labels_difference(run))
        wrong = self.run_with(
            detectors=(detectors.COLUMNS, [["mwo", "method", 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 1, 0]])
        )
        self.assertEqual(detectors.lead_sentence(wrong), "no method finds a right pair.")

    def test_wrong_pairs_up_to_a_threshold(self):
        for before, after, said in (
            (3, 3, "no wrong pair is added, and 3 stand at 5 or less"),
            (0, 1, "1 wrong pair is added, and none"),
            (1, 3, "2 wrong pairs are added, and 1 stands"),
            (0, 0, "no wrong pair is added, and none stands"),
        ):
            run = self.run_with(
                moz_thresholds=(moz.THRESHOLDS, [[5, 9, 6, before, 0.7, 0.5], [6, 9, 6, after, 0.7, 0.5]])
            )
            self.assertIn(said, moz.threshold_difference(run))

    def test_median_of_partitions(self):
        import spotsigs

        rows = [["all", 0.44, number, number, number, size] for number, size in enumerate((1, 2, 5, 40))]
        self.assertIn(
            "4 partitions hold documents; the largest has 40 of 48 (0.83), the median one 3.50.",
            spotsigs.partitions_sentence(self.run_with(spotsigs_partitions=(spotsigs.PARTITIONS, rows))),
        )
        self.assertIn(
            "1 partition holds",
            spotsigs.partitions_sentence(self.run_with(spotsigs_partitions=(spotsigs.PARTITIONS, rows[:1]))),
        )

    def test_work_that_was_cut(self):
        import lcs_partition

        columns = lcs_partition.TEMPLATES + " limited bounded"
        rows = [["all", 400, 8, 69, 0.4, 0.7, 3, 0], ["all", 4, 1, 5.5, 0.9, 0.4, 1, 1]]
        run = self.run_with(lcs_templates=(columns, rows))
        said = (
            "Work was cut: in one row of the table up to 3 comparisons stopped by the limit of work and 1 page not"
            " compared with all of its set."
        )
        self.assertIn(said, lcs_partition.section([run], self.root).parts[0].measured)
        slopes = (lcs_partition.SLOPES + " limited", [["all", 0.1, 0.3, 0.8, 0.9, 1]])
        with mock.patch("style.save"):
            note = lcs_partition.section([self.run_with(lcs_slopes=slopes)], self.root).parts[0].note
        self.assertTrue(
            note.endswith("Work was cut: in one row of the table up to 1 comparison stopped by the limit of work."),
            note,
        )
        whole = self.run_with(lcs_templates=(columns, [row[:6] + [0, None] for row in rows]))
        self.assertNotIn("cut", str(lcs_partition.section([whole], self.root).parts[0].measured))

    def test_thresholds(self):
        import thresholds

        cells = [
            ["cosine", "method", 1000 * place, place, 0.5, 0.5, f1]
            for place, f1 in ((0.2, 0.9), (0.4, 0.7), (0.6, 0.5), (0.8, 0.3))
        ]
        import detectors

        row = ["cosine", "method", 1, 1, 0.31, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 0]
        run = self.run_with(
            thresholds=(thresholds.COLUMNS, cells), detectors=(detectors.COLUMNS + " threshold", [row + [700]])
        )
        self.assertEqual(thresholds.gains(run)[0][:2], ("cosine", 0.7))
        self.assertAlmostEqual(thresholds.gains(run)[0][2], 0.4)
        self.assertIn("With 0 of 1 method the", thresholds.room_sentence(run))
        self.assertIn("+0.500 at 0.20", thresholds.room_sentence(run))
        self.assertEqual(thresholds.shift_sentence(run), "looser than the default is better for cosine.")
        self.assertIn("cosine 0.400 against 0.310", thresholds.doubt_sentence(run))

    def test_documents(self):
        import lcs_partition
        import moz
        import mwo
        import spotsigs

        slopes = [
            ["main", 0.1, 0.3, 0.8, 0.9],
            ["main", 0.2, 0.3, 0.7, 0.9],
            ["main", None, 0.3, 0.85, 0.9],
            ["all", 0.1, 0.3, 0.32, 0.9],
            ["all", None, 0.3, 0.3, 0.9],
        ]
        run = self.run_with(
            lcs_slopes=(lcs_partition.SLOPES, slopes),
            lcs_against=(lcs_partition.AGAINST, [["lcs", "all", 0.6, 0.5, 1], ["simhash128", "all", 0.7, 0.25, 2]]),
            moz_histogram=(moz.HISTOGRAM, [[128, 5, 3, 0, 3], [0, 0, 9, 9, 0], [128, 40, 12, 0, 12]]),
            moz_quadrants=(moz.QUADRANTS, [["both", 9, 9, 0], ["simhash_only", 30, 1, 3], ["vector_only", 0, 0, 0]]),
            moz_speed=(moz.SPEED, [["both", 60, 1, 60]]),
            mwo_filters=(
                mwo.FILTERS,
                [["all", "safe", 0.5, 100, 50, 20, 5, 0], ["all", "paper", 0.5, 100, 40, 10, 4, 7]],
            ),
            spotsigs_work=(
                spotsigs.WORK,
                [
                    ["main", 0.9, a, b, 2 if a == "off" == b else 1, 10, 5 if a == b else 6]
                    for a in ("on", "off")
                    for b in ("on", "off")
                ],
            ),
        )
        self.assertEqual(
            lcs_partition.slopes_difference(run),
            "the trustable part loses 0.050 of precision over main text (0.800 with its best slope, 0.850 without) and"
            " gains 0.020 of precision over all text (0.320 with its best slope, 0.300 without); in the report it gains"
            " about 0.018 (from 0.93).",
        )
        self.assertIn("default engine 0.100 less precise with 2× the recall", lcs_partition.against_difference(run))
        self.assertIn("not more than those", moz.agreement(run))
        self.assertIn("not most labelled pairs", moz.agreement(run))
        self.assertEqual(moz.labels_difference(run), "3 wrong pairs stand below the line, where Moz found none.")
        within = [[20, 5, 3, 0, 3, 2], [128, 20, 3, 0, 3, 1]]
        other = self.run_with(moz_histogram=(f"{moz.HISTOGRAM} {moz.OTHER_LABEL_SAME_SITE}", within))
        self.assertEqual(
            moz.labels_difference(other),
            "3 wrong pairs stand below the line, where Moz found none; 2 of them within a site.",
        )
        self.assertIn("24 pairs; 0.625 of them differ in all 128", moz.histogram_sentence(run))
        self.assertIn("60× as fast, more than Moz's", moz.speed_difference(run))
        self.assertIn("one page of 10 here", mwo.filters_difference(run))
        self.assertIn("loses 7 pairs", mwo.filters_difference(run))
        self.assertIn("NOT equal", spotsigs.work_sentence(run))
        self.assertIn("faster 2× over the pages, and 589× in the slides: less here.", spotsigs.work_difference(run))

    def test_pairs_within_a_site(self):
        run = self.only(self.invented(), "moz_histogram", "moz_quadrants", "moz_thresholds")
        page = self.drawn(run)
        self.assertIn("The lower histogram has those within a site.", page.text)
        self.assertIn(
            "in the lower right quadrant 120, of which 90 have the same label and 6 different ones.", page.text
        )
        self.assertRegex(page.text, r"of pairs within a site, precision up to 5 bits is [01]\.\d{3}\.")
        self.assertIn("pairs within a site", page.text)

        def without(data):
            kept = [number for number, column in enumerate(data["columns"]) if column["name"] not in SITE_COLUMNS]
            data["columns"] = [data["columns"][number] for number in kept]
            data["rows"] = [[row[number] for number in kept] for row in data["rows"]]

        for name in ("moz_histogram", "moz_quadrants", "moz_thresholds"):
            self.change(run, name, without)
        page = self.drawn(run)
        for text in ("lower histogram", "precision up to 5 bits is", "pairs within a site"):
            self.assertNotIn(text, page.text)
        self.assertFalse(moz.has_sites(tables.read_run(run)))

    def test_precision_within_a_site(self):
        sites = f"{moz.SAME_LABEL_SAME_SITE} {moz.OTHER_LABEL_SAME_SITE}"
        run = self.run_with(
            moz_thresholds=(
                f"{moz.THRESHOLDS} {sites}",
                [[5, 9, 6, 2, 0.75, None, 3, 1], [6, 9, 6, 2, None, None, 0, 0]],
            )
        )
        self.assertEqual(
            [moz.site_precision(row) for row in run.table("moz_thresholds", moz.THRESHOLDS).rows], [0.75, None]
        )
        self.assertEqual(
            moz.threshold_sentence(run),
            "up to 5 bits precision is 0.750; of pairs within a site, precision up to 5 bits is 0.750.",
        )

    def test_rules_against_frames(self):
        import lcs_partition

        run = self.run_with(
            lcs_templates=(
                lcs_partition.TEMPLATES,
                [["all", 400, 8, 69, 0.423, 0.736], ["all", 4, 1, 5.5, 0.931, 0.451]],
            )
        )
        self.assertEqual(
            lcs_partition.templates_sentence(run),
            "fingerprints over all text: with those deleted that are on more than 400 pages of 8 sites at most,"
            " precision 0.423, recall 0.736 and sets of 69 pages on the mean; with those deleted that are on more than"
            " 4 pages of one site, precision 0.931, recall 0.451 and sets of 5.50 pages on the mean.",
        )
        self.assertEqual(
            lcs_partition.templates_difference(run),
            "beside the report's rule, the rule of few pages gives +0.508 of precision and"
            " −0.285 of recall over all text.",
        )

    def test_numbers(self):
        self.assertEqual(
            [sentences.signed(value) for value in (0.0004, -0.0004, 0.0006, -0.0006)],
            ["0.000", "0.000", "+0.001", "−0.001"],
        )
        self.assertEqual(
            [sentences.counted(value, "pair") for value in (0, 1, 2, 1234)],
            ["0 pairs", "1 pair", "2 pairs", "1,234 pairs"],
        )
        self.assertEqual(
            [tables.cell(value) for value in (10**400, -(10**400), float("nan"), float("inf"), 10**15)],
            [None, None, None, None, 10**15],
        )
        self.assertEqual(sentences.compared(0.5, 0.45), "0.050 above what is reported")
        self.assertEqual(sentences.compared(0.4, 0.45), "0.050 below what is reported")
        self.assertEqual(sentences.compared(0.455, 0.45), "as reported (within 0.01)")
        self.assertEqual(
            [sentences.amount(value) for value in (12345, 12.34, 1.234, 0.01234, None)],
            ["12,345", "12.3", "1.23", "0.012", "–"],
        )
        runs = [mock.Mock(), mock.Mock()]
        runs[0].name, runs[1].name = "a", "b"
        self.assertEqual(sentences.by_run(runs, lambda run: "same."), ["a and b: same."])
        self.assertEqual(sentences.by_run(runs[:1], lambda run: "same."), ["Same."])


class Labels(unittest.TestCase):
    def test_spread_keeps_the_gap_and_the_order(self):
        source = random.Random(1)
        for _ in range(200):
            wanted = sorted(source.random() for _ in range(source.randrange(1, 9)))
            places = direct_labels.spread(wanted, 0.1, 0, 1)
            self.assertTrue(all(right - left > 0.0999 for left, right in zip(places, places[1:])), places)
            self.assertLessEqual(places[-1], 1.0001)
        self.assertEqual(direct_labels.spread([0.2, 0.8], 0.1, 0, 1), [0.2, 0.8])


if __name__ == "__main__":
    unittest.main()
