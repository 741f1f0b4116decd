#!/usr/bin/env python3
"""guide_test.py SOURCE BUILD WORK: the blocks of docs/guide-go.md, in their order and in one shell, do and print what
it says: a program is built against the installed library and against one that was bundled.

They work on a copy of the package, since a bundled library is copied into it.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def commands_of(guide, work):
    """The script, and what the outputs of its blocks have to be."""
    script, wanted = [], {}
    for number, (language, code) in enumerate(BLOCK.findall(guide)):
        if language == "go":
            (name,) = re.findall(r"\A// (\w+\.go)\n", code)
            script.append(f"cat >{name} <<'END OF FILE'\n{code}END OF FILE\n")
        elif language == "sh":
            script.append(f"{{\n{code}}} >{work}/{number}\n")
        elif language == "text":
            wanted[number - 1] = code
        else:
            sys.exit(f"guide_test: a block of {language}")
    return "".join(script), wanted


def main(source, build, work):
    shutil.rmtree(work, ignore_errors=True)
    home = work / "home"
    clone = home / "ndc"
    shutil.copytree(source / "bindings/go", clone / "bindings/go", ignore=shutil.ignore_patterns("native"))
    (clone / "include").symlink_to(source / "include")
    (clone / "build").mkdir()
    (clone / "build/release").symlink_to(build)
    guide = (source / "docs/guide-go.md").read_text(encoding="utf-8")
    script, wanted = commands_of(guide, work)
    if len(wanted) < 2:
        sys.exit("guide_test: the guide prints less than it did")
    # Nobody but root may write to /opt; all else runs as it stands.
    script = script.replace("/opt/ndc", str(work / "prefix"))
    environment = {**os.environ, "HOME": str(home)}
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=work, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"guide_test: exit code {done.returncode} of\n{script}")
    for number, text in wanted.items():
        printed = (work / str(number)).read_text(encoding="utf-8")
        if printed != text:
            sys.exit(f"guide_test: printed\n{printed}instead of\n{text}")
    # Not because the folder of the package is still there.
    shutil.rmtree(clone)
    subprocess.run([work / "crawl/shipped/crawl"], cwd=work, check=True, stdout=subprocess.DEVNULL)
    functions = re.findall(r"^func (?:\(\w+ \*(?:Engine|Reader)\) )?([A-Z]\w+)\(", all_code(source), re.MULTILINE)
    missing = sorted(set(functions) - set(re.findall(r"\w+", guide)))
    if missing:
        sys.exit(f"guide_test: the guide says nothing of {', '.join(missing)}")


def all_code(source):
    names = (path for path in (source / "bindings/go").glob("*.go") if not path.name.endswith("_test.go"))
    return "".join(path.read_text(encoding="utf-8") for path in names if path.name != "stable_options.go")


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:]))
