#!/usr/bin/env python3
"""Prints a table, "Archives of real tools": what warcio counts in archives,
and what ndc reads in them.

usage: archives_table.py PATH_OF_NDC [--suites FOLDER] [--archives NAME=FOLDER]...

Wget, warcio and py-wacz archive a small site on the loopback interface while it runs; a tool that is not there is named
and left out. --suites: a folder PROJECT of test files for each project that has such. --archives: a folder in which
somebody else made archives, as do the crawls among the tests of the plugins, if JUnit leaves their folders:

    cmake/run-java-test java build/release/java/ndc-heritrix io.ndc.heritrix.HeritrixCrawlTest \\
      -Djava.io.tmpdir=FOLDER -Djunit.jupiter.tempdir.cleanup.mode.default=never \\
      -Dndc.source.directory=$PWD -Dndc.build.directory=$PWD/build/release
    (and with another FOLDER, build/release/java/ndc-nutch and io.ndc.nutch.ExportedArchivesTest)

differences.tsv says why a file is not read alike; a difference without a reason is an error.
"""
import argparse
import fnmatch
import os
import sys
import tempfile

import crawled_site
import made_archives

HERE = os.path.dirname(os.path.abspath(__file__))


def why_different(name):
    """What differences.tsv says of a file; None: nothing."""
    with open(os.path.join(HERE, "differences.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return next((why for pattern, why in rows if fnmatch.fnmatch(name, pattern)), None)


def files_below(folder):
    return sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)


def differ(counted, read):
    return counted.failure is not None or counted.records != read.records or read.code != 0


def reasons(read):
    return in_words(read.left_out)


def in_words(counts):
    return ", ".join(
        "%s %d" % (name.replace("left_out_", "").replace("_", " "), count) for name, count in sorted(counts.items())
    )


def row(name, counted, read, why=""):
    gave_up = ", then gives up" if counted.failure else ""
    return "| %s | %d%s | %d | %d | %s | %s |" % (
        name,
        counted.records,
        gave_up,
        read.records,
        read.pages,
        reasons(read),
        why,
    )


def suite_rows(ndc, suite):
    """One row for the files that are read alike, and one for each other."""
    from archive_counts import Count, Read, by_warcio

    same, rows, total, pages, left_out = 0, [], Count(), 0, {}
    files = files_below(suite)
    for path in files:
        counted, read = by_warcio([path]), Read(ndc, [path])
        name = os.path.basename(path)
        if differ(counted, read):
            why = why_different(name)
            if why is None:
                raise SystemExit(
                    "%s: warcio counts %d records, ndc %d; differences.tsv does not say why"
                    % (path, counted.records, read.records)
                )
            rows.append(row("`%s`" % name, counted, read, why))
            continue
        same, pages = same + 1, pages + read.pages
        total.types += counted.types
        for reason, count in read.left_out.items():
            left_out[reason] = left_out.get(reason, 0) + count
    summary = "| %s, %d of %d test files | %d | %d | %d | %s | |" % (
        os.path.basename(suite),
        same,
        len(files),
        total.records,
        total.records,
        pages,
        in_words(left_out),
    )
    return [summary] + rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ndc")
    parser.add_argument("--suites")
    parser.add_argument("--archives", action="append", default=[], metavar="NAME=FOLDER")
    chosen = parser.parse_args()
    if made_archives.why_not("warcio"):
        sys.exit(made_archives.why_not("warcio"))
    from archive_counts import Read, by_warcio

    print(
        "| archive | records, warcio | records, ndc | pages | left out | what differs, and why |\n"
        "|---|---|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory() as folder, crawled_site.served() as site:
        archives, missing = made_archives.made(site, folder)
        for name, paths in archives:
            print(row(name, by_warcio(paths), Read(chosen.ndc, paths)))
    for named in chosen.archives:
        name, _, folder = named.partition("=")
        paths = [path for path in files_below(folder) if path.endswith((".warc", ".warc.gz"))]
        print(row(name, by_warcio(paths), Read(chosen.ndc, paths)))
    for suite in sorted(os.listdir(chosen.suites)) if chosen.suites else ():
        print("\n".join(suite_rows(chosen.ndc, os.path.join(chosen.suites, suite))))
    for sentence in missing:
        print(sentence, file=sys.stderr)


if __name__ == "__main__":
    main()
