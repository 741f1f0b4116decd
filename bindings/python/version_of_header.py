"""The version of the package for scikit-build-core: that of ndcapi.h, the first thing that a build reads of a clone."""

import re
import sys
from pathlib import Path

HEADER = Path(__file__).resolve().parents[2] / "include/ndcapi.h"


def dynamic_metadata(field, settings=None, project=None):
    if not HEADER.exists():
        sys.exit(
            f"{HEADER} is not there: give pip the folder bindings/python of a whole clone of ndc. A pip older than "
            "21.3 copies the folder away from it: pip install --upgrade pip"
        )
    header = HEADER.read_text(encoding="utf-8")
    parts = (
        re.search(rf"^#define ND_VERSION_{part} (\d+)$", header, re.MULTILINE) for part in ("MAJOR", "MINOR", "PATCH")
    )
    return ".".join(part[1] for part in parts)
