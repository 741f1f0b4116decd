"""What other projects judge ndc's outputs with: the accessibility checker axe-core (npm) and the WARC reader jwarc
(Maven). Each is fetched once into build/outside-tools, by its registry's own client.
"""
import pathlib
import shutil
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "build" / "outside-tools"
AXE, JWARC = "4.10.2", "0.31.1"
FETCH_SECONDS = 300


def fetched(path, command):
    """The file, or None where it is not there and cannot be fetched."""
    if path.exists():
        return path
    if shutil.which(command[0]) is None:
        return None
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(command, cwd=FOLDER, capture_output=True, timeout=FETCH_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        pass
    return path if path.exists() else None


def axe():
    """The path of axe-core's script, or None."""
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(FOLDER)]
    return fetched(FOLDER / "node_modules" / "axe-core" / "axe.min.js", ["npm", "install", *options, "axe-core@" + AXE])


def jwarc():
    """The path of jwarc's program, or None."""
    copy = "org.apache.maven.plugins:maven-dependency-plugin:3.6.0:copy"
    artifact = "-Dartifact=org.netpreserve:jwarc:" + JWARC
    return fetched(
        FOLDER / ("jwarc-%s.jar" % JWARC),
        ["mvn", "--batch-mode", "--quiet", copy, artifact, "-DoutputDirectory=" + str(FOLDER)],
    )
