"""The parts of which the cases are made: pages with texts of their own, records of WARC and ARC, lines of JSON, ZIP
files, and what packs them. Everything is the same each time."""
import gzip
import hashlib
import io
import json
import random
import struct
import zipfile
import zlib

DATE = "2024-05-06T07:08:09Z"
ARC_DATE = "20240506070809"
EMPTY_DIGEST = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

_SYLLABLES = ("bar", "den", "fol", "gir", "hum", "kel", "lor", "mas", "nev", "pit", "rud", "sal", "tom", "vex", "wim")
_SENTENCES = 6


def text(name):
    """The words of a page: its own, and long enough for each detector."""
    chosen = random.Random("case " + name)
    sentences = []
    for _ in range(_SENTENCES):
        words = ["".join(chosen.choices(_SYLLABLES, k=chosen.randint(1, 3))) for _ in range(12)]
        sentences.append("the %s of %s and %s." % (words[0], " ".join(words[1:11]), words[11]))
    return " ".join(sentences)


def html(name, head="", charset="utf-8", words=None):
    """A page; `words` in the place of its own text."""
    page = "<!DOCTYPE html><html><head>%s<title>Page</title></head><body><p>%s</p></body></html>"
    return (page % (head, text(name) if words is None else words)).encode(charset)


def url(name):
    return "http://case.example/" + name


# HTTP


def http(body, *fields, status="HTTP/1.1 200 OK", line_end="\r\n"):
    """A response; `fields` are whole lines, of which there is one for the media type if none is given."""
    lines = [status, *(fields or ("Content-Type: text/html",))]
    return line_end.join(lines + ["", ""]).encode("latin-1") + body


def chunked(body, size=40, last=b"0\r\n\r\n"):
    chunks = (body[at : at + size] for at in range(0, len(body), size))
    return b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + last


def raw_deflate(body):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush()


# WARC


def warc_record(kind, target, block, *fields, length=None, end=b"\r\n\r\n", version="WARC/1.0", line_end="\r\n"):
    """A record; `length`: what its header says; `fields`: whole lines, the media type of the block among them."""
    lines = [version, "WARC-Type: " + kind]
    if target:
        lines.append("WARC-Target-URI: " + target)
    if not any(field.startswith("WARC-Date") for field in fields):
        lines.append("WARC-Date: " + DATE)
    if not any(field.startswith("WARC-Record-ID") for field in fields):
        key = hashlib.sha1(kind.encode() + target.encode() + block).hexdigest()
        lines.append(
            "WARC-Record-ID: <urn:uuid:%s-%s-4%s-8%s-%s>" % (key[:8], key[8:12], key[13:16], key[17:20], key[20:32])
        )
    lines += fields
    lines.append("Content-Length: %s" % (len(block) if length is None else length))
    return line_end.join(lines + ["", ""]).encode("latin-1") + block + end


def warc_response(name, block=None, *fields, **form):
    """A record with a response: the page of that name, or another block."""
    kind = "Content-Type: application/http; msgtype=response"
    return warc_record("response", url(name), http(html(name)) if block is None else block, kind, *fields, **form)


def warc_info():
    return warc_record("warcinfo", "", b"software: cases\r\n", "Content-Type: application/warc-fields")


# ARC


def arc_line(name, length, date=ARC_DATE, kind="text/html", address="127.0.0.1"):
    return ("%s %s %s %s %s" % (url(name), address, date, kind, length)).encode("latin-1")


def arc_record(name, block=None, off=0, end=b"\n", line=None, **fields):
    """A record of version 1; `off`: by how much its length is wrong."""
    block = http(html(name)) if block is None else block
    return (arc_line(name, len(block) + off, **fields) if line is None else line) + b"\n" + block + end


def arc_info(block=b"1 0 Cases\nURL IP-address Archive-date Content-type Archive-length\n", end=b"\n", off=0):
    line = b"filedesc://cases.arc 0.0.0.0 %s text/plain %d\n" % (ARC_DATE.encode(), len(block) + off)
    return line + block + end


# JSON lines


def json_line(name, **members):
    return json.dumps(members or {"url": url(name), "html": html(name).decode()}, ensure_ascii=False).encode() + b"\n"


# What packs them


def members(parts):
    """Each part a gzip member, as archives have a record each."""
    return b"".join(gzip.compress(part, mtime=0) for part in parts)


def zstd_frame(data):
    """A frame of uncompressed blocks (RFC 8878), with its size and without a checksum."""
    blocks, size = b"", 1 << 16
    for at in range(0, max(len(data), 1), size):
        block = data[at : at + size]
        blocks += struct.pack("<I", len(block) << 3 | (at + size >= len(data)))[:3] + block
    return b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data)) + blocks


def frames(parts):
    return b"".join(map(zstd_frame, parts))


def wrong_check(member):
    """A gzip member whose checksum does not fit."""
    return member[:-8] + bytes([member[-8] ^ 0xFF]) + member[-7:]


def zip_file(entries, deflated=False):
    """`entries`: (name, bytes)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in entries:
            entry = zipfile.ZipInfo(name, (2024, 5, 6, 7, 8, 8))
            entry.compress_type = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
            archive.writestr(entry, data)
    return out.getvalue()


def wacz(entries, deflated=False):
    package = b'{"profile": "data-package", "wacz_version": "1.1.1", "resources": []}'
    return zip_file([("datapackage.json", package), *entries], deflated)
