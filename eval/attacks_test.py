#!/usr/bin/env python3
"""The pages of attacks.py: how many, of what, and the same bytes again."""
import pathlib
import tempfile
import unittest

import attacks
import page_differences
import sample_articles
import text_exchanges

PAGES = {  # of an attack, against one victim
    "no attack": 0,
    "six pages on three domains": 6,
    "eight pages with nine tenths of the sentences": 8,
    "three pages of the victim's host": 3,
    "ten pages of the victim's host": 10,
    "a thousand pages of the attacker's host": 1000,
    "a thousand pages of the victim's host": 1000,
    "no attack, text that a script shows": 0,
}
MOST_PAGES = 10  # of an attack that is made in full here


def attack_named(name):
    return next(attack for attack in attacks.ATTACKS if attack.name == name)


class AttacksTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.articles = sample_articles.read_articles()
        cls.world = attacks.World("en", cls.articles)
        cls.victim = cls.world.victims[0]

    def made(self, attack, victim=None):
        victim = victim or self.victim
        return attack.make(self.world.rng(attack.name, victim.number), self.world, victim)

    def text(self, page):
        return page_differences.visible_text(page.body.decode())

    def shown(self, page):
        return sum(paragraph in self.text(page) for paragraph in self.victim.text.paragraphs)

    def test_so_many_pages_each_once(self):
        self.assertLessEqual(set(PAGES), {attack.name for attack in attacks.ATTACKS})
        honest = [page.url for page in self.world.honest_pages()]
        self.assertEqual(len(honest), attacks.VICTIMS * 2 * (1 + attacks.OTHER_PAGES))
        for attack in attacks.ATTACKS:
            count = PAGES.get(attack.name, 1)
            self.assertEqual(len(self.made(attack)), count, attack.name)
            if 0 < count <= MOST_PAGES:
                pages = [page.url for page in self.world.attacking_pages(attack)]
                self.assertEqual(len(pages), attacks.VICTIMS * count + attacks.OTHER_PAGES)
                self.assertEqual(len({*honest, *pages}), len(honest) + len(pages))

    def test_the_same_bytes_again(self):
        attack = attack_named("six pages on three domains")
        with tempfile.TemporaryDirectory() as folder:
            read = lambda world: [
                path.read_bytes() for path in attacks.write_archives(pathlib.Path(folder), attack, [world]).values()
            ]
            once = read(self.world)
            self.assertEqual(read(attacks.World("en", self.articles)), once)
            self.assertNotEqual(read(attacks.World("en", self.articles, 2)), once)

    def test_every_second_copy_is_reworded(self):
        self.assertIn(self.victim.text.paragraphs[1], self.text(self.victim.copy))
        other = self.world.victims[1]
        self.assertFalse(all(paragraph in self.text(other.copy) for paragraph in other.text.paragraphs))

    def test_three_words_changed(self):
        (page,) = self.made(attack_named("first come, three words changed"))
        self.assertEqual(self.shown(page), len(self.victim.text.paragraphs) - attacks.CHANGED_WORDS)

    def test_how_much_of_the_article_is_shown(self):
        whole = len(self.victim.text.paragraphs)
        for name in PAGES:
            for page in self.made(attack_named(name))[:MOST_PAGES] if "sentences" not in name else ():
                self.assertEqual(self.shown(page), whole, name)
        self.assertEqual(self.shown(*self.made(attack_named("digest of six articles"))), whole)
        self.assertEqual(self.shown(*self.made(attack_named("page of eight teasers"))), 1)
        self.assertEqual(self.shown(*self.made(attack_named("text hidden by a style sheet"))), whole)

    def test_sentences_among_others(self):
        sentences = [s for paragraph in self.victim.text.paragraphs for s in text_exchanges.sentences_of(paragraph)]
        for page in self.made(attack_named("eight pages with nine tenths of the sentences")):
            text = self.text(page)
            self.assertGreaterEqual(sum(s in text for s in sentences), attacks.KEPT_SENTENCES * len(sentences) - 1)
            self.assertLess(sum(map(len, sentences)), len(text) / 2)

    def test_a_notice_that_the_victim_shows(self):
        (page,) = self.made(attack_named("notice alone"))
        self.assertIn(self.victim.site.notice, self.text(page))
        self.assertIn(self.victim.site.notice, self.text(self.victim.page))
        self.assertEqual(self.shown(page), 0)

    def test_each_way_of_hiding(self):
        hidden = attack_named("text hidden in the mark-up")
        for victim, way in zip(self.world.victims, attacks.HIDDEN):
            (page,) = self.made(hidden, victim)
            self.assertIn(way.partition("{}")[0].encode(), page.body)

    def test_text_that_a_script_shows(self):
        world = attacks.World("en", self.articles, shown_by_script=True)
        begin = attacks.HIDDEN[0].partition("{}")[0].encode()
        for page in world.honest_pages():
            self.assertEqual(begin in page.body, "-mirror-" not in page.url, page.url)


if __name__ == "__main__":
    unittest.main()
