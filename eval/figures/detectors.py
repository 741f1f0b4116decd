"""Precision, recall, F1 and cost of every detector: table `detectors`."""
import direct_labels
import style
from page import Grid, Part, Picture, Section
from sentences import (
    NO_PAIR,
    amount,
    by_run,
    compared,
    count,
    counted,
    left_out,
    name_of,
    says_pairs,
    share,
    signed,
    some,
    verb,
)
from tables import Row, best

COLUMNS = (
    "detector decide precision recall f1 same_site_precision same_site_recall same_site_f1 cross_site_precision"
    " cross_site_recall cross_site_f1 b_cubed_f1 macro_f1 read_ms_a_page describe_ms_a_page search_ms_a_page"
)
DEFAULT = "lcs"
NEAR = 0.01  # of F1: as good as
LEAST_MS = 0.001  # a logarithmic axis has no 0


def rows_of(run):
    table = run.table("detectors", COLUMNS)
    return table.rows if table else []


def key(row):
    return row.text("detector"), row.text("decide")


def title(row):
    """`simhash 64` decides alone, `simhash 64 + LCS` has its candidates verified."""
    name = name_of(row.text("detector"))
    return name + " + LCS" if row["detector"] != DEFAULT and row["decide"] == "lcs" else name


def added_ms(row):
    """Milliseconds a page that describing and searching take, each measured by itself; None if not known."""
    describe, search = row.number("describe_ms_a_page"), row.number("search_ms_a_page")
    return None if describe is None or search is None else max(describe + search, LEAST_MS)


def added_text(row):
    """The same as it is written."""
    return f"< {LEAST_MS:g}" if added_ms(row) == LEAST_MS else amount(added_ms(row))


def ranking(rows):
    """By F1, the greatest first; those without at the end."""
    return sorted(rows, key=lambda row: -(row.number("f1") if row.number("f1") is not None else -1))


def default_row(rows):
    return next((row for row in rows if row["detector"] == DEFAULT), None)


def alone(rows):
    """What decides without the LCS."""
    return [row for row in rows if row["detector"] != DEFAULT and row["decide"] != "lcs"]


def shared_order(runs):
    """Keys of all runs' rows, by mean F1, the greatest first, with a title."""
    found, titles = {}, {}
    for run in runs:
        for row in rows_of(run):
            found.setdefault(key(row), []).append(row.number("f1") or 0)
            titles[key(row)] = title(row)
    return [(name, titles[name]) for name in sorted(found, key=lambda name: -sum(found[name]) / len(found[name]))]


DOTS = (("precision", style.PRECISION, ">", 6), ("recall", style.RECALL, "<", 6), ("f1", style.F1, "o", 5))
SITE_DOTS = (
    ("same_site_f1", style.ORANGE, "s", 5.5),
    ("cross_site_f1", style.BLUE, "^", 6),
    ("f1", style.F1, "o", 4.5),
)
DOT_NAMES = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "same_site_f1": "F1 within a site",
    "cross_site_f1": "F1 between sites",
}


def dot_plot(runs, dots, folder, name):
    order = shared_order(runs)
    figure, axes = style.panels(runs, [0.25 * len(order) + 0.5], sharey=True)
    for run, panel in zip(runs, axes[0]):
        rows = {key(row): row for row in rows_of(run)}
        for place, (which, _) in enumerate(order):
            if which[0] == DEFAULT:
                panel.axhspan(place - 0.5, place + 0.5, color=style.HIGHLIGHT, zorder=0)
            if which in rows:
                dots_of_row(panel, rows[which], place, dots)
        panel.set_xlim(-0.02, 1.16)
        panel.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1])
        panel.set_xlabel("share (0 to 1); number: F1 of all pairs")
    axes[0][0].set_yticks(range(len(order)), [text for _, text in order])
    for label, (which, _) in zip(axes[0][0].get_yticklabels(), order):
        label.set_fontweight("bold" if which[0] == DEFAULT else "normal")
    axes[0][0].set_ylim(len(order) - 0.5, -0.5)
    entries = [
        style.line(colour, DOT_NAMES[column], marker=marker, markersize=size, linestyle="none")
        for column, colour, marker, size in dots
    ]
    style.legend_above(figure, entries)
    style.save(figure, folder, name)


def interval_text(row):
    """“(0.981–0.994)”, or nothing."""
    low, high = row.number("f1_low"), row.number("f1_high")
    return "" if low is None or high is None else f"({share(low)}–{share(high)})"


def f1_text(row):
    return f"{share(row.number('f1'))} {interval_text(row)}".strip()


def orders_text(row):
    """Of the F1 in several orders of the pages."""
    mean, least, most = (row.number(f"f1_{name}") for name in ("mean", "least", "most"))
    return "–" if None in (mean, least, most) else f"{share(mean)} ({share(least)} to {share(most)})"


def spread_sentence(run):
    """How sure the F1 of the default engine is, and which methods it cannot be told from."""
    own = default_row(rows_of(run))
    if own is None or own.number("f1") is None or not interval_text(own):
        return None
    text = (
        f"the F1 of the default engine, {share(own.number('f1'))}, lies within {share(own['f1_low'])} and"
        f" {share(own['f1_high'])} (95 %, bootstrap over label groups)"
    )
    if (own.number("orders") or 1) > 1 and orders_text(own) != "–":
        text += f"; over {count(own['orders'])} orders of the pages it has {orders_text(own)}"
    near = [row for row in rows_of(run) if row["detector"] != DEFAULT and (row.number("f1_high") or 0) >= own["f1_low"]]
    beside = (
        f"the interval of {some(title(row) for row in ranking(near))} reaches"
        if near
        else "that of no other method reaches"
    )
    return (
        f"{text}; {beside if len(near) < 2 else beside.replace('interval', 'intervals').replace('reaches', 'reach')} "
        "its own."
    )


def dots_of_row(panel, row, place, dots):
    values = [(row.number(column), colour, marker, size) for column, colour, marker, size in dots]
    known = [value for value, *_ in values if value is not None]
    if known:
        panel.plot([min(known), max(known)], [place, place], color=style.LIGHT_GREY, linewidth=2.5, zorder=1)
    for value, colour, marker, size in values:
        if value is not None:
            panel.plot([value], [place], marker=marker, color=colour, markersize=size, linestyle="none", zorder=3)
    if interval_text(row) and any(column == "precision" for column, *_ in dots):
        panel.plot([row["f1_low"], row["f1_high"]], [place + 0.3] * 2, color=style.F1, linewidth=1.1, zorder=2)
    if row.number("f1") is not None:
        panel.text(1.15, place, share(row["f1"]), ha="right", va="center", fontsize=8)


def front(rows):
    """Rows that no other row beats in both cost and F1, the cheapest first."""
    kept, least = [], -1.0
    known = [row for row in rows if added_ms(row) is not None and row.number("f1") is not None]
    for row in sorted(known, key=lambda row: (added_ms(row), -row["f1"])):
        if row["f1"] > least:
            kept.append(row)
            least = row["f1"]
    return kept


def cost_plot(runs, folder, name):
    figure, axes = style.panels(runs, [4.2], sharey=True)
    labels = []
    for run, panel in zip(runs, axes[0]):
        rows = [row for row in ranking(rows_of(run)) if added_ms(row) is not None and row.number("f1") is not None]
        if not rows:
            continue
        best_ones = front(rows)
        costs = [added_ms(row) for row in rows]
        panel.set_xlim(min(costs) / 1.6, max(costs) * 1.6)
        style.log_axis(panel.xaxis, min(costs) / 1.6, max(costs) * 1.6)
        panel.set_xlim(min(costs) / 1.6, max(costs) * 1.6)
        panel.set_ylim(-0.03, 1.06)
        ends = [added_ms(row) for row in best_ones] + [max(costs) * 1.6]
        panel.step(
            ends,
            [row["f1"] for row in best_ones] + [best_ones[-1]["f1"]],
            where="post",
            color=style.GREY,
            linewidth=1,
            zorder=1,
        )
        points = [(added_ms(row), row["f1"], name_of(row.text("detector")), colour_of(row)) for row in rows]
        for x, y, _, colour in points:
            panel.plot([x], [y], marker="o", color=colour, linestyle="none", markersize=5)
        first = [row is default_row(rows) or any(row is other for other in best_ones) for row in rows]
        labels.append((panel, [point for _, point in sorted(zip(first, points), key=lambda pair: not pair[0])]))
        panel.set_xlabel("CPU time a page beyond reading, ms (logarithmic)")
    axes[0][0].set_ylabel("F1 of all pairs")
    style.legend_above(
        figure,
        [
            style.line(style.GREEN, "default engine", marker="o", linestyle="none"),
            style.line(style.BLUE, "LCS verifies", marker="o", linestyle="none"),
            style.line(style.VERMILION, "method decides alone", marker="o", linestyle="none"),
            style.line(style.GREY, "nothing cheaper is better", linewidth=1),
        ],
    )
    direct_labels.beside_points(labels)
    style.save(figure, folder, name)


def colour_of(row):
    return style.GREEN if row["detector"] == DEFAULT else style.BLUE if row["decide"] == "lcs" else style.VERMILION


def has_right(run):
    """Whether any method finds a right pair."""
    return any(row.number("f1") for row in rows_of(run))


def lead_sentence(run):
    """Who leads in F1, and by how much."""
    if not rows_of(run):
        return None
    if not has_right(run):
        wrong = any(row.number("precision") is not None and says_pairs(row) for row in rows_of(run))
        return "no method finds a right pair." if wrong else f"detectors: {NO_PAIR}."
    rows = [row for row in ranking(rows_of(run)) if row.number("f1") is not None]
    first, others = rows[0], rows[1:]
    tied = [row for row in others if share(row["f1"]) == share(first["f1"])]
    behind = next((row for row in others if row not in tied), None)
    text = f"{some(title(row) for row in [first] + tied)} {'lead' if tied else 'leads'} with F1 {share(first['f1'])}"
    if behind is not None:
        text += f", {share(first['f1'] - behind['f1'])} ahead of {title(behind)} ({share(behind['f1'])})"
    own = default_row(rows)
    if own is not None and share(own["f1"]) != share(first["f1"]):
        text += f"; the default engine has {share(own['f1'])}, {share(first['f1'] - own['f1'])} less"
    return text + "."


def alone_sentence(run):
    rows = rows_of(run)
    first, own = best(alone(rows), "f1"), default_row(rows)
    if first is None or not first["f1"]:
        return None
    text = f"Of the methods that decide alone, {title(first)} is best with F1 {share(first['f1'])}"
    if own is not None and own.number("f1") is not None:
        gap = own["f1"] - first["f1"]
        beside = f"{share(abs(gap))} {'below' if gap > 0 else 'above'}" if float(share(gap)) else "equal to"
        text += f", {beside} the default engine"
    return text + "."


def cost_sentence(run):
    rows = [row for row in rows_of(run) if added_ms(row) is not None and row.number("f1") is not None]
    first, own = best(rows, "f1"), default_row(rows)
    if first is None or not first["f1"]:
        return None
    good = [row for row in rows if row["f1"] >= first["f1"] - NEAR]
    cheapest = min(good, key=added_ms)
    text = (
        f"the cheapest within {NEAR:g} of the best F1 is {title(cheapest)}: {added_text(cheapest)} ms a page beyond the"
        f" {amount(cheapest['read_ms_a_page'])} ms of reading"
    )
    if own is not None and own is not cheapest:
        text += f"; the default engine takes {added_text(own)} ms"
    return text[0].upper() + text[1:] + "."


def verified_sentence(run):
    """What verification by the LCS changes."""
    pairs = {}
    for row in rows_of(run):
        if row["detector"] != DEFAULT and row.number("f1") is not None and row.number("precision") is not None:
            pairs.setdefault(row["detector"], {})[row["decide"]] = row
    both = [pair for pair in pairs.values() if len(pair) == 2 and "lcs" in pair]
    if not both or not has_right(run):
        return None
    gains = [(pair["lcs"]["f1"] - next(row for decide, row in pair.items() if decide != "lcs")["f1"]) for pair in both]
    mean, changes = signed(sum(gains) / len(gains)), [signed(gain)[0] for gain in gains]
    return (
        f"Verification by the LCS changes F1 by {mean if float(mean[1:]) else 'less than 0.001'} on the mean: of"
        f" {counted(len(gains), 'method')}, {changes.count('+')} gain{verb(changes.count('+'), 's', '')} and"
        f" {changes.count('−')} lose{verb(changes.count('−'), 's', '')}."
    )


def site_sentence(run):
    own = default_row(rows_of(run))
    if own is None or not has_right(run) or own.number("same_site_f1") is None or own.number("cross_site_f1") is None:
        return None
    weaker = [
        row
        for row in alone(rows_of(run))
        if row.number("same_site_precision") is not None
        and row.number("cross_site_precision") is not None
        and row["same_site_precision"] < row["cross_site_precision"]
    ]
    return (
        f"The default engine reaches F1 {share(own['same_site_f1'])} within a site and {share(own['cross_site_f1'])}"
        f" between sites. Of {counted(len(alone(rows_of(run))), 'method')} deciding alone, {len(weaker)}"
        f" {verb(len(weaker), 'is', 'are')} less precise within a site than between sites."
    )


def own_range(row):
    """Of describing and searching together, the least and the most of a pass."""
    least, most = row.number("own_ms_a_page_least"), row.number("own_ms_a_page_most")
    return "–" if least is None or most is None else f"{amount(least)}–{amount(most)}"


def quality_grid(run):
    rows = ranking(rows_of(run))
    cells = [
        [
            title(row),
            share(row.number("precision")),
            share(row.number("recall")),
            f1_text(row),
            orders_text(row),
            f"{share(row.number('same_site_precision'))} / {share(row.number('same_site_recall'))}",
            f"{share(row.number('cross_site_precision'))} / {share(row.number('cross_site_recall'))}",
            share(row.number("b_cubed_f1")),
            share(row.number("macro_f1")),
        ]
        for row in rows
    ]
    header = [
        "method",
        "P",
        "R",
        "F1 (95 %)",
        "F1 over the orders: mean (range)",
        "same site P / R",
        "between sites P / R",
        "B³ F1",
        "macro F1",
    ]
    return Grid(
        f"{run.name}: all figures of quality",
        header,
        cells,
        {number for number, row in enumerate(rows) if row["detector"] == DEFAULT},
        folded=True,
        wide=True,
    )


def cost_grid(run):
    rows = ranking(rows_of(run))
    cells = [
        [title(row), amount(row.number("describe_ms_a_page")), amount(row.number("search_ms_a_page")), own_range(row)]
        + [amount(row.number(f"{thing}_a_page")) for thing in ("candidates", "verifications")]
        + [count(row.number(f"{thing}_bytes_a_page")) for thing in ("index", "features")]
        for row in rows
    ]
    header = [
        "method",
        "to describe a page, ms",
        "to search, ms",
        "both, range over the orders",
        "candidates a page",
        "verifications a page",
        "index bytes a page",
        "description bytes a page",
    ]
    return Grid(
        f"{run.name}: all figures of cost",
        header,
        cells,
        {number for number, row in enumerate(rows) if row["detector"] == DEFAULT},
        folded=True,
        wide=True,
    )


def key_grid(runs):
    """The figures that count, one corpus beside the other."""
    order, cells = shared_order(runs), []
    own = [{key(row): row for row in rows_of(run)} for run in runs]
    for which, text in order:
        line = [text]
        for rows in own:
            row = rows.get(which, Row())
            line += [share(row.number(column)) for column in ("precision", "recall", "f1")] + [added_text(row)]
        cells.append(line)
    header = ["method"] + [
        f"{column}, {style.shortened(run.name, 16)}" if len(runs) > 1 else column
        for run in runs
        for column in ("P", "R", "F1", "ms a page")
    ]
    return Grid(
        "Detectors by F1; time beyond reading",
        header,
        cells,
        {number for number, (which, _) in enumerate(order) if which[0] == DEFAULT},
    )


def report_gap(run):
    """simhash 128 alone against the report's own figure: the only method of the sources that stands in this table as
    it does there."""
    row = next((row for row in alone(rows_of(run)) if row["detector"] == "simhash128"), None)
    if row is None or row.number("precision") is None:
        return None
    if not says_pairs(row):
        return f"simhash 128 alone: {NO_PAIR}."
    return f"simhash 128 alone has precision {share(row['precision'])}, {compared(row['precision'], 0.72)} (0.72)."


def section(runs, folder):
    found = Section(
        "detectors",
        "Detectors compared",
        "Each method checks the same pages in the same order. A method either decides alone, or finds"
        " candidates that the LCS verifies (“+ LCS”). Sorted by F1; the default engine is highlighted.",
    )
    chosen = [run for run in runs if rows_of(run)]
    found.absent = left_out(runs, chosen, "detectors")
    if not chosen:
        return found
    dot_plot(chosen, DOTS, folder, "detectors_f1")
    dot_plot(chosen, SITE_DOTS, folder, "detectors_sites")
    cost_plot(chosen, folder, "detectors_cost")
    across = len(chosen) > 2
    found.parts = [
        Part(
            "Precision, recall and F1",
            Picture("detectors_f1", alt("Precision, recall and F1 of each method", chosen, lead_sentence), across),
            [
                "TR2007012 section 5.4: precision of the LCS 0.95, of simhash with 128 bits 0.72; recall of the LCS"
                " 1.86 times that of simhash.",
                "SpotSigs: macro F1 0.94 on its Gold Set. MWO: precision 94.3 %, recall 94.7 %. Moz counts no right "
                "and wrong pairs.",
            ],
            by_run(chosen, lead_sentence)
            + by_run(chosen, spread_sentence)
            + by_run(chosen, alone_sentence)
            + by_run(chosen, verified_sentence),
            by_run(chosen, report_gap)
            + [
                "Each document has its own collection and its own judges; here all methods see the same pages"
                " and the same labels, so values compare within a panel, and with a document only in"
                " direction."
            ],
            [key_grid(chosen)] + [quality_grid(run) for run in chosen],
            "Rows by mean F1 over the panels; the grey bar joins the lowest and the"
            " highest value, the thin line below it is the interval of F1 (95 %).",
        ),
        Part(
            "Within a site and between sites",
            Picture("detectors_sites", alt("F1 within a site and between sites", chosen, site_sentence), across),
            [
                "TR2007012 section 5.4: within a site precision falls to 0.91 for the LCS and to 0.52 for simhash.",
                "TR2007012 section 2, after Henzinger: templates make both shingles and simhash weak within a site.",
            ],
            by_run(chosen, site_sentence),
            [
                "Pages of one site share boilerplate. What a method counts of it makes unlike pages of the site more"
                " alike; pairs between sites are spared that, unless the sites share boilerplate."
            ],
        ),
        Part(
            "Cost and quality",
            Picture("detectors_cost", alt("F1 over CPU time a page", chosen, cost_sentence), across),
            [
                "TR2007012 slides: 94 hours for simhash, 118 for the LCS, 602 for cosine, for 430 million pages.",
                "Moz: simhash about 30 times as fast as the vector. SpotSigs: less time than shingles on the Gold Set"
                " (1.7 s against 9.2 to 9.5 s).",
            ],
            by_run(chosen, cost_sentence),
            [
                "The documents time batch runs on other machines; here each page is checked as it comes. Reading and"
                " extraction, which all methods share, are timed apart: what a method takes to describe a page and to"
                " search is measured by itself, all methods in turn, once in each order, and the median stands here."
            ],
            [cost_grid(run) for run in chosen],
            "Names that would cover another are left out; the table has all.",
        ),
    ]
    return found


def alt(text, runs, sentence):
    return " ".join([text + "."] + by_run(runs, sentence))


def picture(name, text, runs, sentence):
    return Picture(name, alt(text, runs, sentence), len(runs) > 2)
