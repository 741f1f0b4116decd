"""Where the records of an archive lie in its file: gzip members, zstd frames without a checksum, records of WARC and
ARC, lines of JSON. Only of sound files; what follows a fault belongs to the last span."""
import re
import struct
import zlib

from archive_parts import zstd_frame

_ARC_LINE = re.compile(rb"[a-z]+:[^\n]* [0-9.]+ \d{8,17} [^\n]* (\d+)\n")
_WARC_LENGTH = re.compile(rb"(?im)^content-length:[ \t]*(\d+)\r?$")
ZSTD_MAGIC = zstd_frame(b"")[:5]


def spans(data):
    """(first byte, byte behind the last, content) of each record, in order."""
    if data.startswith(b"\x1f\x8b"):
        return list(_members(data))
    if data.startswith(ZSTD_MAGIC):
        return list(_frames(data))
    if data.startswith(b"WARC/"):
        return list(_sized(data, _warc_end))
    if data.startswith(b"{"):
        return list(_lines(data))
    if _ARC_LINE.match(data):
        return list(_sized(data, _arc_end))
    return [(0, len(data), data)]


def _members(data):
    begin = 0
    while begin < len(data):
        inflater = zlib.decompressobj(31)
        try:
            content = inflater.decompress(data[begin:]) + inflater.flush()
        except zlib.error:
            content = b""
        end = len(data) - len(inflater.unused_data) if inflater.eof else len(data)
        yield begin, end, content
        begin = end


def _frames(data):
    """Of those that zstd_frame() makes."""
    begin = 0
    while data[begin:].startswith(ZSTD_MAGIC):
        at, content, last = begin + 9, b"", False
        while not last and at + 3 <= len(data):
            header = struct.unpack("<I", data[at : at + 3] + b"\0")[0]
            content += data[at + 3 : at + 3 + (header >> 3)]
            at, last = at + 3 + (header >> 3), bool(header & 1)
        yield begin, at, content
        begin = at
    if begin < len(data):
        yield begin, len(data), b""


def _warc_end(data, begin):
    header = data.find(b"\r\n\r\n", begin)
    length = _WARC_LENGTH.search(data, begin, header + 2) if header >= 0 else None
    return header + 4 + int(length[1]) if length else None


def _arc_end(data, begin):
    line = _ARC_LINE.match(data, begin)
    return line.end() + int(line[1]) if line else None


def _sized(data, end_of):
    begin = 0
    while begin < len(data):
        end = end_of(data, begin)
        end = len(data) if end is None else min(end, len(data))
        while end < len(data) and data[end] in b"\r\n":
            end += 1
        yield begin, end, data[begin:end]
        begin = end


def _lines(data):
    begin = 0
    while begin < len(data):
        end = data.find(b"\n", begin) + 1 or len(data)
        yield begin, end, data[begin:end]
        begin = end
