"""The Spark job, called from PySpark. Needs pyspark 4.1 (of 450 MB, so that it is no part of requirements-tests.txt)
and the Java modules built (target ndc_java)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import SOURCE

pytest.importorskip("pyspark.sql.classic")

MODULE = Path(os.environ["NDC_BUILD_DIRECTORY"]) / "java/ndc-spark"
PROGRAM = Path(__file__).with_name("spark_program.py")


def submit(folder, jars):
    environment = os.environ | {"NDC_SPARK_MODULE": str(MODULE), "PYSPARK_PYTHON": sys.executable}
    environment["PYTHONPATH"] = os.pathsep.join([*sys.path, environment.get("PYTHONPATH", "")])
    command = [SOURCE / "plugins/spark/spark-submit", "--master", "local[2]", "--conf", "spark.ui.enabled=false"]
    command += ["--conf", "spark.sql.shuffle.partitions=2", "--conf", f"spark.local.dir={folder}"]
    command += ["--jars", ",".join(str(jar) for jar in jars)] if jars else []
    return subprocess.run([*command, PROGRAM, folder / "work"], env=environment, capture_output=True, text=True)


@pytest.fixture
def jars():
    found = [*MODULE.glob("ndc-spark-[0-9.]*.jar"), *MODULE.glob("lib/*.jar")]
    if not found:
        pytest.skip("the Java modules are not built")
    return found


def test_deduplicate(tmp_path, jars):
    done = submit(tmp_path, jars)
    line = next((line for line in done.stdout.splitlines() if line.startswith("ANSWERS ")), None)
    assert line, done.stderr[-4000:]
    answers = json.loads(line.removeprefix("ANSWERS "))
    first, copy, other, none = answers["rows"]
    assert first[1] == copy[1] != other[1]
    assert {first[2], copy[2]} <= {"NEW", "EXACT", "NEAR"}
    assert [first[2], copy[2]].count("NEW") == 1
    assert max(first[3], copy[3]) > 0.9
    assert first[4] == copy[4] in (first[0], copy[0])
    assert other[2:] == ["NEW", 0, "http://c.example/"]
    assert none == ["http://d.example/", None, None, None, None]
    assert "no column url" in answers["refused"][0]
    assert "x_relaxed" in answers["refused"][1]


def test_a_session_without_the_jars_says_so(tmp_path, jars):
    done = submit(tmp_path, [])
    assert "the session lacks io.ndc.spark.NdDeduplicator" in done.stdout, done.stdout[-4000:]
