#!/usr/bin/env python3
"""peer_pipeline.py ARCHIVE ROWS: what a user would put together of existing packages, run by against_peers in a virtual
environment of its own.

FastWARC reads the archive, resiliparse takes the main content of each page, rensa makes a MinHash of it and looks it up
in its LSH index; a page joins the earlier page that resembles it most, from .3 on, or is one to join. 128 hashes in 32
bands, over 5 words in a row, or where most letters are ideographs, over 5 characters: the best of what these packages
offer. Writes URL<TAB>GROUP a row. Prints {"pages", "cpu_seconds"}: CPU time of the process, reading and writing among
it, starting Python and loading the packages not.
"""
import json
import re
import sys
import time

import rensa
from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import HTMLTree

HASHES, BANDS, SEED = 128, 32, 42
THRESHOLD = 0.3
UNITS_A_SHINGLE = 5
LOOKED_AT = 50  # pages, to find the script
WORDS = re.compile(r"\w+")
IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
LETTER = re.compile(r"[^\W\d_]")


def pages(archive):
    with open(archive, "rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
            yield record.headers["WARC-Target-URI"].strip("<>"), record.reader.read()


def main_content(html):
    return extract_plain_text(HTMLTree.parse_from_bytes(html, detect_encoding(html)), main_content=True)


def writes_ideographs(archive):
    ideographs = letters = 0
    for number, (_, html) in enumerate(pages(archive)):
        if number == LOOKED_AT:
            break
        text = main_content(html)
        ideographs += len(IDEOGRAPH.findall(text))
        letters += len(LETTER.findall(text))
    return 2 * ideographs > letters


def shingles(text, by_character):
    units = WORDS.findall(text.lower())
    if by_character:
        units = "".join(units)
    if not units:
        return []
    joint = "" if by_character else " "
    return list(
        {joint.join(units[at : at + UNITS_A_SHINGLE]) for at in range(max(1, len(units) - UNITS_A_SHINGLE + 1))}
    )


class Groups:
    def __init__(self):
        self.index = rensa.RMinHashLSH(threshold=THRESHOLD, num_perm=HASHES, num_bands=BANDS)
        self.founders = {}

    def group_of(self, number, content):
        if not content:
            return number
        sketch = rensa.RMinHash(num_perm=HASHES, seed=SEED)
        sketch.update(content)
        resemblance, founder = max(
            ((sketch.jaccard(self.founders[found]), -found) for found in self.index.query(sketch)), default=(0, 0)
        )
        if resemblance >= THRESHOLD:
            return -founder
        self.index.insert(number, sketch)
        self.founders[number] = sketch
        return number


def main():
    archive, rows = sys.argv[1:]
    by_character = writes_ideographs(archive)
    groups = Groups()
    count = 0
    begin = time.process_time()
    with open(rows, "w", encoding="utf-8") as out:
        for number, (url, html) in enumerate(pages(archive)):
            out.write(f"{url}\t{groups.group_of(number, shingles(main_content(html), by_character))}\n")
            count += 1
    print(json.dumps({"pages": count, "cpu_seconds": time.process_time() - begin}))


if __name__ == "__main__":
    main()
