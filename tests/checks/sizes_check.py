#!/usr/bin/env python3
"""sizes_check.py ROOT: the project is no larger than tests/checks/sizes.tsv says. Growth that nobody decides on adds
up: a change that needs more raises its row and says there what for; one that removes something lowers it.
"""
import csv
import pathlib
import re
import subprocess
import sys

TABLE = "tests/checks/sizes.tsv"
COLUMNS = ["what", "most", "why so much"]
CODE = {".c", ".cpp", ".h", ".hpp"}
LINES = {  # what: the folder and what counts there
    "lines of src": ("src/", CODE),
    "lines of methods": ("methods/", CODE),
    "lines of archives": ("archives/", CODE),
    "lines of tools/ndc": ("tools/ndc/", CODE),
    "lines of plugins/spark": ("plugins/spark/src/main/", {".java", ".scala"}),
    "lines of plugins/kafka": ("plugins/kafka/src/main/", {".java"}),
    "lines of bindings/go": ("bindings/go/", CODE | {".go"}),
    "lines of bindings/rust": ("bindings/rust/", {".rs"}),
    "lines of bindings/node": ("bindings/node/", CODE | {".js", ".ts"}),
    "lines of bindings/java": ("bindings/java/src/main/", CODE | {".java"}),
}
# Tests, examples, and what a generator writes.
NOT_COUNTED = re.compile(
    r"_test\.go$|^bindings/(go/(examples/|internal/leaks/|stable_options\.go|stats\.go)"
    r"|node/(tests/|lib/(constants\.js|generated\.d\.ts))"
    r"|rust/(examples/|[\w-]+/tests/|ndc-sys/src/bindings\.rs|ndc/src/(setters|header_answers)\.rs))"
)
OPTION_KEY = re.compile(r'^ *(?:Option\{)*\{+"(\w+)", "', re.MULTILINE)
EXPERIMENTAL = "x_"


def measure(root):
    """{what: how much}; None without git, which alone knows the files."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False).stdout
    names = [name for name in listed.split("\0") if name and (root / name).is_file()]
    if not names:
        return None

    def texts(folder, suffixes):
        for name in names:
            if name.startswith(folder) and pathlib.PurePath(name).suffix in suffixes and not NOT_COUNTED.search(name):
                yield (root / name).read_text(encoding="utf-8")

    tables = [name for name in names if pathlib.PurePath(name).name == "option_table.cpp"]
    keys = [key for name in tables for key in OPTION_KEY.findall((root / name).read_text(encoding="utf-8"))]
    changes = "CHANGELOG.md"  # which grows with each release
    return {
        **{what: sum(text.count("\n") for text in texts(*files)) for what, files in LINES.items()},
        "stable options": sum(not key.startswith(EXPERIMENTAL) for key in keys),
        "experimental options": sum(key.startswith(EXPERIMENTAL) for key in keys),
        "words of documents": sum(
            len((root / name).read_text(encoding="utf-8").split())
            for name in names
            if name.endswith(".md") and name != changes
        ),
    }


def faults(root):
    measured = measure(root)
    if measured is None:
        if (root / ".git").exists():
            yield "git lists no files"
        return
    with open(root / TABLE, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    if rows[:1] != [COLUMNS]:
        yield f"{TABLE}: the columns are {', '.join(COLUMNS)}"
        return
    allowed = {row[0]: row[1:] for row in rows[1:]}
    for what, size in measured.items():
        most, why = (allowed.get(what) or ["", ""])[:2]
        if not most.isdigit() or not why.strip():
            yield f"{TABLE}: {what}: a number and a reason are missing; it is {size} now"
        elif size > int(most):
            yield f"{what}: {size}, more than the {most} of {TABLE}: remove something, or raise it there with a reason"
    for what in allowed.keys() - measured.keys():
        yield f"{TABLE}: {what}: nothing of this name is measured"


def main():
    found = list(faults(pathlib.Path(sys.argv[1]).resolve()))
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
