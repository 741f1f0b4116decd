"""Invented runs of `ndc eval` for figures_test.py: every table, with smooth curves. As a program: invented_run_test.py
FOLDER NAME."""
import json
import math
import pathlib
import random
import sys

DETECTORS = (
    "spotsigs",
    "i-match-s",
    "lsh-s",
    "moz-vector",
    "simhash64",
    "simhash128",
    "mwo",
    "shingles",
    "minhash",
    "cosine",
    "i-match",
    "exact",
)
WHOLE = {
    "spotsigs": 1000,
    "lsh-s": 1000,
    "moz-vector": 128,
    "simhash64": 64,
    "simhash128": 128,
    "mwo": 1000,
    "shingles": 1000,
    "minhash": 1000,
    "cosine": 1000,
}
DEFAULTS = {
    "spotsigs": 440,
    "lsh-s": 440,
    "moz-vector": 122,
    "simhash64": 59,
    "simhash128": 97,
    "mwo": 500,
    "shingles": 500,
    "minhash": 500,
    "cosine": 800,
}


def f1(precision, recall):
    return 0 if precision + recall == 0 else 2 * precision * recall / (precision + recall)


def precision_at(place):
    return 1 / (1 + math.exp(-12 * (place - 0.25)))


def recall_at(place):
    return 1 / (1 + math.exp(14 * (place - 0.75)))


class Invented:
    """Fills a folder with tables; `leading` is the (detector, decide) with the best F1."""

    def __init__(self, folder, name, leading=("lcs", "lcs"), silver=False, seed=1):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.leading, self.random = leading, random.Random(seed)
        self.written = []
        for make in (
            self.detectors,
            self.thresholds,
            self.lcs,
            self.lcs_against,
            self.lcs_sampled_sets,
            self.lcs_templates,
            self.spotsigs,
            self.spotsigs_work,
            self.moz,
            self.moz_others,
            self.mwo,
        ):
            make()
        self.write(
            "run.json",
            {
                "version": "1.1.0",
                "name": name,
                "pages": 1234,
                "scored_pages": 1200,
                "labels": "labels.tsv",
                "silver": silver,
                "label_groups": 321,
                "sites": 17,
                "body_bytes": 98765432,
                "date": "2026-11-21",
                "tables": self.written,
                "commit": "0123456789ab",
                "compiler": "13.1",
                "wanted": ["detectors", "moz"],
                "complete": True,
                "settings": {
                    "labels": "labels.tsv",
                    "archives": ["pages.warc.gz"],
                    "pages_limit": 0,
                    "seed": 7,
                    "orders": 3,
                    "pairs": 2000000,
                    "detectors": ["lcs", "lsh-s"],
                },
                "machine": {"cores": 2, "model": "invented processor"},
                "seconds": {"detectors": 12.5, "moz": 3},
            },
        )

    def write(self, name, value):
        (self.folder / name).write_text(json.dumps(value), encoding="utf-8")

    def table(self, name, columns, rows):
        self.written.append(name)
        self.write(
            f"{name}.json",
            {
                "name": name,
                "about": "invented",
                "rows": [list(row) for row in rows],
                "columns": [{"name": column, "unit": "", "about": ""} for column in columns.split()],
            },
        )

    def detectors(self):
        columns = (
            "detector decide threshold unit pages groups precision recall f1 same_site_precision same_site_recall"
            " same_site_f1 cross_site_precision cross_site_recall cross_site_f1 b_cubed_precision b_cubed_recall"
            " b_cubed_f1 macro_f1 f1_low f1_high orders f1_mean f1_least f1_most cpu_ms_a_page read_ms_a_page"
            " describe_ms_a_page search_ms_a_page own_ms_a_page_least own_ms_a_page_most pages_per_second"
            " candidates_a_page verifications_a_page index_bytes_a_page features_bytes_a_page"
        )
        rows = []
        for detector, decide in [("lcs", "lcs")] + [
            (detector, decide) for detector in DETECTORS for decide in ("lcs", "method")
        ]:
            top = 0.99 if (detector, decide) == self.leading else 0.95
            precision = self.random.uniform(0.9 if decide == "lcs" else 0.4, top)
            recall = self.random.uniform(0.05 if "match" in detector else 0.6, top)
            if (detector, decide) == self.leading:
                precision = recall = top
            scores = [
                precision,
                recall,
                f1(precision, recall),
                precision * 0.9,
                recall,
                f1(precision * 0.9, recall),
                precision,
                recall * 0.95,
                f1(precision, recall * 0.95),
                precision,
                recall,
                f1(precision, recall),
                f1(precision, recall) * 0.97,
            ]
            own = self.random.uniform(0.1, 3) * (1 if decide == "lcs" else 0.3)
            spread = [scores[2] - 0.02, min(1, scores[2] + 0.01), 3, scores[2] - 0.003, scores[2] - 0.01, scores[2]]
            rows.append(
                [detector, decide, DEFAULTS.get(detector), "of 1000", 1234, 400]
                + scores
                + spread
                + [1.9 + own, 1.9, own * 0.4, own * 0.6, own * 0.9, own * 1.2, 1000 / (1.9 + own), 4.5, 1.5, 900, 700]
            )
        self.table("detectors", columns, rows)
        kinds = (("dup-words", 90, 0, 7), ("source", 100, 1, 4), ("teaser", 80, 3, 0), ("", 20, 0, 0))
        self.table(
            "detector_errors",
            "detector decide kind pages pages_with_wrong pages_with_missed wrong missed",
            [
                [row[0], row[1], kind, pages, wrong, missed, 2 * wrong, 3 * missed]
                for row in rows
                for kind, pages, wrong, missed in kinds
            ],
        )
        self.table(
            "default_errors",
            "error url_a url_b kind_a kind_b same_site verdict resemblance containment",
            [
                [
                    "wrong",
                    "https://one.example/",
                    "http://two.example/" + "long/" * 20,
                    "source",
                    "teaser",
                    "no",
                    "near",
                    0.6,
                    0.9,
                ],
                [
                    "missed",
                    "https://one.example/1",
                    "javascript:alert(1)",
                    "source",
                    "dup-words",
                    "yes",
                    "different",
                    0.2,
                    0.3,
                ],
                ["missed", "https://one.example/1", "https://one.example/2", "", "", "yes", "near", 0.5, 0.6],
            ],
        )

    def thresholds(self):
        rows = []
        for detector, whole in [("lcs", 1.0)] + list(WHOLE.items()):
            shift = self.random.uniform(-0.15, 0.15)
            for step in range(1, 20):
                place = step / 20
                precision, recall = precision_at(place + shift), recall_at(place - shift)
                rows.append(
                    [
                        detector,
                        "lcs" if detector == "lcs" else "method",
                        place * whole,
                        "",
                        place,
                        precision,
                        recall,
                        f1(precision, recall),
                    ]
                    + [precision, recall] * 2
                )
        self.table(
            "thresholds",
            "detector decide threshold unit share precision recall f1 same_site_precision same_site_recall"
            " cross_site_precision cross_site_recall",
            rows,
        )

    def lcs(self):
        texts = ("main", "all")
        self.table(
            "lcs_fingerprints",
            "text fingerprints coverage coverage_labels trustable trustable_labels set_size documents",
            [
                [
                    text,
                    count,
                    1 - 0.5 * math.exp(-count / 30),
                    1 - 0.55 * math.exp(-count / 30),
                    0.95 - count / 800,
                    0.9 - count / 700,
                    4 + count / 20,
                    150,
                ]
                for text in texts
                for count in range(7, 113, 7)
            ],
        )
        self.table(
            "lcs_windows",
            "text unit window strained_away reserved similar_pairs different_pairs",
            [
                [
                    text,
                    unit,
                    window,
                    0.95 - math.exp(-window / (3 if unit == "characters" else 1.5)),
                    1 - window / 300,
                    500,
                    700,
                ]
                for text in texts
                for unit in ("characters", "tokens")
                for window in range(2, 33, 2)
            ],
        )
        slopes = [step / 50 for step in range(1, 11)] + [None]
        self.table(
            "lcs_slopes",
            "text slope resemblance precision recall",
            [
                [text, slope, 0.3, 0.96 - (abs(slope - 0.1) if slope else 0.15) / 8, 0.9]
                for text in texts
                for slope in slopes
            ],
        )

    def lcs_against(self):
        rows = []
        for method, scale in (
            ("lcs", 1.0),
            ("simhash128", 0.8),
            ("cosine", 0.9),
            ("simhash64", 0.75),
            ("report-main", 0.95),
            ("report-all", 0.85),
        ):
            for where, more in (("all", 0), ("same_site", -0.1), ("cross_site", 0.02)):
                rows.append([method, where, 0.96 * scale + more, 0.9 * scale, 4321, scale / 0.8])
        self.table("lcs_against", "method where precision recall right_pairs recall_ratio", rows)

    def lcs_sampled_sets(self):
        self.table(
            "lcs_sampled_sets",
            "sampled least_pages method where sets precision recall_ratio",
            [
                [sampled, least, method, where, 900 // least, 0.9 * scale, scale]
                for sampled in ("lcs", "report-main", "report-all")
                for least in (1, 2)
                for method, scale in (("simhash128", 1.0), ("mwo", 1.05), ("lcs", 1.08))
                for where in ("all", "same_site")
            ],
        )

    def lcs_templates(self):
        self.table(
            "lcs_templates",
            "text pages sites coverage_labels trustable_labels set_size precision recall",
            [
                ["main", 400, 8, 0.67, 0.45, 69.1, 0.423, 0.736],
                ["main", 4, 1, 0.69, 0.9, 5.5, 0.931, 0.451],
                ["all", 400, 8, 0.22, 0.09, 170.5, 0.051, 0.1],
                ["all", 4, 1, 0.19, 0.26, 6.7, 0.465, 0.126],
            ],
        )

    def spotsigs(self):
        rows = []
        for detector, scale in (("spotsigs", 0.94), ("lsh-s", 0.92), ("shingles-1", 0.7), ("shingles-3", 0.75)):
            for text in ("main", "all"):
                for band in ("none", "gold-set", "web"):
                    for step in range(1, 20):
                        place = step / 20
                        height = (
                            scale
                            * (1 - (place - 0.4) ** 2)
                            * (0.9 if band == "web" else 1)
                            * (0.95 if text == "all" else 1)
                        )
                        rows.append(
                            [detector, text, band, place, precision_at(place), recall_at(place), height * 0.96, height]
                        )
        rows += [
            [detector, text, "gold-set", None, 0.9, 0.2, value * 0.9, value]
            for detector, value in (("i-match", 0.1), ("i-match-s", 0.4))
            for text in ("main", "all")
        ]
        self.table("spotsigs_thresholds", "detector text band tau precision recall f1 macro_f1", rows)

    def spotsigs_work(self):
        rows, sizes = [], []
        for text in ("main", "all"):
            for tau in (0.44, 0.6, 0.8, 0.9):
                for partitions, pruning, scale in (
                    ("on", "on", 1),
                    ("on", "off", 4),
                    ("off", "on", 8),
                    ("off", "off", 300),
                ):
                    rows.append(
                        [
                            text,
                            tau,
                            partitions,
                            pruning,
                            0.01 * scale / tau,
                            round(2000 * scale / tau),
                            10000 * scale,
                            1000,
                        ]
                    )
                start = 1
                for partition in range(20):
                    end = max(start + 1, math.ceil(start / tau))
                    sizes.append(
                        [text, tau, partition, start, end - 1, round(200 * math.exp(-((math.log(start) - 4) ** 2)))]
                    )
                    start = end
        self.table("spotsigs_work", "text tau partitions pruning seconds compared postings pairs", rows)
        self.table("spotsigs_partitions", "text tau partition from_length to_length documents", sizes)

    def moz(self):
        rows = []
        for x in range(129):
            for y in range(65):
                same = round(3000 * math.exp(-(x / 12 + y / 3)) * self.random.uniform(0.5, 1.5))
                other = round(20000 * math.exp(-(((y - 31) / 5) ** 2) - (128 - x) / 2) * self.random.uniform(0.5, 1.5))
                if same + other:
                    rows.append([x, y, same + other + 1, same, other, other // 40 + same // 2, same // 2, other // 50])
        tallies = (
            "pairs same_label_pairs other_label_pairs same_site_pairs same_label_same_site_pairs "
            "other_label_same_site_pairs"
        )
        self.table("moz_histogram", f"vector_difference simhash_difference {tallies}", rows)
        sums = [[sum(row[column] for row in rows if row[1] == y) for y in range(65)] for column in range(2, 8)]
        limits = [[sum(column[: y + 1]) for column in sums] for y in range(17)]
        self.table(
            "moz_thresholds",
            f"simhash_difference {tallies} precision recall",
            [
                [y, *limit, limit[1] / max(1, limit[1] + limit[2]), limit[1] / max(1, sum(sums[1]))]
                for y, limit in enumerate(limits)
            ],
        )

    def moz_others(self):
        self.table(
            "moz_quadrants",
            "quadrant pairs same_label_pairs other_label_pairs same_site_pairs same_label_same_site_pairs"
            " other_label_same_site_pairs",
            [
                ["both", 5000, 4900, 2, 2500, 2400, 1],
                ["simhash_only", 210, 180, 7, 120, 90, 6],
                ["vector_only", 350, 340, 0, 90, 88, 0],
                ["neither", 200000, 900, 150000, 4000, 450, 3300],
            ],
        )
        self.table(
            "moz_pairs",
            "url_a url_b vector_difference simhash_difference same_label verdict resemblance containment",
            [
                [
                    f"https://one.example/{number}",
                    f"https://two.example/{'long/' * number}",
                    20 + number,
                    number % 6,
                    "no" if number < 3 else "yes",
                    "near",
                    0.8,
                    0.9,
                ]
                for number in range(40)
            ],
        )
        self.table(
            "moz_speed",
            "step vector_ns simhash64_ns ratio",
            [
                ["fingerprint", 250000, 9000, 27.8],
                ["comparison", 60, 0.9, 66.7],
                ["comparison_early", 9, 0.9, 10],
                ["both", 250060, 9001, 27.8],
                ["both_early", 250009, 9001, 27.8],
            ],
        )

    def mwo(self):
        fields = ("all", "no-frame", "main")
        self.table(
            "mwo_filters",
            "fields filter threshold pages after_prefix after_position after_overlap lost_pairs postings ms_a_page",
            [
                [
                    field,
                    kind,
                    step / 10,
                    1200,
                    700 - 60 * step - loose,
                    300 - 25 * step - loose,
                    9 - step / 2,
                    0 if kind == "safe" else 12,
                    90000,
                    0.4,
                ]
                for field in fields
                for kind, loose in (("safe", 0), ("paper", 30))
                for step in range(3, 10)
            ],
        )
        rows = []
        for field in fields:
            for kind, scale in (("safe", 1), ("paper", 0.99)):
                for step in range(3, 10):
                    precision, recall = precision_at(step / 10 + 0.05), recall_at(step / 10) * scale
                    rows.append(
                        [
                            field,
                            kind,
                            step / 10,
                            precision,
                            recall,
                            f1(precision, recall),
                            precision,
                            recall * 0.98,
                            f1(precision, recall * 0.98),
                        ]
                    )
        self.table(
            "mwo_thresholds", "fields filter threshold precision recall f1 group_precision group_recall group_f1", rows
        )


if __name__ == "__main__":
    Invented(sys.argv[1], sys.argv[2])
