#!/usr/bin/env python3
"""stage_package.py HEADER DIRECTORY: the package as it can be imported from a build tree.

DIRECTORY/ndc_dedup gets links to the sources beside this script and the module that is generated from HEADER.
NDC_LIBRARY says where the native library is.
"""
import shutil
import sys
from pathlib import Path

from generate_ndcapi import generate


def stage(header, directory):
    package = directory / "ndc_dedup"
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    for source in sorted((Path(__file__).resolve().parent / "src/ndc_dedup").iterdir()):
        if source.is_file():
            (package / source.name).symlink_to(source)
    generate(header.read_text(encoding="utf-8"), package / "_ndcapi.py")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    stage(Path(sys.argv[1]), Path(sys.argv[2]))
