#!/usr/bin/env python3
"""Packs the built tree as Debian packages by cpack, and looks at what they hold and depend on. Whether they install and
run on a Debian that has nothing else is for packaging/debian/run_bare_debian.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys


def require(holds, what):
    if not holds:
        sys.exit(f"packages_test: {what}")


def output_of(*command, **options):
    done = subprocess.run([str(word) for word in command], check=False, capture_output=True, text=True, **options)
    require(done.returncode == 0, f"{command[0]} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def fields(package):
    """The first line of each field of the control file; the rest are its continuations."""
    return dict(re.findall(r"^([\w-]+): (.*)$", output_of("dpkg-deb", "--field", package), re.MULTILINE))


def names(package):
    listed = output_of("dpkg-deb", "--contents", package).splitlines()
    return {line.split()[5].removeprefix("./") for line in listed if not line.startswith("d")}


def check_packages(found, arguments):
    major = arguments.version.split(".")[0]
    library = f"libndc{major}"
    require(found.keys() == {library, "libndc-dev", "ndc"}, f"packages {sorted(found)}")
    control = {name: fields(package) for name, package in found.items()}
    files = {name: names(package) for name, package in found.items()}
    for name, package in control.items():
        require(package["Version"] == arguments.version, f"{name} has version {package['Version']}")
        require(f"usr/share/doc/{name}/copyright" in files[name], f"{name} has no copyright file")
    for wanted in ("libc6", "libicu", "libxml2", "libpsl5", "libstemmer0d", "libstdc++6"):
        require(wanted in control[library]["Depends"], f"{library} does not depend on {wanted}")
    packings = ("libzstd1", "libbz2-1.0", "liblzma5", "liblz4-1", "zlib1g")
    for wanted in (*packings, "libjemalloc2", "libzip4", f"{library} (= {arguments.version})"):
        require(wanted in control["ndc"]["Depends"], f"ndc does not depend on {wanted}")
    require(
        control["libndc-dev"]["Depends"] == f"{library} (= {arguments.version})",
        "libndc-dev depends on another library",
    )
    lib = f"usr/{arguments.libdir}"
    require(
        {f"{lib}/libndc.so.{major}", f"{lib}/libndc.so.{arguments.version}", f"usr/share/doc/{library}/copyright"}
        == files[library],
        f"{library} holds {sorted(files[library])}",
    )
    require(
        {"usr/include/ndcapi.h", f"{lib}/libndc.so", f"{lib}/pkgconfig/ndc.pc", f"{lib}/cmake/ndc/ndcConfig.cmake"}
        <= files["libndc-dev"],
        f"libndc-dev holds {sorted(files['libndc-dev'])}",
    )
    require(
        {
            "usr/bin/ndc",
            "usr/share/man/man1/ndc.1.gz",
            "usr/share/man/man1/ndc-dedup.1.gz",
            "usr/share/bash-completion/completions/ndc",
        }
        <= files["ndc"],
        f"ndc holds {sorted(files['ndc'])}",
    )
    shared = sum(map(len, files.values())) - len(set.union(*files.values()))
    require(shared == 0, f"{shared} files are in two packages")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("build", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("cpack", "libdir", "version"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    for program, package in (("dpkg-shlibdeps", "dpkg-dev"), ("file", "file")):
        require(shutil.which(program), f"cpack needs {program}, which is not installed (Debian: {package})")
    shutil.rmtree(arguments.work, ignore_errors=True)
    # The fastest compression: nobody keeps these.
    output_of(
        arguments.cpack,
        "-G",
        "DEB",
        "-B",
        arguments.work,
        "-D",
        "CPACK_DEBIAN_COMPRESSION_TYPE=gzip",
        cwd=arguments.build,
    )
    check_packages({path.name.split("_")[0]: path for path in arguments.work.glob("*.deb")}, arguments)


if __name__ == "__main__":
    main()
