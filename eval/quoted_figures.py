"""The sentences of docs/quality.md that quote its tables, made from those tables. quoted_figures_test.py compares the
page with them."""
import csv
import dataclasses
import pathlib
import re


ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "quality.md"
# The parts of the page that only restate its tables: every figure in them is one of `sentences()` or of ELSEWHERE.
QUOTING_PARTS = ("### What they say", "### Work of the join")
# Figures in these parts that come from no table: (as written, what it is).
ELSEWHERE = (
    ("τ = .5 are", "a threshold"),
    ("**τ = .44**", "a threshold"),
    ("τ = .44 finds", "a threshold"),
    ("at τ = .44, ", "a threshold"),
    (" at .5 and nothing from .7 on", "thresholds"),
    ("of the postings at τ = .9, but", "a threshold"),
    ("N<sup>.6</sup>", "the exponent that the band's lower end stands for"),
    ("where 70 % of the pages", "counted on the corpus"),
)
FIGURE = re.compile(r"(?<![\w`])(?:\d[\d,]*(?:\.\d+)?|\.\d+)")


def plain(text):
    """On one line, as a paragraph is compared."""
    return " ".join(text.split())


def short(value, places=3):
    """.846, as prose has a share."""
    text = f"{value:.{places}f}"
    return text.removeprefix("0") if text.startswith("0.") else text


def span(values, places=3):
    """The least and the greatest, or one number if they are equal."""
    least, most = (short(value, places) for value in (min(values), max(values)))
    return least if least == most else f"{least} to {most}"


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
    spots: list
    work: list

    @classmethod
    def read(cls):
        return cls(
            PAGE.read_text(encoding="utf-8"),
            *(rows_of(ROOT / "eval" / name) for name in ("spotsigs.tsv", "spotsigs_work.tsv")),
        )

    def spot(self, corpus, column, tau="0.440", detector="spotsigs", band="none", text="main"):
        wanted = corpus, text, detector, band, tau
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
        """{tokens: (recall)}, of a generated table by length."""
        head, *rows = markdown_rows(generated(self.page, name))
        return dict(zip(head[1:], (float(cell) for cell in rows[-1][1:])))


ENGLISH, CHINESE = "reframed-en", "reframed-zh"
CORPORA = ENGLISH, CHINESE


def spot_sentences(tables):
    english, chinese = (tables.best_spot(corpus) for corpus in CORPORA)
    bandless, banded = (tables.spot(CHINESE, "f1", "0.500", band=band, text="all") for band in ("none", "web"))
    english_cost = float(tables.best_spot(ENGLISH, ["none"])["f1"]) - float(tables.best_spot(ENGLISH, ["web"])["f1"])
    spots = tables.lengths("versions-spots-length")
    lost = [
        tables.spot(ENGLISH, "recall", tau) - tables.spot(ENGLISH, "recall", tau, "lsh-s") for tau in ("0.440", "0.500")
    ]
    i_match = [row for row in tables.spots if row["detector"] == "i-match-s" and row["text"] == "main"]
    pages = {row["corpus"]: int(row["pages"]) for row in tables.spots}
    return [
        f"(between sites its precision is {short(tables.spot(ENGLISH, 'cross_site_precision', '0.500'))}, within them"
        f" {short(tables.spot(ENGLISH, 'same_site_precision', '0.500'))})",
        f"The best F1 is at {short(float(english['tau']), 1)} (English, no band: {short(float(english['f1']), 2)}) and"
        f" {short(float(chinese['tau']), 1)} (Chinese, web band: {short(float(chinese['f1']), 2)})",
        f"lifts the F1 of Chinese at τ = .5 from {short(bandless)} to {short(banded)}.",
        f"{pages[CHINESE] ** .6:.0f} in Chinese",
        f"{pages[ENGLISH] ** .6:.0f} in English",
        f"costs English {short(english_cost, 2)} of the best F1.",
        f"finds {short(tables.spot('versions', 'same_path_recall'))} of the same-path pairs, and of all listed pairs"
        f" {short(tables.spot('versions', 'all_recall'))} at a precision of"
        f" {short(tables.spot('versions', 'all_precision'))}.",
        "By length, "
        + "; ".join(f"{tokens} tokens {short(spots[tokens], 2)}" for tokens in ("below 25", "25–49", "50–99"))
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
    return [
        f"without it {span(unpruned, 1)} times the time, without both {span(neither, 1)}.",
        f"partitions spare {span(spared, 2)} of the postings",
    ]


def sentences(tables):
    """The sentences that the page must contain, exactly except for line breaks."""
    return [sentence for some in (spot_sentences, work_sentences) for sentence in some(tables)]


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
