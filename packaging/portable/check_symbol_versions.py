#!/usr/bin/env python3
"""check_symbol_versions.py FILE...: fails if an ELF file needs a glibc newer than 2.28, or any libstdc++ or libgcc
of the host."""
import re
import subprocess
import sys

NEWEST = (2, 28)


def complaints(path):
    # Not objdump, which knows the machine's own architecture alone.
    symbols = subprocess.run(
        ["readelf", "--wide", "--dyn-syms", path], check=True, capture_output=True, text=True
    ).stdout
    for name, version in re.findall(r" UND (\S+)@GLIBC_([0-9.]+)", symbols):
        if tuple(int(part) for part in version.split(".")[:2]) > NEWEST:
            yield f"{path}: {name} needs glibc {version}"
    needed = subprocess.run(["readelf", "--wide", "--dynamic", path], check=True, capture_output=True, text=True).stdout
    for library in re.findall(r"\(NEEDED\)\s+Shared library: \[(\S+)\]", needed):
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
