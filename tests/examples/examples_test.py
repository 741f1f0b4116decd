#!/usr/bin/env python3
"""examples_test.py LANGUAGE: runs the example in a language by the commands of examples/README.md, as they are printed,
in a copy of the folder. It prints what the document shows, the second time what is shown for that; and ends with a
sentence where there is no such folder or page. The prefix /opt/ndc, the compilers, which have all warnings as errors,
and where the packages are differ from what is printed.
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
STRICT = "-pedantic -Wall -Wextra -Werror"
TIMEOUT_SECONDS = 100


def require(holds, what):
    if not holds:
        sys.exit(f"examples_test: {what}")


def document(source, language):
    """(commands, first output, second output)."""
    text = (source / "examples/README.md").read_text(encoding="utf-8")
    commands = re.search(rf"^\[{re.escape(language)}\]\([^)]*\).*?^```sh\n(.*?)^```", text, re.M | re.S)
    outputs = re.findall(r"^```text\n(.*?)^```", text, re.M | re.S)
    require(commands and len(outputs) == 2, f"examples/README.md has no commands for {language}, or not two outputs")
    return commands[1], *outputs


def make_tools(folder, tools):
    """Programs in folder: {name: command}."""
    folder.mkdir()
    for name, command in tools.items():
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        program.chmod(0o755)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language")
    for name in ("source", "build", "work", "library"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("cmake", "cc", "cxx", "java", "python", "flags"):
        parser.add_argument(f"--{name}", default="")
    arguments = parser.parse_args()
    commands, first, second = document(arguments.source, arguments.language)

    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    examples = arguments.work / "examples"
    shutil.copytree(arguments.source / "examples", examples)
    quoted = shlex.quote
    make_tools(
        arguments.work / "bin",
        {
            "cc": f"{quoted(arguments.cc)} -std=c99 {STRICT} {arguments.flags}",
            "c++": f"{quoted(arguments.cxx)} {STRICT} {arguments.flags}",
            "java": quoted(arguments.java),
            "python3": quoted(arguments.python),
        },
    )
    environment = os.environ | {"PATH": f"{arguments.work / 'bin'}:{os.environ['PATH']}"}
    environment |= {"PYTHONPATH": str(arguments.build / "python"), "NDC_LIBRARY": str(arguments.library)}
    environment.pop("LD_LIBRARY_PATH", None)

    # Without a blank in it, wherever the sources are: the commands do not quote theirs.
    with tempfile.TemporaryDirectory(prefix="ndc-") as folder:
        prefix = pathlib.Path(folder, "prefix")

        def run(script):
            return subprocess.run(
                ["bash", "-euc", script.replace(PREFIX, str(prefix))],
                cwd=examples,
                env=environment,
                text=True,
                capture_output=True,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )

        if PREFIX in commands:
            subprocess.run(
                [arguments.cmake, "--install", arguments.build, "--prefix", prefix],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        for name in arguments.build.glob("java/ndc/ndc-*.jar"):
            (examples / name.name).symlink_to(name)
        for wanted in (first, second):
            done = run(commands)
            require(done.returncode == 0 and not done.stderr, f"exit code {done.returncode}:\n{done.stderr}")
            require(done.stdout == wanted, f"it prints\n{done.stdout}and not\n{wanted}")
        program = commands.strip().splitlines()[-1]
        for wrong in (program.replace(" pages ", " nowhere "), program.replace("news.html", "gone.html")):
            done = run(wrong)
            require(done.returncode == 1, f"{wrong} ends with {done.returncode}")
            require(len(done.stderr.splitlines()) == 1, f"{wrong} complains\n{done.stderr}")


if __name__ == "__main__":
    main()
