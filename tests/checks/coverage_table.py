#!/usr/bin/env python3
"""coverage_table.py LINES.json LEAST TABLE: of gcovr's JSON, writes a table of all files to TABLE, the least covered
first, with the lines that nothing ran; prints those below LEAST percent, and the total. Fails if the total is below.
"""
import json
import pathlib
import sys


def ranges(missing, lines):
    """`missing` as "12-15, 20"; lines that are no code do not part a range."""
    spans = []
    for position, line in enumerate(lines):
        if line not in missing:
            continue
        if spans and position and lines[position - 1] == spans[-1][1]:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def rows(report):
    """[(percent, path, lines, ran, missing ranges)...] of every file with code in it."""
    found = []
    for file in report["files"]:
        counts = {}
        for line in file["lines"]:
            if not line.get("gcovr/noncode"):
                counts[line["line_number"]] = counts.get(line["line_number"], 0) + line["count"]
        if counts:
            missing = {line for line, count in counts.items() if count == 0}
            ran = len(counts) - len(missing)
            found.append((100 * ran / len(counts), file["file"], len(counts), ran, ranges(missing, sorted(counts))))
    return sorted(found)


def written(row):
    percent, path, lines, ran, missing = row
    return f"{percent:6.1f} %  {path}  ({ran} of {lines})" + (f"\n            {missing}" if missing else "")


def main():
    report, least, table = sys.argv[1], float(sys.argv[2]), pathlib.Path(sys.argv[3])
    with open(report, encoding="utf-8") as file:
        found = rows(json.load(file))
    lines, ran = sum(row[2] for row in found), sum(row[3] for row in found)
    if not lines:
        raise SystemExit(f"{report}: no lines")
    total = f"{100 * ran / lines:6.1f} %  in total: {ran} of {lines} lines of {len(found)} files"
    table.write_text("\n".join([*map(written, found), total]) + "\n", encoding="utf-8")
    for row in found:
        if row[0] < least:
            print(written(row))
    print(total)
    return 1 if 100 * ran / lines < least else 0


if __name__ == "__main__":
    sys.exit(main())
