#!/usr/bin/env python3
"""decided_pairs.py OUT: makes pairs of pages for which it is known whether they are the same document, for the gate
`quality.decisions`.

Text of data/sample and data/judged in six languages goes into the page templates of invented sites: siblings
(another subject in the same words, notes of several releases, issues of a column), templates filled with names,
numbers or words, and editions of one article. Each kind is a folder of its own with pages.warc.gz and pairs.tsv, in
the form that judged.py reads; `why` begins with the kind. The same pages and seed give the same bytes. Do not
commit the output.
"""
import argparse
import collections
import dataclasses
import functools
import html
import itertools
import pathlib
import random
import typing
import urllib.parse

import frames
import invented_prose
import judged
import reframe
import sample_articles
import text_edits
import text_exchanges

SEED = 1
JUDGED_HOSTS = {
    "libreoffice-help-de-trixie.example": "de",
    "apache-fr-bullseye.example": "fr",
    "gimp-help-ja-bookworm.example": "ja",
    "libreoffice-help-ru-bullseye.example": "ru",
}  # one release of each product
LANGUAGES = ("en", "zh") + tuple(JUDGED_HOSTS.values())
TEXTS = 32  # per language, at most
TEXT_WIDTH = (1200, 4000)
LEAST_PARAGRAPHS = 4
FAMILIES_OF_SITE = 12
MOST_SITES = 4  # as many as a family has pages: across sites each has its own
# Of the different pairs of data/judged that share more than half of their words, the middle half exchanges so many of
# the shared words, and all but two resemble each other by less than .85.
EXCHANGED_SHARE = (0.02, 0.06)
OWN_SHARE = (0.1, 0.6)
SAME, DIFFERENT = 2, 0  # labels of data/judged/README.md
LEAST_KEPT = 0.65  # of both texts together: if about a third is added or missing, that README asks for label 1


@dataclasses.dataclass(frozen=True)
class Text:
    title: str
    paragraphs: list


@dataclasses.dataclass(frozen=True)
class Draft:
    """A page before it is put into the page template of its site."""

    slug: str
    title: str
    paragraphs: list


@dataclasses.dataclass(frozen=True)
class Page:
    url: str
    body: bytes


class Material:
    """The texts of one language, in pieces of an article's size, and sites to put them on."""

    def __init__(self, language, articles, seed):
        self.language = language
        self.prose = invented_prose.InventedProse(
            language, [text for article in articles for text in article.paragraphs]
        )
        self.texts = list(itertools.islice(texts_of(random.Random(f"{seed} texts {language}"), articles), TEXTS))
        words = [
            collections.Counter(text_exchanges.words_of(language, " ".join(text.paragraphs))) for text in self.texts
        ]
        rare = text_exchanges.rare_words(language, words)
        self.words = words  # of each text, how often
        self.terms = [text_exchanges.subject_terms(counts, rare) for counts in words]  # of each text
        self.rare_words = rare
        self.sites = [self.site(number, articles, seed) for number in range(MOST_SITES)]

    def site(self, number, articles, seed):
        site = frames.Site(number, self.language, self.prose, articles, seed)
        site.host = site.name  # judged.py takes the language for the product
        return site


def texts_of(rng, articles):
    """Runs of paragraphs, none used twice; the rest of an article begins the next text."""
    seen, title, paragraphs = set(), "", []
    for article in articles:
        room = rng.randint(*TEXT_WIDTH)
        for paragraph in article.paragraphs:
            if paragraph in seen:
                continue
            seen.add(paragraph)
            title = title or article.title
            paragraphs.append(paragraph)
            if len(paragraphs) >= LEAST_PARAGRAPHS and sample_articles.width("".join(paragraphs)) >= room:
                yield Text(title, paragraphs)
                title, paragraphs = "", []
                room = rng.randint(*TEXT_WIDTH)


# Siblings. Each maker returns the drafts of one family (none if the text is not suitable) and what distinguishes them.


def other_subjects(rng, material, number):
    """[{word of the text: word of another subject}] for two siblings."""
    counts = material.words[number]
    wanted, exchanged = rng.uniform(*EXCHANGED_SHARE) * counts.total(), []
    for term in material.terms[number]:
        if sum(counts[word] for word in exchanged) < wanted:
            exchanged.append(term)
    foreign = sorted({term for terms in material.terms for term in terms} - set(counts))
    foreign = foreign if len(foreign) >= 2 * len(exchanged) else sorted(material.rare_words - set(counts))
    chosen = rng.sample(foreign, 2 * len(exchanged))
    return [dict(zip(exchanged, chosen[::2])), dict(zip(exchanged, chosen[1::2]))]


def own_paragraphs(rng, material, width, least_sentences, most_sentences):
    """Text that only one page has, at least this wide."""
    paragraphs = []
    while sum(sample_articles.width(paragraph) for paragraph in paragraphs) < width:
        paragraphs.append(material.prose.paragraph(rng, least_sentences, most_sentences))
    return paragraphs


def subject(rng, material, number):
    """Functions or sections of one manual: the subject is exchanged throughout, and each has some text of
    its own."""
    text, language = material.texts[number], material.language
    width = sample_articles.width("".join(text.paragraphs))
    if not material.terms[number]:
        return [], ""
    drafts, others = [], other_subjects(rng, material, number)
    for replacements in [{}, *others]:
        said = functools.partial(text_exchanges.exchange, language, replacements)
        term = said(material.terms[number][0])
        paragraphs = [said(paragraph) for paragraph in text.paragraphs]
        place = rng.randint(1, len(paragraphs))
        paragraphs[place:place] = own_paragraphs(rng, material, width * rng.uniform(*OWN_SHARE), 1, 3)
        drafts.append(Draft(term, f"{term} - {said(text.title)}", paragraphs))
    return drafts, ", ".join(f"{word} → {other}" for word, other in others[0].items())


def release_notes(rng, material, number):
    """Release notes: a preamble and remarks about upgrading that name the version, then the changes, some of which
    were in the release before."""
    text = material.texts[number]
    product, major = (material.terms[number] or [text.title])[0].capitalize(), rng.randint(2, 19)
    fixed = text.paragraphs[: rng.randint(2, 4)]
    width = sample_articles.width("".join(fixed))
    drafts, before = [], []
    for minor in range(rng.randint(1, 9), 99)[:3]:
        version, date = f"{major}.{minor}", f"20{rng.randint(10, 24)}-0{rng.randint(1, 9)}-{rng.randint(10, 28)}"
        marked = [text_exchanges.with_mark(rng, material.language, paragraph, version) for paragraph in fixed]
        changes = own_paragraphs(rng, material, width * rng.uniform(0.3, 1.2), 1, 1)
        changes += before[: len(before) // 5]
        before = changes
        drafts.append(
            Draft(
                f"release-{version}",
                f"{product} {version}",
                [f"{product} {version}, {date}", marked[0], *changes, *marked[1:]],
            )
        )
    return drafts, f"{drafts[0].title}, {drafts[1].title}"


def column(rng, material, number):
    """Issues of a column: a greeting, the author and where to send letters, around the text of this issue."""
    text, name = material.texts[number], material.prose.phrase(rng, 2, 4)
    fixed = text.paragraphs[: rng.randint(2, 4)]
    width = sample_articles.width("".join(fixed))
    drafts, year, first = [], rng.randint(2010, 2024), rng.randint(1, 49)
    for week in range(first, first + 3):
        own = own_paragraphs(rng, material, width * rng.uniform(0.5, 1.5), 3, 5)
        drafts.append(Draft(f"{year}-{week}", f"{name} {week}/{year}", fixed[:1] + own + fixed[1:]))
    return drafts, f"issues of {name}"


# Filled templates.


def filled(slots_of_sentence, named):
    """A maker: four pages with the same text around different values; `named`: each contains its own name."""

    def make(rng, material, number):
        prose = material.prose
        kept = material.texts[number].paragraphs[: rng.randint(3, LEAST_PARAGRAPHS)]
        template = text_exchanges.template_of(rng, material.language, kept, slots_of_sentence)
        drafts = []
        for page in range(4):
            entity = text_exchanges.invented_name(rng, prose) if named else prose.phrase(rng, 1, 3)
            paragraphs = text_exchanges.fill(rng, prose, template, entity)
            if rng.random() < 0.5:
                paragraphs.append(prose.sentence(rng).strip())
            drafts.append(Draft(f"{page}-{entity}", entity, paragraphs))
        return drafts, f"{drafts[0].title}, {drafts[1].title}"

    return make


def name_slots(rng, words):
    return rng.choice(([text_exchanges.ENTITY, text_exchanges.NAME], [text_exchanges.ENTITY], [text_exchanges.NAME]))


def numeral_slots(rng, words):
    return [text_exchanges.NUMERAL] * rng.randint(1, 3)


def word_slots(rng, words):
    return [text_exchanges.PLAIN] * (words // 8)


# Editions.


def edition(edit):
    """A maker: the article and an edition of it by `edit(rng, material, paragraphs)`."""

    def make(rng, material, number):
        text = material.texts[number]
        # One only: two editions may differ more from each other than from the article, and which of them it joins
        # would depend on the order.
        return [
            Draft("article", text.title, text.paragraphs),
            Draft("edition", text.title, edit(rng, material, text.paragraphs)),
        ], text.title

    return make


def dated(rng, material, number):
    """The page in two releases of a manual: its date and version, and three typing errors."""
    text, language = material.texts[number], material.language
    chance = rng.getrandbits(64)
    drafts = []
    for version in range(first := rng.randint(9, 15), first + 2):
        same = random.Random(chance)  # the version stands in the same places
        paragraphs = [
            text_exchanges.with_mark(same, language, paragraph, str(version)) if same.random() < 0.4 else paragraph
            for paragraph in text.paragraphs
        ]
        paragraphs = text_exchanges.with_typing_errors(rng, language, paragraphs, 3 if drafts else 0)
        drafts.append(
            Draft(
                f"{version}",
                f"{text.title} {version}",
                [f"{version}, {2000 + version}-05-{rng.randint(10, 28)}", *paragraphs],
            )
        )
    return drafts, text.title


def reworded(rng, material, paragraphs):
    return text_exchanges.reworded(rng, material.prose, paragraphs, rng.uniform(0.01, 0.08))


def by_paragraphs(edit):
    """An edit of text_edits.py that leaves enough of the text."""

    def edited(rng, material, paragraphs):
        original = [text_edits.Paragraph.original(text) for text in paragraphs]
        while True:
            drawn = edit(rng, original, material.prose)
            if text_edits.resemblance(original, drawn)[0] >= LEAST_KEPT:
                return [paragraph.text for paragraph in drawn]

    return edited


def revised(rng, material, paragraphs):
    """Extended, reordered and reworded."""
    for edit in (by_paragraphs(text_edits.add), by_paragraphs(text_edits.reorder), reworded):
        paragraphs = edit(rng, material, paragraphs)
    return paragraphs


@dataclasses.dataclass(frozen=True)
class Kind:
    name: str
    label: int
    across: bool  # each page of a family on a site of its own, instead of all on one
    make: typing.Callable


def both(name, label, make):
    return [Kind(name, label, False, make), Kind(name + ", across sites", label, True, make)]


KINDS = (
    [
        Kind("subject", DIFFERENT, False, subject),
        Kind("release notes", DIFFERENT, False, release_notes),
        Kind("column", DIFFERENT, False, column),
    ]
    + both("names", DIFFERENT, filled(name_slots, True))
    + both("numbers", DIFFERENT, filled(numeral_slots, False))
    + both("words", DIFFERENT, filled(word_slots, False))
    + both("dated", SAME, dated)
    + both("reworded", SAME, edition(reworded))
    + both("extended", SAME, edition(by_paragraphs(text_edits.add)))
    + both("shortened", SAME, edition(by_paragraphs(text_edits.delete)))
    + both("reordered", SAME, edition(by_paragraphs(text_edits.reorder)))
    + both("revised", SAME, edition(revised))
)


def folder_of(kind):
    return kind.name.replace(", ", "-").replace(" ", "-")


def make_kind(kind, materials, seed=SEED):
    """(pages in the order of a crawl, pairs) of one kind."""
    pages, pairs = [], []
    for material in materials:
        rng = random.Random(f"{seed} {kind.name} {material.language}")
        homes = max(1, len(material.texts) // FAMILIES_OF_SITE)
        for number in range(len(material.texts)):
            drafts, exchanged = kind.make(rng, material, number)
            urls = []
            for n, draft in enumerate(drafts):
                site = material.sites[n if kind.across else number % homes]
                url = f"http://{site.host}/{number}/{n}/{urllib.parse.quote(draft.slug)}.html"
                body = site.page(rng, draft.title, [html.escape(paragraph) for paragraph in draft.paragraphs], "utf-8")
                pages.append(Page(url, body.encode()))
                urls.append(url)
            why = f"{kind.name} ({material.language}): {exchanged}"
            pairs += [judged.JudgedPair(a, b, kind.label, kind.label, why) for a, b in itertools.combinations(urls, 2)]
    random.Random(f"{seed} order {kind.name}").shuffle(pages)
    return pages, pairs


def read_materials(seed=SEED):
    articles = sample_articles.read_articles() + sample_articles.read_articles(
        judged.DATA / "pages.warc.gz", JUDGED_HOSTS
    )
    return [
        Material(
            language, [article for article in articles if article.language == language and article.paragraphs], seed
        )
        for language in LANGUAGES
    ]


def write_pairs(path, pairs):
    rows = [f"{pair.a}\t{pair.b}\t{pair.first}\t{pair.second}\t{pair.why}\n" for pair in pairs]
    path.write_text("url_a\turl_b\tfirst\tsecond\twhy\n" + "".join(rows), encoding="utf-8")


def write_kind(folder, pages, pairs):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pages.warc.gz").write_bytes(b"".join(reframe.warc_record(page) for page in pages))
    write_pairs(folder / "pairs.tsv", pairs)


def generate(out, seed=SEED):
    """Writes all kinds; returns {kind: folder}."""
    materials, folders = read_materials(seed), {}
    for kind in KINDS:
        folders[kind] = pathlib.Path(out) / folder_of(kind)
        write_kind(folders[kind], *make_kind(kind, materials, seed))
    return folders


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    for kind, folder in generate(arguments.out, arguments.seed).items():
        print(f"{kind.name}: {len(judged.read_pairs(folder / 'pairs.tsv'))} pairs in {folder}")


if __name__ == "__main__":
    main()
