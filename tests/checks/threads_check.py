#!/usr/bin/env python3
"""threads_check.py SCRIPT FOLDER: each test under FOLDER/unit that starts threads is among those that SCRIPT
(scripts/check) runs under ThreadSanitizer: its names match `threaded_tests` and not `single_threaded_tests`, and its
executable is built: that of its folder, or the one that FOLDER/CMakeLists.txt makes of its file."""
import pathlib
import re
import sys

STARTS_THREADS = re.compile(r"std::(j?thread|async)\b")
CASE = re.compile(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", re.MULTILINE)


EXECUTABLE = re.compile(r"^ *ndc_capi_test\((\w+) ([^)]*)\)", re.MULTILINE)


def setting(script, name):
    found = re.findall(rf"^{name}\+?=(?:'([^']*)'|\(([^)]*)\))$", script, re.MULTILINE)
    if not found:
        sys.exit(f"threads_check: no {name} in the script")
    return "".join(quoted or listed for quoted, listed in found)


def threaded_cases(source):
    """Suite and case of each test that starts threads; of all, where something that they share does."""
    cases = list(CASE.finditer(source))
    if cases and STARTS_THREADS.search(source[: cases[0].start()]):
        return [case.groups() for case in cases]
    ends = [case.start() for case in cases[1:]] + [len(source)]
    return [case.groups() for case, end in zip(cases, ends) if STARTS_THREADS.search(source[case.start() : end])]


def main():
    script = pathlib.Path(sys.argv[1]).read_text()
    wanted = re.compile(setting(script, "threaded_tests"))
    unwanted = re.compile(setting(script, "single_threaded_tests"))
    targets = setting(script, "threaded_targets").split()
    folder = pathlib.Path(sys.argv[2])
    executables = {
        source: name
        for name, sources in EXECUTABLE.findall((folder / "CMakeLists.txt").read_text())
        for source in sources.split()
    }
    seen, missing = 0, []
    for path in sorted(folder.glob("unit/*/*_test.cpp")):
        for suite, case in threaded_cases(path.read_text()):
            seen += 1
            name = f"{path.parent.name}.{suite}.{case}"
            if not wanted.search(name) or unwanted.search(name):
                missing.append(f"{name} starts threads and is not run under ThreadSanitizer")
            elif executables.get(path.name, f"{path.parent.name}_test") not in targets:
                missing.append(f"{name}: its executable is not among threaded_targets")
    print("\n".join(missing) if missing else f"{seen} tests start threads")
    sys.exit(1 if missing or not seen else 0)


if __name__ == "__main__":
    main()
