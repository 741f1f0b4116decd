#!/usr/bin/env python3
"""calls_test.py: each function of ndcapi.h is either called in fuzz/ or listed in calls_left_out.txt with the
reason, never both."""
import pathlib
import re
import sys

FUZZ = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FUZZ.parent / "tests" / "abi"))
from exports_test import declared, report  # noqa: E402


def called(source):
    """Names in code: neither in comments nor in texts."""
    code = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", source, flags=re.S)
    return set(re.findall(r"\bnd_\w+", code))


def main():
    functions = declared((FUZZ.parent / "include" / "ndcapi.h").read_text(encoding="utf-8"))
    calls = set()
    for file in (*FUZZ.rglob("*.cpp"), *FUZZ.rglob("*.hpp")):
        calls |= called(file.read_text(encoding="utf-8"))
    lines = [
        line
        for line in (FUZZ / "calls_left_out.txt").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ]
    left_out = {line.partition(":")[0] for line in lines if line.partition(":")[2].strip()}

    wrong = report(
        "a line without a function or without why", {line for line in lines if line.partition(":")[0] not in left_out}
    )
    wrong |= report("neither called in fuzz/ nor in calls_left_out.txt", functions - calls - left_out)
    wrong |= report("called in fuzz/, yet in calls_left_out.txt", calls & left_out)
    wrong |= report("in calls_left_out.txt, but not in the header", left_out - functions)
    print(f"{len(functions & calls)} of {len(functions)} functions are called")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
