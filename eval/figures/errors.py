"""What is wrong: errors by the kind of the pages, and the pairs that the default engine has wrong. Tables
detector_errors, default_errors."""
import detectors
from page import Grid, Link, Part, Section
from sentences import by_run, count, counted, joined, left_out, share, shortened
from tables import best

KINDS = "detector decide kind pages pages_with_wrong pages_with_missed wrong missed"
PAIRS = "error url_a url_b kind_a kind_b same_site verdict resemblance containment"
ADDRESS_LETTERS = 60
MOST_KINDS = 3  # that a sentence names


def kinds_of(run, detector, decide):
    return run.table("detector_errors", KINDS).where(detector=detector, decide=decide)


def kind_name(row):
    return shortened(row.text("kind") or "no kind", 30)


def worst(rows, column):
    """The names of the kinds with the most pages that err so, the worst first, with their counts."""
    erring = sorted([row for row in rows if row.number(column)], key=lambda row: -row[column])[:MOST_KINDS]
    return (
        joined(f"{kind_name(row)} ({count(row[column])} of {count(row.number('pages'))})" for row in erring)
        if erring
        else ""
    )


def kinds_sentence(run):
    if not run.table("detector_errors", KINDS):
        return None
    rows = kinds_of(run, detectors.DEFAULT, "lcs")
    if not rows:
        return None
    texts = []
    for column, what in (("pages_with_wrong", "in a wrong pair"), ("pages_with_missed", "in a missed pair")):
        pages = sum(row.number(column) or 0 for row in rows)
        named = worst(rows, column)
        texts.append(f"{counted(pages, 'page')} {what}" + (f", most of them {named}" if named else ""))
    return f"the default engine has {' and '.join(texts)}."


def kinds_grid(run):
    """The default engine beside the best that decides alone."""
    shown = [(detectors.DEFAULT, "lcs", "default engine")]
    other = best(detectors.alone(detectors.rows_of(run)), "f1")
    if other is not None:
        shown.append((*detectors.key(other), detectors.title(other)))
    found = [{row.text("kind"): row for row in kinds_of(run, detector, decide)} for detector, decide, _ in shown]
    kinds = list(dict.fromkeys(kind for rows in found for kind in rows))
    cells = []
    for kind in kinds:
        known = next(rows[kind] for rows in found if kind in rows)
        line = [kind_name(known), count(known.number("pages"))]
        for rows in found:
            line += [
                count(rows[kind].number(column)) if kind in rows else "–"
                for column in ("pages_with_wrong", "pages_with_missed")
            ]
        cells.append(line)
    header = ["kind", "pages"] + [
        f"{name}: {what}" for _, _, name in shown for what in ("in a wrong pair", "in a missed pair")
    ]
    return Grid(f"{run.name}: pages with errors, by kind", header, cells)


def page_link(address):
    return Link(address, shortened(address.removeprefix("https://").removeprefix("http://"), ADDRESS_LETTERS))


def pairs_grid(run):
    rows = [
        [
            row.text("error"),
            page_link(row.text("url_a")),
            page_link(row.text("url_b")),
            " / ".join(dict.fromkeys(filter(None, (row.text("kind_a"), row.text("kind_b"))))) or "–",
            row.text("same_site") or "–",
            row.text("verdict") or "–",
            share(row.number("resemblance")),
            share(row.number("containment")),
        ]
        for row in run.table("default_errors", PAIRS).rows
    ]
    header = ["error", "earlier page", "later page", "kinds", "one site", "the LCS says", "resemblance", "containment"]
    return Grid(f"{run.name}: wrong and missed pairs of the default engine", header, rows, folded=True, wide=True)


def pairs_sentence(run):
    rows = run.table("default_errors", PAIRS).rows
    texts = []
    for error, said in (("wrong", ("near", "exact")), ("missed", ("different",))):
        own = [row for row in rows if row["error"] == error]
        if own:
            agreed = sum(row["verdict"] in said for row in own)
            texts.append(
                f"of {counted(len(own), f'{error} pair')} in the list the LCS alone decides {count(agreed)} in the "
                "same way"
            )
    return (
        f"{'; '.join(texts)}; what it decides otherwise comes of the group that a page joined, or of what is known of "
        "its site."
        if texts
        else None
    )


def kinds_part(runs):
    return Part("Errors by kind", None, [], by_run(runs, kinds_sentence), [], [kinds_grid(run) for run in runs])


def pairs_part(runs):
    return Part(
        "What the default engine has wrong",
        None,
        [],
        by_run(runs, pairs_sentence),
        [],
        [pairs_grid(run) for run in runs],
    )


def section(runs, _folder):
    found = Section(
        "errors",
        "Errors",
        "Wrong: two pages of one group with different labels. Missed: two pages of one label in different"
        " groups. A page counts once for each; its kind is that of the labels.",
    )
    chosen = [run for run in runs if run.table("detector_errors", KINDS)]
    listed = [run for run in runs if run.table("default_errors", PAIRS)]
    found.absent = left_out(runs, chosen, "detector_errors")
    # A list without a row is no fault: then the default engine has nothing wrong, which the kinds tell.
    found.parts = [part(own) for part, own in ((kinds_part, chosen), (pairs_part, listed)) if own]
    return found
