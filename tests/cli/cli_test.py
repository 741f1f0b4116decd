#!/usr/bin/env python3
"""The ndc command as its users meet it: exit codes, formats, help, damaged input.

usage: cli_test.py PATH_OF_NDC [unittest arguments]
"""
import contextlib
import gzip
import io
import json
import os
import pty
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib

NDC = ""
COLUMNS = ["#url", "group_id", "verdict", "representative", "resemblance", "containment", "probability", "page_id"]
VERDICTS = {"new", "unchanged", "exact", "near", "no-text"}


def article(seed, sentences=40):
    """Text of invented words, which no other seed shares."""
    rng = random.Random(seed)
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    words = ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(500)]
    out = []
    for _ in range(sentences):
        chosen = rng.choices(words, k=rng.randint(9, 16))
        chosen[rng.randrange(len(chosen))] = rng.choice(["the", "of", "and", "was"])
        out.append(" ".join(chosen).capitalize() + ".")
    return out


def html(sentences, title="A page"):
    paragraphs = "".join("<p>%s</p>\n" % " ".join(sentences[i : i + 4]) for i in range(0, len(sentences), 4))
    return (
        "<!DOCTYPE html><html><head><title>%s</title></head><body><h1>%s</h1>%s</body></html>"
        % (title, title, paragraphs)
    ).encode()


def record(kind, url, block, fields=()):
    lines = ["WARC/1.1", "WARC-Type: " + kind, "WARC-Date: 2024-05-06T07:08:09Z"]
    if url is not None:
        lines.append("WARC-Target-URI: " + url)
    lines += list(fields)
    lines.append("Content-Length: %d" % len(block))
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + block + b"\r\n\r\n"


def response(url, body, fields=(), status="200 OK"):
    head = "\r\n".join(["HTTP/1.1 " + status, "Content-Type: text/html; charset=utf-8"] + list(fields))
    return record(
        "response", url, head.encode() + b"\r\n\r\n" + body, ["Content-Type: application/http; msgtype=response"]
    )


def stored_brotli(data):
    """A brotli stream of uncompressed meta-blocks (RFC 7932, section 9.2)."""
    out = bytearray()
    for start in range(0, len(data), 65536):
        piece = data[start : start + 65536]
        # Bits from the lowest: WBITS 16 once (0), not last (0), four nibbles (00), the length, stored (1).
        bits = (len(piece) - 1) << 3 | 1 << 19
        width = 20
        if start == 0:
            bits <<= 1
            width += 1
        out += bits.to_bytes((width + 7) // 8, "little") + piece
    return bytes(out) + b"\x03"


class Archive:
    """A few pages whose groups are plain to see."""

    base = article(1)
    changed = base[:20] + ["One more sentence stands here that the other page does not have."] + base[20:]
    pages = [
        ("http://one.example/a", html(base)),
        ("http://two.example/b", html(changed)),
        ("http://three.example/other", html(article(2))),
        ("http://four.example/same", html(base)),
        ("http://five.example/empty", b"<html><body></body></html>"),
    ]

    @classmethod
    def records(cls):
        return [response(url, body) for url, body in cls.pages]


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, data):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def ndc(self, *arguments, data=None, code=0):
        done = subprocess.run([NDC, *arguments], input=data, capture_output=True, timeout=300)
        self.assertEqual(done.returncode, code, "ndc %s: %s" % (" ".join(arguments), done.stderr.decode()))
        return done.stdout, done.stderr.decode("utf-8", "replace")

    def rows(self, table):
        lines = table.decode("utf-8", "surrogateescape").split("\n")
        self.assertEqual(lines[0].split("\t"), COLUMNS)
        self.assertEqual(lines[-1], "")
        rows = [dict(zip(COLUMNS, line.split("\t"))) for line in lines[1:-1]]
        for row in rows:
            self.assertEqual(len(row), len(COLUMNS))
            self.assertIn(row["verdict"], VERDICTS)
        return rows

    def pages(self):
        return self.write("pages.warc", b"".join(Archive.records()))


class DedupTest(CliTest):
    def test_table(self):
        out, err = self.ndc("dedup", self.pages())
        self.assertEqual(err, "")
        rows = self.rows(out)
        self.assertEqual([row["#url"] for row in rows], [url for url, _ in Archive.pages])
        self.assertEqual([row["verdict"] for row in rows], ["new", "near", "new", "exact", "no-text"])
        self.assertEqual(rows[0]["group_id"], rows[1]["group_id"])
        self.assertEqual(rows[0]["group_id"], rows[3]["group_id"])
        self.assertEqual(len({row["group_id"] for row in rows}), 3)
        self.assertEqual(len({row["page_id"] for row in rows}), 5)
        for row in rows:
            if row["verdict"] in ("near", "exact"):
                self.assertEqual(row["representative"], Archive.pages[0][0])
                self.assertRegex(row["resemblance"], r"^[01]\.\d{4}$")
                self.assertRegex(row["containment"], r"^[01]\.\d{4}$")
                self.assertGreater(float(row["resemblance"]), 0.5)
                self.assertGreater(float(row["probability"]), 0.5)
            else:
                self.assertEqual(row["representative"], row["#url"])
                self.assertEqual((row["resemblance"], row["containment"]), ("-", "-"))
                self.assertEqual(row["probability"], "0.0000")
                self.assertEqual(row["group_id"], row["page_id"])

    def test_same_rows_however_the_archive_is_packed(self):
        records = Archive.records()
        expected, _ = self.ndc("dedup", self.pages())
        members = b"".join(gzip.compress(item) for item in records)
        one_member = gzip.compress(b"".join(records))
        self.assertEqual(self.ndc("dedup", self.write("a.warc.gz", members))[0], expected)
        self.assertEqual(self.ndc("dedup", self.write("b.warc.gz", one_member))[0], expected)
        self.assertEqual(self.ndc("dedup", "-", data=members)[0], expected)
        self.assertEqual(self.ndc("dedup", "-", data=b"".join(records))[0], expected)
        first = self.write("first.warc", b"".join(records[:2]))
        second = self.write("second.warc.gz", gzip.compress(b"".join(records[2:])))
        self.assertEqual(self.ndc("dedup", first, second)[0], expected)
        self.assertEqual(self.ndc("dedup", first, "-", data=b"".join(records[2:]))[0], expected)

    def test_output_file(self):
        expected, _ = self.ndc("dedup", self.pages())
        path = os.path.join(self.folder.name, "out.tsv")
        out, _ = self.ndc("dedup", self.pages(), "-o", path)
        self.assertEqual(out, b"")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), expected)
        self.assertEqual(self.ndc("dedup", "-o", "-", self.pages())[0], expected)

    def test_json_lines_name_the_group_that_a_page_nearly_joined(self):
        related = html(article(1)[:12] + article(7))
        path = self.write("related.warc", b"".join([*Archive.records(), response("http://six.example/", related)]))
        out, _ = self.ndc("dedup", "--format", "jsonl", path)
        rows = [json.loads(line) for line in out.splitlines()]
        near, exact, last = rows[1], rows[3], rows[5]
        self.assertEqual((near["verdict"], exact["verdict"], last["verdict"]), ("near", "exact", "new"))
        self.assertTrue(0.5 <= near["probability"] <= 1)
        self.assertEqual((exact["probability"], exact["related_group_id"]), (1, None))
        self.assertTrue(0 < last["probability"] < 0.5)
        self.assertEqual(last["related_group_id"], rows[0]["group_id"])

    def test_json_lines(self):
        odd = "http://odd.example/\xff\xe9?\"q\"=\\"
        path = self.write("odd.warc", b"".join(Archive.records()) + response(odd, html(article(9))))
        out, _ = self.ndc("dedup", "--format", "jsonl", path)
        rows = [json.loads(line) for line in out.decode("utf-8").splitlines()]
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.assertEqual(list(row), ["url", *COLUMNS[1:], "related_group_id"])
        self.assertIsNone(rows[0]["resemblance"])
        self.assertEqual({row["related_group_id"] for row in rows}, {None})
        self.assertIsInstance(rows[1]["resemblance"], float)
        self.assertEqual(rows[1]["representative"], Archive.pages[0][0])
        self.assertIn("\ufffd", rows[5]["url"])

    def test_url_bytes_are_kept(self):
        odd = "http://odd.example/\xff\xe9?a=<b>"
        out, _ = self.ndc("dedup", self.write("odd.warc", response("<" + odd + ">", html(article(9)))))
        self.assertEqual(out.split(b"\n")[1].split(b"\t")[0], odd.encode("latin-1"))

    def test_groups(self):
        out, _ = self.ndc("dedup", "--format", "groups", self.pages())
        lines = out.decode().splitlines()
        self.assertEqual(lines[0], "3 pages  " + Archive.pages[0][0])
        self.assertRegex(lines[1], r"^    near +0\.\d{4} +" + Archive.pages[1][0] + "$")
        self.assertRegex(lines[2], r"^    exact +1\.0000 +" + Archive.pages[3][0] + "$")
        self.assertEqual(lines[-1], "5 pages: 1 group of near-duplicates with 3 pages, of which 2 could be left out")

    def test_rows_have_the_ids_of_the_end(self):
        moved = Archive.pages[1][0]
        archive = self.write("moved.warc", b"".join(Archive.records()) + response(moved, html(article(9))))
        rows = self.rows(self.ndc("dedup", archive)[0])
        self.assertEqual([row["group_id"] for row in rows], ["1", "1", "2", "1", "4", "5"])
        self.assertEqual([row["page_id"] for row in rows], ["1", "5", "2", "3", "4", "5"], "of URLs")
        self.assertEqual(rows[5]["verdict"], "new", "as of its last text")
        stored = self.rows(self.ndc("dedup", "--store", os.path.join(self.folder.name, "s"), archive)[0])
        self.assertEqual([row["group_id"] for row in stored], ["1", "1", "3", "1", "5", "6"], "as pages come")

    def test_a_text_that_comes_back_is_the_last_one(self):
        first, second = html(article(20)), html(article(21))
        pages = [("http://a/", first), ("http://a/", second), ("http://b/", second), ("http://a/", first)]
        path = self.write("back.warc", b"".join(response(*page) for page in pages))
        for threads in ("1", "3"):
            rows = self.rows(self.ndc("dedup", "--threads", threads, path)[0])
            self.assertEqual([row["verdict"] for row in rows], ["new", "exact", "new", "new"])
            self.assertEqual(rows[0]["group_id"], rows[3]["group_id"])
            self.assertEqual(rows[1]["group_id"], rows[2]["group_id"])
            self.assertNotEqual(rows[0]["group_id"], rows[1]["group_id"])

    def test_threads_keep_the_order(self):
        pages = []
        for number in range(60):
            body = html(article(100 + number // 3) + ["Copy %d." % number])
            pages.append(("http://site%d.example/%d" % (number % 7, number), body))
        path = self.write("many.warc.gz", b"".join(gzip.compress(response(*page)) for page in pages))
        alone = self.rows(self.ndc("dedup", path)[0])
        together = self.rows(self.ndc("dedup", "--threads", "4", path)[0])
        self.assertEqual([row["#url"] for row in alone], [url for url, _ in pages])
        self.assertEqual([row["#url"] for row in together], [url for url, _ in pages])

        def partition(rows):
            groups = {}
            for row in rows:
                groups.setdefault(row["group_id"], []).append(row["#url"])
            return sorted(groups.values())

        self.assertEqual(partition(alone), partition(together))
        self.assertEqual(self.ndc("dedup", path)[0], self.ndc("dedup", path)[0])

    def test_order_of_fingerprints(self):
        for threads in ("1", "3"):
            rows = self.rows(self.ndc("dedup", "--order", "fingerprints", "--threads", threads, self.pages())[0])
            self.assertEqual([row["#url"] for row in rows], [url for url, _ in Archive.pages])
            self.assertEqual(len({rows[i]["group_id"] for i in (0, 1, 3)}), 1)
            self.assertEqual(len({row["group_id"] for row in rows}), 3)
            urls = {row["#url"]: row for row in rows}
            for row in rows:
                self.assertEqual(urls[row["representative"]]["group_id"], row["group_id"])
        self.assertEqual(self.rows(self.ndc("dedup", "--order", "fingerprints", "-", data=b"")[0]), [])

    def test_codings(self):
        body = html(Archive.base)
        compressor = zlib.compressobj(wbits=-15)
        raw = compressor.compress(body) + compressor.flush()
        chunks = b"".join(
            b"%x\r\n%s\r\n" % (len(body[i : i + 100]), body[i : i + 100]) for i in range(0, len(body), 100)
        )
        cases = [
            ((), body),
            (("Content-Encoding: gzip",), gzip.compress(body)),
            (("Content-Encoding: deflate",), zlib.compress(body)),
            (("Content-Encoding: deflate",), raw),
            (("Content-Encoding: br",), stored_brotli(body)),
            (("Content-Encoding: gzip, br",), stored_brotli(gzip.compress(body))),
            (("Transfer-Encoding: chunked",), chunks + b"0\r\n\r\n"),
            (("Content-Encoding: gzip",), body),
        ]
        data = b"".join(
            response("http://c.example/%d" % number, payload, fields) for number, (fields, payload) in enumerate(cases)
        )
        out, err = self.ndc("dedup", "-", data=data)
        self.assertEqual(err, "")
        self.assertEqual([row["verdict"] for row in self.rows(out)], ["new"] + ["exact"] * 7)

    def test_record_types(self):
        text = "\n".join(Archive.base).encode()
        data = b"".join(
            [
                record("warcinfo", None, b"software: x\r\n", ["Content-Type: application/warc-fields"]),
                record("request", "http://a.example/", b"GET / HTTP/1.1\r\n\r\n"),
                record("conversion", "http://a.example/wet", text, ["Content-Type: text/plain"]),
                record("resource", "http://a.example/resource", html(Archive.base), ["Content-Type: text/html"]),
                record("revisit", "http://a.example/again", b"HTTP/1.1 200 OK\r\n\r\n"),
                record("metadata", "http://a.example/", b"x: y"),
                record("response", "dns:a.example", b"a.example. 1 IN A 192.0.2.1", ["Content-Type: text/dns"]),
                response("http://a.example/moved", html(article(3)), status="301 Moved"),
            ]
        )
        rows = self.rows(self.ndc("dedup", "-", data=data)[0])
        self.assertEqual([row["#url"] for row in rows], ["http://a.example/wet", "http://a.example/resource"])
        out, err = self.ndc("dedup", "--all-statuses", "--stats", "-", data=data)
        self.assertEqual(len(self.rows(out)), 3)
        self.assertRegex(err, r"(?m)^input\.other_record_types +4$")
        self.assertRegex(err, r"(?m)^input\.left_out_lost_revisits +1$")

    def test_recrawl(self):
        data = response("http://a.example/", html(Archive.base)) * 2
        rows = self.rows(self.ndc("dedup", "-", data=data)[0])
        self.assertEqual([row["verdict"] for row in rows], ["new", "unchanged"])
        self.assertEqual(rows[0]["page_id"], rows[1]["page_id"])
        self.assertEqual(rows[1]["representative"], "http://a.example/")

    def test_earlier_texts(self):
        """An earlier text is in the group of what it matched, not in that of the text which its URL has at the end."""
        texts = [("a", 1), ("b", 2), ("c", 1), ("c", 2), ("d", 3), ("d", 2)]
        data = b"".join(response("http://%s.example/" % host, html(article(seed))) for host, seed in texts)
        rows = self.rows(self.ndc("dedup", "-", data=data)[0])
        self.assertEqual([row["group_id"] for row in rows], ["1", "2", "1", "2", "-", "2"])
        self.assertEqual([row["verdict"] for row in rows[2:]], ["exact", "exact", "new", "exact"])
        self.assertEqual(rows[2]["representative"], "http://a.example/")
        self.assertEqual(rows[4]["representative"], "-")
        lines = self.ndc("dedup", "-", "--format", "jsonl", data=data)[0].splitlines()
        self.assertEqual([json.loads(line)["group_id"] for line in lines], [1, 2, 1, 2, None, 2])
        metadata = os.path.join(self.folder.name, "verdicts.warc")
        self.ndc("dedup", "-", "--warc-metadata", metadata, data=data)
        with open(metadata, "rb") as file:
            self.assertEqual(file.read().count(b"nd-group: "), 5)

    def test_stats(self):
        out, err = self.ndc("dedup", "--stats", self.pages())
        self.assertEqual(len(self.rows(out)), 5)
        self.assertRegex(err, r"(?m)^input\.pages +5$")
        self.assertRegex(err, r"(?m)^engine\.groups +3$")
        self.assertRegex(err, r"(?m)^ndc: 5 pages, 3 groups, 2 duplicates in \d+\.\d s \(\d+\.\d MB/s\)$")

    def test_detectors(self):
        expected = self.rows(self.ndc("dedup", self.pages())[0])
        near = 0
        for name in (
            "lcs",
            "spotsigs",
            "lsh-s",
            "moz-vector",
            "simhash64",
            "simhash128",
            "mwo",
            "shingles",
            "minhash",
            "cosine",
        ):
            rows = self.rows(self.ndc("dedup", "--detector", name, self.pages())[0])
            self.assertEqual([row["#url"] for row in rows], [row["#url"] for row in expected])
            verdicts = os.path.join(self.folder.name, name + ".warc")
            decide = [] if name == "lcs" else ["--decide", "method"]
            rows = self.rows(
                self.ndc("dedup", "--detector", name, *decide, "--warc-metadata", verdicts, self.pages())[0]
            )
            near += rows[1]["verdict"] == "near"
            with open(verdicts) as file:
                records = file.read().split("WARC-Type: metadata")[1:]
            for row, verdict in zip(rows, records, strict=True):
                self.assertEqual("unverified" in verdict, row["verdict"] == "near" and name != "lcs")
        self.assertGreater(near, 5)
        err = self.ndc("dedup", "--detector", "simhsh", self.pages(), code=2)[1]
        self.assertIn("simhash64", err)
        self.ndc("dedup", "--decide", "me", self.pages(), code=2)
        err = self.ndc("dedup", "--detector", "mwo", "--order", "fingerprints", self.pages(), code=2)[1]
        self.assertIn("mwo", err)
        err = self.ndc("dedup", "--detector", "simhash64", "--option", "detector_threshold=65", self.pages(), code=2)[1]
        self.assertIn("equal bits of 64", err)


class DamageTest(CliTest):
    def test_damaged_records_are_named_and_skipped(self):
        records = Archive.records()
        no_url = record("response", None, b"HTTP/1.1 200 OK\r\n\r\nx", ["Content-Type: application/http"])
        # Nothing is damaged where no status stands.
        no_http = record("response", "http://bad.example/", b"<html>", ["Content-Type: application/http"])
        plain = self.write("bad.warc", records[0] + no_url + records[1] + no_http + b"garbage\r\n" + records[2])
        out, err = self.ndc("dedup", plain, code=3)
        self.assertEqual(len(self.rows(out)), 3)
        offsets = [
            len(records[0]),
            len(records[0] + no_url + records[1] + no_http),
        ]
        reasons = ["the record has no WARC-Target-URI", "no WARC record begins here"]
        self.assertEqual(
            err.splitlines(),
            ["ndc: %s: byte %d: %s; skipped" % (plain, offset, reason) for offset, reason in zip(offsets, reasons)],
        )

    def test_damaged_member(self):
        members = [gzip.compress(item) for item in Archive.records()]
        broken = bytearray(members[1])
        broken[len(broken) // 2] ^= 0x55
        path = self.write("bad.warc.gz", members[0] + bytes(broken) + b"".join(members[2:]))
        for threads in ("1", "4"):
            out, err = self.ndc("dedup", "--threads", threads, path, code=3)
            urls = [url for url, _ in Archive.pages]
            self.assertEqual([row["#url"] for row in self.rows(out)], urls[:1] + urls[2:])
            self.assertEqual(len(err.splitlines()), 1)
            self.assertIn("%s: byte %d: " % (path, len(members[0])), err)

    def test_cut_file(self):
        data = b"".join(gzip.compress(item) for item in Archive.records())
        out, err = self.ndc("dedup", self.write("cut.warc.gz", data[:-20]), code=3)
        self.assertEqual(len(self.rows(out)), 4)
        self.assertIn("cut by the end of the file", err)
        out, _ = self.ndc(
            "dedup", "--format", "jsonl", self.write("cut.warc", b"".join(Archive.records())[:-40]), code=3
        )
        self.assertEqual(len(out.splitlines()), 4)

    def test_page_limit(self):
        bomb = gzip.compress(b"<p>" + b" word" * 4000000)
        data = response("http://bomb.example/", bomb, ["Content-Encoding: gzip"]) + Archive.records()[0]
        out, err = self.ndc("dedup", "--max-page-bytes", "100000", "--stats", "-", data=data)
        self.assertEqual(len(self.rows(out)), 2)
        self.assertRegex(err, r"(?m)^input\.pages_truncated +1$")

    def test_empty_input(self):
        out, _ = self.ndc("dedup", "-", data=b"")
        self.assertEqual(self.rows(out), [])
        self.assertEqual(self.ndc("dedup", "--format", "jsonl", "-", data=b"")[0], b"")

    def test_not_an_archive(self):
        err = self.ndc("dedup", "-", data=b"\0not an archive\n" * 100, code=1)[1]
        self.assertEqual(err, "ndc: standard input: looks like binary data, not like an archive of pages\n")


class ErrorTest(CliTest):
    def test_usage(self):
        for arguments in [
            [],
            ["nonsense"],
            ["dedup"],
            ["dedup", "--nonsense", "x"],
            ["dedup", "--format", "xml", "x"],
            ["dedup", "--threads", "0", "x"],
            ["dedup", "--threads", "many", "x"],
            ["dedup", "--max-page-bytes", "-1", "x"],
            ["dedup", "--order", "random", "x"],
            ["extract"],
            ["explain", "x", "http://a/"],
            ["options", "x"],
        ]:
            out, err = self.ndc(*arguments, code=2)
            self.assertEqual(out, b"")
            self.assertIn("--help", err)

    def test_missing_file(self):
        err = self.ndc("dedup", "/nonexistent.warc", code=1)[1]
        self.assertEqual(err, "ndc: /nonexistent.warc: cannot be read: No such file or directory\n")
        out, _ = self.ndc("dedup", self.pages(), "/nonexistent.warc", code=1)
        self.assertEqual(out, b"")

    def test_output_that_cannot_be_written(self):
        self.ndc("dedup", self.pages(), "-o", "/nonexistent/out.tsv", code=1)
        if os.path.exists("/dev/full"):
            err = self.ndc("dedup", self.pages(), "-o", "/dev/full", code=1)[1]
            self.assertEqual(err, "ndc: cannot write /dev/full: No space left on device\n")

    def test_the_output_is_no_input(self):
        path = self.pages()
        self.assertIn("one of the inputs", self.ndc("dedup", path, "-o", path, code=2)[1])
        self.assertEqual(os.path.getsize(path), len(b"".join(Archive.records())))

    def test_a_closed_pipe_ends_the_run_without_a_word(self):
        for command in (["dedup"], ["extract"], ["pairs", "--detector", "lcs", "--threshold", "0"]):
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run([NDC, *command, self.pages()], stdout=writing, stderr=subprocess.PIPE, timeout=300)
            os.close(writing)
            self.assertEqual((done.returncode, done.stderr), (1, b""), command)

    def test_full_disk_leaves_whole_lines(self):
        path = os.path.join(self.folder.name, "limited.tsv")
        data = b"".join(response("http://long.example/%s/%d" % ("x" * 1000, number), b"") for number in range(200))
        # A file size limit is the full disk that needs no disk; in this order no row waits in a temporary file.
        command = 'trap "" XFSZ; ulimit -f 40; exec "$0" dedup --order fingerprints - > "$1"'
        done = subprocess.run(["bash", "-c", command, NDC, path], input=data, capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"cannot write", done.stderr)
        with open(path, "rb") as file:
            written = file.read()
        self.assertGreater(len(written), 20000)
        self.assertTrue(written.endswith(b"\n"))
        for line in written.split(b"\n")[1:-1]:
            self.assertEqual(line.count(b"\t"), len(COLUMNS) - 1)


class StoreTest(CliTest):
    def setUp(self):
        super().setUp()
        self.store = os.path.join(self.folder.name, "pages.ndc")
        self.out = os.path.join(self.folder.name, "out.tsv")

    def dedup(self, *arguments, code=0):
        return self.ndc("dedup", "--store", self.store, *arguments, code=code)[1]

    def written(self):
        with open(self.out, "rb") as file:
            return file.read()

    def dump(self, *arguments):
        return [json.loads(line) for line in self.ndc("dump", self.store, *arguments)[0].decode().splitlines()]

    def test_rows_are_those_of_a_run_in_memory(self):
        expected, _ = self.ndc("dedup", self.pages())
        err = self.dedup(self.pages(), "-o", self.out)
        self.assertEqual(self.written(), expected)
        self.assertEqual(err, "ndc: store %s: 5 pages, 3 groups, generation 1\n" % self.store)

    def test_the_next_run_knows_the_pages(self):
        self.dedup(self.pages(), "-o", self.out)
        more = self.write(
            "more.warc",
            response("http://six.example/f", html(Archive.base)) + response(Archive.pages[2][0], Archive.pages[2][1]),
        )
        self.assertEqual(
            self.dedup(more, "-o", self.out), "ndc: store %s: 6 pages, 3 groups, generation 2\n" % self.store
        )
        rows = self.rows(self.written())
        self.assertEqual([row["verdict"] for row in rows], ["exact", "unchanged"])
        self.assertEqual(rows[0]["representative"], Archive.pages[0][0])
        self.assertEqual([row["page_id"] for row in rows], ["6", "3"])

    def test_what_is_done_is_not_done_again(self):
        self.dedup(self.pages(), "-o", self.out)
        expected = self.written()
        err = self.dedup(self.written_pages(), "-o", self.out)
        self.assertIn("nothing to do: all of 5 pages were done before", err)
        self.assertEqual(self.written(), expected)
        # Another output, an input that has changed, an output that is gone, and --restart begin again.
        other = os.path.join(self.folder.name, "other.tsv")
        self.dedup(self.written_pages(), "-o", other)
        with open(other, "rb") as file:
            self.assertEqual([row["verdict"] for row in self.rows(file.read())], ["unchanged"] * 5)
        for anew in (
            lambda: self.dedup(self.write("pages.warc", b"".join(Archive.records()) + b"\r\n"), "-o", self.out),
            lambda: os.remove(self.out) or self.dedup(self.written_pages(), "-o", self.out),
            lambda: self.dedup(self.written_pages(), "-o", self.out, "--restart"),
        ):
            anew()
            self.assertEqual([row["verdict"] for row in self.rows(self.written())], ["unchanged"] * 5)
            self.assertIn("nothing to do", self.dedup(self.written_pages(), "-o", self.out))

    def written_pages(self):
        """Of pages(), without writing it again."""
        return os.path.join(self.folder.name, "pages.warc")

    def test_standard_output_and_input(self):
        out, err = self.ndc("dedup", "--store", self.store, self.pages())
        self.assertEqual([row["verdict"] for row in self.rows(out)], ["new", "near", "new", "exact", "no-text"])
        out, err = self.ndc("dedup", "--store", self.store, self.written_pages())
        self.assertEqual(out, b"")
        self.assertIn("nothing to do", err)
        data = b"".join(Archive.records())
        for _ in range(2):
            out, err = self.ndc("dedup", "--store", self.store, "-", data=data)
            self.assertEqual([row["verdict"] for row in self.rows(out)], ["unchanged"] * 5)

    def test_several_threads(self):
        pages = []
        for number in range(60):
            body = html(article(100 + number // 3) + ["Copy %d." % number])
            # Each URL twice, close to each other.
            pages += [("http://site%d.example/%d" % (number % 7, number), body)] * 2
        path = self.write("many.warc.gz", b"".join(gzip.compress(response(*page)) for page in pages))
        self.dedup(path, "-o", self.out, "--threads", "4")
        rows = self.rows(self.written())
        self.assertEqual([row["#url"] for row in rows], [url for url, _ in pages])
        self.assertTrue(all((row["verdict"] == "unchanged") == (number % 2 == 1) for number, row in enumerate(rows)))
        self.assertIn("nothing to do", self.dedup(path, "-o", self.out, "--threads", "4"))

    def test_wrong_usage(self):
        for arguments in (["--format", "groups"], ["--order", "fingerprints"], ["--threads", "200"]):
            self.dedup(self.pages(), *arguments, code=2)
        self.ndc("dedup", self.pages(), "--restart", code=2)
        self.assertFalse(os.path.exists(self.store))
        self.dedup(self.pages(), "-o", self.out)
        for arguments in (
            ["remove", self.store],
            ["remove", self.store, "--url", "http://a/", "--purge"],
            ["remove", self.store, "--before", "yesterday"],
            ["stats", self.store, "--option", "x=1"],
            ["events", self.store, "--after", "-1"],
            ["dump"],
        ):
            self.ndc(*arguments, code=2)

    def test_no_store_there(self):
        for arguments in (["stats"], ["dump"], ["events"], ["remove", "--site", "a.example"], ["compact"], ["verify"]):
            err = self.ndc(arguments[0], self.store, *arguments[1:], code=1)[1]
            self.assertIn(self.store, err)
            self.assertEqual(err.count("\n"), 1)
            self.assertFalse(os.path.exists(self.store))
        missing = os.path.join(self.folder.name, "missing", "store")
        self.assertIn(missing, self.ndc("dedup", "--store", missing, self.pages(), code=1)[1])
        file = self.write("file", b"x")
        for command in ("stats", "compact"):
            self.assertIn(file, self.ndc(command, file, code=1)[1])
        self.assertIn(self.folder.name, self.ndc("dedup", "--store", self.folder.name, self.pages(), code=1)[1])

    def test_locked(self):
        self.dedup(self.pages(), "-o", self.out)
        # It waits for its input, and opens its output when it has opened the store.
        other = os.path.join(self.folder.name, "other.tsv")
        holder = subprocess.Popen(
            [NDC, "dedup", "--store", self.store, "-", "-o", other], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            while not os.path.exists(os.path.join(self.folder.name, ".other.tsv.ndc-unfinished")):
                self.assertIsNone(holder.poll())
                time.sleep(0.01)
            for arguments in (
                ["remove", self.store, "--site", "a.example"],
                ["compact", self.store],
                ["dedup", "--store", self.store, self.pages(), "-o", self.out],
            ):
                self.assertIn("writer", self.ndc(*arguments, code=1)[1])
            # Readers are not kept out.
            self.assertEqual(len(self.dump()), 5)
            self.ndc("verify", self.store)
        finally:
            holder.communicate(timeout=300)
        self.assertEqual(holder.returncode, 0)

    def test_an_option_that_differs(self):
        self.dedup(self.pages(), "-o", self.out)
        err = self.dedup(self.pages(), "-o", self.out, "--option", "same_document=0.7", code=1)
        self.assertIn("same_document", err)
        self.assertIn("same_document", self.ndc("stats", self.store, "--option", "same_document=0.7", code=1)[1])

    def test_a_store_keeps_its_detector(self):
        self.dedup(self.pages(), "-o", self.out, "--detector", "mwo")
        self.assertIn("option detector", self.dedup(self.pages(), "-o", self.out, "--detector", "cosine", code=1))
        self.dedup(self.pages(), "-o", self.out, "--restart")
        self.assertEqual({row["verdict"] for row in self.rows(self.written())}, {"unchanged"})

    def test_dump(self):
        odd = "http://odd.example/\xff"
        path = self.write("odd.warc", b"".join(Archive.records()) + response(odd, html(article(9))))
        self.dedup(path, "-o", self.out)
        pages = self.dump()
        self.assertEqual(
            {page["url"] for page in pages}, {url for url, _ in Archive.pages} | {"http://odd.example/\ufffd"}
        )
        self.assertEqual(
            list(pages[0]),
            [
                "url",
                "page_id",
                "group_id",
                "verdict",
                "flags",
                "first_fetched",
                "last_fetched",
                "width",
                "probability",
                "related_group_id",
            ],
        )
        by_url = {page["url"]: page for page in pages}
        first, near = by_url[Archive.pages[0][0]], by_url[Archive.pages[1][0]]
        self.assertEqual(near["group_id"], first["page_id"])
        self.assertEqual((first["verdict"], near["verdict"]), ("new", "near"))
        self.assertEqual(first["first_fetched"], "2024-05-06T07:08:09Z")
        both = self.dump("--groups")
        self.assertEqual(both[: len(pages)], pages)
        groups = both[len(pages) :]
        self.assertEqual([group["pages"] for group in groups], [3, 1, 1, 1])
        self.assertEqual(groups[0], {"group_id": 1, "representative": 1, "pages": 3})

    def test_stats(self):
        self.dedup(self.pages(), "-o", self.out)
        self.assertRegex(self.ndc("stats", self.store)[0].decode(), r"(?m)^pages +5\ngroups +3\ngeneration +1$")
        stats = json.loads(self.ndc("stats", self.store, "--format", "json")[0])
        self.assertEqual((stats["pages"], stats["groups"], stats["generation"]), (5, 3, 1))
        self.assertAlmostEqual(stats["bytes_disk_per_page"], stats["bytes_disk"] / 5, places=1)
        self.assertRegex(self.ndc("stats", self.store, "--format", "prometheus")[0].decode(), r"(?m)^ndc_pages 5$")

    def test_removal_and_events(self):
        self.dedup(self.pages(), "-o", self.out)
        self.assertEqual(self.ndc("events", self.store)[0], b"")
        self.assertEqual(self.ndc("remove", self.store, "--url", Archive.pages[4][0])[0], b"1 page removed\n")
        self.assertIn("known", self.ndc("remove", self.store, "--url", Archive.pages[4][0], code=1)[1])
        self.assertEqual(self.ndc("remove", self.store, "--before", "2024-05-06")[0], b"0 pages removed\n")
        self.assertEqual(self.ndc("remove", self.store, "--site", "one.example", "--purge")[0], b"1 page removed\n")
        self.assertEqual(
            self.ndc("remove", self.store, "--prefix", "http://t", "--before", "2024-05-07")[0], b"2 pages removed\n"
        )
        self.assertEqual([page["url"] for page in self.dump()], [Archive.pages[3][0]])
        events = [json.loads(line) for line in self.ndc("events", self.store)[0].decode().splitlines()]
        self.assertEqual([event["sequence"] for event in events], list(range(1, len(events) + 1)))
        self.assertEqual([event["event"] for event in events].count("removed"), 4)
        self.assertIn("reelected", [event["event"] for event in events])
        later = self.ndc("events", self.store, "--after", "2")[0].decode().splitlines()
        self.assertEqual([json.loads(line) for line in later], events[2:])

    def test_following_events(self):
        self.dedup(self.pages(), "-o", self.out)
        follower = subprocess.Popen([NDC, "events", self.store, "--follow"], stdout=subprocess.PIPE)
        try:
            self.ndc("remove", self.store, "--url", Archive.pages[4][0])
            self.assertEqual(json.loads(follower.stdout.readline())["event"], "removed")
        finally:
            follower.terminate()
            follower.communicate(timeout=300)

    def test_compact(self):
        self.dedup(self.pages(), "-o", self.out)
        self.ndc("remove", self.store, "--site", "three.example")
        self.assertRegex(
            self.ndc("compact", self.store)[0].decode(), r"^%s: [\d,]+ bytes before, [\d,]+ bytes after\n$" % self.store
        )
        self.assertEqual(len(self.dump()), 4)

    def test_verify(self):
        self.dedup(self.pages(), "-o", self.out)
        self.assertRegex(self.ndc("verify", self.store)[0].decode(), r": no fault in \d+ files, [\d,]+ bytes\n$")
        name = max(name for name in os.listdir(self.store) if name.startswith("manifest-"))
        with open(os.path.join(self.store, name), "r+b") as file:
            file.seek(30)
            byte = file.read(1)[0]
            file.seek(30)
            file.write(bytes([byte ^ 1]))
        out, err = self.ndc("verify", self.store, code=1)
        self.assertRegex(out.decode(), r"(?m)^%s: byte \d+: .+$" % name)
        self.assertIn(self.store, err)


class HelpTest(CliTest):
    def test_every_help_has_an_example(self):
        commands = [
            "dedup",
            "extract",
            "explain",
            "similar",
            "stats",
            "dump",
            "events",
            "remove",
            "compact",
            "verify",
            "options",
        ]
        for arguments in [[]] + [[command] for command in commands]:
            out, err = self.ndc(*arguments, "--help")
            self.assertEqual(err, "")
            self.assertRegex(out.decode(), r"(?m)^Examples?:\n  ndc " + (arguments[0] if arguments else ""))
        for command in commands:
            self.assertIn(command, self.ndc("--help")[0].decode())

    def test_help_of_a_command(self):
        self.assertEqual(self.ndc("help"), self.ndc("--help"))
        for command in ("dedup", "options", "help"):
            self.assertEqual(self.ndc("help", command), self.ndc(command, "--help"))
        self.assertIn('no command "dedupe"', self.ndc("help", "dedupe", code=2)[1])
        self.ndc("help", "dedup", "pairs", code=2)

    def test_version(self):
        self.assertRegex(self.ndc("--version")[0].decode(), r"^ndc \d+\.\d+\.\d+\n$")


class TerminalTest(CliTest):
    def on_terminal(self, arguments):
        """Runs ndc with standard error on a terminal and gives what it showed there."""
        outer, inner = pty.openpty()
        shown = io.BytesIO()

        def collect():
            # The terminal ends with an error.
            with contextlib.suppress(OSError):
                while chunk := os.read(outer, 4096):
                    shown.write(chunk)

        reader = threading.Thread(target=collect)
        reader.start()
        done = subprocess.run([NDC, *arguments], stdout=subprocess.DEVNULL, stderr=inner, timeout=300)
        os.close(inner)
        reader.join()
        os.close(outer)
        self.assertEqual(done.returncode, 0)
        return shown.getvalue().decode()

    def test_summary(self):
        self.assertRegex(self.on_terminal(["dedup", self.pages()]), r"ndc: 5 pages, 3 groups, 2 duplicates in ")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    NDC = os.path.abspath(sys.argv.pop(1))
    unittest.main()
