"""The sentences of docs/quality.md that quote its tables, made from those tables. quoted_figures_test.py compares the
page with them."""
import csv
import dataclasses
import pathlib
import re

import ablation

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "quality.md"
# The parts of the page that only restate its tables: every figure in them is one of `sentences()` or of ELSEWHERE.
QUOTING_PARTS = ("### What they say", "### Work of the join", "## What the tables say")
# Figures in these parts that come from no table: (as written, what it is).
ELSEWHERE = (
    ("τ = .5 are", "a threshold"),
    ("**τ = .44**", "a threshold"),
    ("from .5 on", "a threshold"),
    ("τ = .44 finds", "a threshold"),
    ("at τ = .44, ", "a threshold"),
    (" at .5 and nothing from .7 on", "thresholds"),
    ("of the postings at τ = .9, but", "a threshold"),
    ("(`versions` at .9:", "a threshold"),
    ("N<sup>.6</sup>", "the exponent that the band's lower end stands for"),
    ("where 70 % of the pages", "counted on the corpus"),
    (
        "The paper has 17 s at τ = .9 on TREC WT10g, 197 s without partitions and 10,090 s without both",
        "what the slides report",
    ),
    ("1 to 4 hundredths without them (`eval/expected.tsv`)", "of the gate's own table"),
)
FIGURE = re.compile(r"(?<![\w`])(?:\d[\d,]*(?:\.\d+)?|\.\d+)")


def plain(text):
    """On one line, as a paragraph is compared."""
    return " ".join(text.split())


def short(value, places=3):
    """.846, as prose has a share."""
    text = f"{value:.{places}f}"
    return text.removeprefix("0") if text.startswith("0.") else text


def span(values, places=3, join=" to "):
    """The least and the greatest, or one number if they are equal."""
    least, most = (short(value, places) for value in (min(values), max(values)))
    return least if least == most else f"{least}{join}{most}"


def hundredths(values):
    """“5.4 to 5.8”, of differences of shares."""
    return span([100 * value for value in values], 1)


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def part(text, heading):
    """The text below a heading, without the generated parts."""
    level = heading.split()[0]
    behind = text.split(f"\n{heading}\n", 1)[1]
    own = re.split(rf"\n#{{1,{len(level)}}} ", behind, maxsplit=1)[0]
    return re.sub(r"<!-- generated: [\w-]+ -->.*?<!-- end -->", "", own, flags=re.S)


def markdown_rows(text):
    """The cells of the first table in a text, its head first."""
    table = re.search(r"(?:^\|.*\n)+", text, re.M)[0]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()]
    return [rows[0]] + rows[2:]


def generated(text, name):
    return re.search(rf"<!-- generated: {name} -->\n(.*?)<!-- end -->", text, re.S)[1]


@dataclasses.dataclass
class Tables:
    """What the page quotes: the tables of eval/, and the page itself."""

    page: str
    engine: list
    spots: list
    work: list

    @classmethod
    def read(cls):
        return cls(
            PAGE.read_text(encoding="utf-8"),
            *(rows_of(ROOT / "eval" / name) for name in ("results.tsv", "spotsigs.tsv", "spotsigs_work.tsv")),
        )

    def ordered(self, corpus, options, column):
        """(in file order, mean over the shuffles)."""
        own = [
            row for row in self.engine if (row["corpus"], row["options"], row["per_host"]) == (corpus, options, "all")
        ]
        in_file_order = [float(row[column]) for row in own if row["order"] == ablation.FILE_ORDER]
        shuffled = [float(row[column]) for row in own if row["order"] != ablation.FILE_ORDER]
        return in_file_order[0], sum(shuffled) / len(shuffled)

    def worth(self, corpus, options, column):
        """By how much the default is better, in both orders."""
        return [
            whole - without
            for whole, without in zip(self.ordered(corpus, "default", column), self.ordered(corpus, options, column))
        ]

    def spot(self, corpus, column, tau="0.440", detector="spotsigs", band="none"):
        wanted = corpus, "main", detector, band, tau
        return next(
            float(row[column])
            for row in self.spots
            if tuple(row[name] for name in ("corpus", "text", "detector", "band", "tau")) == wanted
        )

    def best_spot(self, corpus, bands=("none", "gold-set", "web")):
        """The row of SpotSigs over main content with the greatest F1."""
        return max(
            (
                row
                for row in self.spots
                if row["corpus"] == corpus
                and row["text"] == "main"
                and row["detector"] == "spotsigs"
                and row["band"] in bands
            ),
            key=lambda row: float(row["f1"]),
        )

    def join(self, corpus, tau, band="none", **switches):
        wanted = {"corpus": corpus, "tau": tau, "band": band} | switches
        return next(row for row in self.work if all(row[name] == value for name, value in wanted.items()))

    def join_times(self, **switches):
        """Of each join the time against that with partitions and pruning."""
        keys = {(row["corpus"], row["tau"], row["band"]) for row in self.work}
        return [
            float(self.join(*key, **switches)["cpu_seconds"])
            / float(self.join(*key, partitions="on", pruning="on")["cpu_seconds"])
            for key in keys
        ]

    def lengths(self, name):
        """{tokens: (recall of the engine, or of SpotSigs)}, of a generated table by length."""
        head, *rows = markdown_rows(generated(self.page, name))
        return dict(zip(head[1:], (float(cell) for cell in rows[-1][1:])))

    def best_beside_default(self, columns):
        """(name, F1) of the method that is nearest to the default engine, each at the best of its thresholds; and the
        engine's own F1."""
        head, *rows = markdown_rows(self.page.split("\n## All methods side by side\n", 1)[1])
        places = [head.index(column) for column in columns]
        own, others = None, []
        for row in rows:
            values = [
                float(value.strip("* ")) for place in places for value in row[place].split("/") if value.strip() != "–"
            ]
            if row[0] == "`lcs`":
                own = values[0]
            else:
                others.append((max(values), row[0]))
        return (*max(others)[::-1], own)


ENGLISH, CHINESE = "reframed-en", "reframed-zh"
CORPORA = ENGLISH, CHINESE


def spot_sentences(tables):
    english, chinese = (tables.best_spot(corpus) for corpus in CORPORA)
    bandless, banded = (tables.best_spot(CHINESE, [band]) for band in ("none", "web"))
    english_cost = float(tables.best_spot(ENGLISH, ["none"])["f1"]) - float(tables.best_spot(ENGLISH, ["web"])["f1"])
    engine, spots = tables.lengths("versions-length"), tables.lengths("versions-spots-length")
    lost = [
        tables.spot(ENGLISH, "recall", tau) - tables.spot(ENGLISH, "recall", tau, "lsh-s") for tau in ("0.440", "0.500")
    ]
    i_match = [row for row in tables.spots if row["detector"] == "i-match-s" and row["text"] == "main"]
    pages = {row["corpus"]: int(row["pages"]) for row in tables.spots}
    return [
        f"(between sites its precision is {short(tables.spot(ENGLISH, 'cross_site_precision', '0.500'))}, within them"
        f" {short(tables.spot(ENGLISH, 'same_site_precision', '0.500'))})",
        f"Its {int(tables.join(ENGLISH, '440')['pairs']):,} similar pairs in English chain into groups with a precision"
        f" of {short(tables.spot(ENGLISH, 'precision'))}",
        f"The best F1 is at {short(float(english['tau']), 1)} (English, no band: {short(float(english['f1']))}) and"
        f" {short(float(chinese['tau']), 1)} (Chinese, web band: {short(float(chinese['f1']))})",
        f"(web): {pages[ENGLISH] ** .6:.0f} in English, where no site has so many, {pages[CHINESE] ** .6:.0f} in "
        "Chinese",
        f"lifts Chinese from {short(float(bandless['f1']))} to {short(float(banded['f1']))}",
        f"costs {short(english_cost, 2)}.",
        f"finds {short(tables.spot('versions', 'same_path_recall'))} of the same-path pairs, where the engine's table"
        f" above has {short(tables.ordered('versions', 'default', 'same_path_recall')[0])}, and of all listed pairs"
        f" {short(tables.spot('versions', 'all_recall'))} at a precision of"
        f" {short(tables.spot('versions', 'all_precision'))} (the engine"
        f" {short(tables.ordered('versions', 'default', 'all_recall')[0])} and"
        f" {short(tables.ordered('versions', 'default', 'all_precision')[0])}).",
        "By length, "
        + "; ".join(
            f"{tokens} tokens {short(spots[tokens], 2)} (the engine {short(engine[tokens], 2)})"
            for tokens in ("below 25", "25–49", "50–99")
        )
        + ".",
        f"loses {short(lost[0], 2)} of the English recall at τ = .44, {short(lost[1], 2)} at .5 and nothing",
        f"finds equal sets only: {span([float(row['recall']) for row in i_match if row['corpus'] in CORPORA], 2)} of"
        " the true pairs where pages were edited,"
        f" {span([float(row['same_path_recall']) for row in i_match if row['corpus'] == 'versions'], 2)} of the"
        " same-path pairs of `versions`",
    ]


def work_sentences(tables):
    unpruned, neither = (tables.join_times(partitions=partitions, pruning="off") for partitions in ("on", "off"))
    spared = [
        1
        - int(tables.join(corpus, "900", partitions="on", pruning="on")["postings_touched"])
        / int(tables.join(corpus, "900", partitions="off", pruning="on")["postings_touched"])
        for corpus in (*CORPORA, "versions")
    ]
    seconds = [
        float(tables.join("versions", "900", band, partitions="on", pruning="on")["cpu_seconds"])
        for band in ("none", "web")
    ]
    return [
        f"without it {span(unpruned, 1)} times the time, without both {span(neither, 1)}.",
        f"partitions spare {span(spared, 2)} of the postings",
        f"{short(seconds[0], 2)} s, and {short(seconds[1], 2)} s for as many comparisons with the web band",
    ]


def engine_sentences(tables):
    keys, twice = "relaxed=false spotsigs=false", "crawled twice"

    def both(options, column):
        return [value for corpus in CORPORA for value in tables.ordered(corpus, options, column)]

    found = [
        float(row["candidate_recall"])
        for row in tables.engine
        if row["corpus"] in CORPORA and row["options"] == "default"
    ]
    gained = [-value for value in tables.worth("versions", twice, "same_path_recall")]
    return [
        f"the fingerprints of the report alone find {span(both(keys, 'recall'), 2)} of the true pairs.",
        f"for {span([1000 * (1 - value) for value in found], 0)} pages in a thousand both find no group that holds "
        "most of the earlier ones.",
        "signatures cost"
        f" {hundredths([-value for value in tables.worth('versions', 'spotsigs=false', 'same_path_recall')])}"
        " hundredths",
        f"Candidate recall is {short(min(found), 3)} and more",
        f"within sites {short(tables.ordered(ENGLISH, 'default', 'same_site_recall')[1], 2)} of the true pairs are "
        "found in English, shuffled",
        f"are verified again: {short(tables.ordered(ENGLISH, twice, 'same_site_recall')[1], 2)}, and no wrong pair",
        f"It costs {span([v for c in (*CORPORA, 'versions') for v in tables.ordered(c, twice, 'verifications')], 1)}"
        f" comparisons per page, once; on `versions` it adds {hundredths(gained)} hundredths of recall.",
        f"costs {hundredths(tables.worth(ENGLISH, 'trustable=true', 'f1'))} hundredths in English and"
        f" {hundredths(tables.worth(CHINESE, 'trustable=true', 'f1'))} in Chinese. On `versions` it gains"
        f" {hundredths([-value for value in tables.worth('versions', 'trustable=true', 'same_path_recall')])}"
        " hundredths of recall",
        f"gain {hundredths([tables.worth(corpus, 'rounds=1', 'f1')[1] for corpus in CORPORA])} hundredths in the "
        "shuffled orders.",
    ]


def method_sentences(tables):
    head = markdown_rows(tables.page.split("\n## All methods side by side\n", 1)[1])[0]
    nearest = []
    for language, name in (("en", "English"), ("zh", "Chinese")):
        method, f1, own = tables.best_beside_default([column for column in head if column.startswith(language)])
        nearest.append(f"{method} with {short(f1)} of {short(own)} in {name}")
        if f1 >= own:
            return [f"In {name} {method} reaches the default at its best threshold"]
    return [
        "No other method reaches the default one on these two corpora, even at the best of its thresholds; the nearest"
        f" are {nearest[0]} and {nearest[1]}."
    ]


def listed_sentences(tables):
    _, *rows = markdown_rows(generated(tables.page, "versions-pairs"))
    chosen = [row for row in rows if row[0] in ("random", "neighbour")]
    listed = sum(int(row[1].replace(",", "")) for row in chosen)
    grouped = sum(int(row[2].split()[0].replace(",", "")) for row in chosen)
    return [
        f"Of the {listed:,} random and neighbour pairs {grouped} are grouped ({short(100 * grouped / listed, 2)} %)"
    ]


def sentences(tables):
    """The sentences that the page must contain, exactly except for line breaks."""
    return [
        sentence
        for some in (spot_sentences, work_sentences, engine_sentences, method_sentences, listed_sentences)
        for sentence in some(tables)
    ]


def unquoted_figures(tables):
    """The figures in the quoting parts that come from no table, each with the words around it."""
    covered = [plain(text) for text in sentences(tables) + [words for words, _ in ELSEWHERE]]
    found = []
    for heading in QUOTING_PARTS:
        text = plain(part(tables.page, heading))
        vouched = set()
        for quoted in covered:
            place = text.find(quoted)
            while place >= 0:
                vouched.update(range(place, place + len(quoted)))
                place = text.find(quoted, place + 1)
        found += [
            text[max(0, figure.start() - 40) : figure.end() + 20]
            for figure in FIGURE.finditer(text)
            if figure.start() not in vouched
        ]
    return found
