#!/usr/bin/env python3
"""tidy_check.py BUILD [BASE]: runs clang-tidy, by the checks of .clang-tidy, on the source files of src/, methods/,
archives/ and tools/ in a configured build, and fails if it finds anything; with BASE on those alone that differ from
this commit, or that include a header which does.

Tables that are nothing but data are left out.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import compile_check

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIDY = os.environ.get("NDC_CLANG_TIDY", "clang-tidy-14")
DATA = re.compile(r"_tables?\.cpp$")
FOLDERS = ("src", "methods", "archives", "tools")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def changed_since(base):
    """The files that differ from a commit, and the headers that include one of them, and so on."""
    listed = subprocess.run(
        ["git", "diff", "--name-only", base, "--", *FOLDERS], cwd=ROOT, check=True, capture_output=True, text=True
    )
    changed = set(listed.stdout.split())
    includes = {}
    for path in (path for folder in FOLDERS for path in ROOT.glob(f"{folder}/**/*.[ch]pp")):
        name = path.relative_to(ROOT)
        named = INCLUDE.findall(path.read_text(encoding="utf-8"))
        roots = (".", "src", "methods", name.parent)
        includes[str(name)] = {str(pathlib.PurePath(root, each)) for root in roots for each in named}
    while True:
        more = {name for name, named in includes.items() if name not in changed and named & changed}
        if not more:
            return changed
        changed |= more


def read(build, name):
    """What clang-tidy says of a file, or nothing."""
    answer = subprocess.run([TIDY, "--quiet", "-p", build, name], capture_output=True, text=True, check=False)
    return (answer.stdout or answer.stderr) if answer.returncode else ""


def main():
    build, *base = sys.argv[1:]
    names = {pathlib.Path(name).resolve() for name in compile_check.files(build)}
    names = {str(name.relative_to(ROOT)) for name in names if name.is_relative_to(ROOT)}
    wanted = {
        name for name in names if name.startswith(tuple(f"{folder}/" for folder in FOLDERS)) and not DATA.search(name)
    }
    if not wanted:
        raise SystemExit("no source files")
    if base:
        wanted &= changed_since(base[0])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(lambda name: read(build, str(ROOT / name)), sorted(wanted)) if text]
    print("\n".join(found) or f"{len(wanted)} files, nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
