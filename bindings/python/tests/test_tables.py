"""Tables of texts: every library's, every type of column, batches."""

import gc
import json
import os
import subprocess
import sys
import threading
from collections import Counter

import ndc_dedup as ndc
import pytest
from ndc_dedup.__main__ import _summary
from texts import edited, text

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as parquet  # noqa: E402
from ndc_dedup.tables import dedup_batches, dedup_table  # noqa: E402

TEXTS = [text(1), None, edited(1), text(2), text(1), ""]
VERDICTS = ["new", None, "near", "new", "exact", "no-text"]
TABLE = pa.table({"id": pa.array([10, 20, 30, 40, 50, 60]), "text": TEXTS})


def verdicts(table):
    return table.column("ndc_verdict").to_pylist()


def test_six_columns_more():
    out = dedup_table(TABLE)
    verdict_columns = "ndc_group ndc_verdict ndc_resemblance ndc_probability ndc_related_group ndc_flags"
    assert out.schema.names == ["id", "text", *verdict_columns.split()]
    assert out.select(["id", "text"]) == TABLE
    assert verdicts(out) == VERDICTS
    assert out["ndc_group"].to_pylist() == [1, None, 1, 3, 1, 5]
    resemblances = out["ndc_resemblance"].to_pylist()
    assert resemblances[2] > 0.9 and resemblances[4] == 1 and resemblances[0] is resemblances[1] is None
    probabilities = out["ndc_probability"].to_pylist()
    assert probabilities[2] > 0.5 and probabilities[4] == 1 and probabilities[1] is None
    assert probabilities[0] == probabilities[3] == probabilities[5] == 0
    assert out["ndc_related_group"].to_pylist() == [None] * 6
    assert out["ndc_flags"].to_pylist() == [[], None, [], [], [], []]
    assert ndc.dedup_table is dedup_table


BASE = text(1, 600)
WHOLE = BASE + " " + text(2, 200)
PARTS = pa.table({"text": [BASE, WHOLE, text(3, 600), text(1, 460), BASE, WHOLE, edited(1, 600)]})


def test_parts_stay_unless_they_are_left_out_on_request():
    out = dedup_table(PARTS)
    assert verdicts(out) == ["new", "near", "new", "near", "exact", "exact", "near"]
    assert out["ndc_flags"].to_pylist() == [[], ["contains"], [], ["contained"], [], [], []]
    counts = Counter()
    new = dedup_table(PARTS, keep="new", counts=counts)
    # Of the second copy of the whole nothing is lost: it equals the first one, which stays.
    assert new["text"].to_pylist() == PARTS["text"].to_pylist()[:4]
    assert new["ndc_flags"].to_pylist() == [[], ["contains"], [], ["contained"]]
    assert counts == {"new": 2, "near": 3, "exact": 2, "kept_parts": 2}
    counts = Counter()
    assert len(dedup_table(PARTS, keep="new", leave_out_parts=True, counts=counts)) == 2
    assert counts == {"new": 2, "near": 3, "exact": 2}
    with pytest.raises(ndc.InvalidArgumentError, match="keep has to be all or new, not 'newest'"):
        dedup_table(PARTS, keep="newest")


def test_a_row_whose_founder_is_gone_stays():
    with ndc.NearDuplicates(block_weights="none") as engine:
        founder = engine.check("id:0", BASE, "text/plain")
        assert engine.check("id:1", BASE, "text/plain").matched_page_id == founder.page_id
        assert engine.remove("id:0")
        counts = Counter()
        rows = pa.table({"text": [edited(1, 600), BASE]})
        out = dedup_table(rows, engine=engine, keep="new", counts=counts)
        assert out["ndc_group"].to_pylist() == [founder.group_id] * 2 and counts["kept_others"] == 2


def test_threads_leave_the_same_out():
    assert len(dedup_table(PARTS, keep="new", threads=3)) in (3, 4)


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.binary(),
        pa.large_binary(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.string_view(),
    ],
    ids=str,
)
def test_every_type_of_text(kind):
    table = TABLE.set_column(1, "text", pa.chunked_array([pa.array(TEXTS).cast(kind)]))
    assert verdicts(dedup_table(table)) == VERDICTS


def test_nothing_but_nulls():
    assert verdicts(dedup_table(pa.table({"text": pa.nulls(3)}))) == [None] * 3
    assert dedup_table(TABLE.slice(0, 0)).num_rows == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"text": "body"}, "no column 'body'; its columns are 'id', 'text'"),
        ({"text": "id"}, "column 'id' has to be strings, not int64"),
        ({"id": "key"}, "no column 'key'"),
        ({"url": "id"}, "column 'id' has to be strings, not int"),
        ({"threads": 0}, "threads has to be"),
        ({"threads": True}, "threads has to be"),
        ({"relaxd": "true"}, 'nearest is "x_relaxed"'),
    ],
)
def test_wrong_columns_and_arguments(arguments, sentence):
    with pytest.raises(ndc.InvalidArgumentError, match=sentence):
        dedup_table(TABLE, **arguments)
    gc.collect()


def test_wrong_tables():
    for table in (None, "table.parquet", [{"text": "a"}], 7):
        with pytest.raises(TypeError, match="a table has to be"):
            dedup_table(table)
    twice = pa.Table.from_arrays([pa.array(["a"])] * 2, names=["text", "text"])
    with pytest.raises(ndc.InvalidArgumentError, match="2 columns 'text'"):
        dedup_table(twice)
    with pytest.raises(ndc.InvalidArgumentError, match="numbers or strings"):
        dedup_table(pa.table({"id": [[1]], "text": ["a"]}))


def test_ids_and_urls_identify():
    table = pa.table({"id": [1, 2, None, None], "text": [text(1), text(2), text(2), text(2)]})
    assert verdicts(dedup_table(table)) == ["new", "new", "exact", "exact"]
    assert verdicts(dedup_table(pa.table({"text": [text(1)] * 2}))) == ["new", "exact"]
    assert verdicts(dedup_table(pa.table({"id": [1, 1], "text": [text(1)] * 2}), id=None)) == ["new", "exact"]
    with ndc.NearDuplicates() as engine:
        urls = pa.table({"u": ["http://a.example/", None], "text": [text(1)] * 2})
        dedup_table(urls, url="u", engine=engine)
        assert "http://a.example/" in engine and len(engine) == 2


def test_a_url_is_no_id():
    table = pa.table({"id": [1, None], "u": [None, "id:1"], "text": [text(1), text(2)]})
    for urls in (table["u"], table["u"].cast(pa.binary())):
        with pytest.raises(ndc.InvalidArgumentError, match="^row 1, counted from 0: b?'id:1' is no URL"):
            dedup_table(table.set_column(1, "u", urls), url="u")


def test_plain_text_has_no_frame():
    """Documents that share their first and last paragraph stay apart by what is between, and no paragraph is taken for
    boilerplate."""
    licence = text(1000, 60)
    rows = [f"{licence}\n\n{text(seed, 200)}\n\n{licence}" for seed in range(40)]
    with ndc.NearDuplicates(block_weights="none") as engine:
        out = dedup_table(pa.table({"id": [f"http://a.example/{n}" for n in range(40)], "text": rows}), engine=engine)
        assert verdicts(out) == ["new"] * 40
    code = "def f(x):\n    return x\n\n" * 2 + "f(7)"
    for body in (rows[0], code):
        blocks = ndc.extract(body, "text/plain", block_weights="none")["blocks"]
        assert len(blocks) == 3 and {block["weight"] for block in blocks} == {1}
    assert verdicts(dedup_table(pa.table({"text": [code * 9, code * 9 + "\n\nprint(9)"]}))) == ["new", "near"]
    markup = "<nav>a &amp; b</nav> " + text(3)
    assert "<nav>" in ndc.extract(markup, "text/plain")["blocks"][0]["text"]


def test_html_is_read_as_html():
    pages = pa.table({"text": [f"<meta charset=latin1><nav>Menü {n}</nav><p>{text(1)}" for n in range(2)]})
    assert verdicts(dedup_table(pages, content_type="text/html")) in (["new", "exact"], ["new", "near"])


def test_polars_and_pandas_come_back_as_they_are():
    polars = pytest.importorskip("polars")
    out = dedup_table(polars.from_arrow(TABLE))
    assert isinstance(out, polars.DataFrame) and out["ndc_verdict"].to_list() == VERDICTS
    pandas = pytest.importorskip("pandas")
    frame = TABLE.to_pandas().set_index("id")
    out = dedup_table(frame)
    assert isinstance(out, pandas.DataFrame) and list(out.index) == [10, 20, 30, 40, 50, 60]
    assert [None if pandas.isna(value) else value for value in out["ndc_verdict"]] == VERDICTS


class Stream:
    def __arrow_c_stream__(self, requested_schema=None):
        return TABLE.__arrow_c_stream__(requested_schema)


class Dataset:
    """What dedup_table asks of a datasets.Dataset."""

    class features:
        arrow_schema = TABLE.schema

    def with_format(self, name):
        assert name == "arrow"
        return self

    def iter(self, batch_size):
        yield from (TABLE.slice(begin, 2) for begin in range(0, 6, 2))


def test_columns_and_lazy_frames_come_back_as_frames():
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    for column, kind in (
        (polars.Series("whatever", TEXTS), polars.DataFrame),
        (pandas.Series(TEXTS, index=list("abcdef")), pandas.DataFrame),
        (pa.array(TEXTS), pa.Table),
        (pa.chunked_array([TEXTS[:1], TEXTS[1:]]), pa.Table),
    ):
        out = dedup_table(column, "body")
        assert type(out) is kind and list(getattr(out, "column_names", out.columns))[:2] == ["body", "ndc_group"]
        assert [None if value != value else value for value in listed(out["ndc_verdict"])] == VERDICTS
    assert list(dedup_table(pandas.Series(TEXTS, index=list("abcdef"))).index) == list("abcdef")
    out = dedup_table(polars.from_arrow(TABLE).lazy().filter(polars.col("id") > 10), keep="new")
    assert isinstance(out, polars.LazyFrame) and out.collect()["id"].to_list() == [20, 30, 40, 60]


def listed(column):
    return column.to_pylist() if hasattr(column, "to_pylist") else list(column)


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_rows_without_an_id_or_a_text_are_rows(library):
    frame = pytest.importorskip(library).DataFrame
    out = dedup_table(frame({"id": [7, None, None, 8], "text": [text(1), text(1), None, None]}))
    groups = [
        None if value is None or value != value else int(value)
        for value in (None if str(group) == "<NA>" else group for group in out["ndc_group"])
    ]
    assert groups == [1, 1, None, None] and len(out) == 4
    if library == "pandas":
        assert str(out["ndc_group"].dtype) == str(out["ndc_related_group"].dtype) == "Int64"


def test_other_sources():
    for source in (Stream(), Dataset(), TABLE.to_batches()[0]):
        assert verdicts(dedup_table(source)) == VERDICTS


def test_a_second_run_replaces_the_columns():
    assert dedup_table(dedup_table(TABLE)).schema.names == dedup_table(TABLE).schema.names


def test_metadata_stays():
    table = TABLE.replace_schema_metadata({"source": "here"})
    assert dedup_table(table).schema.metadata == {b"source": b"here"}


def test_threads_give_the_same_counts():
    table = pa.table({"text": [text(seed % 50, 600) for seed in range(500)]})
    alone, together = (dedup_table(table, threads=threads) for threads in (1, 3))
    assert sorted(verdicts(alone)) == sorted(verdicts(together)) == ["exact"] * 450 + ["new"] * 50
    assert alone["text"] == together["text"]


def test_threads_check_texts_that_are_long_enough():
    class Watched(ndc.NearDuplicates):
        def check(self, *page):
            threads.add(threading.get_ident())
            return super().check(*page)

    for words, is_here in ((60, True), (600, False)):
        threads = set()
        with Watched(block_weights="none") as engine:
            dedup_table(pa.table({"text": [text(seed, words) for seed in range(200)]}), engine=engine, threads=2)
        assert (threads == {threading.get_ident()}) == is_here


def test_batches_are_checked_as_they_are_read():
    taken = []

    def source():
        for batch in TABLE.to_batches(max_chunksize=2):
            taken.append(batch.num_rows)
            yield batch

    rows = []
    out = dedup_batches(pa.RecordBatchReader.from_batches(TABLE.schema, source()), progress=rows.append)
    assert taken == []
    assert out.read_next_batch().num_rows == 2 and taken == [2]
    assert out.read_all().num_rows == 4 and rows == [2, 2, 2]


def test_an_engine_of_the_caller(tmp_path):
    with ndc.NearDuplicates(tmp_path / "s", block_weights="none") as engine:
        dedup_table(TABLE, engine=engine)
        assert verdicts(dedup_table(TABLE, engine=engine))[0] == "unchanged"
        with pytest.raises(ndc.InvalidArgumentError, match="already"):
            dedup_table(TABLE, engine=engine, store="x")
    assert verdicts(dedup_table(TABLE, store=tmp_path / "s"))[0] == "unchanged"


def test_memory_does_not_grow_with_the_rows():
    """A stream of 60 MB of which nothing is new: only a batch is held."""
    program = """
import os, sys, pyarrow as pa
from ndc_dedup.tables import dedup_batches
sys.path.insert(0, sys.argv[1])
from texts import text
words = [text(seed, 900) for seed in range(20)]
urls = [f"http://a.example/{n}" for n in range(500)]
batch = pa.record_batch({"url": urls, "text": [words[n % 20] for n in range(500)]})
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
sizes = []
def source():
    for _ in range(24):
        sizes.append(resident())
        yield batch
rows = sum(out.num_rows for out in dedup_batches(pa.RecordBatchReader.from_batches(batch.schema, source()), url="url"))
assert rows == 12000
print(sizes[-1] - sizes[4])
"""
    out = subprocess.run(
        [sys.executable, "-c", program, os.path.dirname(__file__)], capture_output=True, text=True, check=True
    ).stdout
    assert int(out) < 16 << 20


def run(*arguments, expected=0):
    done = subprocess.run([sys.executable, "-m", "ndc_dedup", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == expected, done.stderr
    return done.stderr


def test_parquet_files(tmp_path):
    parquet.write_table(TABLE, tmp_path / "in.parquet")
    summary = run("dedup", tmp_path / "in.parquet", tmp_path / "out.parquet", "--text-column", "text")
    assert summary == "ndc: 6 rows: 1 exact, 1 near, 2 new, 1 no-text, 1 null\n"
    assert verdicts(parquet.read_table(tmp_path / "out.parquet")) == VERDICTS
    assert (
        run("dedup", tmp_path / "in.parquet", tmp_path / "new.parquet", "--keep", "new", "--quiet", "--threads", 2)
        == ""
    )
    assert parquet.read_table(tmp_path / "new.parquet")["id"].to_pylist() == [10, 20, 40, 60]
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "new.parquet", "out.parquet"]


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_files_keep_parts(tmp_path, suffix):
    source, target = tmp_path / f"in{suffix}", tmp_path / f"out{suffix}"

    def rows():
        return (
            parquet.read_table(target).to_pylist()
            if suffix == ".parquet"
            else [json.loads(line) for line in target.read_text().splitlines()]
        )

    if suffix == ".parquet":
        parquet.write_table(PARTS, source)
    else:
        source.write_text("".join(json.dumps(row) + "\n" for row in PARTS.to_pylist()))
    summary = run("dedup", source, target, "--keep", "new")
    assert summary == "ndc: 7 rows: 2 exact, 3 near, 2 new; also kept: 2 with much more or less text\n"
    assert rows() == dedup_table(PARTS, keep="new").to_pylist()
    assert [row["ndc_flags"] for row in rows()] == [[], ["contains"], [], ["contained"]]
    summary = run("dedup", source, target, "--keep", "new", "--leave-out-parts")
    assert summary == "ndc: 7 rows: 2 exact, 3 near, 2 new\n"
    assert len(rows()) == 2


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_json_lines(tmp_path, suffix):
    import gzip

    open_file = gzip.open if suffix.endswith(".gz") else open
    with open_file(tmp_path / f"in{suffix}", "wt", encoding="utf-8") as file:
        for row in TABLE.to_pylist():
            file.write(json.dumps(row, ensure_ascii=False) + "\n\n")
    run("dedup", tmp_path / f"in{suffix}", tmp_path / f"out{suffix}")
    with open_file(tmp_path / f"out{suffix}", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert rows == dedup_table(TABLE).to_pylist()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("[1]", "in.jsonl:2: a line has to be an object, not list"),
        ('{"text": 7}', "in.jsonl:2: 'text' has to be a string, not int"),
        ('{"text": "a", "id": []}', "in.jsonl:2: 'id' has to be a number or a string, not list"),
        ("{", "in.jsonl:2: "),
        ("[" * 100_000, "in.jsonl:2: "),
    ],
)
def test_wrong_lines_are_named_and_nothing_is_left(tmp_path, line, sentence):
    (tmp_path / "in.jsonl").write_text('{"text": "good"}\n' + line + "\n")
    assert sentence in run("dedup", tmp_path / "in.jsonl", tmp_path / "out.jsonl", expected=1)
    assert os.listdir(tmp_path) == ["in.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--text-column", "body"), "has 'body'"),
        (("--id-column", "key", "--url-column", "address"), "has 'address', 'key'"),
    ],
)
def test_a_member_that_no_line_has_is_named(tmp_path, arguments, sentence):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"text": "a"}\n{"text": null}\n')
    assert run("dedup", source, target, *arguments, expected=1) == f"ndc: no row of {source} {sentence}\n"
    assert os.listdir(tmp_path) == ["in.jsonl"]
    source.write_text('{"text": "a"}\n{"body": "a", "key": 1, "address": null}\n')
    run("dedup", source, target, *arguments)
    assert len(target.read_text().splitlines()) == 2
    source.write_text("")
    run("dedup", source, target, *arguments)
    assert target.read_bytes() == b""


def test_lone_surrogates_do_not_stop_it(tmp_path):
    (tmp_path / "in.jsonl").write_text('{"text": "\\ud800 good", "title": "\\udfff"}\n')
    run("dedup", tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text())["ndc_verdict"] == "new"


def test_wrong_files(tmp_path):
    parquet.write_table(TABLE, tmp_path / "in.parquet")
    for arguments, sentence in (
        ((tmp_path / "no.parquet", tmp_path / "out.parquet"), "no.parquet"),
        ((tmp_path / "in.parquet", tmp_path / "in.parquet"), "is one of the inputs"),
        ((tmp_path / "in.parquet", tmp_path / "out.txt"), "become one of these"),
        ((tmp_path / "in.parquet", tmp_path / "no/out.parquet"), "no/out.parquet"),
        ((tmp_path / "in.parquet", tmp_path / "out.parquet", "--option", "relaxd=true"), 'nearest is "x_relaxed"'),
        ((tmp_path / "in.parquet", tmp_path / "out.parquet", "--text-column", "body"), "no column 'body'"),
    ):
        assert sentence in run("dedup", *arguments, expected=1)
    run("dedup", tmp_path / "in.parquet", tmp_path / "o.parquet", "--option", "relaxed", expected=2)
    (tmp_path / "in.jsonl").write_bytes(b"PAR1")
    os.rename(tmp_path / "in.jsonl", tmp_path / "broken.parquet")
    assert "ndc: " in run("dedup", tmp_path / "broken.parquet", tmp_path / "out.parquet", expected=1)
    assert not (tmp_path / "out.parquet").exists()


ROWS = [
    {
        "url": "http://a.example/",
        "group_id": 1,
        "verdict": "new",
        "representative": None,
        "resemblance": None,
        "page_id": 1,
    },
    {
        "url": "http://b.example/é",
        "group_id": 1,
        "verdict": "near",
        "representative": "http://a.example/",
        "resemblance": 0.75,
        "page_id": 2,
    },
]


def test_rows_of_the_program_become_parquet(tmp_path):
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    (tmp_path / "rows.jsonl").write_text(lines)
    assert run("to-parquet", tmp_path / "rows.jsonl", tmp_path / "rows.parquet") == "ndc: 2 rows\n"
    table = parquet.read_table(tmp_path / "rows.parquet")
    assert table.to_pylist() == ROWS
    assert table.schema.types == [pa.string(), pa.uint64(), pa.string(), pa.string(), pa.float64(), pa.uint64()]
    done = subprocess.run(
        [sys.executable, "-m", "ndc_dedup", "to-parquet", "-", str(tmp_path / "in.parquet"), "--quiet"],
        input=lines.encode(),
    )
    assert done.returncode == 0 and parquet.read_table(tmp_path / "in.parquet").equals(table)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"url": "x"}', "rows of several kinds"),
        ("{", "rows.jsonl:3: "),
        (json.dumps({**ROWS[0], "group_id": -1}), "rows.jsonl: "),
        (json.dumps({**ROWS[0], "page_id": "one"}), "rows.jsonl: "),
    ],
)
def test_rows_that_are_none_leave_nothing(tmp_path, line, sentence):
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS) + line + "\n")
    assert sentence in run("to-parquet", tmp_path / "rows.jsonl", tmp_path / "rows.parquet", expected=1)
    (tmp_path / "other.jsonl").write_text('{"title": "x"}\n')
    assert "'title' is no name" in run("to-parquet", tmp_path / "other.jsonl", tmp_path / "rows.parquet", expected=1)
    assert sorted(os.listdir(tmp_path)) == ["other.jsonl", "rows.jsonl"]


def test_the_summary_names_what_is_kept_as_the_program_does():
    counts = Counter(new=2, near=5, kept_others=3, kept_parts=1)
    assert _summary(counts) == "ndc: 7 rows: 5 near, 2 new; also kept: 3 other documents, 1 with much more or less text"
