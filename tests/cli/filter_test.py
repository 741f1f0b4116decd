#!/usr/bin/env python3
"""`ndc filter` and `ndc dedup --keep`: which records stay, byte for byte, and what stands in the place of the others.

usage: filter_test.py PATH_OF_NDC [unittest arguments]
"""
import gzip
import os
import re
import resource
import signal
import subprocess
import sys
import unittest

import cli_test
from cli_test import Archive, CliTest, article, html, record

try:
    from warcio.archiveiterator import ArchiveIterator
except ImportError:
    ArchiveIterator = None

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "sample", "documentation.warc.gz")
HTTP = "Content-Type: application/http; msgtype=response"


def named(kind, name, url, block, fields=(), date="2024-05-06T07:08:09Z"):
    made = record(kind, url, block, ["WARC-Record-ID: <urn:test:%s>" % name, *fields])
    return made.replace(b"2024-05-06T07:08:09Z", date.encode(), 1)


def page(name, url, body, fields=(), date="2024-05-06T07:08:09Z", head=""):
    http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n%s\r\n" % head
    return named("response", name, url, http.encode() + body, [HTTP, *fields], date)


def request(name, of, url):
    return named(
        "request",
        name,
        url,
        b"GET / HTTP/1.1\r\n\r\n",
        ["Content-Type: application/http; msgtype=request", "WARC-Concurrent-To: <urn:test:%s>" % of],
    )


def metadata(name, of, url, field="WARC-Concurrent-To"):
    return named("metadata", name, url, b"via: x\r\n", ["%s: <urn:test:%s>" % (field, of)])


WARCINFO = named("warcinfo", "info", None, b"software: test\r\n", ["Content-Type: application/warc-fields"])
IMAGE = named(
    "response",
    "image",
    "http://one.example/i.png",
    b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG\x00\x01",
    [HTTP],
)
LIST = ".left-out.tsv"
BASE, NEAR, OTHER = html(Archive.base), html(Archive.changed), html(article(2))
URLS = {
    "a": "http://one.example/a",
    "b": "http://two.example/b",
    "c": "http://three.example/c",
    "d": "http://four.example/d",
}
# a, b (near a), c (alone), d (the same bytes as a), each with a request and some with metadata.
A, B, C, D = (page(name, URLS[name], body) for name, body in zip("abcd", (BASE, NEAR, OTHER, BASE)))
REQUESTS = {name: request("q" + name, name, URLS[name]) for name in "abcd"}
NOTES = {"a": metadata("ma", "a", URLS["a"]), "b": metadata("mb", "b", URLS["b"], "WARC-Refers-To")}
CRAWL = [
    WARCINFO,
    A,
    REQUESTS["a"],
    NOTES["a"],
    REQUESTS["b"],
    B,
    NOTES["b"],
    IMAGE,
    C,
    REQUESTS["c"],
    D,
    REQUESTS["d"],
]


def members(data):
    """The content of each gzip member behind the record that says what is in the file."""
    return all_members(data)[1:]


def all_members(data):
    import zlib

    out = []
    while data:
        inflater = zlib.decompressobj(31)
        out.append(inflater.decompress(data) + inflater.flush())
        data = inflater.unused_data
    return out


def behind_info(data):
    return data.split(b"\r\n\r\n\r\n", 1)[1]


def full_disk(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def fields(made):
    head = made.split(b"\r\n\r\n", 1)[0].decode().split("\r\n")
    return dict(line.split(": ", 1) for line in head[1:])


class FilterCase(CliTest):
    def filtered(self, records, *arguments, code=0, name="out.warc.gz"):
        path = self.write("in.warc.gz", b"".join(map(gzip.compress, records)))
        out = os.path.join(self.folder.name, name)
        err = self.ndc("filter", path, "-o", out, *arguments, code=code)[1]
        data = self.bytes_of(out)
        # Nothing is left beside it but the list.
        self.assertEqual(sorted(os.listdir(self.folder.name)), sorted({"in.warc.gz", name, name + LIST}))
        return (members(data) if name.endswith(".gz") else behind_info(data)), err

    def bytes_of(self, path):
        with open(path, "rb") as file:
            return file.read()

    def list_of(self, path):
        head, *rows = self.bytes_of(path).decode().splitlines()
        return [dict(zip(head.lstrip("#").split("\t"), row.split("\t"), strict=True)) for row in rows]

    def assert_replays(self, path):
        if ArchiveIterator is None:
            return
        with open(path, "rb") as file:
            for each in ArchiveIterator(file, check_digests=True):
                each.content_stream().read()
                self.assertNotEqual(each.digest_checker.passed, False)


class FilterTest(FilterCase):
    def test_duplicates_go_with_what_belongs_to_them_and_the_rest_is_byte_for_byte(self):
        out, err = self.filtered(CRAWL)
        self.assertEqual(out, [WARCINFO, A, REQUESTS["a"], NOTES["a"], IMAGE, C, REQUESTS["c"]])
        self.assertIn("left out: 2 pages, 3 records of theirs", err)
        self.assert_replays(os.path.join(self.folder.name, "out.warc.gz"))

    def test_a_request_that_only_its_response_names_goes_too(self):
        asked = [named("request", "q" + name, URLS[name], b"GET / HTTP/1.1\r\n\r\n") for name in "ad"]
        answered = [page(name, URLS[name], BASE, ["WARC-Concurrent-To: <urn:test:q%s>" % name]) for name in "ad"]
        records = [asked[0], answered[0], asked[1], answered[1]]
        self.assertEqual(self.filtered(records)[0], records[:2])

    def test_a_request_of_a_page_that_stays_is_not_taken_by_another_page(self):
        left_out = page("d", URLS["d"], BASE, ["WARC-Concurrent-To: <urn:test:qa>"])
        self.assertEqual(self.filtered([A, REQUESTS["a"], left_out])[0], [A, REQUESTS["a"]])

    def test_the_output_is_plain_where_its_name_says_so(self):
        out, _ = self.filtered(CRAWL, name="out.warc")
        self.assertEqual(out, WARCINFO + A + REQUESTS["a"] + NOTES["a"] + IMAGE + C + REQUESTS["c"])

    def test_revisits_and_notes_stand_in_the_place_of_pages(self):
        out, err = self.filtered(CRAWL, "--revisit")
        self.assertEqual(out[:4], [WARCINFO, A, REQUESTS["a"], NOTES["a"]])
        note, revisit = out[4], out[8]
        self.assertEqual(out[5:8] + out[9:], [IMAGE, C, REQUESTS["c"], REQUESTS["d"]])
        self.assertIn("1 revisit record, 1 metadata record", err)
        head = fields(revisit)
        self.assertEqual(head["WARC-Type"], "revisit")
        self.assertEqual(head["WARC-Profile"], "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")
        self.assertEqual(head["WARC-Record-ID"], "<urn:test:d>")
        self.assertEqual(head["WARC-Target-URI"], URLS["d"])
        self.assertEqual(head["WARC-Refers-To"], "<urn:test:a>")
        self.assertEqual(head["WARC-Refers-To-Target-URI"], URLS["a"])
        self.assertEqual(head["WARC-Refers-To-Date"], "2024-05-06T07:08:09Z")
        self.assertTrue(head["WARC-Payload-Digest"].startswith("sha256:"))
        block = revisit.split(b"\r\n\r\n", 1)[1]
        self.assertEqual(block, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n\r\n\r\n")
        self.assertEqual(int(head["Content-Length"]), len(block) - 4)
        head = fields(note)
        self.assertEqual((head["WARC-Type"], head["WARC-Target-URI"]), ("metadata", URLS["b"]))
        for line in (
            b"nd-profile: near-duplicate\r\n",
            b"nd-record-id: urn:test:b\r\n",
            b"nd-kept-record-id: urn:test:a\r\n",
            b"nd-kept-target-uri: " + URLS["a"].encode() + b"\r\n",
        ):
            self.assertIn(line, note)
        path = os.path.join(self.folder.name, "out.warc.gz")
        self.assert_replays(path)
        # What was written is read again: the revisit is the page that it refers to.
        rows = self.rows(self.ndc("dedup", path)[0])
        self.assertEqual(
            [(row["#url"], row["verdict"]) for row in rows],
            [(URLS["a"], "new"), (URLS["c"], "new"), (URLS["d"], "exact")],
        )

    def test_each_rule_keeps_its_page(self):
        link = '<link rel="canonical" href="/b">'.encode()
        linked = NEAR.replace(b"<title>", link + b"<title>")
        records = [
            page("a", URLS["a"], BASE, date="2024-01-01T00:00:00Z"),
            page("b", URLS["b"], linked, date="2023-01-01T00:00:00Z"),
            page("d", URLS["d"] + "/longer", BASE, date="2025-01-01T00:00:00Z"),
        ]
        for rule, kept in (("first", 0), ("longest", 1), ("newest", 2), ("canonical", 1)):
            self.assertEqual(self.filtered(records, "--keep", rule)[0], [records[kept]], rule)

    def test_a_url_with_two_texts_loses_neither(self):
        records = [page("1", URLS["a"], BASE), page("2", URLS["a"], OTHER), page("3", URLS["a"], BASE)]
        self.assertEqual(self.filtered(records)[0], records[:2])

    def test_no_url_of_an_input_is_taken_for_another_capture(self):
        third = html(article(3))
        records = [page("1", URLS["a"], BASE), page("2", URLS["a"], OTHER), page("3", URLS["a"] + "#capture-1", third)]
        self.assertEqual(self.filtered(records)[0], records)
        records = [records[2], records[0], records[1]]
        self.assertEqual(self.filtered(records)[0], records)

    def test_revisits_never_lose_what_they_refer_to(self):
        revisit = named(
            "revisit",
            "r",
            URLS["c"],
            b"HTTP/1.1 200 OK\r\n\r\n",
            [
                HTTP,
                "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
                "WARC-Refers-To: <urn:test:d>",
                "WARC-Refers-To-Target-URI: " + URLS["d"],
                "WARC-Refers-To-Date: 2024-05-06T07:08:09Z",
            ],
            "2025-01-01T00:00:00Z",
        )
        records = [A, D, revisit]
        # It has no content, so that it is not kept, though it is the newest.
        self.assertEqual(self.filtered(records, "--keep", "newest")[0], [A])
        out = self.filtered(records, "--revisit")[0]
        self.assertEqual(out[0], A)
        self.assertEqual([fields(each)["WARC-Refers-To"] for each in out[1:]], ["<urn:test:a>"] * 2)
        # That of a page which stays is left as it is.
        self.assertEqual(self.filtered([D, revisit], "--revisit")[0], [D, revisit])
        # Where the page comes later, the revisit has no content, so that the page stays whatever equals it.
        for arguments in ((), ("--revisit",)):
            self.assertEqual(self.filtered([A, revisit, D], *arguments)[0], [A, revisit, D], arguments)

    def test_images_and_files_that_come_again_are_revisits(self):
        picture = (
            b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nX: %d\r\n\r\n" + b"\x89PNG\x00" + bytes(range(256)) * 4
        )

        def image(name, number, body=picture, kind="response", fields=(HTTP,)):
            return named(kind, name, "http://one.example/%d.png" % number, body.replace(b"%d", b"%d" % number), fields)

        first, again = image("i1", 1), image("i2", 2)
        other = image("i3", 3, picture[:-1] + b"x")
        # It is named by a revisit, so that it stays what it is.
        meant = image("i4", 4)
        revisit = named(
            "revisit",
            "r",
            "http://one.example/5.png",
            b"HTTP/1.1 200 OK\r\n\r\n",
            [HTTP, "WARC-Refers-To-Target-URI: http://one.example/4.png", "WARC-Refers-To-Date: 2024-05-06T07:08:09Z"],
        )
        plain = image("p", 6, bytes(2000), "resource", ["Content-Type: font/woff"])
        repeated = image("q", 7, bytes(2000), "resource", ["Content-Type: font/woff"])
        cut = image("c", 8, fields=[HTTP, "WARC-Truncated: length"])
        empty = [image("e%d" % i, 10 + i, b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n") for i in range(2)]
        records = [first, again, other, meant, revisit, plain, repeated, cut, *empty]
        self.assertEqual(self.filtered(records)[0], records)
        out, err = self.filtered(records, "--revisit")
        self.assertIn("; 2 revisit records in the place of other files; ", err)
        self.assertEqual(out[:1] + out[2:6] + out[7:], records[:1] + records[2:6] + records[7:])
        head = fields(out[1])
        self.assertEqual(
            [head[name] for name in ("WARC-Type", "WARC-Record-ID", "WARC-Refers-To", "WARC-Refers-To-Target-URI")],
            ["revisit", "<urn:test:i2>", "<urn:test:i1>", "http://one.example/1.png"],
        )
        self.assertTrue(out[1].endswith(b"Content-Type: image/png\r\nX: 2\r\n\r\n\r\n\r\n"), out[1])
        self.assertEqual((fields(out[6])["WARC-Type"], fields(out[6])["Content-Length"]), ("revisit", "0"))
        self.assert_replays(os.path.join(self.folder.name, "out.warc.gz"))

    def test_pages_without_text_and_other_segments_stay(self):
        empty = [page(str(i), "http://e%d.example/" % i, b"<html></html>") for i in range(3)]
        segment = page("s", URLS["d"], BASE, ["WARC-Segment-Number: 1"])
        self.assertEqual(self.filtered([A, *empty, segment])[0], [A, *empty, segment])

    def test_long_blocks_are_copied_to_their_end(self):
        long = named(
            "resource", "long", "http://one.example/film", bytes(range(256)) * 2000, ["Content-Type: video/mp4"]
        )
        cut = long[:-3000]
        out, _ = self.filtered([A, long, D], "--max-page-bytes", "65536")
        self.assertEqual(out, [A, long])
        out, _ = self.filtered([A, cut, D, C], "--max-page-bytes", "65536", code=3)
        self.assertEqual(out, [A, C])

    def test_damage_costs_no_neighbour(self):
        packed = list(map(gzip.compress, [A, C, D]))
        packed[1] = packed[1][:200] + b"\xff" * 40 + packed[1][240:]
        path, out = self.write("in.warc.gz", b"".join(packed)), os.path.join(self.folder.name, "out.warc.gz")
        self.ndc("filter", path, "-o", out, code=3)
        with open(out, "rb") as file:
            self.assertEqual(members(file.read()), [A])

    def test_several_files_and_the_same_one_twice(self):
        first, second = self.write("1.warc", A + C), self.write("2.warc.gz", gzip.compress(D) + gzip.compress(B))
        out = os.path.join(self.folder.name, "out.warc")
        self.ndc("filter", first, second, first, "-o", out)
        self.assertEqual(behind_info(self.bytes_of(out)), A + C)

    def test_what_cannot_be_filtered_is_said_and_leaves_everything_as_it_was(self):
        path = self.write("in.warc", A + D)
        out = self.write("out.warc", b"before")
        link = os.path.join(self.folder.name, "link.warc")
        os.symlink(path, link)
        arc = self.write("in.arc", b"filedesc://x 1.2.3.4 20240101000000 text/plain 3\n1 0\n")
        for arguments, code, words in (
            ((path, "-o", path), 2, "is one of the inputs"),
            ((path, "-o", link), 2, "is one of the inputs"),
            (("-", "-o", out), 2, "reads its input twice"),
            (("/dev/stdin", "-o", out), 2, "reads its input twice"),
            ((path, "-o", "-"), 2, "standard output is no file"),
            ((path, "-o", "/dev/null"), 2, "/dev/null is no file"),
            ((path, "-o", "/dev/stdout"), 2, "/dev/stdout is no file"),
            ((path, "-o", out, "--dropped", "/dev/null"), 2, "/dev/null is no file"),
            ((path, "-o", out, "--caution", "equal", "--leave-out-parts"), 2, "leaves out what is equal"),
            ((path, "-o", out, "--caution", "careful", "--option", "decision=report"), 2, "asks for a probability"),
            ((path, "-o", out, "--option", "decide=method"), 2, "has no effect with detector=lcs"),
            ((path, "-o", out, "--store", self.folder.name), 2, "lies in the store"),
            ((path, "-o", out, "--store", "/none"), 1, "there is no such directory"),
            *(((path, "-o", out + ending), 2, "only read") for ending in (".zst", ".bz2", ".xz", ".lz4")),
            ((path, "-o", out + ".wacz"), 2, "make a WACZ of them"),
            ((path,), 2, "give --output, or --dry-run"),
            ((path, "--dry-run", "-o", out), 2, "--dry-run writes no --output"),
            ((path, "-o", out, "--dropped", "-"), 2, "standard output is no file"),
            ((path, "-o", out, "--dropped", out), 2, "the same file"),
            ((path, "-o", out, "--dropped", path), 2, "is one of the inputs"),
            ((path, "-o", out, "--dropped", self.folder.name + "/none/x"), 1, "No such file"),
            ((path, "-o", self.folder.name), 1, "Is a directory"),
            ((path, "-o", self.folder.name + "/none/x"), 1, "No such file"),
            ((arc, "-o", out), 1, "an ARC file"),
            ((path + "x", "-o", out), 1, "No such file"),
        ):
            err = self.ndc("filter", *arguments, data=A, code=code)[1]
            self.assertIn(words, err, arguments)
        for name, data in ((path, A + D), (out, b"before")):
            with open(name, "rb") as file:
                self.assertEqual(file.read(), data)
        self.assertEqual(len(os.listdir(self.folder.name)), 4)

    def test_a_folder_with_links_that_lead_nowhere(self):
        folder, out = os.path.join(self.folder.name, "folder"), os.path.join(self.folder.name, "out.warc")
        os.mkdir(folder)
        self.write("folder/in.warc", b"".join(cli_test.Archive.records()))
        os.symlink("../folder", os.path.join(folder, "loop"))
        self.ndc("filter", folder, "-o", out)
        whole = behind_info(self.bytes_of(out))
        os.symlink("/nonexistent", os.path.join(folder, "dangling"))
        err = self.ndc("filter", folder, "-o", out, code=3)[1]
        self.assertIn("folder/dangling: byte 0: cannot be read: No such file or directory; skipped", err)
        self.assertEqual(behind_info(self.bytes_of(out)), whole)

    def test_names_of_records_cannot_add_fields(self):
        evil = page("d", "http://evil.example/\x85\x0bX", BASE)
        out = self.filtered([evil.replace(b"/\x85", b"/\x01"), B], "--revisit", "--keep", "first")[0]
        self.assertNotIn(b"\x01", out[1])

    def test_the_sample_is_half_as_long_and_whole(self):
        for arguments in ((), ("--revisit",), ("--keep", "canonical")):
            out = os.path.join(self.folder.name, "sample.warc.gz")
            self.ndc("filter", SAMPLE, "-o", out, *arguments)
            with open(out, "rb") as file, open(SAMPLE, "rb") as whole:
                kept, all_records = members(file.read()), all_members(whole.read())
            if not arguments:
                self.assertTrue(set(kept) <= set(all_records))
                rows = self.rows(self.ndc("dedup", out)[0])
                self.assertEqual(len(rows), 96)
            self.assertLess(os.path.getsize(out), 0.7 * os.path.getsize(SAMPLE))
            self.assert_replays(out)
            self.assertIn("left out: 0 pages", self.ndc("filter", out, "--dry-run", *arguments)[1])

    def test_who_opens_the_archive_sees_what_went(self):
        out, err = self.filtered(CRAWL, "--caution", "normal", "--keep", "longest")
        path = os.path.join(self.folder.name, "out.warc.gz")
        info = all_members(self.bytes_of(path))[0]
        self.assertEqual(fields(info)["WARC-Type"], "warcinfo")
        self.assertEqual(int(fields(info)["Content-Length"]), len(info.split(b"\r\n\r\n", 1)[1]) - 4)
        for line in (
            "nd-input: in.warc.gz",
            "nd-keep: longest",
            "nd-caution: normal",
        ):
            self.assertIn(line.encode() + b"\r\n", info)
        rows = self.list_of(path + LIST)
        self.assertEqual(
            [(row["url"], row["kept_url"]) for row in rows], [(URLS["a"], URLS["b"]), (URLS["d"], URLS["b"])]
        )
        self.assertEqual({row["reason"] for row in rows}, {"near-duplicate"})
        self.assertEqual({row["kept_fetched"] for row in rows}, {"2024-05-06T07:08:09Z"})
        for row in rows:
            self.assertGreater(float(row["probability"]), 0.5)
        self.assertIn("left out: 2 pages", err)

    def test_the_list_says_why(self):
        self.filtered([A, B, D, page("e", URLS["a"], BASE)])
        rows = self.list_of(os.path.join(self.folder.name, "out.warc.gz" + LIST))
        self.assertEqual([row["reason"] for row in rows], ["near-duplicate", "equal-text", "same-content"])

    def test_caution(self):
        half = html(Archive.base[:30] + article(7)[:10])
        pages = [A, D, page("h", "http://half.example/", half)]
        self.assertEqual(self.filtered(pages)[0], pages[:1])
        for caution in ("careful", "equal"):
            out, err = self.filtered(pages, "--caution", caution)
            self.assertEqual(out, [A, pages[2]])
            self.assertIn("also kept: 1 too uncertain", err)
            path = self.write("both.warc", b"".join(pages))
            rows = self.ndc("dedup", "--keep", "first", "--caution", caution, path)[0].decode().splitlines()[1:]
            kept = [row.split("\t")[-1] for row in rows]
            self.assertEqual(kept, [URLS["a"], URLS["a"], "http://half.example/"])
            os.unlink(path)
        self.ndc("dedup", "--caution", "equal", os.path.join(self.folder.name, "in.warc.gz"), code=2)

    def test_caution_of_lists_of_groups(self):
        for order in ("input", "fingerprints"):
            command = ("dedup", SAMPLE, "--order", order, "--format", "groups", "--caution")
            listed = [self.ndc(*command, caution)[0].decode() for caution in ("equal", "careful", "normal")]
            left_out = [int(re.search(r"of which ([\d,]+) could be left out", text)[1]) for text in listed]
            self.assertEqual(left_out, sorted(set(left_out)), order)

    def test_a_dry_run_writes_nothing_and_says_the_same(self):
        err = self.filtered(CRAWL)[1]
        before = sorted(os.listdir(self.folder.name))
        path = os.path.join(self.folder.name, "in.warc.gz")
        said = self.ndc("filter", "--dry-run", path)[1]
        self.assertEqual(sorted(os.listdir(self.folder.name)), before)
        self.assertEqual(said.split(" bytes of records")[0], err.split(" bytes of records")[0])
        self.assertIn("; nothing was written\n", said)
        drop = os.path.join(self.folder.name, "drop")
        self.ndc("filter", "--dry-run", path, "--dropped", drop)
        self.assertEqual(self.bytes_of(drop), self.bytes_of(os.path.join(self.folder.name, "out.warc.gz" + LIST)))

    def test_more_threads_leave_out_the_same(self):
        records = [WARCINFO] + [
            page("%s%d" % (name, i), "http://%s.example/%d" % (name, i), html(article(i)))
            for i in range(60)
            for name in ("x", "y")
        ]
        alone = self.filtered(records)[0]
        self.assertEqual(self.filtered(records, "--threads", "3")[0], alone)
        self.assertEqual(len(alone), 61)

    def test_quiet_and_stats(self):
        self.assertEqual(self.filtered(CRAWL, "--quiet")[1], "")
        err = self.filtered(CRAWL, "--stats", "--quiet")[1]
        self.assertRegex(err, r"(?m)^input.pages +4$")
        # The engine is that of the first decision, which had all pages.
        self.assertRegex(err, r"(?m)^engine.pages +4$")
        # A warning is given once, however often what remains is decided again.
        err = self.filtered(CRAWL, "--quiet", "--option", "durability=sync")[1]
        self.assertEqual(err, "ndc: option durability has no effect without a store\n")

    def test_the_groups_of_a_store(self):
        path = self.write("in.warc", b"".join([A, B, C, D]))
        store, out = (os.path.join(self.folder.name, name) for name in ("pages.ndc", "out.warc"))
        rows = self.ndc("dedup", "--store", store, path, "--option", "same_document=1")[0]
        self.assertEqual([row["verdict"] for row in self.rows(rows)], ["new", "new", "new", "exact"])
        before = self.ndc("dump", store)[0]
        self.ndc("filter", path, "-o", out, "--store", store)
        # As the store has been told, B is another document.
        self.assertEqual(behind_info(self.bytes_of(out)), A + B + C)
        self.assertEqual(self.ndc("dump", store)[0], before)
        self.ndc("filter", path, "-o", out)
        self.assertEqual(behind_info(self.bytes_of(out)), A + C)

    def test_a_full_disk_leaves_no_file(self):
        # Of pages with much markup the records are larger than what waits of them in a temporary file.
        large = page("large", "http://large.example/", html(article(9)) + b"<!--" + b"-" * 100000 + b"-->")
        path = self.write("in.warc", A + C + large)
        for size, full in ((200, b"a temporary file"), (50000, b"out.warc"), (len(large), b"out.warc")):
            done = subprocess.run(
                [cli_test.NDC, "filter", path, "-o", os.path.join(self.folder.name, "out.warc")],
                preexec_fn=lambda: full_disk(size),
                capture_output=True,
            )
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(full + b": File too large", done.stderr)
            self.assertEqual(os.listdir(self.folder.name), ["in.warc"])

    def test_an_archive_that_changes_meanwhile(self):
        path = self.write(
            "in.warc",
            b"".join([A, C, D] + [page(str(i), "http://x.example/%d" % i, html(article(i))) for i in range(400)]),
        )
        out = os.path.join(self.folder.name, "out.warc")
        running = subprocess.Popen([cli_test.NDC, "filter", path, "-o", out], stderr=subprocess.PIPE)
        while not any(name.startswith(".out.warc") for name in os.listdir(self.folder.name)):
            self.assertIsNone(running.poll())
        with open(path, "r+b") as file:
            file.write(b"WARC/1.1")
        self.assertIn(b"in.warc: has changed while it was read", running.communicate()[1])
        self.assertEqual(running.returncode, 1)
        self.assertEqual(os.listdir(self.folder.name), ["in.warc"])


class DecisionsTest(FilterCase):
    def judged(self, table, *arguments, records=CRAWL, code=0):
        path = self.write("in.warc", b"".join(records))
        decisions = self.write("decisions.tsv", table.encode())
        out = os.path.join(self.folder.name, "out.warc")
        err = self.ndc("filter", path, "-o", out, "--decisions", decisions, *arguments, code=code)[1]
        return (behind_info(self.bytes_of(out)) if code == 0 else None), err

    def test_pages_stay_or_go_as_they_were_judged(self):
        table = "#url\tdecision\tfetched\n%s\tleave-out\t2024-05-06T07:08:09Z\n%s\tkeep\t\n" % (URLS["a"], URLS["d"])
        out, err = self.judged(table)
        self.assertEqual(
            out, b"".join([WARCINFO, REQUESTS["b"], B, NOTES["b"], IMAGE, C, REQUESTS["c"], D, REQUESTS["d"]])
        )
        self.assertIn("also kept: 1 by judgement", err)
        rows = self.list_of(os.path.join(self.folder.name, "out.warc" + LIST))
        self.assertEqual(
            [(row["url"], row["kept_url"], row["reason"]) for row in rows], [(URLS["a"], URLS["b"], "judged")]
        )
        self.assertEqual(rows[0]["probability"], "-")

    def test_all_of_a_group_may_go(self):
        table = "".join("%s\tleave-out\n" % URLS[name] for name in "abd")
        out, err = self.judged(table, "--revisit")
        self.assertEqual(out, WARCINFO + IMAGE + C + REQUESTS["c"])
        self.assertIn("no page is left of 1 group", err)
        rows = self.list_of(os.path.join(self.folder.name, "out.warc" + LIST))
        self.assertEqual({row["kept_url"] for row in rows}, {"-"})

    def test_a_list_of_urls_is_to_be_kept(self):
        for mark in ("", "\ufeff"):
            self.assertIn(D, self.judged(mark + URLS["d"] + "\r\n")[0])

    def test_labels_join_and_separate(self):
        labels = "url\tgroup\tkind\tsite\n"
        rows = "".join("%s\t%d\tjudged\tx\n" % (URLS[name], group) for name, group in (("a", 1), ("c", 1), ("b", 2)))
        out, _ = self.judged(labels + rows, records=[A, B, C, D])
        self.assertEqual(out, A + B)
        out, _ = self.judged(labels + "%s\t7\tambiguous\tx\n" % URLS["d"], records=[A, B, C, D])
        self.assertEqual(out, A + C + D)

    def test_two_captures_are_judged_by_themselves(self):
        later = page("b2", URLS["b"], OTHER, date="2024-06-01T00:00:00Z")
        table = "#url\tdecision\tfetched\n" + "".join(
            "%s\tleave-out\t%s\n" % (URLS["b"], time) for time in ("2024-05-06T07:08:09Z", "2024-06-01T00:00:00Z")
        )
        self.assertEqual(self.judged(table, records=[A, B, later])[0], A)
        # Labels without a time do not say which of its texts was judged.
        labels = "url\tgroup\n%s\t1\n%s\t1\n" % (URLS["a"], URLS["b"])
        out, err = self.judged(labels, records=[A, B, later])
        self.assertIn(later, out)
        self.assertIn("1 label of pages with several texts, the first of %s; " % URLS["b"], err)

    def test_another_capture_is_not_left_out(self):
        out, err = self.judged("#url\tdecision\tfetched\n%s\tleave-out\t2020-01-01T00:00:00Z\n" % URLS["c"])
        self.assertIn(C, out)
        self.assertIn("1 decision of 1 about a capture that is not in the input, the first of " + URLS["c"], err)

    def test_a_list_chooses_the_page_of_each_group(self):
        out, err = self.judged(URLS["d"] + "\n", records=[A, B, C, D])
        self.assertEqual(out, C + D)
        # A judgement is about its page alone.
        self.assertEqual(self.judged(URLS["d"] + "\tkeep\n", records=[A, B, C, D])[0], A + C + D)
        # What dedup would keep is what stays.
        path, keep = self.write("in.warc", A + B + C + D), os.path.join(self.folder.name, "keep")
        self.ndc("dedup", path, "--keep-urls", keep, "--keep", "longest")
        with open(keep) as file:
            listed = file.read()
        os.unlink(keep)
        self.assertEqual(self.judged(listed, records=[A, B, C, D])[0], B + C)

    def test_one_of_equal_captures_is_enough(self):
        later = page("d2", URLS["d"], BASE, date="2024-06-01T00:00:00Z")
        for table in (
            "%s\tkeep\n" % URLS["d"],
            "#url\tdecision\tfetched\n%s\tkeep\t2024-05-06T07:08:09Z\n" % URLS["d"],
        ):
            self.assertEqual(self.judged(table, records=[A, D, later])[0], A + D)
            # The one that was judged is the one that stays, wherever it is.
            kept = D if "fetched" in table else later
            self.assertEqual(self.judged(table, records=[A, later, D])[0], A + kept)
        # Another text of the URL stays as well.
        changed = page("d3", URLS["d"], NEAR, date="2024-06-01T00:00:00Z")
        self.assertEqual(self.judged("%s\tkeep\n" % URLS["d"], records=[A, D, changed])[0], A + D + changed)

    def test_a_revisit_that_stays_has_its_page(self):
        revisit = named(
            "revisit",
            "r",
            URLS["c"],
            b"HTTP/1.1 200 OK\r\n\r\n",
            [
                HTTP,
                "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
                "WARC-Refers-To: <urn:test:d>",
                "WARC-Refers-To-Target-URI: " + URLS["d"],
                "WARC-Refers-To-Date: 2024-05-06T07:08:09Z",
            ],
            "2025-01-01T00:00:00Z",
        )
        keep = "#url\tdecision\tfetched\n%s\tkeep\t2025-01-01T00:00:00Z\n" % URLS["c"]
        for arguments in ((), ("--revisit",)):
            self.assertEqual(self.judged(keep, *arguments, records=[A, D, revisit])[0], A + D + revisit, arguments)
        # One that is left out for it is changed to refer to the page too.
        again = revisit.replace(b"<urn:test:r>", b"<urn:test:r2>").replace(b"2025-01-01", b"2025-02-01")
        out = self.judged(keep, "--revisit", records=[D, revisit, again])[0]
        self.assertEqual(re.findall(rb"WARC-Refers-To: (\S+)", out), [b"<urn:test:d>"] * 2)
        # Even against a judgement, which is said.
        leave_out = "%s\tleave-out\t2024-05-06T07:08:09Z\n" % URLS["d"]
        out, err = self.judged(keep + leave_out, records=[A, D, revisit])
        self.assertEqual(out, A + D + revisit)
        self.assertIn("1 page judged leave-out stayed: revisits that were judged keep refer to them", err)
        # A revisit of which nothing was said goes with the page that it refers to.
        head = "#url\tdecision\tfetched\n"
        out, err = self.judged(head + leave_out, records=[D, revisit, C])
        self.assertEqual(out, C)
        self.assertIn("no page is left of 1 group", err)

    def test_each_file_has_to_fit(self):
        other = self.write("other.tsv", b"http://none.example/\tkeep\n")
        err = self.judged(URLS["d"] + "\tkeep\n", "--decisions", other, code=1)[1]
        self.assertIn("none of the 1 page of %s is in the input" % other, err)
        other = self.write("other.tsv", (URLS["d"] + "\tleave-out\n").encode())
        err = self.judged(URLS["d"] + "\tkeep\n", "--decisions", other, code=1)[1]
        self.assertIn("other.tsv: line 1: %s was decided otherwise before, in " % URLS["d"], err)

    def test_pages_that_are_not_there(self):
        out, err = self.judged("%s\tkeep\nhttp://none.example/\tleave-out\n" % URLS["d"])
        self.assertIn(D, out)
        self.assertIn("1 decision of 2 without a page in the input, the first about http://none.example/\n", err)

    def test_files_that_cannot_be_used(self):
        for table, words in (
            ("http://none.example/\tkeep\n", "none of the 1 page of "),
            ("", "there is no decision in it"),
            ("#url\tcolour\n", "neither a column decision nor a column group"),
            (URLS["a"] + "\tmaybe\n", 'line 1: "maybe" is neither keep nor leave-out'),
            ("%s\tkeep\n%s\tleave-out\n" % (URLS["a"], URLS["a"]), "line 2: %s was decided otherwise" % URLS["a"]),
            ("#url\tdecision\tfetched\n%s\tkeep\tyesterday\n" % URLS["a"], '"yesterday" is no time'),
            ("\tkeep\n", "line 1: there is no URL"),
        ):
            self.assertIn(words, self.judged(table, code=1)[1])
            self.assertEqual(sorted(os.listdir(self.folder.name)), ["decisions.tsv", "in.warc"])
        self.assertIn(
            "No such file",
            self.ndc("filter", self.write("in.warc", A), "-o", "x.warc", "--decisions", "/none", code=1)[1],
        )


class KeepTest(CliTest):
    def lists(self, *arguments):
        path = self.write("in.warc", A + B + C + D)
        keep, drop = (os.path.join(self.folder.name, name) for name in ("keep", "drop"))
        out = self.ndc("dedup", path, "--keep-urls", keep, "--drop-urls", drop, *arguments)[0]
        with open(keep) as kept, open(drop) as dropped:
            return out.decode().splitlines(), kept.read().split(), dropped.read().split()

    def test_a_column_and_two_lists(self):
        rows, keep, drop = self.lists()
        self.assertEqual(rows[0].split("\t")[-1], "kept")
        self.assertEqual([row.split("\t")[-1] for row in rows[1:]], [URLS[name] for name in "aaca"])
        self.assertEqual((keep, drop), ([URLS["a"], URLS["c"]], [URLS["b"], URLS["d"]]))

    def test_the_longest(self):
        rows, keep, drop = self.lists("--keep", "longest", "--format", "jsonl")
        self.assertIn('"kept":"%s"' % URLS["b"], rows[0])
        self.assertEqual((keep, drop), ([URLS["b"], URLS["c"]], [URLS["a"], URLS["d"]]))

    def test_what_does_not_go_together(self):
        path = self.write("in.warc", A)
        for arguments in (
            ("--store", self.folder.name + "/s"),
            ("--order", "fingerprints"),
            ("--format", "groups"),
            ("--keep-urls", "-"),
        ):
            self.ndc("dedup", path, "--keep", "first", *arguments, code=2)
        self.ndc("dedup", path, "--keep-urls", path, code=2)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cli_test.NDC = sys.argv.pop(1)
    unittest.main()
