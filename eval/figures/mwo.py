"""MWO, measured again: tables mwo_filters, mwo_thresholds."""
import detectors
import documents
import style
from page import Grid, Part, Section
from sentences import NO_PAIR, amount, by_run, compared, count, counted, joined, known, says_pairs, share, verb
from tables import best, nearest, numbers

FILTERS = "fields filter threshold pages after_prefix after_position after_overlap lost_pairs"
THRESHOLDS = "fields filter threshold precision recall f1 group_f1"
REPORTED_THRESHOLD, REPORTED_PRECISION, REPORTED_RECALL = 0.5, 0.943, 0.947
STEPS = (
    ("pages", "all pages"),
    ("after_prefix", "prefix"),
    ("after_position", "position"),
    ("after_overlap", "overlap"),
)
KINDS = {
    "safe": ("safe filter (ours, exact)", style.GREEN, "-"),
    "paper": ("filter of the document", style.ORANGE, (0, (5, 1.5))),
    "paper-weight": ("the same, terms by weight", style.BLUE, (0, (1, 1.5))),
}
FIELDS = {"all": "all fields", "no-frame": "no frame", "main": "main content"}


def fields_of(table):
    """What the sentences speak of: all fields, as the document has them, if they were measured."""
    found = table.values("fields")
    return "all" if "all" in found else found[0]


def filter_rows(run):
    """{filter: row} at the threshold nearest to the document's."""
    table = run.table("mwo_filters", FILTERS)
    rows = table.where(fields=fields_of(table))
    near = nearest(rows, "threshold", REPORTED_THRESHOLD)
    return {row["filter"]: row for row in rows if near is not None and row["threshold"] == near["threshold"]}


def filters_figure(runs, folder, name):
    figure, axes = style.panels(runs, [3.2], sharey=True)
    heights = []
    for run, panel in zip(runs, axes[0]):
        found = filter_rows(run)
        for number, (kind, row) in enumerate((kind, found[kind]) for kind in KINDS if kind in found):
            for place, (column, _) in enumerate(STEPS):
                value = row.number(column)
                if value is not None and value > 0:
                    heights.append(value)
                    left = place + (number - 1) * 0.3
                    panel.bar(left, value, 0.28, color=KINDS.get(kind, ("", style.GREY))[1])
                    panel.text(left, value * 1.12, amount(value), ha="center", fontsize=7.5)
        panel.set_xticks(range(len(STEPS)), [label for _, label in STEPS])
        panel.grid(axis="x", visible=False)
        panel.set_xlabel("after the filter of")
    least, most = min(heights + [1]), max(heights + [10])
    style.log_axis(axes[0][0].yaxis, least / 2, most)
    axes[0][0].set_ylim(least / 2, most * 2.5)
    axes[0][0].set_ylabel("pages left for one page (mean, logarithmic)")
    style.legend_above(figure, [style.line(colour, label, linewidth=7) for label, colour, _ in KINDS.values()])
    style.save(figure, folder, name)


def filters_sentence(run):
    rows = [
        (kind, row)
        for kind, row in filter_rows(run).items()
        if row.number("pages") and row.number("after_overlap") is not None
    ]
    texts = []
    for kind, row in rows:
        left = [f"{amount(row[column])} by {name}" for column, name in STEPS[1:] if row.number(column) is not None]
        lost = row.number("lost_pairs")
        texts.append(
            f"{KINDS.get(kind, (str(kind),))[0]}: of {counted(row['pages'], 'page')} are left {joined(left)}"
            + known(lost, f" ({counted(lost, 'pair')} lost)")
        )
    return f"at t = {rows[0][1]['threshold']:g}, " + "; ".join(texts) + "." if texts else None


def filters_difference(run):
    row = filter_rows(run).get("paper") or filter_rows(run).get("safe")
    if row is None or not row.number("pages") or not row.number("after_position"):
        return None
    fold = row["pages"] / row["after_position"]
    text = (
        f"prefix and position leave one page of {amount(fold)} here, one of {amount(50 / 6)} in the document's example"
    )
    lost = row.number("lost_pairs")
    if row["filter"] == "paper" and lost is not None:
        text += "; the document's filter loses " + (
            f"{counted(lost, 'pair')}, as its bounds are for sets and not for shares" if lost else "no pair here"
        )
    return text + "."


def seen_sentence(run):
    if not run.table("mwo_filters", FILTERS) or not {"safe", "paper"} <= set(filter_rows(run)):
        return None
    found = filter_rows(run)
    if None in (found[kind].number("lost_pairs") for kind in ("safe", "paper")):
        return None
    lost = found["paper"]["lost_pairs"]
    return (
        f"MWO: the published filter loses {counted(lost, 'pair')} that {verb(lost, 'reaches', 'reach')} t ="
        f" {found['paper']['threshold']:g}, the safe one {count(found['safe'].number('lost_pairs'))}."
    )


def filters_part(runs, folder):
    filters_figure(runs, folder, "mwo_filters")
    grids = [
        Grid(
            f"{run.name}: filters",
            ["fields", "filter", "t", "pages", "prefix", "position", "overlap", "lost pairs", "postings", "ms a page"],
            [
                [
                    FIELDS.get(row["fields"], row.text("fields")),
                    row.text("filter"),
                    share(row.number("threshold"), 2),
                    count(row.number("pages")),
                    amount(row.number("after_prefix")),
                    amount(row.number("after_position")),
                    amount(row.number("after_overlap")),
                    count(row.number("lost_pairs")),
                    count(row.number("postings")),
                    amount(row.number("ms_a_page")),
                ]
                for row in run.table("mwo_filters", FILTERS).rows
            ],
            folded=True,
        )
        for run in runs
    ]
    return Part(
        "Pages left after each filter",
        detectors.picture("mwo_filters", "Candidates after each filter, logarithmic", runs, filters_sentence),
        ["Section 4.3: of 50 pages the filters leave 6 at t = 0.5, and 3 near-duplicates are returned."],
        by_run(runs, filters_sentence),
        by_run(runs, filters_difference)
        + ["The document's 50 pages were found by one query, so they are alike from the start."],
        grids,
        "All fields, at the threshold nearest to 0.5; the table has the others.",
    )


def thresholds_figure(runs, folder, name):
    fields = list(
        dict.fromkeys(value for run in runs for value in run.table("mwo_thresholds", THRESHOLDS).values("fields"))
    )
    figure, axes = style.panels(runs, [2.2] * len(fields), sharex=True, sharey=True)
    measures = (("precision", style.PRECISION), ("recall", style.RECALL), ("group_f1", style.GREEN))
    for column, run in enumerate(runs):
        table = run.table("mwo_thresholds", THRESHOLDS)
        for line, value in enumerate(fields):
            panel = axes[line][column]
            for kind, (_, _, dashes) in KINDS.items():
                for measure, colour in measures:
                    points = numbers(table.where(fields=value, filter=kind), "threshold", measure)
                    panel.plot(
                        [x for x, _ in points],
                        [y for _, y in points],
                        color=colour,
                        linestyle=dashes,
                        marker="o",
                        markersize=2.5,
                    )
            if value == "all":
                panel.plot(
                    [REPORTED_THRESHOLD] * 2,
                    [REPORTED_PRECISION, REPORTED_RECALL],
                    marker="D",
                    markersize=6,
                    markerfacecolor="white",
                    markeredgecolor=style.REPORTED,
                    markeredgewidth=1.5,
                    linestyle="none",
                    zorder=5,
                )
        axes[-1][column].set_xlabel("threshold t")
    for line, value in zip(axes, fields):
        line[0].set_ylabel(f"share, {FIELDS.get(value, style.shortened(str(value), 20))}")
        line[0].set_ylim(-0.03, 1.05)
    style.legend_above(
        figure,
        [
            style.line(style.PRECISION, "P of pairs"),
            style.line(style.RECALL, "R of pairs"),
            style.line(style.GREEN, "F1, best match joined"),
            style.line(style.GREY, "safe filter"),
            style.line(style.GREY, "document's filter", linestyle=KINDS["paper"][2]),
            style.reported_entry("MWO, table 4"),
        ],
    )
    style.save(figure, folder, name)


def threshold_row(run, kind):
    table = run.table("mwo_thresholds", THRESHOLDS)
    return nearest(table.where(fields=fields_of(table), filter=kind), "threshold", REPORTED_THRESHOLD)


def thresholds_sentence(run):
    row = threshold_row(run, "safe") or threshold_row(run, "paper")
    top = best(
        [row for row in run.table("mwo_thresholds", THRESHOLDS).rows if row.number("threshold") is not None], "f1"
    )
    texts = []
    if row is not None and says_pairs(row):
        facts = [
            f"{name} is {share(row[column])}"
            for column, name in (("precision", "precision of pairs"), ("recall", "recall"))
            if row.number(column) is not None
        ]
        texts += [f"at t = {row['threshold']:g} {joined(facts)}"] if facts else []
    if top is not None and top["f1"]:
        texts.append(
            f"the best F1 of pairs is {share(top['f1'])}, at t = {top['threshold']:g}"
            f" ({FIELDS.get(top['fields'], top.text('fields'))})"
        )
    return "; ".join(texts) + "." if texts else None


def thresholds_difference(run):
    row = threshold_row(run, "safe") or threshold_row(run, "paper")
    if row is not None and not says_pairs(row) and not row.number("recall"):
        return f"at t = {row['threshold']:g}: {NO_PAIR}."
    if row is None or None in (row.number("precision"), row.number("recall")):
        return None
    text = (
        f"at t = {row['threshold']:g} precision is {compared(row['precision'], REPORTED_PRECISION)}, recall"
        f" {compared(row['recall'], REPORTED_RECALL)}"
    )
    paper = threshold_row(run, "paper")
    if row["filter"] == "safe" and paper is not None and paper.number("recall") is not None:
        lost = row["recall"] - paper["recall"]
        if abs(lost) >= 0.0005:
            text += (
                f"; the document's filter finds {share(abs(lost))} {'less' if lost > 0 else 'more'} of the right pairs"
            )
        else:
            text += "; the document's filter changes recall by less than 0.001"
    return text + "."


def thresholds_part(runs, folder):
    thresholds_figure(runs, folder, "mwo_thresholds")
    grids = [
        Grid(
            f"{run.name}: thresholds",
            ["fields", "filter", "t", "P", "R", "F1", "P, best match", "R, best match", "F1, best match"],
            [
                [FIELDS.get(row["fields"], row.text("fields")), row.text("filter"), share(row.number("threshold"), 2)]
                + [
                    share(row.number(column))
                    for column in ("precision", "recall", "f1", "group_precision", "group_recall", "group_f1")
                ]
                for row in run.table("mwo_thresholds", THRESHOLDS).rows
            ],
            folded=True,
        )
        for run in runs
    ]
    return Part(
        "Precision and recall over t",
        detectors.picture("mwo_thresholds", "Precision and recall over the threshold", runs, thresholds_sentence),
        [
            "Table 4: precision 94.3 % and recall 94.7 % on the mean of ten queries (from 93.0 and 93.6 to 95.2 and"
            " 95.8). The document does not say at which t; its example, in section 4.3, has 0.5."
        ],
        by_run(runs, thresholds_sentence),
        by_run(runs, thresholds_difference)
        + [
            "The document scores the near-duplicates of one page a query, among pages found by that query; here every"
            " page is searched among all."
        ],
        grids,
        "Diamonds: table 4, of which the document does not say at which t; its example has 0.5, where they stand here.",
    )


PARTS = (("mwo_filters", FILTERS, filters_part), ("mwo_thresholds", THRESHOLDS, thresholds_part))


def section(runs, folder):
    empty = Section(
        "mwo", "MWO: minimum weight overlap", "Shares of weighed terms; the filters narrow down what is compared."
    )
    return documents.fill(empty, runs, folder, PARTS)
