#!/usr/bin/env python3
"""site_test.py ROOT: the programs that scripts/site puts between the sources and MkDocs or doxygen. The check of the
site sees each kind of fault; the header comes through with all its declarations; the reference of Python has all that
the package exports; documents keep their links, and each is in the menu.
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def require(holds, what):
    if not holds:
        sys.exit(f"site_test: {what}")


def run(*command):
    return subprocess.run([str(word) for word in command], check=False, capture_output=True, text=True)


def test_faults_of_a_site(program):
    good = '<a href="b.html#there">b</a>'
    for page, fault in (
        (good, ""),
        ('<a href="gone.html">x</a>', "no file gone.html"),
        ('<a href="b.html#nowhere">x</a>', "nothing has the name of b.html#nowhere"),
        ('<a href="#nowhere">x</a>', "nothing has the name of #nowhere"),
        ('<script src="https://cdn.example/a.js"></script>', "loads https://cdn.example/a.js"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.html").write_text(page, encoding="utf-8")
            pathlib.Path(folder, "b.html").write_text('<p id="there"><a href="a.html">a</a></p>', encoding="utf-8")
            done = run(program, folder)
            require((done.returncode != 0) == bool(fault), f"{page} ends with {done.returncode}")
            require(fault in done.stderr, f"{page}: {done.stderr}")


def test_header(program, header):
    printed = run(program, header).stdout
    comments = re.compile(r"/\*.*?\*/", re.DOTALL)
    spaced = [" ".join(comments.sub(" ", text).split()) for text in (header.read_text(encoding="utf-8"), printed)]
    require(spaced[0] == spaced[1], "more than comments has changed")
    functions = re.findall(r"(\*/\n)?^ND_API [^;]*?(nd_\w+)\(", printed, re.MULTILINE)
    require(len(functions) > 50, f"{len(functions)} functions")
    require("/**" in printed and not re.search(r"^/\* ", printed, re.MULTILINE), "a comment is not doxygen's")


def test_python(program, sources):
    printed = run(program, sources).stdout
    (initial,) = sources.glob("*/__init__.py")
    names = re.search(r"^__all__ = \[(.*?)\]", initial.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1]
    absent = {name for name in re.findall(r'"(\w+)"', names) if f"\n## {name}\n" not in printed}
    require(absent == set(), f"the reference of Python lacks {sorted(absent)}")


def test_documents(program, root):
    if not (root / ".git").exists():
        return  # the list of documents is git's
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "docs")
        (out / "reference").mkdir(parents=True)
        done = run(program, root, folder)
        require(done.returncode == 0, done.stderr)
        index = (out / "docs/README.md").read_text(encoding="utf-8")
        require("](../reference/c/ndcapi_8h.html)" in index, "the header has no link to its reference")
        require("](LICENSE.txt)" in (out / "README.md").read_text(encoding="utf-8"), "the licence is no text")
        require((out / "LICENSE.txt").is_file(), "the licence did not come along")
        settings = pathlib.Path(folder, "mkdocs.yml").read_text(encoding="utf-8")
        for document in (root / "docs").glob("*.md"):
            require(f'"docs/{document.name}"' in settings, f"{document.name} is in no menu")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    programs = root / "packaging/site"
    test_faults_of_a_site(programs / "check_site.py")
    test_header(programs / "doxygen_comments.py", root / "include/ndcapi.h")
    test_python(programs / "python_reference.py", root / "bindings/python/src")
    test_documents(programs / "stage_documents.py", root)


if __name__ == "__main__":
    main()
