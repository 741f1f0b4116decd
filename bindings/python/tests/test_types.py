"""Callers see types: mypy and pyright find nothing wrong with the package and its example, and what is wrong with a
caller; dir() shows what there is."""

import shutil
import subprocess
import sys

import ndc_dedup as ndc
import pytest
from places import SOURCE

PACKAGE = SOURCE / "bindings/python"
GOOD = """\
import ndc_dedup as ndc
from typing import Iterator, Optional

with ndc.NearDuplicates("store", x_relaxed=True, keys_bytes=1, durability="sync") as engine:
    result: ndc.Result = engine.check("http://a.example/", b"<p>text", "text/html", fetched_at=1.0)
    group: int = result.group_id
    verdict: ndc.Verdict = result.verdict
    pages: list[ndc.PageInfo] = engine.members(group)
    groups: Iterator[ndc.Group] = engine.groups()
    found: Optional[ndc.PageInfo] = engine.find("x")
    settled: Iterator[tuple[str, ndc.Result]] = engine.settle()
    rows: Iterator[ndc.Row] = ndc.dedup(["a.warc", ("u", "b")])
    features: ndc.Features = ndc.Features.compute(None, "text", same_document=1)
settings: ndc.Options = {"memory_budget_bytes": 1 << 28}
ndc.NearDuplicates(**settings).close()
"""
BAD = """\
import ndc_dedup as ndc
engine = ndc.NearDuplicates()
engine.check("http://a.example/", None)
engine.check("http://a.example/", b"", 7)
engine.members("1")
ndc.NearDuplicates(x_relaxed=None)
name: str = engine.find("x")
ndc.NearDuplicates(memory_budgget=1)
ndc.NearDuplicates(durability="sometimes")
ndc.Features.compute(None, "text", same_document="0.5")
settings: ndc.Options = {"memory_budgget": 1}
"""
WRONG_LINES = [str(number) for number in range(3, 12)]


def test_dir_shows_what_there_is_and_nothing_else():
    modules = {"cluster", "scrapy", "spark", "warc"}
    assert set(dir(ndc)) == {*ndc.__all__, *modules, "__version__"}
    for name in set(dir(ndc)) - modules - {"dedup_table"}:
        assert getattr(ndc, name) is not None
    with pytest.raises(AttributeError, match="'ndc_dedup' has no attribute 'NearDuplicate'"):
        ndc.NearDuplicate
    with ndc.NearDuplicates() as engine:
        names = [name for name in dir(engine) if not name.startswith("_")]
        assert names == sorted(name for name in vars(ndc.NearDuplicates) if not name.startswith("_"))


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The package as it is installed, the example, and two callers."""
    directory = tmp_path_factory.mktemp("types")
    shutil.copytree(PACKAGE / "src", directory / "src")
    shutil.copy(PACKAGE / "pyproject.toml", directory)
    shutil.copy(SOURCE / "examples/python/check_folder.py", directory / "src")
    (directory / "src/good.py").write_text(GOOD)
    (directory / "src/bad.py").write_text(BAD)
    return directory


def mypy(sources, *arguments):
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--no-error-summary", *arguments]
    return subprocess.run(command, cwd=sources, capture_output=True, text=True).stdout


def test_mypy(sources):
    assert mypy(sources) == ""
    assert mypy(sources, "-m", "good", "-m", "check_folder") == ""
    wrong = mypy(sources, "-m", "bad").splitlines()
    assert [line.split(":")[1] for line in wrong if ": error: " in line] == WRONG_LINES


def test_pyright(sources):
    # It is a program for Node.js, which its package fetches where it is not installed.
    try:
        subprocess.run([sys.executable, "-m", "pyright", "--version"], check=True, capture_output=True, timeout=60)
    except (subprocess.SubprocessError, OSError):
        pytest.skip("pyright cannot be run: it takes Node.js, and a package that it fetches from npm")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", "."]
    found = subprocess.run(command, cwd=sources, capture_output=True, text=True).stdout
    wrong = [line for line in found.splitlines() if " - error: " in line]
    assert [line.split("/")[-1].split(":")[:2] for line in wrong] == [
        ["bad.py", number] for number in WRONG_LINES
    ], found
