#!/usr/bin/env python3
"""The recipes of Conan and vcpkg agree with the project: its version, its options and its libraries. Those of vcpkg's
steps that need not build are run, by stand-ins for its functions, on the archive of packaging/source-archive;
packaging/conan/create, which scripts/artefacts runs, has Conan itself make the package.
"""
import argparse
import ast
import json
import pathlib
import re
import shutil
import subprocess
import sys

# What vcpkg calls the libraries that CMake looks for here; the last two are its own functions.
PORTS = {"icu", "libpsl", "libstemmer", "libxml2", "xxhash", "vcpkg-cmake", "vcpkg-cmake-config"}


def require(holds, what):
    if not holds:
        sys.exit(f"recipes_test: {what}")


def version_of(source):
    header = (source / "include/ndcapi.h").read_text(encoding="utf-8")
    return ".".join(
        re.search(rf"^#define ND_VERSION_{part} +(\d+)$", header, re.M)[1] for part in "MAJOR MINOR PATCH".split()
    )


def check_conan(source):
    recipe = ast.parse((source / "packaging/conan/conanfile.py").read_text(encoding="utf-8"))
    (described,) = (node for node in recipe.body if isinstance(node, ast.ClassDef))
    said = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in recipe.body + described.body
        if isinstance(node, ast.Assign)
    }
    require(said["version"] == version_of(source), f"the recipe of Conan makes {said['version']}")
    options = {
        node.slice.value
        for node in ast.walk(described)
        if isinstance(node, ast.Subscript) and ast.unparse(node).startswith("toolchain.")
    }
    known = set(re.findall(r"^option\((\w+) ", (source / "CMakeLists.txt").read_text(encoding="utf-8"), re.M))
    require(options and options <= known, f"the recipe of Conan sets {sorted(options - known)}")
    installed = (source / "scripts/install-dependencies").read_text(encoding="utf-8").split()
    absent = set(said["SYSTEM_PACKAGES"]) - set(installed)
    require(not absent, f"scripts/install-dependencies does not name {sorted(absent)}, which the recipe of Conan does")


def check_vcpkg(source, work, cmake):
    port = source / "packaging/vcpkg/ndc"
    manifest = json.loads((port / "vcpkg.json").read_text(encoding="utf-8"))
    require(manifest["version"] == version_of(source), f"the port makes {manifest['version']}")
    names = {one if isinstance(one, str) else one["name"] for one in manifest["dependencies"]}
    require(names == PORTS, f"the port depends on {sorted(names)}")
    if not (source / ".git").exists():
        return  # no commit to make an archive of
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(port, work / "port")
    command = [cmake, f"-DPORT={work / 'port'}", f"-DVERSION={version_of(source)}", f"-DWORK={work}", "-P"]
    command.append(source / "tests/install/vcpkg_steps.cmake")
    early = subprocess.run(command, check=False, capture_output=True, text=True)
    require("packaging/source-archive" in early.stderr, f"without an archive the port says {early.stderr}")
    subprocess.run([source / "packaging/source-archive", work / "port"], check=True)
    require(subprocess.run(command, check=False).returncode == 0, "the steps of the port fail")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("source", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--cmake", required=True)
    arguments = parser.parse_args()
    check_conan(arguments.source)
    check_vcpkg(arguments.source, arguments.work, arguments.cmake)


if __name__ == "__main__":
    main()
