#!/usr/bin/env python3
"""seeds_of_calls.py [TARGET...]: writes the first inputs of the fuzz targets that make calls, corpora/TARGET/seed-*:
page, store_open, lcs_vs_reference, spotsigs_vs_bruteforce.

Each is what the files named in targets/TARGET.cpp read, written by hand as short programs, and some by chance: nearly
all bytes mean something there. `scripts/fuzz --minimise` drops those that reach nothing of their own.
"""
import argparse
import pathlib
import random
import struct

FUZZ = pathlib.Path(__file__).resolve().parent
BY_CHANCE = 6  # inputs of each target


def by_chance(target, head, size):
    for number in range(BY_CHANCE):
        chance = random.Random(f"{target} {number}")
        yield f"by-chance-{number}", head + bytes(chance.randrange(256) for _ in range(size))


# ---- page: engine_session.cpp, fetched_pages.cpp

IN_MEMORY, STORED = 0, 1
JOURNAL, SYNC, SNAPSHOT, NONE = 0, 2, 3, 4
LCS = 0
EACH_DETECTOR = range(12)


def session(place=STORED, durability=JOURNAL, detector=LCS, options=()):
    return bytes((place, detector, len(options))) + b"".join(map(bytes, options)) + storage(durability)


def storage(durability=JOURNAL, verify=0, unmapped=0):
    return bytes((durability, verify, unmapped))


def new_body(*paragraphs, frame=0, kind=0, raw=b""):
    body = bytes((kind * 8 + frame * 32, len(paragraphs), *paragraphs))
    return body + (bytes((len(raw),)) + raw if kind else b"")


def changed_body(number, paragraph, place=2):
    return bytes((4, number, place, paragraph))


def same_body(number):
    return bytes((6, number))


def page(url, body, other=0, time=100):
    return bytes((url,)) + body + bytes((other, time))


def check(url, body, twice=0, **rest):
    return b"\0" + page(url, body, **rest) + bytes((twice,))


def query(url, body, then=1):
    return b"\x09" + page(url, body) + bytes((then,))


def remove(url):
    return bytes((11, url))


def remove_matching(url, prefix=0, by_site=False, before=0, purge=False):
    given = bytes((12, (prefix > 0) + 2 * by_site + 4 * (before > 0) + 8 * purge, url))
    return given + (bytes((prefix,)) if prefix else b"") + (bytes((before,)) if before else b"")


SNAPSHOT_CALL, COMPACT, READ_BESIDE = b"\x0d\1", b"\x0d\0", b"\x0d\6"


def reopen(**given):
    return b"\x0d\2" + storage(**given)


def crash(**given):
    return b"\x0d\4" + storage(**given)


def bookmark(name, data):
    return bytes((13, 7, name, len(data))) + data


def look(url):
    return bytes((14, url))


def explain(a, b):
    return bytes((15, a, b)) + page(0, same_body(0))


ARTICLE = (0, 1, 2, 3, 4, 5)
OTHER = (10, 11, 12, 13, 14, 15)


def pages():
    copies = b"".join(check(url, new_body(*ARTICLE, frame=url % 4), twice=url % 2) for url in range(11))
    others = (
        check(0, new_body(*ARTICLE, frame=1))
        + check(1, new_body(*OTHER, frame=1))
        + check(3, new_body(20, 21, 22, 23, 24))
    )
    variants = others + b"".join(check(url, changed_body(0, 50 + url)) for url in (2, 4, 5, 6))
    again = (
        check(0, new_body(30, 31, 32, 33)) + check(1, same_body(0)) + check(0, same_body(1)) + check(4, same_body(1))
    )
    whole = (
        variants
        + again
        + query(7, same_body(0))
        + query(8, same_body(1), then=2)
        + query(0, same_body(2), then=0)
        + explain(0, 2)
    )
    yield "copies", session() + copies + look(1) + explain(0, 1)
    yield "recrawls", session() + variants + again + again
    yield "queries", session(IN_MEMORY) + whole
    yield "removals", session() + copies + remove(0) + remove(0) + remove_matching(
        1, prefix=23
    ) + copies + remove_matching(3, by_site=True, purge=True)
    yield "purges", session() + variants + remove_matching(0, prefix=25, purge=True) + again + remove_matching(
        0, before=99
    ) + remove_matching(1, purge=True)
    yield "snapshots", session() + variants + SNAPSHOT_CALL + again + SNAPSHOT_CALL + remove(
        1
    ) + COMPACT + READ_BESIDE + look(0)
    yield "bookmarks", session() + bookmark(1, b"here") + check(0, new_body(*ARTICLE)) + reopen() + look(0) + bookmark(
        1, b""
    ) + bookmark(0, b"x") + look(0)
    for number, durability in enumerate((JOURNAL, SYNC, SNAPSHOT, NONE)):
        begun = session(durability=durability) + variants + SNAPSHOT_CALL + again
        yield f"reopened-{number}", begun + reopen(durability=NONE - number, unmapped=1) + whole + READ_BESIDE + reopen(
            verify=1
        ) + look(1)
        yield f"killed-{number}", begun + crash(durability=durability) + again + crash(
            durability=NONE - number
        ) + whole + remove(1) + crash()
    kinds = (
        b"plain words of a text file that is no markup",
        b"\x89PNG\r\n\x1a\n",
        b"%PDF-1.4",
        b"<p>\xff\xfe\x80",
        b"",
    )
    yield "kinds", session() + b"".join(
        check(url, new_body(kind=1, raw=raw), other=other)
        for url, raw in enumerate(kinds)
        for other in (0, 239, 241, 244, 247)
    ) + look(1) + look(12)
    yield "nameless", session() + check(13, new_body(*ARTICLE)) * 3 + check(12, same_body(0)) + remove(
        13
    ) + remove_matching(13, before=200, purge=True)
    yield "scripts", session() + check(0, new_body(231, 232, 240, 244)) + check(1, changed_body(0, 236)) + check(
        2, new_body(246, 250, 255)
    )
    yield "short", session() + b"".join(check(url, new_body(170 + url // 3, 201)) for url in range(9)) + explain(0, 4)
    for option in range(20):
        yield f"option-{option}", session(options=((option, 0), ((option + 7) % 20, 1))) + whole + reopen() + copies[
            :60
        ]
    for detector in EACH_DETECTOR:
        yield f"detector-{detector}", session(detector=128 + (detector - 128) % 12) + whole + crash() + again
        yield f"detector-{detector}-decides", session(IN_MEMORY, detector=192 + (detector - 192) % 12) + whole
    yield from by_chance("page", session(), 400)


# ---- store_open: store_files.cpp

FILES, CROWDED_FILES = 16, 31  # of the small store, and of the crowded one, in the order of their names
REPAIR, REPAIR_ALL, VERIFY, MERGE = 1, 3, 4, 16
CROWDED = 0x80  # the other store


def stored(*edits, repairs=REPAIR_ALL, first=0, second=5):
    return bytes((repairs, first, second)) + b"".join(edits)


def number_edit(file, place, change, from_end=1, narrow=False):
    return bytes((5 if narrow else 0, file, from_end)) + struct.pack("<H", place) + change


def stores():
    chance = random.Random("store_open")
    yield "whole", stored(repairs=VERIFY)
    yield "whole-read", stored(first=8, second=13)
    for file in range(FILES):
        yield f"file-{file}-cut", stored(bytes((11, file, 1)) + struct.pack("<H", 100), first=file % 16)
        yield f"file-{file}-gone", stored(bytes((14, file)), repairs=0)
        yield f"file-{file}-another", stored(bytes((13, file, 0, (file + 3) % FILES)), first=1)
        for field in range(3):
            place = chance.randrange(24)
            yield f"file-{file}-field-{field}", stored(
                number_edit(file, place, bytes((3, 1)), from_end=field % 2), second=chance.randrange(16)
            )
        swap = (
            bytes((12, file, file % 4, 0))
            + struct.pack("<H", chance.randrange(20))
            + b"\0"
            + struct.pack("<H", chance.randrange(20))
        )
        yield f"file-{file}-swapped", stored(swap)
        yield f"file-{file}-bytes", stored(
            bytes((9, file, 0)) + struct.pack("<H", chance.randrange(5000)) + b"\5\xff\0\1\2\3\2",
            repairs=file % 2 * 3 + VERIFY,
        )
        yield f"file-{file}-merged", stored(number_edit(file, 13 * file, bytes((3, 1))), repairs=REPAIR_ALL + MERGE)
    yield "whole-merged", stored(repairs=MERGE)
    yield "other-names", stored(*(bytes((15, name, 0, name + 2)) for name in range(8)))
    yield from by_chance("store_open", bytes((REPAIR_ALL, 0, 5)), 60)
    yield from seeds_of_crowded_store()


def seeds_of_crowded_store():
    chance = random.Random("store_open crowded")
    yield "crowded-whole", stored(repairs=CROWDED + VERIFY)
    yield "crowded-whole-merged", stored(repairs=CROWDED + MERGE)
    yield "crowded-whole-read", stored(first=8, second=13, repairs=CROWDED)
    for file in range(CROWDED_FILES):
        yield f"crowded-{file}-gone", stored(bytes((14, file)), repairs=CROWDED)
        yield f"crowded-{file}-another", stored(
            bytes((13, file, 0, (file + 3) % CROWDED_FILES)), repairs=CROWDED + REPAIR_ALL, first=1
        )
        for field in range(4):
            place = chance.randrange(24 if field % 2 else 200)
            change = number_edit(file, place, bytes((3, 1)), from_end=field % 2, narrow=field == 2)
            yield f"crowded-{file}-field-{field}", stored(
                change, repairs=CROWDED + REPAIR_ALL, second=chance.randrange(16)
            )
        swap = (
            bytes((12, file, file % 4, 0))
            + struct.pack("<H", chance.randrange(20))
            + b"\0"
            + struct.pack("<H", chance.randrange(20))
        )
        yield f"crowded-{file}-swapped", stored(swap, repairs=CROWDED + REPAIR_ALL)
    yield from (
        (f"crowded-{made}", data)
        for made, data in by_chance("store_open crowded", bytes((CROWDED + REPAIR_ALL, 0, 5)), 60)
    )


# ---- lcs_vs_reference: symbol_texts.cpp


def texts(*parts, trustable=0, window=7, edits=None, work=None, width=None, long=0, widest=4, none=0):
    head = bytes((1, window, trustable, 20, 9, 30, 4, 5))
    head += b"\0" if edits is None else b"\1" + struct.pack("<H", edits)
    head += b"\0" if work is None else b"\1" + struct.pack("<I", work)[:3]
    head += b"\0" if width is None else b"\1" + struct.pack("<H", width)
    return head + bytes((long, widest, none)) + b"".join(parts)


A, B = 0, 1


def written(side, text):
    return bytes((side, len(text))) + text


def repeated(side, count, symbol):
    return bytes((4 + side,)) + struct.pack("<HB", count, symbol)


def chance_part(side, count, alphabet, seed):
    return bytes((6 + side,)) + struct.pack("<HHB", count, alphabet - 1, seed)


def part_of_a(side, place, count, backwards=0):
    return bytes((8 + side,)) + struct.pack("<HHB", place, count, backwards)


def lcs():
    paper = written(A, b"abcabba") + written(B, b"cbabac")
    moved = chance_part(A, 90, 500, 1) + part_of_a(B, 40, 60) + written(B, b"xyz") + part_of_a(B, 0, 40)
    edited = chance_part(A, 80, 30, 2) + part_of_a(B, 0, 30) + written(B, b"\1\2\3\4") + part_of_a(B, 33, 60)
    for trustable in (0, 1):
        yield f"paper-{trustable}", texts(paper, trustable=trustable, window=1)
        yield f"moved-{trustable}", texts(moved, trustable=trustable)
        yield f"edited-{trustable}", texts(edited, trustable=trustable, edits=3, work=300, width=100)
        yield f"no-widths-{trustable}", texts(edited, trustable=trustable, widest=3, none=1)
    yield "empty", texts()
    yield "one-empty", texts(written(A, b"abc"))
    yield "equal", texts(written(A, b"one text"), written(B, b"one text"), work=3)
    yield "one-symbol", texts(repeated(A, 100, 7), repeated(B, 60, 7), work=200)
    yield "backwards", texts(chance_part(A, 100, 50, 3), part_of_a(B, 0, 100, 1))
    yield "greatest-symbols", texts(b"\x0c\0\x0d\0\x0c\1\x0d\1", written(A, b"ab"), written(B, b"ba"))
    yield "divided", texts(chance_part(A, 2200, 5, 4), chance_part(B, 2100, 5, 5), long=1, edits=10)
    yield "long-edited", texts(
        chance_part(A, 1000, 800, 6), part_of_a(B, 300, 900), part_of_a(B, 0, 400), long=1, work=5000, edits=20
    )
    yield from by_chance("lcs_vs_reference", texts(), 80)


# ---- spotsigs_vs_bruteforce


def index(tau=440, band=0, frequent=4, epoch=10, limits=b"\0", seed=1):
    return struct.pack("<HBBB", tau - 1, band, frequent - 1, epoch - 1) + limits + bytes((seed,))


def document(*numbers):
    assert all(number % 4 != 3 for number in numbers)
    return bytes((len(numbers), *numbers))


def inserted(number, *numbers):
    return bytes((0, number)) + document(*numbers)


def inserted_like(number, other, *changes):
    return bytes((3, number, other, len(changes), *changes))


def probe(*numbers):
    return b"\x08" + document(*numbers)


def probe_like(other, *changes):
    return bytes((10, other, len(changes), *changes))


EPOCH, STEP, REOPEN = b"\x0d", b"\x0e", b"\x0f"


def spots():
    first = inserted(1, 0, 1, 2, 4, 5, 6) + inserted(2, 0, 1, 2, 4, 8, 9) + inserted(3, 20, 21, 22, 24)
    copies = b"".join(inserted_like(number, 0, number % 60 * 4) for number in range(4, 30))
    probes = probe_like(0) + probe_like(1, 60) + probe(0, 1, 2) + probe()
    calls = first + probes + copies + probes + bytes((6, 1, 7, 2, 6, 99)) + probes
    for tau in (1, 100, 440, 800, 1000):
        yield f"tau-{tau}", index(tau) + calls + EPOCH + probes + STEP * 4 + calls + REOPEN + probes
    for band in range(6):
        yield f"band-{band}", index(300, band, frequent=1 + band) + calls + EPOCH + probes + bytes(
            (6, 5, 6, 6, 6, 7)
        ) + EPOCH + calls + REOPEN + probes
    limits = {
        "bytes": b"\1" + struct.pack("<H", 1999),
        "postings": b"\2\4",
        "candidates": b"\4\1",
        "steps": b"\x08" + struct.pack("<H", 30),
        "all": b"\x0f" + struct.pack("<H", 2999) + b"\x10\2" + struct.pack("<H", 60),
    }
    for name, given in limits.items():
        yield f"limit-{name}", index(200, limits=given) + calls + calls + STEP * 3 + EPOCH + probes + REOPEN + probes
    yield "long", index(100) + b"\0\1\x1f\0\x7f\xfe" + b"\0\2\x1f\1\x7f\xfe" + b"\3\4\0\0" + probe_like(0) + probe_like(
        1, 2, 4
    ) + EPOCH + probe_like(2)
    yield from by_chance("spotsigs_vs_bruteforce", index(), 400)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("targets", nargs="*")
    made = {"page": pages, "store_open": stores, "lcs_vs_reference": lcs, "spotsigs_vs_bruteforce": spots}
    for target in parser.parse_args().targets or made:
        folder = FUZZ / "corpora" / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in made[target]():
            (folder / f"seed-{name}").write_bytes(data)


if __name__ == "__main__":
    main()
