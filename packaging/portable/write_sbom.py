#!/usr/bin/env python3
"""write_sbom.py --system ROOT LIBRARY SOURCES NAME,... FILE...: what LIBRARY holds of others, and under which licences.

Each FILE is an archive or a header of a Debian package that was linked or compiled into LIBRARY: of one of those
unpacked into ROOT if it is there, else of the machine's. Each NAME is a source package of Debian's that is unpacked
below SOURCES and was compiled for it. Beside the directory of LIBRARY are written:

  sbom.cdx.json   a CycloneDX 1.5 list of the packages, with versions and the SHA-256 of each file
  licences/       the licences of all of them, as Debian's packages have them
"""
import hashlib
import importlib.machinery
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent.parent


def bundling():
    """The script of the Java binding, which knows where Debian keeps licences."""
    loader = importlib.machinery.SourceFileLoader("bundle_libraries", str(ROOT / "bindings/java/bundle-libraries"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def sha256(file):
    return {"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}


def package_version(package, root):
    shown = subprocess.run(
        [
            "dpkg-query",
            f"--admindir={root}/var/lib/dpkg",
            "--show",
            "--showformat=${source:Package} ${Version} ${Architecture}\n",
            package,
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    return shown.stdout.splitlines()[0].split()


def component(name, version, architecture, files):
    purl = f"pkg:deb/debian/{quote(name)}@{quote(version)}?arch={architecture}&distro=debian-12"
    made = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if files:
        made["components"] = [{"type": "file", "name": file.name, "hashes": [sha256(file)]} for file in files]
    return made


def components(bundle, system, sources, files):
    for source in sources:
        name, version = re.match(
            r"(\S+) \(([^)]+)\)", (source / "debian/changelog").read_text(encoding="utf-8")
        ).groups()
        yield component(name, version, "source", [])
    by_package = {}
    for file in files:
        root = bundle.root_of(file, system)
        by_package.setdefault((bundle.package_of(file, root), root), []).append(file)
    for (package, root), found in sorted(by_package.items()):
        _, version, architecture = package_version(package, root)
        yield component(package, version, architecture, found)


def main(system, library, unpacked, names, files):
    sources = [next(path for path in unpacked.glob(f"{name}-*") if path.is_dir()) for name in names]
    bundle = bundling()
    target = library.parent.parent
    bundle.copy_licences(files, target / "licences", system)
    for name, source in zip(names, sources):
        (target / "licences" / name).write_bytes((source / "debian/copyright").read_bytes())
    header = (ROOT / "include/ndcapi.h").read_text(encoding="utf-8")
    version = ".".join(
        re.search(rf"^#define ND_VERSION_{part} +(\d+)$", header, re.MULTILINE)[1]
        for part in ("MAJOR", "MINOR", "PATCH")
    )
    parts = list(components(bundle, system, sources, files))
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": "ndc",
                "name": "ndc",
                "version": version,
                "hashes": [sha256(library)],
            }
        },
        "components": parts,
        "dependencies": [{"ref": "ndc", "dependsOn": [part["bom-ref"] for part in parts]}],
    }
    (target / "sbom.cdx.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 7 or sys.argv[1] != "--system":
        sys.exit(__doc__)
    library, unpacked, names, *files = sys.argv[3:]
    main(
        Path(sys.argv[2]).resolve(),
        Path(library).resolve(),
        Path(unpacked),
        names.split(","),
        [Path(name).resolve() for name in files],
    )
