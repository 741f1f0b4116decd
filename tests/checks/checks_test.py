#!/usr/bin/env python3
"""checks_test.py COMPILER: what scripts/check calls sees what it is there for."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import tidy_check

FOLDER = pathlib.Path(__file__).parent


def run(name, *arguments):
    return subprocess.run(
        [sys.executable, "-B", FOLDER / name, *map(str, arguments)], capture_output=True, text=True, check=False
    )


def covered(name, counts):
    return {"file": name, "lines": [{"line_number": line, "count": count} for line, count in counts]}


def check_coverage_table(folder):
    lines = folder / "lines.json"
    table = folder / "lines.txt"
    first = covered("src/a.cpp", [(1, 5), (2, 0), (3, 0), (7, 0), (8, 1), (9, 0), (10, 1), (11, 2), (12, 2), (13, 2)])
    # In a header each source file that includes it counts.
    second = covered("src/b.hpp", [(4, 0), (4, 3), (5, 1)])
    lines.write_text(json.dumps({"files": [second, first]}))
    answer = run("coverage_table.py", lines, 90, table)
    assert answer.returncode == 1, answer
    assert answer.stdout == (
        "  60.0 %  src/a.cpp  (6 of 10)\n            2-7, 9\n" "  66.7 %  in total: 8 of 12 lines of 2 files\n"
    ), answer.stdout
    assert " 100.0 %  src/b.hpp  (2 of 2)\n" in table.read_text()
    assert run("coverage_table.py", lines, 66, table).returncode == 0
    lines.write_text(json.dumps({"files": []}))
    assert run("coverage_table.py", lines, 0, table).returncode != 0, "nothing was counted"


def check_compile_check(folder, compiler):
    sources = {"good.cpp": "int main() { return 0; }\n", "bad.cpp": "int main() { int unused = 0; return 0; }\n"}
    entries = []
    for name, text in sources.items():
        (folder / name).write_text(text)
        entries.append(
            {
                "directory": str(folder),
                "command": f"{compiler} -Wall -o {name}.o -c {folder / name}",
                "file": str(folder / name),
            }
        )
    (folder / "compile_commands.json").write_text(json.dumps(entries[:1]))
    assert run("compile_check.py", folder).returncode == 0
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    answer = run("compile_check.py", folder)
    assert answer.returncode == 1 and "unused" in answer.stdout, answer
    assert run("compile_check.py", folder, "--but", folder).returncode != 0, "nothing was read"
    other = folder / "other"
    other.mkdir()
    (other / "compile_commands.json").write_text(json.dumps(entries[1:]))
    assert run("compile_check.py", folder, "--but", other).returncode == 0
    (other / "compile_commands.json").write_text(json.dumps(entries[:1]))
    assert run("compile_check.py", folder, "--but", other).returncode == 1
    assert not list(folder.glob("*.o"))


def check_threads_check(folder):
    script = folder / "check"
    tests = folder / "unit" / "room"
    tests.mkdir(parents=True)
    script.write_text("threaded_targets=(room_test)\nthreaded_tests='^room\\.Doors'\nsingle_threaded_tests='Shut'\n")
    (folder / "CMakeLists.txt").write_text("# none\n")
    test = tests / "doors_test.cpp"
    alone, beside = "TEST(Doors, Open) {\n  std::thread other;\n}\n", "TEST(DoorsShut, One) {}\n"
    test.write_text(alone + beside)
    answer = run("threads_check.py", script, folder)
    assert answer.returncode == 0 and answer.stdout == "1 tests start threads\n", answer
    test.write_text("struct Crowd { std::jthread one; };\n" + alone + beside)
    answer = run("threads_check.py", script, folder)
    assert (
        answer.returncode == 1 and "room.DoorsShut.One" in answer.stdout and "room.Doors.Open" not in answer.stdout
    ), answer
    test.write_text(alone.replace("Doors", "Windows"))
    assert "room.Windows.Open" in run("threads_check.py", script, folder).stdout
    test.write_text(alone)
    script.write_text(script.read_text().replace("room_test", "hall_test"))
    assert "executable" in run("threads_check.py", script, folder).stdout
    (folder / "CMakeLists.txt").write_text("  ndc_capi_test(hall_test other_test.cpp doors_test.cpp)\n")
    assert run("threads_check.py", script, folder).returncode == 0
    test.write_text(beside)
    assert run("threads_check.py", script, folder).returncode == 1, "nothing was read"


def git(folder, *arguments):
    identity = ("-c", "user.name=Anyone", "-c", "user.email=anyone@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, check=True)


def git_folder(folder):
    folder.mkdir()
    git(folder, "init", "--quiet")


def check_tidy_check(folder):
    """Which files are read anew after a change, and that a finding fails."""
    git_folder(folder)
    (folder / "src/room").mkdir(parents=True)
    for name, text in (
        ("wall.hpp", ""),
        ("door.hpp", '#include "room/wall.hpp"\n'),
        ("door.cpp", '#include "room/door.hpp"\n'),
        ("roof.cpp", ""),
    ):
        (folder / "src/room" / name).write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "--message", "Begin")
    tidy_check.ROOT = folder
    assert tidy_check.changed_since("HEAD") == set()
    (folder / "src/room/wall.hpp").write_text("int wall;\n")
    assert tidy_check.changed_since("HEAD") == {"src/room/wall.hpp", "src/room/door.hpp", "src/room/door.cpp"}
    assert tidy_check.DATA.search("src/room/stone_table.cpp") and not tidy_check.DATA.search("src/room/tables_of.cpp")
    tidy = folder / "tidy"
    tidy.write_text('#!/bin/sh\ncase "$4" in *roof.cpp) echo "$4: a bug"; exit 1 ;; esac\n')
    tidy.chmod(0o755)
    tidy_check.TIDY = str(tidy)
    assert (
        "roof.cpp: a bug" in tidy_check.read("build", "src/room/roof.cpp")
        and tidy_check.read("build", "src/room/door.cpp") == ""
    )


def check_skippable_tests(folder):
    git_folder(folder)
    script = folder / "scripts/skippable-tests"
    script.parent.mkdir()
    shutil.copy(FOLDER.parent.parent / "scripts/skippable-tests", script)
    (folder / "plugins/spark").mkdir(parents=True)
    job = folder / "plugins/spark/Job.java"
    job.write_text("one\n")
    git(folder, "add", ".")
    git(folder, "commit", "--message", "Begin")

    def skipped(*base):
        answer = subprocess.run([script, *base], capture_output=True, text=True, check=True)
        assert answer.stderr, answer
        return [
            name for name in ("spark", "nutch", "heritrix", "stormcrawler", "figures") if name in answer.stdout
        ], answer.stderr

    assert skipped() == ([], "Jobs, crawls and figures: all of them, since there is no earlier commit that passed.\n")
    assert skipped("no-such-commit")[0] == []
    assert skipped("HEAD")[0] == ["spark", "nutch", "heritrix", "stormcrawler", "figures"]
    job.write_text("two\n")
    names, why = skipped("HEAD")
    assert (
        names == ["nutch", "heritrix", "stormcrawler", "figures"] and "plugins/spark/Job.java has changed" in why
    ), why
    git(folder, "checkout", ".")
    (folder / "include").mkdir()
    (folder / "include/new.h").write_text("")
    assert skipped("HEAD")[0] == ["figures"], "a file that git does not know yet"
    (folder / "eval").mkdir()
    (folder / "eval/draw.py").write_text("")
    assert skipped("HEAD")[0] == []


def check_sources_check(folder):
    for path in ("docs", "src/options", "tests/unit/room", "eval/experiments"):
        (folder / path).mkdir(parents=True)
    (folder / "src/options/option_table.cpp").write_text(
        '    Option{{"height", "integer", "1", "1..2"}},\n    Option{\n        {"width", "integer"}},\n'
    )
    (folder / "tests/unit/room/door_test.cpp").write_text("TEST(Door, Opens) {}\nTEST_F(Wall, Stands) {}\n")
    (folder / "eval/experiments/rooms.cpp").write_text(
        '  Table table("rooms", "How many.");\n  return Table(\n      "room_doors", "Of each.");\n  said("walls");\n'
    )
    (folder / "eval/README.md").write_text(
        "### Tables\n\n| table | a row is |\n|---|---|\n| `rooms`, `room_doors` | one |\n| `roofs` | one |\n\n## More\n"
        "\n| `walls` |\n"
    )
    header = "| part | file | test | option | `ndc eval`, or why not |\n|---|---|---|---|---|\n"
    good = (
        "| 1: a \\| b | `src/options/option_table.cpp` | `room.Door.Opens`, `room.Wall.Stands` | `height`, `width` | "
        "`rooms`, `room_doors` |\n"
        "| 2: c | | | | not measured |\n"
    )
    documents = ("TR2007012", "TR2007012 slides", "SpotSigs", "Moz", "MWO")

    def faults(rows, names=documents):
        (folder / "docs/sources.md").write_text(
            "# Sources\n" + "".join(f"### {name}\n\n{header}{rows}\n" for name in names)
        )
        answer = run("sources_check.py", folder)
        assert (answer.returncode == 0) == (answer.stderr == ""), answer
        return answer.stderr

    assert faults(good) == ""
    for gone in (
        "src/options/option_table.cpp",
        "room.Door.Opens",
        "room.Wall.Stands",
        "height",
        "width",
        "rooms",
        "room_doors",
    ):
        assert f"{gone}s" in faults(good.replace(f"`{gone}`", f"`{gone}s`")), gone
    for untrue in ("roofs", "walls"):
        assert f"no table {untrue}" in faults(
            good.replace("`rooms`", f"`{untrue}`")
        ), "described but not made, or made but not described"
    assert "neither" in faults(good.replace("not measured", ""))
    assert "4 cells" in faults(good.replace("| 2: c |", "|"))
    assert "no table of Moz" in faults(good, [name for name in documents if name != "Moz"])
    assert "no table of MWO" in faults("")


def check_documents_check(folder):
    (folder / "docs").mkdir(parents=True)
    (folder / "build/debian").mkdir(parents=True)

    def faults(guide, built=""):
        (folder / "docs/README.md").write_text("# Map\n\n[Guide](guide.md)\n")
        (folder / "docs/guide.md").write_text(guide)
        (folder / "build/debian/built.md").write_text(built)
        answer = run("documents_check.py", folder)
        assert (answer.returncode == 0) == (answer.stderr == ""), answer
        return answer.stderr

    assert faults("[the map](README.md#map)\n") == ""
    assert "no file gone.md" in faults("[gone](gone.md)\n")
    assert "no heading #gone" in faults("[gone](README.md#gone)\n")
    assert faults("", "[gone](gone.md)\n") == "", "what is built is not ours"
    (folder / "src/options").mkdir(parents=True)
    (folder / "src/options/option_table.cpp").write_text('    "x_height", "how high",\n')
    (folder / "include").mkdir()
    (folder / "include/ndcapi.h").write_text("void nd_open(void);\n")
    known = "`src/options`, `option_table.cpp`, `src/options/option_table`, `nd_open()`, `x_height=1`, `x_gone …`\n"
    assert faults(known) == ""
    for code in ("src/options/gone.cpp", "gone.hpp", "nd_gone", "nd_gone(1)", "x_gone", "x_gone=1"):
        assert "gone" in faults(f"{known}`{code}`\n"), code
    (folder / "docs/more.md").write_text("")
    assert "does not name more.md" in faults("")


def check_lines_check(folder):
    git_folder(folder)
    (folder / "tests/abi/headers").mkdir(parents=True)
    long_line = "x" * 121 + "\n"
    for name, text in (
        ("good.cpp", "é" * 120 + "\n"),
        ("data.tsv", long_line),
        ("tests/abi/headers/old.h", long_line),
        ("unknown_to_git.py", long_line),
        ("comment.java", "\n// " + "x" * 118),
        ("script", "#!/bin/sh\n" + long_line),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "good.cpp", "data.tsv", "tests")
    assert run("lines_check.py", folder).returncode == 0
    git(folder, "add", "comment.java", "script")
    answer = run("lines_check.py", folder)
    assert answer.returncode == 1 and [line.split(": ")[0] for line in answer.stderr.splitlines()] == [
        "comment.java:2",
        "script:2",
    ], answer


def check_openings_check(folder):
    git_folder(folder)
    good = "Counts the words of a page, because short pages are decided by other rules."
    for name, text in (
        ("good.cpp", f"// {good}\n#include <vector>\n"),
        ("Good.java", f"package a;\n\nimport b.C;\n\n/** {good} */\nclass Good {{}}\n"),
        ("good.go", f"// {good}\n\npackage words\n"),
        ("good.py", f'"""{good}"""\n'),
        ("good", f"#!/bin/sh\n# good: {good.lower()}\n"),
        ("empty.py", ""),
        ("data.tsv", "word\tcount\n"),
        ("helper.cpp", f"#include <vector>\n// {good}\nint count();\n"),
        ("word.go", "package words\n\nfunc Count() int\n"),
        ("word_counts.hpp", "// The counts of a word.\n#pragma once\n"),
        ("WordCount.java", "/** A word count, and what it has. */\nclass WordCount {}\n"),
        ("script", "#!/bin/sh\nset -e\n"),
        ("digits.cpp", "// Whether one of eight bytes is a digit.\nbool has_digit(uint64_t bytes);\n"),
        ("numbers.hpp", "// The numbers appear in files and never change.\nenum class Kind { kPage = 1 };\n"),
        (
            "options.cpp",
            "// Consecutive tokens: in a script without spaces each character is one.\nbool is_word(Text text);\n",
        ),
        ("licence.hpp", "// Copyright 2026 the authors of this very library.\n#pragma once\n"),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "good*", "Good*", "empty.py", "data.tsv")
    assert run("openings_check.py", folder).returncode == 0
    git(folder, "add", ".")
    answer = run("openings_check.py", folder)
    assert answer.returncode == 1 and [line.split(": ")[:2] for line in answer.stderr.splitlines()] == [
        ["WordCount.java", "opens with a comment that says no more than its name"],
        ["digits.cpp", "opens with a comment on its first declaration, not on itself"],
        ["helper.cpp", "does not open with a comment"],
        ["licence.hpp", "opens with its licence"],
        ["numbers.hpp", "opens with a comment on its first declaration, not on itself"],
        ["options.cpp", "opens with a comment on its first declaration, not on itself"],
        ["script", "does not open with a comment"],
        ["word.go", "does not open with a comment"],
        ["word_counts.hpp", "opens with a comment that says no more than its name"],
    ], answer


def check_checks_without_a_list(folder):
    """Where git does not answer there is nothing that they could pass."""
    git_folder(folder)
    for check in ("openings_check.py", "sizes_check.py"):
        answer = run(check, folder)
        assert answer.returncode == 1 and "git lists no files" in answer.stderr, answer
    shutil.rmtree(folder / ".git")
    for check in ("openings_check.py", "sizes_check.py"):
        assert run(check, folder).returncode == 0, check


def check_sizes_check(folder):
    git_folder(folder)
    for name, text in (
        (
            "src/options/option_table.cpp",
            '{"mmap", "boolean",\n   Option{{"verify", "choice",\n{"x_rounds", "integer",\n',
        ),
        ("methods/moz.hpp", "int a;\n"),
        ("tools/ndc/main.cpp", "int a;\nint b;\n"),
        ("plugins/spark/src/main/java/Job.java", "class Job {}\n"),
        ("plugins/spark/src/test/java/JobTest.java", "class JobTest {}\n"),
        ("bindings/go/page.go", "package ndc\n"),
        ("bindings/go/page_test.go", "package ndc\n"),
        ("bindings/go/stats.go", "package ndc\n"),
        ("bindings/java/src/main/java/Page.java", "class Page {}\n"),
        ("README.md", "four words and more\n"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    table = folder / "tests/checks/sizes.tsv"
    table.parent.mkdir(parents=True)
    git(folder, "add", ".")

    def faults(*rows):
        table.write_text("\n".join(("what\tmost\twhy so much", *rows)) + "\n")
        answer = run("sizes_check.py", folder)
        assert (answer.returncode == 0) == (answer.stderr == ""), answer
        return answer.stderr

    rest = (
        "lines of src\t3\tx",
        "lines of methods\t1\tx",
        "lines of archives\t0\tx",
        "lines of tools/ndc\t2\tx",
        "lines of plugins/spark\t1\tx",
        "lines of plugins/kafka\t0\tx",
        "lines of bindings/go\t1\tx",
        "lines of bindings/rust\t0\tx",
        "lines of bindings/node\t0\tx",
        "lines of bindings/java\t1\tx",
        "stable options\t2\tx",
        "experimental options\t1\tx",
    )
    assert faults(*rest, "words of documents\t4\tall is said") == ""
    assert "words of documents: 4, more than the 3" in faults(*rest, "words of documents\t3\tx")
    assert "a number and a reason are missing" in faults(*rest, "words of documents\t9\t ")
    assert "a number and a reason are missing" in faults(*rest)
    assert "lines of tools/ndc: 2, more than the 1" in faults(
        *(row.replace("ndc\t2", "ndc\t1") for row in rest), "words of documents\t4\tx"
    )
    assert "pages: nothing" in faults(*rest, "words of documents\t4\tx", "pages\t1\tx")


def check_commit_messages(folder):
    git_folder(folder)
    script = FOLDER.parent.parent / "scripts/check-commits"

    def faults(message):
        git(folder, "commit", "--allow-empty", "--cleanup=verbatim", "--message", message)
        answer = subprocess.run(
            [sys.executable, "-B", script, "HEAD~1..HEAD"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert (answer.returncode == 0) == (answer.stderr == ""), answer
        return answer.stderr

    git(folder, "commit", "--allow-empty", "--message", "Begin")
    assert faults("Bound the work of a check\n\nOne page could take a second.\n") == ""
    assert faults("Bring the pages back\n\nThey were lost.") == ""
    assert "73 characters" in faults("B" + "o" * 72 + "\n\nWhy.")
    assert "imperative" in faults("Fixed the lock\n\nIt was slow.")
    assert "imperative" in faults("docs: the lock\n\nIt was not described.")
    assert "full stop" in faults("Fix the lock.\n\nIt was slow.")
    assert "no body" in faults("Fix the lock\n")
    assert "empty line" in faults("Fix the lock\nIt was slow.")
    # Where the commit that the rule begins with is not there, as in a shallow clone, nothing is checked.
    answer = subprocess.run([sys.executable, "-B", script], cwd=folder, capture_output=True, text=True, check=False)
    assert answer.returncode == 0 and "not checked" in answer.stdout, answer


def main():
    with tempfile.TemporaryDirectory() as name:
        check_coverage_table(pathlib.Path(name))
        check_compile_check(pathlib.Path(name), sys.argv[1])
        check_threads_check(pathlib.Path(name))
        check_tidy_check(pathlib.Path(name) / "tidy")
        check_skippable_tests(pathlib.Path(name) / "skippable")
        check_sources_check(pathlib.Path(name) / "sources")
        check_documents_check(pathlib.Path(name) / "documents")
        check_lines_check(pathlib.Path(name) / "lines")
        check_checks_without_a_list(pathlib.Path(name) / "unlisted")
        check_openings_check(pathlib.Path(name) / "openings")
        check_sizes_check(pathlib.Path(name) / "sizes")
        check_commit_messages(pathlib.Path(name) / "commits")
    print("all see what they are there for")


if __name__ == "__main__":
    main()
