"""What warcio and ndc count in the same files."""
import collections
import re
import subprocess
import zipfile

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

PAGE_RECORDS = ("response", "resource", "conversion", "revisit")
PAGE_TYPES = ("text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml", "text/plain", "text/markdown")
NOTES = ("metadata:", "urn:pageinfo:", "urn:text:", "urn:view:", "urn:thumbnail:", "filedesc:", "dns:", "whois:")


class Count:
    """Records by type, pages by what is declared, and the sentence with which the reader gave up, if it did."""

    def __init__(self):
        self.types = collections.Counter()
        self.declared_pages = 0
        self.failure = None

    @property
    def records(self):
        return sum(self.types.values())


def is_declared_page(record):
    """What the standard's fields alone say, without a look at the body: so undeclared pages are none, and mislabelled
    JSON is one."""
    if record.rec_type not in PAGE_RECORDS or (record.rec_headers.get_header("WARC-Target-URI") or "").startswith(
        NOTES
    ):
        return False
    http = record.http_headers
    if http is not None and not http.get_statuscode().startswith("2"):
        return False
    kind = http.get_header("Content-Type") if http is not None else record.content_type
    return (kind or "").split(";")[0].strip().lower() in PAGE_TYPES


def _count_stream(stream, count):
    try:
        # arc2warc: what an ARC record is, said in the terms of WARC.
        for record in ArchiveIterator(stream, arc2warc=True):
            count.types[record.rec_type] += 1
            count.declared_pages += is_declared_page(record)
            record.content_stream().read()
    except (ArchiveLoadFailed, ValueError, AttributeError, OSError, zipfile.BadZipFile) as failure:
        count.failure = "%s: %s" % (type(failure).__name__, str(failure).strip().split("\n")[0])


def _count_entries(path, count):
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.startswith("archive/") and not name.endswith("/"):
                with archive.open(name) as stream:
                    _count_stream(stream, count)


def by_warcio(paths):
    count = Count()
    for path in paths:
        if zipfile.is_zipfile(path):
            try:
                _count_entries(path, count)
            except zipfile.BadZipFile as failure:
                count.failure = str(failure)
        else:
            with open(path, "rb") as stream:
                _count_stream(stream, count)
    return count


class Read:
    """What `ndc dedup --stats` says: the rows' URLs and verdicts, its counts by name, its exit code and messages."""

    def __init__(self, ndc, paths):
        done = subprocess.run([ndc, "dedup", "--stats", *paths], capture_output=True, timeout=300)
        self.code = done.returncode
        self.messages = done.stderr.decode("utf-8", "replace")
        rows = [line.split("\t") for line in done.stdout.decode("utf-8", "replace").split("\n")[1:-1]]
        self.rows = [(row[0], row[2]) for row in rows]
        self.stats = {
            name: int(number.replace(",", ""))
            for name, number in re.findall(r"(?m)^(input\.\w+) +([\d,]+)$", self.messages)
        }

    @property
    def records(self):
        return self.stats.get("input.records", 0)

    @property
    def pages(self):
        return self.stats.get("input.pages", 0)

    @property
    def left_out(self):
        return read_counts(self.stats)


def read_counts(stats):
    """Counts by reason, in the words of docs/inputs.md, of those that are not 0."""
    names = [
        ("input.other_record_types", "other_record_types"),
        ("input.other_http_statuses", "other_http_statuses"),
    ]
    names += [(name, name[len("input.") :]) for name in stats if name.startswith("input.left_out_")]
    names += [("input.damaged_skipped", "damaged_skipped")]
    return {short: stats[name] for name, short in names if stats.get(name)}
