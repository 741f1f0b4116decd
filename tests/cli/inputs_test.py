#!/usr/bin/env python3
"""What `ndc` reads beside WARC files, what it takes for a page, and what it says of anything else (docs/inputs.md).

usage: inputs_test.py PATH_OF_NDC [unittest arguments]
"""
import functools
import gzip
import io
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

import cli_test
from cli_test import Archive, CliTest, html, record, response

URLS = [url for url, _ in Archive.pages]
VERDICTS = ["new", "near", "new", "exact", "no-text"]
NOBODY = 65534
EXTENDED = "Content-Type: application/http; msgtype=response"


def arc_record(url, kind, block):
    return ("%s 192.0.2.1 20240506070809 %s %d\n" % (url, kind, len(block))).encode() + block + b"\n"


def arc():
    start = arc_record(
        "filedesc://pages.arc", "text/plain", b"1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n"
    )
    return [start] + [
        arc_record(url, "text/html", b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + body)
        for url, body in Archive.pages
    ]


def json_lines():
    return b"".join(json.dumps({"url": url, "html": body.decode()}).encode() + b"\n" for url, body in Archive.pages)


def typed(url, kind, body, status="200 OK"):
    head = "HTTP/1.1 %s\r\n%s\r\n" % (status, "Content-Type: %s\r\n" % kind if kind else "")
    return record("response", url, head.encode() + body, [EXTENDED])


class InputsTest(CliTest):
    def path(self, *names):
        path = os.path.join(self.folder.name, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def wacz(self, name, entries):
        path = self.path(name)
        with zipfile.ZipFile(path, "w") as file:
            for entry, data, method in entries:
                file.writestr(entry, data, method)
        return path

    def assert_pages(self, path, data=None, urls=None, code=0):
        out, err = self.ndc("dedup", path, data=data, code=code)
        rows = self.rows(out)
        self.assertEqual([row["#url"] for row in rows], urls or URLS, err)
        self.assertEqual([row["verdict"] for row in rows], VERDICTS)
        return err


class KindsTest(InputsTest):
    def test_every_kind_gives_the_same_pages_whatever_its_name(self):
        warc = Archive.records()
        kinds = {
            "a": b"".join(warc),
            "b": b"".join(map(gzip.compress, warc)),
            "c": b"".join(arc()),
            "d": b"".join(map(gzip.compress, arc())),
            "e": json_lines(),
            "f": gzip.compress(json_lines()),
        }
        for name, data in kinds.items():
            self.assertEqual(self.assert_pages(self.write(name + ".bin", data)), "", name)
            self.assertEqual(self.assert_pages("-", data=data), "", name)

    def test_wacz_stored_and_deflated(self):
        members = b"".join(map(gzip.compress, Archive.records()))
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            path = self.wacz(
                "crawl.wacz",
                [
                    ("datapackage.json", b"{}", method),
                    ("pages/pages.jsonl", json_lines(), method),
                    ("archive/data.warc.gz", members, method),
                    ("indexes/index.cdx", b"x", method),
                ],
            )
            self.assert_pages(path)
            out, err = self.ndc("extract", path, "--url", URLS[2], "--format", "jsonl")
            self.assertEqual(len(out.splitlines()), 1, err)
            self.ndc("explain", path, URLS[0], URLS[1])
            self.ndc("pairs", path, "--threshold", "0.5")

    def test_the_index_of_a_wacz_leads_to_the_page(self):
        records = list(map(gzip.compress, Archive.records()))
        # What lies before the place is damaged, so that whoever reads it exits with 3.
        data = b"\x1f\x8b\x08garbage" + b"".join(records)
        for offset, code in ((len(data) - sum(map(len, records[2:])), 0), (7, 3), (10**9, 3)):
            line = (
                "org,example)/ 20240506070809 "
                + json.dumps({"url": URLS[2], "mime": "text/html", "filename": "data.warc.gz", "offset": str(offset)})
                + "\n"
            )
            for name, index in (("index.cdxj", line.encode()), ("index.cdx.gz", gzip.compress(line.encode()))):
                path = self.wacz(
                    "crawl.wacz",
                    [
                        ("archive/data.warc.gz", data, zipfile.ZIP_STORED),
                        ("indexes/" + name, b"x\n{\n" * 3 + index, zipfile.ZIP_DEFLATED)
                        if name.endswith("j")
                        else ("indexes/" + name, index, zipfile.ZIP_STORED),
                    ],
                )
                out = self.ndc("extract", path, "--url", URLS[2], "--format", "jsonl", code=code)[0]
                self.assertEqual(json.loads(out)["url"], URLS[2])

    def test_wacz_goes_on_after_an_interruption(self):
        records = list(map(gzip.compress, Archive.records()))
        store, rows = self.path("store"), self.path("rows.tsv")
        path = self.wacz(
            "crawl.wacz",
            [
                ("archive/1.warc.gz", b"".join(records[:2]), zipfile.ZIP_STORED),
                ("archive/2.warc.gz", b"".join(records[2:]), zipfile.ZIP_DEFLATED),
            ],
        )
        self.ndc("dedup", "--store", store, path, "-o", rows)
        self.assertIn("nothing to do", self.ndc("dedup", "--store", store, path, "-o", rows)[1])

    def test_folders_lists_and_files(self):
        for number, (_, body) in enumerate(Archive.pages):
            with open(self.path("pages", "in" if number > 2 else "", "%d.html" % number), "wb") as file:
                file.write(body)
        folder = self.path("pages")
        with open(self.path("pages", ".hidden.html"), "wb") as file:
            file.write(html(["Hidden."] * 20))
        with open(self.path("pages", "style.css"), "wb") as file:
            file.write(b"p { color: red }")
        urls = [os.path.join(folder, name) for name in ("0.html", "1.html", "2.html", "in/3.html", "in/4.html")]
        self.assert_pages(folder, urls=urls)
        listed = self.write("list", "\n".join(urls).encode() + b"\r\n\n")
        self.assert_pages(listed, urls=urls)
        self.assert_pages("-", data="\n".join(urls).encode(), urls=urls)
        self.assertEqual([row["#url"] for row in self.rows(self.ndc("dedup", urls[1])[0])], [urls[1]])
        err = self.ndc("dedup", "--stats", folder)[1]
        self.assertRegex(err, r"(?m)^input\.left_out_style_sheets +1$")
        self.assertIn("left out: 1 style sheet", err)

    def test_a_folder_of_archives(self):
        self.path("crawl", "x")
        for number, item in enumerate(Archive.records()):
            data = [item, gzip.compress(item)][number % 2]
            if number == 2:
                self.wacz("crawl/2", [("archive/x.warc", item, zipfile.ZIP_DEFLATED)])
            else:
                self.write("crawl/%d" % number, data)
        self.assert_pages(self.path("crawl"))

    def test_links_in_folders_end(self):
        folder = os.path.dirname(self.path("pages", "x"))
        for name, target in (("loop", folder), ("self", "self"), ("gone", "nowhere"), ("link.html", "0.html")):
            os.symlink(target, os.path.join(folder, name))
        with open(os.path.join(folder, "0.html"), "wb") as file:
            file.write(Archive.pages[0][1])
        os.mkfifo(os.path.join(folder, "pipe"))
        out, err = self.ndc("dedup", "--stats", folder, code=3)
        self.assertEqual([row["verdict"] for row in self.rows(out)], ["new", "exact"])
        self.assertRegex(err, r"(?m)^input\.left_out_not_followed +2$")
        self.assertRegex(err, r"(?m)^input\.damaged_skipped +2$")


class PagesTest(InputsTest):
    def test_what_is_no_page_is_counted_by_reason(self):
        body = Archive.pages[0][1]
        text = b"Words of a page of text. " * 20
        kept = [
            typed("http://a/1", "text/html", body),
            typed("http://a/2", "application/xhtml+xml", body),
            typed("http://a/3", "text/plain", text),
            typed("http://a/4", None, body),
            typed("http://a/5", "", text),
            typed("http://a/6", "application/octet-stream", body),
            typed(
                "http://a/7",
                "application/xml",
                b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><p>x</p></html>",
            ),
            record("resource", "http://a/8", text, ["Content-Type: text/plain"]),
            record("conversion", "http://a/9", text, ["Content-Type: text/plain"]),
        ]
        left = [
            ("style_sheets", typed("http://b/1", "text/css", b"p { }")),
            ("scripts", typed("http://b/2", "application/javascript", b"x()")),
            ("json", typed("http://b/3", "application/json", b"{}")),
            ("json", typed("http://b/4", "text/html", b"{\"a\": [1]}")),
            ("feeds", typed("http://b/5", "text/xml", b"<?xml version='1.0'?>\n<rss version='2.0'></rss>")),
            ("feeds", typed("http://b/6", "application/atom+xml", b"<feed/>")),
            ("images", typed("http://b/7", "image/png", b"\x89PNG")),
            ("images", typed("http://b/8", "text/html", b"GIF89a...")),
            ("pdf", typed("http://b/9", "application/pdf", b"%PDF-1.4")),
            (
                "archive_notes",
                record(
                    "resource", "metadata://gnu.org/software/wget/warc/wget.log", text, ["Content-Type: text/plain"]
                ),
            ),
            ("archive_notes", record("resource", "urn:pageinfo:http://a/1", b"{}", ["Content-Type: application/json"])),
            ("archive_notes", record("resource", "urn:text:http://a/1", text, ["Content-Type: text/plain"])),
            (
                "lost_revisits",
                record("revisit", "http://b/10", b"HTTP/1.1 200 OK\r\n\r\n", ["WARC-Refers-To: <urn:uuid:none>"]),
            ),
        ]
        path = self.write("all.warc", b"".join(kept + [item for _, item in left]))
        out, err = self.ndc("dedup", "--stats", path)
        self.assertEqual([row["#url"] for row in self.rows(out)], ["http://a/%d" % number for number in range(1, 10)])
        for reason in {reason for reason, _ in left}:
            count = sum(1 for other, _ in left if other == reason)
            self.assertRegex(err, r"(?m)^input\.left_out_%s +%d$" % (reason, count))
        self.assertIn("2 JSON documents", err)
        widened = self.ndc("dedup", "--mime", "application/json,text/*", path)[0]
        self.assertEqual([row["#url"] for row in self.rows(widened)][9:], ["http://b/1", "http://b/3", "http://b/4"])
        everything = self.ndc("dedup", "--mime", "*/*", path)[0]
        self.assertEqual(len(self.rows(everything)), 18)
        self.assertIn("no media type", self.ndc("dedup", "--mime", "json", path, code=2)[1])
        nothing = self.ndc("dedup", self.write("css.warc", left[0][1]))[1]
        self.assertIn("0 pages", nothing)
        self.assertIn("left out: 1 style sheet", nothing)

    def test_a_revisit_is_the_page_that_it_refers_to(self):
        body = Archive.pages[0][1]
        original = typed("http://a/1", "text/html", body).replace(
            b"WARC-Date", b"WARC-Record-ID: <urn:uuid:1>\r\nWARC-Payload-Digest: sha1:AAA\r\nWARC-Date"
        )
        head = b"HTTP/1.1 200 OK\r\n\r\n"
        revisits = [
            record("revisit", "http://a/2", head, ["WARC-Refers-To: <urn:uuid:1>"]),
            record(
                "revisit",
                "http://a/3",
                head,
                ["WARC-Refers-To-Target-URI: http://a/1", "WARC-Refers-To-Date: 2024-05-06T07:08:09Z"],
            ),
            record("revisit", "http://a/4", b"", ["WARC-Payload-Digest: sha1:AAA"]),
            record("revisit", "http://a/1", b"HTTP/1.1 304 Not Modified\r\n\r\n", ["WARC-Refers-To: <urn:uuid:1>"]),
        ]
        items = [original] + revisits
        for data in (b"".join(items), b"".join(map(gzip.compress, items)), gzip.compress(b"".join(items))):
            rows = self.rows(self.ndc("dedup", self.write("revisits.warc", data))[0])
            self.assertEqual(
                [(row["#url"], row["verdict"]) for row in rows],
                [
                    ("http://a/1", "new"),
                    ("http://a/2", "exact"),
                    ("http://a/3", "exact"),
                    ("http://a/4", "exact"),
                    ("http://a/1", "unchanged"),
                ],
            )
        second = self.write("second.warc", b"".join(revisits))
        rows = self.rows(self.ndc("dedup", self.write("first.warc", original), second)[0])
        self.assertEqual(len(rows), 5)
        err = self.ndc("dedup", "--stats", second)[1]
        self.assertRegex(err, r"(?m)^input\.left_out_lost_revisits +4$")


class ErrorTest(InputsTest):
    def setUp(self):
        super().setUp()
        # What others may read, they may read whatever the umask of who runs this.
        self.addCleanup(os.umask, os.umask(0o022))

    def test_what_is_no_archive_is_named(self):
        kinds = {
            "a PDF file": b"%PDF-1.4\n",
            "a PNG image": b"\x89PNG\r\n\x1a\n",
            "a program": b"\x7fELF\x02\x01\x01" + bytes(50),
            "binary data": bytes(range(256)),
            "plain text": b"only words\n",
            "JSON, but not one page a line": b"{\n \"a\": 1}\n",
            "bzip2 data, damaged or within other compressed data": b"BZh91AY",
            "xz data, damaged or within other compressed data": gzip.compress(b"\xfd7zXZ\0\0\x04"),
            "lz4 data, damaged or within other compressed data": gzip.compress(b"\x04\x22\x4d\x18\x64"),
            "zstd data, damaged or within other compressed data": gzip.compress(b"\x28\xb5\x2f\xfd\x64"),
            "an SQLite database": b"SQLite format 3\0",
            "plain text,": gzip.compress(b"only words\n"),
        }
        for name, data in kinds.items():
            path = self.write("input.warc.gz", data)
            out, err = self.ndc("dedup", self.pages(), path, code=1)
            self.assertEqual(out, b"", "the work was begun")
            self.assertTrue(err.startswith("ndc: %s: looks like %s" % (path, name)), err)

    def test_what_is_packed_otherwise_is_damage_in_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(self.pages(), os.path.join(folder, "a.warc.gz"))
            whole = self.ndc("dedup", folder)[0]
            for name, data in {"b.warc.bz2": b"BZh91AY", "c.warc.gz": gzip.compress(gzip.compress(b"WARC/"))}.items():
                pathlib.Path(folder, name).write_bytes(data)
            out, err = self.ndc("dedup", folder, code=3)
            self.assertEqual(out, whole)
            self.assertRegex(err, "b.warc.bz2: byte 0: looks like bzip2 data")
            self.assertRegex(err, "c.warc.gz: byte 0: looks like gzip data, damaged or within")

    def test_names_and_permissions(self):
        self.assertEqual(
            self.ndc("dedup", "/nonexistent.warc", code=1)[1],
            "ndc: /nonexistent.warc: cannot be read: No such file or directory\n",
        )
        listed = self.write("list", self.pages().encode() + b"\n/nonexistent.warc\n")
        self.assertEqual(
            self.ndc("dedup", listed, code=1)[1],
            "ndc: %s: line 2: /nonexistent.warc: cannot be read: No such file or directory\n" % listed,
        )
        err = self.ndc("foo", code=2)[1]
        self.assertEqual(err, "ndc: there is no command \"foo\"; `ndc --help` lists the commands\n")
        self.assertIn("`ndc dedup ", self.ndc(self.pages(), code=2)[1])

    @functools.cached_property
    def program(self):
        """A copy, beside its library, for everybody: a build tree may lie in a home that others may not enter."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        library = pathlib.Path(cli_test.NDC).resolve().parents[1] / "lib"
        for path in (cli_test.NDC, *library.glob("libndc.so.*")):
            os.chmod(shutil.copy(path, folder), 0o755)
        # A build that counts lines reports on stderr if it cannot write its counts.
        os.chmod(folder, 0o777)
        return pathlib.Path(folder, "ndc")

    def run_stopped(self, *arguments):
        """Run by somebody whom permissions stop, in a folder that may be read and not written to."""
        folder = str(self.program.parent)
        os.chmod(self.folder.name, 0o555)
        try:
            return subprocess.run(
                [self.program, *arguments],
                capture_output=True,
                timeout=60,
                cwd=self.folder.name,
                env={**os.environ, "GCOV_PREFIX": folder, "LD_LIBRARY_PATH": folder},
                **({"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}),
            )
        finally:
            os.chmod(self.folder.name, 0o700)

    def assert_sentence(self, sentence, *arguments, code=1):
        done = self.run_stopped(*arguments)
        self.assertEqual(done.stderr.decode(), "ndc: %s\n" % sentence)
        self.assertEqual(done.returncode, code, arguments)

    def test_what_may_not_be_read(self):
        self.write("good.warc", b"".join(Archive.records()))
        self.ndc("dedup", "--store", self.path("store"), self.pages())
        for name in ("pages.warc", "store"):
            os.chmod(self.path(name), 0)
        os.makedirs(self.path("folder"), 0)
        self.addCleanup(os.chmod, self.path("folder"), 0o700)
        self.addCleanup(os.chmod, self.path("store"), 0o700)
        file = "pages.warc: cannot be read: Permission denied"
        folder = "folder: the folder cannot be read: Permission denied"
        store = "store: the folder cannot be read: Permission denied"
        for sentence, name in ((file, "pages.warc"), (folder, "folder")):
            for command in (
                ("dedup", name),
                ("extract", name),
                ("explain", name, "http://a/", "http://b/"),
                ("similar", name, "http://a/"),
                ("pairs", name, "--threshold", "0.5"),
                ("filter", name, "-o", "out.warc"),
                ("report", name, "-o", "report"),
            ):
                self.assert_sentence(sentence, *command)
        for command in (
            ("dump", "store"),
            ("stats", "store"),
            ("events", "store"),
            ("verify", "store"),
            ("compact", "store"),
            ("remove", "store", "--site", "a.example"),
            ("explain", "store", "http://a/", "http://b/"),
            ("report", "store", "-o", "report"),
        ):
            self.assert_sentence(store, *command)

    def test_what_may_not_be_written(self):
        self.write("good.warc", b"".join(Archive.records()))
        self.assert_sentence(
            "store: the folder cannot be made: Permission denied", "dedup", "--store", "store", "good.warc"
        )
        self.assert_sentence("cannot write rows.tsv: Permission denied", "dedup", "good.warc", "-o", "rows.tsv")
        self.assert_sentence(
            "none/store: the directory that it is to stand in is not there",
            "dedup",
            "--store",
            "none/store",
            "good.warc",
        )

    def test_files_of_a_store_that_may_not_be_read(self):
        self.ndc("dedup", "--store", self.path("store"), self.pages())
        for name in os.listdir(self.path("store")):
            os.chmod(self.path("store", name), 0)
        done = self.run_stopped("stats", "store")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"cannot be opened: Permission denied", done.stderr)
        # It may well be whole.
        self.assertNotIn(b"backup", done.stderr)

    def test_standard_input_that_cannot_be_read(self):
        with open(self.path("out"), "wb") as file:
            self.assertEqual(
                self.ndc_from(file, "dedup", "-"), "ndc: standard input: cannot be read: Bad file descriptor\n"
            )
        folder = os.open(self.folder.name, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        self.assertEqual(
            self.ndc_from(folder, "dedup", "-"), "ndc: standard input: is a folder, where a file belongs\n"
        )
        self.assertEqual(
            self.ndc_from(folder, "explain", "-", "http://a/", "http://b/"),
            "ndc: standard input: is a folder, where a file belongs\n",
        )
        self.assertIn(
            "ndc: standard input: looks like plain text, and its first line names no file: \"hello\"",
            self.ndc("dedup", "-", data=b"hello\n", code=1)[1],
        )
        self.assertIn("ndc: standard input: byte 0: ", self.ndc("dedup", "-", data=b"WARC/1.0\r\n\r\n", code=3)[1])

    def ndc_from(self, file, *arguments):
        done = subprocess.run([cli_test.NDC, *arguments], stdin=file, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        return done.stderr.decode()

    def test_wrong_usage(self):
        for arguments, sentence in (
            ((), "no command is given; `ndc --help` lists them"),
            (("dedup",), "INPUT is required; `ndc dedup --help` says what can be given"),
            (
                ("dedup", "--foo", "x"),
                "The following argument was not expected: --foo; `ndc dedup --help` says what can be given",
            ),
            (("--foo",), "no command is given; `ndc --help` lists them"),
            (
                ("dedup", "--mime", "html", "x"),
                "--mime: \"html\" is no media type: TYPE/SUBTYPE or TYPE/*; `ndc dedup --help` says what can be given",
            ),
        ):
            self.assertEqual(self.ndc(*arguments, code=2)[1], "ndc: %s\n" % sentence)

    def test_json_lines_with_wrong_fields(self):
        good = json.dumps({"url": "http://a/", "html": "<p>Words are here.</p>"})
        for wrong in (
            {"url": 5, "html": "x"},
            {"url": None, "html": "x"},
            {"url": "", "html": "x"},
            {"html": "x"},
            {"url": ["http://a/"], "html": "x"},
        ):
            lines = "%s\n%s\n%s\n" % (good, json.dumps(wrong), good)
            err = self.ndc("dedup", self.write("wrong.jsonl", lines.encode()), code=3)[1]
            self.assertIn("the line is no page: \"url\" is missing, or no text; skipped", err)
        err = self.ndc("dedup", self.write("wrong.jsonl", b'{"url": "http://a/", "html": 5}\n'), code=1)[1]
        self.assertIn("in its first line, \"html\" and \"text\" are missing, or no text", err)

    def test_broken_zips(self):
        member = b"".join(map(gzip.compress, Archive.records()))
        path = self.wacz(
            "whole.wacz",
            [
                ("archive/a.warc.gz", member, zipfile.ZIP_STORED),
                ("archive/b.warc", b"".join(Archive.records()), zipfile.ZIP_DEFLATED),
            ],
        )
        with open(path, "rb") as file:
            data = file.read()
        err = self.assert_pages(self.write("cut.wacz", data[:-30]), code=3)
        self.assertIn("looks like a ZIP file, but cannot be read", err)
        err = self.ndc("dedup", self.write("cut.wacz", data[:40]), code=1)[1]
        self.assertIn("looks like a ZIP file, but cannot be read", err)
        other = self.wacz("other.zip", [("word/document.xml", b"<x/>", zipfile.ZIP_DEFLATED)])
        self.assertIn("no folder archive/", self.ndc("dedup", other, code=1)[1])
        # Whatever is broken, the run ends by itself with one of its codes.
        for at in range(0, len(data), max(1, len(data) // 60)):
            broken = bytearray(data)
            broken[at] ^= 0xFF
            done = subprocess.run(
                [cli_test.NDC, "dedup", self.write("broken.wacz", bytes(broken))], capture_output=True, timeout=60
            )
            self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        self.assertIn("standard input", self.ndc("dedup", "-", data=data, code=1)[1] + "standard input")

    def test_an_entry_that_cannot_be_opened_leaves_the_others(self):
        records = b"".join(Archive.records())
        path = self.wacz(
            "locked.wacz",
            [("archive/a.warc", records, zipfile.ZIP_STORED), ("archive/b.warc", records, zipfile.ZIP_STORED)],
        )
        with open(path, "rb") as file:
            data = bytearray(file.read())
        # The first one says that it is encrypted.
        data[6] |= 1
        data[data.index(b"PK\x01\x02") + 8] |= 1
        err = self.assert_pages(self.write("locked.wacz", bytes(data)), code=3)
        self.assertRegex(err, r"locked\.wacz/archive/a\.warc: byte 0: .*; skipped")

    def test_entries_that_share_their_bytes_are_refused(self):
        path = self.wacz(
            "shared.wacz", [("archive/a.warc", b"".join(Archive.records()) + bytes(1000000), zipfile.ZIP_DEFLATED)]
        )
        with open(path, "rb") as file:
            data = file.read()
        directory, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
        entry, count = data[directory:end], 3000
        shared = (
            data[:directory]
            + entry * count
            + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, count, count, len(entry) * count, directory, 0)
        )
        err = self.ndc("dedup", self.write("shared.wacz", shared), code=1)[1]
        self.assertIn("its entries overlap", err)

    def test_bombs_are_bounded_and_counted(self):
        inner = io.BytesIO()
        with gzip.GzipFile(fileobj=inner, mode="wb", compresslevel=9) as file:
            file.write(
                b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Length: 300000000\r\n\r\n"
            )
            for _ in range(300):
                file.write(bytes(1000000))
        path = self.wacz(
            "bomb.wacz",
            [
                ("archive/bomb.warc.gz", inner.getvalue(), zipfile.ZIP_DEFLATED),
                ("archive/good.warc", b"".join(Archive.records()), zipfile.ZIP_STORED),
            ],
        )
        err = self.assert_pages(path, code=3)
        self.assertIn("times its size, the limit", err)
        self.ndc("dedup", "--max-files", "1", path, code=1)

    def test_control_characters_in_urls_are_escaped(self):
        page = typed("http://a/\x1b[31m\x01\x7f\xc2\x9b", "text/html", Archive.pages[0][1])
        out = self.ndc("dedup", self.write("steering.warc", page))[0]
        self.assertEqual(self.rows(out)[0]["#url"], "http://a/%1B[31m%01%7F%C2%9B")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cli_test.NDC = sys.argv.pop(1)
    unittest.main()
