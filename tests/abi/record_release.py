#!/usr/bin/env python3
"""record_release.py [COMMIT...]: keeps what callers of a release are compiled against: its header in headers/VERSION/ndcapi.h, and
ndc-VERSION.abi, the dump of what that header declares, which abidiff holds against the library. Of include/ndcapi.h as it stands, or of
commits of releases.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent


def version(header):
    numbers = [re.search(rf"^#define ND_VERSION_{part} +(\d+)$", header, re.M)[1] for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(numbers)


def dump(folder, header, number, output):
    """Has abidw write what the header says, of a library that has its functions and nothing in them."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.S)
    functions = re.findall(r"^ND_API\s+([^;{}]*\));", text, re.M)
    source = folder / "interface.c"
    source.write_text("#include \"ndcapi.h\"\n" + "".join(f"{function} {{ __builtin_trap(); }}\n" for function in functions), encoding="utf-8")
    symbols = folder / "nd.map"
    symbols.write_text("ND_1 { global: nd_*; local: *; };\n", encoding="utf-8")
    library = folder / "libndc.so"
    subprocess.run(["gcc", "-g", "-shared", "-fPIC", f"-Wl,-soname,libndc.so.{number.split('.')[0]}",
                    f"-Wl,--version-script={symbols}", source, "-o", library], check=True, cwd=folder)
    subprocess.run(["abidw", "--headers-dir", folder, "--drop-private-types", "--no-corpus-path", "--no-comp-dir-path",
                    "--no-show-locs", "--no-elf-needed", "--out-file", output, library], check=True)
    output.write_text(output.read_text(encoding="utf-8").replace(f"{folder}/", ""), encoding="utf-8")


def header_of(commit):
    show = subprocess.run(["git", "-C", REPOSITORY, "show", f"{commit}:include/ndcapi.h"], check=True, capture_output=True, text=True)
    return show.stdout


def record(header):
    number = version(header)
    kept = FOLDER / "headers" / number / "ndcapi.h"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(header, encoding="utf-8")
    if not number.startswith("0."):  # whose soname was another
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "ndcapi.h").write_text(header, encoding="utf-8")
            dump(pathlib.Path(folder), header, number, FOLDER / f"ndc-{number}.abi")
    print(number)


def main():
    if any(argument.startswith("-") for argument in sys.argv[1:]):
        raise SystemExit(__doc__)
    for commit in sys.argv[1:]:
        record(header_of(commit))
    if len(sys.argv) == 1:
        record((REPOSITORY / "include" / "ndcapi.h").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
