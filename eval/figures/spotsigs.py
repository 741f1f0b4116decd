"""SpotSigs, measured again: tables spotsigs_thresholds, spotsigs_work, spotsigs_partitions."""
import statistics

import detectors
import documents
import style
from page import Grid, Part, Section
from sentences import NO_PAIR, amount, by_run, compared, count, counted, joined, known, name_of, share, times, verb
from tables import best, nearest, numbers

THRESHOLDS = "detector text band tau precision recall f1 macro_f1"
WORK = "text tau partitions pruning seconds compared pairs"
PARTITIONS = "text tau partition from_length to_length documents"
REPORTED_TAU = 0.44
REPORTED_MACRO_F1 = {
    "spotsigs": 0.94,
    "lsh-s": 0.93,
    "shingles-1": 0.71,
    "shingles-3": 0.69,
    "i-match-s": 0.37,
    "i-match": 0.05,
}
SAID_TAU = ("spotsigs", "lsh-s")  # only of these the slides say where the best τ is
REPORTED_WORK_TAU, REPORTED_FOLD = 0.9, 10090.013 / 17.136
REPORTED_COSTS = {
    "spotsigs": (17.136, 339),
    "lsh-s": (44.514, 180),
    "i-match-s": (12.295, 49),
}  # seconds, MB; the first two at τ = 0.9
COLOURS = dict(zip([*REPORTED_MACRO_F1, "cosine-1", "cosine-3"], style.SERIES))
TEXTS = {"main": "main text", "all": "all text"}
BANDS = {"none": "no IDF band", "gold-set": "IDF 0.2 to 0.85", "web": "IDF 0.4 to 0.75"}


def colour_of(detector):
    return COLOURS.get(detector, style.GREY)


def texts_of(runs, name, columns):
    """All text first: the documents take off markup, no boilerplate."""
    found = {text for run in runs for text in run.table(name, columns).values("text")}
    return [text for text in ("all", "main") if text in found] or ["all"]


def best_band(table, detector, text):
    """Rows of the band in which the detector reaches the best macro F1, by τ."""
    rows = table.where(detector=detector, text=text)
    top = best(rows, "macro_f1")
    return (
        sorted([row for row in rows if row["band"] == top["band"]], key=lambda row: row.number("tau") or 0)
        if top
        else []
    )


def thresholds_figure(runs, folder, name):
    texts = texts_of(runs, "spotsigs_thresholds", THRESHOLDS)
    figure, axes = style.panels(runs, [3.1] * len(texts), sharex=True, sharey=True)
    for column, run in enumerate(runs):
        table = run.table("spotsigs_thresholds", THRESHOLDS)
        for line, text in enumerate(texts):
            thresholds_panel(axes[line][column], table, text)
        axes[-1][column].set_xlabel("τ (multi-set Jaccard asked for)")
    for line, text in zip(axes, texts):
        line[0].set_ylabel(f"F1, {TEXTS[text]}")
        line[0].set_ylim(-0.03, 1.03)
        line[0].set_xlim(0, 1)
    detectors_shown = list(
        dict.fromkeys(name for run in runs for name in run.table("spotsigs_thresholds", THRESHOLDS).values("detector"))
    )
    style.legend_above(
        figure,
        [style.line(colour_of(name), name_of(name), linewidth=3) for name in detectors_shown]
        + [
            style.line(style.GREY, "macro F1"),
            style.line(style.GREY, "F1 of pairs", linestyle=(0, (1, 1)), linewidth=1.1),
            style.line(style.GREY, "no τ: a line across", linewidth=0.8),
            style.reported_entry("slides: macro F1 (at the right edge: τ not said)"),
        ],
        2,
    )
    style.save(figure, folder, name)


def thresholds_panel(panel, table, text):
    for detector in table.values("detector"):
        rows = best_band(table, detector, text)
        colour = colour_of(detector)
        for column, line, width in (("macro_f1", "-", 1.7), ("f1", (0, (1, 1)), 1.1)):
            points = numbers(rows, "tau", column)
            flat = [row.number(column) for row in rows if row.number("tau") is None and row.number(column) is not None]
            if points:
                panel.plot(*zip(*points), color=colour, linestyle=line, linewidth=width)
            elif flat:
                panel.axhline(flat[0], color=colour, linestyle=line, linewidth=width * 0.5)
        if text == "all" and detector in REPORTED_MACRO_F1:
            panel.plot(
                [REPORTED_TAU if detector in SAID_TAU else 1],
                [REPORTED_MACRO_F1[detector]],
                marker="D",
                markersize=6,
                markerfacecolor="white",
                markeredgecolor=colour,
                markeredgewidth=1.5,
                linestyle="none",
                zorder=5,
                clip_on=False,
            )


def tops(run, text):
    """The row with the best macro F1 of each detector over a text, the best first."""
    table = run.table("spotsigs_thresholds", THRESHOLDS)
    found = [best(table.where(detector=detector, text=text), "macro_f1") for detector in table.values("detector")]
    return sorted(filter(None, found), key=lambda row: -row["macro_f1"])


def thresholds_sentence(run):
    texts = []
    if not any(row.number("macro_f1") or row.number("f1") for row in run.table("spotsigs_thresholds", THRESHOLDS).rows):
        return f"{NO_PAIR}."
    for text in texts_of([run], "spotsigs_thresholds", THRESHOLDS):
        order = ", ".join(f"{name_of(row['detector'])} {share(row['macro_f1'])}" for row in tops(run, text))
        own = next(
            (row for row in tops(run, text) if row["detector"] == "spotsigs" and row.number("tau") is not None), None
        )
        where = ""
        if own:
            where = f"; SpotSigs at τ = {own['tau']:g}" + known(
                own.get("band"), f", {BANDS.get(own['band'], own.text('band'))}"
            )
            where += known(own.number("f1"), f", F1 of pairs {share(own.number('f1'))}")
        if order:
            texts.append(f"{TEXTS[text]}, best macro F1: {order}{where}.")
    return " ".join(text[0].upper() + text[1:] for text in texts) or None


def thresholds_difference(run):
    """By all text, as in the slides, if it was measured."""
    text = (texts_of([run], "spotsigs_thresholds", THRESHOLDS) or [None])[0]
    rows = [row for row in tops(run, text) if row["detector"] in REPORTED_MACRO_F1]
    top = next((row for row in rows if row["detector"] == "spotsigs"), None)
    if top is None or not rows[0]["macro_f1"]:
        return None
    order = sorted((row["detector"] for row in rows), key=lambda name: -REPORTED_MACRO_F1[name])
    said = (
        f"over {TEXTS[text]} macro F1 of SpotSigs is {compared(top['macro_f1'], REPORTED_MACRO_F1['spotsigs'])} (0.94)"
    )
    if top.number("tau") is not None:
        smaller, greater = top["tau"] < REPORTED_TAU, top["tau"] > REPORTED_TAU
        said += f", at {'a smaller' if smaller else 'a greater' if greater else 'the same'} τ"
    same = order == [row["detector"] for row in rows]
    return said + f"; the order of the methods is {'that' if same else 'not that'} of the slides."


def thresholds_part(runs, folder):
    thresholds_figure(runs, folder, "spotsigs_thresholds")
    grids = []
    for run in runs:
        table, rows = run.table("spotsigs_thresholds", THRESHOLDS), []
        for detector in table.values("detector"):
            for text in table.values("text"):
                for band in table.values("band"):
                    top = best(table.where(detector=detector, text=text, band=band), "macro_f1")
                    if top:
                        rows.append(
                            [
                                name_of(detector),
                                TEXTS.get(text, str(text)),
                                BANDS.get(band, top.text("band") or "–"),
                                share(top.number("tau"), 2),
                                share(top["macro_f1"]),
                                share(top.number("f1")),
                                share(top.number("precision")),
                                share(top.number("recall")),
                                share(REPORTED_MACRO_F1.get(detector), 2),
                            ]
                        )
        rows.sort(key=lambda row: row[4], reverse=True)
        grids.append(
            Grid(
                f"{run.name}: each at its best τ",
                ["method", "text", "band", "τ", "macro F1", "F1", "P", "R", "macro F1 in the slides"],
                rows,
                folded=True,
            )
        )
    return Part(
        "F1 over τ",
        detectors.picture("spotsigs_thresholds", "Macro F1 and F1 of pairs over tau", runs, thresholds_sentence),
        [
            "Slides, “Summary – Gold Set”: best macro F1 of SpotSigs 0.94 and LSH-S 0.93 (both at τ = 0.44), 1-shingles"
            " 0.71, 3-shingles 0.69, I-Match-S 0.37, I-Match 0.05.",
            "2,160 news articles in 68 clusters, sorted by people. Of a page, markup is taken off, no boilerplate;"
            " then, for all methods, what is too frequent or too rare: IDF 0.2 to 0.85 stays, of I-Match and I-Match-S"
            " 0.4 to 0.75.",
        ],
        by_run(runs, thresholds_sentence),
        by_run(runs, thresholds_difference)
        + [
            "All text has the sites' boilerplate, which spot signatures are made to pass over and shingles are not;"
            " main text has them taken off for every method."
        ],
        grids,
        "Each method in the IDF band with its best macro F1; the table has all bands.",
    )


# Partitions and pruning.

WAYS = {
    ("on", "on"): ("partitions and pruning", style.GREEN, "o"),
    ("on", "off"): ("partitions only", style.BLUE, "s"),
    ("off", "on"): ("pruning only", style.ORANGE, "^"),
    ("off", "off"): ("neither", style.VERMILION, "D"),
}
COLLECTIONS = {"pages": "the pages", "generated": "generated documents"}


def work_of(run, collection):
    """The joins over the pages, or over documents generated from their signatures; of one text, all text first."""
    rows = [row for row in run.table("spotsigs_work", WORK).rows if (row.get("collection") or "pages") == collection]
    text = next((text for text in ("all", "main") if any(row["text"] == text for row in rows)), None)
    return [row for row in rows if row["text"] == text]


def work_figure(runs, folder, name):
    shown = [("pages", "seconds", "time of the join, s"), ("pages", "compared", "pairs compared")]
    if any(work_of(run, "generated") for run in runs):
        shown.append(("generated", "seconds", "time, s,\ngenerated documents"))
    figure, axes = style.panels(runs, [2.2] * len(shown), sharex=True, sharey="row")
    for line, (collection, column, label) in zip(axes, shown):
        values = []
        for run, panel in zip(runs, line):
            for (partitions, pruning), (_, colour, marker) in WAYS.items():
                rows = [
                    row
                    for row in work_of(run, collection)
                    if (row["partitions"], row["pruning"]) == (partitions, pruning)
                ]
                points = [(x, y) for x, y in numbers(rows, "tau", column) if y > 0]
                if points:
                    panel.plot(*zip(*points), color=colour, marker=marker, markersize=5)
                    values += [y for _, y in points]
        if values:
            style.log_axis(line[0].yaxis, min(values), max(values))
        line[0].set_ylabel(label)
    for panel in axes[-1]:
        panel.set_xlabel("τ")
    style.legend_above(figure, [style.line(colour, text, marker=marker) for text, colour, marker in WAYS.values()])
    style.save(figure, folder, name)


def folds(run, collection):
    """(τ nearest to the slides', documents, how much longer without both, how many more pairs are
    compared), or None."""
    near = nearest(work_of(run, collection), "tau", REPORTED_WORK_TAU)
    rows = {
        (row["partitions"], row["pruning"]): row
        for row in work_of(run, collection)
        if near is not None and row["tau"] == near["tau"]
    }
    if not {("on", "on"), ("off", "off")} <= set(rows):
        return None
    fast, slow = rows["on", "on"], rows["off", "off"]
    time = slow["seconds"] / fast["seconds"] if fast.number("seconds") and slow.number("seconds") is not None else None
    pairs = (
        slow["compared"] / fast["compared"] if fast.number("compared") and slow.number("compared") is not None else None
    )
    return near["tau"], fast.number("documents"), time, pairs


def alone_sentence(run):
    """What partitions and pruning do, each by itself, beside the join with neither."""
    texts = []
    for collection, name in COLLECTIONS.items():
        near = nearest(work_of(run, collection), "tau", REPORTED_WORK_TAU)
        rows = {
            (row["partitions"], row["pruning"]): row
            for row in work_of(run, collection)
            if near is not None and row["tau"] == near["tau"]
        }
        neither = rows.get(("off", "off"))
        found = []
        for ways, what in (
            (("on", "off"), "partitions alone"),
            (("off", "on"), "pruning alone"),
            (("on", "on"), "both"),
        ):
            row = rows.get(ways)
            if (
                neither is not None
                and row is not None
                and row.number("seconds")
                and neither.number("seconds") is not None
            ):
                found.append(f"{what} {times(neither['seconds'] / row['seconds'])}")
        if found:
            texts.append(f"over {name} {joined(found)}")
    return f"beside the join with neither, as fast: {'; '.join(texts)}." if texts else None


def beside_others(run):
    """{detector: (milliseconds a page to describe and search, bytes a page of index and description)} of the three that
    the slides time."""
    found = {}
    for row in detectors.alone(detectors.rows_of(run)):
        own = row.number("index_bytes_a_page"), row.number("features_bytes_a_page")
        if row["detector"] in REPORTED_COSTS and detectors.added_ms(row) is not None and None not in own:
            found[row["detector"]] = detectors.added_ms(row), sum(own)
    return found


def others_sentence(run):
    costs = beside_others(run)
    if len(costs) < 2:
        return None
    texts = [f"{name_of(name)} {amount(ms)} ms and {count(size)} bytes a page" for name, (ms, size) in costs.items()]
    return f"as detectors, to describe a page and to search, with index and description: {'; '.join(texts)}."


def others_difference(run):
    costs = beside_others(run)
    own = costs.pop("spotsigs", None)
    if own is None or not costs or not own[0] or not own[1]:
        return None
    reported = REPORTED_COSTS["spotsigs"]
    texts = []
    for name, (ms, size) in costs.items():
        seconds, megabytes = REPORTED_COSTS[name]
        texts.append(
            f"{name_of(name)} takes {times(ms / own[0])} the time ({times(seconds / reported[0])} in the slides) and"
            f" {times(size / own[1])} the memory ({times(megabytes / reported[1])})"
        )
    return f"beside SpotSigs {' and '.join(texts)}; here a page at a time is searched, there a collection is joined."


def work_sentence(run):
    texts = []
    for collection, name in COLLECTIONS.items():
        found = folds(run, collection)
        if found:
            tau, documents, time, pairs = found
            of = known(documents, f" ({counted(documents, 'document')})")
            facts = [f"compares {times(pairs)} as many pairs"] * (pairs is not None) + [
                f"takes {times(time)} as long"
            ] * (time is not None)
            if facts:
                texts.append(
                    f"at τ = {tau:g}, without partitions and pruning the join over {name}{of} {' and '.join(facts)}"
                )
    return "; ".join(texts) + ". " + same_pairs_sentence(run) if texts else None


def same_pairs_sentence(run):
    answers = {}
    for row in run.table("spotsigs_work", WORK).rows:
        if row.number("pairs") is not None:
            answers.setdefault((row.get("collection"), row["text"], row["tau"]), set()).add(row["pairs"])
    if not answers:
        return ""
    equal = all(len(pairs) == 1 for pairs in answers.values())
    return (
        "The pairs found are equal in all ways."
        if equal
        else "The pairs found are NOT equal in all ways, which is a fault."
    )


def work_difference(run):
    found = [(name, folds(run, collection)[2]) for collection, name in COLLECTIONS.items() if folds(run, collection)]
    found = [(name, time) for name, time in found if time is not None]
    if not found:
        return None
    texts = [f"{times(time)} over {name}" for name, time in found]
    greatest = max(time for _, time in found)
    return (
        f"both together make the join faster {' and '.join(texts)}, and {times(REPORTED_FOLD)} in the slides:"
        f" {'less here' if greatest < REPORTED_FOLD else 'not less here'}."
    )


def work_part(runs, folder):
    work_figure(runs, folder, "spotsigs_work")
    grids = [
        Grid(
            f"{run.name}: work of the join",
            [
                "collection",
                "text",
                "band",
                "τ",
                "partitions",
                "pruning",
                "seconds",
                "compared",
                "postings",
                "pairs found",
                "documents",
            ],
            [
                [
                    COLLECTIONS.get(row.get("collection") or "pages", row.text("collection")),
                    TEXTS.get(row["text"], row.text("text")),
                    BANDS.get(row.get("band"), row.text("band") or "–"),
                    share(row.number("tau"), 2),
                    row.text("partitions"),
                    row.text("pruning"),
                    amount(row.number("seconds")),
                ]
                + [count(row.number(column)) for column in ("compared", "postings", "pairs", "documents")]
                for row in run.table("spotsigs_work", WORK).rows
            ],
            folded=True,
            wide=True,
        )
        for run in runs
    ]
    return Part(
        "Work with and without partitions and pruning",
        detectors.picture("spotsigs_work", "Time and compared pairs of the join, logarithmic", runs, work_sentence),
        [
            "Slides, “Summary – TREC WT10g”, τ = 0.9: 17 s; 197 s without partitions; 10,090 s without both; LSH-S 45"
            " s, I-Match-S 12 s. Memory: 339, 180 and 49 MB. 1.6 million documents."
        ],
        by_run(runs, work_sentence) + by_run(runs, alone_sentence) + by_run(runs, others_sentence),
        by_run(runs, work_difference)
        + by_run(runs, others_difference)
        + [
            "Without both, each document meets all that share a signature with it, so what they save grows with the "
            "collection."
        ],
        grids,
        "All text if it was measured, else main content; the table has both. Logarithmic.",
    )


def partitions_figure(runs, folder, name):
    figure, axes = style.panels(runs, [2.8], sharey=True)
    for run, panel in zip(runs, axes[0]):
        table = run.table("spotsigs_partitions", PARTITIONS)
        text = texts_of([run], "spotsigs_partitions", PARTITIONS)[0]
        lengths = [1]
        for number, tau in enumerate(sorted(tau for tau in table.values("tau") if isinstance(tau, (int, float)))):
            points = numbers(table.where(text=text, tau=tau), "from_length", "documents")
            while points and not points[-1][1]:
                points.pop()
            panel.step(
                [x for x, _ in points],
                [y for _, y in points],
                where="post",
                color=style.SERIES[number % len(style.SERIES)],
                label=f"τ {tau:g}",
            )
            lengths += [x for x, _ in points]
        style.log_axis(panel.xaxis, 1, max(max(lengths), 10))
        style.thousands(panel.yaxis)
        panel.set_ylim(bottom=0)
        panel.set_xlabel("signatures of a document (logarithmic)")
        if panel.get_legend_handles_labels()[0]:
            panel.legend(loc="upper right", handlelength=1.5)
    axes[0][0].set_ylabel("documents of a partition")
    style.save(figure, folder, name)


def partitions_sentence(run):
    table = run.table("spotsigs_partitions", PARTITIONS)
    text = texts_of([run], "spotsigs_partitions", PARTITIONS)[0]
    near = nearest(table.where(text=text), "tau", REPORTED_TAU)
    if near is None:
        return None
    sizes = sorted(row["documents"] for row in table.where(text=text, tau=near["tau"]) if row.number("documents"))
    if not sizes:
        return None
    return (
        f"at τ = {near['tau']:g}, {counted(len(sizes), 'partition')} {verb(len(sizes), 'holds', 'hold')} documents;"
        f" the largest has {count(sizes[-1])} of {count(sum(sizes))}"
        f" ({share(sizes[-1] / sum(sizes), 2)}), the median one {amount(statistics.median(sizes))}."
    )


def partitions_part(runs, folder):
    partitions_figure(runs, folder, "spotsigs_partitions")
    grids = [
        Grid(
            f"{run.name}: partitions that hold documents",
            ["text", "τ", "partition", "from length", "to length", "documents"],
            [
                [TEXTS.get(row["text"], row.text("text")), share(row.number("tau"), 2)]
                + [count(row.number(column)) for column in ("partition", "from_length", "to_length", "documents")]
                for row in run.table("spotsigs_partitions", PARTITIONS).rows
                if row.number("documents")
            ],
            folded=True,
        )
        for run in runs
    ]
    return Part(
        "Sizes of partitions",
        detectors.picture("spotsigs_partitions", "Documents by partition", runs, partitions_sentence),
        [
            "Slides, “Partitioning Effects”: web collections are skewed to short documents, and growing widths even"
            " smooth the sizes (1,274,812 documents of WT10g)."
        ],
        by_run(runs, partitions_sentence),
        [
            "The bounds follow from τ alone, so the shape is that of the lengths of the corpus at hand, which need not"
            " be that of a web crawl."
        ],
        grids,
    )


PARTS = (
    ("spotsigs_thresholds", THRESHOLDS, thresholds_part),
    ("spotsigs_work", WORK, work_part),
    ("spotsigs_partitions", PARTITIONS, partitions_part),
)


def section(runs, folder):
    empty = Section(
        "spotsigs",
        "SpotSigs",
        "Spot signatures alone, as the slides have them: a join over the whole collection and connected components."
        " Main text: the main content that the engine takes signatures from, all text of a page where there is less of"
        " it than the option content_width. All text: every block.",
    )
    return documents.fill(empty, runs, folder, PARTS)
