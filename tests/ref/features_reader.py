#!/usr/bin/env python3
"""features_reader.py FILE: reads a features record and prints what is in it.

Follows docs/features_format.md and shares no code with the library, so that a difference between the two shows. It also
makes the keys and spot signatures anew from the other sections of the record. Needs nothing but Python.
"""
import collections
import dataclasses
import hashlib
import pathlib
import struct
import sys

from xxh3 import xxh3_64

MASK = (1 << 64) - 1
HEADER = struct.Struct("<IHHQQ HHHHHHHHI I QQqQQ IIIIIIIIII HHHHIIII")
BLOCK = struct.Struct("<QIBBBB")
BLOCK_SPOT = struct.Struct("<QII")
SENTENCE = struct.Struct("<16sII")
KEY_WEIGHT = 102
ROTATIONS = 16
ROTATIONS_OF_ONE_BUCKET = 4
LARGEST_COUNT = 255
REDUCED = 32  # flag: without what finds candidates
TITLE_SALT = 0x5F1C7B0E93A4D682
LEAST_PAGES = 64
LEAST_EVERYWHERE = 4
HALF_SHARE = 0.15
METHODS = (
    "lcs",
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
)
SHARE_UNIT = 1 << 30
HEADING_LEVELS = 6
CONTEXTS = ("navigation", "form")  # by bit
TITLE_SYMBOLS = 64  # at most


class FormatError(Exception):
    pass


@dataclasses.dataclass
class Features:
    flags: int
    pipeline: int
    parameters: dict
    digest: int
    fetched_at_ms: int
    width: int
    content_width: int
    body_size: int
    blocks: list  # (hash, first token, weight, dropped, heading, context)
    fingerprints: list
    shingles: list
    spot_parameters: dict
    spots: list  # (hash, count)
    block_spots: list  # (hash, block, count)
    sentences: list  # (MD5, width, block)
    on_site: list  # (pages, span, first): of the site, then of each block and of each word of the title; or empty
    symbols: list
    title: list  # symbols
    url: bytes
    site: bytes
    text: bytes
    method: str
    description: list  # what the method keeps: numbers, or pairs of numbers

    @property
    def keys(self):
        return self.fingerprints + self.shingles


def parse_description(method, data):
    """The rows of a description, with what must hold of them."""
    name = METHODS[method]
    rows = {"spotsigs": "<Q", "i-match-s": "<Q", "lsh-s": "<Q", "mwo": "<QI", "cosine": "<II", "i-match": "<II"}.get(
        name, "<Q"
    )
    if len(data) % struct.calcsize(rows) != 0:
        raise FormatError("a description that is cut")
    found = [row if len(row) > 1 else row[0] for row in struct.iter_unpack(rows, data)]
    fixed = {"moz-vector": 128, "simhash64": 1, "simhash128": 2, "minhash": 192, "exact": 2}
    if name in fixed and len(found) not in (0, fixed[name]):
        raise FormatError("a description of another length")
    if name in ("spotsigs", "i-match-s", "lsh-s"):
        found = [(packed >> 8, packed & LARGEST_COUNT) for packed in found]
    keys = [row[0] if isinstance(row, tuple) else row for row in found]
    if name not in fixed and any(b <= a for a, b in zip(keys, keys[1:])):
        raise FormatError("a description out of order")
    if any(isinstance(row, tuple) and row[1] == 0 for row in found):
        raise FormatError("a description with a count of 0")
    if name == "mwo" and found and sum(share for _, share in found) != SHARE_UNIT:
        raise FormatError("shares that are no whole")
    return found


def parse(data):
    if len(data) < HEADER.size:
        raise FormatError("shorter than a header")
    header = HEADER.unpack_from(data)
    (
        magic,
        version,
        method,
        checksum,
        pipeline,
        *parameters,
        description_size,
        digest_low,
        digest_high,
        fetched_at_ms,
        width,
        content_width,
        block_count,
        fingerprint_count,
        key_count,
        symbol_count,
        url_size,
        site_size,
        text_size,
        body_size,
        sentence_count,
        flags,
    ) = header[:-8]
    *spot_parameters, spot_count, block_spot_count, title_count, site_count = header[-8:]
    if magic != 0x3146444E or version != 1:
        raise FormatError("no features of version 1")
    if title_count > TITLE_SYMBOLS:
        raise FormatError("an impossible title")
    if site_count not in (0, block_count + title_count + 1):
        raise FormatError("a site that does not know each part")
    description_size, shingle = description_size & 0xFFFFFF, description_size >> 24
    spot_parameters = (spot_parameters[0] & 1, spot_parameters[0] >> 1, *spot_parameters[1:])
    if flags & REDUCED and (key_count or spot_count or sentence_count or block_spot_count or text_size):
        raise FormatError("a representative with what it must be without")
    if method >= len(METHODS):
        raise FormatError("a method that is not known")
    if method == 0 and description_size != 0:
        raise FormatError("a description of no method")
    if shingle > (32 if METHODS[method] in ("shingles", "minhash") else 0):
        raise FormatError("shingles of an impossible width")
    at = HEADER.size

    def take(size):
        nonlocal at
        if at + size > len(data):
            raise FormatError("cut short")
        at += size
        return data[at - size : at]

    blocks = list(BLOCK.iter_unpack(take(BLOCK.size * block_count)))
    keys = [key for (key,) in struct.iter_unpack("<Q", take(8 * key_count))]
    spots = [(entry >> 8, entry & LARGEST_COUNT) for (entry,) in struct.iter_unpack("<Q", take(8 * spot_count))]
    block_spots = list(BLOCK_SPOT.iter_unpack(take(BLOCK_SPOT.size * block_spot_count)))
    sentences = list(SENTENCE.iter_unpack(take(SENTENCE.size * sentence_count)))
    on_site = list(struct.iter_unpack("<HHI", take(8 * site_count)))
    symbols = [symbol for (symbol,) in struct.iter_unpack("<I", take(4 * symbol_count))]
    title = [symbol for (symbol,) in struct.iter_unpack("<I", take(4 * title_count))]
    url, site, text = take(url_size), take(site_size), take(text_size)
    description = take(description_size)
    if at != len(data):
        raise FormatError("bytes behind the end")
    if xxh3_64(data[16:], method) != checksum:
        raise FormatError("wrong checksum")
    starts = [block[1] for block in blocks] + [symbol_count]
    if starts != sorted(starts) or starts[0] != 0:
        raise FormatError("blocks out of order")
    if any(
        dropped != 0 or heading > HEADING_LEVELS or context >> len(CONTEXTS) != 0
        for *_, dropped, heading, context in blocks
    ):
        raise FormatError("an impossible block")
    if fingerprint_count > key_count or any(sentence[2] >= block_count for sentence in sentences):
        raise FormatError("a count or an index is out of range")
    if any(b[0] <= a[0] for a, b in zip(spots, spots[1:])) or any(count == 0 for _, count in spots):
        raise FormatError("signatures out of order")
    places = [(block, spot) for spot, block, _ in block_spots]
    if any(b <= a for a, b in zip(places, places[1:])) or any(
        block >= block_count or count == 0 for _, block, count in block_spots
    ):
        raise FormatError("signatures of blocks out of order")
    names = (
        "sentence_width",
        "sentences",
        "cover_width",
        "buckets",
        "relaxed",
        "relaxed_keys",
        "shingle_tokens",
        "wide_shingle_tokens",
        "content_width",
    )
    return Features(
        flags,
        pipeline,
        dict(zip(names, parameters)),
        digest_high << 64 | digest_low,
        fetched_at_ms,
        width,
        content_width,
        body_size,
        blocks,
        keys[:fingerprint_count],
        keys[fingerprint_count:],
        dict(zip(("enabled", "antecedents", "distance", "chain", "signatures"), spot_parameters)),
        spots,
        block_spots,
        sentences,
        on_site,
        symbols,
        title,
        url,
        site,
        text,
        METHODS[method],
        parse_description(method, description),
    )


def mix(value):
    value ^= value >> 33
    value = value * 0xFF51AFD7ED558CCD & MASK
    value ^= value >> 33
    value = value * 0xC4CEB9FE1A85EC53 & MASK
    return value ^ value >> 33


def width_of(symbol):
    return symbol & 31


def blocks_with_symbols(features):
    ends = [block[1] for block in features.blocks[1:]] + [len(features.symbols)]
    return [(block, features.symbols[block[1] : end]) for block, end in zip(features.blocks, ends)]


def main_content(features):
    """In 1/255 of a unit of width."""
    return sum(sum(map(width_of, symbols)) * block[2] for block, symbols in blocks_with_symbols(features))


def make_fingerprints(sentences, parameters):
    found = set()
    digests = {digest: width for digest, width in reversed(sentences) if width > parameters["sentence_width"]}
    count = parameters["sentences"]
    for rotation in range(ROTATIONS if parameters["buckets"] > 1 else ROTATIONS_OF_ONE_BUCKET):
        buckets = {}
        for digest, width in digests.items():
            rotated = digest[rotation:] + digest[:rotation]
            buckets.setdefault(int.from_bytes(rotated, "big") % parameters["buckets"], []).append((rotated, width))
        for members in buckets.values():
            smallest = sorted(members)[:count]
            if len(smallest) == count and sum(width for _, width in smallest) > parameters["cover_width"]:
                found.add(hashlib.md5(b"".join(rotated for rotated, _ in smallest), usedforsecurity=False).digest())
    return sorted({int.from_bytes(fingerprint[:8], "big") for fingerprint in found})


def shingle_hash(symbols):
    value = 0
    for symbol in symbols:
        value = (value * 0x9E3779B97F4A7C15 + mix(symbol)) & MASK
    return value


def make_shingles(symbols, parameters):
    for i, first in enumerate(symbols):
        count = parameters["wide_shingle_tokens" if width_of(first) == 2 else "shingle_tokens"]
        if i + count > len(symbols):
            continue
        yield shingle_hash(symbols[i : i + count])


def uses_all_text(features):
    widths = [block[2] * sum(map(width_of, symbols)) for block, symbols in blocks_with_symbols(features)]
    left = sum(width for width, mark in zip(widths, boilerplate_of(features)) if mark == 0)
    return left < 255 * features.parameters["content_width"]


def parts_of(features):
    words = {mix(TITLE_SALT ^ symbol) for symbol in features.title}
    return sorted(words | {block[0] for block in features.blocks})


def other_pages_with(part, site):
    """How many other pages of its site, of which there are some, have a part of the page."""
    (pages, span, first), (site_pages, _, seen) = part, site
    others = site_pages - 1
    until = seen - min(seen, first) + 1
    gap = span // (pages - 1) if pages > 1 else until
    among = min(max(min(until, span + 2 * gap + 1), min(others, LEAST_PAGES)), others)
    return min(max(pages - 1, 0) * others // among, others)


def boilerplate_of(features):
    """For each block 0: own text; 1: boilerplate; 2: everywhere on the site."""
    if not features.on_site or features.on_site[0][0] < 3:
        return [0] * len(features.blocks)
    site, *parts = features.on_site
    others, marks = site[0] - 1, []
    for part in parts[: len(features.blocks)]:
        count = other_pages_with(part, site)
        share = count / (others + 1) / HALF_SHARE
        is_boilerplate = 1 / (1 + share * share) < 0.5
        marks.append(is_boilerplate + (is_boilerplate and count >= LEAST_EVERYWHERE and 2 * count >= others))
    return marks


def blocks_that_give_keys(features):
    return [
        mark < 2 and (all_text or (mark == 0 and block[2] >= KEY_WEIGHT))
        for all_text in [uses_all_text(features)]
        for mark, block in zip(boilerplate_of(features), features.blocks)
    ]


def make_spots(features):
    """(spots, whether some were cut), from the signatures of the blocks."""
    gives_keys = blocks_that_give_keys(features)
    counts = collections.Counter()
    for spot, block, count in features.block_spots:
        if gives_keys[block]:
            counts[spot] += count
    kept = sorted(counts)[: features.spot_parameters["signatures"]]
    return [(spot, min(counts[spot], LARGEST_COUNT)) for spot in kept], len(kept) < len(counts)


def make_keys(features):
    """(fingerprints, shingles), from the other sections alone."""
    parameters = features.parameters
    gives_keys = blocks_that_give_keys(features)
    sentences = [(digest, width) for digest, width, block in features.sentences if gives_keys[block]]
    fingerprints = make_fingerprints(sentences, parameters)
    shingles = set()
    if parameters["relaxed"]:
        runs = [symbols for (_, symbols), gives in zip(blocks_with_symbols(features), gives_keys) if gives]
        if not uses_all_text(features):
            for symbols in runs:
                shingles.update(make_shingles(symbols, parameters))
        if uses_all_text(features) or not (shingles or fingerprints):
            run = [
                symbol
                for (_, symbols), mark in zip(blocks_with_symbols(features), boilerplate_of(features))
                if mark < 2
                for symbol in symbols
            ]
            shingles.update(make_shingles(run, parameters))
            if uses_all_text(features) and not shingles and run:
                shingles.add(shingle_hash(run))
    return fingerprints, sorted(shingles)[: parameters["relaxed_keys"]]


def main():
    features = parse(pathlib.Path(sys.argv[1]).read_bytes())
    print(f"url            {features.url.decode(errors='replace')}")
    print(f"site           {features.site.decode(errors='replace')}")
    print(f"pipeline       {features.pipeline:016x}")
    print(f"width          {features.width}, of which main content {features.content_width}")
    print(f"title          {len(features.title)} words")
    print(f"sentences      {len(features.sentences)}")
    print(f"fingerprints   {len(features.fingerprints)}")
    print(f"shingle keys   {len(features.shingles)}")
    print(f"spots          {len(features.spots)}, with multiplicity {sum(count for _, count in features.spots)}")
    if features.method != "lcs":
        print(f"detector       {features.method}, {len(features.description)} rows")
    for block, symbols in blocks_with_symbols(features):
        places = [name for bit, name in enumerate(CONTEXTS) if block[5] >> bit & 1]
        print(f"block {block[0]:016x}  weight {block[2] / 255:.2f}  tokens {len(symbols)}", *places)


if __name__ == "__main__":
    main()
