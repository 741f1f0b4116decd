#!/usr/bin/env python3
"""The quality gate: quality does not fall, and work does not rise, against a committed table.

    gate.py invented --programs FOLDER    against expected.tsv, on a corpus that reframe.py makes from the sample
    gate.py corpora --programs FOLDER     against results.tsv, on the corpora in the folder $NDC_CORPORA

Quality above the table fails as well: then the table is not true any more.
Exit codes: 0; 1 a fault; 77 no corpora, nothing was checked.
"""
import argparse
import os
import pathlib
import sys
import tempfile

import ablation
import quality
import reframe
import spots

FOLDER = pathlib.Path(__file__).resolve().parent
EXPECTED = FOLDER / "expected.tsv"
RESULTS = FOLDER / "results.tsv"
CORPORA_VARIABLE = "NDC_CORPORA"
SKIPPED = 77  # SKIP_RETURN_CODE of ctest

QUALITY_FALL = 0.005
QUALITY_RISE = 0.02
WORK_RISE = 0.10
ROUNDING = 5e-5  # of the figures in the tables, half a unit

GATE_QUALITY = ("precision", "recall", "f1", "candidate_recall",
                "same_path_precision", "same_path_recall", "all_precision", "all_recall", "all_candidate_recall")
GATE_COLUMNS = ablation.KEYS + ("pages", "precision", "recall", "f1", "candidate_recall") + ablation.WORK


def faults_of_row(expected, actual):
    """What is wrong with a row against the table, as sentences. Both are {column: text}."""
    where = ", ".join(expected[key] for key in ("corpus", "options", "order"))
    if expected["pages"] != actual["pages"]:
        yield f"{where}: {actual['pages']} pages instead of {expected['pages']}: this is another corpus"
        return
    for column in GATE_QUALITY:
        if expected.get(column, "-") == "-":
            continue
        before, after = float(expected[column]), float(actual[column])
        if after < before - QUALITY_FALL - ROUNDING:
            yield f"{where}: {column} fell from {before:.4f} to {after:.4f}"
        elif after > before + QUALITY_RISE + ROUNDING:
            yield f"{where}: {column} rose from {before:.4f} to {after:.4f}; the table must say so"
    for column in ablation.WORK:
        if expected[column] == "-":
            continue
        before, after = float(expected[column]), float(actual[column])
        if after > before * (1 + WORK_RISE) + ROUNDING:
            yield f"{where}: {column} a page rose from {before:.3f} to {after:.3f}"


def key_of(row):
    return tuple(row[key] for key in ablation.KEYS)


def faults(expected_rows, actual_rows):
    expected, actual = {key_of(row): row for row in expected_rows}, {key_of(row): row for row in actual_rows}
    for key, row in actual.items():
        if key in expected:
            yield from faults_of_row(expected[key], row)
        else:
            yield f"{', '.join(key)}: the table has no such row"
    for key in expected:
        if key not in actual:
            yield f"{', '.join(key)}: in the table, but was not measured"


def measure_invented(programs, jobs=1):
    with tempfile.TemporaryDirectory(prefix="reframed-") as folder:
        reframe.generate(folder)
        corpora = ablation.find_corpora(folder)
        runs = [ablation.Run(corpus, tried) for corpus in corpora for tried in ablation.GATE_ABLATIONS]
        outcomes, _ = ablation.measure_all(runs, programs, jobs)
        return [ablation.table_row(outcome) for outcome in outcomes] + [spots.gate_row(corpus, programs) for corpus in corpora]


def renew(programs):
    ablation.write_rows(EXPECTED, GATE_COLUMNS, measure_invented(programs))
    print(f"wrote {EXPECTED}")


def measure_corpora(folder, programs):
    runs = [ablation.Run(corpus, ablation.DEFAULT) for corpus in ablation.find_corpora(folder)]
    outcomes, _ = ablation.measure_all(runs, programs)
    return [ablation.table_row(outcome) for outcome in outcomes]


def judge(found, how_to_renew):
    if found:
        print("\n".join(found), file=sys.stderr)
        print(f"If this is meant: {how_to_renew}, and say why in the commit.", file=sys.stderr)
        return 1
    print("as the table says")
    return 0


def check_corpora(programs):
    folder = os.environ.get(CORPORA_VARIABLE, "")
    if not folder:
        print(f"SKIPPED: {CORPORA_VARIABLE} names no folder with corpora; they are not part of this repository (eval/README.md)")
        return SKIPPED
    actual = measure_corpora(folder, programs)
    if not actual:
        print(f"{folder} ({CORPORA_VARIABLE}) holds no corpus", file=sys.stderr)
        return 1
    names = {row["corpus"] for row in actual}
    expected = [row for row in quality.read_table(RESULTS)
                if row["options"] == ablation.DEFAULT.name and row["order"] == ablation.FILE_ORDER and row["per_host"] == "all"
                and row["corpus"] in names]
    return judge(list(faults(expected, actual)), f"eval/run {folder}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", choices=("invented", "corpora"))
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of trace, spot_signatures and ndc")
    arguments = parser.parse_args()
    if arguments.corpora == "corpora":
        return check_corpora(arguments.programs)
    found = list(faults(quality.read_table(EXPECTED), measure_invented(arguments.programs)))
    return judge(found, "eval/run --renew-gate")


if __name__ == "__main__":
    sys.exit(main())
