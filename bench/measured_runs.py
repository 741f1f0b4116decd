"""Programs run in turn, with the CPU time that each took."""
import json
import os
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARCHIVE = "pages.warc.gz"
DONE, SKIPPED = 0, 3  # exit codes of ndc; the second: but damaged records were skipped


class Spread:
    """What the rounds of a measurement gave."""

    def __init__(self, values):
        self.median, self.least, self.most = statistics.median(values), min(values), max(values)

    def json(self):
        return {"median": self.median, "least": self.least, "most": self.most}

    def text(self, places=2):
        return f"{self.median:.{places}f} ({self.least:.{places}f}–{self.most:.{places}f})"


def archive_of(path):
    """A WARC file, or the one of a corpus's folder; with a name for it."""
    path = pathlib.Path(path)
    if path.is_dir():
        path, name = path / ARCHIVE, path.resolve().name
    else:
        name = path.name
    if not path.is_file():
        raise SystemExit(f"{path} is not there")
    return path, name


def cpu_seconds(command, extra_environment=None, accepted=(DONE,)):
    """User and system time of a whole process, from start to exit."""
    process = subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | (extra_environment or {}),
    )
    complaint = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode not in accepted:
        raise SystemExit(f"{command[0]} ended with {process.returncode}: {complaint.decode(errors='replace').strip()}")
    return usage.ru_utime + usage.ru_stime


def dedup_cpu_seconds(ndc, archive, rows, extra_environment=None):
    """`ndc dedup` with one thread: reading the archive, every check, and writing the rows."""
    return cpu_seconds([ndc, "dedup", "--threads", "1", "-o", rows, archive], extra_environment, (DONE, SKIPPED))


def reading_cpu_seconds(check_cost, archive, rounds, folder):
    """What of that is unpacking the archive and cutting it into pages."""
    path = folder / "reading.json"
    subprocess.run(
        [str(word) for word in (check_cost, archive, "--parts", "reading", "--rounds", rounds, "--json", path)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return json.loads(path.read_text(encoding="utf-8"))["reading"]["seconds"]["median"]


def row_count(path):
    with open(path, "rb") as rows:
        return sum(1 for line in rows if line.strip() and not line.startswith(b"#"))
