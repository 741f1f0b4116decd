#!/usr/bin/env python3
"""sources_check.py ROOT: what docs/sources.md says of each part of the documents is there: each file, each
test in tests/unit, each option of the table in src/options and each table of `ndc eval`. A part without all of
these says why."""
import pathlib
import re
import sys

DOCUMENTS = ("TR2007012", "TR2007012 slides", "SpotSigs", "Moz", "MWO")
HEADER = ["part", "file", "test", "option", "`ndc eval`, or why not"]
CASE = re.compile(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", re.MULTILINE)
OPTION = re.compile(r'^ *(?:Option\{)*\{"(\w+)", "', re.MULTILINE)
LITERAL = re.compile(r'"(\w+)"')
NAME = re.compile(r"`([^`]+)`")


def cells(line):
    """Of a table's line; `\\|` is a bar inside a cell."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def tables(text):
    """{document: rows}, each row six cells, of the sections that a document's key heads."""
    found = {}
    for section in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        lines = [cells(line) for line in body.splitlines() if line.startswith("|")]
        if title in DOCUMENTS and lines and lines[0] == HEADER:
            found[title] = lines[2:]
    return found


def known_tests(root):
    return {
        f"{path.parent.name}.{suite}.{case}"
        for path in (root / "tests/unit").glob("*/*_test.cpp")
        for suite, case in CASE.findall(path.read_text(encoding="utf-8"))
    }


def known_tables(root):
    """Those that eval/README.md describes and that an experiment names."""
    described = (root / "eval/README.md").read_text(encoding="utf-8").partition("### Tables\n")[2].partition("\n## ")[0]
    named = {
        name
        for path in (root / "eval/experiments").glob("*.cpp")
        for name in LITERAL.findall(path.read_text(encoding="utf-8"))
    }
    return named & {
        name for line in described.splitlines() if line.startswith("|") for name in NAME.findall(cells(line)[0])
    }


def faults(root):
    tests, evaluated = known_tests(root), known_tables(root)
    options = set(OPTION.findall((root / "src/options/option_table.cpp").read_text(encoding="utf-8")))
    found = tables((root / "docs/sources.md").read_text(encoding="utf-8"))
    for document in DOCUMENTS:
        if not found.get(document):
            yield f"there is no table of {document}"
    for document, rows in found.items():
        for row in rows:
            place = f"{document}, {row[0].partition(':')[0]}"
            if len(row) != len(HEADER):
                yield f"{place}: {len(row)} cells"
                continue
            files, named_tests, named_options, figures = (NAME.findall(cell) for cell in row[1:])
            yield from (f"{place}: no file {name}" for name in files if not (root / name).is_file())
            yield from (f"{place}: no test {name}" for name in named_tests if name not in tests)
            yield from (f"{place}: no option {name}" for name in named_options if name not in options)
            yield from (f"{place}: no table {name} of ndc eval" for name in figures if name not in evaluated)
            if not row[4]:
                yield f"{place}: neither a table of ndc eval nor a reason"


def main():
    found = list(faults(pathlib.Path(sys.argv[1])))
    for fault in found:
        print(f"docs/sources.md: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
