"""SpotSigs alone (eval/spot_signatures.cpp): its quality over the thresholds, and the work of its join."""
import dataclasses
import pathlib
import statistics
import subprocess
import tempfile

import ablation
import quality
from report import fixed, has_lengths, length_table, markdown

MAIN, ALL = "main", "all"  # whose signatures: of the main content, of all visible text
UNVERIFIED = "-"
PAPER_TAU = "0.440"
# What docs/quality.md shows; eval/spotsigs.tsv has all.
BANDS = {"none": "no band", "web": "web band"}
TAUS = (PAPER_TAU, "0.500", "0.600", "0.900")
SWITCHES = ("partitions", "pruning")

KEYS = ("corpus", "text", "detector", "band", "tau")
QUALITY = tuple(name for name in ablation.QUALITY if "candidate" not in name)
COLUMNS = KEYS + ("pages",) + QUALITY
WORK_COUNTS = ("documents", "partitions_used", "postings_touched", "postings_skipped", "computations", "pairs")
WORK_COLUMNS = (
    ("corpus", "band", "tau") + SWITCHES + WORK_COUNTS + ("cpu_seconds", "median_partition", "largest_partition")
)


@dataclasses.dataclass(frozen=True)
class Setting:
    """The meaning of a column of the program's output."""

    detector: str
    band: str
    tau: str  # or UNVERIFIED


@dataclasses.dataclass
class Output:
    groups: dict  # {Setting: quality.Trace}
    joins: list  # {column: text}
    partition_sizes: dict  # {(band, tau in thousandths): documents of each partition}
    pages: int


@dataclasses.dataclass
class Measured:
    corpus: ablation.Corpus
    text: str
    figures: dict  # {Setting: {name: value}}
    output: Output


def read_output(path):
    settings, rows, named, joins, sizes = [], [], {}, [], {}
    with open(path, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if not line.startswith("#"):
                rows.append(fields)
            elif fields[0] == "#url":
                settings = [Setting(*column.split("/")) for column in fields[2:]]
            elif fields[0] not in named:  # the first of its kind, #total apart, has the names of the columns
                named[fields[0]] = fields
            elif fields[0] == "#join":
                joins.append(dict(zip(named["#join"][1:], fields[1:])))
            elif fields[0] == "#partition":
                part = dict(zip(named["#partition"][1:], fields[1:]))
                sizes.setdefault((part["band"], part["tau"]), []).append(int(part["documents"]))
    groups = {
        setting: quality.Trace([quality.PageRow(row[0], row[2 + i], 0, 0, frozenset()) for row in rows], {})
        for i, setting in enumerate(settings)
    }
    return Output(groups, joins, sizes, len(rows))


def run(corpus, programs, text=MAIN, quick=False):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "rows.tsv"
        command = [programs / "spot_signatures", corpus.archive, "--text", text, "-o", output] + (
            ["--quick"] if quick else []
        )
        subprocess.run(command, check=True)
        return read_output(output)


def figures_of(corpus, truth, trace):
    run_without_candidates = ablation.Run(corpus, ablation.Ablation("SpotSigs", batch=True))
    return (ablation.label_figures if corpus.has_labels else ablation.pair_figures)(
        truth, trace, run_without_candidates
    )


def measure_all(corpora, programs, say=print):
    measured = []
    for corpus in corpora:
        truth = corpus.truth()
        for text in (MAIN, ALL):
            say(f"{corpus.name}, SpotSigs alone, {text} text")
            output = run(corpus, programs, text)
            figures = {setting: figures_of(corpus, truth, trace) for setting, trace in output.groups.items()}
            measured.append(Measured(corpus, text, figures, output))
    return measured


def gate_row(corpus, programs):
    """The join at the paper's threshold without a band, as a row of expected.tsv; its work: similarities
    computed per page."""
    output = run(corpus, programs, quick=True)
    trace = output.groups[Setting("spotsigs", "none", PAPER_TAU)]
    join = next(join for join in output.joins if join["band"] == "none")
    figures = figures_of(corpus, corpus.truth(), trace) | {
        "pages": output.pages,
        "verifications": int(join["computations"]) / output.pages,
    }
    return ablation.table_row(
        ablation.Outcome(ablation.Run(corpus, ablation.Ablation("SpotSigs alone")), trace, figures)
    )


def quality_rows(measured):
    for each in measured:
        for setting, figures in each.figures.items():
            row = {"corpus": each.corpus.name, "text": each.text, "pages": str(each.output.pages)} | dataclasses.asdict(
                setting
            )
            yield row | {name: "-" if figures.get(name) is None else f"{figures[name]:.4f}" for name in QUALITY}


def work_rows(measured):
    for each in measured:
        if each.text != MAIN:
            continue
        for join in each.output.joins:
            sizes = each.output.partition_sizes.get((join["band"], join["tau"]), [])
            if join["partitions"] == "off":
                sizes = [int(join["documents"])]
            yield join | {
                "corpus": each.corpus.name,
                "median_partition": f"{statistics.median(sizes):g}",
                "largest_partition": str(max(sizes)),
            }


def figure_cells(figures, names):
    return " / ".join(fixed(figures.get(name)) for name in names)


def band_cells(measured, detector, tau, name):
    return " / ".join(fixed(measured.figures[Setting(detector, band, tau)].get(name)) for band in BANDS)


def curve_table(main):
    """P, R and F1 over tau; of listed pairs, P and R of the same-path ones."""
    names, judged = (
        (("precision", "recall", "f1"), "f1")
        if main.corpus.has_labels
        else (("same_path_precision", "same_path_recall"), "same_path_recall")
    )
    shown, short = ("P / R / F1", "F1") if main.corpus.has_labels else ("P / R", "R")
    header = ["τ"] + [f"{BANDS[band]}: {shown}" for band in BANDS]
    if main.corpus.has_labels:
        header.append("F1 between sites, by band")
    header.append(f"LSH-S, verified: {short} by band")
    rows = []
    for tau in TAUS:
        row = [tau.rstrip("0").removeprefix("0")]
        row += [figure_cells(main.figures[Setting("spotsigs", band, tau)], names) for band in BANDS]
        if main.corpus.has_labels:
            row.append(band_cells(main, "spotsigs", tau, "cross_site_f1"))
        rows.append(row + [band_cells(main, "lsh-s", tau, judged)])
    return markdown(header, rows)


def hybrid_table(main):
    names = ("precision", "recall", "f1") if main.corpus.has_labels else ("same_path_precision", "same_path_recall")
    shown = "P / R / F1" if main.corpus.has_labels else "P / R"
    return markdown(
        ["without verification"] + [f"{BANDS[band]}: {shown}" for band in BANDS],
        [
            [title] + [figure_cells(main.figures[Setting(detector, band, UNVERIFIED)], names) for band in BANDS]
            for title, detector in (("I-Match-S", "i-match-s"), ("LSH-S", "lsh-s"))
        ],
    )


def sections(measured):
    """{name of a marker: the text at that place}."""
    out = {}
    for main in measured[::2]:  # the others are all visible text
        out[main.corpus.name + "-spots"] = curve_table(main) + "\n" + hybrid_table(main)
        if has_lengths(main.corpus):
            out[main.corpus.name + "-spots-length"] = length_table(
                main.corpus, main.output.groups[Setting("spotsigs", "none", PAPER_TAU)]
            )
    return out
