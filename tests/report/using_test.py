#!/usr/bin/env python3
"""What people meet who use the page of `ndc report`: focus, folds, undo and keys; narrow windows, colours and paper.

usage: using_test.py PATH_OF_NDC [unittest arguments]
"""
import base64
import json
import os
import re
import sys
import unittest

import report_test  # which finds the modules of tests/cli as well
from report_test import READY, SAMPLE, BrowserTest

from cli_test import Archive, article, html, response

FOCUSED = "document.activeElement"


class UsingTest(BrowserTest):
    def texts_of(self, base, changed, title="Harbour", url="http://%s.example/"):
        """A report of two pages with these texts."""
        records = [response(url % host, html(text, title)) for host, text in (("a", base), ("b", changed))]
        return self.report(self.write("in.warc", records))

    def long_texts(self):
        """One row for what is equal, one with long equal text on both sides of a change, one that begins with one."""
        base = [*article(1, 12), " ".join(article(2, 30)), *article(3, 24), " ".join(article(4, 12)), *article(5, 3)]
        changed = list(base)
        words = base[12].split(" ")
        changed[12] = " ".join([*words[:150], "something", "else", "here", *words[150:]])
        changed[36] = "What only one of them says. " + base[36]
        return self.texts_of(base, changed)

    def is_focused(self, selector):
        return self.browser.evaluate("%s === document.querySelector(%s)" % (FOCUSED, json.dumps(selector)))

    def wait_for(self, expression):
        self.browser.until(expression)
        self.browser.evaluate("new Promise(done => setTimeout(done))")  # until it is drawn to its end


class FocusTest(UsingTest):
    def test_the_focus_stays_where_it_was(self):
        self.open(self.report(SAMPLE), "#/group/0")
        focus = "document.querySelector(%s).focus()"
        chinese, pressed = "document.documentElement.lang === 'zh-CN'", "document.querySelector('[aria-pressed=true]')"
        for address, selector, key, done in (
            ("#/group/0", "tr[data-row='1'] a.title", "l", chinese),
            ("#/group/0", "tr[data-row='1'] a.title", "v", pressed + " !== null"),
            ("#/group/0/1", "h2", "x", "document.getElementById('leave-1').ariaPressed === 'true'"),
            ("#/group/0/1", ".why summary", "z", "document.getElementById('leave-1').ariaPressed === 'false'"),
            ("#/group/0/1", "tr.fold button", "l", chinese),
            ("#/review/1", "#judge-same", "l", chinese),
            ("#/groups", "tr[data-row='3'] a.title", "l", chinese),
            ("#/", ".picture:nth-child(2) a", "l", chinese),
        ):
            self.go(address)
            self.browser.evaluate("ndcReport.language === 'en' || ndcReport.switchLanguage()")
            self.browser.until("document.querySelector(%s) !== null" % json.dumps(selector))
            self.browser.evaluate(focus % json.dumps(selector))
            self.browser.press(key)
            self.wait_for(done)
            with self.subTest((address, selector)):
                self.assertTrue(self.is_focused(selector))
        # A change, which has no name.
        self.go("#/group/0/1")
        self.browser.press("n", "n", "x")
        self.wait_for("document.getElementById('leave-1').ariaPressed === 'true'")
        self.assertTrue(self.browser.evaluate("document.querySelectorAll('tr.change')[1] === " + FOCUSED))
        # What cannot be pressed any more leaves it in the page.
        self.open(self.folder / "report", "#/group/0/1")
        self.browser.press("v")
        self.wait_for("!document.getElementById('undo').disabled")
        self.browser.evaluate("document.getElementById('undo').focus()")
        self.browser.press("Enter")
        self.wait_for("document.getElementById('undo').disabled")
        self.assertTrue(self.is_focused("main"))

    def test_what_was_opened_stays_open(self):
        self.open(self.long_texts(), "#/group/0/1")
        folds = self.count("tr.fold"), self.count(".inner")
        self.assertGreater(min(folds), 1)
        for fold in (".why summary", ".side:nth-child(2) summary", "tr.fold button", ".inner"):
            self.browser.evaluate("document.querySelector(%s).click()" % json.dumps(fold))
        shown = self.text(".texts")
        self.assertEqual(self.count("tr.fold"), folds[0] - 1)
        self.assertEqual(self.count(".inner"), folds[1] - 2)  # in both cells
        self.browser.press("v")
        self.wait_for("document.getElementById('keep-1').ariaPressed === 'true'")
        self.assertEqual(self.text(".texts"), shown)
        self.assertEqual(
            self.browser.evaluate("[...document.querySelectorAll('details')].map((each) => each.open)"),
            [False, True, True],
        )
        # What was closed again stays closed, and another view begins folded.
        self.browser.evaluate("document.querySelector('.why summary').click()")
        self.browser.press("v")
        self.wait_for("document.getElementById('keep-1').ariaPressed === 'false'")
        self.assertFalse(self.browser.evaluate("document.querySelector('.why details').open"))
        self.go("#/group/0")
        self.go("#/group/0/1")
        self.assertEqual((self.count("tr.fold"), self.count(".inner")), folds)

    def test_a_fold_gives_its_focus_to_what_it_held(self):
        self.open(self.long_texts(), "#/group/0/1")
        for fold, held in (("tr.fold button", "TR"), (".inner", "SPAN")):
            self.browser.evaluate("document.querySelector(%s).focus()" % json.dumps(fold))
            self.browser.press("Enter")
            self.assertEqual(self.browser.evaluate(FOCUSED + ".tagName"), held)

    def test_both_sides_fold_alike(self):
        self.open(self.long_texts(), "#/group/0/1")
        left, right = (self.texts(".change td:nth-child(%d) .inner" % side) for side in (1, 2))
        self.assertGreater(len(left), 2)
        self.assertEqual(left, right)

    def test_one_undo_for_all_that_was_said(self):
        self.open(self.report(SAMPLE), "#/group/0/1")
        self.browser.press("v")
        self.wait_for("ndcReport.decisionOf(1) === 'keep'")
        self.go("#/review/2")
        self.browser.press("s")
        self.browser.until(READY + "'#/review/3'")
        self.browser.press("d")
        self.browser.until(READY + "'#/review/4'")
        self.browser.evaluate(
            "window.confirm = (text) => { window.asked = text; return true; };"
            "document.querySelector('.progress button:nth-of-type(2)').click()"
        )
        self.assertEqual(self.browser.evaluate("window.asked"), "Forget 2 judgements?")
        self.wait_for("ndcReport.judgements.size === 0")
        self.browser.evaluate("document.getElementById('undo').click()")
        self.wait_for("ndcReport.judgements.size === 2")
        # Back to where each was said.
        for address, left in (("#/review/3", 1), ("#/review/2", 0)):
            self.browser.press("z")
            self.browser.until(READY + json.dumps(address))
            self.assertEqual(self.browser.evaluate("ndcReport.judgements.size"), left)
        self.assertEqual(self.browser.evaluate("ndcReport.decisionOf(1)"), "keep")
        self.browser.evaluate("document.getElementById('undo').click()")
        self.browser.until(READY + "'#/group/0/1'")
        self.assertIsNone(self.browser.evaluate("ndcReport.decisionOf(1)"))
        self.assertTrue(self.browser.evaluate("document.getElementById('undo').disabled"))
        # And so it is kept.
        self.assertEqual(self.browser.evaluate("Object.values(localStorage).filter((each) => each === '[]').length"), 2)

    def test_the_next_change_is_found_where_no_row_is_drawn_yet(self):
        base = [" ".join(article(seed, 2)) for seed in range(900)]  # three of them are a block
        changed = [text + (" changed here" if i % 9 == 0 else "") for i, text in enumerate(base)]
        self.open(self.texts_of(base, changed), "#/group/0/1")
        drawn = self.count("tr.change")
        changes = int(self.text("#changes").split()[0])
        self.assertLess(drawn, changes)
        for _ in range(drawn + 2):
            self.browser.press("n")
        self.assertTrue(
            self.browser.evaluate("document.querySelectorAll('tr.change')[%d] === %s" % (drawn + 1, FOCUSED))
        )
        self.browser.press("v")  # which draws no fewer rows
        self.wait_for("document.getElementById('keep-1').ariaPressed === 'true'")
        self.assertEqual(self.count("tr.change"), changes)

    def test_keys_reach_the_representative(self):
        self.open(self.report(SAMPLE), "#/group/0")
        self.browser.press("j")
        self.assertTrue(self.is_focused("tr[data-row='0'] .title"))
        self.browser.press("x")
        self.wait_for("document.getElementById('leave-0').ariaPressed === 'true'")
        self.browser.press("j")
        self.assertTrue(self.is_focused("tr[data-row='1'] .title"))

    def test_a_long_url_opens_when_it_is_pressed(self):
        url = "http://%s.example/" + "a-long-way/" * 40
        self.open(self.texts_of(Archive.base, Archive.changed, url=url), "#/group/0")
        height = "document.querySelector('tbody .url').offsetHeight"
        folded = self.browser.evaluate(height)
        self.browser.evaluate("document.querySelector('tbody summary').focus()")
        self.assertEqual(self.browser.evaluate(height), folded)
        for key in ("Enter", "l"):  # and is open in another language as well
            self.browser.press(key)
            self.wait_for("%s > %d" % (height, folded))
        self.browser.evaluate("document.querySelector('tbody .url').click()")
        self.assertEqual(self.browser.evaluate(height), folded)
        # No more stops for the keyboard than are needed.
        self.open(self.texts_of(Archive.base, Archive.changed), "#/group/0")
        self.assertEqual(self.count("tbody summary"), 0)


class LayoutTest(UsingTest):
    def test_heads_of_tables_stay_below_the_toolbar(self):
        self.open(self.long_texts(), "#/group/0/1")
        for width in (1280, 800):
            self.browser.size(width, 300)
            self.browser.evaluate("document.querySelectorAll('tr.change')[1].scrollIntoView({block: 'center'})")
            below = (
                "document.querySelector('.texts th').getBoundingClientRect().top - "
                "document.querySelector('.toolbar').getBoundingClientRect().bottom"
            )
            self.wait_for("Math.abs(%s) < 2" % below)
            self.assertEqual(self.browser.evaluate("document.querySelector('.toolbar').getBoundingClientRect().top"), 0)

    def test_paper_says_what_it_does_not_show(self):
        base = [" ".join(article(seed, 2)) for seed in range(400)]
        changed = [text + (" changed here" if i % 3 == 0 else "") for i, text in enumerate(base)]
        out = self.texts_of(base, changed, "A title of many words " * 20, "http://%s.example/" + "a-long-way/" * 40)
        self.open(out, "#/group/0/1")
        self.browser.call("Emulation.setEmulatedMedia", {"media": "print"})
        self.addCleanup(self.browser.call, "Emulation.setEmulatedMedia", {"media": ""})
        self.assertRegex(self.text("#more"), r"\d+ rows are not shown")
        for clamped in (".side .title", ".side .url"):
            cut = "(each => each.scrollHeight - each.clientHeight)(document.querySelector('%s'))" % clamped
            self.assertEqual(self.browser.evaluate(cut), 0, clamped)
        self.open(self.long_texts(), "#/group/0/1")
        for fold in ("tr.fold button", ".inner"):
            self.assertRegex(self.text(fold), r"\d+ (unchanged|equal)")
            style = "getComputedStyle(document.querySelector('%s'))" % fold
            self.assertEqual(self.browser.evaluate(style + ".borderStyle"), "none")

    def test_rows_longer_than_a_page_are_printed_whole(self):
        """Two columns of half a million letters fill a number of pages; what is cut off fills none."""
        base = [" ".join(article(1, 400))]
        words = base[0].split(" ")
        words[5::9] = ["other"] * len(words[5::9])
        self.open(self.texts_of(base, [" ".join(words)]), "#/group/0/1")
        self.assertLess(self.count(".texts tbody tr"), 5)
        printed = base64.b64decode(self.browser.call("Page.printToPDF", {"paperWidth": 8, "paperHeight": 11})["data"])
        pages = len(re.findall(rb"/Type\s*/Page\b", printed))
        self.browser.call("Emulation.setEmulatedMedia", {"media": "print"})
        self.addCleanup(self.browser.call, "Emulation.setEmulatedMedia", {"media": ""})
        self.browser.size(691)  # of the paper, without its margins, at 96 to an inch
        self.addCleanup(self.browser.size, 1280)
        self.assertGreater(pages * 11, self.browser.evaluate("document.querySelector('.texts').offsetHeight") / 96)

    def test_keeping_and_leaving_out_look_different(self):
        self.open(self.report(SAMPLE), "#/group/0")
        self.browser.evaluate("ndcReport.decide([0, 1], (page) => (page === 0 ? 'keep' : 'leave-out'))")
        colours = (
            "['keep-0', 'leave-1'].map((id) => getComputedStyle(document.getElementById(id)))"
            ".map((style) => [style.color, style.backgroundColor])"
        )

        def brightness(colour):
            parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
            red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue

        for dark in (False, True):
            self.browser.dark(dark)
            keep, leave = self.browser.evaluate(colours)
            self.assertNotEqual(keep[0], leave[0])
            self.assertNotEqual(keep[1], leave[1])
            for pair in (keep, leave):
                low, high = sorted(map(brightness, pair))
                self.assertGreater((high + 0.05) / (low + 0.05), 4.5, pair)  # WCAG 2.2, 1.4.3

    def test_the_legend_says_what_a_normalised_text_lacks(self):
        self.open(self.report(SAMPLE), "#/group/0/1")
        self.assertIn("normalised text: lower case, without invisible", self.text(".legend"))
        self.browser.press("l")
        self.browser.until("document.querySelector('.legend').innerText.includes('不含不可见的连接字符')")

    def test_nothing_is_cut_in_a_narrow_window(self):
        records = [response("http://h.example/%02d" % i, html(Archive.base)) for i in range(30)]
        self.open(self.report(self.write("in.warc", records)), "#/group/0")
        self.browser.size(500)
        room = self.browser.evaluate(
            """(() => { const field = document.getElementById("search"); const style = getComputedStyle(field);
            const pen = document.createElement("canvas").getContext("2d"); pen.font = style.font;
            return field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) -
                pen.measureText(field.placeholder).width; })()"""
        )
        self.assertGreater(room, 20)  # of which a browser's button takes some
        self.go("#/decisions")
        over = "(each => each.scrollWidth - each.clientWidth)(document.querySelector('pre'))"
        self.assertLessEqual(self.browser.evaluate(over), 0)

    def test_rules_are_told_in_words(self):
        self.open(self.report(SAMPLE), "#/group/0")
        self.assertEqual(self.texts("tbody td:last-child"), ["Represents the group", "likely the same document"])

    def test_pictures_have_a_scale(self):
        self.open(self.report(SAMPLE))
        self.browser.until("document.querySelectorAll('.picture').length === 2")
        for picture, axes in ((1, ["Site", "Month"]), (2, ["Resemblance", "Pages"])):
            texts = self.browser.evaluate(
                "[...document.querySelectorAll('.picture:nth-child(%d) text')].map((each) => each.textContent)"
                % picture
            )
            names = self.browser.evaluate(
                "[...document.querySelectorAll('.picture:nth-child(%d) a')].map((each) => each.ariaLabel)" % picture
            )
            most = max(int(re.search(r": (\d+) groups?$", name).group(1)) for name in names)
            self.assertEqual(texts[-2:], ["1 group", "%d groups" % most])
            for axis in axes:
                self.assertTrue(any(text.startswith(axis) for text in texts), (axis, texts))


if __name__ == "__main__":
    report_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
