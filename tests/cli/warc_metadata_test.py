#!/usr/bin/env python3
"""`ndc dedup --warc-metadata`: what it writes, read back by a reader that shares no code with it.

usage: warc_metadata_test.py PATH_OF_NDC [unittest arguments]
"""
import os
import random
import re
import subprocess
import sys
import unittest
import zlib

import cli_test
from cli_test import Archive, article, html, record, response

RECORD_ID = re.compile(r"<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>\Z")


def members(data):
    """The gzip members of a file, each of which must be whole."""
    out = []
    while data:
        inflater = zlib.decompressobj(31)
        out.append(inflater.decompress(data))
        if not inflater.eof:
            raise ValueError("a torn gzip member")
        data = inflater.unused_data
    return out


def fields_of(lines):
    """Name and value of each line; names that stand twice are an error."""
    out = {}
    for line in lines:
        if not re.match(rb"[A-Za-z-]+: [^\x00-\x1f\x7f]*\Z", line):
            raise ValueError("no field: %r" % line)
        name, value = line.split(b": ", 1)
        if name in out:
            raise ValueError("%r stands twice" % name)
        out[name.decode()] = value.decode("utf-8")
    return out


def records_of(data):
    """Header and fields of the block of each record of a plain WARC file, by the grammar of WARC 1.1."""
    out = []
    while data:
        head, data = data.split(b"\r\n\r\n", 1)
        lines = head.split(b"\r\n")
        if lines[0] != b"WARC/1.1":
            raise ValueError("no version: %r" % lines[0])
        header = fields_of(lines[1:])
        length = int(header["Content-Length"])
        block, end, data = data[:length], data[length : length + 4], data[length + 4 :]
        if end != b"\r\n\r\n" or not block.endswith(b"\r\n"):
            raise ValueError("a record without its end")
        out.append((header, fields_of(block[:-2].split(b"\r\n"))))
    return out


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if not path.endswith(".gz"):
        return records_of(data)
    out = []
    for member in members(data):
        records = records_of(member)
        if len(records) != 1:
            raise ValueError("%d records in a member" % len(records))
        out += records
    return out


def with_id(data, value):
    """A record with another WARC-Record-ID."""
    return data.replace(b"\r\n", b"\r\nWARC-Record-ID: " + value + b"\r\n", 1)


class MetadataTest(cli_test.CliTest):
    def setUp(self):
        super().setUp()
        self.metadata = os.path.join(self.folder.name, "verdicts.warc")
        self.out = os.path.join(self.folder.name, "out.tsv")

    def archive(self):
        return self.write(
            "pages.warc",
            b"".join(
                with_id(data, b"<urn:uuid:%08d-0000-4000-8000-000000000000>" % number)
                for number, data in enumerate(Archive.records())
            ),
        )

    def dedup(self, *arguments, code=0):
        """The records behind the warcinfo record, rows, and what was said."""
        _, err = self.ndc("dedup", *arguments, "-o", self.out, "--warc-metadata", self.metadata, code=code)
        records = read(self.metadata)
        self.assertEqual(records[0][0]["WARC-Type"], "warcinfo")
        ids = [header["WARC-Record-ID"] for header, _ in records]
        self.assertEqual(len(set(ids)), len(ids))
        for header, _ in records:
            self.assertRegex(header["WARC-Record-ID"], RECORD_ID)
            self.assertEqual(header["Content-Type"], "application/warc-fields")
        for header, _ in records[1:]:
            self.assertEqual(header["WARC-Type"], "metadata")
        with open(self.out, "rb") as file:
            return records[1:], file.read(), err

    def test_a_record_a_page(self):
        records, table, _ = self.dedup(self.archive())
        rows = self.rows(table)
        self.assertEqual(len(records), len(rows))
        urls = {row["page_id"]: row["#url"] for row in rows}
        for number, ((header, block), row) in enumerate(zip(records, rows)):
            self.assertEqual(header["WARC-Target-URI"], row["#url"])
            self.assertEqual(header["WARC-Date"], "2024-05-06T07:08:09Z")
            self.assertEqual(header["WARC-Refers-To"], "<urn:uuid:%08d-0000-4000-8000-000000000000>" % number)
            self.assertEqual(block["nd-verdict"], row["verdict"])
            self.assertEqual(block["nd-group"], row["group_id"])
            self.assertEqual(block["nd-group-url"], urls[row["group_id"]])
            self.assertEqual(block["nd-page"], row["page_id"])
            self.assertEqual(block.get("nd-resemblance", "-"), row["resemblance"])
            self.assertEqual(block.get("nd-containment", "-"), row["containment"])
            self.assertEqual(block["nd-version"], self.ndc("--version")[0].decode().split()[-1])
        self.assertEqual(
            [block.get("nd-matched-url") for _, block in records],
            [None, Archive.pages[0][0], None, Archive.pages[0][0], None],
        )
        self.assertEqual(
            {name for header, _ in records for name in header},
            {
                "WARC-Type",
                "WARC-Record-ID",
                "WARC-Date",
                "WARC-Target-URI",
                "WARC-Refers-To",
                "Content-Type",
                "Content-Length",
            },
        )

    def test_the_first_record_says_who_wrote_it(self):
        self.dedup(self.archive())
        header, block = read(self.metadata)[0]
        self.assertEqual(header["WARC-Type"], "warcinfo")
        self.assertRegex(block["software"], r"ndc/\d+\.\d+\.\d+\Z")
        self.assertEqual(block["format"], "WARC File Format 1.1")
        self.assertRegex(header["WARC-Date"], r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\Z")

    def test_compressed_by_the_name(self):
        plain, _, _ = self.dedup(self.archive())
        self.metadata += ".gz"
        compressed, _, _ = self.dedup(self.archive())
        self.assertEqual(compressed, plain)

    def test_the_same_input_gives_the_same_records(self):
        first, _, _ = self.dedup(self.archive())
        second, _, _ = self.dedup(self.archive())
        self.assertEqual(first, second)
        # Another verdict about the same record is another record.
        other, _, _ = self.dedup(self.archive(), "--option", "same_document=1")
        changed = [number for number in range(5) if first[number][1] != other[number][1]]
        self.assertEqual(changed, [1])
        self.assertNotEqual(first[1][0]["WARC-Record-ID"], other[1][0]["WARC-Record-ID"])
        self.assertEqual(first[0], other[0])

    def test_the_same_record_twice(self):
        path = self.write("twice.warc", with_id(response("http://a/", html(article(1))), b"<urn:x:1>") * 3)
        records, _, _ = self.dedup(path)
        self.assertEqual([block["nd-verdict"] for _, block in records], ["new", "unchanged", "unchanged"])
        self.assertEqual([block.get("nd-flags") for _, block in records], [None, "recrawl", "recrawl"])

    def test_flags(self):
        first, second = article(1), article(2)
        path = self.write(
            "flags.warc",
            response("http://a/", html(first))
            + response("http://b/", html(first))
            + response("http://b/", html(second))
            + response("http://c/", b"<p>A few words of text.</p>"),
        )
        records, _, _ = self.dedup(path)
        self.assertEqual(
            [block.get("nd-flags") for _, block in records], [None, None, "recrawl, changed, regrouped", "short"]
        )

    def test_what_comes_from_an_archive_adds_no_field(self):
        body = html(article(3))
        hostile = [
            response("http://a.example/\rWARC-Type: response", body),
            response("http://b.example/\x01\x7f\t x\x0b\x0c", body),
            response("http://c.example/ \xe9 <b>", body),
            with_id(response("http://d.example/", body), b"<urn:x> y\r\"z\xe9>"),
            with_id(response("http://e.example/", body), b"urn:plain"),
            with_id(response("http://f.example/", body), b""),
            response("http://g.example/", body).replace(b"2024-05-06T07:08:09Z", b"2024-05-06T09:08:09+02:00\rX: y"),
            response("http://h.example/", body).replace(b"2024-05-06T07:08:09Z", b"2024-05-06T09:08:09+02:00"),
            response("http://i.example/", body).replace(b"WARC-Date: 2024-05-06T07:08:09Z\r\n", b""),
            response("http://j.example/", body).replace(b"2024-05-06T07:08:09Z", b"2024-05"),
        ]
        records, table, _ = self.dedup(self.write("hostile.warc", b"".join(hostile)))
        self.assertEqual(len(records), len(hostile))
        headers = [header for header, _ in records]
        self.assertTrue(headers[0]["WARC-Target-URI"].startswith("http://a.example/"))
        self.assertIn("%01%7F%09 x", headers[1]["WARC-Target-URI"])
        self.assertEqual(headers[2]["WARC-Target-URI"], "http://c.example/ %E9 <b>")
        self.assertEqual(
            [header.get("WARC-Refers-To") for header in headers],
            [None] * 3 + [headers[3]["WARC-Refers-To"], "<urn:plain>"] + [None] * 5,
        )
        self.assertRegex(headers[3]["WARC-Refers-To"], r"\A<[!#-;=?-~]+>\Z")
        self.assertEqual(
            [header["WARC-Date"] for header in headers[6:]],
            ["1970-01-01T00:00:00Z", "2024-05-06T07:08:09Z", "1970-01-01T00:00:00Z", "2024-05"],
        )
        first = headers[0]["WARC-Target-URI"]
        for header, block in records[1:]:
            self.assertEqual((block["nd-matched-url"], block["nd-group-url"]), (first, first))

    def test_only_pages_have_verdicts(self):
        path = self.write(
            "mixed.warc",
            record("warcinfo", None, b"software: x\r\n")
            + record("request", "http://a/", b"GET /")
            + response("http://a/", html(article(1)))
            + b"damage\r\n"
            + response("http://b/", b"", status="404 No")
            + record("metadata", "http://a/", b"x: y\r\n")
            + record("revisit", "http://a/", b""),
        )
        records, _, _ = self.dedup(path, code=3)
        self.assertEqual([header["WARC-Target-URI"] for header, _ in records], ["http://a/"])
        self.assertEqual(self.dedup(self.write("empty.warc", b""))[0], [])

    def test_is_read_as_an_archive(self):
        self.metadata += ".gz"
        self.dedup(self.archive())
        out, err = self.ndc("dedup", self.metadata, "--stats")
        self.assertEqual(self.rows(out), [])
        self.assertNotIn("damaged record", err)

    def test_every_format_order_and_number_of_threads(self):
        expected = [(header["WARC-Target-URI"], block["nd-verdict"]) for header, block in self.dedup(self.archive())[0]]
        for arguments in (
            ["--format", "groups"],
            ["--format", "jsonl"],
            ["--threads", "4"],
            ["--order", "fingerprints"],
        ):
            records, _, _ = self.dedup(self.archive(), *arguments)
            self.assertEqual([header["WARC-Target-URI"] for header, _ in records], [url for url, _ in expected])
            # In another order another page may be the first of its group.
            together = [{"exact": "near"}.get(block["nd-verdict"], block["nd-verdict"]) for _, block in records]
            if "--threads" not in arguments:
                self.assertEqual(
                    sorted(together), sorted({"exact": "near"}.get(verdict, verdict) for _, verdict in expected)
                )
            urls = {block["nd-page"]: header["WARC-Target-URI"] for header, block in records}
            for _, block in records:
                self.assertEqual(block["nd-group-url"], urls[block["nd-group"]])

    def test_wrong_usage(self):
        pages = self.archive()
        err = self.ndc("dedup", pages, "--warc-metadata", "-", code=2)[1]
        self.assertIn("standard output is for the rows", err)
        err = self.ndc("dedup", pages, "-o", self.out, "--warc-metadata", self.out, code=2)[1]
        self.assertIn("the same file", err)
        self.assertFalse(os.path.exists(self.out))
        self.assertIn("one of the inputs", self.ndc("dedup", pages, "--warc-metadata", pages, code=2)[1])
        self.assertEqual(len(read_inputs(pages)), 5)

    def test_urls_that_are_no_utf8(self):
        url = b"http://a.example/\xe4\xb8\xad/\xe4/\xc2\x85/\xed\xa0\x80/\xf0\x9f\x8c\x8d\xff"
        expected = "http://a.example/\u4e2d/%E4/%C2%85/%ED%A0%80/\U0001f30d%FF"
        data = response("http://a.example/URL", html(Archive.base)).replace(b"http://a.example/URL", url)
        for arguments in ([], ["--store", os.path.join(self.folder.name, "pages.ndc")]):
            records, _, _ = self.dedup(
                self.write("bytes.warc", data + response("http://b.example/", html(Archive.base))), *arguments
            )
            self.assertEqual([header["WARC-Target-URI"] for header, _ in records], [expected, "http://b.example/"])
            self.assertEqual([block["nd-group-url"] for _, block in records], [expected] * 2)
            self.assertEqual(records[1][1]["nd-matched-url"], expected)

    def test_one_file_under_two_names(self):
        pages = self.archive()
        folder = self.folder.name
        store = ["--store", os.path.join(folder, "pages.ndc")]
        os.mkdir(os.path.join(folder, "sub"))
        os.symlink(folder, os.path.join(folder, "here"))
        os.symlink(self.out, os.path.join(folder, "link"))
        names = [
            "./" + os.path.basename(self.out),
            "sub/../" + os.path.basename(self.out),
            "here/" + os.path.basename(self.out),
            "link",
        ]
        for there in (False, True):
            for name in names:
                for more in ([], store):
                    if there:
                        with open(self.out, "w") as file:
                            file.write("precious")
                    path = os.path.join(folder, name)
                    for outputs in (
                        ["-o", self.out, "--warc-metadata", path],
                        ["-o", path, "--warc-metadata", self.out],
                    ):
                        err = self.ndc("dedup", pages, *more, *outputs, code=2)[1]
                        self.assertIn("--warc-metadata and --output are the same file", err)
                        if there:
                            with open(self.out) as file:
                                self.assertEqual(file.read(), "precious")
                        else:
                            self.assertFalse(os.path.exists(self.out))
            os.link(self.write("other", b"precious"), os.path.join(folder, "hard%d" % there))
            outputs = ["-o", os.path.join(folder, "other"), "--warc-metadata", os.path.join(folder, "hard%d" % there)]
            self.assertIn("the same file", self.ndc("dedup", pages, *outputs, code=2)[1])
            os.remove(os.path.join(folder, "other"))
        # Devices take both.
        self.ndc("dedup", pages, "-o", "/dev/null", "--warc-metadata", "/dev/../dev/zero")

    def test_standard_output_and_input_are_files_too(self):
        pages = self.archive()
        with open(self.out, "wb") as file:
            command = [cli_test.NDC, "dedup", pages, "--warc-metadata", self.out]
            done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, timeout=300)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"the same file", done.stderr)
        size = os.path.getsize(pages)
        for outputs in (["-o", pages], ["-o", self.out, "--warc-metadata", pages]):
            with open(pages, "rb") as file:
                done = subprocess.run(
                    [cli_test.NDC, "dedup", "-", *outputs], stdin=file, stderr=subprocess.PIPE, timeout=300
                )
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"one of the inputs", done.stderr)
        with open(pages, "ab") as file:
            done = subprocess.run([cli_test.NDC, "dedup", pages], stdout=file, stderr=subprocess.PIPE, timeout=300)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(os.path.getsize(pages), size)

    def test_the_store_is_no_output(self):
        pages = self.archive()
        store = os.path.join(self.folder.name, "pages.ndc")
        os.symlink(store, os.path.join(self.folder.name, "store"))
        for there in (False, True):
            before = {name: os.path.getsize(os.path.join(store, name)) for name in os.listdir(store)} if there else {}
            inside = [store, store + "/", os.path.join(store, "new"), *(os.path.join(store, name) for name in before)]
            for path in inside + ([os.path.join(self.folder.name, "store", "new")] if there else []):
                for outputs in (["-o", path], ["-o", self.out, "--warc-metadata", path]):
                    err = self.ndc("dedup", "--store", store, pages, *outputs, code=2)[1]
                    self.assertIn("lies in the store", err)
                    err = self.ndc("dedup", "--store", store + "/", pages, *outputs, code=2)[1]
                    self.assertIn("lies in the store", err)
            if there:
                self.assertEqual(
                    before, {name: os.path.getsize(os.path.join(store, name)) for name in os.listdir(store)}
                )
            else:
                self.assertFalse(os.path.exists(store))
            self.ndc("dedup", "--store", store, pages, "-o", store + ".tsv")

    def test_what_cannot_be_written_is_told(self):
        err = self.ndc("dedup", self.archive(), "--warc-metadata", "/nonexistent/x.warc", code=1)[1]
        self.assertEqual(err, "ndc: cannot write /nonexistent/x.warc: No such file or directory\n")
        if os.path.exists("/dev/full"):
            err = self.ndc("dedup", self.archive(), "-o", self.out, "--warc-metadata", "/dev/full", code=1)[1]
            self.assertEqual(err, "ndc: cannot write /dev/full: No space left on device\n")

    def test_a_full_disk_leaves_whole_records(self):
        rng = random.Random(40)
        urls = ["http://long.example/%s/%d" % (rng.randbytes(500).hex(), number) for number in range(200)]
        data = b"".join(response(url, b"") for url in urls)
        for suffix in ("", ".gz"):
            path = self.metadata + suffix
            open_file = os.path.join(self.folder.name, "open" + suffix)
            os.symlink("/dev/fd/3", open_file)
            # A file size limit is the full disk that needs no disk.
            command = (
                'trap "" XFSZ; ulimit -f 40; '
                'exec "$0" dedup --order fingerprints - -o /dev/null --warc-metadata "$2" 3> "$1"'
            )
            done = subprocess.run(
                ["bash", "-c", command, cli_test.NDC, path, open_file], input=data, capture_output=True, timeout=300
            )
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(b"cannot write " + open_file.encode(), done.stderr)
            records = read(path)
            self.assertGreater(os.path.getsize(path), 30000)
            self.assertEqual([header["WARC-Target-URI"] for header, _ in records[1:]], urls[: len(records) - 1])

    def test_store(self):
        expected, table, _ = self.dedup(self.archive())
        store = os.path.join(self.folder.name, "pages.ndc")
        pages = os.path.join(self.folder.name, "pages.warc")
        records, rows, _ = self.dedup("--store", store, pages)
        self.assertEqual((records, rows), (expected, table))
        self.assertIn("nothing to do", self.dedup("--store", store, pages)[2])
        self.assertEqual(read(self.metadata)[1:], expected)
        # Without what was written, the run begins again; so does one without this output.
        os.truncate(self.metadata, 100)
        again, _, err = self.dedup("--store", store, pages)
        self.assertIn("%s lacks what an earlier run has written" % self.metadata, err)
        self.assertEqual([block["nd-verdict"] for _, block in again], ["unchanged"] * 5)
        err = self.ndc("dedup", "--store", store, pages, "-o", self.out)[1]
        self.assertNotIn("nothing to do", err)

    def test_the_next_run_names_pages_of_earlier_ones(self):
        store = os.path.join(self.folder.name, "pages.ndc")
        self.dedup("--store", store, self.archive())
        more = self.write("more.warc", response("http://six.example/f", html(Archive.base)))
        records, _, _ = self.dedup("--store", store, more, "--threads", "2")
        self.assertEqual(records[0][1]["nd-matched-url"], Archive.pages[0][0])
        # A group whose founder is gone has no URL.
        self.ndc("remove", store, "--url", Archive.pages[0][0])
        more = self.write("more.warc", response("http://seven.example/f", html(Archive.changed)))
        records, _, _ = self.dedup("--store", store, more)
        self.assertEqual(records[0][1]["nd-group"], "1")
        self.assertNotIn("nd-group-url", records[0][1])


def read_inputs(path):
    """How many records an archive of the tests has."""
    with open(path, "rb") as file:
        return re.findall(rb"^WARC/1", file.read(), re.MULTILINE)


if __name__ == "__main__":
    cli_test.NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
