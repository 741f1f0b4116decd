#!/usr/bin/env python3
"""lines_check.py ROOT: no line of a source or of a script in git has more than 120 characters. Formatters wrap no
comments, and scripts have none.
"""
import pathlib
import subprocess
import sys

MOST_CHARACTERS = 120
SUFFIXES = {".c", ".cmake", ".cpp", ".css", ".go", ".h", ".hpp", ".java", ".js", ".py", ".pyi", ".toml"}
NAMES = {"CMakeLists.txt"}
# Copies of what releases had, inputs of fuzzers, and what programs write.
LEFT_OUT = ("tests/abi/headers/", "fuzz/corpora/", "src/text/block_model_table.cpp", "tools/ndc/manual/ndc.bash")


def is_checked(root, name):
    """Sources by their names, and scripts, which have none, by their first line."""
    path = root / name
    if name.startswith(LEFT_OUT) or not path.is_file():
        return False
    if path.suffix in SUFFIXES or path.name in NAMES:
        return True
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def faults(root):
    # An archive without history has no list of its files, and nothing is checked there.
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False).stdout
    for name in filter(None, listed.split("\0")):
        if is_checked(root, name):
            for number, line in enumerate((root / name).read_text(encoding="utf-8").splitlines(), 1):
                if len(line) > MOST_CHARACTERS:
                    yield f"{name}:{number}: {len(line)} characters, more than {MOST_CHARACTERS}"


def main():
    found = list(faults(pathlib.Path(sys.argv[1]).resolve()))
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
