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
    def test_one_undo_for_all_that_was_said(self):
        self.open(self.report(SAMPLE), "#/group/0/1")
        self.browser.press("v")
        self.wait_for("ndcReport.decisionOf(1) === 'keep'")
        self.go("#/review/2")
        self.browser.press("s")
        self.browser.until(READY + "'#/review/3'")
        self.browser.press("d")
        self.browser.until(READY + "'#/review/4'")
        self.browser.evaluate("document.querySelector('.progress button:nth-of-type(2)').click()")
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

if __name__ == "__main__":
    report_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
