#!/usr/bin/env python3
"""What becomes of records that archives hold beside plain pages: revisits, odd statuses, headers that are no media
type, codings that give too much, ids that strangers chose (docs/inputs.md).

usage: records_test.py PATH_OF_NDC [unittest arguments]
"""
import csv
import gzip
import io
import json
import os
import sys
import unittest

import cli_test
from cli_test import CliTest, article, html, record, response

HTTP = "Content-Type: application/http; msgtype=response"
PROFILE = "WARC-Profile: http://netpreserve.org/warc/%s"
NOT_MODIFIED = PROFILE % "1.0/revisit/server-not-modified"
IDENTICAL = PROFILE % "1.1/revisit/identical-payload-digest"
NOTHING = "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
NOTHING_HEX = "WARC-Payload-Digest: sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709"
HEAD_304 = b"HTTP/1.1 304 Not Modified\r\nServer: x\r\n\r\n"
HEAD_200 = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"
FIRST, SECOND = html(article(1)), html(article(2))


def named(url, body, name="", fields=(), head=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"):
    ids = ["WARC-Record-ID: <urn:test:%s>" % name] if name else []
    return record("response", url, head + body, [HTTP, *ids, *fields])


def revisit(url, block, *fields):
    return record("revisit", url, block, [HTTP, *fields])


# An empty robots.txt is enough for the digest of nothing.
ROBOTS = named(
    "http://x.example/robots.txt", b"", "r", [NOTHING], b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
)


class RecordsTest(CliTest):
    def dedup(self, records, *arguments, code=0):
        """Rows as (URL, verdict), and the counts."""
        path = self.write("in.warc", b"".join(records))
        out, err = self.ndc("dedup", "--stats", path, *arguments, code=code)
        rows = [(row["#url"], row["verdict"]) for row in self.rows(out)]
        counts = dict(line.split() for line in err.splitlines() if line.startswith("input."))
        return rows, {name: int(number.replace(",", "")) for name, number in counts.items()}

    def filtered(self, records, *arguments):
        out = os.path.join(self.folder.name, "out.warc")
        err = self.ndc("filter", self.write("in.warc", b"".join(records)), "-o", out, *arguments)[1]
        with open(out, "rb") as file:
            return file.read().split(b"\r\n\r\n\r\n", 1)[1], err  # behind the record that says what is in it


class RevisitsTest(RecordsTest):
    def test_not_modified_leaves_the_page_as_it_was(self):
        for digest in ([NOTHING], [NOTHING_HEX], []):
            for block in (HEAD_304, b""):
                last = [revisit(A, block, NOT_MODIFIED, *digest), revisit(B, block, NOT_MODIFIED, *digest)]
                rows, counts = self.dedup([named(A, FIRST), named(B, SECOND), ROBOTS, *last])
                self.assertEqual(rows[3:], [(A, "unchanged"), (B, "unchanged")])
                self.assertNotIn("input.left_out_lost_revisits", counts)

    def test_304_says_so_whatever_the_profile_is(self):
        for fields in ((NOTHING,), (IDENTICAL, NOTHING), (PROFILE % "1.1/Server-Not-Modified", NOTHING)):
            rows, _ = self.dedup([named(A, FIRST), ROBOTS, revisit(A, HEAD_304, *fields)])
            self.assertEqual(rows[2:], [(A, "unchanged")], fields)

    def test_not_modified_is_the_last_text_of_its_url(self):
        error = named(A, b"gone", head=b"HTTP/1.1 503 Unavailable\r\nContent-Type: text/html\r\n\r\n")
        again = revisit(A, HEAD_304, NOT_MODIFIED, NOTHING)
        rows, _ = self.dedup([named(A, FIRST), named(A, SECOND), error, again, named(C, SECOND)])
        self.assertEqual(rows[2:], [(A, "unchanged"), (C, "exact")])
        # A revisit is a text of its URL as well.
        other = [
            named(A, FIRST),
            named(B, SECOND, "b"),
            revisit(A, HEAD_200, IDENTICAL, "WARC-Refers-To: <urn:test:b>"),
        ]
        rows, _ = self.dedup([*other, again])
        self.assertEqual(rows[2:], [(A, "exact"), (A, "unchanged")])
        # What it names itself comes first.
        rows, _ = self.dedup(
            [
                named(A, FIRST, "1"),
                named(A, SECOND),
                revisit(A, HEAD_304, NOT_MODIFIED, "WARC-Refers-To: <urn:test:1>"),
                named(C, FIRST),
            ]
        )
        self.assertEqual(rows[3:], [(C, "exact")])

    def test_what_is_not_there_is_lost_and_no_text(self):
        lone = revisit(A, HEAD_304, NOT_MODIFIED, NOTHING)
        rows, counts = self.dedup([ROBOTS, lone])
        self.assertEqual(rows, [("http://x.example/robots.txt", "no-text")])
        self.assertEqual(counts["input.left_out_lost_revisits"], 1)
        copy, err = self.filtered([ROBOTS, lone])
        self.assertEqual(copy, ROBOTS + lone)
        self.assertIn("2 records read, 2 copied, left out: 0 pages", err)

    def test_the_digest_of_nothing_refers_to_nothing(self):
        empty = [
            revisit(A, HEAD_200, IDENTICAL, NOTHING),
            revisit(A, HEAD_200, IDENTICAL, NOTHING_HEX),
            revisit(A, HEAD_200, IDENTICAL, "WARC-Refers-To: <urn:test:r>"),
            revisit(A, b"", "WARC-Refers-To-Target-URI: http://x.example/robots.txt"),
        ]
        rows, counts = self.dedup([named(A, FIRST), ROBOTS, *empty])
        self.assertEqual([url for url, _ in rows], [A, "http://x.example/robots.txt"])
        self.assertEqual(counts["input.left_out_lost_revisits"], 4)
        for arguments in ((), ("--revisit",), ("--keep", "newest")):
            self.assertEqual(self.filtered([ROBOTS, *empty], *arguments)[0], b"".join([ROBOTS, *empty]))
        # A redirect that was seen again is a redirect.
        moved = revisit(A, b"HTTP/1.1 301 Moved\r\n\r\n", IDENTICAL, NOTHING)
        self.assertEqual(self.dedup([ROBOTS, moved])[1]["input.other_http_statuses"], 1)

    def test_a_digest_is_the_same_in_every_spelling(self):
        first = named(A, FIRST, "a", ["WARC-Payload-Digest: sha1:IB723SXHRURE4K3OBCSGFMVJFYNXLAWT"])
        for digest in ("sha1:ib723sxhrure4k3obcsgfmvjfynxlawt", "IB723SXHRURE4K3OBCSGFMVJFYNXLAWT"):
            rows, _ = self.dedup([first, revisit(B, HEAD_200, IDENTICAL, "WARC-Payload-Digest: " + digest)])
            self.assertEqual(rows[1:], [(B, "exact")])

    def test_a_store_keeps_the_text_over_two_runs(self):
        store = os.path.join(self.folder.name, "store")
        first = self.write("1.warc", named(A, FIRST) + named(B, SECOND) + ROBOTS)
        second = self.write("2.warc", ROBOTS + revisit(A, HEAD_304, NOT_MODIFIED, NOTHING))
        dumped = []
        for path in (first, second):
            self.ndc("dedup", path, "-o", os.devnull, "--store", store)
            pages = [json.loads(line) for line in self.ndc("dump", store)[0].splitlines()]
            dumped.append({page["url"]: page["width"] for page in pages})
        self.assertEqual(dumped[0], dumped[1])
        self.assertGreater(dumped[1][A], 1000)

    def test_filter_takes_not_modified_for_what_it_is(self):
        last = revisit(A, HEAD_304, NOT_MODIFIED, NOTHING)
        records = [named(A, FIRST, "a"), named(B, SECOND, "b"), ROBOTS, last]
        copy, err = self.filtered(records)
        self.assertEqual(copy, b"".join(records[:3]))
        self.assertIn("4 records read, 3 copied, left out: 1 page", err)
        self.assertEqual(self.filtered(records, "--revisit")[0], b"".join(records))


class HeadersTest(RecordsTest):
    def test_statuses_that_are_none_are_other_statuses(self):
        page = b"Content-Type: text/html\r\n\r\n" + FIRST
        lines = (
            b"HTTP/1.1 0 OK",
            b"HTTP/1.1 20 OK",
            b"HTTP/1.1 2000 OK",
            b"HTTP/1.1",
            b"HTTPX/1.1 200 OK",
            b"ICY 200 OK",
        )
        odd = [line + b"\r\n" + page for line in lines] + [FIRST]
        bare = [
            b"",
            b"\r\n",
            b"HTTP/1.1 204 No Content\r\nA: b\r\n",
            b"HTTP/1.1 302 Found",
            b"HTTP/1.1 304 x\r\nA: b\r\n",
        ]
        made = [record("response", "http://h%d.example/" % i, block, [HTTP]) for i, block in enumerate(odd + bare)]
        rows, counts = self.dedup([named(A, FIRST), *made])
        self.assertEqual(rows, [(A, "new")])
        self.assertEqual(counts["input.other_http_statuses"], len(made))
        self.assertEqual(counts["input.damaged_skipped"], 0)
        rows, counts = self.dedup([named(A, FIRST), *made], "--all-statuses")
        self.assertEqual([verdict for _, verdict in rows], ["new"] + ["exact"] * len(odd))
        self.assertEqual(counts["input.other_http_statuses"], len(bare))

    def test_line_ends_and_beginnings_of_headers(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
        blocks = [head.replace(b"\r\n", end) + FIRST for end in (b"\n", b"\r\r\n")] + [
            b"\r\n" + head + FIRST,
            head[:-2] + FIRST,
        ]
        made = [record("response", "http://h%d.example/" % i, block, [HTTP]) for i, block in enumerate(blocks)]
        rows, _ = self.dedup([named(A, FIRST), *made])
        self.assertEqual([verdict for _, verdict in rows], ["new"] + ["exact"] * len(blocks))

    TYPES = (
        "text/html charset=utf-8", "text/html\tcharset=utf-8", '"text/html"', "text / html", "text/html:charset=utf-8",
        "text/html;;", "text/html,text/html", "text/html, charset=utf-8", "application/pdf, text/html", "html", ";", "",
        "'text /html'", "<text/html>", "text/html/", "image / png", "unknown/unknown", "text/*",
    )  # fmt: skip

    def test_what_is_no_media_type_is_sniffed(self):
        made = []
        for i, declared in enumerate(self.TYPES):
            head = b"HTTP/1.1 200 OK\r\nContent-Type: " + declared.encode() + b"\r\n\r\n"
            made.append(named("http://h%d.example/" % i, FIRST, head=head))
            made.append(named("http://i%d.example/" % i, b"\x89PNG\r\n\x1a\n\0\0", head=head))
        rows, counts = self.dedup([named(A, FIRST), *made])
        self.assertEqual([verdict for _, verdict in rows], ["new"] + ["exact"] * len(self.TYPES))
        self.assertEqual(counts["input.left_out_images"], len(self.TYPES))
        lines = [
            json.dumps({"url": "http://j%d/" % i, "html": FIRST.decode(), "content_type": declared})
            for i, declared in enumerate(self.TYPES)
        ]
        out = self.ndc("extract", self.write("in.jsonl", "\n".join(lines).encode()), "--format", "jsonl")[0]
        self.assertEqual([json.loads(line)["kind"] for line in out.splitlines()], ["html"] * len(self.TYPES))

    def test_a_broken_header_still_tells_the_charset(self):
        words = "Слово за словом складывается предложение, которое никто раньше не писал. " * 30
        body = ("<html><body><p>%s</p></body></html>" % words).encode("koi8-r")
        made = []
        for i, declared in enumerate(
            (
                "text/html charset=koi8-r",
                '"text/html; charset=koi8-r"',
                "text/html:charset=koi8-r",
                "text/html; charset:koi8-r",
                'text/html; charset="koi8-r',
                "text/html;charset=koi8-r,text/html",
            )
        ):
            made.append(
                named(
                    "http://h%d.example/" % i,
                    body,
                    head=b"HTTP/1.1 200 OK\r\nContent-Type: " + declared.encode() + b"\r\n\r\n",
                )
            )
        out = self.ndc("extract", self.write("in.warc", b"".join(made)), "--format", "jsonl")[0]
        seen = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([(page["charset"], page["charset_source"]) for page in seen], [("koi8-r", "http")] * len(made))


class BoundsTest(RecordsTest):
    def test_codings_count_for_max_expansion(self):
        # 16 MiB of the same bytes, twice over and then in the member: four bytes or so of the file each.
        body = b"<html><body><p>" + b"word " * ((16 << 20) // 5)
        coded = gzip.compress(gzip.compress(body, mtime=0), mtime=0)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip, gzip\r\n\r\n"
        made = [named("http://h%d.example/" % i, coded, head=head) for i in range(60)]
        path = self.write("bomb.warc.gz", gzip.compress(b"".join(made)))
        out, err = self.ndc("dedup", "--stats", path)
        rows = self.rows(out)
        self.assertLess(len(rows), 20)
        self.assertRegex(err, r"(?m)^input\.left_out_costly_codings +%d$" % (60 - len(rows)))
        self.assertIn("payloads that expand too much", err)
        # What an operator allows is read.
        small = self.write("small.warc.gz", gzip.compress(b"".join(made[:6])))
        self.assertEqual(len(self.rows(self.ndc("dedup", small, "--max-expansion", "1000000")[0])), 6)

    def test_revisits_read_no_more_again_than_the_archives_hold(self):
        body = b"<html><body>" + b"<p>word word </p>" * (4 << 16)
        again = b"".join(revisit("http://r%d/" % i, b"", "WARC-Refers-To: <urn:test:a>") for i in range(200))
        data = named(A, body, "a") + again
        for path in (self.write("r.warc", data), self.write("r.warc.gz", gzip.compress(data))):
            out, err = self.ndc("dedup", "--stats", path)
            self.assertLess(len(self.rows(out)), 60)
            self.assertRegex(err, r"(?m)^input\.left_out_costly_revisits +1\d\d$")

    def test_small_pages_may_be_found_again_as_often_as_one_likes(self):
        again = [revisit("http://r%d/" % i, b"", "WARC-Refers-To: <urn:test:a>") for i in range(300)]
        rows, _ = self.dedup([named(A, FIRST, "a"), *again])
        self.assertEqual(len(rows), 301)


class OutputsTest(RecordsTest):
    EVIL = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", 'http://x/,"=1"', A]

    def test_no_cell_is_calculated_by_a_spreadsheet(self):
        lines = [json.dumps({"url": url, "html": FIRST.decode()}) for url in self.EVIL]
        path = self.write("evil.jsonl", "\n".join(lines).encode())
        for arguments in ((), ("--keep", "first")):
            out = self.ndc("dedup", "--csv", path, *arguments)[0].decode()
            rows = list(csv.reader(io.StringIO(out, newline="")))
            self.assertEqual(rows[0], ["url"] + cli_test.COLUMNS[1:] + ["kept"] * bool(arguments))
            self.assertEqual(len(rows), 1 + len(self.EVIL))
            for row in rows[1:]:
                self.assertEqual(len(row), len(rows[0]))
                for cell in row:
                    self.assertFalse(cell[:1] in tuple("=+-@\t\r\n＝＋－＠"), cell)
            self.assertEqual([row[0] for row in rows[1:5]], ["'" + url for url in self.EVIL[:4]])
            self.assertEqual([row[0] for row in rows[5:7]], ["%09=1", "%0D=1"])
            self.assertEqual(rows[8][0], self.EVIL[7])
        self.assertIn("--csv", self.ndc("dedup", "--csv", "--format", "jsonl", path, code=2)[1])

    def test_extract_shows_what_turns_the_direction_of_writing(self):
        text = "first \u202egnp.exe\u202c and \u2066more\u2069 \u200fwords\u061c " + " ".join(article(3, 12))
        body = html([text], "title \u202e of a page")
        out = self.ndc("extract", self.write("in.warc", named("http://a.example/", body)))[0].decode()
        for control in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069":
            self.assertNotIn(control, out)
        self.assertIn("\\u202e", out)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cli_test.NDC = sys.argv.pop(1)
    unittest.main()
