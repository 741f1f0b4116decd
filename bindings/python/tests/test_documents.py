"""Every block of code in the guides runs and prints what it says."""

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from crawled_site import Server
from places import SOURCE

DOCUMENTS = ["docs/guide-python.md", "docs/guide-scrapy.md", "docs/guide-tables.md", "bindings/python/README.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def blocks(document):
    """(language, code, what it prints or None) of each block that runs; a block of text belongs to the
    one before it."""
    out = []
    for language, code in BLOCK.findall((SOURCE / document).read_text(encoding="utf-8")):
        if language == "text":
            assert out and out[-1][2] is None, f"{document}: a text block without code before it"
            out[-1][2] = code
        else:
            assert language in ("python", "sh"), f"{document}: {language}"
            out.append([language, code, None])
    return out


def needs(code):
    return [
        name
        for name in ("pyarrow", "polars", "scrapy", "warcio")
        if name in code or (name == "warcio" and ".warc" in code)
    ]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_blocks(document, tmp_path):
    found = blocks(document)
    assert len(found) >= 1
    (tmp_path / "data").symlink_to(SOURCE / "data")
    with Server() as server:
        for language, code, wanted in found:
            for package in needs(code):
                pytest.importorskip(package)
            code = code.replace("http://127.0.0.1:8000", server.address)
            name = re.match(r"# (\w+\.py)\n", code)
            if name:  # a later block runs it
                (tmp_path / name[1]).write_text(code)
                continue
            program = tmp_path / "block.py"
            program.write_text(code)
            command = (
                [sys.executable, str(program)] if language == "python" else ["bash", "-euo", "pipefail", "-c", code]
            )
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, f"{document}:\n{code}\n{done.stderr}"
            if wanted is not None:
                assert done.stdout == wanted, f"{document}:\n{code}"
    if document == "docs/guide-scrapy.md":
        assert (tmp_path / "pages.jsonl").stat().st_size > 1000 and (tmp_path / "items.jsonl").stat().st_size > 1000


def test_the_notebook_prints_what_it_shows(tmp_path, monkeypatch):
    pytest.importorskip("warcio")
    (tmp_path / "data").symlink_to(SOURCE / "data")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((SOURCE / "docs/notebook.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    names = {}
    for cell in cells:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec("".join(cell["source"]), names)
        (shown,) = cell["outputs"] or [{"text": []}]
        assert printed.getvalue() == "".join(shown["text"]), "".join(cell["source"])


def test_the_block_of_the_readme(tmp_path):
    (code,) = re.findall(
        r"^```python\n(.*?)^```$", (SOURCE / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == re.findall(r"  # (\w+)$", code, re.MULTILINE)


def test_every_setting_of_the_middleware_is_in_the_guide():
    source = (SOURCE / "bindings/python/src/ndc_dedup/scrapy.py").read_text(encoding="utf-8")
    guide = (SOURCE / "docs/guide-scrapy.md").read_text(encoding="utf-8")
    for setting in set(re.findall(r'"(ND_[A-Z_]+)"', source)):
        assert setting in guide, setting


def test_every_exception_and_method_is_in_the_guide():
    import ndc_dedup as ndc

    guide = (SOURCE / "docs/guide-python.md").read_text(encoding="utf-8")
    for name in ndc.errors.__all__:
        assert name in guide, name
    for name in vars(ndc.NearDuplicates):
        if not name.startswith("_") and name not in (
            "closed",
            "store",
            "check_features",
            "set_bookmark",
            "get_bookmark",
        ):
            assert f"{name}(" in guide, name


def test_the_requirements_are_pinned():
    lines = (Path(__file__).parent.parent / "requirements-tests.txt").read_text().splitlines()
    assert all(re.match(r"#|[a-z-]+==[0-9.]+$", line) for line in lines)
