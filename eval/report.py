"""The tables of docs/quality.md, written between its marker comments; the prose around them stays."""
import datetime
import pathlib
import platform
import re
import subprocess

import ablation
import ingredients
import quality

MARKED = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- end -->)", re.S)


def replace_sections(text, sections):
    """Text with the generated parts renewed; (text, names of the sections for which it has no place)."""
    places = set()

    def renewed(match):
        places.add(match[2])
        return match[1] + sections[match[2]] + match[3] if match[2] in sections else match[0]

    return MARKED.sub(renewed, text), sorted(set(sections) - places)


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def fixed(value, places=3):
    return "–" if value is None else f"{value:.{places}f}"


class Summary:
    """The means of one ablation over its orders, with the range of one of them."""

    def __init__(self, outcomes):
        self.outcomes = outcomes

    def mean(self, name):
        values = [outcome.figures.get(name) for outcome in self.outcomes]
        return None if None in values else sum(values) / len(values)

    def text(self, *names, places=3):
        return " / ".join(fixed(self.mean(name), places) for name in names)

    def with_range(self, name, places=3):
        mean, least, most = ablation.mean_and_range([outcome.figures[name] for outcome in self.outcomes])
        return fixed(mean, places) + (
            "" if len(self.outcomes) == 1 else f" ({fixed(least, places)}–{fixed(most, places)})"
        )


def summaries(outcomes, refused):
    """Yields (name, Summary over all orders), and (name, None) for what was left out; not what the table of the
    ingredients has."""
    elsewhere = {(option,) for _, option in ingredients.INGREDIENTS}
    for tried in ablation.ABLATIONS:
        if tried.options in elsewhere:
            continue
        if tried.name in refused:
            yield tried.name, None
        own = [outcome for outcome in outcomes if outcome.run.ablation == tried]
        if own:
            yield tried.name, Summary(own)


def option_table(columns, outcomes, refused):
    """columns: (title, the cell of a Summary). A row an option."""
    rows = []
    for name, summary in summaries(outcomes, refused):
        shown = name if name == "default" else f"`{name}`"
        cells = [cell(summary) for _, cell in columns] if summary else ["no such option"] + [""] * (len(columns) - 1)
        rows.append([shown] + cells)
    return markdown(["options"] + [title for title, _ in columns], rows)


WORK = (
    ("candidates", lambda summary: summary.text("candidates", places=1)),
    ("verifications", lambda summary: summary.text("verifications", places=1)),
)
LABELS = (
    ("P", lambda summary: summary.text("precision")),
    ("R", lambda summary: summary.text("recall")),
    ("F1", lambda summary: summary.with_range("f1")),
    ("same site P / R", lambda summary: summary.text("same_site_precision", "same_site_recall")),
    ("between sites P / R", lambda summary: summary.text("cross_site_precision", "cross_site_recall")),
    ("candidate recall", lambda summary: summary.text("candidate_recall")),
)
PAIRS = (
    ("same path: P", lambda summary: summary.text("same_path_precision", places=4)),
    ("R", lambda summary: summary.with_range("same_path_recall")),
    ("candidate recall", lambda summary: summary.text("same_path_candidate_recall")),
    ("all listed pairs: P", lambda summary: summary.text("all_precision", places=4)),
    ("R", lambda summary: summary.text("all_recall")),
)


def label_table(outcomes, refused):
    return option_table(LABELS + WORK, outcomes, refused)


def pair_table(outcomes, refused):
    return option_table(PAIRS + WORK, outcomes, refused)


def pair_kind_table(outcome):
    pairs = outcome.run.corpus.truth()
    rows = []
    for kind in sorted({pair["how"] for pair in pairs}):
        whole, main = (quality.score_pairs(pairs, outcome.trace, main, {kind}) for main in (False, True))
        grouped = f"{whole.grouped_count:,} ({100 * whole.grouped_count / whole.pair_count:.2f} %)"
        rows.append(
            [
                kind,
                f"{whole.pair_count:,}",
                grouped,
                f"{whole.positive_count:,}",
                fixed(whole.precision, 4),
                fixed(whole.recall),
                fixed(whole.candidate_recall),
                f"{main.positive_count:,}",
                fixed(main.precision, 4),
                fixed(main.recall),
            ]
        )
    return markdown(
        (
            "pairs",
            "listed",
            "grouped",
            "whole text: with r ≥ .6",
            "P",
            "R",
            "candidate recall",
            "main text: with r ≥ .6",
            "P",
            "R",
        ),
        rows,
    )


def has_lengths(corpus):
    return not corpus.has_labels and (corpus.folder / "pages.tsv").is_file()


def length_table(corpus, trace):
    """Recall of the same-path pairs by the length of the shorter page; only where has_lengths()."""
    tokens = {page["url"]: int(page["main_tokens"]) for page in quality.read_table(corpus.folder / "pages.tsv")}
    steps = quality.recall_by_length(corpus.truth(), tokens, trace, {"same-path"})
    borders = [least for least, _, _ in steps]
    names = [f"below {borders[1]}"] + [f"{least}–{above - 1}" for least, above in zip(borders[1:], borders[2:])]
    names.append(f"{borders[-1]} and more")
    return markdown(
        ["tokens"] + names,
        [
            ["pairs"] + [f"{count:,}" for _, count, _ in steps],
            ["recall"] + [fixed(recall, 2) for _, _, recall in steps],
        ],
    )


def first_line(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.strip().partition("\n")[0]


def machine():
    try:
        cpu = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    except OSError:
        cpu = None
    return cpu[1] if cpu else platform.processor() or platform.machine()


def origin(root, jobs):
    """A sentence on where, when and from what the tables come."""
    commit = first_line("git", "-C", root, "rev-parse", "--short=12", "HEAD") or "unknown"
    changed = first_line(
        "git", "-C", root, "status", "--porcelain", "--untracked-files=no", "--", "src", "tools", ":(glob)eval/*.cpp"
    )
    return (
        f"Taken {datetime.date.today().isoformat()} by `eval/run` at commit "
        f"{commit}{', with changes' if changed else ''}; {machine()}, {jobs} process{'es' if jobs > 1 else ''} at a "
        "time, one thread each.\n"
    )


def sections(outcomes, refused, root, jobs):
    """{name of a marker: the text at that place}."""
    out = {"origin": origin(root, jobs)}
    whole = [outcome for outcome in outcomes if not outcome.run.per_host]
    for corpus in dict.fromkeys(outcome.run.corpus for outcome in whole):
        own = [outcome for outcome in whole if outcome.run.corpus == corpus]
        out[corpus.name] = (label_table if corpus.has_labels else pair_table)(own, refused)
        if not corpus.has_labels:
            out[corpus.name + "-pairs"] = pair_kind_table(own[0])
            if has_lengths(corpus):
                out[corpus.name + "-length"] = length_table(corpus, own[0].trace)
    for corpus in dict.fromkeys(outcome.run.corpus for outcome in outcomes if outcome.run.per_host):
        thinned = [outcome for outcome in outcomes if outcome.run.per_host and outcome.run.corpus == corpus]
        out[corpus.name + "-thinned"] = option_table(LABELS, thinned, {})
    return out
