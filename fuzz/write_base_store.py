#!/usr/bin/env python3
"""write_base_store.py LIBRARY: makes stores/small and stores/crowded, which inputs of store_open change.

`small` has a few pages, a snapshot and a journal. `crowded` has what that lacks: a group of more members than its own
record and one part have (64 and 256), signatures of many documents (table spotfrequent), an epoch of the spot
signatures, two generations of runs, the second with erased keys, and a journal with each kind of record behind the last
snapshot. Inputs speak of their bytes, which no second run makes again (the secret is by chance): both stand in git.
"""
import ctypes
import pathlib
import shutil
import sys
import tempfile

FUZZ = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FUZZ.parent / "tests" / "golden"))
from golden_store_test import Page, ResultOut  # noqa: E402

MEMBERS = 322  # of one group: its own record has 64, a part 256
DOCUMENTS = 64  # groups with the same signatures: from then on these are frequent, and dropped by the next epoch
LEFT = 33  # of them: with less than half they would not be frequent any more
EPOCH = 4096  # insertions into the index of spot signatures until one begins
OPTIONS = {"x_relaxed_keys": "2", "events_limit": "9"}  # small tables
PAST = 500  # when a page was fetched that goes soon
PURGE = 1


class Filter(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("url_prefix", ctypes.c_char_p),
        ("url_prefix_size", ctypes.c_size_t),
        ("site", ctypes.c_char_p),
        ("site_size", ctypes.c_size_t),
        ("fetched_before_ms", ctypes.c_int64),
    ]


class Engine:
    """With the options given, which those that are not persistent keep while it is open."""

    def __init__(self, library, path, **options):
        self.lib = ctypes.CDLL(library)
        self.lib.nd_last_error.restype = ctypes.c_char_p
        self.handle, given = ctypes.c_void_p(), ctypes.c_void_p()
        self.done(self.lib.nd_options_new(ctypes.byref(given)))
        for name, value in options.items():
            self.done(self.lib.nd_options_set(given, name.encode(), value.encode()))
        self.done(self.lib.nd_open(str(path).encode(), given, ctypes.byref(self.handle)))
        self.lib.nd_options_free(given)

    def done(self, status):
        assert status == 0, self.lib.nd_last_error()

    def check(self, url, body, at=1000):
        url, body = url.encode(), body.encode()
        page = Page(ctypes.sizeof(Page), 0, url, len(url), body, len(body), b"text/html", 9, at)
        self.done(
            self.lib.nd_check_page(self.handle, ctypes.byref(page), ctypes.byref(ResultOut(ctypes.sizeof(ResultOut))))
        )

    def remove(self, url):
        self.done(self.lib.nd_remove_page(self.handle, url.encode(), len(url)))

    def remove_matching(self, prefix="", flags=0, fetched_before_ms=0):
        given = Filter(ctypes.sizeof(Filter), flags, prefix.encode(), len(prefix), None, 0, fetched_before_ms)
        self.done(self.lib.nd_remove_matching(self.handle, ctypes.byref(given), None))

    def bookmark(self, name, data):
        self.done(self.lib.nd_set_bookmark(self.handle, name, data, len(data)))

    def snapshot(self):
        self.done(self.lib.nd_snapshot(self.handle))

    def compact(self):
        self.done(self.lib.nd_compact(self.handle))

    def close(self):
        self.done(self.lib.nd_close(self.handle))


def note(number, words=8):
    """Some words of its own, and some that all have, behind an antecedent, so that their signatures are the same."""
    own = " ".join(f"w{number}x{place}" for place in range(words))
    return f"<p>{own}. This is the harbour lighthouse.</p>"


def founders(engine):
    for number in range(DOCUMENTS):
        engine.check(
            f"https://n{number}.example/" if number < 4 else "", note(number), at=1000 if number < LEFT else PAST
        )
    for _ in range(EPOCH // 2):  # one page that changes to and fro
        engine.check("https://n0.example/", note(99))
        engine.check("https://n0.example/", note(0))
    engine.remove_matching(fetched_before_ms=PAST + 1)


def members(engine):
    for number in range(MEMBERS):
        engine.check("" if number % 80 else f"https://m{number // 80}.n0.example/", note(1))
    engine.bookmark(b"crawl", b"page 330")


def changes(engine):
    engine.remove("https://m1.n0.example/")
    for number in range(4):  # two groups, of which each page has a text of its own
        engine.check(
            f"https://v{number}.n{number % 2}.example/",
            note(70 + number // 2, 20) + f"<p>And {number} more.</p>",
            at=2000,
        )
    engine.check("https://n3.example/", note(83), at=2000)
    engine.remove("https://n2.example/")


def journal(engine):
    engine.check("https://v4.n1.example/", note(71, 20) + "<p>And four more.</p>", at=3000)
    engine.check("https://v4.n1.example/", note(71, 20) + "<p>And four more.</p>", at=3001)
    engine.check("https://n3.example/", note(93), at=3000)
    engine.remove("https://m2.n0.example/")
    engine.remove_matching("https://v0.", PURGE)
    engine.bookmark(b"crawl", b"page 340")


def write_small(library, folder):
    with tempfile.TemporaryDirectory() as scratch:
        store = pathlib.Path(scratch) / "store"
        engine = Engine(library, store)
        for number in range(6):  # articles, each on two sites
            for site in ("a", "b"):
                url = f"https://{site}.example/{number}"
                engine.check(url, f"<title>Note {number}</title>{note(number, 40)}", 1000 + number)
        engine.remove("https://a.example/0")
        engine.bookmark(b"archive", b"12 pages")
        engine.snapshot()
        for number, words in ((1, 40), (2, 44), (9, 40)):
            engine.check(f"https://c.example/{number}", f"<title>Note {number}</title>{note(number, words)}", 2000)
        engine.remove("https://b.example/4")
        shutil.copytree(store, folder)
        engine.close()


def write_crowded(library, folder):
    with tempfile.TemporaryDirectory() as scratch:
        store = pathlib.Path(scratch) / "store"
        engine = Engine(library, store, durability="none", **OPTIONS)
        founders(engine)
        engine.snapshot()
        engine.close()
        engine = Engine(library, store, durability="none", memory_budget_bytes="1", **OPTIONS)
        members(engine)
        engine.compact()
        engine.close()
        engine = Engine(library, store, **OPTIONS)
        changes(engine)
        engine.snapshot()
        journal(engine)
        shutil.copytree(store, folder)  # as it is now: what a killed process leaves
        engine.close()


if __name__ == "__main__":
    for name, write in (("small", write_small), ("crowded", write_crowded)):
        path = FUZZ / "stores" / name
        shutil.rmtree(path, ignore_errors=True)
        write(sys.argv[1], path)
