#!/usr/bin/env python3
"""golden_store_test.py NDC: stores that releases wrote, or an earlier build of this one, are read.

Each folder of stores/ holds a store as a process left it that was killed (a snapshot, and a journal behind it), and
what `ndc dump --groups` and `ndc events` say of it: of the snapshot alone, and once the journal was replayed.

golden_store_test.py --write LIBRARY NDC FOLDER makes such a folder. Called by scripts/record-release.
"""
import ctypes
import pathlib
import shutil
import subprocess
import sys
import tempfile

STORES = pathlib.Path(__file__).parent / "stores"


def run(ndc, *arguments):
    return subprocess.run([ndc, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def told(ndc, store):
    return run(ndc, "dump", store, "--groups") + run(ndc, "events", store)


def check(ndc, folder):
    with tempfile.TemporaryDirectory() as scratch:
        store = pathlib.Path(scratch) / "store"
        shutil.copytree(folder / "store", store)
        run(ndc, "verify", store)
        assert (
            told(ndc, store) == (folder / "snapshot.jsonl").read_text()
        ), f"{folder.name}: the snapshot reads otherwise"
        run(ndc, "compact", store)  # opens it as its writer, which replays the journal
        assert (
            told(ndc, store) == (folder / "replayed.jsonl").read_text()
        ), f"{folder.name}: the journal replays otherwise"
        run(ndc, "verify", store)


class Page(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("url", ctypes.c_char_p),
        ("url_size", ctypes.c_size_t),
        ("body", ctypes.c_char_p),
        ("body_size", ctypes.c_size_t),
        ("content_type", ctypes.c_char_p),
        ("content_type_size", ctypes.c_size_t),
        ("fetched_at_ms", ctypes.c_int64),
    ]


class ResultOut(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("fields", ctypes.c_uint8 * 84)]  # nd_result of 2.0.0


def page_body(first, count):
    """A page of `count` sentences from sentence `first` on."""
    sentences = [
        f"The {adjective} {noun} of number {number} was seen again by the people of the harbour in the morning."
        for number in range(40)
        for adjective, noun in [("old", "lighthouse"), ("new", "bridge"), ("lost", "letter")]
    ]
    text = "".join(f"<p>{sentence}</p>" for sentence in sentences[first : first + count])
    return f"<html><head><title>The harbour from {first} on</title></head><body>{text}</body></html>".encode()


def write(library, ndc, folder):
    lib = ctypes.CDLL(library)
    lib.nd_last_error.restype = ctypes.c_char_p
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        store = pathlib.Path(scratch) / "store"
        engine = ctypes.c_void_p()

        def done(status):
            assert status == 0, lib.nd_last_error()

        def visit(url, first, count, at):
            body = page_body(first, count)
            page = Page(ctypes.sizeof(Page), 0, url.encode(), len(url), body, len(body), b"text/html", 9, at)
            result = ResultOut(ctypes.sizeof(ResultOut))
            done(lib.nd_check_page(engine, ctypes.byref(page), ctypes.byref(result)))

        done(lib.nd_open(str(store).encode(), None, ctypes.byref(engine)))
        for number in range(6):  # six articles, each on two sites
            for site in ("a", "b"):
                visit(f"https://{site}.example/{number}", 20 * number, 12, 1000 + number)
        done(lib.nd_remove_page(engine, b"https://a.example/0", 19))
        done(lib.nd_set_bookmark(engine, b"archive", b"12 pages", 8))
        done(lib.nd_snapshot(engine))
        visit("https://c.example/1", 20, 12, 2000)
        visit("https://a.example/2", 100, 15, 2001)
        visit("https://a.example/3", 60, 12, 2002)
        done(lib.nd_remove_page(engine, b"https://b.example/4", 19))
        shutil.copytree(store, folder / "store")  # as it is now: what a killed process leaves
        (folder / "snapshot.jsonl").write_text(told(ndc, folder / "store"))
        done(lib.nd_close(engine))
        (folder / "replayed.jsonl").write_text(told(ndc, store))


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        write(sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4]))
    else:
        folders = sorted(path for path in STORES.iterdir() if path.is_dir())
        assert folders, "no golden store"
        for each in folders:
            check(sys.argv[1], each)
        print(f"{len(folders)} stores read")
