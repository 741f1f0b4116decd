#!/usr/bin/env python3
"""The invented sites: that their pages are what their kind says, labels on pages that are judged by hand, and what the
gate calls a broken promise."""
import collections
import pathlib
import tempfile
import types
import unittest

import crawled_sites
import decided_pairs
import frames
import invented_sites
import judged
import page_differences
import site_contents as contents
import site_runs

OLD, NEW, OTHER = (types.SimpleNamespace(renewed=is_new) for is_new in (False, True, False))


def content(kind, document, entries=(), title=""):
    return contents.Content(kind, document, title, (), frozenset(entries))


def page(path, what, frame=OLD, copy="", host="a.example"):
    return crawled_sites.Page(f"http://{host}/{path}", what, frame, copy)


class LabelTest(unittest.TestCase):
    ONE, TWO, THREE = (page(name, content(contents.POST, name)) for name in ("one", "two", "three"))
    LIST = page("list", content(contents.LIST, "list", ("one", "two"), "News"))

    def kind(self, a, b):
        self.assertEqual(invented_sites.different_kind(a, b), invented_sites.different_kind(b, a))
        return invented_sites.different_kind(a, b)

    def test_posts(self):
        renewed = [page(name, content(contents.POST, name), NEW) for name in ("four", "five")]
        self.assertEqual(self.kind(self.ONE, self.TWO), "other post")
        self.assertEqual(self.kind(self.ONE, renewed[0]), "other post, across the renewal")
        self.assertEqual(self.kind(*renewed), "other post, renewed template")

    def test_the_same_document_is_not_different(self):
        self.assertIsNone(self.kind(self.ONE, page("?p=1", content(contents.POST, "one"))))

    def test_pairs_are_of_one_site_and_of_no_copies(self):
        self.assertIsNone(self.kind(self.ONE, page("two", self.TWO.content, host="b.example")))
        self.assertIsNone(self.kind(self.ONE, page("?p=2", self.TWO.content, copy=crawled_sites.OTHER_PATH)))

    def test_a_post_and_a_list_that_has_it(self):
        self.assertEqual(self.kind(self.ONE, self.LIST), "post and list")
        self.assertIsNone(self.kind(self.THREE, self.LIST))
        whole = page("all", content(contents.WHOLE, "all", ("one",)))
        self.assertEqual(self.kind(self.ONE, whole), "post and page of posts")

    def test_lists_that_share_entries_are_not_judged(self):
        following = page("list/2", content(contents.LIST, "list 2", ("three",), "News"))
        tag = page("tag", content(contents.LIST, "tag", ("three", "four"), "Tag"))
        mixed = page("mixed", content(contents.LIST, "mixed", ("two", "three"), "Mixed"))
        self.assertEqual(self.kind(self.LIST, following), "next page of a list")
        self.assertEqual(self.kind(self.LIST, tag), "other list")
        self.assertIsNone(self.kind(self.LIST, mixed))
        self.assertFalse(invented_sites.certainly_different(self.LIST.content, mixed.content))

    def test_notices_and_records(self):
        notices = [page(name, content(contents.NOTICE, name)) for name in ("login", "error")]
        records = [page(name, content(contents.PROFILE, name)) for name in ("p1", "p2")]
        self.assertEqual(self.kind(self.ONE, notices[0]), "post and notice")
        self.assertEqual(self.kind(*notices), "other notice")
        self.assertEqual(self.kind(*records), "other profile")
        self.assertIsNone(self.kind(notices[0], records[0]))

    def test_each_copy_with_the_page_itself(self):
        copy = page("?p=1", content(contents.POST, "one"), copy=crawled_sites.OTHER_PATH)
        self.assertEqual(
            invented_sites.same_pairs([copy, self.TWO, self.ONE]),
            [(crawled_sites.OTHER_PATH, invented_sites.SAME, self.ONE, copy)],
        )

    def test_beside_another_document(self):
        pages = [self.ONE, self.TWO, self.THREE, page("?p=3", self.THREE.content)]
        groups = dict(zip((page.url for page in pages), "1122"))
        self.assertEqual(list(site_runs.beside_others(pages, groups.get).values()), [True, True, False, False])


class PromiseTest(unittest.TestCase):
    FIRST = {"a": (1, 1), "b": (2, 2)}

    def broken(self, later, told, last=None):
        return list(site_runs.broken_promises([self.FIRST, later, last or later], told))

    def test_kept(self):
        self.assertEqual(self.broken(self.FIRST, set()), [])
        self.assertEqual(self.broken({"a": (1, 1), "b": (3, 1)}, {(3, 1)}), [])
        self.assertEqual(self.broken(self.FIRST | {"c": (3, 3)}, set()), [])

    def test_moved_without_an_event(self):
        self.assertEqual(
            self.broken({"a": (1, 1), "b": (3, 1)}, {(3, 2)}), ["b: moved from group 2 to 1 without an event"]
        )

    def test_moved_for_nothing(self):
        self.assertEqual(
            self.broken(self.FIRST, {(3, 1)}, {"a": (1, 1), "b": (3, 1)}),
            ["b: moved although nothing had changed twice"],
        )


class SitesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.materials = decided_pairs.read_materials()
        cls.sites = [crawled_sites.Sites(material, 1) for material in cls.materials]

    def text(self, page):
        return page_differences.visible_text(page.body().decode())

    def test_so_many_pages_each_once(self):
        for sites in self.sites:
            first = sites.before + sites.after
            self.assertTrue(150 <= len(first) <= 200, len(first))
            self.assertEqual(len({page.url for page in first}), len(first))
            self.assertEqual({page.url for page in first}, set(sites.fetches))
            self.assertEqual(len(sites.again), len(first) + len(range(crawled_sites.POSTS[0])[crawled_sites.EDITED]))

    def test_each_kind_in_each_language(self):
        kinds = []
        for sites in self.sites:
            pairs = invented_sites.pairs_of_first(sites) + invented_sites.pairs_of_again(sites)
            counts = collections.Counter((invented_sites.kind_of(pair), pair.first) for pair in pairs)
            self.assertGreaterEqual(min(counts.values()), 4)
            self.assertLessEqual(max(counts.values()), invented_sites.MOST_PAIRS)
            kinds.append(set(counts))
        self.assertEqual(len(kinds), len(decided_pairs.LANGUAGES))
        self.assertEqual({frozenset(of_language) for of_language in kinds}, {frozenset(kinds[0])})
        self.assertEqual(len(kinds[0]), 20)

    def test_a_renewed_template_has_another_menu_and_the_same_host(self):
        for sites in self.sites:
            posts = [page for page in sites.before + sites.after if page.content.kind == contents.POST and page.frame]
            old, new = (
                next(page for page in posts if page.frame.number == number and not page.copy) for number in (0, 3)
            )
            self.assertEqual(old.host, new.host)
            self.assertTrue(set(old.frame.network.menu).isdisjoint(new.frame.network.menu))
            self.assertIn(frames.listed(old.frame.network.menu)[:-5], old.body().decode())
            self.assertNotIn(frames.listed(old.frame.network.menu)[:-5], new.body().decode())

    def test_posts_show_the_notice_of_which_another_page_consists(self):
        for sites in self.sites:
            consents = [page for page in sites.after if "/consent" in page.url]
            self.assertEqual(len(consents), 6)
            for consent in consents:
                frame = next(page.frame for page in sites.after if page.host == consent.host and page.frame)
                shown = next(page for page in sites.after if page.frame is frame)
                self.assertIn(frame.notice, self.text(consent))
                self.assertIn(frame.notice, self.text(shown))

    def test_an_edit_is_seen_under_all_paths_but_on_no_other_site(self):
        for sites in self.sites:
            first = {page.url: page for page in sites.before + sites.after}
            for page in sites.again:
                before, change = first.get(page.url), sites.fetches.get(page.url)
                if change == crawled_sites.UNCHANGED:
                    self.assertEqual(page.body(), before.body())
                elif change == crawled_sites.EDIT:
                    self.assertNotEqual(page.content, before.content)
                    self.assertEqual(page.host, f"{sites.language}-site-0.example")
                elif before:
                    self.assertEqual(page.content, before.content)
                    self.assertNotEqual(page.body(), before.body())
                else:
                    self.assertEqual(page.copy, crawled_sites.COPY_OF_EDIT)

    def test_a_list_in_another_order_has_the_same_entries(self):
        for sites in self.sites:
            pages = {page.content.document: page for page in sites.after if not page.copy}
            for page in sites.after:
                if page.copy == crawled_sites.REORDERED:
                    itself = pages[page.content.document].content.parts
                    self.assertNotEqual(page.content.parts, itself)
                    self.assertEqual(sorted(page.content.parts), sorted(itself))

    def test_the_same_bytes_again(self):
        bodies = lambda sites: [(page.url, page.body()) for page in sites.before + sites.after + sites.again]
        material = decided_pairs.read_materials()[0]
        self.assertEqual(bodies(crawled_sites.Sites(material, 1)), bodies(self.sites[0]))
        self.assertNotEqual(bodies(crawled_sites.Sites(material, 2)), bodies(self.sites[0]))

    def test_judged_reads_what_is_written(self):
        sites = self.sites[0]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            invented_sites.write_sites(folder, sites)
            self.assertEqual(judged.read_pairs(folder / "first.tsv"), invented_sites.pairs_of_first(sites))
            self.assertEqual(judged.read_pairs(folder / "again.tsv"), invented_sites.pairs_of_again(sites))
            for name, pages in (("first", sites.before + sites.after), ("again", sites.again)):
                bodies = page_differences.archived_bodies([folder / f"{name}.warc.gz"], [page.url for page in pages])
                self.assertEqual(
                    {url: body for url, (_, body) in bodies.items()}, {page.url: page.body() for page in pages}
                )


if __name__ == "__main__":
    unittest.main()
