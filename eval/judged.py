#!/usr/bin/env python3
"""Does ndc join what readers call the same document? Scores `ndc dedup` against pairs of pages that were
read and judged.

    judged.py NDC                                           the pairs of data/judged
    judged.py NDC --pairs PAIRS.tsv --pages W.warc.gz …     others of the same form; all pages are read in one run
    judged.py NDC --table data/judged_texts/pairs.jsonl     pairs of short texts; all texts are read in one run
    judged.py NDC --texts TEXTS.jsonl.gz                    pairs of texts with one label; a run for each pair, on two
                                                            hosts and on one
    judged.py NDC --sweep resemblance=0.5,0.6,0.7           an option, chosen on all products but the one
                                                            it is scored on
    judged.py --agreement                                   how far the two readings agree
    judged.py --pairs PAIRS.tsv --labels LABELS.tsv         writes the pages of scored pairs as `ndc eval` reads labels:
                                                            those judged the same are a group. Pages that nobody
                                                            compared count as different

PAIRS.tsv has the columns url_a, url_b, first, second, why; both readings are labels of 0 to 3 (data/judged/README.md).
A pair is the same if both are 2 or more, different if both are 0; others, and those that lack a reading, are not
scored. With --table the texts stand beside the readings (data/judged_texts/README.md), and a language takes the place
of a product. TEXTS.jsonl.gz holds objects with set, id, label, a, b: the same from label 1 on, as the authors of such
labels count, and once more without label 1.

A product is one manual in one language: the pages of one host name, whatever the release. Intervals are of 95 %, by the
bootstrap over products, or over pairs where those are texts. As no part of the engine was fitted on the products, a
product's own row is what it scores when left out; `without one` shows how much the mean depends on a single product.
"""
import argparse
import collections
import csv
import dataclasses
import gzip
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import uuid

import quality

LEFT_OUT = ", label 1 left out"  # of a set of texts without the pairs of this label
DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "judged"
TEXTS = DATA.parent / "judged_texts" / "pairs.jsonl"
SAME_FROM, DIFFERENT = 2, 0  # labels
RELEASES = ("bullseye", "bookworm", "trixie")
ROUNDS = 2000
SEED = 1


@dataclasses.dataclass(frozen=True)
class JudgedPair:
    a: str
    b: str
    first: int | None
    second: int | None
    why: str

    @property
    def same(self):
        """None: not scored."""
        if self.first is None or self.second is None:
            return None
        if min(self.first, self.second) >= SAME_FROM:
            return True
        return False if max(self.first, self.second) == DIFFERENT else None

    @property
    def product(self):
        return product_of(self.a)


@dataclasses.dataclass(frozen=True)
class Answer:
    """The answer for a scored pair."""

    group: str  # of the bootstrap: the product, or the pair itself
    same: bool
    joined: bool
    what: str


def product_of(url):
    """The first label of the host, without releases and digits: `manual-de-bookworm.example` and
    `manual13-de.example` are one."""
    label = url.split("/")[2].split(".")[0]
    words = [re.sub(r"\d", "", word) for word in label.split("-") if word not in RELEASES]
    return "-".join(word for word in words if word)


def read_pairs(path):
    with open(path, encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    label = lambda text: int(text) if text else None
    return [
        JudgedPair(row["url_a"], row["url_b"], label(row["first"]), label(row["second"]), row["why"]) for row in rows
    ]


def read_texts(path, archive):
    """The pairs; their texts become pages in `archive`, JSON lines, each of a site of its own, so that nothing is known
    of its site."""
    pairs = []
    with open(path, encoding="utf-8") as rows, open(archive, "w", encoding="utf-8") as pages:
        for number, line in enumerate(rows):
            row = json.loads(line)
            urls = [f"http://{row['language']}-{number}{side}.example/{row['id']}" for side in ("-1", "-2")]
            for url, text in zip(urls, (row["a"], row["b"])):
                print(json.dumps({"url": url, "text": text}), file=pages)
            why = f"{row['why']}: {row['a']} | {row['b']}"
            pairs.append(JudgedPair(*urls, row["first"], row["second"], why))
    return pairs


def labels_of(pairs):
    """{URL of a scored pair: the first URL that pairs judged the same connect it with}."""
    first_of = {}

    def first(url):
        while first_of.setdefault(url, url) != url:
            url = first_of[url]
        return url

    scored = [pair for pair in pairs if pair.same is not None]
    for pair in scored:
        a, b = sorted((first(pair.a), first(pair.b)))
        if pair.same:
            first_of[b] = a
    for pair in scored:
        if not pair.same and first(pair.a) == first(pair.b):
            raise ValueError(f"{pair.a} and {pair.b} are judged different, and the same by way of others")
    return {url: first(url) for url in first_of}


def counts(answers):
    return quality.PairCounts(
        sum(a.joined and a.same for a in answers),
        sum(a.joined and not a.same for a in answers),
        sum(a.same and not a.joined for a in answers),
    )


def by_group(answers):
    groups = collections.defaultdict(list)
    for answer in answers:
        groups[answer.group].append(answer)
    return dict(sorted(groups.items()))


def has_both_classes(answers):
    return len({answer.same for answer in answers}) == 2


def mean_f1(groups):
    """Over the groups that have pairs of both classes; groups is a list of lists of answers. None if there is none."""
    scores = [counts(group).f1 for group in groups if has_both_classes(group)]
    return statistics.fmean(scores) if scores else None


def flat(groups):
    return [answer for group in groups for answer in group]


STATISTICS = {
    "precision": lambda groups: counts(flat(groups)).precision,
    "recall": lambda groups: counts(flat(groups)).recall,
    "f1": lambda groups: counts(flat(groups)).f1,
    "mean_f1": mean_f1,
}


def percentile(ordered, share):
    """Linear between the two nearest."""
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def intervals(groups, rounds=ROUNDS, seed=SEED):
    """{statistic: (low, high)}: whole groups are drawn with replacement, as many as there are."""
    chance, drawn = random.Random(seed), collections.defaultdict(list)
    for _ in range(rounds):
        sample = chance.choices(groups, k=len(groups))
        for name, statistic in STATISTICS.items():
            value = statistic(sample)
            if value is not None:
                drawn[name].append(value)
    return {
        name: (percentile(sorted(values), 0.025), percentile(sorted(values), 0.975)) for name, values in drawn.items()
    }


def without_one(groups):
    """The least and the greatest mean F1 of all products but one."""
    means = [mean_f1([group for name, group in groups.items() if name != left_out]) for left_out in groups]
    means = [mean for mean in means if mean is not None]
    return (min(means), max(means)) if means else None


def leave_one_product_out(answers_by_setting):
    """{product: (setting, F1)}: of settings the first with the best mean F1 on the other products is scored on the
    one left out."""
    groups = {setting: by_group(answers) for setting, answers in answers_by_setting.items()}
    result = {}
    for product in sorted({name for of_setting in groups.values() for name in of_setting}):

        def others(setting):
            mean = mean_f1([group for name, group in groups[setting].items() if name != product])
            return -1.0 if mean is None else mean

        best = max(groups, key=others)
        result[product] = (best, groups[best][product])
    return result


def kappa(pairs):
    """Cohen's, of two readings, each 0, 1, or 2 and 3 taken as one. None if the readings cannot disagree by chance."""
    readings = [
        (min(p.first, SAME_FROM), min(p.second, SAME_FROM))
        for p in pairs
        if p.first is not None and p.second is not None
    ]
    if not readings:
        return None
    agreed = sum(x == y for x, y in readings) / len(readings)
    firsts, seconds = (collections.Counter(r[i] for r in readings) for i in (0, 1))
    expected = sum(firsts[label] * seconds[label] for label in firsts) / len(readings) ** 2
    return (agreed - expected) / (1 - expected) if expected < 1 else None


def run_dedup(ndc, archives, arguments):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "rows.tsv"
        done = subprocess.run(
            [ndc, "dedup", *archives, "-o", output, *arguments], stderr=subprocess.PIPE, text=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(f"ndc dedup: exit code {done.returncode}\n{done.stderr}")
        return quality.read_groups(output)


def answers_of_pages(pairs, trace):
    return [
        Answer(pair.product, pair.same, trace.group(pair.a) == trace.group(pair.b), f"{pair.a}  {pair.b}  ({pair.why})")
        for pair in pairs
        if pair.same is not None
    ]


def text_record(url, text):
    body = text.encode()
    http = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    )
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url)}>\r\n"
        f"WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def answers_of_texts(ndc, path, urls, arguments):
    """{set: answers}. Each pair is a run of its own, so that none sees another's pages."""
    result = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, gzip.open(path, "rt", encoding="utf-8") as lines:
        archive = pathlib.Path(folder) / "pair.warc"
        for line in lines:
            pair = json.loads(line)
            archive.write_bytes(text_record(urls[0], pair["a"]) + text_record(urls[1], pair["b"]))
            trace = run_dedup(ndc, [archive], arguments)
            name, joined = str(pair["id"]), trace.group(urls[0]) == trace.group(urls[1])
            result[pair["set"]].append(Answer(name, pair["label"] >= 1, joined, name))
            if pair["label"] != 1:
                result[pair["set"] + LEFT_OUT].append(Answer(name, pair["label"] > 1, joined, name))
    return result


def line_of(name, answers):
    score = counts(answers)
    return (
        f"{name:42} {len(answers):5} {sum(a.same for a in answers):5}"
        f"  {score.precision:.3f}  {score.recall:.3f}  {score.f1:.3f}"
    )


def interval_line(statistic, value, bounds):
    return f"    {statistic:12} {value:.3f}  [{bounds[0]:.3f}, {bounds[1]:.3f}]"


def print_set(name, answers, products, errors):
    groups = by_group(answers)
    print(line_of(name, answers))
    if products:
        for product, of_product in groups.items():
            print(line_of("    " + product, of_product))
    bounds = intervals(list(groups.values()))
    for statistic in STATISTICS if products else ("precision", "recall", "f1"):
        value = STATISTICS[statistic](list(groups.values()))
        if value is not None:
            print(interval_line(statistic, value, bounds[statistic]))
    if products and len(groups) > 1 and without_one(groups):
        print("    {:12} mean F1 {:.3f} to {:.3f}".format("without one", *without_one(groups)))
    for answer in [a for a in answers if a.joined != a.same][:errors]:
        print("    joined, but different:  " if answer.joined else "    kept apart, but same:  ", answer.what)


def print_sweep(ndc, pairs, archives, arguments, sweep):
    key, values = sweep.split("=", 1)
    answers = {
        value: answers_of_pages(pairs, run_dedup(ndc, archives, [*arguments, "--option", f"{key}={value}"]))
        for value in values.split(",")
    }
    for value, of_value in answers.items():
        print(line_of(f"{key}={value}", of_value))
    held_out = leave_one_product_out(answers)
    print("each product by the value that is best on the others:")
    for product, (value, of_product) in held_out.items():
        print(line_of(f"    {product} ({value})", of_product))
    groups = [of_product for _, of_product in held_out.values()]
    bounds = intervals(groups)
    for statistic, of_groups in STATISTICS.items():
        if of_groups(groups) is not None:
            print(interval_line(statistic, of_groups(groups), bounds[statistic]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ndc", nargs="?")
    parser.add_argument("--pairs", type=pathlib.Path, default=DATA / "pairs.tsv")
    parser.add_argument("--pages", type=pathlib.Path, nargs="+", default=[DATA / "pages.warc.gz"])
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--texts", type=pathlib.Path)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--sweep", metavar="KEY=V1,V2,…")
    parser.add_argument(
        "--errors", type=int, default=0, metavar="N", help="also print up to N pairs that came out wrong"
    )
    parser.add_argument("--agreement", action="store_true")
    parser.add_argument("--labels", type=pathlib.Path)
    asked = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        if asked.table:
            asked.pages = [pathlib.Path(folder) / "texts.jsonl"]
            pairs = read_texts(asked.table, asked.pages[0])
        else:
            pairs = read_pairs(asked.pairs)
        if asked.labels:
            rows = [f"{url}\t{group}\n" for url, group in labels_of(pairs).items()]
            asked.labels.write_text("url\tgroup\n" + "".join(rows), encoding="utf-8")
            return 0
        return agreement(pairs) if asked.agreement else score(parser, asked, pairs)


def agreement(pairs):
    agreed, scored = kappa(pairs), collections.Counter(pair.same for pair in pairs)
    print(
        f"{len(pairs)} pairs: {scored[True]} same, {scored[False]} different, {scored[None]} not scored; kappa "
        + ("unknown" if agreed is None else f"{agreed:.2f}")
    )
    return 0


def score(parser, asked, pairs):
    arguments = [part for option in asked.option for part in ("--option", option)]
    if asked.ndc is None:
        parser.error("name the program ndc, or --agreement")
    print(f"{'':42} pairs  same      P      R     F1")
    if asked.texts:
        for hosts, urls in (
            ("two hosts", ("http://a.example/1", "http://b.example/2")),
            ("one host", ("http://a.example/1", "http://a.example/2")),
        ):
            for name, answers in answers_of_texts(asked.ndc, asked.texts, urls, arguments).items():
                print_set(f"{name}, {hosts}", answers, False, asked.errors)
    elif asked.sweep:
        print_sweep(asked.ndc, pairs, asked.pages, arguments, asked.sweep)
    else:
        answers = answers_of_pages(pairs, run_dedup(asked.ndc, asked.pages, arguments))
        path = asked.table or asked.pairs
        print_set(f"{path.parent.name}/{path.name}", answers, True, asked.errors)
    return 0


if __name__ == "__main__":
    sys.exit(main())
