#!/usr/bin/env python3
"""What `ndc` makes of damaged and hostile inputs, and how it finds the fields of JSON lines (docs/inputs.md).

usage: damaged_inputs_test.py PATH_OF_NDC [unittest arguments]
"""
import gzip
import io
import json
import os
import struct
import sys
import unittest
import zipfile

import cli_test
from cli_test import Archive, article, html
from inputs_test import InputsTest, arc, json_lines

MAGIC = b"\x28\xb5\x2f\xfd"


def zipped(entries, method=zipfile.ZIP_STORED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for name, content in entries:
            file.writestr(name, content, method)
    return data.getvalue()


class DamageTest(InputsTest):
    def urls(self, path, data=None, code=3):
        out, err = self.ndc("dedup", path, data=data, code=code)
        return [row["#url"] for row in self.rows(out)], err

    def test_a_damaged_input_keeps_its_kind(self):
        urls = [url for url, _ in Archive.pages]
        for records in (Archive.records(), arc(), json_lines().splitlines(keepends=True)):
            members = list(map(gzip.compress, records))
            hit = len(members) - 4
            members[hit] = members[hit][:30] + b"\xff" + members[hit][31:]
            others = urls[:1] + urls[2:]
            for junk in (b"", bytes(3000), b"Not found\n"):
                data = junk + b"".join(members)
                for path, given in ((self.write("damaged", data), None), ("-", data)):
                    self.assertEqual(self.urls(path, given)[0], others)
            self.assertEqual(self.urls(self.write("cut", gzip.compress(b"".join(records))[:-9]))[0][:4], urls[:4])

    def test_what_cannot_be_read_in_a_folder_leaves_the_rest(self):
        self.write("a.warc", b"".join(Archive.records()))
        os.makedirs(self.path("folder"))
        os.rename(self.path("a.warc"), self.path("folder", "z.warc"))
        # Reading from address 0 on is an error of the device.
        os.symlink("/proc/self/mem", self.path("folder", "a.warc"))
        urls, err = self.urls(self.path("folder"))
        self.assertEqual(len(urls), 5)
        self.assertIn("a.warc: byte 0: cannot be read: Input/output error; skipped", err)

    def test_messages_are_bounded(self):
        path = self.write("many.jsonl", json_lines() + b"[]\n" * 1000)
        urls, err = self.urls(path)
        self.assertEqual(len(urls), 5)
        self.assertEqual(err.count("the line is no page"), 100)
        self.assertIn("ndc: %s: 900 more places like these; skipped\n" % path, err)
        self.assertRegex(self.ndc("dedup", "--stats", path, code=3)[1], r"(?m)^input\.damaged_skipped +1,000$")

    def test_the_search_for_frames_is_bounded(self):
        header = MAGIC + b"\x04\x50" + struct.pack("<I", 2 << 1 | 131072 << 3)[:3]
        urls, err = self.urls(self.write("magic.warc.zst", MAGIC + b"\xff" * 20 + (header + bytes(7)) * 200000))
        self.assertEqual(urls, [])
        self.assertIn("too much looks like the beginning of a zstd frame", err)

    def test_entries_shorter_than_the_zip_says(self):
        records = b"".join(Archive.records())
        data = bytearray(zipped([("archive/a.warc", records), ("archive/b.warc", records)], zipfile.ZIP_DEFLATED))
        for at in (data.index(b"PK\x03\x04") + 22, data.index(b"PK\x01\x02") + 24):
            data[at : at + 4] = struct.pack("<I", len(records) + 1000)
        urls, err = self.urls(self.write("short.wacz", bytes(data)))
        self.assertEqual(len(urls), 10)
        self.assertIn("short.wacz/archive/a.warc", err)

    def test_a_wacz_in_a_wacz(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            inner = zipped([("archive/data.warc", b"".join(Archive.records()))], method)
            for name in ("archive/inner.wacz", "inner.wacz", "archive/inner"):
                outer = zipped([(name, inner), ("datapackage.json", b"{}")], method)
                path = self.write("outer.wacz", outer)
                self.assert_pages(path)
                self.ndc("extract", path, "--url", Archive.pages[1][0])
                deepest = self.write("deepest.wacz", zipped([("archive/x.wacz", outer)], method))
                urls, err = self.urls(deepest)
                self.assertEqual(urls, [])
                self.assertIn("a WACZ within two others is not opened", err)
        # A ZIP file that is none is a file of another kind, as before.
        other = zipped([("word/document.xml", b"<x/>")])
        path = self.write("with.wacz", zipped([("archive/a.warc", b"".join(Archive.records())), ("archive/o", other)]))
        self.assert_pages(path)

    def test_an_index_leads_nowhere_else(self):
        records = Archive.records()
        os.makedirs(self.path("collection", "indexes", "x"))
        os.makedirs(self.path("collection", "archive", "x"))
        self.write("secret.warc", records[0])
        inside = self.path("collection", "archive", "inside.warc")
        with open(inside, "wb") as file:
            file.write(b"".join(records))
        url = Archive.pages[0][0]
        os.symlink(self.path("secret.warc"), self.path("collection", "archive", "link.warc"))
        os.mkfifo(self.path("collection", "archive", "pipe.warc"))
        for name, code in (
            ("inside.warc", 0),
            ("./inside.warc", 0),
            (self.path("secret.warc"), 1),
            ("../../secret.warc", 1),
            ("../archive/inside.warc", 1),
            ("link.warc", 1),
            ("pipe.warc", 1),
            ("/dev/zero", 1),
            ("", 1),
            (".", 1),
        ):
            line = "com,example)/ 20240506070809 " + json.dumps({"url": url, "filename": name, "offset": 0})
            index = self.path("collection", "indexes", "index.cdxj")
            with open(index, "w") as file:
                file.write(line + "\n")
            self.ndc("extract", index, "--url", url, code=code)


class FieldsTest(InputsTest):
    def test_common_names(self):
        text = " ".join(article(7))
        for url, body in (
            ({"url": "http://a/"}, {"text": text}),
            ({"metadata": {"url": "http://a/"}, "id": "b"}, {"text": text}),
            ({"warc_headers": {"warc-target-uri": "http://a/"}}, {"content": text}),
            ({"uri": "http://a/", "urls": ["http://b/"]}, {"raw_content": text}),
            ({"id": "http://a/"}, {"page_content": text, "meta": [{"url": "http://b/"}]}),
            ({"url": "http://a/"}, {"rawHtml": html(article(7)).decode(), "markdown": "x"}),
        ):
            for line in ({**url, **body}, {**body, **url}):
                path = self.write("lines.jsonl", json.dumps(line).encode() + b"\n")
                rows = self.rows(self.ndc("dedup", path)[0])
                self.assertEqual([(row["#url"], row["verdict"]) for row in rows], [("http://a/", "new")])

    def test_names_that_are_given(self):
        text = " ".join(article(7))
        line = json.dumps({"link": {"to": "http://a/"}, "url": "http://b/", "body": text, "text": "no", "when": "2024"})
        path = self.write("lines.jsonl", line.encode() + b"\n")
        fields = ("--fields", "url=link.to,text=body")
        self.assertEqual(self.rows(self.ndc("dedup", *fields, path)[0])[0]["#url"], "http://a/")
        for command in (
            ("extract", *fields, path),
            ("pairs", *fields, path, "--threshold", "0.5"),
            ("similar", *fields, path, "http://a/"),
            ("report", *fields, path, "-o", self.path("report")),
        ):
            self.ndc(*command)
        self.assertIn("no page with the URL", self.ndc("similar", path, "http://a/", code=1)[1])
        self.assertIn("\"link\" is missing", self.ndc("dedup", "--fields", "url=link", path, code=1)[1])
        for wrong in ("link", "title=x", "url="):
            self.assertIn("is no field", self.ndc("dedup", "--fields", wrong, path, code=2)[1])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cli_test.NDC = sys.argv.pop(1)
    unittest.main()
