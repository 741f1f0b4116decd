#!/usr/bin/env python3
"""Mutates archives and reads them with the command line: no reader crashes or hangs, every untouched record whose
neighbours are whole is given, and what is lost is reported.

usage: mutate_cases.py PATH_OF_NDC [--seconds N] [--seed N] [--keep FOLDER] [FOLDER]...

The archives: each sound form of its own, the cases of expected.tsv, and the files of FOLDER. A mutation changes,
removes, inserts, doubles or zeroes bytes of one record. Asked of all: an exit code of 0, 1 or 3, an end within five
minutes, and no report of a sanitizer. Asked of files that were read without damage before: the pages of all records
but the mutated one and its neighbours, with the same text; and exit code 3, or 1, or one more record that is counted
as left out, if a page is lost: a status or a type that has changed makes it another record. A mutant that fails is
kept in the folder of --keep, with a line that says why. Exit code 1 if there was one.

A mutant may be another sound archive, in which a record's page has changed or another has come in; that is no fault.
"""
import argparse
import collections
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

import archive_parts as parts
import case_readers
from record_spans import spans

LARGEST_BYTES = 4 << 20
# Of a record; more than its line ends.
LEAST_LEFT_BYTES = 16
RECORDS = 9
TIMEOUT_SECONDS = 300  # under AddressSanitizer, on a machine that does other things
UNREPORTED = "a page is lost, and nothing is reported"
PAGES = ("extract", "--format", "jsonl")
# What else reads archives; "filter" by a reader of its own.
OTHERS = (("dedup", "--stats"), ("filter", "-o", "{folder}/filtered"))


def sound_forms():
    """Name and bytes of archives without a fault, with many records."""
    names = ["r%d" % number for number in range(RECORDS)]
    warc = [parts.warc_response(name) for name in names]
    arc = [parts.arc_info()] + [parts.arc_record(name) for name in names]
    lines = [parts.json_line(name) for name in names]
    for kind, records in (("warc", warc), ("arc", arc), ("jsonl", lines)):
        yield "sound." + kind, b"".join(records)
        yield "sound.%s.gz" % kind, parts.members(records)
        yield "sound.%s.zst" % kind, parts.frames(records)
    yield "sound.one.warc.gz", parts.members([b"".join(warc)])
    yield "sound.wacz", parts.wacz([("archive/data.warc.gz", parts.members(warc))])


def mutated(data, begin, end, chosen):
    """The file with one stretch of [begin, end) changed, and what was done."""
    # Nobody misses what is gone without a trace.
    size = min(max(1, end - begin - LEAST_LEFT_BYTES), 1 << chosen.randint(0, 9))
    at = chosen.randint(begin, end - size)
    piece, kind = data[at : at + size], chosen.choice(("flip", "remove", "insert", "double", "zero", "noise", "cut"))
    if kind == "flip":
        bit = chosen.randrange(8 * size)
        changed = bytearray(piece)
        changed[bit // 8] ^= 1 << bit % 8
        piece = bytes(changed)
    elif kind == "insert":
        piece += chosen.randbytes(size)
    elif kind == "cut":
        at = min(max(at, begin + LEAST_LEFT_BYTES), end)
        piece, size = b"", end - at
    else:
        made = {"remove": b"", "double": piece * 2, "zero": bytes(size), "noise": chosen.randbytes(size)}
        piece = made[kind]
    return data[:at] + piece + data[at + size :], "%s of %d bytes at %d" % (kind, size, at)


class Run:
    """A command on a file: `fault` if it did not end as it should."""

    def __init__(self, ndc, command, path):
        try:
            done = subprocess.run([ndc, *command, path], capture_output=True, timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self.code, self.out, self.fault = None, "", "%s does not end" % command[0]
            return
        self.code, self.out = done.returncode, done.stdout.decode("utf-8", "replace")
        said = done.stderr.decode("utf-8", "replace")
        sanitizer = "Sanitizer" in said or "runtime error:" in said
        self.fault = None
        if self.code not in (0, 1, 3) or sanitizer:
            self.fault = "%s ends with %s: %s" % (command[0], self.code, said[-2000:])

    def pages(self):
        """(URL, text) of each page."""
        reports = [json.loads(line) for line in self.out.split("\n") if line]  # a text may have U+2028
        return [(report["url"], tuple(block["text"] for block in report["blocks"])) for report in reports]


def untouched(pages, places, hit):
    """Those of the records that are no neighbours of the mutated one: neither their URL nor their text is in it or in
    its neighbours, as a revisit of one there would have it."""
    near = b"".join(content for _, _, content in places[max(0, hit - 1) : hit + 2])
    excused = {
        page for page in pages if page[0].encode() in near or json.dumps(page[0])[1:-1].encode() in near or not page[1]
    }
    texts = {page[1] for page in excused}
    return collections.Counter(page for page in pages if page not in excused and page[1] not in texts)


def swallowed(before, pages):
    """Whether all pages that are not there stand in the text of others: a record whose length reaches to the end of the
    next one is as sound as one that quotes it."""
    lost = collections.Counter(url for url, _ in before) - collections.Counter(url for url, _ in pages)
    return bool(lost) and all(any(url in block for _, text in pages for block in text) for url in lost)


def left_out(ndc, path):
    """How many records are counted as no page."""
    done = subprocess.run([ndc, "dedup", "--stats", path], capture_output=True, timeout=TIMEOUT_SECONDS)
    found = re.findall(rb"(?m)^input\.(?:other|left_out)\w+ +([\d,]+)$", done.stderr)
    return sum(int(count.replace(b",", b"")) for count in found)


class Mutation:
    def __init__(self, ndc, keep, seed):
        self.ndc, self.keep, self.random = ndc, keep, random.Random(seed)
        self.counts = collections.Counter()

    def tell(self, name, data, why):
        self.counts["failed"] += 1
        print("%s: %s" % (name, why), file=sys.stderr)
        if self.keep:
            os.makedirs(self.keep, exist_ok=True)
            with open(os.path.join(self.keep, "%d-%s" % (self.counts["failed"], name)), "wb") as file:
                file.write(data)

    def original(self, folder, name, data):
        """The pages of an archive as it is; None: it is damaged."""
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(data)
        run = Run(self.ndc, PAGES, path)
        if run.fault:
            self.tell(name, data, "as it is: " + run.fault)
        return run.pages() if run.code == 0 else None

    def one(self, folder, name, data, places, before):
        hit = self.random.randrange(len(places))
        begin, end, _ = places[hit]
        if begin == end:
            return
        mutant, what = mutated(data, begin, end, self.random)
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(mutant)
        run = Run(self.ndc, PAGES, path)
        self.counts["mutants"] += 1
        command = [part.format(folder=folder) for part in self.random.choice(OTHERS)]
        other = Run(self.ndc, command, path)
        fault = run.fault or other.fault
        if fault is None and before is not None:
            fault = self.loss(run, before, places, hit)
            if fault == UNREPORTED:
                original = os.path.join(folder, "original-" + name)
                with open(original, "wb") as file:
                    file.write(data)
                fault = None if left_out(self.ndc, path) > left_out(self.ndc, original) else fault
                self.counts["reported"] += fault is None
        if fault:
            self.tell(name, mutant, "%s: %s" % (what, fault))

    def loss(self, run, before, places, hit):
        """What is wrong with the pages of a mutant; None: nothing."""
        pages = run.pages()
        left = collections.Counter(pages)
        wanted = untouched(before, places, hit)
        # Where all is one record, or what packs it is unknown, no record is untouched.
        if len(places) > 2:
            self.counts["untouched"] += sum(wanted.values())
            missing = wanted - left
            self.counts["given"] += sum(wanted.values()) - sum(missing.values())
            if missing:
                return "lost %s" % ", ".join(url for url, _ in missing)
        if len(pages) < len(before):
            self.counts["lost"] += 1
            if run.code == 0 and not swallowed(before, pages):
                return UNREPORTED
            self.counts["reported"] += run.code != 0
            self.counts["swallowed"] += run.code == 0
        return None


def archives(folders):
    yield from sound_forms()
    yield from case_readers.made()
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and os.path.getsize(path) <= LARGEST_BYTES:
                with open(path, "rb") as file:
                    yield name, file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ndc")
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    chosen = parser.parse_intermixed_args()
    mutation = Mutation(chosen.ndc, chosen.keep, chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        kept = [(name, data, spans(data)) for name, data in archives(chosen.folders) if data]
        originals = {}  # read when their first mutant is; that of all would take the time of hundreds of mutants
        end = time.monotonic() + chosen.seconds
        while time.monotonic() < end:
            original = mutation.random.choice(kept)
            if original[0] not in originals:
                originals[original[0]] = mutation.original(folder, *original[:2])
            mutation.one(folder, *original, originals[original[0]])
    counts = mutation.counts
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        "%d mutants of %d archives in %.0f s of CPU, %d failed; untouched records given: %d of %d"
        "; losses reported: %d of %d; in the text of another page: %d"
        % (
            counts["mutants"],
            len(originals),
            used.ru_utime + used.ru_stime,
            counts["failed"],
            counts["given"],
            counts["untouched"],
            counts["reported"],
            counts["lost"],
            counts["swallowed"],
        )
    )
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
