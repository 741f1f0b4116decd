#!/usr/bin/env python3
"""abi_diff_test.py ABIDW ABIDIFF LIBRARY DUMP...: programs that were compiled against the releases of which the DUMPs
are go on working with LIBRARY: no function is gone or takes or returns something else, no struct has another layout.
New functions, and structs that grew at their end, are no difference: a caller says how large his are.

First it falsifies the last dump, one fault after the other, and makes sure that each is reported.
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def is_told_in_vain(line, size):
    """Whether a line of abidiff's report says nothing that a caller would notice; `size` is the struct's before it
    grew, in bits."""
    growth = re.search(r"type size changed from (\d+) to (\d+) \(in bits\)", line)
    member = re.search(r"^ +'.*', at offset (\d+) \(in bits\)", line)
    return bool(
        (growth and int(growth[1]) < int(growth[2]))
        or (member and size is not None and int(member[1]) >= size)
        or re.match(r"'struct nd_\w+'.* changed:$| +\d+ data member insertions?:$|.*summary: |$", line)
    )


def differences(abidiff, old, new):
    """The lines of abidiff's report that matter. Exit codes: its manual, "return values"."""
    command = [abidiff, "--leaf-changes-only", "--no-added-syms", old, new]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode & 3 or answer.stderr:
        raise SystemExit(f"abidiff failed: {answer.stdout}{answer.stderr}")
    found, size = [], None
    for line in answer.stdout.splitlines() if answer.returncode else []:
        if line.startswith("'struct "):
            size = None
        growth = re.search(r"type size changed from (\d+) to", line)
        size = int(growth[1]) if growth else size
        if not is_told_in_vain(line, size):
            found.append(line)
    return found


def struct(dump, name):
    """The element of a struct in a dump."""
    return re.search(rf"<class-decl name='{name}'[^>]*>.*?</class-decl>", dump, re.S)[0]


def with_longer_event(dump, name, at):
    """nd_event has a field `name` of 64 bits more, which stands at bit `at`, and its end 64 bits later."""
    old = struct(dump, "nd_event")
    bits = int(re.search(r"size-in-bits='(\d+)'", old)[1])
    member = re.findall(r"\s*<data-member [^>]*>.*?</data-member>", old, re.S)[-1]
    more = re.sub(
        r"layout-offset-in-bits='\d+'", f"layout-offset-in-bits='{bits if at is None else at}'", member
    ).replace("at_ms", name)
    new = re.sub(r"size-in-bits='\d+'", f"size-in-bits='{bits + 64}'", old, count=1)
    return dump.replace(old, new.replace("</class-decl>", more.lstrip("\n") + "</class-decl>"))


def struct_that_shrinks(dump):
    return with_longer_event(dump, "until_ms", None)


def moved_field(dump):
    old = struct(dump, "nd_page_info")
    places = re.findall(r"layout-offset-in-bits='(\d+)'", old)
    swapped = (
        old.replace(f"'{places[-1]}'", "'last'")
        .replace(f"'{places[-2]}'", f"'{places[-1]}'")
        .replace("'last'", f"'{places[-2]}'")
    )
    return dump.replace(old, swapped)


def field_of_another_type(dump):
    old = struct(dump, "nd_result")
    types = re.findall(r"type-id='([^']*)'", old)
    return dump.replace(old, old.replace(f"type-id='{types[-1]}'", f"type-id='{types[-2]}'"))


def function_that_goes(dump):
    return dump.replace("nd_refresh", "nd_renew")


def another_parameter(dump):
    old = re.search(r"<function-decl name='nd_snapshot'.*?</function-decl>", dump, re.S)[0]
    other = re.search(r"<function-decl name='nd_status_string'.*?</function-decl>", dump, re.S)[0]
    return dump.replace(
        old, re.sub(r"<parameter type-id='[^']*'", re.search(r"<parameter type-id='[^']*'", other)[0], old)
    )


FAULTS = (struct_that_shrinks, moved_field, field_of_another_type, function_that_goes, another_parameter)


def unseen_faults(abidiff, dump, folder):
    """What this test would not report, and what it would report wrongly."""
    original = dump.read_text(encoding="utf-8")
    falsified = folder / "falsified.abi"
    for fault in FAULTS:
        falsified.write_text(fault(original), encoding="utf-8")
        if fault(original) == original or not differences(abidiff, falsified, dump):
            yield f"{fault.__name__} is not reported"
    falsified.write_text(struct_that_shrinks(original), encoding="utf-8")
    if differences(abidiff, dump, falsified):
        yield "a struct that grows at its end is reported"
    falsified.write_text(with_longer_event(original, "until_ms", 320), encoding="utf-8")
    if not differences(abidiff, dump, falsified):
        yield "a struct that grows before its end is not reported"


def main():
    abidw, abidiff, library, *dumps = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = list(unseen_faults(abidiff, pathlib.Path(dumps[-1]), folder))
        subprocess.run([abidw, "--no-show-locs", "--out-file", folder / "library.abi", library], check=True)
        for dump in dumps:
            found += [
                f"{pathlib.Path(dump).name}: {line}" for line in differences(abidiff, dump, folder / "library.abi")
            ]
    print("\n".join(found) or f"{len(dumps)} releases, and no caller would notice")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
