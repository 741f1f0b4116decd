"""Ways to lose data by an output: whatever is named, killed or full, what was there before is there still."""

import gzip
import io
import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from places import SAMPLE
from texts import text

import ndc_dedup as ndc
from ndc_dedup import warc
from ndc_dedup.files import dedup_file
from ndc_dedup.parquet_rows import rows_to_parquet

NOBODY = 65534
KILLS = 10
BEFORE = b"what was there before\n"
ROW = '{"url": "http://a.example/", "group_id": 1, "verdict": "new"}\n'


class Writer:
    """One of the functions that write a file, with an input of its kind."""

    def __init__(self, name, folder, rows=20):
        self.name = name
        self.folder = folder
        if name in ("annotate", "copy", "rows"):
            self.input = folder / "in.warc"
            self.input.write_bytes(gzip.decompress(SAMPLE.read_bytes()) if rows > 20 else small_archive())
        elif name == "parquet":
            self.input = folder / "in.parquet"
            parquet.write_table(pa.table({"text": [text(n % 7) for n in range(rows)]}), self.input)
        elif name == "jsonl":
            self.input = folder / "in.jsonl"
            self.input.write_text("".join('{"text": "%s"}\n' % text(n % 7).replace("\n", " ") for n in range(rows)))
        else:
            self.input = folder / "in.jsonl"
            self.input.write_text(ROW * rows)
        suffix = {"parquet": ".parquet", "jsonl": ".jsonl", "rows": ".tsv", "to-parquet": ".parquet"}.get(name, ".warc")
        self.output = folder / f"out{suffix}"
        self.content = self.input.read_bytes()

    def write(self, source, target, **more):
        if self.name in ("annotate", "copy"):
            warc.annotate(source, target, copy=self.name == "copy", gzip=False, **more)
        elif self.name == "to-parquet":
            rows_to_parquet(source, target)
        else:
            dedup_file(source, target, **more)

    def named(self, name):
        """A path that ends as this writer's files do."""
        return self.folder / f"{name}{self.input.suffix}"

    def unfinished(self):
        return [name for name in os.listdir(self.folder) if "unfinished" in name]

    def is_as_it_was(self):
        return self.input.read_bytes() == self.content and not self.unfinished()

    def command(self, target):
        """The same in a process of its own."""
        program = (
            "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]); import test_outputs\n"
            "writer = test_outputs.Writer.__new__(test_outputs.Writer); writer.name = sys.argv[2]\n"
            "writer.write(sys.argv[3], sys.argv[4])\n"
        )
        return [sys.executable, "-c", program, os.path.dirname(__file__), self.name, str(self.input), str(target)]


def small_archive():
    out = io.BytesIO()
    page = b"<html><body><p>" + text(1).encode() + b"</p></body></html>"
    for number in range(5):
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
        head = (
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%032d>\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
            "WARC-Target-URI: http://%d.example/\r\nContent-Type: application/http; msgtype=response\r\n"
            "Content-Length: %d\r\n\r\n" % (number, number, len(http))
        )
        out.write(head.encode() + http + b"\r\n\r\n")
    return out.getvalue()


@pytest.fixture(params=["annotate", "copy", "rows", "parquet", "jsonl", "to-parquet"])
def writer(request, tmp_path):
    return Writer(request.param, tmp_path)


def assert_refused(writer, source, target, words="is one of the inputs"):
    if writer.name in ("rows", "to-parquet"):
        # Their outputs are of another kind, which is said first where the names say so.
        with pytest.raises(ndc.InvalidArgumentError):
            writer.write(source, target)
    else:
        with pytest.raises(ndc.InvalidArgumentError, match=words):
            writer.write(source, target)
    assert writer.is_as_it_was()


def test_the_input_itself(writer):
    assert_refused(writer, writer.input, writer.input)
    assert_refused(writer, str(writer.input), os.path.join(writer.folder, ".", writer.input.name))


def test_a_hard_link(writer):
    os.link(writer.input, writer.named("hard"))
    assert_refused(writer, writer.input, writer.named("hard"))


def test_a_symbolic_link(writer):
    os.symlink(writer.input.name, writer.named("link"))
    os.symlink(writer.named("link").name, writer.named("chain"))
    assert_refused(writer, writer.input, writer.named("chain"))
    assert_refused(writer, writer.named("chain"), writer.input)


def test_an_unfinished_output_as_the_input(tmp_path):
    content = '{"text": "what a killed run has left"}\n'
    unfinished, target = tmp_path / ".out.jsonl.ndc-unfinished", tmp_path / "out.jsonl"
    unfinished.write_text(content)
    (tmp_path / "in.jsonl").symlink_to(unfinished.name)
    (tmp_path / "link.jsonl").symlink_to(target.name)
    for output in (target, tmp_path / "link.jsonl"):
        with pytest.raises(ndc.InvalidArgumentError, match="has the name of the unfinished output"):
            dedup_file(tmp_path / "in.jsonl", output)
        assert unfinished.read_text() == content and not target.exists()


def test_a_name_of_the_output_s_kind(writer):
    """Where input and output are of different kinds, a link may still make them one file."""
    os.symlink(writer.input, writer.output)
    with pytest.raises(ndc.InvalidArgumentError, match="is one of the inputs"):
        writer.write(writer.input, writer.output)
    assert writer.is_as_it_was()


def test_a_descriptor(writer):
    with open(writer.input, "r+b") as file:
        for folder in ("/dev/fd", "/proc/self/fd"):
            assert_refused(writer, writer.input, f"{folder}/{file.fileno()}")


def test_standard_input(tmp_path):
    writer = Writer("to-parquet", tmp_path)
    with open(writer.input, "rb") as file:
        done = subprocess.run(
            [sys.executable, "-m", "ndc_dedup", "to-parquet", "-", writer.input],
            stdin=file,
            capture_output=True,
            text=True,
        )
    assert (done.returncode, done.stderr) == (1, f"ndc: the output {writer.input} is one of the inputs\n")
    assert writer.is_as_it_was()


def test_an_open_file_of_the_caller(tmp_path):
    for copy in (False, True):
        writer = Writer("annotate", tmp_path)
        for mode in ("r+b", "ab"):
            with open(writer.input, mode) as file:
                with pytest.raises(ndc.InvalidArgumentError, match="is one of the inputs"):
                    warc.annotate(writer.input, file, copy=copy)
            assert writer.is_as_it_was()


def test_one_of_several_inputs(tmp_path):
    writer = Writer("copy", tmp_path)
    other = tmp_path / "other.warc"
    shutil.copy(writer.input, other)
    for sources in ([other, writer.input], iter([other, writer.input])):
        with pytest.raises(ndc.InvalidArgumentError, match="is one of the inputs"):
            warc.annotate(sources, writer.input, copy=True)
        assert writer.is_as_it_was()


def test_a_store(tmp_path):
    writer = Writer("annotate", tmp_path)
    store = tmp_path / "store"
    warc.annotate(writer.input, writer.output, store=store)
    before = {name: (store / name).read_bytes() for name in os.listdir(store)}
    for name in (*before, "new"):
        with pytest.raises(ndc.InvalidArgumentError, match="lies in the store"):
            warc.annotate(writer.input, store / name, store=store)
        with ndc.NearDuplicates(store) as engine:
            with pytest.raises(ndc.InvalidArgumentError, match="lies in the store"):
                warc.annotate(writer.input, store / name, engine=engine)
    assert before == {name: (store / name).read_bytes() for name in os.listdir(store)}


def test_a_missing_input_leaves_the_output(writer):
    writer.output.write_bytes(BEFORE)
    with pytest.raises(OSError):
        writer.write(writer.named("none"), writer.output)
    assert writer.output.read_bytes() == BEFORE
    assert writer.is_as_it_was()


def test_a_failure_in_the_middle_leaves_the_output(tmp_path):
    writer = Writer("jsonl", tmp_path)
    with open(writer.input, "a") as file:
        file.write("no json\n")
    writer.content = writer.input.read_bytes()
    writer.output.write_bytes(BEFORE)
    with pytest.raises(ndc.InvalidArgumentError, match="in.jsonl:21"):
        writer.write(writer.input, writer.output)
    assert writer.output.read_bytes() == BEFORE
    assert writer.is_as_it_was()


def begun(writer, command):
    """A process that has begun to write, and when."""
    process = subprocess.Popen(command)
    while not writer.unfinished() and process.poll() is None:
        time.sleep(0.001)
    return process, time.monotonic()


@pytest.mark.parametrize("name", ["copy", "parquet"])
def test_killed_at_ten_moments(name, tmp_path):
    writer = Writer(name, tmp_path, rows=500)
    command = writer.command(writer.output)
    process, begin = begun(writer, command)
    assert process.wait() == 0
    seconds = time.monotonic() - begin
    whole = len(writer.output.read_bytes())
    left = 0
    for moment in range(KILLS):
        writer.output.write_bytes(BEFORE)
        process, _ = begun(writer, command)
        try:
            process.wait(seconds * moment / KILLS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        left += bool(writer.unfinished())
        output = writer.output.read_bytes()
        assert output == BEFORE or len(output) == whole
        assert writer.input.read_bytes() == writer.content
    assert left > 0, "no kill met a file that was being written"
    subprocess.run(command, check=True)
    assert len(writer.output.read_bytes()) == whole
    assert writer.is_as_it_was()


def test_a_living_process_keeps_its_file(tmp_path):
    target = tmp_path / "out.parquet"
    target.write_bytes(BEFORE)
    first = subprocess.Popen([sys.executable, "-m", "ndc_dedup", "to-parquet", "-", target], stdin=subprocess.PIPE)
    unfinished = tmp_path / ".out.parquet.ndc-unfinished"
    while not unfinished.exists():
        assert first.poll() is None
        time.sleep(0.01)
    (tmp_path / "in.jsonl").write_text(ROW)
    with pytest.raises(BlockingIOError, match="another process is writing it") as refused:
        rows_to_parquet(tmp_path / "in.jsonl", target)
    assert refused.value.filename == str(target)
    assert unfinished.exists()
    first.communicate(ROW.encode() * 3)
    assert first.returncode == 0
    assert parquet.read_table(target).num_rows == 3
    assert not unfinished.exists()


def as_another(action, *, user=False, limit=None):
    """What the action raises in a process of its own, which has loaded everything before it loses its rights: 0 for
    nothing, else the error's number."""
    child = os.fork()
    if child == 0:
        code = 255
        try:
            if limit is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            if user and os.getuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            action()
            code = 0
        except OSError as failure:
            code = failure.errno
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_full_disk(writer):
    writer.output.write_bytes(BEFORE)
    full = writer.folder / f"full{writer.output.suffix}"
    full.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        writer.write(writer.input, full)
    assert as_another(lambda: writer.write(writer.input, writer.output), limit=100) == 27  # EFBIG
    assert writer.output.read_bytes() == BEFORE
    assert writer.is_as_it_was()


def test_a_folder_that_takes_no_files(tmp_path):
    with tempfile.TemporaryDirectory() as place:  # pytest's own folder is closed to others
        os.chmod(place, 0o755)
        closed = os.path.join(place, "closed")
        os.mkdir(closed)
        out = os.path.join(closed, "out.warc")
        with open(out, "wb") as file:
            file.write(BEFORE)
        os.chmod(out, 0o666)
        os.chmod(closed, 0o555)
        source = os.path.join(place, "in.warc")
        with open(source, "wb") as file:
            file.write(small_archive())
        for target in (out, os.path.join(closed, "new.warc")):
            assert as_another(lambda: warc.annotate(source, target), user=True) == 13  # EACCES
        with open(out, "rb") as file:
            assert file.read() == BEFORE
        assert os.listdir(closed) == ["out.warc"]
        # Nor is a file replaced that may not be written.
        os.chmod(closed, 0o777)
        os.chmod(out, 0o444)
        assert as_another(lambda: warc.annotate(source, out), user=True) == 13
        assert os.listdir(closed) == ["out.warc"]


def test_places_where_nothing_can_be_written(writer):
    folder = writer.folder / f"folder{writer.output.suffix}"
    folder.mkdir()
    (folder / "inside").write_bytes(BEFORE)
    for target, error in (
        (folder, IsADirectoryError),
        (writer.folder / "none" / writer.output.name, FileNotFoundError),
    ):
        with pytest.raises(error) as raised:
            writer.write(writer.input, target)
        assert raised.value.filename == str(target)
    assert (folder / "inside").read_bytes() == BEFORE
    assert writer.is_as_it_was()


def test_a_shell_is_told_in_a_sentence(tmp_path):
    (tmp_path / "in.jsonl").write_text(ROW)
    done = subprocess.run(
        [sys.executable, "-m", "ndc_dedup", "to-parquet", tmp_path / "in.jsonl", tmp_path / "none/out.parquet"],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (1, f"ndc: {tmp_path}/none/out.parquet: No such file or directory\n")


def test_another_file_system(writer):
    for other in ("/dev/shm", "/var/tmp"):
        if os.access(other, os.W_OK):
            with tempfile.TemporaryDirectory(dir=other) as folder:
                writer.write(writer.input, os.path.join(folder, writer.output.name))
                assert os.listdir(folder) == [writer.output.name]


def test_links_and_permissions_stay(writer):
    target = writer.folder / "target"
    os.symlink("target", writer.output)
    for mode in (None, 0o600, 0o640, 0o666):  # the link leads to nothing, then to a file
        if mode is not None:
            os.chmod(target, mode)
        writer.write(writer.input, writer.output)
        assert os.path.islink(writer.output) and target.stat().st_size > 0
        if mode is None:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        assert stat.S_IMODE(target.stat().st_mode) == mode
    assert writer.is_as_it_was()


def test_another_hard_link_keeps_what_it_has(writer):
    other = writer.folder / "other"
    other.write_bytes(BEFORE)
    os.link(other, writer.output)
    writer.write(writer.input, writer.output)
    assert other.read_bytes() == BEFORE


def test_devices_and_pipes(writer):
    null = writer.folder / f"null{writer.output.suffix}"
    null.symlink_to(os.devnull)
    writer.write(writer.input, null)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    writer.write(writer.input, writer.output)
    size = writer.output.stat().st_size
    pipe = writer.folder / f"pipe{writer.output.suffix}"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    writer.write(writer.input, pipe)
    assert len(reader.communicate(timeout=60)[0]) == size
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)
    standard = writer.folder / f"standard{writer.output.suffix}"
    standard.symlink_to("/dev/stdout")
    assert len(subprocess.run(writer.command(standard), stdout=subprocess.PIPE, check=True).stdout) == size
    with open(writer.folder / "redirected", "wb") as file:
        file.write(BEFORE)
        file.flush()
        subprocess.run(writer.command(standard), stdout=file, check=True)
    assert (writer.folder / "redirected").read_bytes()[: len(BEFORE)] == BEFORE
    assert (writer.folder / "redirected").stat().st_size == size + len(BEFORE)


def test_long_names(tmp_path):
    (tmp_path / "in.jsonl").write_text(ROW)
    for length in (240, 255):
        target = tmp_path / ("o" * length)
        rows_to_parquet(tmp_path / "in.jsonl", target)
        assert parquet.read_table(target).num_rows == 1
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "o" * 240, "o" * 255]


def test_clusters_of_a_join_are_rows(tmp_path):
    row = {"url": "http://b.example/", "cluster_url": "http://a.example/", "page": 2, "cluster_page": 1}
    (tmp_path / "in.jsonl").write_text(json.dumps(row) + "\n")
    rows_to_parquet(tmp_path / "in.jsonl", tmp_path / "out.parquet")
    assert parquet.read_table(tmp_path / "out.parquet").to_pylist() == [row]


def test_ids_that_are_not_unique(tmp_path):
    texts = [text(1), text(2), text(3), text(2)]
    for ids, double, place in (
        ([7, 8, 9, 8], "8", "row 3"),
        (["a", "b", "b", "a"], "'b'", "row 2"),
        ([None, None, 5, 5], "5", "row 3"),
    ):
        table = pa.table({"id": ids, "text": texts})
        with pytest.raises(
            ndc.InvalidArgumentError, match=f"^{place}, counted from 0: 'id' is {double}, as in an earlier"
        ):
            ndc.dedup_table(table)
        assert ndc.dedup_table(table, id=None).num_rows == 4
        # URLs identify instead, where there are any; a page may be fetched again.
        urls = table.append_column("url", pa.array(["http://a.example/"] * 4))
        assert ndc.dedup_table(urls, url="url")["ndc_verdict"].to_pylist()[0] == "new"
    # In another batch, too.
    batches = pa.table({"id": [*range(1500), 3], "text": ["x"] * 1501}).to_reader(max_chunksize=100)
    with pytest.raises(ndc.InvalidArgumentError, match="^row 1500, counted from 0: 'id' is 3,"):
        ndc.dedup_table(batches).read_all()
    # A store knows the ids of earlier tables.
    once = pa.table({"id": [7, 8], "text": texts[:2]})
    for verdict in ("new", "unchanged"):
        assert ndc.dedup_table(once, store=tmp_path / "s")["ndc_verdict"].to_pylist() == [verdict] * 2


def test_files_with_ids_that_are_not_unique(tmp_path):
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "a"}\n\n{"id": "1", "text": "b"}\n')
    parquet.write_table(pa.table({"id": [4, 4], "text": ["a", "b"]}), tmp_path / "in.parquet")
    for name, sentence in (("in.jsonl", "in.jsonl:3: 'id' is '1'"), ("in.parquet", "row 1, counted from 0: 'id' is 4")):
        target = tmp_path / name.replace("in", "out")
        target.write_bytes(BEFORE)
        with pytest.raises(ndc.InvalidArgumentError, match=sentence):
            dedup_file(tmp_path / name, target)
        assert target.read_bytes() == BEFORE
