#!/usr/bin/env python3
"""Kills `ndc dedup --store` again and again; the same command goes on, and the rows must be those of a run in peace.

usage: dedup_crash_test.py NDC SAMPLE.warc.gz [--kills N] [--seed N]
"""
import argparse
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import cli_test  # noqa: E402
import warc_metadata_test  # noqa: E402

# With --threads 1: rows and exit codes are the same to the byte.
EXACT = [["--option", "durability=journal"], ["--option", "durability=sync", "--format", "jsonl"]]
PARALLEL = [["--threads", "3"]]
# Which pages there are, and which are unchanged, is the same with any number of threads. Groups are not: made_archive()
# has pages that become others, and with the page that founded a group gone a later one founds another. In one run of 25
# with one thread and nothing killed it is enough that pages change places with some of the next 12, which is what 3
# threads may do; with the next 32 (8 threads), in 11 of 25. So groups are compared with what the store has.
# What a crash takes is done again; few kills, since without a snapshot nothing is gained between two of them.
LOSING = [["--option", "durability=snapshot", "--option", "journal_bytes=65536"], ["--option", "durability=none"]]
LOSING_KILLS = 4


def made_archive(rng):
    """Pages that are fetched again with the same text, with another, with another of the same length, and
    back; damage."""
    records = []
    for number in range(240):
        url = "http://again%d.example/%d" % (number % 5, rng.randrange(50))
        text = cli_test.article(1000 + rng.randrange(60), 12)
        if rng.random() < 0.3:
            text[rng.randrange(12)] = "The count of the day was %03d of them." % rng.randrange(1000)
        records.append(cli_test.record("request", url, b"GET / HTTP/1.1\r\n\r\n"))
        records.append(cli_test.response(url, cli_test.html(text)))
        if number % 40 == 7:
            records.append(b"garbage between two records\r\n")
    return records


class Runs:
    def __init__(self, ndc, folder, inputs):
        self.ndc, self.folder, self.inputs = ndc, folder, inputs
        self.count = 0

    def command(self, name, options):
        """A store and outputs of this name."""
        return [
            self.ndc,
            "dedup",
            "--store",
            os.path.join(self.folder, name + ".ndc"),
            *self.inputs,
            *options,
            "-o",
            os.path.join(self.folder, name + ".out"),
            "--warc-metadata",
            os.path.join(self.folder, name + ".warc.gz"),
        ]

    def output(self, name):
        with open(os.path.join(self.folder, name + ".out"), "rb") as file:
            return file.read()

    def metadata(self, name):
        """The records behind the first, which has a date of its own."""
        return warc_metadata_test.read(os.path.join(self.folder, name + ".warc.gz"))[1:]

    def in_peace(self, options):
        self.count += 1
        name = "peace%d" % self.count
        done = subprocess.run(self.command(name, options), capture_output=True, timeout=600)
        if done.returncode != 3:  # damage was skipped
            sys.exit("in peace: %d: %s" % (done.returncode, done.stderr.decode()))
        said = done.stderr.decode().splitlines()[-1].split(": ")[-1].split(", gen")[0]
        return self.output(name), self.metadata(name), said

    def killed(self, options, most_kills, rng, seconds):
        """Rows, records, what the last line said, and how many kills it took."""
        self.count += 1
        name = "killed%d" % self.count
        kills = 0
        while True:
            # Whoever continues need not have as many threads.
            drawn = ["--threads", rng.choice("1248")] if "--threads" in options else options
            process = subprocess.Popen(self.command(name, drawn), stderr=subprocess.PIPE)
            try:
                _, err = process.communicate(timeout=rng.uniform(0, seconds) if kills < most_kills else 600)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
                continue
            if process.returncode != 3:
                sys.exit("after %d kills: %d: %s" % (kills, process.returncode, err.decode()))
            said = err.decode().splitlines()[-1].split(": ")[-1].split(", gen")[0]
            return self.output(name), self.metadata(name), said, kills

    def stored_groups(self):
        """The group of each URL in the store."""
        name = "killed%d" % self.count
        done = subprocess.run(
            [self.ndc, "dump", os.path.join(self.folder, name + ".ndc")], capture_output=True, timeout=600
        )
        if done.returncode != 0:
            sys.exit("dump: %s" % done.stderr.decode())
        pages = map(json.loads, done.stdout.decode().splitlines())
        return {page["url"]: str(page["group_id"]) for page in pages}

    def again(self, options):
        """What the command says when all is done."""
        name = "killed%d" % self.count
        before = self.output(name)
        done = subprocess.run(self.command(name, options), capture_output=True, timeout=600)
        if done.returncode != 3 or b"nothing to do" not in done.stderr or self.output(name) != before:
            sys.exit("once more: %d: %s" % (done.returncode, done.stderr.decode()))


def rows_of(table):
    return [line.split("\t") for line in table.decode("utf-8", "surrogateescape").split("\n")[1:-1]]


def pages_of(summary):
    return summary.split(",")[0]


def first_difference(found, expected):
    for number, (a, b) in enumerate(zip(found.split(b"\n"), expected.split(b"\n"))):
        if a != b:
            return "row %d:\n%s\n%s" % (number, a.decode("utf-8", "replace"), b.decode("utf-8", "replace"))
    return "%d and %d bytes" % (len(found), len(expected))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ndc")
    parser.add_argument("sample")
    parser.add_argument("--kills", type=int, default=20, help="at least so many for each set of options")
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = random.SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    print("seed %d" % seed, flush=True)
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        records = made_archive(rng)
        inputs = {
            "plain.warc": b"".join(records[:160]),
            "members.warc.gz": b"".join(map(gzip.compress, records[160:320])),
            "one.warc.gz": gzip.compress(b"".join(records[320:])),
        }
        for name, data in inputs.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        paths = [os.path.join(folder, name) for name in inputs]
        runs = Runs(
            os.path.abspath(arguments.ndc),
            folder,
            [*paths[:2], os.path.abspath(arguments.sample), paths[2], os.path.abspath(arguments.sample)],
        )
        begin = time.monotonic()
        runs.in_peace([])
        # A kill before anything is done gains nothing, one after the end is none.
        seconds = (time.monotonic() - begin) / 3
        for options in EXACT + PARALLEL + LOSING:
            expected, records, summary = runs.in_peace(options)
            wanted = LOSING_KILLS if options in LOSING else arguments.kills
            total = 0
            while total < wanted:
                found, left, said, kills = runs.killed(
                    options, wanted - total if options in LOSING else 1000, rng, seconds
                )
                total += kills
                if options not in PARALLEL and found != expected:
                    sys.exit("%s, %d kills: %s" % (options, kills, first_difference(found, expected)))
                if options not in PARALLEL and left != records:
                    sys.exit("%s, %d kills: other metadata" % (options, kills))
                if [header["WARC-Target-URI"] for header, _ in left] != [
                    header["WARC-Target-URI"] for header, _ in records
                ]:
                    sys.exit("%s, %d kills: metadata of other pages, or in another order" % (options, kills))
                rows, others = (rows_of(found), rows_of(expected)) if "jsonl" not in options else ([], [])
                if [row[0] for row in rows] != [row[0] for row in others]:
                    sys.exit("%s, %d kills: other pages, or in another order" % (options, kills))
                known, other_known = ([row[2] == "unchanged" for row in each] for each in (rows, others))
                if known != other_known:
                    sys.exit(
                        "%s, %d kills: row %d was (not) unchanged"
                        % (options, kills, next(i for i in range(len(known)) if known[i] != other_known[i]))
                    )
                if rows and {row[0]: row[1] for row in rows} != runs.stored_groups():
                    sys.exit("%s, %d kills: other groups than those of the store" % (options, kills))
                if rows and [row[1:3] for row in rows] != [
                    [block["nd-group"], block["nd-verdict"]] for _, block in left
                ]:
                    sys.exit("%s, %d kills: metadata and rows differ" % (options, kills))
                if pages_of(said) != pages_of(summary) or (options not in PARALLEL and said != summary):
                    sys.exit("%s, %d kills: said %s, not %s" % (options, kills, said, summary))
                runs.again(options)
            print("%s: %d kills" % (" ".join(options), total), flush=True)


if __name__ == "__main__":
    main()
