#!/usr/bin/env python3
"""exports_test.py --header FILE --list FILE [--library FILE [--nm PROGRAM]] [--caller FILE] [--write]

Holds together three views of the interface: the functions that the header declares, the list under version control, and
the symbols that the shared library exports. All are the same, symbol by symbol, each under its version node: ND_2, or
ND_EXPERIMENTAL what the header declares as experimental.
--caller: a program that must use each of these functions that is not experimental.
--write makes the list anew from the header; the change then shows in review.
"""
import argparse
import pathlib
import re
import subprocess
import sys

NODES = ("ND_2", "ND_EXPERIMENTAL")
EXPERIMENTAL = re.compile(r"#if defined\(ND_EXPERIMENTAL\).*?#endif", re.S)


def declared(header):
    """Names of the functions that the header exports; fails on a function without ND_API."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.S)
    text = re.sub(r"^\s*#.*(?:\\\n.*)*$", "", text, flags=re.M)
    text = re.sub(r'extern\s+"C"\s*\{', "", text)
    while re.search(r"\{[^{}]*\}", text):
        text = re.sub(r"\{[^{}]*\}", " ", text)
    names = set()
    for statement in text.split(";"):
        match = re.search(r"\b(\w+)\s*\(", statement)
        if not match or re.match(r"\s*typedef\b", statement):
            continue
        if not re.match(r"\s*ND_API\b", statement):
            raise SystemExit(f"declared without ND_API: {' '.join(statement.split())}")
        names.add(match[1])
    return names


def with_nodes(header):
    """name@node of every function that the header exports."""
    stable = declared(EXPERIMENTAL.sub("", header))
    return {f"{name}@{NODES[name not in stable]}" for name in declared(header)}


def exported(nm, library):
    """name@node of every dynamic symbol that the library defines, the nodes themselves left out."""
    command = [nm, "--dynamic", "--defined-only", "--with-symbol-versions", str(library)]
    symbols = set()
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        kind, name = line.split()[-2:]
        if not (kind == "A" and re.sub("@.*", "", name) in NODES):
            symbols.add(name.replace("@@", "@"))
    return symbols


def report(title, names):
    for name in sorted(names):
        print(f"{title}: {name}")
    return bool(names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--header", type=pathlib.Path, required=True)
    parser.add_argument("--list", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--caller", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()

    text = arguments.header.read_text(encoding="utf-8")
    header = declared(text)
    if arguments.write:
        arguments.list.write_text("".join(f"{name}\n" for name in sorted(with_nodes(text))), encoding="utf-8")
    listed = set(arguments.list.read_text(encoding="utf-8").split())

    wrong = report("no nd_ name", {name for name in header if not name.startswith("nd_")})
    if arguments.caller:
        wrong |= report(
            f"not used in {arguments.caller.name}",
            declared(EXPERIMENTAL.sub("", text))
            - set(re.findall(r"\w+", arguments.caller.read_text(encoding="utf-8"))),
        )
    header = with_nodes(text)
    wrong |= report("in the header, not in the list", header - listed)
    wrong |= report("in the list, not in the header", listed - header)
    if arguments.library:
        symbols = exported(arguments.nm, arguments.library)
        wrong |= report("exported, not in the list", symbols - listed)
        wrong |= report("in the list, not exported", listed - symbols)
    print(f"{len(listed)} symbols")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
