#!/usr/bin/env python3
"""record_release.py NAME: keeps what callers of the working tree are compiled against: its header in
headers/NAME/ndcapi.h, ndc-NAME.abi, the dump of what that header declares, which abidiff holds against the library, and
the classes of the Java binding in java/NAME.jar. NAME: the header's version, or "development", the state before 2.0.0.
Of the Java build it needs build/release/java/ndc/test-classpath. Called by scripts/record-release.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
DEVELOPMENT = "development"


def version(header):
    numbers = [
        re.search(rf"^#define ND_VERSION_{part} +(\d+)$", header, re.M)[1] for part in ("MAJOR", "MINOR", "PATCH")
    ]
    return ".".join(numbers)


def dump(folder, header, number, output):
    """Has abidw write what the header says, of a library that has its functions and nothing in them."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.S)
    text = re.sub(r"#if defined\(ND_EXPERIMENTAL\).*?#endif", " ", text, flags=re.S)
    functions = re.findall(r"^ND_API\s+([^;{}]*\));", text, re.M)
    source = folder / "interface.c"
    source.write_text(
        "#include \"ndcapi.h\"\n" + "".join(f"{function} {{ __builtin_trap(); }}\n" for function in functions),
        encoding="utf-8",
    )
    symbols = folder / "nd.map"
    symbols.write_text("ND_2 { global: nd_*; local: *; };\n", encoding="utf-8")
    library = folder / "libndc.so"
    subprocess.run(
        [
            "gcc",
            "-g",
            "-shared",
            "-fPIC",
            f"-Wl,-soname,libndc.so.{number.split('.')[0]}",
            f"-Wl,--version-script={symbols}",
            source,
            "-o",
            library,
        ],
        check=True,
        cwd=folder,
    )
    subprocess.run(
        [
            "abidw",
            "--headers-dir",
            folder,
            "--drop-private-types",
            "--no-corpus-path",
            "--no-comp-dir-path",
            "--no-show-locs",
            "--no-elf-needed",
            "--out-file",
            output,
            library,
        ],
        check=True,
    )
    output.write_text(output.read_text(encoding="utf-8").replace(f"{folder}/", ""), encoding="utf-8")


def record_java(name, sources):
    """The classes without a line of debugging, in an archive that is the same each time."""
    class_path = (REPOSITORY / "build/release/java/ndc/test-classpath").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [
                "javac",
                "--release",
                "17",
                "-g:none",
                "-nowarn",
                "-cp",
                class_path,
                "-d",
                folder,
                *sorted(sources.rglob("*.java")),
            ],
            check=True,
        )
        (FOLDER / "java").mkdir(exist_ok=True)
        with zipfile.ZipFile(FOLDER / "java" / f"{name}.jar", "w", zipfile.ZIP_DEFLATED) as jar:
            for path in sorted(pathlib.Path(folder).rglob("*.class")):
                jar.writestr(
                    zipfile.ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes(), zipfile.ZIP_DEFLATED
                )


def record(name):
    header = (REPOSITORY / "include" / "ndcapi.h").read_text(encoding="utf-8")
    number = version(header)
    if name not in (number, DEVELOPMENT):
        raise SystemExit(f"the header's version is {number}, not {name}")
    kept = FOLDER / "headers" / name / "ndcapi.h"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(header, encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "ndcapi.h").write_text(header, encoding="utf-8")
        dump(pathlib.Path(folder), header, number, FOLDER / f"ndc-{name}.abi")
    record_java(name, REPOSITORY / "bindings/java/src/main/java")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    record(sys.argv[1])
