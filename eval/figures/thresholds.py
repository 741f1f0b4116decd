"""Precision, recall and F1 over the threshold of each detector: table `thresholds`; the defaults are those of
`detectors`."""
import math

import detectors
import direct_labels
import style
from page import Grid, Part, Picture, Section
from sentences import NO_PAIR, by_run, counted, known, left_out, name_of, share, signed, some
from tables import best, numbers

COLUMNS = "detector decide threshold share precision recall f1"
DEFAULT_PROBABILITY = 0.5  # the default of the option `same_document`
ENOUGH = 0.005  # of F1: worth another threshold


def curves(run):
    """{detector: rows by share}: of the method alone where it was measured, else verified by the LCS."""
    table = run.table("thresholds", COLUMNS)
    found = {}
    for detector in table.values("detector") if table else []:
        rows = table.where(detector=detector)
        own = [row for row in rows if row["decide"] != "lcs"] or rows
        known = [row for row in own if row.number("share") is not None and row.number("f1") is not None]
        if known:
            found[detector] = sorted(known, key=lambda row: row["share"])
    return found


def verified_curve(run, detector):
    """The rows of a method whose candidates the LCS verifies, by share."""
    rows = (
        run.table("thresholds", COLUMNS).where(detector=detector, decide="lcs") if detector != detectors.DEFAULT else []
    )
    return sorted([row for row in rows if row.number("share") is not None], key=lambda row: row["share"])


def default_share(run, detector, rows):
    """Where the default threshold stands in the curve, or None."""
    if detector == detectors.DEFAULT:
        return DEFAULT_PROBABILITY
    decide = rows[0]["decide"]
    own = next((row for row in detectors.rows_of(run) if detectors.key(row) == (detector, decide)), None)
    whole = next((row["threshold"] / row["share"] for row in rows if row["share"] and row.number("threshold")), None)
    if own is None or own.number("threshold") is None or not whole:
        return None
    return own["threshold"] / whole


def at_share(rows, place, column="f1"):
    """The curve's value there, between two rows a line; None outside."""
    points = numbers(rows, "share", column)
    for (left, low), (right, high) in zip(points, points[1:]):
        if left <= place <= right:
            return low if right == left else low + (high - low) * (place - left) / (right - left)
    return next((value for x, value in points if abs(x - place) < 1e-9), None)


def columns_for(panels, runs):
    """Of the widths that leave the fewest places empty, the widest."""
    widths = (5, 4, 3) if runs == 1 else (2,)
    return min(widths, key=lambda width: (-panels % width, -width))


def multiples(runs, folder, name):
    """A block of panels a run, a panel a detector."""
    names = list(dict.fromkeys(detector for run in runs for detector in curves(run)))
    columns = columns_for(len(names), len(runs))
    lines = math.ceil(len(names) / columns)
    figure = style.new_figure(runs, 1.62 * lines + 0.6)
    blocks = figure.subfigures(1, len(runs), squeeze=False)[0]
    for run, block in zip(runs, blocks):
        block.suptitle(style.shortened(run.name, 36), fontsize=10, fontweight="bold")
        axes = list(block.subplots(lines, columns, squeeze=False, sharey=True).flat)
        own = curves(run)
        for number, (detector, panel) in enumerate(zip(names, axes)):
            panel.set_title(name_of(detector), fontsize=8.5, fontweight="normal", pad=2)
            if detector in own:
                one_panel(
                    panel, own[detector], default_share(run, detector, own[detector]), verified_curve(run, detector)
                )
            else:
                panel.text(
                    0.5, 0.5, "not measured", ha="center", va="center", transform=panel.transAxes, color=style.GREY
                )
            if number + columns >= len(names):
                panel.set_xlabel("threshold, share")
        for panel in axes[len(names) :]:
            panel.set_visible(False)
    style.legend_above(
        figure,
        [
            style.line(style.PRECISION, "precision"),
            style.line(style.RECALL, "recall"),
            style.line(style.F1, "F1", linewidth=2),
            style.line(style.PURPLE, "F1 + LCS", linestyle=style.LINE_STYLES[2]),
            style.line(style.GREEN, "default threshold", linestyle=(0, (4, 2))),
        ],
    )
    style.save(figure, folder, name)


def one_panel(panel, rows, default, verified):
    points = numbers(verified, "share", "f1")
    panel.plot(
        [x for x, _ in points],
        [y for _, y in points],
        color=style.PURPLE,
        linewidth=1.3,
        linestyle=style.LINE_STYLES[2],
    )
    for column, colour, width in (
        ("precision", style.PRECISION, 1.3),
        ("recall", style.RECALL, 1.3),
        ("f1", style.F1, 2),
    ):
        points = numbers(rows, "share", column)
        panel.plot(
            [x for x, _ in points],
            [y for _, y in points],
            color=colour,
            linewidth=width,
            marker="." if len(points) < 4 else None,
        )
    if default is not None:
        panel.axvline(default, color=style.GREEN, linestyle=(0, (4, 2)), linewidth=1.4)
    least = math.floor(min([rows[0]["share"]] + ([] if default is None else [default])) * 5) / 5
    panel.set_xlim(least - 0.01, 1.01)
    panel.set_ylim(-0.03, 1.05)
    panel.set_xticks([least, (least + 1) / 2, 1], [f"{tick:g}" for tick in (least, (least + 1) / 2, 1)])
    panel.tick_params(axis="x", labelsize=7.5, pad=1)
    panel.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])


def precision_recall(runs, folder, name):
    figure, axes = style.panels(runs, [4.4], sharey=True)
    labels = []
    for run, panel in zip(runs, axes[0]):
        steps = [index / 200 for index in range(1, 201)]
        for level in (0.5, 0.7, 0.9):
            line = [
                (recall, level * recall / (2 * recall - level)) for recall in steps if level / (2 - level) <= recall
            ]
            panel.plot(*zip(*line), color=style.LIGHT_GREY, linewidth=0.9, zorder=1)
            panel.text(line[-1][0], line[-1][1], f" F1 {level}", color=style.GREY, fontsize=7.5, va="center")
        tops = []
        for number, (detector, rows) in enumerate(curves(run).items()):
            points = [
                (row["recall"], row["precision"])
                for row in rows
                if row.number("recall") is not None and row.number("precision") is not None
            ]
            if not points:
                continue
            colour = style.SERIES[number % len(style.SERIES)]
            panel.plot(
                *zip(*points), color=colour, linestyle=style.LINE_STYLES[number // len(style.SERIES)], linewidth=1.5
            )
            top = best(rows, "f1")
            if top.number("recall") is not None and top.number("precision") is not None:
                panel.plot([top["recall"]], [top["precision"]], marker="o", color=colour, markersize=5)
                tops.append((top["f1"], (top["recall"], top["precision"], name_of(detector), colour)))
        labels.append((panel, [point for _, point in sorted(tops, reverse=True)]))
        panel.set_xlabel("recall of pairs")
    for panel, _ in labels:
        panel.set_xlim(-0.03, 1.12)
        panel.set_ylim(-0.03, 1.06)
    axes[0][0].set_ylabel("precision of pairs")
    direct_labels.beside_points(labels)
    style.save(figure, folder, name)


def gains(run):
    """[(detector, default share, F1 there, best row)] where the default is known."""
    found = []
    for detector, rows in curves(run).items():
        place = default_share(run, detector, rows)
        there = at_share(rows, place) if place is not None else None
        found.append((detector, place, there, best(rows, "f1")))
    return found


def room_sentence(run):
    """How far defaults are from the best of the sweep."""
    known = [
        (top["f1"] - there, detector, top["share"])
        for detector, _, there, top in gains(run)
        if there is not None and top["f1"]
    ]
    if not known:
        return None
    near = sum(gain <= ENOUGH for gain, *_ in known)
    gain, detector, where = max(known)
    text = (
        f"With {near} of {counted(len(known), 'method')} the default threshold is within {ENOUGH:g} of the best F1 of "
        "the sweep"
    )
    if gain > ENOUGH:
        text += f"; most is to be had with {name_of(detector)}: {signed(gain)} at {share(where, 2)}"
    return text + "."


def best_curve_sentence(run):
    tops = [(top["f1"], detector, top["share"]) for detector, _, _, top in gains(run) if top["f1"]]
    if not tops:
        return None
    f1, detector, where = max(tops)
    return (
        f"With each method at its own best threshold, {name_of(detector)} leads: F1 {share(f1)} at {share(where, 2)}."
    )


def reach_sentence(run):
    """Whether a method at the best of its thresholds reaches the default engine at its own."""
    own = detectors.default_row(detectors.rows_of(run))
    table = run.table("thresholds", COLUMNS)
    if own is None or own.number("f1") is None or table is None:
        return None
    others = [row for row in table.rows if row["detector"] != detectors.DEFAULT and row.number("f1") is not None]
    top = best(others, "f1")
    if top is None:
        return None
    reaching = list(
        dict.fromkeys(detectors.title(row) for row in detectors.ranking(others) if share(row["f1"]) >= share(own["f1"]))
    )
    where = f"{detectors.title(top)}: F1 {share(top['f1'])}" + known(
        top.number("share"), f" at {share(top.number('share'), 2)}"
    )
    if not reaching:
        return (
            f"no other method reaches the default engine ({share(own['f1'])}) at any threshold of the sweep, which was"
            f" chosen on these very pages; nearest is {where}."
        )
    verb_of = "reaches" if len(reaching) == 1 else "reach"
    return (
        f"at the best threshold of the sweep, chosen on these very pages, {some(reaching)} {verb_of} the default engine"
        f" ({share(own['f1'])}); best is {where}."
    )


def doubt_sentence(run):
    """Where the sweep and the table `detectors` should say the same and do not."""
    own = {detectors.key(row): row.number("f1") for row in detectors.rows_of(run)}
    doubtful = []
    for detector, _, there, top in gains(run):
        known = own.get((detector, top.text("decide")))
        if known is not None and there is not None and abs(known - there) > ENOUGH:
            doubtful.append(f"{name_of(detector)} {share(there)} against {share(known)}")
    return (
        f"At the default threshold the sweep differs from the table of detectors: {', '.join(doubtful)}."
        if doubtful
        else None
    )


def shift_sentence(run):
    """Where the best thresholds stand beside the defaults."""
    known = [
        (top["share"] - place, detector)
        for detector, place, there, top in gains(run)
        if there is not None and top["f1"] - there > ENOUGH
    ]
    if not any(top["f1"] for *_, top in gains(run)):
        return f"{NO_PAIR}."
    if not known:
        return "no method gains more than " + f"{ENOUGH:g} of F1 by another threshold than its default."
    lower = [name_of(detector) for change, detector in known if change < 0]
    higher = [name_of(detector) for change, detector in known if change > 0]
    parts = [
        f"{text}: {', '.join(names)}"
        for text, names in (("looser than the default is better for", lower), ("stricter for", higher))
        if names
    ]
    return "; ".join(parts).replace("for:", "for") + "."


def grid(run):
    rows = [
        [
            name_of(detector),
            share(place, 2),
            share(there),
            share(top["share"], 2),
            share(top["f1"]),
            share(top.number("precision")),
            share(top.number("recall")),
            signed(top["f1"] - there) if there is not None else "–",
        ]
        for detector, place, there, top in gains(run)
    ]
    header = [
        "method",
        "default threshold (share)",
        "F1 there",
        "best threshold of the sweep (share)",
        "F1 there",
        "P there",
        "R there",
        "gain",
    ]
    return Grid(f"{run.name}: default and best thresholds", header, rows)


REPORTED = [
    "TR2007012 section 5.4: resemblance 0.28; simhash with 97 equal bits of 128 (share 0.76), chosen for the greatest"
    " precision at a given recall.",
    "Moz: 6 of 128 entries and 5 of 64 bits may differ (shares 0.95 and 0.92); at 6 bits unlike pages met in up to 1 %"
    " of the crawls.",
    "SpotSigs: τ = 0.44 is best on the Gold Set. The example of MWO section 4.3 has t = 0.5.",
]


def section(runs, folder):
    found = Section(
        "thresholds",
        "Thresholds",
        "A threshold is what must be equal at least, as a share of the whole: a greater one is stricter."
        " Methods decide alone; for the LCS partition the option “same_document” is moved.",
    )
    chosen = [run for run in runs if curves(run)]
    found.absent = left_out(runs, chosen, "thresholds")
    if not chosen:
        return found
    multiples(chosen, folder, "thresholds_curves")
    precision_recall(chosen, folder, "thresholds_precision_recall")
    across = len(chosen) > 2
    found.parts = [
        Part(
            "Over the threshold",
            Picture(
                "thresholds_curves",
                detectors.alt("Precision, recall and F1 over the threshold", chosen, room_sentence),
                across,
            ),
            REPORTED,
            by_run(chosen, reach_sentence) + by_run(chosen, room_sentence) + by_run(chosen, doubt_sentence),
            by_run(chosen, shift_sentence)
            + [
                "Moz chose against wrong pairs alone, TR2007012 for precision at a given recall, SpotSigs for F1; F1"
                " weighs wrong and missed pairs the same, so a stricter default is no fault by itself."
            ],
            [grid(run) for run in chosen],
        ),
        Part(
            "Precision against recall",
            Picture(
                "thresholds_precision_recall",
                detectors.alt("Precision over recall, one line a method", chosen, best_curve_sentence),
                across,
            ),
            [
                "TR2007012 section 1: with hashes, the length of the code decides on precision and their number on"
                " recall; one is bought with the other."
            ],
            by_run(chosen, best_curve_sentence),
            [
                "The documents report single points; the curve shows what each method trades. A curve nearer to the"
                " upper right corner is better whatever one weighs more."
            ],
            note="Dot: the threshold with the best F1. Grey: lines of equal F1.",
        ),
    ]
    return found
