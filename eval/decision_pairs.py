"""The pairs of pages from which the decision is learned (train-decision): their labels, their weights and the evidence
that the program pair_evidence measures for them."""
import collections
import csv
import dataclasses
import gzip
import json
import pathlib
import random
import subprocess
import zlib

import numpy

import judged
import moved_pages

# Other pages of a site that are known, and how much a pair weighs with so many: the model must be right from the first
# page of a site on, and most pages of a crawl are decided when their site is known.
KNOWN = {"0": 0.25, "1": 0.1, "2": 0.2, "4": 0.15, "10": 0.25, "100": 0.2, "all": 0.35}
UNSURE = 0.4  # the weight of a pair that is neither the same nor another document
EDITED_COPIES, OF_ONE_ARTICLE, OF_ONE_SITE = 500, 400, 300  # pairs drawn from each corpus of edited copies
SHORT_COPIES, SHORT_OTHERS = 400, 400
ONE_HOST_OF = "reframed-en"  # with reframed-zh as well F1 on real sites falls by a hundredth
COMMON_WORDS, COMMON_RUNS, MOST_WITH_RUN = 4, 3, 8  # two short texts may be taken for copies: runs of words in common
SEED = 7


@dataclasses.dataclass(frozen=True)
class JudgedSet:
    """Pairs of pages of the same archives."""

    name: str
    weight: float
    archives: tuple
    pairs: tuple  # of (URL, URL, first label, second label)
    known: tuple
    # Host to the family that is left out with it; none: the product of a manual.
    families: dict | None = dataclasses.field(default_factory=dict)
    made_of: "JudgedSet | None" = None  # the set whose pages these are on one host (moved_pages.py)

    def family(self, url):
        if self.made_of is not None:
            return self.made_of.family(moved_pages.original(url))
        if self.families is None:
            return f"manual:{judged.product_of(url)}"
        host = url.split("/")[2]
        return f"{self.name}:{self.families.get(host, host)}"


@dataclasses.dataclass
class Samples:
    """One row a pair and number of known pages."""

    terms: numpy.ndarray
    same: numpy.ndarray  # 0 or 1
    weights: numpy.ndarray
    families: list
    names: list  # of the terms


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def labelled(path):
    return [(row["url_a"], row["url_b"], int(row["first"]), int(row["second"])) for row in read_rows(path)]


def text_record(url, text):
    """A WARC record of a plain text."""
    return moved_pages.record(url, b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8", text.encode())


def web_pages(folder):
    """Pages of real sites; a family is the sites that have something to do with each other."""
    families = {row["host"]: row["family"] for row in read_rows(folder / "sites.tsv")}
    pairs = [pair for name in ("pairs", "joins", "missed") for pair in labelled(folder / f"{name}.tsv")]
    return JudgedSet("web", 1, (folder / "pages.warc.gz",), tuple(pairs), tuple(KNOWN), families)


def documentation(name, archive, pairs):
    return JudgedSet(name, 0.7, (archive,), tuple(labelled(pairs)), tuple(KNOWN), None)


def whole_texts(path, work):
    """Pairs of newspaper articles and of government pages without markup, by their authors' labels."""
    archive, pairs = work / "texts.warc", []
    with open(archive, "wb") as out, gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            pair = json.loads(line)
            urls = [f"http://{pair['id']}-{side}.example/" for side in "ab"]
            for url, side in zip(urls, "ab"):
                out.write(text_record(url, pair[side]))
            pairs.append((*urls, pair["label"], pair["label"]))
    return JudgedSet("texts", 1, (archive,), tuple(pairs), ("0",))


def short_texts(path, work):
    """Edited copies of short texts, and pairs of other short texts that have runs of words in common. Of the latter
    those that have most in common are left out: they may be copies by themselves."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        texts = {text["id"]: text for text in map(json.loads, file)}
    copies = [(name, text["copy_of"]) for name, text in texts.items() if text.get("copy_of")]
    with_run = collections.defaultdict(set)
    for name, text in texts.items():
        words = text["text"].lower().split() if not text.get("copy_of") else []
        for at in range(len(words) - COMMON_WORDS + 1):
            with_run[tuple(words[at : at + COMMON_WORDS])].add(name)
    common = collections.Counter()
    for names in with_run.values():
        if 2 <= len(names) <= MOST_WITH_RUN:
            ordered = sorted(names)
            common.update((a, b) for i, b in enumerate(ordered) for a in ordered[:i])
    alike = sorted((pair for pair, runs in common.items() if runs >= COMMON_RUNS), key=lambda pair: -common[pair])
    draw = random.Random(SEED)
    copies = draw.sample(copies, min(SHORT_COPIES, len(copies)))
    others = alike[len(alike) // 50 :]
    others = draw.sample(others, min(SHORT_OTHERS, len(others)))
    url = "http://{}.example/".format
    archive = work / "short.warc"
    with open(archive, "wb") as out:
        for name in dict.fromkeys(name for pair in copies + others for name in pair):
            out.write(text_record(url(name), texts[name]["text"]))
    pairs = [(url(a), url(b), 3, 3) for a, b in copies] + [(url(a), url(b), 0, 0) for a, b in others]
    return JudgedSet("short", 0.15, (archive,), tuple(pairs), ("0",))


def edited_copies(folder):
    """Copies of articles in page templates of other sites; other parts, quotes and teasers of them; pages of one
    site."""
    labels = [row for row in read_rows(folder / "labels.tsv") if row["kind"] not in ("ambiguous", "empty")]
    articles = {row["url"]: row["article"].split("#")[0] for row in read_rows(folder / "details.tsv")}

    def pairs_by(key, same):
        """All pairs of one key that are of one group, or of two."""
        members = collections.defaultdict(list)
        for row in labels:
            if key(row):
                members[key(row)].append(row)
        label = 3 if same else 0
        return [
            (a["url"], b["url"], label, label)
            for rows in members.values()
            for i, b in enumerate(rows)
            for a in rows[:i]
            if (a["group"] == b["group"]) == same
        ]

    draw = random.Random(SEED)
    pairs = []
    for key, same, count in (
        (lambda row: row["group"], True, EDITED_COPIES),
        (lambda row: articles.get(row["url"]), False, OF_ONE_ARTICLE),
        (lambda row: row["site"], False, OF_ONE_SITE),
    ):
        found = pairs_by(key, same)
        pairs += draw.sample(found, min(count, len(found)))
    return JudgedSet(folder.name, 0.6, (folder / "pages.warc.gz",), tuple(pairs), tuple(KNOWN))


def on_one_host(copies, work):
    """The same pairs if all pages are on one host, as in an archive of several sites."""
    archive = work / f"{copies.name}-one-host.warc"
    moved_pages.write_on_one_host(copies.archives[0], archive)
    pairs = [(moved_pages.on_one_host(a), moved_pages.on_one_host(b), *labels) for a, b, *labels in copies.pairs]
    return JudgedSet(f"{copies.name}-one-host", 0.06, (archive,), tuple(pairs), tuple(KNOWN), made_of=copies)


def find_sets(corpora, work):
    """Of what is in the folder; the project's own pairs in any case. `work`: a folder for archives of texts."""
    own = judged.DATA
    sets = [documentation("own", own / "pages.warc.gz", own / "pairs.tsv")]
    if (corpora / "web/pairs.tsv").exists():
        sets.append(web_pages(corpora / "web"))
    if (corpora / "judged/documentation-pairs.tsv").exists():
        pairs = corpora / "judged/documentation-pairs.tsv"
        sets.append(documentation("documentation", corpora / "versions/pages.warc.gz", pairs))
    if (corpora / "judged/text-pairs.jsonl.gz").exists():
        sets.append(whole_texts(corpora / "judged/text-pairs.jsonl.gz", work))
    if (corpora / "short/texts.jsonl.gz").exists():
        sets.append(short_texts(corpora / "short/texts.jsonl.gz", work))
    for details in sorted(corpora.glob("reframed-*/details.tsv")):
        copies = edited_copies(details.parent)
        sets += [copies, on_one_host(copies, work)] if copies.name == ONE_HOST_OF else [copies]
    return sets


def measure(of, programs, work):
    """Rows of pair_evidence, as dictionaries."""
    listed = work / f"{of.name}-pairs.tsv"
    listed.write_text("url_a\turl_b\n" + "".join(f"{a}\t{b}\n" for a, b, *_ in of.pairs), encoding="utf-8")
    command = [programs / "pair_evidence", *of.archives, "--pairs", listed, "--known", *of.known]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode(errors="replace")
    return list(csv.DictReader(out.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def target(of, first, second):
    """Whether it is the same document, and how much the pair weighs. The authors of the texts' labels count 1 as the
    same."""
    if of.name == "texts" and first == 1:
        return 1, UNSURE
    if min(first, second) >= judged.SAME_FROM:
        return 1, 1
    return 0, 1 if max(first, second) == judged.DIFFERENT else UNSURE


def samples(sets, programs, work):
    terms, same, weights, families, names = [], [], [], [], []
    for of in sets:
        labels = {(a, b): (first, second) for a, b, first, second in of.pairs}
        for row in measure(of, programs, work):
            urls = row["#url_a"], row["url_b"]
            if urls not in labels:
                continue
            names = names or [name for name in row if name.startswith("term:")]
            is_same, weight = target(of, *labels[urls])
            terms.append([float(row[name]) for name in names])
            same.append(is_same)
            weights.append(weight * of.weight * (KNOWN[row["known"]] if len(of.known) > 1 else 1))
            families.append(of.family(urls[0]))
    return Samples(numpy.array(terms), numpy.array(same, float), numpy.array(weights), families, names)


def fold_of(family, folds):
    return zlib.crc32(family.encode()) % folds
