#!/usr/bin/env python3
"""check_layers.py [ROOT]: checks how the files of the project depend on each other, how long they are and what
they are called.

Prints one line a fault, FILE[:LINE]: TEXT, and exits with 1 if there is any. The rules are those of CONTRIBUTING.md.
"""
import pathlib
import re
import sys

# Highest first; folders of one group never include each other. What stands in methods/ is linked beside the library's
# own layers, none of which sees it. Of those below it a layer includes what its CMakeLists.txt names. archives/ and the
# library do not see each other.
LAYERS = [
    ("capi", "joins", "absent"),
    ("detectors",),
    ("engine",),
    ("options",),
    ("collection",),
    ("decision",),
    ("page",),
    ("moz", "mwo", "baselines"),
    ("index",),
    ("method",),
    ("lcs", "spotsigs"),
    ("text",),
    ("words",),
    ("reading", "store"),
    ("core", "archives"),
]
METHOD_LAYERS = {"index", "moz", "mwo", "baselines", "detectors", "joins", "absent"}
RANK = {layer: len(LAYERS) - i for i, group in enumerate(LAYERS) for layer in group}
LIBRARY_FOLDERS = ("src", "methods", "archives")


def home_of(layer):
    if layer == "archives":
        return "."
    return "methods" if layer in METHOD_LAYERS else "src"


CALLERS = ("tools", "bindings", "plugins", "examples")  # use the library as anyone else does
CODE_FOLDERS = ("include", "src", "methods", "archives", "tests", "bench", "eval", "fuzz", "scripts", "cmake") + CALLERS
CODE_SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".py", ".sh", ".cmake", ".in", ".java", ""}
C_SUFFIXES = {".h", ".hpp", ".c", ".cpp"}
# Inputs of a fuzzer, stores, and recorded headers: whatever they look like.
DATA_FOLDERS = {"__pycache__", "corpora", "headers", "stores"}

MAX_LINES = 600
MAX_TEST_LINES = 800  # of tests, whose cases are read one by one
LONG_FILES = {
    "include/ndcapi.h": 1105,  # the whole contract with callers, in the order in which it is read
    # One subject each; black takes a fifth more lines for them than they had when they were written by hand.
    "eval/figures/figures_test.py": 950,
    "eval/figures/lcs_partition.py": 800,
    "tests/cli/cli_test.py": 900,
    "tests/report/report_test.py": 900,
}
MAX_HEADER_LINES = 300
GENERATED_SUFFIX = "_tables.cpp"  # lists of data, read by nobody
GENERATED_FILES = {"Options.java"}  # of which bindings/java/generate-options writes most

# A room is a header with its source. One that is smaller than this has to be opened for hardly anything, so each says
# why it is one: it would drag what stands beside it into its includers, or it is a seam of its own.
MIN_ROOM_LINES = 60
ROOM_FOLDERS = ("src", "methods", "archives", "tools/ndc")
SMALL_ROOMS = {
    "archives/member_inflater": "the seam between the packings",
    "methods/baselines/exact_hash": "one of the baselines, which have a room each",
    "methods/absent/absent": "the whole of what a library without the methods has in their place",
    "methods/detectors/description_rows": "how each method writes what it keeps of a page",
    "src/core/portable_math": "arithmetic that all machines do alike, of no other file's kind",
    "src/core/prefetch": "the one place that knows which compilers have the builtin",
    "src/core/relaxed_counter": "what core, store and engine count while others read, in three different tables",
    "src/core/small_hash_set": "a table of constants: cuckoo hashing, unlike every other table",
    "src/core/word_list": "the form of tables in four rooms",
    "src/core/version": "the one file that is compiled anew with the version",
    "src/core/wall_clock": "the one place that reads the clock of the day",
    "src/core/work_tally": "counted into by all layers, which must not see more for it",
    "src/engine/complete_join": "a seam: methods/joins stands behind it, or nothing",
    "src/collection/collection_parameters": "read by the indexes, which the collection includes",
    "src/collection/counters": "what all of the engine counts into; metrics.cpp, which reads it, sees the engine",
    "src/decision/decision_parameters": "read by the collection and the options, which compare nothing",
    "src/page/description_report": "a seam: methods/detectors stands behind it, or nothing",
    "src/decision/decision_model_table": "written by eval/train-decision",
    "src/method/mwo_settings": "read by the options, by describers and by mwo, which sees nothing else of them",
    "src/spotsigs/idf_band": "read by the settings of detectors, which must not see the index",
    "src/spotsigs/signature_set": "a filter in front of a bisection, unlike every other set",
    "src/spotsigs/spot_posting": "a format of the index and of its search, which do not see each other",
    "src/store/damage_report": "both the file of a run and its blocks report to it",
    "src/reading/byte_block": "the only intrinsics of the scans over markup",
    "tools/ndc/damage_messages": "counts what it says, so each run has one; command_options would drag CLI11 in",
    "tools/ndc/exit_code": "what every command returns, with and without options",
    "tools/ndc/handles": "owners of what ndcapi.h hands out, for all commands",
}

VAGUE_NAMES = {"util", "utils", "common", "misc", "manager", "helper", "helpers"}
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")

DEPENDS = re.compile(r"ndc_layer\(\w+ DEPENDS ([a-z ]+)")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def files_below(root, folders, suffixes):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in suffixes and DATA_FOLDERS.isdisjoint(path.parts):
                yield path


def includes(path):
    """Yields (line number, quote, target) of each include directive."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1], match[2]


def include_fault(layer, quote, target):
    """What is wrong with an include directive of a file of src/LAYER, or None."""
    name = pathlib.PurePosixPath(target)
    if target == "ndcapi.h":
        return None if layer in ("archives", "capi") else "only src/capi and archives know the C interface"
    if quote == "<":
        return "our own headers are included with quotes" if name.parts[0] in RANK and name.suffix == ".hpp" else None
    if len(name.parts) != 2 or name.parts[0] not in RANK:
        return f'"{target}" is not of the form "layer/file.hpp"'
    seen = name.parts[0]
    if seen != layer and RANK[seen] >= RANK[layer]:
        return f"layer {layer} must not include {seen}, which does not stand below it"
    if layer != "archives" and seen == "archives":
        return f"layer {layer} must not include archives, which only programs see"
    if layer not in METHOD_LAYERS and seen in METHOD_LAYERS:
        return f"layer {layer} must not include {seen}, without which the library can be built"
    return None


def check_layers(root):
    for path in files_below(root, LIBRARY_FOLDERS, C_SUFFIXES):
        layer = path.parent.name
        if layer not in RANK or path.parent != root / home_of(layer) / layer:
            yield path, 0, (
                "stands in no layer: archives/FILE, or src/LAYER/FILE or methods/LAYER/FILE with LAYER of "
                + ", ".join(RANK)
            )
            continue
        for number, quote, target in includes(path):
            fault = include_fault(layer, quote, target)
            if fault:
                yield path, number, fault
            elif quote == '"' and not (root / home_of(target.split("/")[0]) / target).is_file():
                yield path, number, f'"{target}" does not exist'


def check_dependencies(root):
    """A layer includes the layers that its CMakeLists.txt names, and no others."""
    for path in sorted((root / "src").glob("*/CMakeLists.txt")):
        match = DEPENDS.search(path.read_text(encoding="utf-8"))
        named = set(match[1].split()) if match else set()
        seen = set()
        for file in files_below(root, [f"src/{path.parent.name}"], C_SUFFIXES):
            seen |= {target.split("/")[0] for _, quote, target in includes(file) if quote == '"'}
        seen -= {path.parent.name, "ndcapi.h"}
        for layer in sorted(seen - named):
            yield path, 0, f"does not name {layer}, which a file beside it includes"
        for layer in sorted(named - seen):
            yield path, 0, f"names {layer}, which no file beside it includes"


def check_cycles(root):
    graph = {}
    for path in files_below(root, LIBRARY_FOLDERS, C_SUFFIXES):
        name = f"{path.parent.name}/{path.name}"
        graph[name] = [target for _, quote, target in includes(path) if quote == '"']
    done = set()

    def visit(name, trail):
        if name in trail:
            return trail[trail.index(name) :] + [name]
        if name in done or name not in graph:
            return None
        for target in graph[name]:
            cycle = visit(target, trail + [name])
            if cycle:
                return cycle
        done.add(name)
        return None

    for name in sorted(graph):
        cycle = visit(name, [])
        if cycle:
            yield root / home_of(name.split("/")[0]) / name, 0, "include cycle: " + " > ".join(cycle)
            return


def check_callers(root):
    """Programs beside the library see its header and their own files, nothing of src/; the command line sees
    archives/ too, with which it is linked, and the bindings the calls of it."""
    for path in files_below(root, CALLERS, C_SUFFIXES):
        is_command = path.is_relative_to(root / "tools")
        is_binding = path.is_relative_to(root / "bindings")
        for number, quote, target in includes(path):
            parts = pathlib.PurePosixPath(target).parts
            is_call = is_binding and target == "archives/ndc_archives.h"
            if (is_call or (is_command and parts[0] == "archives")) and (root / target).is_file():
                continue
            if ".." in parts or parts[0] in RANK:
                yield path, number, f'"{target}": only ndcapi.h and files of its own folder'
            elif quote == '"' and not (path.parent / target).is_file():
                yield path, number, f'"{target}" is no file of its own folder'
    for path in (p for folder in CALLERS for p in (root / folder).rglob("CMakeLists.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(r"\bnd_(?:internal|" + "|".join(RANK) + r")\b|SOURCE_DIR\}/src\b|\.\./src\b", line):
                yield path, number, "builds upon src/ past the C interface"


def check_names(root):
    seen = {}
    for path in files_below(root, LIBRARY_FOLDERS, C_SUFFIXES):
        other = seen.setdefault(path.name, path)
        if other != path:
            yield path, 0, f"has the name of {other.relative_to(root)}"
    for path in files_below(root, CODE_FOLDERS, CODE_SUFFIXES):
        word = re.split(r"[^a-z]+", path.stem.lower())[-1]  # in front, as in common_prefix, it is an adjective
        if word in VAGUE_NAMES:
            yield path, 0, f'"{word}" says nothing about what is in it'


def most_lines(name):
    """The most lines of a file, given its path below the root."""
    is_test = name.parts[0] == "tests" or "test" in re.split(r"[^a-z]+", name.stem.lower())
    return LONG_FILES.get(name.as_posix(), MAX_TEST_LINES if is_test else MAX_LINES)


def check_rooms(root, least, reasons):
    """Rooms with fewer than `least` lines are those that `reasons` has, and no others."""
    lines = {}
    for path in files_below(root, ROOM_FOLDERS, C_SUFFIXES):
        room = path.relative_to(root).with_suffix("").as_posix()
        lines[room] = lines.get(room, 0) + len(path.read_text(encoding="utf-8").splitlines())
    for room, count in sorted(lines.items()):
        if count < least and room not in reasons:
            yield root / room, 0, (
                f"a room of {count} lines: join it with what it belongs to, or give SMALL_ROOMS the reason"
            )
        elif count >= least and room in reasons:
            yield root / room, 0, f"has grown to {count} lines: SMALL_ROOMS need not name it"
    for room in sorted(reasons.keys() - lines.keys()):
        yield root / room, 0, "is gone: SMALL_ROOMS must not name it"


def check_texts(root):
    for path in files_below(root, CODE_FOLDERS, CODE_SUFFIXES):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        most = most_lines(path.relative_to(root))
        if len(lines) > most and not path.name.endswith(GENERATED_SUFFIX) and path.name not in GENERATED_FILES:
            yield path, 0, f"{len(lines)} lines, more than {most}"
        if path.suffix == ".hpp" and len(lines) > MAX_HEADER_LINES:
            yield path, 0, f"{len(lines)} lines, more than a header's {MAX_HEADER_LINES}"
        for number, line in enumerate(lines, 1):
            if UNFINISHED.search(line):
                yield path, number, "unfinished work belongs into an issue"


def faults(root, least_room=MIN_ROOM_LINES, reasons=SMALL_ROOMS):
    checks = [
        check(root)
        for check in (check_layers, check_dependencies, check_cycles, check_callers, check_names, check_texts)
    ]
    for found in checks + [check_rooms(root, least_room, reasons)]:
        for path, number, text in found:
            place = path.relative_to(root).as_posix() + (f":{number}" if number else "")
            yield f"{place}: {text}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if len(sys.argv) > 1 else root.parents[2]
    found = list(faults(root))
    print("\n".join(found) if found else "no fault")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
