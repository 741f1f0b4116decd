#!/usr/bin/env python3
"""compare_artefacts.py DIRECTORY KIND=FILE...: fails unless all artefacts read the same text of the sample's pages,
wheel and jar that which tests/golden/texts.tsv recorded, and each opens the stores of the others with the same groups.

  deb=FOLDER        with what scripts/packages has made; what the packages need must be installed
  archive=FILE      the tar.gz of scripts/portable-natives
  aarch64=FILE      the same for aarch64, run by qemu-aarch64-static with build/portable/aarch64/work/sysroot
  wheel=FILE        of bindings/python/build-wheel, for the Python that runs this, which needs cffi
  wheel-aarch64=FILE
                    the same for aarch64, run by qemu-aarch64-static with the Python of build/portable/aarch64/python,
                    which `packaging/portable/make_sysroot arm64 build/portable/aarch64/python python3-cffi` makes
  jar=FILE          of the Java binding
  jar-aarch64=FILE  the same, run by qemu-aarch64-static with the Java of build/portable/aarch64/java, which
                    `packaging/portable/make_sysroot arm64 build/portable/aarch64/java openjdk-17-jre-headless` makes
  jar-debian11=FILE the same, run in the Debian 11 of build/debian11, which packaging/portable/run_old_glibc
  makes; needs root

Works in DIRECTORY, which it makes anew.
"""
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests/golden"), str(ROOT / "tests/ref")]
import features_reader  # noqa: E402
import golden_texts_test  # noqa: E402

SAMPLE = ROOT / "data/sample/documentation.warc.gz"
GOLDEN = ROOT / "tests/golden/texts.tsv"
SYSROOT = ROOT / "build/portable/aarch64/work/sysroot"
JAVA_SYSROOT = ROOT / "build/portable/aarch64/java"
PYTHON_SYSROOT = ROOT / "build/portable/aarch64/python"
DEBIAN11 = ROOT / "build/debian11"
# The directory of the run is in there at the same place, as long as the command runs.
IN_DEBIAN11 = (
    'mkdir -p "$1$2" && mount --bind "$2" "$1$2" && mount -t proc proc "$1/proc" && root=$1 && shift 2 && exec chroot '
    '"$root" "$@"'
)


def run(command, environment=None):
    return subprocess.run(
        list(map(str, command)),
        env={**os.environ, **(environment or {})},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def sample_pages():
    """URL, content type and body of each response of the sample, one gzip member a record."""
    for record in gzip.decompress(SAMPLE.read_bytes()).split(b"WARC/1.1\r\n")[1:]:
        head, _, rest = record.partition(b"\r\n\r\n")
        url = re.search(rb"^WARC-Target-URI: (\S+)", head, re.MULTILINE)
        if url is None:
            continue
        length = int(re.search(rb"^Content-Length: (\d+)", head, re.MULTILINE)[1])
        http, _, body = rest[:length].partition(b"\r\n\r\n")
        yield url[1].decode(), re.search(rb"^Content-Type: ([^\r]+)", http, re.MULTILINE)[1].decode(), body


def write_pages(folder):
    """The list of pages for those that read no archives."""
    folder.mkdir()
    lines = []
    for number, (url, content_type, body) in enumerate(sample_pages()):
        (folder / str(number)).write_bytes(body)
        lines.append(f"{url}\t{content_type}\t{folder / str(number)}\n")
    (folder / "list").write_text("".join(lines), encoding="utf-8")
    return folder / "list"


def by_url(lines):
    """Of each page what is seen of it, without the URL, which only the program writes there too."""
    seen = {}
    for line in lines:
        url, _, report = line.partition("\t")
        report = json.loads(report)
        report.pop("url", None)
        seen[url] = report
    return seen


class Program:
    """The command line."""

    def __init__(self, pages, command, environment=None):
        self.command, self.environment = command, environment

    def ask(self, *arguments):
        return run([*self.command, *arguments], self.environment)

    def texts(self):
        reports = self.ask("extract", SAMPLE, "--format", "jsonl").splitlines()
        return by_url(f"{json.loads(report)['url']}\t{report}" for report in reports)

    def write_store(self, store):
        self.ask("dedup", "--store", store, SAMPLE)

    def groups(self, store):
        self.ask("verify", store)
        self.ask("compact", store)  # opens it as its writer
        pages = map(json.loads, self.ask("dump", store).splitlines())
        return sorted((str(page["group_id"]), page["url"]) for page in pages)


class Binding:
    """A package of another language, asked by a small program that answers on its output."""

    def __init__(self, pages, command, environment=None):
        self.pages, self.command, self.environment = pages, command, environment

    def ask(self, *arguments):
        return run([*self.command, *arguments], self.environment).splitlines()

    def texts(self):
        return by_url(self.ask("texts", self.pages))

    def golden_rows(self):
        """As tests/golden/texts.tsv has them: the pipeline, and of each page the URL with its digests."""
        pipelines, rows = set(), set()
        for line in self.ask("features", self.pages):
            url, _, features = line.partition("\t")
            features = features_reader.parse(bytes.fromhex(features))
            pipelines.add(f"{features.pipeline:016x}")
            rows.add(f"{url}\t{golden_texts_test.row(features)}")
        return pipelines, rows

    def write_store(self, store):
        self.ask("store", self.pages, store)

    def groups(self, store):
        return sorted(tuple(line.split("\t")) for line in self.ask("groups", store))


def unpacked(archive, folder):
    with tarfile.open(archive) as packed:
        packed.extractall(folder)
    (program,) = folder.glob("*/bin/ndc")
    return program


def python_of(kind):
    return (
        [sys.executable]
        if kind == "wheel"
        else ["qemu-aarch64-static", "-L", PYTHON_SYSROOT, PYTHON_SYSROOT / "usr/bin/python3"]
    )


def java_of(kind, work):
    if kind == "jar":
        return ["java"]
    if kind == "jar-aarch64":
        java = min(JAVA_SYSROOT.glob("usr/lib/jvm/java-*/bin/java"))
        return ["qemu-aarch64-static", "-L", JAVA_SYSROOT, java]
    if kind == "jar-debian11":
        return ["unshare", "--mount", "sh", "-c", IN_DEBIAN11, "sh", DEBIAN11, work, "java"]
    sys.exit(f"compare_artefacts: {kind} is no kind of artefact")


def artefact(kind, file, pages, work):
    folder = work / kind
    folder.mkdir()
    if kind == "deb":
        for package in file.glob("*.deb"):
            run(["dpkg-deb", "--extract", package, folder])
        (library,) = folder.glob("usr/lib/*/libndc.so.2")
        return Program(pages, [folder / "usr/bin/ndc"], {"LD_LIBRARY_PATH": str(library.parent)})
    if kind == "archive":
        return Program(pages, [unpacked(file, folder)])
    if kind == "aarch64":
        return Program(pages, ["qemu-aarch64-static", "-L", SYSROOT, unpacked(file, folder)])
    if kind in ("wheel", "wheel-aarch64"):
        with zipfile.ZipFile(file) as packed:
            packed.extractall(folder)
        return Binding(
            pages, [*python_of(kind), "-B", HERE / "ask_wheel.py"], {"PYTHONPATH": str(folder), "NDC_LIBRARY": ""}
        )
    if kind.startswith("jar"):
        run(["javac", "-d", folder, "-cp", file, HERE / "AskJar.java"])
        jar = shutil.copy(file, folder)
        return Binding(pages, [*java_of(kind, work), f"-Djava.io.tmpdir={folder}", "-cp", f"{jar}:{folder}", "AskJar"])
    sys.exit(f"compare_artefacts: {kind} is no kind of artefact")


def main(directory, asked):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    pages = write_pages(directory / "pages")
    artefacts = {
        kind: artefact(kind, Path(file).resolve(), pages, directory)
        for kind, file in (each.split("=", 1) for each in asked)
    }

    failures = []
    recorded, *golden_rows = GOLDEN.read_text(encoding="utf-8").splitlines()
    golden = {line.split("\t")[0] for line in golden_rows}
    expected = None
    for name, one in artefacts.items():
        texts = one.texts()
        if texts.keys() != golden:
            failures.append(f"{name} reads {len(texts)} pages, not the {len(golden)} golden ones")
        expected = expected or (name, texts)
        different = [url for url in expected[1] if texts.get(url) != expected[1][url]]
        if different:
            failures.append(f"{name} and {expected[0]} differ on {len(different)} pages, first {different[0]}")
        if isinstance(one, Binding):
            pipelines, rows = one.golden_rows()
            if pipelines != {recorded.split()[-1]}:
                failures.append(f"{name} has pipeline {pipelines}, the golden texts are of another: {recorded}")
            elif rows != set(golden_rows):
                failures.append(f"{name} reads {len(set(golden_rows) - rows)} pages otherwise than recorded")
        one.write_store(directory / f"{name}.ndc")

    groups = None
    for reader, one in artefacts.items():
        for writer in artefacts:
            # A copy, because to open a store is to write to it.
            copy = directory / "copy.ndc"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(directory / f"{writer}.ndc", copy)
            found = one.groups(copy)
            groups = groups or found
            if found != groups or len(found) != len(golden):
                failures.append(f"{reader} finds other groups in the store of {writer}")
    print(
        "\n".join(failures)
        or f"{', '.join(artefacts)}: the same text of {len(golden)} pages, and each reads the stores of all"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) < 4 or not all("=" in argument for argument in sys.argv[2:]):
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
