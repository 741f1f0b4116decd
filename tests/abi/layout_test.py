#!/usr/bin/env python3
"""layout_test.py COMPILER LAYOUT HEADER...: every field of every struct that a header declares, its size and every code
and number stand in LAYOUT (tests/c/layout.c), which the compiler holds against the header of today.

The first header is today's: all of its structs have a size in LAYOUT. The others are those of releases: the compiler
finds what stood in them at the place, and with the value, that it has in LAYOUT.
"""
import pathlib
import re
import subprocess
import sys


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def fields(header):
    """{struct: [field...]} of every struct with a body."""
    found = {}
    for name, body in re.findall(r"typedef\s+struct\s+(\w+)\s*\{(.*?)\}\s*\w+\s*;", header, re.S):
        found[name] = []
        for declaration in filter(str.strip, body.split(";")):
            function = re.search(r"\(\s*\*\s*(\w+)\s*\)", declaration)
            names = [function[1]] if function else [re.search(r"(\w+)\s*$", part)[1] for part in declaration.split(",")]
            found[name] += names
    return found


def values(header):
    """{name: number} of every enumerator, and of every macro that is a number; the version is not one of them."""
    found = {}
    for body in re.findall(r"\benum\s*\{(.*?)\}", header, re.S):
        for entry in filter(str.strip, body.split(",")):
            name, expression = (part.strip() for part in entry.split("="))
            found[name] = eval(re.sub(r"(\d)u\b", r"\1", expression), {"__builtins__": {}})  # pylint: disable=eval-used
    for name, number in re.findall(r"^\s*#define\s+(ND_\w+)\s+(0x[\da-f]+|\d+)u?\s*$", header, re.M):
        if not name.startswith("ND_VERSION_"):
            found[name] = int(number, 0)
    return found


def faults(layout, headers):
    """What of the headers is not in the layout, as sentences; `headers` is [(name, text)...], today's first."""
    layout = without_comments(layout)
    placed = set(re.findall(r"^FIELD\((\w+), (\w+), \d+, [48]\);", layout, re.M))
    sized = set(re.findall(r"^SIZE\((\w+), \d+\);", layout, re.M))
    valued = {name: int(number) for name, number in re.findall(r"^VALUE\((\w+), (-?\d+)\);", layout, re.M)}
    for position, (name, text) in enumerate(headers):
        header = without_comments(text)
        structs = fields(header)
        if not structs or not values(header):
            yield f"{name}: no struct or no value was found in it"
        for struct, names in structs.items():
            if position == 0 and struct not in sized:
                yield f"{name}: the size of {struct} is not in the layout"
            for field in names:
                if (struct, field) not in placed:
                    yield f"{name}: {struct}.{field} is not in the layout"
        for value, number in values(header).items():
            if valued.get(value) != number:
                yield f"{name}: {value} is {number}, in the layout {valued.get(value)}"


def compiles(compiler, layout, header, folder):
    """Whether the header has all that it shares with the layout where the layout has it."""
    text = without_comments(header)
    known = [f"FIELD({struct}, {field}," for struct, names in fields(text).items() for field in names]
    known += [f"VALUE({name}," for name in values(text)]
    lines = re.findall(r"^#define (?:FIELD|VALUE)\((?:.*\\\n)*.*$", layout, re.M)
    lines += [line for line in layout.splitlines() if line.startswith(tuple(known))]
    command = [compiler, "-std=c11", "-DND_EXPERIMENTAL", "-fsyntax-only", f"-I{folder}", "-xc", "-"]
    return subprocess.run(command, input=header + "\n" + "\n".join(lines), text=True, check=False).returncode == 0


SAMPLE = """
enum { ND_A = 0, ND_B = 1u << 3 /* , ND_NO = 1 */ };
#define ND_VERSION_MAJOR 1
#define ND_MAX 127
#define ND_MASK 0xffu
typedef struct nd_thing { uint32_t size; void *(*call)(size_t size, void *ctx); uint64_t a, b; } nd_thing;
"""
SAMPLE_LAYOUT = "\n".join(
    [
        "SIZE(nd_thing, 32);",
        "FIELD(nd_thing, size, 0, 4);",
        "FIELD(nd_thing, call, 8, 8);",
        "FIELD(nd_thing, a, 16, 8);",
        "FIELD(nd_thing, b, 24, 8);",
        "VALUE(ND_A, 0);",
        "VALUE(ND_B, 8);",
        "VALUE(ND_MAX, 127);",
        "VALUE(ND_MASK, 255);",
    ]
)


def sees_faults():
    """Each line of a small layout is missed if it is not there."""
    lines = SAMPLE_LAYOUT.splitlines()
    if list(faults(SAMPLE_LAYOUT, [("sample", SAMPLE)])):
        return False
    return all(
        len(list(faults("\n".join(lines[:i] + lines[i + 1 :]), [("sample", SAMPLE)]))) == 1 for i in range(len(lines))
    )


def main():
    if not sees_faults():
        raise SystemExit("this test does not see what is missing")
    compiler, layout, *headers = sys.argv[1:]
    layout = pathlib.Path(layout).read_text(encoding="utf-8")
    headers = [(name, pathlib.Path(name).read_text(encoding="utf-8")) for name in headers]
    found = list(faults(layout, headers))
    found += [
        f"{name}: something stands elsewhere than today"
        for name, text in headers
        if not compiles(compiler, layout, text, pathlib.Path(name).parent)
    ]
    print("\n".join(found) or f"{len(headers)} headers, nothing missing")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
