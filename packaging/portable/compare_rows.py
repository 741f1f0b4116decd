#!/usr/bin/env python3
"""compare_rows.py STOCK PORTABLE PACKAGE WARC...: fails unless two builds of libndc.so answer alike.

PACKAGE is the directory that holds the Python package `ndc`. In a process of its own each library reads every WARC
file, and pages in legacy charsets from several threads; all that they say of each page is compared, and the text
that they extract.
"""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WORDS = {
    "windows-1251": "Съешь же ещё этих мягких французских булок, да выпей чаю. ",
    "koi8-r": "Съешь же ещё этих мягких французских булок, да выпей чаю. ",
    "gb18030": "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心。",
    "big5": "人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心。",
    "shift_jis": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "euc-kr": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. ",
    "iso-8859-7": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια. ",
    "windows-1252": "Tous les êtres humains naissent libres et égaux en dignité et en droits. ",
    "utf-16-le": "All human beings are born free and equal in dignity and rights. ",
}


def legacy_pages():
    for charset, words in WORDS.items():
        body = f"<html><title>{words}</title><body><p>{words * 12}</p><p>{words * 3}</body></html>".encode(charset)
        for content_type in ("text/html", f"text/html; charset={charset.removesuffix('-le')}"):
            yield f"http://{charset}.example/", body, content_type


def answers(warcs):
    """What one library says, as lines."""
    import ndc_dedup as ndc

    for warc in warcs:
        for row in ndc.dedup(warc):
            yield repr(row)
    pages = list(legacy_pages())
    with ThreadPoolExecutor(4) as threads:
        for texts in threads.map(lambda page: ndc.extract(page[1], url=page[0], content_type=page[2]), pages * 8):
            yield repr(texts)


def asked(library, package, warcs):
    environment = {**os.environ, "NDC_LIBRARY": library, "PYTHONPATH": package}
    command = [sys.executable, "-B", __file__, "--answer", *warcs]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.splitlines()


def main(arguments):
    if arguments[:1] == ["--answer"]:
        sys.stdout.writelines(f"{json.dumps(line)}\n" for line in answers(arguments[1:]))
        return 0
    if len(arguments) < 4:
        sys.exit(__doc__)
    stock, portable, package, *warcs = (str(Path(argument).resolve()) for argument in arguments)
    expected, found = asked(stock, package, warcs), asked(portable, package, warcs)
    if expected != found or not expected:
        different = [pair for pair in zip(expected, found) if pair[0] != pair[1]]
        print(
            f"{len(expected)} answers of the one, {len(found)} of the other; the first that differ:",
            *different[:1],
            sep="\n",
        )
        return 1
    print(f"{len(expected)} answers are the same")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
