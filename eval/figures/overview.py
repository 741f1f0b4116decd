"""The whole page: what was run, what one sees, then the sections."""
import detectors
import errors
import lcs_partition
import moz
import mwo
import page
import spotsigs
import style
import thresholds
from sentences import amount, by_run, count, counted, joined, name_of, plural
from tables import cell, cleaned

SECTIONS = (detectors, errors, thresholds, lcs_partition, spotsigs, moz, mwo)
DEFINITIONS = (
    "Precision: of the pairs of pages that a method puts together, the share that the labels put together. Recall: of"
    " the pairs that the labels put together, the share that the method does. F1: their harmonic mean. Pages without a"
    " label, and those that people could not tell, are not scored.",
    "Within a site: both pages of the pair belong to one site. B³: precision and recall page by page. Macro F1: the"
    " mean over the label groups of two pages or more.",
    "Hollow diamonds in figures: values that a document reports, from its own collection.",
)


def ran_grid(runs):
    rows = [
        ("pages", lambda run: f"{count(run.number('pages'))}, of which {count(run.number('scored_pages'))} are scored"),
        ("labels", labels_text),
        ("sites", lambda run: count(run.number("sites"))),
        ("bodies", lambda run: megabytes(run.number("body_bytes"))),
        ("version of ndc", version_text),
        ("detectors", detectors_text),
        ("seed, orders, pairs", settings_text),
        ("machine", machine_text),
        ("date", lambda run: run.text("date") or "–"),
        ("time of the experiments", seconds_text),
        ("experiments", experiments_text),
    ]
    return page.Grid(
        "What was run",
        [""] + [run.name for run in runs],
        [[name] + [value(run) for run in runs] for name, value in rows],
    )


def labels_text(run):
    groups = counted(run.number("label_groups"), "group")
    if run.silver:
        return f"silver: the {groups} of the default engine stand for labels"
    return f"{groups} ({'/'.join(run.text('labels').split('/')[-2:]) or 'unnamed'})"


def version_text(run):
    """With the commit and the compiler, by which a figure can be made again."""
    known = [run.text("version"), run.text("commit") and f"commit {run.text('commit')}", run.text("compiler")]
    return ", ".join(filter(None, known)) or "–"


def listed(value):
    return [cleaned(name) for name in value if isinstance(name, str)] if isinstance(value, list) else []


def detectors_text(run):
    settings = run.about.get("settings")
    named = listed(settings.get("detectors")) if isinstance(settings, dict) else []
    return f"{joined(name_of(name) for name in named)}, options at their defaults" if named else "–"


def settings_text(run):
    values = [run.number("settings", name) for name in ("seed", "orders", "pairs")]
    return ", ".join(map(count, values)) if None not in values else "–"


def experiments_text(run):
    """What was asked for, and what of it is not finished."""
    wanted = listed(run.about.get("wanted"))
    finished = run.about.get("seconds")
    missing = [name for name in wanted if not isinstance(finished, dict) or name not in finished]
    if not wanted:
        return "–"
    return joined(wanted) + (
        f"; interrupted: {joined(missing)} {'is' if len(missing) == 1 else 'are'} missing" if missing else ""
    )


def interrupted_sentence(runs):
    names = [run.name for run in runs if run.about.get("complete") is False]
    return (
        [
            f"{joined(names)}: the run was interrupted; this page shows what it had finished. ndc eval --resume, with"
            " the same arguments, does the rest."
        ]
        if names
        else []
    )


def megabytes(value):
    return "–" if value is None else f"{amount(value / 1e6)} MB"


def machine_text(run):
    cores = run.number("machine", "cores")
    known = [run.text("machine", "model"), plural(f"{cores:g}", "core") if cores is not None else ""]
    return ", ".join(filter(None, known)) or "–"


def seconds_text(run):
    spent = run.about.get("seconds")
    cells = [cell(value) for value in spent.values()] if isinstance(spent, dict) else []
    known = [value for value in cells if isinstance(value, (int, float))]
    return f"{amount(sum(known))} s" if known else "–"


def silver_sentence(runs):
    names = [run.name for run in runs if run.silver]
    if not names:
        return []
    return [
        f"{joined(names)}: no labels were given, so the groups of the default engine stand for them (“silver”). There,"
        " precision, recall and F1 say how far a method agrees with the default engine, not how right it is, and the"
        " default engine itself has 1 by construction."
    ]


def seen_sentences(runs):
    found = interrupted_sentence(runs) + silver_sentence(runs)
    for sentence in (
        detectors.lead_sentence,
        detectors.spread_sentence,
        detectors.alone_sentence,
        thresholds.reach_sentence,
        detectors.cost_sentence,
        detectors.site_sentence,
        errors.kinds_sentence,
        thresholds.room_sentence,
        moz.seen_sentence,
        mwo.seen_sentence,
    ):
        found += by_run(runs, sentence)
    return found or ["None of the tables that this list is computed from is there."]


def whole_page(runs, folder):
    """The HTML; the figures go to `folder`."""
    style.set_up()
    sections = [module.section(runs, folder) for module in SECTIONS]
    silver = [run.name for run in runs if run.silver]
    for section in sections:
        if silver and section.parts:
            section.absent.append(f"{joined(silver)}: “right” means here: as the default engine groups the pages.")
    for run in runs:
        run.tell_unknown()
    problems = [problem for run in runs for problem in run.problems]
    title = "Near-duplicate detection measured: " + joined(run.name for run in runs)
    return page.page_html(title, ran_grid(runs), seen_sentences(runs) + problems, sections, DEFINITIONS)
