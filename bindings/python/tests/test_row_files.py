"""Files of rows: every kind into every other, folders of parts, standard input, and what is wrong with a file."""

import csv
import datetime
import gzip
import json
import subprocess
import sys

import ndc_dedup as ndc
import pytest
from ndc_dedup.files import dedup_file
from texts import edited, text

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as parquet  # noqa: E402

ROWS = [
    {"id": "007", "text": text(1)},
    {"id": "a,b", "text": text(2) + '\n"quoted", and more'},
    {"id": "c", "text": edited(1)},
    {"id": "d", "text": text(1)},
    {"id": "é", "text": ""},
]
VERDICTS = ["new", "new", "near", "exact", "no-text"]


def write(path, rows):
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    if kind == "parquet":
        parquet.write_table(pa.Table.from_pylist(rows), path)
        return path
    with (gzip.open if path.name.endswith(".gz") else open)(path, "wt", encoding="utf-8", newline="") as file:
        if kind == "csv":
            lines = csv.DictWriter(file, rows[0])
            lines.writeheader()
            lines.writerows(rows)
        else:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def read(path):
    if path.name.endswith(".parquet"):
        return parquet.read_table(path).to_pylist()
    with (gzip.open if path.name.endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file)) if ".csv" in path.name else [json.loads(line) for line in file]


@pytest.mark.parametrize("target", ["jsonl", "csv", "parquet", "csv.gz"])
@pytest.mark.parametrize("source", ["jsonl", "csv", "parquet", "csv.gz", "jsonl.gz"])
def test_every_kind_becomes_every_other(tmp_path, source, target):
    given = write(tmp_path / f"in.{source}", ROWS)
    counts = dedup_file(given, tmp_path / f"out.{target}")
    assert counts == {"new": 2, "near": 1, "exact": 1, "no-text": 1}
    out = read(tmp_path / f"out.{target}")
    assert [{"id": row["id"], "text": row["text"]} for row in out] == ROWS
    assert [row["ndc_verdict"] for row in out] == VERDICTS
    assert [str(row["ndc_group"]) for row in out] == ["1", "2", "1", "1", "5"]
    if target == "parquet":
        assert parquet.read_schema(tmp_path / "out.parquet").field("ndc_flags").type == pa.list_(pa.string())
    dedup_file(given, tmp_path / f"new.{target}", keep="new")
    assert [row["id"] for row in read(tmp_path / f"new.{target}")] == ["007", "a,b", "é"]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("target", ["jsonl", "parquet"])
def test_a_folder_of_parts_is_one_table(tmp_path, kind, target):
    folder = tmp_path / "a folder"
    folder.mkdir()
    for name in ("_SUCCESS", ".part-0.crc"):
        (folder / name).write_text("no rows")
    write(folder / f"part-1.{kind}", ROWS[2:])
    write(folder / f"part-0.{kind}", ROWS[:2])
    dedup_file(folder, tmp_path / f"out.{target}")
    assert [row["ndc_verdict"] for row in read(tmp_path / f"out.{target}")] == VERDICTS


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_rows_of_sites_wait_in_every_kind(tmp_path, kind):
    rows = [{"url": f"http://a.example/{n}", "text": f"{text(9)}\n\n{text(n)}"} for n in range(6)]
    folder = tmp_path / "parts"
    folder.mkdir()
    write(folder / f"0.{kind}", rows[:3])
    write(folder / f"1.{kind}", rows[3:])
    dedup_file(folder, tmp_path / "out.jsonl", url="url", own_text=True)
    assert [row["ndc_own_text"] for row in read(tmp_path / "out.jsonl")] == [text(n) for n in range(6)]


@pytest.mark.parametrize("target", ["jsonl", "csv", "parquet"])
def test_standard_input(tmp_path, target):
    given = write(tmp_path / ("in.csv" if target == "csv" else "in.jsonl"), ROWS)
    command = [sys.executable, "-m", "ndc_dedup", "dedup", "-", str(tmp_path / f"out.{target}"), "--quiet"]
    subprocess.run(command, input=given.read_bytes(), check=True)
    assert [row["ndc_verdict"] for row in read(tmp_path / f"out.{target}")] == VERDICTS


@pytest.mark.parametrize(
    ("name", "raw", "sentence"),
    [
        ("in.csv", b"id,text\n1,a,b\n", "in.csv:2: 3 cells, where the first line has 2"),
        ("in.csv", b'id,text\n1,"a', "in.csv:2: unexpected end of data"),
        ("in.csv", b"id,text\n1,\xff\n", "in.csv:"),
        ("in.csv", b"text,id,text\n1,a,b\n", "in.csv:1: two columns have one name: text, id, text"),
        ("in.jsonl", b'{"text": "\\ud800"}\n', "out.parquet: .*surrogates"),
        ("in.csv", b"id,body\n1,a\n", "no row of .*in.csv has 'text'"),
        ("in.jsonl", b'{"text": "a"}\n{"text": "b", "more": 1}\n', None),
        (
            "in.jsonl",
            b'{"text": "a", "n": 1}\n{"text": "b", "n": "x"}\n',
            "out.parquet: .*JSON lines may have such rows",
        ),
    ],
)
def test_what_is_wrong_is_named_and_leaves_nothing(tmp_path, name, raw, sentence):
    (tmp_path / name).write_bytes(raw)
    if sentence is None:  # among the first rows each may bring columns
        dedup_file(tmp_path / name, tmp_path / "out.parquet")
        assert [row["more"] for row in read(tmp_path / "out.parquet")] == [None, 1]
        return
    with pytest.raises(ndc.InvalidArgumentError, match=sentence):
        dedup_file(tmp_path / name, tmp_path / "out.parquet")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_column_that_comes_late_is_refused_where_it_has_no_place(tmp_path):
    given = write(tmp_path / "in.jsonl", [{"text": "a"}] * 1000 + [{"text": "b", "more": 1}])
    for target in ("out.parquet", "out.csv"):
        with pytest.raises(ndc.InvalidArgumentError, match="'more' comes first in a late row"):
            dedup_file(given, tmp_path / target)
    dedup_file(given, tmp_path / "out.jsonl")
    assert read(tmp_path / "out.jsonl")[-1]["more"] == 1


def test_values_that_another_kind_has_not(tmp_path):
    values = {"when": datetime.date(2026, 11, 29), "raw": b"bytes", "many": [1, 2], "is": True, "nothing": None}
    given = write(tmp_path / "in.parquet", [{"text": "a", **values}])
    for target, wanted in (
        ("out.jsonl", {"when": "2026-11-29", "raw": "bytes", "many": [1, 2], "is": True, "nothing": None}),
        ("out.csv", {"when": "2026-11-29", "raw": '"bytes"', "many": "[1, 2]", "is": "true", "nothing": ""}),
    ):
        dedup_file(given, tmp_path / target)
        (row,) = read(tmp_path / target)
        assert {name: row[name] for name in wanted} == wanted


def test_folders_that_are_none(tmp_path):
    with pytest.raises(ndc.InvalidArgumentError, match="parts of one kind.*not none of them"):
        dedup_file(tmp_path, tmp_path / "out.jsonl")
    write(tmp_path / "a.csv", ROWS)
    write(tmp_path / "b.jsonl", ROWS)
    with pytest.raises(ndc.InvalidArgumentError, match="not csv and jsonl"):
        dedup_file(tmp_path, tmp_path / "out.jsonl")
    (tmp_path / "a.csv").unlink()
    with pytest.raises(ndc.InvalidArgumentError, match="is one of the inputs"):
        dedup_file(tmp_path, tmp_path / "b.jsonl")
    parts = tmp_path / "parts"
    parts.mkdir()
    write(parts / "0.parquet", ROWS)
    write(parts / "1.parquet", [{"text": "a"}])
    with pytest.raises(ndc.InvalidArgumentError, match="1.parquet has other columns than"):
        dedup_file(parts, tmp_path / "out.parquet")


def test_texts_longer_than_a_cell_of_the_csv_module_and_a_mark_at_the_beginning(tmp_path):
    (tmp_path / "in.csv").write_bytes(b"\xef\xbb\xbftext\n" + b"word " * 40_000 + b"\n\n")
    dedup_file(tmp_path / "in.csv", tmp_path / "out.csv")
    (row,) = read(tmp_path / "out.csv")
    assert (len(row["text"]), row["ndc_verdict"]) == (200_000, "new")
