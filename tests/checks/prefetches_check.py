#!/usr/bin/env python3
"""Whether searches and changes still ask the processor for memory ahead, once they are compiled.

    prefetches_check.py COMPILER SOURCE_DIR

g++ leaves out calls of functions that do nothing but __builtin_prefetch() (src/core/prefetch.hpp): no test
of what is answered sees that, and a check of a page takes a sixth longer.
"""
import re
import subprocess
import sys
from pathlib import Path

# Files whose loops ask for slots before they look at them.
SOURCES = ["spotsigs/spot_probe.cpp", "collection/candidate_search.cpp", "page/site_model.cpp"]
FUNCTION = re.compile(r"^(\w+):", re.MULTILINE)
PREFETCH = re.compile(r"^\s+(prefetch\w+|prfm)\s", re.MULTILINE)


def prefetches(assembly):
    """Of functions of the project; XXH3 has some of its own."""
    parts = FUNCTION.split(assembly)
    return sum(len(PREFETCH.findall(body)) for name, body in zip(parts[1::2], parts[2::2]) if "XXH" not in name)


def compiled(compiler, folder, source):
    command = [compiler, "-std=c++20", "-O3", "-fPIC", "-S", "-o", "-", "-I", folder]
    run = subprocess.run([*command, folder / source], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return run.stdout


def main():
    compiler, folder = sys.argv[1], Path(sys.argv[2]) / "src"
    missing = [source for source in SOURCES if prefetches(compiled(compiler, folder, source)) == 0]
    if missing:
        sys.exit(f"no prefetch is left in what {compiler} makes of {', '.join(missing)}")


if __name__ == "__main__":
    main()
