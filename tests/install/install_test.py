#!/usr/bin/env python3
"""Installs the built tree into an empty prefix and uses it from there as a stranger does: find_package,
pkg-config, the program.

The prefix is moved before it is used, so that no path of the build or of the first place can be what makes it work.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys


def require(holds, what):
    if not holds:
        sys.exit(f"install_test: {what}")


def run(*command, **options):
    print("+", *command, flush=True)
    done = subprocess.run([str(word) for word in command], check=False, text=True, **options)
    require(done.returncode == 0, f"exit code {done.returncode}\n{done.stdout or ''}{done.stderr or ''}")
    return done


def install(arguments):
    """Returns the prefix, moved."""
    shutil.rmtree(arguments.work, ignore_errors=True)
    run(arguments.cmake, "--install", arguments.build, "--prefix", arguments.work / "first")
    return (arguments.work / "first").rename(arguments.work / "prefix")


def check_files(prefix, arguments):
    """Nothing but what the package promises, and the soname names the version of the interface."""
    # Before 1.0 every minor version may break what was before, so it is part of the name.
    parts = arguments.version.split(".")
    interface = ".".join(parts[:2]) if parts[0] == "0" else parts[0]
    library = f"{arguments.libdir}/libndc.so"
    found = {path.relative_to(prefix).as_posix() for path in prefix.rglob("*") if not path.is_dir()}
    found = {re.sub(r"ndcTargets-\w+\.cmake", "ndcTargets-CONFIG.cmake", name) for name in found}
    package = f"{arguments.libdir}/cmake/ndc"
    expected = {
        "bin/ndc",
        "bin/ndc-eval",
        "include/ndcapi.h",
        library,
        f"{library}.{interface}",
        f"{library}.{arguments.version}",
        f"{arguments.libdir}/pkgconfig/ndc.pc",
        f"{package}/ndcConfig.cmake",
        f"{package}/ndcConfigVersion.cmake",
        f"{package}/ndcTargets.cmake",
        f"{package}/ndcTargets-CONFIG.cmake",
    }
    figures = (path for path in (arguments.source / "eval/figures").glob("*.py") if not path.stem.endswith("_test"))
    expected |= {f"share/ndc/eval/{path.name}" for path in figures}
    expected |= {f"share/man/man1/{path.name}" for path in (arguments.source / "tools/ndc/manual").glob("*.1")}
    expected |= {"share/bash-completion/completions/ndc"}
    expected |= {f"share/doc/{name}/copyright" for name in (f"libndc{interface}", "libndc-dev", "ndc")}
    require(found == expected, f"missing {sorted(expected - found)}, unexpected {sorted(found - expected)}")
    for name in sorted(found):
        path = prefix / name
        if path.suffix in (".cmake", ".pc", ".h"):
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            require(
                str(arguments.build) not in text and str(arguments.source) not in text, f"{name} names the build tree"
            )
    for path in prefix.rglob("ndcTargets*.cmake"):
        require(
            not re.search("xml2|icu|crypto|psl|xxhash|nd_core", path.read_text(encoding="utf-8")),
            f"{path.name} names a private library",
        )
    dynamic = run("readelf", "--dynamic", prefix / library, capture_output=True).stdout
    require(f"[libndc.so.{interface}]" in dynamic, f"the soname is not libndc.so.{interface}")
    require("jemalloc" not in dynamic, "the shared library links an allocator")


def check_find_package(prefix, arguments):
    build = arguments.work / "find_package"
    run(
        arguments.cmake,
        "-S",
        arguments.source / "tests/install/consumer",
        "-B",
        build,
        "-G",
        arguments.generator,
        f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_C_COMPILER={arguments.cc}",
        f"-DCMAKE_CXX_COMPILER={arguments.cxx}",
        f"-DCMAKE_C_FLAGS={arguments.flags}",
        f"-DCMAKE_CXX_FLAGS={arguments.flags}",
        "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF",
        stdout=subprocess.DEVNULL,
    )
    run(arguments.cmake, "--build", build)
    run(build / "consumer_c")
    run(build / "consumer_cxx")
    newer = run(
        arguments.cmake,
        f"-Dprefix={prefix}",
        "-P",
        arguments.source / "tests/install/find_newer.cmake",
        capture_output=True,
    )
    require("found: 0" in newer.stderr + newer.stdout, "a newer version than the installed one is accepted")


def check_pkg_config(prefix, arguments):
    environment = os.environ | {"PKG_CONFIG_PATH": str(prefix / arguments.libdir / "pkgconfig")}
    # As a shell reads them: a blank in the prefix has a backslash before it.
    flags = shlex.split(run("pkg-config", "--cflags", "--libs", "ndc", env=environment, capture_output=True).stdout)
    require(
        [flag for flag in flags if flag.startswith("-l")] == ["-lndc"], f"pkg-config asks for more than libndc: {flags}"
    )
    version = run("pkg-config", "--modversion", "ndc", env=environment, capture_output=True).stdout.strip()
    require(version == arguments.version, f"ndc.pc has version {version}")
    consumer = arguments.source / "tests/install/consumer"
    for compiler, standard, file in (
        (arguments.cc, "-std=c99", "consumer.c"),
        (arguments.cxx, "-std=c++11", "consumer.cpp"),
    ):
        program = arguments.work / f"pkg_config_{file.replace('.', '_')}"
        run(compiler, standard, *arguments.flags.split(), consumer / file, "-o", program, *flags)
        run(program, env=environment | {"LD_LIBRARY_PATH": str(prefix / arguments.libdir)})


def check_program(prefix, arguments):
    """The installed command line finds its library by itself."""
    sample = arguments.source / "data/sample/documentation.warc.gz"
    rows = run(prefix / "bin/ndc", "dedup", sample, capture_output=True).stdout.splitlines()
    require(rows and rows[0].startswith("#"), "ndc dedup prints no header line")
    require(len(rows) == 151, f"{len(rows)} rows for 150 pages and a header")
    tables = arguments.work / "tables"
    run(prefix / "bin/ndc", "eval", "-", sample, "--detectors", "lcs,simhash64", "-o", tables)
    require(
        (tables / "detectors.tsv").exists() and (tables / "index.html").exists(),
        "ndc eval finds no program for its figures",
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("source", "build", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("cmake", "generator", "cc", "cxx", "libdir", "version"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument(
        "--flags", default="", help="the sanitizers' flags, which a program needs as its library has them"
    )
    arguments = parser.parse_args()
    prefix = install(arguments)
    check_files(prefix, arguments)
    check_find_package(prefix, arguments)
    check_pkg_config(prefix, arguments)
    check_program(prefix, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
