#!/usr/bin/env python3
"""document_example_test.py DOCUMENT COMPILER WORK FLAGS...: compiles the C program in DOCUMENT with FLAGS and runs it.
It must print the text block that follows it, each time."""
import pathlib
import re
import subprocess
import sys


def main():
    document, compiler, work, *flags = sys.argv[1:]
    document = pathlib.Path(document)
    blocks = re.findall(r"^```(c|text)\n(.*?)^```", document.read_text(encoding="utf-8"), re.M | re.S)
    programs = [i for i, (kind, _) in enumerate(blocks) if kind == "c"]
    if len(programs) != 1:
        sys.exit(f"{document} holds {len(programs)} C programs, not 1")
    shown = blocks[programs[0] + 1][1]
    source = pathlib.Path(work) / (document.stem.lower().replace("-", "_") + "_example.c")
    source.write_text(blocks[programs[0]][1], encoding="utf-8")
    program = source.with_suffix("")
    subprocess.run(
        [compiler, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", source, "-o", program, *flags], check=True
    )
    for _ in range(2):
        output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
        print(output, end="")
        if output != shown:
            sys.exit("the program does not print what the document shows")


if __name__ == "__main__":
    main()
