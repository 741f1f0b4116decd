#!/usr/bin/env python3
"""readme_example_test.py README COMPILER WORK FLAGS...: compiles the C program in README with FLAGS and runs it."""
import pathlib
import re
import subprocess
import sys


def main():
    readme, compiler, work, *flags = sys.argv[1:]
    programs = re.findall(r"^```c\n(.*?)^```", pathlib.Path(readme).read_text(encoding="utf-8"), re.M | re.S)
    if len(programs) != 1:
        sys.exit(f"{readme} holds {len(programs)} C programs, not 1")
    source = pathlib.Path(work) / "readme_example.c"
    source.write_text(programs[0], encoding="utf-8")
    program = source.with_suffix("")
    subprocess.run([compiler, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", source, "-o", program, *flags], check=True)
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    print(output, end="")
    if output != "new: 1, the same text again: 1\n":
        sys.exit("the program does not show what it says")


if __name__ == "__main__":
    main()
