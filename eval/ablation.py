"""Runs the engine over corpora with each ingredient on and off, and turns what it says into rows of figures."""
import concurrent.futures
import dataclasses
import pathlib
import statistics
import subprocess
import tempfile

import quality

OPTION_REFUSED = 3  # exit code of trace


@dataclasses.dataclass(frozen=True)
class Ablation:
    name: str  # as the tables call it
    options: tuple = ()  # KEY=VALUE
    crawls: int = 1  # how often the engine gets all pages; the last time counts
    batch: bool = False  # `ndc dedup --order fingerprints` instead of the engine page by page


DEFAULT = Ablation("default")

# The only list of what is switched. An option that the library does not have is reported and left out.
ABLATIONS = (
    DEFAULT,
    Ablation("x_relaxed=false", ("x_relaxed=false",)),
    Ablation("spotsigs=false", ("spotsigs=false",)),
    Ablation("x_relaxed=false spotsigs=false", ("x_relaxed=false", "spotsigs=false")),  # fingerprints only
    Ablation("x_trustable=true", ("x_trustable=true",)),
    Ablation("x_rounds=1", ("x_rounds=1",)),
    Ablation("crawled twice", crawls=2),
    Ablation("--order fingerprints", batch=True),
)
GATE_ABLATIONS = tuple(ablation for ablation in ABLATIONS if not ablation.batch)

SHUFFLES = (1, 2, 3)
FILE_ORDER = "file"

KEYS = ("corpus", "options", "per_host", "order")
QUALITY = (
    "precision",
    "recall",
    "f1",
    "same_site_precision",
    "same_site_recall",
    "cross_site_precision",
    "cross_site_recall",
    "cross_site_f1",
    "b_cubed_f1",
    "candidate_recall",
    "candidate_recall_any",
    "same_path_precision",
    "same_path_recall",
    "same_path_main_precision",
    "same_path_main_recall",
    "same_path_candidate_recall",
    "all_precision",
    "all_recall",
    "all_main_precision",
    "all_main_recall",
    "all_candidate_recall",
)
WORK = ("candidates", "verifications")  # a page
COLUMNS = KEYS + ("pages",) + QUALITY + WORK + ("pages_per_second", "bytes_index", "bytes_features")


@dataclasses.dataclass(frozen=True)
class Corpus:
    """A folder with pages.warc.gz, and labels.tsv or else pairs.tsv."""

    folder: pathlib.Path

    @property
    def name(self):
        return self.folder.name

    @property
    def has_labels(self):
        return (self.folder / "labels.tsv").is_file()

    @property
    def archive(self):
        return self.folder / "pages.warc.gz"

    def truth(self):
        return quality.read_table(self.folder / ("labels.tsv" if self.has_labels else "pairs.tsv"))


def find_corpora(folder):
    found = [Corpus(path.parent) for path in sorted(pathlib.Path(folder).glob("*/pages.warc.gz"))]
    return [corpus for corpus in found if corpus.has_labels or (corpus.folder / "pairs.tsv").is_file()]


@dataclasses.dataclass(frozen=True)
class Run:
    corpus: Corpus
    ablation: Ablation
    order: str = FILE_ORDER  # or the seed of a shuffle
    per_host: int = 0  # 0: all pages


@dataclasses.dataclass
class Outcome:
    run: Run
    trace: quality.Trace
    figures: dict


class OptionRefused(Exception):
    pass


def command_of(run, programs, output, final_groups=False):
    if run.ablation.batch:
        return [programs / "ndc", "dedup", "--order", "fingerprints", run.corpus.archive, "-o", output]
    command = [programs / "trace", run.corpus.archive, "-o", output]
    command += [f"--option={option}" for option in run.ablation.options]
    if run.ablation.crawls > 1:
        command += ["--crawls", str(run.ablation.crawls)]
    if run.order != FILE_ORDER:
        command += ["--shuffle", run.order]
    if run.per_host:
        command += ["--per-host", str(run.per_host)]
    return command + ["--final-groups"] * final_groups


def run_trace(run, programs, final_groups=False):
    """Throws OptionRefused, with what the library says."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "rows.tsv"
        done = subprocess.run(
            command_of(run, programs, output, final_groups), stderr=subprocess.PIPE, text=True, check=False
        )
        if done.returncode == OPTION_REFUSED and not run.ablation.batch:
            raise OptionRefused(done.stderr.strip())
        if done.returncode != 0:
            raise RuntimeError(f"{run.corpus.name}, {run.ablation.name}: exit code {done.returncode}\n{done.stderr}")
        return quality.read_groups(output) if run.ablation.batch else quality.read_trace(output)


def label_figures(labels, trace, run):
    score = quality.score_labels(labels, trace, present_only=run.per_host != 0)
    figures = {
        "precision": score.all_pairs.precision,
        "recall": score.all_pairs.recall,
        "f1": score.all_pairs.f1,
        "same_site_precision": score.same_site.precision,
        "same_site_recall": score.same_site.recall,
        "cross_site_precision": score.cross_site.precision,
        "cross_site_recall": score.cross_site.recall,
        "cross_site_f1": score.cross_site.f1,
        "b_cubed_f1": score.b_cubed_f1,
    }
    if not run.ablation.batch and run.ablation.crawls == 1:  # an unchanged page has no candidates
        figures |= {"candidate_recall": score.candidate_recall, "candidate_recall_any": score.candidate_recall_any}
    return figures


def pair_figures(pairs, trace, run):
    figures = {}
    for name, kinds in (("same_path", {"same-path"}), ("all", None)):
        for main in (False, True):
            score = quality.score_pairs(pairs, trace, main, kinds)
            prefix = name + ("_main" if main else "")
            figures |= {prefix + "_precision": score.precision, prefix + "_recall": score.recall}
            if not main and not run.ablation.batch and run.ablation.crawls == 1:
                figures[name + "_candidate_recall"] = score.candidate_recall
    return figures


def measure(run, truth, programs):
    trace = run_trace(run, programs)
    figures = {"pages": len(trace.rows)} | (label_figures if run.corpus.has_labels else pair_figures)(truth, trace, run)
    if not run.ablation.batch:
        figures |= {
            "candidates": trace.per_page("candidate_count"),
            "verifications": trace.per_page("verification_count"),
            "pages_per_second": trace.totals["pages_per_cpu_second"],
            "bytes_index": trace.totals["bytes_index"],
            "bytes_features": trace.totals["bytes_features"],
        }
    return Outcome(run, trace, figures)


def measure_all(runs, programs, jobs=1, say=print):
    """Outcomes in the order of the runs, those left out whose option the library refuses; and {ablation name: why}."""
    truths = {corpus: corpus.truth() for corpus in dict.fromkeys(run.corpus for run in runs)}
    refused = {}

    def one(run):
        if run.ablation.name in refused:
            return None
        try:
            outcome = measure(run, truths[run.corpus], programs)
        except OptionRefused as reason:
            if refused.setdefault(run.ablation.name, str(reason)) == str(reason):
                say(f"SKIPPED {run.ablation.name}: {reason}")
            return None
        say(
            f"{run.corpus.name}, {run.ablation.name}, order {run.order}"
            + (f", {run.per_host} a host" if run.per_host else "")
        )
        return outcome

    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        outcomes = list(pool.map(one, runs))
    return [outcome for outcome in outcomes if outcome], refused


def table_row(outcome):
    """{column: text}; "-" where a figure does not apply."""
    run = outcome.run
    row = {
        "corpus": run.corpus.name,
        "options": run.ablation.name,
        "per_host": str(run.per_host or "all"),
        "order": run.order,
    }
    for column in COLUMNS[len(KEYS) :]:
        value = outcome.figures.get(column)
        places = 4 if column in QUALITY else 3 if column in WORK else 0
        row[column] = "-" if value is None else f"{value:.{places}f}"
    return row


def write_rows(path, columns, rows):
    lines = ["\t".join(columns)] + ["\t".join(row[column] for column in columns) for row in rows]
    pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def mean_and_range(values):
    return statistics.fmean(values), min(values), max(values)
