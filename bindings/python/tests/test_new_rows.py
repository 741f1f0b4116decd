"""keep="new" with a store: no row is known to the store and in no output."""

import json
import os
import signal
import subprocess
import sys

import ndc_dedup as ndc
import pytest
from ndc_dedup.files import dedup_file
from test_outputs import small_archive
from texts import text

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as parquet  # noqa: E402
from ndc_dedup.tables import dedup_batches, dedup_table  # noqa: E402

UNFINISHED = "an earlier run with the store .* did not finish"
ROWS = [{"id": number, "text": text(number)} for number in range(6)]


def put(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def ids(path):
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_after_a_failure_no_row_is_left_out_as_known(tmp_path):
    source, target, store = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "s"
    put(source, [*ROWS, ROWS[5]])
    with pytest.raises(ndc.InvalidArgumentError, match="as in an earlier row"):
        dedup_file(source, target, store=store, keep="new")
    put(source, ROWS)
    for _ in range(2):
        with pytest.raises(ndc.InvalidArgumentError, match=UNFINISHED):
            dedup_file(source, target, store=store, keep="new")
        assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "s"]
    with pytest.raises(ndc.InvalidArgumentError, match=UNFINISHED):
        dedup_table(pa.Table.from_pylist(ROWS), store=store, keep="new")
    dedup_file(source, target, store=store)
    assert ids(target) == list(range(6))
    dedup_file(source, target, store=tmp_path / "other", keep="new")
    assert ids(target) == list(range(6))


def test_a_failure_before_the_first_row_refuses_nothing(tmp_path):
    source, target, store = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "s"
    for wrong in (None, "no json\n"):
        if wrong is not None:
            source.write_text(wrong)
        with pytest.raises((OSError, ndc.InvalidArgumentError)):
            dedup_file(source, target, store=store, keep="new")
    put(source, ROWS)
    assert dedup_file(source, target, store=store, keep="new") == {"new": 6}


def test_after_a_kill_too(tmp_path):
    put(tmp_path / "in.jsonl", ROWS * 500)
    program = (
        "import os, signal, sys\n"
        "from ndc_dedup.files import dedup_file\n"
        "dedup_file('in.jsonl', 'out.jsonl', id=None, store='s', keep='new',\n"
        "           progress=lambda rows: os.kill(os.getpid(), signal.SIGKILL))\n"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=tmp_path).returncode == -signal.SIGKILL
    with pytest.raises(ndc.InvalidArgumentError, match=UNFINISHED):
        dedup_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", id=None, store=tmp_path / "s", keep="new")


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "warc"])
def test_a_second_run_does_not_replace_the_rows_of_the_first(tmp_path, kind, monkeypatch):
    source, store = tmp_path / f"in.{kind}", tmp_path / "s"
    target = tmp_path / ("out.tsv" if kind == "warc" else f"out.{kind}")
    if kind == "jsonl":
        put(source, ROWS)
    elif kind == "parquet":
        parquet.write_table(pa.Table.from_pylist(ROWS), source)
    else:
        source.write_bytes(small_archive())
    dedup_file(source, target, store=store, keep="new")
    content = target.read_bytes()
    monkeypatch.chdir(tmp_path)
    for name in (target, target.name):
        with pytest.raises(ndc.InvalidArgumentError, match="give the output another name"):
            dedup_file(source, name, store=store, keep="new")
    assert target.read_bytes() == content
    second = dedup_file(source, tmp_path / f"second{target.suffix}", store=store, keep="new")
    assert second["unchanged"] == sum(second.values()) - second["kept_others"] > 0
    # Where all rows stay, nothing is lost by replacing them.
    dedup_file(source, target, store=store)


def test_an_output_that_cannot_be_written_to_its_end(tmp_path):
    parquet.write_table(pa.Table.from_pylist(ROWS), tmp_path / "in.parquet")
    (tmp_path / "full.parquet").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        dedup_file(tmp_path / "in.parquet", tmp_path / "full.parquet", store=tmp_path / "s", keep="new")
    with pytest.raises(ndc.InvalidArgumentError, match=UNFINISHED):
        dedup_file(tmp_path / "in.parquet", tmp_path / "out.parquet", store=tmp_path / "s", keep="new")


def test_batches_that_are_not_read_to_the_end(tmp_path):
    table = pa.Table.from_pylist(ROWS)

    def batches(**more):
        return dedup_batches(table.to_reader(max_chunksize=2), store=tmp_path / "s", **more)

    assert batches(keep="new").read_all().num_rows == 6
    assert batches(keep="new").read_all().num_rows == 0
    reader = batches(keep="new")
    reader.read_next_batch()
    reader.close()
    del reader
    with pytest.raises(ndc.InvalidArgumentError, match=UNFINISHED):
        batches(keep="new")
    assert batches().read_all().num_rows == 6
