#!/usr/bin/env python3
"""The command line, Spark and Python read the same inputs alike: each case of record_cases.py and page_cases.py against
its line of expected.tsv, and warcio's count of its records.

usage: cases_test.py PATH_OF_NDC BUILD_FOLDER JAVA [unittest arguments]
       cases_test.py PATH_OF_NDC BUILD_FOLDER JAVA --write   (prints the table as all read now; judge each line of it)

A reader that is not there is left out, and its tests are skipped. JAVA may be "".
"""
import importlib
import os
import sys
import tempfile
import unittest

import case_readers

HERE = os.path.dirname(os.path.abspath(__file__))
FIELDS = ("case", "pages", "damaged", "counted", "records", "warcio", "spark", "python", "why")
SAME = "="
NOTHING = "-"
# What the others are made for, by the ends of names.
READS = {
    "warcio": (".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz"),
    "spark": ("",),
    "python": (".warc", ".warc.gz", ".arc", ".arc.gz"),
}
NDC = BUILD = JAVA = ""
FOLDER, NAMES = None, []


def expected():
    """The table: case, its fields by name, those in full that are as the command's."""
    rows = {}
    with open(os.path.join(HERE, "expected.tsv"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            fields = line.rstrip("\n").split("\t")
            if len(fields) != len(FIELDS):
                raise ValueError("expected.tsv has a line of %d fields: %s" % (len(fields), line))
            row = dict(zip(FIELDS, fields))
            same = as_others(row)
            row.update((column, same[column]) for column in same if row[column] == SAME)
            rows[fields[0]] = row
    return rows


def as_others(row):
    """What a row says if the others read as the command does."""
    pages = row["pages"] + ("" if row["damaged"] == "0" else " !")
    return {"warcio": row["records"], "spark": pages, "python": pages}


def with_damage(read):
    """As the columns of Spark and Python have it: the pages, and "!" if something is reported."""
    return (" ".join(read.pages) or NOTHING) + (" !" if read.damaged else "")


def command_fields(name):
    read = case_readers.by_command(NDC, path_of(name))
    counts = " ".join("%s=%d" % pair for pair in sorted(read.counts.items()))
    return {
        "pages": " ".join(read.pages) or NOTHING,
        "damaged": str(read.damaged),
        "counted": counts or NOTHING,
        "records": NOTHING if read.records is None else str(read.records),
    }


def python_fields(name):
    return {"python": with_damage(case_readers.by_python(path_of(name)))}


def warcio_fields(name):
    return {"warcio": case_readers.by_warcio(path_of(name))}


def is_there(module):
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def spark_is_there():
    return bool(JAVA) and os.path.exists(os.path.join(BUILD, "java", "ndc-spark", "test-classpath"))


def read_by(column):
    return [name for name in NAMES if name.endswith(READS[column])]


def path_of(name):
    return os.path.join(FOLDER.name, name)


class CasesTest(unittest.TestCase):
    maxDiff = None

    def each(self, names, seen):
        """Holds what is `seen` of cases against the table; names all that differ at once."""
        rows, wrong = expected(), []
        for name in names:
            for column, found in seen(name).items():
                if found != rows[name][column]:
                    wrong.append("%s: %s %s, not %s" % (name, column, found, rows[name][column]))
        self.assertFalse(wrong, "\n" + "\n".join(wrong))

    def test_the_table_has_each_case_and_says_why(self):
        rows = expected()
        self.assertEqual(list(rows), NAMES)
        for name, row in rows.items():
            same = as_others(row)
            differs = any(row[column] not in (same[column], NOTHING) for column in same)
            self.assertEqual(differs, row["why"] != "", name)
            for column in same:
                if name not in read_by(column):
                    self.assertEqual(row[column], NOTHING, name)

    def test_the_command(self):
        self.each(NAMES, command_fields)

    @unittest.skipUnless(is_there("warcio"), "warcio is not installed")
    def test_warcio(self):
        self.each(read_by("warcio"), warcio_fields)

    @unittest.skipUnless(is_there("ndc_dedup") and is_there("warcio"), "the Python package or warcio is not there")
    def test_python(self):
        self.each(read_by("python"), python_fields)

    def test_spark(self):
        if not spark_is_there():
            self.skipTest("Spark's module is not built")
        read = case_readers.by_spark(JAVA, BUILD, FOLDER.name)
        self.assertEqual(sorted(read), sorted(read_by("spark")))
        self.each(read_by("spark"), lambda name: {"spark": with_damage(read[name])})


def write():
    spark = case_readers.by_spark(JAVA, BUILD, FOLDER.name)
    try:
        rows = expected()
    except FileNotFoundError:
        rows = {}
    print("#" + "\t".join(FIELDS))
    for name in NAMES:
        row = {"case": name, "why": rows.get(name, {}).get("why", ""), **command_fields(name)}
        row["spark"] = with_damage(spark[name]) if name in spark else NOTHING
        for column, fields in (("warcio", warcio_fields), ("python", python_fields)):
            row.update(fields(name) if name in read_by(column) else {column: NOTHING})
        same = as_others(row)
        row.update((column, SAME) for column in same if row[column] == same[column])
        print("\t".join(row[field] for field in FIELDS))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    NDC, BUILD, JAVA = (sys.argv.pop(1) for _ in range(3))
    FOLDER = tempfile.TemporaryDirectory()
    NAMES = case_readers.write(FOLDER.name)
    with FOLDER:
        if sys.argv[1:] == ["--write"]:
            write()
        else:
            unittest.main()
