"""A store of the Python package: closed and opened again, merged, repaired, and read by another process."""

import os
import subprocess
import sys

import ndc_dedup as ndc
import pytest
from ndc_dedup import Verdict
from texts import NEWS, STORY


@pytest.fixture
def store(tmp_path):
    with ndc.NearDuplicates(tmp_path / "pages.ndc") as engine:
        engine.check("http://a.example/", STORY)
        engine.set_bookmark("archive", b"\0\1")
    return tmp_path / "pages.ndc"


def test_pages_stay(store):
    with ndc.NearDuplicates(str(store)) as engine:
        assert engine.store == str(store) and engine.store in repr(engine)
        assert engine.check("http://b.example/", NEWS).verdict is Verdict.NEAR
        assert engine.get_bookmark("archive") == b"\0\1"
        assert engine.get_bookmark("nothing") is None
        engine.set_bookmark("archive", b"")
        assert engine.get_bookmark("archive") is None
        engine.snapshot()
        engine.compact()
        assert engine.stats()["generation"] > 1


def test_one_writer_and_any_readers(store):
    with ndc.NearDuplicates(store) as writer, ndc.NearDuplicates(store, read_only=True) as reader:
        with pytest.raises(ndc.LockedError):
            ndc.NearDuplicates(store)
        writer.check("http://b.example/", NEWS)
        assert len(reader) == 1
        writer.snapshot()
        reader.refresh()
        assert len(reader) == 2
        for change in (
            lambda: reader.check("http://c.example/", STORY),
            lambda: reader.remove("http://a.example/"),
            reader.snapshot,
        ):
            with pytest.raises(ndc.ReadOnlyError):
                change()
        with pytest.raises(ndc.InvalidArgumentError):
            writer.refresh()


def test_an_overlay_writes_nothing(store):
    def files():
        return {path.name: path.read_bytes() for path in store.iterdir()}

    before = files()
    with ndc.NearDuplicates(store, overlay=True) as engine:
        results = [engine.check("http://b.example/", NEWS), engine.check("http://c.example/", NEWS)]
        assert [result.verdict for result in results] == [Verdict.NEAR, Verdict.EXACT]
        assert len(engine) == 3
        with pytest.raises(ndc.ReadOnlyError):
            engine.snapshot()
    assert files() == before
    with ndc.NearDuplicates(store) as engine:
        assert [engine.check(url, NEWS) for url in ("http://b.example/", "http://c.example/")] == results


def test_a_store_that_is_not_there(tmp_path):
    with pytest.raises(ndc.NotFoundError):
        ndc.NearDuplicates(tmp_path / "none", read_only=True)
    with pytest.raises(ndc.StoreIOError):
        ndc.NearDuplicates(tmp_path / "no" / "parent")
    with pytest.raises(OSError):
        ndc.NearDuplicates("/proc/none")
    (tmp_path / "file").write_text("x")
    with pytest.raises(ndc.NdcError):
        ndc.NearDuplicates(tmp_path / "file")
    with pytest.raises(ndc.NotFoundError):
        ndc.verify(tmp_path / "none")
    with pytest.raises(ndc.InvalidArgumentError, match="NUL"):
        ndc.NearDuplicates("a\0b")
    with pytest.raises(TypeError):
        ndc.NearDuplicates(7)


def test_a_store_keeps_its_options(store):
    with pytest.raises(ndc.InvalidArgumentError, match="x_relaxed"):
        ndc.NearDuplicates(store, x_relaxed=False)


def test_what_is_for_stores_is_refused_in_memory():
    with ndc.NearDuplicates() as engine:
        assert engine.store is None
        for call in (engine.snapshot, engine.compact, engine.refresh, lambda: engine.get_bookmark("x")):
            with pytest.raises(ndc.InvalidArgumentError):
                call()


def test_verify_tells_damage(store):
    assert ndc.verify(store) == []
    runs = sorted((path for path in store.iterdir() if path.stat().st_size > 100), key=lambda path: path.stat().st_size)
    raw = bytearray(runs[-1].read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    runs[-1].write_bytes(raw)
    faults = ndc.verify(store)
    assert faults and faults[0].file == runs[-1].name and faults[0].sentence


def test_what_was_answered_survives_a_kill(tmp_path):
    program = (
        "import os, signal, sys, ndc_dedup as ndc\n"
        "engine = ndc.NearDuplicates(sys.argv[1])\n"
        "engine.check('http://a.example/', sys.argv[2])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", program, str(tmp_path / "s"), STORY])
    assert killed.returncode == -9
    with ndc.NearDuplicates(tmp_path / "s") as engine:
        assert engine.check("http://b.example/", NEWS).verdict is Verdict.NEAR


def test_a_disk_that_is_full(tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    with pytest.raises(ndc.NdcError):
        ndc.NearDuplicates("/dev/full")
