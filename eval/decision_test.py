#!/usr/bin/env python3
"""decision_test.py PROGRAMS: the decision is learned from judged pairs, and the library computes what was learned.
Skipped (77) without numpy."""
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("numpy is not installed (Debian: apt-get install python3-numpy)")
    sys.exit(77)

import decision_pairs
import held_out

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent / "src/decision/decision_model_table.cpp"
FOLDS = 2


def shipped():
    """The constant and the coefficients of the library's table."""
    return [float(number) for number in re.findall(r"-?\d+\.\d{6}", TABLE.read_text(encoding="utf-8"))]


def test_library_computes_the_table(rows):
    model = shipped()
    terms = [name for name in rows[0] if name.startswith("term:")]
    assert len(model) == len(terms) + 1, (len(model), terms)
    for row in rows:
        value = model[0] + sum(c * float(row[name]) for c, name in zip(model[1:], terms))
        assert abs(held_out.decision_probability(value) - float(row["probability"])) < 2e-6, row


def test_models_of_folds(programs, work):
    """Each is learned without its fold, and still tells copies of manuals from other pages."""
    empty = work / "no corpora"
    empty.mkdir()
    train = [sys.executable, "-B", HERE / "train-decision", empty, "--programs", programs]
    subprocess.run([*train, "--folds", str(FOLDS), "-o", work / "folds"], check=True)
    models = [[float(n) for n in (work / f"folds/{fold}.model").read_text().split()] for fold in range(FOLDS)]
    assert models[0] != models[1]
    folds = dict(line.split("\t") for line in (work / "folds/folds.tsv").read_text().splitlines())
    assert all(int(fold) == decision_pairs.fold_of(family, FOLDS) for family, fold in folds.items())
    (own,) = decision_pairs.find_sets(empty, work)
    labels = {(a, b): same for a, b, same in held_out.scored([(a, b, x, y) for a, b, x, y in own.pairs])}
    score = held_out.Score()

    def folds_of(url):
        return decision_pairs.fold_of(own.family(url), FOLDS)

    rows = decision_pairs.measure(own, programs, work)
    for row, value in held_out.probabilities(rows, folds_of, models):
        same = labels.get((row["#url_a"], row["url_b"]))
        if same is not None and row["known"] == "10":
            score.add(value >= 0, same)
    assert score.f1 > 0.85 and score.right > 100, score
    return rows


def test_targets():
    texts = decision_pairs.JudgedSet("texts", 1, (), (), ("0",))
    pages = decision_pairs.JudgedSet("web", 1, (), (), ("0",), {"a.example": "a family"})
    assert decision_pairs.target(texts, 1, 1) == (1, decision_pairs.UNSURE)
    assert decision_pairs.target(pages, 1, 1) == (0, decision_pairs.UNSURE)
    assert decision_pairs.target(pages, 2, 3) == (1, 1) and decision_pairs.target(pages, 0, 0) == (0, 1)
    assert decision_pairs.target(pages, 0, 2) == (0, decision_pairs.UNSURE)
    assert pages.family("http://a.example/1") == "web:a family" and pages.family("http://b.example/") == "web:b.example"


def main():
    programs = pathlib.Path(sys.argv[1])
    test_targets()
    with tempfile.TemporaryDirectory() as work:
        test_library_computes_the_table(test_models_of_folds(programs, pathlib.Path(work)))
    assert numpy.isfinite(shipped()).all()


if __name__ == "__main__":
    main()
