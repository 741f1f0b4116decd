#!/usr/bin/env python3
"""openings_check.py ROOT: each source in git opens with a comment that says more than its name does, so that a reader
who has opened it knows whether it is the file that they look for.
"""
import pathlib
import re
import subprocess
import sys

LEAST_WORDS = 4  # that neither the name has nor every sentence
COMMON_WORDS = set(
    "a all an and are as at by for from have has in into is it its of on one or that the to what".split()
)
# Copies of what releases had, and inputs of fuzzers.
LEFT_OUT = ("tests/abi/headers/", "fuzz/corpora/")
C_LIKE = {".c", ".cpp", ".h", ".hpp"}
LINE_COMMENTS = re.compile(r"\A((?://.*\n)+)")
BLOCK_COMMENT = re.compile(r"\A/\*(.*?)\*/", re.DOTALL)
JAVADOC = re.compile(r"\A(?:package [^;]+;\s*)?(?:import [^;]+;\s*)*/\*\*(.*?)\*/", re.DOTALL)
DOCSTRING = re.compile(r'\A(?:#![^\n]*\n)?\s*"""(.*?)"""', re.DOTALL)
HASH_COMMENTS = re.compile(r"\A#!.*\n((?:#.*\n)+)")


def openings_of(name, text):
    """The patterns of an opening comment in a file of this kind; none where the file is no source."""
    suffix = pathlib.PurePath(name).suffix
    if suffix in C_LIKE:
        return [LINE_COMMENTS, BLOCK_COMMENT]
    if suffix == ".go":
        return [LINE_COMMENTS]
    if suffix == ".java":
        return [JAVADOC]
    if suffix == ".py":
        return [DOCSTRING, HASH_COMMENTS]
    return [DOCSTRING, HASH_COMMENTS] if text.startswith("#!") else []


LICENCE = re.compile(r"[\s/*#]*(?:copyright|spdx-|licen[cs]ed?\b)", re.IGNORECASE)


def words_of(text):
    return re.findall(r"[^\W_]+", text.lower())


def fault_of(name, text):
    """In words; empty if there is none."""
    patterns = openings_of(name, text)
    found = next((found for pattern in patterns if (found := pattern.match(text))), None)
    if not patterns or (found is None and not text.strip()):
        return ""
    if found is None:
        return "does not open with a comment"
    opening = found[1]
    if LICENCE.match(opening):
        return "opens with its licence"
    # Above a declaration it is about that one, and includes and guards come between the file's and the first.
    if pathlib.PurePath(name).suffix in C_LIKE and not text[found.end() :].lstrip().startswith("#"):
        return "opens with a comment on its first declaration, not on itself"
    said = [word for word in words_of(opening) if word not in COMMON_WORDS]
    stem = re.sub(r"([a-z])([A-Z])", r"\1 \2", pathlib.PurePath(name).stem)
    told_by_name = {word.rstrip("s") for word in words_of(stem.replace("_", " "))}
    if len({word for word in said if word.rstrip("s") not in told_by_name}) < LEAST_WORDS:
        return f"opens with a comment that says no more than its name: {' '.join(opening.split())}"
    return ""


def faults(root):
    # An archive without history has no list of its files, and nothing is checked there.
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False).stdout
    if not listed and (root / ".git").exists():
        yield "git lists no files"
    for name in filter(None, listed.split("\0")):
        path = root / name
        if name.startswith(LEFT_OUT) or not path.is_file() or path.is_symlink():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if fault := fault_of(name, text):
            yield f"{name}: {fault}"


def main():
    found = list(faults(pathlib.Path(sys.argv[1]).resolve()))
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
