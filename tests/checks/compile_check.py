#!/usr/bin/env python3
"""compile_check.py BUILD [--but OTHER]: has the compiler of a configured build read every source file in it, without
making code of it, and fails if it warns of any. --but: not those of another configured build.

Nearly all of clang's warnings come this way, in a fraction of the time.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys


def read(entry):
    """What the compiler says of one file, or nothing."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    command = [word for word in words[:output] + words[output + 2 :] if word != "-c"] + ["-fsyntax-only", "-Werror"]
    answer = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True, check=False)
    return answer.stderr if answer.returncode else ""


def files(build):
    """The entry of each file, by its name; of a file that is in two targets one of them."""
    with open(pathlib.Path(build) / "compile_commands.json", encoding="utf-8") as file:
        return {entry["file"]: entry for entry in json.load(file)}


def main():
    build, *rest = sys.argv[1:]
    left_out = files(rest[1]) if rest else {}
    entries = [entry for name, entry in files(build).items() if name not in left_out]
    if not entries:
        raise SystemExit("no source files")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        warnings = [text for text in pool.map(read, entries) if text]
    print("\n".join(warnings) or f"{len(entries)} files, nothing to warn of")
    return 1 if warnings else 0


if __name__ == "__main__":
    sys.exit(main())
