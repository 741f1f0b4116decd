#!/usr/bin/env python3
"""generate_ndcapi.py HEADER OUTPUT: writes the cffi module (out of line, ABI mode) of the C interface.

Everything in it comes from HEADER, so the two cannot disagree; what this script does not understand ends it. The output
is plain Python, the same for every platform and version, and needs cffi alone.
"""
import re
import sys
from pathlib import Path

import cffi

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
CONDITION = re.compile(r"#(?:ifndef NDCAPI_H|if defined\(ND_EXPERIMENTAL\)|endif)(?: .*)?$")
NUMBER = re.compile(r"^#define (ND_[A-Z_]+) +(0x[\da-f]+|\d+)u?$")


def declarations(header):
    """The C declarations of the header, without its comments, initialisers and what is for compilers alone."""
    text = COMMENT.sub("", header).replace("\\\n", " ")
    text = re.sub(r"^ND_API ", "", text, flags=re.MULTILINE)
    out = []
    depth = 0  # of `#ifdef __cplusplus`, whose lines C does not see
    for line in text.splitlines():
        line = line.strip()
        if not line:
            continue
        if line == "#ifdef __cplusplus":
            depth = 1
        elif line == "#endif" and depth:
            depth = 0
        elif depth:
            continue
        elif line.startswith("#define"):
            number = NUMBER.match(line)
            if number:
                out.append(f"#define {number[1]} {number[2]}")
            elif not re.match(r"#define (ND_[A-Z_]+_INIT\b|ND_API\b|NDCAPI_H$)", line):
                sys.exit(f"generate_ndcapi.py: not understood: {line}")
        elif line.startswith("#"):
            if not (CONDITION.match(line) or line.startswith("#include <")):
                sys.exit(f"generate_ndcapi.py: not understood: {line}")
        else:
            out.append(line)
    return "\n".join(out) + "\n"


def names_of_functions(header):
    """By another way than declarations(), for the test that compares both."""
    return sorted(set(re.findall(r"^ND_API [^;]*?\b(nd_\w+)\(", COMMENT.sub("", header), re.MULTILINE | re.DOTALL)))


def generate(header, output):
    builder = cffi.FFI()
    builder.cdef(declarations(header))
    builder.set_source("ndc_dedup._ndcapi", None)
    builder.emit_python_code(str(output))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    generate(Path(sys.argv[1]).read_text(encoding="utf-8"), Path(sys.argv[2]))
