"""Builds a Go program of bench/ against the Go package and the library of a build, as a module of its own."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = """module measured

go 1.19

require ndc.io/ndc/v2 v2.0.0

replace ndc.io/ndc/v2 => {package}
"""


def go_program(name, build, folder):
    """The path of the program."""
    home = Path(folder) / name
    home.mkdir()
    (home / "go.mod").write_text(MODULE.format(package=ROOT / "bindings/go"), encoding="utf-8")
    shutil.copy(ROOT / "bench" / f"{name}.go", home)
    environment = {**os.environ, "PKG_CONFIG_PATH": str(build / "go/pkgconfig"), "GOFLAGS": "-buildvcs=false"}
    subprocess.run(["go", "build", "-o", name, "."], cwd=home, env=environment, check=True)
    return home / name
