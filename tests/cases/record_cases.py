"""Cases of records: where they end, what is damaged, what stands between them. Each is a file's name and its bytes."""
import bz2
import gzip
import lzma

from archive_parts import (
    arc_info,
    arc_line,
    arc_record,
    frames,
    html,
    http,
    json_line,
    members,
    text,
    url,
    warc_info,
    warc_record,
    warc_response,
    wrong_check,
    zstd_frame,
)

NAMES = "abcde"


def _plain(parts):
    return b"".join(parts)


def _one_member(parts):
    return gzip.compress(_plain(parts), mtime=0)


# Ending, and what makes a file of its records.
_FORMS = (("", _plain), (".gz", members), (".zst", frames))


def lengths():
    """The length of the second of three records is wrong."""
    for off in (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5):
        sign = "%s%d" % ("less" if off < 0 else "more", abs(off))
        block = http(html("b"))
        warc = [warc_response("a"), warc_response("b", length=len(block) + off), warc_response("c")]
        arc = [arc_info(), arc_record("a"), arc_record("b", off=off), arc_record("c")]
        for ending, form in _FORMS:
            yield "length-%s.warc%s" % (sign, ending), form(warc)
        yield "length-%s.one.warc.gz" % sign, _one_member(warc)
        for ending, form in _FORMS[:2]:
            yield "length-%s.arc%s" % (sign, ending), form(arc)
    large = warc_response("b", length=10**12)
    yield "length-huge.warc", _plain([warc_response("a"), large, warc_response("c")])
    yield "length-huge.warc.gz", members([warc_response("a"), large, warc_response("c")])
    signed = "+%d" % len(http(html("b")))
    for name, length in (("none", None), ("negative", "-1"), ("words", "many"), ("plus", signed)):
        record = warc_response("b", length=length or "")
        if length is None:
            record = record.replace(b"Content-Length: \r\n", b"", 1)
        yield "length-%s.warc" % name, _plain([warc_response("a"), record, warc_response("c")])
        yield "length-%s.warc.gz" % name, members([warc_response("a"), record, warc_response("c")])
    line = arc_line("b", "many")
    yield "length-words.arc", _plain([arc_info(), arc_record("a"), arc_record("b", line=line), arc_record("c")])


def ends():
    """What stands behind a record is missing, or is more than it should be."""
    for name, end in (
        ("none", b""),
        ("line", b"\r\n"),
        ("lf", b"\n"),
        ("two-lf", b"\n\n"),
        ("three-lines", b"\r\n" * 3),
        ("many-lines", b"\r\n" * 300),
    ):
        for ending, form in _FORMS:
            yield "end-%s.warc%s" % (name, ending), form([warc_response(page, end=end) for page in "abc"])
        if name in ("none", "line", "many-lines"):
            arc = [arc_info(end=end)] + [arc_record(page, end=end) for page in "abc"]
            yield "end-%s.arc" % name, _plain(arc)
            yield "end-%s.arc.gz" % name, members(arc)
    # As Common Crawl's have it.
    yield "end-none-version-block.arc", _plain([arc_info(end=b"")] + [arc_record(page) for page in "abc"])
    yield "end-none-version-block.arc.gz", members([arc_info(end=b"")] + [arc_record(page) for page in "abc"])
    yield "end-cut.warc", _plain([warc_response(page) for page in "abc"])[:-60]
    yield "end-cut.arc", _plain([arc_info()] + [arc_record(page) for page in "abc"])[:-60]
    yield "end-record-in-block.warc", _plain(
        [
            warc_record(
                "resource", url("a"), text("a").encode() + b"\r\n" + warc_response("b"), "Content-Type: text/plain"
            )
        ]
        + [warc_response("c")]
    )


def _records(kind):
    if kind == "warc":
        return [warc_response(page) for page in NAMES]
    if kind == "arc":
        return [arc_info()] + [arc_record(page) for page in NAMES]
    return [json_line(page) for page in NAMES]


def damage():
    """Members or records that are damaged, and what does not belong between them."""
    for kind in ("warc", "arc", "jsonl"):
        parts = [members([part]) for part in _records(kind)]
        last, second = len(parts) - 1, len(parts) - 4

        def packed(ending, *changed):
            return "%s.%s.gz" % (ending, kind), b"".join(changed)

        yield packed("check-first", wrong_check(parts[0]), *parts[1:])
        yield packed("check-second", *parts[:second], wrong_check(parts[second]), *parts[second + 1 :])
        yield packed("check-last", *parts[:last], wrong_check(parts[last]))
        yield packed("cut-first", parts[0][:30], *parts[1:])
        yield packed("cut-second", *parts[:second], parts[second][:60], *parts[second + 1 :])
        yield packed("cut-last", *parts[:last], parts[last][:60])
        yield packed("junk-between", *parts[:second], b"this is no member", *parts[second:])
        yield packed("zeros-between", *parts[:second], bytes(512), *parts[second:])
        yield packed("zeros-behind", *parts, bytes(512))
        yield packed("junk-before", b"this is no member", *parts)
        yield packed("junk-behind", *parts, b"this is no member")
        yield packed("page-behind", *parts, b"<html><body>502 Bad Gateway</body></html>")
        yield packed("empty-member", *parts[:second], members([b""]), *parts[second:])
        yield packed("gzip-in-gzip", members([b"".join(parts)]))
        whole = _one_member(_records(kind))
        yield packed("one-member", whole)
        yield packed("one-member-check", wrong_check(whole))
        yield packed("one-member-cut", whole[:-9])
        framed = [zstd_frame(part) for part in _records(kind)]
        yield "frames.%s.zst" % kind, b"".join(framed)
        yield "frames-junk.%s.zst" % kind, b"".join([*framed[:second], b"this is no frame", *framed[second:]])
        yield "frames-cut.%s.zst" % kind, b"".join(framed)[:-60]
        yield "frames-one.%s.zst" % kind, zstd_frame(_plain(_records(kind)))
        for ending, pack in (("bz2", bz2.compress), ("xz", lzma.compress)):
            streams = [pack(part) for part in _records(kind)]
            yield "streams.%s.%s" % (kind, ending), b"".join(streams)
            yield "streams-junk.%s.%s" % (kind, ending), b"".join([*streams[:second], b"no stream", *streams[second:]])
            yield "streams-cut.%s.%s" % (kind, ending), b"".join(streams)[:-60]
            yield "streams-one.%s.%s" % (kind, ending), pack(_plain(_records(kind)))
        streams = [lzma.compress(part) for part in _records(kind)]
        yield "streams-padded.%s.xz" % kind, bytes(4).join(streams)


def begins():
    """How a file and its records begin."""
    records = [warc_response(page) for page in "abc"]
    yield "plain.warc", _plain(records)
    yield "info.warc", _plain([warc_info(), *records])
    yield "mark.warc", b"\xef\xbb\xbf" + _plain(records)
    for name, begin, end in (("before", b"", 0), ("between", records[0], 1), ("behind", _plain(records), 3)):
        noise = b"no record" + bytes(700)
        yield "noise-%s.one.warc.gz" % name, gzip.compress(begin + noise + _plain(records[end:]), mtime=0)
    pairs = [records[0] + noise + records[1], _plain([warc_response("d"), warc_response("e")])]
    yield "noise-between.two.warc.gz", members(pairs)
    yield "blank-lines.warc", b"\r\n\r\n" + _plain(records)
    yield "junk.warc", b"this is no record\r\n" + _plain(records)
    yield "junk-between.warc", _plain([records[0], b"this is no record\r\n", *records[1:]])
    yield "zeros-between.warc", _plain([records[0], bytes(512), *records[1:]])
    yield "line-feeds.warc", _plain([warc_response(page, line_end="\n", end=b"\n\n") for page in "abc"])
    for name, version in (("1.1", "WARC/1.1"), ("0.18", "WARC/0.18"), ("0.17", "WARC/0.17"), ("small", "warc/1.0")):
        yield "version-%s.warc" % name, _plain([warc_response(page, version=version) for page in "abc"])
        yield "version-%s.warc.gz" % name, members([warc_response(page, version=version) for page in "abc"])
    yield "version-2-alone.warc", warc_response("a", version="WARC/2.0")
    yield "version-2.warc", _plain([records[0], warc_response("b", version="WARC/2.0"), records[2]])
    yield "cut-header.warc", _plain([records[0][:31], *records[1:]])
    drafts = [warc_response(page, version="WARC/0.18") for page in "abc"]
    yield "cut-header-0.18.warc", _plain([drafts[0][:68], *drafts[1:]])
    longer = [warc_response(page, version="WARC/1.1.2") for page in "abc"]
    yield "cut-header-1.1.2.warc", _plain([longer[0][:68], *longer[1:]])
    yield "joined-headers.warc", _plain([records[0], records[1][:140], records[1][150:160], records[2][20:], *records])
    yield "no-type.warc", _plain([records[0], records[1].replace(b"WARC-Type: response\r\n", b""), records[2]])
    yield "no-target.warc", _plain(
        [records[0], warc_record("response", "", http(html("b")), "Content-Type: application/http"), records[2]]
    )
    yield "folded.warc", _plain([warc_response("a", None, "X-Long: one\r\n two\r\n\tthree"), *records[1:]])
    yield "brackets.warc", _plain(
        [warc_record("response", "<%s>" % url("a"), http(html("a")), "Content-Type: application/http"), *records[1:]]
    )
    yield "empty.warc", b""
    yield "empty.warc.gz", members([b""])


def arc_lines():
    """The file's own record, and the lines before the others."""
    pages = [arc_record(page) for page in "abc"]

    def info(first, second="URL IP-address Archive-date Content-type Archive-length\n", **form):
        return arc_info((first + second).encode(), **form)

    yield "plain.arc", _plain([arc_info(), *pages])
    yield "arc-without-info.arc", _plain(pages)
    yield "arc-info-1.1.arc", _plain(
        [
            info(
                "1 1 InternetArchive\n",
                second="URL IP-address Archive-date Content-type Archive-length\n<arcmetadata/>\n",
            ),
            *pages,
        ]
    )
    yield "arc-info-without-fields.arc", _plain([info("1 0 Cases\n", second=""), *pages])
    yield "arc-info-two-lines-behind.arc", _plain([arc_info(end=b"\n\n\n"), *pages])
    yield "arc-info-short.arc", _plain([arc_info(off=-30), *pages])
    yield "arc-info-long.arc", _plain([arc_info(off=1), *pages])
    second = "URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n"
    lines = [arc_line(page, "").rstrip() + b" 200 - - 0 cases.arc %d" % len(http(html(page))) for page in "abc"]
    yield "arc-version-2.arc", _plain(
        [info("2 0 Cases\n", second)] + [arc_record(page, line=line) for page, line in zip("abc", lines)]
    )
    for digits in (8, 10, 12, 14, 17):
        date = "20240506070809123"[:digits]
        yield "arc-date-%d.arc" % digits, _plain([arc_info(), pages[0], arc_record("b", date=date), pages[2]])
    yield "arc-date-odd.arc", _plain([arc_info(), pages[0], arc_record("b", date="2024050607080"), pages[2]])
    for name, kind in (
        ("parameter", "text/html; charset=utf-8"),
        ("parameter-close", "text/html;charset=utf-8"),
        ("no-type", "no-type"),
        ("unknown", "unknown/unknown"),
    ):
        yield "arc-type-%s.arc" % name, _plain([arc_info(), pages[0], arc_record("b", kind=kind), pages[2]])
    missing = arc_line("b", len(http(html("b")))).replace(b"text/html ", b"")
    yield "arc-type-missing.arc", _plain([arc_info(), pages[0], arc_record("b", line=missing), pages[2]])
    yield "arc-no-http.arc", _plain([arc_info(), pages[0], arc_record("b", html("b")), pages[2]])
    two_blanks = arc_line("b", len(http(html("b")))).replace(b" ", b"  ")
    yield "arc-two-blanks.arc", _plain([arc_info(), pages[0], arc_record("b", line=two_blanks), pages[2]])
    yield "arc-blank-in-url.arc", _plain([arc_info(), pages[0], arc_record("b with blanks", http(html("b"))), pages[2]])
    yield "arc-junk-between.arc", _plain([arc_info(), pages[0], b"this is no record\n", *pages[1:]])
    yield "arc-zeros-between.arc", _plain([arc_info(), pages[0], bytes(512) + b"\n", *pages[1:]])


def json_lines():
    """Lines of JSON, and what is none."""
    lines = [json_line(page) for page in "abc"]

    def with_second(line):
        return _plain([lines[0], line, lines[2]])

    def of(**names):
        return json_line("b", **names)

    page, address = html("b").decode(), url("b")
    yield "plain.jsonl", _plain(lines)
    yield "json-text.jsonl", with_second(of(url=address, text=text("b")))
    yield "json-order.jsonl", _plain([of(html=page, other=[{"url": 1}], url=address), lines[0], lines[2]])
    yield "json-mark.jsonl", b"\xef\xbb\xbf" + _plain(lines)
    yield "json-crlf.jsonl", _plain(lines).replace(b"\n", b"\r\n")
    yield "json-blank-lines.jsonl", b"\n" + b"\n \n".join(lines) + b"\n\n"
    yield "json-no-last-line-end.jsonl", _plain(lines)[:-1]
    yield "json-nan.jsonl", with_second(lines[1].replace(b'{"url"', b'{"score": NaN, "url"'))
    yield "json-null.jsonl", with_second(of(url=address, html=page, title=None))
    yield "json-null-html.jsonl", with_second(of(url=address, html=None, text=text("b")))
    yield "json-no-url.jsonl", with_second(of(html=page))
    yield "json-no-text.jsonl", with_second(of(url=address, title="b"))
    yield "json-surrogates.jsonl", with_second(lines[1].replace(b"<title>Page", b"<title>\\ud83d\\ude00 Page"))
    yield "json-lone-surrogate.jsonl", with_second(lines[1].replace(b"<title>Page", b"<title>\\ud83d Page"))
    yield "json-header-line.jsonl", _plain([b'{"format": 1}\n', of(url=address, text=None) * 3, lines[0]])
    yield "json-cut-first-line.jsonl", _plain([lines[1][:80] + b"\n", b"a log\n" * 3, lines[0], b"and\nmore\n"])
    yield "json-log-between.jsonl", _plain(line + b"a log\nof two lines\n" for line in lines)
    yield "json-log-before.jsonl", b"a log\n" * 5 + _plain(lines)
    yield "json-array-of-lines.json", b'{"pages": [\n' + b",\n".join(line.strip() for line in lines) + b"\n]}\n"
    yield "json-one-line.jsonl", b"".join(line.strip() for line in lines) + b"\n" + of(url=url("d"), text=text("d"))
    yield "json-array-line.jsonl", with_second(b"[" + lines[1].strip() + b"]\n")
    yield "json-cut-line.jsonl", with_second(lines[1][:80] + b"\n")
    yield "json-cut.jsonl", _plain(lines)[:-80]
    yield "json-deep.jsonl", with_second(lines[1].replace(b'{"url"', b'{"deep": %s%s, "url"' % (b"[" * 99, b"]" * 99)))
    yield "json-two-members.jsonl.gz", members([lines[0], lines[1] + lines[2]])
    for name in ("content", "raw_content", "body"):
        yield "json-%s.jsonl" % name, _plain([json_line(x, **{"url": url(x), name: text(x)}) for x in "abc"])
    for name in ("uri", "URL", "source_url"):
        yield "json-%s.jsonl" % name, _plain([json_line(x, **{name: url(x), "text": text(x)}) for x in "abc"])


def every():
    for group in (begins, lengths, ends, damage, arc_lines, json_lines):
        yield from group()
