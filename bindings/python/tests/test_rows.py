"""Rows of archives as the package gives them, from any source of records, damaged ones among them."""

import gzip
import os
import subprocess
import sys

import ndc_dedup as ndc
import pytest
from places import BUILD, SAMPLE, SOURCE
from texts import FERRY, NEWS, STORY

warcio = pytest.importorskip("warcio")
from io import BytesIO  # noqa: E402

from ndc_dedup import warc  # noqa: E402
from ndc_dedup.rows import row_of  # noqa: E402
from warcio.archiveiterator import ArchiveIterator  # noqa: E402
from warcio.statusandheaders import StatusAndHeaders  # noqa: E402
from warcio.warcwriter import WARCWriter  # noqa: E402

RECORDS = [
    ("http://a.example/", STORY),
    ("http://b.example/", NEWS, "text/html"),
    {"url": "http://c.example/", "body": FERRY.encode()},
]


def test_records_of_every_kind():
    rows = list(ndc.dedup([*RECORDS, ndc.Page("http://d.example/", STORY, fetched_at=1.7e9, truncated=True)]))
    assert [row.verdict for row in rows] == ["new", "near", "new", "near"]
    assert rows[1].representative == "http://a.example/" and rows[1].is_duplicate and rows[1].resemblance > 0.9
    assert (rows[0].representative, rows[0].resemblance, rows[0].page_id) == ("http://a.example/", None, 1)
    assert ndc.Flag.TRUNCATED in rows[3].flags


def test_an_engine_of_the_caller_stays_open():
    with ndc.NearDuplicates() as engine:
        assert len(list(ndc.dedup(RECORDS, engine=engine))) == 3
        assert [row.verdict for row in ndc.dedup(RECORDS, engine=engine)] == ["unchanged"] * 3
        for wrong in ({"store": "x"}, {"relaxed": True}):
            with pytest.raises(ndc.InvalidArgumentError, match="already"):
                ndc.dedup(RECORDS, engine=engine, **wrong)


def test_rows_come_as_pages_come():
    def endless():
        number = 0
        while True:
            number += 1
            yield f"http://a.example/{number}", f"{STORY} {number}"

    rows = ndc.dedup(endless())
    assert [next(rows).page_id for _ in range(3)] == [1, 2, 3]
    rows.close()


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (("http://a.example/",), "record 1 has 1 members"),
        (("http://a.example/", STORY, "text/html", 1.7e9, False, "more"), "record 1 has 6 members"),
        ({"url": "x", "text": STORY}, r"record 1 has the names \['text', 'url'\]"),
        (["http://a.example/", STORY], "record 1 has to be a path"),
        (None, "record 1 has to be a path"),
        (("http://a.example/", None), "a body has to be"),
    ],
)
def test_what_is_no_record_is_named(record, sentence):
    with pytest.raises((TypeError, ndc.InvalidArgumentError), match=sentence):
        list(ndc.dedup([RECORDS[0], record]))


@pytest.mark.parametrize("sources", [b"a.warc", 7, None])
def test_what_are_no_sources(sources):
    with pytest.raises(TypeError):
        ndc.dedup(sources)


def test_an_archive_that_is_not_there():
    with pytest.raises(FileNotFoundError):
        list(ndc.dedup("/no/such.warc.gz"))


def test_the_rows_of_the_sample_are_those_of_the_command_line(tmp_path):
    program = BUILD / "bin/ndc"
    if not program.exists():
        pytest.skip("the program ndc was not built")
    subprocess.run([program, "dedup", SAMPLE, "-o", tmp_path / "c.tsv"], check=True)
    subprocess.run(
        [sys.executable, "-m", "ndc_dedup", "dedup", str(SAMPLE), str(tmp_path / "python.tsv"), "--quiet"], check=True
    )
    assert (tmp_path / "python.tsv").read_bytes() == (tmp_path / "c.tsv").read_bytes()


def archive(path, pages, gzip_=True):
    with open(path, "wb") as file:
        writer = WARCWriter(file, gzip=gzip_)
        for url, status, headers, body in pages:
            http = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", payload=BytesIO(body), http_headers=http))
        writer.write_record(
            writer.create_warc_record(
                "http://wet.example/", "conversion", payload=BytesIO(STORY.encode()), warc_content_type="text/plain"
            )
        )
        writer.write_record(
            writer.create_warc_record("http://dns.example/", "request", payload=BytesIO(b"GET / HTTP/1.1\r\n\r\n"))
        )


HTML = ("Content-Type", "text/html")
PAGES = [
    ("http://a.example/", "200 OK", [HTML], STORY.encode()),
    ("http://gzip.example/", "200 OK", [HTML, ("Content-Encoding", "gzip")], gzip.compress(STORY.encode())),
    ("http://gone.example/", "404 Not Found", [HTML], b"<p>not here"),
    (
        "http://chunked.example/",
        "200 OK",
        [HTML, ("Transfer-Encoding", "chunked")],
        b"%x\r\n%b\r\n0\r\n\r\n" % (len(STORY), STORY.encode()),
    ),
    ("http://broken.example/", "200 OK", [HTML, ("Content-Encoding", "gzip")], gzip.compress(FERRY.encode())[:-20]),
]


@pytest.mark.parametrize("packed", [True, False])
def test_encodings_are_undone_and_other_records_passed_over(tmp_path, packed):
    archive(tmp_path / "a.warc", PAGES, packed)
    rows = {row.url: row for row in ndc.dedup(tmp_path / "a.warc")}
    assert [url.split("/")[2] for url in rows] == [
        "a.example",
        "gzip.example",
        "chunked.example",
        "broken.example",
        "wet.example",
    ]
    assert rows["http://gzip.example/"].verdict == rows["http://chunked.example/"].verdict == "exact"
    assert len(list(warc.pages(tmp_path / "a.warc", all_statuses=True))) == 6
    cut = next(warc.pages(tmp_path / "a.warc", max_page_bytes=10))
    assert cut.truncated and len(cut.body) == 10


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.93])
def test_a_cut_archive_gives_what_it_has(tmp_path, keep):
    raw = SAMPLE.read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(raw[: int(len(raw) * keep)])
    rows = list(ndc.dedup(tmp_path / "cut.warc.gz"))
    assert 0 < len(rows) < 150
    assert rows[:-1] == list(ndc.dedup(SAMPLE))[: len(rows) - 1]


def test_what_is_no_archive(tmp_path, caplog):
    (tmp_path / "not.warc").write_bytes(b"hello\n" * 100)
    assert list(ndc.dedup(tmp_path / "not.warc")) == []
    assert "not.warc" in caplog.text


@pytest.mark.parametrize("copy", [False, True])
def test_annotate(tmp_path, copy):
    counts = warc.annotate(SAMPLE, tmp_path / "verdicts.warc.gz", copy=copy)
    assert counts == {"new": 77, "near": 72, "exact": 1}
    found = {}
    others = 0
    with open(tmp_path / "verdicts.warc.gz", "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "metadata":
                url = record.rec_headers.get_header("WARC-Target-URI")
                found[url] = dict(line.split(": ", 1) for line in record.content_stream().read().decode().splitlines())
                assert record.rec_headers.get_header("WARC-Refers-To").startswith("<urn:uuid:")
            elif record.rec_type == "response":
                others += 1
    assert others == (150 if copy else 0) and len(found) == 150
    with ndc.NearDuplicates() as engine:
        assert len(list(ndc.dedup(SAMPLE, engine=engine))) == 150
        rows = [row_of(engine, url, answer) for url, answer in engine.settle()]
    for row in rows:
        fields = found[row.url]
        assert (fields["nd-verdict"], fields["nd-group"], fields["nd-page"]) == (
            row.verdict,
            str(row.group_id),
            str(row.page_id),
        )
        assert fields.get("nd-resemblance") == (f"{row.resemblance:.4f}" if row.is_duplicate else None)
        assert fields.get("nd-matched-url") == (row.representative if row.is_duplicate else None)
        assert fields["nd-version"] == ndc.__version__
    if copy:
        assert [page.body for page in warc.pages(tmp_path / "verdicts.warc.gz")] == [
            page.body for page in warc.pages(SAMPLE)
        ]


def test_annotate_with_a_store_and_into_a_stream(tmp_path):
    out = BytesIO()
    assert warc.annotate([SAMPLE], out, store=tmp_path / "s", gzip=False)["new"] == 77
    assert out.getvalue().startswith(b"WARC/1.1") and not out.closed
    assert warc.annotate([SAMPLE], BytesIO(), store=tmp_path / "s")["unchanged"] == 150


def test_without_warcio_the_error_says_what_to_install(tmp_path):
    (tmp_path / "warcio.py").write_text("raise ImportError('none')")
    program = "import ndc_dedup as ndc\ntry: ndc.warc\nexcept ImportError as failure: print(failure)"
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    out = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    ).stdout
    assert "pip install warcio" in out


def test_the_package_alone_needs_cffi_alone():
    program = "import sys, ndc_dedup; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pyarrow", "warcio", "scrapy", "numpy"} & set(loaded)
    assert (SOURCE / "bindings/python/src/ndc_dedup/py.typed").exists()


def test_damaged_and_cut_records_are_told(tmp_path, caplog):
    whole = tmp_path / "whole.warc"
    archive(whole, PAGES, False)
    raw = whole.read_bytes()
    (tmp_path / "cut.warc").write_bytes(raw[:-400])
    pages = len(list(warc.pages(whole)))
    assert len(list(warc.pages(tmp_path / "cut.warc"))) < pages
    assert "cut" in caplog.text
    caplog.clear()
    # warcio raises an AttributeError here.
    (tmp_path / "no-url.warc").write_bytes(raw.replace(b"WARC-Target-URI", b"X-Target", 1))
    assert len(list(warc.pages(tmp_path / "no-url.warc"))) < pages
    assert "the rest is left out" in caplog.text
