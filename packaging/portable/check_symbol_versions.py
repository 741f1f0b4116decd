#!/usr/bin/env python3
"""check_symbol_versions.py FILE...: fails if an ELF file needs a glibc newer than 2.28, or any libstdc++ or libgcc of the host."""
import re
import subprocess
import sys

NEWEST = (2, 28)


def complaints(path):
    listing = subprocess.run(["objdump", "-T", path], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        if "*UND*" not in line:
            continue
        for version in re.findall(r"GLIBC_([0-9.]+)", line):
            if tuple(int(part) for part in version.split(".")[:2]) > NEWEST:
                yield f"{path}: {line.split()[-1]} needs glibc {version}"
    needed = subprocess.run(["objdump", "-p", path], check=True, capture_output=True, text=True).stdout
    for library in re.findall(r"NEEDED\s+(\S+)", needed):
        if not re.match(r"(libc|libm|libpthread|libdl|librt|ld-linux[-\w]*)\.so\.\d+$", library):
            yield f"{path}: needs {library}"


def main(paths):
    if not paths:
        sys.exit(__doc__)
    found = [complaint for path in paths for complaint in complaints(path)]
    print("\n".join(found) if found else f"{len(paths)} files need glibc 2.28 at most")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
