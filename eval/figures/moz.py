"""Moz, measured again: tables moz_histogram, moz_quadrants, moz_pairs, moz_thresholds, moz_speed."""
import matplotlib
from matplotlib.colors import LogNorm
from matplotlib.patches import Rectangle

import detectors
import direct_labels
import documents
import style
from page import Grid, Part, Section
from sentences import amount, by_run, count, counted, known, plural, share, times, verb
from tables import numbers

HISTOGRAM = "vector_difference simhash_difference pairs same_label_pairs other_label_pairs"
QUADRANTS = "quadrant pairs same_label_pairs other_label_pairs"
PAIRS = "url_a url_b vector_difference simhash_difference same_label verdict resemblance containment"
THRESHOLDS = "simhash_difference pairs same_label_pairs other_label_pairs precision recall"
SPEED = "step vector_ns simhash64_ns ratio"
VECTOR_LINE, SIMHASH_LINE = 6.5, 5.5  # duplicates are left of the one and below the other
REPORTED_DIFFERENCE, REPORTED_SPEED = 5, 30
ENTRIES, BITS = 128, 64
URL_LETTERS = 90
SAME_SITE = "same_site_pairs"
SAME_LABEL_SAME_SITE, OTHER_LABEL_SAME_SITE = "same_label_same_site_pairs", "other_label_same_site_pairs"
QUADRANT_NAMES = {
    "both": "both",
    "simhash_only": "simhash only (lower right)",
    "vector_only": "vector only (upper left)",
    "neither": "neither",
}
STEPS = {
    "fingerprint": "make the fingerprint",
    "comparison": "compare two",
    "comparison_early": "compare two, leaving early",
    "both": "both",
    "both_early": "both, leaving early",
}


def counts_of(table, column):
    """[simhash difference][vector difference] of pairs."""
    cells = [[0] * (ENTRIES + 1) for _ in range(BITS + 1)]
    for row in table.rows:
        x, y, pairs = row.number("vector_difference"), row.number("simhash_difference"), row.number(column)
        if None not in (x, y, pairs) and 0 <= x <= ENTRIES and 0 <= y <= BITS:
            cells[int(y)][int(x)] += pairs
    return cells


def histogram_figure(runs, folder, name, columns, row_height):
    """A row of panels for each column of counts; one colour scale for all."""
    figure, axes = style.panels(runs, [row_height] * len(columns), sharex=True, sharey=True)
    cells = {
        (line, column): counts_of(run.table("moz_histogram", HISTOGRAM), measure)
        for line, (measure, _) in enumerate(columns)
        for column, run in enumerate(runs)
    }
    most = max([value for grid in cells.values() for row in grid for value in row] + [10])
    colours = matplotlib.colormaps["viridis_r"].copy()
    image = None
    for (line, column), grid in cells.items():
        panel = axes[line][column]
        shown = [[value or float("nan") for value in row] for row in grid]
        image = panel.imshow(
            shown,
            origin="lower",
            aspect="auto",
            interpolation="none",
            cmap=colours,
            norm=LogNorm(1, most),
            extent=(-0.5, ENTRIES + 0.5, -0.5, BITS + 0.5),
        )
        draw_thresholds(panel)
        panel.set_yticks(range(0, BITS + 1, 16))
        panel.set_xticks(range(0, ENTRIES + 1, 32))
    for line, (_, label) in zip(axes, columns):
        line[0].set_ylabel(f"simhash difference, bits of 64\n{label}" if label else "simhash difference, bits of 64")
    for panel in axes[-1]:
        panel.set_xlabel("vector difference, entries of 128")
    bar = figure.colorbar(image, ax=axes.ravel().tolist(), shrink=0.9, aspect=28, pad=0.02)
    style.log_axis(bar.ax.yaxis, 1, most)
    bar.ax.set_ylim(1, most)
    bar.set_label("pairs of pages in a cell (logarithmic)")
    style.save(figure, folder, name)


def draw_thresholds(panel):
    panel.grid(visible=False)
    panel.axvline(VECTOR_LINE, color=style.VERMILION, linewidth=1.2)
    panel.axhline(SIMHASH_LINE, color=style.VERMILION, linewidth=1.2)
    panel.add_patch(
        Rectangle(
            (VECTOR_LINE, -0.5),
            ENTRIES + 0.5 - VECTOR_LINE,
            SIMHASH_LINE + 0.5,
            facecolor="none",
            edgecolor=style.VERMILION,
            hatch="////",
            linewidth=0,
            alpha=0.35,
        )
    )
    panel.text(
        ENTRIES,
        SIMHASH_LINE + 0.8,
        "simhash only",
        ha="right",
        va="bottom",
        fontsize=8,
        color=style.VERMILION,
        path_effects=[direct_labels.HALO],
    )


def quadrants(run):
    table = run.table("moz_quadrants", QUADRANTS)
    return {row["quadrant"]: row for row in table.rows} if table else {}


def has_sites(run):
    """Whether the histogram tells which pairs are within a site."""
    return any(row.number(SAME_SITE) is not None for row in run.table("moz_histogram", HISTOGRAM).rows)


def sites_sentence(run):
    """How much of the picture is pairs within a site, as Moz drew them."""
    if not has_sites(run):
        return None
    rows = run.table("moz_histogram", HISTOGRAM).rows
    inside, total = (sum(pairs for pairs, in numbers(rows, column)) for column in (SAME_SITE, "pairs"))
    if not total:
        return None
    text = f"{count(inside)} of {counted(total, 'pair')} {verb(inside, 'is', 'are')} within a site"
    row = quadrants(run).get("simhash_only")
    if row is not None and row.number(SAME_SITE) is not None:
        text += f"; in the lower right quadrant {count(row[SAME_SITE])}"
        right, wrong = row.number(SAME_LABEL_SAME_SITE), row.number(OTHER_LABEL_SAME_SITE)
        if None not in (right, wrong):
            text += (
                f", of which {count(right)} {verb(right, 'has', 'have')} the same label and {count(wrong)} different "
                "ones"
            )
    return text + "."


def histogram_sentence(run):
    table = run.table("moz_histogram", HISTOGRAM)
    total = sum(pairs for pairs, in numbers(table.rows, "pairs"))
    farthest = max([y for y, _ in numbers(table.rows, "simhash_difference", "pairs")], default=None)
    full = sum(pairs for x, pairs in numbers(table.rows, "vector_difference", "pairs") if x == ENTRIES)
    if not total or farthest is None:
        return None
    return (
        f"{counted(total, 'pair')}; {share(full / total)} of them differ in all 128 entries of the vector, and no"
        f" simhash differs in more than {plural(amount(farthest), 'bit')}."
    )


def quadrant_sentence(run):
    found = quadrants(run)
    if not {"both", "simhash_only", "vector_only"} <= set(found):
        return None
    row = found["simhash_only"]
    if None in (found[name].number("pairs") for name in ("both", "simhash_only", "vector_only")):
        return None
    text = (
        f"both say duplicate for {counted(found['both']['pairs'], 'pair')}, simhash alone for {count(row['pairs'])},"
        f" the vector alone for {count(found['vector_only']['pairs'])}."
    )
    if None not in (row.number("same_label_pairs"), row.number("other_label_pairs")):
        same = row["same_label_pairs"]
        text += (
            f" Of those of simhash alone {count(same)} {verb(same, 'has', 'have')} the same label and"
            f" {count(row['other_label_pairs'])}"
            " different ones."
        )
    return text


def agreement(run):
    found = quadrants(run)
    both, one, other = (
        found[name].number("pairs") if name in found else None for name in ("both", "simhash_only", "vector_only")
    )
    if None in (both, one, other):
        return None
    right, wrong = found["simhash_only"].number("same_label_pairs"), found["simhash_only"].number("other_label_pairs")
    text = (
        f"the pairs on which both agree are {'more' if both > one + other else 'not more'} than those on which they "
        "differ (Moz: more)"
    )
    if right or wrong:
        most = "most" if (right or 0) > (wrong or 0) else "not most"
        text += f"; in the lower right {most} labelled pairs are duplicates (Moz: quite similar)"
    return text + "."


def seen_sentence(run):
    if not run.table("moz_histogram", HISTOGRAM) or "simhash_only" not in quadrants(run):
        return None
    text = quadrant_sentence(run)
    return None if text is None else "Moz’s picture: " + text


def cut(url):
    """URLs are hostile text, and long."""
    return url if len(url) <= URL_LETTERS else f"{url[:URL_LETTERS - 21]}…{url[-20:]}"


def pairs_grid(run):
    table = run.table("moz_pairs", PAIRS)
    rows = [
        [
            cut(row.text("url_a")),
            cut(row.text("url_b")),
            amount(row.number("vector_difference")),
            amount(row.number("simhash_difference")),
            row.text("same_label") or "–",
            row.text("verdict") or "–",
            share(row.number("resemblance")),
            share(row.number("containment")),
        ]
        for row in (table.rows if table else [])
    ]
    whole = quadrants(run).get("simhash_only")
    total = whole.number("pairs") if whole else None
    caption = f"{run.name}: pairs of the lower right quadrant" + (
        f", {count(len(rows))} of {count(total)}" if total is not None else ""
    )
    return Grid(
        caption,
        ["page", "page", "vector", "simhash", "same label", "the LCS says", "resemblance", "containment"],
        rows,
        folded=True,
        wide=True,
    )


def quadrants_grid(run):
    columns = [("pairs", "pairs"), ("same_label_pairs", "same label"), ("other_label_pairs", "different labels")]
    if any(row.number(SAME_SITE) is not None for row in quadrants(run).values()):
        columns += [
            (SAME_SITE, "pairs within a site"),
            (SAME_LABEL_SAME_SITE, "same label"),
            (OTHER_LABEL_SAME_SITE, "different labels"),
        ]
    rows = [
        [QUADRANT_NAMES.get(name, str(name))] + [count(row.number(column)) for column, _ in columns]
        for name, row in quadrants(run).items()
    ]
    return Grid(f"{run.name}: who says duplicate", ["says duplicate"] + [title for _, title in columns], rows)


def histogram_part(runs, folder):
    columns, height = (("pairs", ""),), 3.6
    if any(map(has_sites, runs)):
        columns, height = (("pairs", "all pairs"), (SAME_SITE, "pairs within a site")), 2.7
    histogram_figure(runs, folder, "moz_histogram", columns, height)
    grids = [quadrants_grid(run) for run in runs if quadrants(run)]
    grids += [pairs_grid(run) for run in runs if run.table("moz_pairs", PAIRS)]
    return Part(
        "Vector difference by simhash difference",
        detectors.picture(
            "moz_histogram",
            "Two-dimensional histogram of page pairs, vector difference by simhash difference, with both thresholds",
            runs,
            quadrant_sentence,
        ),
        [
            "About 10 million pairs out of 25 crawls: a broad central tendency; simhash rarely differs in more than 46"
            " bits, while many pairs differ in all 128 entries.",
            "Both agree on more pairs than they differ on. What lies in the lower right quadrant are quite similar"
            " pages, which the vector missed.",
        ],
        by_run(runs, histogram_sentence) + by_run(runs, quadrant_sentence) + by_run(runs, sites_sentence),
        by_run(runs, agreement)
        + [
            "Moz drew pairs within some 25 crawls, of which the document does not say how many sites each has; here"
            " pairs of the whole collection are drawn: where it has many sites, nearly all pairs are of two."
            + (" The lower histogram has those within a site." if any(map(has_sites, runs)) else ""),
            "Moz looked at some pairs; here labels say which pairs are duplicates, where both pages have one.",
        ],
        grids,
        "Lines: thresholds 6.5 and 5.5; left of and below them pages are duplicates. Hatched: simhash says duplicate,"
        " the vector does not.",
    )


def labels_part(runs, folder):
    histogram_figure(
        runs, folder, "moz_labels", (("same_label_pairs", "same label"), ("other_label_pairs", "different labels")), 2.7
    )
    return Part(
        "The same by labels",
        detectors.picture(
            "moz_labels", "The histogram for pairs of the same label and of different labels", runs, labels_sentence
        ),
        [
            "Moz has no labels. Below a simhash difference of 6 its author found no pair of quite different pages, and"
            " he examined thousands of crawls."
        ],
        by_run(runs, labels_sentence),
        by_run(runs, labels_difference),
    )


def below(run, column):
    return sum(
        pairs
        for y, pairs in numbers(run.table("moz_histogram", HISTOGRAM).rows, "simhash_difference", column)
        if y < SIMHASH_LINE
    )


def labels_sentence(run):
    rows = numbers(run.table("moz_histogram", HISTOGRAM).rows, "simhash_difference", "other_label_pairs")
    least = min([y for y, pairs in rows if pairs > 0], default=None)
    if least is None:
        return "no pair of pages with different labels is among the pairs."
    same = below(run, "same_label_pairs")
    return (
        f"below the line {counted(same, 'pair')} {verb(same, 'has', 'have')} the same label and"
        f" {count(below(run, 'other_label_pairs'))} different ones; the nearest pair with different labels differs in"
        f" {plural(amount(least), 'bit')}."
    )


def labels_difference(run):
    wrong = below(run, "other_label_pairs")
    if not wrong + below(run, "same_label_pairs"):
        return "no pair below the line has labels, so nothing can be said of wrong ones."
    if not wrong:
        return "as Moz reports, no wrong pair stands below the line."
    text = f"{counted(wrong, 'wrong pair')} {verb(wrong, 'stands', 'stand')} below the line, where Moz found none"
    rows = run.table("moz_histogram", HISTOGRAM).rows
    if any(row.number(OTHER_LABEL_SAME_SITE) is not None for row in rows):
        text += f"; {count(below(run, OTHER_LABEL_SAME_SITE))} of them within a site"
    return text + "."


# The threshold.


def marginal(run, column):
    """{simhash difference: pairs}."""
    sums = {}
    for y, pairs in numbers(run.table("moz_histogram", HISTOGRAM).rows, "simhash_difference", column):
        sums[int(y)] = sums.get(int(y), 0) + pairs
    return sums


def threshold_figure(runs, folder, name):
    figure, axes = style.panels(runs, [2.5, 2.3], sharey="row")
    entries = (
        ("same_label_pairs", "same label", style.BLUE),
        ("other_label_pairs", "different labels", style.VERMILION),
    )
    most, within_sites = 10, False
    for column, run in enumerate(runs):
        upper, lower = axes[0][column], axes[1][column]
        for number, (measure, _, colour) in enumerate(entries):
            sums = marginal(run, measure) if run.table("moz_histogram", HISTOGRAM) else {}
            places = [y for y in range(33) if sums.get(y)]
            upper.bar([y + (number - 0.5) * 0.4 for y in places], [sums[y] for y in places], 0.4, color=colour)
            most = max([most] + [sums[y] for y in places])
        upper.set_xlim(-1, 33)
        upper.set_xlabel("simhash difference, bits of 64")
        table = run.table("moz_thresholds", THRESHOLDS)
        for measure, colour in (("precision", style.PRECISION), ("recall", style.RECALL)):
            points = numbers(table.rows, "simhash_difference", measure)
            lower.plot([x for x, _ in points], [y for _, y in points], color=colour, marker="o", markersize=3)
        points = [
            (row["simhash_difference"], site_precision(row))
            for row in table.rows
            if row.number("simhash_difference") is not None and site_precision(row) is not None
        ]
        lower.plot(
            [x for x, _ in points],
            [y for _, y in points],
            color=style.PRECISION,
            marker="s",
            markersize=3,
            linestyle=(0, (1, 1)),
        )
        within_sites = within_sites or bool(points)
        lower.set_xlabel("threshold: bits that may differ")
        lower.set_ylim(-0.03, 1.05)
        for panel in (upper, lower):
            panel.axvline(SIMHASH_LINE, color=style.GREEN, linestyle=(0, (4, 2)))
    style.log_axis(axes[0][0].yaxis, 1, most)
    axes[0][0].set_ylim(0.7, most * 1.5)
    axes[0][0].set_ylabel("pairs (logarithmic)")
    axes[1][0].set_ylabel("share")
    shares = [style.line(style.PRECISION, "precision", marker="o", markersize=3)]
    if within_sites:
        shares.append(
            style.line(style.PRECISION, "precision within a site", marker="s", markersize=3, linestyle=(0, (1, 1)))
        )
    style.legend_above(
        figure,
        [style.line(colour, label, linewidth=6) for _, label, colour in entries]
        + shares
        + [
            style.line(style.RECALL, "recall", marker="o", markersize=3),
            style.line(style.GREEN, "Moz’s threshold", linestyle=(0, (4, 2))),
        ],
        2 if within_sites else 1,
    )
    style.save(figure, folder, name)


def at_difference(run, difference):
    return next(
        (row for row in run.table("moz_thresholds", THRESHOLDS).rows if row["simhash_difference"] == difference), None
    )


def threshold_sentence(run):
    five, six = at_difference(run, 5), at_difference(run, 6)
    if five is None:
        return None
    if five.number("same_label_pairs") == five.number("other_label_pairs") == 0:
        return "up to 5 bits there is no pair with labels."
    if five.number("precision") is None:
        return None
    text = f"up to 5 bits precision is {share(five['precision'])}"
    text += known(five.number("recall"), f" and recall {share(five.number('recall'))}")
    if six is not None and six.number("precision") is not None:
        text += f"; up to 6 bits {share(six['precision'])}" + known(
            six.number("recall"), f" and {share(six.number('recall'))}"
        )
    inside = site_precision(five)
    return text + known(inside, f"; of pairs within a site, precision up to 5 bits is {share(inside)}") + "."


def site_precision(row):
    """Of the labelled pairs within a site up to this threshold, the share with the same label; None if not known, or if
    there are none."""
    right, wrong = row.number(SAME_LABEL_SAME_SITE), row.number(OTHER_LABEL_SAME_SITE)
    return None if None in (right, wrong) or right + wrong <= 0 else right / (right + wrong)


def threshold_difference(run):
    five, six = at_difference(run, 5), at_difference(run, 6)
    if five is None or six is None or None in (five.number("other_label_pairs"), six.number("other_label_pairs")):
        return None
    if six.number("same_label_pairs") == six["other_label_pairs"] == 0:
        return None
    stand, more = five["other_label_pairs"], max(0, six["other_label_pairs"] - five["other_label_pairs"])
    added = f"{counted(more, 'wrong pair')} {verb(more, 'is', 'are')} added" if more else "no wrong pair is added"
    standing = f"{count(stand)} {verb(stand, 'stands', 'stand')}" if stand else "none stands"
    return f"from 5 to 6 bits {added}, and {standing} at 5 or less already (Moz: none found up to 5, the first at 6)."


def threshold_part(runs, folder):
    threshold_figure(runs, folder, "moz_thresholds")
    grids = [
        Grid(
            f"{run.name}: up to so many bits",
            ["bits that may differ", "pairs", "same label", "different labels", "precision", "recall"],
            [
                [
                    amount(row.number("simhash_difference")),
                    count(row.number("pairs")),
                    count(row.number("same_label_pairs")),
                    count(row.number("other_label_pairs")),
                    share(row.number("precision")),
                    share(row.number("recall")),
                ]
                for row in run.table("moz_thresholds", THRESHOLDS).rows
            ],
            folded=True,
        )
        for run in runs
    ]
    return Part(
        "Choosing the threshold",
        detectors.picture(
            "moz_thresholds",
            "Pairs by simhash difference, and precision and recall by threshold",
            runs,
            threshold_sentence,
        ),
        [
            "At 6 bits there are false duplicates, in 1 % of the crawls or less; below 6 none was found: the threshold "
            "is 5.",
            "A false duplicate is held to be worse than a missed one.",
        ],
        by_run(runs, threshold_sentence),
        by_run(runs, threshold_difference)
        + [
            "Moz looked for wrong pairs alone; the labels also tell how many right ones the threshold misses.",
            "Moz drew pairs within crawls; here most pairs are of two sites if there are many, and pages of two sites"
            " seldom share boilerplate: fewer wrong pairs are to be expected than within a site.",
        ],
        grids,
        "Above: pairs that differ in exactly so many bits. Below: what the threshold would give.",
    )


def speed_figure(runs, folder, name):
    figure, axes = style.panels(runs, [2.3], sharey=True)
    ratios = [
        row["ratio"] for run in runs for row in run.table("moz_speed", SPEED).rows if (row.number("ratio") or 0) > 0
    ]
    for run, panel in zip(runs, axes[0]):
        rows = [row for row in run.table("moz_speed", SPEED).rows if (row.number("ratio") or 0) > 0]
        for place, row in enumerate(rows):
            panel.barh(place, row["ratio"], color=style.BLUE, height=0.6)
            panel.text(
                row["ratio"] * 1.08,
                place,
                times(row["ratio"]),
                va="center",
                fontsize=8.5,
                path_effects=[direct_labels.HALO],
                zorder=5,
            )
        panel.set_yticks(
            range(len(rows)), [STEPS.get(row["step"], style.shortened(row.text("step"), 30)) for row in rows]
        )
        panel.axvline(REPORTED_SPEED, color=style.REPORTED, linewidth=1.4)
        style.log_axis(panel.xaxis, min(ratios + [1]), max(ratios + [REPORTED_SPEED]) * 3)
        panel.set_xlim(min(ratios + [1]) / 1.5, max(ratios + [REPORTED_SPEED]) * 3)
        panel.grid(axis="y", visible=False)
        panel.set_xlabel("vector / simhash, time (logarithmic)")
    axes[0][0].invert_yaxis()
    style.legend_above(figure, [style.line(style.REPORTED, "Moz: about 30×, of the whole detection")])
    style.save(figure, folder, name)


def speed_sentence(run):
    rows = [row for row in run.table("moz_speed", SPEED).rows if row.number("ratio") is not None]
    texts = [f"{STEPS.get(row['step'], row.text('step'))}: {times(row['ratio'])}" for row in rows]
    return "; ".join(texts) + "." if texts else None


def speed_difference(run):
    rows = run.table("moz_speed", SPEED).rows
    row = next((row for row in rows if row["step"] == "both" and row.number("ratio") is not None), None)
    if row is None:
        return None
    where = "about the same as"
    if not REPORTED_SPEED / 1.2 <= row["ratio"] <= REPORTED_SPEED * 1.2:
        where = "more than" if row["ratio"] > REPORTED_SPEED else "less than"
    return f"making and comparing together, simhash is {times(row['ratio'])} as fast, {where} Moz's about 30×."


def speed_part(runs, folder):
    speed_figure(runs, folder, "moz_speed")
    grids = [
        Grid(
            f"{run.name}: nanoseconds",
            ["step", "vector, ns", "simhash, ns", "ratio"],
            [
                [
                    STEPS.get(row["step"], row.text("step")),
                    amount(row.number("vector_ns")),
                    amount(row.number("simhash64_ns")),
                    times(row.number("ratio")),
                ]
                for row in run.table("moz_speed", SPEED).rows
            ],
        )
        for run in runs
    ]
    return Part(
        "Speed",
        detectors.picture("moz_speed", "How much faster simhash is than the vector", runs, speed_sentence),
        ["Simhash finds duplicates and near-duplicates about 30 times as fast as the vector's code."],
        by_run(runs, speed_sentence),
        by_run(runs, speed_difference)
        + [
            "Moz speaks of its old and its new code as a whole; here one program makes and compares both, without"
            " search and without reading pages."
        ],
        grids,
    )


PARTS = (
    ("moz_histogram", HISTOGRAM, histogram_part),
    ("moz_histogram", HISTOGRAM, labels_part),
    ("moz_thresholds", THRESHOLDS, threshold_part),
    ("moz_speed", SPEED, speed_part),
)


def section(runs, folder):
    empty = Section(
        "moz",
        "Moz: two fingerprints",
        "A vector of 128 entries and a simhash of 64 bits see the same pairs of pages; the picture serves to choose the"
        " threshold of the second by the first.",
    )
    return documents.fill(empty, runs, folder, PARTS)
