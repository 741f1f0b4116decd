#!/usr/bin/env python3
"""docs/guide-cli.md: each of its commands runs as it stands there, one after the other, and prints the lines that
stand behind it.

usage: guide_test.py GUIDE PATH_OF_NDC
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMMAND = re.compile(r"(ndc|zcat|awk|cp) ")
# Those that are meant to fail, or to skip what is damaged, by a part of each.
EXIT_CODES = {"head -c 300000": 3, "resemblence": 2, "pairs --threshold 0.5 --option": 2}
# Lines that another machine or another state of the store would not print: sizes of files, an interrupted run, events
# of a removal.
VARYING = re.compile(r"bytes_|urn:uuid|WARC-|nd-version|generation \d|continuing an earlier run|keys  |\"sequence\"")
# How many bytes a store or an archive takes, another version of zlib changes.
SIZE = re.compile(r"[\d,]+ (bytes|before|after)")
# Minutes; eval.experiments runs it.
TOO_LONG = "--sweep"


def commands(text):
    """(command, the lines that are shown behind it), of the indented blocks."""
    found = []
    wanted = None
    for line in text.splitlines():
        if not line.startswith("    "):
            if line.strip() and found:
                wanted = None  # prose: what follows need not be the output
            continue
        line = line[4:]
        if found and re.search(r"(\\|\|)$", found[-1][0]):
            found[-1][0] += "\n" + line
        elif COMMAND.match(line):
            wanted = []
            found.append([line, wanted])
        elif wanted is not None:
            wanted.append(line)
    return found


def words(line):
    """Columns are shown with two blanks between them where there is a tab."""
    return SIZE.sub(r"some \1", " ".join(line.split()))


def main():
    guide, program = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    root = guide.parent.parent
    found = commands(guide.read_text(encoding="utf-8"))
    if len(found) < 30:
        sys.exit(f"{guide} has only {len(found)} commands")
    environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}
    faults = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "data").symlink_to(root / "data")
        for command, wanted in found:
            if TOO_LONG in command:
                continue
            done = subprocess.run(
                ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            expected = next((code for part, code in EXIT_CODES.items() if part in command), 0)
            if done.returncode != expected:
                print(f"{command}\n  exit code {done.returncode}, not {expected}: {done.stderr}", file=sys.stderr)
                faults += 1
            printed = {words(line) for line in (done.stdout + done.stderr).splitlines()}
            for line in wanted:
                if not line.strip() or "…" in line or VARYING.search(line):
                    continue
                compared += 1
                if words(line) not in printed:
                    print(f"{command}\n  does not print: {line}", file=sys.stderr)
                    faults += 1
    print(f"{len(found)} commands, {compared} lines compared")
    return 1 if faults or compared < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
