"""Cases of what is in a record: HTTP, codings, media types, charsets, revisits, ZIP files, shadow roots."""
import base64
import gzip
import hashlib
import struct
import zlib

from archive_parts import (
    DATE,
    EMPTY_DIGEST,
    chunked,
    html,
    http,
    json_line,
    members,
    raw_deflate,
    text,
    url,
    wacz,
    warc_info,
    warc_record,
    warc_response,
    zip_file,
    zstd_frame,
)

# Texts in the letters of charsets; their words are their own, too.
LETTERS = {
    "latin": "überall häuften sich blätter, während möwen über das große dach flögen und bäume rauschten.",
    "cyrillic": "старый мост через реку закрыли на ремонт, и теперь жители ездят другой дорогой вдоль берега.",
    "japanese": "港の古い倉庫は来月で閉まり、町の人々はその跡地に小さな図書館を建てたいと話しています。",
    "chinese": "河边的旧仓库下个月将关闭，镇上的居民希望在那里建造一座小图书馆和一个公园。",
    "traditional": "河邊的舊倉庫下個月將關閉，鎮上的居民希望在那裡建造一座小圖書館和一個公園。",
    "korean": "강가의 오래된 창고는 다음 달에 문을 닫고 마을 사람들은 그곳에 작은 도서관을 짓고 싶어 한다.",
    "thai": "โกดังเก่าริมแม่น้ำจะปิดในเดือนหน้าชาวบ้านอยากสร้างห้องสมุดเล็กๆและสวนสาธารณะที่นั่น",
    "greek": "η παλιά αποθήκη στο λιμάνι κλείνει τον επόμενο μήνα και οι κάτοικοι θέλουν μια μικρή βιβλιοθήκη.",
}


def _with(name, block, *fields):
    """A file of three records, the second of which has this block."""
    return name, b"".join([warc_response("a"), warc_response("b", block, *fields), warc_response("c")])


def headers():
    page, kind = html("b"), "Content-Type: text/html"
    for name, status in (
        ("no-reason", "HTTP/1.1 200"),
        ("blank-reason", "HTTP/1.1 200 "),
        ("http-2", "HTTP/2 200"),
        ("small", "http/1.1 200 ok"),
        ("two-blanks", "HTTP/1.1  200 OK"),
        ("status-0", "HTTP/1.1 0 OK"),
        ("status-20", "HTTP/1.1 20 OK"),
        ("status-99", "HTTP/1.1 99 OK"),
        ("status-404", "HTTP/1.1 404 Not Found"),
        ("status-999", "HTTP/1.1 999 Denied"),
        ("status-words", "HTTP/1.1 OK"),
        ("no-http", "ICY 200 OK"),
    ):
        yield _with("http-%s.warc" % name, http(page, status=status))
    yield _with("http-line-feeds.warc", http(page, line_end="\n"))
    yield _with("http-folded.warc", http(page, "X-A: one\r\n two", kind))
    yield _with("http-blank-before-colon.warc", http(page, "Content-Type : text/html"))
    yield _with("http-garbage-line.warc", http(page, "no field at all", kind))
    yield _with("http-no-fields.warc", b"HTTP/1.1 200 OK\r\n\r\n" + page)
    yield _with("http-interim.warc", b"HTTP/1.1 100 Continue\r\n\r\n" + http(page))
    yield _with("http-line-before-body.warc", http(b"\r\n" + page))
    yield _with("http-length-short.warc", http(page, kind, "Content-Length: 5"))
    yield _with("http-length-long.warc", http(page, kind, "Content-Length: 99999"))
    yield _with("http-empty-block.warc", b"")
    yield _with("http-page-alone.warc", page)
    for status in ("204 No Content", "302 Found", "304 Not Modified", "404 Not Found", "200 OK"):
        block = ("HTTP/1.1 %s\r\nServer: cases\r\n" % status).encode()
        yield _with("http-no-empty-line-%s.warc" % status[:3], block)
    yield _with("http-status-line-alone.warc", b"HTTP/1.1 302 Found")


def codings():
    page, kind = html("b"), "Content-Type: text/html"
    packed = gzip.compress(page, mtime=0)
    for name, coding, body in (
        ("gzip", "gzip", packed),
        ("gzip-false", "gzip", page),
        ("gzip-twice", "gzip, gzip", gzip.compress(packed, mtime=0)),
        ("gzip-said-twice", "gzip, gzip", packed),
        ("gzip-check", "gzip", packed[:-8] + b"\0\0\0\0" + packed[-4:]),
        ("gzip-is-zlib", "gzip", zlib.compress(page)),
        ("x-gzip", "x-gzip", packed),
        ("capitals", "GZIP", packed),
        ("deflate", "deflate", zlib.compress(page)),
        ("deflate-raw", "deflate", raw_deflate(page)),
        ("deflate-false", "deflate", page),
        ("deflate-is-gzip", "deflate", packed),
        ("zstd", "zstd", zstd_frame(page)),
        ("zstd-false", "zstd", page),
        ("br-false", "br", page),
        ("compress-false", "compress", page),
        ("compress", "compress", b"\x1f\x9d\x90" + bytes(range(40, 120))),
        ("charset", "utf-8", page),
        ("none", "none", page),
        ("identity", "identity", page),
        ("many", ", ".join(["gzip"] * 6), page),
    ):
        yield _with("coding-%s.warc" % name, http(body, kind, "Content-Encoding: " + coding))
    yield _with("coding-unsaid.warc", http(packed, kind))
    said = "Transfer-Encoding: chunked"
    pieces = chunked(page)
    for name, body in (
        ("true", pieces),
        ("false", page),
        ("no-last", chunked(page, last=b"")),
        ("extension", pieces.replace(b"28\r\n", b"28;name=value\r\n")),
        ("trailer", chunked(page, last=b"0\r\nX-Trailer: x\r\n\r\n")),
        ("capitals", pieces.replace(b"28\r\n", b"0028\r\n")),
        ("line-feeds", pieces.replace(b"\r\n", b"\n")),
    ):
        yield _with("chunked-%s.warc" % name, http(body, kind, said))
    yield _with("chunked-gzip.warc", http(chunked(packed), kind, said, "Content-Encoding: gzip"))
    yield _with("chunked-transfer-gzip.warc", http(chunked(packed), kind, "Transfer-Encoding: gzip, chunked"))


# What a header says that is no media type, or a rare one.
TYPES = {
    "plain": "text/html",
    "charset": "text/html; charset=utf-8",
    "capitals": "Text/HTML",
    "blank": "text/html charset=utf-8",
    "quoted": '"text/html"',
    "blanks": "text / html",
    "colon": "text/html:charset=utf-8",
    "tab": "text/html\tcharset=utf-8",
    "list": "text/html,text/html",
    "list-text": "text/html, text/plain",
    "semicolons": ";;",
    "comma": ",",
    "star": "*/*",
    "text-star": "text/*",
    "word": "html",
    "slash": "text/",
    "empty": "",
    "unknown": "application/octet-stream",
    "unknown-unknown": "unknown/unknown",
    "equals": "text/html=utf-8",
    "no-semicolon-quoted": '"text/html; charset=utf-8"',
    "xhtml": "application/xhtml+xml",
    "trailing": "text/html;",
}


def media_types():
    yield "media-types.warc", b"".join(
        warc_response(name, http(html(name), ("Content-Type: " + said).rstrip())) for name, said in TYPES.items()
    )
    yield "media-types.arc", b"".join(
        b"%s 127.0.0.1 20240506070809 text/html %d\n%s\n" % (url(name).encode(), len(block), block)
        for name, block in (
            (name, http(html(name), ("Content-Type: " + said).rstrip())) for name, said in TYPES.items()
        )
    )
    yield "media-type-twice.warc", warc_response(
        "a", http(html("a"), "Content-Type: text/html", "Content-Type: text/html")
    )
    yield "media-type-missing.warc", warc_response("a", http(html("a"), "Server: cases"))
    yield "media-type-resource.warc", b"".join(
        warc_record("resource", url(name), html(name), *kind)
        for name, kind in (
            ("a", ["Content-Type: text/html"]),
            ("b", []),
            ("c", ["Content-Type: text/html charset=utf-8"]),
            ("d", ["Content-Type: application/octet-stream"]),
        )
    )
    yield _with("media-type-image.warc", http(html("b"), "Content-Type: image/png"))
    yield _with("media-type-png.warc", http(b"\x89PNG\r\n\x1a\n" + bytes(64), "Content-Type: text/html"))
    yield _with("media-type-pdf.warc", http(b"%PDF-1.4 " + text("b").encode(), "Content-Type: text/html charset=x"))
    yield _with("media-type-style.warc", http(b"p { color: red }", "Content-Type: text/css"))
    yield _with("media-type-json.warc", http(json_line("b"), "Content-Type: application/json"))
    yield _with("media-type-text.warc", http(text("b").encode(), "Content-Type: text/plain"))
    yield "media-type-notes.warc", warc_info() + warc_response("a") + warc_record(
        "resource", "urn:text:" + url("a"), text("a").encode(), "Content-Type: text/plain"
    )


def charsets():
    for name, letters, said, written in (
        ("utf-8", "latin", "utf-8", "utf-8"),
        ("latin-1", "latin", "iso-8859-1", "cp1252"),
        ("windows-1251", "cyrillic", "windows-1251", "cp1251"),
        ("koi8-r", "cyrillic", "koi8-r", "koi8-r"),
        ("shift-jis", "japanese", "shift_jis", "shift_jis"),
        ("euc-jp", "japanese", "euc-jp", "euc-jp"),
        ("iso-2022-jp", "japanese", "iso-2022-jp", "iso-2022-jp"),
        ("gb2312", "chinese", "gb2312", "gb18030"),
        ("big5", "traditional", "big5", "big5"),
        ("euc-kr", "korean", "euc-kr", "euc-kr"),
        ("greek", "greek", "iso-8859-7", "iso8859-7"),
        ("thai", "thai", "tis-620", "cp874"),
        ("unknown-label", "latin", "utf8mb4", "utf-8"),
        ("none", "latin", "none", "utf-8"),
        ("mark-wins", "latin", "iso-8859-1", "utf-8-sig"),
        ("utf-16", "cyrillic", "utf-8", "utf-16"),
        ("false", "cyrillic", "utf-8", "cp1251"),
    ):
        page = html("b", charset=written, words=LETTERS[letters])
        yield _with("charset-%s.warc" % name, http(page, "Content-Type: text/html; charset=" + said))
    for name, head in (
        ("meta", '<meta charset="koi8-r">'),
        ("http-equiv", '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">'),
        ("misspelt", '<meta httpequiv="Content-Type" content="text/html; charset=koi8-r">'),
        ("unsaid", ""),
    ):
        page = html("b", head, "koi8-r", LETTERS["cyrillic"])
        yield _with("charset-%s.warc" % name, http(page))
    said = "Content-Type: text/html charset=koi8-r"
    yield _with("charset-no-semicolon.warc", http(html("b", charset="koi8-r", words=LETTERS["cyrillic"]), said))


def _digest(payload):
    return "WARC-Payload-Digest: sha1:" + base64.b32encode(hashlib.sha1(payload).digest()).decode()


def revisits():
    """Of page a, or of what has no text, behind page b."""
    base = "http://netpreserve.org/warc/1.%d/revisit/"
    same, unmodified = base % 1 + "identical-payload-digest", base % 1 + "server-not-modified"
    key = "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000a>"
    refers = key.replace("Record-ID", "Refers-To")
    first = [warc_response("a", None, key, _digest(html("a"))), warc_response("b", None, _digest(html("b")))]
    robots = warc_response("robots.txt", http(b"", "Content-Type: text/plain"), "WARC-Payload-Digest: " + EMPTY_DIGEST)
    later, ok = "WARC-Date: 2024-06-07T08:09:10Z", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    gone = b"HTTP/1.1 304 Not Modified\r\nServer: cases\r\n\r\n"
    kind = "Content-Type: application/http; msgtype=response"

    def revisit(target, profile, block, *fields):
        return warc_record("revisit", url(target), block, "WARC-Profile: " + profile, later, kind, *fields)

    def file(name, *revisited, before=()):
        return "revisit-%s.warc" % name, b"".join([*before, *first, *revisited])

    by_place = ["WARC-Refers-To-Target-URI: " + url("a"), "WARC-Refers-To-Date: 2024-05-06T07:08:09Z"]
    nothing = "WARC-Payload-Digest: " + EMPTY_DIGEST
    yield file("same-by-key", revisit("a", same, ok, refers))
    yield file("same-by-place", revisit("a", same, ok, *by_place))
    yield file("same-by-digest", revisit("a", same, ok, _digest(html("a"))))
    yield file("same-other-url", revisit("other", same, ok, _digest(html("a"))))
    yield file("same-brackets", revisit("a", same, ok, "WARC-Refers-To-Target-URI: <%s>" % url("a"), by_place[1]))
    yield file("same-1.0", revisit("a", base % 0 + "identical-payload-digest", ok, _digest(html("a"))))
    yield file("same-no-block", revisit("a", same, b"", _digest(html("a"))))
    yield file("same-lost", revisit("a", same, ok, _digest(html("elsewhere"))))
    yield file("same-nothing", revisit("a", same, ok, nothing), before=[robots])
    yield file("same-nothing-lost", revisit("a", same, ok, nothing))
    yield file("same-redirect", revisit("a", same, ok.replace(b"200 OK", b"302 Found"), nothing), before=[robots])
    yield file("unmodified-by-place", revisit("a", unmodified, gone, *by_place))
    yield file("unmodified-by-url", revisit("a", unmodified, gone))
    yield file("unmodified-digest", revisit("a", unmodified, gone, _digest(html("a"))))
    yield file("unmodified-nothing", revisit("a", unmodified, gone, nothing), before=[robots])
    yield file("unmodified-1.0", revisit("a", base % 0 + "server-not-modified", gone, nothing), before=[robots])
    yield file("unmodified-no-block", revisit("a", unmodified, b"", nothing), before=[robots])
    yield file("unmodified-lost", revisit("elsewhere", unmodified, gone, nothing), before=[robots])
    yield file("unknown-profile", revisit("a", "http://case.example/profile", ok, *by_place))


def _with_sizes(archive, size):
    """A ZIP whose directory says of its last entry that it has that size, packed and not."""
    at = archive.rindex(b"PK\x01\x02")
    return archive[: at + 20] + struct.pack("<I", size) + archive[at + 24 :]


def _without_last_in_list(archive):
    """A ZIP whose end record says that the directory has one entry less; the directory is as it was."""
    last, end = archive.rindex(b"PK\x01\x02"), archive.rindex(b"PK\x05\x06")
    here, all_disks, size = struct.unpack_from("<HHI", archive, end + 8)
    less = struct.pack("<HHI", here - 1, all_disks - 1, size - (end - last))
    return archive[: end + 8] + less + archive[end + 16 :]


def _renamed_in_list(archive, name, new):
    """A ZIP whose directory has another name of the same length for an entry."""
    at = archive.rindex(name)
    return archive[:at] + new + archive[at + len(new) :]


def wacz_files():
    records = members([warc_response(page) for page in "abc"])
    one = ("archive/data.warc.gz", records)
    yield "plain.wacz", wacz([one])
    yield "two.wacz", wacz([one, ("archive/more.warc", warc_response("d"))])
    yield "plain-entry.wacz", wacz([("archive/data.warc", b"".join(warc_response(page) for page in "abc"))])
    yield "no-ending.wacz", wacz([("archive/data", records)])
    yield "subfolder.wacz", wacz([("archive/sub/data.warc.gz", records)])
    yield "deflated.wacz", wacz([one], deflated=True)
    yield "beside.wacz", wacz([one, ("archive/notes.css", b"p { color: red }")])
    yield "trailing.wacz", wacz([one]) + b"this is no ZIP"
    yield "before.wacz", b"this is no ZIP" + wacz([one])
    yield "cut.wacz", wacz([one])[:-90]
    yield "cut-plain.wacz", wacz([("archive/data.warc", b"".join(map(warc_response, "abc")))])[:-90]
    yield "cut-deflated.wacz", wacz([one], deflated=True)[:-90]
    yield "damaged-entry.wacz", wacz(
        [("archive/a.warc.gz", wrong_first(records)), ("archive/d.warc", warc_response("d"))]
    )
    yield "short-entry.wacz", _with_sizes(wacz([one]), 0)
    two = wacz([one, ("archive/more.warc", warc_response("d"))])
    yield "list-short.wacz", _without_last_in_list(two)
    yield "list-other-name.wacz", _renamed_in_list(two, b"archive/more", b"arc\xffive/more")
    yield "no-archive.wacz", wacz([("pages/pages.jsonl", b"{}\n")])
    yield "nested.wacz", wacz([("archive/inner.wacz", wacz([one])), ("archive/d.warc", warc_response("d"))])
    yield "nested-alone.wacz", zip_file([("inner.wacz", wacz([one]))])
    same = "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    of_b = ("WARC-Refers-To-Target-URI: " + url("b"), "WARC-Refers-To-Date: " + DATE)
    again = warc_record("revisit", url("again"), http(b""), same, *of_b, "Content-Type: application/http")
    revisited = ("archive/data.warc.gz", records + members([again]))
    yield "revisit-in-deflated.wacz", wacz([revisited], deflated=True)
    yield "revisit-in-nested.wacz", wacz([("archive/inner.wacz", wacz([revisited]))])
    yield "revisit-in-deflated-nested.wacz", wacz([("archive/inner.wacz", wacz([revisited], deflated=True))], True)
    yield "revisit-of-other-file.wacz", wacz([one, ("archive/more.warc.gz", members([again]))])
    yield "nested-twice.wacz", wacz([("archive/outer.wacz", wacz([("archive/inner.wacz", wacz([one]))]))])


def wrong_first(packed):
    """Members the first of which is damaged."""
    return packed[:40] + bytes(4) + packed[44:]


def shadow_roots():
    def shell(root):
        return http(b"<!DOCTYPE html><html><body><div>" + root + b"</div></body></html>")

    words = text("b").encode()
    for name, root in (
        ("open", b'<template shadowrootmode="open"><p>%s</p></template>' % words),
        ("closed", b"<template shadowrootmode=closed><p>%s</p></template>" % words),
        ("capitals", b'<TEMPLATE SHADOWROOTMODE="OPEN"><p>%s</p></TEMPLATE>' % words),
        (
            "nested",
            b'<template shadowrootmode="open"><section><template shadowrootmode="open"><p>%s</p></template>'
            b"</section></template>" % words,
        ),
        ("template", b"<template><p>hidden words</p></template><p>%s</p>" % words),
        ("other-mode", b'<template shadowrootmode="none"><p>hidden words</p></template><p>%s</p>' % words),
    ):
        yield _with("shadow-%s.warc" % name, shell(root))


def every():
    for group in (headers, codings, media_types, charsets, revisits, wacz_files, shadow_roots):
        yield from group()
