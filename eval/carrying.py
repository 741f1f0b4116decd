#!/usr/bin/env python3
"""carrying.py --programs FOLDER: which ingredients of the default method carry weight. Runs it with all of them and
without each over the pairs of data/judged, the invented pairs and crawls of gate.py, and, if $NDC_CORPORA names a
folder, its corpora. What carries nothing costs time, memory and lines all the same, and is to leave.

An ingredient carries if, without it, more figures fall than rise: of a hundred figures a few move by chance alone, in
both directions. Exit codes: 0; 1 an ingredient does not carry and STAYS does not say why it is kept.
"""
import argparse
import os
import pathlib
import sys
import tempfile

import ablation
import decided_pairs
import gate
import ingredients

# What counts as moved. One of data/judged's 250 pairs is .004 of precision or recall, half of it about as much of F1.
LEAST_MOVE = 0.002
# Ingredients that are kept although they may not carry, and why.
STAYS = {
    "spot signatures": "ndc has the fingerprint index and the SpotSigs index, which docs/spotsigs.md describes",
}


def figures_of_rows(rows):
    """{(what, measure): figure, the greater the better} of rows of ingredients.py."""
    measures = ("f1", "mean_f1")
    return {
        (f"{row['set']}, {row['order']}, {row['groups']}", measure): float(row[measure])
        for row in rows
        for measure in measures
        if row[measure] != "-"
    }


def figures_of_decisions(rows):
    """The same of pairs whose decision is known: how many were decided rightly."""
    return {
        (row["kind"], "decided rightly"): (
            float(row["joined"]) if int(row["label"]) == decided_pairs.SAME else 1 - float(row["joined"])
        )
        for row in rows
    }


def measure(programs, corpora_folder):
    """{name of a setting: its figures}."""
    corpora = ablation.find_corpora(corpora_folder) if corpora_folder else []
    judged_folder = pathlib.Path(corpora_folder or gate.FOLDER) / "judged"
    with tempfile.TemporaryDirectory() as folder:
        rows = ingredients.measure(corpora, judged_folder, programs, pathlib.Path(folder) / "ingredients.tsv")
    figures = {}
    for tried in ingredients.settings():
        if tried.name == ingredients.REPORT:
            continue
        figures[tried.name] = figures_of_rows(row for row in rows if row["options"] == tried.name)
        figures[tried.name] |= figures_of_decisions(gate.measure_decisions(programs, tried.options))
        figures[tried.name] |= figures_of_decisions(gate.measure_sites(programs, tried.options)[0])
    return figures


def moves(whole, without):
    """(the figures that fall, those that rise), each as (how far, (what, measure)), the greatest first."""
    changes = sorted((whole[key] - without[key], key) for key in whole.keys() & without.keys())
    falls = [change for change in reversed(changes) if change[0] >= LEAST_MOVE]
    return falls, [(-change, key) for change, key in changes if change <= -LEAST_MOVE]


def said(kind, changes):
    if not changes:
        return f"none {kind}"
    greatest, (what, measured) = changes[0]
    return f"{len(changes)} {kind}, at most by {greatest:.4f} ({measured}, {what})"


def report(figures):
    """(lines that tell what each ingredient carries, names of those that do not carry and have no reason)."""
    lines, idle = [], []
    for name, _ in ingredients.INGREDIENTS:
        falls, rises = moves(figures[ingredients.WHOLE], figures["without " + name])
        line = f"{name}: of the figures without it {said('fall', falls)}; {said('rise', rises)}"
        if len(falls) <= len(rises):
            line += "; it stays: " + STAYS[name] if name in STAYS else "; why does it stay?"
            if name not in STAYS:
                idle.append(name)
        lines.append(line)
    return lines, idle


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of trace and ndc")
    arguments = parser.parse_args()
    lines, idle = report(measure(arguments.programs, os.environ.get(gate.CORPORA_VARIABLE, "")))
    print("\n".join(lines))
    if idle:
        print(f"Does not carry: {', '.join(idle)}. Remove it, or say in STAYS why it is kept.", file=sys.stderr)
    return 1 if idle else 0


if __name__ == "__main__":
    sys.exit(main())
