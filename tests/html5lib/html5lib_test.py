#!/usr/bin/env python3
"""html5lib_test.py LIBRARY [--folder FOLDER] [--show] [--write]: the visible text of the documents of html5lib-tests is
that of the tree they shall have.

The tests are not part of the repository: FOLDER, or the environment variable NDC_HTML5LIB, names a folder with
tree-construction/ and encoding/. What may differ stands in differences.tsv with its reason (docs/html.md); what differs
and is not listed there fails, and so does what is listed and agrees. --show prints what is not listed, --write lists
it, for a person to give the reason.
"""
import argparse
import ctypes
import json
import os
import pathlib
import re
import sys
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
DIFFERENCES = HERE / "differences.tsv"
VARIABLE = "NDC_HTML5LIB"

# src/reading/html_elements.cpp.
HIDING = set(
    """annotation applet audio canvas head iframe noembed noframes noscript object script style svg template title
    video""".split()
)
SEPARATING = set(
    """address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer  form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu
    nav ol optgroup option p plaintext pre search section select  summary table tbody td textarea tfoot th thead tr ul
    xmp""".split()
)


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


class Buffer(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
        ("capacity", ctypes.c_size_t),
    ]


class Reader:
    def __init__(self, library):
        self.library = ctypes.CDLL(library)

    def read(self, body, content_type):
        """What nd_extract says of a page."""
        page = Page(ctypes.sizeof(Page), 0, b"", 0, body, len(body), content_type, len(content_type), 1)
        out = Buffer(ctypes.sizeof(Buffer))
        status = self.library.nd_extract(ctypes.byref(page), None, ctypes.byref(out))
        assert status == 0, status
        result = json.loads(ctypes.string_at(out.data, out.size))
        self.library.nd_buffer_free(ctypes.byref(out))
        return result


def cases(path):
    """The sections of each test of a file: {"data": ..., "document": ...}."""
    for number, test in enumerate(re.split(rb"(?:^|\n\n?)#data\n", path.read_bytes())[1:], 1):
        sections = re.split(rb"\n#([a-z-]+)(?=\n|$)", b"\n#data\n" + test)
        yield number, {name.decode(): text[1:] for name, text in zip(sections[1::2], sections[2::2])}


def tree_text(document):
    """The text that a tree shows; elements that separate blocks are line breaks."""
    shown, path = [], []  # path: (depth, name, hides)
    line = ""

    def leave(depth):
        while path and path[-1][0] >= depth:
            if path.pop()[1] in SEPARATING:
                shown.append("\n")

    lines = iter(document.decode("utf-8", "surrogatepass").split("\n"))
    for line in lines:
        node = re.match(r"\| ( *)(.*)", line, re.DOTALL)
        if not node:
            continue
        depth, what = len(node[1]), node[2]
        if what.startswith('"'):
            leave(depth)
            while not what.endswith('"') or what == '"':
                what += "\n" + next(lines)
            if not any(hides for _, _, hides in path):
                shown.append(what[1:-1])
        elif re.fullmatch(r"<[^!?].*>", what, re.DOTALL):
            leave(depth)
            name = what[1:-1].split(" ")[-1] if what.startswith(("<svg ", "<math ")) else what[1:-1]
            if name in SEPARATING:
                shown.append("\n")
            path.append((depth, name, name in HIDING))
        else:
            attribute = re.match(r'hidden="|style=".*display: *none', what)
            if attribute and path:
                path[-1] = (*path[-1][:2], True)
    leave(0)
    return "".join(shown)


def words(text):
    """As ndc normalises text; what it leaves out counts on neither side."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf")).split()


def differing_trees(reader, folder):
    """(name, page, expected, found) of each that differs, and how many there are."""
    differing, count = [], 0
    for path in sorted(folder.rglob("*.dat")):
        for number, case in cases(path):
            if "document-fragment" in case or "script-on" in case or "document" not in case:
                continue
            count += 1
            report = reader.read(case["data"], b"text/html; charset=utf-8")
            expected = words(tree_text(case["document"]))
            found = words("\n".join(block["text"] for block in report["blocks"]))
            if expected != found:
                differing.append(
                    (f"{path.relative_to(folder.parent)}#{number}", case["data"], " ".join(expected), " ".join(found))
                )
    return differing, count


def differing_charsets(reader, folder):
    """The same, where the charset found makes another text of the page: most pages are ASCII."""
    differing, count = [], 0
    for path in sorted(folder.rglob("*.dat")):
        for number, case in cases(path):
            count += 1
            expected = case["encoding"].decode().strip().lower()
            found = reader.read(case["data"], b"text/html")["charset"]
            if case["data"].decode(expected, "replace") != case["data"].decode(found, "replace"):
                differing.append((f"{path.relative_to(folder.parent)}#{number}", case["data"], expected, found))
    return differing, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--folder", type=pathlib.Path, default=os.environ.get(VARIABLE))
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if not arguments.folder:
        print(f"{VARIABLE} names no folder")
        sys.exit(77)
    folder = pathlib.Path(arguments.folder)
    reader = Reader(arguments.library)
    listed = dict(line.split("\t") for line in DIFFERENCES.read_text().splitlines()) if DIFFERENCES.exists() else {}
    trees, tree_count = differing_trees(reader, folder / "tree-construction")
    charsets, charset_count = differing_charsets(reader, folder / "encoding")
    assert tree_count > 1000 and charset_count > 50, (tree_count, charset_count)
    found = {name: (data, expected, got) for name, data, expected, got in trees + charsets}
    unlisted = [name for name in found if name not in listed]
    agreeing = [name for name in listed if name not in found]
    print(
        f"{tree_count} documents, {len(trees)} differ; {charset_count} charsets, {len(charsets)} differ; "
        f"{len(unlisted)} are not listed"
    )
    if arguments.show:
        for name in unlisted:
            data, expected, got = found[name]
            print(f"\n{name}\n  {data!r}\n  expected {expected!r}\n  found    {got!r}")
    if arguments.write:
        rows = {name: listed.get(name, "?") for name in found}
        DIFFERENCES.write_text("".join(f"{name}\t{reason}\n" for name, reason in sorted(rows.items())))
        return
    assert not agreeing, f"listed, and yet they agree: {agreeing}"
    assert not unlisted and "?" not in listed.values(), f"differ: {unlisted}"


if __name__ == "__main__":
    main()
