#!/usr/bin/env python3
"""Runs what README.md prints for C programmers, as it is printed: the program, the commands that install, link and run
it, and the lines for a CMake project. Only the prefix /opt/ndc is another one, and `cc` is the compiler of the build,
with all warnings as errors.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PREFIX = "/opt/ndc"
OPTION = f"-DCMAKE_PREFIX_PATH={PREFIX}"


def blocks(text):
    """{language: code} of the section for C; each language occurs once there."""
    section = re.search(r"^## From C$(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    found = re.findall(r"^```(\w+)\n(.*?)^```$", section[1], re.MULTILINE | re.DOTALL) if section else []
    if [language for language, _ in found] != ["c", "sh", "text", "cmake"]:
        sys.exit(f"README.md: unexpected blocks {[language for language, _ in found]}")
    return dict(found)


def run(command, **options):
    print("+", command if isinstance(command, str) else shlex.join(map(str, command)), flush=True)
    done = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE, **options)
    if done.returncode != 0:
        sys.exit(f"readme_test: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def require_output(output, wanted, how):
    if not output.endswith(wanted):
        sys.exit(f"readme_test: the program linked by {how} prints\n{output}and not\n{wanted}")


def make_compiler(folder, compiler, flags):
    """A `cc` in folder."""
    folder.mkdir()
    program = folder / "cc"
    program.write_text(
        f'#!/bin/sh\nexec {shlex.quote(compiler)} -std=c99 -pedantic -Wall -Wextra -Werror {flags} "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("source", "build", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("cmake", "generator", "cc"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument(
        "--flags", default="", help="the sanitizers' flags, which a program needs as its library has them"
    )
    arguments = parser.parse_args()
    text = (arguments.source / "README.md").read_text(encoding="utf-8")
    found = blocks(text)
    if OPTION not in text:
        sys.exit(f"README.md does not mention {OPTION}")

    shutil.rmtree(arguments.work, ignore_errors=True)
    (arguments.work / "build").mkdir(parents=True)
    (arguments.work / "build/release").symlink_to(arguments.build)
    make_compiler(arguments.work / "bin", arguments.cc, arguments.flags)
    (arguments.work / "example.c").write_text(found["c"], encoding="utf-8")
    # Without a space in it, wherever the sources are: the commands do not quote theirs.
    folder = tempfile.TemporaryDirectory(prefix="ndc-")
    prefix = f"{folder.name}/prefix"
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PKG_CONFIG_PATH", "LD_LIBRARY_PATH")
    }
    environment["PATH"] = f"{arguments.work / 'bin'}:{pathlib.Path(arguments.cmake).parent}:{environment['PATH']}"

    for _ in range(2):  # what is there from the first time is in nobody's way
        printed = run(["bash", "-euc", found["sh"].replace(PREFIX, prefix)], cwd=arguments.work, env=environment)
        require_output(printed, found["text"], "pkg-config")

    lines = [
        "cmake_minimum_required(VERSION 3.25)",
        "project(example LANGUAGES C)",
        "add_executable(example example.c)",
        found["cmake"],
    ]
    (arguments.work / "CMakeLists.txt").write_text("\n".join(lines), encoding="utf-8")
    run(
        [
            arguments.cmake,
            "-S",
            arguments.work,
            "-B",
            arguments.work / "project",
            "-G",
            arguments.generator,
            OPTION.replace(PREFIX, prefix),
            f"-DCMAKE_C_COMPILER={arguments.cc}",
            f"-DCMAKE_C_FLAGS={arguments.flags}",
            "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF",
        ],
        env=environment,
    )
    run([arguments.cmake, "--build", arguments.work / "project"], env=environment)
    require_output(run([arguments.work / "project/example"]), found["text"], "find_package")


if __name__ == "__main__":
    main()
