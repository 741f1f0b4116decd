#!/usr/bin/env python3
"""Prints a table of folders of inputs that hurt: what their README.md expects of each file and says was done with it
before, and what `ndc dedup` does with it: exit code, CPU time, memory, records beside warcio's count, verdicts, what
is left out and said.

usage: inputs_table.py PATH_OF_NDC FOLDER...

A row of a table in FOLDER/README.md is of the files that its column `file` or `input` names, by patterns or by the
number that both begin with. Where warcio counts otherwise, differences.tsv says why, and it is an error if it does not.
"""
import collections
import contextlib
import fnmatch
import io
import os
import re
import subprocess
import sys
import tempfile

import archive_counts
import archives_table

TIMEOUT_SECONDS = 300
SHOWN_CHARACTERS = 110
FILE, EXPECTED, BEFORE = ("file", "input"), ("expected",), ("got", "what it shows")
ARCHIVES = (".warc", ".arc", ".warc.gz", ".arc.gz", ".wacz")
HEADS = (
    "file",
    "expected",
    "before",
    "exit",
    "CPU s",
    "MB",
    "records",
    "warcio",
    "verdicts",
    "left out",
    "said",
    "why",
)


def readme_rows(folder):
    """(patterns, what is expected, what was done) of each row of the README's tables."""
    try:
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
            lines = [line.strip() for line in file]
    except FileNotFoundError:
        return []
    rows, heads = [], None
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else None
        if cells is None or heads is None:
            heads = cells
        elif not set(line) <= set("|-: "):
            named = dict(zip(heads, cells))
            patterns, *said = (" ".join(named.get(head, "") for head in column) for column in (FILE, EXPECTED, BEFORE))
            rows.append((patterns_of(patterns), *map(str.strip, said)))
    return rows


def patterns_of(cell):
    """ "a-*.warc(.gz), 2 files" gives a-*.warc and a-*.warc.gz, and words that name nothing."""
    found = [part for part in re.split(r"[,; ]+", cell) if part]
    return [
        part.replace("(.gz)", ending) for part in found for ending in {"", ".gz"} if ending == "" or "(.gz)" in part
    ]


def number_of(name):
    digits = re.match(r"\d+(?=\D)", name)
    return digits and digits[0]


def told(name, rows):
    """What is expected and what was done, by the rows that name the file; else by those of its number."""
    exact = [said for patterns, *said in rows if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]
    begun = [
        said for patterns, *said in rows if number_of(name) in {number_of(pattern) for pattern in patterns} - {None}
    ]
    return ["; ".join(dict.fromkeys(filter(None, column))) for column in zip(*(exact or begun))] or ["", ""]


class Measured:
    """A run of a command: exit code, CPU seconds, peak of memory in MB, what it wrote to standard error."""

    def __init__(self, command):
        with tempfile.TemporaryFile() as rows, tempfile.TemporaryFile() as said:
            process = subprocess.Popen(["timeout", str(TIMEOUT_SECONDS), *command], stdout=rows, stderr=said)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            rows.seek(0)
            verdicts = collections.Counter(line.split(b"\t")[2].decode() for line in rows if not line.startswith(b"#"))
            said.seek(0)
            self.messages = said.read().decode("utf-8", "replace")
        self.verdicts = ", ".join("%d %s" % (count, verdict) for verdict, count in verdicts.most_common())
        self.code = process.returncode
        self.seconds = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss / 1024
        found = re.findall(r"(?m)^(input\.\w+) +([\d,]+)$", self.messages)
        self.stats = {name: int(number.replace(",", "")) for name, number in found}

    def count(self, name):
        return self.stats.get("input." + name, 0)

    def memory(self):
        """A process begins with the pages of the one that starts it, which hide what it takes if that is less."""
        least = Measured(["true"]).megabytes
        return "< %.0f" % (least + 1) if self.megabytes <= least + 1 else "%.0f" % self.megabytes

    def said(self, path):
        """Its first message, without the path, and how many more there are; the summary is none."""
        lines = [line[len("ndc: ") :] for line in self.messages.splitlines() if line.startswith("ndc: ")]
        lines = [line for line in lines if not re.match(r"[\d,]+ pages?,", line)]
        if not lines:
            return ""
        first = lines[0].replace(path + ": ", "").replace(path, "it")
        first = first[:SHOWN_CHARACTERS] + "…" * (len(first) > SHOWN_CHARACTERS)
        return first + (" (and %d more)" % (len(lines) - 1) if len(lines) > 1 else "")


def row(ndc, path, rows):
    """A line of the table, and whether it lacks a reason."""
    run, name = Measured([ndc, "dedup", "--stats", path]), os.path.basename(path)
    counted, why = "-", ""
    if path.endswith(ARCHIVES):
        with contextlib.redirect_stderr(io.StringIO()):  # its warnings
            count = archive_counts.by_warcio([path])
        counted = "%d%s" % (count.records, ", then gives up" if count.failure else "")
        if count.failure or count.records != run.count("records"):
            why = archives_table.why_different(name)
    cells = [
        "`%s`" % name,
        *told(name, rows),
        str(run.code),
        "%.2f" % run.seconds,
        run.memory(),
        str(run.count("records")),
        counted,
        run.verdicts,
        archives_table.in_words(archive_counts.read_counts(run.stats)),
        run.said(path),
        why or "",
    ]
    return "| %s |" % " | ".join(cell.replace("|", "\\|") for cell in cells), why is None


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    unexplained = []
    for folder in sys.argv[2:]:
        rows = readme_rows(folder)
        print(
            "\n%s\n\n| %s |\n%s|" % (os.path.basename(os.path.abspath(folder)), " | ".join(HEADS), "|---" * len(HEADS))
        )
        for path in archives_table.files_below(folder):
            if os.path.basename(path) != "README.md":
                line, lacks_reason = row(sys.argv[1], path, rows)
                print(line, flush=True)
                unexplained += [path] * lacks_reason
    if unexplained:
        sys.exit("warcio counts otherwise, and differences.tsv does not say why: " + " ".join(unexplained))


if __name__ == "__main__":
    main()
