#!/usr/bin/env python3
"""How many joins are wrong in a crawl that nobody labelled? Draws joins to be read, and estimates from what
the reader says.

    ndc dedup W.warc.gz -o groups.tsv
    sample_joins.py draw groups.tsv -n 150 -o sample.tsv        a stratified sample of the joins
    sample_joins.py show sample.tsv W.warc.gz … > to_read.txt   the pairs, with what differs
    sample_joins.py estimate sample.tsv                         once the column `label` is filled in

A join is a row of `ndc dedup` whose page is not its group's representative: what a crawler would leave out. Pages with
the very text of some page of the group (verdicts exact and unchanged) are a stratum of their own; their representative
may say something else. The others fall into strata by resemblance, by same host or not, and by the rule if the rows
have a column `rule`. Each stratum gets some, larger ones more, by the root of their size. Labels are those of
data/judged/README.md: 0 is a wrong join; 1 is counted apart.

The estimate weighs each stratum by its joins; intervals are of 95 %, by the bootstrap within strata. A stratum without
a wrong join in the sample adds nothing to either, so the last line says how many joins are wrong at most, at 95 %, in
all such strata together, each by itself (the rule of three).
"""
import argparse
import collections
import dataclasses
import math
import pathlib
import random
import sys

import judged
import page_differences
import quality

BANDS = (0.0, 0.28, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)  # a band begins where it says and ends with the next
IDENTICAL = ("exact", "unchanged")
LEAST_OF_A_STRATUM = 5
COLUMNS = ("stratum", "stratum_joins", "page", "representative", "resemblance", "containment", "label", "why")
WRONG, BETWEEN = 0, 1
ROUNDS = 5000
SEED = 1
RULE_OF_THREE = 3.0  # 0 of n: with 95 % the share is below 3 / n


@dataclasses.dataclass(frozen=True)
class Join:
    stratum: str
    page: str
    representative: str
    resemblance: str
    containment: str


def host(url):
    return url.split("/")[2] if url.count("/") >= 2 else ""


def stratum_of(row):
    if row["verdict"] in IDENTICAL:
        return "identical"
    resemblance = float(row["resemblance"])
    begin = max(band for band in BANDS if band <= resemblance)
    place = "same host" if host(row["url"]) == host(row["representative"]) else "two hosts"
    return ", ".join([f"r from {begin:.2f}", place] + ([row["rule"]] if row.get("rule") else []))


def read_rows(path):
    """Rows of `ndc dedup` as dictionaries: the head is a line that begins with #."""
    with open(path, encoding="utf-8", errors="replace", newline="\n") as lines:
        names = next(lines).lstrip("#").rstrip("\n").split("\t")
        return [dict(zip(names, line.rstrip("\n").split("\t"))) for line in lines if not line.startswith("#")]


def joins(rows):
    return [
        Join(stratum_of(row), row["url"], row["representative"], row["resemblance"], row["containment"])
        for row in rows
        if row["url"] != row["representative"] and row["verdict"] in ("near", *IDENTICAL)
    ]


def shares(sizes, wanted):
    """{stratum: how many}: at least LEAST_OF_A_STRATUM where there are so many, the rest by the root of the size."""
    given = {name: min(size, LEAST_OF_A_STRATUM) for name, size in sizes.items()}
    rest = max(0, wanted - sum(given.values()))
    weight = sum(math.sqrt(size) for size in sizes.values())
    for name, size in sizes.items():
        given[name] = min(size, given[name] + int(rest * math.sqrt(size) / weight))
    return given


def draw(all_joins, wanted, seed=SEED):
    """[(join, joins of its stratum)]"""
    strata = collections.defaultdict(list)
    for join in all_joins:
        strata[join.stratum].append(join)
    given = shares({name: len(members) for name, members in strata.items()}, wanted)
    chance, drawn = random.Random(seed), []
    for name in sorted(strata):
        drawn += [(join, len(strata[name])) for join in chance.sample(strata[name], given[name])]
    return drawn


def write_sample(path, drawn):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.write("\t".join(COLUMNS) + "\n")
        for join, size in drawn:
            out.write("\t".join((join.stratum, str(size), *dataclasses.astuple(join)[1:], "", "")) + "\n")


def show(sample, archives):
    bodies = page_differences.archived_bodies(
        archives, {row[key] for row in sample for key in ("page", "representative")}
    )
    for number, row in enumerate(sample):
        print(f"### {number}  A {row['page']}  B {row['representative']}")
        missing = [row[key] for key in ("page", "representative") if row[key] not in bodies]
        if missing:
            print("  not in the archives: " + " ".join(missing))
            continue
        print(
            page_differences.differences(
                *(
                    page_differences.decoded(bodies[row[key]][1], bodies[row[key]][0])
                    for key in ("page", "representative")
                )
            )
        )


def labels_by_stratum(sample):
    """{stratum: (joins, [labels])}; rows without a label are left out, as if they had not been drawn."""
    strata = {}
    for row in sample:
        strata.setdefault(row["stratum"], (int(row["stratum_joins"]), []))
        if row["label"]:
            strata[row["stratum"]][1].append(int(row["label"]))
    unread = [name for name, (_, labels) in strata.items() if not labels]
    if unread:
        raise ValueError("no label in: " + "; ".join(unread))
    return strata


def per_thousand(strata, up_to):
    """Of 1,000 joins, those with a label of at most up_to."""
    total = sum(size for size, _ in strata.values())
    return (
        1000
        * sum(size * sum(label <= up_to for label in labels) / len(labels) for size, labels in strata.values())
        / total
    )


def interval(strata, up_to, rounds=ROUNDS, seed=SEED):
    chance = random.Random(seed)
    drawn = sorted(
        per_thousand(
            {name: (size, chance.choices(labels, k=len(labels))) for name, (size, labels) in strata.items()}, up_to
        )
        for _ in range(rounds)
    )
    return judged.percentile(drawn, 0.025), judged.percentile(drawn, 0.975)


def unseen_at_most(strata, up_to):
    """Wrong joins per 1,000 of all that strata without one in the sample may still hold; nothing where every
    join was read."""
    total = sum(size for size, _ in strata.values())
    hidden = sum(
        size * min(1.0, RULE_OF_THREE / len(labels))
        for size, labels in strata.values()
        if len(labels) < size and all(label > up_to for label in labels)
    )
    return 1000 * hidden / total


def print_estimate(strata):
    print(f"{'stratum':34} joins  read  wrong  between")
    for name, (size, labels) in sorted(strata.items()):
        print(f"{name:34} {size:5} {len(labels):5} {labels.count(WRONG):6} {labels.count(BETWEEN):8}")
    for up_to, what in ((WRONG, "wrong joins"), (BETWEEN, "wrong or in between")):
        low, high = interval(strata, up_to)
        print(
            f"{what} per 1,000: {per_thousand(strata, up_to):.1f} [{low:.1f}, {high:.1f}]; "
            f"strata without one in the sample hold at most {unseen_at_most(strata, up_to):.1f} more"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("draw")
    command.add_argument("groups", type=pathlib.Path)
    command.add_argument("-n", type=int, default=150)
    command.add_argument("-o", type=pathlib.Path, required=True)
    command = commands.add_parser("show")
    command.add_argument("sample", type=pathlib.Path)
    command.add_argument("archives", type=pathlib.Path, nargs="+")
    command = commands.add_parser("estimate")
    command.add_argument("sample", type=pathlib.Path)
    asked = parser.parse_args()
    if asked.command == "draw":
        found = joins(read_rows(asked.groups))
        drawn = draw(found, asked.n)
        write_sample(asked.o, drawn)
        print(f"{len(drawn)} of {len(found)} joins, {len({join.stratum for join, _ in drawn})} strata")
    elif asked.command == "show":
        show(quality.read_table(asked.sample), asked.archives)
    else:
        print_estimate(labels_by_stratum(quality.read_table(asked.sample)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
