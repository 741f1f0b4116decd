"""Decided by the whole input: pages of one site whose first answers are others than those at the end."""

import json
import logging
import os
import random
import subprocess
import sys
import threading
from collections import Counter
from io import BytesIO

import ndc_dedup as ndc
import pytest
from ndc_dedup import Verdict
from ndc_dedup.files import dedup_file
from texts import edited, text

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as parquet  # noqa: E402
from ndc_dedup.tables import dedup_batches, dedup_table  # noqa: E402

FRAME = text(900, 150)
HTML = "text/html"


def page(number, own=None):
    """A page that shares a long text with all others of its site, and little else is on it."""
    own = text(number, 12) if own is None else own
    return f"<title>Station {number}</title><p>{FRAME}</p><p>{own}</p>"


def url(number):
    return f"http://stations.example/{number}"


STATIONS = [(url(number), page(number)) for number in range(12)]
ROWS = [{"url": address, "text": body} for address, body in STATIONS]
# Two articles of the same site, each with an edited copy.
ARTICLES = [
    {"url": url(f"{seed}/{name}"), "text": f"<title>Tour {seed}</title><p>{FRAME}</p><p>{body(seed, 400)}</p>"}
    for seed in (50, 51)
    for name, body in (("first", text), ("copy", edited))
]
TABLE = pa.Table.from_pylist(ROWS + ARTICLES)
SITE = {"url": "url", "content_type": HTML}


def groups(rows, group="ndc_group"):
    """The URLs of each group that has more than one."""
    out = {}
    for row in rows:
        out.setdefault(row[group], set()).add(row["url"])
    return {frozenset(urls) for urls in out.values() if len(urls) > 1}


COPIES = {frozenset({url(f"{seed}/first"), url(f"{seed}/copy")}) for seed in (50, 51)}
STRANGERS = frozenset({url(0), url(1)})  # joined as they come: nothing tells yet what the site's own text is


def as_they_come(**more):
    return dedup_batches(TABLE.to_reader(max_chunksize=4), **SITE, **more)


# NearDuplicates.settle


def test_first_answers_are_replaced_and_ids_stay():
    with ndc.NearDuplicates() as engine:
        first = [engine.check(address, body, HTML) for address, body in STATIONS]
        assert (first[1].verdict, first[1].group_id) == (Verdict.NEAR, 1)
        settled = list(engine.settle())
        assert [address for address, _ in settled] == [address for address, _ in STATIONS]
        assert [answer.page_id for _, answer in settled] == [answer.page_id for answer in first]
        assert [answer.group_id for _, answer in settled] == [answer.page_id for answer in first]
        assert (settled[1][1].verdict, settled[1][1].related_group_id) == (Verdict.NEW, 1)
        for address, answer in settled:
            known = engine.find(address)
            assert (known.verdict, known.group_id) == (answer.verdict, answer.group_id)
            assert (known.probability, known.related_group_id) == (answer.probability, answer.related_group_id)
        (event,) = engine.events()
        assert (event.kind, event.page_id, event.old_group_id, event.new_group_id) == ("regrouped", 2, 1, 2)
        again = engine.check(*STATIONS[1], HTML)
        assert (again.verdict, again.page_id, again.group_id) == (Verdict.UNCHANGED, 2, 2)
        assert list(engine.settle()) == settled


def test_pages_without_url_or_with_one_of_bytes_come_with_it():
    with ndc.NearDuplicates() as engine:
        engine.check(None, page(1))
        engine.check(b"http://a.example/\xff", page(2))
        assert [address for address, _ in engine.settle()] == ["", "http://a.example/\udcff"]


@pytest.mark.parametrize("options", [{"decision": "report"}, {"detector": "simhash64", "decide": "method"}])
def test_where_no_site_is_asked_the_answers_stand(options):
    with ndc.NearDuplicates(**options) as engine:
        first = [engine.check(address, body, HTML) for address, body in STATIONS]
        assert list(engine.settle()) == []
        assert [engine.find(address).group_id for address, _ in STATIONS] == [answer.group_id for answer in first]


def test_a_store_is_refused_and_so_is_a_closed_engine(tmp_path):
    with ndc.NearDuplicates(tmp_path / "s") as engine:
        engine.check(*STATIONS[0], HTML)
        with pytest.raises(ndc.InvalidArgumentError, match="store"):
            engine.settle()
        assert len(engine) == 1
    with pytest.raises(ndc.ClosedError):
        engine.settle()


def test_what_is_done_does_not_wait_for_the_answers_to_be_read():
    with ndc.NearDuplicates() as engine:
        for address, body in STATIONS:
            engine.check(address, body, HTML)
        settled = engine.settle()
        assert engine.find(url(1)).group_id == 2
    assert len(list(settled)) == len(STATIONS)


# Tables


def test_tables_are_decided_by_all_their_rows():
    out = dedup_table(TABLE, **SITE).to_pylist()
    assert groups(out) == COPIES
    assert [row["url"] for row in out] == TABLE["url"].to_pylist()
    assert [row["ndc_verdict"] for row in out] == ["new"] * 13 + ["near", "new", "near"]
    assert out[1]["ndc_probability"] < 0.5 and out[1]["ndc_related_group"] == 1
    assert STRANGERS in groups(as_they_come().read_all().to_pylist())


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_rows_does_not_decide_their_groups(seed):
    rows = TABLE.to_pylist()
    random.Random(seed).shuffle(rows)
    assert groups(dedup_table(pa.Table.from_pylist(rows), **SITE).to_pylist()) == COPIES


def test_the_own_text_is_by_all_rows(tmp_path):
    own = dedup_table(TABLE, **SITE, own_text=True)
    assert own.column_names[-1] == "ndc_own_text"
    assert own.drop(["ndc_own_text"]).equals(dedup_table(TABLE, **SITE))
    texts = own["ndc_own_text"].to_pylist()
    assert texts[:12] == [text(number, 12) for number in range(12)]
    # Answered as they come, the first rows still have what nothing is known of.
    stream = dedup_batches(TABLE.to_reader(), **SITE, own_text=True).read_all()["ndc_own_text"].to_pylist()
    assert stream[0].startswith(FRAME) and stream[11] == text(11, 12)
    for name, write in (("rows.parquet", parquet.write_table), ("rows.jsonl", write_lines)):
        source, target = tmp_path / name, tmp_path / f"own-{name}"
        write(TABLE, source)
        dedup_file(source, target, **SITE, own_text=True)
        rows = parquet.read_table(target) if name.endswith("parquet") else pa.Table.from_pylist(read_lines(target))
        assert rows["ndc_own_text"].to_pylist() == texts, name
    with pytest.raises(ndc.InvalidArgumentError, match="own_text"):
        dedup_file(tmp_path / "a.warc", tmp_path / "a.jsonl", own_text=True)


def write_lines(table, path):
    path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()), encoding="utf-8")


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_same_input_gives_the_same_rows():
    assert dedup_table(TABLE, **SITE) == dedup_table(TABLE, **SITE)


def test_all_sources_that_can_be_read_again(tmp_path):
    wanted = dedup_table(TABLE, **SITE).to_pylist()

    class Dataset:
        class features:
            arrow_schema = TABLE.schema

        def __len__(self):
            return len(TABLE)

        def with_format(self, name):
            return self

        def iter(self, batch_size):
            yield from (TABLE.slice(begin, 3) for begin in range(0, len(TABLE), 3))

    class IterableDataset:  # it may give other rows the second time
        features = Dataset.features
        with_format = Dataset.with_format
        opened = 0

        def iter(self, batch_size):
            self.opened += 1
            yield TABLE

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return TABLE.__arrow_c_stream__(requested_schema)

    once = IterableDataset()
    for source in (Dataset(), once, Stream(), TABLE.combine_chunks().to_batches()[0]):
        assert dedup_table(source, **SITE).to_pylist() == wanted
    assert once.opened == 1
    pandas = pytest.importorskip("pandas")
    frame = dedup_table(TABLE.to_pandas(), **SITE)
    assert isinstance(frame, pandas.DataFrame) and list(frame["ndc_group"]) == [row["ndc_group"] for row in wanted]
    polars = pytest.importorskip("polars")
    assert dedup_table(polars.from_arrow(TABLE), **SITE)["ndc_group"].to_list() == list(frame["ndc_group"])


def test_a_stream_of_batches_is_answered_as_it_comes():
    """Only a batch is held, so the first rows are out before the last are read."""
    taken = []

    def source():
        for batch in TABLE.to_batches(max_chunksize=4):
            taken.append(batch)
            yield batch

    out = dedup_table(pa.RecordBatchReader.from_batches(TABLE.schema, source()), **SITE)
    first = out.read_next_batch()
    assert len(taken) == 1 and STRANGERS in groups(first.to_pylist())


def test_an_engine_or_a_store_goes_on(tmp_path):
    wanted = groups(as_they_come().read_all().to_pylist())
    with ndc.NearDuplicates(block_weights="none") as engine:
        assert groups(dedup_table(TABLE, engine=engine, **SITE).to_pylist()) == wanted
        list(engine.settle())
        assert {engine.find(address).group_id for address in STRANGERS} == {1, 2}
    assert groups(dedup_table(TABLE, store=tmp_path / "s", **SITE).to_pylist()) == wanted


def test_rows_without_url_are_written_as_they_come():
    """As long as no row has a URL, none waits: the second batch is checked when the first one is out."""
    table = pa.table({"url": pa.nulls(2500, pa.string()), "text": [text(seed % 40) for seed in range(2500)]})
    counts, seen = Counter(), []
    out = dedup_table(table, url="url", counts=counts, progress=lambda rows: seen.append(sum(counts.values())))
    assert seen == [1000, 2000, 2500] and out["ndc_verdict"].to_pylist()[:41] == ["new"] * 40 + ["exact"]
    # Those before the first URL are out, the others wait.
    counts, seen = Counter(), []
    table = table.set_column(0, "url", pa.array([None] * 1500 + [url(1)] + [None] * 999, pa.string()))
    again = dedup_table(table, url="url", counts=counts, progress=lambda rows: seen.append(sum(counts.values())))
    assert seen == [1000, 1000, 1000] and sum(counts.values()) == 2500
    assert again["ndc_group"] == out["ndc_group"]
    counts, seen = Counter(), []
    dedup_table(
        table, url="url", decision="report", counts=counts, progress=lambda n: seen.append(sum(counts.values()))
    )
    assert seen == [1000, 2000, 2500]


def test_a_page_that_comes_again_has_the_ids_that_it_has_now():
    rows = [
        *ROWS[:2],  # joined at first
        {"url": url("changed"), "text": page(70)},
        *ROWS[2:],
        ROWS[1],
        {"url": url("changed"), "text": f"<title>Tour</title><p>{text(71, 300)}</p>"},
        {"url": None, "text": page(99)},
        {"url": None, "text": None},
    ]
    out = dedup_table(pa.Table.from_pylist(rows), **SITE).to_pylist()
    first, again = out[1], out[len(ROWS) + 1]
    assert (first["ndc_verdict"], again["ndc_verdict"]) == ("new", "unchanged")
    assert first["ndc_group"] == again["ndc_group"] != out[0]["ndc_group"]
    earlier, later = out[2], out[len(ROWS) + 2]
    assert earlier["ndc_group"] is None and "changed" in later["ndc_flags"], "the earlier text matched no page"
    assert later["ndc_verdict"] == "new" and out[-1]["ndc_verdict"] is None
    # An earlier text is in no other row, so it stays; what came again unchanged is there once.
    counts = Counter()
    new = dedup_table(pa.Table.from_pylist(rows), keep="new", counts=counts, **SITE).to_pylist()
    assert [row["text"] for row in new] == [row["text"] for number, row in enumerate(rows) if number != len(ROWS) + 1]
    assert counts["unchanged"] == 1 and sum(counts.values()) - counts["kept_others"] == len(rows)


CHANGING = [
    ("http://a.example/1", f"<title>Tour 60</title><p>{text(60, 300)}</p>"),
    ("http://b.example/1", f"<title>Tour 61</title><p>{text(61, 300)}</p>"),
    ("http://c.example/", f"<title>Tour 60</title><p>{edited(60, 300)}</p>"),
    ("http://c.example/", f"<title>Tour 61</title><p>{edited(61, 300)}</p>"),
    ("http://d.example/", f"<title>Tour 62</title><p>{text(62, 300)}</p>"),
    ("http://d.example/", f"<title>Tour 61</title><p>{edited(61, 300)}</p>"),
]


def test_an_earlier_text_is_in_the_group_of_what_it_matched():
    rows = [{"url": address, "text": body} for address, body in CHANGING]
    table = dedup_table(pa.Table.from_pylist(rows), **SITE)
    assert table["ndc_group"].to_pylist() == [1, 2, 1, 2, None, 2]
    assert table["ndc_verdict"].to_pylist()[2:5] == ["near", "near", "new"]


def test_what_is_left_out_is_decided_by_all_rows():
    counts = Counter()
    new = dedup_table(TABLE, keep="new", counts=counts, **SITE)
    assert new["url"].to_pylist() == [row["url"] for row in ROWS] + [url("50/first"), url("51/first")]
    assert counts == {"new": 14, "near": 2}
    assert dedup_table(TABLE, keep="new", threads=3, **SITE).num_rows == 14


def test_without_memory_to_settle_rows_are_as_they_came(caplog, monkeypatch):
    def refuse(engine):
        raise ndc.LimitError("no room")

    wanted = as_they_come().read_all().to_pylist()
    monkeypatch.setattr(ndc.NearDuplicates, "settle", refuse)
    with caplog.at_level(logging.WARNING, "ndc_dedup"):
        assert dedup_table(TABLE, **SITE).to_pylist() == wanted
    assert "no room" in caplog.text


def test_memory_holds_an_answer_for_each_row(tmp_path):
    """A file of 90 MB that is read twice: what waits are the answers."""
    program = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from texts import text
from ndc_dedup.files import dedup_file
texts = [text(seed, 900) for seed in range(20)]
with open("in.jsonl", "w") as file:
    for n in range(16000):
        file.write(json.dumps({"url": f"http://a.example/{n % 400}", "text": texts[n % 20]}) + "\\n")
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
sizes = []
dedup_file("in.jsonl", "out.jsonl", url="url", progress=lambda rows: sizes.append(resident()))
assert sum(1 for _ in open("out.jsonl")) == 16000
print(max(sizes[-1], resident()) - sizes[2])
"""
    done = subprocess.run(
        [sys.executable, "-c", program, os.path.dirname(__file__)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) < 24 << 20


# Files


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "jsonl.gz"])
@pytest.mark.parametrize("keep", ["all", "new"])
def test_files_have_the_rows_of_tables(tmp_path, kind, keep):
    import gzip

    source, target = tmp_path / f"in.{kind}", tmp_path / f"out.{kind}"
    table = pa.concat_tables([pa.table({"url": pa.nulls(1, pa.string()), "text": ["<p>" + text(7)]}), TABLE])
    opened = gzip.open if kind.endswith("gz") else open
    if kind == "parquet":
        parquet.write_table(table, source)
    else:
        with opened(source, "wt") as file:
            file.write("\n".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    counts = dedup_file(source, target, keep=keep, **SITE)
    wanted = Counter()
    rows = dedup_table(table, keep=keep, counts=wanted, **SITE).to_pylist()
    assert counts == wanted
    if kind == "parquet":
        assert parquet.read_table(target).to_pylist() == rows
    else:
        with opened(target, "rt") as file:
            assert [json.loads(line) for line in file] == rows
    assert (groups(rows) == COPIES) == (keep == "all")


def test_a_pipe_is_read_once(tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    os.mkfifo(source)
    lines = "".join(json.dumps(row) + "\n" for row in TABLE.to_pylist())
    writer = threading.Thread(target=lambda: source.write_text(lines))
    writer.start()
    dedup_file(source, target, **SITE)
    writer.join()
    assert STRANGERS in groups(json.loads(line) for line in target.read_text().splitlines())


def test_a_file_that_was_cut_meanwhile_is_noticed(tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"url": url(number % 50), "text": "<p>One."} for number in range(1000)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(ndc.InvalidArgumentError, match="has changed while it was read"):
        dedup_file(source, target, progress=lambda rows: os.truncate(source, 0), **SITE)
    assert os.listdir(tmp_path) == ["in.jsonl"]


def archive(path):
    warcio = pytest.importorskip("warcio.warcwriter")
    http = pytest.importorskip("warcio.statusandheaders")
    with open(path, "wb") as file:
        writer = warcio.WARCWriter(file, gzip=True)
        for row in TABLE.to_pylist():
            headers = http.StatusAndHeaders("200 OK", [("Content-Type", HTML)], protocol="HTTP/1.1")
            body = BytesIO(row["text"].encode())
            writer.write_record(writer.create_warc_record(row["url"], "response", payload=body, http_headers=headers))


def test_archives(tmp_path):
    archive(tmp_path / "in.warc.gz")
    dedup_file(tmp_path / "in.warc.gz", tmp_path / "out.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["url"] for row in rows] == TABLE["url"].to_pylist() and groups(rows, "group_id") == COPIES
    assert rows[13]["representative"] == url("50/first") and rows[1]["related_group_id"] == 1
    counts = dedup_file(tmp_path / "in.warc.gz", tmp_path / "out.tsv", keep="new")
    assert counts == {"new": 14, "near": 2} and len((tmp_path / "out.tsv").read_text().splitlines()) == 15
    # Rows of the iterator come with their pages.
    assert STRANGERS in groups((row._asdict() for row in ndc.dedup(tmp_path / "in.warc.gz")), "group_id")


@pytest.mark.parametrize("copy", [False, True])
def test_records_about_archives(tmp_path, copy):
    source = tmp_path / "in.warc.gz"
    archive(source)
    assert ndc.warc.annotate(source, tmp_path / "out.warc.gz", copy=copy) == {"new": 14, "near": 2}
    found = [record for record in ndc.warc.records(tmp_path / "out.warc.gz") if record.rec_type == "metadata"]
    assert len(found) == len(TABLE)
    with ndc.NearDuplicates() as engine:
        assert ndc.warc.annotate(source, BytesIO(), engine=engine)["near"] > 2
