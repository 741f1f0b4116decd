"""The wheel: its tags, what is in it, and a Python that has nothing else."""

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile

import pytest
from places import LIBRARY, SOURCE

PACKAGE = SOURCE / "bindings/python"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    directory = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-B", str(PACKAGE / "build-wheel"), LIBRARY, str(directory)], check=True, capture_output=True
    )
    (found,) = directory.iterdir()
    return found


def header_version():
    header = (SOURCE / "include/ndcapi.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"#define ND_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def test_one_wheel_for_every_python_of_a_platform(wheel):
    name, version, python, abi, platform = wheel.name.removesuffix(".whl").split("-")
    assert (name, version, python, abi) == ("ndc_dedup", header_version(), "py3", "none")
    assert re.fullmatch(r"manylinux_2_\d+_(x86_64|aarch64)", platform)
    assert wheel.stat().st_size < 20 << 20


def test_what_is_in_it(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
    modules = {f"ndc_dedup/{path.name}" for path in (PACKAGE / "src/ndc_dedup").glob("*.py*")}
    assert modules | {"ndc_dedup/py.typed", "ndc_dedup/_ndcapi.py", "ndc_dedup/libndc.so.2"} <= set(names)
    assert re.findall(r"^Requires-Dist: ([^;\n]+)$", metadata, re.MULTILINE) == ["cffi>=1.15"]
    assert "Requires-Python: >=3.9\n" in metadata and "License-Expression: Apache-2.0\n" in metadata
    licences = [name.split("/licenses/")[1] for name in names if "/licenses/" in name and not name.endswith("/")]
    assert (
        "LICENSE" in licences
        and any("libxml2" in name for name in licences)
        and any("libicu" in name for name in licences)
    )
    assert not [name for name in names if "libstdc++" in name or "libgcc_s" in name]


def test_a_python_that_has_nothing_else_runs_the_guide(wheel, tmp_path):
    venv.create(tmp_path / "python", with_pip=True)
    python = tmp_path / "python/bin/python"
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "NDC_LIBRARY")}
    subprocess.run(
        [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-index",
            "--no-deps",
            str(wheel),
        ],
        check=True,
        env=environment,
    )
    # cffi and what it needs come from where the tests have them, so that no network is asked.
    (place,) = (tmp_path / "python/lib").glob("python*/site-packages")
    import _cffi_backend
    import cffi

    for module in (os.path.dirname(cffi.__file__), _cffi_backend.__file__):
        (place / os.path.basename(module)).symlink_to(module)
    # As PyPI's package of that name, which is somebody else's.
    (place / "ndc").mkdir()
    (place / "ndc/__init__.py").write_text("maker = 'somebody else'\n")
    guide = (SOURCE / "docs/guide-python.md").read_text(encoding="utf-8")
    code, wanted = re.search(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```\n", guide, re.MULTILINE | re.DOTALL).groups()
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert (done.stdout, done.stderr) == (wanted, "")
    listed = subprocess.run(
        [python, "-m", "ndc_dedup", "--version"], capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert listed.stdout.strip() == header_version()
    both = "import ndc, ndc_dedup; print(ndc.maker, ndc_dedup.__version__)"
    done = subprocess.run([python, "-c", both], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.stdout == f"somebody else {header_version()}\n"


def test_a_folder_without_its_clone_says_so(tmp_path):
    """As a pip before 21.3 makes it."""
    shutil.copytree(PACKAGE, tmp_path / "python", symlinks=True)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "./python"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0 and "pip install --upgrade pip" in done.stdout + done.stderr


def test_a_library_that_cannot_be_loaded_says_so(tmp_path):
    (tmp_path / "libndc.so.2").write_bytes(b"no library")
    for path in (str(tmp_path / "libndc.so.2"), str(tmp_path / "none")):
        done = subprocess.run(
            [sys.executable, "-c", "import ndc_dedup"],
            env={**os.environ, "NDC_LIBRARY": path},
            capture_output=True,
            text=True,
        )
        assert "ImportError: ndc_dedup: the native library" in done.stderr and path in done.stderr


def test_an_older_library_is_refused(tmp_path):
    source = tmp_path / "old.c"
    source.write_text(
        'unsigned nd_version(void) { return 1 << 16; }\nconst char *nd_version_string(void) { return "1.0.0"; }\n'
    )
    subprocess.run(["cc", "-shared", "-fPIC", str(source), "-o", str(tmp_path / "old.so")], check=True)
    environment = {**os.environ, "NDC_LIBRARY": str(tmp_path / "old.so")}
    done = subprocess.run([sys.executable, "-c", "import ndc_dedup"], env=environment, capture_output=True, text=True)
    assert "old.so is version 1.0.0; this package was made for" in done.stderr


PORTABLE = SOURCE / "build/portable/x86-64/lib/libndc.so.2"


@pytest.mark.skipif(not PORTABLE.exists(), reason="scripts/portable-natives has not been run")
def test_the_portable_library_makes_a_wheel_for_glibc_2_28_or_older(tmp_path):
    subprocess.run(
        [sys.executable, "-B", str(PACKAGE / "build-wheel"), str(PORTABLE), str(tmp_path)],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.iterdir()
    minor = re.search(r"-manylinux_2_(\d+)_x86_64\.whl$", wheel.name)
    assert minor is not None and int(minor[1]) <= 28
    assert wheel.stat().st_size < 20 << 20
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    licences = {name.rpartition("/")[2] for name in names if "/licenses/licences/" in name}
    assert {"libxml2", "libicu-dev", "libpsl-dev", "libstdc++-12-dev", "sbom.cdx.json"} <= licences
    assert [name for name in names if ".so" in name] == ["ndc_dedup/libndc.so.2"]
