#!/usr/bin/env python3
"""invented_sites.py OUT: makes whole crawls of invented sites of which it is known what is the same document, for the
gate `quality.sites`.

Text of data/sample and data/judged in six languages, eked out with invented sentences, stands on the pages of two blogs
and a catalogue a language (crawled_sites.py). A language is a folder of its own: first.warc.gz, the crawl;
shuffled.warc.gz, the same pages in an order by chance; again.warc.gz, the same URLs later, some of which have changed,
and copies that are new. first.tsv and again.tsv are pairs of pages of the first crawl, and of both crawls together, in
the form that judged.py reads; `why` begins with the kind. The same texts and seed give the same bytes. Do not commit
the output.
"""
import argparse
import collections
import itertools
import pathlib
import random

import crawled_sites
import decided_pairs
import judged
import reframe
import site_contents as contents

SEED = 1
FIRST, AGAIN = "2024-05-06T07:08:09Z", "2024-06-07T08:09:10Z"
MOST_PAIRS = 60  # of a kind, in a language
LARGEST_OVERLAP = 0.2  # of lists that are certainly different, in entries
COPY_BEFORE_EDIT = "copy from before the edit"
SAME, DIFFERENT = decided_pairs.SAME, decided_pairs.DIFFERENT


def certainly_different(a, b):
    """Whether two contents are; lists with some entries in common, and others, are neither."""
    if a.document == b.document:
        return False
    return len(a.entries & b.entries) <= LARGEST_OVERLAP * max(1, len(a.entries | b.entries))


def different_kind(a, b):
    """What two pages of one site are to each other; None: the same, uncertain, or nothing that has a name here."""
    if a.host != b.host or a.copy or b.copy or not certainly_different(a.content, b.content):
        return None
    one, other = sorted((a, b), key=lambda page: page.content.kind != contents.POST)
    kind = other.content.kind
    if one.content.kind != kind:
        if one.content.kind != contents.POST:
            return None
        is_named = kind == contents.NOTICE or one.content.document in other.content.entries
        return f"post and {kind}" if is_named else None
    if kind == contents.POST:
        if one.frame is not other.frame:
            return "other post, across the renewal"
        return "other post, renewed template" if one.frame.renewed else "other post"
    if kind == contents.LIST and one.content.title == other.content.title:
        return "next page of a list"
    return f"other {kind}"


def same_pairs(pages):
    """(kind, label, the page itself, its copy) of every copy."""
    originals = {page.content.document: page for page in pages if not page.copy}
    return [(page.copy, SAME, originals[page.content.document], page) for page in pages if page.copy]


def different_pairs(pages):
    kinds = ((different_kind(a, b), a, b) for a, b in itertools.combinations(pages, 2))
    return [(kind, DIFFERENT, a, b) for kind, a, b in kinds if kind]


def judged_pairs(sites, found):
    """At most MOST_PAIRS of a kind, drawn by chance."""
    rng, by_kind = random.Random(f"{sites.seed} pairs {sites.language}"), collections.defaultdict(list)
    for kind, label, a, b in found:
        by_kind[kind].append(judged.JudgedPair(a.url, b.url, label, label, f"{kind} ({sites.language})"))
    drawn = (rng.sample(pairs, min(MOST_PAIRS, len(pairs))) for _, pairs in sorted(by_kind.items()))
    return [pair for pairs in drawn for pair in pairs]


def kind_of(pair):
    return pair.why.partition(" (")[0]


def pairs_of_first(sites):
    pages = sites.before + sites.after
    return judged_pairs(sites, same_pairs(pages) + different_pairs(pages))


def pairs_of_again(sites):
    """The edited posts and their copies on other sites."""
    edited = {page.content.document for page in sites.again if page.copy == crawled_sites.COPY_OF_EDIT}
    kinds = {crawled_sites.COPY_OF_EDIT: crawled_sites.COPY_OF_EDIT, crawled_sites.REPRINT: COPY_BEFORE_EDIT}
    found = same_pairs([page for page in sites.again if page.content.document in edited])
    return judged_pairs(sites, [(kinds[copy], *rest) for copy, *rest in found if copy in kinds])


def write_sites(folder, sites):
    folder.mkdir(parents=True, exist_ok=True)
    first = sites.before + sites.after
    shuffled = random.Random(f"{sites.seed} order {sites.language}").sample(first, len(first))
    for name, pages, date in (("first", first, FIRST), ("shuffled", shuffled, FIRST), ("again", sites.again, AGAIN)):
        records = [reframe.warc_record(decided_pairs.Page(page.url, page.body()), date) for page in pages]
        (folder / f"{name}.warc.gz").write_bytes(b"".join(records))
    decided_pairs.write_pairs(folder / "first.tsv", pairs_of_first(sites))
    decided_pairs.write_pairs(folder / "again.tsv", pairs_of_again(sites))


def generate(out, seed=SEED):
    """Writes a folder for each language; returns {folder: crawled_sites.Sites}."""
    made = {}
    for material in decided_pairs.read_materials(seed):
        folder = pathlib.Path(out) / material.language
        made[folder] = crawled_sites.Sites(material, seed)
        write_sites(folder, made[folder])
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    for folder, sites in generate(arguments.out, arguments.seed).items():
        print(f"{folder}: {len(sites.before + sites.after)} pages, {len(sites.again)} fetched later")


if __name__ == "__main__":
    main()
