#!/usr/bin/env python3
"""How good a grouping is: scores of a trace (eval/trace.cpp) against labels or against pairs of known resemblance.

    quality.py labels LABELS.tsv TRACE.tsv [--present]
    quality.py versions PAIRS.tsv TRACE.tsv

LABELS.tsv has the columns url, group, lang, kind, site; pages of kind `ambiguous` are not scored. PAIRS.tsv has
urlA, urlB, r, c, how, r_main, c_main. A page that the trace does not have is a group of its own; with --present
it is left out.
"""
import argparse
import collections
import csv
import dataclasses
import random

UNSCORED_KIND = "ambiguous"
POSITIVE_RESEMBLANCE = 0.6  # a listed pair from here on is one that should be found
NEGATIVE_RESEMBLANCE = 0.28  # a grouped pair below both is wrong
NEGATIVE_CONTAINMENT = 0.7


@dataclasses.dataclass(frozen=True)
class PageRow:
    url: str
    group: str
    candidate_count: int
    verification_count: int
    candidate_groups: frozenset
    final_group: str = ""  # after the last page; "" if the trace does not say it


@dataclasses.dataclass
class Trace:
    """The rows in the order of the checks; the last row of a URL counts, as the engine's last word on it."""

    rows: list
    totals: dict

    def __post_init__(self):
        self.group_of = {row.url: row.group for row in self.rows}

    def final(self):
        """The same with the groups as they are after the last page."""
        return Trace([dataclasses.replace(row, group=row.final_group) for row in self.rows], self.totals)

    def group(self, url):
        """The group of a page; of a page that is not there, one that no other page has."""
        return self.group_of.get(url, ("absent", url))

    def per_page(self, field):
        return sum(getattr(row, field) for row in self.rows) / len(self.rows) if self.rows else 0.0


def read_table(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_trace(path):
    rows, totals = [], {}
    with open(path, encoding="utf-8", errors="replace", newline="\n") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if not line.startswith("#"):
                groups = frozenset() if fields[9] == "-" else frozenset(fields[9].split(","))
                rows.append(
                    PageRow(
                        fields[0],
                        fields[2],
                        int(fields[7]),
                        int(fields[8]),
                        groups,
                        fields[10] if len(fields) > 10 else "",
                    )
                )
            elif len(fields) == 2:
                totals[fields[0][1:]] = float(fields[1])
    return Trace(rows, totals)


def read_groups(path):
    """The rows of `ndc dedup`, which say nothing of candidates."""
    with open(path, encoding="utf-8", errors="replace", newline="\n") as lines:
        fields = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    return Trace([PageRow(row[0], row[1], 0, 0, frozenset()) for row in fields], {})


@dataclasses.dataclass(frozen=True)
class PairCounts:
    """Unordered pairs of pages: said to be together and are, said but are not, are but not said."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self):
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self):
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def f1(self):
        return harmonic_mean(self.precision, self.recall)

    def __sub__(self, part):
        return PairCounts(self.right - part.right, self.wrong - part.wrong, self.missed - part.missed)


@dataclasses.dataclass
class KindCounts:
    """Of the pages of one kind. A wrong or missed pair is charged to the kinds of both of its pages."""

    pages: int = 0
    pages_with_wrong: int = 0
    wrong_pairs: int = 0
    pages_with_missed: int = 0
    missed_pairs: int = 0


@dataclasses.dataclass
class LabelScore:
    page_count: int
    absent_count: int
    all_pairs: PairCounts
    same_site: PairCounts
    cross_site: PairCounts
    b_cubed_precision: float
    b_cubed_recall: float
    kinds: dict
    candidate_recall: float  # the group that holds most of the earlier pages of the label was a candidate
    candidate_recall_any: float  # any group that holds one of them was

    @property
    def b_cubed_f1(self):
        return harmonic_mean(self.b_cubed_precision, self.b_cubed_recall)


def harmonic_mean(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def pair_counts(pages):
    """`pages`: (label, group) of each."""

    def agreeing(values):
        return sum(count * (count - 1) // 2 for count in collections.Counter(values).values())

    right = agreeing(pages)
    return PairCounts(
        right, agreeing(group for _, group in pages) - right, agreeing(label for label, _ in pages) - right
    )


def candidate_recall(label_of, trace):
    """Over the pages, in the order of the checks, whose label an earlier page had: (majority, any), see LabelScore."""
    earlier = collections.defaultdict(collections.Counter)  # label: how many of its pages are in which group
    asked = majority = any_group = 0
    for row in trace.rows:
        label = label_of.get(row.url)
        if label is None:
            continue
        if earlier[label]:
            asked += 1
            majority += earlier[label].most_common(1)[0][0] in row.candidate_groups  # of equals the first that came
            any_group += not row.candidate_groups.isdisjoint(earlier[label])
        earlier[label][row.group] += 1
    return (majority / asked, any_group / asked) if asked else (1.0, 1.0)


def score_labels(labels, trace, present_only=False):
    """`labels`: rows of a labels.tsv. Recall counts pages that are absent from the trace, unless present_only."""
    scored = [page for page in labels if page["kind"] != UNSCORED_KIND]
    absent = sum(page["url"] not in trace.group_of for page in scored)
    if present_only:
        scored = [page for page in scored if page["url"] in trace.group_of]
    places = [(page["group"], trace.group(page["url"])) for page in scored]
    of_site = collections.defaultdict(list)
    for page, place in zip(scored, places):
        of_site[page["site"]].append(place)
    everywhere = pair_counts(places)
    by_site = [pair_counts(site) for site in of_site.values()]
    same_site = PairCounts(*(sum(getattr(site, name) for site in by_site) for name in ("right", "wrong", "missed")))

    label_size, group_size = collections.Counter(label for label, _ in places), collections.Counter(
        group for _, group in places
    )
    cell_size = collections.Counter(places)
    precision = recall = 0.0
    kinds = collections.defaultdict(KindCounts)
    for page, (label, group) in zip(scored, places):
        together = cell_size[label, group]
        precision += together / group_size[group]
        recall += together / label_size[label]
        wrong, missed = group_size[group] - together, label_size[label] - together
        kind = kinds[page["kind"]]
        kind.pages += 1
        kind.pages_with_wrong += wrong > 0
        kind.wrong_pairs += wrong
        kind.pages_with_missed += missed > 0
        kind.missed_pairs += missed
    count = max(1, len(scored))
    found = candidate_recall({page["url"]: page["group"] for page in scored}, trace)
    return LabelScore(
        len(scored),
        absent,
        everywhere,
        same_site,
        everywhere - same_site,
        precision / count,
        recall / count,
        dict(sorted(kinds.items())),
        *found,
    )


@dataclasses.dataclass
class PairScore:
    """Of listed pairs."""

    pair_count: int
    positive_count: int
    grouped_count: int
    precision: float
    recall: float
    # Of the positive pairs, those where the later page had the earlier one's group as a candidate.
    candidate_recall: float


def score_pairs(pairs, trace, main=False, kinds=None):
    """`pairs`: rows of a pairs.tsv. main: by the main text alone. kinds: values of the column `how`; None for all."""
    resemblance, containment = ("r_main", "c_main") if main else ("r", "c")
    chosen = [pair for pair in pairs if kinds is None or pair["how"] in kinds]
    place = {row.url: number for number, row in enumerate(trace.rows)}
    positive = grouped = positive_grouped = grouped_right = reachable = 0
    for pair in chosen:
        urls = pair["urlA"], pair["urlB"]
        together = trace.group(urls[0]) == trace.group(urls[1])
        is_positive = float(pair[resemblance]) >= POSITIVE_RESEMBLANCE
        positive += is_positive
        grouped += together
        positive_grouped += is_positive and together
        grouped_right += together and (
            float(pair[resemblance]) >= NEGATIVE_RESEMBLANCE or float(pair[containment]) >= NEGATIVE_CONTAINMENT
        )
        if is_positive and all(url in place for url in urls):
            earlier, later = sorted(urls, key=place.get)
            reachable += trace.group(earlier) in trace.rows[place[later]].candidate_groups
    return PairScore(
        len(chosen),
        positive,
        grouped,
        grouped_right / max(1, grouped),
        positive_grouped / max(1, positive),
        reachable / max(1, positive),
    )


LENGTH_STEPS = (0, 25, 50, 100, 200, 400)


def recall_by_length(pairs, tokens_of, trace, kinds):
    """[(least tokens of main text of the shorter page, positive pairs, recall)]."""
    found = {step: [0, 0] for step in LENGTH_STEPS}
    for pair in pairs:
        if pair["how"] not in kinds or float(pair["r"]) < POSITIVE_RESEMBLANCE:
            continue
        shorter = min(tokens_of[pair["urlA"]], tokens_of[pair["urlB"]])
        step = max(step for step in LENGTH_STEPS if step <= shorter)
        found[step][0] += 1
        found[step][1] += trace.group(pair["urlA"]) == trace.group(pair["urlB"])
    return [(step, count, hits / max(1, count)) for step, (count, hits) in found.items()]


def f1_interval(labels, trace, draws=1000, seed=1):
    """The middle 95 % of F1 over collections drawn from the label groups, as many as there are, with replacement. A
    wrong pair of two groups counts half for each."""
    places = [(page["group"], trace.group(page["url"])) for page in labels if page["kind"] != UNSCORED_KIND]
    label_size, group_size = collections.Counter(label for label, _ in places), collections.Counter(
        group for _, group in places
    )
    tallies = collections.defaultdict(
        lambda: [0, 0]
    )  # of a label group: twice its right pairs; that with its wrong and missed ones
    for (label, group), together in sorted(collections.Counter(places).items(), key=str):
        right = together * (together - 1)
        tallies[label][0] += 2 * right
        tallies[label][1] += (
            2 * right + together * (group_size[group] - together) + together * (label_size[label] - together)
        )
    chance, values = random.Random(seed), list(tallies.values())
    drawn = sorted(
        sum(right for right, _ in sample) / max(1, sum(both for _, both in sample))
        for sample in (chance.choices(values, k=len(values)) for _ in range(draws))
    )
    return drawn[draws * 25 // 1000], drawn[-1 - draws * 25 // 1000]


def print_counts(name, counts):
    print(
        f"{name:10}  P {counts.precision:.4f}  R {counts.recall:.4f}  F1 {counts.f1:.4f}"
        f"   (right {counts.right}, wrong {counts.wrong}, missed {counts.missed})"
    )


def print_labels(score):
    print(f"{score.page_count} pages scored, {score.absent_count} not in the trace")
    for name, counts in (
        ("all pairs", score.all_pairs),
        ("same site", score.same_site),
        ("cross site", score.cross_site),
    ):
        print_counts(name, counts)
    print(f"B-cubed     P {score.b_cubed_precision:.4f}  R {score.b_cubed_recall:.4f}  F1 {score.b_cubed_f1:.4f}")
    print(f"candidate recall {score.candidate_recall:.4f} (majority group), {score.candidate_recall_any:.4f} (any)\n")
    print(f"{'kind':14}{'pages':>7}{'with wrong':>12}{'wrong pairs':>13}{'with missed':>13}{'missed pairs':>14}")
    for name, kind in score.kinds.items():
        print(
            f"{name:14}{kind.pages:7}{kind.pages_with_wrong:12}{kind.wrong_pairs:13}"
            f"{kind.pages_with_missed:13}{kind.missed_pairs:14}"
        )


def print_versions(pairs, trace):
    kinds = sorted({pair["how"] for pair in pairs})
    for chosen in [None] + [{kind} for kind in kinds]:
        for main in (False, True):
            score = score_pairs(pairs, trace, main, chosen)
            print(
                f"{'/'.join(chosen or ['all']):10} {'main ' if main else 'whole'}  P {score.precision:.4f}  R"
                f" {score.recall:.4f}  candidate recall {score.candidate_recall:.4f}"
                f"   ({score.positive_count} positive, {score.grouped_count} grouped)"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, help_text in (("labels", "a corpus with label groups"), ("versions", "a corpus with measured pairs")):
        command = commands.add_parser(name, help=help_text)
        command.add_argument("truth")
        command.add_argument("trace")
        if name == "labels":
            command.add_argument("--present", action="store_true", help="leave out pages that the trace does not have")
    arguments = parser.parse_args()
    truth, trace = read_table(arguments.truth), read_trace(arguments.trace)
    if arguments.command == "labels":
        print_labels(score_labels(truth, trace, arguments.present))
    else:
        print_versions(truth, trace)


if __name__ == "__main__":
    main()
