"""Unpacks the pages and texts of stores, by what docs/snapshot_format.md says."""
import struct

from store_reader import check, unpack
from xxh3 import xxh3_64  # where store_reader has it from

ANSWER = struct.Struct("<iIQQQ5dQ")  # as a journal has it
MAKING_BYTES = 152
TABLES = 13
NO_CODE = 0xFFFF
MASK = (1 << 64) - 1


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        check(self.at + size <= len(self.data), "a record ends early")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, layout):
        return unpack(layout, self.take(struct.calcsize(layout)))[0]

    def short_number(self):
        value = 0
        for place in range(10):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << 7 * place
            if byte < 0x80:
                return value & MASK
        check(False, "a number of more than ten bytes")
        return None

    def rest(self):
        return self.take(len(self.data) - self.at)


def signed(value, bits=64):
    value &= (1 << bits) - 1
    return value - (value >> bits - 1 << bits)


def page_of(value):
    """(the answer, the text number, the digest, the URL) of a page."""
    data = Bytes(value)
    given = data.take(1)[0]
    check(given < 32, "shares that no page has")
    verdict, flags, page, group, matched, related, text, _, _, first, after, _, url_size = (
        data.short_number() for _ in range(13)
    )
    _, digest = data.number("<Q"), data.take(16)  # behind the site's key
    shares = [data.number("<d") if given >> place & 1 else 0.0 for place in range(5)]
    url = data.rest()
    check(len(url) == url_size, "a URL of another size")
    check(signed(first) <= signed(first + after), "a page that was seen before it was fetched")
    return ANSWER.pack(signed(verdict, 32), flags, page, group, matched, *shares, related), text, digest, url


class Texts:
    """What the packed texts of a store have in common."""

    def __init__(self, state):
        """`state`: from making_count on; what follows the symbols is of no concern."""
        data = Bytes(state)
        self.makings = [data.take(MAKING_BYTES) for _ in range(data.number("<Q"))]
        self.symbols = [data.take(4) for _ in range(data.number("<Q"))]

    def text_of(self, value):
        """The features record."""
        if value[:4] == b"NDF1":
            return value
        data = Bytes(value)
        making = self.makings[data.take(1)[0]]
        checksum_and_digest = data.take(8), data.take(16)
        numbers = [data.short_number() for _ in range(17)]
        fetched_at, description_size, width, main_content = numbers[:4]
        blocks, _, keys, symbols, url_size, site_size, text_size, _, sentences, _, *added = numbers[4:]
        spots, block_spots, title = added
        key_bytes, between = data.take(8 * keys), data.take(16 * block_spots + 24 * sentences)
        block_bytes, begin = b"", 0
        for _ in range(blocks):
            block_hash, tokens, weight = data.take(8), data.short_number(), data.take(1)
            more = data.take(1)[0] if tokens & 1 else 0
            more = bytes((more & 1, more >> 1 & 7, more >> 4))
            block_bytes += block_hash + struct.pack("<I", begin) + weight + more
            begin += tokens // 2
        codes = unpack(f"<{symbols + title}H", data.take(2 * (symbols + title)))
        symbol_bytes = b"".join(data.take(4) if code == NO_CODE else self.symbols[code] for code in codes)
        url = data.take(url_size)
        site_place = data.short_number()
        site = url[site_place - 1 :][:site_size] if site_place else data.take(site_size)
        text, description = data.take(text_size), data.take(description_size)
        hashes = [data.take(7) for _ in range(spots)]
        occurrences = [1] * spots
        for _ in range(data.short_number()):
            spot = data.short_number()
            occurrences[spot] = data.take(1)[0]
        check(data.at == len(value), "bytes behind a text")

        header = bytearray(making)
        header[8:16], header[48:64] = checksum_and_digest
        header[44:47] = struct.pack("<I", description_size)[:3]
        struct.pack_into("<qQQ10I", header, 64, fetched_at, width, main_content, *numbers[4:14])
        struct.pack_into("<III", header, 136, spots, block_spots, title)
        spot_bytes = b"".join(bytes([count]) + spot for count, spot in zip(occurrences, hashes))
        return bytes(header) + b"".join(
            (block_bytes, key_bytes, spot_bytes, between, symbol_bytes, url, site, text, description)
        )


def check_text(record):
    check(
        len(record) >= MAKING_BYTES and xxh3_64(record[16:], unpack("<H", record, 6)[0]) == unpack("<Q", record, 8)[0],
        "a wrong checksum",
    )


def state_of_texts(state):
    """The part of a store's state that is about packed texts."""
    data = Bytes(state)
    data.take(4 * 8)
    data.take(TABLES * 8)
    data.take(5 * 8)
    for _ in range(data.number("<Q")):
        for _ in ("name", "data"):
            data.take(data.number("<Q"))
    return data.rest()
