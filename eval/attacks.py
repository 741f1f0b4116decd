#!/usr/bin/env python3
"""attacks.py NDC...: what a stranger can do to a page by publishing others, measured for docs/security.md.

Each victim is an article of data/sample on a site of its own, among a dozen other pages, with an honest copy on another
site; every second copy is reworded. One attack at a time adds the stranger's pages, before all others or behind them,
and `ndc dedup --keep first` decides. Of the victims, in percent, the attacker's pages first / last:

left out: another page than the victim or its honest copy is kept in its place;
kept apart: the victim and its honest copy are in different groups.
"""
import argparse
import dataclasses
import html
import pathlib
import random
import tempfile
import typing

import decided_pairs
import frames
import reframe
import sample_articles
import site_runs
import text_exchanges

SEED = 1
LANGUAGES = ("en", "zh")
VICTIMS = 12  # of a language; the other texts of data/sample fill digests
OTHER_PAGES = 12  # of each honest site, and of the attacker's
CHANGED_WORDS = 3
DIGEST_TEXTS = 5
TEASERS = 8
FRAME_DOMAINS, FRAME_PAGES = 3, 2
KEY_PAGES = 8  # as many as `x_verifications_limit`
KEPT_SENTENCES = 0.9  # of the victim's, on such a page
REWORDED = 0.04  # words of an honest copy
HIDDEN = (  # the text stands in place of {}
    '<div style="display:none">{}</div>',
    "<div hidden>{}</div>",
    "<noscript>{}</noscript>",
    '<div aria-hidden="true">{}</div>',
)
HIDDEN_BY_SHEET = '<style>.later{{display:none}}</style><div class="later">{}</div>'
ORDERS = ("first", "last")


@dataclasses.dataclass(frozen=True)
class Victim:
    number: int
    text: decided_pairs.Text
    site: frames.Site
    page: decided_pairs.Page
    copy: decided_pairs.Page
    others: list  # the other pages of both sites


class World:
    """The victims of one language; shown_by_script: their sites hide all text that is not of the frame."""

    def __init__(self, language, articles, seed=SEED, shown_by_script=False):
        self.language, self.seed = language, seed
        self.articles = [article for article in articles if article.language == language and article.paragraphs]
        self.material = decided_pairs.Material(language, self.articles, seed)
        self.prose = self.material.prose
        self.shown_by_script = shown_by_script
        self.attacker = self.site("attacker", 0)
        self.other_texts = self.material.texts[VICTIMS:]
        self.victims = [self.victim(number, text) for number, text in enumerate(self.material.texts[:VICTIMS])]

    def site(self, role, number):
        site = frames.Site(f"{role} {number}", self.language, self.prose, self.articles, self.seed)
        site.name = site.host = f"{self.language}-{role}-{number}.example"
        site.notice = site.notice or site.network.notice
        return site

    def rng(self, *names):
        return random.Random(" ".join(map(str, (self.seed, self.language, *names))))

    def victim(self, number, text):
        rng, site, mirror = self.rng("victim", number), self.site("victim", number), self.site("mirror", number)
        copied = text.paragraphs
        if number % 2:
            copied = text_exchanges.reworded(rng, self.prose, copied, REWORDED)
        hidden = HIDDEN[0] if self.shown_by_script else "{}"
        return Victim(
            number,
            text,
            site,
            page_of(rng, site, "article", text.title, text.paragraphs, hidden),
            page_of(rng, mirror, "article", text.title, copied),
            self.invented_pages(rng, site, hidden) + self.invented_pages(rng, mirror),
        )

    def other_paragraphs(self, rng, width):
        return decided_pairs.own_paragraphs(rng, self.material, width, 3, 5)

    def invented_pages(self, rng, site, hidden="{}"):
        pages = []
        for n in range(OTHER_PAGES):
            paragraphs = self.other_paragraphs(rng, rng.randint(*decided_pairs.TEXT_WIDTH))
            pages.append(page_of(rng, site, f"other-{n}", self.prose.phrase(rng, 3, 8), paragraphs, hidden))
        return pages

    def honest_pages(self):
        pages = [page for victim in self.victims for page in (victim.page, victim.copy, *victim.others)]
        self.rng("order").shuffle(pages)
        return pages

    def attacking_pages(self, attack):
        pages = []
        for victim in self.victims:
            pages += attack.make(self.rng(attack.name, victim.number), self, victim)
        if pages:
            pages += self.invented_pages(self.rng("attacker"), self.attacker)
        self.rng("order", attack.name).shuffle(pages)
        return pages


def page_of(rng, site, name, title, paragraphs, hidden="{}"):
    """Its paragraphs, as HTML, within `hidden`."""
    parts = [html.escape(paragraph) for paragraph in paragraphs]
    if hidden != "{}":
        parts = [hidden.format("".join(f"<p>{part}</p>" for part in parts))]
    return decided_pairs.Page(f"http://{site.host}/{name}.html", site.page(rng, title, parts, "utf-8").encode())


# Each attack, `make(rng, world, victim)`, returns the stranger's pages against one victim.


def none(rng, world, victim):
    return []


def first_come(rng, world, victim):
    paragraphs, title = list(victim.text.paragraphs), victim.text.title
    pattern = text_exchanges.word_pattern(world.language)
    with_words = [at for at, paragraph in enumerate(paragraphs) if pattern.search(paragraph)]
    for at in rng.sample(with_words, CHANGED_WORDS):
        found = rng.choice(list(pattern.finditer(paragraphs[at])))
        word = text_exchanges.value(rng, world.prose, text_exchanges.PLAIN)
        paragraphs[at] = paragraphs[at][: found.start()] + word + paragraphs[at][found.end() :]
    return [page_of(rng, world.attacker, f"a{victim.number}", title, paragraphs)]


def digest(rng, world, victim):
    texts = [*rng.sample(world.other_texts, DIGEST_TEXTS), victim.text]
    rng.shuffle(texts)
    paragraphs = [paragraph for text in texts for paragraph in (text.title, *text.paragraphs)]
    return [page_of(rng, world.attacker, f"a{victim.number}", world.prose.phrase(rng, 3, 6), paragraphs)]


def teasers(rng, world, victim):
    texts = [*rng.sample(world.other_texts, TEASERS - 1), victim.text]
    rng.shuffle(texts)
    paragraphs = [f"{text.title}: {text.paragraphs[0]}" for text in texts]
    return [page_of(rng, world.attacker, f"a{victim.number}", world.prose.phrase(rng, 3, 6), paragraphs)]


def notice(rng, world, victim):
    """What the victim's site shows on each of its pages, and nothing around it."""
    body = f"<!DOCTYPE html><title>{html.escape(victim.text.title)}</title><p>{html.escape(victim.site.notice)}</p>"
    return [decided_pairs.Page(f"http://{world.attacker.host}/a{victim.number}.html", body.encode())]


def behind(*ways):
    """A maker: a paragraph is seen, and the article is there in one of these ways."""

    def make(rng, world, victim):
        kept = "".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in victim.text.paragraphs)
        parts = [html.escape(world.prose.paragraph(rng, 3, 5)), ways[victim.number % len(ways)].format(kept)]
        body = world.attacker.page(rng, victim.text.title, parts, "utf-8")
        return [decided_pairs.Page(f"http://{world.attacker.host}/a{victim.number}.html", body.encode())]

    return make


def framed(rng, world, victim):
    """As a part of a page template: beside another article on each page."""
    pages = []
    for domain in range(FRAME_DOMAINS):
        site = world.site("frame", f"{victim.number}-{domain}")
        site.legal = victim.text.paragraphs
        for n in range(FRAME_PAGES):
            own = world.other_paragraphs(rng, rng.randint(*decided_pairs.TEXT_WIDTH))
            pages.append(page_of(rng, site, f"a{n}", world.prose.phrase(rng, 3, 8), own))
    return pages


def keys(rng, world, victim):
    """Most of the victim's sentences, each between two invented ones, and other text behind them."""
    sentences = [s for paragraph in victim.text.paragraphs for s in text_exchanges.sentences_of(paragraph)]
    pages = []
    for n in range(KEY_PAGES):
        kept = rng.sample(sentences, max(1, round(KEPT_SENTENCES * len(sentences))))
        paragraphs = [
            text_exchanges.joined(world.language, (world.prose.sentence(rng), sentence, world.prose.sentence(rng)))
            for sentence in kept
        ]
        paragraphs += world.other_paragraphs(rng, sample_articles.width("".join(victim.text.paragraphs)) / 2)
        title = world.prose.phrase(rng, 3, 8)
        pages.append(page_of(rng, world.attacker, f"a{victim.number}-{n}", title, paragraphs))
    return pages


def quoting(count, at_home):
    """A maker: so many pages of comments, each with the whole article above."""

    def make(rng, world, victim):
        site = victim.site if at_home else world.site("quoting", victim.number)
        pages = []
        for n in range(count):
            paragraphs = [*victim.text.paragraphs, world.prose.paragraph(rng, 2, 4)]
            pages.append(page_of(rng, site, f"comments/{n}", f"{victim.text.title} ({n + 1})", paragraphs))
        return pages

    return make


@dataclasses.dataclass(frozen=True)
class Attack:
    name: str
    make: typing.Callable
    shown_by_script: bool = False


ATTACKS = (
    Attack("no attack", none),
    Attack("first come, three words changed", first_come),
    Attack("digest of six articles", digest),
    Attack("page of eight teasers", teasers),
    Attack("notice alone", notice),
    Attack("text hidden in the mark-up", behind(*HIDDEN)),
    Attack("text hidden by a style sheet", behind(HIDDEN_BY_SHEET)),
    Attack("six pages on three domains", framed),
    Attack("eight pages with nine tenths of the sentences", keys),
    Attack("a thousand pages of the attacker's host", quoting(1000, False)),
    Attack("three pages of the victim's host", quoting(3, True)),
    Attack("ten pages of the victim's host", quoting(10, True)),
    Attack("a thousand pages of the victim's host", quoting(1000, True)),
    Attack("no attack, text that a script shows", none, True),
)


def write_archives(folder, attack, worlds):
    """{order: archive}"""
    honest = b"".join(reframe.warc_record(page) for world in worlds for page in world.honest_pages())
    attacking = b"".join(reframe.warc_record(page) for world in worlds for page in world.attacking_pages(attack))
    archives = {order: pathlib.Path(folder) / f"{order}.warc.gz" for order in ORDERS}
    archives["first"].write_bytes(attacking + honest)
    archives["last"].write_bytes(honest + attacking)
    return archives


def outcome(ndc, archive, victims):
    """(share left out, share kept apart)"""
    rows = site_runs.json_lines(ndc, "dedup", archive, "--format", "jsonl", "--keep", "first")
    pages = {row["url"]: row for row in rows}
    left_out = apart = 0
    for victim in victims:
        page, copy = pages[victim.page.url], pages[victim.copy.url]
        left_out += page["kept"] not in (victim.page.url, victim.copy.url)
        apart += page["group_id"] != copy["group_id"]
    return left_out / len(victims), apart / len(victims)


def worlds_of(shown_by_script=False, seed=SEED):
    articles = sample_articles.read_articles()
    return [World(language, articles, seed, shown_by_script) for language in LANGUAGES]


def measure(ndcs, attack, worlds):
    """[(left out, kept apart) of each program], each a percentage, the attacker's pages first / last."""
    victims = [victim for world in worlds for victim in world.victims]
    with tempfile.TemporaryDirectory(prefix="attacks-") as folder:
        archives = write_archives(folder, attack, worlds)
        orders = ORDERS if attack.make is not none else ORDERS[:1]
        for ndc in ndcs:
            shares = [outcome(ndc, archives[order], victims) for order in orders]
            yield [" / ".join(f"{100 * share:.0f}" for share in of_orders) for of_orders in zip(*shares)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ndc", nargs="+")
    parser.add_argument("--only", default="", help="attacks whose name contains this")
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    worlds = {by_script: worlds_of(by_script, arguments.seed) for by_script in (False, True)}
    print("| attack |" + " left out | kept apart |" * len(arguments.ndc))
    print("|---" * (1 + 2 * len(arguments.ndc)) + "|")
    for attack in ATTACKS:
        if arguments.only in attack.name:
            cells = [attack.name]
            for of_program in measure(arguments.ndc, attack, worlds[attack.shown_by_script]):
                cells += of_program
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
