"""What each reader makes of the cases: the pages with a text, in order, the damage that it reports, and its counts."""
import collections
import json
import os
import re
import subprocess
import sys
import unicodedata

import archive_parts
import page_cases
import record_cases

Read = collections.namedtuple("Read", "pages damaged records counts said")
"""pages: names as below; damaged: how many places are reported; records: how many were read, None if it is not known;
counts: by the command's names; said: the messages."""

_KNOWN = {}


def _folded(text):
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def made():
    """All cases: name, bytes."""
    yield from record_cases.every()
    yield from page_cases.every()


def write(folder):
    """Writes the cases into a folder, and gives their names."""
    names = []
    for name, data in made():
        if name in names:
            raise ValueError("two cases are called " + name)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        names.append(name)
    return names


def page_name(url, text):
    """ "a": page a with its own text; "a=b" with that of b, or in letters of that name; "a=?" with another one."""
    if not _KNOWN:
        names = [*"abcde", *page_cases.TYPES]
        _KNOWN.update((_folded(archive_parts.text(name)), name) for name in names)
        _KNOWN.update((_folded(words), name) for name, words in page_cases.LETTERS.items())
    place = archive_parts.url("")
    name = url[len(place) :] if url.startswith(place) else url
    name = name.replace(" ", "_")
    known = _KNOWN.get(_folded(text), "?")
    return name if known == name else "%s=%s" % (name, known)


def _text(report):
    return " ".join(block["text"] for block in report["blocks"])


def _names(reports):
    return [page_name(report["url"], _text(report)) for report in reports if report["blocks"]]


def by_command(ndc, path):
    extracted = subprocess.run([ndc, "extract", "--format", "jsonl", path], capture_output=True, timeout=120)
    counted = subprocess.run([ndc, "dedup", "--stats", path], capture_output=True, timeout=120)
    messages = counted.stderr.decode("utf-8", "replace")
    for done in (extracted, counted):
        if done.returncode not in (0, 1, 3):
            raise RuntimeError("%s ends with %d: %s" % (done.args, done.returncode, done.stderr.decode()))
    if extracted.returncode != counted.returncode:
        raise RuntimeError("%s: extract ends with %d, dedup with %d" % (path, extracted.returncode, counted.returncode))
    lines = extracted.stdout.decode("utf-8", "replace").splitlines()
    numbers = re.findall(r"(?m)^input\.(\w+) +([\d,]+)$", messages)
    counts = {name: int(number.replace(",", "")) for name, number in numbers}
    damaged = counts.get("damaged_skipped", 0)
    if counted.returncode == 1:
        return Read(_names(map(json.loads, lines)), "refused", None, {}, messages)
    if (damaged > 0) != (counted.returncode == 3):
        raise RuntimeError("%s: %d damaged, but exit code %d" % (path, damaged, counted.returncode))
    left_out = {name: count for name, count in counts.items() if count and name.startswith(("left_out", "other_http"))}
    return Read(_names(map(json.loads, lines)), damaged, counts["records"], left_out, messages)


def by_spark(java, build, folder):
    """All at once: a JVM takes its time to start. Name: what was read."""
    module = os.path.join(build, "java", "ndc-spark")
    with open(os.path.join(module, "test-classpath"), encoding="utf-8") as file:
        class_path = ":".join(
            [os.path.join(module, "test-classes"), os.path.join(module, "classes"), file.read().strip()]
        )
    program = [java, "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-cp", class_path]
    done = subprocess.run(
        program + ["io.ndc.spark.archive.CaseReads", folder], capture_output=True, timeout=600, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    read = {}
    for line in done.stdout.decode("utf-8").splitlines():
        case = json.loads(line)
        counts = {"other_http_statuses": case["other_statuses"]} if case["other_statuses"] else {}
        said = "\n".join(case["said"])
        read[case["name"]] = Read(_names(case["pages"]), len(case["said"]), case["records"], counts, said)
    return read


def by_python(path):
    """The package as it is on the path of modules."""
    import logging

    import ndc_dedup as ndc
    import ndc_dedup.warc

    said = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())
    logger = logging.getLogger("ndc_dedup")
    logger.addHandler(handler)
    logger.propagate = False
    reports = []
    try:
        for page in ndc.warc.pages(path):
            reports.append({**ndc.extract(page.body, page.content_type, truncated=page.truncated), "url": page.url})
    finally:
        logger.removeHandler(handler)
    return Read(_names(reports), len(said), None, {}, "\n".join(said))


def by_warcio(path):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "archives"))
    try:
        import archive_counts
    finally:
        sys.path.pop(0)
    count = archive_counts.by_warcio([path])
    return "%d%s" % (count.records, "!" if count.failure else "")
