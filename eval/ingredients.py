"""Measures what each ingredient of the default method contributes, to the whole: runs it without each, and writes
eval/ingredients.tsv and its tables in docs/quality.md."""
import statistics

import ablation
import judged
import quality

# What is switched off, and how.
INGREDIENTS = (
    ("learned weights", "block_weights=rules"),
    ("spot signatures", "spotsigs=false"),
    ("shingle keys", "x_relaxed=false"),
    ("rounds", "x_rounds=1"),
)
WHOLE, REPORT = "the whole", "`decision=report`"


def settings():
    """What is measured, in the order of the table."""
    yield ablation.Ablation(WHOLE)
    for name, option in INGREDIENTS:
        yield ablation.Ablation("without " + name, (option,))
    yield ablation.Ablation(REPORT, ("decision=report",))


# `set`: a corpus, or judged pairs; `groups`: first answers, or final groups; low, high: 95 % by bootstrap over label
# groups, products, or pairs.
COLUMNS = (
    "options",
    "set",
    "order",
    "groups",
    "precision",
    "recall",
    "f1",
    "f1_low",
    "f1_high",
    "mean_f1",
    "mean_f1_low",
    "mean_f1_high",
)
# Judged pairs in the folder `judged` beside the corpora: of pages that a corpus holds, and of texts.
DOCUMENTATION, DOCUMENTATION_PAGES = "documentation-pairs.tsv", "versions"
TEXTS = "text-pairs.jsonl.gz"
TWO_HOSTS = ("http://a.example/1", "http://b.example/2")


def row_of(tried, name, order, groups, **figures):
    row = {"options": tried.name, "set": name, "order": order, "groups": groups}
    return row | {column: f"{figures[column]:.4f}" if column in figures else "-" for column in COLUMNS[len(row) :]}


def corpus_rows(tried, corpus, truth, judged_folder, programs):
    for order in [ablation.FILE_ORDER] + ([str(seed) for seed in ablation.SHUFFLES] if corpus.has_labels else []):
        first = ablation.run_trace(ablation.Run(corpus, tried, order), programs, final_groups=True)
        for groups, trace in (("first", first), ("final", first.final())):
            if corpus.has_labels:
                pairs = quality.score_labels(truth, trace).all_pairs
                low, high = quality.f1_interval(truth, trace)
                yield row_of(
                    tried,
                    corpus.name,
                    order,
                    groups,
                    precision=pairs.precision,
                    recall=pairs.recall,
                    f1=pairs.f1,
                    f1_low=low,
                    f1_high=high,
                )
            else:
                score = quality.score_pairs(truth, trace, kinds={"same-path"})
                yield row_of(tried, corpus.name, order, groups, precision=score.precision, recall=score.recall)
                if (
                    groups == "first"
                    and corpus.name == DOCUMENTATION_PAGES
                    and (judged_folder / DOCUMENTATION).is_file()
                ):
                    yield judged_row(
                        tried,
                        "documentation",
                        judged.answers_of_pages(judged.read_pairs(judged_folder / DOCUMENTATION), trace),
                    )


def judged_row(tried, name, answers):
    groups = list(judged.by_group(answers).values())
    figures = {statistic: of_groups(groups) for statistic, of_groups in judged.STATISTICS.items()}
    if len(groups) == len(answers):  # texts: no pair is one of several
        figures["mean_f1"] = None
    bounds = judged.intervals(groups)
    for statistic in ("f1", "mean_f1"):
        if figures[statistic] is not None:
            figures |= dict(zip((statistic + "_low", statistic + "_high"), bounds[statistic]))
    return row_of(
        tried, name, ablation.FILE_ORDER, "first", **{key: value for key, value in figures.items() if value is not None}
    )


def judged_rows(tried, judged_folder, programs):
    """Of this repository's pairs, and of the texts that lie beside the corpora."""
    ndc, arguments = programs / "ndc", [part for option in tried.options for part in ("--option", option)]
    trace = judged.run_dedup(ndc, [judged.DATA / "pages.warc.gz"], arguments)
    yield judged_row(tried, "data/judged", judged.answers_of_pages(judged.read_pairs(judged.DATA / "pairs.tsv"), trace))
    if (judged_folder / TEXTS).is_file():
        for name, answers in judged.answers_of_texts(ndc, judged_folder / TEXTS, TWO_HOSTS, arguments).items():
            yield judged_row(tried, name, answers)


def measure(corpora, judged_folder, programs, path, say=print):
    """Writes `path` after each setting, so that an interrupted run keeps its measurements; returns the rows."""
    truths, rows = {corpus: corpus.truth() for corpus in corpora}, []
    for tried in settings():
        for corpus in corpora:
            rows += corpus_rows(tried, corpus, truths[corpus], judged_folder, programs)
        rows += judged_rows(tried, judged_folder, programs)
        ablation.write_rows(path, COLUMNS, rows)
        say(tried.name)
    return rows


def short(value):
    return f"{float(value):.3f}"


class Cells:
    """The figures of one setting."""

    def __init__(self, rows, name):
        self.rows = [row for row in rows if row["options"] == name]

    def values(self, of_set, column, groups="first"):
        return [
            float(row[column])
            for row in self.rows
            if row["set"] == of_set and row["groups"] == groups and row[column] != "-"
        ]

    def mean(self, of_set, column, groups="first"):
        values = self.values(of_set, column, groups)
        return short(statistics.fmean(values)) if values else "–"

    def least(self, of_set, column):
        values = self.values(of_set, column)
        return short(min(values)) if values else "–"


def table(rows, corpora, markdown):
    """A row a setting: means over file order and the shuffles."""
    labelled = [corpus.name for corpus in corpora if corpus.has_labels]
    paired = [corpus.name for corpus in corpora if not corpus.has_labels]
    judged_sets = [name for name in dict.fromkeys(row["set"] for row in rows) if name not in labelled + paired]
    header = (
        ["options"]
        + [f"{name}: F1, first / final; least P" for name in labelled]
        + [f"{name}: recall" for name in paired]
    )
    header += [
        f"{name}: P / F1" + (" / mean F1" if Cells(rows, WHOLE).values(name, "mean_f1") else "") for name in judged_sets
    ]
    lines = []
    for name in dict.fromkeys(row["options"] for row in rows):
        cells = Cells(rows, name)
        line = [name]
        line += [
            f"{cells.mean(of, 'f1')} / {cells.mean(of, 'f1', 'final')}; {cells.least(of, 'precision')}"
            for of in labelled
        ]
        line += [cells.mean(of, "recall") for of in paired]
        for of in judged_sets:
            columns = ["precision", "f1"] + (["mean_f1"] if cells.values(of, "mean_f1") else [])
            line.append(" / ".join(cells.mean(of, column) for column in columns))
        lines.append(line)
    return markdown(header, lines)


def interval_table(rows, markdown):
    """Of the whole in file order, by first answers: F1 with its interval."""
    lines = []
    for row in rows:
        measured = row["options"], row["order"], row["groups"]
        if measured == (WHOLE, ablation.FILE_ORDER, "first") and row["f1"] != "-":
            mean = (
                row["mean_f1"] != "-"
                and f"{short(row['mean_f1'])} ({short(row['mean_f1_low'])}–{short(row['mean_f1_high'])})"
            )
            lines.append(
                [
                    row["set"],
                    short(row["precision"]),
                    short(row["recall"]),
                    f"{short(row['f1'])} ({short(row['f1_low'])}–{short(row['f1_high'])})",
                    mean or "–",
                ]
            )
    return markdown(("set", "P", "R", "F1", "mean F1 of products"), lines)


def sections(rows, corpora, markdown):
    rows = [row for row in rows if not row["set"].endswith(judged.LEFT_OUT)]
    return {"ingredients": table(rows, corpora, markdown), "intervals": interval_table(rows, markdown)}
