#!/usr/bin/env python3
"""seeds.py [--writer WRITE_FEATURES] [TARGET...]: writes the first inputs of the fuzz targets that read text,
corpora/TARGET/seed-*.

Each is made of pages that are written here or of beginnings of pages of data/sample, in the form that the head of
targets/TARGET.cpp describes. WRITE_FEATURES is the program of tests/ref; without it there are none for
features_compare. `scripts/fuzz --minimise` drops those that reach nothing of their own.
"""
import argparse
import gzip
import io
import json
import pathlib
import struct
import subprocess
import tempfile
import zipfile

FUZZ = pathlib.Path(__file__).resolve().parent
SAMPLE = FUZZ.parent / "data" / "sample" / "documentation.warc.gz"
SAMPLE_PAGES = (3, 40, 120)  # of the records
SAMPLE_BYTES = 6000

SENTENCES = (
    "The council will rebuild the old lighthouse above the harbour before spring. Nobody knows yet who is going to pay "
    "for it. The harbour master says that the lamp can be repaired. The keeper, who has lived there for thirty years, "
    "wants to stay. "
)
CHINESE = "市议会决定在春天之前重建港口上方的老灯塔。目前还没有人知道这笔钱由谁来出。港务长说灯还可以修好，看守人希望留下来。"
JAPANESE = "市議会は春までに港の上の古い灯台を建て直すことを決めました。誰がその費用を払うのかはまだ分かりません。カタカナ ｶﾀｶﾅ"
KOREAN = "시의회는 봄이 오기 전에 항구 위의 오래된 등대를 다시 짓기로 했습니다. 누가 비용을 낼지는 아직 아무도 모릅니다."
RUSSIAN = (
    "Городской совет решил восстановить старый маяк над гаванью до весны. Никто ещё не знает, кто за это заплатит."
)
FRENCH = (
    "Le conseil a décidé de reconstruire le vieux phare au-dessus du port. « Où est l’argent ? » demande l’élève naïf."
)

PAGES = {
    "nothing": "",
    "text": "plain words & more < than > that",
    "head": (
        "<!DOCTYPE html><html lang=\"EN-us\"><head><meta charset=utf-8><title>\n One &amp;\n"
        " two </title><meta name=Keywords content='a,  b'><meta property=og:description content=graph><meta "
        "name=description content=\" plain \n words \"><link rel='x canonical' href=' https://example.com/c '><link "
        "rel=alternate hreflang=DE href=/de></head><body>x"
    ),
    "blocks": (
        "<body><nav><ul><li><a href=/1>one</a><li><a "
        f"href=//b.example/>two</a></ul></nav><article><header>h</header><h1>Head</h1><p>{SENTENCES}</p><blockquote>"
        f"<pre>  a\n b</pre></blockquote><table><tr><td>{CHINESE}<td>x</table></article><footer>foot</footer>"
    ),
    "inline": (
        "<p>in<b>li<i>ne</i></b><span></span>d <em>text</em> <code>a</code>&nbsp;<a href=x>see <b>this</a> "
        "rest</b><wbr>end<br>next"
    ),
    "hidden": (
        "a<script>document.write('</div>')</script>b<style>p > a {}</style>c<noscript><p>d</noscript><span "
        "hidden>e<b>f</span>g</b><i style='display : "
        "none'>h</i><template><li>i</template><svg><title>j</title></svg><iframe>k</iframe><!-- l -- > -->m"
    ),
    "references": (
        "&amp;&lt;p&gt;&copy;&#65;&#x4e2d;&#x1F600;&#146;&#0;&#xFFFF;&#x110000;&unknown;&amp b & c &#; &#x; &# "
        "&\x01\x0b\x7f\u0085\ufffe"
    ),
    "broken": (
        "<p>one<p>two<b>bold<i>both</b>rest</ div><div =x \"y z></p</scripty><a title=\"a > b\"x</a> y < z <<!-- "
        "--><![CDATA[x]]><?php a ?><body><html><head/><frameset><body/><ul>t<style><body.>u</style"
    ),
    "unclosed": "<p>a<a href=\"http://e.example/",
    "deep": "<div>" * 40 + "<b><i>" * 20 + "x" + "</div>" * 50,
    "ends": "<b><div>" + "</b></i></p>" * 60 + "x",
    "attributes": "<b " + "".join(f"a{i}=1 " for i in range(60)) + "hidden>x<p hidden hidden hidden=\"'>y",
    "names": "".join(f"<n{i}>x</n{i}>" for i in range(80)),
    "blanks": "<body>" + " " * 999 + "x" + "\n" * 1001 + "<p>" + "\u3000\u200b\u00a0" * 50 + "y",
    "table": (
        "<table><tr><td>a<table><tr><td>b</table><caption>c<th>d<tbody><p>e</table><select><option>f<option>g<optgroup>"
        "h</select>i"
    ),
    "dotted": "<x-y><p.b><div:a>t</x-y></p.b></div:a><:y><_x>",
}
SITE = b"example.com\0"


def sample_pages():
    records = gzip.decompress(SAMPLE.read_bytes()).split(b"WARC/1.1\r\n")[1:]
    return [records[i].split(b"\r\n\r\n", 2)[2][:SAMPLE_BYTES] for i in SAMPLE_PAGES]


def all_pages():
    pages = {name: text.encode() for name, text in PAGES.items()}
    return pages | {f"sample-{i}": page for i, page in enumerate(sample_pages())}


def html():
    for name, page in all_pages().items():
        yield name, b"\0" + SITE + page
        yield name + "-limits", b"\1" + struct.pack("<5H", 20, 300, 10, 3, 12) + SITE + page
    yield "raw", b"\2" + SITE + b"<p>one</p>\xff\xfe<meta name=keywords content='a\0b'><p>two\xe4\xb8"


def prefilter_vs_plain():
    for name, page in all_pages().items():
        yield name, b"\0" + SITE + page
        yield name + "-limits", b"\1" + struct.pack("<BHBB", 16, 500, 40, 3) + SITE + page


def html_readers():
    limits = struct.pack("<BHBB", 16, 500, 40, 3)
    for name, page in all_pages().items():
        text = page.decode(errors="replace")
        yield name, b"\0\0" + SITE + page
        yield name + "-limits", b"\1" + limits + b"\0" + SITE + page
        yield name + "-utf-16le", b"\2\3" + SITE + page
        yield name + "-utf-16be", b"\6\3" + SITE + page
        yield name + "-gbk", b"\0\1" + SITE + text.encode("gbk", errors="replace")
        yield name + "-big5", b"\0\2" + SITE + text.encode("big5", errors="replace")


def decode():
    texts = {
        "utf-8": CHINESE,
        "gb18030": CHINESE,
        "big5": "市議會決定在春天之前重建港口上方的老燈塔。目前還沒有人知道這筆錢由誰來出。",
        "shift_jis": JAPANESE,
        "euc_jp": JAPANESE,
        "iso2022_jp": JAPANESE.replace("ｶﾀｶﾅ", ""),
        "euc_kr": KOREAN,
        "windows-1251": RUSSIAN,
        "koi8-r": RUSSIAN,
        "iso8859-5": RUSSIAN,
        "cp866": RUSSIAN,
        "windows-1252": FRENCH,
        "iso8859-15": FRENCH.replace("’", "'"),
        "utf-16le": CHINESE,
        "utf-16be": RUSSIAN,
    }
    labels = {
        "iso8859-5": "iso-8859-5",
        "iso8859-15": "iso-8859-15",
        "iso2022_jp": "iso-2022-jp",
        "euc_jp": "euc-jp",
        "euc_kr": "euc-kr",
    }
    for codec, text in texts.items():
        label = labels.get(codec, codec)
        data = text.encode(codec, errors="replace")
        yield f"{label}-header", b"\0text/html; charset=" + label.encode() + b"\0" + data
        yield f"{label}-meta", b"\1\0<meta charset=" + label.encode() + b">" + data
        yield f"{label}-guess", b"\0\0" + data
        yield f"{label}-wrong", b"\1text/html; charset=iso-8859-7\0" + data + b"\xff\x80"
    for number in range(38):  # all but UTF-8
        yield f"charset-{number}", bytes((2, number)) + bytes(
            range(0x20, 0x100)
        ) + b"\x1b$B0!\x1b(B\x81\x30\x81\x30\x90\x30\x81\x30\x88\x62"
    yield "marks", b"\0\0\xef\xbb\xbf\xef\xbb\xbfx\0y\xe4\xb8"
    yield "binary", b"\0\0\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    yield "xml", b"\1\0<?xml version=\"1.0\" encoding='gbk'?>" + CHINESE.encode("gbk")


def record(kind, uri, block, *fields, version="WARC/1.0"):
    head = [
        version,
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {uri}",
        "WARC-Date: 2024-10-07T00:00:00Z",
        *fields,
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def warc():
    page = PAGES["inline"].encode()
    coded = gzip.compress(page, mtime=0)
    responses = {
        "plain": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page,
        "chunked": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\n<p>on\r\n3\r\ne t\r\n0\r\n\r\n",
        "gzip": b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(coded) + coded,
        "both": b"HTTP/1.1 200\nTransfer-Encoding: gzip,\n chunked\n\n%x\n" % len(coded) + coded + b"\n0\n\n",
        "brotli": b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\x0b\x02\x80<p>ab\x03",
        "deflate": b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\nx\x9cK\xcc\x03\x00\x01.\x00\xc3",
        "interim": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\nno",
    }
    archives = {
        name: record("response", "http://a.example/", block, "Content-Type: application/http; msgtype=response")
        for name, block in responses.items()
    }
    archives["kinds"] = b"".join(
        (
            record("warcinfo", "", b"software: x\r\n"),
            record("resource", "<http://a.example/r>", page, "Content-Type: text/html"),
            record("request", "http://a.example/", b"GET / HTTP/1.1\r\n\r\n"),
            record("response", "dns:a.example", b"20240101\r\n"),
            record("conversion", "http://a.example/c", b"words", "WARC-Truncated: length", version="WARC/1.1"),
        )
    )
    archives["damage"] = (
        archives["plain"][:-30]
        + archives["kinds"]
        + b"garbage\r\nWARC/1.0\r\nContent-Length: 99999999999\r\n\r\nx"
        + archives["chunked"]
        + b"WARC/0.9\r\n\r\n"
    )
    limits = struct.pack("<BBHH", 6, 1, 4000, 3000)
    for name, archive in archives.items():
        yield name, b"\0" + limits + archive
        yield name + "-members", b"\1" + limits + bytes(6) + archive
        yield name + "-damaged-members", b"\1" + limits + b"\x0c\0\x40\x90\0\xff" + archive + archives["kinds"]
    yield "gzip-file", b"\0" + limits + gzip.compress(archives["plain"], mtime=0) + gzip.compress(
        archives["kinds"], mtime=0
    ) + bytes(20)
    for name, response in responses.items():
        yield name + "-http", b"\2" + struct.pack("<H", 2000) + response
    yield "mark", (
        b'\3{"version":1,"identity":1,"run":2,"slots":1,"item":3,"input":0,"file_offset":4,"member_offset":5,'
        b'"behind":false,"complete":true,"duplicates":6,"output_bytes":7,"records":8,"pages":9,"page_bytes":10,'
        b'"truncated":11,"no_page":12,"other_status":13,"damaged":14,"metadata_bytes":15,"before":{"hash":1,"width":2}}'
    )
    yield "page-mark", b'\3{"version":1,"run":2,"item":3,"before":null}'
    yield "date", b"\3" + b"2019-10-01T00:00:00.123456+02:00"


READING = struct.pack("<BBHH", 6, 1, 4000, 3000)  # pieces, whether the size is known, limits


def arc():
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGES["inline"].encode()
    head = b"filedesc://a.arc 0.0.0.0 20080430204825 text/plain %d\n%s\n"
    version1 = b"1 0 X\nURL IP-address Archive-date Content-type Archive-length\n"
    version2 = (
        b"2 0 X\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename "
        b"Archive-length\n"
    )

    def line(url, *fields, body=page):
        return (
            " ".join((url, "127.0.0.1", "20080430204825", "text/html", *fields, str(len(body)))).encode()
            + b"\n"
            + body
            + b"\n"
        )

    first = (
        head % (len(version1), version1) + line("http://a.example/") + line("http://a.example/b c", body=b"<p>plain")
    )
    second = head % (len(version2), version2) + line("http://a.example/", "200", "-", "-", "0", "a.arc")
    yield "version-1", READING + first
    yield "version-2", READING + second
    yield "gzip", READING + gzip.compress(first, mtime=0) + gzip.compress(second, mtime=0)
    yield "damage", READING + first[
        :-20
    ] + b"\nno record\n" + second + b"http://a.example/ 1.1.1.1 20080430 text/html 99999999\nx"
    yield "dates", READING + line("dns:a.example").replace(b"20080430204825", b"200804") + line(
        "http://a.example/"
    ).replace(b"204825", b"2048")


def json_lines():
    pages = [
        {"url": "http://a.example/", "html": PAGES["inline"]},
        {"url": "http://a.example/t", "text": CHINESE, "date": "2024-10-07T00:00:00Z"},
        {
            "url": "http://a.example/c",
            "html": "<p>x",
            "content_type": "application/xhtml+xml",
            "other": {"a": [1, None, True, 1e9]},
        },
    ]
    lines = b"".join(json.dumps(page).encode() + b"\n" for page in pages)
    yield "pages", READING + lines
    yield "line", READING + lines.split(b"\n")[0]
    yield "gzip", READING + gzip.compress(lines, mtime=0)
    yield "damage", READING + b'{"url":1}\n{"html":"x"}\n{\n\n[]\n{"url":"u","text":"\\ud800\\u0000"}\r\n\xff\n' + lines
    yield "deep", READING + b'{"url":"u","text":"t","a":' + b"[" * 70 + b"]" * 70 + b"}\n" + lines


def two_records():
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGES["inline"].encode()
    response = record(
        "response", "http://a.example/", page, "WARC-Record-ID: <urn:uuid:1>", "Content-Type: application/http"
    )
    return response + record("revisit", "http://b.example/", b"", "WARC-Refers-To: <urn:uuid:1>")


def zstd():
    records = two_records()
    words = PAGES["inline"].encode().replace(b"\0", b"")
    yield "frames", READING + b"\0" + bytes(6) + b"\0" + records
    yield "dictionary", READING + b"\0" + bytes(6) + b"\1" + words + b"\0" + records
    yield "packed-dictionary", READING + b"\0" + bytes(6) + b"\2" + words + b"\0" + records
    yield "damage", READING + b"\0" + struct.pack(
        "<HBHB", 30, 0x40, 90, 0xFF
    ) + b"\2" + words + b"\0" + records + records
    yield "skipped-frame", READING + b"\1\x50\x2a\x4d\x18\3\0\0\0abc" + records
    yield "no-dictionary", READING + b"\1\x5d\x2a\x4d\x18\xff\xff\xff\x7fx"


def wacz():
    limits = struct.pack("<HH", 4000, 3000)
    records = two_records()
    index = b'example,a)/ 20241007000000 {"url": "http://a.example/", "filename": "a.warc", "offset": "0"}\n'

    def entry(folder, name, content, stored):
        return bytes((folder, stored)) + name + b"\0" + content.replace(b"\0", b"") + b"\0"

    for stored in (0, 1):
        kind = b"stored" if stored else b"deflated"
        entries = (
            entry(2, b"a.warc", records, stored)
            + entry(3, b"index.cdx", index, stored)
            + entry(1, b"datapackage.json", b"{}", stored)
            + entry(2, b"b.warc", b"no record\n" + records, stored)
        )
        yield kind.decode(), limits + b"\0" + bytes(6) + entries
        yield kind.decode() + "-damaged", limits + b"\0" + struct.pack("<HBHB", 120, 0x11, 700, 0xFF) + entries
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("archive/a.warc"), records)
            archive.writestr(zipfile.ZipInfo("indexes/index.cdx"), index.replace(b'"0"', b'"7"'))
        yield "file", limits + b"\1" + file.getvalue()
        yield "cut-file", limits + b"\1" + file.getvalue()[:-30]


def options():
    page = b"\0text/html\0" + PAGES["blocks"].encode()
    sets = {
        "none": "",
        "unknown": "resemblence=0.5\nrelaxed=false\nslope=1\n=\nverify\n",
        "limits": ("page_bytes_limit=1024\nx_depth_limit=16\ntext_bytes_limit=1024\ntokens_limit=64\n"),
        "keys": (
            "x_fingerprint_sentences=1\nx_fingerprint_cover_width=0\nx_fingerprint_buckets=64\nx_relaxed_keys=256\n"
        ),
        "spots": "x_spot_chain=1\nx_spot_signatures=1\nspot_bytes=0\n",
        "off": "x_relaxed=off\nspotsigs=off\n",
        "comparison": (
            "x_window_width=1\nx_trustable=true\nx_rounds=64\nx_edit_budget=0\nx_verification_work_limit=1000\n"
        ),
        "decision": "decision=report\nresemblance=0\ncontainment=0\n",
        "probability": "same_document=0\nsite_bytes=65536\n",
        "store": (
            "durability=none\nverify=full\nmmap=false\njournal_bytes=65536\npage_ttl_s=1\npipeline_mismatch=error\n"
            "read_only=true\n"
        ),
        "index": (
            "x_hot_groups_limit=2\nx_hot_site_groups_limit=2\nx_hot_sites=1\n"
            "keys_bytes=1\ndetector_bytes=1\nevents_limit=0\nkeep_text=true\n"
        ),
        "values": (
            "resemblance=nan\nsame_document=inf\nsame_document=1e400\ntokens_limit=-1\n"
            "tokens_limit=18446744073709551616\nx_relaxed=1\nkeep_text="
        )
        + "é" * 40
        + "\n",
    }
    for detector in (
        "spotsigs",
        "i-match-s",
        "lsh-s",
        "moz-vector",
        "simhash64",
        "simhash128",
        "mwo",
        "shingles",
        "minhash",
        "cosine",
        "i-match",
        "exact",
    ):
        sets[detector] = f"detector={detector}\ndecide=method\n"
        sets[detector + "-found"] = f"detector={detector}\ndetector_threshold=1\n"
    for name, lines in sets.items():
        yield name, lines.encode() + page


def features_compare(writer):
    pages = {
        "one": f"<p>{SENTENCES}</p><p>Short.</p><nav><a href=/>Home</a></nav>",
        "two": f"<p>{SENTENCES[:120]} And so on.</p><p>{CHINESE}</p>",
        "none": "",
        "titled": f"<title>{SENTENCES[:60]}</title><nav><a href=/>Home</a></nav><form>Search</form><p>{SENTENCES}</p>",
    }
    detectors = (
        "lcs",
        "spotsigs",
        "i-match-s",
        "lsh-s",
        "moz-vector",
        "simhash64",
        "mwo",
        "shingles",
        "minhash",
        "cosine",
        "simhash128",
        "i-match",
        "exact",
    )
    small = (
        "x_fingerprint_buckets=2",
        "x_fingerprint_sentences=1",
        "x_relaxed_keys=3",
        "x_spot_signatures=12",
    )

    def features(page, *given, site=0):
        with tempfile.TemporaryDirectory() as work:
            body, record_file = pathlib.Path(work) / "body", pathlib.Path(work) / "features"
            body.write_bytes(page.encode())
            subprocess.run(
                [writer, "http://www.a.example/x", body, record_file, str(site), *given],
                check=True,
                capture_output=True,
            )
            return record_file.read_bytes()

    def pair(flags, choice, first, second):
        return struct.pack("<BBH", flags, choice, len(first)) + first + second

    def representative(record):
        """As nd_features_representative() writes it, but for the checksum: without keys, spots and sentences."""
        blocks, _, keys = struct.unpack_from("<III", record, 88)
        (sentences,) = struct.unpack_from("<I", record, 120)
        spots, block_spots = struct.unpack_from("<II", record, 136)
        head, begin = bytearray(record[: 152 + 16 * blocks]), 152 + 16 * blocks
        for count in (92, 96, 120, 136, 140):
            struct.pack_into("<I", head, count, 0)
        head[124] |= 32
        return bytes(head) + record[begin + 8 * (keys + spots) + 16 * block_spots + 24 * sentences :]

    for number, detector in enumerate(detectors):
        one, two = (
            features(pages[name], f"detector={detector}", *(small if detector == "lcs" else ()))
            for name in ("one", "two")
        )
        yield detector, pair(3, number, one, two)
        yield detector + "-decides", pair(3, number | 16, one, two)
    one, none = features(pages["one"], "keep_text=true"), features(pages["none"])
    titled = features(pages["titled"])
    yield "titled", pair(3, 0, titled, one)
    # The number of its words, and the place of the first block.
    yield "titled-changed", pair(6, 0, titled, b"\x90\0\x01\xa7\0\x0e")
    yield "representative", pair(3, 0, representative(features(pages["titled"], site=3)), titled)
    yield "text", pair(3, 64, one, one)
    yield "no-text", pair(3, 32, one, none)
    yield "changed", pair(6, 128, one, b"\x98\0\1\xa8\0\x55\xff\xff\xff")
    yield "unmended", pair(0, 0, one, none)
    yield "zeros", pair(3, 0, b"NDF1\1\0" + bytes(146), b"")
    bins = bytes(range(124))
    changes = b"\5\0\1\x50\0\x10\x70\0\xff\1\0\4"  # of bins of both sorts, of all text, of the width
    yield "signatures", pair(4, 0, b"\1\x0a\7" + bins, changes)
    yield "signatures-other-version", pair(8, 0, b"\2\x0a\0" + bins, b"\1\x05\7" + bins)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--writer", type=pathlib.Path)
    parser.add_argument("targets", nargs="*")
    arguments = parser.parse_args()
    made = {
        "html": html,
        "html_readers": html_readers,
        "prefilter_vs_plain": prefilter_vs_plain,
        "decode": decode,
        "warc": warc,
        "arc": arc,
        "json_lines": json_lines,
        "zstd": zstd,
        "wacz": wacz,
        "options": options,
    }
    if arguments.writer:
        made["features_compare"] = lambda: features_compare(arguments.writer.resolve())
    for target in arguments.targets or made:
        folder = FUZZ / "corpora" / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in made[target]():
            (folder / f"seed-{name}").write_bytes(data)


if __name__ == "__main__":
    main()
