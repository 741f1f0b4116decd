"""Labels the blocks of labelled pages as content or boilerplate, by where else their text occurs
(docs/block_weights.md).

A corpus is a folder with pages.warc.gz and either labels.tsv, or pairs.tsv or nothing:

- Labelled pages stand in page templates: details.tsv names one for each page (column `frame`; `none`: no template;
  `own`: the article's own page), or else a site has one. A block that stands under pages of two labels in one template
  is boilerplate, any other is content. On an article's own page what its copies elsewhere have as content is content,
  all else boilerplate.
- Documentation has one template a host: a block on a fifth of its pages, and on three at least, is boilerplate; on one
  or two it is content; between, nobody knows.

Pages are grouped for cross-validation: those of one template, of one site, and of hosts that share long
blocks of content.
"""
import collections
import csv
import dataclasses
import pathlib

import numpy

LEAST_PAGES = 4  # of a template, or else nothing is known of it
MOST_PAGES = 400  # of a group of sites in training, spread evenly over those there are
LEAST_CONTENT_BLOCKS = 5  # of an article, to judge its own page
BOILERPLATE_SHARE, BOILERPLATE_PAGES, CONTENT_PAGES = 0.2, 3, 2  # of documentation
SHARED_WIDTH, SHARED_BLOCKS = 100, 50  # of hosts of the same documents
UNKNOWN, BOILERPLATE, CONTENT = -1, 0, 1


@dataclasses.dataclass
class Page:
    url: str
    site: str
    rows: slice
    template: str = ""
    kind: str = ""
    group: str = ""  # for cross-validation


@dataclasses.dataclass
class Corpus:
    name: str
    features: list  # their names
    pages: list
    blocks: numpy.ndarray  # hash, width, by_rules, repeated, features
    labels: numpy.ndarray


def read_blocks(prefix, name):
    """What eval/block_features wrote."""
    lines = pathlib.Path(f"{prefix}.tsv").read_text(encoding="utf-8").splitlines()
    features = lines[0].split("\t")[4:]
    row = numpy.dtype(
        [
            ("hash", "<u8"),
            ("width", "<u4"),
            ("by_rules", "u1"),
            ("repeated", "u1"),
            ("features", "u1", (len(features),)),
        ]
    )
    blocks = numpy.fromfile(f"{prefix}.bin", dtype=row)
    pages = []
    for line in lines[1:]:
        url, site, first, count = line.split("\t")
        pages.append(Page(url, site, slice(int(first), int(first) + int(count))))
    return Corpus(name, features, pages, blocks, numpy.full(len(blocks), UNKNOWN, dtype=numpy.int8))


def read_table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {row["url"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def label(corpus, folder):
    if (folder / "labels.tsv").exists():
        details = read_table(folder / "details.tsv") if (folder / "details.tsv").exists() else {}
        label_templates(corpus, read_table(folder / "labels.tsv"), details)
    else:
        label_documentation(corpus)


def label_templates(corpus, labels, details):
    known = [page for page in corpus.pages if page.url in labels]
    for page in known:
        row = labels[page.url]
        frame = details.get(page.url, {}).get("frame") or ("own" if row["kind"] in ("source", "form") else page.site)
        page.kind = "own" if frame == "own" else row["kind"]
        page.template = "" if frame in ("own", "none") else f"{corpus.name} {frame}"
    count = collections.Counter(page.template for page in known)
    seen = collections.defaultdict(set)  # template and hash: labels
    for page in known:
        for block in set(corpus.blocks["hash"][page.rows].tolist()) if page.template else ():
            seen[page.template, block].add(labels[page.url]["group"])
    content = collections.defaultdict(set)  # label: hashes
    for page in known:
        if not page.template:
            continue
        hashes = corpus.blocks["hash"][page.rows].tolist()
        is_content = [len(seen[page.template, block]) < 2 for block in hashes]
        content[labels[page.url]["group"]].update(block for block, is_own in zip(hashes, is_content) if is_own)
        if count[page.template] >= LEAST_PAGES:
            corpus.labels[page.rows] = is_content
    for page in known:
        of_article = content[labels[page.url]["group"]]
        if page.kind == "own" and len(of_article) >= LEAST_CONTENT_BLOCKS:
            corpus.labels[page.rows] = [block in of_article for block in corpus.blocks["hash"][page.rows].tolist()]


def label_documentation(corpus):
    on_pages, pages = collections.Counter(), collections.Counter()
    for page in corpus.pages:
        page.kind, page.template = "documentation", f"documentation {page.site}"
        pages[page.template] += 1
        on_pages.update((page.template, block) for block in set(corpus.blocks["hash"][page.rows].tolist()))
    for page in corpus.pages:
        count = numpy.array([on_pages[page.template, block] for block in corpus.blocks["hash"][page.rows].tolist()])
        least = max(BOILERPLATE_PAGES, BOILERPLATE_SHARE * pages[page.template])
        corpus.labels[page.rows] = numpy.where(
            count >= least, BOILERPLATE, numpy.where(count <= CONTENT_PAGES, CONTENT, UNKNOWN)
        )


class Groups:
    """Union and find, by name."""

    def __init__(self):
        self.above = {}

    def find(self, name):
        self.above.setdefault(name, name)
        while self.above[name] != name:
            name = self.above[name]
        return name

    def join(self, one, other):
        one, other = sorted((self.find(one), self.find(other)))
        self.above[other] = one


def group(corpora):
    groups = Groups()
    shared = collections.defaultdict(set)  # hash: sites of documentation
    for corpus in corpora:
        for page in corpus.pages:
            groups.find(page.site)
            if page.template and page.kind != "documentation":
                groups.join(page.site, f"template {page.template}")
            if page.kind == "documentation":
                rows = corpus.blocks[page.rows]
                wide = rows["hash"][(rows["width"] >= SHARED_WIDTH) & (corpus.labels[page.rows] == CONTENT)]
                for block in wide.tolist():
                    shared[block].add(page.site)
    pairs = collections.Counter()
    for sites in shared.values():
        first, *others = sorted(sites)
        pairs.update((first, other) for other in others)
    for (one, other), count in sorted(pairs.items()):
        if count >= SHARED_BLOCKS:
            groups.join(one, other)
    for corpus in corpora:
        for page in corpus.pages:
            page.group = groups.find(page.site)


def weights(corpora):
    """Of each block in training, of all corpora in a row: a page counts as any other of its group, a group by the root
    of its pages."""
    of_group = collections.defaultdict(list)
    first = 0
    for corpus in corpora:
        for page in corpus.pages:
            rows = corpus.blocks[page.rows]
            share = numpy.sqrt(rows["width"]) * ((corpus.labels[page.rows] != UNKNOWN) & (rows["repeated"] == 0))
            if share.any():
                of_group[page.group].append((first + page.rows.start, share / share.sum()))
        first += len(corpus.blocks)
    result = numpy.zeros(first)
    for pages in of_group.values():
        pages = pages[:: -(-len(pages) // MOST_PAGES)]
        for begin, share in pages:
            result[begin : begin + len(share)] = share / len(pages) ** 0.5
    return result
